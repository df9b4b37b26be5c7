#include "harness/base/err.h"
#include "harness/base/names.h"
#include "harness/base/text.h"
#include "harness/store/image.h"
#include "harness/store/store_private.h"

#include <stdlib.h>
#include <string.h>

/* The kinds of objects and attributes, as bits. */
enum { REAL = 1, WHOLE = 2, TEXT = 4, GROUP = 8, NUMBER = REAL | WHOLE,
       VALUE = NUMBER | TEXT, ANY = VALUE | GROUP };

/* `enum shape` restricts the dimensions of a dataset: FREE allows at most one,
 * ONE is a single value without dimensions, LIST has exactly one dimension, and
 * TABLE one or more.  An ALIKE dataset is a list with as many values as the
 * dataset that first_list returns for its group.  A TIMES dataset has a fixed
 * number of values for each value of that dataset, V values in all: it is a
 * list whose length is a multiple of V, or a table with V rows.  `enum form`
 * restricts a text (wrong_text). */
enum shape { FREE, ONE, LIST, ALIKE, TABLE, TIMES };
enum form { LINE, NAME, HASH, SHORT, LONGER };

enum { NAME_MOST = 64, LABEL_MOST = 128, SHORT_MOST = 256, LONG_MOST = 4096,
       METRICS = 1024, BASELINES = 64, LISTS = 64 };

/* The rules for the contents of a cell file.  They are checked when a file is
 * opened, and before it is written.  The first row that matches a path applies.
 * A row matches if `folder` matches the path up to and including its last / or
 * @, and one of `names` matches the rest; `*` matches any name.  An object that
 * matches no row may have any contents.  An attribute that matches no row must
 * be one number or one line of text, or, if its name is `units`, a short text.
 * Every name consists of 1 to 64 characters of CELL_LETTERS. */
static const struct rule {
    const char *folder, *names;
    int         kinds;
    enum shape  shape;
    enum form   form;
    size_t      most; /* maximum members of a group; 0: no maximum */
} rules[] = {
    {"@", "id variant task scale status kind cell", TEXT, ONE, NAME, 0},
    {"@", "seed schema_version", WHOLE, ONE, LINE, 0},
    {"", "config provenance timing weights examples attention tuning", GROUP,
     FREE, LINE, 0},
    {"config@", "json", TEXT, ONE, LINE, 0},
    {"timing@", "*", NUMBER, ONE, LINE, 0},
    {"timing/", "cpu_seconds kernel_seconds", GROUP, FREE, LINE, 0},
    {"timing/*@", "*", NUMBER, ONE, LINE, 0},
    {"weights@", "sha256 file_sha256", TEXT, ONE, HASH, 0},
    {"", "baseline", GROUP, FREE, LINE, BASELINES},
    {"baseline/", "*", GROUP, FREE, LINE, 0},
    {"baseline/*@", "description", TEXT, ONE, LINE, 0},
    {"baseline/*@", "*", NUMBER, ONE, LINE, 0},
    {"", "metrics", GROUP, FREE, LINE, METRICS},
    {"metrics/", "*", REAL, ONE, LINE, 0},
    {"metrics/*@", "better", WHOLE, ONE, LINE, 0},
    {"metrics/*@", "signature", TEXT, ONE, LONGER, 0},
    {"", "curves", GROUP, FREE, LINE, 0},
    {"curves/", "*", GROUP, FREE, LINE, LISTS},
    {"curves/*/", "*", NUMBER, ALIKE, LINE, 0},
    {"examples/", "test", GROUP, FREE, LINE, LISTS},
    {"examples/test/", "nll own_nll unigram_nll tokens hits words label guess "
     "group", NUMBER, ALIKE, LINE, 0},
    {"examples/test/", "source hypothesis reference subtask", TEXT, ALIKE,
     LINE, 0},
    {"examples/test/", "rank", WHOLE, LIST, LINE, 0},
    {"examples/test/", "nbest", TEXT, TIMES, LINE, 0},
    {"examples/test/", "nbest_score", NUMBER, TIMES, LINE, 0},
    {"examples/test/", "*", VALUE, ALIKE, LINE, 0},
    {"tuning/", "trial", TEXT, ALIKE, NAME, 0},
    {"tuning/", "ce", NUMBER, ALIKE, LINE, 0},
    {"attention/", "*", GROUP, FREE, LINE, 0},
    {"attention/*/", "*", GROUP, FREE, LINE, 0},
    {"attention/*/*@", "entropy_nats", NUMBER, ONE, LINE, 0},
    {"attention/sentence/*@", "*", WHOLE, ONE, LINE, 0},
    {"attention/sentence/*/", "tokens", TEXT, LIST, LINE, 0},
    {"attention/sentence/*/", "*", NUMBER, TABLE, LINE, 0},
    {"attention/*/*/", "*", NUMBER, LIST, LINE, 0},
};

static const struct rule attribute_rule = {"", "", VALUE, ONE, LINE, 0};
static const struct rule units_rule = {"", "", TEXT, ONE, SHORT, 0};
static const struct rule object_rule = {"", "", ANY, FREE, LINE, 0};

enum { RULES = sizeof rules / sizeof *rules };

struct check {
    struct image *f;
    int           deep;
    struct text   path; /* of the object or attribute that is checked */
};

static int bad(const struct check *c, const char *what)
{
    return err_set(ERR_STORE, "/%s: %s", c->path.s, what);
}

static void cut(struct text *path, size_t n)
{
    path->s[n] = 0;
    path->n = n;
}

/* Returns 1 if the pattern matches the whole path, which ends with / or @. */
static int is_in(const char *folder, const char *path)
{
    for (; *folder; folder++)
        if (*folder == '*')
            path += strcspn(path, "/@");
        else if (*folder != *path++)
            return 0;
    return !*path;
}

static int is_named(const char *names, const char *name)
{
    if (*names == '*')
        return 1;
    for (size_t n; *names; names += n + (names[n] == ' ')) {
        n = strcspn(names, " ");
        if (!strncmp(names, name, n) && !name[n])
            return 1;
    }
    return 0;
}

/* The rules for the attributes of an object, or for the members of a group. */
struct rules { const struct rule *list[RULES]; size_t n; int attributes; };

static void find_rules(struct rules *out, const char *folder, int attributes)
{
    out->n = 0;
    out->attributes = attributes;
    for (size_t i = 0; i < RULES; i++)
        if (is_in(rules[i].folder, folder))
            out->list[out->n++] = &rules[i];
}

static const struct rule *rule_of(const struct rules *r, const char *name)
{
    for (size_t i = 0; i < r->n; i++)
        if (is_named(r->list[i]->names, name))
            return r->list[i];
    return !r->attributes           ? &object_rule
           : !strcmp(name, "units") ? &units_rule
                                    : &attribute_rule;
}

/* ---- texts ---- */

static const char *wrong_text(const char *s, enum form form)
{
    size_t n = strlen(s);

    if (!text_printable(s))
        return "is not one line of text";
    if (form == NAME && !cell_word(s, LABEL_MOST))
        return "is not a valid name";
    if (form == HASH && (n != 64 || s[strspn(s, "0123456789abcdef")]))
        return "is not a SHA-256";
    if ((form == SHORT && n > SHORT_MOST) || (form == LONGER && n > LONG_MOST))
        return "is too long";
    return NULL;
}

/* ---- values ---- */

static int kind_of(const struct image_value *v)
{
    static const int kinds[] = {[IMAGE_DOUBLE] = REAL, [IMAGE_LONG] = WHOLE,
                                [IMAGE_TEXT] = TEXT, [IMAGE_OTHER] = 0};

    return kinds[v->type];
}

/* Returns 1 for the attributes that HDF5 uses for dimension scales. */
static int is_of_scales(const char *name)
{
    static const char *const names[] = {"CLASS", "NAME", "DIMENSION_LIST",
                                        "REFERENCE_LIST", NULL};

    return names_index(names, name) >= 0;
}

static int check_attribute(struct check *c, const struct rule *rule,
                           const struct image_attribute *a)
{
    const struct image_value *v = &a->value;
    OWNED(free) char *text = NULL;
    const char *why = NULL;
    int64_t whole;

    if (v->type == IMAGE_OTHER && is_of_scales(a->name))
        return OK;
    if (!(kind_of(v) & rule->kinds))
        return bad(c, "has an unexpected type");
    if (v->rank || v->n != 1)
        return bad(c, "is not a single value");
    if (v->type == IMAGE_TEXT && image_texts(c->f, v, &text))
        return bad(c, image_why(c->f));
    if (text)
        why = wrong_text(text, rule->form);
    if (!strcmp(a->name, "better") && kind_of(v) == WHOLE &&
        (image_numbers(c->f, v, &whole) || whole < -1 || whole > 1))
        why = "is not -1, 0 or 1";
    return why ? bad(c, why) : OK;
}

/* Checks that all values of a dataset can be read. */
static int check_values(struct check *c, const struct image_value *v)
{
    OWNED(free) void *x = calloc(v->n + 1, sizeof(void *));
    char **text = x;
    int rc = v->type == IMAGE_TEXT ? image_texts(c->f, v, x)
                                   : image_numbers(c->f, v, x);

    for (size_t i = 0; v->type == IMAGE_TEXT && i < v->n; i++)
        free(text[i]);
    return rc ? bad(c, image_why(c->f)) : OK;
}

/* ---- objects ---- */

/* Returns the dataset of a group whose length its ALIKE datasets must have:
 * `nll` or, if there is none, the first dataset that is neither `rank` nor a
 * list of hypotheses (nbest...).  Returns NULL if the group has no such
 * dataset. */
static const struct image_object *first_list(const struct image_object *group)
{
    const struct image_object *first = NULL;

    for (size_t i = 0; i < group->children; i++) {
        const struct image_object *o = group->child[i];

        if (!strcmp(o->name, "nll"))
            return o;
        if (!first && strncmp(o->name, "nbest", 5) && strcmp(o->name, "rank"))
            first = o;
    }
    return first;
}

static uint64_t length_of(const struct image_object *group, const char *name)
{
    for (size_t i = 0; i < group->children; i++)
        if (!strcmp(group->child[i]->name, name))
            return group->child[i]->value.n;
    return 0;
}

static int check_shape(const struct check *c, const struct image_object *o,
                       const struct image_object *group, enum shape shape)
{
    int lone = shape != ALIKE && shape != TIMES;
    const struct image_object *first = lone ? o : first_list(group);
    const struct image_value *v = &o->value;
    uint64_t n = first ? first->value.n : 0;

    if ((v->rank > 1 && shape < TABLE) || (shape == ONE && v->rank) ||
        (shape > ONE && !v->rank))
        return bad(c, shape == ONE ? "is not a single value" : "is not a list");
    if (shape == ALIKE && v->n != n)
        return err_set(ERR_STORE, "/%s: has %llu values, but %s has %llu",
                       c->path.s, (unsigned long long)v->n,
                       first ? first->name : "its group",
                       (unsigned long long)n);
    if (shape == TIMES && (!n ? v->n : v->n % n || (v->rank > 1 &&
                                                    v->dim[0] != n)))
        return bad(c, "does not have the same number of values for each "
                   "example");
    if (shape == TIMES &&
        length_of(group, "nbest") != length_of(group, "nbest_score"))
        return bad(c, "the numbers of hypotheses and scores differ");
    return OK;
}

static int check_metric(const struct check *c, const struct image_object *o)
{
    return image_attribute(o, "units") && image_attribute(o, "better") &&
                   image_attribute(o, "signature")
               ? OK
               : bad(c, "lacks units, better or signature");
}

static int check_object(struct check *c, const struct rule *rule,
                        const struct image_object *o,
                        const struct image_object *group);

static int check_attributes(struct check *c, const struct image_object *o)
{
    struct rules r;
    size_t n;

    if (!o->attributes)
        return OK;
    text_put(&c->path, "@");
    find_rules(&r, c->path.s, 1);
    n = c->path.n;
    for (size_t i = 0; i < o->attributes; i++) {
        const struct image_attribute *a = &o->attribute[i];

        cut(&c->path, n);
        text_put(&c->path, a->name);
        PASS(cell_word(a->name, NAME_MOST)
                 ? check_attribute(c, rule_of(&r, a->name), a)
                 : bad(c, "is not a valid name"));
    }
    cut(&c->path, n - 1);
    return OK;
}

static int check_children(struct check *c, const struct image_object *o)
{
    size_t whole = c->path.n, n;
    struct rules r;

    if (!o->children)
        return OK;
    text_put(&c->path, whole ? "/" : "");
    find_rules(&r, c->path.s, 0);
    n = c->path.n;
    for (size_t i = 0; i < o->children; i++) {
        const struct image_object *child = o->child[i];

        cut(&c->path, n);
        text_put(&c->path, child->name);
        PASS(cell_word(child->name, NAME_MOST)
                 ? check_object(c, rule_of(&r, child->name), child, o)
                 : bad(c, "is not a valid name"));
    }
    cut(&c->path, whole);
    return OK;
}

static int check_object(struct check *c, const struct rule *rule,
                        const struct image_object *o,
                        const struct image_object *group)
{
    int kind = o->is_data ? kind_of(&o->value) : GROUP;

    if (!(kind & rule->kinds))
        return bad(c, kind == GROUP ? "is a group, not a dataset"
                      : kind        ? "has an unexpected type"
                                    : "has an unsupported type");
    if (rule->most && o->children > rule->most)
        return bad(c, "has too many members");
    if (o->is_data)
        PASS(check_shape(c, o, group, rule->shape));
    if (o->is_data && !strncmp(c->path.s, "metrics/", 8))
        PASS(check_metric(c, o));
    if (o->is_data && c->deep)
        PASS(check_values(c, &o->value));
    PASS(check_attributes(c, o));
    return check_children(c, o);
}

int cell_check(struct image *f, int deep)
{
    struct check c = {.f = f, .deep = deep};
    const struct image_object *root = image_root(f);
    int rc = check_attributes(&c, root);

    if (rc == OK)
        rc = check_children(&c, root);
    text_free(&c.path);
    return rc;
}
