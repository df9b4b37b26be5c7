/*
 * tree: reads a YAML file into nodes that keep their line numbers.
 *
 * Supports only what experiment files need: one document of maps, lists and
 * plain or quoted scalars, nested at most TREE_DEPTH deep.  Every scalar stays
 * text, even "no" and "1e3"; the caller interprets it.  Anchors, aliases, tags
 * and duplicate keys are errors.  A scalar whose value has a line break or
 * another control character is an error, too; a scalar may continue on further
 * lines, which YAML joins by blanks.
 */
#pragma once

#include "harness/base/arena.h"

enum { TREE_DEPTH = 8 };
enum node_kind { NODE_TEXT, NODE_LIST, NODE_MAP };

struct node {
    enum node_kind kind;
    int            line;  /* from 1                                   */
    const char    *key;   /* of a member of a map; else NULL          */
    const char    *text;  /* of a scalar; else NULL                   */
    struct node   *child; /* first child of a list or a map, in the
                             order of the file; NULL: none            */
    struct node   *next;
};

/* Reads a file; the nodes live in arena `a`.  Returns ERR_USAGE if the file is
 * not YAML of this kind (the message has FILE:LINE), or ERR_IO. */
int tree_read(struct node **out, const char *path, struct arena *a);

/* Returns the number of children. */
int tree_count(const struct node *n);

/* Returns `rc`.  If it is an error, puts "PATH:LINE: " in front of the message,
 * where LINE is the line of node `n`. */
int tree_at(const char *path, const struct node *n, int rc);

/* Returns ERR_USAGE unless the node is of kind `kind`.  The message has
 * `example`, a valid text. */
int tree_want(const char *path, const struct node *n, enum node_kind kind,
              const char *example);
