/*
 * The input is a baseline without its last line, the digest, which is
 * recomputed. The values are read as by `gate`.
 */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"
#include "harness/gate/pair_cells.h"
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
