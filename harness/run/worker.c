#include "harness/run/worker.h"

#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/signals.h"
#include "harness/base/str.h"
#include "harness/run/select_trial.h"
#include "harness/run/place.h"
#include "harness/run/rerun.h"
#include "harness/run/team.h"
#include "harness/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOST_RANK 3600.0 /* a rank is lost if it sends nothing for this many
                            seconds; preparing data may take as long */
#define LEEWAY 10.0      /* additional seconds in which the parent can kill the
                            worker that hangs, and report its phase         */

_Static_assert(sizeof(struct note) <= PIPE_BUF, "a note must not be torn");

/* ---- the child ---- */

static volatile sig_atomic_t stop;

static void on_stop(int signal)
{
    (void)signal;
    stop = 1;
}

/* Sends a note.  If that fails, the parent is gone, and this process is about
 * to be killed, too (PR_SET_PDEATHSIG). */
static void send_note(int fd, const struct note *n)
{
    while (write(fd, n, sizeof *n) < 0 && errno == EINTR)
        ;
}

struct child {
    const struct cell *cell;
    struct store      *store;
    int                fd, stop_after; /* steps; 0: train to the end */
};

static void report_progress(void *arg, const struct progress *p)
{
    const struct child *me = arg;

    if (me->stop_after && p->done >= me->stop_after &&
        !strcmp(p->phase, "train"))
        stop = 1;
    struct note n = {.done = p->done, .of = p->of, .loss = p->loss,
                     .fraction = p->fraction, .saved = p->saved,
                     .gap = p->gap, .remark = p->remark != NULL};

    snprintf(n.phase, sizeof n.phase, "%s", p->phase);
    if (p->remark) {
        snprintf(n.message, sizeof n.message, "%s", p->remark);
        fprintf(stderr, "%s\n", p->remark);
    }
    send_note(me->fd, &n);
}

static void tell_data(void *arg, const char *phase, long done, long long of)
{
    const struct progress p = {.phase = phase, .done = done, .of = (long)of,
                               .loss = NAN};

    report_progress(arg, &p);
}

static int may_commit(void *arg)
{
    const struct child *me = arg;

    return store_heartbeat(me->store, me->cell->id);
}

/* ---- callbacks while the child waits for other ranks ---- */

static void is_alive(void *arg)
{
    const struct child *me = arg;
    const struct note n = {.loss = NAN, .remark = 1};

    send_note(me->fd, &n);
}

static void loses_patience(void *arg, const char *why)
{
    const struct child *me = arg;
    struct note n = {.ended = 1, .rc = ERR_IO, .loss = NAN};

    snprintf(n.message, sizeof n.message, "%s", why);
    fprintf(stderr, "%s\n", why);
    send_note(me->fd, &n);
    _exit(0);
}

/* Joins the other ranks.  `patience` is the time after which a machine counts
 * as lost.  A worker that hangs is killed earlier, by its parent
 * (watchdog.h). */
static struct ranks *join(struct child *me, const struct pool_options *o)
{
    const struct ranks_life life = {
        .patience = o->stall < 0   ? LOST_RANK
                    : o->stall > 0 ? 2 * o->stall + LEEWAY
                                   : 0,
        .waits = is_alive, .ends = loses_patience, .arg = me};

    return team_join(o->team, &life);
}

static int prepare_data(struct child *me, const struct pool_options *o)
{
    struct task_opts opts = train_data(&me->cell->config, o->cache,
                                       o->files);
    OWNED(dataset_close) struct dataset d = {0};

    opts.threads = o->preparing;
    opts.tell = tell_data;
    opts.tell_arg = me;
    return task_open(&d, me->cell->task, &opts);
}

static int train(struct child *me, const struct plan *p,
                 const struct pool_options *o)
{
    const struct cell *c = me->cell;
    OWNED(free) char *store = rerun_folder(p, c);
    OWNED(free) char *folder = str_format("%s/checkpoints", store);
    OWNED(free) char *config = settings_text(&c->config, 1);
    OWNED(free) char *settings = settings_all(&c->config, 1);
    const char *from = strcmp(c->config.pretrained, "none") ? p->store : NULL;
    OWNED(arena_free) struct arena *a = arena_new();
    OWNED(ranks_leave) struct ranks *ranks = join(me, o);
    struct train_choice choice;
    struct placement placement;
    struct config chosen = c->config;
    struct train_env env = {
        .folder = folder, .id = c->id, .config = config,
        .settings = settings, .cache = o->cache, .files = o->files,
        .store = store, .from = from, .ranks = ranks, .placement = &placement,
        .metric = metric_all, .stop = &stop, .jobs = o->jobs,
        .tell = report_progress, .may_commit = may_commit, .arg = me};

    place_take(&placement, o->place, o->slot);
    if (c->trials) {
        PASS(select_trial(&choice, &chosen, c, me->store, a));
        env.choice = &choice;
    }
    if (o->threads && chosen.threads > o->threads)
        chosen.threads = o->threads;
    return train_cell(&chosen, &c->mix, c->task, &env);
}

static int redirect(const char *log)
{
    int fd = open(log, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK,
                  0666); /* follows no link and does not block on a pipe */
    int null = open("/dev/null", O_RDONLY);
    char date[32];

    if (fd < 0 || null < 0 || dup2(null, 0) < 0 || dup2(fd, 1) < 0 ||
        dup2(fd, 2) < 0)
        return err_errno(ERR_IO, "%s", log);
    close(fd);
    close(null);
    fprintf(stderr, "%s process %ld\n", clock_iso(date), (long)getpid());
    return OK;
}

/* Installs the handler of stop requests.  Their signals are blocked during the
 * fork, so that the parent's handler never runs in the child. */
static void listen_to_signals(void)
{
    struct sigaction act = {.sa_handler = on_stop, .sa_flags = SA_RESTART};

    signals_end(&act);
    signal(SIGPIPE, SIG_IGN);
    signals_aside();
}

/* Makes the kernel's OOM killer prefer a worker to its parent. */
static void offer_to_oom_killer(void)
{
    OWNED(fclose) FILE *f = fopen("/proc/self/oom_score_adj", "w");

    if (f)
        fputs("500", f);
}

static _Noreturn void child(const struct worker *w, const struct plan *p,
                            const struct pool_options *o, struct store *s,
                            int fd)
{
    struct note n = {.ended = 1, .loss = NAN};
    struct child me = {w->cell, s, fd, o->stop_after};

    offer_to_oom_killer();
    n.rc = redirect(w->log);
    if (n.rc == OK)
        n.rc = w->job == WORKER_DATA ? prepare_data(&me, o) : train(&me, p, o);
    if (n.rc < 0) {
        snprintf(n.message, sizeof n.message, "%s", err_last());
        fprintf(stderr, "%s\n", n.message);
    }
    send_note(fd, &n);
    _exit(0); /* does not flush the buffers copied from the parent */
}

/* ---- the parent ---- */

static long size_of(const char *path)
{
    struct stat st;

    return stat(path, &st) ? 0 : (long)st.st_size;
}

static char *log_of(const struct plan *p, const struct cell *c, int rank)
{
    return rank ? str_format("%s/logs/%s.rank%d.log", p->store, c->id, rank)
                : str_format("%s/logs/%s.log", p->store, c->id);
}

static pid_t fork_child(void)
{
    pid_t parent = getpid(), pid = fork();

    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(1);
        listen_to_signals();
    }
    return pid;
}

int worker_start(struct worker *w, const struct cell *c, const struct plan *p,
                 const struct pool_options *o, struct store *s,
                 enum worker_job job)
{
    sigset_t ends_us, before;
    int ends[2];

    *w = (struct worker){.cell = c, .job = job, .counted = clock_seconds(),
                         .last = {.phase = "start", .loss = NAN}};
    if (pipe(ends))
        return err_errno(ERR_IO, "pipe");
    w->log = log_of(p, c, team_me(o->team));
    w->log_from = size_of(w->log);
    fflush(NULL);
    sigemptyset(&ends_us);
    sigaddset(&ends_us, SIGTERM);
    sigaddset(&ends_us, SIGINT);
    sigaddset(&ends_us, SIGHUP);
    sigprocmask(SIG_BLOCK, &ends_us, &before);
    w->pid = fork_child();
    if (w->pid == 0) {
        close(ends[0]);
        child(w, p, o, s, ends[1]);
    }
    int cause = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(ends[1]); /* before the next fork, so that no sibling has it open */
    if (w->pid < 0) {
        close(ends[0]);
        free(w->log);
        w->pid = 0;
        errno = cause;
        return err_errno(ERR_IO, "fork");
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    w->pipe = ends[0];
    return OK;
}

int worker_read(struct worker *w)
{
    for (;;) {
        struct note n;
        ssize_t got = read(w->pipe, &n, sizeof n);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN)
            return 0;
        if (got != sizeof n)
            return 1;
        w->quiet = 0;
        if (n.remark) {
            snprintf(w->remark, sizeof w->remark, "%s", n.message);
            continue;
        }
        if (n.ended) { /* the note has only the result; keep the progress */
            struct note end = w->last;

            end.ended = 1;
            end.rc = n.rc;
            memcpy(end.message, n.message, sizeof end.message);
            n = end;
        }
        if (strcmp(n.phase, w->last.phase)) {
            w->phase_began = clock_seconds();
            w->phase_from = n.done;
        }
        w->last = n;
    }
}

void worker_kill(struct worker *w, const char *class, const char *fmt, ...)
{
    va_list ap;

    if (w->killed)
        return;
    w->killed = class;
    va_start(ap, fmt);
    vsnprintf(w->why, sizeof w->why, fmt, ap);
    va_end(ap);
    kill(w->pid, SIGKILL); /* ends a suspended process, too */
}

enum { TAIL = 512 };

/* Writes the last lines of this attempt's log to `out`, joined to one line that
 * starts with ": ".  If the log is empty, writes "". */
static void log_tail(const struct worker *w, char out[4 * TAIL])
{
    OWNED(free) char *text = NULL;
    char *from, *to = out;
    size_t n;

    *out = 0;
    if (file_read(&text, &n, w->log) < 0)
        return; /* there is no log */
    from = text + ((size_t)w->log_from < n ? (size_t)w->log_from : n);
    from += strcspn(from, "\n"); /* the first line has only date and pid */
    if (n > TAIL && from < text + n - TAIL)
        from = text + n - TAIL;
    while (text + n > from && text[n - 1] == '\n')
        text[--n] = 0;
    if (*from == '\n')
        from++;
    if (*from)
        to += sprintf(to, ": ");
    for (; *from; from++) {
        if (*from == '\n')
            to += sprintf(to, " | ");
        else
            *to++ = *from;
    }
    *to = 0;
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* Returns the limit on processor time in seconds if the kernel ended the
 * process for exceeding it, or 0.  At the soft limit the kernel sends SIGXCPU,
 * which has no other cause.  At the hard limit it sends SIGKILL, as it does
 * when memory is exhausted; only the used processor time distinguishes the two
 * causes.  The kernel counts ticks, so it may send a signal some ticks
 * early. */
static double cpu_limit(int signal, const struct rusage *used)
{
    enum { EARLY_MS = 500 };
    double seconds = seconds_of(used->ru_utime) + seconds_of(used->ru_stime);
    struct rlimit l;

    if (getrlimit(RLIMIT_CPU, &l) < 0)
        return 0;
    rlim_t limit = signal == SIGXCPU   ? l.rlim_cur
                   : signal == SIGKILL ? l.rlim_max
                                       : RLIM_INFINITY;
    return limit != RLIM_INFINITY &&
                   (signal == SIGXCPU ||
                    seconds >= (double)limit - EARLY_MS / 1000.0)
               ? (double)limit : 0;
}

static int failed_by(const struct worker *w, int status,
                     const struct rusage *used, const char **class)
{
    char tail[4 * TAIL];

    if (w->killed) {
        *class = w->killed;
        return err_set(ERR_IO, "%s", w->why);
    }
    log_tail(w, tail);
    if (WIFSIGNALED(status)) {
        int s = WTERMSIG(status);
        double limit = cpu_limit(s, used);

        *class = "signal";
        if (limit > 0)
            return err_set(ERR_IO, "signal %d (%s): used up the %.0f s of "
                           "processor time that the system allows a process "
                           "(`ulimit -t`); raise that limit and run again%s",
                           s, strsignal(s), limit, tail);
        return err_set(ERR_IO, "signal %d (%s%s)%s", s, strsignal(s),
                       s == SIGKILL ? ", perhaps by the out-of-memory killer"
                                    : "",
                       tail);
    }
    *class = WEXITSTATUS(status) == -ERR_SPACE    ? "oom"
             : WEXITSTATUS(status) == -ERR_DEVICE ? "device"
                                                  : "error";
    if (!strcmp(*class, "device"))
        return err_set(ERR_IO, "the GPU failed%s", tail);
    if (!strcmp(*class, "oom"))
        return err_set(ERR_IO, "ran out of memory%s", tail);
    return err_set(ERR_IO, "ended with exit code %d and no message%s",
                   WEXITSTATUS(status), tail);
}

int worker_end(struct worker *w, const char **class)
{
    struct rusage used = {0};
    int status = 0, rc;

    worker_read(w);
    close(w->pipe);
    while (wait4(w->pid, &status, 0, &used) < 0 && errno == EINTR)
        ;
    if (!w->last.ended) {
        rc = failed_by(w, status, &used, class);
    } else {
        rc = w->last.rc;
        *class = rc == ERR_DIVERGED ? "diverged"
                 : rc == ERR_DATA   ? "bad-data"
                 : rc == ERR_DEVICE ? "device"
                                    : "error";
        if (rc < 0)
            err_set(rc, "%s", w->last.message);
    }
    free(w->log);
    w->pid = 0;
    return rc;
}
