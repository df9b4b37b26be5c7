/*
 * formula: writes a formula as MathML, which browsers display and screen
 * readers read.  The page of a variant calls it.
 *
 *     B_h = X Q_h (X K_h)^T / sqrt(k); Q_h^T Q_h = I
 *
 * `_` makes the next symbol, number or {group} the subscript of the one before
 * the `_`, and `^` makes it the superscript.  `;` begins a new line.  `in`,
 * `x`, `sum`, `sqrt` and `RR` (the reals) are signs; other words of several
 * letters are upright, single letters italic.
 */
#pragma once

#include "harness/print/markup.h"

/* Writes the formula `text`, each of its lines as a block. */
void formula_write(struct markup *to, const char *text);
