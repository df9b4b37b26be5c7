/*
 * sgm: the segments of a test set of WMT.
 *
 *     <doc sysid="ref" docid="abc" ...>
 *     <seg id="1">text</seg>              one a line; other lines are passed by
 *
 * Tags may be in either case and have blanks before them.  Text loses the
 * white space at its ends; &amp; &lt; &gt; &quot; &apos; are unescaped, once.
 * Lines as linefile.h has them.
 */
#pragma once

#include "harness/data/format/linefile.h"

struct sgm {
    struct linefile *lines;
    char             document[256];
    char             key[512]; /* "DOCUMENT<TAB>ID" of the last segment */
    const char      *text;     /* of it, until the next one */
    struct text      plain;
    long             n;        /* segments so far */
};

/* Every segment goes through `take`, until it answers less than 0. */
int sgm_each(const char *path, int (*take)(void *to, const struct sgm *s),
             void *to);
