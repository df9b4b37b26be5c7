/*
 * story: a news article with its highlights.
 *
 *     lines of the article
 *     @highlight
 *     lines of a highlight, @highlight, ...
 *
 * Each line loses the white space at its ends; an empty one is dropped; one
 * that does not end in . ! ? ' " ) ` or a closing quotation mark gets " ."
 * unless "@highlight" is in it.  The article's lines are joined by a blank,
 * those behind the first marker by LF.  Lines as linefile.h has them.
 */
#pragma once

#include "harness/base/owned.h"
#include "harness/base/text.h"

struct story {
    struct text article, summary;
};

int  story_read(struct story *out, const char *path);
void story_close(struct story *s);
OWNER_OF_VALUE(story_close, struct story)
