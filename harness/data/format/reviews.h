/*
 * reviews: sentences about films, restaurants and goods, and whether they are
 * pleased: the UCI Sentiment Labelled Sentences (Kotzias et al., KDD 2015) as
 * the npm package sentiment ships them, in package/test/fixtures/.
 *
 *     {imdb,yelp,amazon}.json = [{"text": "Great.  ", "class": 1}, ...]
 *
 * White space at both ends of a text goes.  An element without a class, or with
 * null for it, which each file has at its end, is none.  Every error is
 * ERR_DATA and names FILE:LINE.
 */
#pragma once

struct review {
    const char *text;
    int label;           /* 1: pleased */
    int item;            /* of the array, from 0 */
    const char *skipped; /* "no-class"; NULL: it is one */
};

/* Every element goes through `take`, until it answers less than 0. */
int reviews_each(const char *path,
                 int (*take)(void *to, const struct review *r), void *to);
