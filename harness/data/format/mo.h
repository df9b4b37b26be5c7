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
#ifndef DATA_FORMAT_MO_H
#define DATA_FORMAT_MO_H

struct mo;

struct mo_pair { /* stands until the next call */
    const char *source, *target;
    const char *context; /* NULL: none */
    long entry;          /* from 1 */
    const char *skipped; /* "header", "untranslated"; NULL: it is a pair */
};

int  mo_open(struct mo **out, const char *path);
int  mo_next(struct mo *m, struct mo_pair *p); /* 1, or 0 at the end */
void mo_close(struct mo *m);                   /* NULL is fine */

#endif
