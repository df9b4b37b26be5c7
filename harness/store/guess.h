/*
 * guess: determines which assumptions apply to a cell.  An assumption is a text
 * about a choice that an experiment makes and that no source (such as the
 * paper) states.  It begins with the task or the variant to which it applies:
 * "agnews: size, batch and steps", or "dense: reads its head's slice", which
 * also applies to mixtures that contain `dense`.  `report` and `site` print the
 * assumptions that apply to the cells they show.
 */
#pragma once

/* Returns 1 if the assumption applies to the task or to the variant.  `variant`
 * can also be the name of a row. */
int guess_about(const char *guess, const char *task, const char *variant);
