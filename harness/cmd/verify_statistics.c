/* verify statistics: prints how often intervals miss the true value.  JSON:
 * {"rows": [{"data", "unit", "seeds", "tests", "promised", "misses" (shares),
 * "verdict": pass, fail, or n/a if nothing is promised}], "failed"}. */
#include "harness/base/json.h"
#include "harness/cmd/command.h"

#include "harness/base/err.h"
#include "harness/print/sheet.h"
#include "harness/verify/statistics/coverage.h"

struct given { const char *format; };

static const struct opt options[] = {
    {.group = opts_format, .at = OPT_AT(format)},
    {.name = NULL}};

static json_t *row_json(const struct coverage_row *r)
{
    return json_pack("{s:s, s:s, s:i, s:i, s:f, s:f, s:s}", "data", r->data,
                     "unit", r->unit, "seeds", r->seeds, "tests", r->tests,
                     "promised", r->promised, "misses", r->misses, "verdict",
                     verdict_text[r->verdict]);
}

static void put_row(struct grid *g, const struct coverage_row *r)
{
    grid_add(g, "%s\t%s\t%d\t%d\t%.2f %%\t%.2f %%\t%s", r->data, r->unit,
             r->seeds, r->tests, 100 * r->promised, 100 * r->misses,
             verdict_text[r->verdict]);
}

static int run_verify_statistics(const void *given,
                                 const struct arguments *args)
{
    static const char *const head[] = {"data", "interval over", "seeds",
                                       "tests", "promised", "misses",
                                       "verdict", NULL};
    const struct given *g = given;
    OWNED(sheet_close) struct sheet *s = sheet_new();
    struct grid *grid = sheet_listing(s, "<<>>>><", head);
    struct coverage_row row[COVERAGE_ROWS];
    json_t *rows = json_array();
    int failed = 0;

    (void)args;
    coverage_measure(row);
    for (int i = 0; i < COVERAGE_ROWS; i++) {
        put_row(grid, &row[i]);
        json_array_append_new(rows, row_json(&row[i]));
        failed += row[i].verdict == VERDICT_FAIL;
    }
    sheet_put(s, PART_ITEM, "misses: share of %d simulated samples whose "
              "interval does not have the true mean; promised: 5 %% divided by "
              "the tests of the family (Bonferroni)", COVERAGE_DRAWS);
    sheet_put(s, PART_ITEM, "normal: seeds and examples vary normally. The row "
                            "has the case with the most misses of four, in "
                            "which seeds cause 10 to 99 %% of the variance");
    sheet_put(s, PART_ITEM, "cliff: half of the seeds have learned something "
              "that the others have not. The seeds are not normal, so the "
              "level does not hold (verdict n/a), and intervals over few "
              "seeds miss often");
    sheet_put(s, PART_ITEM, "neighbours: every six consecutive examples come "
                            "from one text and are correlated (0.18), as in "
                            "language modelling");
    s->object = json_pack("{s:o, s:i}", "rows", rows, "failed", failed);
    PASS(sheet_print(s, g->format, NULL));
    return failed ? 1 : OK;
}

const struct command verify_statistics = {
    .name = "statistics",
    .summary = "Simulate how often intervals miss the truth",
    .args = "",
    .formats = command_text_json,
    COMMAND_RUNS(run_verify_statistics, 0, 0)};
