/*
 * superglue: defines what the tasks of SuperGLUE share.  The files superglue*.c
 * use these definitions.
 */
#pragma once

#include "harness/corpora/corpus.h"
#include "harness/data/format/jsonl.h"

/* Defines a corpus.  The file that uses this macro must define take_row, the
 * member `object` of the layout.  Arguments after `files` are further members
 * of struct corpus. */
#define SUPERGLUE(id, named, files, ...)                                      \
    const struct corpus corpus_superglue_##id = {                             \
        .name = "superglue_" #id, .family = "superglue", .title = named,      \
        .from = "the SuperGLUE benchmark "                                    \
                "(https://super.gluebenchmark.com/tasks): v2/" named ".zip",  \
        .layout = {{.name = "official", .object = take_row,                   \
                    .split = {files}}}, __VA_ARGS__};
#define SUPERGLUE_FILES(folder, train_, valid_, test_)                        \
    {"train", folder "/train.jsonl", train_},                                 \
    {"valid", folder "/val.jsonl", valid_},                                   \
    {"test", folder "/test.jsonl", test_}

enum superglue_label { LABEL_BOOLEAN, LABEL_NUMBER, LABEL_NAME };

/* Sets *out to the class that the object's "label" states in the form `label`,
 * or to -1 if the object belongs to a test set without labels.  Returns
 * ERR_DATA if an object of any other set lacks the label, or if the label is
 * not valid. */
int superglue_class(int *out, struct corpus_reading *x,
                    const struct value *object, enum superglue_label label,
                    const char *const *classes);

extern const char *const superglue_boolean[]; /* False, True */
