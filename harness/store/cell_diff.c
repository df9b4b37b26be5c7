/* Compares two files: first all values of the file `a`, then the values that
 * only the file `b` has.  An attribute or dataset is read as a whole.  Numbers
 * are compared by their bits, so NAN equals itself and 0 differs from -0. */
#include "harness/store/cell_diff.h"

#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/str.h"
#include "harness/store/image.h"
#include "harness/store/store_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct diff {
    struct image *file[2];
    int   second; /* 1: looking for values of `b` that `a` lacks */
    void (*tell)(void *arg, const struct cell_change *c);
    void *arg;
};

/* ---- kinds ---- */

static int starts(const char *s, const char *with)
{
    return !strncmp(s, with, strlen(with));
}

static enum cell_kind kind_of(const char *path)
{
    static const char *const settings[] = {
        "@id", "@title", "@variant", "@task", "@scale", "@seed",
        "provenance@data_recipe_version", "provenance@numerics_version",
        "weights@file_sha256" /* depends on the id, which the weights
                                   file contains */, NULL};
    static const char *const counted[] = {"params", "tokens", "flops_per_step",
                                          NULL};
    static const char *const build[] = {
        "commit", "dirty", "build", "compiler", "flags", "real_bits",
        "libraries", "libraries_loaded", "environment", "instruction_set",
        "instruction_set_compiler", "instruction_set_processor", "products",
        "processor", NULL};
    static const char *const hour[] = {"@date_created", "@history", NULL};
    const char *name = strchr(path, '@') ? strchr(path, '@') + 1 : path;

    if (starts(path, "config@") || names_index(settings, path) >= 0)
        return CELL_SETTINGS;
    if (names_index(hour, path) >= 0)
        return CELL_VOLATILE;
    if (starts(path, "timing"))
        return names_index(counted, name) >= 0 ? CELL_RESULTS : CELL_VOLATILE;
    if (!starts(path, "provenance"))
        return CELL_RESULTS;
    if (names_index(build, name) >= 0)
        return CELL_BUILD;
    return starts(name, "data_") || starts(name, "train_") ||
                   starts(name, "valid_") || starts(name, "test_") ||
                   starts(name, "entropy_") ||
                   starts(name, "pretrained_") || !strcmp(name, "synthetic")
               ? CELL_RESULTS : CELL_VOLATILE;
}

/* The metrics, and the parts of metrics, whose values are part of a digest.
 * Metrics that are not listed came later. */
static const char *const first_metrics[] = {
    "ce", "token_accuracy", "ppl", "ppl_word", "bleu", "rouge1", "rouge2",
    "rouge_l", "rouge_lsum", "nlg_bleu1", "nlg_bleu4", "nlg_rouge_l",
    "nlg_cider", "meteor", "accuracy", "glue8", "glue9", "superglue",
    "cola_mcc", "sst2_accuracy", "mrpc_f1", "mrpc_accuracy", "stsb_pearson",
    "stsb_spearman", "qqp_f1", "qqp_accuracy", "mnli_accuracy_matched",
    "mnli_accuracy_mismatched", "qnli_accuracy", "rte_accuracy",
    "wnli_accuracy", "boolq_accuracy", "cb_f1", "cb_accuracy", "copa_accuracy",
    "multirc_f1_a", "multirc_exact_match", "record_f1", "record_exact_match",
    "wic_accuracy", "wsc_accuracy", NULL};

/* Returns 1 for the value "metrics/NAME" of a later metric, its attributes, and
 * its value for a model-free baseline, "baseline/MODEL@NAME". */
static int is_later_metric(const char *path)
{
    const char *at = strchr(path, '@');
    char name[64];

    if (starts(path, "baseline/") && at)
        return strcmp(at, "@description") &&
               names_index(first_metrics, at + 1) < 0;
    if (!starts(path, "metrics/"))
        return 0;
    path += strlen("metrics/");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(path, "@"), path);
    return names_index(first_metrics, name) < 0;
}

static int is_later(const char *path)
{
    return is_later_metric(path) || starts(path, "attention/moves/") ||
           starts(path, "attention/sentence/") ||
           starts(path, "curves/train@settled") ||
           starts(path, "examples/test/example") ||
           starts(path, "examples/test/rank") ||
           (starts(path, "attention/") && strstr(path, "/bin"));
}

/* Returns 1 for the attributes of a dataset that describe it and its dimensions
 * (cell_layout.c). */
static int is_layout(const struct image_object *o, const char *attribute)
{
    static const char *const names[] = {
        "long_name", "unit_name", "CLASS", "NAME", "DIMENSION_LIST",
        "REFERENCE_LIST", NULL};

    return o->is_data && names_index(names, attribute) >= 0;
}

/* Returns the value of an attribute, or NULL if the attribute is missing or is
 * not compared.  For `units`, returns the value of `unit_name` if the object
 * has it, because earlier versions stored this usual name in `units`. */
static const struct image_value *attribute_of(const struct image_object *o,
                                              const char *name)
{
    const struct image_attribute *a =
        o->is_data && !strcmp(name, "units")
            ? image_attribute(o, "unit_name") : NULL;

    a = a ? a : image_attribute(o, name);
    return !a || is_layout(o, name) || a->value.type == IMAGE_OTHER
               ? NULL : &a->value;
}

/* ---- values ---- */

/* The values of an attribute or a dataset.  `x` is an array of numbers of WIDTH
 * bytes (cell_check accepts no others), or of char * if they are texts. */
struct value { const struct image_value *is; void *x; };

enum { WIDTH = 8 };

static int is_text(const struct value *v) { return v->is->type == IMAGE_TEXT; }

static void value_free(struct value *v)
{
    for (size_t i = 0; v->x && is_text(v) && i < v->is->n; i++)
        free(((char **)v->x)[i]);
    free(v->x);
}
OWNER_OF_VALUE(value_free, struct value)

static int value_read(struct value *v, struct image *f, const char *path)
{
    v->x = calloc(v->is->n + 1, WIDTH);
    return (is_text(v) ? image_texts(f, v->is, v->x)
                       : image_numbers(f, v->is, v->x))
               ? err_set(ERR_STORE, "%s: %s", path, image_why(f)) : OK;
}

static int equal_at(const struct value *a, const struct value *b, size_t i)
{
    return is_text(a) ? !strcmp(((char **)a->x)[i], ((char **)b->x)[i])
                      : !memcmp((const char *)a->x + i * WIDTH,
                                (const char *)b->x + i * WIDTH, WIDTH);
}

static void show_text(char *out, size_t bytes, const char *s)
{
    snprintf(out, bytes, "%s", s);
    for (; *out; out++)
        if ((unsigned char)*out < ' ' || (unsigned char)*out >= 0x7f)
            *out = '?'; /* a control character, or a byte beyond ASCII */
}

static void show(char out[CELL_SHOWN], const struct value *v, size_t i)
{
    char text[CELL_SHOWN - 24];

    if (is_text(v))
        show_text(text, sizeof text, ((char **)v->x)[i]);
    else if (v->is->type == IMAGE_LONG)
        snprintf(text, sizeof text, "%lld", ((const long long *)v->x)[i]);
    else
        snprintf(text, sizeof text, "%.17g", ((const double *)v->x)[i]);
    if (v->is->n == 1)
        snprintf(out, CELL_SHOWN, "%s", text);
    else
        snprintf(out, CELL_SHOWN, "[%zu] %s", i, text);
}

/* Returns 1 if the values differ, and writes the first difference to `c`. */
static int value_differ(struct cell_change *c, const struct value *a,
                        const struct value *b)
{
    int other = a->is->type != b->is->type;

    if (other || a->is->n != b->is->n) {
        snprintf(c->a, sizeof c->a, "%zu values", (size_t)a->is->n);
        snprintf(c->b, sizeof c->b, "%zu values%s", (size_t)b->is->n,
                 other ? " of another type" : "");
        return 1;
    }
    for (size_t i = 0; i < a->is->n; i++)
        if (!equal_at(a, b, i)) {
            show(c->a, a, i);
            show(c->b, b, i);
            return 1;
        }
    return 0;
}

/* ---- the walk ---- */

/* Calls `visit` for every attribute and dataset of the object `o` at `path` and
 * of the objects in it.  For a dataset, the argument `name` is NULL; for an
 * attribute, `path` is the path of its object. */
static int each(const struct image_object *o, const char *path,
                int (*visit)(void *arg, const char *path, const char *name,
                             const struct image_value *v), void *arg)
{
    for (size_t i = 0; i < o->attributes; i++) {
        const char *name = o->attribute[i].name;
        const struct image_value *v = attribute_of(o, name);

        if (v)
            PASS(visit(arg, path, name, v));
    }
    if (o->is_data)
        return visit(arg, path, NULL, &o->value);
    for (size_t i = 0; i < o->children; i++) {
        OWNED(free) char *inside = str_format("%s%s%s", path, *path ? "/" : "",
                                              o->child[i]->name);

        PASS(each(o->child[i], inside, visit, arg));
    }
    return OK;
}

/* Writes "PATH@NAME" or, if `name` is NULL, "PATH". */
static void name_value(char out[256], const char *path, const char *name)
{
    snprintf(out, 256, "%s%s%s", path, name ? "@" : "", name ? name : "");
}

/* ---- two files ---- */

/* Returns the value of an attribute or, if `name` is NULL, of a dataset.
 * Returns NULL if the file lacks it or it is not compared. */
static const struct image_value *find_value(struct image *f, const char *path,
                                            const char *name)
{
    const struct image_object *o = image_find(f, path);

    if (name)
        return o ? attribute_of(o, name) : NULL;
    return o && o->is_data ? &o->value : NULL;
}

static int compare(struct diff *d, struct cell_change *c,
                   const struct image_value *a, const struct image_value *b)
{
    OWNED(value_free) struct value x = {a, NULL}, y = {b, NULL};

    PASS(value_read(&x, d->file[0], c->path));
    PASS(value_read(&y, d->file[1], c->path));
    if (value_differ(c, &x, &y))
        d->tell(d->arg, c);
    return OK;
}

/* Compares a value of the walked file with the same value of the other file. */
static int visit_both(void *arg, const char *path, const char *name,
                      const struct image_value *mine)
{
    struct diff *d = arg;
    const struct image_value *theirs =
        find_value(d->file[!d->second], path, name);
    struct cell_change c = {.a = "-", .b = "-"};

    name_value(c.path, path, name);
    c.kind = kind_of(c.path);
    if (theirs)
        return d->second ? OK : compare(d, &c, mine, theirs);
    if (is_later(c.path))
        return OK;
    snprintf(d->second ? c.b : c.a, CELL_SHOWN, "%zu value%s",
             (size_t)mine->n, mine->n == 1 ? "" : "s");
    d->tell(d->arg, &c);
    return OK;
}

int cell_diff(struct cell_reader *a, struct cell_reader *b,
              void (*tell)(void *arg, const struct cell_change *c), void *arg)
{
    struct diff d = {.file = {cell_image(a), cell_image(b)}, .tell = tell,
                     .arg = arg};

    for (d.second = 0; d.second < 2 && !cell_is_same(a, b); d.second++)
        PASS(each(image_root(d.file[d.second]), "", visit_both, &d));
    return OK;
}

/* ---- one file ---- */

struct digest { struct image *file; struct sha256_ctx *hash; };

/* Hashes the full name of an attribute or dataset, its type and number of
 * values, and then its values. */
static int visit_one(void *arg, const char *path, const char *name,
                     const struct image_value *v)
{
    const struct digest *d = arg;
    OWNED(value_free) struct value x = {v, NULL};
    char whole[256], shape[64];

    name_value(whole, path, name);
    if (kind_of(whole) != CELL_RESULTS || is_later(whole))
        return OK;
    PASS(value_read(&x, d->file, whole));
    hash_add(d->hash, whole, strlen(whole) + 1);
    snprintf(shape, sizeof shape, "%d %zu", (int)v->type, (size_t)v->n);
    hash_add(d->hash, shape, strlen(shape) + 1);
    for (size_t i = 0; is_text(&x) && i < v->n; i++)
        hash_add(d->hash, ((char **)x.x)[i], strlen(((char **)x.x)[i]) + 1);
    if (!is_text(&x))
        hash_add(d->hash, x.x, v->n * WIDTH);
    return OK;
}

int cell_results(struct cell_reader *r, char hex[HASH_HEX])
{
    struct digest d = {cell_image(r), hash_new()};
    int rc = each(image_root(d.file), "", visit_one, &d);

    hash_end(d.hash, hex);
    return rc;
}
