#include "plots/pareto_steps.h"

#include "harness/base/arena.h"
#include "harness/base/text.h"
#include "plots/style.h"
#include "plots/scatter.h"

#include <string.h>

enum { DASHES = 5 }; /* as in style.gp */

/* The key of the fronts, in fractions of the picture: DASH is the width of a
 * dash with the space before its name, GAP the space after the name, and EDGE
 * the right edge.  SMALL is the size of the letters relative to the name of a
 * point. */
static const double DASH = 0.036, GAP = 0.02, SMALL = 11.0 / 13;
static const double EDGE = 0.995;

/* ---- sets ---- */

static int most(const struct pareto *s)
{
    int set = 0;

    for (int i = 0; i < s->n; i++)
        set = s->set[i] > set ? s->set[i] : set;
    return set;
}

/* Returns the first point of a set, or -1 if the set has no point here. */
static int first_of(const struct pareto *s, int set)
{
    for (int i = 0; i < s->n; i++)
        if (s->set[i] == set)
            return i;
    return -1;
}

static int several(const struct pareto *s)
{
    for (int i = 0; i < s->n; i++)
        if (s->set[i] != s->set[0])
            return 1;
    return 0;
}

/* ---- names of sets ---- */

/* Returns 1 if the settings `varied` (",N=32,init=glorot") contain the setting
 * `part` (",N=32"), which has n bytes. */
static int has_part(const char *varied, const char *part, size_t n)
{
    for (; (varied = strchr(varied, ',')); varied++)
        if (!strncmp(varied, part, n) && strchr(",", varied[n]))
            return 1;
    return 0;
}

static int all_have(const struct pareto *s, int set, const char *part, size_t n,
                    struct arena *a)
{
    for (int i = 0; i < s->n; i++)
        if (s->set[i] == set && !has_part(look_varied(s->row[i], a), part, n))
            return 0;
    return 1;
}

static int none_varies(const struct pareto *s, int set, struct arena *a)
{
    for (int i = 0; i < s->n; i++)
        if (s->set[i] == set && *look_varied(s->row[i], a))
            return 0;
    return 1;
}

/* Returns the name of a set: the settings that all of its rows share ("N=32"),
 * or if there are none, "nothing varied" or "test set 2". */
static const char *name_of(const struct pareto *s, int set, struct arena *a)
{
    const char *part = look_varied(s->row[first_of(s, set)], a);
    struct text t = {0};

    text_put(&t, "");
    while (*part) {
        size_t n = 1 + strcspn(part + 1, ",");

        if (all_have(s, set, part, n, a))
            text_add(&t, part, n);
        part += n;
    }
    const char *name = text_keep(&t, a);
    return *name                  ? name + 1
           : none_varies(s, set, a) ? "nothing varied"
                                  : arena_format(a, "test set %d", set + 1);
}

/* ---- the key ---- */

struct entry { int set, line; double x; const char *name; };

/* Sets *out to the entries of the key, one for each set that has points.
 * Returns their number, or 0 if there is one set. */
static int entries(struct entry **out, const struct pareto *s, double left,
                   struct arena *a)
{
    int n = 0, line = 0;
    double x = left;

    *out = arena_zero(a, ((size_t)most(s) + 1) * sizeof **out);
    for (int set = 0; several(s) && set <= most(s); set++) {
        if (first_of(s, set) < 0)
            continue;
        const char *name = name_of(s, set, a);
        double wide = DASH + SMALL * label_width(name) / PICTURE_WIDTH;

        if (x > left && x + wide > EDGE) {
            x = left;
            line++;
        }
        (*out)[n++] = (struct entry){set, line, x, name};
        x += wide + GAP;
    }
    return n;
}

int pareto_lines(const struct pareto *s, double left, struct arena *a)
{
    struct entry *e;
    int n = entries(&e, s, left, a);

    return n ? e[n - 1].line + 1 : 0;
}

static int dash_of(int set) { return 1 + set % DASHES; }

/* Returns a grey; if there are several sets, its contrast with white is 3 : 1.
 * The greys of sets differ slightly, because the SVG terminal of gnuplot starts
 * a new dash only with a new colour. */
static int hue_of(const struct pareto *s, int set)
{
    return several(s) ? 0x949494 - set % 16 : 0xbbbbbb;
}

static void put_number(struct picture *p, const char *name, int i, double value)
{
    char variable[24];

    snprintf(variable, sizeof variable, "%s%d", name, i);
    picture_number(p, variable, value);
}

static void put_key(struct picture *p, const struct pareto *s,
                    const struct pareto_key *key, struct arena *a)
{
    struct entry *e;
    int n = entries(&e, s, key->left, a);

    picture_number(p, "sets", n);
    for (int i = 0; i < n; i++) {
        char variable[24];

        snprintf(variable, sizeof variable, "set%d", i + 1);
        picture_text(p, variable, "%s", e[i].name);
        put_number(p, "set_x", i + 1, e[i].x);
        put_number(p, "set_y", i + 1, key->top - e[i].line * key->line);
        put_number(p, "stair", i + 1, dash_of(e[i].set));
        put_number(p, "stair_hue", i + 1, hue_of(s, e[i].set));
    }
}

/* ---- the stairs ---- */

/* Returns the next point on the front of a set: the cheapest point that costs
 * more than point `after` or, if `after` is -1, the cheapest of all.  Returns
 * -1 if there is none. */
static int next_on_front(const struct pareto *s, int set, int after)
{
    int next = -1, sign = s->better;

    for (int i = 0; i < s->n; i++)
        if (s->front[i] && s->set[i] == set &&
            (after < 0 || sign * s->x[i] < sign * s->x[after]) &&
            (next < 0 || sign * s->x[i] > sign * s->x[next]))
            next = i;
    return next;
}

/* Draws a line with the style `how` ("dt 2 lc rgb '#949493'"). */
static void put_stair(struct picture *p, const char *how, const double from[2],
                      const double to[2])
{
    fprintf(p->script, "front = front . \"set arrow from graph %.5f, graph "
            "%.5f to graph %.5f, graph %.5f nohead back lw 2 %s; \"\n",
            from[0], from[1], to[0], to[1], how);
}

/* Draws the front of a set, from the worst quality at its least cost to the
 * greatest cost at its best quality. */
static void put_front(struct picture *p, const struct pareto *s, int set)
{
    double y = s->worst, most_cost = s->better > 0 ? 0 : 1;
    char how[48];

    snprintf(how, sizeof how, "dt %d lc rgb '#%06x'",
             several(s) ? dash_of(set) : 1, (unsigned)hue_of(s, set));

    for (int i = next_on_front(s, set, -1); i >= 0;
         i = next_on_front(s, set, i)) {
        int next = next_on_front(s, set, i);
        double at[] = {s->x[i], s->y[i]};

        put_stair(p, how, (double[]){at[0], y}, at);
        y = at[1];
        put_stair(p, how, at,
                  (double[]){next < 0 ? most_cost : s->x[next], y});
    }
}

void pareto_put(struct picture *p, const struct pareto *s,
                const struct pareto_key *key, struct arena *a)
{
    fputs("front = ''\n", p->script);
    for (int set = 0; set <= most(s); set++)
        put_front(p, s, set);
    put_key(p, s, key, a);
}
