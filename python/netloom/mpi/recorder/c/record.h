/* The layout of a record, as python/netloom/mpi/recorder/layout.py reads it. All numbers little-endian. */
#ifndef NETLOOM_RECORD_H
#define NETLOOM_RECORD_H

#include "hooks.h"

#define NL_BINS 64
#define NL_COMMS 1024
#define NL_ROWS 2048
#define NL_CHUNK (1u << 20)

enum nl_ending { NL_RUNNING, NL_FINALIZED, NL_ABORTED };

struct nl_header {
    char magic[8]; /* "NLSUMS1\n" */
    uint32_t form, functions, bins, comms, rows, ending;
    uint32_t rank, size, depth, thread_level, core, pid;
    uint64_t begin_ticks, begin_ns, end_ticks, end_ns; /* two readings of both clocks; the second moves on */
    uint64_t comms_used, rows_used, rows_pooled, lost; /* `lost`: events beyond the limit or the disk */
    uint64_t compute_ticks, mpi_ticks;
    uint64_t code; /* of MPI_Abort */
    char host[64];
    char library[128];
    char pad[4096 - 8 - 12 * 4 - 11 * 8 - 64 - 128];
};

struct nl_total {
    uint64_t calls, ticks, bytes, longest;
};
struct nl_pair {
    uint64_t messages, bytes;
};
/* A communicator: who it is on all its ranks, and where it comes from. */
struct nl_comm_row {
    uint64_t id, parent;
    uint32_t call, ordinal;
    int32_t color, key, size, rank;
    uint64_t messages, bytes, collectives, first;
};
/* Collectives that are alike. */
struct nl_row {
    uint32_t call, comm;
    int32_t root;
    uint32_t op;
    uint64_t count, type_bytes, calls, ticks, sent, spare;
};

/* One event of the depth "order". */
struct nl_event {
    uint16_t call, kind;
    uint32_t comm;
    uint64_t start, end;
    int32_t peer, tag;
    uint64_t sent, wanted, request;
    int32_t root;
    uint32_t thread;
};
enum nl_kind { NL_CALL, NL_REQUEST, NL_PART };

struct nl_chunk {
    char magic[8]; /* "NLORDR1\n" */
    uint64_t number, count;
    char pad[40];
};

/* The files of this rank, mapped; NULL while nothing is recorded. */
struct nl_files {
    struct nl_header *header;
    struct nl_total *totals;
    struct nl_pair *sent, *fetched, *sizes, *gaps;
    struct nl_comm_row *comms;
    struct nl_row *rows;
};
extern struct nl_files nl_files;

/* files.c */
int nl_open_sums(const char *folder);
int nl_open_order(const char *folder, uint64_t limit);
void nl_event(const struct nl_event *event);
void nl_close_order(void);

/* comms.c: the row of a communicator, and the rank in MPI_COMM_WORLD of one of its (remote) ranks; -1 if unknown. */
uint32_t nl_comm_row(MPI_Comm comm);
int nl_world_rank(MPI_Comm comm, int rank);
int nl_window_rank(MPI_Win win, int rank, uint32_t *row);
/* Neighbours to whom a rank sends, in order; the number of them, -1 without a topology. */
int nl_targets(MPI_Comm comm, const int **targets);

static inline void nl_add(uint64_t *where, uint64_t what)
{
    if (nl.threads)
        __atomic_fetch_add(where, what, __ATOMIC_RELAXED);
    else
        *where += what;
}

void nl_count_message(MPI_Comm comm, uint32_t row, int world, uint64_t bytes);

#endif
