/* Runs the collectives that its arguments name, once each: collective bytes collective bytes ... */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void run(const char *name, int bytes, char *from, char *to)
{
    MPI_Comm all = MPI_COMM_WORLD;
    if (!strcmp(name, "allreduce")) MPI_Allreduce(from, to, bytes, MPI_CHAR, MPI_BOR, all);
    else if (!strcmp(name, "broadcast")) MPI_Bcast(from, bytes, MPI_CHAR, 0, all);
    else if (!strcmp(name, "reduce")) MPI_Reduce(from, to, bytes, MPI_CHAR, MPI_BOR, 0, all);
    else if (!strcmp(name, "allgather")) MPI_Allgather(from, bytes, MPI_CHAR, to, bytes, MPI_CHAR, all);
    else if (!strcmp(name, "alltoall")) MPI_Alltoall(from, bytes, MPI_CHAR, to, bytes, MPI_CHAR, all);
    else if (!strcmp(name, "gather")) MPI_Gather(from, bytes, MPI_CHAR, to, bytes, MPI_CHAR, 0, all);
    else if (!strcmp(name, "scatter")) MPI_Scatter(from, bytes, MPI_CHAR, to, bytes, MPI_CHAR, 0, all);
    else if (!strcmp(name, "reduce-scatter")) {
        int size, *counts;
        MPI_Comm_size(all, &size);
        counts = malloc(sizeof(int) * size);
        for (int i = 0; i < size; i++) counts[i] = bytes;
        MPI_Reduce_scatter(from, to, counts, MPI_CHAR, MPI_BOR, all);
        free(counts);
    } else if (!strcmp(name, "barrier")) MPI_Barrier(all);
    else MPI_Abort(all, 3);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int k = 1; k + 1 < argc; k += 2) {
        int bytes = atoi(argv[k + 1]);
        char *from = calloc(bytes + 1, size), *to = calloc(bytes + 1, size);
        run(argv[k], bytes, from, to);
        free(from);
        free(to);
    }
    if (rank == 0) printf("finished\n");
    MPI_Finalize();
    return 0;
}
