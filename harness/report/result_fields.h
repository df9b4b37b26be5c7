/*
 * result_fields: writes a measured table as JSON and CSV, and reads the JSON.
 * The command `table` writes both with data_fill, and reads JSON with
 * result_read.
 *
 * The JSON contains everything that the other formats show.  The cells of a row
 * are in the order of "columns".  A number or text that does not exist is null.
 *
 *   schema_version, table, title, cite, data (origin of all text), experiment,
 *   scale, synthetic, cells, done, others, seeds, seeds_needed (how many seeds
 *   each variant needs in total so that the difference of every variant from
 *   the best can be significant; 0: the present seeds are enough)
 *   builds       commit, dirty, cells (how many the build trained), and the
 *                facts of the provenance that the bits of results depend on
 *   builds_differ  the facts in which builds differ
 *   tasks        task, title, official, synthetic, subset, uncompared (the
 *                task is reported, not compared), examples, data
 *   columns      name, task, metric, heading, title, unit, better, decimals,
 *                published (the metric whose published order is correlated
 *                with the order of this column), synthetic, subset, data,
 *                uninformative, withheld (why the column, or a part of it, has
 *                no rank, star or correlation: result_table.h)
 *   rows         variant, title, signature (signature.h; or "none: REASON"),
 *                and cells, with value, low, high, n (seeds), asked (seeds of
 *                the experiment), by_seed (its n values), published, source,
 *                disputed, dispute, rank, rank_published, best,
 *                worse_than_blind, metric_signature (how the metric is
 *                computed), signature (of this number), status, commit, over
 *                (the samples of the interval: "examples", "seeds", "seeds x
 *                examples"), chosen (settings of a tuned row), settled,
 *                settled_error, unsettled (learning.h), reason (why there is no
 *                value)
 *   baselines    name, title, signature, description, cells (as in rows)
 *   correlations task, metric, published, n (rows), spearman, kendall, and
 *                both names with _p, _low, _high (stats/correlate.h)
 *   comparisons  task, metric, unit, a, b, difference (a minus b), low, high,
 *                p, seeds, more_seeds, examples, better, by_seed (seed, a, b);
 *                verdict: "a" or "b" (the better one), "undecided", or "not
 *                converged" (there is no verdict)
 *   contrasts    number of differences that the experiment judges
 *                (result_table.h); missing: all are judged
 *   guessed      assumptions about the settings of these numbers
 *                (store/guess.h); missing: none
 *   own          the store, if only its experiment.json defines the cells (-S,
 *                `train`, stdin); missing: an experiment file does
 *   file         the experiment file; missing: it is included in the program
 *   failures     variant, task, seed, status, class, message
 *   beside       published values without a row or column in this table: table,
 *                row, column, value, source, confidence, key, note
 *                (published_print.h)
 *   level        of the intervals, 0.95
 *
 * The CSV has one line for each variant and column, so that it can be filtered
 * and pivoted as a data frame without reshaping.  Its fields are:
 *
 *   table, scale, task, synthetic, subset (1: not all of the official rows),
 *   data, variant, title, reference (1: not a variant), metric, unit, better
 *   (1, -1, 0); all fields of a cell in the JSON except lists and `chosen`;
 *   uninformative and withheld of the column, guessed (assumptions about the
 *   number, "A; B"), mixed_builds (1: different builds trained the cells of the
 *   table); and for columns that are correlated with published numbers:
 *   correlated (number of rows), spearman, kendall, and both names with _p,
 *   _low, _high
 */
#pragma once

#include "harness/base/json.h"
#include "harness/print/sheet.h"
#include "harness/report/result_table.h"

/* Adds the JSON and the CSV of a table to a sheet. */
void data_fill(struct sheet *to, const struct result_table *s);

/* Makes all values of a table valid in every format (relation_clean), then sets
 * the fields that are derived from them. */
void data_clean(struct result_table *s);

/* The columns of a pair of rows. */
extern const struct column data_pair[];

/*
 * result_read reads a table from the JSON above, so that the table can be
 * printed in every format without the store.  The file is not trusted until it
 * is checked: every field that a format uses must have the right type and
 * range, and every task and column that a field names must exist.  Fields that
 * are derived from others ("data", "synthetic") are not read; "verdict" must
 * agree with p, low and high.
 */
enum { RESULT_SCHEMA = 3 }; /* schema_version of the JSON */

/* Sets *out to a table without a report; the caller calls result_close.
 * Returns ERR_USAGE if the file does not exist, or ERR_STORE, with the file and
 * the place in it, if the file is not JSON of a table or has another schema
 * version. */
int result_read(struct result_table **out, const char *path);
