#include "harness/tasks/recipe.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/data/pack.h"
#include "harness/data/source/manifest.h"
#include "harness/data/vocabulary.h"
#include "harness/tasks/glue/mixture.h"
#include "harness/tasks/official.h"
#include "harness/tasks/rows.h"
#include "harness/tasks/sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A tokenizer is trained on at most VOCABULARY_BYTES bytes of running text,
 * which comes in random order.  Progress is reported every REPORT_EVERY
 * examples. */
enum { LENGTH_MIN = 4, VOCABULARY_BYTES = 1 << 30, REPORT_EVERY = 1 << 10 };

struct build {
    const struct task *t;
    const struct recipe *r; /* NULL: official data is used */
    const struct task_opts *o;
    struct manifest source[SOURCES]; /* of the needed sources */
    struct texts texts;
    struct items items[SPLITS];
    struct dataset *d;
    struct tokenizer *tokenizer;
    char files[HASH_HEX];            /* SHA-256 of official files, or "" */
    struct official_count official[SPLITS];
    long long expected;              /* training rows; 0: unknown        */
};

/* ---- the examples ---- */

/* Calls `take` for each example of a split, from the gathered items or from the
 * official files.  In the latter case, `most` limits the number of examples; 0
 * means no limit. */
static int each(struct build *b, enum split s, int most, items_taker *take,
                void *to)
{
    return b->r ? items_each(&b->items[s], take, to)
                : official_each(b->t, b->o, s, most, take, to,
                                &b->official[s]);
}

static void report_phase(const struct build *b, const char *phase,
                         long long done)
{
    if (b->o->tell && done % REPORT_EVERY == 0)
        b->o->tell(b->o->tell_arg, phase, (long)done, b->expected);
}

/* ---- the tokenizer ---- */

struct learning { struct sample sample; struct build *b; };

static int learn_one(void *to, const struct item *it)
{
    struct learning *l = to;

    report_phase(l->b, "vocabulary", l->sample.seen);
    return sample_take(&l->sample, it);
}

/* Reads the training texts of the task that defines the tokenizer. */
static int read_sample(struct learning *l)
{
    struct build *b = l->b;
    const struct task *of = b->t->tokenizer ? b->t->tokenizer : b->t;
    struct items other[SPLITS] = {{0}};
    struct official_count count;
    int rc;

    if (!b->r) {
        if (rows_run(of->kind))
            l->sample.most = VOCABULARY_BYTES;
        rc = official_each(of, b->o, SPLIT_TRAIN, 0, learn_one, l, &count);
    } else if (of != b->t) {
        of->recipe->gather(other, &b->texts);
        rc = items_each(&other[SPLIT_TRAIN], learn_one, l);
    } else {
        rc = items_each(&b->items[SPLIT_TRAIN], learn_one, l);
    }
    for (int s = 0; s < SPLITS; s++)
        free(other[s].item);
    return rc;
}

/* Returns the number of pieces of the tokenizer.  The ids above the pieces are
 * sentinels. */
static int pieces_of(const struct build *b)
{
    const struct task *of = b->t->tokenizer ? b->t->tokenizer : b->t;

    return b->o->vocab - rows_sentinels(of->kind, b->o->length);
}

/* Trains the tokenizer b->tokenizer and sets *model to its serialized form in
 * b->d->memory, of *bytes bytes. */
static int make_tokenizer(struct build *b, const char **model, size_t *bytes)
{
    struct learning l = {.b = b};
    size_t n;
    int rc = read_sample(&l);

    if (rc == OK) {
        OWNED(free) const char **text = sample_texts(&l.sample, &n);

        rc = vocabulary_learn(model, bytes, text, n, pieces_of(b), b->o->cache,
                              b->d->memory);
        if (rc == OK)
            rc = tokenizer_load(&b->tokenizer, *model, *bytes);
        if (rc < 0)
            rc = err_wrap(rc, "%s: vocab: %d", b->t->name, b->o->vocab);
    }
    sample_free(&l.sample);
    return rc;
}

/* ---- the dataset ---- */

static int check(const struct task *t, const struct task_opts *o)
{
    if (o->length < LENGTH_MIN || o->length > o->N)
        return err_set(ERR_USAGE, "%s: length %d is not in %d .. N (%d)",
                       t->name, o->length, LENGTH_MIN, o->N);
    if (o->official && o->test_first)
        return err_set(ERR_USAGE, "%s: test.first: %d: official data has no "
                       "held-out test examples; use test.first with fetched "
                       "text or generators", t->name, o->test_first);
    return OK;
}

/* Returns 1 if the recipe reads `file` of a source.  Files of translations are
 * read only if they are English or in the language of the recipe. */
static int reads(const struct recipe *r, const char *file)
{
    const char *language = strstr(file, "Translation-");

    if (!language)
        return 1;
    language += strlen("Translation-");
    return !strcmp(language, "en") ||
           (r->language && !strcmp(language, r->language));
}

/* Sets key to a digest of everything that the rows depend on. */
static void dataset_key(char key[HASH_HEX], const struct build *b)
{
    const struct task_opts *o = b->o;
    struct sha256_ctx *h = hash_new();
    OWNED(free) char *all = str_format(
        "recipe %d; %s; length %d; vocab %d; examples %d %d %d; tokenizer %s; "
        "%s%s",
        task_version(b->t, o), b->t->name, o->length, o->vocab,
        o->train, o->valid, o->test,
        b->r && b->t->tokenizer ? b->t->tokenizer->name : "own",
        vocabulary_recipe, o->skip_nul ? "; skip_nul" : "");

    hash_add(h, all, strlen(all) + 1);
    if (o->test_first)
        hash_add(h, &o->test_first, sizeof o->test_first);
    for (int s = 0; s < SOURCES; s++)
        for (int i = 0; i < b->source[s].n; i++) {
            const struct manifest_file *f = &b->source[s].file[i];

            if (!reads(b->r, f->name))
                continue;
            hash_add(h, f->name, strlen(f->name) + 1);
            hash_add(h, f->sha256, sizeof f->sha256);
        }
    hash_add(h, b->files, strlen(b->files));
    hash_end(h, key);
}

/* Sets b->d->source, such as "Debian bookworm package descriptions,
 * English-German". */
static void set_source(struct build *b)
{
    size_t size = sizeof b->d->source, n = 0;

    for (int s = 0; s < SOURCES; s++) {
        const struct source *from = &source_list[s];
        const char *origin = b->source[s].origin;

        if (b->r->needs >> s & 1 && n < size)
            n += (size_t)snprintf(b->d->source + n, size - n, "%s%s %s",
                                  n ? "; " : "",
                                  *origin ? origin : from->origin, from->what);
    }
    if (n < size)
        snprintf(b->d->source + n, size - n, ", %s", b->r->subject);
}

static int open_sources(struct build *b)
{
    for (int s = 0; s < SOURCES; s++)
        if (b->r->needs >> s & 1)
            PASS(manifest_open(&b->source[s], b->o->cache, (enum source_id)s));
    return OK;
}

/* Sets b->d->source, such as "WMT'14 En-De, official files, 19 of 4508785
 * training rows: a subset". */
static void set_official_source(struct build *b)
{
    long long all = b->expected;
    const struct official_count *train = &b->official[SPLIT_TRAIN];
    long long rows = train->rows;
    char of[32] = "", left_out[64] = "";

    if (b->o->skip_nul)
        snprintf(left_out, sizeof left_out, "; %lld with a NUL byte left out",
                 train->nul);
    b->d->subset = rows + train->nul < all;
    if (rows <= all) /* an earlier edition of the data may have more rows */
        snprintf(of, sizeof of, " of %lld", all);
    snprintf(b->d->source, sizeof b->d->source,
             "%s, official files, %lld%s training rows%s%s",
             b->t->title, rows, of, b->d->subset ? ": a subset" : "",
             left_out);
}

struct taking {
    struct rows rows;
    struct build *b;
    long done;
    items_taker *take; /* rows_make passes `take` and `to` */
    void *to;
};

static int take_one(void *to, const struct item *it)
{
    struct taking *t = to;

    report_phase(t->b, "prepare", t->done++);
    return t->take(t->to, it);
}

static int each_of_split(void *of, items_taker *take, void *to)
{
    struct taking *t = of;

    t->take = take;
    t->to = to;
    return each(t->b, t->rows.split, t->rows.most, take_one, t);
}

static int take_split(struct build *b, struct packing *p, enum split s)
{
    const int most[SPLITS] = {b->o->train, b->o->valid, b->o->test};
    struct taking t = {.b = b, .rows = {.task = b->t, .o = b->o,
                                        .tokenizer = b->tokenizer, .to = p,
                                        .split = s, .most = most[s],
                                        .skip = s == SPLIT_TEST
                                                    ? b->o->test_first : 0,
                                        .each = each_of_split, .of = &t,
                                        .count = &b->official[s]}};
    int rc = rows_make(&t.rows);

    if (rc < 0 || p->count[s].n)
        return rc;
    return t.done ? err_set(ERR_DATA, "%s: no %s example fits in length %d",
                            b->t->name, split_name[s], b->o->length)
                  : err_set(ERR_DATA, "%s: the text has no %s example",
                            b->t->name, split_name[s]);
}

static int write_dataset(struct build *b, struct packing *p, const char *model,
                         size_t bytes)
{
    PASS(pack_begin(p, b->d, model, bytes));
    for (int s = 0; s < SPLITS; s++)
        PASS(take_split(b, p, (enum split)s));
    if (!b->r)
        set_official_source(b);
    PASS(pack_end(p, b->d));
    PASS(preparing_end(p->to));
    p->to = NULL;
    return OK;
}

static int open_texts(struct build *b)
{
    for (int s = 0; s < SOURCES; s++)
        PASS(manifest_verify(&b->source[s]));
    PASS(texts_open(&b->texts, b->source, b->r->needs, b->r->language));
    if (b->r->parts)
        mixture_gather(b->items, &b->texts, b->r->parts);
    else
        b->r->gather(b->items, &b->texts);
    return OK;
}

static int make(struct build *b, const char *key)
{
    struct packing p = {.to = NULL};
    const char *model;
    size_t bytes;
    int rc;

    if (b->r)
        GOTO_IF_ERR(open_texts(b));
    GOTO_IF_ERR(make_tokenizer(b, &model, &bytes));
    GOTO_IF_ERR(preparing_begin(&p.to, b->o->cache, key, "dataset"));
    GOTO_IF_ERR(write_dataset(b, &p, model, bytes));
out:
    pack_drop(&p);
    tokenizer_free(b->tokenizer);
    texts_close(&b->texts);
    for (int s = 0; s < SPLITS; s++)
        free(b->items[s].item);
    return rc;
}

/* Returns the names of the parts, or NULL if there is only one. */
static const char *const *subtasks_of(const struct build *b)
{
    const struct official_part *part = b->t->files->part;
    struct arena *a = b->d->memory;

    if (b->r)
        return b->r->parts ? names_of(b->r->parts, sizeof *b->r->parts, a)
                           : NULL;
    return part->name ? names_of(part, sizeof *part, a) : NULL;
}

static struct build *begin(struct dataset *d, const struct task *t,
                           const struct task_opts *o)
{
    struct build *b = calloc(1, sizeof *b);

    *d = (struct dataset){.kind = t->kind,
                          .vocab = o->vocab,
                          .classes = t->classes,
                          .N = o->N,
                          .floor = NAN,
                          .memory = arena_new()};
    *b = (struct build){.t = t, .o = o, .d = d,
                        .r = o->official ? NULL : t->recipe};
    d->subtasks = subtasks_of(b);
    return b;
}

/* If the cache holds the digest of the official files, sets `key` to the key of
 * the prepared data and returns 1; else returns 0. */
static int known_key(char key[HASH_HEX], struct build *b)
{
    PASS(check(b->t, b->o));
    if (official_known(b->files, b->t, b->o) <= 0)
        return 0;
    dataset_key(key, b);
    return 1;
}

int recipe_counts(int n[SPLITS], const struct task *t,
                  const struct task_opts *o)
{
    OWNED(dataset_close) struct dataset d = {0};
    OWNED(free) struct build *b = begin(&d, t, o);
    char key[HASH_HEX];
    int rc = known_key(key, b);

    return rc == 1 ? packed_counts(n, o->cache, key) : rc;
}

/* Opens the data prepared under `key` as d->file and returns 1, or returns 0 if
 * they do not exist or have another format.  If `makes` is 1, the caller then
 * prepares them again, so another format is reported. */
static int open_prepared(struct dataset *d, const struct build *b,
                         const char *key, int makes)
{
    int found;

    PASS(found = prepared_open(&d->file, b->o->cache, key, "dataset"));
    if (!found || pack_is_current(&d->file))
        return found;
    if (makes)
        say("%s: the data were prepared by an earlier version, in another "
            "format; preparing them again", b->t->name);
    prepared_close(&d->file);
    return 0;
}

int recipe_prepared(struct dataset *d, const struct task *t,
                    const struct task_opts *o)
{
    OWNED(free) struct build *b = begin(d, t, o);
    char key[HASH_HEX];
    int rc = known_key(key, b);

    if (rc <= 0)
        return rc;
    if (open_prepared(d, b, key, 0) <= 0)
        return 0;
    PASS(unpack_dataset(d));
    return 1;
}

int recipe_open(struct dataset *d, const struct task *t,
                const struct task_opts *o)
{
    OWNED(free) struct build *b = begin(d, t, o);
    char key[HASH_HEX];
    int rc;

    GOTO_IF_ERR(check(t, o));
    if (!b->r) {
        GOTO_IF_ERR(official_digest(b->files, t, o));
        GOTO_IF_ERR(official_rows(&b->expected, t, o->files));
    } else {
        GOTO_IF_ERR(open_sources(b));
        set_source(b);
    }
    dataset_key(key, b);
    GOTO_IF_ERR(open_prepared(d, b, key, 1));
    if (!rc) {
        GOTO_IF_ERR(make(b, key));
        GOTO_IF_ERR(open_prepared(d, b, key, 0));
    }
    if (!rc)
        rc = err_set(ERR_IO, "%s: the data prepared in %s cannot be read",
                     t->name, o->cache);
    else
        rc = unpack_dataset(d);
    if (rc == OK)
        dataset_seal(d);
out:
    if (rc < 0)
        dataset_close(d);
    return rc;
}
