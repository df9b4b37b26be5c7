/*
 * guess: an assumption of an experiment that is not stated in any source, in
 * words: "agnews: size, batch and steps" about a task, or
 * "dense: reads its head's slice" about a variant and the mixtures that contain
 * it.  report and site print the assumptions that are about the cells they
 * show.
 */
#pragma once

/* Returns 1 if the assumption is about the task or the variant.  `variant` may
 * be the name of a row. */
int guess_about(const char *guess, const char *task, const char *variant);
