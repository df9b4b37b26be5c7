/*
 * command: a verb of the command line.  One file a verb, cmd_NAME.c, which
 * declares its own options; one row in list.h, under the title of its group in
 * the help.  stdout is data, stderr is talk.
 *
 *     struct given { const char *store; int dry; };    what is said; zeros: not
 *     static const struct opt options[] = {
 *         {"--store", 0, "DIR", opt_text, OPT_AT(store), "The results folder"},
 *         {"--dry-run", 0, NULL, opt_flag, OPT_AT(dry), "Only say it"},
 *         {.name = NULL}};
 *
 * --help, the man page and the shells' completions are made from these rows.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/plan/plan.h"
#include "harness/run/worker.h"

#include <stddef.h>

struct arguments { int n; const char **of; }; /* of[n] is NULL */

struct command;
struct opt;

struct reading {
    const struct command *command;
    struct arena         *memory; /* of all that is read                 */
    int                   room;   /* so often may an option stand at most */
};

/* Reads the argument (NULL: the option takes none) into the field.  OK, or
 * ERR_USAGE with a message that names the option. */
typedef int opt_reader(void *field, const struct opt *opt, const char *arg,
                       struct reading *r);

struct opt {
    const char *name;    /* with its dashes                                 */
    int         letter;  /* 'S', or 0                                       */
    const char *arg;     /* what it takes; NULL: nothing                    */
    opt_reader *read;
    size_t      at;      /* of its field in the struct that is filled       */
    const char *doc;     /* NULL: the formats of the verb                   */
    const char *initial; /* read before the command line; NULL: zeros stay  */
    int         most;    /* of a count; or the reader's own                 */
    const char *instead; /* -S of an axis, which is no setting: what to use */
    const struct opt *group; /* of a row without a name: these too, at `at` */
};

#define OPT_AT(field) offsetof(struct given, field)

/* Fields: const char *; int; double; struct arguments; struct assigns. */
opt_reader opt_text, opt_file, opt_folder; /* the latter two must be there;
                                              file "-" is stdin          */
opt_reader opt_output;                     /* a file to write, "-": stdout;
                                              checked, and not touched   */
opt_reader opt_flag, opt_count;            /* 1 to `most`                  */
opt_reader opt_texts, opt_files;           /* several                      */
opt_reader opt_set, opt_setting;           /* -S KEY=VALUE; --KEY VALUE    */
opt_reader opt_seeds;                      /* into a struct choice         */

#define OPT_SEEDS                                                             \
    "How many seeds, or a list. 4: seeds 1 to 4; 4..4: seed 4 alone; 4,7: "   \
    "seeds 4 and 7; 4..7: seeds 4 to 7"

/* Groups, and what they fill. */
extern const struct opt opts_format[]; /* const char *: --format --json      */
extern const struct opt opts_output[]; /* const char *: -o                   */
extern const struct opt opts_store[];  /* const char *: --store, by default
                                          that of EXPERIMENT                 */
extern const struct opt opts_results[]; /* const char *: --store, no default */
extern const struct opt opts_cache[];  /* const char *: --cache; never NULL  */
extern const struct opt opts_files[];  /* const char *: --data-dir           */
extern const struct opt opts_baselines[]; /* const char *: --baselines       */
extern const struct opt opts_cells[];  /* struct plan_of: -E --synthetic     */
extern const struct opt opts_plan[];   /* struct plan_of: -S -E --scale
                                          --seeds --synthetic --store        */
extern const struct opt opts_pool[];   /* struct pool_options: all of it     */

struct command {
    const char *name;
    const char *summary; /* one line                                  */
    const char *args;    /* of the usage line: "EXPERIMENT.yaml"      */
    const char *doc;     /* more for --help, or NULL                  */
    const struct command *const *subjects; /* its second words, to the NULL;
                                              then nothing below; or NULL */
    const struct opt *options;       /* ends with a row of zeros; or NULL */
    size_t bytes;                    /* of the struct that they fill      */
    int least, most;                 /* arguments                         */
    int ranks;           /* 1: mpirun may start several that work together  */
    const char *const *formats;      /* the first is the default; or NULL */

    /* OK, an exit code, or a negative enum err with its message. */
    int (*run)(const void *given, const struct arguments *args);
};

/* The end of a verb whose file has its struct given, options and run(); it
 * takes this many arguments. */
#define COMMAND_RUNS(fewest, greatest)                                        \
    .options = options, .bytes = sizeof(struct given), .least = fewest,       \
    .most = greatest, .run = run

extern const struct command *const command_all[]; /* ends with NULL */

/* The subjects of `verify`, facts that the program proves about itself: exit
 * code 1 when one does not hold; ERR_EMPTY: nothing was proved. */
extern const struct command verify_exact, verify_metrics, verify_science,
    verify_signature, verify_statistics, verify_store, verify_variants;

/* ERR_USAGE, with the nearest: no command of the list has that name. */
int command_find(const struct command **out, const struct command *const all[],
                 const char *what, const char *name);

/* Their names and summaries, a line each; the caller frees. */
char *command_lines(const struct command *const all[]);
char *command_groups(void); /* of all commands, under the titles of list.h */

/* Of sheets with records there are more: format_names (print/sheet.h). */
extern const char *const command_text_json[];    /* text, json        */
extern const char *const command_text_md_json[]; /* and md, tex, html */
