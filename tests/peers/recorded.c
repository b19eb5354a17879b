/* Programs whose messages are known, one by each first argument; test_recorder.py has the sums. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int rank, size;
static char out[4096], in[4096];

static void ring(int bytes)
{
    MPI_Request both[2];
    MPI_Irecv(in, sizeof in, MPI_CHAR, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &both[0]);
    MPI_Isend(out, bytes, MPI_CHAR, (rank + 1) % size, 1, MPI_COMM_WORLD, &both[1]);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
}

static void messages(void)
{
    ring(100 + rank);
    /* Neighbours in pairs. */
    double eight[8] = {0};
    if (rank % 2 == 0) {
        MPI_Ssend(eight, 8, MPI_DOUBLE, rank + 1, 2, MPI_COMM_WORLD);
        MPI_Recv(eight, 8, MPI_DOUBLE, rank + 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(eight, 8, MPI_DOUBLE, rank - 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Ssend(eight, 8, MPI_DOUBLE, rank - 1, 2, MPI_COMM_WORLD);
    }
    /* A ring of every second rank, the last first. */
    MPI_Comm part, copy;
    int mine, members, five[5] = {0};
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
    MPI_Comm_rank(part, &mine);
    MPI_Comm_size(part, &members);
    MPI_Sendrecv_replace(five, 5, MPI_INT, (mine + 1) % members, 3, (mine + members - 1) % members, 3, part,
                         MPI_STATUS_IGNORE);
    /* Persistent, on a copy: three times three bytes to the rank after the next. */
    MPI_Request kept[2], copying;
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, &copying);
    MPI_Wait(&copying, MPI_STATUS_IGNORE);
    MPI_Send_init(out, 3, MPI_CHAR, (rank + 2) % size, 4, copy, &kept[0]);
    MPI_Recv_init(in, 3, MPI_CHAR, (rank + size - 2) % size, 4, copy, &kept[1]);
    for (int time = 0; time < 3; time++) {
        MPI_Startall(2, kept);
        MPI_Waitall(2, kept, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&kept[0]);
    MPI_Request_free(&kept[1]);
    /* Two of a type of six integers with gaps, to rank 0 from anybody. */
    MPI_Datatype gaps;
    MPI_Type_vector(3, 2, 4, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    if (rank > 0)
        MPI_Send(out, 2, gaps, 0, 5, MPI_COMM_WORLD);
    for (int from = 1; rank == 0 && from < size; from++)
        MPI_Recv(in, 2, gaps, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&gaps);
    MPI_Send(out, 9, MPI_CHAR, MPI_PROC_NULL, 6, MPI_COMM_WORLD);
    MPI_Comm_free(&part);
    MPI_Comm_free(&copy);
}

static void halo(void)
{
    int sides[2] = {2, 2}, around[2] = {1, 1}, before = (rank + size - 1) % size, after = (rank + 1) % size;
    MPI_Comm grid, circle;
    MPI_Cart_create(MPI_COMM_WORLD, 2, sides, around, 0, &grid);
    MPI_Neighbor_alltoall(out, 16, MPI_CHAR, in, 16, MPI_CHAR, grid);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &after, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &circle);
    int sent = 3 + rank, wanted = 3 + before, zero = 0;
    MPI_Request request;
    MPI_Ineighbor_alltoallv(out, &sent, &zero, MPI_INT, in, &wanted, &zero, MPI_INT, circle, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Neighbor_allgather(out, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, circle);
    MPI_Comm_free(&grid);
    MPI_Comm_free(&circle);
}

static void sided(void)
{
    MPI_Comm back;
    MPI_Win window;
    long *memory, one = 1, old;
    int mine, target, ten[10] = {0};
    double four[4];
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &back);
    MPI_Comm_rank(back, &mine);
    MPI_Win_allocate(4096, 1, MPI_INFO_NULL, back, &memory, &window);
    memset(memory, 0, 4096);
    target = (mine + 1) % size;
    MPI_Win_fence(0, window);
    MPI_Put(ten, 10, MPI_INT, target, 0, 10, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Get(four, 4, MPI_DOUBLE, target, 64, 4, MPI_DOUBLE, window);
    MPI_Accumulate(ten, 2, MPI_INT, target, 128, 2, MPI_INT, MPI_SUM, window);
    MPI_Win_fence(0, window);
    MPI_Win_lock(MPI_LOCK_SHARED, target, 0, window);
    MPI_Fetch_and_op(&one, &old, MPI_LONG, target, 256, MPI_SUM, window);
    MPI_Win_unlock(target, window);
    MPI_Barrier(back);
    MPI_Win_free(&window);
    MPI_Comm_free(&back);
}

static void collectives(void)
{
    double three[3] = {0}, sum[3];
    int seven[7] = {0}, counts[64], places[64], *blocks = calloc(256, sizeof *blocks), *room = calloc(256, sizeof *room);
    MPI_Allreduce(three, sum, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, sum, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(seven, 7, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Request request;
    MPI_Ialltoall(blocks, 2, MPI_INT, room, 2, MPI_INT, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int at = 0, place = 0; at < size; place += ++at) {
        counts[at] = at + 1;
        places[at] = place;
    }
    MPI_Gatherv(blocks, rank + 1, MPI_INT, room, counts, places, MPI_INT, 2, MPI_COMM_WORLD);
    MPI_Scatter(rank == 0 ? blocks : NULL, rank == 0 ? 4 : 0, rank == 0 ? MPI_INT : MPI_DATATYPE_NULL, room, 4, MPI_INT, 0,
                MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(blocks, room, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    for (int at = 0; at < size; at++)
        counts[at] = 1 + (at + rank) % 2, places[at] = 4 * at;
    MPI_Alltoallv(blocks, counts, places, MPI_INT, room, counts, places, MPI_INT, MPI_COMM_WORLD);
    free(blocks);
    free(room);
}

static void *talk(void *number)
{
    int tag = (int)(long)number;
    for (int time = 0; time < 50; time++) {
        char word[8] = {0}, other[8];
        MPI_Sendrecv(word, 8, MPI_CHAR, (rank + 1) % size, tag, other, 8, MPI_CHAR, (rank + size - 1) % size, tag,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return NULL;
}

static void threads(void)
{
    pthread_t all[3];
    for (long at = 0; at < 3; at++)
        pthread_create(&all[at], NULL, talk, (void *)at);
    for (int at = 0; at < 3; at++)
        pthread_join(all[at], NULL);
}

#if MPI_VERSION >= 4
/* What came with MPI 4: large counts, persistent collectives, partitioned messages, both ways without blocking. */
static void four(void)
{
    int before = (rank + size - 1) % size, after = (rank + 1) % size, sides[1] = {size}, around[1] = {1};
    MPI_Request one, both[2];
    MPI_Comm circle;
    MPI_Irecv_c(in, 100, MPI_CHAR, before, 1, MPI_COMM_WORLD, &one);
    MPI_Send_c(out, 11, MPI_CHAR, after, 1, MPI_COMM_WORLD);
    MPI_Wait(&one, MPI_STATUS_IGNORE);
    MPI_Isendrecv(out, 13, MPI_CHAR, after, 2, in, 100, MPI_CHAR, before, 2, MPI_COMM_WORLD, &one);
    MPI_Wait(&one, MPI_STATUS_IGNORE);
    MPI_Cart_create(MPI_COMM_WORLD, 1, sides, around, 0, &circle);
    MPI_Neighbor_alltoall_init(out, 17, MPI_CHAR, in, 17, MPI_CHAR, circle, MPI_INFO_NULL, &one);
    for (int time = 0; time < 2; time++) {
        MPI_Start(&one);
        MPI_Wait(&one, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&one);
    MPI_Comm_free(&circle);
    MPI_Psend_init(out, 2, 5, MPI_INT, after, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &both[0]);
    MPI_Precv_init(in, 2, 5, MPI_INT, before, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &both[1]);
    MPI_Startall(2, both);
    MPI_Pready(0, both[0]);
    MPI_Pready(1, both[0]);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    MPI_Request_free(&both[0]);
    MPI_Request_free(&both[1]);
}
#endif

/* Many communicators at a time, more than rows and entries of the record; a message on each. */
static void many(void)
{
    MPI_Comm all[1100];
    for (int at = 0; at < 1100; at++)
        MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &all[at]);
    for (int at = 0; at < 1100; at++) {
        int mine;
        MPI_Comm_rank(all[at], &mine);
        MPI_Sendrecv(out, 2, MPI_CHAR, (mine + 1) % size, 1, in, 2, MPI_CHAR, (mine + size - 1) % size, 1, all[at],
                     MPI_STATUS_IGNORE);
    }
    for (int at = 0; at < 1100; at++)
        MPI_Comm_free(&all[at]);
}

/* From now on no file may be longer than the first piece of a list of events. */
static void limited(void)
{
    struct rlimit most = {1 << 20, 1 << 20};
    setrlimit(RLIMIT_FSIZE, &most);
    for (int time = 0; time < 20000; time++)
        MPI_Sendrecv(out, 1, MPI_CHAR, (rank + 1) % size, 1, in, 1, MPI_CHAR, (rank + 1) % size, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
}

/* The end comes from rank 1, while the others wait for what it never sends. */
static void ends(int by_abort)
{
    ring(40);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank != 1)
        MPI_Recv(in, 1, MPI_CHAR, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (by_abort)
        MPI_Abort(MPI_COMM_WORLD, 7);
    else
        kill(getpid(), SIGKILL);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int level;
    if (strcmp(what, "threads") == 0)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(what, "messages") == 0)
        messages();
    else if (strcmp(what, "halo") == 0)
        halo();
    else if (strcmp(what, "sided") == 0)
        sided();
    else if (strcmp(what, "collectives") == 0)
        collectives();
    else if (strcmp(what, "threads") == 0)
        threads();
#if MPI_VERSION >= 4
    else if (strcmp(what, "four") == 0)
        four();
#endif
    else if (strcmp(what, "many") == 0)
        many();
    else if (strcmp(what, "limited") == 0)
        limited();
    else if (strcmp(what, "abort") == 0 || strcmp(what, "kill") == 0)
        ends(strcmp(what, "abort") == 0);
    else
        ring(8);
    /* Before the end: a launcher may stop the others once one has ended with an error. */
    if (rank == 0) {
        printf("done\n");
        fflush(stdout);
    }
    MPI_Finalize();
    return argc > 2 ? atoi(argv[2]) : 0;
}
