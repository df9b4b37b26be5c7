#include "tests/support/scoring.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/verify/metrics/vector_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct lines cut(const char *name, const char *text)
{
    struct lines l = {.path = str_copy(name), .text = str_copy(text)};

    l.line = malloc((strlen(text) + 1) * sizeof *l.line);
    for (char *s = l.text; *s; s += strlen(s) + 1) {
        l.line[l.n++] = s;
        s[strcspn(s, "\n")] = 0;
    }
    return l;
}

static int set(struct score_options *o, const char *pair)
{
    char *key = str_copy(pair), *value = strchr(key, '=');

    *value++ = 0;
    int rc = score_options_set(o, key, value);
    free(key);
    return rc;
}

int score_texts(json_t **out, const struct scorer *s,
                const struct scoring *t)
{
    struct score_options *o = score_options_new(s);
    struct lines hyp = cut("hyp", t->hyp), ref[4] = {{0}};
    struct score_input in = {.hyp = &hyp, .options = o};
    int rc = OK;

    *out = NULL;
    for (; in.refs < 4 && t->ref[in.refs]; in.refs++) {
        ref[in.refs] = cut("ref", t->ref[in.refs]);
        in.ref[in.refs] = &ref[in.refs];
    }
    for (int i = 0; i < 6 && t->set[i]; i++)
        GOTO_IF_ERR(set(o, t->set[i]));
    GOTO_IF_ERR(scorer_run(out, s, &in));
out:
    lines_close(&hyp);
    for (int i = 0; i < in.refs; i++)
        lines_close(&ref[i]);
    score_options_free(o);
    return rc;
}

double score_number(const struct scorer *s, const struct scoring *t,
                    const char *object, const char *name)
{
    json_t *r;
    double x = NAN;

    if (score_texts(&r, s, t) == OK) {
        const json_t *in = r;

        if (object)
            in = json_object_get(in, object);
        in = json_object_get(in, name);
        REQUIRE(json_is_number(in), "no number '%s'", name);
        x = json_number_value(in);
    }
    json_decref(r);
    return x;
}
