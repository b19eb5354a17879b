/* The preloaded library. It stands in front of MPI_* and PMPI_*, knows nothing of any MPI, and passes every call on
 * untouched unless hooks made for the very library of this process are there. PMPI_* is covered as well, since the Fortran
 * bindings call it. The hooks call the library by addresses taken from the library itself, so that nothing comes back here.
 */
#define _GNU_SOURCE
#include "gate.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void say(const char *what, const char *detail)
{
    if (nl_is_spokesman())
        fprintf(stderr, "netloom: %s%s\n", what, detail);
}

/* Reordering half-applied would be worse than none at all. */
static void refuse(const char *what, const char *detail)
{
    say(what, detail);
    if (getenv("NETLOOM_REORDER")) {
        fflush(stderr);
        _Exit(2);
    }
}

/* Loaded libraries that may be MPI by their names. */
struct candidates {
    int n;
    char paths[16][4096];
};

static int may_be_mpi(struct dl_phdr_info *info, size_t size, void *found)
{
    (void)size;
    struct candidates *all = found;
    const char *name = strrchr(info->dlpi_name, '/');
    if (strncmp(name ? name + 1 : info->dlpi_name, "libmpi", 6) == 0 && all->n < 16)
        snprintf(all->paths[all->n++], sizeof all->paths[0], "%s", info->dlpi_name);
    return 0;
}

/* The MPI library of this process, linked to the program or loaded by it. */
static void *loaded_mpi(void)
{
    static struct candidates all;
    dl_iterate_phdr(may_be_mpi, &all);
    for (int at = 0; at < all.n; at++) {
        void *handle = dlopen(all.paths[at], RTLD_LAZY | RTLD_NOLOAD);
        if (handle && dlsym(handle, "PMPI_Get_library_version") && dlsym(handle, "PMPI_Init"))
            return handle;
    }
    return NULL;
}

/* Hooks for this library, or NULL with a line that says why not. */
static const struct nl_hooks *fitting(void *mpi)
{
    char path[4096], version[8192] = "";
    const char *folder = getenv("NETLOOM_HOOKS");
    if (!folder || (!getenv("NETLOOM_RECORD") && !getenv("NETLOOM_REORDER")))
        return NULL;
    /* Handles are addresses of objects in one family of libraries and numbers in the other. */
    const char *family = dlsym(mpi, "ompi_mpi_comm_world") ? "openmpi" : "mpich";
    snprintf(path, sizeof path, "%s/hooks-%s.so", folder, family);
    if (access(path, R_OK) != 0) {
        int length = 0;
        ((int (*)(char *, int *))dlsym(mpi, "PMPI_Get_library_version"))(version, &length);
        version[strcspn(version, "\n,")] = 0;
        refuse("nothing is intercepted, the library was built for another MPI; this program runs on ", version);
        return NULL;
    }
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        refuse("the hooks cannot be loaded, nothing is intercepted: ", dlerror());
        return NULL;
    }
    const struct nl_hooks *hooks = dlsym(handle, "nl_hooks");
    if (!hooks || hooks->form != NL_FORM || hooks->functions != nl_functions) {
        refuse("the hooks are of another version of netloom, nothing is intercepted: ", path);
        return NULL;
    }
    return hooks;
}

static void missing(void)
{
    fprintf(stderr, "netloom: a function was called that this MPI library does not have\n");
    abort();
}

static void fill(void)
{
    void *mpi = loaded_mpi();
    if (!mpi) {
        /* No shared library: then nothing was intercepted, and nobody should be here. */
        say("no MPI library is loaded in this process", "");
        abort();
    }
    const struct nl_hooks *hooks = fitting(mpi);
    for (int at = 0; at < nl_functions; at++) {
        char name[80];
        snprintf(name, sizeof name, "P%s", nl_names[at]);
        nl_function real = (nl_function)dlsym(mpi, name);
        if (!real)
            real = missing;
        if (hooks)
            hooks->real[at] = real;
        nl_slots[at] = hooks && hooks->hook[at] ? hooks->hook[at] : real;
    }
}

nl_function nl_resolve(int which)
{
    pthread_once(&once, fill);
    return nl_slots[which];
}
