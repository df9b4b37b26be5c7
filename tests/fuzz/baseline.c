/*
 * The input is a baseline without its last line, the digest, which is
 * recomputed; or the test examples of a baseline without their seal, with their
 * digest recomputed in the baseline. The values are read as by `baseline diff`
 * and `gate`.
 */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"
#include "harness/gate/band.h"
#include "harness/gate/examples_cache.h"
#include "harness/gate/pair_cells.h"
#include "harness/store/store_private.h"
#include "harness/store/trace_file.h"
#include "tests/fuzz/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile size_t seen; /* prevents the compiler from removing reads */

static void must(int rc) { REQUIRE(rc == OK, "%s", err_last()); }

static void put(const char *path, const void *data, size_t size)
{
    FILE *f = fopen(path, "wb");

    REQUIRE(f && fwrite(data, 1, size, f) == size, "%s: cannot be written",
            path);
    fclose(f);
}

/* ---- baselines ---- */

static const char small[] =
    "# synthbench baseline 2\n# experiment\tx\n"
    "cell\twhat\tvalue\tlow\thigh\tunits\tbetter\tsignature\n"
    "a/b/c/1\tconfig\t{\"seed\":1}\na/b/c/1\tid\t0123456789abcdef\n"
    "a/b/c/1\tmetrics/ce\t4.21\t4.1\t4.3\tnats\tlower\tsum\n"
    "a/b/c/1\tresults\t0123456789abcdef\n"
    "a/b/c/*\tcalibrated\t4\na/b/c/*\tconfig\t{}\n"
    "a/b/c/*\tcurves/train/loss/0000001-0000002\t4\t3\t5\tnats\n"
    "a/b/c/*\truns\t8\na/b/c/*\tseeds\t1 2 3\n";

void baseline_seeds(const char *folder)
{
    char *path = str_format("%s/0", folder), *bytes, *end;
    size_t n;

    put(path, small, strlen(small));
    free(path);
    must(file_read(&bytes, &n, "results/baselines/gate.tsv"));
    path = str_format("%s/1", folder);
    end = strchr(bytes + 3800, '\n');
    put(path, bytes, (size_t)(end + 1 - bytes));
    free(path);
    free(bytes);
}

static void look_bands(const struct baseline *b)
{
    double step[] = {1, 2}, loss[] = {4, 9};
    struct curve one = {"train/loss", "nats", 2, step, loss};
    struct curves run = {1, &one};
    struct band_held h;

    for (int i = 0; i < b->bands; i++) {
        band_hold(&h, &b->band[i], &run);
        seen += (size_t)h.points;
    }
    for (int i = 0; i < b->cells; i++)
        seen += band_of(b, &b->cell[i]) != NULL;
}

static void look(const struct baseline *b)
{
    struct cell_pair *m;
    int n = pair_baselines(&m, b, b, b->memory);

    for (int i = 0; i < n; i++) {
        if (m[i].a && m[i].b)
            seen += (size_t)pair_moved(&m[i]);
        for (int k = 0; m[i].a && k < m[i].a->n; k++)
            seen += strlen(m[i].a->value[k].what) +
                    strlen(m[i].a->value[k].signature) +
                    (size_t)baseline_is_cost(m[i].a->value[k].what);
    }
    look_bands(b);
}

void baseline_input(const char *store, const uint8_t *data, size_t size)
{
    char *path = str_format("%s/x.tsv", store), hex[HASH_HEX];
    char *all = malloc(size + 100);
    struct baseline *b;

    if (size)
        memcpy(all, data, size);
    hash_sha256(all, size, hex);
    int n = snprintf(all + size, 100, "# SHA-256 %s\n", hex);
    put(path, all, size + (size_t)n);
    if (baseline_read(&b, path) == OK)
        look(b);
    baseline_close(b);
    free(all);
    free(path);
}

/* ---- test examples ---- */

static const int lists[] = {0, 1, -1, -1, 2, 2, -1, 3};
static const int arrays[] = {2, 0, 3, 0, 0, 3, 0, 3, 8, 0, 11, 3};
static const int values[] = {1, 2, 3, 'a', 0, 'b', 'c', 0, 0, 'd', 0, 0, 0, 0};
static const double nll[] = {1.5, 2.5, 3.25};

static void add_array(struct trace_file *f, enum trace_type type, int nd,
                      const int *dim, const char *name, const void *x,
                      size_t bytes)
{
    void *to = trace_file_add(f, type, nd, dim, "%s", name);

    if (bytes)
        memcpy(to, x, bytes);
}

void kept_seeds(const char *folder)
{
    char *path = str_format("%s/0", folder), *bytes;
    struct trace_file f;
    size_t n;

    trace_file_open(&f);
    f.config = arena_text(f.memory, "{}");
    f.state = arena_text(f.memory, "{}");
    add_array(&f, TRACE_INT, 1, &(int){8}, "cells/0123456789abcdef", lists,
              sizeof lists);
    add_array(&f, TRACE_INT, 2, (int[]){4, 3}, "arrays", arrays, sizeof arrays);
    add_array(&f, TRACE_INT, 1, &(int){14}, "values/0", values, sizeof values);
    add_array(&f, TRACE_FLOAT, 1, &(int){0}, "values/1", NULL, 0);
    add_array(&f, TRACE_DOUBLE, 1, &(int){3}, "values/2", nll, sizeof nll);
    must(trace_file_write(&f, path, 1));
    trace_file_close(&f);
    must(file_read(&bytes, &n, path));
    put(path, bytes, n - CELL_SEAL);
    free(bytes);
    free(path);
}

static void look_examples(const struct tested *x)
{
    for (size_t i = 0; i < x->n; i++) {
        for (int k = 0; k < MEASURE_SUMS; k++)
            seen += x->sum[k] && x->sum[k][i] > 0;
        for (int k = 0; k < TESTED_TEXTS; k++)
            seen += x->text[k] ? strlen(x->text[k][i]) : 0;
        seen += x->seen ? (size_t)(x->seen[i].group > 0) : 0;
    }
}

void kept_input(const char *store, const uint8_t *data, size_t size)
{
    char *path = str_format("%s/x.tsv", store),
         *file = examples_cache_path(path);
    char *all = malloc(size + CELL_SEAL + 1), hex[HASH_HEX];
    struct baseline_fact fact = {"examples", hex};
    struct baseline b = {.facts = 1, .fact = &fact};
    struct tested x;
    struct examples_cache *k;

    if (size)
        memcpy(all, data, size);
    cell_seal(all + size, all, size);
    put(file, all, size + CELL_SEAL);
    hash_sha256(all, size + CELL_SEAL, hex);
    if (examples_cache_open(&k, &b, path) == OK && k) {
        if (examples_cache_read(&x, k, "0123456789abcdef") == OK)
            look_examples(&x);
        examples_close(&x);
    }
    examples_cache_close(k);
    free(all);
    free(file);
    free(path);
}
