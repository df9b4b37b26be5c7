/* sentiment: sentences of reviews, pleased or not (data/format/reviews.h). */
#include "harness/corpora/corpus.h"

#include "harness/base/err.h"
#include "harness/data/format/reviews.h"

#include <stdio.h>
#include <string.h>

/* "imdb" of "package/test/fixtures/imdb.json" */
static void name_of(char out[64], const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file;

    snprintf(out, 64, "%.*s", (int)strcspn(name, "."), name);
}

static int read_file(const struct corpus_reading *x, const char *file)
{
    char path[CORPUS_PATH], name[64];
    struct reviews *all = NULL;
    struct review r;
    int rc;

    name_of(name, file);
    TRY(corpus_path(path, x, file));
    TRY(reviews_open(&all, path));
    while ((rc = reviews_next(all, &r)) > 0)
        TRY(r.skipped ? corpus_skip(x, file, 0, r.skipped,
                                    FIELDS(INTEGER("item", r.item)))
                      : ROW(x, TEXT("text", r.text), INTEGER("label", r.label),
                            TEXT("origin", name)));
out:
    reviews_close(all);
    return rc;
}

static int read_all(const struct corpus_reading *x)
{
    char file[CORPUS_PATH];
    int rc = OK;

    for (int i = 0; corpus_pattern(file, x->split, i); i++)
        TRY(read_file(x, file));
out:
    return rc;
}

const struct corpus corpus_sentiment = {
    .name = "sentiment",
    .title = "Sentiment Labelled Sentences",
    .from = "the npm package sentiment, version 5.0.2",
    .layout = {{.name = "official",
                .read = read_all,
                .split = {{.name = "all",
                           .files = "package/test/fixtures/imdb.json "
                                    "package/test/fixtures/yelp.json "
                                    "package/test/fixtures/amazon.json",
                           .rows = 3000}}}}};
