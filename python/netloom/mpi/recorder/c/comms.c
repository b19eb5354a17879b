/* Communicators and windows: which row of the record, which rank of MPI_COMM_WORLD. Found by handle without a lock; entered and
 * taken out under one. At most NL_KNOWN are known at a time; others are asked of the library at each message. */
#include "record.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define NL_KNOWN 4096 /* a power of two */

/* What is known of a handle; `key` is 0 for a free entry, 1 for one that was given back. */
struct entry {
    uintptr_t key;
    uint32_t row, made; /* `made`: communicators that were derived from this one */
    int size, targets_n;
    int *world, *targets;
};

static struct entry known[NL_KNOWN];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Handles of communicators and of windows may be equal; both are above 1. */
static uintptr_t key_of_comm(MPI_Comm comm)
{
    return ((uintptr_t)comm << 1) ^ 2;
}

static uintptr_t key_of_window(MPI_Win win)
{
    return ((uintptr_t)win << 1) ^ 3;
}

static uint64_t mixed(uint64_t value)
{
    value ^= value >> 33;
    value *= 0xff51afd7ed558ccdull;
    value ^= value >> 33;
    value *= 0xc4ceb9fe1a85ec53ull;
    return value ^ value >> 33;
}

static struct entry *find(uintptr_t key)
{
    uint64_t at = mixed(key);
    for (int step = 0; step < 64; step++, at++) {
        struct entry *entry = &known[at % NL_KNOWN];
        uintptr_t there = __atomic_load_n(&entry->key, __ATOMIC_ACQUIRE);
        if (there == key)
            return entry;
        if (there == 0)
            return NULL;
    }
    return NULL;
}

static struct entry *enter(uintptr_t key, const struct entry *what)
{
    uint64_t at = mixed(key);
    for (int step = 0; step < 64; step++, at++) {
        struct entry *entry = &known[at % NL_KNOWN];
        if (entry->key > 1)
            continue;
        /* Not free for a moment: who looks for another one goes on past it. */
        __atomic_store_n(&entry->key, 1, __ATOMIC_RELEASE);
        struct entry made = *what;
        made.key = 1;
        *entry = made;
        __atomic_store_n(&entry->key, key, __ATOMIC_RELEASE);
        return entry;
    }
    return NULL;
}

static void forget(uintptr_t key)
{
    pthread_mutex_lock(&lock);
    struct entry *entry = find(key);
    if (entry) {
        __atomic_store_n(&entry->key, 1, __ATOMIC_RELEASE);
        free(entry->world);
        free(entry->targets);
        entry->world = entry->targets = NULL;
    }
    pthread_mutex_unlock(&lock);
}

/* The rank in the program's world of a rank of a group; NULL and 0 where memory is short. */
static int *translated(MPI_Group group, int *size)
{
    MPI_Group world;
    REAL(Group_size)(group, size);
    REAL(Comm_group)(nl.world, &world);
    int *ranks = malloc(2 * (size_t)(*size + 1) * sizeof *ranks);
    if (ranks) {
        int *here = ranks + *size;
        for (int at = 0; at < *size; at++)
            here[at] = at;
        REAL(Group_translate_ranks)(group, *size, here, world, ranks);
    } else {
        *size = 0;
    }
    REAL(Group_free)(&world);
    return ranks;
}

/* To whom this rank sends with a neighbourhood collective. */
static int *neighbours(MPI_Comm comm, int *n)
{
    int kind = MPI_UNDEFINED, dimensions = 0, in = 0, weighted = 0;
    *n = -1;
    REAL(Topo_test)(comm, &kind);
    if (kind == MPI_CART) {
        REAL(Cartdim_get)(comm, &dimensions);
        int *targets = malloc(2 * (size_t)(dimensions + 1) * sizeof *targets);
        for (int at = 0; targets && at < dimensions; at++)
            REAL(Cart_shift)(comm, at, 1, &targets[2 * at], &targets[2 * at + 1]);
        *n = targets ? 2 * dimensions : -1;
        return targets;
    }
    if (kind == MPI_GRAPH) {
        int rank;
        REAL(Comm_rank)(comm, &rank);
        REAL(Graph_neighbors_count)(comm, rank, n);
        int *targets = malloc((size_t)(*n + 1) * sizeof *targets);
        if (targets)
            REAL(Graph_neighbors)(comm, rank, *n, targets);
        return targets;
    }
    if (kind != MPI_DIST_GRAPH)
        return NULL;
    REAL(Dist_graph_neighbors_count)(comm, &in, n, &weighted);
    int *targets = malloc((size_t)(*n + 1) * sizeof *targets), *rest = malloc(3 * (size_t)(in + *n + 1) * sizeof *rest);
    if (targets && rest)
        REAL(Dist_graph_neighbors)(comm, in, rest, rest + in, *n, targets, rest + 2 * in);
    free(rest);
    return targets;
}

/* A row for a communicator; the last one takes all that come after the table is full. */
static uint32_t row_of(MPI_Comm made, struct entry *entry, const struct nl_comm_row *parent, struct nl_comm_row row)
{
    struct nl_header *header = nl_files.header;
    int first = entry->size > 0 ? entry->world[0] : -1;
    row.parent = parent ? parent->id : 0;
    row.first = (uint64_t)(int64_t)first;
    row.size = entry->size;
    REAL(Comm_rank)(made, &row.rank);
    /* Every member comes to the same number: constructors are called in one order on a communicator. */
    row.id = mixed(mixed(row.parent ^ (uint64_t)row.call << 32 ^ row.ordinal) ^ mixed(row.first) ^ (uint64_t)row.size << 17) | 1;
    uint32_t at = (uint32_t)header->comms_used;
    if (at >= NL_COMMS - 1) {
        header->comms_used = NL_COMMS;
        nl_files.comms[NL_COMMS - 1].call = NL_COUNT;
        return NL_COMMS - 1;
    }
    nl_files.comms[at] = row;
    header->comms_used = at + 1;
    return at;
}

/* Members and neighbours. A copy that is still being made cannot be asked: `like` is what it will be. */
static struct entry looked_at(MPI_Comm like)
{
    struct entry entry = {.targets_n = -1};
    MPI_Group group;
    int is_inter = 0;
    REAL(Comm_test_inter)(like, &is_inter);
    if (is_inter)
        REAL(Comm_remote_group)(like, &group);
    else
        REAL(Comm_group)(like, &group);
    entry.world = translated(group, &entry.size);
    REAL(Group_free)(&group);
    if (!is_inter)
        entry.targets = neighbours(like, &entry.targets_n);
    return entry;
}

static struct entry *register_comm(MPI_Comm comm, struct nl_comm_row row, MPI_Comm parent)
{
    int is_copied = (int)row.call == NL_Comm_idup || (int)row.call == NL_Comm_idup_with_info;
    int is_kept = 0;
    MPI_Comm like = is_copied ? parent : comm;
    struct entry entry = looked_at(like);
    pthread_mutex_lock(&lock);
    struct entry *there = find(key_of_comm(comm));
    if (!there) {
        struct entry *from = parent == MPI_COMM_NULL ? NULL : find(key_of_comm(parent));
        row.ordinal = from ? from->made++ : 0;
        entry.row = row_of(like, &entry, from ? &nl_files.comms[from->row] : NULL, row);
        there = enter(key_of_comm(comm), &entry);
        is_kept = there != NULL;
    }
    pthread_mutex_unlock(&lock);
    if (!is_kept) {
        /* No room, or another thread was faster. */
        free(entry.world);
        free(entry.targets);
    }
    return there;
}

/* One that nobody was seen to make: the world, the process alone, what an extension of the library made. */
static struct entry *known_comm(MPI_Comm comm)
{
    struct entry *entry = find(key_of_comm(comm));
    if (entry)
        return entry;
    nl_inside++;
    entry = register_comm(comm, (struct nl_comm_row){.call = NL_COUNT}, MPI_COMM_NULL);
    nl_inside--;
    return entry;
}

void nl_made(int id, MPI_Comm parent, MPI_Comm made, int color, int key)
{
    struct entry *from = known_comm(parent);
    if (made == MPI_COMM_NULL) {
        /* Counted all the same, so that the ordinals of all ranks agree. */
        if (from)
            from->made++;
        return;
    }
    register_comm(made, (struct nl_comm_row){.call = (uint32_t)id, .color = color, .key = key}, parent);
}

void nl_gone(MPI_Comm comm)
{
    if (comm != MPI_COMM_NULL)
        forget(key_of_comm(comm));
}

uint32_t nl_comm_row(MPI_Comm comm)
{
    struct entry *entry = known_comm(comm);
    return entry ? entry->row : NL_COMMS - 1;
}

/* Of a communicator for which there was no room. */
static int asked(MPI_Comm comm, int rank)
{
    nl_inside++;
    struct entry entry = looked_at(comm);
    nl_inside--;
    int world = entry.world && rank >= 0 && rank < entry.size ? entry.world[rank] : -1;
    free(entry.world);
    free(entry.targets);
    return world;
}

int nl_world_rank(MPI_Comm comm, int rank)
{
    if (comm == nl.world)
        return rank;
    struct entry *entry = known_comm(comm);
    if (!entry)
        return asked(comm, rank);
    return entry->world && rank >= 0 && rank < entry->size ? entry->world[rank] : -1;
}

int nl_targets(MPI_Comm comm, const int **targets)
{
    struct entry *entry = known_comm(comm);
    *targets = entry ? entry->targets : NULL;
    return entry && entry->targets ? entry->targets_n : -1;
}

void nl_window(MPI_Win win, MPI_Comm comm)
{
    struct entry entry = {.row = nl_comm_row(comm), .targets_n = -1};
    MPI_Group group;
    REAL(Win_get_group)(win, &group);
    entry.world = translated(group, &entry.size);
    REAL(Group_free)(&group);
    pthread_mutex_lock(&lock);
    if (!enter(key_of_window(win), &entry))
        free(entry.world);
    pthread_mutex_unlock(&lock);
}

void nl_closed(MPI_Win win)
{
    forget(key_of_window(win));
}

int nl_window_rank(MPI_Win win, int rank, uint32_t *row)
{
    struct entry *entry = find(key_of_window(win));
    *row = entry ? entry->row : NL_COMMS - 1;
    return entry && entry->world && rank >= 0 && rank < entry->size ? entry->world[rank] : -1;
}
