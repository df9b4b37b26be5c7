#include "harness/cmd/compare_digests.h"

#include "harness/base/err.h"
#include "harness/gate/digests.h"
#include "harness/print/sheet.h"

#include <string.h>

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

/* A pair of cells, with its differences for programs. */
struct row {
    struct digests_pair is;
    json_t             *differences;
};

#define OF(member) COLUMN(struct row, member)
#define WORD(member) COLUMN_AS(COLUMN_WORD, struct row, member)
static const struct column columns[] = {
    {"cell", NULL, OF(is.name)},
    {"id_a", NULL, OF(is.id[0])},
    {"id_b", NULL, OF(is.id[1])},
    {"weights_a", NULL, WORD(is.like.weights[0])},
    {"weights_b", NULL, WORD(is.like.weights[1])},
    {"verdict", NULL, COLUMN_AS(COLUMN_ENUM, struct row, is.outcome),
     .words = digests_word},
    {"differences", NULL, OF(differences)},
    {"message", NULL, WORD(is.damage)},
    {.type = COLUMN_END}};

static void put_pair(struct sheet *s, const struct digests_pair *p)
{
    const char *id = p->id[p->id[0] == NULL];

    if (p->outcome == DIGESTS_EQUAL && strcmp(p->id[0], p->id[1]))
        sheet_put(s, PART_LINE, "%s %s: equal, of another configuration: %s",
                  id, p->name, likeness_text(&p->like, CELL_SETTINGS));
    else if (p->outcome != DIGESTS_EQUAL)
        sheet_put(s, PART_LINE, "%s %s: %s%s%s", id, p->name,
                  digests_word[p->outcome], *p->what ? ": " : "", p->what);
}

/* Adds the number of pairs with each outcome, and a line for each pair that is
 * not equal or whose ids differ. */
static void put_all(struct sheet *s, const struct digests *d, const char *a,
                    const char *b)
{
    struct row *row = arena_take(s->memory, (size_t)d->n * sizeof *row);
    const char *all = "";

    for (int k = 0; k < DIGESTS_OUTCOMES; k++)
        if (d->count[k] || k == DIGESTS_EQUAL)
            all = arena_format(s->memory, "%s%s%d %s", all,
                               k == DIGESTS_EQUAL ? "" : ", ", d->count[k],
                               digests_word[k]);
    sheet_put(s, PART_LINE, "%s", all);
    sheet_put(s, PART_LINE, "A  %s", a);
    sheet_put(s, PART_LINE, "B  %s", b);
    for (int i = 0; i < d->n; i++) {
        put_pair(s, &d->pair[i]);
        row[i] = (struct row){d->pair[i], changes(&d->pair[i].like, s->memory)};
    }
    sheet_fact(s, "a", json_string(a));
    sheet_fact(s, "b", json_string(b));
    sheet_fact(s, "equal", json_integer(d->count[DIGESTS_EQUAL]));
    sheet_relation(s, &(struct relation){"rows", columns, row, sizeof *row,
                                         d->n});
    for (int i = 0; i < d->n; i++)
        json_decref(row[i].differences);
}

int compare_digests(struct sheet *s, const char *a, const char *b)
{
    OWNED(digests_close) struct digests d;

    PASS(digests_compare(&d, a, b));
    put_all(s, &d, a, b);
    return d.count[DIGESTS_DAMAGED]        ? -ERR_STORE
           : d.count[DIGESTS_EQUAL] == d.n ? OK
                                           : 1;
}
