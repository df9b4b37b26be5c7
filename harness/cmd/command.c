#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/names.h"

#include <stdio.h>

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
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);

    for (; *all; all++)
        fprintf(f, "  %-8s %s\n", (*all)->name, (*all)->summary);
    fclose(f);
    return text;
}
