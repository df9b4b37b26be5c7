/*
 * command: defines what a command of the program is.  Each command has a file
 * cmd_NAME.c, which declares its options, and a row in list.h, below the title
 * of its group in the help.  main.c finds the command, options.c reads its
 * options, and main.c calls run().  Data go to stdout, messages to stderr.
 *
 *     struct given { const char *store; int dry; };    0 or NULL: not given
 *     static const struct opt options[] = {
 *         {"--store", 0, "DIR", opt_text, OPT_AT(store), "The results folder"},
 *         {"--dry-run", 0, NULL, opt_flag, OPT_AT(dry), "Change nothing"},
 *         {.name = NULL}};
 *
 * --help, the man page and the shell completions are generated from these rows.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/plan/plan.h"
#include "harness/run/worker.h"

#include <stddef.h>

struct arguments { int n; const char **of; }; /* `of[n]` is NULL */

struct command;
struct opt;

struct reading {
    const struct command *command;
    struct arena         *memory; /* owns all that is read                 */
    int                   room;   /* maximum number of values of an option
                                     that can be repeated                  */
};

/* Reads the value `arg` of an option (NULL: the option takes no value) into
 * `field`.  Returns OK, or ERR_USAGE with a message that names the option. */
typedef int opt_reader(void *field, const struct opt *opt, const char *arg,
                       struct reading *r);

struct opt {
    const char *name;    /* with its dashes                     */
    int         letter;  /* 'S', or 0                           */
    const char *arg;     /* name of its value; NULL: takes none */
    opt_reader *read;
    size_t      at;      /* offset of the field to fill              */
    const char *doc;     /* NULL: the help lists the formats         */
    const char *initial; /* the default value, which is read before the
                            command line; or NULL                    */
    int         most;    /* for opt_count: the greatest value; other readers
                            can use it, too                          */
    const char *instead; /* for opt_set, which then refuses keys that are axes
                            (settings_is_axis) with this advice; NULL:
                            opt_set accepts axes                         */
    /* If `name` is NULL, this row stands for the rows of a group of options,
     * whose struct begins at offset `at`. */
    const struct opt *group;
};

#define OPT_AT(field) offsetof(struct given, field)

/* Readers.  The type of the field is const char *, int, double, struct
 * arguments or struct assigns. */

/* opt_text reads any text.  opt_file and opt_folder read the path of an
 * existing file or folder; the file "-" is stdin. */
opt_reader opt_text, opt_file, opt_folder;
/* Reads the path of a file to write.  Checks whether the file can be written,
 * but does not create it; "-" is stdout. */
opt_reader opt_output;
opt_reader opt_flag, opt_count;            /* opt_count: 1 to `most`    */
opt_reader opt_texts, opt_files;           /* can be repeated           */
opt_reader opt_set, opt_setting;           /* -S KEY=VALUE; --KEY VALUE */
opt_reader opt_seeds;         /* fills struct choice (config/matrix.h) */

#define OPT_SEEDS                                                             \
    "How many seeds, or a list. 4: seeds 1 to 4; 4..4: seed 4 alone; 4,7: "   \
    "seeds 4 and 7; 4..7: seeds 4 to 7"

/* Groups of options, and the type that each fills: struct plan_of is of
 * plan/plan.h, struct pool_options of run/worker.h. */
extern const struct opt opts_format[]; /* const char *: --format --json */
/* const char *: opts_format, and -q for the format SHEET_VERDICT */
extern const struct opt opts_verdict[];
extern const struct opt opts_output[]; /* const char *: -o              */
/* const char *: --store; the default is the experiment's store */
extern const struct opt opts_store[];
extern const struct opt opts_results[]; /* const char *: --store, no default */
extern const struct opt opts_cache[];  /* const char *: --cache; never NULL */
extern const struct opt opts_files[];  /* const char *: --data-dir          */
extern const struct opt opts_baselines[]; /* const char *: --baselines       */
extern const struct opt opts_cells[];  /* struct plan_of: -E --synthetic     */
extern const struct opt opts_choice[]; /* struct plan_of: -S -E --scale
                                          --seeds --synthetic                */
/* struct plan_of: the options of opts_choice, and --store */
extern const struct opt opts_plan[];
extern const struct opt opts_pool[];   /* struct pool_options: all options   */

struct command {
    const char *name;
    const char *summary; /* one line                         */
    const char *args;    /* for usage: "EXPERIMENT.yaml"     */
    const char *doc;     /* further text for --help, or NULL */
    /* The subcommands, ending with NULL, or NULL if there are none.  If there
     * are subcommands, the fields below are unused. */
    const struct command *const *subjects;
    const struct opt *options;       /* ends with a row of zeros; or NULL */
    size_t bytes;                    /* size of the struct to fill        */
    int least, most;                 /* min. and max. number of arguments */
    int ranks;           /* 1: several processes of mpirun can run it       */
    const char *const *formats;      /* the first is the default; or NULL */

    /* Returns OK, an exit code, or a negative enum err with its message. */
    int (*run)(const void *given, const struct arguments *args);
};

/* Sets the last members of a struct command.  The file that uses this macro
 * must define struct given and `options`.  The command calls `function`; its
 * number of arguments is from `fewest` to `greatest`. */
#define COMMAND_RUNS(function, fewest, greatest)                              \
    .options = options, .bytes = sizeof(struct given), .least = fewest,       \
    .most = greatest, .run = function

extern const struct command *const command_all[]; /* ends with NULL */

/* The subcommands of `verify`.  Each returns exit code 1 if a property does not
 * hold, or ERR_EMPTY if nothing was checked. */
extern const struct command verify_exact, verify_metrics, verify_science,
    verify_signature, verify_statistics, verify_store, verify_variants;

/* Finds a command of the list `all` by name.  `what` is the kind of name, for
 * the message.  If no command has the name, returns ERR_USAGE with the nearest
 * name in the message. */
int command_find(const struct command **out, const struct command *const all[],
                 const char *what, const char *name);

/* command_lines returns the names and summaries of the commands of a list, one
 * per line.  command_groups returns the names and summaries of all commands,
 * below the titles of list.h.  The caller frees the text. */
char *command_lines(const struct command *const all[]);
char *command_groups(void);

/* Formats of sheets that have no records (print/sheet.h).  Sheets with records
 * have all formats of format_names (print/sheet.h). */
extern const char *const command_text_json[];    /* text, json                */
extern const char *const command_text_md_json[]; /* text, md, tex, json, html */
