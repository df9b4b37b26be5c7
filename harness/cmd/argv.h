/*
 * argv: argv as words, by the rows of a verb: -j 2, -j2, --jobs 2, --jobs=2;
 * options and arguments mix, behind "--" all are arguments.  Long options have
 * their whole names alone: getopt takes --seed for --seeds, and what was meant
 * for one verb means another thing to the next.
 */
#pragma once

#include "harness/cmd/options.h"

enum word_kind { WORD_END, WORD_ARGUMENT, WORD_OPTION, WORD_HELP, WORD_USAGE,
                 WORD_VERSION };

struct word {
    enum word_kind        kind;
    const struct opt_row *row; /* of WORD_OPTION                     */
    const char           *arg; /* the argument, or the option's; NULL */
};

/* What every verb has besides its rows. */
struct argv_own { const char *name, *letters, *doc; enum word_kind kind; };
enum { ARGV_OWN = 3 };
extern const struct argv_own argv_own[ARGV_OWN];

struct argv {
    const struct opt_row *row;
    int                   rows, argc;
    char                **argv;
    int                   at;      /* of the next word; from 1 on        */
    const char           *letters; /* of -abc, what is left of them      */
    int                   only;    /* 1: behind "--"                     */
};

/* ERR_USAGE: no such option, with the nearest; or a value too few, or much. */
int argv_next(struct argv *s, struct word *out);
