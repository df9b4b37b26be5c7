#include "harness/config/schema.h"

#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/config/key_table.h"
#include "harness/config/settings.h"
#include "harness/tasks/task.h"
#include "variants/variants.h"

#include <math.h>
#include <string.h>

/* The schema, written with single instead of double quotes.  It lacks the
 * variants, tasks and settings, which schema_experiment adds under $defs. */
static const char frame[] =
    "{'$schema': 'https://json-schema.org/draft/2020-12/schema',"
    " 'title': 'Experiment of synthbench', 'type': 'object',"
    " 'required': ['title', 'variants', 'tasks', 'scales', 'seeds'],"
    " 'additionalProperties': false,"
    " 'properties': {"
    "  'title': {'type': 'string', 'description': 'one line'},"
    "  'variants': {'$ref': '#/$defs/variants', 'description':"
    "   'the cells are scales x tasks x variants x seeds'},"
    "  'tasks': {'$ref': '#/$defs/tasks'},"
    "  'scales': {'type': 'array', 'minItems': 1, 'items':"
    "   {'$ref': '#/$defs/keys/scale'}},"
    "  'seeds': {'type': 'array', 'minItems': 1, 'items':"
    "   {'$ref': '#/$defs/keys/seed'}},"
    "  'vary': {'description': 'a cell for each value of these settings, each"
    " with each; a list of maps has these combinations alone', 'anyOf':"
    "   [{'$ref': '#/$defs/grid'},"
    "    {'type': 'array', 'items': {'$ref': '#/$defs/settings'}}]},"
    "  'uncompared': {'$ref': '#/$defs/tasks', 'description': 'tasks whose"
    " numbers are shown, but not ranked or compared'},"
    "  'contrasts': {'type': 'array', 'description': 'the differences that are"
    " judged, as one family of tests', 'items': {'type': 'string',"
    "   'pattern': '^[a-z0-9_]+ [A-Za-z0-9_@.-]+: .+ - .+$'}},"
    "  'guessed': {'type': 'object', 'description': 'by task or variant: what"
    " no source states', 'additionalProperties': {'type': 'string'}},"
    "  'settings': {'$ref': '#/$defs/settings', 'description': 'settings of"
    " every cell'},"
    "  'override': {'type': 'array', 'description': 'settings of some cells;"
    " later ones win', 'items': {'type': 'object',"
    "   'required': ['match', 'set'], 'additionalProperties': false,"
    "   'properties': {'match': {'$ref': '#/$defs/match'},"
    "    'set': {'$ref': '#/$defs/settings'}}}},"
    "  'tune': {'type': 'array', 'description': 'settings that trials choose"
    " on validation data', 'items': {'type': 'object',"
    "   'required': ['match', 'grid', 'share', 'seed'],"
    "   'additionalProperties': false,"
    "   'properties': {'match': {'$ref': '#/$defs/match'},"
    "    'grid': {'$ref': '#/$defs/grid'},"
    "    'share': {'type': 'number', 'description': 'steps of all trials"
    " together, as a multiple of those of the cell'},"
    "    'seed': {'$ref': '#/$defs/keys/seed'}}}},"
    "  'exclude': {'type': 'array', 'description': 'cells to leave out',"
    "   'items': {'$ref': '#/$defs/match'}}},"
    " '$defs': {"
    "  'keys': {},"
    "  'variants': {'type': 'array', 'minItems': 1, 'items': {'anyOf':"
    "   [{'enum': []}, {'type': 'string', 'pattern': '[+]'}]}},"
    "  'tasks': {'type': 'array', 'minItems': 1, 'items': {'enum': []}},"
    "  'settings': {'type': 'object', 'additionalProperties': false,"
    "   'properties': {}},"
    "  'grid': {'type': 'object', 'additionalProperties': false,"
    "   'properties': {}},"
    "  'match': {'type': 'object', 'additionalProperties': false,"
    "   'properties': {}}}}";

/* Returns `frame` as JSON, with double quotes. */
static json_t *parsed(void)
{
    json_error_t e;
    OWNED(free) char *text = str_copy(frame);

    for (char *c = text; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    json_t *all = json_loads(text, 0, &e);
    REQUIRE(all, "schema: %s at %d", e.text, e.position);
    return all;
}

static json_t *words(const char *const *choices)
{
    json_t *all = json_array();

    for (; *choices; choices++)
        json_array_append_new(all, json_string(*choices));
    return all;
}

static void put(json_t *object, const char *name, json_t *value)
{
    json_object_set_new(object, name, value);
}

/* Returns the default of a setting in the type of the setting, or NULL if the
 * setting has no default. */
static json_t *standard(const struct key *k)
{
    long long whole;
    double x;

    if (k->type == &key_bool)
        return json_boolean(!strcmp(k->initial, "true"));
    if (k->type == &key_int && !str_to_int(k->initial, &whole))
        return json_integer(whole);
    if (k->type == &key_real && !str_to_real(k->initial, &x))
        return json_real(x);
    return json_string(k->initial);
}

static json_t *setting(const struct key *k)
{
    json_t *s = json_object();

    put(s, "description", json_string(k->help));
    if (k->choices)
        put(s, "enum", words(k->choices));
    else if (k->type == &key_bool)
        put(s, "type", json_string("boolean"));
    else if (k->type == &key_int || k->type == &key_real) {
        int whole = k->type == &key_int;

        put(s, "type", json_string(whole ? "integer" : "number"));
        put(s, "minimum", whole ? json_integer((json_int_t)k->low)
                                : json_real(k->low));
        if (isfinite(k->high))
            put(s, "maximum", whole ? json_integer((json_int_t)k->high)
                                    : json_real(k->high));
    } else
        put(s, "type", words((const char *const[]){"string", "number", NULL}));
    put(s, "default", standard(k));
    return s;
}

/* Returns a nested member of `of`.  `name` has the keys on the path to the
 * member, and ends with NULL. */
static json_t *member(json_t *of, const char *const *name)
{
    for (; *name; name++)
        of = json_object_get(of, *name);
    return of;
}

#define MEMBER(of, ...) member(of, (const char *const[]){__VA_ARGS__, NULL})

/* Describes every setting once, in $defs/keys.  The maps in which a setting can
 * be set or matched refer to this description. */
static void put_settings(json_t *all)
{
    const struct variant *by;
    const struct key *k;

    for (int i = 0; (k = key_at(i, &by)); i++) {
        OWNED(free) char *path = str_format("#/$defs/keys/%s", k->name);
        OWNED(json_decref) json_t *one = json_object(), *list = json_object();
        json_t *any = json_array(), *either = json_object();

        put(MEMBER(all, "$defs", "keys"), k->name, setting(k));
        put(one, "$ref", json_string(path));
        put(list, "type", json_string("array"));
        put(list, "items", json_incref(one));
        json_array_append(any, one);
        json_array_append(any, list);
        put(either, "anyOf", any);
        put(MEMBER(all, "$defs", "match", "properties"), k->name, either);
        if (settings_is_axis(k->name) || settings_set_by(k->name))
            continue;
        put(MEMBER(all, "$defs", "settings", "properties"), k->name,
            json_incref(one));
        put(MEMBER(all, "$defs", "grid", "properties"), k->name,
            json_incref(list));
    }
    put(MEMBER(all, "$defs", "match", "properties"), "tuned", json_object());
}

json_t *schema_experiment(void)
{
    json_t *all = parsed();
    json_t *variant = MEMBER(all, "$defs", "variants", "items", "anyOf");
    json_t *task = MEMBER(all, "$defs", "tasks", "items", "enum");

    variant = json_object_get(json_array_get(variant, 0), "enum");
    for (int i = 0; variant_all[i]; i++)
        json_array_append_new(variant, json_string(variant_all[i]->name));
    for (int i = 0; task_all[i]; i++)
        json_array_append_new(task, json_string(task_all[i]->name));
    put_settings(all);
    return all;
}
