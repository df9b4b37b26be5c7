#include "harness/data/format/reviews.h"

#include "harness/base/err.h"
#include "harness/base/text.h"
#include "harness/data/format/jsonarray.h"

struct reading {
    int (*take)(void *to, const struct review *r);
    void *to;
    int n; /* elements so far */
};

static int read_review(struct review *out, const struct value *v,
                       struct arena *a)
{
    const struct value *class = value_get(v, "class");
    const char *text;
    long long label;

    if (v->kind != VALUE_OBJECT)
        return err_set(ERR_DATA, "not an object");
    if (!class || class->kind == VALUE_NULL) {
        out->skipped = "no-class";
        return OK;
    }
    PASS(value_string(&text, v, "text"));
    PASS(value_integer(&label, v, "class"));
    if (label != 0 && label != 1)
        return err_set(ERR_DATA, "'class' is neither 0 nor 1");
    out->text = text_strip_ascii(arena_text(a, text));
    out->label = (int)label;
    return OK;
}

static int read_element(void *reading, const struct value *v, struct arena *a)
{
    struct reading *r = reading;
    struct review one = {.item = r->n++};

    PASS(read_review(&one, v, a));
    return r->take(r->to, &one);
}

int reviews_each(const char *path,
                 int (*take)(void *to, const struct review *r), void *to)
{
    struct reading r = {.take = take, .to = to};

    return jsonarray_each(path, NULL, read_element, &r);
}
