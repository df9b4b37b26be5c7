/* Computes every attribute of a cell file in a second, independent way. */
#include "tests/support/expected_attributes.h"

#include "harness/base/clock.h"
#include "harness/base/cores.h"
#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/config/settings.h"
#include "harness/engine/timed.h"
#include "harness/train/phase.h"
#include "harness/train/provenance.h"
#include "harness/train/weights.h"

#include "build_info.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static struct arena *memory(struct look *k) { return k->t.memory; }

void same_real(const char *path, double is, double want)
{
    if (!(fabs(is - want) <= 1e-12 * (1 + fabs(want))))
        fail_msg("%s is %.17g, not %.17g", path, is, want);
}

void same_text(const char *path, const char *is, const char *want)
{
    if (strcmp(is, want))
        fail_msg("%s is '%s', not '%s'", path, is, want);
}

static double real_of(struct look *k, const char *attribute)
{
    return trained_real(&k->t, attribute);
}

/* ---- numeric attributes ---- */

static double floor_of(struct look *k) { return k->h.d.floor; }
static double steps_timed(struct look *k)
{
    return k->h.c.steps - k->h.c.steps / 32 - /* profiled steps do not count */
           real_of(k, "timing@steps_stopped");
}
static double steps_clocked(struct look *k) { return k->h.c.steps / 32; }
static double speed(struct look *k)
{
    return 1 / real_of(k, "timing@step_seconds_median");
}
static double token_speed(struct look *k)
{
    return (double)k->h.tokens / k->h.c.steps * speed(k);
}
static double tokens(struct look *k) { return (double)k->h.tokens; }
static double jobs(struct look *k) { (void)k; return 3; }
static double threads(struct look *k) { return k->h.c.threads; }
static double granted(struct look *k) { (void)k; return cores_count(); }
static double one(struct look *k) { (void)k; return 1; }
static double seed(struct look *k) { return (double)k->h.c.seed; }
static double bits(struct look *k) { (void)k; return 8 * sizeof(real); }
#if BUILD_DIRTY >= 0 /* otherwise it is not recorded */
static double dirty(struct look *k) { (void)k; return BUILD_DIRTY; }
#endif
static double subset(struct look *k) { return k->h.d.subset; }
static double processors(struct look *k)
{
    (void)k;
    return (double)sysconf(_SC_NPROCESSORS_ONLN);
}
static double params(struct look *k)
{
    return (double)params_total(&k->h.t.params, PARAM_LEARNED);
}
static struct cost cost_of(struct look *k)
{
    struct cost c;

    train_cost(&k->h.c, &k->t.mix, k->t.task, NULL, &c);
    return c;
}
static double flops(struct look *k) { return cost_of(k).flops_per_step; }
static double bytes(struct look *k) { return cost_of(k).bytes; }

/* Returns the mean of n / 10 points, the first of which is back * (n / 10)
 * points before the end, and sets *variance to the square of the standard error
 * of that mean. A point is the mean of `stride` steps. */
static double tenth(struct look *k, int back, double *variance)
{
    int stride = (k->h.c.steps + 999) / 1000, n = k->h.c.steps / stride;
    int some = n / 10, first = (n - back * some) * stride;
    double sum = 0, square = 0;

    for (int i = 0; i < some; i++) {
        double point = 0;

        for (int j = 0; j < stride; j++)
            point += k->h.loss[first + i * stride + j] / stride;
        sum += point;
        square += point * point;
    }
    *variance = (square - sum * sum / some) / (some - 1) / some;
    return sum / some;
}
static double settled(struct look *k)
{
    double v;

    return tenth(k, 2, &v) - tenth(k, 1, &v);
}
static double settled_error(struct look *k)
{
    double before, last;

    tenth(k, 2, &before);
    tenth(k, 1, &last);
    return sqrt(before + last);
}

/* Returns the measured time `what`, which has no expected value. Returns the
 * time `less` (NULL: 0) if it is longer, because the measured time must not be
 * below it. */
static double at_least(struct look *k, const char *what, const char *less)
{
    double x = real_of(k, what), low = less ? real_of(k, less) : 0;

    return x > low ? x : low;
}
#define AFTER(name, what, less)                                               \
    static double name(struct look *k) { return at_least(k, what, less); }
AFTER(least, "timing@step_seconds_min", NULL)
AFTER(p10, "timing@step_seconds_p10", "timing@step_seconds_min")
AFTER(median, "timing@step_seconds_median", "timing@step_seconds_p10")
AFTER(p90, "timing@step_seconds_p90", "timing@step_seconds_median")
AFTER(spread, "timing@step_spread", NULL)
AFTER(load_first, "timing@load_begin", NULL)
AFTER(load_last, "timing@load_end", NULL)
AFTER(cpu, "timing@train_cpu_seconds", NULL)
AFTER(evaluating, "timing@eval_seconds", NULL)

/* Returns the total time of all steps or, if it is longer, the shortest step
 * time multiplied by the number of steps. */
static double training(struct look *k)
{
    double low = least(k) * steps_timed(k);
    double x = real_of(k, "timing@train_seconds");

    return x > low ? x : low;
}

/* Applies the rule of stats/step_timing.h for noisy times. */
static double too_noisy(struct look *k)
{
    double load = fmax(load_first(k), load_last(k));

    return steps_timed(k) < 3 || spread(k) > 0.25 ||
           load > 1.25 * processors(k);
}

/* Returns the peak memory of this process. The stored value cannot be larger,
 * because the peak never decreases. */
static double memory_used(struct look *k)
{
    double x = real_of(k, "timing@peak_rss_bytes");

    return x > 1e6 && x <= provenance_peak_rss() ? x : NAN;
}

/* Checks the two stored versions: with them, the id of the configuration must
 * be the cell's id. */
static void versions(struct look *k, const char *path)
{
    char id[CELL_ID];

    cell_id(id, trained_text(&k->t, "config@json"),
            (int)real_of(k, "provenance@data_recipe_version"),
            (int)real_of(k, "provenance@numerics_version"));
    same_text(path, id, k->t.id);
}

static const struct { const char *path; double (*want)(struct look *k); }
numbers[] = {
    {"@schema_version", one},
    {"@seed", seed},
    {"curves/train@settled", settled},
    {"curves/train@settled_error", settled_error},
#if BUILD_DIRTY >= 0
    {"provenance@dirty", dirty},
#endif
    {"provenance@real_bits", bits},
    {"provenance@threads", threads},
    {"provenance@cores", granted},
    {"provenance@synthetic", one},
    {"provenance@subset", subset},
    {"provenance@entropy_floor_nats", floor_of},
    {"timing@train_seconds", training},
    {"timing@train_cpu_seconds", cpu},
    {"timing@eval_seconds", evaluating},
    {"timing@steps_timed", steps_timed},
    {"timing@steps_stopped", NULL}, /* checked by steps_timed */
    {"timing@steps_clocked", steps_clocked},
    {"timing@load_begin", load_first},
    {"timing@load_end", load_last},
    {"timing@processors", processors},
    {"timing@jobs", jobs},
    {"timing@too_noisy", too_noisy},
    {"timing@step_spread", spread},
    {"timing@step_seconds_min", least},
    {"timing@step_seconds_p10", p10},
    {"timing@step_seconds_median", median},
    {"timing@step_seconds_p90", p90},
    {"timing@steps_per_s", speed},
    {"timing@tokens_per_s", token_speed},
    {"timing@flops_per_step", flops},
    {"timing@estimated_bytes", bytes},
    {"timing@peak_rss_bytes", memory_used},
    {"timing@params", params},
    {"timing@tokens", tokens},
};

/* ---- text attributes ---- */

static const char *title(struct look *k)
{
    char *s = str_format("%s on %s, smoke scale, seed %d", k->h.c.variant,
                         k->t.task->title, (int)k->h.c.seed);
    const char *copy = arena_text(memory(k), s);

    free(s);
    return copy;
}
static const char *history(struct look *k)
{
    char *s = str_format("%s synthbench run",
                         trained_text(&k->t, "@date_created"));
    const char *copy = arena_text(memory(k), s);

    free(s);
    return copy;
}
static const char *config(struct look *k)
{
    char *s = settings_text(&k->t.c, 1);
    const char *copy = arena_text(memory(k), s);

    free(s);
    return copy;
}
/* The stored date is between the start of this test and now. ISO dates sort as
 * text. */
static const char *date(struct look *k)
{
    const char *is = trained_text(&k->t, "provenance@date");
    char now[32];

    return strcmp(is, k->began) >= 0 && strcmp(is, clock_iso(now)) <= 0
               ? is : arena_text(memory(k), "of another time");
}
static const char *created(struct look *k)
{
    const char *is = trained_text(&k->t, "@date_created");

    return strcmp(is, date(k)) >= 0 ? is : "older than its training";
}
static const char *of_provenance(struct look *k, void (*get)(char *out))
{
    char out[PROVENANCE_TEXT];

    get(out);
    return arena_text(memory(k), out);
}
static const char *granted_by(struct look *k)
{
    struct cores c;

    (void)k;
    cores_granted(&c);
    return c.by ? c.by : "nobody";
}
static const char *affinity(struct look *k)
{
    struct cores c;

    cores_granted(&c);
    return arena_text(memory(k), c.list);
}
static const char *build(struct look *k)
{
    return of_provenance(k, provenance_build);
}
static const char *loaded(struct look *k)
{
    return of_provenance(k, provenance_libraries);
}
static const char *instructions(struct look *k)
{
    return of_provenance(k, provenance_processor_has);
}
static const char *environment(struct look *k)
{
    return of_provenance(k, provenance_environment);
}
static const char *processor(struct look *k)
{
    return of_provenance(k, provenance_processor);
}
static const char *os(struct look *k)
{
    struct utsname u;

    uname(&u);
    char *s = str_format("%s %s", u.sysname, u.release);
    const char *copy = arena_text(memory(k), s);
    free(s);
    return copy;
}
static const char *weights(struct look *k)
{
    char hex[HASH_HEX];

    trainer_digest(&k->h.t, hex);
    return arena_text(memory(k), hex);
}
static const char *weights_file(struct look *k)
{
    char hex[HASH_HEX], *path = weights_path(trained_store, k->t.id);

    assert_int_equal(hash_file(path, hex), OK);
    free(path);
    return arena_text(memory(k), hex);
}

#define SAYS(name, text)                                                      \
    static const char *name(struct look *k) { (void)k; return text; }
SAYS(conventions, "CF-1.8, ACDD-1.3")
SAYS(source, "synthbench")
SAYS(done, "done")
SAYS(commit, BUILD_COMMIT)
SAYS(compiler, BUILD_COMPILER)
SAYS(flags, BUILD_FLAGS)
SAYS(libraries, BUILD_LIBRARIES)
SAYS(instructions_compiled, BUILD_INSTRUCTIONS)
SAYS(instructions_used, provenance_instructions())
static const char *products(struct look *k)
{
    static char name[BACKEND_PRODUCTS];

    (void)k;
    return backend_products(name);
}

SAYS(id, k->t.id)
SAYS(variant, k->h.c.variant)
SAYS(task, k->h.c.task)
SAYS(scale, k->h.c.scale)
SAYS(data_source, k->h.d.source)
SAYS(data_digest, k->h.d.digest)
SAYS(parent, k->parent)

static const struct { const char *path; const char *(*want)(struct look *k); }
words[] = {
    {"@Conventions", conventions}, {"@title", title}, {"@source", source},
    {"@history", history}, {"@date_created", created}, {"@id", id},
    {"@variant", variant}, {"@task", task}, {"@scale", scale},
    {"@status", done}, {"config@json", config},
    {"provenance@commit", commit}, {"provenance@build", build},
    {"provenance@compiler", compiler}, {"provenance@flags", flags},
    {"provenance@cores_granted_by", granted_by},
    {"provenance@cores_affinity", affinity},
    {"provenance@libraries", libraries},
    {"provenance@libraries_loaded", loaded},
    {"provenance@instruction_set", instructions_used},
    {"provenance@instruction_set_compiler", instructions_compiled},
    {"provenance@instruction_set_processor", instructions},
    {"provenance@products", products},
    {"provenance@environment", environment},
    {"provenance@processor", processor}, {"provenance@system", os},
    {"provenance@date", date}, {"provenance@data_source", data_source},
    {"provenance@data_digest", data_digest},
    {"provenance@pretrained_sha256", parent}, {"weights@sha256", weights},
    {"weights@file_sha256", weights_file},
};

/* ---- attributes with a common form ---- */

/* Compares attributes such as provenance@train_tokens with the data. */
static int of_split(struct look *k, const char *path)
{
    for (int s = 0; s < SPLITS; s++) {
        const struct examples *e = &k->h.d.split[s];
        const struct { const char *name; double want; } part[] = {
            {"examples", e->n}, {"tokens", (double)e->tokens},
            {"dropped", e->dropped}, {"truncated", e->truncated}};

        for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
            char *name = str_format("provenance@%s_%s", split_name[s],
                                    part[i].name);
            int found = !strcmp(name, path);

            free(name);
            if (found)
                same_real(path, real_of(k, path), part[i].want);
            if (found)
                return 1;
        }
    }
    return 0;
}

/* Compares config@KEY, a number or a text, with the configuration. */
static int of_config(struct look *k, const char *path)
{
    const char *key = path + strlen("config@");
    char *want, *end = NULL;

    if (strncmp(path, "config@", strlen("config@")) ||
        settings_get(&k->t.c, key, &want) < 0)
        return 0;
    double x = !strcmp(want, "true") ? 1 : strtod(want, &end);
    if (!end || !strcmp(want, "false") || !*end)
        same_real(path, real_of(k, path), x);
    else
        same_text(path, trained_text(&k->t, path), want);
    free(want);
    return 1;
}

/* Checks timing/cpu_seconds@PHASE and timing/kernel_seconds@CLASS: none of them
 * exceeds the processor time of the process. */
static int of_profile(struct look *k, const char *path)
{
    const char *name = strchr(path, '@');
    int phase = !strncmp(path, "timing/cpu_seconds@", 19);
    int kernel = !strncmp(path, "timing/kernel_seconds@", 22);

    if (!(phase && names_index(phase_name, name + 1) >= 0) &&
        !(kernel && (names_index(kernel_class_name, name + 1) >= 0 ||
                     !strcmp(name, "@other"))))
        return 0;
    double x = real_of(k, path);
    if (!(x >= 0 && x <= clock_cpu_seconds()))
        fail_msg("%s is %g", path, x);
    return 1;
}

/* ---- attention ---- */

static const char *const place[] = {"encoder", "decoder", "cross"};

/* Compares attention/moves/encoder.0/step and .../rms, likewise for other
 * layers. */
static int of_changes(struct look *k, const char *path)
{
    const struct logit_changes *m = &k->h.changes;
    int found = 0;

    for (int p = 0; p < 3 && !found; p++) {
        char *at = str_format("attention/moves/%s.0/", place[p]);

        found = !strncmp(path, at, strlen(at)) && m->logits[p][0];
        if (found) {
            const char *name = path + strlen(at);
            struct reals is = trained_reals(&k->t, path);

            assert_int_equal(is.n, m->n);
            assert_true(!strcmp(name, "step") || !strcmp(name, "rms"));
            for (size_t i = 0; i < is.n; i++)
                same_real(path, is.x[i], *name == 's' ? (double)m->step[i]
                                                      : m->rms[p][0][i]);
        }
        free(at);
    }
    return found;
}

/* Compares a list of attention maps with indices [head][row][key]. */
static void of_map(struct look *k, const char *path,
                   const struct sentence_map *m, size_t rows, size_t keys)
{
    struct reals is = trained_reals(&k->t, path);

    assert_int_equal(is.n, (size_t)m->heads * rows * keys);
    for (size_t i = 0; i < is.n; i++)
        same_real(path, is.x[i], (double)m->x[i / keys / rows][i / keys % rows]
                                             [i % keys]);
}

void stored_count(struct look *k, const char *path)
{
    struct reals is = trained_reals(&k->t, path);

    for (size_t i = 0; i < is.n; i++)
        same_real(path, is.x[i], (double)i);
}

/* Compares the attention maps of a sentence of n tokens. `name` is the end of
 * their path, such as "/end", "@rows" or "/scores_start". */
static void of_place(struct look *k, const char *path, const char *name, int p,
                     size_t n)
{
    const struct sentence *start = &k->h.first.sentence;
    const struct sentence *end = &k->h.last.sentence;
    const struct sentence_map *w = &end->weight[p], *s = &end->score[p];
    size_t rows = n < (size_t)w->rows ? n : (size_t)w->rows;
    static const char *const counts[] = {"/head", "/row", "/key", "/scores_row",
                                         "/scores_key", NULL};
    const struct { const char *name; int is; } count[] = {
        {"@heads", w->heads}, {"@rows", (int)rows}, {"@keys", (int)rows},
        {"@scores_rows", s->rows}, {"@scores_keys", s->keys}};

    for (int i = 0; i < 5; i++)
        if (!strcmp(name, count[i].name))
            same_real(path, real_of(k, path), count[i].is);
    if (!strcmp(name, "/start"))
        of_map(k, path, &start->weight[p], rows, rows);
    if (!strcmp(name, "/end"))
        of_map(k, path, w, rows, rows);
    if (!strcmp(name, "/scores_start"))
        of_map(k, path, &start->score[p], (size_t)s->rows, (size_t)s->keys);
    if (!strcmp(name, "/scores_end"))
        of_map(k, path, s, (size_t)s->rows, (size_t)s->keys);
    if (!strcmp(name, "/tokens"))
        assert_int_equal(trained_texts(&k->t, path).n, rows);
    if (names_index(counts, name) >= 0)
        stored_count(k, path);
}

/* Compares the map of a self-attention layer, such as
 * attention/sentence/decoder.0. */
static int of_sentence(struct look *k, const char *path)
{
    const struct example *e =
        &k->h.d.split[SPLIT_VALID].row[k->h.last.sentence.example];
    int found = 0;

    for (int p = 0; p < SENTENCE_PLACES && !found; p++) {
        char *at = str_format("attention/sentence/%s.0", place[p]);

        found = !strncmp(path, at, strlen(at));
        if (found)
            of_place(k, path, path + strlen(at), p,
                     (size_t)(p ? e->ntarget : e->nsource));
        free(at);
    }
    return found;
}

/* Returns the lower edge of a bin. Bins cover quarter decades up to 1; the
 * first bin starts at 0. */
static double edge(size_t bin)
{
    return bin ? pow(10, (double)bin / 4 - 6) : 0;
}

int stored_attention(struct look *k, const char *path)
{
    const struct { const char *when; const struct watch *w; } time[] = {
        {"start", &k->h.first}, {"end", &k->h.last}};
    char *at;
    int same = of_changes(k, path) || of_sentence(k, path);

    for (int i = 0; i < 6 && !same; i++) {
        const struct watched *w = &time[i / 3].w->place[i % 3][0];

        at = str_format("attention/%s/%s.0", time[i / 3].when, place[i % 3]);
        same = !strncmp(path, at, strlen(at));
        if (same && strchr(path, '@')) {
            same_real(path, real_of(k, path), w->entropy / (double)w->rows);
        } else if (same) {
            struct reals is = trained_reals(&k->t, path);
            int edges = strlen(path) == strlen(at) + strlen("/bin");

            assert_int_equal(is.n, WATCH_BINS);
            for (size_t b = 0; b < is.n; b++)
                same_real(path, is.x[b], edges ? edge(b) : (double)w->bin[b]);
        }
        free(at);
    }
    return same;
}

/* ---- all attributes ---- */

int stored_attribute(struct look *k, const char *path)
{
    if (!strcmp(path, "provenance@data_recipe_version") ||
        !strcmp(path, "provenance@numerics_version")) {
        versions(k, path);
        return 1;
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!strcmp(path, numbers[i].path)) {
            if (numbers[i].want)
                same_real(path, real_of(k, path), numbers[i].want(k));
            return 1;
        }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(path, words[i].path)) {
            same_text(path, trained_text(&k->t, path), words[i].want(k));
            return 1;
        }
    return of_split(k, path) || of_config(k, path) || of_profile(k, path) ||
           stored_attention(k, path);
}
