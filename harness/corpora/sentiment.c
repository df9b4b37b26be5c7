/* sentiment: sentences of reviews, pleased or not (data/format/reviews.h). */
#include "harness/corpora/corpus.h"

#include "harness/base/str.h"
#include "harness/data/format/reviews.h"

#include <stdio.h>
#include <string.h>

/* "imdb" of "package/test/fixtures/imdb.json" */
static void name_of(char out[64], const char *file)
{
    const char *name = str_base(file);

    snprintf(out, 64, "%.*s", (int)strcspn(name, "."), name);
}

static int take_review(void *reading, const struct review *r)
{
    struct corpus_reading *x = reading;
    char name[64];

    name_of(name, x->file);
    return r->skipped
               ? corpus_skip(x, 0, r->skipped, FIELDS(INTEGER("item", r->item)))
               : ROW(x, TEXT("text", r->text), INTEGER("label", r->label),
                     TEXT("origin", name));
}

static int read_file(struct corpus_reading *x, const char *path)
{
    return reviews_each(path, take_review, x);
}

const struct corpus corpus_sentiment = {
    .name = "sentiment",
    .title = "Sentiment Labelled Sentences",
    .from = "the npm package sentiment, version 5.0.2",
    .layout = {{.name = "official", .file = read_file, .split = {
        {"all", "package/test/fixtures/imdb.json "
                "package/test/fixtures/yelp.json "
                "package/test/fixtures/amazon.json", 3000}}}}};
