/*
 * Describes the datasets of a cell file for other tools (CF-1.8, netCDF-4): a
 * `long_name` for each, and its dimensions as HDF5 dimension scales.  The scale
 * of a dimension is the dataset in the same group that has the name of the
 * dimension.  Scales that only count (0, 1, 2, ...) are created here.
 *
 * All of this is written after the contents of the cell, and no digest includes
 * it (cell_diff.c).
 */
#include "harness/base/array.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/store/h5.h"
#include "harness/store/store_private.h"

#include <fnmatch.h>
#include <hdf5_hl.h>
#include <stdlib.h>
#include <string.h>

enum { DIMS = 3 };

/* The long_name and the names of the dimensions of each dataset.  The first row
 * whose `path` (a pattern of fnmatch) matches applies.  A dataset that no row
 * matches, or whose number of dimensions is not that of its row, is left as it
 * is. */
static const struct row {
    /* `is` is the long_name; if it is NULL, the writer of the dataset sets
     * long_name. */
    const char *path, *dims[DIMS], *is;
} rows[] = {
    {"curves/train/step", {"step"}, "last training step of each point, counted "
     "from 1"},
    {"curves/train/loss", {"step"}, "training loss in nats per token, mean "
     "over the steps since the previous point"},
    {"curves/train/lr", {"step"}, "learning rate of the step"},
    {"curves/valid/step", {"step"}, "training step after which the model was "
     "evaluated, counted from 1"},
    {"curves/valid/ce", {"step"}, "cross-entropy on the validation set in nats "
     "per token"},
    {"metrics/*", {NULL}, NULL},
    {"examples/test/example", {"example"}, "index of the test example, from 0"},
    {"examples/test/rank", {"rank"}, "rank among the hypotheses of an example, "
     "0 is the best"},
    {"examples/test/nll", {"example"}, "-log p of the target under the model, "
     "in nats, summed over its tokens"},
    {"examples/test/own_nll", {"example"}, "-log p of the target under the "
     "data-generating distribution, in nats"},
    {"examples/test/unigram_nll", {"example"}, "-log p of the target under the "
     "unigram model of the training targets, in nats"},
    {"examples/test/tokens", {"example"}, "number of tokens of the target"},
    {"examples/test/hits", {"example"}, "number of target tokens that the most "
     "probable prediction matches"},
    {"examples/test/words", {"example"}, "number of words of the target"},
    {"examples/test/label", {"example"}, "label"},
    {"examples/test/guess", {"example"}, "most probable label"},
    {"examples/test/group", {"example"}, "group of the example: the examples "
     "of a group are scored together"},
    {"examples/test/subtask", {"example"}, "task of the mixture that the "
     "example belongs to"},
    {"examples/test/source", {"example"}, "source as the model saw it"},
    {"examples/test/reference", {"example"}, "reference"},
    {"examples/test/hypothesis", {"example"}, "decoded text"},
    {"examples/test/nbest", {"example", "rank"}, "decoded texts, best first"},
    {"examples/test/nbest_score", {"example", "rank"}, "log p of each decoded "
     "text divided by its length penalty, in nats"},
    {"tuning/trial", {"trial"}, "id of the trial's cell"},
    {"tuning/ce", {"trial"}, "final cross-entropy of the trial on the "
     "validation set in nats per token; NaN if it diverged"},
    {"attention/*/*/bin", {"bin"}, "lower edge of each bin, which ends where "
     "the next one begins; the last one ends at 1"},
    {"attention/*/*/histogram", {"bin"}, "number of visible attention weights "
     "in each bin"},
    {"attention/moves/*/step", {"step"}, "training step, counted from 1"},
    {"attention/moves/*/rms", {"step"}, "change of the logits in the step, "
     "root mean square over visible keys"},
    {"attention/sentence/*/head", {"head"}, "index of the attention head, from "
     "0"},
    {"attention/sentence/*/row", {"row"}, "index of the query token, from 0"},
    {"attention/sentence/*/key", {"key"}, "index of the key token, from 0"},
    {"attention/sentence/*/scores_row", {"scores_row"}, "row index of the "
     "scores, from 0"},
    {"attention/sentence/*/scores_key", {"scores_key"}, "column index of the "
     "scores, from 0"},
    {"attention/sentence/*/tokens", {"row"}, "tokens of the sentence"},
    {"attention/sentence/*/start", {"head", "row", "key"}, "attention weights "
     "before training"},
    {"attention/sentence/*/end", {"head", "row", "key"}, "attention weights "
     "after training"},
    {"attention/sentence/*/scores_start", {"head", "scores_row", "scores_key"},
     "scores before training, the same for every input"},
    {"attention/sentence/*/scores_end", {"head", "scores_row", "scores_key"},
     "scores after training, the same for every input"},
};

/* Dimensions whose scale is 0, 1, 2, ... */
static const char *const counted[] = {"example", "rank", "head", "row", "key",
                                      "scores_row", "scores_key", NULL};

static const struct row *row_of(const char *path)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!fnmatch(rows[i].path, path, FNM_PATHNAME))
            return &rows[i];
    return NULL;
}

/* Sets `dim` to the sizes of a dataset's dimensions and returns their number,
 * or -1 if this number differs from that of the row. */
static int dims_of(hsize_t dim[DIMS], hid_t file, const char *path,
                   const struct row *row)
{
    OWNED(h5_close) hid_t data = H5Dopen2(file, path, H5P_DEFAULT);
    OWNED(h5_close) hid_t space = data < 0 ? -1 : H5Dget_space(data);
    int n = 0;

    while (n < DIMS && row->dims[n])
        n++;
    return space < 0 || H5Sget_simple_extent_ndims(space) != n ? -1
           : H5Sget_simple_extent_dims(space, dim, NULL) == n  ? n
                                                               : -1;
}

/* ---- the datasets of a file, in the order of creation ---- */

struct paths { char **list; size_t n, cap; };

static void paths_free(struct paths *p)
{
    cell_free_strings(p->list, p->n);
}
OWNER_OF_VALUE(paths_free, struct paths)

static herr_t keep(hid_t root, const char *name, const H5O_info_t *info,
                   void *to)
{
    struct paths *p = to;

    (void)root;
    if (info->type != H5O_TYPE_DATASET || !row_of(name))
        return 0;
    ARRAY_ROOM(p->list, p->n, p->cap);
    p->list[p->n++] = str_copy(name);
    return 0;
}

static int each(hid_t file, int (*visit)(hid_t file, const char *path,
                                         const struct row *row))
{
    OWNED(paths_free) struct paths p = {.n = 0};

    if (H5Ovisit2(file, H5_INDEX_CRT_ORDER, H5_ITER_INC, keep, &p,
                  H5O_INFO_BASIC) < 0)
        return -1;
    for (size_t i = 0; i < p.n; i++) {
        const struct row *row = row_of(p.list[i]);
        hsize_t dim[DIMS];

        if (dims_of(dim, file, p.list[i], row) >= 0 &&
            visit(file, p.list[i], row))
            return -1;
    }
    return 0;
}

/* ---- coordinates ---- */

static int is_there(hid_t file, const char *path)
{
    return H5Lexists(file, path, H5P_DEFAULT) > 0;
}

static char *sibling(const char *path, const char *name)
{
    return str_format("%.*s%s", (int)(strrchr(path, '/') + 1 - path), path,
                      name);
}

static int count(hid_t file, const char *path, hsize_t n)
{
    OWNED(free) int64_t *x = malloc((n + 1) * sizeof *x);
    OWNED(h5_close) hid_t make = cell_storage(1, &n);
    struct h5_data d = {1, &n, H5T_STD_I64LE, make, x, "1"};

    for (hsize_t i = 0; i < n; i++)
        x[i] = (int64_t)i;
    return h5_dataset(file, path, &d);
}

static int add_coordinates(hid_t file, const char *path, const struct row *row)
{
    hsize_t dim[DIMS];
    int n = dims_of(dim, file, path, row);

    for (int i = 0; i < n; i++) {
        OWNED(free) char *scale = sibling(path, row->dims[i]);

        if (names_index(counted, row->dims[i]) >= 0 &&
            !is_there(file, scale) && count(file, scale, dim[i]))
            return -1;
    }
    return 0;
}

/* ---- names and scales ---- */

static int is_scale(const char *path, const struct row *row)
{
    return row->dims[0] && !strcmp(strrchr(path, '/') + 1, row->dims[0]);
}

static int name(hid_t file, const char *path, const struct row *row)
{
    OWNED(h5_close) hid_t data = H5Dopen2(file, path, H5P_DEFAULT);

    if (data < 0 || (row->is && h5_text(data, "long_name", row->is)))
        return -1;
    return is_scale(path, row) && H5DSset_scale(data, row->dims[0]) < 0 ? -1
                                                                        : 0;
}

static int attach(hid_t file, const char *path, const struct row *row)
{
    OWNED(h5_close) hid_t data = H5Dopen2(file, path, H5P_DEFAULT);
    int bad = data < 0;

    for (int i = 0; i < DIMS && row->dims[i] && !is_scale(path, row); i++) {
        OWNED(free) char *at = sibling(path, row->dims[i]);
        OWNED(h5_close) hid_t scale = is_there(file, at)
            ? H5Dopen2(file, at, H5P_DEFAULT) : -1;

        bad |= scale >= 0 && H5DSattach_scale(data, scale, (unsigned)i) < 0;
    }
    return bad ? -1 : 0;
}

int cell_lay_out(hid_t file)
{
    return each(file, add_coordinates) || each(file, name) ||
                   each(file, attach)
               ? -1 : 0;
}

const char *cell_units(const char *units)
{
    static const char *const bare[] = {"nats", "bits", "count"};

    for (size_t i = 0; i < sizeof bare / sizeof *bare; i++)
        if (!strncmp(units, bare[i], strlen(bare[i])))
            return "1";
    return units;
}
