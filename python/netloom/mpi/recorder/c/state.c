/* The frame of a run: MPI_Init opens the record, MPI_Finalize and MPI_Abort close it. */
#define _GNU_SOURCE
#include "record.h"

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct nl_state nl = {.world = MPI_COMM_WORLD};
nl_function nl_real[NL_COUNT];
NL_FAST int nl_inside;
extern const nl_function nl_hooked[];

const struct nl_hooks nl_hooks = {NL_FORM, NL_COUNT, nl_real, nl_hooked};

uint64_t nl_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void nl_say(const char *format, ...)
{
    va_list given;
    va_start(given, format);
    flockfile(stderr);
    fprintf(stderr, "netloom: rank %d: ", nl.rank);
    vfprintf(stderr, format, given);
    fputc('\n', stderr);
    funlockfile(stderr);
    va_end(given);
}

static void describe(struct nl_header *header, int level)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    REAL(Get_library_version)(library, &length);
    library[strcspn(library, "\n,")] = 0;
    snprintf(header->library, sizeof header->library, "%.127s", library);
    gethostname(header->host, sizeof header->host - 1);
    header->rank = (uint32_t)nl.rank;
    header->size = (uint32_t)nl.size;
    header->depth = (uint32_t)nl.recording;
    header->thread_level = (uint32_t)level;
    header->core = (uint32_t)sched_getcpu();
    header->pid = (uint32_t)getpid();
}

static void record(int level, uint64_t ticks, uint64_t ns)
{
    const char *folder = getenv("NETLOOM_RECORD"), *depth = getenv("NETLOOM_DEPTH"), *limit = getenv("NETLOOM_LIMIT");
    if (!folder || !*folder)
        return;
    MPI_Comm parent = MPI_COMM_NULL;
    REAL(Comm_get_parent)(&parent);
    if (parent != MPI_COMM_NULL) {
        if (nl.rank == 0)
            nl_say("processes started by MPI_Comm_spawn are not recorded");
        return;
    }
    int wanted = depth && strcmp(depth, "order") == 0 ? NL_ORDER : NL_SUMS;
    int reason = nl_open_sums(folder);
    if (reason == 0 && wanted == NL_ORDER)
        reason = nl_open_order(folder, limit ? strtoull(limit, NULL, 10) : (uint64_t)1 << 30);
    if (reason != 0) {
        if (nl_is_spokesman())
            nl_say("nothing is recorded here, the program goes on: %s: %s", folder, strerror(reason));
        return;
    }
    nl.recording = wanted;
    struct nl_header *header = nl_files.header;
    describe(header, level);
    header->begin_ticks = ticks;
    header->begin_ns = ns;
    header->end_ticks = nl_now();
    header->end_ns = nl_nanoseconds();
    nl_comm_row(nl.world);
    memcpy(header->magic, "NLSUMS1\n", 8);
}

static void begin(int id, int level, uint64_t ticks, uint64_t ns)
{
    nl.threads = level == MPI_THREAD_MULTIPLE;
    nl_inside = 1;
    nl.reordering = getenv("NETLOOM_REORDER") != NULL;
    REAL(Comm_rank)(MPI_COMM_WORLD, &nl.rank);
    if (nl.reordering)
        nl.world = nl_reorder();
    REAL(Comm_rank)(nl.world, &nl.rank);
    REAL(Comm_size)(nl.world, &nl.size);
    record(level, ticks, ns);
    nl_inside = 0;
    if (nl.recording)
        nl_note_timed(id, ticks);
}

int nl_hook_Init(W argc, W argv)
{
    uint64_t ns = nl_nanoseconds(), ticks = nl_now();
    nl_inside = 1;
    int code = ((int (*)(W, W))nl_real[NL_Init])(argc, argv), level = MPI_THREAD_SINGLE;
    if (code == MPI_SUCCESS) {
        REAL(Query_thread)(&level);
        begin(NL_Init, level, ticks, ns);
    }
    nl_inside = 0;
    return code;
}

int nl_hook_Init_thread(W argc, W argv, W required, W provided)
{
    uint64_t ns = nl_nanoseconds(), ticks = nl_now();
    nl_inside = 1;
    int code = ((int (*)(W, W, W, W))nl_real[NL_Init_thread])(argc, argv, required, provided), level = 0;
    if (code == MPI_SUCCESS) {
        REAL(Query_thread)(&level);
        begin(NL_Init_thread, level, ticks, ns);
    }
    nl_inside = 0;
    return code;
}

static void end(enum nl_ending ending)
{
    if (!nl.recording)
        return;
    struct nl_header *header = nl_files.header;
    header->end_ticks = nl_now();
    header->end_ns = nl_nanoseconds();
    if (nl.recording == NL_ORDER)
        nl_close_order();
    nl.recording = 0;
    __atomic_store_n(&header->ending, (uint32_t)ending, __ATOMIC_RELEASE);
}

int nl_hook_Finalize(void)
{
    uint64_t start = nl_now();
    nl_inside = 1;
    nl_reorder_end();
    int code = REAL(Finalize)();
    if (nl.recording)
        nl_note_timed(NL_Finalize, start);
    end(NL_FINALIZED);
    nl_inside = 0;
    return code;
}

int nl_hook_Abort(MPI_Comm comm, W code)
{
    nl_inside = 1;
    if (nl.recording) {
        nl_files.header->code = (uint64_t)(int)code;
        end(NL_ABORTED);
    }
    return REAL(Abort)(comm, (int)code);
}
