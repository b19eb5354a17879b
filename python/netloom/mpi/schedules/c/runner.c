/* Goes through one rank's part of a schedule once: a list of acts on memory and on persistent requests, which Python made.
 * It is linked to no MPI library: it takes the one that mpi4py has loaded.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

enum nl_kind { NL_COPY, NL_COMBINE, NL_START, NL_WAIT };

/* Copy: `size` bytes of `from`. Combine: `size` elements, `from` on the left. Start and wait: `size` requests from number `to`. */
struct nl_act {
    int64_t kind, to, from, size;
};

struct nl_program {
    const struct nl_act *acts;
    int64_t count;
    MPI_Request *requests;
    const MPI_Datatype *type;
    const MPI_Op *operation;
    /* Looks before it sleeps, nanoseconds that are added to each sleep, and those of the longest; 0: it waits as MPI does. */
    int64_t polls, nap_ns, longest_ns;
};

int nl_handle_bytes(void)
{
    return (int)sizeof(MPI_Request);
}

static int arrived(const struct nl_program *program, const struct nl_act *act)
{
    MPI_Request *requests = program->requests + act->to;
    int count = (int)act->size, done = 0;
    if (program->polls == 0)
        return MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    for (int64_t looks = 1;; looks++) {
        int code = MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE);
        if (code != MPI_SUCCESS || done)
            return code;
        if (looks > program->polls) {
            int64_t nap = program->nap_ns * (looks - program->polls);
            struct timespec pause = {0, nap < program->longest_ns ? nap : program->longest_ns};
            nanosleep(&pause, NULL);
        }
    }
}

/* MPI's error code. */
int nl_run(const struct nl_program *program)
{
    for (const struct nl_act *act = program->acts, *end = act + program->count; act < end; act++) {
        int code = MPI_SUCCESS;
        switch ((enum nl_kind)act->kind) {
        case NL_COPY:
            memcpy((void *)act->to, (const void *)act->from, (size_t)act->size);
            break;
        case NL_COMBINE:
            code = MPI_Reduce_local((const void *)act->from, (void *)act->to, (int)act->size, *program->type,
                                    *program->operation);
            break;
        case NL_START:
            code = MPI_Startall((int)act->size, program->requests + act->to);
            break;
        case NL_WAIT:
            code = arrived(program, act);
            break;
        }
        if (code != MPI_SUCCESS)
            return code;
    }
    return MPI_SUCCESS;
}
