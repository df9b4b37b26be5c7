#include "harness/tasks/official.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/text.h"
#include "harness/data/prepared.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Bytes of text that are more than a piece of any tokenizer takes. */
enum { PIECE_BYTES = 16, VALID_PERCENT = 5 };

/* ---- the files ---- */

static int missing(const struct official *f, const char *folder)
{
    char what[1024] = "";
    int rc = OK;

    for (int s = 0; s < SPLITS; s++) {
        const struct corpus_layout *l;
        size_t n = strlen(what);

        if (!f->split[s] || (s && f->split[s] == f->split[s - 1]))
            continue;
        TRY(corpus_choose(&l, f->corpus, folder, f->split[s]));
        const struct corpus_split *split = corpus_split_of(l, f->split[s]);
        TRY(split ? corpus_present(split, folder) : 0);
        if (!rc)
            snprintf(what + n, sizeof what - n, "%s%s (%s)", n ? ", " : "",
                     f->split[s], split ? split->files : l->name);
    }
    rc = OK;
    if (*what)
        rc = err_set(ERR_DATA, "%s: the full scale reads the official files; "
                     "missing in %s: %s; --data-dir says where they are, "
                     "`synthbench data where %s' what they are",
                     f->corpus->name, folder, what, f->corpus->name);
out:
    return rc;
}

struct sums {
    struct sha256_ctx *hash;
    int quick; /* 1: name, size and time of each file; 0: name and bytes */
};

static int sum_file(const struct sums *s, const char *path, const char *file)
{
    char sum[HASH_HEX];
    struct stat st;

    if (stat(path, &st))
        return err_errno(ERR_DATA, "%s", path);
    hash_add(s->hash, file, strlen(file) + 1);
    if (s->quick) {
        long long of[] = {st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec};

        hash_add(s->hash, of, sizeof of);
    } else {
        if (hash_file(path, sum) < 0)
            return err_wrap(ERR_DATA, "%s", path);
        hash_add(s->hash, sum, sizeof sum);
    }
    return OK;
}

static int sum_split(const struct sums *s, const struct corpus_split *split,
                     const char *folder)
{
    char pattern[CORPUS_PATH], path[2 * CORPUS_PATH];
    struct files f = {.n = 0};
    int rc = OK;

    for (int i = 0; corpus_pattern(pattern, split, i); i++) {
        TRY(files_find(&f, folder, pattern));
        for (int k = 0; k < f.n; k++) {
            snprintf(path, sizeof path, "%s/%s", folder, f.file[k]);
            TRY(sum_file(s, path, f.file[k]));
        }
        files_close(&f);
    }
out:
    files_close(&f);
    return rc;
}

static int sum_all(char sum[HASH_HEX], const struct official *f,
                   const char *folder, int quick)
{
    struct sums s = {.hash = hash_new(), .quick = quick};
    const struct corpus_layout *l;
    int rc = OK;

    for (int i = 0; rc == OK && i < SPLITS; i++) {
        if (!f->split[i])
            continue;
        rc = corpus_choose(&l, f->corpus, folder, f->split[i]);
        if (rc >= 0)
            rc = sum_split(&s, corpus_split_of(l, f->split[i]), folder);
    }
    hash_end(s.hash, sum);
    return rc;
}

int official_digest(char digest[HASH_HEX], const struct official *f,
                    const struct task_opts *o)
{
    struct arena *a = arena_new();
    char folder[CORPUS_PATH], quick[HASH_HEX];
    const char *known;
    size_t bytes;
    int rc;

    TRY(corpus_folder(folder, f->corpus, o->files));
    TRY(missing(f, folder));
    TRY(sum_all(quick, f, folder, 1));
    TRY(prepared_get(&known, &bytes, o->cache, quick, "digest", a));
    if (rc) {
        snprintf(digest, HASH_HEX, "%s", known);
        rc = OK;
    } else {
        TRY(sum_all(digest, f, folder, 0));
        TRY(prepared_put(digest, HASH_HEX, o->cache, quick, "digest"));
    }
out:
    arena_free(a);
    return rc;
}

/* ---- the rows ---- */

struct gathering { /* of one split */
    struct sink sink; /* first */
    const struct official *f;
    struct items *to, *held; /* held: the part for validation, or NULL */
    struct arena *memory;
    struct text text; /* of one row */
    long long rows, bytes, most; /* bytes of text; most 0: all of it */
};

static const struct field *find(const struct field *row, const char *key)
{
    for (; key && row->key; row++)
        if (!strcmp(row->key, key))
            return row;
    return NULL;
}

static void put_field(struct text *to, const struct field *f)
{
    if (f->kind == FIELD_TEXT)
        text_put(to, f->text);
    for (int i = 0; f->kind == FIELD_TEXTS && f->texts[i]; i++) {
        text_put(to, i ? " " : "");
        text_put(to, f->texts[i]);
    }
}

static const char *keep(struct gathering *g, const struct text *t)
{
    g->bytes += (long long)t->n;
    return arena_text(g->memory, t->s);
}

/* NULL: such examples have no source. */
static const char *source_of(struct gathering *g, const struct field *row)
{
    const struct field *source = find(row, g->f->source);
    const struct field *before = find(row, g->f->before);
    const char *prefix = g->f->prefix ? g->f->prefix : "";
    struct text *t = &g->text;

    if (!source)
        return NULL;
    text_clear(t);
    if (before) {
        text_put(t, g->f->before);
        text_put(t, ": ");
        put_field(t, before);
        text_put(t, " ");
    }
    put_field(t, source);
    if (!strncmp(t->s, prefix, strlen(prefix))) {
        t->n -= strlen(prefix);
        memmove(t->s, t->s + strlen(prefix), t->n + 1);
    }
    return keep(g, t);
}

static const char *target_of(struct gathering *g, const struct field *row)
{
    const struct field *target = find(row, g->f->target);

    if (!target)
        return NULL;
    text_clear(&g->text);
    put_field(&g->text, target);
    return keep(g, &g->text);
}

static int take(struct sink *sink, const struct field *row)
{
    struct gathering *g = (struct gathering *)sink;
    const struct field *label = find(row, "label");
    struct item item = {
        .source = source_of(g, row), .target = target_of(g, row),
        .label = label ? (int)label->integer : 0};
    struct items *to = g->to;

    if (to->n == INT_MAX)
        return err_set(ERR_DATA, "%s: more than %d rows; the setting `train' "
                       "takes fewer", g->f->corpus->name, INT_MAX);
    if (g->held && hash_name(item.source) % 100 < VALID_PERCENT)
        to = g->held;
    items_add(to, item);
    g->rows++;
    return g->most && g->bytes > g->most ? CORPUS_ENOUGH : OK;
}

/* "WMT'14 En-De, official files, 19 of 4508785 training rows" */
static int tell(char source[256], const struct official *f, const char *folder,
                const struct gathering *train)
{
    const struct corpus_layout *l;
    char of[32] = "";
    int rc;

    TRY(corpus_choose(&l, f->corpus, folder, f->split[SPLIT_TRAIN]));
    rc = OK;
    long long all = corpus_split_of(l, f->split[SPLIT_TRAIN])->rows;
    if (all)
        snprintf(of, sizeof of, " of %lld", all);
    snprintf(source, 256, "%s, official files (%s), %lld%s training rows%s",
             f->corpus->title, l->name, train->rows, of,
             train->rows < all ? ": a subset" : "");
out:
    return rc;
}

int official_gather(struct items out[SPLITS], char source[256],
                    const struct official *f, const struct task_opts *o,
                    enum task_kind kind, struct arena *a)
{
    const int rows[SPLITS] = {o->train, o->valid, o->test};
    int packed = kind == TASK_LANGUAGE || kind == TASK_DENOISE;
    char folder[CORPUS_PATH];
    int rc;

    TRY(corpus_folder(folder, f->corpus, o->files));
    for (int s = 0; s < SPLITS; s++) {
        struct gathering g = {
            .sink = {.row = take}, .f = f, .to = &out[s],
            .held = s || f->split[SPLIT_VALID] ? NULL : &out[SPLIT_VALID],
            .memory = a,
            .most = packed ? (long long)rows[s] * o->length * PIECE_BYTES : 0};

        rc = f->split[s] ? corpus_read(f->corpus, o->files, f->split[s],
                                       &g.sink)
                         : OK;
        text_free(&g.text);
        TRY(rc);
        if (s == SPLIT_TRAIN)
            TRY(tell(source, f, folder, &g));
    }
    for (int s = 0; !packed && s < SPLITS; s++)
        items_shuffle(&out[s], split_name[s]);
out:
    return rc;
}

int official_open(struct dataset *out, const struct task *t,
                  const struct task_opts *o)
{
    const struct recipe r = {
        .name = t->name, .subject = "official", .kind = t->kind,
        .classes = t->classes, .cut = t->files->cut,
        .target = t->kind == TASK_DENOISE ? t->target : NULL,
        .official = t->files};

    return recipe_open(out, &r, o);
}
