/* What is noted of a call: sums always, an event where the order is asked for. */
#include "record.h"

#include <stdlib.h>
#include <string.h>

static NL_FAST uint64_t last_end;

static int bin_of(uint64_t value)
{
    return value == 0 ? 0 : 64 - __builtin_clzll(value) < NL_BINS ? 64 - __builtin_clzll(value) : NL_BINS - 1;
}

static void add_pair(struct nl_pair *pair, uint64_t bytes)
{
    nl_add(&pair->messages, 1);
    nl_add(&pair->bytes, bytes);
}

/* The end of a call: time in it, and time since the one before, which the program had for itself. */
static uint64_t finish(int id, uint64_t start, uint64_t bytes)
{
    struct nl_total *total = &nl_files.totals[id];
    struct nl_header *header = nl_files.header;
    uint64_t end = nl_now(), ticks = end - start;
    if (last_end != 0 && start > last_end) {
        struct nl_pair *gap = &nl_files.gaps[bin_of(start - last_end)];
        nl_add(&header->compute_ticks, start - last_end);
        nl_add(&gap->messages, 1);
        nl_add(&gap->bytes, start - last_end);
    }
    last_end = end;
    nl_add(&header->mpi_ticks, ticks);
    nl_add(&total->calls, 1);
    nl_add(&total->ticks, ticks);
    nl_add(&total->bytes, bytes);
    if (ticks > total->longest)
        total->longest = ticks;
    if ((total->calls & 4095) == 0) {
        /* So that a killed run has two readings of both clocks as well. */
        header->end_ticks = end;
        header->end_ns = nl_nanoseconds();
    }
    return end;
}

static uint64_t number(const MPI_Request *request)
{
    return request ? (uint64_t)(uintptr_t)*request : 0;
}

void nl_count_message(MPI_Comm comm, uint32_t row, int world, uint64_t bytes)
{
    (void)comm;
    if (world < 0 || world >= nl.size)
        return;
    add_pair(&nl_files.sent[world], bytes);
    add_pair(&nl_files.sizes[bin_of(bytes)], bytes);
    nl_add(&nl_files.comms[row].messages, 1);
    nl_add(&nl_files.comms[row].bytes, bytes);
}

/* One message of this rank to a rank of a communicator. */
static uint32_t count_send(MPI_Comm comm, int dest, uint64_t bytes, int *world)
{
    *world = -1;
    if (dest == MPI_PROC_NULL)
        return 0;
    uint32_t row = comm == nl.world ? 0 : nl_comm_row(comm);
    *world = nl_world_rank(comm, dest);
    nl_count_message(comm, row, *world, bytes);
    return row;
}

void nl_note_send(int id, uint64_t start, MPI_Comm comm, int dest, int tag, uint64_t count, MPI_Datatype type,
                  const MPI_Request *request)
{
    int world;
    uint64_t bytes = count * nl_type_bytes(type);
    uint32_t row = count_send(comm, dest, bytes, &world);
    uint64_t end = finish(id, start, dest == MPI_PROC_NULL ? 0 : bytes);
    if (nl.recording == NL_ORDER)
        nl_event(&(struct nl_event){.call = (uint16_t)id, .comm = row, .start = start, .end = end, .peer = world,
                                    .tag = tag, .sent = bytes, .request = number(request), .root = -1});
}

/* In the program's world: -1 is nobody, -2 is anybody. */
static int sender(MPI_Comm comm, int source, const MPI_Status *status)
{
    if (source == MPI_ANY_SOURCE && status)
        source = status->MPI_SOURCE;
    return source == MPI_PROC_NULL ? -1 : source == MPI_ANY_SOURCE ? -2 : nl_world_rank(comm, source);
}

void nl_note_recv(int id, uint64_t start, MPI_Comm comm, int source, int tag, uint64_t count, MPI_Datatype type,
                  const MPI_Request *request, const MPI_Status *status)
{
    uint64_t end = finish(id, start, 0);
    if (nl.recording != NL_ORDER)
        return;
    uint32_t row = comm == MPI_COMM_NULL ? 0 : nl_comm_row(comm);
    int peer = comm == MPI_COMM_NULL ? -2 : sender(comm, source, status);
    if (tag == MPI_ANY_TAG)
        tag = status ? status->MPI_TAG : -2;
    nl_event(&(struct nl_event){.call = (uint16_t)id, .comm = row, .start = start, .end = end, .peer = peer, .tag = tag,
                                .wanted = count * nl_type_bytes(type), .request = number(request), .root = -1});
}

void nl_note_both(int id, uint64_t start, MPI_Comm comm, struct nl_ends ends, uint64_t sent, uint64_t wanted,
                  const MPI_Request *request)
{
    int world;
    uint32_t row = count_send(comm, ends.dest, sent, &world);
    uint64_t end = finish(id, start, ends.dest == MPI_PROC_NULL ? 0 : sent);
    if (nl.recording != NL_ORDER)
        return;
    struct nl_event event = {.call = (uint16_t)id, .comm = row, .start = start, .end = end, .peer = world,
                             .tag = ends.sendtag, .sent = sent, .request = number(request), .root = -1};
    nl_event(&event);
    event.kind = NL_PART;
    event.peer = sender(comm, ends.source, NULL);
    event.tag = ends.recvtag == MPI_ANY_TAG ? -2 : ends.recvtag;
    event.sent = 0;
    event.wanted = wanted;
    nl_event(&event);
}

static uint32_t operation(MPI_Op op)
{
    const MPI_Op known[] = {MPI_OP_NULL, MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD, MPI_LAND, MPI_BAND, MPI_LOR, MPI_BOR,
                            MPI_LXOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP};
    for (uint32_t at = 0; at < sizeof known / sizeof *known; at++)
        if (op == known[at])
            return at;
    return 99;
}

/* The row of collectives that are alike; NULL once the table is full. */
static struct nl_row *row_of(const struct nl_row *like)
{
    uint64_t at = (like->call * 0x9e3779b97f4a7c15ull) ^ (like->count * 0xc2b2ae3d27d4eb4full) ^
                  (like->comm * 0x165667b19e3779f9ull) ^ ((uint64_t)(uint32_t)like->root << 20) ^ like->op ^
                  (like->type_bytes << 40);
    at ^= at >> 29;
    for (int step = 0; step < NL_ROWS; step++, at++) {
        struct nl_row *row = &nl_files.rows[at % NL_ROWS];
        if (row->calls == 0) {
            *row = *like;
            nl_files.header->rows_used++;
            return row;
        }
        if (row->call == like->call && row->comm == like->comm && row->root == like->root && row->op == like->op &&
            row->count == like->count && row->type_bytes == like->type_bytes)
            return row;
    }
    return NULL;
}

static int rows_busy;

static void count_collective(const struct nl_shape *shape, uint32_t comm, uint64_t ticks)
{
    struct nl_row like = {.call = (uint32_t)shape->id, .comm = comm,
                          .root = shape->root == NL_NO_ROOT ? -1 : shape->root, .op = operation(shape->op),
                          .count = shape->count, .type_bytes = shape->type_bytes};
    while (__atomic_exchange_n(&rows_busy, 1, __ATOMIC_ACQUIRE))
        ;
    struct nl_row *row = row_of(&like);
    if (row) {
        row->calls++;
        row->ticks += ticks;
        row->sent += shape->sent;
    } else {
        nl_files.header->rows_pooled++;
    }
    nl_files.comms[comm].collectives++;
    __atomic_store_n(&rows_busy, 0, __ATOMIC_RELEASE);
}

/* What goes to neighbours has senders and receivers by name: it is counted with the messages. */
static void count_sparse(const struct nl_shape *shape, uint32_t row)
{
    const int *targets;
    int n = nl_targets(shape->comm, &targets);
    for (int at = 0; at < n && at < shape->parts_n; at++)
        if (targets[at] >= 0)
            nl_count_message(shape->comm, row, nl_world_rank(shape->comm, targets[at]), nl_part(shape, at));
}

static void write_collective(const struct nl_shape *shape, struct nl_event event)
{
    event.sent = shape->sent;
    event.wanted = shape->count * shape->type_bytes;
    event.root = shape->root == NL_NO_ROOT ? -1 : shape->root;
    event.tag = (int32_t)operation(shape->op);
    event.peer = -1;
    nl_event(&event);
    const int *targets = NULL;
    int n = shape->is_sparse ? nl_targets(shape->comm, &targets) : 0;
    event.kind = NL_PART;
    for (int at = 0; at < shape->parts_n; at++) {
        event.peer = !shape->is_sparse ? at : at < n && targets[at] >= 0 ? nl_world_rank(shape->comm, targets[at]) : -1;
        event.sent = nl_part(shape, at);
        nl_event(&event);
    }
}

void nl_note_collective(const struct nl_shape *shape, uint64_t start, const MPI_Request *request)
{
    uint32_t row = nl_comm_row(shape->comm);
    uint64_t end = finish(shape->id, start, shape->sent);
    count_collective(shape, row, end - start);
    if (shape->is_sparse)
        count_sparse(shape, row);
    if (nl.recording == NL_ORDER)
        write_collective(shape, (struct nl_event){.call = (uint16_t)shape->id, .comm = row, .start = start, .end = end,
                                                  .request = number(request)});
}

void nl_start_collective(const struct nl_shape *shape, MPI_Request request)
{
    uint32_t row = nl_comm_row(shape->comm);
    uint64_t now = nl_now();
    count_collective(shape, row, 0);
    nl_add(&nl_files.totals[shape->id].bytes, shape->sent);
    if (shape->is_sparse)
        count_sparse(shape, row);
    if (nl.recording == NL_ORDER)
        write_collective(shape, (struct nl_event){.call = (uint16_t)shape->id, .comm = row, .start = now, .end = now,
                                                  .request = number(&request)});
}

void nl_start_message(int is_send, MPI_Comm comm, int peer, int tag, uint64_t bytes, MPI_Request request)
{
    int world = -1;
    uint32_t row = is_send ? count_send(comm, peer, bytes, &world) : nl_comm_row(comm);
    uint64_t now = nl_now();
    if (is_send && peer != MPI_PROC_NULL)
        nl_add(&nl_files.totals[NL_Start].bytes, bytes);
    if (nl.recording == NL_ORDER)
        nl_event(&(struct nl_event){.call = is_send ? NL_Send_init : NL_Recv_init, .comm = row, .start = now,
                                    .end = now, .peer = is_send ? world : sender(comm, peer, NULL), .tag = tag,
                                    .sent = is_send ? bytes : 0, .wanted = is_send ? 0 : bytes,
                                    .request = number(&request), .root = -1});
}

void nl_note_one_sided(int id, uint64_t start, MPI_Win win, int target, int direction, uint64_t count, MPI_Datatype type,
                       const MPI_Request *request)
{
    uint64_t bytes = count * nl_type_bytes(type);
    uint32_t row = 0;
    int world = target == MPI_PROC_NULL ? -1 : nl_window_rank(win, target, &row);
    if (world >= 0 && world < nl.size) {
        if (direction & NL_PUT)
            nl_count_message(MPI_COMM_NULL, row, world, bytes);
        if (direction & NL_GET)
            add_pair(&nl_files.fetched[world], bytes);
    }
    uint64_t end = finish(id, start, world < 0 ? 0 : bytes);
    if (nl.recording == NL_ORDER)
        nl_event(&(struct nl_event){.call = (uint16_t)id, .comm = row, .start = start, .end = end, .peer = world,
                                    .tag = -1, .sent = direction & NL_PUT ? bytes : 0,
                                    .wanted = direction & NL_GET ? bytes : 0, .request = number(request), .root = -1});
}

void nl_note_timed(int id, uint64_t start)
{
    uint64_t end = finish(id, start, 0);
    if (nl.recording == NL_ORDER)
        nl_event(&(struct nl_event){.call = (uint16_t)id, .start = start, .end = end, .peer = -1, .tag = -1, .root = -1});
}

void nl_note_done(int id, uint64_t start, MPI_Request *handles, const MPI_Request *room, int n, int completed,
                  const int *indices)
{
    uint64_t end = finish(id, start, 0);
    if (nl.recording == NL_ORDER && (completed > 0 || n == 0)) {
        struct nl_event event = {.call = (uint16_t)id, .start = start, .end = end, .peer = -1, .tag = -1,
                                 .sent = 0, .wanted = (uint64_t)completed, .root = -1};
        nl_event(&event);
        event.kind = NL_REQUEST;
        for (int at = 0; handles && at < completed; at++) {
            int which = indices ? indices[at] : at;
            if (which < 0 || which >= n)
                continue;
            event.request = number(&handles[which]);
            nl_event(&event);
        }
    }
    if (handles != room)
        free(handles);
}
