/* colour: contrast of colours as defined by WCAG 2.2.  plots/style.c calls it.
 * A colour is 0xRRGGBB. */
#pragma once

enum { COLOUR_WHITE = 0xffffff };

/* Returns the contrast of two colours, 1 to 21, in any order. */
double colour_contrast(unsigned a, unsigned b);
