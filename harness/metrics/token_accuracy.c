/*
 * Token accuracy: of all target tokens, end marks counted, the share whose
 * most probable id under teacher forcing is the right one; percent.
 */
#include "harness/metrics/metric.h"

#include <math.h>

struct token_accuracy { long hits, tokens; };

static void begin(void *self)
{
    *(struct token_accuracy *)self = (struct token_accuracy){0};
}

static void add(void *self, const struct seen *s)
{
    struct token_accuracy *m = self;

    m->hits += s->hits;
    m->tokens += s->tokens;
}

static double end(void *self)
{
    const struct token_accuracy *m = self;

    return m->tokens ? 100.0 * (double)m->hits / (double)m->tokens : NAN;
}

const struct metric metric_token_accuracy = {
    .name = "token_accuracy",
    .title = "token accuracy",
    .unit = "%",
    .better = 1,
    .size = sizeof(struct token_accuracy),
    .signature = "teacher forcing|argmax|eos:counted",
    .begin = begin,
    .add = add,
    .end = end,
};
