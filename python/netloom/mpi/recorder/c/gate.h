/* What the gate knows of itself, and what the hooks give it. */
#ifndef NETLOOM_GATE_H
#define NETLOOM_GATE_H

#include <stdlib.h>
#include <string.h>

/* An argument of any MPI function: an integer or a pointer, in one register or slot of the stack. */
typedef long W;
typedef void (*nl_function)(void); /* of any type: the one type that may be cast to all */

#define NL_FORM 1 /* Of the hooks and of the files; a library made by another version is not taken. */

/* The gate's view of one intercepted function; the tables are generated. */
extern const int nl_functions;
extern const char *const nl_names[];
extern nl_function nl_slots[];

/* Fills all slots on the first call of an MPI function, and gives that of `which`. */
nl_function nl_resolve(int which);

/* One line from one process of a host, if the launcher says which that is; from each process otherwise. */
static inline int nl_is_spokesman(void)
{
    static const char *const local[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"};
    for (unsigned at = 0; at < sizeof local / sizeof *local; at++) {
        const char *text = getenv(local[at]);
        if (text)
            return strcmp(text, "0") == 0;
    }
    return 1;
}

/* What a library of hooks exports. */
struct nl_hooks {
    int form, functions;
    nl_function *real;       /* to be filled by the gate */
    const nl_function *hook; /* one for each function; NULL leaves it alone */
};

#endif
