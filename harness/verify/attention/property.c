#include "harness/verify/attention/property.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define PROPERTY(name) extern const struct property property_##name;
#include "harness/verify/attention/list.h"
#undef PROPERTY

const struct property *const properties[] = {
#define PROPERTY(name) &property_##name,
#include "harness/verify/attention/list.h"
#undef PROPERTY
    NULL};

const double rounding = sizeof(real) == sizeof(double) ? 1e-12 : 1e-5;

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
