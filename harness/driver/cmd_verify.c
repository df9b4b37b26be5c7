/* verify: proves a subject's facts, exit code 1 when one does not hold. */
#include "harness/driver/verify.h"

#include "harness/base/err.h"
#include "harness/driver/names.h"

static const struct subject {
    const char *name;
    int (*run)(const struct options *o);
    int vectors, store; /* takes --vectors and --data; --store */
} subjects[] = {
    {"metrics", verify_metrics, 1, 0},
    {"science", verify_science, 0, 1},
    {"variants", verify_variants, 0, 0},
};

enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static int check(const struct subject *s, const struct options *o)
{
    const char *extra = !s->vectors && o->vectors ? "--vectors"
                        : !s->vectors && o->data  ? "--data"
                        : !s->store && o->store   ? "--store"
                                                  : NULL;

    return extra ? err_set(ERR_USAGE, "verify %s takes no %s", s->name, extra)
                 : OK;
}

static int run(const struct options *o)
{
    const char *names[SUBJECTS + 1] = {NULL};

    for (int i = 0; i < SUBJECTS; i++)
        names[i] = subjects[i].name;
    int i = names_index(names, o->arg[0]);
    if (i < 0)
        return names_unknown("subject", o->arg[0], names);
    int rc = check(&subjects[i], o);
    return rc < 0 ? rc : subjects[i].run(o);
}

const struct command command_verify = {
    .name = "verify",
    .summary = "Prove that what the program computes is right",
    .args = "SUBJECT",
    .doc = "metrics: every metric against the outputs of the field's "
           "reference tools; science: the cells of --store (default: "
           "results/science) against the laws that drew their data; variants: "
           "every exact property of every variant.",
    .takes = TAKES_VECTORS | TAKES_STORE | TAKES_FORMAT,
    .least = 1,
    .most = 1,
    .formats = command_text_json,
    .run = run};
