/*
 * settings: the configuration keys.  One table (key_table.h) gives each its
 * name, type, default, range and meaning; experiment files, -S, -E, the cell
 * id and the frozen experiment all go through it.
 */
#pragma once

#include "harness/store/cell.h"
#include "harness/train/config.h"

enum { SETTINGS_ID = CELL_ID }; /* bytes of a cell id, with its NUL */

struct assign {        /* one "key: value" that somebody wrote */
    const char *key, *value;
    const char *where; /* "quick.yaml:12", "-S": in front of complaints */
};

/* A key by number: 0, 1, ... while settings_name is not NULL. */
const char *settings_name(int i);
int         settings_is_axis(const char *key); /* variant task scale seed */
/* Returns what alone sets the key ("'tune'"), or NULL if everybody may. */
const char *settings_set_by(const char *key);
int         settings_is_runtime(const char *key); /* it changes no number */

/* ERR_USAGE: unknown key (with the nearest), wrong type, out of range. */
int settings_set(struct config *c, const char *key, const char *value);

/* The value as text; caller frees. ERR_USAGE: unknown key. */
int settings_get(const struct config *c, const char *key, char **out);

/* Would settings_set(key, value) leave c as it is?  1, 0 or ERR_USAGE. */
int settings_same(const struct config *c, const char *key, const char *value);

/*
 * The configuration of a cell: the table's defaults, then what the preset,
 * the scale and the kind of task say, then `a` in order (later wins); what
 * follows from them (family, length) is filled in and all is checked.
 * a must hold variant and task.
 */
int settings_resolve(struct config *c, const struct assign *a, int n);

/* The same for a family without a task: model.vocab and classes are still to
 * be set. */
int settings_resolve_family(struct config *c, enum family family,
                            const struct assign *a, int n);

/* The rules between settings of c.  ERR_USAGE. */
int settings_check(const struct config *c);

/* ERR_USAGE: one of these n says how to mix, and none is of a mixture.  a: who
 * said so. */
int settings_check_mix(const struct config *c, int n, const struct assign *a,
                       int na);

/* What train_cell will fill in from the data, as far as it is known before:
 * for plans. */
void settings_expect(struct config *c);

/* JSON, keys sorted, reals with 17 digits.  `hashed`: only the keys of the
 * cell id; else only the others.  Caller frees. */
char *settings_all(const struct config *c, int hashed);

/* Canonical text: the same, but a key at its default is left out, so that keys
 * that come later change no text; axes stay. */
char *settings_text(const struct config *c, int hashed);

/* task_version of its data, one of the two versions that its id hashes. */
int settings_recipe(const struct config *c);

/* First 16 digits of SHA-256 of the hashed text and the two versions. */
void settings_id(const struct config *c, char id[SETTINGS_ID]);

/* Back from settings_text. ERR_STORE: no such text, or a newer program's. */
int settings_restore(struct config *c, const char *hashed, const char *other);
