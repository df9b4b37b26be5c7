/* slurm: submits the missing cells of an experiment as job arrays of a
 * cluster. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/slurm/script.h"
#include "harness/slurm/spool.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct given {
    struct plan_of   plan;
    struct script_of script;
    const char      *cache, *files;
    struct arguments more;
    int              print, extend, most;
};

#define SCRIPT(field) OPT_AT(script.field)

/* Reads an option for sbatch.  Refuses words that sbatch would take for a
 * script in place of the generated one. */
static int read_more(void *field, const struct opt *opt, const char *arg,
                     struct reading *r)
{
    if (*arg != '-' || !arg[1] || !strcmp(arg, "--") ||
        !strncmp(arg, "--wrap", 6))
        return err_set(ERR_USAGE, "%s %s: expected an option of sbatch, in one "
                       "word: --sbatch=--nodelist=n1", opt->name, arg);
    return opt_texts(field, opt, arg, r);
}

static const struct opt options[] = {
    {.group = opts_plan, .at = OPT_AT(plan)},
    {"--print", 0, NULL, opt_flag, OPT_AT(print),
     .doc = "Print the job scripts and, as comments, how they would be "
            "submitted ($job_1 is the first job); works without Slurm"},
    {"--partition", 0, "NAME", opt_text, SCRIPT(partition),
     .doc = "Slurm's partition"},
    {"--account", 0, "NAME", opt_text, SCRIPT(account),
     .doc = "Account to charge"},
    {"--qos", 0, "NAME", opt_text, SCRIPT(qos), .doc = "Quality of service"},
    {"--time", 0, "TIME", opt_text, SCRIPT(time),
     .doc = "Time limit of a job, as for sbatch (default: three times the "
            "estimate plus 10 minutes, at most 366 days)"},
    {"--mem", 0, "SIZE", opt_text, SCRIPT(memory),
     .doc = "Memory of a job, as for sbatch (default: 1.5 times the "
            "estimate plus 256 MiB)"},
    {"--gpus", 0, "N", opt_count, SCRIPT(gpus),
     .doc = "GPUs of a job, as --gres=gpu:N (default: 1 for cells with "
            "`device: cuda`, else none)", .most = 64},
    {"--sbatch", 0, "OPTION", read_more, OPT_AT(more),
     .doc = "Option to pass to sbatch; can be repeated"},
    {"--array-size", 0, "N", opt_count, OPT_AT(most),
     .doc = "Maximum number of cells of an array (default: the cluster's "
            "MaxArraySize; 1001 with --print)", .most = 4000001},
    {.group = opts_cache, .at = OPT_AT(cache)},
    {.group = opts_files, .at = OPT_AT(files)},
    {"--extend", 0, NULL, opt_flag, OPT_AT(extend),
     .doc = "Add these cells to the experiment of the store"},
    {.name = NULL}};

/* ---- jobs ---- */

static int absolute(const char **out, const char *path, struct arena *a)
{
    char folder[PATH_MAX];

    if (*path != '/' && !getcwd(folder, sizeof folder))
        return err_errno(ERR_IO, "the working directory");
    *out = *path == '/' ? path : arena_format(a, "%s/%s", folder, path);
    return OK;
}

static int program(const char **out, struct arena *a)
{
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

    if (n < 0)
        return err_errno(ERR_IO, "/proc/self/exe");
    path[n] = 0;
    *out = arena_text(a, path);
    return OK;
}

/* Fills *out with absolute paths, because jobs run on other machines and in
 * another folder. */
static int open_script(struct script_of *out, const struct given *g,
                       const struct plan *p)
{
    *out = g->script;
    out->more = g->more.of;
    PASS(program(&out->program, p->memory));
    PASS(absolute(&out->store, p->store, p->memory));
    PASS(absolute(&out->cache, g->cache, p->memory));
    return g->files ? absolute(&out->files, g->files, p->memory) : OK;
}

/* Appends a description of a job array: "20 cells, each 1 core, 640 MiB and
 * 12 min 00 s". */
static void put_array(struct text *t, const struct batch_array *a,
                      const struct script_of *of)
{
    char time[32];

    text_format(t, "%d cell%s, each %d core%s, ", a->n, a->n == 1 ? "" : "s",
                a->need.cores, a->need.cores == 1 ? "" : "s");
    if (of->memory)
        text_format(t, "--mem=%s", of->memory);
    else
        text_format(t, "%d MiB", a->need.megabytes);
    if (of->time)
        text_format(t, " and --time=%s", of->time);
    else
        text_format(t, " and %s", str_duration(60.0 * a->need.minutes, time));
}

static void print_array(const struct batch *b, int i,
                        const struct script_of *of)
{
    OWNED(text_free) struct text about = {0}, command = {0}, script = {0};
    char tag[SCRIPT_TAG];

    script_write(&script, tag, &b->array[i], of);
    put_array(&about, &b->array[i], of);
    const char *const *argv = script_command(b, i, tag, of);
    for (int k = 0; argv[k]; k++) {
        text_put(&command, k ? " " : "");
        if (strstr(argv[k], ":$job_")) /* the shell replaces $job_1 */
            text_format(&command, "\"%s\"", argv[k]);
        else
            text_shell(&command, argv[k]);
    }
    printf("%s# job_%d: %s\n# %s\n%s", i ? "\n" : "", i + 1,
           str_harmless(about.s, ""), str_harmless(command.s, ""), script.s);
}

static int send_array(struct batch *b, int i, const struct script_of *of)
{
    OWNED(text_free) struct text about = {0}, script = {0};
    OWNED(free) char *path = NULL, *job = NULL;
    char tag[SCRIPT_TAG];

    script_write(&script, tag, &b->array[i], of);
    path = script_path(of->store, tag);
    PASS(file_write(path, script.s, script.n));
    PASS(spool_send(&job, script_command(b, i, tag, of)));
    b->array[i].job = arena_text(b->memory, job);
    put_array(&about, &b->array[i], of);
    printf("job %s: %s\n", job, str_harmless(about.s, ""));
    return OK;
}

/* Appends the numbers of cells that are left out: ", 3 done, 2 in the
 * queue". */
static void put_left(struct text *t, const struct batch *b)
{
    const struct { int n; const char *why; } left[] = {
        {b->done, "done"}, {b->queued, "in the queue"},
        {b->busy, "in use by other processes, or waiting for those"},
        {b->refused, "refused"}, {b->blocked, "blocked"},
        {b->damaged, "damaged"}};

    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        if (left[i].n)
            text_format(t, ", %d %s", left[i].n, left[i].why);
}

/* ---- the command ---- */

/* Sets *out to the largest number of cells in an array. */
static int array_size(int *out, const struct given *g)
{
    int rc = g->print ? OK : spool_array_size(out);

    if (rc == ERR_USAGE)
        return err_set(rc, "%s; --print shows the scripts without Slurm",
                       err_last());
    PASS(rc);
    if (g->print)
        *out = BATCH_ARRAY;
    if (g->most && (g->print || g->most < *out))
        *out = g->most;
    return OK;
}

static int send_missing(const struct given *g, struct plan *p, int most)
{
    OWNED(text_free) struct text left = {0};
    OWNED(free) char *store = text_quoted(p->store);
    struct spool unused;
    struct script_of of;
    struct batch b;

    p->cache = g->cache; /* plan_look reads lengths there */
    p->files = g->files;
    PASS(plan_look(p));
    int rc = spool_look(&unused, p);
    if (rc < 0 && g->print)
        say("%s; finished cells are not left out", err_last());
    else
        PASS(rc);
    PASS(open_script(&of, g, p));
    batch_make(&b, p, most);
    text_clear(&left);
    put_left(&left, &b);
    if (!b.cells)
        return err_set(ERR_EMPTY, "%s: there is nothing to submit%s", p->store,
                       left.s);
    for (int i = 0; i < p->n; i++) {
        const char *why = plan_lacks(p, &p->cell[i]);

        if (why)
            say("jobs of %s will fail unless their data are on the node: %s",
                p->cell[i].config.task, why);
    }
    for (int i = 0; g->print && i < b.n; i++)
        print_array(&b, i, &of);
    if (g->print)
        return OK;
    OWNED(free) char *folder = script_folder(of.store);
    PASS(file_mkdirs(folder));
    for (int i = 0; i < b.n; i++) {
        rc = send_array(&b, i, &of);
        if (rc < 0 && i)
            say("%d of %d jobs were submitted; the same command submits the "
                "others", i, b.n);
        PASS(rc);
    }
    say("submitted %d cell%s in %d job%s%s; `synthbench status --store %s` "
        "shows their progress", b.cells, b.cells == 1 ? "" : "s", b.n,
        b.n == 1 ? "" : "s", left.s, store);
    return OK;
}

/* Makes the plan's cells part of the store's experiment or, with --print,
 * checks that they are part of it. */
static int freeze(const struct plan *p, const struct given *g)
{
    OWNED(store_close) struct store *s = NULL;

    if (g->print)
        return g->extend ? OK : freeze_check(p);
    PASS(store_open(&s, p->store, 1));
    return freeze_write(p, g->extend);
}

static int submit(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    struct plan_of of = g->plan;
    OWNED(plan_close) struct plan *p = NULL;
    int most;

    of.experiment = args->of[0];
    PASS(plan_open(&p, &of));
    PASS(array_size(&most, g));
    if (of.experiment) /* otherwise the plan is that of the store */
        PASS(freeze(p, g));
    return send_missing(g, p, most);
}

static const struct command submit_command = {
    .name = "submit",
    .summary = "Submit the missing cells of an experiment as job arrays",
    .args = "[EXPERIMENT.yaml] [--store DIR]",
    .doc = "Submits the cells that are neither finished nor queued; without a "
           "file, those of the experiment that --store holds. "
           "The longest cells (by estimate) come first. A cell that starts "
           "from another cell's weights, or depends on trials, waits until "
           "those are done. A job that is preempted or reaches its time "
           "limit saves its state and ends; Slurm or the same command resumes "
           "it. `status` shows queued cells.",
    COMMAND_RUNS(submit, 0, 1)};

static const struct command *const subjects[] = {&submit_command, NULL};

const struct command command_slurm = {
    .name = "slurm",
    .summary = "Train the cells of an experiment on a Slurm cluster",
    .args = "submit [EXPERIMENT.yaml] [--store DIR]",
    .subjects = subjects,
    .least = 1};
