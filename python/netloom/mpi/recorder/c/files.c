/* Files of a rank, mapped into memory: what was counted stays when the process is killed. Room is taken from the disk before
 * it is mapped, so that a full disk is an error here and not a signal there. */
#define _GNU_SOURCE
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct nl_files nl_files;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int order = -1;
static struct nl_chunk *chunk;
static uint64_t chunks, most;

/* Takes room from the disk. A limit on file sizes would send a signal: it is taken back, the program never sees it. */
static int take(int file, off_t from, off_t bytes)
{
    sigset_t limit, before, waiting;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &limit, &before);
    int code = posix_fallocate(file, from, bytes);
    sigpending(&waiting);
    if (code != 0 && sigismember(&waiting, SIGXFSZ)) {
        struct timespec none = {0, 0};
        sigtimedwait(&limit, NULL, &none);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

static int create(const char *folder, const char *kind)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/rank-%d.%s", folder, nl.rank, kind) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
}

static void *map(int file, off_t from, size_t bytes)
{
    void *where = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, from);
    return where == MAP_FAILED ? NULL : where;
}

int nl_open_sums(const char *folder)
{
    size_t ranks = (size_t)nl.size;
    size_t bytes = sizeof(struct nl_header) + NL_COUNT * sizeof(struct nl_total) +
                   2 * (ranks + NL_BINS) * sizeof(struct nl_pair) + NL_COMMS * sizeof(struct nl_comm_row) +
                   NL_ROWS * sizeof(struct nl_row);
    int file = create(folder, "sums");
    if (file < 0)
        return errno;
    int code = take(file, 0, (off_t)bytes);
    char *at = code == 0 ? map(file, 0, bytes) : NULL;
    if (!at && code == 0)
        code = errno;
    close(file);
    if (code != 0)
        return code;
    struct nl_header *header = nl_files.header = (struct nl_header *)at;
    nl_files.totals = (struct nl_total *)(header + 1);
    nl_files.sent = (struct nl_pair *)(nl_files.totals + NL_COUNT);
    nl_files.fetched = nl_files.sent + ranks;
    nl_files.sizes = nl_files.fetched + ranks;
    nl_files.gaps = nl_files.sizes + NL_BINS;
    nl_files.comms = (struct nl_comm_row *)(nl_files.gaps + NL_BINS);
    nl_files.rows = (struct nl_row *)(nl_files.comms + NL_COMMS);
    header->form = NL_FORM;
    header->functions = NL_COUNT;
    header->bins = NL_BINS;
    header->comms = NL_COMMS;
    header->rows = NL_ROWS;
    return 0;
}

/* The next piece of the file of events; what does not fit is counted as lost. */
static int next_chunk(void)
{
    uint64_t from = chunks * NL_CHUNK;
    if (chunk)
        munmap(chunk, NL_CHUNK);
    chunk = NULL;
    if (from + NL_CHUNK > most)
        return EFBIG;
    int code = take(order, (off_t)from, NL_CHUNK);
    if (code != 0)
        return code;
    chunk = map(order, (off_t)from, NL_CHUNK);
    if (!chunk)
        return errno;
    memcpy(chunk->magic, "NLORDR1\n", 8);
    chunk->number = chunks++;
    return 0;
}

int nl_open_order(const char *folder, uint64_t limit)
{
    order = create(folder, "order");
    if (order < 0)
        return errno;
    most = limit;
    return next_chunk();
}

static uint32_t thread_number(void)
{
    static uint32_t threads;
    static NL_FAST uint32_t mine;
    if (mine == 0)
        mine = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
    return mine - 1;
}

void nl_event(const struct nl_event *event)
{
    const uint64_t room = (NL_CHUNK - sizeof(struct nl_chunk)) / sizeof(struct nl_event);
    pthread_mutex_lock(&lock);
    if (chunk && chunk->count == room) {
        int code = next_chunk();
        if (code != 0)
            nl_say("no more events are recorded, the program goes on: %s", strerror(code));
    }
    if (chunk) {
        struct nl_event *slot = (struct nl_event *)(chunk + 1) + chunk->count;
        *slot = *event;
        slot->thread = thread_number();
        /* The count follows the event, so that a kill between the two leaves whole events only. */
        __atomic_store_n(&chunk->count, chunk->count + 1, __ATOMIC_RELEASE);
    } else {
        nl_files.header->lost++;
    }
    pthread_mutex_unlock(&lock);
}

/* Gives back what was taken and not used. */
void nl_close_order(void)
{
    pthread_mutex_lock(&lock);
    if (chunk) {
        uint64_t used = (chunks - 1) * NL_CHUNK + sizeof(struct nl_chunk) + chunk->count * sizeof(struct nl_event);
        munmap(chunk, NL_CHUNK);
        chunk = NULL;
        /* If that fails, the file is merely longer than it needs to be. */
        int unused = ftruncate(order, (off_t)used);
        (void)unused;
    }
    close(order);
    pthread_mutex_unlock(&lock);
}
