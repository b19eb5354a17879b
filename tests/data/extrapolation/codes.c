/* Small codes with the communication of larger ones: codes NAME [iterations]. Compiled with mpicc.
 *
 * stencil2d, stencil3d   halo exchange of a fixed grid, without and with wrap, one allreduce an iteration
 * ft                     transposes of a fixed cube by alltoall in the rows and columns of a grid of ranks
 * cg                     sums over rows by partners at doubling distance, then an exchange with the transposed rank
 * lu                     a wavefront over a grid of ranks, plane by plane, there and back
 * ring                   an allgather by messages around a ring
 * master                 rank 0 gives work to the others in turn and collects it
 * summa                  a broadcast from each rank of a row and of a column in turn
 */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;
static char *mine, *theirs;

static void swap(int to, int from, int bytes, int tag)
{
    MPI_Request both[2];
    MPI_Irecv(theirs, bytes, MPI_BYTE, from, tag, MPI_COMM_WORLD, &both[0]);
    MPI_Isend(mine, bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD, &both[1]);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
}

static void stencil(int depth, int wraps, int iterations)
{
    int dims[3] = {0, 0, 0}, wrap[3] = {wraps, wraps, wraps}, side = depth == 2 ? 5040 : 240;
    MPI_Comm grid;
    double sum = 0, all;
    MPI_Dims_create(ranks, depth, dims);
    MPI_Cart_create(MPI_COMM_WORLD, depth, dims, wrap, 0, &grid);
    for (int step = 0; step < iterations; step++) {
        MPI_Request open[12];
        int count = 0;
        for (int d = 0; d < depth; d++) {
            int down, up, face = 8;
            for (int other = 0; other < depth; other++)
                if (other != d) face *= side / dims[other];
            MPI_Cart_shift(grid, d, 1, &down, &up);
            if (down != MPI_PROC_NULL) MPI_Irecv(theirs, face, MPI_BYTE, down, 2 * d, MPI_COMM_WORLD, &open[count++]);
            if (up != MPI_PROC_NULL) MPI_Irecv(theirs, face, MPI_BYTE, up, 2 * d + 1, MPI_COMM_WORLD, &open[count++]);
            if (up != MPI_PROC_NULL) MPI_Isend(mine, face, MPI_BYTE, up, 2 * d, MPI_COMM_WORLD, &open[count++]);
            if (down != MPI_PROC_NULL) MPI_Isend(mine, face, MPI_BYTE, down, 2 * d + 1, MPI_COMM_WORLD, &open[count++]);
        }
        MPI_Waitall(count, open, MPI_STATUSES_IGNORE);
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

static void square(int *row, int *column, int *side)
{
    *side = (int)(sqrt((double)ranks) + 0.5);
    *row = rank / *side;
    *column = rank % *side;
}

static void ft(int iterations)
{
    int row, column, side;
    MPI_Comm rows, columns;
    double sum = 0, all;
    square(&row, &column, &side);
    MPI_Comm_split(MPI_COMM_WORLD, row, column, &rows);
    MPI_Comm_split(MPI_COMM_WORLD, column, row, &columns);
    int part = 16 * (96 * 96 * 96 / ranks) / side;
    for (int step = 0; step < iterations; step++) {
        MPI_Alltoall(mine, part, MPI_BYTE, theirs, part, MPI_BYTE, rows);
        MPI_Alltoall(mine, part, MPI_BYTE, theirs, part, MPI_BYTE, columns);
        MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    }
}

static void cg(int iterations)
{
    int row, column, side;
    square(&row, &column, &side);
    for (int step = 0; step < iterations; step++) {
        for (int far = side / 2; far; far /= 2) {
            int other = row * side + (column ^ far);
            swap(other, other, 8 * 14336 / side, 1);
        }
        swap(column * side + row, column * side + row, 8 * 14336 / side, 2);
        for (int far = 1; far < ranks; far *= 2) swap(rank ^ far, rank ^ far, 8, 3);
    }
}

static void lu(int iterations)
{
    int row, column, side, planes = 6;
    square(&row, &column, &side);
    for (int step = 0; step < iterations; step++)
        for (int way = 1; way >= -1; way -= 2)
            for (int plane = 0; plane < planes; plane++) {
                int before[2] = {row - way, column - way}, after[2] = {row + way, column + way};
                int face = 40 * (960 / side);
                for (int d = 0; d < 2; d++)
                    if (before[d] >= 0 && before[d] < side)
                        MPI_Recv(theirs, face, MPI_BYTE, d ? row * side + before[d] : before[d] * side + column, d, MPI_COMM_WORLD,
                                 MPI_STATUS_IGNORE);
                for (int d = 0; d < 2; d++)
                    if (after[d] >= 0 && after[d] < side)
                        MPI_Send(mine, face, MPI_BYTE, d ? row * side + after[d] : after[d] * side + column, d, MPI_COMM_WORLD);
            }
}

static void ring(int iterations)
{
    for (int step = 0; step < iterations; step++) {
        for (int turn = 1; turn < ranks; turn++) swap((rank + 1) % ranks, (rank + ranks - 1) % ranks, 1048576 / ranks, 1);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void master(int iterations)
{
    for (int step = 0; step < iterations; step++)
        if (!rank) {
            for (int other = 1; other < ranks; other++) MPI_Send(mine, 4000, MPI_BYTE, other, 1, MPI_COMM_WORLD);
            for (int other = 1; other < ranks; other++)
                MPI_Recv(theirs, 800, MPI_BYTE, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(theirs, 4000, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(mine, 800, MPI_BYTE, 0, 2, MPI_COMM_WORLD);
        }
}

static void summa(int iterations)
{
    int row, column, side;
    MPI_Comm rows, columns;
    square(&row, &column, &side);
    MPI_Comm_split(MPI_COMM_WORLD, row, column, &rows);
    MPI_Comm_split(MPI_COMM_WORLD, column, row, &columns);
    for (int step = 0; step < iterations; step++)
        for (int root = 0; root < side; root++) {
            MPI_Bcast(mine, 8 * (720 / side) * (720 / side), MPI_BYTE, root, rows);
            MPI_Bcast(theirs, 8 * (720 / side) * (720 / side), MPI_BYTE, root, columns);
        }
}

int main(int count, char **words)
{
    const char *name = count > 1 ? words[1] : "";
    int iterations = count > 2 ? atoi(words[2]) : 3;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    mine = calloc(1 << 22, 1);
    theirs = calloc(1 << 22, 1);
    if (!strcmp(name, "stencil2d")) stencil(2, 0, iterations);
    else if (!strcmp(name, "torus2d")) stencil(2, 1, iterations);
    else if (!strcmp(name, "stencil3d")) stencil(3, 0, iterations);
    else if (!strcmp(name, "torus3d")) stencil(3, 1, iterations);
    else if (!strcmp(name, "ft")) ft(iterations);
    else if (!strcmp(name, "cg")) cg(iterations);
    else if (!strcmp(name, "lu")) lu(iterations);
    else if (!strcmp(name, "ring")) ring(iterations);
    else if (!strcmp(name, "master")) master(iterations);
    else if (!strcmp(name, "summa")) summa(iterations);
    else {
        fprintf(stderr, "codes: no code is named '%s'\n", name);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Finalize();
    return 0;
}
