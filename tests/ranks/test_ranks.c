/* Exchanges of data between ranks, through the MPI helper process of the
 * tests. */
#include "harness/base/err.h"
#include "harness/ranks/launch.h"
#include "harness/ranks/ranks.h"
#include "harness/ranks/wire.h"
#include "tests/support/porter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RANKS = 3, BIG = 300000, CELL = PORTER_CELL };

static int of_rank(struct ranks *r, void *work)
{
    return (*(int (**)(struct ranks *r))work)(r);
}

/* Runs `work` in one process per rank; a process exits with 0 on success. */
static void together(int (*work)(struct ranks *r))
{
    assert_int_equal(porter_serve(RANKS, of_rank, &work), 0);
}

/* ---- the tests ---- */

static int gathers(struct ranks *r)
{
    int me = ranks_me(r), bad = 0;

    for (int round = 0; round < 50; round++) {
        int all[RANKS] = {0};

        all[me] = 100 * round + me;
        if (round % 7 == me)
            usleep(2000); /* meanwhile the others are one exchange ahead */
        ranks_gather(r, all, sizeof *all);
        for (int i = 0; i < RANKS; i++)
            bad |= all[i] != 100 * round + i;
    }
    return bad;
}

static void all_know_what_each_said(void **state)
{
    (void)state;
    together(gathers);
}

static char byte_of(int from, int to, size_t i)
{
    return (char)(31 * from + 7 * to + (int)(i % 251));
}

/* The data are larger than any packet or socket buffer and are sent in both
 * directions at once.  The sender divides them into other parts than the
 * receiver. */
static int exchanges(struct ranks *r)
{
    int me = ranks_me(r), n = 0, bad = 0;
    char *in = calloc(RANKS, BIG), *out = calloc(RANKS, BIG);
    struct cargo go[2 * RANKS], come[2 * RANKS];

    for (int i = 0; i < RANKS; i++) {
        char *a = out + i * BIG, *b = in + i * BIG;

        for (size_t j = 0; j < BIG; j++)
            a[j] = byte_of(me, i, j);
        if (i == me)
            continue;
        go[n] = (struct cargo){i, a, 1000};
        come[n++] = (struct cargo){i, b, 77777};
        go[n] = (struct cargo){i, a + 1000, BIG - 1000};
        come[n++] = (struct cargo){i, b + 77777, BIG - 77777};
    }
    ranks_exchange(r, go, n, come, n);
    for (int i = 0; i < RANKS; i++)
        for (size_t j = 0; i != me && j < BIG; j++)
            bad |= in[i * BIG + (int)j] != byte_of(i, me, j);
    bad |= ranks_traffic(r).sent != (double)BIG * (RANKS - 1);
    free(in);
    free(out);
    return bad;
}

static void much_goes_both_ways_at_once(void **state)
{
    (void)state;
    together(exchanges);
}

/* Rank 1 receives a packet of rank 0 in three parts, so the bytes of two of
 * them arrive before they are requested. */
static int asks_in_parts(struct ranks *r)
{
    static const size_t part[] = {300, 200, 500};
    int me = ranks_me(r), bad = 0;
    char data[1000], word = 0;

    for (size_t i = 0; me == 0 && i < sizeof data; i++)
        data[i] = byte_of(0, 1, i);
    if (me == 0)
        ranks_exchange(r, &(struct cargo){1, data, sizeof data}, 1, NULL, 0);
    for (size_t p = 0, at = 0; me == 1 && p < 3; at += part[p++])
        ranks_exchange(r, NULL, 0, &(struct cargo){0, data + at, part[p]}, 1);
    for (size_t i = 0; me == 1 && i < sizeof data; i++)
        bad |= data[i] != byte_of(0, 1, i);
    if (me == 0)
        ranks_exchange(r, &(struct cargo){1, data + 9, 1}, 1, NULL, 0);
    if (me == 1)
        ranks_exchange(r, NULL, 0, &(struct cargo){0, &word, 1}, 1);
    return bad || (me == 1 && word != byte_of(0, 1, 9));
}

static void what_comes_early_is_kept(void **state)
{
    (void)state;
    together(asks_in_parts);
}

/* ---- data sent while they are computed ---- */

enum { PIECES = 5 };

/* Rank 0 computes pieces one by one in another thread, which does not signal
 * its end. */
struct maker { struct ranks *r; char *made; atomic_int pieces; };

static int pieces_ready(void *arg)
{
    struct maker *m = arg;

    return atomic_load(&m->pieces);
}

static void *make_pieces(void *arg)
{
    struct maker *m = arg;

    for (int i = 0; i < PIECES; i++) {
        usleep(20000);
        memset(m->made + i * BIG, i + 1, BIG);
        atomic_fetch_add(&m->pieces, 1);
        ranks_ring(m->r);
    }
    return NULL;
}

/* Sends pieces from rank 0 to rank 1, and a byte back. */
static int makes(struct ranks *r)
{
    struct maker m = {.r = r, .made = calloc(PIECES, BIG)};
    struct making making = {pieces_ready, &m};
    struct cargo part[PIECES], word = {!ranks_me(r), m.made, 1};
    int me = ranks_me(r), bad = 0;
    pthread_t thread;

    for (int i = 0; i < PIECES; i++)
        part[i] = (struct cargo){!me, m.made + i * BIG, BIG};
    if (me == 0) {
        pthread_create(&thread, NULL, make_pieces, &m);
        ranks_exchange_made(r, &making, part, PIECES, NULL, 0);
        pthread_join(thread, NULL);
        ranks_exchange(r, NULL, 0, &word, 1);
        bad |= m.made[0] != 7;
        bad |= ranks_traffic(r).sent != (double)BIG * PIECES;
        bad |= ranks_traffic(r).overlapped != (double)BIG * PIECES;
    } else if (me == 1) {
        ranks_exchange(r, NULL, 0, part, PIECES);
        for (int i = 0; i < PIECES * BIG; i++)
            bad |= m.made[i] != i / BIG + 1;
        m.made[0] = 7;
        ranks_exchange(r, &word, 1, NULL, 0);
        bad |= ranks_traffic(r).overlapped != 0;
    }
    free(m.made);
    return bad;
}

static void parts_go_as_they_are_made(void **state)
{
    (void)state;
    together(makes);
}

static int wishes(struct ranks *r)
{
    int me = ranks_me(r), a = me == 1, b = 0, bad;

    ranks_wish(r, &a, &b);
    bad = a != 1 || b != 0;
    a = 0;
    b = me == 2;
    ranks_wish(r, &a, &b);
    return bad || a != 0 || b != 1;
}

static void one_wish_is_all_ranks(void **state)
{
    (void)state;
    together(wishes);
}

/* ---- ranks that wait ---- */

/* A rank 0 of four and the other end of its socket, which no one reads. */
static struct { struct ranks *r; int pair[2]; } lone;

static _Noreturn void gives_reason(void *arg, const char *why)
{
    _exit(strstr(why, arg) ? 0 : 5);
}

static void send_byte(int from)
{
    static struct packet k = {.channel = CHANNEL_DATA, .cell = CELL,
                              .bytes = 1};

    k.from = from;
    send(lone.pair[1], &k, PACKET_HEAD + k.bytes, 0);
}

/* Returns the exit code of a process that is the lone rank and runs `work`.  It
 * is 0 if this rank ends with the reason `why`, and 6 if `work` returns. */
static int alone(void (*work)(void), const struct ranks_life *life,
                 const char *why)
{
    struct ranks_life l = *life;
    int status;

    l.ends = gives_reason;
    l.arg = (void *)why;
    pid_t child = fork();
    if (!child) {
        if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, lone.pair))
            _exit(7);
        lone.r = ranks_join(lone.pair[0], 0, 4, CELL, &l);
        work();
        ranks_leave(lone.r);
        _exit(6);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void receive_from_2_and_3(void)
{
    char word[2];
    const struct cargo in[] = {{2, word, 1}, {3, word + 1, 1}};

    send_byte(2);
    ranks_exchange(lone.r, NULL, 0, in, 2);
}

static void send_to_1(void)
{
    static char much[16 << 20];

    ranks_exchange(lone.r, &(struct cargo){1, much, sizeof much}, 1, NULL, 0);
}

static void a_silent_rank_is_named(void **state)
{
    const struct ranks_life life = {.patience = 0.5};

    (void)state;
    assert_int_equal(alone(receive_from_2_and_3, &life,
                           "from rank 3 for 1 s; use --stall"), 0);
    assert_int_equal(alone(send_to_1, &life, "from rank 1 for 1 s"), 0);
}

static void close_then_receive(void)
{
    close(lone.pair[1]);
    receive_from_2_and_3();
}

/* The system reports bytes that the helper process has not read as an error. */
static void lose_a_byte_then_receive(void)
{
    const struct cargo out = {1, &(char){3}, 1};

    ranks_exchange(lone.r, &out, 1, NULL, 0);
    close_then_receive();
}

static void a_lost_helper_is_named(void **state)
{
    const struct ranks_life life = {.patience = 30};
    const char *why = "the MPI helper process of this rank has ended";

    (void)state;
    assert_int_equal(alone(close_then_receive, &life, why), 0);
    assert_int_equal(alone(lose_a_byte_then_receive, &life, why), 0);
}

/* Rank 3 answers when this rank has waited twice. */
static void answer_the_second(void *arg)
{
    static int waits;

    (void)arg;
    if (++waits == 2)
        send_byte(3);
}

/* This rank makes its part for two times half a second. */
static int ready_the_third(void *arg)
{
    static int calls;

    (void)arg;
    return ++calls < 3 ? 0 : 2;
}

static void make_slowly(void)
{
    const struct making making = {ready_the_third, NULL};
    char word = 5;

    ranks_exchange_made(lone.r, &making, &(struct cargo){1, &word, 1}, 1, NULL,
                        0);
}

static void waiting_that_is_allowed(void **state)
{
    const struct ranks_life endless = {.waits = answer_the_second};
    const struct ranks_life brief = {.patience = 0.2};

    (void)state;
    assert_int_equal(alone(receive_from_2_and_3, &endless, "-"), 6);
    assert_int_equal(alone(make_slowly, &brief, "-"), 6);
}

static void alone_is_rank_0_of_1(void **state)
{
    int a = 0, b = 1, all[1] = {5};

    (void)state;
    assert_int_equal(ranks_me(NULL), 0);
    assert_int_equal(ranks_n(NULL), 1);
    ranks_gather(NULL, all, sizeof *all);
    ranks_wish(NULL, &a, &b);
    assert_int_equal(all[0], 5);
    assert_int_equal(a, 0);
    assert_int_equal(b, 1);
    ranks_leave(NULL);
}

/* ---- launchers ---- */

static int launched(struct launch *l, const char *const *set)
{
    static const char *const all[] = {
        "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMIX_RANK",
        "PMI_SIZE", "PMI_RANK", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        unsetenv(all[i]);
    for (; *set; set += 2)
        setenv(set[0], set[1], 1);
    return launch_read(l);
}
#define LAUNCHED(l, ...) launched(l, (const char *const[]){__VA_ARGS__, NULL})

static void launchers(void **state)
{
    struct launch l;

    (void)state;
    assert_int_equal(LAUNCHED(&l, "SLURM_PROCID", "3"), OK);
    assert_int_equal(l.n, 1);
    assert_int_equal(LAUNCHED(&l, "SLURM_STEP_NUM_TASKS", "1", "SLURM_PROCID",
                              "0"), OK);
    assert_int_equal(LAUNCHED(&l, "SLURM_STEP_NUM_TASKS", "4", "SLURM_PROCID",
                              "2", "PMIX_RANK", "2"), OK);
    assert_true(l.n == 4 && l.me == 2);
    /* mpirun, started within a job step that has one task */
    assert_int_equal(LAUNCHED(&l, "SLURM_STEP_NUM_TASKS", "1", "SLURM_PROCID",
                              "0", "PMIX_RANK", "1", "OMPI_COMM_WORLD_SIZE",
                              "3", "OMPI_COMM_WORLD_RANK", "1"), OK);
    assert_true(l.n == 3 && l.me == 1);
    assert_int_equal(LAUNCHED(&l, "SLURM_STEP_NUM_TASKS", "4", "SLURM_PROCID",
                              "2"), ERR_USAGE);
    assert_int_equal(l.me, 2);
    assert_non_null(strstr(err_last(), "srun --mpi=pmix"));
    assert_int_equal(LAUNCHED(&l, "PMI_SIZE", "2", "PMI_RANK", "0"),
                     ERR_USAGE);
}

/* The size and the rank of a launcher, one of which is wrong, and what the
 * message says. */
static void launchers_that_err(void **state)
{
    static const char *const wrong[][3] = {
        {"2", "2", "OMPI_COMM_WORLD_RANK=2 is not a rank of"},
        {"0", "0", "COMM_WORLD_SIZE=0"},
        {"-3", "0", "OMPI_COMM_WORLD_SIZE='-3'"},
        {"4", "-1", "OMPI_COMM_WORLD_RANK='-1'"},
        {"4", "1x", "OMPI_COMM_WORLD_RANK='1x'"},
        {"", "0", "OMPI_COMM_WORLD_SIZE=''"},
        {"4294967299", "1", "OMPI_COMM_WORLD_SIZE='4294967299'"}};
    struct launch l;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int rc = LAUNCHED(&l, "OMPI_COMM_WORLD_SIZE", wrong[i][0],
                          "OMPI_COMM_WORLD_RANK", wrong[i][1]);

        assert_int_equal(rc, ERR_USAGE);
        assert_non_null(strstr(err_last(), wrong[i][2]));
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        {"a gather gives all ranks the value of each, and none of an older "
         "cell", all_know_what_each_said, NULL, NULL, NULL},
        {"more data than sockets hold can go both ways at once",
         much_goes_both_ways_at_once, NULL, NULL, NULL},
        {"data that come before they are asked for are kept and given once",
         what_comes_early_is_kept, NULL, NULL, NULL},
        {"a part is sent when it is made, while others are still being made",
         parts_go_as_they_are_made, NULL, NULL, NULL},
        {"a wish of one rank is known to all", one_wish_is_all_ranks, NULL,
         NULL, NULL},
        {"a silent rank is named after the time limit", a_silent_rank_is_named,
         NULL, NULL, NULL},
        {"the end of the MPI helper process is named", a_lost_helper_is_named,
         NULL, NULL, NULL},
        {"a rank waits without a limit, or while it makes data itself",
         waiting_that_is_allowed, NULL, NULL, NULL},
        {"ranks are Open MPI's or those of srun --mpi=pmix, and others are "
         "refused", launchers, NULL, NULL, NULL},
        {"a launcher's numbers that are wrong are refused by name",
         launchers_that_err, NULL, NULL, NULL},
        {"one process alone is rank 0 of 1", alone_is_rank_0_of_1, NULL, NULL,
         NULL}};

    return cmocka_run_group_tests_name("ranks", tests, NULL, NULL);
}
