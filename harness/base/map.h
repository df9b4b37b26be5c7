/*
 * map: strings, each with a number: one that is given, or 0, 1, 2, ... in the
 * order of first sight.
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>

struct map;

struct map *map_new(void);       /* of strings that live as long */
struct map *map_of_copies(void); /* keeps copies of its own */
void        map_free(struct map *m);
OWNER(map_free, struct map *)
void        map_clear(struct map *m); /* keeps its memory */
int         map_count(const struct map *m);

/* The number of a string, map_count's where it is new; map_find: -1 where there
 * is none. */
int map_number(struct map *m, const char *s, size_t bytes);
int map_find(const struct map *m, const char *s, size_t bytes);

/* 1: key is new and has now this number; 0: it was there and keeps its own. */
int map_add(struct map *m, const char *key, int number);

/* The number of key; `absent` where there is none. */
int map_get(const struct map *m, const char *key, int absent);
