/* A reordered world by one line: MPI_Comm world = netloom_world(MPI_COMM_WORLD, new_ranks);
 * `new_ranks[i]` is the new rank of process i, as `netloom enumerate LEVELS --order ORDER` prints it. */
#ifndef NETLOOM_H
#define NETLOOM_H
#include <mpi.h>
static inline MPI_Comm netloom_world(MPI_Comm comm, const int *new_ranks)
{
    MPI_Comm world;
    int rank;
    MPI_Comm_rank(comm, &rank);
    return MPI_Comm_split(comm, 0, new_ranks[rank], &world) == MPI_SUCCESS ? world : MPI_COMM_NULL;
}
#endif
