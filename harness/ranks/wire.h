/*
 * wire: what goes between a rank's processes and its porter.
 *
 * The launcher (mpirun) starts one process a rank.  Before MPI is begun that
 * process splits: a child is the program as ever, which never calls MPI, may
 * fork workers and may lose them; what the launcher started becomes the porter
 * (mpi/porter.c), which carries packets between ranks and knows nothing else.
 *
 * Two sockets (SOCK_SEQPACKET) join them: orders, between the runners of ranks,
 * and data, between the workers of one cell.  A porter takes every packet that
 * comes, so none that was sent waits for a worker that is dead.  Between two
 * ranks packets of a channel keep their order.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum channel {
    CHANNEL_ORDERS,
    CHANNEL_DATA,
    CHANNEL_BYE, /* rank 0's runner is gone: comes with the orders */
    CHANNELS = CHANNEL_BYE
};

enum { PACKET_ROOM = 60 << 10 };

struct packet {
    int32_t  channel, from, to;
    uint32_t cell;  /* of data: the how manieth that these ranks train */
    uint32_t bytes; /* of data[] */
    char     data[PACKET_ROOM];
};

enum { PACKET_HEAD = offsetof(struct packet, data) };

/* The porter's program, beside ours (build) or in LIBEXEC (installed); its
 * arguments: the descriptors of both channels, the child, rank, ranks. */
#define PORTER_NAME "synthbench-mpi"
