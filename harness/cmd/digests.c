#include "harness/cmd/digests.h"

#include "harness/base/err.h"
#include "harness/base/json.h"
#include "harness/print/sheet.h"
#include "harness/run/likeness.h"
#include "harness/store/store.h"

#include <string.h>

enum outcome { EQUAL, WEIGHTS, NUMBERS, ONLY_A, ONLY_B, DAMAGED, OUTCOMES };

static const char *const word[OUTCOMES] = {
    "equal", "different weights", "different numbers", "only in A",
    "only in B", "damaged"};

/* A cell of one of the stores. */
struct entry {
    const char *id, *name; /* "random/lm1b/smoke/1" */
    const char *damage;    /* or NULL               */
    enum { NOT, BY_ID, BY_NAME } matched;
};

struct side { const char *path; int n; struct entry *entry; };

struct pair {
    const struct entry *a, *b; /* NULL: there is none */
    enum outcome        outcome;
    const char         *what;  /* differs             */
    struct likeness     like;
};

struct compared {
    struct side   side[2];
    struct pair  *pair;
    int           n, count[OUTCOMES];
    struct arena *memory;
};

/* ---- what they have ---- */

static int read_side(struct side *s, const char *path, struct arena *a)
{
    OWNED(store_close) struct store *store = NULL;
    const char **id;

    s->path = path;
    PASS(store_open(&store, path, 0));
    PASS(store_list(store, &id, &s->n));
    s->entry = arena_zero(a, ((size_t)s->n + 1) * sizeof *s->entry);
    for (int i = 0; i < s->n; i++) {
        struct entry *e = &s->entry[i];
        OWNED(cell_close) struct cell_reader *r = NULL;

        e->id = arena_text(a, id[i]);
        e->name = e->id;
        if (cell_open(&r, path, id[i]) < 0) {
            e->damage = arena_text(a, err_last());
            continue;
        }
        const struct cell_labels *l = cell_labels_of(r);
        e->name = arena_format(a, "%s/%s/%s/%lld", l->variant, l->task,
                               l->scale, l->seed);
    }
    return OK;
}

/* ---- which belong together ---- */

static const struct entry *same_id(struct side *s, const struct entry *e)
{
    for (int i = 0; i < s->n; i++)
        if (!strcmp(s->entry[i].id, e->id)) {
            s->entry[i].matched = BY_ID;
            return &s->entry[i];
        }
    return NULL;
}

/* The only one of that name that no id matched; NULL: none, or several. */
static struct entry *only(struct side *s, const char *name)
{
    struct entry *found = NULL;

    for (int i = 0; i < s->n; i++) {
        struct entry *e = &s->entry[i];

        if (e->matched == BY_ID || strcmp(e->name, name))
            continue;
        if (found)
            return NULL;
        found = e;
    }
    return found;
}

static void add(struct compared *c, const struct entry *a,
                const struct entry *b)
{
    c->pair[c->n++] = (struct pair){.a = a, .b = b, .what = ""};
}

static void match(struct compared *c)
{
    struct side *a = &c->side[0], *b = &c->side[1];

    c->pair = arena_zero(c->memory,
                         ((size_t)a->n + (size_t)b->n + 1) * sizeof *c->pair);
    for (int i = 0; i < a->n; i++) {
        const struct entry *other = same_id(b, &a->entry[i]);

        a->entry[i].matched = other ? BY_ID : NOT;
        if (other)
            add(c, &a->entry[i], other);
    }
    for (int i = 0; i < a->n; i++) {
        struct entry *e = &a->entry[i], *other;

        if (e->matched)
            continue;
        other = only(a, e->name) ? only(b, e->name) : NULL;
        if (other)
            other->matched = BY_NAME;
        add(c, e, other);
    }
    for (int i = 0; i < b->n; i++)
        if (!b->entry[i].matched)
            add(c, NULL, &b->entry[i]);
}

/* ---- are they equal ---- */

static enum outcome judge(struct compared *c, struct pair *p)
{
    const struct entry *bad = p->a && p->a->damage   ? p->a
                              : p->b && p->b->damage ? p->b
                                                     : NULL;

    if (bad) {
        p->what = bad->damage;
        return DAMAGED;
    }
    if (!p->a || !p->b)
        return p->a ? ONLY_A : ONLY_B;
    if (likeness_read(&p->like, c->side[0].path, p->a->id, c->side[1].path,
                      p->b->id, c->memory) < 0) {
        p->what = arena_text(c->memory, err_last());
        return DAMAGED;
    }
    p->what = likeness_why(&p->like);
    return strcmp(p->like.weights[0], p->like.weights[1]) ? WEIGHTS
           : p->like.n[CELL_RESULTS]                      ? NUMBERS
                                                          : EQUAL;
}

/* ---- output ---- */

static json_t *changes(const struct likeness *l)
{
    json_t *list = json_array();

    for (int k = 0; k < CELL_HOUR; k++)
        for (int i = 0; i < l->n[k]; i++)
            json_array_append_new(
                list, json_pack("{s:s, s:s, s:s}", "path", l->of[k][i].path,
                                "a", l->of[k][i].a, "b", l->of[k][i].b));
    return list;
}

static json_t *pair_json(const struct pair *p)
{
    json_t *j = json_pack(
        "{s:s, s:s?, s:s?, s:o, s:o, s:s, s:o}", "cell",
        (p->a ? p->a : p->b)->name, "id_a", p->a ? p->a->id : NULL, "id_b",
        p->b ? p->b->id : NULL, "weights_a", json_word(p->like.weights[0]),
        "weights_b", json_word(p->like.weights[1]), "verdict",
        word[p->outcome], "differences", changes(&p->like));

    if (p->outcome == DAMAGED)
        json_object_set_new(j, "message", json_word(p->what));
    return j;
}

static json_t *object_of(const struct compared *c)
{
    json_t *rows = json_array();

    for (int i = 0; i < c->n; i++)
        json_array_append_new(rows, pair_json(&c->pair[i]));
    return json_pack("{s:s, s:s, s:o, s:i}", "a", c->side[0].path, "b",
                     c->side[1].path, "rows", rows, "equal", c->count[EQUAL]);
}

/* Those that are not equal, and how many of each kind there are. */
static void put_people(struct sheet *s, const struct compared *c)
{
    const char *all = "";

    sheet_put(s, PART_LINE, "A  %s", c->side[0].path);
    sheet_put(s, PART_LINE, "B  %s", c->side[1].path);
    sheet_put(s, PART_GAP, "%s", "");
    for (int i = 0; i < c->n; i++) {
        const struct pair *p = &c->pair[i];
        const struct entry *e = p->a ? p->a : p->b;

        if (p->outcome == EQUAL && strcmp(p->a->id, p->b->id))
            sheet_put(s, PART_LINE, "%s %s: equal, of another configuration: "
                      "%s", e->id, e->name,
                      likeness_text(&p->like, CELL_SETTINGS));
        else if (p->outcome != EQUAL)
            sheet_put(s, PART_LINE, "%s %s: %s%s%s", e->id, e->name,
                      word[p->outcome], *p->what ? ": " : "", p->what);
    }
    for (int k = 0; k < OUTCOMES; k++)
        if (c->count[k] || k == EQUAL)
            all = arena_format(s->memory, "%s%s%d %s", all,
                               k == EQUAL ? "" : ", ", c->count[k], word[k]);
    sheet_put(s, PART_LINE, "%s", all);
}

int digests_compare(const char *a, const char *b, const char *format)
{
    OWNED(arena_free) struct arena *memory = arena_new();
    struct compared c = {.memory = memory};
    OWNED(sheet_close) struct sheet *s = sheet_new();

    PASS(read_side(&c.side[0], a, c.memory));
    PASS(read_side(&c.side[1], b, c.memory));
    match(&c);
    if (!c.n)
        return err_set(ERR_EMPTY, "%s and %s hold no finished cell", a, b);
    for (int i = 0; i < c.n; i++) {
        c.pair[i].outcome = judge(&c, &c.pair[i]);
        c.count[c.pair[i].outcome]++;
    }
    put_people(s, &c);
    s->object = object_of(&c);
    PASS(sheet_print(s, format, NULL));
    return c.count[DAMAGED]        ? -ERR_STORE
           : c.count[EQUAL] == c.n ? OK
                                   : 1;
}
