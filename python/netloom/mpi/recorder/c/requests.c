/* Persistent requests: what MPI_Start sends was said when they were made. */
#include "record.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define NL_LISTS 1024

struct kept {
    struct kept *next;
    MPI_Request request;
    int is_collective, is_send, tag, peer;
    MPI_Comm comm;
    uint64_t bytes;
    struct nl_shape shape;
};

static struct kept *lists[NL_LISTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct kept **list_of(MPI_Request request)
{
    uint64_t value = (uint64_t)(uintptr_t)request * 0x9e3779b97f4a7c15ull;
    return &lists[value >> 54];
}

static void keep(struct kept what)
{
    struct kept *one = malloc(sizeof *one);
    if (!one)
        return;
    nl_forget(what.request);
    *one = what;
    pthread_mutex_lock(&lock);
    struct kept **list = list_of(what.request);
    one->next = *list;
    *list = one;
    pthread_mutex_unlock(&lock);
}

void nl_keep_message(MPI_Request request, int is_send, MPI_Comm comm, int peer, int tag, uint64_t bytes)
{
    keep((struct kept){
        .request = request, .is_send = is_send, .comm = comm, .peer = peer, .tag = tag, .bytes = bytes});
}

void nl_keep_collective(MPI_Request request, const struct nl_shape *shape)
{
    struct kept what = {.request = request, .is_collective = 1, .shape = *shape};
    uint64_t *parts = NULL;
    if (shape->parts_n > 0 && (parts = malloc((size_t)shape->parts_n * sizeof *parts)))
        for (int at = 0; at < shape->parts_n; at++)
            parts[at] = nl_part(shape, at);
    what.shape.parts = parts;
    what.shape.counts = NULL;
    what.shape.types = NULL;
    keep(what);
}

void nl_forget(MPI_Request request)
{
    pthread_mutex_lock(&lock);
    for (struct kept **at = list_of(request); *at; at = &(*at)->next)
        if ((*at)->request == request) {
            struct kept *gone = *at;
            *at = gone->next;
            free((void *)(uintptr_t)gone->shape.parts);
            free(gone);
            break;
        }
    pthread_mutex_unlock(&lock);
}

/* Counts what a start sends; its time is that of the MPI_Start around it. */
void nl_started(MPI_Request request)
{
    struct kept found = {0};
    pthread_mutex_lock(&lock);
    for (struct kept *at = *list_of(request); at; at = at->next)
        if (at->request == request) {
            found = *at;
            break;
        }
    pthread_mutex_unlock(&lock);
    if (!found.request)
        return;
    if (found.is_collective)
        nl_start_collective(&found.shape, request);
    else
        nl_start_message(found.is_send, found.comm, found.peer, found.tag, found.bytes, request);
}

MPI_Request *nl_handles(const MPI_Request *requests, int n, MPI_Request *room, int most)
{
    if (nl.recording != NL_ORDER || n <= 0)
        return NULL;
    MPI_Request *copy = n <= most ? room : malloc((size_t)n * sizeof *copy);
    if (copy)
        memcpy(copy, requests, (size_t)n * sizeof *copy);
    return copy;
}
