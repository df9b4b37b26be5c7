#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/names.h"

#include <stdio.h>
#include <string.h>

#define COMMAND(name) extern const struct command command_##name;
#include "harness/cmd/list.h"
#undef COMMAND

const struct command *const command_all[] = {
#define COMMAND(name) &command_##name,
#include "harness/cmd/list.h"
#undef COMMAND
    NULL};

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

char *command_lines(const struct command *const all[])
{
    char *text = NULL;
    size_t bytes, width = 0;
    FILE *f = open_memstream(&text, &bytes);

    for (int i = 0; all[i]; i++)
        width = strlen(all[i]->name) > width ? strlen(all[i]->name) : width;
    for (; *all; all++)
        fprintf(f, "  %-*s  %s\n", (int)width, (*all)->name, (*all)->summary);
    fclose(f);
    return text;
}
