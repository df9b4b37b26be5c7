#include "harness/store/likeness.h"

#include "harness/base/err.h"
#include "harness/base/text.h"

#include <string.h>

enum { SHOWN = 4 };

static void gather(void *arg, const struct cell_change *c)
{
    struct likeness *l = arg;
    int n = l->n[c->kind]++;

    if ((n & (n - 1)) == 0) { /* full: double it */
        struct cell_change *more =
            arena_take(l->memory, 2 * ((size_t)n + 1) * sizeof *more);

        if (n)
            memcpy(more, l->of[c->kind], (size_t)n * sizeof *more);
        l->of[c->kind] = more;
    }
    struct cell_change *list = l->of[c->kind];
    list[n] = *c;
    /* A difference of the weights causes other differences, so it comes
     * first. */
    if (!strcmp(c->path, "weights@sha256")) {
        list[n] = list[0];
        list[0] = *c;
    }
}

static int read_digest(struct likeness *l, int i, struct cell_reader *r)
{
    OWNED(free) char *hex = NULL;
    int rc = cell_get_text(r, "weights", "sha256", &hex);

    l->weights[i] = rc == OK ? arena_text(l->memory, hex) : "";
    return rc == ERR_EMPTY ? OK : rc;
}

int likeness_of(struct likeness *out, struct cell_reader *x,
                struct cell_reader *y, struct arena *a)
{
    *out = (struct likeness){.memory = a};
    PASS(read_digest(out, 0, x));
    PASS(read_digest(out, 1, y));
    return cell_diff(x, y, gather, out);
}

int likeness_read(struct likeness *out, const char *store_a, const char *id_a,
                  const char *store_b, const char *id_b, struct arena *a)
{
    OWNED(cell_close) struct cell_reader *x = NULL, *y = NULL;

    PASS(cell_open(&x, store_a, id_a));
    PASS(cell_open(&y, store_b, id_b));
    return likeness_of(out, x, y, a);
}

/* Returns how many characters of a value are printed: eight of a digest. */
static int shown(const char *value)
{
    return strspn(value, "0123456789abcdef") >= 40 ? 8 : CELL_SHOWN;
}

const char *likeness_text(const struct likeness *l, enum cell_kind k)
{
    struct text all = {0};
    int n = l->n[k];

    for (int i = 0; i < n && i < SHOWN; i++) {
        const struct cell_change *c = &l->of[k][i];
        size_t skip = k == CELL_BUILD ? strcspn(c->path, "@") : 0;

        text_format(&all, "%s%s %.*s and %.*s", i ? ", " : "",
                    c->path + skip + (skip > 0), shown(c->a), c->a, shown(c->b),
                    c->b);
    }
    if (n > SHOWN)
        text_format(&all, ", and %d more", n - SHOWN);
    return text_keep(&all, l->memory);
}

const char *likeness_why(const struct likeness *l)
{
    const char *text = likeness_text(l, CELL_RESULTS);

    if (!l->n[CELL_RESULTS])
        return text;
    if (!l->n[CELL_BUILD])
        return arena_format(l->memory, "%s; with the same build", text);
    return arena_format(l->memory, "%s; with different builds: %s", text,
                        likeness_text(l, CELL_BUILD));
}
