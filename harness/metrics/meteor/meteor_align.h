/*
 * meteor_align: which word of the hypothesis goes with which of the reference,
 * as METEOR 1.5 searches (Denkowski and Lavie, WMT 2014), for matches of one
 * word each.
 */
#ifndef METRICS_METEOR_METEOR_ALIGN_H
#define METRICS_METEOR_METEOR_ALIGN_H

#include <stddef.h>

struct arena;

struct meteor_match { int hyp, stage; }; /* hyp -1: none; stage: its number */

struct meteor_candidates {
    int hyp_words, ref_words;
    const struct meteor_match *match; /* of reference word j:            */
    const int *first;                 /* match[first[j]..first[j+1]-1]   */
    const int *matches_of_stage;      /* what one counts in the search:
                                         1 exact, 0 any other            */
};

/* best (ref_words): the match of each reference word. */
void meteor_align(struct meteor_match *best, const struct meteor_candidates *c,
                  struct arena *scratch);

/* Runs of matches that are neighbours in both texts. */
int meteor_chunks(const struct meteor_match *match, int ref_words);

#endif
