#include "harness/train/provenance.h"

#include "build_info.h"
#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/json.h"
#include "harness/base/str.h"
#include "harness/engine/backend.h"
#include "harness/engine/cuda/driver.h"
#include "harness/stats/stats.h"
#include "harness/tasks/task.h"
#include "harness/train/train.h"

#include <gnu/libc-version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <zlib.h>

extern char **environ;

/* Returns 1 if `s` begins with one of the strings of `front`, which ends with
 * NULL. */
static int begins(const char *s, const char *const *front)
{
    for (; *front; front++)
        if (!strncmp(s, *front, strlen(*front)))
            return 1;
    return 0;
}

/* Appends a word, with ? for each character that is not printable ASCII.  If
 * the word does not fit, appends " ..." instead, and then no further word. */
static void append(char out[PROVENANCE_TEXT], const char *word)
{
    static const char more[] = " ...";
    size_t at = strlen(out), room = PROVENANCE_TEXT - sizeof more;

    if (str_ends(out, more))
        return;
    if (at + strlen(word) + 1 > room) {
        memcpy(out + at, more, sizeof more);
        return;
    }
    if (at > 0)
        out[at++] = ' ';
    for (; *word; word++)
        out[at++] = *word > ' ' && *word < 0x7f ? *word : '?';
    out[at] = 0;
}

void provenance_commit(char out[PROVENANCE_TEXT])
{
    snprintf(out, PROVENANCE_TEXT, "%s%s", BUILD_COMMIT,
             BUILD_DIRTY > 0 ? ", changed" : "");
}

int provenance_knows_commit(void) { return BUILD_DIRTY >= 0; }

const char *provenance_compiler(void) { return BUILD_COMPILER; }

void provenance_arch(char out[PROVENANCE_TEXT])
{
    static const char option[] = "-march=";
    const char *at = strstr(BUILD_FLAGS, option);

    at = at ? at + sizeof option - 1 : "";
    snprintf(out, PROVENANCE_TEXT, "%.*s", (int)strcspn(at, " "), at);
}

double provenance_peak_rss(void)
{
    struct rusage u;

    getrusage(RUSAGE_SELF, &u);
    return 1024.0 * (double)u.ru_maxrss;
}

/* Returns the text after ": " in the first line of /proc/cpuinfo that begins
 * with one of `front`, or NULL.  The caller frees it. */
static char *cpuinfo(const char *const *front)
{
    OWNED(fclose) FILE *f = fopen("/proc/cpuinfo", "r");
    OWNED(free) char *line = NULL;
    char *value = NULL;
    size_t room = 0;

    while (f && !value && getline(&line, &room, f) > 0) {
        char *colon = strstr(line, ": ");

        line[strcspn(line, "\n")] = 0;
        if (colon && begins(line, front))
            value = str_copy(colon + 2);
    }
    return value;
}

void provenance_processor(char out[256])
{
    OWNED(free) char *model = cpuinfo(NAMES("model name"));
    struct utsname u;

    uname(&u);
    snprintf(out, 256, "%.255s", model ? model : u.machine);
}

/* ---- instruction sets of the processor and of the products ---- */

/* Returns 1 if the extension can change how sums are computed. */
static int matters(const char *flag)
{
    static const char *const front[] = {"sse4", "avx", "fma", "f16c", "amx",
                                        "asimd", "sve", NULL};

    return begins(flag, front);
}

void provenance_processor_has(char out[PROVENANCE_TEXT])
{
    OWNED(free) char *has = cpuinfo(NAMES("flags", "Features"));

    *out = 0;
    for (char *rest = has, *w; (w = strsep(&rest, " "));)
        if (matters(w))
            append(out, w);
}

const char *provenance_instructions(void)
{
    const char *of = backend_instructions();

    return *of ? of : BUILD_INSTRUCTIONS;
}

/* ---- libraries and environment ---- */

void provenance_libraries(char out[PROVENANCE_TEXT])
{
    char digests[32], stats[32], store[32];

    hash_library(digests);
    stats_library(stats);
    cell_library(store);
    snprintf(out, PROVENANCE_TEXT, "glibc %s, jansson %s, %s, zlib %s, %s, %s",
             gnu_get_libc_version(), jansson_version_str(), digests,
             zlibVersion(), stats, store);
}

void provenance_environment(char out[PROVENANCE_TEXT])
{
    static const char *const front[] = {
        "DNNL_", "ONEDNN_", "OMP_", "GOMP_", "KMP_", "MKL_", "GSL_", "MALLOC_",
        "GLIBC_TUNABLES=", "LD_PRELOAD=", "LD_LIBRARY_PATH=", NULL};
    size_t all = 0, n = 0;

    while (environ[all])
        all++;
    OWNED(free) char **found = calloc(all + 1, sizeof *found);
    for (size_t i = 0; i < all; i++)
        if (begins(environ[i], front))
            found[n++] = environ[i];
    qsort(found, n, sizeof *found, str_order);
    *out = 0;
    for (size_t i = 0; i < n; i++)
        append(out, found[i]);
}

static int put_data(struct cell_writer *w, const struct dataset *d)
{
    const char *at = "provenance";

    PASS(cell_put_text(w, at, "data_source", d->source));
    PASS(cell_put_text(w, at, "data_digest", d->digest));
    PASS(cell_put_int(w, at, "synthetic", d->synthetic));
    PASS(cell_put_int(w, at, "subset", d->subset));
    for (int s = 0; s < SPLITS; s++) {
        const struct examples *e = &d->split[s];
        char name[64];

        snprintf(name, sizeof name, "%s_examples", split_name[s]);
        PASS(cell_put_int(w, at, name, e->n));
        snprintf(name, sizeof name, "%s_tokens", split_name[s]);
        PASS(cell_put_int(w, at, name, e->tokens));
        snprintf(name, sizeof name, "%s_dropped", split_name[s]);
        PASS(cell_put_int(w, at, name, e->dropped));
        snprintf(name, sizeof name, "%s_truncated", split_name[s]);
        PASS(cell_put_int(w, at, name, e->truncated));
    }
    return OK;
}

/* Writes the attributes on which, in addition to code and configuration, the
 * bits of a result depend. */
static int put_numerics(struct cell_writer *w)
{
    const char *at = "provenance";
    char libraries[PROVENANCE_TEXT], cpu[PROVENANCE_TEXT];
    char environment[PROVENANCE_TEXT], products[BACKEND_PRODUCTS];

    provenance_libraries(libraries);
    provenance_processor_has(cpu);
    provenance_environment(environment);
    PASS(cell_put_int(w, at, "real_bits", 8 * (int)sizeof(real)));
    PASS(cell_put_int(w, at, "numerics_version", NUMERICS_VERSION));
    PASS(cell_put_text(w, at, "instruction_set", provenance_instructions()));
    PASS(cell_put_text(w, at, "instruction_set_compiler", BUILD_INSTRUCTIONS));
    PASS(cell_put_text(w, at, "instruction_set_processor", cpu));
    PASS(cell_put_text(w, at, "products", backend_products(products)));
    PASS(cell_put_text(w, at, "libraries", BUILD_LIBRARIES));
    PASS(cell_put_text(w, at, "libraries_loaded", libraries));
    return cell_put_text(w, at, "environment", environment);
}

static int put_nodes(struct cell_writer *w, const struct placement *s)
{
    const char *at = "provenance";
    char machine[NODES_TEXT], now[CORES_LIST];
    struct cores c;

    if (!s || !s->nodes)
        return OK;
    nodes_text(machine, &s->nodes->of);
    nodes_now(now, s->nodes);
    cores_granted(&c);
    PASS(cell_put_text(w, at, "machine", machine));
    PASS(cell_put_text(w, at, "bound", s->bound));
    PASS(cell_put_text(w, at, "ran_on", c.list));
    return cell_put_text(w, at, "ran_on_nodes", now);
}

int provenance_put_cores(struct cell_writer *w, const struct placement *s)
{
    const char *at = "provenance";
    struct cores c;

    if (s)
        c = s->cores;
    else
        cores_granted(&c);
    PASS(cell_put_int(w, at, "cores", c.n));
    PASS(cell_put_text(w, at, "cores_granted_by", c.by ? c.by : "nobody"));
    PASS(cell_put_text(w, at, "cores_affinity", c.list));
    return put_nodes(w, s);
}

int provenance_put_device(struct cell_writer *w, enum device d,
                          enum precision p)
{
    const struct cuda_card *c = cuda_card();
    const char *at = "provenance";
    char version[32], ptx[HASH_HEX];

    if (d == DEVICE_CPU)
        return OK;
    snprintf(version, sizeof version, "CUDA %d.%d", c->driver / 1000,
             c->driver % 1000 / 10);
    hash_sha256(cuda_ptx, strlen(cuda_ptx), ptx);
    PASS(cell_put_text(w, at, "gpu", c->name));
    PASS(cell_put_int(w, at, "gpu_processors", c->processors));
    PASS(cell_put_int(w, at, "gpu_memory_mb", (int)(c->bytes >> 20)));
    PASS(cell_put_text(w, at, "gpu_driver", version));
    PASS(cell_put_text(w, at, "gpu_products", cuda_products()));
    PASS(cell_put_text(w, at, "gpu_attention",
                       backend_fuses(d, p) ? "fused" : "unfused"));
    return cell_put_text(w, at, "gpu_ptx", ptx);
}

int provenance_put(struct cell_writer *w, const struct dataset *d, int threads)
{
    const char *at = "provenance";
    char cpu[256], now[32], os[256], build[HASH_HEX];
    struct utsname u;

    uname(&u);
    provenance_processor(cpu);
    snprintf(os, sizeof os, "%.60s %.60s", u.sysname, u.release);
    PASS(cell_put_text(w, at, "commit", BUILD_COMMIT));
    if (provenance_knows_commit())
        PASS(cell_put_int(w, at, "dirty", BUILD_DIRTY));
    provenance_build(build);
    PASS(cell_put_text(w, at, "build", build));
    PASS(cell_put_text(w, at, "compiler", BUILD_COMPILER));
    PASS(cell_put_text(w, at, "flags", BUILD_FLAGS));
    PASS(put_numerics(w));
    PASS(cell_put_text(w, at, "processor", cpu));
    PASS(cell_put_text(w, at, "system", os));
    PASS(cell_put_int(w, at, "threads", threads));
    PASS(cell_put_text(w, at, "date", clock_iso(now)));
    if (d)
        PASS(put_data(w, d));
    return OK;
}
