/* verify: proves a subject's facts, exit code 1 when one does not hold. */
#include "harness/cmd/verify.h"

#include "harness/base/err.h"
#include "harness/base/names.h"

static const struct subject {
    const char *name;
    int (*run)(const struct options *o);
    unsigned takes; /* of the options of the verb, beside --format */
} subjects[] = {
    {"exact", verify_exact, TAKES_CHOICE | TAKES_STORE | TAKES_CACHE |
                            TAKES_EXACT},
    {"metrics", verify_metrics, TAKES_VECTORS},
    {"science", verify_science, TAKES_STORE},
    {"store", verify_store, TAKES_STORE},
    {"variants", verify_variants, 0},
};

enum { SUBJECTS = sizeof subjects / sizeof *subjects };

/* What was given and is not of this subject. */
static int check(const struct subject *s, const struct options *o)
{
    const struct choice *c = &o->choice;
    const struct {
        unsigned    takes;
        const char *name;
        int         given;
    } option[] = {
        {TAKES_VECTORS, "--vectors", o->vectors != NULL},
        {TAKES_VECTORS, "--data", o->data != NULL},
        {TAKES_STORE, "--store", o->store != NULL},
        {TAKES_CHOICE, "-E", o->filter != NULL},
        {TAKES_CHOICE, "-S", c->set.n > 0},
        {TAKES_CHOICE, "--scale", c->scale != NULL},
        {TAKES_CHOICE, "--seeds", c->seeds != 0},
        {TAKES_CHOICE, "--synthetic", c->synthetic},
        {TAKES_EXACT, "--threads", o->exact.threads.n > 0},
        {TAKES_EXACT, "--jobs", o->exact.jobs.n > 0},
        {TAKES_EXACT, "--sample", o->exact.sample != 0},
        {TAKES_EXACT, "--data-dir", o->data_dir != NULL},
        {TAKES_EXACT, o->arg[1] ? o->arg[1] : "", o->n > 1}};

    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        if (option[i].given && !(s->takes & option[i].takes))
            return err_set(ERR_USAGE, "verify %s takes no %s", s->name,
                           option[i].name);
    return OK;
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
    .args = "SUBJECT [EXPERIMENT.yaml]",
    .doc = "exact: trains a sample of the finished cells of EXPERIMENT.yaml "
           "or --store again, with each of --threads and --jobs, and compares "
           "every bit; metrics: every metric against the outputs of the "
           "field's reference tools; science: the cells of --store (default: "
           "results/science) against the laws that drew their data; store: "
           "every file of --store, exit code 5 where one is damaged; variants: "
           "every exact property of every variant.",
    .takes = TAKES_VECTORS | TAKES_STORE | TAKES_FORMAT | TAKES_CHOICE |
             TAKES_CACHE | TAKES_EXACT,
    .least = 1,
    .most = 2,
    .formats = command_text_json,
    .run = run};
