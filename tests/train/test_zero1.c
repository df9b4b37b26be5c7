/* The division of a step among ranks, for all small numbers of ranks, lanes and
 * shards. */
#include "harness/base/err.h"
#include "harness/train/run.h"
#include "harness/train/scores.h"
#include "harness/train/zero1.h"
#include "tests/support/porter.h"
#include "tests/support/select_variants.h"
#include "tests/support/toy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LANES = 8, SHARDS = 11, UNITS = 9, LEARNED = 900 };

static const struct ranks_life life;

/* Makes units of 100 values each, with the state of Adam. */
static void make_optim(struct optim *o, struct params *ps,
                       struct optim_unit unit[UNITS])
{
    for (int i = 0; i < UNITS; i++)
        unit[i] = (struct optim_unit){.at = 100u * (size_t)i, .n = 100,
                                      .state = 100u * (size_t)i};
    *ps = (struct params){.learned = LEARNED};
    *o = (struct optim){.ps = ps, .units = UNITS, .unit = unit,
                        .values = 2 * LEARNED, .rule.kind = OPTIM_ADAM};
}

struct shared { struct arena *memory; struct zero1 of[SHARDS]; int n; };

static void share(struct shared *s, int lanes, int shards, int n)
{
    static struct config c;
    static struct optim o;
    static struct params ps;
    static struct optim_unit unit[UNITS];

    c.lanes = lanes;
    c.shards = shards;
    make_optim(&o, &ps, unit);
    s->memory = arena_new();
    s->n = n;
    for (int r = 0; r < n; r++) {
        struct ranks *all = n > 1 ? ranks_join(-1, r, n, 1, &life) : NULL;

        zero1_make(&s->of[r], all, &c, &o, s->memory);
        s->of[r].ranks = NULL;
        ranks_leave(all);
    }
}

/* Calls `look` for every division of the work, then closes the division. */
static void everywhere(void (*look)(const struct shared *s, int lanes,
                                    int shards))
{
    for (int lanes = 1; lanes <= LANES; lanes++)
        for (int shards = lanes; shards <= SHARDS; shards++)
            for (int n = 1; n <= shards; n++) {
                struct shared s;

                share(&s, lanes, shards, n);
                look(&s, lanes, shards);
                arena_free(s.memory);
            }
}

static const struct stint *stint_of(const struct zero1 *s, int lane)
{
    for (int i = 0; i < s->stints; i++)
        if (s->stint[i].lane == lane)
            return &s->stint[i];
    return NULL;
}

/* Checks the ranks that have shards of a lane: each rank begins where the
 * previous one ended. */
static void look_at_shards(const struct shared *s, int lanes, int shards)
{
    for (int l = 0; l < lanes; l++) {
        int last = 0, before = -1;

        for (int r = 0; r < s->n; r++) {
            const struct stint *st = stint_of(&s->of[r], l);

            if (!st)
                continue;
            assert_int_equal(st->first, last);
            assert_true(st->last >= st->first);
            assert_int_equal(st->before, before);
            if (before >= 0)
                assert_int_equal(stint_of(&s->of[before], l)->after, r);
            last = st->last;
            before = r;
        }
        assert_int_equal(stint_of(&s->of[before], l)->after, -1);
        assert_int_equal(last, (shards - l + lanes - 1) / lanes);
    }
}

static void each_shard_is_of_one_rank(void **state)
{
    (void)state;
    everywhere(look_at_shards);
}

/* Checks the heads. A head is a node of the summation tree, so its size is a
 * power of two that divides its first lane, and one rank completes all of its
 * lanes. All ranks list the same heads, which together have every lane once. */
static void look_at_heads(const struct shared *s, int lanes, int shards)
{
    const struct zero1 *x = &s->of[s->n - 1];
    int lane = 0;

    (void)shards;
    for (int i = 0; i < x->heads; i++) {
        const struct head *h = &x->head[i];

        assert_int_equal(h->lane, lane);
        assert_int_equal(h->size & (h->size - 1), 0);
        assert_int_equal(h->lane % h->size, 0);
        for (; lane < h->lane + h->size && lane < lanes; lane++) {
            const struct stint *st = stint_of(&s->of[h->rank], lane);

            assert_non_null(st);
            assert_int_equal(st->after, -1);
        }
        assert_memory_equal(h, &s->of[0].head[i], sizeof *h);
    }
    assert_int_equal(lane, lanes);
    assert_int_equal(x->heads, s->of[0].heads);
    if (s->n == 1)
        assert_int_equal(x->heads, 1);
}

static void heads_are_the_lanes(void **state)
{
    (void)state;
    everywhere(look_at_heads);
}

/* Nine equal units are divided so that the numbers of units per rank differ by
 * at most one. */
static void look_at_slices(const struct shared *s, int lanes, int shards)
{
    const struct zero1 *x = &s->of[s->n - 1];
    int units[SHARDS] = {0}, u = 0;

    (void)lanes;
    (void)shards;
    for (int i = 0; i < x->slices; i++) {
        const struct slice *y = &x->slice[i];

        assert_int_equal(y->first, u);
        assert_true(y->last > u);
        for (; u < y->last; u++) {
            assert_int_equal(x->owner[u], y->rank);
            units[y->rank]++;
        }
        assert_int_equal(y->at, 100 * y->first);
        assert_int_equal(y->end, 100 * y->last);
        assert_memory_equal(y, &s->of[0].slice[i], sizeof *y);
    }
    assert_int_equal(u, UNITS);
    for (int r = 0; r < s->n; r++)
        assert_in_range(units[r], UNITS / s->n, (UNITS + s->n - 1) / s->n);
}

static void slices_are_the_weights(void **state)
{
    (void)state;
    everywhere(look_at_slices);
}

/* The m and v of Adam are stored separately. */
static void state_of_a_slice(void **state)
{
    struct optim o;
    struct params ps;
    struct optim_unit unit[UNITS];
    struct optim_piece p[OPTIM_PIECES];

    (void)state;
    make_optim(&o, &ps, unit);
    assert_int_equal(optim_pieces(&o, 2, 5, p), 2);
    assert_true(p[0].at == 200 && p[0].n == 300);
    assert_true(p[1].at == LEARNED + 200 && p[1].n == 300);
    assert_int_equal(optim_pieces(&o, 5, UNITS, p), 2);
    assert_true(p[1].at + p[1].n == 2 * LEARNED);
    assert_int_equal(optim_pieces(&o, 5, 5, p), 0);
    o.rule.kind = OPTIM_ADAFACTOR;
    o.values = 1234;
    assert_int_equal(optim_pieces(&o, 5, UNITS, p), 1);
    assert_true(p[0].at == 500 && p[0].n == 734);
}

static _Noreturn void ends(void *arg, const char *why)
{
    (void)arg;
    (void)why;
    _exit(3);
}

/* Runs rank `me` of two over a socket. The state of each rank is its rank
 * number everywhere. Afterwards, rank 0 must have the state of each unit from
 * the unit's owner. Returns 0 on success. */
static int gives_state(int fd, int me)
{
    static const struct ranks_life brief = {.patience = 20, .ends = ends};
    static const struct config c = {.lanes = 2, .shards = 2};
    struct ranks *two = ranks_join(fd, me, 2, 1, &brief);
    OWNED(arena_free) struct arena *a = arena_new();
    struct optim_unit unit[UNITS];
    real state[2 * LEARNED];
    struct params ps;
    struct zero1 s;
    struct optim o;
    int bad = 0;

    make_optim(&o, &ps, unit);
    o.state = state;
    for (int i = 0; i < 2 * LEARNED; i++)
        state[i] = (real)me;
    zero1_make(&s, two, &c, &o, a);
    zero1_state(&s, &o);
    for (int i = 0; i < 2 * LEARNED && !me; i++)
        bad |= state[i] != (real)s.owner[i % LEARNED / 100];
    ranks_leave(two);
    return bad;
}

static void state_comes_together(void **state)
{
    int pair[2], status;

    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
    pid_t other = fork();
    if (!other)
        _exit(gives_state(pair[1], 1));
    assert_int_equal(gives_state(pair[0], 0), 0);
    waitpid(other, &status, 0);
    assert_int_equal(status, 0);
}

static void too_many_ranks(void **state)
{
    const struct config c = {.lanes = 2, .shards = 4};

    (void)state;
    assert_int_equal(zero1_check(&c, 4), OK);
    assert_int_equal(zero1_check(&c, 5), ERR_USAGE);
    assert_non_null(strstr(err_last(), "at most 4 ranks"));
}

/* ---- ranks that agree ---- */

enum { RANKS = 3 };

/* Rank 2 has other data than ranks 0 and 1. */
static int other_data(struct ranks *r, void *unused)
{
    const struct train_env env = {.ranks = r};
    struct run run = {.env = &env};

    (void)unused;
    strcpy(run.data.digest, "0123456789abcdef01");
    if (run_same_data(&run) != OK)
        return 1;
    if (ranks_me(r) == 2)
        run.data.digest[3] = 'f';
    return run_same_data(&run) != ERR_DATA ||
           !strstr(err_last(), "rank 2 has data of this task with digest "
                               "012f456789abcdef, rank 0 has 0123456789abcdef");
}

/* Each rank has scored one of three examples.  In the second attempt, rank 1 is
 * stopped, so no rank receives anything. */
static int stopped_rank(struct ranks *r, void *unused)
{
    int me = ranks_me(r), bad = 0;
    const struct zero1 s = {.ranks = r, .me = me, .n = RANKS};

    (void)unused;
    for (int stop = 0; stop < 2; stop++) {
        double nll[RANKS] = {-1, -1, -1};
        char mine[RANKS] = {0};
        struct scores x = {.n = RANKS, .nll = nll};

        mine[me] = 1;
        nll[me] = 10 + me;
        bad |= scores_share(&x, &s, mine, stop && me == 1) != stop;
        for (int i = 0; i < RANKS; i++)
            bad |= nll[i] != (i == me || !stop ? 10 + i : -1);
        bad |= stop && scores_share_texts(&x, &s, mine, me == 1, NULL) != 1;
    }
    return bad;
}

/* Trains with more threads than a rank has shards; the weights are those of one
 * process. */
static int many_threads(struct ranks *r, void *unused)
{
    enum { STEPS = 3 };
    struct config c = toy_config(TASK_CLASSIFY);
    struct mix mix = named_mix("random+dense");
    struct trainer t;

    (void)unused;
    toy_open(TASK_CLASSIFY);
    c.threads = c.shards;
    struct toy_digest alone = toy_after(&c, STEPS), together;
    trainer_open(&t, &c, &mix, NULL);
    trainer_join(&t, r);
    int bad = t.threads != t.share.stints || t.threads >= c.shards;
    toy_train(&t, 0, STEPS);
    together = toy_digest(&t);
    trainer_close(&t);
    dataset_close(&toy);
    return bad || strcmp(together.hex, alone.hex);
}

static void more_threads_than_shards(void **state)
{
    (void)state;
    assert_int_equal(porter_serve(RANKS, many_threads, NULL), 0);
}

static void ranks_agree(void **state)
{
    const struct zero1 alone = {.n = 1};
    struct scores x = {.n = RANKS};

    (void)state;
    assert_int_equal(porter_serve(RANKS, other_data, NULL), 0);
    assert_int_equal(porter_serve(RANKS, stopped_rank, NULL), 0);
    for (int stop = 0; stop < 2; stop++) {
        assert_int_equal(scores_share(&x, &alone, NULL, stop), stop);
        assert_int_equal(scores_share_texts(&x, &alone, NULL, stop, NULL),
                         stop);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        {"each shard belongs to one rank, and ranks hand on lanes in order",
         each_shard_is_of_one_rank, NULL, NULL, NULL},
        {"a head is a node of the tree, on the rank that completes its lanes",
         heads_are_the_lanes, NULL, NULL, NULL},
        {"each weight is updated by one rank, and ranks update equally many",
         slices_are_the_weights, NULL, NULL, NULL},
        {"the state of a slice is the optimiser's state of its units",
         state_of_a_slice, NULL, NULL, NULL},
        {"the first rank receives the state of all other ranks",
         state_comes_together, NULL, NULL, NULL},
        {"a rank with other data is named, and one that is stopped stops all",
         ranks_agree, NULL, NULL, NULL},
        {"ranks with more threads than shards train the same weights",
         more_threads_than_shards, NULL, NULL, NULL},
        {"more ranks than shards are refused", too_many_ranks, NULL, NULL,
         NULL}};

    return cmocka_run_group_tests_name("share", tests, NULL, NULL);
}
