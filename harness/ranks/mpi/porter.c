/*
 * synthbench-mpi: the MPI helper process of a rank (../wire.h), the only
 * program that is linked with MPI.
 *
 * The helper carries packets from the sockets of its rank's processes to other
 * ranks, and packets from other ranks into the sockets.  MPI cannot wait for
 * sockets, so the helper polls MPI and the sockets in turn, and sleeps if
 * neither has a packet.  Packets that were received but not read yet are queued
 * here; the queue holds at most the packets of one exchange (../ranks.h).
 *
 * If a runner is killed, or if the runner of a rank other than 0 fails,
 * MPI_Abort ends all ranks.  Otherwise the helper of rank 0 reports to the
 * others that its runner has ended, and all ranks end together.
 *
 * MPI_Init waits for all ranks.  If a rank never starts, only this program can
 * end the wait, which it does after START_SECONDS.
 */
#include "harness/ranks/wire.h"

#include <errno.h>
#include <mpi.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 8, TAG = 1, LOOKS_AWAKE = 500, START_SECONDS = 120 };
#define SHORT_SLEEP 100000L /* ns, after a recent transfer */
#define LONG_SLEEP 1000000L

struct parcel { /* a packet in the queue to a socket */
    struct parcel *next;
    size_t         bytes;
    char           data[];
};

struct door { /* a socket to the processes of this rank */
    int            fd;
    struct parcel *first, **last;
};

struct slot { MPI_Request request; struct packet packet; };

struct porter {
    int         me, n;
    pid_t       child;
    struct door door[CHANNELS];
    /* The slots of `in` complete in order; in[next] completes next. */
    struct slot in[SLOTS], out[SLOTS];
    int         next;
    int         ended, code; /* the child has ended; its exit code */
    int         idle;        /* polls since the last transfer */
};

static volatile sig_atomic_t wanted; /* a received signal, or 0 */

static void on_signal(int signal) { wanted = signal; }

static _Noreturn void give_up(const struct porter *p, const char *what, int n)
{
    fprintf(stderr, "synthbench: rank %d: %s %d; all ranks end, and the same "
            "command resumes from the last checkpoints\n", p->me, what, n);
    kill(p->child, SIGKILL);
    MPI_Abort(MPI_COMM_WORLD, 9);
    _exit(9);
}

/* ---- start of MPI ---- */

static pid_t runner; /* the process that on_alarm kills */

static void on_alarm(int signal)
{
    static const char words[] =
        "synthbench: not all ranks have started MPI in time: one of them has "
        "ended, or cannot reach the others; this rank ends, too\n";

    (void)signal;
    kill(runner, SIGKILL);
    ssize_t written = write(STDERR_FILENO, words, sizeof words - 1);
    (void)written;
    _exit(9);
}

/* Initializes MPI.  SYNTHBENCH_MPI_START sets the limit in seconds, for
 * machines that start slowly. */
static void start_mpi(const char *child)
{
    const char *text = getenv("SYNTHBENCH_MPI_START");
    int seconds = text ? atoi(text) : START_SECONDS;

    runner = (pid_t)atol(child);
    signal(SIGALRM, on_alarm);
    alarm(seconds > 0 ? (unsigned)seconds : START_SECONDS);
    MPI_Init(NULL, NULL);
    alarm(0);
}

/* ---- packets to the sockets ---- */

static void put(struct door *d, const struct packet *k)
{
    size_t bytes = PACKET_HEAD + k->bytes;
    struct parcel *x = malloc(sizeof *x + bytes);

    if (!x) {
        fprintf(stderr, "synthbench: an MPI helper process is out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 9);
    }
    x->next = NULL;
    x->bytes = bytes;
    memcpy(x->data, k, bytes);
    *d->last = x;
    d->last = &x->next;
}

/* Sends the first packet of the queue to a socket.  Returns 1 if the packet
 * left the queue: it was sent, or dropped because the socket has no reader any
 * more.  Returns 0 if the socket is full or the queue is empty. */
static int hand_over(struct door *d)
{
    struct parcel *x = d->first;

    if (!x || (send(d->fd, x->data, x->bytes, MSG_DONTWAIT | MSG_NOSIGNAL) < 0
               && (errno == EAGAIN || errno == EINTR || errno == ENOBUFS)))
        return 0;
    d->first = x->next;
    if (!d->first)
        d->last = &d->first;
    free(x);
    return 1;
}

/* ---- packets from and to other ranks ---- */

static void await(struct slot *s)
{
    MPI_Irecv(&s->packet, sizeof s->packet, MPI_BYTE, MPI_ANY_SOURCE, TAG,
              MPI_COMM_WORLD, &s->request);
}

static int take_in(struct porter *p)
{
    struct slot *s = &p->in[p->next];
    struct packet *k = &s->packet;
    int here;

    MPI_Test(&s->request, &here, MPI_STATUS_IGNORE);
    if (!here)
        return 0;
    put(&p->door[k->channel == CHANNEL_DATA ? CHANNEL_DATA : CHANNEL_ORDERS],
        k);
    await(s);
    p->next = (p->next + 1) % SLOTS;
    return 1;
}

/* Returns a slot whose packet has been sent, or NULL. */
static struct slot *empty_slot(struct porter *p)
{
    for (int i = 0; i < SLOTS; i++) {
        int sent;

        MPI_Test(&p->out[i].request, &sent, MPI_STATUS_IGNORE);
        if (sent)
            return &p->out[i];
    }
    return NULL;
}

static void dispatch(struct slot *s, int to)
{
    MPI_Isend(&s->packet, (int)(PACKET_HEAD + s->packet.bytes), MPI_BYTE, to,
              TAG, MPI_COMM_WORLD, &s->request);
}

static int take_out(struct porter *p, enum channel c)
{
    struct slot *s = empty_slot(p);
    struct packet *k = s ? &s->packet : NULL;
    ssize_t got;

    if (!s)
        return 0;
    got = recv(p->door[c].fd, k, sizeof *k, MSG_DONTWAIT);
    if (got <= 0)
        return 0;
    if ((size_t)got < PACKET_HEAD || (size_t)got != PACKET_HEAD + k->bytes ||
        k->to < 0 || k->to >= p->n)
        give_up(p, "invalid packet, bytes", (int)got);
    k->channel = (int32_t)c;
    k->from = p->me;
    dispatch(s, k->to);
    return 1;
}

/* ---- the child ---- */

static void look_at_child(struct porter *p)
{
    int status;

    if (wanted) {
        kill(p->child, SIGTERM);
        wanted = 0;
    }
    if (p->ended || waitpid(p->child, &status, WNOHANG) <= 0)
        return;
    p->ended = 1;
    if (WIFSIGNALED(status))
        give_up(p, "its process was ended by signal", WTERMSIG(status));
    p->code = WEXITSTATUS(status);
    if (p->me && p->code)
        give_up(p, "its process ended with exit code", p->code);
}

static void rest(struct porter *p)
{
    struct pollfd at[CHANNELS];
    struct timespec nap = {0, p->idle < LOOKS_AWAKE ? SHORT_SLEEP
                                                    : LONG_SLEEP};

    p->idle++;
    for (int c = 0; c < CHANNELS; c++)
        at[c] = (struct pollfd){
            p->door[c].fd, POLLIN | (p->door[c].first ? POLLOUT : 0), 0};
    if (p->ended) /* the child's closed sockets are always ready */
        nanosleep(&nap, NULL);
    else
        ppoll(at, CHANNELS, &nap, NULL);
}

/* Carries the packets that can be carried now. */
static void carry(struct porter *p)
{
    int moved = take_in(p);

    for (int c = 0; c < CHANNELS; c++) {
        moved += take_out(p, c);
        moved += hand_over(&p->door[c]);
    }
    if (moved)
        p->idle = 0;
    else
        rest(p);
}

/* ---- start and end ---- */

static void say_bye(struct porter *p)
{
    for (int to = 1; to < p->n; to++) {
        struct slot *s;

        while (!(s = empty_slot(p)))
            take_in(p);
        s->packet.channel = CHANNEL_BYE;
        s->packet.from = p->me;
        s->packet.to = to;
        s->packet.bytes = 0;
        dispatch(s, to);
    }
}

/* Receives packets until all ranks have called this function; after that, no
 * rank sends packets. */
static void leave(struct porter *p)
{
    MPI_Request all;
    int here = 0;

    while (take_out(p, CHANNEL_ORDERS))
        ;
    if (p->me == 0)
        say_bye(p);
    for (int i = 0; i < SLOTS; i++)
        for (int sent = 0; !sent; take_in(p))
            MPI_Test(&p->out[i].request, &sent, MPI_STATUS_IGNORE);
    MPI_Ibarrier(MPI_COMM_WORLD, &all);
    while (MPI_Test(&all, &here, MPI_STATUS_IGNORE), !here)
        if (!take_in(p))
            rest(p);
    for (int i = 0; i < SLOTS; i++) {
        MPI_Cancel(&p->in[i].request);
        MPI_Wait(&p->in[i].request, MPI_STATUS_IGNORE);
    }
}

static void begin(struct porter *p, char **argv)
{
    struct sigaction act = {.sa_handler = on_signal}, before;
    int me, n;

    p->child = (pid_t)atol(argv[3]);
    p->me = atoi(argv[4]);
    p->n = atoi(argv[5]);
    for (int c = 0; c < CHANNELS; c++) {
        p->door[c].fd = atoi(argv[1 + c]);
        p->door[c].last = &p->door[c].first;
    }
    sigaction(SIGTERM, &act, NULL);
    sigaction(SIGINT, &act, NULL);
    if (sigaction(SIGHUP, NULL, &before) || before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &act, NULL);
    sigaction(SIGUSR1, &act, NULL);
    sigaction(SIGUSR2, &act, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    if (me != p->me || n != p->n)
        give_up(p, "the launcher belongs to another MPI; ranks that this MPI "
                "counts:", n);
    for (int i = 0; i < SLOTS; i++) {
        p->out[i].request = MPI_REQUEST_NULL;
        await(&p->in[i]);
    }
}

int main(int argc, char **argv)
{
    static struct porter porter;
    struct porter *p = &porter;

    if (argc != 6) {
        fprintf(stderr, "synthbench-mpi: started by synthbench under mpirun "
                "(see `synthbench help run`)\n");
        return 2;
    }
    start_mpi(argv[3]);
    begin(p, argv);
    while (!p->ended) {
        carry(p);
        look_at_child(p);
    }
    leave(p);
    MPI_Finalize();
    return p->code;
}
