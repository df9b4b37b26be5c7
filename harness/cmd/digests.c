#include "harness/cmd/digests.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/gate/pair_cells.h"
#include "harness/print/sheet.h"
#include "harness/store/likeness.h"
#include "harness/store/frozen.h"
#include "harness/store/store.h"

#include <string.h>

enum outcome { EQUAL, WEIGHTS, NUMBERS, ONLY_A, ONLY_B, DAMAGED, OUTCOMES };

static const char *const word[OUTCOMES] = {
    "equal", "different weights", "different numbers", "only in A",
    "only in B", "damaged"};

/* A pair of cells, one of each store.  In the list of values of each cell
 * (struct baseline_cell), "id" is its id and, if the cell is damaged, "damage"
 * says how it is damaged. */
struct pair {
    const struct baseline_cell *a, *b; /* NULL: not in this store */
    const char                 *id[2];
    enum outcome                outcome;
    const char                 *what, *damage; /* what differs; or NULL */
    struct likeness             like;
    json_t                     *differences;
};

struct compared {
    struct baseline *side[2];
    struct pair     *pair;
    int              n, count[OUTCOMES];
    struct arena    *memory;
};

static void close_compared(struct compared *c)
{
    baseline_close(c->side[0]);
    baseline_close(c->side[1]);
    arena_free(c->memory);
}
OWNER_OF_VALUE(close_compared, struct compared)

/* ---- the cells of both stores ---- */

/* Returns the name of the cell's row in tables, such as "random,steps=700".  If
 * the store's experiment is unknown or does not have the cell, returns the name
 * of the variant. */
static const char *row_of(const struct frozen *f, const char *id,
                          const struct cell_labels *l)
{
    for (int i = 0; f && i < f->n; i++)
        if (!strcmp(f->cell[i].id, id))
            return frozen_row(&f->cell[i]);
    return l->variant;
}

static int read_side(struct baseline **out, const char *path)
{
    OWNED(store_close) struct store *store = NULL;
    OWNED(frozen_close) struct frozen *f = NULL;
    struct baseline *b = *out = baseline_new(path);
    const char **id;
    int n;

    PASS(store_open(&store, path, 0));
    int rc = frozen_read(&f, path);
    if (rc < 0 && rc != ERR_EMPTY)
        say("%s; its cells are named by their variants", err_last());
    PASS(store_list(store, &id, &n));
    b->cell = arena_zero(b->memory, ((size_t)n + 1) * sizeof *b->cell);
    for (; b->cells < n; b->cells++) {
        struct baseline_cell *c = &b->cell[b->cells];
        OWNED(cell_close) struct cell_reader *r = NULL;

        c->value = arena_zero(b->memory, 2 * sizeof *c->value);
        c->name = arena_text(b->memory, id[b->cells]);
        baseline_add(c, "id")->text = c->name;
        if (cell_open(&r, path, c->name) < 0) {
            baseline_add(c, "damage")->text = arena_text(b->memory, err_last());
            continue;
        }
        const struct cell_labels *l = cell_labels_of(r);
        c->name = arena_format(b->memory, "%s/%s/%s/%lld",
                               row_of(f, id[b->cells], l), l->task, l->scale,
                               l->seed);
    }
    return OK;
}

static const char *id_of(const struct baseline_cell *c)
{
    return c ? baseline_text(c, "id") : NULL;
}

/* Lists the pairs of cells; those with equal ids come first. */
static void match(struct compared *c)
{
    struct cell_pair *m;
    int n = pair_baselines(&m, c->side[0], c->side[1], c->memory);

    c->pair = arena_zero(c->memory, ((size_t)n + 1) * sizeof *c->pair);
    for (int by_id = 1; by_id >= 0; by_id--)
        for (int i = 0; i < n; i++)
            if ((m[i].a && m[i].b && !strcmp(id_of(m[i].a), id_of(m[i].b))) ==
                by_id)
                c->pair[c->n++] = (struct pair){
                    .a = m[i].a, .b = m[i].b, .what = "",
                    .id = {id_of(m[i].a), id_of(m[i].b)}};
}

/* ---- comparison ---- */

static enum outcome judge(struct compared *c, struct pair *p)
{
    p->damage = p->a ? baseline_text(p->a, "damage") : NULL;
    if (!p->damage && p->b)
        p->damage = baseline_text(p->b, "damage");
    if (!p->damage && p->a && p->b &&
        likeness_read(&p->like, c->side[0]->name, p->id[0], c->side[1]->name,
                      p->id[1], c->memory) < 0)
        p->damage = arena_text(c->memory, err_last());
    p->what = p->damage ? p->damage : "";
    if (p->damage)
        return DAMAGED;
    if (!p->a || !p->b)
        return p->a ? ONLY_A : ONLY_B;
    p->what = likeness_why(&p->like);
    if (strcmp(p->like.weights[0], p->like.weights[1]))
        return WEIGHTS;
    return p->like.n[CELL_RESULTS] ? NUMBERS : EQUAL;
}

/* ---- output ---- */

static json_t *changes(const struct likeness *l, struct arena *a)
{
    static const struct column columns[] = {
        {"path", NULL, COLUMN_AS(COLUMN_CHARS, struct cell_change, path)},
        {"a", NULL, COLUMN_AS(COLUMN_CHARS, struct cell_change, a)},
        {"b", NULL, COLUMN_AS(COLUMN_CHARS, struct cell_change, b)},
        {.type = COLUMN_END}};
    json_t *list = json_array();

    for (int k = 0; k < CELL_VOLATILE; k++) {
        OWNED(json_decref) json_t *own = relation_json(
            &(struct relation){NULL, columns, l->of[k], sizeof *l->of[k],
                               l->n[k]}, a);
        json_array_extend(list, own);
    }
    return list;
}

static const char *show_cell(const void *row, struct arena *a)
{
    const struct pair *p = row;

    (void)a;
    return (p->a ? p->a : p->b)->name;
}

#define OF(member) COLUMN(struct pair, member)
static const struct column columns[] = {
    {"cell", NULL, COLUMN_SHOWN, .show = show_cell},
    {"id_a", NULL, OF(id[0])},
    {"id_b", NULL, OF(id[1])},
    {"weights_a", NULL, COLUMN_AS(COLUMN_WORD, struct pair, like.weights[0])},
    {"weights_b", NULL, COLUMN_AS(COLUMN_WORD, struct pair, like.weights[1])},
    {"verdict", NULL, COLUMN_AS(COLUMN_ENUM, struct pair, outcome),
     .words = word},
    {"differences", NULL, OF(differences)},
    {"message", NULL, COLUMN_AS(COLUMN_WORD, struct pair, damage)},
    {.type = COLUMN_END}};

/* Adds the number of pairs with each outcome, and a line for each pair that is
 * not equal or whose ids differ. */
static void put_all(struct sheet *s, const struct compared *c)
{
    const char *all = "";

    for (int k = 0; k < OUTCOMES; k++)
        if (c->count[k] || k == EQUAL)
            all = arena_format(s->memory, "%s%s%d %s", all,
                               k == EQUAL ? "" : ", ", c->count[k], word[k]);
    sheet_put(s, PART_LINE, "%s", all);
    sheet_put(s, PART_LINE, "A  %s", c->side[0]->name);
    sheet_put(s, PART_LINE, "B  %s", c->side[1]->name);
    for (int i = 0; i < c->n; i++) {
        const struct pair *p = &c->pair[i];
        const struct baseline_cell *e = p->a ? p->a : p->b;

        if (p->outcome == EQUAL && strcmp(p->id[0], p->id[1]))
            sheet_put(s, PART_LINE, "%s %s: equal, of another configuration: "
                      "%s", id_of(e), e->name,
                      likeness_text(&p->like, CELL_SETTINGS));
        else if (p->outcome != EQUAL)
            sheet_put(s, PART_LINE, "%s %s: %s%s%s", id_of(e), e->name,
                      word[p->outcome], *p->what ? ": " : "", p->what);
    }
    for (int i = 0; i < c->n; i++)
        c->pair[i].differences = changes(&c->pair[i].like, s->memory);
    sheet_fact(s, "a", json_string(c->side[0]->name));
    sheet_fact(s, "b", json_string(c->side[1]->name));
    sheet_fact(s, "equal", json_integer(c->count[EQUAL]));
    sheet_relation(s, &(struct relation){"rows", columns, c->pair,
                                         sizeof *c->pair, c->n});
    for (int i = 0; i < c->n; i++)
        json_decref(c->pair[i].differences);
}

int compare_digests(struct sheet *s, const char *a, const char *b)
{
    OWNED(close_compared) struct compared c = {.memory = arena_new()};

    PASS(read_side(&c.side[0], a));
    PASS(read_side(&c.side[1], b));
    match(&c);
    if (!c.n)
        return err_set(ERR_EMPTY, "%s and %s have no finished cell", a, b);
    for (int i = 0; i < c.n; i++) {
        c.pair[i].outcome = judge(&c, &c.pair[i]);
        c.count[c.pair[i].outcome]++;
    }
    put_all(s, &c);
    return c.count[DAMAGED]        ? -ERR_STORE
           : c.count[EQUAL] == c.n ? OK
                                   : 1;
}
