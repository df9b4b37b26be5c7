/* ROUGE-1, -2 and -L (metrics/rouge.h): the mean F over examples; percent. */
#include "harness/metrics/metric.h"
#include "harness/metrics/rouge.h"

#include <math.h>

struct mean { struct rouge *rouge; double f[ROUGE_TYPES]; long n; };

static void begin(void *self)
{
    *(struct mean *)self = (struct mean){.rouge = rouge_new(0)};
}

static void add(void *self, const struct seen *s)
{
    struct mean *m = self;
    struct rouge_score score[ROUGE_TYPES];

    rouge_score(m->rouge, s->hyp, s->ref, score);
    for (int t = 0; t < ROUGE_TYPES; t++)
        m->f[t] += score[t].f;
    m->n++;
}

static double end(struct mean *m, enum rouge_type type)
{
    rouge_free(m->rouge);
    return m->n ? 100 * m->f[type] / (double)m->n : NAN;
}

static double end_1(void *self) { return end(self, ROUGE_1); }
static double end_2(void *self) { return end(self, ROUGE_2); }
static double end_l(void *self) { return end(self, ROUGE_L); }

#define ROUGE(NAME, TITLE, END)                                               \
    const struct metric metric_##NAME = {                                     \
        .name = #NAME,                                                        \
        .title = TITLE,                                                       \
        .unit = "%",                                                          \
        .better = 1,                                                          \
        .size = sizeof(struct mean),                                          \
        .signature = #NAME "|nrefs:1|stem:no|tok:a-z0-9|mean:segments|"      \
                     "like:rouge_score-0.1",                              \
        .begin = begin,                                                       \
        .add = add,                                                           \
        .end = END,                                                           \
    }

ROUGE(rouge1, "ROUGE-1", end_1);
ROUGE(rouge2, "ROUGE-2", end_2);
ROUGE(rouge_l, "ROUGE-L", end_l);
