#include "harness/claims/check.h"

#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"

#include <math.h>
#include <string.h>

#define CHECK(name) extern const struct check check_##name;
#include "harness/claims/list.h"
#undef CHECK

const struct check *const check_all[] = {
#define CHECK(name) &check_##name,
#include "harness/claims/list.h"
#undef CHECK
    NULL};

NAMES_FIND(check, "synthbench list checks")

/* ---- arguments ---- */

static const struct check_parameter *parameter_of(const struct check *c,
                                                  const char *name)
{
    const struct check_parameter *p = c->parameter;

    while (p->name && strcmp(p->name, name))
        p++;
    REQUIRE(p->name, "check %s has no parameter %s", c->name, name);
    return p;
}

static const char *given(const struct check_args *a, const char *name)
{
    for (int i = 0; i < a->n; i++)
        if (!strcmp(a->given[i].name, name))
            return a->given[i].text;
    return NULL;
}

double check_arg(const struct check_args *a, const char *name)
{
    const struct check_parameter *p = parameter_of(a->of, name);
    const char *text = given(a, name);
    double x = p->standard;

    REQUIRE(!isnan(p->standard), "%s of check %s is a word", name,
            a->of->name);
    REQUIRE(!text || !str_to_real(text, &x), "%s: %s", name, text);
    return x;
}

const char *check_word(const struct check_args *a, const char *name)
{
    REQUIRE(isnan(parameter_of(a->of, name)->standard),
            "%s of check %s is a number", name, a->of->name);
    return given(a, name);
}

int check_give(struct check_args *a, const char *name, const char *text)
{
    const struct check_parameter *p = a->of->parameter;
    int i = names_row("argument", name, p, sizeof *p);
    double x;

    PASS(i);
    if (given(a, name))
        return err_set(ERR_USAGE, "argument '%s' appears twice", name);
    if (!isnan(p[i].standard) && str_to_real(text, &x))
        return err_set(ERR_USAGE, "%s: %s: expected a number", name, text);
    if (a->n == CHECK_ARGS)
        return err_set(ERR_USAGE, "more than %d arguments", CHECK_ARGS);
    a->given[a->n++] = (struct check_given){name, text};
    return OK;
}

/* ---- measures ---- */

static int said_at(const struct check_out *o, const char *measure)
{
    int i = 0;

    while (i < o->n && strcmp(o->said[i].measure, measure))
        i++;
    return i;
}

void check_say(struct check_out *o, const char *measure, double value,
               double error)
{
    const struct check_measure *m = o->of->measure;

    while (m->name && strcmp(m->name, measure))
        m++;
    REQUIRE(m->name, "check %s has no measure %s", o->of->name, measure);
    REQUIRE(said_at(o, measure) == o->n && o->n < CHECK_MEASURES,
            "check %s reports %s twice, or too many measures", o->of->name,
            measure);
    REQUIRE(!isnan(value) && error >= 0, "check %s: %s is %g +- %g",
            o->of->name, measure, value, error);
    o->said[o->n++] = (struct check_said){m->name, value, error};
}

int check_run(struct check_out *out, const struct check_args *a)
{
    const struct check_measure *m = a->of->measure;

    *out = (struct check_out){.of = a->of};
    PASS(a->of->run(a, out));
    for (; m->name; m++)
        REQUIRE(said_at(out, m->name) < out->n, "check %s does not report %s",
                a->of->name, m->name);
    return OK;
}
