#include "harness/data/format/reviews.h"

#include "harness/base/err.h"
#include "harness/base/text.h"
#include "harness/data/format/jsonarray.h"

#include <stdlib.h>

struct reviews {
    struct jsonarray *list;
    int n; /* elements so far */
};

int reviews_open(struct reviews **out, const char *path)
{
    struct jsonarray *list;
    int rc;

    *out = NULL;
    TRY(jsonarray_open(&list, path, NULL));
    struct reviews *r = calloc(1, sizeof *r);
    r->list = list;
    *out = r;
out:
    return rc;
}

void reviews_close(struct reviews *r)
{
    if (!r)
        return;
    jsonarray_close(r->list);
    free(r);
}

static int read_review(struct review *out, const struct value *v,
                       struct arena *a)
{
    const struct value *class = value_get(v, "class");
    const char *text;
    long long label;
    int rc = OK;

    if (v->kind != VALUE_OBJECT)
        return err_set(ERR_DATA, "not an object");
    if (!class || class->kind == VALUE_NULL) {
        out->skipped = "no-class";
        return OK;
    }
    TRY(value_string(&text, v, "text"));
    TRY(value_integer(&label, v, "class"));
    if (label != 0 && label != 1)
        return err_set(ERR_DATA, "'class' is neither 0 nor 1");
    out->text = text_strip_ascii(arena_text(a, text));
    out->label = (int)label;
out:
    return rc;
}

int reviews_next(struct reviews *r, struct review *out)
{
    const struct value *v;
    int rc;

    TRY(jsonarray_next(r->list, &v));
    if (!rc)
        return 0;
    *out = (struct review){.item = r->n++};
    TRY(jsonarray_place(r->list, read_review(out, v,
                                             jsonarray_memory(r->list))));
    return 1;
out:
    return rc;
}
