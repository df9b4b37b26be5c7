#include "harness/base/colour.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double linear(unsigned byte)
{
    double x = byte / 255.0;

    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static double luminance(unsigned colour)
{
    return 0.2126 * linear(colour >> 16 & 0xff) +
           0.7152 * linear(colour >> 8 & 0xff) +
           0.0722 * linear(colour & 0xff);
}

double colour_contrast(unsigned a, unsigned b)
{
    double x = luminance(a) + 0.05, y = luminance(b) + 0.05;

    return fmax(x, y) / fmin(x, y);
}

/* Returns the colour `part` of the way from a to b. */
static unsigned mixed(unsigned a, unsigned b, double part)
{
    unsigned out = 0;

    for (int shift = 16; shift >= 0; shift -= 8) {
        double x = a >> shift & 0xff, y = b >> shift & 0xff;

        out |= (unsigned)lround(x + (y - x) * part) << shift;
    }
    return out;
}

unsigned colour_on_dark(unsigned colour)
{
    enum { HALVINGS = 12 };
    double want = colour_contrast(colour, COLOUR_WHITE);
    int light = luminance(colour) > luminance(COLOUR_DARK) &&
                colour_contrast(colour, COLOUR_DARK) >= want;
    unsigned from = light ? COLOUR_DARK : colour;
    unsigned to = light ? colour : COLOUR_WHITE;
    double low = 0, high = 1;

    for (int i = 0; i < HALVINGS; i++) {
        double part = (low + high) / 2;

        if (colour_contrast(mixed(from, to, part), COLOUR_DARK) >= want)
            high = part;
        else
            low = part;
    }
    return want > 1 ? mixed(from, to, high) : COLOUR_DARK;
}

int colour_read(unsigned *out, const char *text)
{
    unsigned r, g, b;
    int end = 0;

    if (!strcmp(text, "black") || !strcmp(text, "white")) {
        *out = *text == 'w' ? COLOUR_WHITE : 0;
        return 1;
    }
    if (strlen(text) == 7 && strspn(text + 1, "0123456789abcdefABCDEF") == 6 &&
        sscanf(text, "#%6x", out) == 1)
        return 1;
    if (sscanf(text, "rgb( %3u , %3u , %3u )%n", &r, &g, &b, &end) != 3 ||
        !end || text[end] || r > 255 || g > 255 || b > 255)
        return 0;
    *out = r << 16 | g << 8 | b;
    return 1;
}
