/* doctor_machine: checks the program, the machine that it runs on, and the text
 * of the tasks, for `doctor` (doctor.h). */
#include "harness/cmd/doctor.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/cores.h"
#include "harness/base/machine.h"
#include "harness/base/names.h"
#include "harness/base/nodes.h"
#include "harness/base/datadir.h"
#include "harness/base/str.h"
#include "harness/data/source/manifest.h"
#include "harness/engine/backend.h"
#include "harness/engine/cuda/driver.h"
#include "harness/plan/plan.h"
#include "harness/print/sheet.h"
#include "harness/train/provenance.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* ---- the program ---- */

void doctor_program(struct checkup *c)
{
    char commit[PROVENANCE_TEXT], libraries[PROVENANCE_TEXT];
    char arch[PROVENANCE_TEXT];
    int known = provenance_knows_commit();
    OWNED(free) char *folder = NULL;

    provenance_commit(commit);
    provenance_libraries(libraries);
    struct check *x = checkup_add(c, "program", known ? HEALTH_OK : HEALTH_POOR,
                                  "commit %.12s%s", commit,
                                  commit + strcspn(commit, ","));

    x->meaning = known ? "the commit that this program was built from"
                       : "git failed when this program was built, so "
                         "results do not record their commit";
    if (!known)
        x->remedy = "Where git refuses the checkout because another user owns "
                    "it, run `git config --global --add safe.directory "
                    "\"$PWD\"` in it, then `make`";
    checkup_add(c, "compiler", HEALTH_OK, "%s",
                provenance_compiler())->meaning = "what compiled it";
    provenance_arch(arch);
    checkup_add(c, "built for", HEALTH_OK, "%s", arch)->meaning =
        "gcc's -march, which `make ARCH=` sets; native is the processor of "
        "the machine that built it";
    checkup_add(c, "libraries", HEALTH_OK, "%s", libraries)->meaning =
        "loaded libraries; numbers can depend on them";
    int rc = experiment_folder(&folder);
    x = checkup_add(c, "experiments", rc < 0 ? HEALTH_NEEDED : HEALTH_OK, "%s",
                    rc < 0 ? "" : folder);
    x->meaning = rc < 0 ? arena_text(c->memory, err_last())
                        : "the experiments of this program";
}

/* ---- the processor ---- */

static int has_wide(const char *instructions)
{
    return strstr(instructions, "avx512") || strstr(instructions, "avx10") ||
           strstr(instructions, "sve");
}

static void add_processor(struct checkup *c)
{
    char cpu[256], has[PROVENANCE_TEXT], products[BACKEND_PRODUCTS];
    const char *uses = provenance_instructions();
    int wide = has_wide(uses);

    provenance_processor(cpu);
    provenance_processor_has(has);
    checkup_add(c, "processor", HEALTH_OK, "%s", cpu)->meaning =
        "all computation runs on the processor";
    struct check *x = checkup_add(c, "matrix products",
                                  wide ? HEALTH_OK : HEALTH_POOR, "%s: %s",
                                  backend_products(products), uses);
    x->meaning = wide ? "library and instructions of matrix products"
                      : "without AVX-512 `quick` takes about five times as "
                        "long as with it: 1.5 hours and more in place of 20 "
                        "minutes on two cores";
    if (!wide && has_wide(has))
        x->remedy = "The processor has AVX-512, but DNNL_MAX_CPU_ISA forbids "
                    "it, or the program was built without it";
}

static void add_bf16(struct checkup *c)
{
    int own = backend_multiplies(PRECISION_BF16);
    struct check *x = checkup_add(c, "bfloat16", own ? HEALTH_OK : HEALTH_POOR,
                                  own ? "supported by the library"
                                      : "computed in float32");

    x->meaning = own ? "cells of `precision: bf16`, as those of `quick`, are "
                       "about twice as fast as those of fp32"
                     : "cells of `precision: bf16`, as those of `quick`, are "
                       "as slow as those of fp32: operands are rounded, "
                       "products and sums are float32's";
}

static void add_gpu(struct checkup *c)
{
    const struct cuda_card *card = cuda_card();
    int rc = cuda_open(NULL, NULL);
    struct check *x = checkup_add(c, "GPU", rc < 0 ? HEALTH_ABSENT : HEALTH_OK,
                                  "%s", rc < 0 ? "" : card->name);

    if (rc < 0) {
        x->meaning = arena_format(c->memory, "%s. Nothing but `device: cuda` "
                                  "needs a GPU", err_last());
        return;
    }
    x->found = arena_format(
        c->memory, "%s, %d multiprocessors, %zu MB, driver for CUDA %d.%d",
        card->name, card->processors, card->bytes >> 20, card->driver / 1000,
        card->driver % 1000 / 10);
    x->meaning = "computes cells of `device: cuda`";
    int library = strcmp(cuda_products(), "own kernels");
    x = checkup_add(c, "GPU products", library ? HEALTH_OK : HEALTH_POOR, "%s",
                    cuda_products());
    x->meaning = library ? "library of matrix products"
                         : "without cuBLASLt the GPU's products take several "
                           "times as long";
    x->remedy = library ? NULL : "Install CUDA's libcublasLt (NVIDIA's package "
                                 "libcublas-13-0)";
}

static void add_cores(struct checkup *c)
{
    struct cores has;

    cores_granted(&has);
    struct check *x = checkup_add(c, "cores", has.n > 1 ? HEALTH_OK
                                                        : HEALTH_POOR,
                                  "%d of %d granted%s%s", has.n, has.online,
                                  has.by ? " by " : "", has.by ? has.by : "");

    x->meaning = has.n > 1 ? "this many cells are trained at a time"
                             : "cells are trained one after another";
}

static void add_nodes(struct checkup *c)
{
    OWNED(nodes_close) struct nodes *n = nodes_open(NULL, NULL);
    char machine[NODES_TEXT] = "unknown";

    if (n)
        nodes_text(machine, &n->of);
    checkup_add(c, "nodes", HEALTH_OK, "%s", machine)->meaning =
        !n         ? "cells are not bound to nodes"
        : n->n > 1 ? "a cell that fits is bound to one node, near its "
                     "memory"
                   : "uniform memory access";
}

/* ---- /proc ---- */

/* Adds the files of /proc that this process needs and cannot read.  In a chroot
 * without /proc these are all files; in a container that hides parts of /proc,
 * some. */
static void add_proc(struct checkup *c)
{
    const char *const *file = NAMES("self/exe", "self/ns/pid", "self/stat",
                                    "self/statm", "meminfo",
                                    "sys/kernel/random/boot_id");
    const char *lacks = "";
    struct stat st;

    for (; *file; file++) {
        OWNED(free) char *path = str_format("/proc/%s", *file);

        if (stat(path, &st) < 0 || access(path, R_OK))
            lacks = arena_format(c->memory, "%s%s%s", lacks,
                                 *lacks ? ", " : "without ", *file);
    }
    struct check *x = checkup_add(c, "/proc", *lacks ? HEALTH_NEEDED
                                                     : HEALTH_OK,
                                  "%s", *lacks ? lacks : "mounted");
    x->meaning = "state and memory of processes are read from it; training "
                 "requires it";
    if (*lacks)
        x->remedy = "`mount -t proc proc /proc`, as root, mounts it; in a "
                    "container, start it with /proc";
}

/* ---- memory ---- */

static void add_memory(struct checkup *c)
{
    struct plan_of of = {.experiment = "quick", .store = "/nonexistent"};
    OWNED(plan_close) struct plan *p = NULL;
    struct machine_memory m = machine_memory();
    double cell = 0; /* the largest of `quick`; 0: unknown */

    if (plan_open(&p, &of) == OK && plan_look(p) == OK)
        for (int i = 0; i < p->n; i++)
            cell = fmax(cell, p->cell[i].cost.bytes);
    double all = cell * cores_count();
    enum health is = m.total <= 0         ? HEALTH_POOR
                     : m.available < cell ? HEALTH_NEEDED
                     : m.available < all  ? HEALTH_POOR
                                          : HEALTH_OK;
    char left[32], total[32], one[32];
    struct check *x = m.total > 0
        ? checkup_add(c, "memory", is, "%s of %s are available",
                      grid_count(m.available, "B", left),
                      grid_count(m.total, "B", total))
        : checkup_add(c, "memory", is, "unknown without /proc/meminfo");

    x->meaning = arena_format(c->memory, "a cell of `quick` takes up to %s, "
                                         "and one is trained per available "
                                         "core",
                                         cell > 0 ? grid_count(cell, "B", one)
                                                  : "an unknown amount");
    if (is != HEALTH_OK)
        x->remedy = "-j 1 trains one at a time";
}

/* ---- disk ---- */

#define ROOM 2e9 /* bytes for text, tokens, cells of `quick` and pages */

static void add_disk(struct checkup *c, const char *name, const char *folder,
                     const char *meaning)
{
    char *path = arena_text(c->memory, folder);
    struct statvfs v;

    /* The folder, or its nearest parent that exists. */
    while (access(path, F_OK) && strrchr(path, '/') > path)
        *strrchr(path, '/') = 0;
    const char *at = access(path, F_OK) ? "/" : path;
    int closed = access(at, W_OK) || statvfs(at, &v);
    double left = closed ? 0 : (double)v.f_bavail * (double)v.f_frsize;
    char text[32];
    struct check *x = checkup_add(c, name, closed        ? HEALTH_NEEDED
                                           : left < ROOM ? HEALTH_POOR
                                                         : HEALTH_OK,
                                  "%s: %s", folder, closed
                                  ? "is not writable"
                                  : grid_count(left, "B left", text));

    x->meaning = meaning;
    if (x->is != HEALTH_OK)
        x->remedy = "`quick` takes less than 2 GB; --store and --cache name "
                    "other folders";
}

void doctor_machine(struct checkup *c)
{
    char here[PATH_MAX];

    add_processor(c);
    add_bf16(c);
    add_gpu(c);
    add_cores(c);
    add_nodes(c);
    add_proc(c);
    add_memory(c);
    add_disk(c, "results", getcwd(here, sizeof here) ? here : ".",
             "folder of cells, tables and figures");
    add_disk(c, "cache", c->cache, "folder of fetched and prepared text");
}

/* ---- text ---- */

void doctor_text(struct checkup *c)
{
    for (int i = 0; i < SOURCES; i++) {
        const struct source *s = &source_list[i];
        OWNED(free) char *folder = str_format("%s/%s", c->cache, s->name);
        int there = manifest_complete(folder, (enum source_id)i);
        struct check *x = checkup_add(
            c, arena_format(c->memory, "text %s", s->name),
            there ? HEALTH_OK : HEALTH_ABSENT, "%s", there ? folder : "");

        x->meaning = arena_format(c->memory, "%s", s->what);
        if (!there)
            x->remedy = arena_format(c->memory, "`synthbench data fetch %s` "
                                                "downloads this text",
                                     s->name);
    }
}
