/*
 * map: maps strings to numbers.  map_add stores a given number; map_number
 * numbers the strings 0, 1, 2, ... in the order of their first occurrence.
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>

struct map;

/* map_new creates a map whose strings must outlive it; map_of_copies creates a
 * map that copies its strings. */
struct map *map_new(void);
struct map *map_of_copies(void);
void        map_free(struct map *m);
OWNER(map_free, struct map *)
void        map_clear(struct map *m); /* keeps the memory */
int         map_count(const struct map *m);

/* map_number and map_find return the number of a string of `bytes` bytes.  If
 * the map does not have the string, map_number adds it with the number
 * map_count(m), and map_find returns -1. */
int map_number(struct map *m, const char *s, size_t bytes);
int map_find(const struct map *m, const char *s, size_t bytes);

/* Adds `key` with `number` and returns 1.  If the map already has the key,
 * keeps its number and returns 0. */
int map_add(struct map *m, const char *key, int number);

/* Returns the number of `key`, or `absent` if the map does not have it. */
int map_get(const struct map *m, const char *key, int absent);
