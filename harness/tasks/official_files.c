/* official's files: which are missing, and a digest of those that are there. */
#include "harness/tasks/official.h"

#include "harness/base/err.h"
#include "harness/base/text.h"
#include "harness/data/prepared.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- what is read of a corpus: its splits, and a list of words ---- */

enum { READ = SPLITS + 1 };

static const char *split_read(const struct official_part *p, int i)
{
    return i < SPLITS ? p->split[i] : p->vocabulary;
}

/* ---- missing ones, and those of another layout ---- */

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

/* The layout that is there has no such split: names one that has. */
static void add_lacking(struct text *what, const struct corpus_reading *x,
                        const char *split)
{
    const struct corpus_layout *l = x->corpus->layout;

    while (l->name && official_lacks(x->corpus, l))
        l++;
    text_format(what, "%s %s (the files there have layout '%s', which "
                "lacks this split and cannot be used for training",
                x->corpus->name, split, x->layout->name);
    if (l->name)
        text_format(what, ": use layout '%s', with %s", l->name,
                    corpus_split_of(l, split)->files);
    text_put(what, ")");
}

static int add_missing(struct text *what, const struct official_part *p,
                       const char *dir)
{
    struct corpus_reading x, first = {.layout = NULL};
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
        text_put(what, what->n ? ", " : "");
        if (x.split)
            text_format(what, "%s %s (%s)", p->corpus, split, x.split->files);
        else
            add_lacking(what, &x, split);
    }
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
    return err_set(ERR_DATA, "%s: the full scale reads official data%s; "
                   "missing in %s: %s; specify their folder with --data-dir "
                   "(`synthbench data where` lists the files)", t->name,
                   t == of ? "" : ", also for its tokenizer", dir,
                   what.s);
}

/* ---- the digest ---- */

struct sums {
    struct sha256_ctx *hash;
    int quick; /* 1: name and identity of each file; 0: name and bytes */
};

static int sum_file(const struct sums *s, const char *path, const char *file)
{
    char sum[HASH_HEX];
    struct stat st;

    if (stat(path, &st))
        return err_errno(ERR_DATA, "%s", path);
    hash_add(s->hash, file, strlen(file) + 1);
    if (s->quick) {
        /* A copy may keep size and mtime; inode and ctime nobody sets.  Not
         * st_dev: it is another on each host that mounts the folder. */
        long long of[] = {st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
                          st.st_ctim.tv_sec, st.st_ctim.tv_nsec,
                          (long long)st.st_ino};

        hash_add(s->hash, of, sizeof of);
    } else {
        if (hash_file(path, sum) < 0)
            return err_set(ERR_DATA, "%s", err_last());
        hash_add(s->hash, sum, sizeof sum);
    }
    return OK;
}

static int sum_split(const struct sums *s, const struct corpus_split *split,
                     const char *folder)
{
    char pattern[CORPUS_PATH], path[2 * CORPUS_PATH];
    OWNED(files_close) struct files f = {.n = 0};

    for (int i = 0; corpus_pattern(pattern, split, i); i++) {
        PASS(files_find(&f, folder, pattern));
        for (int k = 0; k < f.n; k++) {
            snprintf(path, sizeof path, "%s/%s", folder, f.file[k]);
            PASS(sum_file(s, path, f.file[k]));
        }
        files_close(&f);
    }
    return OK;
}

static int sum_part(const struct sums *s, const struct official_part *p,
                    const char *dir)
{
    struct corpus_reading x;

    for (int i = 0; i < READ; i++) {
        if (!split_read(p, i))
            continue;
        PASS(corpus_locate(&x, official_corpus(p), dir, split_read(p, i)));
        PASS(sum_split(s, x.split, x.folder));
    }
    return OK;
}

/* Of the task's files and those of its tokenizer. */
static int sum_all(char sum[HASH_HEX], const struct task *t, const char *dir,
                   int quick)
{
    const struct task *of[] = {t, t->tokenizer};
    struct sums s = {.hash = hash_new(), .quick = quick};
    int rc = OK;

    for (int i = 0; i < 2 && of[i]; i++)
        for (const struct official_part *p = of[i]->files->part; p->corpus; p++)
            TRY(sum_part(&s, p, dir));
out:
    hash_end(s.hash, sum);
    return rc;
}

/* 1: as the cache has it, under the sum `quick`; else 0. */
static int look_up(char digest[HASH_HEX], char quick[HASH_HEX],
                   const struct task *t, const struct task_opts *o)
{
    OWNED(prepared_close) struct prepared known = {.data = NULL};
    int found;

    PASS(refuse_missing(t, t, o->files));
    if (t->tokenizer)
        PASS(refuse_missing(t, t->tokenizer, o->files));
    PASS(sum_all(quick, t, o->files, 1));
    PASS(found = prepared_open(&known, o->cache, quick, "digest"));
    if (found)
        snprintf(digest, HASH_HEX, "%s", known.data);
    return found;
}

int official_known(char digest[HASH_HEX], const struct task *t,
                   const struct task_opts *o)
{
    char quick[HASH_HEX];

    return look_up(digest, quick, t, o);
}

int official_digest(char digest[HASH_HEX], const struct task *t,
                    const struct task_opts *o)
{
    char quick[HASH_HEX];
    int found;

    PASS(found = look_up(digest, quick, t, o));
    if (found)
        return OK;
    PASS(sum_all(digest, t, o->files, 0));
    return prepared_put(digest, HASH_HEX, o->cache, quick, "digest");
}
