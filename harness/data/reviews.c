#include "harness/data/reviews.h"

#include "harness/base/arena.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/data/bytes.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct reviews {
    char *path;
    json_t *all;
    size_t at;
    struct arena *memory;
};

static const char *trimmed(const char *s, struct arena *a)
{
    static const char space[] = " \t\n\r\v\f";

    s += strspn(s, space);
    char *copy = arena_text(a, s);
    size_t n = strlen(copy);
    while (n && strchr(space, copy[n - 1]))
        n--;
    copy[n] = 0;
    return copy;
}

static int refuse(const struct reviews *r, const char *why)
{
    return err_set(ERR_DATA, "%s: element %zu, from 0: %s", r->path, r->at,
                   why);
}

int reviews_next(struct reviews *r, struct review *out)
{
    const json_t *one = json_array_get(r->all, r->at);
    const json_t *text = json_object_get(one, "text");
    const json_t *class = json_object_get(one, "class");

    if (!one)
        return 0;
    if (!json_is_object(one))
        return refuse(r, "not an object");
    *out = (struct review){.item = (int)r->at};
    if (!class || json_is_null(class))
        out->skipped = "no-class";
    else if (!json_is_string(text))
        return refuse(r, "its text is not a string");
    else if (!json_is_integer(class) || json_integer_value(class) < 0 ||
             json_integer_value(class) > 1)
        return refuse(r, "its class is neither 0 nor 1");
    else {
        out->text = trimmed(json_string_value(text), r->memory);
        out->label = (int)json_integer_value(class);
    }
    r->at++;
    return 1;
}

int reviews_open(struct reviews **out, const char *path)
{
    struct reviews *r = calloc(1, sizeof *r);
    char *text = NULL;
    json_error_t e;
    size_t bytes;
    int rc = OK;

    REQUIRE(r, "out of memory");
    r->path = str_copy(path);
    r->memory = arena_new();
    TRY(bytes_all(&text, &bytes, path));
    r->all = json_loadb(text, bytes, 0, &e);
    if (!r->all)
        rc = err_set(ERR_DATA, "%s:%d: %s", path, e.line, e.text);
    else if (!json_is_array(r->all))
        rc = err_set(ERR_DATA, "%s:1: not an array", path);
out:
    free(text);
    if (rc < 0) {
        reviews_close(r);
        r = NULL;
    }
    *out = r;
    return rc;
}

void reviews_close(struct reviews *r)
{
    if (!r)
        return;
    json_decref(r->all);
    arena_free(r->memory);
    free(r->path);
    free(r);
}
