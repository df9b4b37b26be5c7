/*
 * gate_report: a judgement for people (a sheet: text, Markdown), for programs
 * (the sheet's JSON object) and for the runner of a repository (JUnit XML, in
 * the form that Jenkins, GitLab and GitHub's reporters read).
 */
#pragma once

#include "harness/gate/judge.h"

struct sheet;

/* Worst first; cells with the same bits are counted alone. */
void gate_sheet(struct sheet *s, const struct judgement *j,
                const struct baseline *old, const struct baseline *new);

/* A test case a row, cells with the same bits too.  Worse, outside and changed
 * are failures; missing and undecided are errors, so that neither is green. */
int gate_junit(const char *path, const struct judgement *j,
               const struct baseline *old);

/* Writes one test case, an error with that message: the gate has no verdict. */
int gate_junit_error(const char *path, const char *baseline, const char *why);
