#include "harness/tasks/official.h"

#include "harness/base/err.h"
#include "harness/base/rng.h"
#include "harness/base/text.h"
#include "harness/tasks/known_words.h"
#include "harness/tasks/rows.h"

#include <limits.h>
#include <string.h>

enum { VALID_PERCENT = 5, SEED = 20210718 };

/* ---- a row as an example ---- */

struct reading { /* reads one split of one corpus */
    struct sink sink; /* must be first */
    const struct official_part *part;
    enum split split;
    int held;   /* 1: only the validation rows of the training split; -1:
                   only its other rows; 0: all rows */
    int subtask, group, known; /* `known`: 1 if `query` is set, from the
                                  previous row */
    long long query[2];
    struct text source, target, reference, whole;
    struct map *words; /* NULL, or target words that are not in this map become
                          UNK */
    items_taker *take;
    void *to;
    struct official_count *count;
};

static void put_field(struct text *to, const struct field *f, const char *gap)
{
    if (f->kind == FIELD_TEXT)
        text_put(to, f->text);
    for (int i = 0; f->kind == FIELD_TEXTS && f->texts[i]; i++)
        text_format(to, "%s%s", i ? gap : "", f->texts[i]);
}

/* Returns the source text, or NULL if the examples have no source. */
static const char *source_of(struct reading *r, const struct field *row)
{
    const struct official_part *p = r->part;
    const struct field *source = corpus_field(row, p->source);
    const struct field *before = corpus_field(row, p->before);
    const char *prefix = p->prefix ? p->prefix : "";
    struct text *t = &r->source;

    if (!source)
        return NULL;
    text_clear(t);
    if (before) {
        text_format(t, "%s: ", p->before);
        put_field(t, before, " ");
        text_put(t, " ");
    }
    put_field(t, source, " ");
    return strncmp(t->s, prefix, strlen(prefix)) ? t->s : t->s + strlen(prefix);
}

static const char *text_of(struct text *t, const struct field *row,
                           const char *key, const char *gap)
{
    const struct field *f = corpus_field(row, key);

    if (!f)
        return NULL;
    text_clear(t);
    put_field(t, f, gap);
    return t->s;
}

static const char *target_of(struct reading *r, const struct field *row)
{
    const char *key = r->part->target;

    if (!r->words)
        return text_of(&r->target, row, key, " ");
    known_words_keep(&r->target, text_of(&r->whole, row, key, " "), r->words);
    return r->target.s;
}

/* Returns the reference text, or NULL if it is the target. */
static const char *reference_of(struct reading *r, const struct field *row,
                                const struct item *it)
{
    if (r->part->scoring == SCORED_ANY)
        return text_of(&r->reference, row, "answers", "\n");
    if (r->part->scoring != SCORED_REFERENT)
        return NULL;
    text_clear(&r->reference);
    text_format(&r->reference, "%s\n%s", it->label ? "True" : "False",
                it->target);
    return r->reference.s;
}

/* Returns 1 if the row asks the same question as the previous row: the first
 * two numbers of its `idx` are equal. */
static int is_asked_again(struct reading *r, const struct field *row)
{
    const struct field *idx = corpus_field(row, "idx");
    int again = r->known;

    if (r->part->scoring != SCORED_BY_QUERY &&
        r->part->scoring != SCORED_ANY)
        return 0;
    for (int i = 0; i < 2; i++) {
        again &= r->query[i] == idx->object[i].integer;
        r->query[i] = idx->object[i].integer;
    }
    r->known = 1;
    r->group += !again;
    return again;
}

static int take_row(struct sink *sink, const struct field *row)
{
    struct reading *r = (struct reading *)sink;
    const struct field *label = corpus_field(row, "label");
    struct item it = {
        .source = source_of(r, row),
        .target = target_of(r, row),
        .label = label && label->kind == FIELD_INTEGER ? (int)label->integer
                                                       : 0,
        .subtask = r->subtask};
    int again = is_asked_again(r, row);

    it.group = r->group;
    if (r->split != SPLIT_TRAIN)
        it.reference = reference_of(r, row, &it);
    r->count->rows++;
    if (r->held &&
        (hash_name(it.source) % 100 < VALID_PERCENT) != (r->held > 0))
        return OK;
    if (again && r->part->scoring == SCORED_ANY && r->split != SPLIT_TRAIN)
        return OK;
    return r->take(r->to, &it);
}

static int count_skipped(struct sink *sink, const struct skipped *k)
{
    ((struct reading *)sink)->count->nul += !strcmp(k->reason, CORPUS_NUL);
    return OK;
}

/* ---- the rows of a split ---- */

const struct corpus *official_corpus(const struct official_part *p)
{
    const struct corpus *c = NULL;

    REQUIRE(corpus_find(&c, p->corpus) == OK, "%s", err_last());
    return c;
}

/* Returns 1 if a part of the training split is held out for validation. */
static int holds_out(const struct official_part *p)
{
    return p->split[SPLIT_TRAIN] && !p->split[SPLIT_VALID];
}

static const char *split_of(const struct official_part *p, enum split s)
{
    return p->split[s == SPLIT_VALID && holds_out(p) ? SPLIT_TRAIN : s];
}

static int each_row(const struct task *t, const struct task_opts *o,
                    enum split s, items_taker *take, void *to,
                    struct official_count *count)
{
    const struct official_part *p = t->files->part;
    int rc = OK;

    *count = (struct official_count){0};
    for (int i = 0; rc >= 0 && p[i].corpus; i++) {
        struct reading r = {.sink = {take_row, count_skipped, NULL,
                                     o->skip_nul},
                            .part = &p[i],
                            .split = s, .subtask = i, .take = take, .to = to,
                            .count = count};

        if (!split_of(&p[i], s))
            continue;
        if (holds_out(&p[i]) && s != SPLIT_TEST)
            r.held = s == SPLIT_VALID ? 1 : -1;
        rc = known_words_open(&r.words, &p[i], o->files);
        if (rc == OK)
            rc = corpus_read(official_corpus(&p[i]), o->files,
                             split_of(&p[i], s), &r.sink);
        map_free(r.words);
        text_free(&r.whole);
        text_free(&r.source);
        text_free(&r.target);
        text_free(&r.reference);
    }
    return rc;
}

/* Chooses `left` of the next `n` examples, each with equal probability (Knuth,
 * The Art of Computer Programming, 3.4.2, algorithm S). */
struct choosing {
    struct rng_key key;
    uint64_t draws;
    long long n, left;
    items_taker *take;
    void *to;
};

static int count_one(void *to, const struct item *it)
{
    long long *n = to;

    (void)it;
    return ++*n > INT_MAX ? err_set(ERR_DATA, "more than %d examples", INT_MAX)
                          : OK;
}

static int choose_one(void *to, const struct item *it)
{
    struct choosing *c = to;

    if (!c->left)
        return CORPUS_ENOUGH;
    if (rng_below(c->key, c->draws++, (uint32_t)c->n--) >= c->left)
        return OK;
    c->left--;
    return c->take(c->to, it);
}

int official_each(const struct task *t, const struct task_opts *o,
                  enum split s, int most, items_taker *take, void *to,
                  struct official_count *count)
{
    struct choosing c = {.key = {SEED, RNG_DATA, 0, hash_name(split_name[s])},
                         .left = most, .take = take, .to = to};
    struct official_count again;

    if (!most || rows_run(t->kind))
        return each_row(t, o, s, take, to, count);
    PASS(each_row(t, o, s, count_one, &c.n, count));
    return each_row(t, o, s, choose_one, &c, &again);
}

int official_rows(long long *rows, const struct task *t, const char *dir)
{
    struct corpus_reading x;

    *rows = 0;
    for (const struct official_part *p = t->files->part; p->corpus; p++) {
        const struct corpus *c = official_corpus(p);
        const char *train = p->split[SPLIT_TRAIN];

        if (!train)
            continue;
        if (dir)
            PASS(corpus_locate(&x, c, dir, train));
        else
            x.split = corpus_split_of(c->layout, train);
        *rows += x.split ? x.split->rows : 0;
    }
    return OK;
}
