/*
 * argv: splits argv into words according to the options of a command: -j 2,
 * -j2, --jobs 2, --jobs=2.  Options and arguments can be mixed; after "--" all
 * words are arguments.  options.c calls argv_next until WORD_END.
 *
 * Long options cannot be abbreviated: getopt_long would accept --seed for
 * --seeds, although --seed may mean something else in another command.
 */
#pragma once

#include "harness/cmd/options.h"

enum word_kind { WORD_END, WORD_ARGUMENT, WORD_OPTION, WORD_HELP, WORD_USAGE,
                 WORD_VERSION };

struct word {
    enum word_kind        kind;
    const struct opt_row *row; /* only for WORD_OPTION                    */
    const char           *arg; /* WORD_ARGUMENT: the argument; WORD_OPTION:
                                  the value, NULL if the option takes none;
                                  otherwise NULL                          */
};

/* Options that every command has in addition to its own. */
struct argv_own { const char *name, *letters, *doc; enum word_kind kind; };
enum { ARGV_OWN = 3 };
extern const struct argv_own argv_own[ARGV_OWN];

struct argv {
    const struct opt_row *row;
    int                   rows, argc;
    char                **argv;
    int                   at;      /* index of the next word; starts at 1 */
    const char           *letters; /* letters of a word like -abc that have not
                                      been read yet                       */
    int                   only;    /* 1: all further words are arguments  */
};

/* Reads the next word.  Returns ERR_USAGE if it is an unknown option (the
 * message has the nearest name), or if the option's value is missing or not
 * allowed. */
int argv_next(struct argv *s, struct word *out);
