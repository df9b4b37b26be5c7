/* When a cell resumes from a checkpoint, and when it must stop instead. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/train/provenance.h"
#include "tests/support/trained_store.h"
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

/* ---- checkpoints ---- */

/* The numbers of losses, of validations, and of stored changes of the logits,
 * which are those of steps 1, 2, 4, 8 and 9. */
enum { FEW = 9, SOME = 3, CHANGES = 5 };

struct outcome { char *sha256; double *loss, *ce, *changes; };

static struct outcome outcome(void)
{
    struct cell_reader *r = given_stored();
    struct outcome o = {.loss = given_array(r, "curves/train/loss", FEW),
                        .ce = given_array(r, "curves/valid/ce", SOME),
                        .changes = given_array(
                            r, "attention/moves/encoder.0/rms", CHANGES)};

    assert_int_equal(cell_get_text(r, "weights", "sha256", &o.sha256), OK);
    cell_close(r);
    return o;
}

static void drop(struct outcome *o)
{
    free(o->sha256);
    free(o->loss);
    free(o->ce);
    free(o->changes);
}

/* Trains the cell in this store, and stops it after its first step. */
static void stopped(const struct config *c, const struct task *task)
{
    struct training t = {.at_first = 1};

    assert_int_equal(given_run(c, task, &t), ERR_STOPPED);
    assert_true(file_exists(given_checkpoint[0]));
    assert_false(file_exists(given_checkpoint[1]));
}

static void same_outcome(const struct outcome *a, const struct outcome *b)
{
    assert_string_equal(a->sha256, b->sha256);
    assert_memory_equal(a->loss, b->loss, FEW * sizeof *a->loss);
    assert_memory_equal(a->ce, b->ce, SOME * sizeof *a->ce);
    assert_memory_equal(a->changes, b->changes, CHANGES * sizeof *a->changes);
}

static void ends_alike(const struct config *c)
{
    char build[HASH_HEX], *bytes;
    struct outcome whole, parts;

    given_trained(c, &given_labels);
    whole = outcome();
    given_another_store();
    stopped(c, &given_labels);
    provenance_build(build);
    assert_int_equal(file_read(&bytes, NULL, given_checkpoint[0]), OK);
    assert_string_equal(bytes + 8 + 64, build); /* after magic number and id */
    free(bytes);
    given_trained(c, &given_labels);
    parts = outcome();
    same_outcome(&parts, &whole);
    drop(&parts);
    drop(&whole);
}

static void goes_on(void **state)
{
    struct config c = given_config(TASK_CLASSIFY, FEW, SOME);

    (void)state;
    ends_alike(&c);
}

/* If batches are limited by tokens, examples left over from an epoch are not
 * part of a run's state. */
static void by_tokens(void **state)
{
    struct config c = given_config(TASK_CLASSIFY, FEW, SOME);

    (void)state;
    c.batch_by = BATCH_TOKENS;
    c.batch = 160;
    c.devices = 2;
    ends_alike(&c);
}

/* If the data have other test labels, the cell starts from the beginning. */
static void other_data(void **state)
{
    struct config c = given_config(TASK_CLASSIFY, FEW, SOME);
    struct outcome whole, again;
    struct training t = {.stop = 0};

    (void)state;
    given_rare = SPLIT_TRAIN;
    given_trained(&c, &given_labels);
    whole = outcome();
    given_another_store();
    stopped(&c, &given_labels);
    given_rare = SPLIT_TRAIN;
    assert_int_equal(given_run(&c, &given_labels, &t), OK);
    assert_non_null(strstr(t.remark, "does not match this cell, its data"));
    again = outcome();
    same_outcome(&again, &whole);
    drop(&again);
    drop(&whole);
}

/* If the trials have chosen other settings, the cell starts from the
 * beginning. */
static void other_start(void **state)
{
    struct config c = given_config(TASK_CLASSIFY, FEW, SOME);
    const char *id[] = {"0123456789abcdef"};
    const double ce[] = {1};
    const struct train_choice before = {1, id, ce, "dropout=0"};
    const struct train_choice now = {1, id, ce, "dropout=0.1"};
    struct training first = {.at_first = 1, .choice = &before};
    struct training again = {.choice = &before}, other = {.choice = &now};

    (void)state;
    assert_int_equal(given_run(&c, &given_labels, &first), ERR_STOPPED);
    assert_int_equal(given_run(&c, &given_labels, &again), OK);
    assert_string_equal(again.remark, "");
    given_another_store();
    first.stop = 0;
    assert_int_equal(given_run(&c, &given_labels, &first), ERR_STOPPED);
    assert_int_equal(given_run(&c, &given_labels, &other), OK);
    assert_non_null(strstr(other.remark, "does not match this cell, its data, "
                                         "its initial weights"));
}

/* A runner that has lost the lease of a cell must not touch its files. */
static void taken_over(void **state)
{
    struct config c = given_config(TASK_CLASSIFY, FEW, SOME);
    struct training t = {.at_first = 1, .not_ours = 1};

    (void)state;
    assert_int_equal(given_run(&c, &given_labels, &t), ERR_BUSY);
    assert_false(file_exists(given_checkpoint[0]));
}

/* ---- a cell that diverges ---- */

static void set(real *x, int first, int step, double value)
{
    for (int i = 0; i < 16; i++)
        x[first + i * step] = (real)value;
}

/* Sets weights for which the logit of class 0 is -inf: either by its bias, or
 * by finite weights whose product overflows, after a last norm that is 1
 * everywhere. */
static void spoil(real *flat, const struct params *ps, int by_bias)
{
    if (by_bias) {
        flat[params_find(ps, "classifier.b")->at] = -INFINITY;
        return;
    }
    set(flat + params_find(ps, "encoder.norm.gain")->at, 0, 1, 0);
    set(flat + params_find(ps, "encoder.norm.bias")->at, 0, 1, 1);
    set(flat + params_find(ps, "classifier.w")->at, 0, TOY_CLASSES, -3e37);
}

/* Writes a checkpoint of n bytes, of which the last are a digest of the
 * others. */
static void write_checkpoint(char *bytes, size_t n)
{
    char hex[HASH_HEX];

    hash_sha256(bytes, n - sizeof hex, hex);
    memcpy(bytes + n - sizeof hex, hex, sizeof hex);
    assert_int_equal(file_write(given_checkpoint[0], bytes, n), OK);
}

/* Writes a valid checkpoint that contains such weights. */
static void spoil_checkpoint(const struct config *c, int by_bias)
{
    struct mix mix = named_mix(c->variant);
    struct trainer t;
    char *bytes;
    size_t n;

    trainer_open(&t, c, &mix, NULL);
    size_t blocks = (t.params.learned + t.optim.values) * sizeof(real) +
                    sizeof(struct history) + sizeof(struct watch) +
                    sizeof(struct logit_changes);
    assert_int_equal(file_read(&bytes, &n, given_checkpoint[0]), OK);
    char *at = bytes + n - HASH_HEX - blocks;
    real *flat = malloc(t.params.learned * sizeof *flat);
    memcpy(flat, at, t.params.learned * sizeof *flat);
    spoil(flat, &t.params, by_bias);
    memcpy(at, flat, t.params.learned * sizeof *flat);
    write_checkpoint(bytes, n);
    free(flat);
    free(bytes);
    trainer_close(&t);
}

static void infinite(void **state)
{
    static const struct { int rare, by_bias; const char *says; } each[] = {
        {SPLIT_TRAIN, 0, "the loss of step 2 is infinite"},
        {SPLIT_VALID, 0, "the validation loss after step 3 of 9 is infinite"},
        {SPLIT_TEST, 0, "the loss of test example 1 of 20 is infinite"},
        {-1, 1, "a weight of classifier.b after step 9 of 9 is infinite"}};
    struct config c = given_config(TASK_CLASSIFY, FEW, SOME);

    (void)state;
    toy_eager(&c);
    c.lr_scale = 1e-6;
    for (int i = 0; i < 4; i++) {
        struct training t = {.stop = 0};
        struct cell_reader *r;

        given_another_store();
        given_rare = each[i].rare;
        stopped(&c, &given_labels);
        spoil_checkpoint(&c, each[i].by_bias);
        if (given_run(&c, &given_labels, &t) != ERR_DIVERGED ||
            !strstr(err_last(), each[i].says))
            fail_msg("not '%s': %s", each[i].says, err_last());
        assert_string_equal(t.remark, "");
        assert_int_equal(cell_open(&r, given_store, given_id), ERR_EMPTY);
    }
}

/* A valid checkpoint with numbers that no run of this program saves. */
static void impossible(void **state)
{
    static const struct { int64_t evals, tokens, changes; } wrong[] = {
        {-1, 5, 1}, {EVALS + 1, 5, 1}, {0, -5, 1}, {0, 5, -1},
        {0, 5, WATCH_CHANGES + 1}};
    struct config c = given_config(TASK_CLASSIFY, FEW, SOME);
    char *bytes;
    size_t n;

    (void)state;
    given_rare = -1;
    stopped(&c, &given_labels);
    assert_int_equal(file_read(&bytes, &n, given_checkpoint[0]), OK);
    char *changes = bytes + n - HASH_HEX - sizeof(struct logit_changes);
    char *history = changes - sizeof(struct watch) - sizeof(struct history);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct training t = {.stop = 0};

        memcpy(history + offsetof(struct history, evals), &wrong[i].evals, 8);
        memcpy(history + offsetof(struct history, tokens), &wrong[i].tokens,
               8);
        memcpy(changes + offsetof(struct logit_changes, n), &wrong[i].changes,
               8);
        write_checkpoint(bytes, n);
        assert_int_equal(given_run(&c, &given_labels, &t), ERR_STORE);
        assert_non_null(strstr(err_last(), "has impossible values; remove"));
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest resume[] = {
        {"a cell that was stopped and resumed ends with the same results",
         goes_on, given_setup, given_teardown, NULL},
        {"a resumed cell with batches by tokens ends with the same results",
         by_tokens, given_setup, given_teardown, NULL},
        {"a cell whose data have changed starts from the beginning", other_data,
         given_setup, given_teardown, NULL},
        {"a cell whose trials chose other settings starts from the beginning",
         other_start, given_setup, given_teardown, NULL},
        {"a cell that another runner has taken over saves nothing", taken_over,
         given_setup, given_teardown, NULL},
        {"an infinite loss or weight ends a cell, and nothing is stored",
         infinite, given_setup, given_teardown, NULL},
        {"a checkpoint with impossible numbers is refused", impossible,
         given_setup, given_teardown, NULL},
    };

    backend_cpu.thread_begin();
    return cmocka_run_group_tests_name("train_resume", resume, NULL, NULL);
}
