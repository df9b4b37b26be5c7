/*
 * sentiment: reads positive and negative sentences about films, restaurants and
 * products: the UCI Sentiment Labelled Sentences (Kotzias et al., KDD 2015)
 * from the npm package sentiment.
 *
 *     package/test/fixtures/{imdb,yelp,amazon}.json
 *         [{"text": "Great.  ", "class": 1}, ...]     1: positive
 *
 * White space at both ends of a text is removed.  An element without a class or
 * with the class null is skipped; the last element of each file is such an
 * element.  Every error is ERR_DATA and names FILE:LINE.
 */
#include "harness/corpora/corpus.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/data/format/jsonarray.h"

#include <string.h>

/* item: number of the element, from 0 */
struct reading { struct corpus_reading *x; int item; };

static int take_review(void *reading, const struct value *v, struct arena *a)
{
    struct reading *r = reading;
    const struct value *class = value_get(v, "class");
    const char *text, *file = str_base(r->x->file);
    int item = r->item++;
    long long label;

    if (v->kind != VALUE_OBJECT)
        return err_set(ERR_DATA, "not an object");
    if (!class || class->kind == VALUE_NULL)
        return corpus_skip(r->x, 0, "no-class", FIELDS(INTEGER("item", item)));
    PASS(value_string(&text, v, "text"));
    PASS(value_integer(&label, v, "class"));
    if (label != 0 && label != 1)
        return err_set(ERR_DATA, "'class' is neither 0 nor 1");
    return ROW(r->x, TEXT("text", text_strip_ascii(arena_text(a, text))),
               INTEGER("label", label),
               TEXT("origin", arena_format(a, "%.*s", (int)strcspn(file, "."),
                                           file)));
}

static int read_reviews(struct corpus_reading *x, const char *path)
{
    return jsonarray_each(path, NULL, take_review, &(struct reading){x, 0});
}

const struct corpus corpus_sentiment = {
    .name = "sentiment",
    .title = "Sentiment Labelled Sentences",
    .from = "the npm package sentiment, version 5.0.2",
    .layout = {{.name = "official", .file = read_reviews, .split = {
        {"all", "package/test/fixtures/imdb.json "
                "package/test/fixtures/yelp.json "
                "package/test/fixtures/amazon.json", 3000}}}}};
