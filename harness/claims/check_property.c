/* property: tests an exact property, one of those that `verify variants` tests
 * (verify/attention), for the named variants, or for all variants and
 * mixtures. */
#include "harness/claims/check_layer.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/verify/attention/verify.h"
#include "variants/variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct told { int n, failed; double most, least; };

static void take_finding(void *arg, const struct finding *f)
{
    struct told *t = arg;

    if (f->verdict == VERDICT_NONE)
        return;
    t->n++;
    t->failed += f->verdict == VERDICT_FAIL;
    t->most = fmax(t->most, f->measured);
    t->least = fmin(t->least, f->measured);
}

static int find(const struct property **out, const char *name)
{
    for (int i = 0; properties[i]; i++)
        if (!strcmp(properties[i]->name, name)) {
            *out = properties[i];
            return OK;
        }
    return err_set(ERR_USAGE, "property: %s: unknown property (see `verify "
                   "variants`)", name);
}

static int named(char *names, const struct property *p, struct told *t)
{
    char *rest = names, *name;

    while ((name = strtok_r(NULL, " ", &rest))) {
        struct subject s;

        PASS(check_layer_subject(&s, name, MIX_LOGITS));
        verify_property(&s, p, &backend_cpu, take_finding, t);
    }
    return OK;
}

static int run_property(const struct check_values *v, struct check_out *o)
{
    const struct property *p = NULL;
    struct told t = {.most = -INFINITY, .least = INFINITY};

    PASS(find(&p, v->property));
    backend_cpu.thread_begin();
    if (!strcmp(v->variants, "all")) {
        struct subject s[SUBJECTS];
        int n = subject_list(variant_all, s);

        for (int i = 0; i < n; i++)
            verify_property(&s[i], p, &backend_cpu, take_finding, &t);
    } else {
        OWNED(free) char *names = str_copy(v->variants);

        PASS(named(names, p, &t));
    }
    if (t.n == 0)
        return err_set(ERR_USAGE, "property %s does not apply to %s",
                       v->property, v->variants);
    check_say(o, "told", t.n, 0);
    check_say(o, "failed", t.failed, 0);
    check_say(o, "worst", p->at_least ? t.least : t.most, 0);
    return OK;
}

const struct check check_property = {
    "property", "an exact property from `verify variants`",
    "variants property", run_property,
    {{"told", "number of variants that it applies to"},
     {"failed", "number of variants that it does not hold for"},
     {"worst", "measured value of the worst variant"}}};
