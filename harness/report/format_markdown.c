/* Markdown: pipe tables, as GitHub renders them. */
#include "harness/report/layout.h"

#include <string.h>

static void escaped(const char *s, FILE *out)
{
    for (; *s; s++) {
        if (strchr("*_|<>`\\", *s))
            fputc('\\', out);
        fputc(*s, out);
    }
}

static void title(const char *text, FILE *out)
{
    fputs("### ", out);
    escaped(text, out);
    fputs("\n\n", out);
}

static void heading(const char *text, FILE *out)
{
    fputs("\n**", out);
    escaped(text, out);
    fputs("**\n\n", out);
}

static void warning(const char *text, FILE *out)
{
    fputs("> **", out);
    escaped(text, out);
    fputs("**\n\n", out);
}

static void paragraph(const char *text, FILE *out)
{
    escaped(text, out);
    fputs("\n\n", out);
}

static void item(const char *text, FILE *out)
{
    fputs("* ", out);
    escaped(text, out);
    fputc('\n', out);
}

static void grid(const struct grid *g, FILE *out)
{
    grid_markdown(g, out);
    fputc('\n', out);
}

const struct layout markdown_layout = {title, heading, warning, paragraph,
                                       item,  grid,    "bold"};

static void write_sheet(const struct sheet *s, FILE *out)
{
    layout_write(s, &markdown_layout, out);
}

const struct table_format format_markdown = {"md", "md", write_sheet};
