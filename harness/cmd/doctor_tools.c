/* doctor_tools: checks the programs that this program starts, and the terminals
 * of gnuplot, for `doctor` (doctor.h). */
#include "harness/cmd/doctor.h"

#include "harness/base/child.h"
#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"

#include <stdlib.h>
#include <string.h>

struct tool {
    const char *name, *flag, *package;
    enum health without;
    const char *use;
};

static const char BUILDS[] = "builds this program, and other commits of it "
                             "(ci/gate.sh, ci/bisect.sh)";

static const struct tool tools[] = {
    {"gcc", "--version", "gcc", HEALTH_ABSENT, BUILDS},
    {"g++", "--version", "g++", HEALTH_ABSENT, BUILDS},
    {"make", "--version", "make", HEALTH_ABSENT, BUILDS},
    {"git", "--version", "git", HEALTH_ABSENT, BUILDS},
    {"gnuplot", "--version", "gnuplot-nox", HEALTH_NEEDED,
     "draws all figures: plot, report, history plot"},
    {"apt-get", "--version", NULL, HEALTH_ABSENT,
     "fetches text, with the sources of a Debian machine"},
    {"npm", "--version", "npm", HEALTH_ABSENT,
     "fetches sentences of reviews (imdb and others), with `data fetch`; "
     "`quick` has none of them"},
    {"mpirun", "--version", "openmpi-bin", HEALTH_ABSENT,
     "trains one cell by several processes, on several machines if there are "
     "(harness/ranks/README.md); a build takes it up"},
    {"sbatch", "--version", "slurm-client", HEALTH_ABSENT,
     "needed by `synthbench slurm submit`, which trains cells on a cluster"}};

enum { TOOLS = sizeof tools / sizeof *tools };

static void add_tool(struct checkup *c, const struct tool *t)
{
    const char *argv[] = {t->name, t->flag, NULL};
    OWNED(free) char *output = NULL;
    int rc = child_run(&output, argv); /* the first line has the version */
    int n = rc < 0 ? 0 : (int)strcspn(output, "\n\t");
    struct check *x = checkup_add(c, t->name, rc < 0 ? t->without : HEALTH_OK,
                                  "%.*s", n, rc < 0 ? "" : output);

    x->meaning = t->use;
    x->package = t->package;
    if (rc < 0)
        x->remedy = t->package
                        ? arena_format(c->memory, "Debian's package %s has "
                                                  "it", t->package)
                        : "On other systems, put the files where `data "
                          "where` lists them";
}

/* Checks the terminals that plots/style.gp and plots/ascii_plot.gp use. */
static void add_terminals(struct checkup *c)
{
    const char *const *needed = NAMES("pngcairo", "svg", "dumb");
    const char *has = "", *lacks = "";

    for (; *needed; needed++) {
        OWNED(free) char *output = NULL;
        OWNED(free) char *set = str_format("set terminal %s", *needed);
        int rc = child_run(&output, NAMES("gnuplot", "-d", "-e", set));
        const char **list = rc == OK ? &has : &lacks;

        *list = arena_format(c->memory, "%s%s%s", *list, **list ? ", " : "",
                             *needed);
    }
    struct check *x = checkup_add(c, "gnuplot terminals",
                                  *lacks ? HEALTH_NEEDED : HEALTH_OK, "%s",
                                  has);
    x->meaning = *lacks ? arena_format(c->memory, "gnuplot was built "
                                                  "without %s, which "
                                                  "figures require",
                                       lacks)
                        : "figures require it";
    x->package = "gnuplot-nox";
    if (*lacks)
        x->remedy = "Debian's package gnuplot-nox has them";
}

void doctor_tools(struct checkup *c)
{
    for (int i = 0; i < TOOLS; i++) {
        add_tool(c, &tools[i]);
        if (!strcmp(tools[i].name, "gnuplot") &&
            c->check[c->n - 1].is == HEALTH_OK)
            add_terminals(c);
    }
}
