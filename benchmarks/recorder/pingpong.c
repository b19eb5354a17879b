/* An 8-byte ping-pong of ranks 0 and 1, and calls that send to nobody: the least time of a call over many short batches. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, batches = argc > 1 ? atoi(argv[1]) : 2000, trips = 200;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char word[8] = {0};
    double round = 1e9, call = 1e9;
    for (int batch = 0; batch < batches; batch++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double start = MPI_Wtime();
        for (int trip = 0; trip < trips; trip++) {
            if (rank == 0) {
                MPI_Send(word, 8, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
                MPI_Recv(word, 8, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            } else if (rank == 1) {
                MPI_Recv(word, 8, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Send(word, 8, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
            }
        }
        double time = (MPI_Wtime() - start) / (2 * trips);
        round = time < round ? time : round;
        start = MPI_Wtime();
        for (int trip = 0; trip < trips; trip++)
            MPI_Send(word, 8, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
        time = (MPI_Wtime() - start) / trips;
        call = time < call ? time : call;
    }
    if (rank == 0)
        printf("%.3f %.3f\n", round * 1e9, call * 1e9);
    MPI_Finalize();
    return 0;
}
