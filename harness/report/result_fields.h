/*
 * result_fields: a measured table as programs read it.
 *
 * JSON has all that people are shown; the cells
 * of a row stand in the order of "columns"; null where there is no such number
 * or text.
 *
 *   schema_version, table, title, cite, data (behind all of it), experiment,
 *   scale, synthetic, cells, done, others, seeds, seeds_needed (to tell any
 *   variant from the best; 0: there are enough)
 *   builds       commit, dirty, cells (it made so many), and of its provenance
 *                what bits depend on; builds_differ: in what
 *   tasks        task, title, official, synthetic, subset, uncompared (the
 *                experiment runs and does not compare it), examples, data
 *   columns      name, task, metric, heading, title, unit, better, decimals,
 *                published (the metric its order is held against), synthetic,
 *                subset, data, uninformative, withheld (result_table.h: why it
 *                has no rank, star or correlation, or not all of them)
 *   notice       what must be known first, where something must
 *   rows         variant, title, signature (signature.h; "none: " and why),
 *                command (that trains it again; none: not asked for),
 *                cells: value, low, high, n (seeds), asked (seeds of the
 *                experiment), by_seed (its n values), published, source,
 *                disputed, dispute, rank, rank_published, best,
 *                worse_than_blind, metric_signature
 *                (how the metric is computed), signature (of this number),
 *                status, commit, over (what low and high are over: "examples",
 *                "seeds", "seeds x examples"), chosen (settings, of a row that
 *                is tuned), settled, settled_error, unsettled (learning.h),
 *                reason (why there is no value)
 *   baselines    name, title, signature, description, cells
 *   correlations task, metric, published, n (rows), spearman, kendall, of both
 *                _p, _low, _high (stats/rank_correlation.h)
 *   comparisons  task, metric, unit, a, b, difference (a less b), low, high, p,
 *                seeds, more_seeds, examples, better, by_seed (seed, a, b);
 *                verdict: a, b, undecided, or "not converged": withheld
 *   contrasts    how many differences the experiment judges (result_table.h);
 *                absent: all
 *   guessed      what no source tells of the settings of these numbers
 *                (store/guess.h); absent: nothing
 *   own          the store, where its experiment.json alone says what its
 *                cells are (-S, `train`, stdin); absent: a file does
 *   failures     variant, task, seed, status, class, message
 *   beside       what was published and has no row or column here: table, row,
 *                column, value, source, confidence, key, place, note (places.h)
 *   sources      with --sources: who says what of the published values: key,
 *                value, printed, source, confidence, note
 *   level        of intervals, 0.95
 *
 * CSV is tidy: one line a variant and column, so that a data frame of it
 * filters and pivots without reshaping.
 *
 *   table, scale, task, synthetic, subset (1: not all of the official rows),
 *   data, variant, title, reference (1: no variant), metric, unit, better (1,
 *   -1, 0); all that the JSON has of a cell, except lists and what was chosen;
 *   uninformative, withheld (of its column), command, guessed (texts of
 *   store/guess.h about it, "A; B"), mixed_builds (1: the table's cells were
 *   built differently), and of its column, where the paper has an order:
 *   correlated (rows), spearman and kendall, of both _p, _low, _high
 */
#pragma once

#include "harness/base/json.h"
#include "harness/print/sheet.h"
#include "harness/report/result_table.h"

void data_fill(struct sheet *to, const struct result_table *s);

/* Makes all that a table holds such that every format can hold it
 * (relation_clean), then sets what follows from it. */
void data_clean(struct result_table *s);

/* A column of a table: in JSON, and of each line in CSV. */
struct data_column {
    const char          *name; /* "lm1b.ppl" */
    struct table_column  of;
    struct result_task task;
    enum withheld        withheld;
    int                  uninformative;
};

/* What each value is called; builds have build_columns. */
extern const struct column data_header[], data_table[], data_task[],
    data_column[], data_cell[], data_row[], data_reference[],
    data_correlation[], data_pair[], data_failure[];

/*
 * A table out of that JSON (result_file.c), so that every form is made again
 * without the store.  The file is somebody else's until checked: every field
 * that a form looks at has its type and range, every task and column that is
 * named is there.  What follows from other fields ("data", "synthetic",
 * "verdict") is not read.
 */
enum { RESULT_SCHEMA = 3 }; /* of the JSON: schema_version */

/* result_close frees it; it has no report.  ERR_USAGE: no such file;
 * ERR_STORE with file and place: not such JSON, or of another program. */
int result_read(struct result_table **out, const char *path);
