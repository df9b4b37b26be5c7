#include "harness/slurm/script.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"
#include "harness/store/cell.h"

#include <stdlib.h>
#include <string.h>

/* In seconds: Slurm sends the signal WARNING before the time of a task ends;
 * PATIENCE is the argument of `run --wait`. */
enum { ID = CELL_ID - 1, WARNING = 120, PATIENCE = 300 };

/* ---- the script ---- */

static void put_needs(struct text *t, const struct batch_array *a,
                      const struct script_of *of)
{
    text_format(t, "#SBATCH --array=0-%d\n", a->n - 1);
    text_format(t, "#SBATCH --cpus-per-task=%d\n", a->need.cores);
    if (of->gpus || a->need.gpus)
        text_format(t, "#SBATCH --gres=gpu:%d\n",
                    of->gpus ? of->gpus : a->need.gpus);
    if (!of->memory)
        text_format(t, "#SBATCH --mem=%dM\n", a->need.megabytes);
    if (!of->time)
        text_format(t, "#SBATCH --time=%d\n", a->need.minutes);
    text_format(t, "#SBATCH --requeue\n#SBATCH --signal=B:TERM@%d\n", WARNING);
    text_put(t, "#SBATCH --output=%A_%a.log\n#SBATCH --open-mode=append\n");
}

static void put_option(struct text *t, const char *option, const char *value)
{
    if (!value)
        return;
    text_format(t, " %s ", option);
    text_shell(t, value);
}

static void put_task(struct text *t, const struct batch_array *a,
                     const struct script_of *of)
{
    text_put(t, "set --");
    for (int i = 0; i < a->n; i++)
        text_format(t, " \\\n    %s", a->cell[i]->id);
    text_put(t, "\nshift \"$SLURM_ARRAY_TASK_ID\"\nexec ");
    text_shell(t, of->program);
    text_format(t, " run -j 1 --wait %d", PATIENCE);
    put_option(t, "--store", of->store);
    put_option(t, "--cache", of->cache);
    put_option(t, "--data-dir", of->files);
    text_put(t, " -E \"id==$1\"\n");
}

void script_write(struct text *out, char tag[SCRIPT_TAG],
                  const struct batch_array *a, const struct script_of *of)
{
    OWNED(text_free) struct text rest = {0};
    char hex[HASH_HEX];

    put_needs(&rest, a, of);
    put_task(&rest, a, of);
    hash_sha256(rest.s, rest.n, hex);
    snprintf(tag, SCRIPT_TAG, "%.16s", hex);
    text_format(out, "#!/bin/sh\n#SBATCH --job-name=" SCRIPT_JOB "%s\n%s", tag,
                rest.s);
}

char *script_folder(const char *store) { return str_format("%s/slurm", store); }

char *script_path(const char *store, const char *tag)
{
    return str_format("%s/slurm/%s.sh", store, tag);
}

int script_cells(const char ***id, int *n, const char *store, const char *tag,
                 struct arena *a)
{
    OWNED(free) char *path = script_path(store, tag), *text = NULL;
    size_t bytes;
    char *rest;

    *n = 0;
    PASS(file_read(&text, &bytes, path));
    *id = arena_take(a, (bytes / ID + 1) * sizeof **id);
    rest = strstr(text, "\nset --");
    for (char *line; rest && (line = strsep(&rest, "\n"));) {
        line += strspn(line, " ");
        if (strspn(line, "0123456789abcdef") == ID)
            (*id)[(*n)++] = arena_format(a, "%.*s", ID, line);
    }
    return *n ? OK : err_set(ERR_STORE, "%s: has no cells; remove it if none "
                             "of its jobs is queued", path);
}

/* ---- sbatch ---- */

enum { OWN = 12 }; /* maximum number of arguments besides `more`, including the
                      closing NULL */

/* Returns the option that names the jobs and tasks that must end before the
 * array `number`, such as "--dependency=afterany:12:15_3", or NULL if there are
 * none. */
static const char *dependency(const struct batch *b, int number)
{
    const struct batch_array *a = &b->array[number];
    struct text t = {0};

    if (!a->afters && !a->waiting)
        return NULL;
    text_put(&t, "--dependency=afterany");
    for (int i = 0; i < a->afters; i++) {
        const char *job = b->array[a->after[i]].job;

        if (job)
            text_format(&t, ":%s", job);
        else
            text_format(&t, ":$job_%d", a->after[i] + 1);
    }
    for (int i = 0; i < a->waiting; i++)
        text_format(&t, ":%s", a->waits[i]);
    return text_keep(&t, b->memory);
}

static void add_option(const char **argv, int *n, struct arena *a,
                       const char *option,
                       const char *value)
{
    if (value)
        argv[(*n)++] = arena_format(a, "%s=%s", option, value);
}

const char *const *script_command(const struct batch *b, int number,
                                  const char *tag, const struct script_of *of)
{
    struct arena *a = b->memory;
    OWNED(free) char *folder = script_folder(of->store);
    OWNED(free) char *path = script_path(of->store, tag);
    const char *after = dependency(b, number), **argv;
    int n = 0, more = 0;

    while (of->more && of->more[more])
        more++;
    argv = arena_zero(a, ((size_t)more + OWN) * sizeof *argv);
    argv[n++] = "sbatch";
    argv[n++] = "--parsable";
    add_option(argv, &n, a, "--chdir", folder);
    if (after)
        argv[n++] = after;
    add_option(argv, &n, a, "--partition", of->partition);
    add_option(argv, &n, a, "--account", of->account);
    add_option(argv, &n, a, "--qos", of->qos);
    add_option(argv, &n, a, "--time", of->time);
    add_option(argv, &n, a, "--mem", of->memory);
    for (int i = 0; i < more; i++)
        argv[n++] = of->more[i];
    argv[n] = arena_text(a, path);
    return argv;
}
