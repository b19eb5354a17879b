/* Shared by the hooks: state, the clock, what is noted of a call. Built with the user's mpicc for one MPI library. */
#ifndef NETLOOM_HOOKS_H
#define NETLOOM_HOOKS_H

#include "gate.h"

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "calls.h" /* generated: NL_Send, ... and NL_COUNT */

/* The library's own functions, by number. */
extern nl_function nl_real[];
#define REAL(name) ((__typeof__(&MPI_##name))nl_real[NL_##name])

#define NL_FAST __thread __attribute__((tls_model("initial-exec")))

enum nl_depth { NL_SUMS = 1, NL_ORDER = 2 };

/* Set once in MPI_Init, read everywhere. */
struct nl_state {
    int recording;  /* a depth, or 0 */
    int reordering; /* MPI_COMM_WORLD is `world` */
    int threads;    /* several may call at once: add with atomics */
    int rank, size; /* in the world that the program sees */
    MPI_Comm world;
};
extern struct nl_state nl;

/* Above 0: the library itself is calling, which is no call of the program. */
extern NL_FAST int nl_inside;

static inline MPI_Comm nl_comm(MPI_Comm comm)
{
    return comm == MPI_COMM_WORLD ? nl.world : comm;
}

/* Ticks of the processor where it has a counter that every program may read, else nanoseconds. */
static inline uint64_t nl_now(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    extern uint64_t nl_nanoseconds(void);
    return nl_nanoseconds();
#endif
}

/* state.c */
void nl_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
uint64_t nl_nanoseconds(void);

/* In place of a root: libraries have their own negative numbers for nobody. */
#define NL_NO_ROOT (-1000)

/* A collective as it is noted. */
struct nl_shape {
    int id, root;
    int is_sparse; /* to neighbours: each part is a message */
    MPI_Comm comm;
    MPI_Op op;
    uint64_t count, type_bytes, sent; /* `sent`: what this rank gives, in bytes */
    /* What differs by rank or neighbour, if anything does: elements with one type or several, or bytes. */
    const void *counts;
    const MPI_Datatype *types;
    const uint64_t *parts;
    int parts_n, wide; /* `wide`: the counts are MPI_Count */
};

/* shapes.c: what a rank gives to a collective. Only arguments that are significant at this rank are looked at. */
uint64_t nl_type_bytes(MPI_Datatype type);
int nl_is_root(MPI_Comm comm, int root);
uint64_t nl_part(const struct nl_shape *shape, int at);
void nl_shape_plain(struct nl_shape *shape, uint64_t count, MPI_Datatype type, int gives);
void nl_shape_box(struct nl_shape *shape, const void *sendbuf, uint64_t sendcount, MPI_Datatype sendtype,
                  uint64_t recvcount, MPI_Datatype recvtype, int is_for_each);
void nl_shape_vector(struct nl_shape *shape, const void *counts, MPI_Datatype type, const MPI_Datatype *types, int wide);
uint64_t nl_own_count(MPI_Comm comm, const void *sendbuf, const void *counts, int wide);
void nl_shape_sparse(struct nl_shape *shape);

/* notes.c: each ends the call that began at `start`. */
void nl_note_send(int id, uint64_t start, MPI_Comm comm, int dest, int tag, uint64_t count, MPI_Datatype type,
                  const MPI_Request *request);
void nl_note_recv(int id, uint64_t start, MPI_Comm comm, int source, int tag, uint64_t count, MPI_Datatype type,
                  const MPI_Request *request, const MPI_Status *status);
struct nl_ends {
    int dest, sendtag, source, recvtag;
};
void nl_note_both(int id, uint64_t start, MPI_Comm comm, struct nl_ends ends, uint64_t sent, uint64_t wanted,
                  const MPI_Request *request);
void nl_note_collective(const struct nl_shape *shape, uint64_t start, const MPI_Request *request);
enum nl_direction { NL_PUT = 1, NL_GET = 2 };
void nl_note_one_sided(int id, uint64_t start, MPI_Win win, int target, int direction, uint64_t count, MPI_Datatype type,
                       const MPI_Request *request);
void nl_note_timed(int id, uint64_t start);
void nl_note_done(int id, uint64_t start, MPI_Request *handles, const MPI_Request *room, int n, int completed,
                  const int *indices);

/* The same for what a persistent request does when it is started. */
void nl_start_collective(const struct nl_shape *shape, MPI_Request request);
void nl_start_message(int is_send, MPI_Comm comm, int peer, int tag, uint64_t bytes, MPI_Request request);

/* requests.c: persistent requests, and copies of handles, which a completion overwrites. */
void nl_keep_message(MPI_Request request, int is_send, MPI_Comm comm, int peer, int tag, uint64_t bytes);
void nl_keep_collective(MPI_Request request, const struct nl_shape *shape);
void nl_started(MPI_Request request);
void nl_forget(MPI_Request request);
MPI_Request *nl_handles(const MPI_Request *requests, int n, MPI_Request *room, int most);
#define NL_ROOM 64

/* comms.c */
void nl_made(int id, MPI_Comm parent, MPI_Comm made, int color, int key);
void nl_gone(MPI_Comm comm);
void nl_window(MPI_Win win, MPI_Comm comm);
void nl_closed(MPI_Win win);

/* reorder/c/world.c */
MPI_Comm nl_reorder(void);
void nl_reorder_end(void);
void nl_refuse(const char *function);

#endif
