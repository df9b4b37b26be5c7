/*
 * mo: the translations of a program, a GNU gettext .mo file of either byte
 * order.
 *
 *     u32 0x950412de, revision, n, originals, translations, hash size and place
 *     originals, translations: n times {u32 length, offset}; each text is
 *     followed by a NUL, which the length leaves out
 *
 *     original     [context U+0004] singular [NUL plural]
 *     translation  form [NUL form ...]
 *
 * Wesnoth writes a context as a prefix: "female^Warrior".  An entry with a
 * plural gives two pairs: singular and first form, plural and last form.
 * Every error is ERR_DATA and names the file.
 * Source: GNU gettext manual, "The Format of GNU MO Files".
 */
#pragma once

struct mo_pair {
    const char *source, *target;
    const char *context; /* NULL: none */
    long entry;          /* from 1 */
    const char *skipped; /* "header", "untranslated"; NULL: it is a pair */
};

/* Every pair goes through `take`, until it answers less than 0. */
int mo_each(const char *path, int (*take)(void *to, const struct mo_pair *p),
            void *to);
