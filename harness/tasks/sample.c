#include "harness/tasks/sample.h"

#include "harness/base/array.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/corpora/corpus.h"

#include <stdlib.h>
#include <string.h>

enum { ITEMS_MOST = 1000000, BYTES_MOST = 100000000 };

static long long bytes_of(const char *source, const char *target)
{
    return (long long)((source ? strlen(source) : 0) +
                       (target ? strlen(target) : 0));
}

static void drop(struct sample *s, struct sampled *x)
{
    s->bytes -= bytes_of(x->source, x->target);
    free(x->source);
    free(x->target);
}

/* Drops every second kept example and doubles the stride. */
static void thin_out(struct sample *s)
{
    int n = 0;

    for (int i = 0; i < s->n; i++)
        if (i % 2)
            drop(s, &s->kept[i]);
        else
            s->kept[n++] = s->kept[i];
    s->n = n;
    s->stride *= 2;
}

static void keep(struct sample *s, const struct item *it)
{
    ARRAY_ROOM(s->kept, s->n, s->cap);
    s->kept[s->n++] = (struct sampled){
        it->source ? str_copy(it->source) : NULL,
        it->target ? str_copy(it->target) : NULL};
    s->bytes += bytes_of(it->source, it->target);
}

int sample_take(void *sample, const struct item *it)
{
    struct sample *s = sample;

    s->stride = s->stride ? s->stride : 1;
    if (s->seen++ % s->stride == 0)
        keep(s, it);
    if (s->n > ITEMS_MOST || (s->bytes > BYTES_MOST && s->n > 1))
        thin_out(s);
    s->read += bytes_of(it->source, it->target);
    return s->most && s->read >= s->most ? CORPUS_ENOUGH : OK;
}

const char **sample_texts(const struct sample *s, size_t *n)
{
    const char **text = malloc((size_t)(2 * s->n + 1) * sizeof *text);

    *n = 0;
    for (int i = 0; i < s->n; i++) {
        if (s->kept[i].source)
            text[(*n)++] = s->kept[i].source;
        if (s->kept[i].target)
            text[(*n)++] = s->kept[i].target;
    }
    return text;
}

void sample_free(struct sample *s)
{
    while (s->n)
        drop(s, &s->kept[--s->n]);
    free(s->kept);
    *s = (struct sample){0};
}
