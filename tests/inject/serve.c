/*
 * serve: a shared object that is loaded before the C library, so that a test
 * with many commands loads the program's 57 libraries once (which takes more
 * time than most commands do). The process stops before main and forks for each
 * command; only the child runs main. A command is a sequence of words on stdin,
 * each ended by a NUL byte:
 *
 *     FOLDER STDOUT STDERR N ARGUMENT... (N of them) ENVIRONMENT
 *
 * The environment is what `export -p` prints in a shell. stdin of a command is
 * /dev/null. The answer is a line on stdout: the exit code, or 128 + N if
 * signal N ended the command. An empty FOLDER ends the process. If a variable
 * that libraries read before main differs from this process's, the child loads
 * the program again (exec).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef int main_function(int, char **, char **);
typedef int start_function(main_function *, int, char **, void (*)(void),
                           void (*)(void), void (*)(void), void *);

enum { MOST = 4096 }; /* maximum number of arguments, and of variables, of a
                         command */

struct command {
    char *folder, *out, *err, *environment;
    int argc;
    char *words[2 * MOST]; /* arguments, NULL, variables, NULL: as on a stack */
};

static _Noreturn void fail(const char *what)
{
    perror(what);
    _exit(125);
}

/* Returns the next word, or ends the process if there are no more. */
static char *word(FILE *in)
{
    char *text = NULL;
    size_t room = 0;

    if (getdelim(&text, &room, 0, in) < 0)
        _exit(0);
    return text;
}

/* Copies the value of a quoted or plain shell word to *to. Returns the text
 * after it. */
static const char *unquote(const char *s, char *to)
{
    char quote = 0;

    for (; *s && (quote || *s != '\n'); s++) {
        if (*s == quote)
            quote = 0;
        else if (!quote && strchr("'\"", *s))
            quote = *s;
        else
            *to++ = quote != '\'' && *s == '\\' && s[1] ? *++s : *s;
    }
    *to = 0;
    return s + (*s == '\n');
}

/* Adds NAME=VALUE for each line `export NAME='VALUE'`. */
static void read_environment(struct command *c)
{
    int n = c->argc + 1;

    for (const char *s = c->environment; *s && n < 2 * MOST - 1;) {
        char *line = malloc(strlen(s) + 1);

        s = unquote(s, line);
        char *name = strrchr(line, '=') ? strchr(line, ' ') : NULL;
        if (name)
            c->words[n++] = name + 1;
    }
    c->words[n] = NULL;
}

static void read_command(struct command *c, FILE *in)
{
    c->folder = word(in);
    if (!*c->folder)
        _exit(0);
    c->out = word(in);
    c->err = word(in);
    char *n = word(in);
    c->argc = atoi(n);
    free(n);
    if (c->argc < 1 || c->argc > MOST)
        fail("serve: number of arguments");
    for (int i = 0; i < c->argc; i++)
        c->words[i] = word(in);
    c->words[c->argc] = NULL;
    c->environment = word(in);
}

static void release(struct command *c)
{
    free(c->folder);
    free(c->out);
    free(c->err);
    free(c->environment);
    for (int i = 0; i < c->argc; i++)
        free(c->words[i]);
}

static void take_place(const char *name, int flags, int at)
{
    int fd = open(name, flags, 0666);

    if (fd < 0 || dup2(fd, at) < 0)
        fail(name);
    close(fd);
}

/* Returns true if NAME=VALUE is a variable that libraries read before main, and
 * `others` does not contain it. */
static int differs(const char *variable, char *const *others)
{
    static const char *const early[] = {"LD_", "OMP_", "GOMP_", "KMP_"};

    for (size_t i = 0; i < sizeof early / sizeof *early; i++)
        if (!strncmp(variable, early[i], strlen(early[i]))) {
            while (*others && strcmp(*others, variable))
                others++;
            return !*others;
        }
    return 0;
}

static int any_differs(char *const *variables, char *const *others)
{
    while (*variables && !differs(*variables, others))
        variables++;
    return *variables != NULL;
}

static void become(struct command *c)
{
    char **variables = c->words + c->argc + 1;

    if (chdir(c->folder) < 0)
        fail(c->folder);
    read_environment(c);
    take_place("/dev/null", O_RDONLY, STDIN_FILENO);
    take_place(c->out, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    take_place(c->err, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    /* a shell ignores them for jobs started with `&` */
    signal(SIGINT, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    if (any_differs(variables, environ) || any_differs(environ, variables)) {
        execve("/proc/self/exe", c->words, variables);
        fail("serve: exec");
    }
    environ = variables;
}

/* Returns only in the children, each with its command. */
static void serve(struct command *c)
{
    FILE *in = fdopen(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), "r");
    int answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);

    if (!in || answers < 0)
        fail("serve");
    for (;;) {
        int status;

        read_command(c, in);
        pid_t pid = fork();
        if (pid == 0) {
            become(c);
            return;
        }
        if (pid < 0 || waitpid(pid, &status, 0) < 0)
            fail("serve: fork");
        dprintf(answers, "%d\n", WIFEXITED(status) ? WEXITSTATUS(status)
                                                   : 128 + WTERMSIG(status));
        release(c);
    }
}

int __libc_start_main(main_function *run, int argc, char **argv,
                      void (*init)(void), void (*fini)(void),
                      void (*linker)(void), void *stack);
int __libc_start_main(main_function *run, int argc, char **argv,
                      void (*init)(void), void (*fini)(void),
                      void (*linker)(void), void *stack)
{
    static struct command c;
    start_function *start;

    (void)argc, (void)argv;
    *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
    unsetenv("LD_PRELOAD");
    unsetenv("LD_BIND_NOW");
    serve(&c);
    return start(run, c.argc, c.words, init, fini, linker, stack);
}
