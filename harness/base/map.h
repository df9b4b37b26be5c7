/*
 * map: maps strings to numbers: given numbers (map_add), or 0, 1, 2, ... in the
 * order of first occurrence (map_number).
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>

struct map;

/* Create a map.  The strings of map_new must outlive it; map_of_copies copies
 * them. */
struct map *map_new(void);
struct map *map_of_copies(void);
void        map_free(struct map *m);
OWNER(map_free, struct map *)
void        map_clear(struct map *m); /* keeps the memory */
int         map_count(const struct map *m);

/* Return the number of a string of `bytes` bytes.  If it is new, map_number
 * adds it with the number map_count, and map_find returns -1. */
int map_number(struct map *m, const char *s, size_t bytes);
int map_find(const struct map *m, const char *s, size_t bytes);

/* Adds a key.  Returns 1 if it is new and now has this number, or 0 if it was
 * there and keeps its own. */
int map_add(struct map *m, const char *key, int number);

/* Returns the number of key, or `absent` if there is none. */
int map_get(const struct map *m, const char *key, int absent);
