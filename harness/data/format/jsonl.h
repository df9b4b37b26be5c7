/*
 * jsonl: reads files with one JSON object per line.  Lines are read as in
 * linefile.h; empty lines are skipped.  Readers of corpora call jsonl_each for
 * each file.
 */
#pragma once

#include "harness/data/format/linefile.h"
#include "harness/data/format/value.h"

struct jsonl {
    struct linefile   *lines;
    struct arena      *memory; /* holds the current object */
    const struct value *object; /* NULL: the line has a NUL, see jsonl_each */
    long               n;      /* number of objects so far */
};

typedef int jsonl_taker(void *to, const struct jsonl *j);

/* Passes each object to `take` until `take` returns a negative value; if this
 * is ERR_DATA, puts "FILE:LINE: " in front of the message.  A file without
 * objects is an error, except NAME.gz, which can be an empty shard of a corpus.
 * For a line with a NUL byte or \u0000, calls `nul` without an object; if `nul`
 * is NULL, such a line is an error. */
int jsonl_each(const char *path, jsonl_taker *take, jsonl_taker *nul, void *to);
