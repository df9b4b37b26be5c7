#include "harness/run/progress.h"

#include "harness/base/clock.h"
#include "harness/base/str.h"
#include "harness/base/streams.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Seconds between drawings on a terminal (REDRAW), and elsewhere before the
 * first report (FIRST) and between reports (SPEAK). */
#define REDRAW 0.2
#define FIRST 5.0
#define SPEAK 60.0

enum { LINE = 512, BAR = 24 };

void progress_open(struct progress_lines *b)
{
    int terminal = streams_moves(STDERR_FILENO);

    *b = (struct progress_lines){
        .drawn = clock_seconds() - (terminal ? 0 : SPEAK - FIRST),
        .terminal = terminal, .colour = streams_colours(STDERR_FILENO)};
}

static int screen_width(void)
{
    int width = streams_width(STDERR_FILENO);

    return !width ? 80 : width < BAR + 16 ? BAR + 16 : width;
}

void progress_clear(struct progress_lines *b)
{
    if (b->lines)
        fprintf(stderr, "\033[%dA\r\033[J", b->lines);
    b->lines = 0;
}

/* Writes a line such as "dense/lm1b/1  train  340/1000, 12.5/s  loss 4.213". */
static void describe(char out[LINE], const struct worker *w)
{
    const struct config *c = &w->cell->config;
    const struct note *n = &w->last;
    double gone = clock_seconds() - w->phase_began;
    int at = snprintf(out, LINE, "%s/%s/%llu  %s", w->cell->row, c->task,
                      (unsigned long long)c->seed, n->phase);

    if (n->of > 1)
        at += snprintf(out + at, (size_t)(LINE - at), "  %ld/%ld", n->done,
                       n->of);
    if (n->done > w->phase_from && gone > 0)
        at += snprintf(out + at, (size_t)(LINE - at), ", %.3g/s",
                       (double)(n->done - w->phase_from) / gone);
    if (!isnan(n->loss))
        snprintf(out + at, (size_t)(LINE - at), "  loss %.3f", n->loss);
}

/* Writes a line such as "12/33 cells, 36 %, 4 min 10 s, 7 min 30 s left". */
static void summary(char out[LINE], const struct progress_view *v)
{
    char gone[32], left[32], failed[32] = "";

    if (v->failed)
        snprintf(failed, sizeof failed, ", %d failed", v->failed);
    str_duration(v->elapsed, gone);
    if (isnan(v->left))
        strcpy(left, "?");
    else
        str_duration(v->left, left);
    snprintf(out, LINE, "%d/%d cells%s, %.0f %%, %s, %s left", v->done,
             v->total, failed, 100 * v->fraction, gone, left);
}

static void draw_lines(struct progress_lines *b, const struct progress_view *v)
{
    char text[LINE], drawn[BAR + 1];
    int full = (int)(v->fraction * BAR);

    if (b->lines)
        fprintf(stderr, "\033[%dA\r", b->lines);
    b->lines = 0;
    for (int i = 0; i < BAR; i++)
        drawn[i] = i < full ? '#' : '.';
    drawn[BAR] = 0;
    summary(text, v);
    fprintf(stderr, "%s[%s]%s %.*s\033[K\n", b->colour ? "\033[32m" : "",
            drawn, b->colour ? "\033[0m" : "", screen_width() - BAR - 4, text);
    b->lines++;
    EACH_AT_WORK(w, v) {
        describe(text, w);
        fprintf(stderr, "%3d %.*s\033[K\n", (int)(w - v->worker) + 1,
                screen_width() - 5, text);
        b->lines++;
    }
    fprintf(stderr, "\033[J");
}

static void speak(const struct progress_view *v)
{
    char text[LINE];

    summary(text, v);
    say("%s", text);
    EACH_AT_WORK(w, v) {
        describe(text, w);
        say("  %s", text);
    }
}

void progress_draw(struct progress_lines *b, const struct progress_view *v)
{
    double now = clock_seconds();

    if (now - b->drawn < (b->terminal ? REDRAW : SPEAK))
        return;
    b->drawn = now;
    if (b->terminal)
        draw_lines(b, v);
    else
        speak(v);
}
