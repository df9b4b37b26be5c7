/*
 * map: a set of strings, each with a number.  Open addressing, FNV-1a.
 * Keys are not copied: they must outlive the map.
 */
#ifndef DATA_MAP_H
#define DATA_MAP_H

struct map;

struct map *map_new(void);
void map_free(struct map *m);

/* 1: key is new and has now this value; 0: it was there and keeps its own. */
int map_add(struct map *m, const char *key, int value);

/* The number of key; `absent` where there is none. */
int map_get(const struct map *m, const char *key, int absent);

#endif
