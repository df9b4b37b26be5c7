#include "harness/nn/knob.h"

#include "harness/base/err.h"

/* One value, in the form that the types of keys read and print. */
union slot { int whole; double real; };

static struct key at_slot(const struct key *k)
{
    struct key here = *k;

    REQUIRE(k->type == &key_int || k->type == &key_real ||
                k->type == &key_bool || k->type == &key_enum,
            "%s: a knob of this type needs a field of model_config", k->name);
    here.offset = 0;
    return here;
}

static int read(const struct key *k, const char *text, double *x)
{
    struct key here = at_slot(k);
    union slot s;
    int rc = k->type->set(&here, &s, text);

    if (rc == OK)
        *x = k->type == &key_real ? s.real : s.whole;
    return rc;
}

static double initial(const struct key *k)
{
    double x = 0;

    REQUIRE(read(k, k->initial, &x) == OK, "%s", err_last());
    return x;
}

double knob_value(const struct model_config *c, const struct key *k)
{
    for (int i = 0; i < KNOBS; i++)
        if (c->own[i].key == k)
            return c->own[i].x;
    return initial(k);
}

/* Stores x in c->own.  A knob at its default is removed from c->own. */
static int keep(const struct key *k, struct model_config *c, double x)
{
    int i = 0;

    while (i < KNOBS && c->own[i].key != k)
        i++;
    if (i == KNOBS)
        for (i = 0; i < KNOBS && c->own[i].key;)
            i++;
    if (x == initial(k)) {
        if (i < KNOBS)
            c->own[i] = (struct knob){.key = NULL};
        return OK;
    }
    if (i == KNOBS)
        return err_set(ERR_USAGE, "%s: only %d knobs can be set at a time; "
                       "raise KNOBS in harness/nn/model_config.h", k->name,
                       KNOBS);
    c->own[i] = (struct knob){k, x};
    return OK;
}

int knob_set(const struct key *k, struct model_config *c, const char *text)
{
    double x = 0;
    int rc = k->size ? k->type->set(k, c, text) : read(k, text, &x);

    return rc < 0 || k->size ? rc : keep(k, c, x);
}

char *knob_json(const struct key *k, const struct model_config *c)
{
    if (k->size)
        return k->type->json(k, c);
    struct key here = at_slot(k);
    double x = knob_value(c, k);
    union slot s;

    if (k->type == &key_real)
        s.real = x;
    else
        s.whole = (int)x;
    return k->type->json(&here, &s);
}
