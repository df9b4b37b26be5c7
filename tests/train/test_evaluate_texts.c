/* Decoded texts of a trained model: each text, its score and where it ends. */
#include "harness/base/err.h"
#include "harness/nn/decode.h"
#include "harness/train/evaluate.h"
#include "tests/support/leaf.h"
#include "tests/support/select_variants.h"
#include "tests/support/toy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void ignore(void *arg, long done)
{
    *(long *)arg = done;
}

/* After training, the decoded text equals the target. */
static void texts(void **state)
{
    struct config c = toy_config(TASK_TRANSDUCE);
    struct mix mix = named_mix("vanilla");
    struct arena *a = arena_new();
    struct scores s;
    struct trainer t;
    int right = 0;
    long done = 0;
    const struct follower follows = {NULL, ignore, &done};

    (void)state;
    toy_open(TASK_TRANSDUCE);
    toy_eager(&c);
    trainer_open(&t, &c, &mix, NULL);
    toy_train(&t, 0, 250);
    evaluate(&s, &t, &toy, SPLIT_TRAIN, a, NULL);
    assert_int_equal(evaluate_decode(&s, &t, &toy, SPLIT_TRAIN, a, &follows),
                     OK);
    assert_int_equal(done, TOY_TRAIN);
    for (int i = 0; i < TOY_TRAIN; i++) {
        const struct example *r = &toy.split[SPLIT_TRAIN].row[i];

        right += !strcmp(s.text[i],
                         dataset_text(&toy, r->target, r->ntarget, a));
    }
    if (right < TOY_TRAIN * 3 / 4)
        fail_msg("%d of %d texts are right", right, TOY_TRAIN);
    trainer_close(&t);
    arena_free(a);
    dataset_close(&toy);
}

/* Decodes all texts of a split with `threads` threads, and stores the texts and
 * their scores in `s`. */
static void decode_by(struct scores *s, const struct config *base, int threads,
                      struct arena *a)
{
    struct config c = *base;
    struct mix mix = named_mix("vanilla");
    struct trainer t;
    long done = 0;
    const struct follower follows = {NULL, ignore, &done};

    c.threads = threads;
    trainer_open(&t, &c, &mix, NULL);
    toy_train(&t, 0, 30);
    *s = (struct scores){.n = TOY_TRAIN};
    assert_int_equal(evaluate_decode(s, &t, &toy, SPLIT_TRAIN, a, &follows),
                     OK);
    assert_int_equal(done, TOY_TRAIN);
    trainer_close(&t);
}

static void texts_of_threads(void **state)
{
    (void)state;
    for (int beam = 1; beam <= 3; beam += 2) {
        struct config c = toy_config(TASK_TRANSDUCE);
        struct arena *a = arena_new();
        struct scores one, many;

        assert_true(TOY_TRAIN > 2 * DECODE_ROWS); /* several batches */
        toy_open(TASK_TRANSDUCE);
        c.beam = c.nbest = beam;
        decode_by(&one, &c, 1, a);
        decode_by(&many, &c, 3, a);
        for (int i = 0; i < TOY_TRAIN; i++)
            assert_string_equal(one.text[i], many.text[i]);
        assert_memory_equal(one.score, many.score,
                            (size_t)(TOY_TRAIN * beam) * sizeof *one.score);
        arena_free(a);
        dataset_close(&toy);
    }
}

/* ---- a model that repeats one id for ever ---- */

enum { SAID = 7 };

/* Changes the model so that every hidden state is the first unit vector. The
 * logit of id j is then table[j][0]: 2 for SAID, 1 for the next id, otherwise
 * 0. */
static void make_endless(struct trainer *t)
{
    tensor *table = params_find(&t->params, "softmax.table")->value;
    tensor *gain = params_find(&t->params, "decoder.norm.gain")->value;
    tensor *bias = params_find(&t->params, "decoder.norm.bias")->value;

    t->be->zero(table->x, tensor_len(table) * sizeof(real));
    t->be->zero(gain->x, tensor_len(gain) * sizeof(real));
    t->be->zero(bias->x, tensor_len(bias) * sizeof(real));
    bias->x[0] = 1;
    table->x[SAID * table->dim[1]] = 2;
    table->x[(SAID + 1) * table->dim[1]] = 1;
}

static int words_of(const char *text)
{
    int n = *text != 0;

    for (; *text; text++)
        n += *text == ' ';
    return n;
}

/* Checks the endless text. A text of n ids has log p = n L with L = 2 - log(e^2
 * + e + V - 2), and the score n L / ((5 + n) / 6)^alpha. The second best
 * hypothesis has the other id once. */
static void endless(struct config *c, int beam, double alpha, int most)
{
    const double L = 2 - log(exp(2) + exp(1) + TOY_VOCAB - 2);
    struct mix mix = named_mix("vanilla");
    struct arena *a = arena_new();
    struct scores s = {.n = TOY_VALID};
    struct trainer t;

    c->beam = c->nbest = beam;
    c->alpha = alpha;
    trainer_open(&t, c, &mix, NULL);
    make_endless(&t);
    assert_int_equal(evaluate_decode(&s, &t, &toy, SPLIT_TEST, a, NULL), OK);
    for (int i = 0; i < s.n; i++) {
        int n = toy.split[SPLIT_TEST].row[i].nsource + 50;
        n = n < most ? n : most;
        double by = pow((5 + n) / 6.0, alpha);

        assert_int_equal(words_of(s.text[i]), n);
        assert_true(fabs(s.score[i * beam] - n * L / by) < 1e-5 * n);
        if (beam > 1)
            assert_true(fabs(s.score[i * beam + 1] - (n * L - 1) / by) <
                        1e-5 * n);
    }
    trainer_close(&t);
    arena_free(a);
}

static void limits(void **state)
{
    struct config c = toy_config(TASK_TRANSDUCE);

    (void)state;
    toy_open(TASK_TRANSDUCE);
    c.model.tied = 0;
    c.model.N = 72;
    endless(&c, 1, 0.6, 72);
    endless(&c, 2, 0, 72);
    endless(&c, 2, 1.5, 72);
    c.model.N = 40;
    endless(&c, 2, 1.5, 40);
    dataset_close(&toy);
}

/* ---- single examples ---- */

/* Decodes one example alone: at most N ids, after the start id of the data,
 * with the beam of the configuration. */
static void decode_alone(struct hypothesis *h, const struct trainer *t,
                         const struct example *e, struct arena *a)
{
    struct decoding s = {.source = e->source, .length = &e->nsource, .b = 1,
                         .n = e->nsource, .limit = &t->c->model.N,
                         .start = toy.start, .eos = ID_EOS,
                         .beam = t->c->beam, .alpha = t->c->alpha};

    decode(t->lane[0].model, t->tape[0], &s, a, a, h);
}

enum { WIDE = 4, BEST = 2 };

static void settings_of_decoding(void **state)
{
    struct config c = toy_config(TASK_TRANSDUCE);
    struct arena *a = arena_new();
    struct scores s = {.n = TOY_VALID};
    struct mix mix = named_mix("vanilla");
    struct hypothesis h[WIDE];
    struct trainer t;

    (void)state;
    toy_open(TASK_TRANSDUCE);
    toy.start = ID_UNK;
    c.beam = WIDE;
    c.nbest = BEST;
    c.alpha = 0.8;
    c.model.N = TOY_LENGTH;
    trainer_open(&t, &c, &mix, NULL);
    assert_int_equal(evaluate_decode(&s, &t, &toy, SPLIT_VALID, a, NULL), OK);
    for (int i = 0; i < TOY_VALID; i++) {
        decode_alone(h, &t, &toy.split[SPLIT_VALID].row[i], a);
        for (int k = 0; k < BEST; k++) {
            assert_string_equal(s.best[BEST * i + k],
                                dataset_text(&toy, h[k].id, h[k].n, a));
            assert_true(fabs(s.score[BEST * i + k] - h[k].score) < CLOSE);
        }
        assert_true(s.score[BEST * i] > s.score[BEST * i + 1]);
        assert_true(fabs(h[0].score - h[0].logp) > 1e3 * CLOSE);
        assert_string_equal(s.text[i], s.best[BEST * i]);
    }
    trainer_close(&t);
    arena_free(a);
    dataset_close(&toy);
}

int main(void)
{
    const struct CMUnitTest writing[] = {
        {"a trained model decodes the texts that it has learned", texts, NULL,
         NULL, NULL},
        {"texts and scores do not depend on the number of threads",
         texts_of_threads, NULL, NULL, NULL},
        {"an endless text is cut 50 ids after the length of its source, or at "
         "N, and is scored with alpha", limits, NULL, NULL, NULL},
        {"decoding obeys the settings of beam, alpha, start id and nbest",
         settings_of_decoding, NULL, NULL, NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("evaluated texts", writing, NULL, NULL);
}
