#include "harness/train/phase.h"

#include "harness/base/clock.h"

#include <stddef.h>

const char *const phase_name[PHASES + 1] = {
    "start",  "data",  "train", "valid", "test",
    "decode", "score", "write", NULL};

void phases_begin(struct phases *t)
{
    *t = (struct phases){.since = clock_cpu_seconds()};
}

void phases_enter(struct phases *t, enum phase p)
{
    double now = clock_cpu_seconds();

    t->cpu[t->now] += now - t->since;
    t->since = now;
    t->now = p;
}

void phases_count(struct phases *t) { phases_enter(t, t->now); }

void phases_add(struct phases *t, const struct phases *before)
{
    for (int i = 0; i < PHASES; i++)
        t->cpu[i] += before->cpu[i];
}
