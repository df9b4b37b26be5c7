#include "harness/verify/attention/verify.h"

#include "harness/base/err.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PROPERTY(name) extern const struct property property_##name;
#include "harness/verify/attention/list.h"
#undef PROPERTY

const struct property *const properties[] = {
#define PROPERTY(name) &property_##name,
#include "harness/verify/attention/list.h"
#undef PROPERTY
    NULL};

const char property_no_formula[] = "no formula in harness/verify";

const char *property_needs_formula(const struct subject *s)
{
    return formula_knows(s->variant) ? NULL : property_no_formula;
}

void measure_worst(struct gauge *m, double value, const char *where, ...)
{
    va_list ap;

    if (isnan(m->value) || value <= m->value)
        return;
    m->value = value;
    va_start(ap, where);
    vsnprintf(m->where, sizeof m->where, where, ap);
    va_end(ap);
}

double measure_off(double got, double want)
{
    return fabs(got - want) / (1 + fabs(want));
}

/* Returns true if the value satisfies the bound; NaN does not. */
static int holds(const struct property *p, double value)
{
    return p->at_least ? value >= p->bound : value <= p->bound;
}

static const char *excuse_of(const struct property *p, const struct subject *s)
{
    const struct formula_rule *rule = p->own ? formula_rule(s->variant) : NULL;

    if (p->own && !(rule && rule->own && !strcmp(rule->own, p->name)))
        return p->own;
    return p->excuse ? p->excuse(s) : NULL;
}

static void measure(struct gauge *m, const struct subject *s,
                    const struct property *p, const struct backend *be)
{
    for (int i = 0; i < p->settings || i == 0; i++) {
        struct model_config c = layer_config[i];
        struct layer l;

        c.N = p->N ? p->N : c.N;
        layer_open(&l, s, &c, be);
        l.setting = i;
        for (int k = 0; k < MASKS; k++)
            if (p->masks & 1u << k && layer_may(s, &layer_mask[k]))
                p->run(&l, &layer_mask[k], m);
        layer_close(&l);
    }
}

enum verdict verify_property(const struct subject *s,
                             const struct property *p,
                             const struct backend *be, verify_report *report,
                             void *arg)
{
    const char *excuse = excuse_of(p, s);
    struct gauge m = {.value = 0};

    if (!excuse && p->whole)
        p->whole(s, be, &m);
    else if (!excuse)
        measure(&m, s, p, be);
    enum verdict v = excuse                ? VERDICT_NONE
                     : holds(p, m.value) ? VERDICT_PASS
                                         : VERDICT_FAIL;
    report(arg, &(struct finding){s, p, v, m.value,
                                  excuse                ? excuse
                                  : v == VERDICT_FAIL ? m.where : ""});
    return v;
}

int verify_run(const struct variant *const list[], const struct backend *be,
               verify_report *report, void *arg)
{
    struct subject subject[SUBJECTS];
    int n = subject_list(list, subject), failed = 0;

    REQUIRE(!be->get, "%s: the host cannot read the buffers of this backend",
            be->name);
    be->thread_begin();
    for (int i = 0; i < n; i++)
        for (int p = 0; properties[p]; p++)
            failed += verify_property(&subject[i], properties[p], be, report,
                                      arg) == VERDICT_FAIL;
    return failed;
}
