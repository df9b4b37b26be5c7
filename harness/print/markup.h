/*
 * markup: a page of HTML.  libxml2's text writer escapes what stands between
 * tags and in attributes; here a text loses its control characters and bytes
 * that are no UTF-8 first, which no escape could carry.
 *
 *     struct markup *m = markup_new();
 *     markup_open(m, "p");
 *     markup_attribute(m, "class", "%s", kind);
 *     markup_text(m, label);
 *     markup_shut(m);
 */
#pragma once

#include "harness/base/owned.h"

#include <stddef.h>

struct markup;

struct markup *markup_new(void); /* of a document: begins with its type */
struct markup *markup_plain(void); /* the words alone: no elements, no pictures;
                                      blocks are lines                      */
void           markup_close(struct markup *m); /* NULL is fine */
OWNER(markup_close, struct markup *)

void markup_open(struct markup *m, const char *tag);
void markup_shut(struct markup *m); /* the element that was opened last */

/* Of the element that was just opened. */
void markup_attribute(struct markup *m, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

void markup_text(struct markup *m, const char *text);
void markup_format(struct markup *m, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* An element that has text alone. */
void markup_element(struct markup *m, const char *tag, const char *text);

/* A link with that text; to NULL: the text alone. */
void markup_link(struct markup *m, const char *to, const char *text);

/* Of ours, as it is: a style, a script. */
void markup_ours(struct markup *m, const char *text);

/*
 * An SVG picture, inline.  What may act or load is left out: scripts, handlers,
 * links but to its own parts, foreign objects, images but PNGs that are in it.
 * Ids get `prefix` in front, so that a page can hold several, and of equal ones
 * the first stays; title and text become its accessible name and description.
 * In a narrow window it keeps three quarters of its width, for its letters.
 * ERR_IO: it is no SVG.
 */
int markup_picture(struct markup *m, const char *svg, size_t bytes,
                   const char *prefix, const char *title, const char *text);

/* All of it, when every element is shut; *bytes: how much.  It lives as long
 * as m. */
const char *markup_bytes(struct markup *m, size_t *bytes);
