#include "harness/base/colour.h"

#include <math.h>

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
