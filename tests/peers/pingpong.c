/* Ping-pong between two ranks, printed as osu_latency does, with more digits: half the round trip in microseconds.
 * Four sizes per octave, up to 4 MiB. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *buffer = malloc(1 << 22);
    if (rank == 0) printf("# OSU MPI Latency Test v5.9\n# Size          Latency (us)\n");
    for (int k = 0; k <= 80; k++) {
        int size = (4 + k % 4) << (k / 4);
        double start = 0;
        /* The first exchange brings both ranks to one time: a barrier would leave them a message apart. */
        for (int turn = 0; turn < 2; turn++) {
            if (turn == 1) start = MPI_Wtime();
            if (rank == 0) {
                MPI_Send(buffer, size, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
                MPI_Recv(buffer, size, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            } else {
                MPI_Recv(buffer, size, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Send(buffer, size, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
            }
        }
        if (rank == 0) printf("%-22d%.9f\n", size, (MPI_Wtime() - start) / 2 * 1e6);
    }
    free(buffer);
    MPI_Finalize();
    return 0;
}
