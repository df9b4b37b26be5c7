/*
 * wire: defines the packets between the processes of a rank and its MPI helper
 * process.  launch.c, ranks.c and the helper (mpi/porter.c) share this file.
 *
 * The launcher (mpirun) starts one process per rank.  Before MPI is
 * initialized, that process splits.  The child is the ordinary program: it
 * never calls MPI, and may fork workers that die.  The launched process becomes
 * the MPI helper process (mpi/porter.c), which only carries packets between
 * ranks.
 *
 * Two sockets (SOCK_SEQPACKET) connect the child and the helper, one for each
 * channel.  Orders are exchanged between the runners of the ranks, which manage
 * the run; data are exchanged between the workers, which train a cell.  The
 * helper accepts every packet that arrives, so a sent packet never waits for a
 * dead worker.  Between two ranks, the packets of a channel keep their order.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum channel {
    CHANNEL_ORDERS,
    CHANNEL_DATA,
    CHANNEL_BYE, /* the runner of rank 0 has ended; the helper delivers it
                    as an order                                      */
    CHANNELS = CHANNEL_BYE
};

enum { PACKET_ROOM = 60 << 10 };

struct packet {
    int32_t  channel, from, to;
    uint32_t cell;  /* data: the number of the cell, as for ranks_join */
    uint32_t bytes; /* of data[] */
    char     data[PACKET_ROOM];
};

enum { PACKET_HEAD = offsetof(struct packet, data) };

/* The file name of the MPI helper program.  It is in the folder of this program
 * (after `make`) or in LIBEXEC (after `make install`).  Its arguments are the
 * descriptors of both channels, the process id of the child, the rank, and the
 * number of ranks. */
#define PORTER_NAME "synthbench-mpi"
