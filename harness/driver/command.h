/*
 * command: a verb of the command line.  One file a verb, cmd_NAME.c; one row
 * in list.h.  stdout is data, stderr is talk.
 */
#ifndef DRIVER_COMMAND_H
#define DRIVER_COMMAND_H

#include "harness/driver/matrix.h"

/* Groups of options that a verb may take: options.c. */
enum takes {
    TAKES_CHOICE = 1,  /* -S --scale --seeds --synthetic -E */
    TAKES_STORE = 2,   /* --store                           */
    TAKES_CACHE = 4,   /* --cache                           */
    TAKES_FORMAT = 8,  /* --format --json                   */
    TAKES_OUTPUT = 16, /* -o                                */
    TAKES_POOL = 32,   /* -j --timeout                      */
    TAKES_REFRESH = 64, /* --refresh                        */
    TAKES_SAMPLES = 512, /* --samples                       */
    TAKES_BENCH = 1024, /* -S --size --variant --threads ... */
    TAKES_SCORE = 128, /* -S --hyp --ref --pred --gold --groups and pairing */
    TAKES_VECTORS = 256, /* --vectors --data                */
    TAKES_MODEL = 2048, /* -S --family --preset --variant --mix --steps
                          --seed --check                    */
    TAKES_SHAPE = 4096, /* -S, of a table that is counted    */
    TAKES_FILES = 8192  /* --data-dir --split --limit --skipped */
};

enum { OPTIONS_ARGS = 1024 };

struct bench_choice {
    const char *size, *variant, *precision, *scaling; /* or NULL   */
    int         threads, repeat;                      /* 0: default */
    int         peak;
};

enum pairing { PAIRED_NOT, PAIRED_BOOTSTRAP, PAIRED_AR };

struct score_choice {
    const char  *hyp[OPTIONS_ARGS], *ref[OPTIONS_ARGS]; /* in their order    */
    int          hyps, refs;
    int          labels;     /* given as --pred or --gold                    */
    int          texts;      /* given as --hyp or --ref                      */
    const char  *groups;     /* or NULL                                      */
    enum pairing pairing;
    int          resamples;  /* 0: as many as sacreBLEU takes                */
    long long    seed;       /* -1: sacreBLEU's                              */
};

struct options {
    struct choice choice;
    const char   *filter;         /* -E, or NULL                     */
    const char   *store;          /* NULL: the experiment's own      */
    char         *cache;          /* never NULL                      */
    const char   *format;         /* one of the verb's               */
    const char   *output;         /* NULL: stdout                    */
    int           jobs;           /* 0: one a processor              */
    double        timeout;        /* seconds a cell may take; 0: any */
    int           refresh;
    int           samples;        /* 0: not asked for                */
    struct bench_choice bench;
    struct score_choice score;
    const char   *vectors;        /* NULL: the public set            */
    const char   *data;           /* of metrics, not ours; or NULL   */
    const char   *family;         /* NULL: not said                  */
    int           check;
    const char   *data_dir;       /* official files; or NULL         */
    const char   *split;          /* never NULL                      */
    int           limit;          /* rows; 0: all                    */
    int           skipped;
    int           n;
    const char   *arg[OPTIONS_ARGS + 1]; /* ends with NULL           */
};

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
