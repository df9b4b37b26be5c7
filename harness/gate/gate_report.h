/*
 * gate_report: prints a judgement: for people as a sheet (text, Markdown), for
 * programs as the JSON object of the sheet, and for continuous integration as
 * JUnit XML, in the form that Jenkins, GitLab and GitHub's reporters read.
 */
#pragma once

#include "harness/gate/judge.h"

struct sheet;

/* Fills the sheet, worst rows first.  Bit-identical cells are only counted. */
void gate_sheet(struct sheet *s, const struct judgement *j,
                const struct baseline *old, const struct baseline *new);

/* Writes one test case per row, including bit-identical cells.  Worse, outside
 * and changed are failures; missing and undecided are errors, so that neither
 * passes. */
int gate_junit(const char *path, const struct judgement *j,
               const struct baseline *old);

/* Writes one test case, an error with the message `why`, for a gate without a
 * verdict. */
int gate_junit_error(const char *path, const char *baseline, const char *why);
