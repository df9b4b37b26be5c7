/*
 * synsets: the meanings of WordNet (Miller, CACM 38, 1995), its data.POS files.
 *
 *     offset file pos w_cnt {lemma lex_id} ... p_cnt ... | gloss; "example"
 *
 * w_cnt is hexadecimal.  A _ of a lemma is a blank; the marker of where an
 * adjective stands, (a), (p) or (ip), goes.  Lines that begin with two blanks
 * are the licence.  Every error is ERR_DATA and names FILE:LINE.
 * Source: wndb(5WN).
 */
#pragma once

struct synset {
    const char *offset, *pos, *gloss;
    const char *const *lemma, *const *example; /* both end with NULL */
};

/* Every synset goes through `take`, until it answers less than 0. */
int synsets_each(const char *path,
                 int (*take)(void *to, const struct synset *s), void *to);
