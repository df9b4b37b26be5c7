/* plot: draws figures with their data and scripts into STORE/plots or another
 * folder. */
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/str.h"
#include "plots/easel.h"
#include "plots/figure.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct given { const char *store, *output; };

static const struct opt options[] = {
    {.group = opts_results, .at = OPT_AT(store)},
    {"--output", 'o', "DIR", opt_text, OPT_AT(output),
     .doc = "Write to DIR and leave the store unchanged (default: "
            "STORE/plots)"},
    {.name = NULL}};

/* Draws the figures.  Returns ERR_EMPTY only if none of them has data. */
static int render(const struct figure *const figure[], const struct report *r,
                  const char *folder)
{
    OWNED(easel_close) struct output output = *OUTPUT(folder);
    int drawn = 0, rc = OK;

    easel_open(&output);
    for (int i = 0; figure[i]; i++) {
        rc = figure_render(figure[i], r, &output);
        easel_hide(output.easel);
        if (rc == ERR_EMPTY)
            say("plot %s: %s", figure[i]->name, err_last());
        else if (rc < 0)
            return err_wrap(rc, "plot %s", figure[i]->name);
        else
            drawn++;
    }
    if (!drawn)
        return err_set(ERR_EMPTY, "%s: no measured values to draw", r->store);
    PASS(easel_finish(output.easel));
    put_harmless("%s\n", folder);
    return OK;
}

/* Creates the folder.  If the user did not name the folder and it is a link,
 * refuses it: a store from someone else could contain a link to anywhere. */
static int make_folder(const char *folder, int named)
{
    struct stat st;

    if (!named && lstat(folder, &st) == 0 && S_ISLNK(st.st_mode))
        return err_set(ERR_STORE, "%s: is a link to another folder; remove "
                                  "it to draw in the store", folder);
    PASS(file_mkdirs(folder));
    return access(folder, W_OK)
               ? err_errno(ERR_IO, "%s: cannot be written (choose another "
                           "folder with -o)", folder) : OK;
}

static int run_plot(const void *given, const struct arguments *args)
{
    const struct given *g = given;
    OWNED(free) const struct figure **chosen = calloc((size_t)args->n + 1,
                                                      sizeof *chosen);
    OWNED(report_close) struct report *r = NULL;
    OWNED(free) char *folder = NULL;

    for (int i = 0; i < args->n; i++)
        PASS(figure_find(&chosen[i], args->of[i]));
    if (!g->store)
        return err_set(ERR_USAGE, "plot: specify the results with --store "
                                  "DIR");
    PASS(report_open(&r, g->store));
    folder = g->output ? str_copy(g->output)
                       : str_format("%s/plots", g->store);
    PASS(make_folder(folder, g->output != NULL));
    int rc = render(args->n ? chosen : figure_all, r, folder);
    PASS(rc == ERR_EMPTY && r->damaged ? OK : rc);
    return report_damage(r);
}

const struct command command_plot = {
    .name = "plot",
    .summary = "Draw figures as PNG, SVG and PDF in STORE/plots",
    .args = "[FIGURE...]",
    .doc = "`list figures` lists the figures; without a name, all are "
           "drawn.",
    COMMAND_RUNS(run_plot, 0, INT_MAX)};
