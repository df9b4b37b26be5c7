/*
 * data: a measured table as programs read it.
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
 *                subset, data, uninformative, withheld (measured.h: why it has
 *                no rank, star or correlation, or not all of them)
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
 *                _p, _low, _high (stats/order.h)
 *   comparisons  task, metric, unit, a, b, difference (a less b), low, high, p,
 *                seeds, more_seeds, examples, better, by_seed (seed, a, b);
 *                verdict: a, b, undecided, or "not converged": withheld
 *   contrasts    how many differences the experiment judges (measured.h);
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
 *   level        of intervals, 0.95; a file without it is of an older program,
 *                and lacks "over", "uninformative", p and interval of
 *                correlations, what cells still learned
 *
 * CSV is tidy: one line a variant and column, so that a data frame of it
 * filters and pivots without reshaping.
 *
 *   table, scale, task, synthetic, variant, title, reference (1: no
 *   variant), metric, unit, better (1, -1, 0), value, low, high (95 %), n
 *   (seeds), status, rank, published, source, disputed, rank_published,
 *   signature, subset (1: not all of the official rows), data, best (1: the
 *   table marks it so), commit (of its cells), mixed_builds (1: the table's
 *   cells were built differently), worse_than_blind (seeds that are worse than
 *   what sees no input), asked (seeds of the experiment, n of them count),
 *   metric_signature, over, uninformative (1: so is its column), withheld (why
 *   its column is), settled, settled_error, unsettled, reason, dispute,
 *   command, guessed (texts of store/guess.h about it, "A; B"), and of its
 *   column, where the paper has an order: correlated (rows), spearman and
 *   kendall, of both _p, _low, _high
 */
#pragma once

#include "harness/base/json.h"
#include "harness/print/sheet.h"
#include "harness/report/measured.h"

void data_fill(struct sheet *to, const struct measured *s);

/* One of the comparisons. */
json_t *data_pair(const struct measured *s, int i);

/*
 * A table out of that JSON (measured_file.c), so that every form is made again
 * without the store.  The file is somebody else's until checked: every field
 * that a form looks at has its type and range, every task and column that is
 * named is there.  What follows from other fields ("data", "synthetic",
 * "verdict") is not read.
 */
enum { MEASURED_SCHEMA = 3 }; /* of the JSON: schema_version */

/* measured_close frees it; it has no report.  ERR_USAGE: no such file;
 * ERR_STORE with file and place: not such JSON, or of another program. */
int measured_read(struct measured **out, const char *path);
