/* How a worker ended: its class and message, from its exit code, its signal,
 * its last note and its log. */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/run/worker.h"
#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void dies_of(int number)
{
    struct rlimit none = {0, 0};

    setrlimit(RLIMIT_CORE, &none);
    signal(number, SIG_DFL);
    kill(getpid(), number);
    for (;;)
        pause();
}

/* Starts a process that sends `note` (NULL: none), then ends with `code` or, if
 * it is negative, by the signal -code. Its log is `log`; the first `before`
 * bytes are of an earlier attempt. */
static void start(struct worker *w, const struct note *note, int code,
                  const char *log, long before)
{
    int ends[2];

    *w = (struct worker){.last = {.phase = "train", .done = 3},
                         .log = str_format("%s/log", scratch_folder),
                         .log_from = before};
    if (log)
        assert_int_equal(file_write(w->log, log, strlen(log)), OK);
    assert_int_equal(pipe(ends), 0);
    w->pid = fork();
    if (w->pid == 0) {
        if (note && write(ends[1], note, sizeof *note) != sizeof *note)
            _exit(99);
        if (code < 0)
            dies_of(-code);
        _exit(code);
    }
    close(ends[1]);
    w->pipe = ends[0];
}

/* Ends the worker, which must fail with the class and the message. */
static void fails(struct worker *w, int rc, const char *class,
                  const char *says)
{
    const char *got = "";
    int code = worker_end(w, &got);

    if (code != rc || strcmp(got, class) || strcmp(err_last(), says))
        fail_msg("%d, not %d; '%s', not '%s'; '%s', not '%s'", code, rc, got,
                 class, err_last(), says);
    assert_int_equal(w->pid, 0);
}

static void without_a_note(void **state)
{
    static const struct { int code; const char *log, *class, *says; } row[] = {
        {9, "date\nlast words\n", "oom", "ran out of memory: last words"},
        {-ERR_DEVICE, "date\na\nb\n", "device", "the GPU failed: a | b"},
        {3, "date\n", "error", "ended with exit code 3 and no message"},
        {3, NULL, "error", "ended with exit code 3 and no message"},
        {3, "date", "error", "ended with exit code 3 and no message"},
        {-SIGSEGV, "date\nx\n\n\n", "signal",
         "signal 11 (Segmentation fault): x"},
        {-SIGKILL, "date\n", "signal",
         "signal 9 (Killed, perhaps by the out-of-memory killer)"}};

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct worker w;

        OWNED(free) char *log = str_format("%s/log", scratch_folder);
        unlink(log);
        start(&w, NULL, row[i].code, row[i].log, 0);
        fails(&w, ERR_IO, row[i].class, row[i].says);
    }
}

/* Only the end of what this attempt wrote is shown. */
static void long_log(void **state)
{
    OWNED(free) char *text = calloc(1, 2001), *says = NULL;
    struct worker w;

    (void)state;
    start(&w, NULL, 1, "date\nearlier\ndate\nnow\n", 13);
    fails(&w, ERR_IO, "error", "ended with exit code 1 and no message: now");
    memset(text, 'x', 2000);
    text[4] = '\n';
    says = str_format("ended with exit code 1 and no message: %.512s",
                      text + 2000 - 512);
    start(&w, NULL, 1, text, 0);
    fails(&w, ERR_IO, "error", says);
}

static void with_a_note(void **state)
{
    static const struct { int rc; const char *class; } row[] = {
        {ERR_DIVERGED, "diverged"}, {ERR_DATA, "bad-data"},
        {ERR_DEVICE, "device"}, {ERR_STORE, "error"}};
    struct note n = {.ended = 1};
    const char *class;
    struct worker w;

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        n.rc = row[i].rc;
        strcpy(n.message, "what happened");
        start(&w, &n, 0, "date\nlog\n", 0);
        fails(&w, row[i].rc, row[i].class, "what happened");
        /* the note has no progress */
        assert_string_equal(w.last.phase, "train");
        assert_int_equal(w.last.done, 3);
    }
    n.rc = OK;
    start(&w, &n, 0, NULL, 0);
    assert_int_equal(worker_end(&w, &class), OK);
}

/* The reason for which the watchdog killed it counts, not the signal. */
static void killed(void **state)
{
    struct worker w;

    (void)state;
    start(&w, NULL, -SIGSTOP, "date\nlog\n", 0);
    worker_kill(&w, "timeout", "took %d s", 7);
    worker_kill(&w, "stalled", "no progress");
    fails(&w, ERR_IO, "timeout", "took 7 s");
}

/* Notes show the phase and that the worker is alive. */
static void notes(void **state)
{
    struct note n = {.phase = "valid", .done = 5, .of = 9};
    struct note remark = {.remark = 1, .message = "by the way"};
    struct worker w = {.last = {.phase = "train", .done = 7}, .quiet = 50};
    int ends[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    w.pipe = ends[0];
    assert_int_equal(worker_read(&w), 0);
    assert_true(w.quiet == 50);
    assert_int_equal(write(ends[1], &n, sizeof n), sizeof n);
    assert_int_equal(write(ends[1], &remark, sizeof remark), sizeof remark);
    assert_int_equal(worker_read(&w), 0);
    assert_true(w.quiet == 0);
    assert_string_equal(w.last.phase, "valid");
    assert_int_equal(w.phase_from, 5);
    assert_string_equal(w.remark, "by the way");
    close(ends[1]);
    assert_int_equal(worker_read(&w), 1);
    close(ends[0]);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        {"a worker without a last note ended by its code or signal",
         without_a_note, scratch_begin, scratch_end, NULL},
        {"a message has the last lines of the log of this attempt", long_log,
         scratch_begin, scratch_end, NULL},
        {"a last note tells the class of the error", with_a_note,
         scratch_begin, scratch_end, NULL},
        {"a worker that was killed has the class of the first reason", killed,
         scratch_begin, scratch_end, NULL},
        {"a note shows that its worker is alive", notes,
         scratch_begin, scratch_end, NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
