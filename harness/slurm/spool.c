#include "harness/slurm/spool.h"

#include "harness/base/child.h"
#include "harness/base/err.h"
#include "harness/base/folder.h"
#include "harness/base/map.h"
#include "harness/base/str.h"
#include "harness/slurm/script.h"

#include <stdio.h>
#include <string.h>

enum { TAG = SCRIPT_TAG - 1, WORD = 64 };

/* ---- queries ---- */

/* Runs a command of Slurm and sets *out to its stdout; the caller frees it. */
static int ask(char **out, const char *const argv[])
{
    return child_output(out, argv) == OK
               ? OK : err_wrap(ERR_USAGE, "cannot query Slurm");
}

/* Returns the names of the jobs of all scripts in the store, such as
 * "synthbench-TAG,synthbench-TAG", or NULL if there are no scripts. */
static const char *job_names(const struct plan *p)
{
    OWNED(free) char *folder = script_folder(p->store);
    struct text t = {0};
    const char **name;

    if (folder_names(&name, folder, p->memory))
        return NULL;
    for (; *name; name++)
        if (strspn(*name, "0123456789abcdef") == TAG &&
            !strcmp(*name + TAG, ".sh"))
            text_format(&t, "%s" SCRIPT_JOB "%.*s", t.n ? "," : "", TAG,
                        *name);
    return t.n ? text_keep(&t, p->memory) : NULL;
}

/* ---- a task ---- */

struct task_of {
    char tag[WORD], state[WORD];
    int  job, index;
    const char *reason;
};

/* Parses a line such as "synthbench-TAG 123 4 PENDING Priority".  Returns 0, or
 * -1 if the line does not have this form. */
static int read_task(struct task_of *t, const char *line)
{
    int n = 0;

    if (sscanf(line, SCRIPT_JOB "%63s %d %d %63s %n", t->tag, &t->job,
               &t->index, t->state, &n) != 4)
        return -1;
    t->reason = line + n;
    return 0;
}

static int is_running(const struct cell_queued *q)
{
    return q->job && !strcmp(q->state, "RUNNING");
}

/* Returns the cell of a task, or NULL if the plan does not have the cell.
 * `ids` maps the ids of the plan's cells to their indices. */
static struct cell *cell_of(const struct task_of *t, struct plan *p,
                            const struct map *ids)
{
    const char **id;
    int n;

    if (script_cells(&id, &n, p->store, t->tag, p->memory) < 0 ||
        t->index < 0 || t->index >= n)
        return NULL;
    int at = map_get(ids, id[t->index], -1);
    return at < 0 ? NULL : &p->cell[at];
}

/* Sets `queued` of the cell of the task that `line` describes.  Ignores tasks
 * that are COMPLETING, because they have ended. */
static void take_line(struct plan *p, const struct map *ids, const char *line)
{
    struct task_of t;
    struct cell *c;

    if (read_task(&t, line) || !strcmp(t.state, "COMPLETING"))
        return;
    c = cell_of(&t, p, ids);
    if (!c || is_running(&c->queued))
        return;
    OWNED(free) char *reason = str_copy(t.reason);
    c->queued = (struct cell_queued){
        .job = arena_format(p->memory, "%d_%d", t.job, t.index),
        .state = arena_text(p->memory, t.state),
        .reason = arena_text(p->memory, str_harmless(reason, ""))};
}

int spool_look(struct spool *out, struct plan *p)
{
    const char *names = job_names(p);
    OWNED(map_free) struct map *ids = map_new();
    OWNED(free) char *said = NULL;

    *out = (struct spool){0};
    if (!names)
        return OK;
    const char *const argv[] = {
        "squeue", "--noheader", "--array",
        arena_format(p->memory, "--name=%s", names),
        "--format=%j %F %K %T %r", NULL};
    PASS(ask(&said, argv));
    for (int i = 0; i < p->n; i++)
        map_add(ids, p->cell[i].id, i);
    for (char *rest = said, *line; (line = strsep(&rest, "\n"));)
        take_line(p, ids, line);
    for (int i = 0; i < p->n; i++) {
        const struct cell_queued *q = &p->cell[i].queued;

        *(is_running(q) ? &out->running : &out->pending) += q->job != NULL;
    }
    return OK;
}

/* ---- submission ---- */

int spool_array_size(int *out)
{
    static const char *const argv[] = {"scontrol", "show", "config", NULL};
    OWNED(free) char *said = NULL;

    PASS(ask(&said, argv));
    const char *at = strstr(said, "MaxArraySize");
    if (!at || sscanf(at, "MaxArraySize = %d", out) != 1)
        return err_set(ERR_DATA, "`scontrol show config` does not print "
                       "MaxArraySize");
    return *out > 1 ? OK : err_set(ERR_USAGE, "this cluster does not support "
                                   "job arrays: its MaxArraySize is %d", *out);
}

int spool_send(char **job, const char *const argv[])
{
    OWNED(free) char *said = NULL;
    int number;

    *job = NULL;
    if (child_output(&said, argv) != OK)
        return ERR_USAGE; /* with the message of Slurm */
    if (sscanf(said, "%d", &number) != 1)
        return err_set(ERR_DATA, "sbatch did not print a job number: '%.100s'",
                       said);
    *job = str_format("%d", number);
    return OK;
}
