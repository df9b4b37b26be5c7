#include "plots/easel.h"

#include "harness/base/array.h"
#include "harness/base/cores.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/folder.h"
#include "harness/base/str.h"
#include "harness/base/streams.h"
#include "harness/base/text.h"
#include "plots/picture_cache.h"
#include "plots/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The maximum number of gnuplot processes, and of pictures queued in each. */
enum { SESSIONS = 8, AHEAD = 3 };

/* Begins each line with which a process reports on its pictures, such as
 * "synthbench: drawn curves_lm1b". */
#define SIGN "synthbench: "
#define HIDDEN ".drawing-"

enum state { WAITING, GIVEN, DONE };

struct picture_job {
    char      *name, *why; /* why: error message, or NULL */
    enum state state;
    int        rc;
};

struct session {
    struct gnuplot gnuplot;
    struct text    said;       /* output about job[0]           */
    int            job[AHEAD], jobs;
};

struct easel {
    const char     *folder, *kinds, *from;
    char           *hidden;    /* NULL: not created yet                 */
    int             lock;      /* descriptor of `hidden`; -1: none      */
    char           *version;   /* of gnuplot; NULL: not known yet       */
    int             missing;   /* 1: gnuplot is not installed           */
    int             most;      /* number of sessions                    */
    struct session  session[SESSIONS];
    struct picture_job *job;
    int             jobs, done;
    size_t          room;
    int             terminal;  /* 1: shows the progress on stderr       */
};

/* ---- the hidden folder ---- */

/* Locks a folder and returns its descriptor; closing the descriptor releases
 * the lock.  Returns -1 if the folder cannot be locked. */
static int lock_folder(const char *path, int how)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (fd >= 0 && flock(fd, how)) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Removes hidden folders of processes that have ended: a process holds the
 * lock of its folder while it draws. */
static void remove_hidden(const char *folder)
{
    OWNED(closedir) DIR *d = opendir(folder);

    for (struct dirent *e; d && (e = readdir(d));) {
        OWNED(free) char *path = str_format("%s/%s", folder, e->d_name);
        OWNED(close) int lock = -1;

        if (!strncmp(e->d_name, HIDDEN, strlen(HIDDEN)) &&
            (lock = lock_folder(path, LOCK_EX | LOCK_NB)) >= 0)
            folder_remove(path);
    }
}

static int make_hidden(struct easel *e)
{
    OWNED(close) int alone = -1; /* until the new folder is locked */

    if (e->hidden)
        return OK;
    PASS(file_mkdirs(e->folder));
    alone = lock_folder(e->folder, LOCK_EX);
    remove_hidden(e->folder);
    e->hidden = str_format("%s/" HIDDEN "XXXXXX", e->folder);
    if (!mkdtemp(e->hidden)) {
        int rc = err_errno(ERR_IO, "%s", e->folder);

        free(e->hidden);
        e->hidden = NULL;
        return rc;
    }
    e->lock = lock_folder(e->hidden, LOCK_EX | LOCK_NB);
    return OK;
}

/* ---- progress ---- */

static void show(const struct easel *e, const char *name)
{
    if (e->terminal)
        fprintf(stderr, "\r\033[Kdrawing: %d of %d pictures, %s", e->done,
                e->jobs, name);
}

void easel_hide(const struct easel *e)
{
    if (e->terminal)
        fputs("\r\033[K", stderr);
}

/* ---- one picture ---- */

static void fail(struct picture_job *j, int rc)
{
    j->rc = rc;
    j->why = str_copy(err_last());
}

/* Moves a picture into the folder; `drawn` is 1 if gnuplot drew the picture. */
static void settle(struct easel *e, struct picture_job *j, int drawn)
{
    int rc = drawn_move(j->name, e->folder, e->hidden, e->kinds,
                        drawn ? e->version : NULL);

    if (rc < 0 && drawn) /* the earlier picture is out of date */
        drawn_move(j->name, e->folder, e->hidden, e->kinds, NULL);
    if (rc < 0 && !j->why) {
        err_set(rc, "%s", err_last());
        fail(j, rc);
    }
    j->state = DONE;
    e->done++;
    show(e, j->name);
}

static void refuse(struct easel *e, struct picture_job *j, const char *said)
{
    OWNED(free) char *script = str_format("%s/%s.gp", e->folder, j->name);

    if (e->missing)
        fail(j, err_set(ERR_IO, "gnuplot is not installed: `make deps` "
                        "installs it (Debian: gnuplot-nox); the script is %s",
                        script));
    else
        fail(j, err_set(ERR_IO, "gnuplot failed to draw %s%s%s", script,
                        *said ? ": " : "", said));
    settle(e, j, 0);
}

/* ---- a process ---- */

static const char ready[] =
    "print '" SIGN "version ', GPVAL_VERSION, '.', GPVAL_PATCHLEVEL\n";

/* gnuplot starts an SVG with the last colour of the previous SVG, unless the
 * previous SVG is empty.  So an empty SVG is drawn before each picture. */
static const char blank[] =
    "reset session\n"
    "set terminal svg\nset output '/dev/null'\nclear\nunset output\n"
    "reset session\n";

static int begin(struct session *s, struct easel *e)
{
    if (s->gnuplot.pid)
        return OK;
    text_clear(&s->said);
    PASS(gnuplot_start(&s->gnuplot, e->hidden));
    gnuplot_tell(&s->gnuplot, ready);
    return OK;
}

static void give(struct session *s, struct easel *e, int job)
{
    const char *name = e->job[job].name;
    OWNED(free) char *commands = str_format(
        "%sload '%s.gp'; print '" SIGN "drawn %s'\n"
        "print '" SIGN "end %s'\n", blank, name, name, name);

    e->job[job].state = GIVEN;
    s->job[s->jobs++] = job;
    gnuplot_tell(&s->gnuplot, commands);
}

static void take_first(struct session *s)
{
    memmove(s->job, s->job + 1, (size_t)--s->jobs * sizeof *s->job);
}

/* Ends a process and returns its remaining pictures to the queue. */
static void end(struct session *s, struct easel *e)
{
    e->missing |= gnuplot_is_missing(gnuplot_end(&s->gnuplot));
    for (int i = 0; i < s->jobs; i++)
        e->job[s->job[i]].state = WAITING;
    s->jobs = 0;
}

/* Fails the first picture of the process, with the output of the process as
 * the reason, and ends the process. */
static void give_up(struct session *s, struct easel *e)
{
    struct picture_job *j = &e->job[s->job[0]];

    s->said.n = text_rstrip(s->said.s, s->said.n);
    s->said.s[s->said.n] = 0;
    take_first(s);
    end(s, e);
    refuse(e, j, s->said.s);
}

/* Returns 1 if the line reports `kind`, and sets *value to the text after
 * `kind`. */
static int is_sign(const char **value, const char *line, const char *kind)
{
    size_t n = strlen(kind);

    if (strncmp(line, SIGN, strlen(SIGN)) ||
        strncmp(line + strlen(SIGN), kind, n))
        return 0;
    *value = line + strlen(SIGN) + n;
    return 1;
}

/* Removes the first n bytes of the output. */
static void cut(struct session *s, size_t n)
{
    s->said.n -= n;
    memmove(s->said.s, s->said.s + n, s->said.n + 1);
}

/* Returns 1 if the line says that the first picture is drawn, -1 if it says
 * that the picture is not drawn, or 0 otherwise. */
static int judge_line(struct session *s, struct easel *e, const char *line)
{
    const char *value, *name = s->jobs ? e->job[s->job[0]].name : "";

    if (is_sign(&value, line, "version ") && !e->version)
        e->version = str_copy(value);
    if (is_sign(&value, line, "drawn ") && !strcmp(value, name))
        return 1;
    return is_sign(&value, line, "end ") && !strcmp(value, name) ? -1 : 0;
}

/* Updates the state of the pictures from the complete lines of the output. */
static void judge(struct session *s, struct easel *e)
{
    size_t from = 0;
    char *stop;

    while ((stop = strchr(s->said.s + from, '\n'))) {
        *stop = 0;
        int is = judge_line(s, e, s->said.s + from);
        int own = !strncmp(s->said.s + from, SIGN, strlen(SIGN));
        size_t next = (size_t)(stop - s->said.s) + 1;

        *stop = '\n';
        if (is < 0) {
            s->said.s[from] = 0;
            s->said.n = from;
            give_up(s, e);
            return;
        }
        if (is > 0) {
            struct picture_job *j = &e->job[s->job[0]];

            take_first(s);
            settle(e, j, 1);
        }
        if (own) {
            cut(s, next);
            from = 0;
        } else {
            from = next;
        }
    }
}

/* Reads output of the process.  Returns 0 if the process has ended. */
static int hear(struct session *s)
{
    char block[4096];
    ssize_t n = read(s->gnuplot.socket, block, sizeof block);

    if (n > 0)
        text_add(&s->said, block, (size_t)n);
    return n > 0 || (n < 0 && errno == EINTR);
}

static void attend(struct session *s, struct easel *e)
{
    if (hear(s))
        judge(s, e);
    else if (s->jobs)
        give_up(s, e);
    else
        end(s, e);
}

/* ---- all processes ---- */

static int next_waiting(const struct easel *e)
{
    for (int i = 0; i < e->jobs; i++)
        if (e->job[i].state == WAITING)
            return i;
    return -1;
}

/* Returns the process that has the fewest pictures to draw. */
static struct session *idlest(struct easel *e)
{
    struct session *s = e->session;

    for (int i = 1; i < e->most; i++)
        if (e->session[i].jobs < s->jobs)
            s = &e->session[i];
    return s;
}

static int give_all(struct easel *e)
{
    for (int job; (job = next_waiting(e)) >= 0;) {
        struct session *s = idlest(e);

        if (e->missing) {
            refuse(e, &e->job[job], "");
            continue;
        }
        if (s->jobs == AHEAD)
            break;
        PASS(begin(s, e));
        give(s, e, job);
    }
    return OK;
}

/* Sends pictures to the processes and handles their output.  Waits up to `ms`
 * milliseconds for output (-1: without limit). */
static int work(struct easel *e, int ms)
{
    struct pollfd of[SESSIONS];

    PASS(give_all(e));
    for (int i = 0; i < e->most; i++)
        of[i] = (struct pollfd){e->session[i].gnuplot.pid
                                    ? e->session[i].gnuplot.socket : -1,
                                POLLIN, 0};
    if (poll(of, (nfds_t)e->most, ms) > 0)
        for (int i = 0; i < e->most; i++)
            if (of[i].revents)
                attend(&e->session[i], e);
    return OK;
}

/* Starts gnuplot to get its version, which is the first line that it
 * prints. */
static int find_version(struct easel *e)
{
    PASS(make_hidden(e));
    PASS(begin(e->session, e));
    while (!e->version && !e->missing)
        PASS(work(e, -1));
    return OK;
}

static int is_current(int *out, const char *folder, struct easel *e,
                      const struct drawn *d)
{
    *out = drawn_is_there(d, folder, e->kinds, e->version);
    if (*out && !e->version && !e->missing) {
        PASS(find_version(e));
        *out = drawn_is_there(d, folder, e->kinds, e->version);
    }
    return OK;
}

/* Waits until an earlier picture called `name` is done, because the new picture
 * uses the same files. */
static int make_way(struct easel *e, const char *name)
{
    for (int i = 0; i < e->jobs; i++)
        while (!strcmp(e->job[i].name, name) && e->job[i].state != DONE)
            PASS(work(e, -1));
    return OK;
}

static struct picture_job *new_job(struct easel *e, const char *name)
{
    ARRAY_ROOM(e->job, e->jobs, e->room);
    e->job[e->jobs] = (struct picture_job){.name = str_copy(name)};
    return &e->job[e->jobs++];
}

int easel_add(struct easel *e, const struct drawn *d)
{
    int there, elsewhere = 0;

    PASS(make_way(e, d->name));
    PASS(is_current(&there, e->folder, e, d));
    if (!there && e->from)
        PASS(is_current(&elsewhere, e->from, e, d));
    if (elsewhere)
        PASS(drawn_copy(d->name, e->folder, e->from, e->kinds));
    if (!there && !elsewhere) {
        PASS(make_hidden(e));
        PASS(drawn_write(d, e->hidden));
    }
    struct picture_job *j = new_job(e, d->name);
    j->state = there || elsewhere ? DONE : WAITING;
    e->done += j->state == DONE;
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

void easel_open(struct output *output, const char *from)
{
    struct easel *e = calloc(1, sizeof *e);
    int cores = cores_count();

    e->folder = output->folder;
    e->kinds = output->kinds;
    e->from = from;
    e->lock = -1;
    e->most = cores < SESSIONS ? cores : SESSIONS;
    e->terminal = streams_moves(STDERR_FILENO);
    output->easel = e;
}

void easel_close(struct output *output)
{
    struct easel *e = output->easel;

    if (!e)
        return;
    easel_hide(e);
    for (int i = 0; i < SESSIONS; i++) {
        gnuplot_close(&e->session[i].gnuplot);
        text_free(&e->session[i].said);
    }
    for (int i = 0; i < e->jobs; i++) {
        free(e->job[i].name);
        free(e->job[i].why);
    }
    folder_remove(e->hidden);
    if (e->lock >= 0)
        close(e->lock);
    free(e->hidden);
    free(e->version);
    free(e->job);
    free(e);
    output->easel = NULL;
}
