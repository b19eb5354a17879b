/* What a rank gives to a collective, from its arguments. */
#include "record.h"

uint64_t nl_type_bytes(MPI_Datatype type)
{
    MPI_Count bytes = 0;
    if (type == MPI_DATATYPE_NULL || REAL(Type_size_x)(type, &bytes) != MPI_SUCCESS || bytes < 0)
        return 0;
    return (uint64_t)bytes;
}

int nl_is_root(MPI_Comm comm, int root)
{
    int rank = -1;
    if (root == MPI_ROOT)
        return 1;
    REAL(Comm_rank)(comm, &rank);
    return rank == root;
}

/* Ranks with which a collective is done. */
static int ranks_of(MPI_Comm comm)
{
    int size = 0, is_inter = 0;
    REAL(Comm_test_inter)(comm, &is_inter);
    if (is_inter)
        REAL(Comm_remote_size)(comm, &size);
    else
        REAL(Comm_size)(comm, &size);
    return size;
}

static uint64_t count_at(const void *counts, int wide, int at)
{
    return wide ? (uint64_t)((const MPI_Count *)counts)[at] : (uint64_t)((const int *)counts)[at];
}

/* Bytes of one part. */
uint64_t nl_part(const struct nl_shape *shape, int at)
{
    if (shape->parts)
        return shape->parts[at];
    if (!shape->counts)
        return shape->count * shape->type_bytes;
    return count_at(shape->counts, shape->wide, at) * (shape->types ? nl_type_bytes(shape->types[at]) : shape->type_bytes);
}

void nl_shape_plain(struct nl_shape *shape, uint64_t count, MPI_Datatype type, int gives)
{
    if (shape->root == MPI_PROC_NULL)
        return;
    shape->count = count;
    shape->type_bytes = nl_type_bytes(type);
    shape->sent = gives ? shape->count * shape->type_bytes : 0;
}

/* The block that stands in `sendbuf`, or in the place of the result. */
void nl_shape_box(struct nl_shape *shape, const void *sendbuf, uint64_t sendcount, MPI_Datatype sendtype,
                  uint64_t recvcount, MPI_Datatype recvtype, int is_for_each)
{
    if (shape->root == MPI_PROC_NULL)
        return;
    int in_place = sendbuf == MPI_IN_PLACE;
    nl_shape_plain(shape, in_place ? recvcount : sendcount, in_place ? recvtype : sendtype, 1);
    if (is_for_each)
        shape->sent *= (uint64_t)ranks_of(shape->comm);
}

void nl_shape_vector(struct nl_shape *shape, const void *counts, MPI_Datatype type, const MPI_Datatype *types, int wide)
{
    shape->counts = counts;
    shape->types = types;
    shape->wide = wide;
    shape->type_bytes = types ? 1 : nl_type_bytes(type);
    shape->parts_n = ranks_of(shape->comm);
    for (int at = 0; at < shape->parts_n; at++)
        shape->sent += nl_part(shape, at);
    shape->count = shape->sent / (shape->type_bytes ? shape->type_bytes : 1);
}

uint64_t nl_own_count(MPI_Comm comm, const void *sendbuf, const void *counts, int wide)
{
    int rank = 0;
    if (sendbuf != MPI_IN_PLACE)
        return 0;
    REAL(Comm_rank)(comm, &rank);
    return count_at(counts, wide, rank);
}

/* To neighbours instead of to all ranks. */
void nl_shape_sparse(struct nl_shape *shape)
{
    const int *targets;
    shape->is_sparse = 1;
    shape->parts_n = nl_targets(shape->comm, &targets);
    shape->sent = 0;
    for (int at = 0; at < shape->parts_n; at++)
        shape->sent += targets[at] >= 0 ? nl_part(shape, at) : 0;
}
