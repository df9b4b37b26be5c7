/*
 * The names of points are placed by search.  Each name takes the place of least
 * cost among places on several rings around its point, given the places of the
 * other names; this is repeated for all names in several rounds.  There are as
 * many names as variants, so a quadratic number of steps is cheap.
 */
#include "plots/labels.h"

#include <math.h>
#include <string.h>

/* Subtracts i * gap from place i.  The places must then not decrease, so
 * adjacent places that decrease are set to their mean (pool adjacent
 * violators). */
void labels_spread(double *place, int n, double gap, double low, double high)
{
    for (int i = 0; i < n; i++)
        place[i] -= i * gap;
    for (int i = 1; i < n; i++) {
        double sum = place[i];
        int from = i;

        while (from > 0 && place[from - 1] > sum / (i - from + 1))
            sum += place[--from];
        for (int k = from; k <= i; k++)
            place[k] = sum / (i - from + 1);
    }
    for (int i = 0; i < n; i++)
        place[i] = fmax(low, fmin(place[i], high - (n - 1) * gap)) + i * gap;
}

/* ---- names of points ---- */

enum { RINGS = 8, TURNS = 16, ROUNDS = 12 };

static const double POINT = 9;  /* half the side of a point with its margin */
static const double BLOCKED = 1e4, CROSSED = 300; /* costs of overlaps      */

struct box { double x0, y0, x1, y1; };

static double overlap(struct box a, struct box b)
{
    double w = fmin(a.x1, b.x1) - fmax(a.x0, b.x0);
    double h = fmin(a.y1, b.y1) - fmax(a.y0, b.y0);

    return w > 0 && h > 0 ? 1 + w * h / 100 : 0;
}

static struct box name_box(const struct label *l)
{
    return (struct box){l->left - 2, l->middle - l->height / 2,
                        l->left + l->width + 2, l->middle + l->height / 2};
}

static struct box point_box(const struct label *l)
{
    return (struct box){l->x - POINT, l->y - POINT, l->x + POINT, l->y + POINT};
}

static struct box interval_box(const struct label *l)
{
    return (struct box){l->x - 5, l->low, l->x + 5, l->high};
}

/* Returns the fraction of the line of label `a` that lies in the box `b`, by
 * sampling. */
static double line_in(const struct label *a, struct box b)
{
    enum { SAMPLES = 16 };
    double in = 0;

    if (a->from_x == a->to_x && a->from_y == a->to_y)
        return 0; /* there is no line */
    for (int i = 1; i < SAMPLES; i++) {
        double t = (double)i / SAMPLES;
        double x = a->from_x + t * (a->to_x - a->from_x);
        double y = a->from_y + t * (a->to_y - a->from_y);

        in += x > b.x0 && x < b.x1 && y > b.y0 && y < b.y1;
    }
    return in / SAMPLES;
}

static double cost(const struct label *l, int n, int i, double width,
                   double height)
{
    struct box name = name_box(&l[i]);
    double sum = hypot(l[i].to_x - l[i].from_x, l[i].to_y - l[i].from_y);

    sum += BLOCKED * (name.x0 < 0 || name.y0 < 0 || name.x1 > width ||
                      name.y1 > height);
    for (int j = 0; j < n; j++) {
        sum += BLOCKED * overlap(name, point_box(&l[j]));
        sum += CROSSED * (overlap(name, interval_box(&l[j])) +
                          line_in(&l[i], interval_box(&l[j])));
        if (j == i)
            continue;
        sum += BLOCKED * overlap(name, name_box(&l[j]));
        sum += CROSSED * (line_in(&l[i], point_box(&l[j])) +
                          line_in(&l[i], name_box(&l[j])) +
                          line_in(&l[j], name));
    }
    return sum;
}

/* Puts the name on a ring around its point.  From the second ring on, a line
 * joins the point to the nearest edge of the name. */
static void put(struct label *l, int ring, int turn)
{
    double angle = 2 * acos(-1) * turn / TURNS, gap = POINT + 3 + 18.0 * ring;
    double x = l->x + cos(angle) * (gap + l->width / 2);
    double y = l->y + sin(angle) * (gap + l->height / 2);

    l->left = x - l->width / 2;
    l->middle = y;
    l->from_x = l->to_x = l->x;
    l->from_y = l->to_y = l->y;
    if (ring == 0)
        return;
    l->to_x = fmax(l->left, fmin(l->x, l->left + l->width));
    l->to_y = fmax(y - l->height / 2, fmin(l->y, y + l->height / 2));
}

static void place(struct label *l, int n, int i, double width, double height)
{
    double best = INFINITY;
    int best_ring = 0, best_turn = 0;

    for (int ring = 0; ring < RINGS; ring++)
        for (int turn = 0; turn < TURNS; turn++) {
            put(&l[i], ring, turn);
            double c = cost(l, n, i, width, height) + 40 * (ring > 0);

            if (c < best) {
                best = c;
                best_ring = ring;
                best_turn = turn;
            }
        }
    put(&l[i], best_ring, best_turn);
}

double label_width(const char *name)
{
    const double pixels = LABEL_POINTS * 96 / 72.0;
    double em = 0;

    for (; *name; name++)
        em += strchr("fijlrt-", *name) ? 0.36 : strchr("mw+", *name) ? 0.9
                                                                     : 0.62;
    return em * pixels;
}

void label_place(struct label *l, int n, double width, double height)
{
    for (int i = 0; i < n; i++)
        put(&l[i], 0, 0);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < n; i++)
            place(l, n, i, width, height);
}
