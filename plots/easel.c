#include "plots/easel.h"

#include "harness/base/array.h"
#include "harness/base/cores.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/stage.h"
#include "harness/base/str.h"
#include "harness/base/streams.h"
#include "harness/base/text.h"
#include "plots/gnuplot.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROCESSES = 8 }; /* the maximum number of gnuplot processes */

/* The files of a picture: the formats, each with the last bytes of a complete
 * file, then what they are drawn from. */
static const struct file { const char *kind, *last; } files[] = {
    {"png", "IEND\xae" "B`\x82"}, {"svg", "</svg>\n\n"}, {"pdf", "%%EOF\n"},
    {"out", ""}, {"tsv", NULL}, {"txt", NULL}, {"gp", NULL}};
enum { FORMATS = 4, FILES = FORMATS + DRAWN_FILES };

struct picture_job {
    char          *name, *why; /* why: error message, or NULL        */
    int            rc, done;
    struct gnuplot gnuplot;    /* the process while it is running    */
    struct text    output;     /* of the process                     */
};

struct easel {
    const char  *folder, *kinds;
    int          most, running; /* processes                          */
    struct picture_job *job;
    int          jobs, done;
    int          next;      /* all jobs before this one were started  */
    size_t       room;
    int          terminal;  /* 1: shows the progress on stderr        */
    struct stage stage;     /* of the progress without a terminal     */
};

/* ---- the files of a picture ---- */

static char *path_of(const struct easel *e, const char *name, int file)
{
    return str_format("%s/%s.%s", e->folder, name, files[file].kind);
}

/* Removes the files `from` to `to` - 1 of a picture, or links in their
 * place. */
static int remove_files(const struct easel *e, const char *name, int from,
                        int to)
{
    for (int i = from; i < to; i++) {
        OWNED(free) char *path = path_of(e, name, i);

        if (unlink(path) && errno != ENOENT)
            return err_errno(ERR_IO, "%s", path);
    }
    return OK;
}

static int write_files(const struct easel *e, const struct picture_files *d)
{
    PASS(file_mkdirs(e->folder));
    PASS(remove_files(e, d->name, 0, FILES));
    for (int i = 0; i < DRAWN_FILES; i++) {
        OWNED(free) char *path = path_of(e, d->name, FORMATS + i);
        OWNED(fclose) FILE *f = fopen(path, "wxe");

        if (!f || fwrite(d->text[i], 1, d->bytes[i], f) != d->bytes[i] ||
            fflush(f))
            return err_errno(file_error(errno), "%s", path);
    }
    return OK;
}

/* Returns ERR_IO if a format of the picture is incomplete: gnuplot does not
 * notice when the disk is full. */
static int check_formats(const struct easel *e, const char *name)
{
    for (int i = 0; i < FORMATS; i++) {
        OWNED(free) char *path = path_of(e, name, i), *bytes = NULL;
        size_t n, tail = strlen(files[i].last);

        if (!strstr(e->kinds, files[i].kind))
            continue;
        PASS(file_read(&bytes, &n, path));
        if (n < tail || memcmp(bytes + n - tail, files[i].last, tail))
            return err_set(ERR_IO, "%s: gnuplot wrote an incomplete file; "
                           "check whether the disk is full", path);
    }
    return OK;
}

/* ---- drawing ---- */

static void show(struct easel *e, const char *name)
{
    if (e->terminal)
        fprintf(stderr, "\r\033[Kdrawing: %d of %d pictures, %s", e->done,
                e->jobs, name);
    else
        stage_show(&e->stage, e->done, e->jobs);
}

void easel_hide(const struct easel *e)
{
    if (e->terminal)
        fputs("\r\033[K", stderr);
}

/* Records the result of a picture: `rc` is OK or the error that is in
 * err_last. */
static void settle(struct easel *e, struct picture_job *j, int rc)
{
    if (rc < 0) {
        j->rc = rc;
        j->why = str_copy(err_last());
        remove_files(e, j->name, 0, FORMATS);
    }
    j->done = 1;
    e->done++;
    show(e, j->name);
}

/* Returns the error of a picture whose process ended with `status`, or OK. */
static int result_of(const struct easel *e, const struct picture_job *j,
                     int status)
{
    const char *output = text_strip(j->output.s);

    if (status == GNUPLOT_MISSING)
        return err_set(ERR_IO, "gnuplot cannot be run; `make deps` installs it "
                       "(Debian: gnuplot-nox); the script is %s/%s.gp",
                       e->folder, j->name);
    return status ? err_set(ERR_IO, "gnuplot failed to draw %s/%s.gp%s%s",
                            e->folder, j->name, *output ? ": " : "", output)
                  : check_formats(e, j->name);
}

/* Reads output of the picture's process and, if the process has ended, settles
 * the picture. */
static void attend(struct easel *e, struct picture_job *j)
{
    char block[4096];
    ssize_t n = read(j->gnuplot.output, block, sizeof block);

    if (n > 0)
        text_add(&j->output, block, (size_t)n);
    if (n > 0 || (n < 0 && errno == EINTR))
        return;
    e->running--;
    settle(e, j, result_of(e, j, gnuplot_end(&j->gnuplot)));
}

/* Starts processes and handles their output.  Waits up to `ms` milliseconds for
 * output (-1: without limit). */
static int work(struct easel *e, int ms)
{
    struct pollfd of[PROCESSES];
    int job[PROCESSES], n = 0;

    for (; e->next < e->jobs && e->running < e->most; e->next++) {
        struct picture_job *j = &e->job[e->next];

        text_clear(&j->output);
        PASS(gnuplot_start(&j->gnuplot, e->folder, j->name));
        e->running++;
    }
    for (int i = 0; i < e->next; i++)
        if (e->job[i].gnuplot.pid) {
            of[n] = (struct pollfd){e->job[i].gnuplot.output, POLLIN, 0};
            job[n++] = i;
        }
    if (n && poll(of, (nfds_t)n, ms) > 0)
        for (int i = 0; i < n; i++)
            if (of[i].revents)
                attend(e, &e->job[job[i]]);
    return OK;
}

int easel_add(struct easel *e, const struct picture_files *d)
{
    /* An earlier picture of this name uses the same files. */
    for (int i = 0; i < e->jobs; i++)
        while (!strcmp(e->job[i].name, d->name) && !e->job[i].done)
            PASS(work(e, -1));
    PASS(write_files(e, d));
    ARRAY_ROOM(e->job, e->jobs, e->room);
    e->job[e->jobs++] = (struct picture_job){.name = str_copy(d->name)};
    show(e, d->name);
    return work(e, 0);
}

int easel_wait(struct easel *e)
{
    while (e->done < e->jobs)
        PASS(work(e, -1));
    easel_hide(e);
    return OK;
}

int easel_finish(struct easel *e)
{
    PASS(easel_wait(e));
    for (int i = 0; i < e->jobs; i++)
        if (e->job[i].why)
            return err_set(e->job[i].rc, "%s", e->job[i].why);
    return OK;
}

int easel_pictures(const struct easel *e) { return e->jobs; }
const char *easel_name(const struct easel *e, int i) { return e->job[i].name; }
const char *easel_why(const struct easel *e, int i) { return e->job[i].why; }

int easel_read(char **out, size_t *bytes, const struct easel *e, int i,
               const char *kind)
{
    OWNED(free) char *path = str_format("%s/%s.%s", e->folder, e->job[i].name,
                                        kind);

    return file_read(out, bytes, path);
}

void easel_open(struct output *output)
{
    struct easel *e = calloc(1, sizeof *e);
    int cores = cores_count();

    e->folder = output->folder;
    e->kinds = output->kinds;
    e->most = cores < PROCESSES ? cores : PROCESSES;
    e->terminal = streams_moves(STDERR_FILENO);
    e->stage.what = "pictures drawn";
    output->easel = e;
}

void easel_close(struct output *output)
{
    struct easel *e = output->easel;

    if (!e)
        return;
    easel_hide(e);
    for (int i = 0; i < e->jobs; i++) {
        struct picture_job *j = &e->job[i];

        if (j->gnuplot.pid) {
            kill(j->gnuplot.pid, SIGKILL);
            gnuplot_end(&j->gnuplot);
        }
        text_free(&j->output);
        free(j->name);
        free(j->why);
    }
    free(e->job);
    free(e);
    output->easel = NULL;
}
