#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/names.h"

#include <stdio.h>
#include <string.h>

#define GROUP(title)
#define COMMAND(name) extern const struct command command_##name;
#include "harness/cmd/list.h"
#undef COMMAND

const struct command *const command_all[] = {
#define COMMAND(name) &command_##name,
#include "harness/cmd/list.h"
#undef COMMAND
    NULL};
#undef GROUP

/* The rows of list.h: each is a command, or the title of the group of commands
 * after it. */
static const struct { const char *title; const struct command *is; } rows[] = {
#define GROUP(title) {title, NULL},
#define COMMAND(name) {NULL, &command_##name},
#include "harness/cmd/list.h"
#undef COMMAND
#undef GROUP
};

enum { MOST = sizeof command_all / sizeof *command_all };

int command_find(const struct command **out, const struct command *const all[],
                 const char *what, const char *name)
{
    const char *names[MOST + 1] = {NULL};

    for (int i = 0; all[i] && i < MOST; i++)
        names[i] = all[i]->name;
    int i = names_listed(what, name, names,
                         all == command_all ? "synthbench help" : NULL);
    PASS(i);
    *out = all[i];
    return OK;
}

static int widest(const struct command *const all[])
{
    size_t width = 0;

    for (; *all; all++)
        width = strlen((*all)->name) > width ? strlen((*all)->name) : width;
    return (int)width;
}

static void put_line(FILE *f, int width, const struct command *c)
{
    fprintf(f, "  %-*s  %s\n", width, c->name, c->summary);
}

char *command_lines(const struct command *const all[])
{
    char *text = NULL;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);

    for (int i = 0; all[i]; i++)
        put_line(f, widest(all), all[i]);
    fclose(f);
    return text;
}

char *command_groups(void)
{
    char *text = NULL;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].title)
            fprintf(f, "%s%s\n", i ? "\n" : "", rows[i].title);
        else
            put_line(f, widest(command_all), rows[i].is);
    fclose(f);
    return text;
}
