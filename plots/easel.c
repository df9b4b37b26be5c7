#include "plots/easel.h"

#include "harness/base/array.h"
#include "harness/base/child.h"
#include "harness/base/cores.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/folder.h"
#include "harness/base/hash.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/base/streams.h"
#include "harness/base/text.h"
#include "plots/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { PROCESSES = 8 }; /* the maximum number of gnuplot processes */

#define HIDDEN ".drawing-"

/* The files of a picture, in the order in which they are moved: the formats,
 * each with the last bytes of a complete file, then what they are drawn
 * from. */
static const struct file { const char *kind, *last; } files[] = {
    {"png", "IEND\xae" "B`\x82"}, {"svg", "</svg>\n\n"}, {"pdf", "%%EOF\n"},
    {"out", ""}, {"tsv", NULL}, {"txt", NULL}, {"gp", NULL}};
enum { FORMATS = 4, FILES = FORMATS + DRAWN_FILES };

struct picture_job {
    char          *name, *why; /* why: error message, or NULL        */
    int            rc, done;
    struct gnuplot gnuplot;    /* the process while it is running    */
    struct text    said;       /* output of the process              */
};

struct easel {
    const char  *folder, *kinds, *from;
    char        *hidden;    /* NULL: not created yet                  */
    int          lock;      /* descriptor of `hidden`; -1: none       */
    char        *version;   /* of gnuplot; "": it cannot be run; NULL: not
                               known yet                              */
    char        *why_not;   /* why gnuplot cannot be run, or NULL     */
    int          most, running; /* processes                          */
    struct picture_job *job;
    int          jobs, done;
    int          next;      /* all jobs before this one were started  */
    size_t       room;
    int          terminal;  /* 1: shows the progress on stderr        */
};

static char *path_of(const char *folder, const char *name, int file)
{
    return str_format("%s/%s.%s", folder, name, files[file].kind);
}

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

/* ---- what a folder already has ---- */

static void find_version(struct easel *e)
{
    if (e->version)
        return;
    if (child_run(&e->version, NAMES("gnuplot", "--version")) < 0) {
        free(e->version);
        e->version = str_copy("");
        e->why_not = str_copy(err_last());
    }
    e->version[strcspn(e->version, "\n")] = 0;
}

/* Returns the part of a script after the line that names the kinds, which is
 * the only line that may differ between two folders. */
static const char *after_kinds(const char *script)
{
    const char *line = strstr(script, "\nkinds = ");

    line = line ? strchr(line + 1, '\n') : NULL;
    return line ? line : script;
}

/* Adds the line that records the digest of a file to `out`.  Returns ERR_IO if
 * the file is incomplete: gnuplot does not notice when the disk is full. */
static int put_digest(struct text *out, const char *folder, const char *name,
                      int file)
{
    OWNED(free) char *path = path_of(folder, name, file), *bytes = NULL;
    const char *last = files[file].last;
    char hex[HASH_HEX];
    size_t n, tail = strlen(last);

    PASS(file_read(&bytes, &n, path));
    if (n < tail || memcmp(bytes + n - tail, last, tail))
        return err_set(ERR_IO, "%s: gnuplot wrote an incomplete file; check "
                       "whether the disk is full", path);
    hash_sha256(bytes, n, hex);
    text_format(out, "# %s %s\n", files[file].kind, hex);
    return OK;
}

/* Returns what follows the text in the file of the folder, or NULL if the file
 * does not begin with the text; the caller frees it. */
static char *read_rest(const struct picture_files *d, const char *folder,
                       int file)
{
    OWNED(free) char *path = path_of(folder, d->name, FORMATS + file);
    OWNED(free) char *text = NULL;
    const char *own = after_kinds(d->text[file]);

    if (file_read(&text, NULL, path) < 0)
        return NULL;
    const char *there = after_kinds(text);
    return strncmp(there, own, strlen(own)) ? NULL
                                            : str_copy(there + strlen(own));
}

/* Returns 1 if the folder has the picture in all formats, drawn from the same
 * data, texts and script by this version of gnuplot (by any version, if gnuplot
 * is not installed). */
static int is_drawn(const struct easel *e, const struct picture_files *d,
                    const char *folder)
{
    OWNED(free) char *data = read_rest(d, folder, DRAWN_DATA);
    OWNED(free) char *words = read_rest(d, folder, DRAWN_WORDS);
    OWNED(free) char *end = read_rest(d, folder, DRAWN_SCRIPT);
    OWNED(free) char *by = *e->version ? str_format("\n# %s\n", e->version)
                                       : str_copy("\n# gnuplot ");

    if (!data || *data || !words || *words || !end || !strstr(end, by))
        return 0;
    for (int i = 0; i < FORMATS; i++) {
        OWNED(text_free) struct text line = {0};

        text_put(&line, "\n");
        if (strstr(e->kinds, files[i].kind) &&
            (put_digest(&line, folder, d->name, i) < 0 || !strstr(end, line.s)))
            return 0;
    }
    return 1;
}

static int copy_drawn(const struct easel *e, const char *name)
{
    for (int i = 0; i < FORMATS; i++) {
        OWNED(free) char *to = path_of(e->folder, name, i);
        OWNED(free) char *path = path_of(e->from, name, i);
        OWNED(free) char *text = NULL;
        size_t n;

        if (!strstr(e->kinds, files[i].kind))
            continue;
        PASS(file_read(&text, &n, path));
        PASS(file_write(to, text, n));
    }
    return OK;
}

/* ---- the files of a picture ---- */

static int write_plain(const char *path, const char *how, const char *text,
                       size_t n)
{
    OWNED(fclose) FILE *f = fopen(path, how);

    if (!f || fwrite(text, 1, n, f) != n || fflush(f))
        return err_errno(ERR_IO, "%s", path);
    return OK;
}

static int write_hidden(struct easel *e, const struct picture_files *d)
{
    PASS(make_hidden(e));
    for (int i = 0; i < DRAWN_FILES; i++) {
        OWNED(free) char *path = path_of(e->hidden, d->name, FORMATS + i);

        PASS(write_plain(path, "wxe", d->text[i], d->bytes[i]));
    }
    return OK;
}

/* Appends the record to the script. */
static int put_record(const struct easel *e, const char *name)
{
    OWNED(free) char *script = path_of(e->hidden, name, FILES - 1);
    OWNED(text_free) struct text end = {0};

    text_format(&end, "\n# %s\n", e->version);
    for (int i = 0; i < FORMATS; i++)
        if (strstr(e->kinds, files[i].kind))
            PASS(put_digest(&end, e->hidden, name, i));
    return write_plain(script, "ae", end.s, end.n);
}

/* Moves the files of a picture to the folder, and removes the earlier formats
 * that have no successor: all of them, if `drawn` is 0.  Holds a lock on the
 * folder, so that two processes that draw the same picture do not mix their
 * files. */
static int move_files(const struct easel *e, const char *name, int drawn)
{
    OWNED(close) int lock = open(e->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (lock >= 0)
        flock(lock, LOCK_EX); /* a file system without locks is no error */
    for (int i = 0; i < FILES; i++) {
        OWNED(free) char *from = path_of(e->hidden, name, i);
        OWNED(free) char *to = path_of(e->folder, name, i);

        if (i < FORMATS && !drawn)
            unlink(from);
        if (rename(from, to) &&
            (errno != ENOENT || (i < FORMATS && unlink(to) && errno != ENOENT)))
            return err_errno(ERR_IO, "%s", to);
    }
    return OK;
}

/* ---- drawing ---- */

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

/* Records the result of a picture: `rc` is OK or the error that is in
 * err_last. */
static void settle(struct easel *e, struct picture_job *j, int rc)
{
    if (rc == OK)
        rc = move_files(e, j->name, 1);
    if (rc < 0) {
        j->rc = rc;
        j->why = str_copy(err_last());
        move_files(e, j->name, 0); /* the earlier picture is out of date */
    }
    j->done = 1;
    e->done++;
    show(e, j->name);
}

static int start(struct easel *e, struct picture_job *j)
{
    if (j->done)
        return OK;
    if (!*e->version) {
        settle(e, j, err_set(ERR_IO, "gnuplot cannot be run (%s); `make deps` "
                             "installs it (Debian: gnuplot-nox); the script is "
                             "%s/%s.gp", e->why_not, e->folder, j->name));
        return OK;
    }
    text_clear(&j->said);
    PASS(gnuplot_start(&j->gnuplot, e->hidden, j->name));
    e->running++;
    return OK;
}

/* Reads output of the picture's process and, if the process has ended, settles
 * the picture. */
static void attend(struct easel *e, struct picture_job *j)
{
    char block[4096];
    ssize_t n = read(j->gnuplot.output, block, sizeof block);

    if (n > 0)
        text_add(&j->said, block, (size_t)n);
    if (n > 0 || (n < 0 && errno == EINTR))
        return;
    e->running--;
    if (gnuplot_end(&j->gnuplot)) {
        settle(e, j, put_record(e, j->name));
        return;
    }
    const char *said = text_strip(j->said.s);
    settle(e, j, err_set(ERR_IO, "gnuplot failed to draw %s/%s.gp%s%s",
                         e->folder, j->name, *said ? ": " : "", said));
}

/* Starts processes and handles their output.  Waits up to `ms` milliseconds for
 * output (-1: without limit). */
static int work(struct easel *e, int ms)
{
    struct pollfd of[PROCESSES];
    int job[PROCESSES], n = 0;

    for (; e->next < e->jobs && e->running < e->most; e->next++)
        PASS(start(e, &e->job[e->next]));
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
    int there, elsewhere;

    /* An earlier picture of this name uses the same files. */
    for (int i = 0; i < e->jobs; i++)
        while (!strcmp(e->job[i].name, d->name) && !e->job[i].done)
            PASS(work(e, -1));
    find_version(e);
    there = is_drawn(e, d, e->folder);
    elsewhere = !there && e->from && is_drawn(e, d, e->from);
    if (elsewhere)
        PASS(copy_drawn(e, d->name));
    if (!there && !elsewhere)
        PASS(write_hidden(e, d));
    ARRAY_ROOM(e->job, e->jobs, e->room);
    e->job[e->jobs++] = (struct picture_job){.name = str_copy(d->name),
                                             .done = there || elsewhere};
    e->done += there || elsewhere;
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
    e->most = cores < PROCESSES ? cores : PROCESSES;
    e->terminal = streams_moves(STDERR_FILENO);
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
        text_free(&j->said);
        free(j->name);
        free(j->why);
    }
    folder_remove(e->hidden);
    if (e->lock >= 0)
        close(e->lock);
    free(e->hidden);
    free(e->version);
    free(e->why_not);
    free(e->job);
    free(e);
    output->easel = NULL;
}
