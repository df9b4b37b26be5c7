/*
 * Reads cells (cell.h).  First the whole file is compared with its seal and its
 * journal line, so no number comes from a damaged file.  Then its structure is
 * read (image.h) and checked (cell_check.c), because the seal proves only that
 * a file is unchanged, not who wrote it.
 */
#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/hash.h"
#include "harness/base/str.h"
#include "harness/base/text.h"
#include "harness/store/cell.h"
#include "harness/store/image.h"
#include "harness/store/journal.h"
#include "harness/store/store_private.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cell_reader {
    struct image      *file;
    char              *bytes; /* of the file */
    size_t             n;
    /* The number of calls of cell_share minus the number of calls of
     * cell_close.  If it is 0, the next cell_close closes the reader. */
    int                shared;
    char              *path;
    struct cell_labels label;
    struct arena      *memory; /* owns `label` and lists of names */
};

char *cell_path(const char *store, const char *id)
{
    REQUIRE(cell_is_id(id), "cell id '%s'", id);
    return str_format("%s/cells/%s.h5", store, id);
}

int cell_damaged(const char *path, const char *what)
{
    size_t n = strlen(path) - strlen("/cells/.h5") - (CELL_ID - 1);
    OWNED(free) char *store = str_format("%.*s", (int)n, path);
    OWNED(free) char *word = text_quoted(store);

    return err_set(ERR_STORE, "%s: %s; `synthbench repair --store %s` "
                   "quarantines it, and `synthbench run --store %s` trains it "
                   "again", path, what, word, word);
}

int cell_unseal(const char *bytes, size_t *n, char hex[HASH_HEX])
{
    size_t part = *n < CELL_SEAL ? 0 : *n - CELL_SEAL;
    char seal[CELL_SEAL + 1], sealed[HASH_HEX], all[HASH_HEX];

    hash_sha256_of_part(bytes, part, *n, sealed, hex ? hex : all);
    snprintf(seal, sizeof seal, CELL_SEAL_TEXT, sealed);
    if (*n < CELL_SEAL || memcmp(seal, bytes + part, CELL_SEAL))
        return -1;
    *n = part;
    return 0;
}

/* Checks the digest of a file. */
static int check_line(const char *store, const char *id, const char *path,
                      const char *hex)
{
    struct journal_line line;
    int rc = journal_find(store, id, &line);

    /* There is no line if the runner died between committing the cell and
     * writing the line. */
    if (rc == ERR_EMPTY)
        return OK;
    PASS(rc);
    return strcmp(hex, line.sha256)
               ? cell_damaged(path, "does not match its line in journal.tsv")
               : OK;
}

/* Returns `rc`, the result of reading a part that every cell must have.  If it
 * is ERR_EMPTY, returns ERR_STORE with the message `what` instead. */
static int lacks(int rc, const struct cell_reader *r, const char *what)
{
    return rc == ERR_EMPTY ? cell_damaged(r->path, what) : rc;
}

/* Checks that the root attribute `id` of the file is `id`, and that this
 * program supports its schema. */
static int check_root(struct cell_reader *r, const char *id)
{
    static const char none[] = "is not a synthbench cell";
    OWNED(free) char *name = NULL;
    long long schema;

    PASS(lacks(cell_get_text(r, "", "id", &name), r, none));
    PASS(lacks(cell_get_int(r, "", "schema_version", &schema), r, none));
    if (schema > CELL_SCHEMA)
        return err_set(ERR_STORE, "%s: was written by a later version of "
                       "synthbench (schema_version %lld, this one reads up to "
                       "%d); update synthbench", r->path, schema, CELL_SCHEMA);
    if (strcmp(name, id))
        return cell_damaged(r->path, "belongs to another cell");
    return OK;
}

/* Checks that the cell has the kind `kind` or, if `kind` is NULL, that it has
 * no kind, like every trained cell. */
static int check_kind(struct cell_reader *r, const char *kind)
{
    OWNED(free) char *own = NULL;

    PASS(cell_maybe(cell_get_text(r, "", "kind", &own)));
    if (!own != !kind || (kind && strcmp(kind, own)))
        return cell_damaged(r->path, "is not of the expected kind");
    return OK;
}

/* Reads one of the two version numbers that are part of the text that cell_id
 * hashes. */
static int get_version(struct cell_reader *r, const char *name, int *out)
{
    long long version;

    PASS(cell_get_int(r, "provenance", name, &version));
    if (version < 0 || version > INT_MAX)
        return cell_damaged(r->path, "has an invalid version number");
    *out = (int)version;
    return OK;
}

static int check_id(struct cell_reader *r, const char *id, const char *config)
{
    char want[CELL_ID];
    int recipe = 0, numerics = 0;

    PASS(get_version(r, "data_recipe_version", &recipe));
    PASS(get_version(r, "numerics_version", &numerics));
    cell_id(want, config, recipe, numerics);
    if (strcmp(want, id))
        return cell_damaged(r->path, "has an id that does not match its "
                            "configuration");
    return OK;
}

/* Checks that the label attributes in the file match the configuration. */
static int check_labels(struct cell_reader *r)
{
    const struct cell_labels *l = &r->label;
    const char *const label[][2] = {
        {"variant", l->variant}, {"task", l->task}, {"scale", l->scale}};
    long long seed;
    int other = 0;

    for (size_t i = 0; i < sizeof label / sizeof *label; i++) {
        OWNED(free) char *own = NULL;

        PASS(cell_get_text(r, "", label[i][0], &own));
        other |= strcmp(own, label[i][1]) != 0;
    }
    PASS(cell_get_int(r, "", "seed", &seed));
    if (other || seed != r->label.seed)
        return cell_damaged(r->path, "has a label that does not match its "
                            "configuration");
    return OK;
}

static int check_config(struct cell_reader *r, const char *id)
{
    OWNED(free) char *text = NULL;
    OWNED(json_decref) json_t *config = NULL;

    PASS(cell_get_text(r, "config", "json", &text));
    config = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object(config) ||
        strcmp(cell_config_text(config, r->memory), text) ||
        cell_config_labels(&r->label, config, r->memory) < 0)
        return cell_damaged(r->path, "has no valid configuration");
    PASS(check_id(r, id, text));
    return check_labels(r);
}

/* Reads the structure of the file, and checks its schema, contents, kind and
 * id. */
static int check_all(struct cell_reader *r, size_t n, const char *id,
                     const char *kind)
{
    if (image_open(&r->file, r->bytes, n))
        return cell_damaged(r->path, image_why(r->file));
    PASS(check_root(r, id));
    if (cell_check(r->file, 0) < 0)
        return cell_damaged(r->path, err_last());
    PASS(check_kind(r, kind));
    return kind ? OK : lacks(check_config(r, id), r, "lacks its configuration");
}

int cell_open_kind(struct cell_reader **out, const char *store, const char *id,
                   const char *kind)
{
    OWNED(cell_close) struct cell_reader *r = NULL;
    char hex[HASH_HEX];
    size_t n;

    *out = NULL;
    if (!cell_is_id(id))
        return err_set(ERR_STORE, "%s: '%.80s' is not a cell id", store, id);
    r = calloc(1, sizeof *r);
    r->path = cell_path(store, id);
    r->memory = arena_new();
    if (!file_exists(r->path))
        return err_set(ERR_EMPTY, "%s: no such cell; `synthbench run` trains "
                       "it", r->path);
    PASS(file_read(&r->bytes, &n, r->path));
    r->n = n;
    int unsealed = cell_unseal(r->bytes, &n, hex);
    PASS(check_line(store, id, r->path, hex));
    if (unsealed)
        return cell_damaged(r->path, "is damaged, or not a cell file");
    PASS(check_all(r, n, id, kind));
    return MOVE_OUT(out, r);
}

int cell_open(struct cell_reader **out, const char *store, const char *id)
{
    return cell_open_kind(out, store, id, NULL);
}

const struct cell_labels *cell_labels_of(const struct cell_reader *r)
{
    return &r->label;
}
struct image *cell_image(const struct cell_reader *r) { return r->file; }

struct cell_reader *cell_share(struct cell_reader *r)
{
    r->shared++;
    return r;
}

int cell_is_same(const struct cell_reader *a, const struct cell_reader *b)
{
    return a->n == b->n && !memcmp(a->bytes, b->bytes, a->n);
}

size_t cell_bytes(const struct cell_reader *r) { return r->n; }

void cell_close(struct cell_reader *r)
{
    if (!r || r->shared-- > 0)
        return;
    image_close(r->file);
    arena_free(r->memory);
    free(r->bytes);
    free(r->path);
    free(r);
}

static int absent(const struct cell_reader *r, const char *path,
                  const char *name)
{
    return err_set(ERR_EMPTY, "%s:/%s%s%s: not found", r->path, path,
                   *path && *name ? "/" : "", name);
}

static int wrong(const struct cell_reader *r, const char *path,
                 const char *what)
{
    return err_set(ERR_STORE, "%s:/%s: %s", r->path, path, what);
}

/* Returns OK or, if `bad` is not 0 (an image_... function failed), ERR_STORE
 * with the reason from image_why. */
static int got(const struct cell_reader *r, const char *path, int bad)
{
    return bad ? wrong(r, path, image_why(r->file)) : OK;
}

int cell_maybe(int rc) { return rc == ERR_EMPTY ? OK : rc; }

/* ---- attributes ---- */

enum { A_TEXT = 1 << IMAGE_TEXT, AN_INTEGER = 1 << IMAGE_LONG };

/* Finds an attribute that has one value of an allowed type.  `types` is a set
 * of bits 1 << IMAGE_...; `what` names these types in the error message. */
static int find_attribute(const struct image_value **out,
                          const struct cell_reader *r, const char *group,
                          const char *name, int types, const char *what)
{
    const struct image_object *o = image_find(r->file, group);
    const struct image_attribute *a = o ? image_attribute(o, name) : NULL;

    if (!a)
        return absent(r, group, name);
    if (!(1 << a->value.type & types & ~(1 << IMAGE_OTHER)) ||
        a->value.n != 1)
        return err_set(ERR_STORE, "%s:/%s: %s is not %s", r->path, group, name,
                       what);
    *out = &a->value;
    return OK;
}

int cell_get_text(struct cell_reader *r, const char *group, const char *name,
                  char **out)
{
    const struct image_value *v = NULL;

    *out = NULL;
    PASS(find_attribute(&v, r, group, name, A_TEXT, "text"));
    return got(r, group, image_texts(r->file, v, out));
}

int cell_get_int(struct cell_reader *r, const char *group, const char *name,
                 long long *out)
{
    const struct image_value *v = NULL;

    PASS(find_attribute(&v, r, group, name, AN_INTEGER, "an integer"));
    return got(r, group, image_numbers(r->file, v, out));
}

int cell_get_real(struct cell_reader *r, const char *group, const char *name,
                  double *out)
{
    const struct image_value *v = NULL;

    PASS(find_attribute(&v, r, group, name, ~A_TEXT, "a number"));
    return got(r, group, image_reals(r->file, v, out));
}

int cell_get_shown(struct cell_reader *r, const char *group, const char *name,
                   char **out)
{
    const struct image_value *v = NULL;
    long long whole;
    double real;

    *out = NULL;
    PASS(find_attribute(&v, r, group, name, ~0, ""));
    if (v->type == IMAGE_TEXT)
        return got(r, group, image_texts(r->file, v, out));
    PASS(got(r, group, v->type == IMAGE_LONG
                           ? image_numbers(r->file, v, &whole)
                           : image_reals(r->file, v, &real)));
    *out = v->type == IMAGE_LONG ? str_format("%lld", whole)
                                 : str_format("%.6g", real);
    return OK;
}

int cell_get_unit(struct cell_reader *r, const char *path, char **out)
{
    int rc = cell_get_text(r, path, "unit_name", out);

    return rc == ERR_EMPTY ? cell_get_text(r, path, "units", out) : rc;
}

/* ---- datasets ---- */

static int find_data(const struct image_value **out,
                     const struct cell_reader *r, const char *path, int text)
{
    const struct image_object *o = image_find(r->file, path);

    if (!o)
        return absent(r, path, "");
    if (!o->is_data)
        return wrong(r, path, "is a group, not a dataset");
    if ((o->value.type == IMAGE_TEXT) != text)
        return wrong(r, path, "has an unexpected type");
    *out = &o->value;
    return OK;
}

int cell_get_array(struct cell_reader *r, const char *path, double **out,
                   size_t *n)
{
    const struct image_value *v = NULL;
    OWNED(free) double *x = NULL;

    *out = NULL;
    *n = 0;
    PASS(find_data(&v, r, path, 0));
    x = malloc((v->n + 1) * sizeof *x);
    PASS(got(r, path, image_reals(r->file, v, x)));
    *n = v->n;
    return MOVE_OUT(out, x);
}

int cell_get_strings(struct cell_reader *r, const char *path, char ***out,
                     size_t *n)
{
    const struct image_value *v = NULL;

    *out = NULL;
    *n = 0;
    PASS(find_data(&v, r, path, 1));
    char **text = malloc((v->n + 1) * sizeof *text);
    if (image_texts(r->file, v, text)) {
        cell_free_strings(text, v->n);
        return wrong(r, path, image_why(r->file));
    }
    *out = text;
    *n = v->n;
    return OK;
}

int cell_get_names(struct cell_reader *r, const char *group,
                   const char ***out, size_t *n)
{
    const struct image_object *o = image_find(r->file, group);

    *out = NULL;
    *n = 0;
    if (!o)
        return absent(r, group, "");
    if (o->is_data)
        return wrong(r, group, "is not a group");
    *n = o->children;
    *out = arena_take(r->memory, *n * sizeof **out);
    for (size_t i = 0; i < *n; i++)
        (*out)[i] = o->child[i]->name;
    return OK;
}

void cell_free_strings(char **s, size_t n)
{
    for (size_t i = 0; s && i < n; i++)
        free(s[i]);
    free(s);
}

int cell_get_metric(struct cell_reader *r, const char *name, double *out)
{
    OWNED(free) char *path = str_format("metrics/%s", name);
    const struct image_value *v = NULL;

    /* cell_check has ensured that a metric is one value. */
    PASS(find_data(&v, r, path, 0));
    return got(r, path, image_reals(r->file, v, out));
}
