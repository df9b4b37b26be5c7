/*
 * superglue_record: reads queries with a gap that an entity of a passage fills,
 * one row per query and distinct answer, in T5's text format.
 *
 *     {"idx", "passage": {"text", "entities": [{"start", "end"}]},
 *      "qas": [{"query", "idx", "answers": [{"text"}]}]}
 *     source  "record query: Q entities: e1, e2 passage: P"
 *
 * Offsets count code points; `end` is the offset of the last one.  Entities are
 * distinct strings in the order of code points, which is also their byte order.
 * A query without answers (test sets) yields one row with the target <unk>.
 * Source: Zhang et al. (2018); Raffel et al., T5 (JMLR 2020), D.
 */
#include "harness/corpora/superglue.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/base/text.h"

#include <stdlib.h>
#include <string.h>

struct passage {
    const char *text, **entity;
    long long idx;
    struct text *shown; /* "entities: ... passage: ..." */
};

/* Sorts the list, which ends with NULL, and removes duplicates. */
static void make_set(const char **list)
{
    size_t n = 0, kept = 0;

    while (list[n])
        n++;
    qsort(list, n, sizeof *list, str_order);
    for (size_t i = 0; i < n; i++)
        if (!kept || strcmp(list[kept - 1], list[i]))
            list[kept++] = list[i];
    list[kept] = NULL;
}

/* Returns an empty list with room for a string per value and the closing
 * NULL. */
static const char **new_list(const struct value *v, struct arena *a)
{
    size_t n = 1;

    for (; v; v = v->next)
        n++;
    return arena_zero(a, n * sizeof(char *));
}

/* Returns the byte offsets of the code points of s, followed by the offset of
 * the end of s.  Sets *points to the number of code points. */
static size_t *starts_of(const char *s, long long *points, struct arena *a)
{
    size_t n = strlen(s), *start = arena_take(a, (n + 1) * sizeof *start);

    *points = 0;
    for (size_t i = 0; i <= n; i++)
        if ((s[i] & 0xC0) != 0x80)
            start[(*points)++] = i;
    --*points; /* the end of s is not a code point */
    return start;
}

static int read_entities(struct passage *p, const struct value *v,
                         struct arena *a)
{
    long long from, to, points;
    size_t *start = starts_of(p->text, &points, a);

    p->entity = new_list(v, a);
    for (int i = 0; v; v = v->next, i++) {
        PASS(value_integer(&from, v, "start"));
        PASS(value_integer(&to, v, "end"));
        if (from < 0 || to < from || to >= points)
            return err_set(ERR_DATA, "an entity from %lld to %lld, but the "
                           "passage has %lld characters", from, to, points);
        size_t bytes = start[to + 1] - start[from];
        char *text = arena_zero(a, bytes + 1);
        memcpy(text, p->text + start[from], bytes);
        p->entity[i] = text;
    }
    make_set(p->entity);
    return OK;
}

/* Turns highlights into sentences: replaces each marker by a blank if it
 * follows a sign that ends a sentence, else by ". ". */
static void put_passage(struct text *out, const char *s)
{
    static const char mark[] = "\n@highlight\n";
    const char *at;

    for (; (at = strstr(s, mark)); s = at + sizeof mark - 1) {
        text_add(out, s, (size_t)(at - s));
        text_put(out, at > s && strchr(".?!\"'", at[-1]) ? " " : ". ");
    }
    text_put(out, s);
}

static void set_shown(struct passage *p)
{
    OWNED(free) char *entities = names_list(p->entity);

    text_format(p->shown, " entities: %s passage: ", entities);
    put_passage(p->shown, p->text);
}

static int read_query(struct corpus_reading *x, const struct passage *p,
                      const struct value *query, struct arena *a)
{
    const struct value *answers = NULL;
    OWNED(text_free) struct text source = {0};
    const char *text;
    long long idx;

    PASS(value_string(&text, query, "query"));
    PASS(value_integer(&idx, query, "idx"));
    if (strcmp(x->split->name, "test") || value_get(query, "answers"))
        PASS(value_list(&answers, query, "answers"));
    const char **answer = new_list(answers, a);
    for (int i = 0; answers; answers = answers->next, i++)
        PASS(value_string(&answer[i], answers, "text"));
    make_set(answer);
    text_format(&source, "record query: %s%s", text, p->shown->s);
    const char **target = answer;
    do
        PASS(ROW(x, TEXT("source", source.s),
                 TEXT("target", *target ? *target : "<unk>"),
                 TEXTS("answers", answer),
                 OBJECT("idx", INTEGER("passage", p->idx),
                        INTEGER("query", idx))));
    while (*target && *++target);
    return OK;
}

static int take_row(void *x, const struct jsonl *j)
{
    const struct value *passage, *entities, *query;
    OWNED(text_free) struct text shown = {0};
    struct passage p = {.shown = &shown};

    PASS(value_integer(&p.idx, j->object, "idx"));
    PASS(value_object(&passage, j->object, "passage"));
    PASS(value_string(&p.text, passage, "text"));
    PASS(value_list(&entities, passage, "entities"));
    PASS(read_entities(&p, entities, j->memory));
    set_shown(&p);
    PASS(value_list(&query, j->object, "qas"));
    for (; query; query = query->next)
        PASS(read_query(x, &p, query, j->memory));
    return OK;
}

/* 100,730 training queries have 138,854 distinct answers (T5).  No source gives
 * the number of answers of the 10,000 validation queries. */
SUPERGLUE(record, "ReCoRD", SUPERGLUE_FILES("ReCoRD", 138854, 0, 10000),
          .counted = NULL)
