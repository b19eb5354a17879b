/* What a program sees of its ranks: each line is the process as the launcher counts, and its rank by several ways. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const char *number = getenv("OMPI_COMM_WORLD_RANK") ? getenv("OMPI_COMM_WORLD_RANK") : getenv("PMI_RANK");
    int rank, copied, grouped, joined, in_grid, windowed, same, there, *most, length, heard = -1, size, sides[2] = {0, 0}, around[2] = {0, 0};
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Comm copy, half, grid;
    MPI_Group group;
    MPI_Win window;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_rank(copy, &copied);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Group_rank(group, &grouped);
    /* Halves of neighbours: the sum over a half tells who is in it. */
    MPI_Comm_split(MPI_COMM_WORLD, rank / (size / 2), 0, &half);
    MPI_Allreduce(&rank, &joined, 1, MPI_INT, MPI_SUM, half);
    MPI_Dims_create(size, 2, sides);
    MPI_Cart_create(MPI_COMM_WORLD, 2, sides, around, 0, &grid);
    MPI_Comm_rank(grid, &in_grid);
    MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_WORLD, &same);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &there);
    MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    /* A message by rank, and the ranks of a window. */
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &heard, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    int *cell;
    MPI_Win_allocate(sizeof *cell, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &window);
    MPI_Win_get_group(window, &group);
    MPI_Group_rank(group, &windowed);
    MPI_Win_free(&window);
    int is_well = same == MPI_IDENT && there && *most > 0 && strcmp(name, "MPI_COMM_WORLD") == 0 &&
                  heard == (rank + size - 1) % size && windowed == rank && grouped == rank && copied == rank && in_grid == rank;
    printf("%s %d %d %s\n", number, rank, joined, is_well ? "well" : "WRONG");
    MPI_Finalize();
    return 0;
}
