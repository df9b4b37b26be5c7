/* text: for a terminal; prose is wrapped at 100 columns. */
#include "harness/report/layout.h"

#include <stdlib.h>
#include <string.h>
#include <uniwidth.h>

enum { WIDTH = 100 };

static void wrapped(const char *s, const char *first, const char *rest,
                    FILE *out)
{
    int at = (int)strlen(first);

    fputs(first, out);
    for (int words = 0; *s; words++) {
        size_t n = strcspn(s, " ");
        int width = u8_width((const uint8_t *)s, n, "UTF-8");

        if (words && at + 1 + width > WIDTH) {
            fprintf(out, "\n%s", rest);
            at = (int)strlen(rest);
        } else if (words) {
            fputc(' ', out);
            at++;
        }
        fprintf(out, "%.*s", (int)n, s);
        at += width;
        s += n;
        s += *s == ' ';
    }
    fputc('\n', out);
}

static void title(const char *text, FILE *out)
{
    wrapped(text, "", "", out);
}

static void heading(const char *text, FILE *out)
{
    fprintf(out, "\n%s\n", text);
}

static void warning(const char *text, FILE *out)
{
    wrapped(text, "*** ", "*** ", out);
}

static void paragraph(const char *text, FILE *out)
{
    wrapped(text, "", "", out);
}

static void item(const char *text, FILE *out)
{
    wrapped(text, "  ", "    ", out);
}

static void grid(const struct grid *g, FILE *out)
{
    fputc('\n', out);
    grid_text(g, out);
    fputc('\n', out);
}

const struct layout text_layout = {title, heading, warning, paragraph,
                                   item,  grid,    "*"};

static void write_sheet(const struct sheet *s, FILE *out)
{
    layout_write(s, &text_layout, out);
}

const struct table_format format_text = {"text", "txt", write_sheet};
