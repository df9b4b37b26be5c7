/*
 * Claims out of the JSON that `synthbench claims --format json` writes
 * (sheet.c), so that every form is made again without a store.  The file is
 * somebody else's until checked.  What follows from cases (a claim's verdict,
 * its conditions, the counts) is not read.
 */
#include "harness/claims/claims.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/base/names.h"
#include "harness/base/str.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CLAIMS = 4096, MOST_CASES = 4096, MOST_SEEDS = 1 << 24 };

/* Goes on behind the first mistake, and ends with its message. */
struct reading {
    const char   *path;
    struct arena *memory;
    char          at[32]; /* "claims[3]." */
    int           rc;
};

/* ---- fields ---- */

static void wrong(struct reading *r, const char *key, const char *expected)
{
    if (r->rc == OK)
        r->rc = err_set(ERR_STORE, "%s: %s%s: expected %s: not written by "
                        "`synthbench claims --format json`", r->path, r->at,
                        key, expected);
}

static const char *text_or_null(struct reading *r, json_t *j, const char *key)
{
    json_t *v = json_object_get(j, key);

    if (!json_is_string(v) && !json_is_null(v))
        wrong(r, key, "a text or null");
    return json_is_string(v) ? arena_text(r->memory, json_string_value(v))
                             : NULL;
}

static const char *text(struct reading *r, json_t *j, const char *key)
{
    const char *s = text_or_null(r, j, key);

    if (!s)
        wrong(r, key, "a text");
    return s ? s : "";
}

/* Returns the text, or NULL if the object does not have the key. */
static const char *text_if_any(struct reading *r, json_t *j, const char *key)
{
    return json_object_get(j, key) ? text(r, j, key) : NULL;
}

static double number(struct reading *r, json_t *j, const char *key)
{
    json_t *v = json_object_get(j, key);

    if (!json_is_number(v) && !json_is_null(v))
        wrong(r, key, "a number or null");
    return json_is_number(v) ? json_number_value(v) : NAN;
}

static int count(struct reading *r, json_t *j, const char *key, int most)
{
    json_t *v = json_object_get(j, key);
    json_int_t n = json_integer_value(v);
    char expected[32];

    if (json_is_integer(v) && n >= 0 && n <= most)
        return (int)n;
    snprintf(expected, sizeof expected, "0 to %d", most);
    wrong(r, key, expected);
    return 0;
}

/* Absent in what older programs wrote: they did not tell. */
static int flag(struct reading *r, json_t *j, const char *key)
{
    json_t *v = json_object_get(j, key);

    if (v && !json_is_boolean(v))
        wrong(r, key, "true or false");
    return json_is_true(v);
}

/* Which of the words it is. */
static int word(struct reading *r, json_t *j, const char *key,
                const char *const *words)
{
    int i = names_index(words, text(r, j, key));

    if (i < 0)
        wrong(r, key, "a known word");
    return i < 0 ? 0 : i;
}

/* How many objects a list has; 0 where it is none. */
static int list(struct reading *r, json_t **out, json_t *j, const char *key,
                int most)
{
    json_t *one;
    size_t i;
    int objects;

    *out = json_object_get(j, key);
    objects = json_is_array(*out) && json_array_size(*out) <= (size_t)most;
    json_array_foreach(*out, i, one)
        objects &= json_is_object(one);
    if (!objects)
        wrong(r, key, "a list of objects");
    return objects ? (int)json_array_size(*out) : 0;
}

/* ---- a case ---- */

/* Behind the operator of "< other"; NULL: a number, or no comparison. */
static const char *than_of(const char *text)
{
    const char *rest = text + strspn(text, "<>= ");
    double x;

    return rest > text && str_to_real(rest, &x) ? rest : NULL;
}

static void take_measure(struct reading *r, struct claim_case *of, json_t *j)
{
    const char *expected = text_or_null(r, j, "expected");
    struct claim_measured *m = &of->measured[of->measures++];

    *m = (struct claim_measured){
        .measure = text(r, j, "measure"), .value = number(r, j, "value"),
        .error = number(r, j, "error"),
        .between = {number(r, j, "low"), number(r, j, "high")}};
    if (expected)
        of->expect[of->expects++] = (struct claim_expect){
            .measure = m->measure, .text = expected,
            .than = than_of(expected)};
}

/* measured: of all cases, one after the other; *next: of this one. */
static void take_case(struct reading *r, struct claim_case *of, json_t *j,
                      json_t *measured, size_t *next)
{
    int n = count(r, j, "measures", CLAIM_MEASURES);

    *of = (struct claim_case){
        .when = text_or_null(r, j, "if"), .why = text(r, j, "why"),
        .verdict = (enum claim_verdict)word(r, j, "verdict", claim_verdicts),
        .said = flag(r, j, "synthetic") ? NULL /* of earlier versions */
                                        : text_or_null(r, j, "published"),
        .command = text_or_null(r, j, "command"),
        .rows = {.a = text_if_any(r, j, "a"), .b = text_if_any(r, j, "b")},
        .synthetic = flag(r, j, "synthetic"),
        .needs = (size_t)count(r, j, "needs", MOST_SEEDS)};
    if (of->verdict == CLAIM_ONLY_IF)
        wrong(r, "verdict", "the verdict of a case");
    if (*next + (size_t)n > json_array_size(measured))
        wrong(r, "measured", "as many as the cases have");
    for (int i = 0; r->rc == OK && i < n; i++)
        take_measure(r, of, json_array_get(measured, (*next)++));
}

/* ---- a claim ---- */

static void take_claim(struct reading *r, struct claim *c, json_t *j)
{
    json_t *cases, *measured;
    int most = MOST_CASES * CLAIM_MEASURES;
    size_t next = 0;

    *c = (struct claim){
        .section = text(r, j, "section"), .id = text(r, j, "id"),
        .source = text(r, j, "source"), .text = text(r, j, "text"),
        .reasoning = text_or_null(r, j, "reasoning"),
        .formula = text_or_null(r, j, "formula"),
        .kind = (enum claim_kind)word(r, j, "kind", claim_kinds),
        .universal = flag(r, j, "universal"), .place = r->path, .wanted = 1};
    if (c->kind == CLAIM_UNTESTABLE)
        c->reason = text(r, j, "why");
    c->cases = list(r, &cases, j, "cases", MOST_CASES);
    c->of = arena_zero(r->memory, ((size_t)c->cases + 1) * sizeof *c->of);
    size_t all = (size_t)list(r, &measured, j, "measured", most);
    for (int i = 0; r->rc == OK && i < c->cases; i++)
        take_case(r, &c->of[i], json_array_get(cases, (size_t)i), measured,
                  &next);
    if (next != all)
        wrong(r, "measured", "as many as the cases have");
    claim_settle(c, r->memory);
}

int claims_load(struct claims **out, const char *path)
{
    struct arena *memory = arena_new();
    OWNED(claims_close) struct claims *c = arena_zero(memory, sizeof *c);
    struct reading r = {.path = path, .memory = memory, .rc = OK};
    OWNED(json_decref) json_t *root = NULL;
    json_t *all;

    *out = NULL;
    c->memory = memory;
    c->path = arena_text(memory, path);
    PASS(json_read(&root, path));
    c->n = list(&r, &all, root, "claims", MOST_CLAIMS);
    c->claim = arena_zero(memory, ((size_t)c->n + 1) * sizeof *c->claim);
    for (int i = 0; r.rc == OK && i < c->n; i++) {
        snprintf(r.at, sizeof r.at, "claims[%d].", i);
        take_claim(&r, &c->claim[i], json_array_get(all, (size_t)i));
    }
    PASS(r.rc);
    return HAND_ON(out, c);
}
