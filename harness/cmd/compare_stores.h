/*
 * compare_stores: two whole stores, row by row: what both have with the same
 * bits, what is better or worse in B, what one has alone.  A row is a variant,
 * or random,steps=700, on a task at a scale; its cells are paired by seed.  As
 * JSON:
 *
 *     {"schema_version": 1, "a", "b", "same": rows with the same bits,
 *      "differ": the others, "rows": [compare_columns_stores], "only_a":
 *      ["ROW/TASK/SCALE/SEED"], "only_b": [...], "unlike": rows that cannot be
 *      compared, [{"row", "task", "scale", "why"}]}
 */
#pragma once

struct sheet;

/* Adds the comparison of the stores in folders a and b to the sheet.  Returns
 * 1 if they differ, the exit code of damage (report_damage), OK, or an
 * error. */
int compare_stores(struct sheet *s, const char *a, const char *b);
