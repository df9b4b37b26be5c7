#include "tests/support/porter.h"

#include "harness/base/err.h"
#include "harness/ranks/wire.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void ends(void *arg, const char *why)
{
    (void)arg;
    fprintf(stderr, "%s\n", why);
    _exit(3);
}

const struct ranks_life porter_life = {.patience = 20, .ends = ends};

struct waiting { struct packet *k; struct waiting *next; };

/* Appends the packet to the queue of its recipient. */
static void keep(struct waiting **first, const struct packet *k)
{
    struct waiting *x = calloc(1, sizeof *x);

    x->k = malloc(sizeof *k);
    memcpy(x->k, k, sizeof *k);
    while (*first)
        first = &(*first)->next;
    *first = x;
}

static void drop_first(struct waiting **first)
{
    struct waiting *x = *first;

    *first = x->next;
    free(x->k);
    free(x);
}

static void send_first(struct waiting **first, int fd)
{
    const struct packet *k = (*first)->k;

    send(fd, k, PACKET_HEAD + k->bytes, MSG_NOSIGNAL);
    drop_first(first);
}

/* Queues a packet that rank i sent. Returns 1 if the rank has closed its
 * socket. */
static int queue_packet(struct waiting **to, int fd, int i)
{
    static struct packet k;
    ssize_t got = recv(fd, &k, sizeof k, MSG_DONTWAIT);

    if (got > 0) {
        REQUIRE(k.from == i, "rank %d says that it is %d", i, k.from);
        keep(&to[k.to], &k);
    }
    return got == 0;
}

/* Carries packets until all ranks have closed their sockets. */
static void carry(int n, int *fd)
{
    struct waiting *to[PORTER_RANKS] = {0};

    REQUIRE(n > 0 && n <= PORTER_RANKS, "%d ranks", n);
    for (int open = n; open;) {
        struct pollfd at[PORTER_RANKS];

        for (int i = 0; i < n; i++)
            at[i] = (struct pollfd){fd[i], POLLIN | (to[i] ? POLLOUT : 0), 0};
        poll(at, (nfds_t)n, -1);
        for (int i = 0; i < n; i++) {
            if (to[i] && at[i].revents & POLLOUT)
                send_first(&to[i], fd[i]);
            if (at[i].revents & (POLLIN | POLLHUP) && queue_packet(to, fd[i],
                                                                   i)) {
                close(fd[i]);
                fd[i] = -1;
                open--;
            }
        }
    }
    for (int i = 0; i < n; i++)
        while (to[i])
            drop_first(&to[i]);
}

static void begin(int n, int *porter, int i,
                  int (*work)(struct ranks *r, void *arg), void *arg)
{
    static const struct packet old = {.channel = CHANNEL_DATA, .from = 1,
                                      .cell = PORTER_CELL - 1, .bytes = 100};
    int pair[2];

    REQUIRE(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), "no sockets");
    send(pair[1], &old, PACKET_HEAD + old.bytes, 0);
    if (!fork()) {
        for (int j = 0; j < i; j++)
            close(porter[j]);
        close(pair[1]);
        struct ranks *r = ranks_join(pair[0], i, n, PORTER_CELL, &porter_life);
        int bad = work(r, arg);
        ranks_leave(r);
        _exit(bad);
    }
    close(pair[0]);
    porter[i] = pair[1];
}

int porter_serve(int n, int (*work)(struct ranks *r, void *arg), void *arg)
{
    int porter[PORTER_RANKS], bad = 0;

    for (int i = 0; i < n; i++)
        begin(n, porter, i, work, arg);
    carry(n, porter);
    for (int i = 0; i < n; i++) {
        int status;

        wait(&status);
        bad += !WIFEXITED(status) || WEXITSTATUS(status);
    }
    return bad;
}
