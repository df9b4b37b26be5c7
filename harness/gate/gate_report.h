/*
 * gate_report: prints a judgement (judge.h) as a sheet (print/sheet.h: text,
 * Markdown, JSON) and, for continuous integration, as JUnit XML that Jenkins,
 * GitLab and GitHub can read.  The command `gate` calls it.
 */
#pragma once

#include "harness/gate/judge.h"

struct sheet;

/* Fills the sheet, worst rows first.  Bit-identical cells are only counted. */
void gate_sheet(struct sheet *s, const struct judgement *j,
                const struct baseline *old, const struct baseline *new);

/* Returns the exit code of the worst verdict (README.md). */
int gate_exit_code(const struct judgement *j);

/* Writes one test case per row of the judgement, and one per bit-identical
 * cell.  The verdicts "worse" and "changed" are failures.  The verdicts
 * "missing" and "undecided" are errors, so that they do not pass. */
int gate_junit(const char *path, const struct judgement *j,
               const struct baseline *old);

/* For a gate that has no verdict: writes a single test case, an error with the
 * message `why`. */
int gate_junit_error(const char *path, const char *baseline, const char *why);
