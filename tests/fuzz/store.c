/*
 * The input is a file of a store without its seal. The seal, the check sums of
 * journal lines and the ids of an experiment are recomputed before the file is
 * read, so that the fuzzer gets past them. Then everything that a command reads
 * is read, and checked for the properties that commands rely on.
 */
#include "tests/fuzz/store.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"
#include "harness/report/signature.h"
#include "harness/store/cell.h"
#include "harness/store/frozen.h"
#include "harness/store/journal.h"
#include "harness/store/store_private.h"
#include "harness/store/trace_file.h"
#include "harness/train/weights.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile size_t seen; /* prevents the compiler from removing reads */

static const char config[] =
    "{\"scale\":\"smoke\",\"seed\":1,\"synthetic\":true,\"task\":\"c4\","
    "\"variant\":\"vanilla\"}";

enum { RECIPE = 2, NUMERICS = 2, EXAMPLES = 3, LONG = 70 };

static void must(int rc) { REQUIRE(rc == OK, "%s", err_last()); }

static void put(const char *path, const void *data, size_t size)
{
    FILE *f = fopen(path, "wb");

    REQUIRE(f && fwrite(data, 1, size, f) == size, "%s: cannot be written",
            path);
    fclose(f);
}

static const char *cell(void) /* returns its id */
{
    static char id[CELL_ID];

    if (!*id)
        cell_id(id, config, RECIPE, NUMERICS);
    return id;
}

static char *path_of(const char *store, const char *folder)
{
    return str_format("%s/%s/%s.h5", store, folder, cell());
}

/* Writes the file with its seal, and an empty journal. */
static void put_sealed(const char *path, const uint8_t *data, size_t size)
{
    char *bytes = malloc(size + CELL_SEAL + 1);

    if (size)
        memcpy(bytes, data, size);
    cell_seal(bytes + size, bytes, size);
    put(path, bytes, size + CELL_SEAL);
    free(bytes);
}

/* Moves a file to a folder of seeds and removes its seal. */
static void as_seed(const char *path, const char *folder, int number,
                    int sealed)
{
    char *bytes, *to = str_format("%s/%d", folder, number);
    size_t n;

    must(file_read(&bytes, &n, path));
    put(to, bytes, n - (sealed ? CELL_SEAL : 0));
    remove(path);
    free(bytes);
    free(to);
}

static void make_store(const char *store)
{
    static const char *const folder[] = {"cells", "weights"};

    for (int i = 0; i < 2; i++) {
        char *path = str_format("%s/%s", store, folder[i]);

        must(file_mkdirs(path));
        free(path);
    }
    must(journal_create(store));
}

/* ---- cells ---- */

static const double number[LONG];
static const char *const text[] = {"a", "b c", "", "d", "e", "f"};

static void put_lists(struct cell_writer *w, size_t n)
{
    const char *t[LONG];

    for (size_t i = 0; i < n; i++)
        t[i] = text[i % 6];
    must(cell_put_array(w, "curves/train/loss", "nats/token", number, n));
    must(cell_put_array(w, "examples/test/nll", "nats", number, n));
    must(cell_put_array(w, "examples/test/label", "1", number, n));
    must(cell_put_strings(w, "examples/test/source", t, n));
    if (n == EXAMPLES) {
        must(cell_put_strings(w, "examples/test/nbest", text, 2 * n));
        must(cell_put_array(w, "examples/test/nbest_score", "nats", number,
                            2 * n));
    }
}

/* Writes a cell. `kind` 0: small; 1: chunked; 2: many values of each kind. */
static void make_cell(const char *store, int kind)
{
    struct cell_writer *w;
    char name[64];

    must(cell_begin(&w, store, cell()));
    must(cell_put_config(w, config, config, RECIPE, NUMERICS));
    put_lists(w, kind == 1 ? LONG : EXAMPLES);
    must(cell_put_metric(w, "ce", "nats/token", -1, "sum / tokens", 1.5));
    must(cell_put_real(w, "baseline/lead", "ce", 2.5));
    must(cell_put_text(w, "baseline/lead", "description", "the first words"));
    for (int i = 0; i < 30 && kind == 2; i++) {
        snprintf(name, sizeof name, "metrics/part%d", i);
        must(cell_put_metric(w, name + 8, "%", 1, "a part", i));
        must(cell_put_int(w, "config", name + 8, i));
    }
    must(cell_commit(w));
}

static void cell_seeds(const char *folder)
{
    char *path = path_of(folder, "cells");

    make_store(folder);
    for (int kind = 0; kind < 3; kind++) {
        make_cell(folder, kind);
        as_seed(path, folder, kind, 1);
    }
    free(path);
    path = str_format("%s/journal.tsv", folder);
    remove(path);
    free(path);
}

/* Readers rely on lists of examples having the length of nll, or a multiple of
 * it for n-best lists. */
static void must_fit(const char *path, size_t got, size_t n)
{
    REQUIRE(!strstr(path, "nbest") ? got == n : n ? got % n == 0 : got == 0,
            "%s: %zu values, %zu examples", path, got, n);
}

static void look_list(struct cell_reader *r, const char *path, size_t n)
{
    double *x = NULL;
    char **s = NULL;
    size_t got;

    if (cell_get_array(r, path, &x, &got) == OK) {
        must_fit(path, got, n);
        for (size_t i = 0; i < got; i++)
            seen += x[i] > 0;
        free(x);
    }
    if (cell_get_strings(r, path, &s, &got) == OK) {
        must_fit(path, got, n);
        for (size_t i = 0; i < got; i++)
            seen += strlen(s[i]);
        cell_free_strings(s, got);
    }
}

static void look_attribute(struct cell_reader *r, const char *group,
                           const char *name)
{
    long long whole;
    double real;
    char *s;

    if (cell_get_text(r, group, name, &s) == OK) {
        seen += strlen(s);
        free(s);
    }
    if (cell_get_int(r, group, name, &whole) == OK)
        seen += whole > 0;
    if (cell_get_real(r, group, name, &real) == OK)
        seen += real > 0;
}

static void look_names(struct cell_reader *r, const char *group,
                       void (*each)(struct cell_reader *r, const char *path,
                                    const char *name))
{
    const char **name;
    size_t n;

    if (cell_get_names(r, group, &name, &n) != OK)
        return;
    for (size_t i = 0; i < n; i++) {
        char *path = str_format("%s/%s", group, name[i]);

        each(r, path, name[i]);
        free(path);
    }
}

static void look_metric(struct cell_reader *r, const char *path,
                        const char *name)
{
    double x;
    char *s;

    REQUIRE(cell_get_metric(r, name, &x) == OK &&
                cell_get_text(r, path, "signature", &s) == OK,
            "%s: %s", path, err_last());
    seen += x > 0;
    free(s);
    look_attribute(r, path, "better");
    look_attribute(r, path, "units");
    look_attribute(r, "baseline/lead", name);
}

static void look_curve(struct cell_reader *r, const char *path,
                       const char *name)
{
    double *x;
    size_t n;

    (void)name;
    if (cell_get_array(r, path, &x, &n) == OK)
        free(x);
}

static void look_example(struct cell_reader *r, const char *path,
                         const char *name)
{
    double *nll;
    size_t n;

    (void)name;
    if (cell_get_array(r, "examples/test/nll", &nll, &n) != OK)
        return;
    look_list(r, path, n);
    free(nll);
}

static void look_cell(struct cell_reader *r)
{
    static const char *const attribute[][2] = {
        {"", "id"}, {"", "title"}, {"", "seed"}, {"config", "json"},
        {"config", "part3"}, {"provenance", "data_digest"},
        {"provenance", "numerics_version"}, {"baseline/lead", "description"},
        {"metrics", "none"}, {"no", "group"}};

    for (size_t i = 0; i < sizeof attribute / sizeof *attribute; i++)
        look_attribute(r, attribute[i][0], attribute[i][1]);
    look_names(r, "metrics", look_metric);
    look_names(r, "curves/train", look_curve);
    look_names(r, "examples/test", look_example);
}

static void read_cell(const char *store, const uint8_t *data, size_t size)
{
    static char *path;
    struct cell_reader *r;

    if (!path) {
        make_store(store);
        path = path_of(store, "cells");
    }
    put_sealed(path, data, size);
    if (cell_open(&r, store, cell()) == OK)
        look_cell(r);
    cell_close(r);
}

/* ---- weights and traces ---- */

static void make_trace(const char *path)
{
    struct trace_file f;
    int dim[] = {2, 3};

    trace_file_open(&f);
    f.config = arena_text(f.memory, config);
    f.state = arena_text(f.memory, "{\"id\": \"\"}");
    trace_file_add(&f, TRACE_FLOAT, 2, dim, "params/w");
    trace_file_add(&f, TRACE_INT, 1, dim, "frozen/r");
    trace_file_add(&f, TRACE_DOUBLE, 0, dim, "steps/1/loss");
    must(trace_file_write(&f, path, 1));
    trace_file_close(&f);
}

static void trace_seeds(const char *folder)
{
    char *path = str_format("%s/made", folder);
    size_t n;

    make_trace(path);
    as_seed(path, folder, 0, 1);
    free(path);
    /* written by h5py, in the older format */
    must(file_read(&path, &n, "tests/data/traces/lm-t5-uniform.h5"));
    char *to = str_format("%s/1", folder);
    put(to, path, n);
    free(to);
    free(path);
}

static void read_trace(const char *store, const uint8_t *data, size_t size)
{
    char *path = str_format("%s/t.h5", store);
    struct trace_file f;

    put(path, data, size);
    if (trace_file_read(&f, path, 0) == OK) {
        for (int i = 0; i < f.n; i++)
            seen += trace_array_len(&f.array[i]) +
                    (trace_array_len(&f.array[i])
                         ? *(const unsigned char *)f.array[i].x
                         : 0u);
        seen += strlen(f.config) + strlen(f.state);
        trace_file_close(&f);
    }
    free(path);
}

static void to_host(void *buffer, const void *host, size_t bytes)
{
    memcpy(buffer, host, bytes);
}

/* Returns a model of two tensors in this process's memory. */
static struct params *model(void)
{
    static const struct backend host = {.name = "host", .put = to_host};
    static real x[6], r[4];
    static tensor w = {.nd = 2, .dim = {2, 3}, .x = x};
    static tensor v = {.nd = 2, .dim = {2, 2}, .x = r};
    static struct param list[] = {
        {.name = "w", .kind = PARAM_LEARNED, .value = &w},
        {.name = "r", .kind = PARAM_FROZEN, .value = &v}};
    static struct params ps = {.be = &host, .n = 2, .list = list};

    return &ps;
}

static const struct dataset data_of_cell = {.digest = "0123"};

static void digest(char hex[HASH_HEX])
{
    hash_sha256(model()->list[0].value->x, 6 * sizeof(real), hex);
}

static void weights_seeds(const char *folder)
{
    struct weights_of of = {folder, cell(), "vanilla"};
    char *path = path_of(folder, "weights"), hex[HASH_HEX];

    digest(hex);
    must(weights_write(model(), &data_of_cell, &of, config, hex));
    as_seed(path, folder, 0, 1);
    free(path);
}

/* Writes the cell that the weights file at `path` belongs to, with the digest
 * of this weights file. */
static void claim(const char *store, const char *path)
{
    static const char sha256[] =
        "0000000000000000000000000000000000000000000000000000000000000000";
    static char *image, *cell_file;
    static size_t n, at;
    char hex[HASH_HEX];

    if (!image) { /* done once, with zeros in place of the digest */
        struct cell_writer *w;

        must(cell_begin(&w, store, cell()));
        must(cell_put_config(w, config, config, RECIPE, NUMERICS));
        must(cell_put_text(w, "provenance", "data_digest", "0123"));
        digest(hex);
        must(cell_put_text(w, "weights", "sha256", hex));
        must(cell_put_text(w, "weights", "file_sha256", sha256));
        must(cell_commit(w));
        cell_file = path_of(store, "cells");
        must(file_read(&image, &n, cell_file));
        n -= CELL_SEAL;
        while (at < n && memcmp(image + at, sha256, HASH_HEX - 1))
            at++;
        REQUIRE(at < n, "where is the digest?");
    }
    must(hash_file(path, hex));
    memcpy(image + at, hex, HASH_HEX - 1);
    put_sealed(cell_file, (const uint8_t *)image, n);
}

static void read_weights(const char *store, const uint8_t *data, size_t size)
{
    struct weights_of of = {store, cell(), "vanilla"};
    static char *path;

    if (!path) {
        make_store(store);
        path = path_of(store, "weights");
    }
    put_sealed(path, data, size);
    claim(store, path);
    seen += weights_read(model(), &data_of_cell, &of) == OK;
}

/* ---- journal ---- */

static void journal_seeds(const char *folder)
{
    struct journal_line line = {.bytes = 123, .seconds = 4.5};
    char *path = str_format("%s/journal.tsv", folder);

    hash_sha256("x", 1, line.sha256);
    must(journal_create(folder));
    for (int i = 0; i < 3; i++)
        must(journal_add(folder, i ? "b" : "a", i < 2 ? &line : NULL));
    as_seed(path, folder, 0, 0);
    free(path);
}

/* Recomputes the check sum at the end of a line of six fields. */
static void right_check(char *line, char *end)
{
    char *tab = NULL, hex[HASH_HEX];
    int tabs = 0;

    for (char *s = line; s < end; s++)
        if (*s == '\t') {
            tab = s;
            tabs++;
        }
    if (tabs != 5 || end - tab != 9)
        return;
    hash_sha256(line, (size_t)(tab - line), hex);
    memcpy(tab + 1, hex, 8);
}

static void read_journal(const char *store, const uint8_t *data, size_t size)
{
    static const char *const id[] = {"", "a", "b"};
    char *path = str_format("%s/journal.tsv", store), *copy = malloc(size + 1);
    struct journal_line line;

    stderr = stdout; /* each damaged line is reported */
    if (size)
        memcpy(copy, data, size);
    for (char *s = copy, *end; size && (end = memchr(s, '\n', (size_t)(
                                            copy + size - s))); s = end + 1)
        right_check(s, end);
    remove(path);
    put(path, copy, size);
    for (size_t i = 0; i < sizeof id / sizeof *id; i++)
        if (journal_find(store, id[i], &line) == OK)
            seen += strlen(line.sha256) + (size_t)(line.bytes > 0);
    free(copy);
    free(path);
}

/* ---- experiment.json ---- */

static void experiment_seeds(const char *folder)
{
    struct frozen_cell c[] = {
        {.config = config, .runtime = "{\"threads\":1}", .recipe = RECIPE,
         .numerics = NUMERICS},
        {.config = config, .runtime = "{}", .recipe = RECIPE, .numerics = 1,
         .older = 1, .refused = "there is no such model"}};
    struct frozen f = {.name = "x", .title = "A title", .n = 2, .cell = c};
    char *path = str_format("%s/experiment.json", folder), *bytes;
    size_t n;

    must(frozen_write(&f, folder));
    must(file_read(&bytes, &n, path));
    remove(path);
    char *end = strstr(bytes, ",\n \"seal\"");
    free(path);
    path = str_format("%s/0", folder);
    put(path, bytes, (size_t)(end - bytes));
    free(bytes);
    free(path);
}

/* Recomputes the ids from the configurations. */
static void right_ids(json_t *list)
{
    struct arena *a = arena_new();
    json_t *c;
    size_t i;

    json_array_foreach(list, i, c) {
        int recipe = 0, numerics = 0;
        json_t *of = NULL;
        char id[CELL_ID];

        if (json_unpack(c, "{s:i, s:i, s:o}", "data_recipe", &recipe,
                        "numerics", &numerics, "config", &of) ||
            !json_is_object(of))
            continue;
        cell_id(id, cell_config_text(of, a), recipe, numerics);
        json_object_set_new(c, "id", json_string(id));
    }
    arena_free(a);
}

static void read_experiment(const char *store, const uint8_t *data,
                            size_t size)
{
    char *path = str_format("%s/experiment.json", store), hex[HASH_HEX];
    char *body = str_format("%.*s\n}", (int)size, (const char *)data);
    json_t *all = json_loads(body, 0, NULL);
    struct frozen *f;

    if (all) {
        right_ids(json_object_get(all, "cells"));
        right_ids(json_object_get(all, "older"));
        free(body);
        body = json_dumps(all, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
        json_decref(all);
    }
    size_t n = body ? strlen(body) : 0;
    n -= n > 2 ? 2 : n;
    hash_sha256(body ? body : "", n, hex);
    char *sealed = str_format("%.*s,\n \"seal\": \"%s\"\n}\n", (int)n,
                              body ? body : "", hex);
    put(path, sealed, strlen(sealed));
    if (frozen_read(&f, store) == OK)
        for (int i = 0; i < f->n; i++)
            seen += strlen(f->cell[i].config) + strlen(f->cell[i].id) +
                    strlen(f->cell[i].label.variant);
    frozen_close(f);
    free(sealed);
    free(body);
    free(path);
}

/* ---- signatures in a store ---- */

static void signature_seeds_of(const char *folder)
{
    static const char *const all[] = {
        "SB|t:lm1b|sc:full|v:random+dense|s:1-3,5|m:bleu/13a/exp/0123,ce/4567|"
        "o:01234567|d:89abcdef|n:2|p:0123456-dirty",
        "SB|t:lm1b;c4|sc:full|v:mixer|s:1;2|m:ppl/0123;ce/4567|o:0;1|d:2;3|n:2|"
        "p:unknown"};

    for (int i = 0; i < 2; i++) {
        char *path = str_format("%s/%d", folder, i);

        put(path, all[i], strlen(all[i]));
        free(path);
    }
}

/* A signature that can be read can be written, with all its fields. */
static void read_signature(const char *store, const uint8_t *data, size_t size)
{
    char *given = str_format("%.*s", (int)size, (const char *)data);
    struct arena *a = arena_new();
    struct signature s;

    (void)store;
    for (int f = 0; signature_read(&s, given, a) == OK && f < SIGNED_FIELDS;
         f++)
        REQUIRE(strstr(given, signature_value(&s, f, a)), "%s", given);
    arena_free(a);
    free(given);
}

const struct store_format store_formats[] = {
    {"cell", 40960, cell_seeds, read_cell},
    {"weights", 8192, weights_seeds, read_weights},
    {"trace", 40960, trace_seeds, read_trace},
    {"journal", 4096, journal_seeds, read_journal},
    {"experiment", 4096, experiment_seeds, read_experiment},
    {"signature", 512, signature_seeds_of, read_signature},
    {"baseline", 4096, baseline_seeds, baseline_input},
    {"asked", 4096, asked_seeds, asked_input},
    {"claims", 4096, claims_seeds, claims_input},
    {NULL, 0, NULL, NULL}};
