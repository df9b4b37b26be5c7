#include "harness/report/signature.h"

#include "harness/base/err.h"
#include "harness/base/hash.h"
#include "harness/base/names.h"
#include "harness/base/rng.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/store/cell.h"

#include <string.h>

static const char form[] = "SB";

#define PLAIN                                                                 \
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+_.-"

const struct signed_word signed_word[] = {
    [SIGNED_TASK] = {"t", "task"},
    [SIGNED_SCALE] = {"sc", "scale"},
    [SIGNED_VARIANT] = {"v", "variant"},
    [SIGNED_SEEDS] = {"s", "seeds"},
    [SIGNED_METRICS] = {"m", "metrics"},
    [SIGNED_SETTINGS] = {"o", "settings"},
    [SIGNED_DATA] = {"d", "data"},
    [SIGNED_NUMERICS] = {"n", "numerics version"},
    [SIGNED_PROGRAM] = {"p", "program"},
    [SIGNED_FIELDS] = {NULL, NULL}};

/* ---- writing ---- */

/* Returns the number of values that are written for a field: one per task, or 1
 * in total if all tasks have the same value. */
static int values_of(const struct signature *s, enum signed_field f)
{
    for (int i = 1; i < s->tasks; i++)
        if (strcmp(s->task[i].of[f], s->task[0].of[f]))
            return s->tasks;
    return 1;
}

const char *signature_value(const struct signature *s, enum signed_field f,
                            struct arena *a)
{
    struct text t = {0};

    for (int i = 0; i < values_of(s, f); i++)
        text_format(&t, "%s%s", i ? ";" : "", s->task[i].of[f]);
    return text_keep(&t, a);
}

const char *signature_text(const struct signature *s, struct arena *a)
{
    struct text t = {0};

    text_put(&t, form);
    for (int f = 0; f < SIGNED_FIELDS; f++)
        text_format(&t, "|%s:%s", signed_word[f].key,
                    signature_value(s, (enum signed_field)f, a));
    return text_keep(&t, a);
}

const char *signature_plain(const char *text, int digits, struct arena *a)
{
    char *s = arena_text(a, *text ? text : "-");

    if (digits && strlen(s) > (size_t)digits)
        s[digits] = 0;
    for (char *c = s; *(c += strspn(c, PLAIN)); c++)
        *c = '_';
    return s;
}

/* Adds "/" and the value of a key, for "tok:" in "nrefs:1|tok:13a" the text
 * "/13a".  Adds nothing if the value has characters that a signature cannot
 * contain. */
static void put_choice(struct text *out, const char *how, const char *key)
{
    for (const char *at = how; at; at = strchr(at, '|')) {
        at += *at == '|';
        if (strncmp(at, key, strlen(key)))
            continue;
        size_t n = strspn(at + strlen(key), PLAIN);
        const char *end = at + strlen(key) + n;
        if (n && (*end == '|' || !*end))
            text_format(out, "/%.*s", (int)n, end - n);
    }
}

const char *signature_metric(const char *name, const char *how,
                             struct arena *a)
{
    static const char *const choice[] = {"tok:", "smooth:", "like:"};
    struct text t = {0};
    char hex[HASH_HEX];

    text_put(&t, signature_plain(name, 0, a));
    for (size_t i = 0; how && i < sizeof choice / sizeof *choice; i++)
        put_choice(&t, how, choice[i]);
    if (how) {
        hash_sha256(how, strlen(how), hex);
        text_format(&t, "/%.4s", hex);
    }
    return text_keep(&t, a);
}

const char *signature_seeds(const struct signed_seeds *s, struct arena *a)
{
    struct text t = {0};

    for (int i = 0, end; i < s->n; i = end) {
        for (end = i + 1; end < s->n && s->seed[end] <= s->seed[end - 1] + 1;)
            end++;
        text_format(&t, "%s%lld", i ? "," : "", s->seed[i]);
        if (s->seed[end - 1] > s->seed[i])
            text_format(&t, "-%lld", s->seed[end - 1]);
    }
    return text_keep(&t, a);
}

/* ---- reading ---- */

static int wrong(enum signed_field f, const char *value, const char *why)
{
    return err_set(ERR_USAGE, "signature: %s:%.80s: %s", signed_word[f].key,
                   value, why);
}

static int read_form(const char *text)
{
    size_t n = strcspn(text, "|"), mark = strlen(form);

    if (strncmp(text, form, mark) || !text[n] ||
        strspn(text + mark, "0123456789") != n - mark)
        return err_set(ERR_USAGE, "'%.80s' is not a signature: expected "
                       "%s|t:TASK|..., as printed by `synthbench table`", text,
                       form);
    if (n > mark)
        return err_set(ERR_USAGE, "signature: has form %.*s, but this program "
                       "supports only %s: use the version that printed it",
                       (int)n, text, form);
    return OK;
}

/* Splits `rest` into the text of each field. */
static int cut_fields(const char *value[SIGNED_FIELDS], char *rest)
{
    for (char *one; (one = strsep(&rest, "|"));) {
        char *colon = strchr(one, ':');

        if (!colon)
            return err_set(ERR_USAGE, "signature: '%.80s' is not a field KEY:"
                           "VALUE", one);
        *colon = 0;
        int f = names_row("signature field", one, signed_word,
                          sizeof *signed_word);
        PASS(f);
        if (value[f])
            return wrong((enum signed_field)f, colon + 1, "appears twice");
        value[f] = colon + 1;
    }
    for (int f = 0; f < SIGNED_FIELDS; f++)
        if (!value[f])
            return err_set(ERR_USAGE, "signature: has no field %s: (%s)",
                           signed_word[f].key, signed_word[f].what);
    return OK;
}

static int count_values(const char *value)
{
    int n = 1;

    for (; (value = strchr(value, ';')); value++)
        n++;
    return n;
}

/* Splits the value of a field into one value for each task. */
static int spread(struct signature *s, enum signed_field f, const char *value,
                  struct arena *a)
{
    char *rest = arena_text(a, value);
    int n = count_values(value);

    if (value[strspn(value, f == SIGNED_VARIANT ? PLAIN ",/;=:"
                                                : PLAIN ",/;")])
        return wrong(f, value, "has a character that is not allowed");
    if (n != 1 && (n != s->tasks || f == SIGNED_SCALE || f == SIGNED_VARIANT))
        return wrong(f, value, f == SIGNED_SCALE || f == SIGNED_VARIANT
                                   ? "expected one value"
                                   : "expected one value, or one per task");
    for (int i = 0; i < n; i++)
        s->task[i].of[f] = strsep(&rest, ";");
    for (int i = 0; i < s->tasks; i++) {
        s->task[i].of[f] = s->task[n == 1 ? 0 : i].of[f];
        if (!*s->task[i].of[f])
            return wrong(f, value, "has an empty value");
    }
    return OK;
}

static int check_tasks(const struct signature *s, struct arena *a)
{
    const char **task = arena_take(a, (size_t)s->tasks * sizeof *task);

    for (int i = 0; i < s->tasks; i++)
        task[i] = s->task[i].of[SIGNED_TASK];
    int again = names_twice(task, s->tasks, NULL);
    return again < 0 ? OK : wrong(SIGNED_TASK, task[again], "appears twice");
}

/* Requires that the names of task, scale, variant, varied settings and metrics
 * are valid. */
static int check_names(const struct signed_task *t, struct arena *a)
{
    for (int f = 0; f <= SIGNED_METRICS; f++) {
        char *rest = arena_text(a, t->of[f]);

        for (char *one; f != SIGNED_SEEDS && (one = strsep(&rest, ","));) {
            one[strcspn(one, f == SIGNED_METRICS ? "/" : "=")] = 0;
            if (!cell_name_ok(one))
                return wrong((enum signed_field)f, t->of[f], "is not a name");
        }
    }
    return OK;
}

static int check_task(struct signed_task *t, struct arena *a)
{
    struct signed_seeds seeds;

    PASS(check_names(t, a));
    PASS(signature_read_seeds(&seeds, t->of[SIGNED_SEEDS], a));
    t->of[SIGNED_SEEDS] = signature_seeds(&seeds, a);
    return OK;
}

int signature_read(struct signature *out, const char *text, struct arena *a)
{
    const char *value[SIGNED_FIELDS] = {NULL};

    PASS(read_form(text));
    PASS(cut_fields(value, arena_text(a, strchr(text, '|') + 1)));
    out->tasks = count_values(value[SIGNED_TASK]);
    out->task = arena_zero(a, (size_t)out->tasks * sizeof *out->task);
    for (int f = 0; f < SIGNED_FIELDS; f++)
        PASS(spread(out, (enum signed_field)f, value[f], a));
    PASS(check_tasks(out, a));
    for (int i = 0; i < out->tasks; i++)
        PASS(check_task(&out->task[i], a));
    const char *one = signature_text(out, a);
    if (strcmp(one, text))
        return err_set(ERR_USAGE, "signature: not in canonical form: expected "
                       "%s", one);
    return OK;
}

static int read_number(long long *out, const char **at)
{
    char text[17] = "";
    size_t n = strspn(*at, "0123456789");

    if (n && n < sizeof text)
        memcpy(text, *at, n);
    *at += n;
    return str_to_int(text, out) == 0 && *out <= RNG_SEED_MAX;
}

/* Reads a seed "5" or a range "1-3" at *at, and advances *at.  Returns 1 if the
 * text is valid, otherwise 0. */
static int read_range(long long range[2], const char **at)
{
    if (!read_number(&range[0], at))
        return 0;
    range[1] = range[0];
    if (**at != '-')
        return 1;
    ++*at;
    return read_number(&range[1], at) && range[0] < range[1];
}

int signature_read_seeds(struct signed_seeds *out, const char *text,
                         struct arena *a)
{
    long long range[2], last = -1;
    const char *at = text;

    out->n = 0;
    out->seed = arena_take(a, SIGNED_SEEDS_MOST * sizeof *out->seed);
    for (;; at++) {
        if (!read_range(range, &at) || range[0] <= last)
            return wrong(SIGNED_SEEDS, text, "expected seeds like 1-3,5");
        if (range[1] - range[0] >= SIGNED_SEEDS_MOST - out->n)
            return wrong(SIGNED_SEEDS, text, "too many seeds");
        for (last = range[0]; last < range[1]; last++)
            out->seed[out->n++] = last;
        out->seed[out->n++] = last;
        if (!*at)
            return OK;
        if (*at != ',')
            return wrong(SIGNED_SEEDS, text, "expected seeds like 1-3,5");
    }
}
