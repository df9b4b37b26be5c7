#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* unshare */
#endif
/* Leases: only one of many runners works on a cell, and a dead runner blocks no
 * cell. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/store/store.h"
#include "tests/support/store_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Replaces libc's time: this machine's clock, `ahead` seconds ahead of the
 * disk's. */
static int ahead;

time_t time(time_t *out)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_sec += ahead;
    return out ? (*out = t.tv_sec) : t.tv_sec;
}

/* Replaces libc's link, for file systems without links. */
static enum { LINKS, NO_LINKS, RACE, RACE_WITHOUT_LINKS } file_system;

int link(const char *from, const char *to)
{
    if (file_system >= RACE) /* another process takes the name first */
        close(open(to, O_WRONLY | O_CREAT, 0666));
    if (file_system == NO_LINKS || file_system == RACE_WITHOUT_LINKS) {
        errno = EPERM;
        return -1;
    }
    return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

static char *claim_path(void) { return str_format("%s/claims/%s", folder, id); }

static char *claim_text(void)
{
    char *path = claim_path(), *text;

    assert_int_equal(file_read(&text, NULL, path), OK);
    free(path);
    return text;
}

/* Writes the lease of another process, last renewed `age` seconds ago. */
static void leave_claim(const char *text, int age)
{
    char *path = claim_path();
    struct timespec t[2] = {{time(NULL) - age, 0}, {time(NULL) - age, 0}};

    assert_int_equal(file_write(path, text, strlen(text)), OK);
    assert_int_equal(utimensat(AT_FDCWD, path, t, 0), 0);
    free(path);
}

/* Takes the lease in a child process. Returns 0, or the exit code of the
 * refusal. */
static int claim_elsewhere(void)
{
    pid_t child = fork();
    int status;

    if (child == 0)
        _exit(err_exit_code(store_claim(store, id)));
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static enum cell_state state_now(void)
{
    struct cell_status status;

    assert_int_equal(store_status(store, id, &status), OK);
    return status.state;
}

static void leave(const char *name, int age)
{
    char *path = str_format("%s/%s", folder, name);
    struct timespec t[2] = {{time(NULL) - age, 0}, {time(NULL) - age, 0}};

    assert_int_equal(file_write(path, "x", 1), OK);
    assert_int_equal(utimensat(AT_FDCWD, path, t, 0), 0);
    free(path);
}

static int there(const char *name)
{
    char *path = str_format("%s/%s", folder, name);
    int yes = file_exists(path);

    free(path);
    return yes;
}

static void one_holder(void **state)
{
    char *pid = str_format("process %ld", (long)getpid());

    (void)state;
    assert_int_equal(store_claim(store, id), OK);
    assert_int_equal(claim_elsewhere(), -ERR_BUSY);
    assert_int_equal(store_claim(store, id), ERR_BUSY);
    assert_non_null(strstr(err_last(), pid));
    assert_int_equal(store_claim(store, "00000000000000aa"), OK);
    store_release(store, id);
    assert_int_equal(state_now(), CELL_MISSING);
    assert_int_equal(claim_elsewhere(), 0);
    free(pid);
}

static void dead_owner(void **state)
{
    (void)state;
    assert_int_equal(claim_elsewhere(), 0); /* the child is dead now */
    assert_int_equal(state_now(), CELL_MISSING);
    assert_int_equal(store_claim(store, id), OK);
    assert_int_equal(state_now(), CELL_RUNNING);
    assert_int_equal(store_heartbeat(store, id), OK);
}

/* The owner was killed, and its parent has not waited for it. */
static void zombie_owner(void **state)
{
    pid_t child = fork();
    siginfo_t info;

    (void)state;
    if (child == 0)
        _exit(err_exit_code(store_claim(store, id)));
    assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
    assert_int_equal(store_claim(store, id), OK);
    waitpid(child, NULL, 0);
}

/* This process has the same pid as the dead owner. */
static void pid_used_again(void **state)
{
    char host[128], boot[40], pids[40], *text, *older;
    long pid;

    (void)state;
    assert_int_equal(store_claim(store, id), OK);
    text = claim_text();
    assert_int_equal(sscanf(text, "host %127s\npid %ld\nstart %*u\n"
                            "boot %39s\npids %39s", host, &pid, boot, pids),
                     4);
    assert_int_equal(pid, getpid());
    older = str_format("host %s\npid %ld\nstart 7\nboot %s\npids %s\n", host,
                       pid, boot, pids);
    leave_claim(older, 0);
    assert_int_equal(store_heartbeat(store, id), ERR_BUSY);
    assert_int_equal(claim_elsewhere(), 0);
    free(older);
    free(text);
}

static void other_host(void **state)
{
    static const char other[] =
        "host elsewhere\npid 1\nstart 5\n"
        "boot 01234567-89ab-cdef-0123-456789abcdef\npids pid:[1]\n";

    (void)state;
    leave_claim(other, 60);
    assert_int_equal(state_now(), CELL_RUNNING);
    assert_int_equal(store_claim(store, id), ERR_BUSY);
    assert_non_null(strstr(err_last(), "process 1 on elsewhere"));
    leave_claim(other, 180);
    assert_int_equal(state_now(), CELL_MISSING);
    assert_int_equal(store_claim(store, id), OK);
}

static void when_alone(void *arg) { ++*(int *)arg; }

/* Runners on several machines detect stale leases by the clock of the shared
 * file system, whatever their own clocks say. */
static void another_clock(void **state)
{
    static const char other[] =
        "host elsewhere\npid 77\nstart 5\n"
        "boot 01234567-89ab-cdef-0123-456789abcdef\npids pid:[1]\n";
    char *cell = str_format("cells/%s.h5.77.tmp", id);
    int alone = 0;

    (void)state;
    assert_int_equal(store_sweep(store), OK);
    leave_claim(other, 0);
    leave(cell, 200);
    for (ahead = -300; ahead <= 300; ahead += 300) {
        assert_int_equal(store_claim(store, id), ERR_BUSY);
        assert_int_equal(store_claimed(store, id), 1);
        assert_int_equal(store_alone(store, when_alone, &alone), OK);
        assert_int_equal(store_sweep(store), OK);
        assert_int_equal(there(cell), 1);
    }
    ahead = 0;
    leave_claim(other, 180);
    for (ahead = -300; ahead <= 300; ahead += 300)
        assert_int_equal(store_claimed(store, id), 0);
    ahead = 0;
    assert_int_equal(alone, 0);
    assert_int_equal(store_alone(store, when_alone, &alone), OK);
    assert_int_equal(alone, 1);
    assert_int_equal(store_sweep(store), OK);
    assert_int_equal(there(cell), 0);
    free(cell);
}

/* A lease from another container has the same host and boot id, but another pid
 * namespace. Whether a process with its pid exists in this namespace says
 * nothing about its owner. */
static void other_container(void **state)
{
    char host[128], boot[40], *text, *theirs;
    unsigned long long start;
    long pid;

    (void)state;
    assert_int_equal(store_claim(store, id), OK);
    text = claim_text();
    assert_int_equal(sscanf(text, "host %127s\npid %ld\nstart %llu\n"
                            "boot %39s", host, &pid, &start, boot), 4);
    theirs = str_format("host %s\npid 99999999\nstart 7\nboot %s\n"
                        "pids pid:[1]\n", host, boot);
    leave_claim(theirs, 60);
    assert_int_equal(claim_elsewhere(), -ERR_BUSY);
    free(theirs);
    theirs = str_format("host %s\npid %ld\nstart %llu\nboot %s\n"
                        "pids pid:[1]\n", host, pid, start, boot);
    leave_claim(theirs, 180);
    assert_int_equal(claim_elsewhere(), 0);
    free(theirs);
    free(text);
}

/* A lease whose host has this host's name, but another boot: the host was
 * started again, or another one has its name. A lease of another process of
 * this system, which lives. */
static void other_owners(void **state)
{
    char host[128], mine[40], pids[40], *text;
    unsigned long long start;

    (void)state;
    assert_int_equal(store_claim(store, id), OK);
    text = claim_text();
    assert_int_equal(sscanf(text, "host %127s\npid %*d\nstart %llu\n"
                            "boot %39s\npids %39s", host, &start, mine, pids),
                     4);
    free(text);
    OWNED(free) char *boot = str_format(
        "host %s\npid 99999999\nstart 7\n"
        "boot 01234567-89ab-cdef-0123-456789abcdef\npids %s\n", host, pids);
    leave_claim(boot, 60);
    assert_int_equal(store_claim(store, id), ERR_BUSY);
    leave_claim(boot, 180);
    assert_int_equal(store_claim(store, id), OK);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            pause();
    }
    OWNED(free) char *theirs = str_format(
        "host %s\npid %ld\nstart %llu\nboot %s\npids %s\n", host, (long)child,
        start, mine, pids);
    leave_claim(theirs, 0);
    assert_int_equal(store_heartbeat(store, id), ERR_BUSY);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

/* On a file system without links the lock alone prevents two owners. */
static void without_links(void **state)
{
    static const int races[] = {RACE, RACE_WITHOUT_LINKS};
    OWNED(free) char *path = claim_path(), *claims = str_format("%s/claims",
                                                                folder);

    (void)state;
    file_system = NO_LINKS;
    assert_int_equal(store_claim(store, id), OK);
    assert_int_equal(claim_elsewhere(), -ERR_BUSY);
    store_release(store, id);
    assert_false(file_exists(path));
    for (int i = 0; i < 2; i++) {
        file_system = races[i];
        assert_int_equal(store_claim(store, id), ERR_BUSY);
        assert_non_null(strstr(err_last(), "has just leased this cell"));
        assert_int_equal(unlink(path), 0);
    }
    file_system = LINKS;
    unlink(strcat(strcpy(path, claims), "/.lock"));
    assert_int_equal(rmdir(claims), 0); /* no temporary file is left */
}

/* ---- what fails ---- */

/* A claim that fails leaves no lease. */
static void refused_claim(int code, const char *words)
{
    OWNED(free) char *path = claim_path();

    assert_int_equal(store_claim(store, id), code);
    if (!strstr(err_last(), words))
        fail_msg("'%s' does not say '%s'", err_last(), words);
    assert_false(file_exists(path));
}

static char *in_store(const char *name)
{
    return str_format("%s/%s", folder, name);
}

static void damaged_store(void **state)
{
    OWNED(free) char *lock = in_store("claims/.lock"), *at = claim_path();
    OWNED(free) char *checkpoints = in_store("checkpoints");
    OWNED(free) char *tmp = str_format("%s/%s.tmp", checkpoints, id);
    OWNED(free) char *journal = in_store("journal.tsv");
    struct timespec old[2] = {{1000, 0}, {1000, 0}};

    (void)state;
    assert_int_equal(mkfifo(lock, 0600), 0);
    refused_claim(ERR_STORE, "claims/.lock: is not a file: remove it");
    assert_int_equal(unlink(lock), 0);
    assert_int_equal(mkdir(tmp, 0700), 0);
    refused_claim(ERR_IO, tmp);
    assert_int_equal(rmdir(tmp), 0);
    assert_int_equal(rmdir(checkpoints), 0);
    refused_claim(ERR_IO, checkpoints);
    assert_int_equal(mkdir(checkpoints, 0700), 0);
    assert_int_equal(unlink(journal), 0);
    refused_claim(ERR_STORE, "journal.tsv: is missing");
    assert_int_equal(mkdir(at, 0700), 0);
    assert_int_equal(utimensat(AT_FDCWD, at, old, 0), 0);
    assert_int_equal(store_claim(store, id), ERR_IO);
    assert_non_null(strstr(err_last(), at));
}

/* The folder of the leases is lost while a cell is trained. */
static void lost_claims(void **state)
{
    OWNED(free) char *claims = in_store("claims"), *kept = in_store("kept");
    char who[256];

    (void)state;
    assert_int_equal(store_claim(store, id), OK);
    assert_int_equal(rename(claims, kept), 0);
    assert_int_equal(file_write(claims, "x", 1), OK);
    assert_int_equal(store_heartbeat(store, id), ERR_IO);
    assert_non_null(strstr(err_last(), claims));
    assert_int_equal(store_claimed(store, id), 0);
    assert_int_equal(store_at_work(store, who, sizeof who), 0);
    refused_claim(ERR_IO, "claims/.lock");
    store_release(store, id);
    assert_int_equal(unlink(claims), 0);
    assert_int_equal(rename(kept, claims), 0);
    leave("claims/aa.5eed0123.1.tmp", 0);
    assert_int_equal(store_at_work(store, who, sizeof who), 1);
    assert_int_equal(store_heartbeat(store, id), OK);
}

/* A process without the right to write takes no lease. */
static void no_rights(void **state)
{
    OWNED(free) char *lock = in_store("claims/.lock");
    int status;

    (void)state;
    assert_int_equal(store_claim(store, id), OK);
    store_release(store, id);
    assert_int_equal(chmod(folder, 0755) | chmod(lock, 0444), 0);
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && (setgid(65534) || setuid(65534)))
            _exit(99);
        int rc = store_claim(store, id);
        _exit(strstr(err_last(), "get write access") ? err_exit_code(rc) : 98);
    }
    waitpid(child, &status, 0);
    assert_int_equal(WEXITSTATUS(status), err_exit_code(ERR_IO));
}

/* A lease that was not renewed for a while is released under the lock. */
static void released_late(void **state)
{
    OWNED(free) char *path = claim_path(), *text = NULL;

    (void)state;
    assert_int_equal(store_claim(store, id), OK);
    text = claim_text();
    leave_claim(text, 100);
    store_release(store, id);
    assert_false(file_exists(path));
}

/* The owner died between creating the file and writing it. */
static void empty_claim(void **state)
{
    (void)state;
    leave_claim("", 10);
    assert_int_equal(store_claim(store, id), ERR_BUSY);
    leave_claim("host x\npi", 180);
    assert_int_equal(store_claim(store, id), OK);
}

/* A lease is dated in the future. The first check sets its time to now; from
 * then on it is treated like any other lease. */
static void from_the_future(void **state)
{
    static const char other[] =
        "host elsewhere\npid 1\nstart 5\n"
        "boot 01234567-89ab-cdef-0123-456789abcdef\npids pid:[1]\n";
    char *path = claim_path();
    struct stat st;

    (void)state;
    leave_claim(other, -1000000);
    assert_int_equal(store_claim(store, id), ERR_BUSY);
    assert_int_equal(stat(path, &st), 0);
    assert_true(labs((long)(time(NULL) - st.st_mtime)) < 10);
    leave_claim(other, 180);
    assert_int_equal(store_claim(store, id), OK);
    free(path);
}

/* Takes the lease as user nobody, who sees no processes of other users in
 * /proc. */
static int claim_of_nobody(void)
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        char *claims = str_format("%s/claims", folder);
        char *lock = str_format("%s/.lock", claims);

        if (unshare(CLONE_NEWNS) ||
            mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
            mount("proc", "/proc", "proc", 0, "hidepid=2") ||
            chmod(folder, 0755) || chmod(claims, 0777) || chmod(lock, 0666) ||
            setgroups(0, NULL) || setgid(65534) || setuid(65534) ||
            access("/proc/1", F_OK) == 0)
            _exit(77);
        _exit(err_exit_code(store_claim(store, id)));
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void hidden_owner(void **state)
{
    (void)state;
    assert_int_equal(store_claim(store, id), OK);
    int code = claim_of_nobody();
    if (code == 77) /* cmocka 1.1.5 prints a skipped test as "not ok" */
        print_message("# skipped: only root may mount /proc, if at all\n");
    else
        assert_int_equal(code, -ERR_BUSY);
}

/* There are files with names of leases that are not leases. */
static void no_claim(void **state)
{
    char *path = claim_path();
    struct timespec old[2] = {{1000, 0}, {1000, 0}};

    (void)state;
    assert_int_equal(symlink("nowhere", path), 0);
    assert_int_equal(store_claim(store, id), ERR_BUSY);
    assert_int_equal(utimensat(AT_FDCWD, path, old, AT_SYMLINK_NOFOLLOW), 0);
    assert_int_equal(store_claim(store, id), OK);
    free(path);
}

/* The lease belongs to a process whose child is the worker. */
static void of_a_child(void **state)
{
    int status;

    (void)state;
    assert_int_equal(store_claim(store, id), OK);
    pid_t child = fork();
    if (child == 0)
        _exit(err_exit_code(store_heartbeat(store, id)));
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    leave_claim("host elsewhere\npid 1\nstart 5\nboot x\npids y\n", 0);
    child = fork();
    if (child == 0)
        _exit(err_exit_code(store_heartbeat(store, id)));
    waitpid(child, &status, 0);
    assert_int_equal(WEXITSTATUS(status), -ERR_BUSY);
}

static void swept(void **state)
{
    static const char *const dead[] = {
        "claims/00000000000000aa", "claims/aa.5eed0123.99999999.tmp",
        "cells/aa.h5.5eed0123.99999999.tmp", "checkpoints/aa.tmp",
        "failed/aa.json.5eed0123.99999999.tmp",
        "index.h5.5eed0123.99999999.tmp",
        /* from versions without a random number in the name */
        "claims/aa.99999999.tmp", "cells/aa.h5.99999999.tmp",
        "failed/aa.json.99999999.tmp", "index.h5.99999999.tmp",
        "index.h5.draft.tmp"};
    char *cell = str_format("cells/%s.h5.5eed0123.99999999.tmp", id);
    char *checkpoint = str_format("checkpoints/%s.tmp", id);
    char *alive = str_format("index.h5.99999999.%ld.tmp", (long)getppid());
    const char *const kept[] = {cell, checkpoint, "checkpoints/aa.0.ckpt",
                                "experiment.json.5eed0123.99999998.tmp", alive,
                                /* of another program */
                                "claims/letter", "cells/draft.tmp",
                                "cells/x.tmp", "a.tmp"};

    (void)state;
    assert_int_equal(store_claim(store, id), OK);
    for (size_t i = 0; i < sizeof dead / sizeof *dead; i++)
        leave(dead[i], 200);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        leave(kept[i], i == 3 ? 60 : 200);
    assert_int_equal(store_sweep(store), OK);
    for (size_t i = 0; i < sizeof dead / sizeof *dead; i++)
        assert_int_equal(there(dead[i]), 0);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        assert_int_equal(there(kept[i]), 1);
    assert_int_equal(state_now(), CELL_RUNNING);
    free(alive);
    free(checkpoint);
    free(cell);
}

/* repair quarantines only files that no process is writing. A temporary
 * index.h5 that was written recently may be from a process in another
 * container, which is not visible here. */
static void written_elsewhere(void **state)
{
    static const char name[] = "index.h5.5eed0123.99999999.tmp";

    (void)state;
    assert_int_equal(store_sweep(store), OK);
    leave(name, 60);
    assert_int_equal(store_written(store, "", name), 1);
    leave(name, 200);
    assert_int_equal(store_written(store, "", name), 0);
    leave("claims/draft.tmp", 200);
    assert_int_equal(store_written(store, "claims", "draft.tmp"), 0);
}

/* ---- the lock ---- */

static void on_alarm(int signal) { (void)signal; }

/* Another process holds the lock and is stopped. A signal ends the wait; the
 * signal repeats, because one that arrives before the wait has no effect. */
static void held_lock(void **state)
{
    struct sigaction act = {.sa_handler = on_alarm};
    struct itimerval often = {{0, 100000}, {1, 0}}, never = {{0, 0}, {0, 0}};
    int ends[2], fd;
    char c;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        _exit(store_lock(&fd, folder, "claims/.lock") < 0 ||
              write(ends[1], "x", 1) != 1 || pause());
    }
    assert_int_equal(read(ends[0], &c, 1), 1);
    sigaction(SIGALRM, &act, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    char *name = str_format("process %ld", (long)child);
    int rc = store_claim(store, id);
    setitimer(ITIMER_REAL, &never, NULL);
    assert_int_equal(rc, ERR_STOPPED);
    assert_non_null(strstr(err_last(), name));
    assert_int_equal(state_now(), CELL_MISSING);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_int_equal(store_claim(store, id), OK);
    close(ends[0]);
    close(ends[1]);
    free(name);
}

/* A lock that belongs to an open file has no process that could be named, like
 * one of another host. */
static void nameless_lock(void **state)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct sigaction act = {.sa_handler = on_alarm};
    struct itimerval often = {{0, 100000}, {0, 100000}}, never = {{0, 0},
                                                                  {0, 0}};
    OWNED(free) char *path = in_store("claims/.lock");

    (void)state;
    int fd = open(path, O_RDWR | O_CREAT, 0666);
    assert_int_equal(fcntl(fd, F_OFD_SETLK, &whole), 0);
    sigaction(SIGALRM, &act, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    int rc = store_claim(store, id);
    setitimer(ITIMER_REAL, &never, NULL);
    assert_int_equal(rc, ERR_STOPPED);
    assert_non_null(strstr(err_last(), "a process of another host or"));
    close(fd);
}

static void taken_away(void **state)
{
    (void)state;
    assert_int_equal(store_claim(store, id), OK);
    leave_claim("host elsewhere\npid 1\nstart 5\nboot x\npids y\n", 0);
    assert_int_equal(store_heartbeat(store, id), ERR_BUSY);
    store_release(store, id); /* not our lease: it must stay */
    char *text = claim_text();
    assert_non_null(strstr(text, "elsewhere"));
    free(text);
    char *path = claim_path();
    unlink(path);
    free(path);
    assert_int_equal(store_heartbeat(store, id), ERR_BUSY);
}

static void beats(void **state)
{
    char *text, *path = claim_path();
    struct stat st;

    (void)state;
    assert_int_equal(store_claim(store, id), OK);
    text = claim_text();
    leave_claim(text, 1000);
    assert_int_equal(store_heartbeat(store, id), OK);
    assert_int_equal(stat(path, &st), 0);
    assert_true(labs((long)(time(NULL) - st.st_mtime)) < 10);
    free(text);
    free(path);
}

/* Waits for the start, takes the lease, reports the result, and stays alive. */
static void racer(int go, int say, int end)
{
    char c;

    if (read(go, &c, 1) != 0)
        _exit(1);
    c = store_claim(store, id) == OK ? 'w' : 'l';
    if (write(say, &c, 1) == 1 && read(end, &c, 1) == 0)
        _exit(0);
    _exit(1);
}

static int race(void)
{
    enum { RUNNERS = 8 };
    int go[2], say[2], end[2], winners = 0;
    char c;

    assert_int_equal(pipe(go) | pipe(say) | pipe(end), 0);
    for (int i = 0; i < RUNNERS; i++)
        if (fork() == 0) {
            close(go[1]);
            close(end[1]);
            racer(go[0], say[1], end[0]);
        }
    close(go[0]);
    close(go[1]); /* start */
    close(say[1]);
    for (int i = 0; i < RUNNERS && read(say[0], &c, 1) == 1; i++)
        winners += c == 'w';
    close(end[1]);
    close(end[0]);
    close(say[0]);
    for (int i = 0; i < RUNNERS; i++)
        wait(NULL);
    return winners;
}

/* Each round except the first begins with the stale lease of the previous
 * winner. */
static void one_wins(void **state)
{
    (void)state;
    for (int round = 0; round < 40; round++)
        assert_int_equal(race(), 1);
}

int main(void)
{
#define CLAIM_TEST(name, fn) {name, fn, store_setup, store_teardown, NULL}
    static const struct CMUnitTest tests[] = {
        CLAIM_TEST("a cell has one holder, who is named to others",
                   one_holder),
        CLAIM_TEST("a dead owner's lease is taken over at once", dead_owner),
        CLAIM_TEST("a zombie's lease is taken over at once", zombie_owner),
        CLAIM_TEST("a pid used again is not taken for the owner",
                   pid_used_again),
        CLAIM_TEST("a lease of another host is valid while it is renewed",
                   other_host),
        CLAIM_TEST("the age of a lease is measured by the clock of the shared "
                   "file system", another_clock),
        CLAIM_TEST("processes of another container are not looked for here",
                   other_container),
        CLAIM_TEST("a lease of another boot expires, one of another process "
                   "is its own", other_owners),
        CLAIM_TEST("a file system without links has leases, too",
                   without_links),
        CLAIM_TEST("a claim that fails leaves no lease", damaged_store),
        CLAIM_TEST("an owner without its folder of leases keeps nothing else",
                   lost_claims),
        CLAIM_TEST("a lease needs the right to write", no_rights),
        CLAIM_TEST("a lease that was not renewed is released", released_late),
        CLAIM_TEST("a lease without contents expires", empty_claim),
        CLAIM_TEST("a process that lost its lease gets ERR_BUSY and keeps the "
                   "new lease", taken_away),
        CLAIM_TEST("a lease with a time in the future expires",
                   from_the_future),
        CLAIM_TEST("an owner that /proc hides is not taken for dead",
                   hidden_owner),
        CLAIM_TEST("a link in place of a lease expires", no_claim),
        CLAIM_TEST("a child can renew the lease of its parent", of_a_child),
        CLAIM_TEST("files of dead processes are removed, those of living ones "
                   "are not", swept),
        CLAIM_TEST("a file that was lately written on another host is not "
                   "removed", written_elsewhere),
        CLAIM_TEST("a signal ends the wait for a lock, whose holder is named",
                   held_lock),
        CLAIM_TEST("a lock whose holder is unknown is not named",
                   nameless_lock),
        CLAIM_TEST("a heartbeat renews the lease", beats),
        CLAIM_TEST("of eight processes that want a dead owner's cell, one gets "
                   "it", one_wins),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
