/*
 * compare_stores: compares two stores, A and B, row by row, and adds to a sheet
 * which rows are bit-identical, which are better or worse in B, and which cells
 * only one store has.  A row is a variant, alone or with varied settings
 * (random,steps=700), on a task at a scale; its cells are paired by seed.
 * cmd_compare.c calls it.  JSON:
 *
 *     {"schema_version": 1, "a", "b", "same": number of bit-identical rows,
 *      "differ": number of other rows, "rows": [compare_columns_stores, see
 *      compare_lines.h], "only_a": ["ROW/TASK/SCALE/SEED"], "only_b": [...],
 *      "unlike": [{"row", "task", "scale", "why"}], rows that cannot be
 *      compared}
 */
#pragma once

struct sheet;

/* Adds the comparison of the stores in folders `a` and `b` to the sheet.
 * Returns OK if they are bit-identical, 1 if they differ, the exit code of
 * report_damage (report/report.h) if a cell is damaged, or an error. */
int compare_stores(struct sheet *s, const char *a, const char *b);
