#include "harness/cmd/watch.h"

#include "harness/base/clock.h"
#include "harness/base/err.h"
#include "harness/base/str.h"
#include "harness/base/streams.h"
#include "harness/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR = 30, NAMED = 12 }; /* characters; cells listed per state */

/* The selected cells at one point in time. */
struct look {
    int    n[CELL_STATES], all;
    /* share of the time that has passed; seconds left, NAN: no cell runs */
    double done, left;
};

/* Returns the state of the selected cells.  A running cell counts as half
 * finished, because its progress is unknown. */
static struct look look_at(const struct plan *p)
{
    struct look l = {.left = NAN};
    double gone = 0, whole = 0;

    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];
        enum cell_state s = plan_state(c);

        if (!c->selected)
            continue;
        l.n[s]++;
        l.all++;
        if (s == CELL_REFUSED || s == CELL_BLOCKED)
            continue;
        whole += c->seconds;
        gone += s == CELL_MISSING   ? 0
                : s == CELL_RUNNING ? c->seconds / 2
                                    : c->seconds;
    }
    l.done = whole > 0 ? gone / whole : 1;
    if (l.n[CELL_RUNNING])
        l.left = (whole - gone) / l.n[CELL_RUNNING];
    return l;
}

static int is_over(const struct look *l)
{
    return !l->n[CELL_MISSING] && !l->n[CELL_RUNNING];
}

/* Appends a summary: "58 of 60 cells done, 2 running, 92 %, about 40 s
 * left". */
static void put_summary(struct text *to, const struct plan *p,
                        const struct look *l)
{
    char left[32];

    text_format(to, "%s: %d of %d cells done", p->name, l->n[CELL_DONE],
                l->all);
    for (enum cell_state s = 0; s < CELL_STATES; s++)
        if (s != CELL_DONE && l->n[s])
            text_format(to, ", %d %s", l->n[s], cell_state_text[s]);
    text_format(to, ", %.0f %%", 100 * l->done);
    if (!isnan(l->left))
        text_format(to, ", about %s left", str_duration(l->left, left));
    else if (!is_over(l))
        text_put(to, ", no process is training");
}

static void put_cells(struct text *to, const struct plan *p,
                      enum cell_state state)
{
    int n = 0;

    for (int i = 0; i < p->n; i++) {
        const struct cell *c = &p->cell[i];

        if (!c->selected || plan_state(c) != state)
            continue;
        if (n++ == NAMED)
            text_put(to, "  ...\033[K\n");
        if (n > NAMED)
            continue;
        OWNED(free) char *why = str_copy(plan_note(c));

        text_format(to, "  %s  %s/%s/%llu%s%s\033[K\n", cell_state_text[state],
                    c->row, c->config.task,
                    (unsigned long long)c->config.seed, *why ? ": " : "",
                    str_harmless(why, ""));
    }
}

static void draw_screen(const struct plan *p, const struct look *l)
{
    OWNED(text_free) struct text t = {0};
    int full = (int)(l->done * BAR);

    text_put(&t, "\033[?7l\033[H["); /* long lines are cut */
    for (int i = 0; i < BAR; i++)
        text_put(&t, i < full ? "#" : ".");
    text_put(&t, "] ");
    put_summary(&t, p, l);
    text_put(&t, "\033[K\n");
    put_cells(&t, p, CELL_RUNNING);
    put_cells(&t, p, CELL_FAILED);
    text_put(&t, "\033[J\033[?7h");
    fputs(t.s, stdout);
    fflush(stdout);
}

int watch(const struct plan_of *of, double seconds)
{
    int terminal = streams_moves(STDOUT_FILENO);
    struct timespec pause = {.tv_sec = (time_t)seconds};
    struct look now, last = {.n = {-1}};

    pause.tv_nsec = (long)((seconds - (double)pause.tv_sec) * 1e9);
    if (terminal)
        fputs("\033[2J", stdout);
    for (;; last = now) {
        OWNED(plan_close) struct plan *p = NULL;

        PASS(plan_open(&p, of));
        PASS(plan_look(p));
        now = look_at(p);
        if (!now.all)
            return err_set(ERR_EMPTY, "%s: no cell is selected", p->name);
        if (terminal) {
            draw_screen(p, &now);
        } else if (memcmp(now.n, last.n, sizeof now.n)) {
            OWNED(text_free) struct text t = {0};
            char time[32];

            put_summary(&t, p, &now);
            printf("%s %s\n", clock_iso(time), t.s);
            fflush(stdout);
        }
        if (is_over(&now))
            return now.n[CELL_FAILED] ? 1 : OK;
        nanosleep(&pause, NULL);
    }
}
