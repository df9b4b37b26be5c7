/* official_files: reports which files of official data are missing and computes
 * a digest of the existing files.  It defines official_lacks, official_present,
 * official_known and official_digest (official.h). */
#include "harness/tasks/official.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/data/prepared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- what a task reads from a corpus: splits and a word list ---- */

enum { READ = SPLITS + 1 };

static const char *split_read(const struct official_part *p, int i)
{
    return i < SPLITS ? p->split[i] : p->vocabulary;
}

/* ---- missing files, and files in an unusable layout ---- */

static const char *part_lacks(const struct official_part *p,
                              const struct corpus_layout *l)
{
    for (int i = 0; i < READ; i++)
        if (split_read(p, i) && !corpus_split_of(l, split_read(p, i)))
            return split_read(p, i);
    return NULL;
}

const char *official_lacks(const struct corpus *c,
                           const struct corpus_layout *l)
{
    for (int i = 0; task_all[i]; i++) {
        const struct official *files = task_all[i]->files;
        const struct official_part *p = files ? files->part : NULL;

        for (; p && p->corpus; p++) {
            const char *split = strcmp(p->corpus, c->name) ? NULL
                                                           : part_lacks(p, l);
            if (split)
                return split;
        }
    }
    return NULL;
}

/* Adds a message that the layout of the existing files lacks the split.  If
 * there is a layout that can be used instead, the message names it. */
static void add_lacking(struct text *what, const struct corpus_reading *x,
                        const char *split)
{
    const struct corpus_layout *l = x->corpus->layout;

    while (l->name && official_lacks(x->corpus, l))
        l++;
    text_format(what, "%s: the files there have layout '%s', which "
                "lacks this split and cannot be used for training",
                split, x->layout->name);
    if (l->name)
        text_format(what, ": use layout '%s', with %s", l->name,
                    corpus_split_of(l, split)->files);
}

/* Adds the name of the corpus if any of its splits are missing.  If only `some`
 * of them are, adds their names, too. */
static void add_corpus(struct text *what, const char *corpus,
                       const struct text *splits, int some)
{
    if (!splits->n || (!some && what->n && str_ends(what->s, corpus)))
        return; /* nothing is missing, or the corpus (MNLI, which has two parts)
                   is listed already */
    text_format(what, "%s%s", what->n ? ", " : "", corpus);
    if (some)
        text_format(what, " (%s)", splits->s);
}

static int add_missing(struct text *what, const struct official_part *p,
                       const char *dir)
{
    struct corpus_reading x, first = {.layout = NULL};
    OWNED(text_free) struct text splits = {0};
    const char *last = NULL;
    int there;

    for (int s = 0; s < READ; s++) {
        const char *split = split_read(p, s);

        if (!split || split == last)
            continue;
        last = split;
        PASS(corpus_locate(&x, official_corpus(p), dir, split));
        PASS(there = x.split ? corpus_present(x.split, x.folder) : 0);
        if (there) {
            PASS(corpus_agree(&first, &x));
            continue;
        }
        text_put(&splits, splits.n ? ", " : "");
        if (x.split)
            text_put(&splits, split);
        else
            add_lacking(&splits, &x, split);
    }
    add_corpus(what, p->corpus, &splits, first.layout != NULL);
    return OK;
}

static int refuse_missing(const struct task *t, const struct task *of,
                          const char *dir)
{
    OWNED(text_free) struct text what = {0};

    for (const struct official_part *p = of->files->part; p->corpus; p++)
        PASS(add_missing(&what, p, dir));
    if (!what.n)
        return OK;
    return err_set(ERR_DATA, "%s: official data%s missing in %s: %s; "
                   "`synthbench data where %s` lists the files, and "
                   "--data-dir names their folder", t->name,
                   t == of ? "" : " for its tokenizer", dir, what.s, of->name);
}

int official_present(const struct task *t, const char *dir)
{
    PASS(refuse_missing(t, t, dir));
    return t->tokenizer ? refuse_missing(t, t->tokenizer, dir) : OK;
}

/* ---- the digest ---- */

enum { REPORTS = 1 << 10 }; /* approximate maximum number of progress reports */

struct found { /* files in the order in which they are read */
    struct arena *memory;
    int n;
    size_t cap;
    struct of_file { const char *path, *name; char sum[HASH_HEX]; } *file;
};

static void found_close(struct found *f)
{
    free(f->file);
    arena_free(f->memory);
}
OWNER_OF_VALUE(found_close, struct found)

static int find_split(struct found *to, const struct corpus_split *split,
                      const char *folder)
{
    char pattern[CORPUS_PATH];
    OWNED(files_close) struct files f = {.n = 0};

    for (int i = 0; corpus_pattern(pattern, split, i); i++) {
        PASS(files_find(&f, folder, pattern));
        for (int k = 0; k < f.n; k++) {
            ARRAY_ROOM(to->file, to->n, to->cap);
            to->file[to->n++] = (struct of_file){
                .path = arena_format(to->memory, "%s/%s", folder, f.file[k]),
                .name = arena_text(to->memory, f.file[k])};
        }
        files_close(&f);
    }
    return OK;
}

static int find_part(struct found *to, const struct official_part *p,
                     const char *dir)
{
    struct corpus_reading x;

    for (int i = 0; i < READ; i++) {
        if (!split_read(p, i))
            continue;
        PASS(corpus_locate(&x, official_corpus(p), dir, split_read(p, i)));
        PASS(find_split(to, x.split, x.folder));
    }
    return OK;
}

/* Finds the files of the task and of its tokenizer. */
static int find_all(struct found *to, const struct task *t, const char *dir)
{
    const struct task *of[] = {t, t->tokenizer};

    to->memory = arena_new();
    for (int i = 0; i < 2 && of[i]; i++)
        for (const struct official_part *p = of[i]->files->part; p->corpus; p++)
            PASS(find_part(to, p, dir));
    return OK;
}

/* Sets `sum` to a digest of the name, size, times and inode of each file. */
static int sum_quickly(char sum[HASH_HEX], const struct found *f)
{
    struct sha256_ctx *h = hash_new();
    int rc = OK;

    for (int i = 0; i < f->n && rc == OK; i++) {
        struct stat st = {.st_size = 0};

        if (stat(f->file[i].path, &st))
            rc = err_errno(ERR_DATA, "%s", f->file[i].path);
        /* A copy may keep size and mtime, but inode and ctime cannot be set.
         * st_dev is not used: it differs between hosts that mount the
         * folder. */
        long long of[] = {st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
                          st.st_ctim.tv_sec, st.st_ctim.tv_nsec,
                          (long long)st.st_ino};

        hash_add(h, f->file[i].name, strlen(f->file[i].name) + 1);
        hash_add(h, of, sizeof of);
    }
    hash_end(h, sum);
    return rc;
}

struct summing {
    const struct task_opts *o;
    struct found *f;
    int done, failed; /* `failed`: index of the first unreadable file; f->n if
                         there is none */
    char why[CORPUS_PATH];
};

static void sum_one(struct summing *s, int i)
{
    int failed, rc;

    #pragma omp atomic read
    failed = s->failed;
    if (i > failed)
        return;
    rc = hash_file(s->f->file[i].path, s->f->file[i].sum);
    #pragma omp critical(summed)
    {
        if (rc < 0 && i < s->failed) {
            #pragma omp atomic write
            s->failed = i;
            snprintf(s->why, sizeof s->why, "%s", err_last());
        }
        if (++s->done % (1 + s->f->n / REPORTS) == 0 && s->o->tell)
            s->o->tell(s->o->tell_arg, "checksum", s->done, s->f->n);
    }
}

/* Sets `sum` to a digest of the name and content of each file. */
static int sum_all(char sum[HASH_HEX], struct found *f,
                   const struct task_opts *o)
{
    struct summing s = {.o = o, .f = f, .failed = f->n};
    int threads = o->threads > 1 ? o->threads : 1;

    #pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int i = 0; i < f->n; i++)
        sum_one(&s, i);
    if (s.failed < f->n)
        return err_set(ERR_DATA, "%s", s.why);
    struct sha256_ctx *h = hash_new();
    for (int i = 0; i < f->n; i++) {
        hash_add(h, f->file[i].name, strlen(f->file[i].name) + 1);
        hash_add(h, f->file[i].sum, HASH_HEX);
    }
    hash_end(h, sum);
    return OK;
}

/* Finds the files of the task and sets `quick` to their digest by sum_quickly.
 * If the cache holds their full digest under the key `quick`, sets `digest` to
 * it and returns 1; else returns 0. */
static int look_up(char digest[HASH_HEX], char quick[HASH_HEX],
                   struct found *f, const struct task *t,
                   const struct task_opts *o)
{
    OWNED(prepared_close) struct prepared known = {.data = NULL};
    int found;

    PASS(official_present(t, o->files));
    PASS(find_all(f, t, o->files));
    PASS(sum_quickly(quick, f));
    PASS(found = prepared_open(&known, o->cache, quick, "digest"));
    if (found)
        snprintf(digest, HASH_HEX, "%s", known.data);
    return found;
}

int official_known(char digest[HASH_HEX], const struct task *t,
                   const struct task_opts *o)
{
    OWNED(found_close) struct found f = {.n = 0};
    char quick[HASH_HEX];

    return look_up(digest, quick, &f, t, o);
}

int official_digest(char digest[HASH_HEX], const struct task *t,
                    const struct task_opts *o)
{
    OWNED(found_close) struct found f = {.n = 0};
    char quick[HASH_HEX];
    int found;

    PASS(found = look_up(digest, quick, &f, t, o));
    if (found)
        return OK;
    PASS(sum_all(digest, &f, o));
    return prepared_put(digest, HASH_HEX, o->cache, quick, "digest");
}
