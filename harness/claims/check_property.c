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

struct totals { int n, failed; double most, least; };

static void take_finding(void *arg, const struct finding *f)
{
    struct totals *t = arg;

    if (f->verdict == VERDICT_NONE)
        return;
    t->n++;
    t->failed += f->verdict == VERDICT_FAIL;
    t->most = fmax(t->most, f->measured);
    t->least = fmin(t->least, f->measured);
}

static int run_property(const struct check_values *v, struct check_out *o)
{
    OWNED(free) char *names = str_copy(v->variants);
    struct totals t = {.most = -INFINITY, .least = INFINITY};
    struct subject all[SUBJECTS];
    const struct property *p;
    int at = 0;

    while (properties[at] && strcmp(properties[at]->name, v->property))
        at++;
    if (!(p = properties[at]))
        return err_set(ERR_USAGE, "property: %s: unknown property (see `verify "
                       "variants`)", v->property);
    backend_cpu.thread_begin();
    if (!strcmp(v->variants, "all")) {
        int n = subject_list(variant_all, all);

        for (int i = 0; i < n; i++)
            verify_property(&all[i], p, &backend_cpu, take_finding, &t);
    } else {
        for (char *rest = names, *name; (name = strtok_r(NULL, " ", &rest));) {
            PASS(check_layer_subject(&all[0], name, MIX_LOGITS));
            verify_property(&all[0], p, &backend_cpu, take_finding, &t);
        }
    }
    if (t.n == 0)
        return err_set(ERR_USAGE, "property %s does not apply to %s",
                       v->property, v->variants);
    check_say(o, "tested", t.n, 0);
    check_say(o, "failed", t.failed, 0);
    check_say(o, "worst", p->at_least ? t.least : t.most, 0);
    return OK;
}

const struct check check_property = {
    "property", "an exact property from `verify variants`",
    "variants property", run_property,
    {{"tested", "number of variants that it applies to"},
     {"failed", "number of variants that it does not hold for"},
     {"worst", "measured value of the worst variant"}}};
