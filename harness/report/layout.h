/*
 * layout: a sheet as people read it.  The formats that people read share one
 * walk; a format supplies how each kind of part looks.
 */
#ifndef REPORT_LAYOUT_H
#define REPORT_LAYOUT_H

#include "harness/report/grid.h"
#include "harness/report/sheet.h"

struct layout {
    void (*title)(const char *text, FILE *out);
    void (*heading)(const char *text, FILE *out);
    void (*warning)(const char *text, FILE *out);
    void (*paragraph)(const char *text, FILE *out);
    void (*item)(const char *text, FILE *out);     /* of a list */
    void (*grid)(const struct grid *g, FILE *out);
    const char *best;                              /* how it is marked */
};

extern const struct layout text_layout, markdown_layout;

void layout_write(const struct sheet *s, const struct layout *l, FILE *out);

/* printf into a part: layout_say(l->paragraph, out, "%d rows", n) */
void layout_say(void (*part)(const char *text, FILE *out), FILE *out,
                const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* 1234567 -> "1.23M", three significant digits. */
const char *layout_short(double x, char out[16]);

#endif
