/* A reordered MPI_COMM_WORLD for a program that knows nothing of it. Every hook puts `nl.world` in the place of MPI_COMM_WORLD;
 * here it is made, and refused on all ranks if one of them cannot take part. */
#include "hooks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a rank has read; all must have read the same. */
struct reading {
    const char *reason;
    long size, mine;
    unsigned long mark; /* of the whole file */
};

static struct reading failed(const char *reason)
{
    return (struct reading){.reason = reason};
}

/* "netloom-order 1 SIZE", then the new rank of each old one: every number once. */
static struct reading take(FILE *file)
{
    struct reading made = {0};
    if (fscanf(file, "netloom-order 1 %ld", &made.size) != 1)
        return failed("is no order of ranks, or one of another version of netloom");
    if (made.size < 1 || made.size > 1L << 24)
        return failed("has a number of ranks beyond 1 to 2^24");
    char *seen = calloc((size_t)made.size, 1);
    if (!seen)
        return failed("needs more memory than there is");
    made.mark = 1469598103934665603ul;
    for (long at = 0; at < made.size && !made.reason; at++) {
        long rank = -1;
        if (fscanf(file, "%ld", &rank) != 1)
            made.reason = "is cut off";
        else if (rank < 0 || rank >= made.size || seen[rank])
            made.reason = "is no order: a rank is missing or there twice";
        else
            seen[rank] = 1;
        made.mark = (made.mark ^ (unsigned long)rank) * 1099511628211ul;
        if (at == nl.rank)
            made.mine = rank;
    }
    free(seen);
    return made;
}

static struct reading read_order(const char *path)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return failed("cannot be read");
    struct reading made = take(file);
    fclose(file);
    return made;
}

static void leave(const char *path, const char *reason)
{
    if (nl.rank == 0)
        fprintf(stderr, "netloom: the ranks are not reordered, the program is not started: %s: %s\n", path, reason);
    fflush(stderr);
    REAL(Finalize)();
    _exit(2);
}

MPI_Comm nl_reorder(void)
{
    const char *path = getenv("NETLOOM_REORDER");
    struct reading mine = read_order(path);
    int size;
    REAL(Comm_size)(MPI_COMM_WORLD, &size);
    /* Least and most of each in one reduction: equal where all have read the same. */
    long half = (long)(mine.mark >> 1), here[6] = {!mine.reason, mine.size, half, -!mine.reason, -mine.size, -half}, all[6];
    REAL(Allreduce)(here, all, 6, MPI_LONG, MPI_MIN, MPI_COMM_WORLD);
    if (!all[0])
        leave(path, mine.reason ? mine.reason : "some ranks cannot read it: is it on a shared file system?");
    if (all[1] != -all[4] || all[2] != -all[5])
        leave(path, "the ranks read different orders");
    if (mine.size != size) {
        char line[128];
        snprintf(line, sizeof line, "it orders %ld ranks, and the job has %d", mine.size, size);
        leave(path, line);
    }
    MPI_Comm world;
    REAL(Comm_split)(MPI_COMM_WORLD, 0, (int)mine.mine, &world);
    REAL(Comm_set_name)(world, "MPI_COMM_WORLD");
    return world;
}

void nl_reorder_end(void)
{
    if (!nl.reordering)
        return;
    /* Now, so that attributes of the program are deleted by the functions that it gave. */
    REAL(Comm_free)(&nl.world);
    nl.world = MPI_COMM_WORLD;
}

/* The program goes on with a function that would show it the old ranks: it is ended instead. */
void nl_refuse(const char *function)
{
    nl_say("%s cannot be used while MPI_COMM_WORLD is reordered: the job ends", function);
    fflush(stderr);
    if (nl_real[NL_Abort])
        REAL(Abort)(MPI_COMM_WORLD, 2);
    _exit(2);
}

static int timed(int id, uint64_t start, int code)
{
    if (nl.recording && !nl_inside)
        nl_note_timed(id, start);
    return code;
}

int nl_hook_Comm_spawn(W command, W argv, W processes, W info, int root, MPI_Comm comm, MPI_Comm *newcomm, W codes)
{
    uint64_t start = nl_now();
    if (nl.reordering)
        nl_refuse("MPI_Comm_spawn");
    int (*real)(W, W, W, W, int, MPI_Comm, MPI_Comm *, W) =
        (int (*)(W, W, W, W, int, MPI_Comm, MPI_Comm *, W))nl_real[NL_Comm_spawn];
    return timed(NL_Comm_spawn, start, real(command, argv, processes, info, root, comm, newcomm, codes));
}

int nl_hook_Comm_spawn_multiple(int n, W commands, W argvs, W processes, W infos, int root, MPI_Comm comm,
                                MPI_Comm *newcomm, W codes)
{
    uint64_t start = nl_now();
    if (nl.reordering)
        nl_refuse("MPI_Comm_spawn_multiple");
    int (*real)(int, W, W, W, W, int, MPI_Comm, MPI_Comm *, W) =
        (int (*)(int, W, W, W, W, int, MPI_Comm, MPI_Comm *, W))nl_real[NL_Comm_spawn_multiple];
    return timed(NL_Comm_spawn_multiple, start, real(n, commands, argvs, processes, infos, root, comm, newcomm, codes));
}

#ifdef NL_HAS_Session_init
int nl_hook_Session_init(W info, W handler, W session)
{
    if (getenv("NETLOOM_REORDER"))
        nl_refuse("MPI_Session_init");
    return ((int (*)(W, W, W))nl_real[NL_Session_init])(info, handler, session);
}
#endif

/* What the library itself says, such as the largest tag, hangs on its own world. */
static int get_attribute(int id, MPI_Comm comm, W keyval, W value, W flag)
{
    int (*real)(MPI_Comm, int, void *, int *) = (int (*)(MPI_Comm, int, void *, int *))nl_real[id];
    int code = real(nl_comm(comm), (int)keyval, (void *)value, (int *)flag);
    if (nl.reordering && comm == MPI_COMM_WORLD && code == MPI_SUCCESS && !*(int *)flag)
        code = real(comm, (int)keyval, (void *)value, (int *)flag);
    return code;
}

int nl_hook_Comm_get_attr(MPI_Comm comm, W keyval, W value, int *flag)
{
    return get_attribute(NL_Comm_get_attr, comm, keyval, value, (W)flag);
}

#ifdef NL_HAS_Attr_get
int nl_hook_Attr_get(MPI_Comm comm, W keyval, W value, int *flag)
{
    return get_attribute(NL_Attr_get, comm, keyval, value, (W)flag);
}
#endif

/* Errors that belong to no communicator are told to the library's own world. */
static int set_handler(int id, MPI_Comm comm, W handler)
{
    /* A handler is a number or an address. It comes as a word and is passed on as one. */
    int (*real)(MPI_Comm, W) = (int (*)(MPI_Comm, W))nl_real[id];
    if (nl.reordering && comm == MPI_COMM_WORLD)
        real(nl.world, handler);
    return real(comm, handler);
}

int nl_hook_Comm_set_errhandler(MPI_Comm comm, W handler)
{
    return set_handler(NL_Comm_set_errhandler, comm, handler);
}

#ifdef NL_HAS_Errhandler_set
int nl_hook_Errhandler_set(MPI_Comm comm, W handler)
{
    return set_handler(NL_Errhandler_set, comm, handler);
}
#endif
