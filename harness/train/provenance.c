#include "harness/train/provenance.h"

#include "build_info.h"
#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/engine/backend.h"
#include "harness/tasks/task.h"
#include "harness/train/train.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>

double provenance_peak_rss(void)
{
    struct rusage u;

    getrusage(RUSAGE_SELF, &u);
    return 1024.0 * (double)u.ru_maxrss;
}

void provenance_processor(char out[256])
{
    FILE *f = fopen("/proc/cpuinfo", "r");
    struct utsname u;
    char line[512];

    uname(&u);
    snprintf(out, 256, "%s", u.machine);
    while (f && fgets(line, sizeof line, f)) {
        char *colon = strchr(line, ':');

        if (strncmp(line, "model name", 10) || !colon)
            continue;
        line[strcspn(line, "\n")] = 0;
        snprintf(out, 256, "%.255s", colon + 2);
        break;
    }
    if (f)
        fclose(f);
}

static const char *instruction_set(void)
{
#if defined(__AVX512BF16__)
    return "avx512-bf16";
#elif defined(__AVX512F__)
    return "avx512";
#elif defined(__AVX2__)
    return "avx2";
#else
    return "baseline";
#endif
}

static int put_data(struct cell_writer *w, const struct dataset *d)
{
    const char *at = "provenance";
    int rc;

    TRY(cell_put_text(w, at, "data_source", d->source));
    TRY(cell_put_text(w, at, "data_digest", d->digest));
    TRY(cell_put_int(w, at, "data_recipe_version", DATA_RECIPE_VERSION));
    TRY(cell_put_int(w, at, "synthetic", d->synthetic));
    TRY(cell_put_int(w, at, "subset", d->subset));
    for (int s = 0; s < SPLITS; s++) {
        const struct examples *e = &d->split[s];
        char name[64];

        snprintf(name, sizeof name, "%s_examples", split_name[s]);
        TRY(cell_put_int(w, at, name, e->n));
        snprintf(name, sizeof name, "%s_tokens", split_name[s]);
        TRY(cell_put_int(w, at, name, e->tokens));
        snprintf(name, sizeof name, "%s_dropped", split_name[s]);
        TRY(cell_put_int(w, at, name, e->dropped));
        snprintf(name, sizeof name, "%s_truncated", split_name[s]);
        TRY(cell_put_int(w, at, name, e->truncated));
    }
out:
    return rc;
}

int provenance_put(struct cell_writer *w, const struct dataset *d, int threads)
{
    const char *at = "provenance";
    char cpu[256], now[32], os[256], build[HASH_HEX];
    struct utsname u;
    int rc;

    uname(&u);
    provenance_processor(cpu);
    snprintf(os, sizeof os, "%.60s %.60s", u.sysname, u.release);
    TRY(cell_put_text(w, at, "commit", BUILD_COMMIT));
    TRY(cell_put_int(w, at, "dirty", BUILD_DIRTY));
    provenance_build(build);
    TRY(cell_put_text(w, at, "build", build));
    TRY(cell_put_text(w, at, "compiler", BUILD_COMPILER));
    TRY(cell_put_text(w, at, "flags", BUILD_FLAGS));
    TRY(cell_put_int(w, at, "real_bits", 8 * (int)sizeof(real)));
    TRY(cell_put_int(w, at, "numerics_version", NUMERICS_VERSION));
    TRY(cell_put_text(w, at, "instruction_set", instruction_set()));
    TRY(cell_put_text(w, at, "products", backend_products()));
    TRY(cell_put_text(w, at, "libraries", BUILD_LIBRARIES));
    TRY(cell_put_text(w, at, "processor", cpu));
    TRY(cell_put_text(w, at, "system", os));
    TRY(cell_put_int(w, at, "threads", threads));
    TRY(cell_put_text(w, at, "date", clock_iso(now)));
    if (d)
        TRY(put_data(w, d));
out:
    return rc;
}
