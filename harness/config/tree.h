/*
 * tree: a YAML file as nodes that remember their line.
 *
 * Only what experiment files need: one document of maps, lists and plain or
 * quoted scalars, at most TREE_DEPTH deep.  Every scalar stays text; what it
 * means is the schema's business, so "no" and "1e3" keep their letters.
 * Anchors, aliases, tags, a key written twice and control characters (line
 * breaks, too) are errors.
 */
#pragma once

#include "harness/base/arena.h"

enum { TREE_DEPTH = 8 };
enum node_kind { NODE_TEXT, NODE_LIST, NODE_MAP };

struct node {
    enum node_kind kind;
    int            line;  /* from 1                                   */
    const char    *key;   /* of a member of a map                     */
    const char    *text;  /* of a scalar                              */
    struct node   *child; /* of a list or a map, in the file's order  */
    struct node   *next;
};

/* ERR_USAGE with FILE:LINE; ERR_IO.  Nodes live in a. */
int tree_read(struct node **out, const char *path, struct arena *a);

int tree_count(const struct node *n); /* children */

/* rc, with "PATH:LINE: " in front of its message where it is an error. */
int tree_at(const char *path, const struct node *n, int rc);

/* ERR_USAGE: it is of another kind; example: how it should look. */
int tree_want(const char *path, const struct node *n, enum node_kind kind,
              const char *example);
