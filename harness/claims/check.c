#include "harness/claims/check.h"

#include "harness/base/err.h"
#include "harness/base/key.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/stats/linalg.h"
#include "harness/stats/stats.h"

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

static const char *const methods[] = {LINALG_METHODS(NAMES_WORD) NULL};

#define AT(field)                                                             \
    .offset = offsetof(struct check_values, field),                           \
    .size = sizeof((struct check_values *)0)->field
#define SIZE .low = 1, .high = 4096

static const struct key keys[] = {
    {"variant", &key_text, AT(variant)},
    {"variants", &key_text, AT(variants)},
    {"against", &key_text, AT(against)},
    {"property", &key_text, AT(property)},
    {"matrix", &key_text, AT(matrix)},
    {"settings", &key_text, AT(settings)},
    {"model", &key_enum, AT(model), .choices = NAMES("base", "T5-base")},
    {"method", &key_enum, AT(method), .choices = methods},
    {"start", &key_enum, AT(start), .choices = NAMES("normal", "glorot")},
    {"way", &key_enum, AT(way), .choices = NAMES("pair", "tile", "repeat")},
    {"d", &key_int, AT(d), SIZE},
    {"heads", &key_int, AT(heads), SIZE},
    {"k", &key_int, AT(k), .low = 0, .high = 4096},
    {"N", &key_int, AT(N), SIZE},
    {"rank", &key_int, AT(rank), SIZE},
    {"n", &key_int, AT(n), SIZE},
    {"slots", &key_int, AT(slots), SIZE},
    {"a", &key_int, AT(a), .low = 1, .high = 32},
    {"c", &key_int, AT(c), .low = 1, .high = 32},
    {"scale", &key_real, AT(scale), .low = 0, .high = 1e6}};

static int set_value(struct check_values *v, const char *name,
                     const char *text)
{
    const struct key *k = keys;

    while (k < keys + sizeof keys / sizeof *keys && strcmp(k->name, name))
        k++;
    REQUIRE(k < keys + sizeof keys / sizeof *keys, "no key %s", name);
    return k->type->set(k, v, text);
}

/* The arguments of a check; a default is NULL if the argument must be given. */
struct parameters { const char *name[CHECK_ARGS + 1], *initial[CHECK_ARGS]; };

/* Splits the list of arguments in place. */
static struct parameters split(char *arguments)
{
    struct parameters p = {{NULL}, {NULL}};
    int n = 0;

    for (char *name; (name = strsep(&arguments, " ")); n++) {
        char *initial = strchr(name, '=');

        REQUIRE(n < CHECK_ARGS, "more than %d arguments", CHECK_ARGS);
        if (initial)
            *initial++ = 0;
        p.name[n] = name;
        p.initial[n] = initial;
    }
    return p;
}

static const char *given(const struct check_args *a, const char *name)
{
    for (int i = 0; i < a->n; i++)
        if (!strcmp(a->given[i].name, name))
            return a->given[i].text;
    return NULL;
}

int check_give(struct check_args *a, const char *name, const char *text)
{
    OWNED(free) char *arguments = str_copy(a->of->arguments);
    struct parameters p = split(arguments);
    struct check_values scratch;

    PASS(names_find("argument", name, p.name));
    if (given(a, name))
        return err_set(ERR_USAGE, "argument '%s' appears twice", name);
    PASS(set_value(&scratch, name, text));
    a->given[a->n++] = (struct check_given){name, text};
    return OK;
}

int check_range(const char *name, int x, int low, int high)
{
    return x >= low && x <= high
               ? OK : err_set(ERR_USAGE, "%s: %d: expected a whole number "
                              "from %d to %d", name, x, low, high);
}

/* ---- measures ---- */

static int result_at(const struct check_out *o, const char *measure)
{
    int i = 0;

    while (i < o->n && strcmp(o->result[i].measure, measure))
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
    REQUIRE(result_at(o, measure) == o->n && o->n < CHECK_MEASURES,
            "check %s reports %s twice, or too many measures", o->of->name,
            measure);
    REQUIRE(!isnan(value) && error >= 0, "check %s: %s is %g +- %g",
            o->of->name, measure, value, error);
    o->result[o->n++] = (struct check_result){m->name, m->what, value, error};
}

void check_mean(struct check_out *o, const char *measure, const double *x,
                int n)
{
    check_say(o, measure, stats_mean(x, (size_t)n),
              n > 1 ? stats_sd(x, (size_t)n) / sqrt(n) : 0);
}

int check_run(struct check_out *out, const struct check_args *a)
{
    OWNED(free) char *arguments = str_copy(a->of->arguments);
    struct parameters p = split(arguments);
    struct check_values v = {0};

    *out = (struct check_out){.of = a->of};
    for (int i = 0; p.name[i]; i++) {
        const char *text = given(a, p.name[i]);

        text = text ? text : p.initial[i];
        if (!text)
            return err_set(ERR_USAGE, "the check needs an argument %s",
                           p.name[i]);
        PASS(set_value(&v, p.name[i], text));
    }
    PASS(a->of->run(&v, out));
    for (const struct check_measure *m = a->of->measure; m->name; m++)
        REQUIRE(result_at(out, m->name) < out->n, "check %s does not report %s",
                a->of->name, m->name);
    return OK;
}
