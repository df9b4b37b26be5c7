/*
 * command: a verb of the command line.  One file a verb, cmd_NAME.c; one row
 * in list.h.  stdout is data, stderr is talk.
 */
#ifndef CMD_COMMAND_H
#define CMD_COMMAND_H

#include "harness/plan/plan.h"
#include "harness/run/worker.h"

/* Groups of options that a verb may take: options.c. */
enum takes {
    TAKES_CHOICE = 1 << 0,   /* -S --scale --seeds --synthetic -E           */
    TAKES_STORE = 1 << 1,    /* --store                                     */
    TAKES_CACHE = 1 << 2,    /* --cache                                     */
    TAKES_FORMAT = 1 << 3,   /* --format --json                             */
    TAKES_OUTPUT = 1 << 4,   /* -o                                          */
    TAKES_POOL = 1 << 5,     /* -j --timeout --stall --data-dir             */
    TAKES_REFRESH = 1 << 6,  /* --refresh                                   */
    TAKES_SCORE = 1 << 7,    /* -S --hyp --ref --pred --gold ... and pairing */
    TAKES_VECTORS = 1 << 8,  /* --vectors --data                            */
    TAKES_SAMPLES = 1 << 9,  /* --samples                                   */
    TAKES_BENCH = 1 << 10,   /* -S --size --variant --threads ...           */
    TAKES_MODEL = 1 << 11,   /* -S --family --preset --variant --mix ...    */
    TAKES_SHAPE = 1 << 12,   /* -S, of a table that is counted or timed     */
    TAKES_FILES = 1 << 13,   /* --data-dir --split --limit --skipped        */
    TAKES_COLUMNS = 1 << 14, /* --columns --fresh                           */
    TAKES_FROM = 1 << 15,    /* --from                                      */
    TAKES_DIGESTS = 1 << 16, /* --digests                                   */
    TAKES_EXACT = 1 << 17,   /* --threads --jobs --sample --data-dir        */
    TAKES_FORCE = 1 << 18,   /* --force                                     */
    TAKES_DRY = 1 << 19,     /* --dry-run                                   */
    TAKES_EXTEND = 1 << 20   /* --extend                                    */
};

enum { OPTIONS_ARGS = 1024 };

struct bench_choice {
    const char *size, *variant, *precision, *scaling; /* or NULL   */
    int         threads, repeat;                      /* 0: default */
    int         peak;
};

enum pairing { PAIRED_NOT, PAIRED_BOOTSTRAP, PAIRED_AR };

struct file_list {
    int         n;
    const char *name[OPTIONS_ARGS]; /* in their order */
};

struct score_choice {
    struct file_list hyp, ref;
    int              labels;    /* given as --pred or --gold     */
    int              texts;     /* given as --hyp or --ref       */
    const char      *groups;    /* or NULL                       */
    enum pairing     pairing;
    int              resamples; /* 0: as many as sacreBLEU takes */
    long long        seed;      /* -1: sacreBLEU's               */
};

enum { EXACT_MOST = 16 };

struct count_list { int n, of[EXACT_MOST]; };

/* What `verify exact` repeats, and how. */
struct exact_choice {
    struct count_list threads, jobs; /* n 0: the default */
    int               sample;        /* cells; 0: the default, -1: all */
};

struct options {
    struct choice choice;
    long long    *seeds;          /* those of --seeds, or NULL       */
    const char   *filter;         /* -E, or NULL                     */
    const char   *store;          /* NULL: the experiment's own      */
    char         *cache;          /* never NULL                      */
    const char   *format;         /* one of the verb's               */
    const char   *from;           /* NULL: the store                 */
    const char   *output;         /* NULL: stdout                    */
    int           jobs;           /* 0: one a processor              */
    double        timeout;        /* seconds a cell may take; 0: any */
    int           extend;         /* the experiment of a store       */
    double        stall;          /* seconds without a sign of life; 0:
                                     never; less: as many as is likely */
    int           refresh;
    int           samples;        /* 0: not asked for                */
    const char   *columns;        /* NULL: those of the table        */
    int           fresh;          /* time again what was timed       */
    struct bench_choice bench;
    struct score_choice score;
    const char   *vectors;        /* NULL: the public set            */
    const char   *data;           /* of metrics, not ours; or NULL   */
    const char   *family;         /* NULL: not said                  */
    int           check;
    const char   *data_dir;       /* NULL: the cache                 */
    const char   *split;          /* NULL: not said                  */
    int           limit;          /* rows; 0: all                    */
    int           skipped;
    int           digests;        /* compare two stores whole        */
    struct exact_choice exact;
    int           force;          /* train again what is done        */
    int           dry;            /* say only what would be done     */
    int           n;
    const char   *arg[OPTIONS_ARGS + 1]; /* ends with NULL           */
};

/* What of them is for plan_open, where the first argument, if there is one, is
 * an experiment; and for pool_run. */
struct plan_of      options_plan(const struct options *o);
struct pool_options options_pool(const struct options *o);
const char *data_folder(const struct options *o); /* --data-dir, the cache */

struct command {
    const char *name;
    const char *summary; /* one line                                  */
    const char *args;    /* of the usage line: "EXPERIMENT.yaml"      */
    const char *doc;     /* more for --help, or NULL                  */
    unsigned    takes;
    int         least, most;         /* arguments                     */
    const char *const *formats;      /* the first is the default      */

    /* OK, an exit code, or a negative enum err with its message. */
    int (*run)(const struct options *o);
};

extern const char *const command_text_json[];    /* text, json     */
extern const char *const command_text_md_json[]; /* text, md, json */

#endif
