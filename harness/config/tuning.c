#include "harness/config/tuning.h"

#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/base/text.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 4 };

/* The `n` bytes at `s`, a part of the value of key `tuned`. */
struct span { const char *s; int n; };
struct choices { struct span key; int n; struct span value[TUNING_TRIALS]; };
struct tuning {
    int            n, trials;
    struct choices of[KEYS];
    long long      steps, seed;
};

static int wrong(const char *text)
{
    return err_set(ERR_USAGE, "tuned: '%s': expected none, or "
                   "KEY=VALUE|VALUE,... (at most %d keys and %d trials), then "
                   "steps=STEPS,seed=SEED", text,
                   KEYS, TUNING_TRIALS);
}

/* Reads values such as "0.5|1|2".  Returns 1, or 0 if the values are
 * invalid. */
static int read_values(struct choices *c, struct span all)
{
    const char *end = all.s + all.n;

    for (const char *s = all.s; s <= end; s += c->value[c->n++].n + 1) {
        const char *bar = memchr(s, '|', (size_t)(end - s));

        if (c->n == TUNING_TRIALS)
            return 0;
        c->value[c->n] = (struct span){s, (int)((bar ? bar : end) - s)};
        if (!c->value[c->n].n)
            return 0;
    }
    return 1;
}

static int read_count(long long *out, struct span text)
{
    OWNED(free) char *copy = str_format("%.*s", text.n, text.s);

    return str_to_int(copy, out) == 0 && *out >= 0;
}

static int is(struct span key, const char *name)
{
    return (size_t)key.n == strlen(name) && !strncmp(key.s, name, strlen(name));
}

/* Reads one item "key=values" of *s and advances *s past it.  Returns 1, or 0
 * if the item is invalid. */
static int read_item(struct tuning *t, const char **s)
{
    int n = (int)strcspn(*s, ",");
    const char *equals = memchr(*s, '=', (size_t)n);
    struct span key, rest;

    if (!equals)
        return 0;
    key = (struct span){*s, (int)(equals - *s)};
    rest = (struct span){equals + 1, n - key.n - 1};
    *s += n + ((*s)[n] == ',');
    if (is(key, "steps"))
        return read_count(&t->steps, rest) && t->steps > 0 &&
               t->steps <= INT_MAX;
    if (is(key, "seed"))
        return read_count(&t->seed, rest);
    if (t->n == KEYS || t->steps || t->seed >= 0)
        return 0;
    t->of[t->n].key = key;
    return read_values(&t->of[t->n++], rest);
}

static int parse(struct tuning *t, const char *text)
{
    const char *s = text;

    *t = (struct tuning){.trials = 1, .seed = -1};
    while (*s)
        if (!read_item(t, &s))
            return wrong(text);
    for (int i = 0; i < t->n; i++)
        t->trials *= t->of[i].n;
    return t->n && t->steps && t->seed >= 0 && t->trials <= TUNING_TRIALS
               ? OK
               : wrong(text);
}

/* Returns the value of key `k` in trial `i`; the caller frees it. */
static char *value_of(const struct tuning *t, int k, int i)
{
    for (int later = t->n - 1; later > k; later--)
        i /= t->of[later].n;
    const struct span *v = &t->of[k].value[i % t->of[k].n];
    return str_format("%.*s", v->n, v->s);
}

static int apply(struct config *c, const struct tuning *t, int i)
{
    for (int k = 0; k < t->n; k++) {
        OWNED(free) char *key = str_format("%.*s", t->of[k].key.n,
                                           t->of[k].key.s);
        OWNED(free) char *value = value_of(t, k, i);

        PASS(settings_set(c, key, value));
    }
    return settings_check(c);
}

int tuning_apply(struct config *c, int i)
{
    struct tuning t;

    PASS(parse(&t, c->tuned));
    return apply(c, &t, i);
}

char *tuning_values(const struct config *c, int i)
{
    struct text out = {0};
    struct tuning t;

    REQUIRE(parse(&t, c->tuned) == OK, "%s", err_last());
    for (int k = 0; k < t.n; k++) {
        OWNED(free) char *value = value_of(&t, k, i);

        text_format(&out, "%s%.*s=%s", k ? "," : "", t.of[k].key.n,
                    t.of[k].key.s, value);
    }
    return out.s;
}

int tuning_trials(const struct config *c)
{
    struct tuning t;

    if (!strcmp(c->tuned, "none"))
        return 0;
    REQUIRE(parse(&t, c->tuned) == OK, "%s", err_last());
    return t.trials;
}

long long tuning_seed(const struct config *c)
{
    struct tuning t;

    REQUIRE(parse(&t, c->tuned) == OK, "%s", err_last());
    return t.seed;
}

/* Returns 1 if the learning rate decays to zero at the end of training. */
static int decays(const struct config *c)
{
    static const char *const name[] = {DECAYS(NAMES_WORD) NULL};

    return names_index(name, c->schedule) >= 0;
}

int tuning_trial(struct config *out, const struct config *c, int i)
{
    OWNED(free) char *values = tuning_values(c, i);
    struct tuning t;

    PASS(parse(&t, c->tuned));
    *out = *c;
    if (decays(c))
        out->warmup = fmax(1, round(c->warmup * (double)t.steps / c->steps));
    PASS(settings_set(out, "tuned", "none"));
    PASS(settings_set(out, "trial", values));
    out->steps = (int)t.steps;
    out->seed = (uint64_t)t.seed;
    return apply(out, &t, i);
}

/* Returns 1 if the key can be tuned: it changes how a model learns, not the
 * model or its data. */
static int may_tune(struct span key)
{
    static const char *const whole[] = {"score_rate", "dropout",
                                        "label_smoothing", NULL};

    for (int i = 0; whole[i]; i++)
        if (is(key, whole[i]))
            return 1;
    return !strncmp(key.s, "schedule.", 9) ||
           !strncmp(key.s, "optimizer.", 10) ||
           !strncmp(key.s, "score_rate.", 11);
}

int tuning_check(const char *text)
{
    struct tuning t;

    PASS(parse(&t, text));
    for (int k = 0; k < t.n; k++)
        if (!may_tune(t.of[k].key))
            return err_set(ERR_USAGE,
                           "tuned: '%.*s' cannot be tuned: only schedule.*, "
                           "optimizer.*, score_rate, score_rate.PART, dropout "
                           "and label_smoothing can",
                           t.of[k].key.n, t.of[k].key.s);
    for (int i = 0; i < t.trials; i++) {
        struct config scratch = {.seed = 0};

        for (int k = 0; k < t.n; k++) {
            OWNED(free) char *key = str_format("%.*s", t.of[k].key.n,
                                               t.of[k].key.s);
            OWNED(free) char *value = value_of(&t, k, i);

            PASS(settings_set(&scratch, key, value));
        }
    }
    return OK;
}

/* Returns the steps of one trial: t->share times the steps of the cell, divided
 * by the number of trials, rounded, but at least 1. */
static int steps_of(const struct tune *t, const struct config *c)
{
    int trials = 1;

    for (int k = 0; k < t->n; k++)
        trials *= t->grid[k].n;
    return (int)fmax(1, round(t->share * c->steps / trials));
}

char *tuning_text(const struct tune *t, const struct config *c)
{
    struct text out = {0};

    for (int k = 0; k < t->n; k++) {
        text_format(&out, "%s=", t->grid[k].key);
        for (int i = 0; i < t->grid[k].n; i++)
            text_format(&out, "%s%s", i ? "|" : "", t->grid[k].value[i]);
        text_put(&out, ",");
    }
    text_format(&out, "steps=%d,seed=%lld", steps_of(t, c), t->seed);
    return out.s;
}
