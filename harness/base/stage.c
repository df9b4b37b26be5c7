#include "harness/base/stage.h"

#include "harness/base/clock.h"
#include "harness/base/str.h"
#include "harness/base/streams.h"

#include <stdio.h>
#include <unistd.h>

static const double FIRST = 5, NEXT = 20, REDRAW = 0.2; /* seconds */

void stage_show(struct stage *s, int done, int total)
{
    double now = clock_seconds();
    int terminal = streams_moves(STDERR_FILENO);

    if (s->began == 0)
        s->began = now;
    double wait = s->shown > 0 ? NEXT : FIRST;
    double since = s->shown > 0 ? s->shown : s->began;
    if (now - since < (terminal ? REDRAW : wait))
        return;
    s->shown = now;
    if (terminal)
        fprintf(stderr, "\r\033[K%s: %d of %d", s->what, done, total);
    else
        say("%s: %d of %d", s->what, done, total);
    s->on_screen = terminal;
}

void stage_end(struct stage *s)
{
    if (s->on_screen)
        fputs("\r\033[K", stderr);
    s->on_screen = 0;
}
