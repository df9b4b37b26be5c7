/*
 * imdb: reads positive and negative film reviews.
 *
 *     aclImdb/{train,test}/neg/ID_RATING.txt    ratings 1-4
 *     aclImdb/{train,test}/pos/ID_RATING.txt    ratings 7-10
 *     aclImdb/train/unsup/ID_0.txt              without a label
 *
 * One review per file, neg before pos, in numerical order of id and rating.
 * White space at both ends of a text is removed; "<br />" is kept.
 * Source: Maas et al. (ACL 2011).
 */
#include "harness/corpora/corpus.h"

#include "harness/base/err.h"
#include "harness/base/text.h"
#include "harness/data/format/linefile.h"

#include <stdlib.h>
#include <string.h>

struct review {
    const char *file;
    long id, rating; /* id -1: not a review */
};

static struct review review_of(const char *file)
{
    const char *name = strrchr(file, '/') + 1, *digits = "0123456789";
    size_t id = strspn(name, digits), rating;
    struct review r = {.file = file, .id = -1};

    if (!id || id > 9 || name[id] != '_')
        return r;
    rating = strspn(name + id + 1, digits);
    if (!rating || rating > 2 || strcmp(name + id + 1 + rating, ".txt"))
        return r;
    r.id = atol(name);
    r.rating = atol(name + id + 1);
    return r;
}

static int by_number(const void *a, const void *b)
{
    const struct review *p = a, *q = b;

    if (p->id != q->id)
        return p->id < q->id ? -1 : 1;
    if (p->rating != q->rating)
        return p->rating < q->rating ? -1 : 1;
    return strcmp(p->file, q->file);
}

static int read_review(struct corpus_reading *x, const struct review *r,
                       int label)
{
    static const struct {
        int least, most;
    } may[] = {{0, 0}, {1, 4}, {7, 10}}; /* range of ratings, by label + 1 */
    char path[CORPUS_PATH];
    OWNED(text_free) struct text t = {0};

    x->file = r->file;
    if (r->id < 0)
        return corpus_skip(x, 0, "not-a-review", NULL);
    if (r->rating < may[label + 1].least || r->rating > may[label + 1].most)
        return err_set(ERR_DATA, "%s/%s: the rating %ld does not belong in "
                       "this folder", x->folder, r->file, r->rating);
    PASS(corpus_path(path, x, r->file));
    PASS(linefile_text(&t, path));
    const char *text = text_strip_ascii(t.s);
    return *text ? ROW(x, TEXT("text", text), INTEGER("label", label))
                 : corpus_skip(x, 0, "empty", NULL);
}

static int read_folder(struct corpus_reading *x, const char *pattern,
                       int label)
{
    OWNED(free) struct review *review = NULL;
    OWNED(files_close) struct files f = {.n = 0};

    PASS(corpus_files(&f, x, pattern));
    review = malloc((size_t)f.n * sizeof *review);
    for (int i = 0; i < f.n; i++)
        review[i] = review_of(f.file[i]);
    qsort(review, (size_t)f.n, sizeof *review, by_number);
    for (int i = 0; i < f.n; i++)
        PASS(read_review(x, &review[i], label));
    return OK;
}

static int read_reviews(struct corpus_reading *x)
{
    char pattern[CORPUS_PATH];

    for (int i = 0; corpus_pattern(pattern, x->split, i); i++)
        PASS(read_folder(x, pattern, strstr(pattern, "/unsup/") ? -1 : i));
    return OK;
}

const struct corpus corpus_imdb = {
    .name = "imdb", .title = "IMDb",
    .from = "the Large Movie Review Dataset: aclImdb_v1.tar.gz "
            "(https://ai.stanford.edu/~amaas/data/sentiment)",
    .layout = {{.name = "official", .read = read_reviews, .split = {
        {"train", "aclImdb/train/neg/* aclImdb/train/pos/*", 25000},
        {"test", "aclImdb/test/neg/* aclImdb/test/pos/*", 25000},
        {"unsup", "aclImdb/train/unsup/*", 50000}}}}};
