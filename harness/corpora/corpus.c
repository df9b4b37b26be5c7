#include "harness/corpora/corpus.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/names.h"
#include "harness/corpora/shards.h"
#include "harness/data/format/jsonl.h"

#include <stdio.h>
#include <string.h>

int corpus_is(const struct corpus *c, const char *name)
{
    return !strcmp(c->name, name) || (c->family && !strcmp(c->family, name));
}

int corpus_family(const char *name)
{
    int i = 0;

    while (corpus_all[i] && (!corpus_is(corpus_all[i], name) ||
                             !strcmp(corpus_all[i]->name, name)))
        i++;
    return corpus_all[i] != NULL;
}

const char *corpus_pattern(char out[CORPUS_PATH],
                           const struct corpus_split *p, int n)
{
    const char *s = p->files;

    while (n-- && *s) {
        s += strcspn(s, " ");
        s += strspn(s, " ");
    }
    snprintf(out, CORPUS_PATH, "%.*s", (int)strcspn(s, " "), s);
    return *out ? out : NULL;
}

const struct corpus_split *corpus_split_of(const struct corpus_layout *l,
                                           const char *split)
{
    for (const struct corpus_split *p = l->split; p->name; p++)
        if (!strcmp(p->name, split))
            return p;
    return NULL;
}

int corpus_present(const struct corpus_split *p, const char *folder)
{
    char pattern[CORPUS_PATH];

    for (int i = 0; corpus_pattern(pattern, p, i); i++) {
        OWNED(files_close) struct files f = {.n = 0};

        PASS(files_find(&f, folder, pattern));
        if (f.n)
            return 1;
    }
    return 0;
}

int corpus_absent(const struct corpus *c, const char *folder,
                  const char *split)
{
    return err_set(ERR_DATA, "%s has none of the files of %s%s%s; `synthbench "
                   "data where %s` lists them, and --data-dir names their "
                   "folder", folder, c->name, split ? ", " : "",
                   split ? split : "", c->name);
}

/* Returns 1 and sets *out to the first layout with files of the split, or of
 * any split if `split` is NULL. */
static int first_with(const struct corpus_layout **out, const struct corpus *c,
                      const char *folder, const char *split)
{
    for (*out = c->layout; (*out)->name; ++*out)
        for (const struct corpus_split *p = (*out)->split; p->name; p++) {
            int there = split && strcmp(split, p->name)
                            ? 0 : corpus_present(p, folder);

            if (there)
                return there;
        }
    return 0;
}

int corpus_choose(const struct corpus_layout **out, const struct corpus *c,
                  const char *folder, const char *split)
{
    int rc = split ? first_with(out, c, folder, split) : 0;

    if (!rc)
        rc = first_with(out, c, folder, NULL);
    if (!rc)
        *out = c->layout;
    return rc;
}

/* Sets `out` to DIR/NAME if this is a folder, else to DIR. */
static void below(char out[CORPUS_PATH], const char *dir, const char *name)
{
    if (!name ||
        snprintf(out, CORPUS_PATH, "%s/%s", dir, name) >= CORPUS_PATH ||
        !file_is_folder(out))
        snprintf(out, CORPUS_PATH, "%s", dir);
}

/* An official tree may itself contain a folder called like the corpus or its
 * family, so a folder that holds files of the corpus is preferred. */
int corpus_folder(char out[CORPUS_PATH], const struct corpus *c,
                  const char *dir)
{
    const char *const names[] = {c->name, c->family, NULL};
    const struct corpus_layout *l;

    for (int i = 0; i < 3; i++) {
        below(out, dir, names[i]);
        int found = corpus_choose(&l, c, out, NULL);
        if (found)
            return found < 0 ? found : OK;
    }
    below(out, dir, c->name);
    return OK;
}

static int unknown_split(const struct corpus_layout *l, const char *split)
{
    OWNED(arena_free) struct arena *a = arena_new();

    return names_unknown("split", split,
                         names_of(l->split, sizeof *l->split, a), NULL);
}

int corpus_locate(struct corpus_reading *x, const struct corpus *c,
                  const char *dir, const char *split)
{
    x->corpus = c;
    PASS(corpus_folder(x->folder, c, dir));
    PASS(corpus_choose(&x->layout, c, x->folder, split));
    x->split = split ? corpus_split_of(x->layout, split) : x->layout->split;
    return shards_check(x->layout, x->folder);
}

/* Sets `out` to the name of the first existing file of the split. */
static int first_file(char out[CORPUS_PATH], const struct corpus_reading *x)
{
    char pattern[CORPUS_PATH];

    *out = 0;
    for (int i = 0; !*out && corpus_pattern(pattern, x->split, i); i++) {
        OWNED(files_close) struct files f = {.n = 0};

        PASS(files_find(&f, x->folder, pattern));
        if (f.n)
            snprintf(out, CORPUS_PATH, "%s", f.file[0]);
    }
    return OK;
}

int corpus_agree(struct corpus_reading *first, const struct corpus_reading *x)
{
    char one[CORPUS_PATH], other[CORPUS_PATH];

    if (!first->layout)
        *first = *x;
    if (first->layout == x->layout)
        return OK;
    PASS(first_file(one, first));
    PASS(first_file(other, x));
    return err_set(ERR_DATA, "%s: the files of %s have different layouts, "
                   "%s as '%s' (%s) but %s as '%s' (%s), whose texts may "
                   "differ; keep the files of one layout (`synthbench data "
                   "where %s` lists them)", x->folder,
                   x->corpus->name, first->split->name, first->layout->name,
                   one, x->split->name, x->layout->name, other,
                   x->corpus->name);
}

int corpus_files(struct files *out, struct corpus_reading *x,
                const char *pattern)
{
    int rc = files_find(out, x->folder, pattern);

    if (rc == OK && !out->n)
        rc = err_set(ERR_DATA, "%s/%s: no such files", x->folder, pattern);
    return rc;
}

int corpus_only(char out[CORPUS_PATH], struct corpus_reading *x,
                const char *pattern)
{
    OWNED(files_close) struct files f = {.n = 0};

    PASS(corpus_files(&f, x, pattern));
    if (f.n > 1)
        return err_set(ERR_DATA, "%s: %s and %s both match %s; keep only one",
                       x->folder, f.file[0], f.file[1], pattern);
    snprintf(out, CORPUS_PATH, "%s", f.file[0]);
    return OK;
}

int corpus_path(char out[CORPUS_PATH], struct corpus_reading *x,
                const char *file)
{
    if (snprintf(out, CORPUS_PATH, "%s/%s", x->folder, file) >= CORPUS_PATH)
        return err_set(ERR_DATA, "%s: the name is too long", file);
    x->file = file;
    return x->sink->file ? x->sink->file(x->sink, out, file) : OK;
}

int corpus_row(struct corpus_reading *x, const struct field *row)
{
    return x->sink->row(x->sink, row);
}

const struct field *corpus_field(const struct field *row, const char *key)
{
    for (; key && row->key; row++)
        if (!strcmp(row->key, key))
            return row;
    return NULL;
}

int corpus_skip(struct corpus_reading *x, long line, const char *reason,
                const struct field *more)
{
    struct skipped k = {x->file, line, reason, more};

    return x->sink->skip ? x->sink->skip(x->sink, &k) : OK;
}

/* ---- reading ---- */

static int skip_nul(void *x, const struct jsonl *j)
{
    return corpus_skip(x, linefile_number(j->lines), CORPUS_NUL, NULL);
}

static int read_file(struct corpus_reading *x, const char *file)
{
    char path[CORPUS_PATH];

    PASS(corpus_path(path, x, file));
    if (x->layout->file)
        return x->layout->file(x, path);
    return jsonl_each(path, x->layout->object,
                      x->sink->skip_nul ? skip_nul : NULL, x);
}

static int is_literal(const char *pattern)
{
    return !pattern[strcspn(pattern, "*?[")];
}

static int read_files(struct corpus_reading *x)
{
    char pattern[CORPUS_PATH];
    OWNED(files_close) struct files f = {.n = 0};
    int n = 0;

    for (int i = 0; corpus_pattern(pattern, x->split, i); i++) {
        if (is_literal(pattern)) {
            n++;
            PASS(read_file(x, pattern));
            continue;
        }
        PASS(files_find(&f, x->folder, pattern));
        for (int k = 0; k < f.n; k++, n++)
            PASS(read_file(x, f.file[k]));
        files_close(&f);
    }
    return n ? OK : corpus_files(&f, x, corpus_pattern(pattern, x->split, 0));
}

int corpus_first(struct corpus_reading *x)
{
    char file[CORPUS_PATH];
    OWNED(files_close) struct files f = {.n = 0};

    for (int i = 0; !f.n && corpus_pattern(file, x->split, i); i++)
        PASS(files_find(&f, x->folder, file));
    if (!f.n) /* read_file then reports that this file is missing */
        corpus_pattern(file, x->split, 0);
    return read_file(x, file);
}

int corpus_read_file(const struct corpus *c, const char *folder,
                     const char *file, struct sink *sink)
{
    struct corpus_reading x = {.corpus = c, .layout = c->layout, .sink = sink};

    snprintf(x.folder, sizeof x.folder, "%s", folder);
    return read_file(&x, file);
}

int corpus_read(const struct corpus *c, const char *dir, const char *split,
                struct sink *sink)
{
    struct corpus_reading x = {.sink = sink};
    const struct corpus_layout *any;

    PASS(corpus_locate(&x, c, dir, split));
    if (!x.split)
        return unknown_split(x.layout, split);
    int rc = first_with(&any, c, x.folder, NULL);
    if (!rc)
        rc = corpus_absent(c, x.folder, NULL);
    PASS(rc);
    rc = x.layout->read ? x.layout->read(&x) : read_files(&x);
    return rc == CORPUS_ENOUGH ? OK : rc;
}
