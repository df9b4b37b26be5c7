#include "harness/store/contrast.h"

#include "harness/base/arena.h"
#include "harness/base/text.h"
#include "harness/store/cell.h"

#include <string.h>

/* Ends `text` before the first `mark` in it.  Returns the text after the mark,
 * or NULL if there is no mark. */
static char *cut(char *text, const char *mark)
{
    char *at = text ? strstr(text, mark) : NULL;

    if (!at)
        return NULL;
    *at = 0;
    return at + strlen(mark);
}

static int is_row(const char *name)
{
    return *name && !strchr(name, ' ');
}

int contrast_read(struct contrast_named *out, const char *text, struct arena *a)
{
    char *task = arena_text(a, text), *rows = cut(task, ": ");
    char *metric = cut(task, " "), *b = cut(rows, " - ");

    *out = (struct contrast_named){task, metric, rows, b};
    return text_printable(text) && metric && b && cell_name_ok(task) &&
           cell_name_ok(metric) && is_row(rows) && is_row(b);
}

int contrast_ok(const char *text)
{
    OWNED(arena_free) struct arena *a = arena_new();
    struct contrast_named c;

    return contrast_read(&c, text, a);
}

int contrast_same(const struct contrast_named *x,
                  const struct contrast_named *y)
{
    int along = !strcmp(x->a, y->a) && !strcmp(x->b, y->b);
    int against = !strcmp(x->a, y->b) && !strcmp(x->b, y->a);

    return !strcmp(x->task, y->task) && !strcmp(x->metric, y->metric) &&
           (along || against);
}

const struct contrast_named *contrast_list(const char *const *text, int *n,
                                           struct arena *a)
{
    struct contrast_named *all;

    for (*n = 0; text && text[*n]; ++*n)
        ;
    all = arena_zero(a, ((size_t)*n + 1) * sizeof *all);
    for (int i = 0; i < *n; i++)
        contrast_read(&all[i], text[i], a);
    return all;
}
