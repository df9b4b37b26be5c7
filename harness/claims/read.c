/* read: reads claims.yaml and checks its schema, for claims_read. */
#include "harness/claims/claims.h"

#include "harness/base/arena.h"
#include "harness/base/datadir.h"
#include "harness/base/err.h"
#include "harness/base/key.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/claims/judge.h"
#include "harness/config/experiment.h"
#include "harness/config/tree.h"
#include "harness/metrics/metric.h"
#include "harness/tasks/task.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const char *const claim_kinds[] = {"computed", "published", "trained",
                                   "timed", "untestable", NULL};

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
 * function that reads its value into the member at offset `at` of struct claim
 * or struct claim_case.  If `read` is NULL, the value is read elsewhere. */
struct part {
    const char *key;
    unsigned    kinds; /* bit mask */
    int (*read)(struct reading *r, const struct node *n, void *to);
    size_t      at;
};

enum {
    COMPUTED = 1 << CLAIM_COMPUTED, PUBLISHED = 1 << CLAIM_PUBLISHED,
    TRAINED = 1 << CLAIM_TRAINED, TIMED = 1 << CLAIM_TIMED,
    UNTESTABLE = 1 << CLAIM_UNTESTABLE,
    MEASURED = COMPUTED | PUBLISHED | TIMED,
    ANY = MEASURED | TRAINED | UNTESTABLE
};

/* Reads all keys of a map into the struct `of`. */
static int read_parts(struct reading *r, const struct node *map,
                      const struct part *parts, void *of)
{
    enum claim_kind kind = r->claim->kind;

    for (const struct node *n = map->child; n; n = n->next) {
        int i = names_row("key", n->key, parts, sizeof *parts);

        PASS(wrap(r, n, i));
        if (!(parts[i].kinds & 1u << kind))
            return wrong(r, n, "'%s' is not part of a claim of kind %s", n->key,
                         claim_kinds[kind]);
        if (parts[i].read)
            PASS(parts[i].read(r, n, (char *)of + parts[i].at));
    }
    return OK;
}

static int read_text(struct reading *r, const struct node *n, void *to)
{
    PASS(want(r, n, NODE_TEXT, "text: What is claimed"));
    *(const char **)to = n->text;
    return *n->text ? OK : wrong(r, n, "'%s' is empty", n->key);
}

static const struct key scalars[] = {
    {"margin", &key_real, .size = sizeof(double), .low = 0, .high = 1e9,
     .help = "margin: 0.02"},
    {"steps", &key_int, .size = sizeof(long long), .low = 1, .high = 1e12,
     .help = "steps: 65536"},
    {"universal", &key_bool, .help = "universal: true"},
    {.name = NULL}};

static int read_scalar(struct reading *r, const struct node *n, void *to)
{
    const struct key *k = &scalars[names_row("key", n->key, scalars,
                                             sizeof *scalars)];

    PASS(want(r, n, NODE_TEXT, k->help));
    return wrap(r, n, k->type->set(k, to, n->text));
}

/* ---- measures and expectations ---- */

static int read_args(struct reading *r, const struct node *n, void *to)
{
    PASS(want(r, n, NODE_MAP, "args: {d: 256, k: 64}"));
    for (const struct node *c = n->child; c; c = c->next) {
        PASS(want(r, c, NODE_TEXT, "d: 256"));
        PASS(wrap(r, c, check_give(to, c->key, c->text)));
    }
    return OK;
}

static int read_numbers(struct reading *r, const struct node *n, void *to)
{
    struct claim_number *number = to;
    struct number x;

    PASS(want(r, n, NODE_MAP, "numbers: {gap: \"[KEY] - [KEY]\"}"));
    for (const struct node *c = n->child; c; c = c->next) {
        PASS(want(r, c, NODE_TEXT, "gap: \"[KEY] - [KEY]\""));
        PASS(wrap(r, c, number_of(&x, c->text, r->published)));
        if (r->of->numbers == CLAIM_MEASURES)
            return wrong(r, c, "more than %d numbers", CLAIM_MEASURES);
        number[r->of->numbers++] = (struct claim_number){c->key, c->text};
    }
    return OK;
}

static int read_expect(struct reading *r, const struct node *n)
{
    const struct check *check = r->claim->check;
    const char *const *measures =
        r->claim->kind == CLAIM_TIMED ? NAMES("ratio")
        : check ? names_of(check->measure, sizeof *check->measure,
                           r->to->memory)
                : names_of(r->of->number, sizeof *r->of->number,
                           r->to->memory);

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

/* Checks the part of a row name that lists settings which an experiment varies,
 * such as ",tuned" or ",steps=700". */
static int check_varied(char *rest)
{
    struct config scratch = {.seed = 0};
    char *part;

    while ((part = strsep(&rest, ","))) {
        char *value = strchr(part, '=');

        if (!value && strcmp(part, "tuned"))
            return err_set(ERR_USAGE, "'%s': expected 'tuned', or KEY=VALUE "
                           "that an experiment varies", part);
        if (!value)
            continue;
        *value++ = 0;
        PASS(settings_set(&scratch, part, value));
    }
    return OK;
}

/* Reads the name of a row in its normal form, such as "random+dense,tuned" for
 * "dense+random,tuned". */
static int read_row(struct reading *r, const struct node *n, void *to)
{
    struct config scratch = {.seed = 0};

    PASS(want(r, n, NODE_TEXT, "better: random+vanilla"));
    const char *rest = strchr(n->text, ',');
    OWNED(free) char *variant = str_copy(n->text), *normal = NULL;
    OWNED(free) char *varied = str_copy(rest ? rest + 1 : "");
    variant[strcspn(variant, ",")] = 0;
    PASS(wrap(r, n, settings_set(&scratch, "variant", variant)));
    PASS(settings_get(&scratch, "variant", &normal));
    *(const char **)to = arena_format(r->to->memory, "%s%s", normal,
                                      rest ? rest : "");
    return rest ? wrap(r, n, check_varied(varied)) : OK;
}

static int read_experiment(struct reading *r, const struct node *n, void *to)
{
    int many = n->kind == NODE_LIST;
    const char **name = arena_zero(
        r->to->memory, ((size_t)tree_count(n) + 2) * sizeof *name);

    *(const char *const **)to = name;
    if (many && !n->child)
        return wrong(r, n, "'%s' is empty", n->key);
    for (const struct node *c = many ? n->child : n; c;
         c = many ? c->next : NULL)
        PASS(read_text(r, c, name++));
    return OK;
}

/* Returns 1 if the experiment trains the row. */
static bool trains(const struct experiment *e, const char *row)
{
    OWNED(free) char *variant = str_format("%.*s", (int)strcspn(row, ","), row);

    return names_index(e->axis[AXIS_VARIANT].value, variant) >= 0;
}

/* Checks the rows and sets rows->better.  Returns ERR_USAGE if the task, metric
 * or experiment is unknown, if neither direction of the metric is better, or if
 * none of the experiments trains both rows on the task. */
static int check_names(struct claim_rows *r)
{
    const struct task *task;
    bool trained = false;

    PASS(task_find(&task, r->task));
    PASS(names_find("metric", r->metric, task->metrics));
    for (const struct metric *const *m = metric_all; *m; m++)
        if (!strcmp((*m)->name, r->metric))
            r->better = (*m)->better;
    if (!r->better)
        return err_set(ERR_USAGE, "metric %s: neither higher nor lower values "
                       "are better", r->metric);
    for (const char *const *name = r->experiment; *name; name++) {
        OWNED(experiment_close) struct experiment *e = NULL;

        PASS(experiment_read(&e, *name));
        trained |= names_index(e->axis[AXIS_TASK].value, r->task) >= 0 &&
                   trains(e, r->a) && trains(e, r->b);
    }
    return trained ? OK
                   : err_set(ERR_USAGE, "no experiment of the list trains both "
                             "%s and %s on task %s", r->a, r->b, r->task);
}

/* Sets *out to the expectation of a trained claim: the required values of the
 * measure "difference in METRIC", r->a minus r->b. */
static void expect_rows(struct claim_expect *out,
                        const struct claim_rows *r, struct arena *a)
{
    double least = r->as_good ? -r->margin : r->margin;

    *out = (struct claim_expect){.compares = 1, .low = -INFINITY,
                                 .high = INFINITY};
    out->measure = arena_format(a, "difference in %s", r->metric);
    *(r->better > 0 ? &out->low : &out->high) = r->better * least;
    out->text = arena_format(a, "%s %g", r->better > 0 ? ">" : "<",
                             r->better * least + 0.0);
}

/* ---- a case ---- */

#define AT(member) offsetof(struct claim_case, member)

/* The keys of a case.  `expect` is read last, because it uses the names of
 * measures, which `numbers` defines. */
static const struct part case_parts[] = {
    {"if", ANY, read_text, AT(when)},
    {"args", COMPUTED, read_args, AT(args)},
    {"numbers", PUBLISHED, read_numbers, AT(number)},
    {"expect", MEASURED, NULL, 0},
    {"better", TRAINED, read_row, AT(rows.a)},
    {"than", TRAINED, read_row, AT(rows.b)},
    {"as_good", TRAINED, read_row, AT(rows.a)},
    {"as", TRAINED, read_row, AT(rows.b)},
    {"task", TRAINED, read_text, AT(rows.task)},
    {"metric", TRAINED, read_text, AT(rows.metric)},
    {"margin", TRAINED, read_scalar, AT(rows.margin)},
    {"steps", TRAINED, read_scalar, AT(rows.steps)},
    {"experiment", TRAINED, read_experiment, AT(rows.experiment)},
    {"row", TIMED, read_row, AT(row)},
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
    struct claim_rows *rows = &r->of->rows;

    rows->as_good = part_of(n, "as_good") != NULL;
    const char *const *pair = rows->as_good ? NAMES("as_good", "as")
                                            : NAMES("better", "than");
    if (part_of(n, "better") && rows->as_good)
        return wrong(r, n, "expected 'better' or 'as_good', not both");
    for (const char *const *k = NAMES(pair[0], pair[1], "task", "metric",
                                      "experiment"); *k; k++)
        if (!part_of(n, *k))
            return wrong(r, n, "'%s' is missing", *k);
    if (rows->as_good && !(rows->margin > 0))
        return wrong(r, n, "'as_good' requires a 'margin' above 0: the largest "
                     "loss that does not matter");
    PASS(wrap(r, n, check_names(rows)));
    expect_rows(&r->of->expect[r->of->expects++], rows, r->to->memory);
    return OK;
}

static int read_case(struct reading *r, const struct node *n)
{
    const struct node *expect;

    PASS(want(r, n, NODE_MAP, "- {if: k = d, args: {k: 64}, expect: ...}"));
    r->of->line = n->line;
    r->of->args.of = r->claim->check;
    PASS(read_parts(r, n, case_parts, r->of));
    if (r->claim->kind == CLAIM_TRAINED)
        return check_rows(r, n);
    if (r->claim->kind == CLAIM_TIMED && !r->of->row)
        return wrong(r, n, "'row' is missing");
    expect = part_of(n, "expect");
    return expect && expect->child ? read_expect(r, expect)
                                   : wrong(r, n, "'expect' is missing");
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
    for (const struct node *k = n->child; c->cases > 1 && k; k = k->next)
        if (!part_of(k, "if"))
            return wrong(r, k, "'if' is missing: if there are several cases, "
                         "each requires a condition");
    return OK;
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

#undef AT
#define AT(member) offsetof(struct claim, member)

/* The keys of a claim.  `id`, `kind` and `check` are read first and `cases`
 * last, whatever their order in the file. */
static const struct part claim_parts[] = {
    {"id", ANY, NULL, 0},
    {"source", ANY, read_text, AT(source)},
    {"text", ANY, read_text, AT(text)},
    {"kind", ANY, NULL, 0},
    {"universal", ANY, read_scalar, AT(universal)},
    {"check", COMPUTED, NULL, 0},
    {"reason", UNTESTABLE, read_text, AT(reason)},
    {"reasoning", ANY, read_text, AT(reasoning)},
    {"formula", ANY, read_text, AT(formula)},
    {"cases", MEASURED | TRAINED, NULL, 0},
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
    n = part_of(n, "check");
    PASS(want(r, n, NODE_TEXT, "check: projection"));
    return wrap(r, n, check_find(&r->claim->check, n->text));
}

static int read_claim(struct reading *r, const struct node *n)
{
    struct claims *to = r->to;

    PASS(want(r, n, NODE_MAP, "- {id: C1, source: ..., text: ...}"));
    for (const char *const *k = NAMES("id", "source", "text"); *k; k++)
        PASS(require(r, n, *k));
    r->claim->place = arena_format(to->memory, "%s:%d", to->path, n->line);
    r->claim->wanted = 1;
    PASS(read_id(r, part_of(n, "id")));
    PASS(read_kind(r, n));
    PASS(read_parts(r, n, claim_parts, r->claim));
    if (r->claim->kind == CLAIM_UNTESTABLE)
        return require(r, n, "reason");
    PASS(require(r, n, "cases"));
    return read_cases(r, part_of(n, "cases"));
}

static int read_sections(struct reading *r, const struct node *root)
{
    struct claims *to = r->to;
    size_t most = 1;

    PASS(want(r, root, NODE_MAP, "Section: [{id: C1, ...}]"));
    for (const struct node *s = root->child; s; s = s->next)
        most += (size_t)tree_count(s);
    to->claim = arena_zero(to->memory, most * sizeof *to->claim);
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

int claims_read(struct claims **out, const char *path)
{
    struct arena *memory = arena_new();
    OWNED(claims_close) struct claims *c = arena_zero(memory, sizeof *c);
    OWNED(published_close) struct published *published = NULL;
    OWNED(free) char *own = NULL;
    struct node *root;

    *out = NULL;
    c->memory = memory;
    if (!path)
        PASS(datadir_find(&own, CLAIMS_FILE));
    c->path = arena_text(memory, path ? path : own);
    PASS(tree_read(&root, c->path, memory));
    PASS(published_open(&published));
    struct reading r = {.to = c, .published = published};
    PASS(read_sections(&r, root));
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
