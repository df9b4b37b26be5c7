#include "harness/metrics/segment.h"

#include <string.h>

static void strip(struct text *out, const char *s, size_t bytes)
{
    size_t end = text_rstrip(s, bytes), i = 0, length = 0;

    while (i < end && text_is_space(text_decode(s, i, end, &length)))
        i += length;
    text_add(out, s + i, end - i);
}

static void read_all(struct segment *s, const struct score_input *in, size_t i,
                     void (*read)(struct text *, const char *, size_t))
{
    s->refs = in->refs;
    for (int k = 0; k <= in->refs; k++) {
        const char *line = k ? in->ref[k - 1]->line[i] : in->hyp->line[i];
        struct text *t = &s->text[k];

        t->n = 0;
        text_add(t, "", 0);
        read(t, line, strlen(line));
        *(k ? &s->ref[k - 1] : &s->hyp) = t->s;
    }
}

void segment_read(struct segment *s, const struct score_input *in, size_t i)
{
    read_all(s, in, i, text_join_words);
}

void segment_read_stripped(struct segment *s, const struct score_input *in,
                           size_t i)
{
    read_all(s, in, i, strip);
}

void segment_free(struct segment *s)
{
    for (int k = 0; k <= SCORE_REFS; k++)
        text_free(&s->text[k]);
}
