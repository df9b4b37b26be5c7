#include "harness/run/rehearsal.h"

#include "harness/base/err.h"
#include "harness/base/str.h"

#include <string.h>
#include <sys/stat.h>

/* TEST_OF_ALL replaces TEST for a benchmark that is scored by the mean of many
 * subtasks, so that every subtask has test examples. */
enum { SMALL_BATCH = 2, TEST = 16, TEST_OF_ALL = 4096 };

static const struct assign small[] = {
    {"steps", "2", "rehearse"},  {"batch", "2", "rehearse"}, /* SMALL_BATCH */
    {"batch.devices", "1", "rehearse"},
    {"shards", "2", "rehearse"}, {"evals", "1", "rehearse"},
    {"train", "1000", "rehearse"}, {"valid", "16", "rehearse"},
    {"test", "16", "rehearse"}}; /* TEST */
enum { SMALL = sizeof small / sizeof *small };

/* ---- which cells ---- */

int rehearsal_alike(const struct cell *a, const struct cell *b)
{
    const struct config *c = &a->config, *d = &b->config;
    const struct model_config *x = &c->model, *y = &d->model;

    return a->task->kind == b->task->kind && c->precision == d->precision &&
           !strcmp(c->preset, d->preset) && c->vocab == d->vocab &&
           plan_starts(a) == plan_starts(b) && x->family == y->family &&
           x->layers == y->layers && x->d == y->d && x->ff == y->ff &&
           x->norm == y->norm && x->tied == y->tied;
}

static int is_asked(const struct cell *c)
{
    return c->selected && !c->refused && !c->trials && !plan_is_trial(c);
}

/* Returns 1 if `c` represents its family: it needs the most memory of the
 * family and, if several cells need as much, is the first of them. */
static int stands_for_family(const struct plan *p, const struct cell *c)
{
    if (!is_asked(c))
        return 0;
    for (const struct cell *d = p->cell; d < p->cell + p->n; d++)
        if (is_asked(d) && rehearsal_alike(c, d) &&
            (d->cost.bytes > c->cost.bytes ||
             (d->cost.bytes == c->cost.bytes && d < c)))
            return 0;
    return 1;
}

/* Marks one cell of each family, and all cells from whose weights these cells
 * start. */
static void choose(const struct plan *p, char *chosen)
{
    for (int i = 0; i < p->n; i++)
        if (stands_for_family(p, &p->cell[i]))
            for (const struct cell *c = &p->cell[i]; c; c = c->parent)
                chosen[c - p->cell] = 1;
}

/* ---- the plan of the rehearsal ---- */

static int is_given(const struct assign *set, int n, const char *key)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(set[i].key, key))
            return 1;
    return 0;
}

/* Appends to *to the `n` assignments `from`, without those whose keys are among
 * the `of` assignments `but`. */
static void add_but(struct assigns *to, const struct assign *from, int n,
                    const struct assign *but, int of)
{
    for (int i = 0; i < n; i++)
        if (!is_given(but, of, from[i].key))
            to->a[to->n++] = from[i];
}

/* Distributes the assignments `given` between the rehearsal and the experiment
 * (`own`).  An assignment to a setting of `small` replaces the value of the
 * rehearsal and does not apply to the experiment.  All others apply to both. */
static void deal(struct assigns *rehearsed, struct assigns *own,
                 const struct assigns *given)
{
    add_but(rehearsed, small, SMALL, given->a, given->n);
    add_but(rehearsed, given->a, given->n, NULL, 0);
    add_but(own, given->a, given->n, small, SMALL);
}

/* If the batch is measured in tokens, makes it as large as SMALL_BATCH examples
 * of maximum length. */
static void batch_of_two(struct config *c)
{
    if (c->batch_by == BATCH_TOKENS && c->batch == SMALL_BATCH)
        c->batch = SMALL_BATCH * c->length;
}

static void test_of_all(struct config *c)
{
    const struct task *t;

    batch_of_two(c);
    if (task_find(&t, c->task) == OK && t->benchmark && c->test == TEST)
        c->test = TEST_OF_ALL;
}

static int open_small(struct rehearsal *r, const struct plan_of *of,
                      const struct assigns *set)
{
    struct plan_of own = *of;
    struct plan *p = r->real;

    own.name = arena_format(p->memory, "%s" REHEARSAL, p->name);
    own.filter = NULL;
    own.change = is_given(of->choice.set.a, of->choice.set.n, "test")
                     ? batch_of_two : test_of_all;
    own.choice.set = *set;
    PASS(plan_open(&r->plan, &own));
    return r->plan->n == p->n ? OK
           : err_set(ERR_USAGE, "%s: it varies settings that a rehearsal "
                     "changes; set them with -S", p->name);
}

/* ---- one cell ---- */

static double bytes_of(const char *path)
{
    struct stat st;

    return stat(path, &st) ? 0 : (double)st.st_size;
}

static double saved_bytes(const struct plan *p, const struct cell *c)
{
    double most = 0;

    for (int i = 0; i < 2; i++) {
        OWNED(free) char *path = str_format("%s/rerun/checkpoints/%s.%d.ckpt",
                                            p->store, c->id, i);
        double bytes = bytes_of(path);

        most = bytes > most ? bytes : most;
    }
    return most;
}

static int run_one(struct rehearsal *r, struct cell *c, struct store *s,
                   const struct pool_options *o, struct pool_result *out)
{
    for (int i = 0; i < r->plan->n; i++)
        r->plan->cell[i].selected = &r->plan->cell[i] == c;
    int rc = pool_run(out, r->plan, s, o);
    r->signal = out->signal;
    PASS(rc);
    if (pool_code(out) != OK)
        return err_set(ERR_EMPTY, "%s", out->failed ? "failed"
                                        : out->blocked ? "the cell that it "
                                                         "starts from failed"
                                        : out->changed ? "the resumed run gave "
                                                         "different results"
                                        : out->busy ? "another process is "
                                                      "training it"
                                                    : "was not trained");
    return OK;
}

static int all_of(struct rehearsal *r, struct rehearsed *x, struct store *s,
                  const struct pool_options *o)
{
    struct pool_options first = *o;
    struct pool_result out;
    struct cell *c = x->cell;

    PASS(run_one(r, c, s, o, &out));
    PASS(plan_look(r->plan));
    c->anew = 1;
    first.stop_after = 1;
    int rc = run_one(r, c, s, &first, &out);
    x->saved = saved_bytes(r->plan, c);
    if (rc == OK && !out.signal)
        rc = out.saved ? run_one(r, c, s, o, &out)
                       : err_set(ERR_EMPTY, "with %d steps, it ended before it "
                                 "could be saved after the first",
                                 c->config.steps);
    c->anew = 0;
    PASS(rc);
    x->same = out.same;
    return x->same || out.signal ? OK
           : err_set(ERR_EMPTY, "its second run did not finish");
}

static void tell_why(struct rehearsal *r, struct rehearsed *x)
{
    x->why = arena_text(r->real->memory, err_last());
    if (x->rc != ERR_DATA)
        plan_look(r->plan);
    if (x->rc != ERR_DATA && *plan_reason(x->cell))
        x->why = arena_text(r->real->memory, plan_reason(x->cell));
}

static int run_all(struct rehearsal *r, const struct pool_options *o)
{
    OWNED(store_close) struct store *s = NULL;

    PASS(store_open(&s, r->plan->store, 1));
    PASS(freeze_write(r->plan, 1));
    PASS(plan_look(r->plan));
    /* first the cells without a parent, then those with one */
    for (int after = 0; after < 2; after++)
        for (int i = 0; i < r->n && !r->signal; i++) {
            struct rehearsed *x = &r->of[i];

            if ((x->real->parent != NULL) != after)
                continue;
            x->rc = all_of(r, x, s, o);
            if (x->rc == ERR_SPACE)
                return x->rc;
            if (x->rc < 0)
                tell_why(r, x);
        }
    r->plan->cache = o->cache; /* the lengths of prepared data are known */
    r->plan->files = o->files;
    return plan_look(r->plan);
}

static int open_both(struct rehearsal *r, const struct plan_of *of,
                     struct arena *a)
{
    const struct assigns *given = &of->choice.set;
    size_t most = (size_t)(SMALL + given->n + 1) * sizeof *given->a;
    struct assigns small_set = {0, arena_take(a, most)};
    struct plan_of own = *of;

    own.choice.set = (struct assigns){0, arena_take(a, most)};
    deal(&small_set, &own.choice.set, given);
    PASS(plan_open(&r->real, &own));
    PASS(plan_look(r->real));
    return open_small(r, of, &small_set);
}

int rehearsal_run(struct rehearsal *r, const struct plan_of *of,
                  const struct pool_options *o)
{
    OWNED(arena_free) struct arena *a = arena_new();
    struct pool_options alone = *o;

    *r = (struct rehearsal){0};
    PASS(open_both(r, of, a));
    char *chosen = arena_zero(a, (size_t)r->real->n + 1);
    choose(r->real, chosen);
    r->of = arena_zero(r->real->memory, (size_t)(r->real->n + 1) *
                                            sizeof *r->of);
    for (int i = 0; i < r->real->n; i++)
        if (chosen[i])
            r->of[r->n++] = (struct rehearsed){.real = &r->real->cell[i],
                                               .cell = &r->plan->cell[i]};
    if (!r->n)
        return err_set(ERR_EMPTY, "%s: there is no cell to rehearse",
                       r->real->name);
    alone.jobs = 1;
    return run_all(r, &alone);
}

void rehearsal_close(struct rehearsal *r)
{
    plan_close(r->plan);
    plan_close(r->real);
}
