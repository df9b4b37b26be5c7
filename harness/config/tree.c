#include "harness/config/tree.h"

#include "harness/base/err.h"
#include "harness/base/file.h"
#include "harness/base/names.h"
#include "harness/base/text.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct reader {
    yaml_parser_t parser;
    const char   *path, *text;
    struct arena *memory;
    int           depth;
};

static int at(const struct reader *r, int line, const char *what)
{
    return err_set(ERR_USAGE, "%s:%d: %s", r->path, line, what);
}

static int line_of(const yaml_event_t *e)
{
    return (int)e->start_mark.line + 1;
}

/* Reports an error of the parser.  libyaml has the line of a syntax error, but
 * only the byte offset of invalid UTF-8. */
static int complain(const struct reader *r)
{
    const yaml_parser_t *p = &r->parser;
    int line = (int)p->problem_mark.line + 1;

    if (p->error == YAML_READER_ERROR) {
        line = 1;
        for (size_t i = 0; i < p->problem_offset; i++)
            line += r->text[i] == '\n';
    }
    return err_set(ERR_USAGE, "%s:%d: not YAML: %s%s%s", r->path, line,
                   p->problem ? p->problem : "unreadable",
                   p->context ? ", " : "", p->context ? p->context : "");
}

static int next(struct reader *r, yaml_event_t *e)
{
    if (!yaml_parser_parse(&r->parser, e))
        return complain(r);
    if (e->type == YAML_ALIAS_EVENT ||
        (e->type == YAML_SCALAR_EVENT &&
         (e->data.scalar.anchor || e->data.scalar.tag)) ||
        (e->type == YAML_SEQUENCE_START_EVENT &&
         (e->data.sequence_start.anchor || e->data.sequence_start.tag)) ||
        (e->type == YAML_MAPPING_START_EVENT &&
         (e->data.mapping_start.anchor || e->data.mapping_start.tag))) {
        int rc = at(r, line_of(e), "anchors (&), aliases (*) and tags (!) are "
                    "not used in experiment files; write the value out");
        yaml_event_delete(e);
        return rc;
    }
    return OK;
}

static int read_node(struct reader *r, yaml_event_t *e, struct node **out);

/* Returns the text of a scalar event, or NULL if the text has a line break or
 * another control character. */
static const char *scalar(const struct reader *r, const yaml_event_t *e)
{
    const char *s = (const char *)e->data.scalar.value;

    return strlen(s) == e->data.scalar.length && text_printable(s)
               ? arena_text(r->memory, s)
               : NULL;
}

static int member_key(struct reader *r, const yaml_event_t *e,
                      const char **out)
{
    if (e->type != YAML_SCALAR_EVENT || !(*out = scalar(r, e)) || !**out)
        return at(r, line_of(e), "a key must be a word");
    return OK;
}

static int check_keys(struct reader *r, const struct node *map)
{
    const struct node *first = map->child, *second = map->child;
    int n = 0, before = 0, twice;

    for (const struct node *c = map->child; c; c = c->next)
        n++;
    OWNED(free) const char **key = malloc(((size_t)n + 1) * sizeof *key);
    n = 0;
    for (const struct node *c = map->child; c; c = c->next)
        key[n++] = c->key;
    twice = names_twice(key, n, &before);
    if (twice < 0)
        return OK;
    for (int i = 0; i < twice; i++) {
        first = i < before ? first->next : first;
        second = second->next;
    }
    return err_set(ERR_USAGE, "%s:%d: '%s' appears twice, first in line %d",
                   r->path, second->line, second->key, first->line);
}

/* Reads the children of a list or a map, up to and including its end event. */
static int read_children(struct reader *r, struct node *parent)
{
    struct node **tail = &parent->child;
    yaml_event_t e;

    for (;;) {
        const char *key = NULL;

        PASS(next(r, &e));
        if (e.type == YAML_SEQUENCE_END_EVENT ||
            e.type == YAML_MAPPING_END_EVENT)
            break;
        if (parent->kind == NODE_MAP) {
            int line = line_of(&e);

            int rc = member_key(r, &e, &key);
            yaml_event_delete(&e);
            PASS(rc);
            PASS(next(r, &e));
            e.start_mark.line = (size_t)line - 1;
        }
        PASS(read_node(r, &e, tail));
        (*tail)->key = key;
        tail = &(*tail)->next;
    }
    yaml_event_delete(&e);
    return parent->kind == NODE_MAP ? check_keys(r, parent) : OK;
}

/* Reads the node that starts with event *e, and deletes the event.  The line of
 * a map's member is the line of its key. */
static int read_node(struct reader *r, yaml_event_t *e, struct node **out)
{
    struct node *n = arena_zero(r->memory, sizeof *n);
    yaml_event_type_t type = e->type;
    int rc = OK;

    n->line = line_of(e);
    if (type == YAML_SCALAR_EVENT && !(n->text = scalar(r, e)))
        rc = at(r, n->line, "a value must be one line without control "
                "characters");
    yaml_event_delete(e);
    if (rc == OK && type != YAML_SCALAR_EVENT) {
        n->kind = type == YAML_MAPPING_START_EVENT ? NODE_MAP : NODE_LIST;
        if (++r->depth > TREE_DEPTH)
            return at(r, n->line, "nested too deep");
        rc = read_children(r, n);
        r->depth--;
    }
    *out = n;
    return rc;
}

static int read_document(struct reader *r, struct node **out)
{
    yaml_event_t e;
    int rc = OK;

    do { /* stream start, document start */
        PASS(next(r, &e));
        if (e.type == YAML_STREAM_END_EVENT)
            return at(r, 1, "the file is empty");
        if (e.type != YAML_STREAM_START_EVENT &&
            e.type != YAML_DOCUMENT_START_EVENT)
            break;
        yaml_event_delete(&e);
    } while (1);
    PASS(read_node(r, &e, out));
    PASS(next(r, &e)); /* document end */
    yaml_event_delete(&e);
    PASS(next(r, &e));
    if (e.type != YAML_STREAM_END_EVENT)
        rc = at(r, line_of(&e), "a second document; a file can have only one");
    yaml_event_delete(&e);
    return rc;
}

int tree_read(struct node **out, const char *path, struct arena *a)
{
    struct reader r = {.path = path, .memory = a};
    OWNED(free) char *text = NULL;
    size_t bytes;

    PASS(file_read_stream(&text, &bytes, path));
    REQUIRE(yaml_parser_initialize(&r.parser), "cannot initialise libyaml");
    r.text = text;
    yaml_parser_set_input_string(&r.parser, (unsigned char *)text, bytes);
    int rc = read_document(&r, out);
    yaml_parser_delete(&r.parser);
    return rc;
}

/* ---- functions for users of a tree ---- */

int tree_count(const struct node *n)
{
    int k = 0;

    for (const struct node *c = n->child; c; c = c->next)
        k++;
    return k;
}

int tree_at(const char *path, const struct node *n, int rc)
{
    return rc < 0 ? err_wrap(rc, "%s:%d", path, n->line) : rc;
}

int tree_want(const char *path, const struct node *n, enum node_kind kind,
              const char *example)
{
    static const char *const word[] = {"one value", "a list", "a map"};

    return n->kind == kind
               ? OK
               : tree_at(path, n, err_set(ERR_USAGE, "%s must be %s, as in %s",
                                          n->key ? n->key : "this", word[kind],
                                          example));
}
