#include "harness/tasks/known_words.h"

#include "harness/base/err.h"

#include <string.h>

struct reading { struct sink sink; struct map *to; }; /* `sink` first */

static int take_word(struct sink *sink, const struct field *row)
{
    struct reading *r = (struct reading *)sink;

    map_add(r->to, corpus_field(row, "text")->text, 1);
    return OK;
}

int known_words_open(struct map **out, const struct official_part *p,
                     const char *dir)
{
    struct map *m = p->vocabulary ? map_of_copies() : NULL;
    struct reading r = {.sink = {.row = take_word}, .to = m};
    int rc = m ? corpus_read(official_corpus(p), dir, p->vocabulary, &r.sink)
               : OK;

    if (rc < 0)
        map_free(m);
    else
        *out = m;
    return rc;
}

void known_words_keep(struct text *out, const char *s, const struct map *known)
{
    OWNED(words_free) struct words w = {0};

    words_split(&w, s, strlen(s));
    text_clear(out);
    for (size_t i = 0; i < w.n; i++) {
        struct slice word = w.word[i];

        if (i)
            text_put(out, " ");
        if (map_find(known, word.s, word.n) < 0)
            text_put(out, UNKNOWN_WORD);
        else
            text_add(out, word.s, word.n);
    }
}
