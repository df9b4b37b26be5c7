#include "harness/corpora/corpus_check.h"

#include "harness/base/array.h"
#include "harness/base/err.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *const corpus_state_text[] = {"missing", "complete", "subset",
                                         "more", "uncounted"};

/* ---- one split ---- */

struct checking {
    struct sink                  sink; /* must be first: is cast to checking */
    const struct corpus         *corpus;
    struct corpus_checked_split *out;
    long long                    counted; /* rows of the official count */
    struct sha256_ctx           *sums;
    struct arena                *memory;
};

static void count(struct corpus_counts *c, const char *what, struct arena *a)
{
    int i = 0;

    while (i < c->n && strcmp(c->of[i].what, what))
        i++;
    if (i == c->n) {
        ARRAY_ROOM(c->of, c->n, c->room);
        c->of[c->n++] = (struct corpus_count){arena_text(a, what), 0};
    }
    c->of[i].rows++;
}

static int count_row(struct sink *sink, const struct field *row)
{
    struct checking *c = (struct checking *)sink;
    char label[32];

    c->out->rows++;
    c->counted++;
    for (; row->key; row++) {
        if (strcmp(row->key, "label"))
            continue;
        long long n = row->kind == FIELD_REAL ? (long long)nearbyint(row->real)
                                              : row->integer;
        snprintf(label, sizeof label, "%lld", n);
        count(&c->out->labels, label, c->memory);
    }
    return OK;
}

static int count_skipped(struct sink *sink, const struct skipped *k)
{
    struct checking *c = (struct checking *)sink;
    const char *counted = c->corpus->counted;

    c->counted += !strcmp(k->reason, CORPUS_NUL) ||
                  (counted && !strncmp(k->reason, counted, strlen(counted)));
    count(&c->out->skipped, k->reason, c->memory);
    return OK;
}

static int add_file(struct sink *sink, const char *path, const char *file)
{
    struct checking *c = (struct checking *)sink;
    struct corpus_checked_split *out = c->out;
    struct corpus_file f = {.file = arena_text(c->memory, file)};
    struct stat st;

    if (hash_file(path, f.sha256) < 0)
        return err_set(ERR_DATA, "%s", err_last());
    if (stat(path, &st))
        return err_errno(ERR_DATA, "%s", path);
    f.bytes = st.st_size;
    out->bytes += f.bytes;
    hash_add(c->sums, f.sha256, strlen(f.sha256));
    hash_add(c->sums, "  ", 2);
    hash_add(c->sums, file, strlen(file));
    hash_add(c->sums, "\n", 1);
    ARRAY_ROOM(out->file, out->files, out->room);
    out->file[out->files++] = f;
    return OK;
}

static long long official_of(const struct corpus_split *s, long long rows)
{
    long long least = s->rows, most = s->earlier_rows;

    if (least > most) {
        least = most;
        most = s->rows;
    }
    return least && rows <= least ? least : most;
}

static enum corpus_state state_of(long long rows, long long official)
{
    if (!official)
        return CORPUS_UNCOUNTED;
    if (rows == official)
        return CORPUS_COMPLETE;
    return rows < official ? CORPUS_SUBSET : CORPUS_MORE;
}

static int read_split(struct corpus_checked *k, const char *dir, int skip_nul,
                      const struct corpus_split *s)
{
    struct corpus_checked_split *out = &k->split[k->splits++];
    struct checking x = {{count_row, count_skipped, add_file, skip_nul},
                         k->corpus, out, 0, hash_new(), k->memory};

    out->name = s->name;
    int rc = corpus_read(k->corpus, dir, s->name, &x.sink);
    hash_end(x.sums, out->sha256);
    out->official = official_of(s, x.counted);
    out->state = state_of(x.counted, out->official);
    return rc;
}

/* ---- a data set ---- */

int corpus_check(struct corpus_checked *out, const struct corpus *c,
                 const char *dir, const char *split, int skip_nul)
{
    int found = 0;

    *out = (struct corpus_checked){.corpus = c, .memory = arena_new()};
    PASS(corpus_folder(out->folder, c, dir));
    PASS(corpus_choose(&out->layout, c, out->folder, split));
    for (const struct corpus_split *s = out->layout->split; s->name; s++) {
        if (split && strcmp(split, s->name))
            continue;
        int rc = corpus_present(s, out->folder);
        PASS(rc);
        found |= rc;
        if (rc || split)
            PASS(read_split(out, dir, skip_nul, s));
        else
            out->split[out->splits++].name = s->name;
    }
    if (split && !corpus_split_of(out->layout, split))
        return err_set(ERR_USAGE, "%s has no split '%s'", c->name, split);
    return found ? OK : corpus_absent(c, out->folder, split);
}

void corpus_check_close(struct corpus_checked *c)
{
    for (int i = 0; i < c->splits; i++) {
        free(c->split[i].skipped.of);
        free(c->split[i].labels.of);
        free(c->split[i].file);
    }
    arena_free(c->memory);
}

int corpus_check_fault(const struct corpus_checked *k, const char *dir)
{
    struct corpus_reading x, first = {.layout = NULL};
    const struct corpus *c = k->corpus;
    int there;

    for (int i = 0; i < k->splits; i++)
        if (k->split[i].state == CORPUS_MORE)
            return err_set(ERR_DATA, "%s, %s: more rows than the distribution "
                           "has", c->name, k->split[i].name);
    for (const struct corpus_layout *l = c->layout; l->name; l++)
        for (const struct corpus_split *s = l->split; s->name; s++) {
            PASS(corpus_locate(&x, c, dir, s->name));
            PASS(there = x.split ? corpus_present(x.split, x.folder) : 0);
            if (there)
                PASS(corpus_agree(&first, &x));
        }
    return OK;
}
