/*
 * origin: where the numbers of a table come from: which cells, made by which
 * builds, of which text.
 */
#ifndef REPORT_ORIGIN_H
#define REPORT_ORIGIN_H

#include "harness/report/measured.h"

/* Experiment, others, failures, builds and the commits of every cell, from
 * s->report; then origin_settle.  ERR_STORE: a cell is damaged. */
int origin_fill(struct measured *s);

/* Makes all that a table holds such that every form can keep it: numbers of 15
 * significant digits, none infinite; texts of UTF-8 without control
 * characters. */
void origin_settle(struct measured *s);

/* "Debian bookworm package descriptions in place of LM1B and AG News; ...";
 * official files are named alone.  Lives in s->memory; "": nothing is done. */
const char *origin_data(const struct measured *s);

/* What builds_text says of it; NULL: no cells. */
const char *origin_builds(const struct measured *s);

#endif
