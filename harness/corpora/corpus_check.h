/*
 * corpus_check: reads the files of a data set and checks whether they are
 * complete.  The state of a split follows from its number of rows:
 *
 *     rows = official    complete         rows > official    more: an error
 *     rows < official    subset           no official count  uncounted
 *
 * `rows` counts the rows that are read, and the skipped rows that the official
 * count includes.  If a distribution has two editions, `official` is the count
 * of the smaller one if this is at least `rows`, else that of the larger one.
 */
#pragma once

#include "harness/base/arena.h"
#include "harness/base/hash.h"
#include "harness/corpora/corpus.h"

enum corpus_state {
    CORPUS_MISSING, /* no file of the split exists */
    CORPUS_COMPLETE, CORPUS_SUBSET, CORPUS_MORE, CORPUS_UNCOUNTED
};
extern const char *const corpus_state_text[];

/* The number of rows with a label, or of rows skipped for a reason. */
struct corpus_count { const char *what; long long rows; };
struct corpus_counts {
    int                  n;
    size_t               room;
    struct corpus_count *of; /* in the order of the first row of each */
};

struct corpus_file {
    const char *file; /* relative to the data folder */
    long long   bytes;
    char        sha256[HASH_HEX];
};

struct corpus_checked_split {
    const char          *name;
    enum corpus_state    state;
    /* If a file exists, the members below are set. */
    long long            rows;     /* that are read, without skipped rows */
    long long            official; /* 0: unknown                          */
    long long            bytes;    /* of all files                        */
    char                 sha256[HASH_HEX]; /* of all lines "SHA-256  FILE" */
    struct corpus_counts skipped, labels;
    int                  files;
    size_t               room;
    struct corpus_file  *file;
};

struct corpus_checked {
    const struct corpus        *corpus;
    const struct corpus_layout *layout;
    char                        folder[CORPUS_PATH];
    int                         splits;
    struct corpus_checked_split split[CORPUS_SPLITS];
    struct arena               *memory; /* of the texts */
};

/* Reads the splits of a data set below the folder `dir`: the one called
 * `split`, or all if it is NULL.  skip_nul: see struct sink.  Returns ERR_DATA
 * if there is no file or a file is damaged, or ERR_USAGE if there is no such
 * split.  Call corpus_check_close in any case. */
int  corpus_check(struct corpus_checked *out, const struct corpus *c,
                  const char *dir, const char *split, int skip_nul);
void corpus_check_close(struct corpus_checked *c);
OWNER_OF_VALUE(corpus_check_close, struct corpus_checked)

/* Returns ERR_DATA if a split that was read has more rows than the
 * distribution, or if splits below `dir` are in different layouts, on which no
 * model is trained. */
int corpus_check_fault(const struct corpus_checked *c, const char *dir);
