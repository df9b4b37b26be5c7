/*
 * colour: contrast of colours as defined by WCAG 2.2, and the colours of
 * pictures on a dark page.  plots/style.c and print/markup.c call it.  A colour
 * is 0xRRGGBB.
 */
#pragma once

enum { COLOUR_WHITE = 0xffffff,
       COLOUR_DARK = 0x15181c /* background of dark pages (print/style.c) */ };

/* Returns the contrast of two colours, 1 to 21, in any order. */
double colour_contrast(unsigned a, unsigned b);

/* Returns the colour that has the contrast with COLOUR_DARK that `colour` has
 * with white, as far as there is one.  So the contrasts of two colours of a
 * picture are also kept. */
unsigned colour_on_dark(unsigned colour);

/* Reads "#rrggbb", "rgb(1, 2, 3)", "black" or "white".  Returns 1, or 0 if the
 * text is anything else. */
int colour_read(unsigned *out, const char *text);
