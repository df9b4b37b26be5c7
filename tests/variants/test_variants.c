/* Every property of every variant and mixture, as one test each. In double
 * precision, also compares the gradient of the tape with finite differences,
 * with dropout. */
#include "harness/verify/attention/verify.h"
#include "tests/support/gradcheck.h"
#include "tests/support/leaf.h"
#include "tests/support/select_variants.h"
#include "variants/variants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef REAL_DOUBLE

struct graph { struct layer *l; const struct mask *m; };

static tensor *build(struct tape *t, void *arg)
{
    const struct graph *g = arg;
    struct layer *l = g->l;
    struct relative r = {l->c.relative_buckets, l->c.relative_distance,
                         g->m->causal};
    struct window w = {.keys = LAYER_ROWS, .causal = g->m->causal,
                       .length = g->m->length};

    if (l->relative)
        w.relative = ad_relative(t, l->relative, &r, 0, LAYER_ROWS,
                                 LAYER_ROWS);
    return attention(l->attention, t, l->x, &w);
}

/* Gives each column of w a single sign, and values so small that the softmax is
 * soft. */
static void one_sign(struct layer *l, const char *name)
{
    const struct param *p = params_find(&l->params, name);

    if (!p)
        return;
    leaf_columns(p->value);
    for (size_t i = 0; i < tensor_len(p->value); i++)
        p->value->x[i] *= (real)0.3;
}

/* Keeps inputs away from the kinks of inner relus: x is positive, each column
 * of the weights before a relu has a single sign, and biases are small. */
static void away(struct layer *l)
{
    const struct param *b = params_find(&l->params, "self.dense.b1");

    if (!b)
        b = params_find(&l->params, "self.dense-literal.b1");
    leaf_positive(l->x);
    one_sign(l, "self.dense.w1");
    one_sign(l, "self.dense-literal.w1");
    one_sign(l, "self.dense-mtf.q");
    one_sign(l, "self.factorized-dense.w");
    if (l->c.share_q) /* then the q of vanilla also precedes a relu */
        one_sign(l, "self.vanilla.q");
    if (b)
        leaf_fill(b->value->x, tensor_len(b->value), 0.05, 7);
}

static void gradient(void **state)
{
    const struct subject *s = *state;

    for (int c = 0; c < SETTINGS; c++) {
        struct layer l;
        tensor *wrt[64];
        int n = 0;

        layer_open(&l, s, &layer_config[c], &backend_cpu);
        away(&l);
        wrt[n++] = l.x;
        for (int i = 0; i < l.view.n; i++)
            if (l.view.list[i].kind == PARAM_LEARNED)
                wrt[n++] = l.view.list[i].value;
        for (int i = c; i < MASKS; i += SETTINGS) {
            struct graph g = {&l, &layer_mask[i]};

            if (layer_may(s, g.m))
                assert_gradient(s->name, l.tape, 0.3, build, &g, n, wrt);
        }
        layer_close(&l);
    }
}

#endif

static void finding(void **state)
{
    const struct finding *f = *state;

    if (f->verdict != VERDICT_PASS)
        fail_msg("%.3g, bound %.3g: %s", f->measured, f->property->bound,
                 f->remark);
}

enum { TESTS = SUBJECTS * SUBJECTS };

static struct finding found[TESTS];
static struct CMUnitTest test[TESTS];
static int tests;

/* Adds a test named such as "random: equals the formula in plain loops". */
static void add_test(const char *name, const char *what,
                     CMUnitTestFunction run, const void *with)
{
    char *sentence = malloc(160);

    assert_non_null(sentence);
    assert_true(tests < TESTS);
    snprintf(sentence, 160, "%s: %s", name, what);
    test[tests++] = (struct CMUnitTest){sentence, run, NULL, NULL,
                                        (void *)(uintptr_t)with};
}

/* Adds a finding to the report; its text must last as long as the report. */
static void report(void *arg, const struct finding *f)
{
    (void)arg;
    if (f->verdict == VERDICT_NONE)
        return;
    found[tests] = *f;
    found[tests].remark = strdup(f->remark);
    add_test(f->subject->name, f->property->title, finding, &found[tests]);
}

int main(void)
{
    verify_run(variant_all, &backend_cpu, report, NULL);
#ifdef REAL_DOUBLE
    static struct subject subject[SUBJECTS];
    int n = subject_list(variant_all, subject);

    for (int i = 0; i < n; i++)
        add_test(subject[i].name, "the gradient is right to 1e-7", gradient,
                 &subject[i]);
#endif
    return _cmocka_run_group_tests("variants", test, (size_t)tests, NULL,
                                   NULL);
}
