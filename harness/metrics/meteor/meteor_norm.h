/*
 * meteor_norm: METEOR 1.5's normaliser for English with punctuation kept
 * (-norm), before lower case.  It is the Moses tokenizer with additions:
 * quotes and dashes are made alike, hyphens between words become blanks, and
 * dotted words lose their dots (U.S. -> US).
 */
#ifndef METRICS_METEOR_METEOR_NORM_H
#define METRICS_METEOR_METEOR_NORM_H

struct map;
struct lines;
struct text;

/* Words behind which a dot stays: always, or only before a number. */
struct meteor_prefixes { struct map *always, *numeric; };

/* The list: a word a line, "#NUMERIC_ONLY#" behind some, # comments. */
void meteor_prefixes_read(struct meteor_prefixes *p, const struct lines *list);
void meteor_prefixes_close(struct meteor_prefixes *p);

/* line: words joined by single blanks.  Appends. */
void meteor_normalise(struct text *out, const char *line,
                      const struct meteor_prefixes *p);

#endif
