/* Implements the functions of team.h for rank 0, which pool.c calls: checks the
 * other ranks, and lets them train each cell together with rank 0. */
#include "harness/run/team.h"

#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/names.h"
#include "harness/base/str.h"

#include <stdio.h>

#define MUSTER 60.0 /* seconds in which all ranks must answer                */
#define ECHO 5.0    /* seconds that the worker of rank 0 has to report the
                       same failure itself                                   */

/* ---- checking the ranks ---- */

/* Receives one order of kind `kind` from every other rank, and calls `each` for
 * every order.  Returns ERR_USAGE if a rank does not answer, or an error of
 * `each`. */
static int from_all(const struct team *t, enum order_kind kind,
                    int (*each)(const struct team *t, const struct order *o))
{
    OWNED(free) char *here = calloc((size_t)team_n(t), 1);
    double until = clock_seconds() + MUSTER;
    int rest = team_n(t) - 1, missing = 1;
    struct order o;

    while (rest > 0 && clock_seconds() < until) {
        if (!team_receive(t, &o, TICK_MS) || o.kind != (int)kind ||
            here[o.from])
            continue;
        here[o.from] = 1;
        rest--;
        PASS(each(t, &o));
    }
    while (rest > 0 && here[missing])
        missing++;
    return rest ? err_set(ERR_USAGE, "rank %d has not answered for %.0f s",
                          missing, MUSTER)
                : OK;
}

static void to_all(const struct team *t, struct order *o)
{
    for (int to = 1; to < team_n(t); to++)
        team_send(t, to, o);
}

/* Reads a line "name<TAB>value" at *text, sets *name, and advances *text to the
 * next line.  Returns the value, or NULL at the end of the text. */
static char *next_fact(char **text, char **name)
{
    char *value = strsep(text, "\n");

    *name = value;
    if (value)
        strsep(&value, "\t");
    return value;
}

static void sit(const struct team *t, const struct order *hello)
{
    struct seat *s = &t->seat[hello->from];

    memcpy(s->host, hello->host, sizeof s->host);
    memcpy(s->cores, hello->cores, sizeof s->cores);
}

void team_divide(const struct team *t, int rank, int *share, int *shares)
{
    *share = *shares = 0;
    for (int i = 0; i < team_n(t); i++)
        if (!memcmp(&t->seat[i], &t->seat[rank], sizeof *t->seat)) {
            *share += i < rank;
            ++*shares;
        }
}

static int same_facts(const struct team *t, const struct order *theirs)
{
    struct order ours = {0}, copy = *theirs;
    char *a = ours.text, *b = copy.text, *name, *of, *x, *y;

    sit(t, theirs);
    team_facts(&ours);
    while ((x = next_fact(&a, &name))) {
        y = next_fact(&b, &of);
        if (!y || strcmp(name, of) || strcmp(x, y))
            return err_set(ERR_USAGE, "%s: %.80s for rank %d on %s, but %.80s "
                           "for rank 0 on %s; it must be the same on all ranks",
                           name, y ? y : "none", theirs->from, theirs->host, x,
                           ours.host);
    }
    return OK;
}

static int is_ready(const struct team *t, const struct order *o)
{
    (void)t;
    return o->rc < 0 ? err_set(o->rc, "rank %d on %s: %.3800s", o->from,
                               o->host, o->text)
                     : OK;
}

/* Writes a file with unique contents to the store, and requests the other ranks
 * to check that they see this file and have the same plan. */
static int look(const struct team *t, const struct plan *p)
{
    OWNED(free) char *base = str_format("%s/experiment.json", p->store);
    OWNED(free) char *path = file_temporary(base);
    struct order o = {.kind = ORDER_LOOK};
    char now[32];

    snprintf(o.text, sizeof o.text, "%s\n%s %ld %.9f", str_base(path),
             clock_iso(now), (long)getpid(), clock_seconds());
    team_digest(o.id, p);
    PASS(file_write(path, o.text, strlen(o.text)));
    for (int to = 1; to < team_n(t); to++) {
        team_divide(t, to, &o.share, &o.shares);
        team_send(t, to, &o);
    }
    int rc = from_all(t, ORDER_READY, is_ready);
    unlink(path);
    return rc;
}

int team_muster(struct team *t, const struct plan *p)
{
    if (!t)
        return OK;
    struct order own = {.from = 0};

    team_facts(&own);
    sit(t, &own);
    PASS(from_all(t, ORDER_HELLO, same_facts));
    team_divide(t, 0, &t->share, &t->shares);
    return look(t, p);
}

/* ---- a cell ---- */

static void heed(struct team *t, const struct order *o)
{
    if (o->kind != ORDER_ENDED || o->cell != t->cell)
        return;
    t->busy--;
    if (o->rc < 0 && o->rc != ERR_STOPPED && !t->lost_at) {
        t->lost = *o;
        t->lost_at = clock_seconds();
    }
}

/* Waits until the other ranks have finished the previous cell.  Returns ERR_IO
 * if they do not finish in time. */
static int all_idle(struct team *t)
{
    double until = clock_seconds() + MUSTER;
    struct order o;

    while (t->busy > 0 && clock_seconds() < until)
        if (team_receive(t, &o, TICK_MS))
            heed(t, &o);
    return t->busy ? err_set(ERR_IO, "%d rank%s did not finish a cell within "
                             "%.0f s", t->busy, t->busy == 1 ? "" : "s", MUSTER)
                   : OK;
}

int team_begin(struct team *t, const struct cell *c)
{
    struct order o = {.kind = ORDER_TRAIN, .anew = c->anew};

    if (!t)
        return OK;
    PASS(all_idle(t));
    t->lost_at = 0;
    t->stopped = 0;
    t->busy = team_n(t) - 1;
    o.cell = ++t->cell;
    snprintf(o.id, sizeof o.id, "%s", c->id);
    to_all(t, &o);
    return OK;
}

void team_stop(struct team *t)
{
    struct order o = {.kind = ORDER_STOP};

    if (!t || t->stopped)
        return;
    t->stopped = 1;
    to_all(t, &o);
}

void team_over(struct team *t)
{
    struct order o = {.kind = ORDER_OVER};

    if (!t)
        return;
    o.cell = t->cell;
    to_all(t, &o);
}

/* Returns the failure class (worker_end) of this name, or "error". */
static const char *class_of(const char *text)
{
    const char *const *all = NAMES("signal", "diverged", "bad-data", "oom",
                                   "device",
                                   "timeout", "stalled");
    int i = names_index(all, text);

    return i < 0 ? "error" : all[i];
}

void team_watch(struct team *t, struct worker *w)
{
    struct order o;

    if (!t)
        return;
    while (team_receive(t, &o, 0))
        heed(t, &o);
    if (!t->lost_at || !w->pid || w->job != WORKER_TRAIN ||
        (t->lost.word && clock_seconds() - t->lost_at < ECHO))
        return;
    worker_kill(w, class_of(t->lost.class), "rank %d on %s: %.200s",
                t->lost.from, t->lost.host, t->lost.text);
}
