#include "plots/picture.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "harness/report/share.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_FOUND = 127 }; /* exit status of a child that found no gnuplot */

static int open_file(FILE **out, const struct picture *p, const char *suffix)
{
    char *path = str_format("%s/%s%s", p->folder, p->name, suffix);
    int rc = OK;

    *out = fopen(path, "w");
    if (!*out)
        rc = err_errno(ERR_IO, "%s", path);
    free(path);
    return rc;
}

static int close_file(FILE **f, const struct picture *p, const char *suffix)
{
    FILE *file = *f;

    *f = NULL;
    int bad = ferror(file);
    if (fclose(file) || bad)
        return err_errno(ERR_IO, "%s/%s%s", p->folder, p->name, suffix);
    return OK;
}

int picture_begin(struct picture *p, const char *folder, const char *name)
{
    int rc = OK;

    *p = (struct picture){str_copy(folder), str_copy(name), NULL, NULL};
    TRY(file_mkdirs(folder));
    TRY(open_file(&p->data, p, ".tsv"));
    TRY(open_file(&p->script, p, ".gp"));
    fprintf(p->script, "# Made by synthbench; `gnuplot %s.gp` in this folder "
            "draws %s.png and %s.svg again.\n", name, name, name);
    picture_text(p, "name", "%s", name);
    picture_number(p, "width", PICTURE_WIDTH);
    picture_number(p, "height", PICTURE_HEIGHT);
out:
    if (rc < 0)
        picture_abandon(p);
    return rc;
}

/* A single-quoted string of gnuplot takes every byte as it is but the quote,
 * which is doubled. */
void picture_text(struct picture *p, const char *variable, const char *fmt, ...)
{
    char text[1024];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    fprintf(p->script, "%s = '", variable);
    for (const char *s = text; *s; s++) {
        if (*s == '\'')
            fputc('\'', p->script);
        fputc(*s, p->script);
    }
    fputs("'\n", p->script);
}

void picture_number(struct picture *p, const char *variable, double value)
{
    fprintf(p->script, "%s = %.15g\n", variable, value);
}

static int append(struct picture *p, const char *script)
{
    char *name = str_format("plots/%s.gp", script), *path = NULL, *text = NULL;
    size_t bytes;
    int rc = OK;

    TRY(share_find(&path, name));
    TRY(file_read(&text, &bytes, path));
    fputc('\n', p->script);
    fwrite(text, 1, bytes, p->script);
out:
    free(text);
    free(path);
    free(name);
    return rc;
}

/* ---- gnuplot, a child process ---- */

_Noreturn static void child(const char *folder, const char *script, int to)
{
    dup2(to, STDERR_FILENO);
    dup2(to, STDOUT_FILENO); /* our stdout is data */
    if (chdir(folder) == 0)
        execlp("gnuplot", "gnuplot", script, (char *)NULL);
    _exit(errno == ENOENT ? NOT_FOUND : 126);
}

/* What the child says until it closes the pipe; the rest is dropped. */
static void listen(int from, char *said, size_t room)
{
    char lost[512];
    size_t used = 0;
    ssize_t n;

    do {
        int full = used + 1 >= room;

        n = full ? read(from, lost, sizeof lost)
                 : read(from, said + used, room - 1 - used);
        if (n > 0 && !full)
            used += (size_t)n;
    } while (n > 0 || (n < 0 && errno == EINTR));
    while (used && said[used - 1] == '\n')
        used--;
    said[used] = 0;
}

static int judge(int status, const char *path, const char *said)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return OK;
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
        return err_set(ERR_IO, "gnuplot is not installed: `make deps` installs "
                       "it (Debian: gnuplot-nox); %s is ready for it", path);
    return err_set(ERR_IO, "gnuplot refused %s%s%s", path, *said ? ": " : "",
                   said);
}

static int draw(const struct picture *p)
{
    char *script = str_format("%s.gp", p->name), said[1024] = "";
    char *path = str_format("%s/%s", p->folder, script);
    int ends[2] = {-1, -1}, status = 0, rc = OK;

    if (pipe(ends))
        TRY(err_errno(ERR_IO, "a pipe to gnuplot"));
    pid_t pid = fork();
    if (pid == 0)
        child(p->folder, script, ends[1]);
    close(ends[1]);
    if (pid < 0)
        TRY(err_errno(ERR_IO, "gnuplot"));
    listen(ends[0], said, sizeof said);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    rc = judge(status, path, said);
out:
    if (ends[0] >= 0)
        close(ends[0]);
    free(path);
    free(script);
    return rc;
}

int picture_end(struct picture *p, const char *script)
{
    int rc = OK;

    TRY(append(p, "style"));
    TRY(append(p, script));
    TRY(close_file(&p->data, p, ".tsv"));
    TRY(close_file(&p->script, p, ".gp"));
    TRY(draw(p));
out:
    picture_abandon(p);
    return rc;
}

void picture_abandon(struct picture *p)
{
    if (p->data)
        fclose(p->data);
    if (p->script)
        fclose(p->script);
    free(p->folder);
    free(p->name);
    *p = (struct picture){0};
}
