#include "harness/engine/form.h"

#include "harness/base/err.h"

int tape_defers(const struct tape *t)
{
    return t->fuses && !t->watch && !t->logits;
}

void form_set(struct tape *t, tensor *y, const struct form *f)
{
    struct form *own = arena_take(t->nodes, sizeof *own);

    REQUIRE(f->parts <= SCORE_PARTS, "%d parts", f->parts);
    *own = *f;
    y->form = own;
}

struct lattice form_lattice(const tensor *x, int k)
{
    size_t wide = (size_t)tensor_last(x), n = (size_t)x->dim[x->nd - 2];
    size_t b = (size_t)x->dim[x->nd - 3];

    if (x->nd == 4)
        return (struct lattice){b * n * wide, n * wide, wide, 1};
    return (struct lattice){(size_t)k, n * wide, wide, 1};
}

struct form form_of(const tensor *x)
{
    struct form f = {.parts = 1};
    struct formed *p = &f.part[0];

    if (x->form)
        return *x->form;
    p->x = (tensor *)x;
    p->as = (struct score_part){.h = x->dim[0], .weight = -1,
                                .at_x = form_lattice(x, 0)};
    if (x->dim[1] == 1)
        p->as.at_x.sentence = 0;
    return f;
}
