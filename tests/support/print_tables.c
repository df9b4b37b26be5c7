#include "tests/support/print_tables.h"

#include "tests/support/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 256 };

char *printed_sheet(struct sheet *s, const char *format)
{
    char *text;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);

    sheet_write(s, format, f);
    sheet_close(s);
    fclose(f);
    return text;
}

char *printed_wide(struct sheet *s, const char *format)
{
    s->width = 120;
    return printed_sheet(s, format);
}

char *printed_table(int table, const char *format, const char *from,
                     const char *path)
{
    char number[] = {(char)('0' + table), 0}, *out = NULL, *talk;
    const char *const arg[] = {"table", number, from, path, "--all", "--format",
                               format, NULL};

    if (program_run(&out, &talk, arg))
        fail_msg("table %d: %s", table, talk);
    free(talk);
    return out;
}

/* ---- fields ---- */

const char *printed_field(const char *csv, const char *line, const char *name)
{
    static char out[ROOM];
    char head[1024];
    int n = 0, quoted = 0;

    snprintf(head, sizeof head, "%.*s", (int)strcspn(csv, "\r"), csv);
    for (char *s = strtok(head, ","); s && strcmp(s, name);
         s = strtok(NULL, ","))
        n++;
    for (; n > 0 && *line != '\r'; line++) {
        quoted ^= *line == '"';
        n -= !quoted && *line == ',';
    }
    snprintf(out, sizeof out, "%.*s", (int)strcspn(line, ",\r"), line);
    return out;
}

const char *printed_piped(const char *line, int at)
{
    static char out[2][ROOM];
    static int other;

    other = !other;
    for (line += 2; at > 0; at--)
        line = strstr(line, " | ") + 3;
    snprintf(out[other], sizeof *out, "%.*s",
             (int)(strstr(line, " |") - line), line);
    return out[other];
}

/* ---- words ---- */

void printed_behind(struct text *out, const char *text, const char *title)
{
    size_t n = strlen(title);

    for (const char *s = text; *s; s = strchr(s, '\n') + 1) {
        if (strncmp(s, title, n) || s[n] != ' ' || s[n + 1] != ' ')
            continue;
        for (s += n; *s != '\n';) {
            size_t word = strcspn(s, " \n");

            text_put(out, word ? " " : "");
            text_add(out, s, word);
            s += word + (s[word] == ' ');
        }
    }
}

void printed_words(struct text *out, const char *line)
{
    int fields = -1;

    for (const char *s = line; *s != '\n'; s++)
        fields += !strncmp(s, " |", 2);
    for (int i = 1; i <= fields; i++) {
        const char *s = printed_piped(line, i);
        int bold = !strncmp(s, "**", 2);

        text_put(out, *s ? " " : "");
        text_add(out, s + 2 * bold, strlen(s) - 4 * (size_t)bold);
        text_put(out, bold ? "*" : "");
    }
}
