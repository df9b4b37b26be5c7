#include "harness/tasks/recipe.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/data/manifest.h"
#include "harness/data/pack.h"
#include "harness/data/prepared.h"
#include "harness/data/tokenizer.h"
#include "harness/data/vocabulary.h"
#include "harness/tasks/mixture.h"
#include "harness/tasks/official.h"
#include "harness/tasks/span.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A tokenizer learns from so many examples at the most, evenly spread. */
enum { LENGTH_MIN = 4, TOKENIZER_TEXTS = 1000000 };

struct build {
    const struct recipe *r;
    const struct task_opts *o;
    struct manifest source[SOURCES]; /* those that it needs */
    struct texts texts;
    struct items items[SPLITS];
    struct dataset *d;
    struct span_shape span; /* span corruption; else all 0 */
    struct arena *scratch;  /* of one text */
    char files[HASH_HEX];   /* SHA-256 of official files; "" */
};

/* ---- ids ---- */

/* The ids of text and eos, at most `most`; *cut: 1 when that is not all. */
static const int *encode(struct build *b, const char *text, int most, int *n,
                         int *cut)
{
    arena_reset(b->scratch);
    const int *ids = tokenizer_encode(b->d->tokenizer, text, n, b->scratch);
    *cut = ++*n > most;
    if (*cut)
        *n = most;
    int *out = arena_take(b->d->memory, (size_t)*n * sizeof *out);
    memcpy(out, ids, (size_t)(*n - 1) * sizeof *out);
    out[*n - 1] = ID_EOS;
    return out;
}

/* Words that begin in these ids, and one for each end mark. */
static int count_words(const struct build *b, const int *ids, int n)
{
    int words = 0;

    for (int i = 0; i < n; i++)
        words +=
            ids[i] == ID_EOS || tokenizer_begins_word(b->d->tokenizer, ids[i]);
    return words;
}

/* Whether an example whose sides are cut is of use: half a sentence has no
 * translation, not even in a test. */
static int is_whole(const struct build *b, enum split s, int source, int target)
{
    if (b->r->kind != TASK_TRANSDUCE)
        return 1;
    return b->r->cut ? s != SPLIT_TRAIN || !target : !source && !target;
}

static void add_row(struct build *b, enum split s, const struct item *it)
{
    struct examples *e = &b->d->split[s];
    struct example row = {
        .label = it->label, .subtask = it->subtask, .group = it->group};
    int most = b->o->length, source = 0, target = 0;

    if (it->source)
        row.source = encode(b, it->source, most, &row.nsource, &source);
    if (it->target) {
        if (b->r->target)
            most = b->r->target(most);
        row.target = encode(b, it->target, most, &row.ntarget, &target);
        row.words = count_words(b, row.target, row.ntarget);
        row.text = arena_text(b->d->memory, it->target);
    }
    if (!is_whole(b, s, source, target)) {
        e->dropped++;
        return;
    }
    e->truncated += source || target;
    e->row[e->n++] = row;
}

static void make_rows(struct build *b, enum split s, int most)
{
    const struct items *t = &b->items[s];
    struct examples *e = &b->d->split[s];

    e->row = arena_take(b->d->memory, (size_t)t->n * sizeof *e->row);
    for (int i = 0; i < t->n && (!most || e->n < most); i++)
        add_row(b, s, &t->item[i]);
}

/* The ids of the running text, eos after each sentence of a language model;
 * *n of them, at least `most` unless the text ends before (0: all).  The caller
 * frees. */
static int *run_together(struct build *b, const struct items *t, size_t most,
                         size_t *n)
{
    size_t cap = 1 << 16;
    int *ids = malloc(cap * sizeof *ids), got;
    int mark = b->r->kind == TASK_LANGUAGE;

    *n = 0;
    for (int i = 0; i < t->n && (!most || *n < most); i++) {
        arena_reset(b->scratch);
        const int *more = tokenizer_encode(b->d->tokenizer, t->item[i].target,
                                           &got, b->scratch);
        while (*n + (size_t)got + 1 > cap)
            ids = realloc(ids, (cap *= 2) * sizeof *ids);
        REQUIRE(ids, "out of memory: %zu ids", cap);
        memcpy(ids + *n, more, (size_t)got * sizeof *ids);
        *n += (size_t)got;
        if (mark)
            ids[(*n)++] = ID_EOS;
    }
    return ids;
}

static void keep_row(struct build *b, struct example *row, const int *ids)
{
    size_t bytes = (size_t)b->o->length * sizeof *ids;

    row->target = memcpy(arena_take(b->d->memory, bytes), ids, bytes);
    row->ntarget = b->o->length;
    row->words = count_words(b, ids, b->o->length);
}

/* What is left at the end is too short for a row. */
static void pack_rows(struct build *b, enum split s, int most)
{
    struct examples *e = &b->d->split[s];
    int holes = b->r->kind == TASK_DENOISE;
    size_t n, length = (size_t)(holes ? b->span.text : b->o->length);
    int *ids = run_together(b, &b->items[s], (size_t)most * length, &n);

    e->n = most && n / length > (size_t)most ? most : (int)(n / length);
    e->row = arena_zero(b->d->memory, (size_t)e->n * sizeof *e->row);
    for (int i = 0; i < e->n; i++) {
        const int *text = ids + (size_t)i * length;

        if (holes)
            span_corrupt(&e->row[i], text, &b->span, b->o->vocab,
                         b->d->memory);
        else
            keep_row(b, &e->row[i], text);
    }
    free(ids);
}

/* ---- the tokenizer ---- */

/* The ids above the pieces: sentinels. */
static int sentinels(const struct recipe *r, int length)
{
    return r->kind == TASK_DENOISE ? span_shape(length).spans : 0;
}

/* Sets d->tokenizer, trained on `t`; *model is in d->memory. */
static int train_tokenizer(struct build *b, const struct items *t, int pieces,
                           const char **model, size_t *bytes)
{
    const char **text = malloc((size_t)(2 * t->n + 1) * sizeof *text);
    size_t n = 0;
    int rc;

    REQUIRE(text, "out of memory");
    for (int i = 0; i < t->n; i += 1 + t->n / TOKENIZER_TEXTS) {
        if (t->item[i].source)
            text[n++] = t->item[i].source;
        if (t->item[i].target)
            text[n++] = t->item[i].target;
    }
    rc = vocabulary_learn(model, bytes, text, n, pieces, b->o->cache,
                          b->d->memory);
    if (rc == OK)
        rc = tokenizer_load(&b->d->tokenizer, *model, *bytes);
    free(text);
    return rc < 0 ? err_wrap(rc, "%s", b->r->name) : OK;
}

static int make_tokenizer(struct build *b, const char **model, size_t *bytes)
{
    const struct recipe *r = b->r->tokenizer ? b->r->tokenizer : b->r;
    int pieces = b->o->vocab - sentinels(r, b->o->length);
    struct items other[SPLITS] = {{0}};
    struct items *t = b->items;

    if (r != b->r)
        r->gather(t = other, &b->texts);
    int rc = train_tokenizer(b, &t[SPLIT_TRAIN], pieces, model, bytes);
    for (int s = 0; s < SPLITS; s++)
        free(other[s].item);
    return rc;
}

/* ---- the dataset ---- */

static int check(const struct recipe *r, const struct task_opts *o)
{
    if (o->length < LENGTH_MIN || o->length > o->N)
        return err_set(ERR_USAGE, "%s: length %d is not in %d .. N (%d)",
                       r->name, o->length, LENGTH_MIN, o->N);
    if (o->train < 0 || o->valid < 0 || o->test < 0)
        return err_set(ERR_USAGE, "%s: a negative number of examples", r->name);
    return OK;
}

/* Whether the recipe reads this file of a source. */
static int reads(const struct recipe *r, const char *file)
{
    const char *language = strstr(file, "Translation-");

    if (!language)
        return 1;
    language += strlen("Translation-");
    return !strcmp(language, "en") ||
           (r->language && !strcmp(language, r->language));
}

/* All that the rows depend on. */
static void dataset_key(char key[HASH_HEX], const struct build *b)
{
    const struct task_opts *o = b->o;
    struct sha256_ctx *h = hash_new();
    char *all = str_format(
        "recipe %d; %s; length %d; vocab %d; examples %d %d %d; tokenizer %s; "
        "%s",
        DATA_RECIPE_VERSION, b->r->name, o->length, o->vocab,
        o->train, o->valid, o->test,
        b->r->tokenizer ? b->r->tokenizer->name : "own", vocabulary_recipe);

    hash_add(h, all, strlen(all) + 1);
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
    free(all);
}

/* "Debian bookworm package descriptions, English-German" */
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
    int rc = OK;

    for (int s = 0; s < SOURCES; s++)
        if (b->r->needs >> s & 1)
            TRY(manifest_open(&b->source[s], b->o->cache, (enum source_id)s));
out:
    return rc;
}

static int fill(struct build *b)
{
    const int most[SPLITS] = {b->o->train, b->o->valid, b->o->test};

    for (int s = 0; s < SPLITS; s++) {
        if (b->r->kind == TASK_LANGUAGE || b->r->kind == TASK_DENOISE)
            pack_rows(b, (enum split)s, most[s]);
        else
            make_rows(b, (enum split)s, most[s]);
        if (!b->d->split[s].n)
            return err_set(ERR_DATA, "%s: no %s example fits in length %d",
                           b->r->name, split_name[s], b->o->length);
    }
    return OK;
}

static int gather(struct build *b)
{
    const struct recipe *r = b->r;
    int rc = OK;

    if (r->official)
        TRY(official_gather(b->items, b->d->source, r->official, b->o, r->kind,
                            b->d->memory));
    else if (r->parts)
        mixture_gather(b->items, &b->texts, r->parts);
    else
        r->gather(b->items, &b->texts);
    for (int s = 0; s < SPLITS; s++)
        if (!b->items[s].n)
            return err_set(ERR_DATA, "%s: the text holds no %s example",
                           b->r->name, split_name[s]);
out:
    return rc;
}

static int make(struct build *b, const char *key)
{
    const char *model;
    char *packed = NULL;
    size_t model_bytes, bytes;
    int rc = OK;

    if (b->r->kind == TASK_DENOISE)
        b->span = span_shape(b->o->length);
    for (int s = 0; s < SOURCES; s++)
        TRY(manifest_verify(&b->source[s]));
    TRY(texts_open(&b->texts, b->source, b->r->needs, b->r->language));
    TRY(gather(b));
    TRY(make_tokenizer(b, &model, &model_bytes));
    TRY(fill(b));
    pack_dataset(&packed, &bytes, b->d, model, model_bytes);
    TRY(prepared_put(packed, bytes, b->o->cache, key, "dataset"));
out:
    free(packed);
    texts_close(&b->texts);
    for (int s = 0; s < SPLITS; s++)
        free(b->items[s].item);
    return rc;
}

int recipe_open(struct dataset *d, const struct recipe *r,
                const struct task_opts *o)
{
    struct arena *scratch = arena_new();
    struct build *b = arena_zero(scratch, sizeof *b);
    char key[HASH_HEX];
    const char *packed;
    size_t bytes;
    int rc = OK;

    *d = (struct dataset){.kind = r->kind,
                          .vocab = o->vocab,
                          .classes = r->classes,
                          .N = o->N,
                          .floor = NAN,
                          .memory = arena_new()};
    if (r->parts)
        d->subtasks = mixture_names(r->parts, d->memory);
    *b = (struct build){.r = r, .o = o, .d = d, .scratch = arena_new()};
    TRY(check(r, o));
    if (r->official) {
        TRY(official_digest(b->files, r->official, o));
    } else {
        TRY(open_sources(b));
        set_source(b);
    }
    dataset_key(key, b);
    TRY(prepared_get(&packed, &bytes, o->cache, key, "dataset", d->memory));
    if (rc)
        TRY(unpack_dataset(d, packed, bytes));
    else
        TRY(make(b, key));
    dataset_seal(d);
out:
    arena_free(b->scratch);
    arena_free(scratch);
    if (rc < 0)
        dataset_close(d);
    return rc < 0 ? rc : OK;
}
