/* read: reads claims.yaml and checks its schema, for claims_read. */
#include "harness/claims/claims.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/datadir.h"
#include "harness/base/str.h"
#include "harness/claims/expect.h"
#include "harness/claims/number.h"
#include "harness/claims/rows.h"
#include "harness/config/tree.h"

#include <stdlib.h>
#include <string.h>

const char *const claim_kinds[] = {"computed", "published", "trained",
                                   "untestable", NULL};

struct reading {
    struct claims    *to;
    struct published *published;
    struct claim     *claim;
    struct claim_case *of; /* current case of the claim */
};

static int wrap(const struct reading *r, const struct node *n, int rc)
{
    return tree_at(r->to->path, n, rc);
}

#define wrong(r, n, ...) wrap(r, n, err_set(ERR_USAGE, __VA_ARGS__))

static int want(const struct reading *r, const struct node *n,
                enum node_kind kind, const char *example)
{
    return tree_want(r->to->path, n, kind, example);
}

/* A key of a YAML map, the kinds of claims that may have the key, and the
 * function that reads its value. */
struct part {
    const char *key;
    unsigned    kinds; /* bit mask */
    int (*read)(struct reading *r, const struct node *n);
};

enum {
    COMPUTED = 1 << CLAIM_COMPUTED, PUBLISHED = 1 << CLAIM_PUBLISHED,
    TRAINED = 1 << CLAIM_TRAINED, UNTESTABLE = 1 << CLAIM_UNTESTABLE,
    MEASURED = COMPUTED | PUBLISHED, ANY = MEASURED | TRAINED | UNTESTABLE
};

static int read_part(struct reading *r, const struct node *n,
                     const struct part *parts)
{
    enum claim_kind kind = r->claim->kind;
    int i = names_row("key", n->key, parts, sizeof *parts);

    PASS(wrap(r, n, i));
    if (!(parts[i].kinds & 1u << kind))
        return wrong(r, n, "'%s' is not part of a claim of kind %s", n->key,
                     claim_kinds[kind]);
    return parts[i].read(r, n);
}

static int read_text(struct reading *r, const struct node *n, const char **to)
{
    PASS(want(r, n, NODE_TEXT, "text: What is claimed"));
    *to = n->text;
    return *n->text ? OK : wrong(r, n, "'%s' is empty", n->key);
}

/* ---- measures and expectations ---- */

static int read_args(struct reading *r, const struct node *n)
{
    PASS(want(r, n, NODE_MAP, "args: {d: 256, k: 64}"));
    for (const struct node *c = n->child; c; c = c->next) {
        PASS(want(r, c, NODE_TEXT, "d: 256"));
        PASS(wrap(r, c, check_give(&r->of->args, c->key, c->text)));
    }
    return OK;
}

static int read_numbers(struct reading *r, const struct node *n)
{
    struct number x;

    PASS(want(r, n, NODE_MAP, "numbers: {gap: \"[KEY] - [KEY]\"}"));
    for (const struct node *c = n->child; c; c = c->next) {
        PASS(want(r, c, NODE_TEXT, "gap: \"[KEY] - [KEY]\""));
        PASS(wrap(r, c, number_of(&x, c->text, r->published)));
        if (r->of->numbers == CLAIM_MEASURES)
            return wrong(r, c, "more than %d numbers", CLAIM_MEASURES);
        r->of->number[r->of->numbers++] = (struct claim_number){c->key,
                                                                c->text};
    }
    return OK;
}

/* Returns the names of the measures that expectations of the current case may
 * use. */
static const char *const *measures_of(const struct reading *r)
{
    return r->claim->kind == CLAIM_COMPUTED
               ? names_of(r->claim->check->measure,
                          sizeof *r->claim->check->measure, r->to->memory)
               : names_of(r->of->number, sizeof *r->of->number,
                          r->to->memory);
}

static int read_expect(struct reading *r, const struct node *n)
{
    const char *const *measures = measures_of(r);

    PASS(want(r, n, NODE_MAP, "expect: {ratio: [0.9, 1.1]}"));
    for (const struct node *c = n->child; c; c = c->next) {
        struct claim_expect *e = &r->of->expect[r->of->expects];

        if (r->of->expects == CLAIM_MEASURES)
            return wrong(r, c, "more than %d expectations", CLAIM_MEASURES);
        PASS(wrap(r, c, names_find("measure", c->key, measures)));
        PASS(wrap(r, c, expect_read(e, c, measures, r->to->memory)));
        r->of->expects++;
    }
    return OK;
}

/* ---- rows of a store ---- */

static int read_row(struct reading *r, const struct node *n, const char **to)
{
    PASS(want(r, n, NODE_TEXT, "better: random+vanilla"));
    return wrap(r, n, rows_name(to, n->text, r->to->memory));
}

static int read_better(struct reading *r, const struct node *n)
{
    return read_row(r, n, &r->of->rows.a);
}

static int read_as_good(struct reading *r, const struct node *n)
{
    r->of->rows.as_good = 1;
    return read_row(r, n, &r->of->rows.a);
}

static int read_than(struct reading *r, const struct node *n)
{
    return read_row(r, n, &r->of->rows.b);
}

static int read_task(struct reading *r, const struct node *n)
{
    return read_text(r, n, &r->of->rows.task);
}

static int read_metric(struct reading *r, const struct node *n)
{
    return read_text(r, n, &r->of->rows.metric);
}

static int read_experiment(struct reading *r, const struct node *n)
{
    int many = n->kind == NODE_LIST;
    const char **name = arena_zero(
        r->to->memory, ((size_t)tree_count(n) + 2) * sizeof *name);

    r->of->rows.experiment = name;
    if (many && !n->child)
        return wrong(r, n, "'%s' is empty", n->key);
    for (const struct node *c = many ? n->child : n; c; c = c->next) {
        PASS(read_text(r, c, name++));
        if (!many)
            break;
    }
    return OK;
}

static int read_margin(struct reading *r, const struct node *n)
{
    double *to = &r->of->rows.margin;

    PASS(want(r, n, NODE_TEXT, "margin: 0.02"));
    return str_to_real(n->text, to) || *to < 0
               ? wrong(r, n, "margin: %s: expected a number, 0 or more, in "
                       "units of the metric", n->text)
               : OK;
}

static int read_steps(struct reading *r, const struct node *n)
{
    long long *to = &r->of->rows.steps;

    PASS(want(r, n, NODE_TEXT, "steps: 65536"));
    return str_to_int(n->text, to) || *to < 1
               ? wrong(r, n, "steps: %s: expected a number, 1 or more", n->text)
               : OK;
}

/* ---- a case ---- */

static int read_when(struct reading *r, const struct node *n)
{
    return read_text(r, n, &r->of->when);
}

static int is_read(struct reading *r, const struct node *n)
{
    (void)r, (void)n;
    return OK;
}

/* The keys of a case.  `expect` is read last, because it uses the names of
 * measures, which `numbers` defines. */
static const struct part case_parts[] = {
    {"if", ANY, read_when},
    {"args", COMPUTED, read_args},
    {"numbers", PUBLISHED, read_numbers},
    {"expect", MEASURED, is_read},
    {"better", TRAINED, read_better},
    {"than", TRAINED, read_than},
    {"as_good", TRAINED, read_as_good},
    {"as", TRAINED, read_than},
    {"task", TRAINED, read_task},
    {"metric", TRAINED, read_metric},
    {"margin", TRAINED, read_margin},
    {"steps", TRAINED, read_steps},
    {"experiment", TRAINED, read_experiment},
    {.key = NULL}};

static const struct node *part_of(const struct node *map, const char *key)
{
    const struct node *n = map->child;

    while (n && strcmp(n->key, key))
        n = n->next;
    return n;
}

static int check_rows(struct reading *r, const struct node *n)
{
    const char *const *pair = part_of(n, "better") ? NAMES("better", "than")
                                                   : NAMES("as_good", "as");

    if (part_of(n, "better") && part_of(n, "as_good"))
        return wrong(r, n, "expected 'better' or 'as_good', not both");
    for (const char *const *k = NAMES(pair[0], pair[1], "task", "metric",
                                      "experiment"); *k; k++)
        if (!part_of(n, *k))
            return wrong(r, n, "'%s' is missing", *k);
    if (r->of->rows.as_good && !(r->of->rows.margin > 0))
        return wrong(r, n, "'as_good' requires a 'margin' above 0: the largest "
                     "loss that does not matter");
    PASS(wrap(r, n, rows_check(&r->of->rows)));
    rows_expect(&r->of->expect[r->of->expects++], &r->of->rows, r->to->memory);
    return OK;
}

static int check_measured(struct reading *r, const struct node *n)
{
    const struct node *expect = part_of(n, "expect");

    if (!expect || !expect->child)
        return wrong(r, n, "'expect' is missing");
    return read_expect(r, expect);
}

static int read_case(struct reading *r, const struct node *n)
{
    PASS(want(r, n, NODE_MAP, "- {if: k = d, args: {k: 64}, expect: ...}"));
    r->of->line = n->line;
    r->of->args.of = r->claim->check;
    for (const struct node *c = n->child; c; c = c->next)
        PASS(read_part(r, c, case_parts));
    return r->claim->kind == CLAIM_TRAINED ? check_rows(r, n)
                                           : check_measured(r, n);
}

static int check_conditions(struct reading *r, const struct node *n)
{
    const struct claim *c = r->claim;
    int i = 0;

    for (const struct node *k = n->child; c->cases > 1 && k; k = k->next, i++)
        if (!c->of[i].when)
            return wrong(r, k, "'if' is missing: if there are several cases, "
                         "each requires a condition");
    return OK;
}

static int read_cases(struct reading *r, const struct node *n)
{
    struct claim *c = r->claim;

    PASS(want(r, n, NODE_LIST, "- {if: k = d, args: {k: 64}, expect: ...}"));
    c->of = arena_zero(r->to->memory,
                       ((size_t)tree_count(n) + 1) * sizeof *c->of);
    for (const struct node *k = n->child; k; k = k->next) {
        r->of = &c->of[c->cases++];
        PASS(read_case(r, k));
    }
    return check_conditions(r, n);
}

/* ---- a claim ---- */

/* Reads the id.  It is part of file names in a report and an argument on the
 * command line, so its characters are restricted. */
static int read_id(struct reading *r, const struct node *n)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "abcdefghijklmnopqrstuvwxyz0123456789-_.";
    const struct claim *before = r->to->claim;

    PASS(read_text(r, n, &r->claim->id));
    if (n->text[strspn(n->text, letters)] || !strchr(letters, *n->text) ||
        strchr("-.", *n->text))
        return wrong(r, n, "id: %s: expected letters, digits, - _ .", n->text);
    while (strcmp(before->id, n->text))
        before++;
    return before == r->claim ? OK
                              : wrong(r, n, "id: %s appears twice, first at %s",
                                      n->text, before->place);
}

static int read_source(struct reading *r, const struct node *n)
{
    return read_text(r, n, &r->claim->source);
}

static int read_said(struct reading *r, const struct node *n)
{
    return read_text(r, n, &r->claim->text);
}

static int read_reasoning(struct reading *r, const struct node *n)
{
    return read_text(r, n, &r->claim->reasoning);
}

static int read_formula(struct reading *r, const struct node *n)
{
    return read_text(r, n, &r->claim->formula);
}

static int read_reason(struct reading *r, const struct node *n)
{
    return read_text(r, n, &r->claim->reason);
}

static int read_universal(struct reading *r, const struct node *n)
{
    PASS(want(r, n, NODE_TEXT, "universal: true"));
    r->claim->universal = !strcmp(n->text, "true");
    return r->claim->universal || !strcmp(n->text, "false")
               ? OK
               : wrong(r, n, "universal: %s: expected true or false", n->text);
}

static int read_check(struct reading *r, const struct node *n)
{
    PASS(want(r, n, NODE_TEXT, "check: projection"));
    return wrap(r, n, check_find(&r->claim->check, n->text));
}

/* The keys of a claim.  `kind` and `check` are read first and `cases` last,
 * whatever their order in the file. */
static const struct part claim_parts[] = {
    {"id", ANY, read_id},
    {"source", ANY, read_source},
    {"text", ANY, read_said},
    {"kind", ANY, is_read},
    {"universal", ANY, read_universal},
    {"check", COMPUTED, is_read},
    {"reason", UNTESTABLE, read_reason},
    {"reasoning", ANY, read_reasoning},
    {"formula", ANY, read_formula},
    {"cases", MEASURED | TRAINED, is_read},
    {.key = NULL}};

static int require(struct reading *r, const struct node *n, const char *key)
{
    return part_of(n, key) ? OK : wrong(r, n, "'%s' is missing", key);
}

static int read_kind(struct reading *r, const struct node *n)
{
    const struct node *kind = part_of(n, "kind");

    PASS(require(r, n, "kind"));
    PASS(want(r, kind, NODE_TEXT, "kind: computed"));
    int i = names_find("kind", kind->text, claim_kinds);
    PASS(wrap(r, kind, i));
    r->claim->kind = (enum claim_kind)i;
    if (i != CLAIM_COMPUTED)
        return OK;
    PASS(require(r, n, "check"));
    return read_check(r, part_of(n, "check"));
}

static int read_claim(struct reading *r, const struct node *n)
{
    struct claims *to = r->to;

    PASS(want(r, n, NODE_MAP, "- {id: C1, source: ..., text: ...}"));
    PASS(require(r, n, "id"));
    PASS(require(r, n, "source"));
    PASS(require(r, n, "text"));
    r->claim->place = arena_format(to->memory, "%s:%d", to->path, n->line);
    r->claim->wanted = 1;
    PASS(read_id(r, part_of(n, "id")));
    PASS(read_kind(r, n));
    for (const struct node *c = n->child; c; c = c->next)
        PASS(read_part(r, c, claim_parts));
    if (r->claim->kind == CLAIM_UNTESTABLE)
        return require(r, n, "reason");
    PASS(require(r, n, "cases"));
    return read_cases(r, part_of(n, "cases"));
}

static int count_claims(const struct node *root)
{
    int n = 0;

    for (const struct node *s = root->child; s; s = s->next)
        n += tree_count(s);
    return n;
}

static int read_sections(struct reading *r, const struct node *root)
{
    struct claims *to = r->to;

    PASS(want(r, root, NODE_MAP, "Section: [{id: C1, ...}]"));
    to->claim = arena_zero(to->memory, ((size_t)count_claims(root) + 1) *
                                           sizeof *to->claim);
    for (const struct node *s = root->child; s; s = s->next) {
        PASS(want(r, s, NODE_LIST, "- {id: C1, source: ..., text: ...}"));
        for (const struct node *c = s->child; c; c = c->next, to->n++) {
            r->claim = &to->claim[to->n];
            r->claim->section = s->key;
            PASS(read_claim(r, c));
        }
    }
    return to->n ? OK : wrong(r, root, "the file has no claims");
}

static int read_file(struct claims *to)
{
    OWNED(published_close) struct published *published = NULL;
    struct reading r = {.to = to};
    struct node *root;

    PASS(tree_read(&root, to->path, to->memory));
    PASS(published_open(&published));
    r.published = published;
    return read_sections(&r, root);
}

int claims_read(struct claims **out, const char *path)
{
    struct arena *memory = arena_new();
    OWNED(claims_close) struct claims *c = arena_zero(memory, sizeof *c);
    OWNED(free) char *own = NULL;

    *out = NULL;
    c->memory = memory;
    if (!path)
        PASS(datadir_find(&own, CLAIMS_FILE));
    c->path = arena_text(memory, path ? path : own);
    PASS(read_file(c));
    return MOVE_OUT(out, c);
}

void claims_close(struct claims *c)
{
    if (c)
        arena_free(c->memory);
}

int claims_find(struct claim **out, const struct claims *c, const char *id)
{
    OWNED(free) const char **ids = calloc((size_t)c->n + 1, sizeof *ids);

    for (int i = 0; i < c->n; i++)
        ids[i] = c->claim[i].id;
    int at = names_listed("claim", id, ids, "synthbench list claims");
    PASS(at);
    *out = &c->claim[at];
    return OK;
}
