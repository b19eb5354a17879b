/* One collective, repeated back to back, as SMPI simulates it. Every rank prints its number and when it is done;
 * nothing is synchronised, since a barrier would be messages too. Reading the clock costs nothing (`smpi/wtime:0`).
 *
 *   collectives bcast|allreduce|alltoall|bruck BYTES REPETITIONS
 *
 * BYTES is what MPI calls the message: of a broadcast and of an allreduce the whole vector, of an alltoall the block of
 * one pair. `bruck` is the alltoall of that name by its messages alone, from one buffer that all ranks share, since
 * the real one keeps ranks^2 blocks: its times are the same (the tests compare), its memory is not.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void bruck(char* buffer, long bytes)
{
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int distance = 1; distance < ranks; distance *= 2) {
    long blocks = 0;
    for (int way = 1; way < ranks; way++)
      blocks += (way & distance) != 0;
    int length = (int)(blocks * bytes);
    MPI_Sendrecv(buffer, length, MPI_BYTE, (rank + distance) % ranks, 1, buffer, length, MPI_BYTE,
                 (rank - distance + ranks) % ranks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char** argv)
{
  MPI_Init(&argc, &argv);
  if (argc != 4) {
    fprintf(stderr, "usage: collectives bcast|allreduce|alltoall|bruck BYTES REPETITIONS\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const char* name = argv[1];
  long bytes       = atol(argv[2]);
  int ranks, count = (int)bytes;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int shape = strcmp(name, "bruck") == 0, all = strcmp(name, "alltoall") == 0;
  const size_t length = (size_t)bytes * (all || shape ? ranks : 1);
  char* in            = shape ? SMPI_SHARED_MALLOC(length) : malloc(length);
  char* out           = shape ? in : malloc(length);
  if (in == NULL || out == NULL)
    MPI_Abort(MPI_COMM_WORLD, 3);
  if (!shape)
    memset(in, 1, length);
  for (int i = atoi(argv[3]); i > 0; i--) {
    if (shape)
      bruck(in, bytes);
    else if (all)
      MPI_Alltoall(in, count, MPI_BYTE, out, count, MPI_BYTE, MPI_COMM_WORLD);
    else if (strcmp(name, "allreduce") == 0)
      MPI_Allreduce(in, out, count, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
    else
      MPI_Bcast(in, count, MPI_BYTE, 0, MPI_COMM_WORLD);
  }
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  printf("%d %.17g\n", rank, MPI_Wtime());
  if (shape) {
    SMPI_SHARED_FREE(in);
  } else {
    free(in);
    free(out);
  }
  MPI_Finalize();
  return 0;
}
