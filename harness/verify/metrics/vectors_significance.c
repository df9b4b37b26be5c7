/*
 * vectors_significance: checks sacreBLEU's paired significance tests of BLEU,
 * the random draws of these tests, and the random-number generator itself
 * (pcg64_check.json next to the cases).  Values that sacreBLEU sums in float32
 * have a tolerance of 1e-5.  The table of vectors.c lists the check.
 */
#include "harness/verify/metrics/vector_case.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/metrics/paired.h"
#include "harness/stats/pcg64.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct scorer scorer_bleu;

static const char *const systems[] = {"baseline", "sysA", "sysB", "copy"};

enum { SYSTEMS = sizeof systems / sizeof *systems };

struct opened {
    struct lines       hyp[SYSTEMS], ref;
    struct score_input in[SYSTEMS];
};

static int open_case(struct opened *f, const struct vector_case *c)
{
    PASS(case_lines(c, &f->ref, "ref1.txt"));
    for (int i = 0; i < SYSTEMS; i++) {
        OWNED(free) char *name = str_format("%s.txt", systems[i]);

        PASS(case_lines(c, &f->hyp[i], name));
        f->in[i] = (struct score_input){.hyp = &f->hyp[i], .ref = {&f->ref},
                                        .refs = 1};
    }
    return OK;
}

static void close_case(struct opened *f)
{
    lines_close(&f->ref);
    for (int i = 0; i < SYSTEMS; i++)
        lines_close(&f->hyp[i]);
}
OWNER_OF_VALUE(close_case, struct opened)

static void give(struct opened *f, const struct score_options *options)
{
    for (int i = 0; i < SYSTEMS; i++)
        f->in[i].options = options;
}

/* Checks one test; `want` is {"baseline": {...}, "sysA": {...}, ...}. */
static int check_test(struct vector_case *c, struct opened *f,
                      enum paired_test test, int n, const char *where,
                      const json_t *want)
{
    OWNED(score_options_free) struct score_options *options =
        score_options_new(&scorer_bleu);
    OWNED(json_decref) json_t *r = json_object();
    struct paired p[SYSTEMS];

    give(f, options);
    PASS(paired_run(p, &scorer_bleu, f->in, SYSTEMS, test, n, PAIRED_SEED));
    for (int i = 0; i < SYSTEMS; i++)
        json_object_set_new(r, systems[i], paired_json(NULL, &p[i]));
    return case_equal(c, where, want, r);
}

static int check_tests(struct vector_case *c, struct opened *f)
{
    char test[3], kind[32], where[128];
    const char *key;
    json_t *v;
    int n;

    json_object_foreach(c->expected, key, v) {
        if (sscanf(key, "%2[abrs]_n%d_%31s", test, &n, kind) != 3)
            continue;
        c->tolerance = strncmp(kind, "float32", 7) ? 1e-9 : 1e-5;
        snprintf(where, sizeof where, "%.60s.BLEU", key);
        PASS(check_test(c, f, *test == 'a' ? PAIRED_TEST_AR : PAIRED_TEST_BS, n,
                        where, json_object_get(v, "BLEU")));
    }
    c->tolerance = 1e-9;
    return OK;
}

/* Checks the bootstrap interval of a single system and its signature. */
static int check_single(struct vector_case *c, struct opened *f)
{
    const char *key = "single_system_bootstrap_sysA";
    const json_t *want = json_object_get(c->expected, key);
    int n = (int)json_integer_value(json_object_get(want, "n"));
    OWNED(score_options_free) struct score_options *options =
        score_options_new(&scorer_bleu);
    OWNED(free) char *signature = NULL;
    OWNED(json_decref) json_t *r = NULL, *got = json_object();
    struct paired p;

    if (!want)
        return OK;
    give(f, options);
    PASS(scorer_run(&r, &scorer_bleu, &f->in[1]));
    PASS(paired_run(&p, &scorer_bleu, &f->in[1], 1, PAIRED_TEST_BS, n,
                    PAIRED_SEED));
    signature = paired_signature(result_string(r, "signature"), PAIRED_TEST_BS,
                                 n, PAIRED_SEED);
    json_object_set_new(got, "n", json_integer(n));
    json_object_set_new(got, "score", json_real(p.score));
    json_object_set_new(got, "mean", json_real(p.mean));
    json_object_set_new(got, "ci", json_real(p.ci));
    json_object_set_new(got, "signature", json_string(signature));
    return case_equal(c, key, want, got);
}

/* ---- draws ---- */

/* Checks the lines of the file `name`: each has the next n draws of the
 * generator, which are bits if `bits` is 1, else numbers below n. */
static int check_draws(struct vector_case *c, const char *name, size_t n,
                       int bits)
{
    OWNED(lines_close) struct lines want = {0};
    struct pcg64 g;

    pcg64_seed(&g, PAIRED_SEED);
    PASS(case_lines(c, &want, name));
    for (size_t i = 0; i < want.n; i++) {
        OWNED(text_free) struct text got = {0};

        for (size_t k = 0; k < n; k++)
            text_format(&got, "%s%u", bits || !k ? "" : " ",
                        bits ? (unsigned)pcg64_bit(&g)
                             : pcg64_below(&g, (uint32_t)n));
        PASS(case_equal_text(c, name, i, want.line[i], got.s));
    }
    return OK;
}

static int check_generator(struct vector_case *c)
{
    OWNED(free) char *path = str_format("%s/../pcg64_check.json", c->path);
    char number[32];
    OWNED(json_decref) json_t *want =
        file_exists(path) ? json_load_file(path, 0, NULL) : NULL;
    OWNED(json_decref) json_t *state = json_array(), *raw = json_array();
    uint32_t words[8];
    struct pcg64 g;

    if (!want)
        return OK;
    pcg64_seed_sequence(words, PAIRED_SEED);
    pcg64_seed(&g, PAIRED_SEED);
    for (int i = 0; i < 8; i++) {
        json_array_append_new(state, json_integer(words[i]));
        snprintf(number, sizeof number, "%llu",
                 (unsigned long long)pcg64_next(&g));
        json_array_append_new(raw, json_string(number));
    }
    PASS(case_equal(c, "seed sequence",
                    json_object_get(want,
                                    "seedsequence_generate_state_uint32_8"),
                    state));
    return case_equal(c, "pcg64", json_object_get(want, "first_8_raw_uint64"),
                      raw);
}

int vectors_significance(struct vector_case *c)
{
    OWNED(close_case) struct opened f = {.ref = {0}};

    PASS(open_case(&f, c));
    PASS(check_generator(c));
    PASS(check_draws(c, "bs100_indices.txt", f.ref.n, 0));
    PASS(check_draws(c, "ar500_mask.txt", f.ref.n, 1));
    PASS(check_tests(c, &f));
    return check_single(c, &f);
}
