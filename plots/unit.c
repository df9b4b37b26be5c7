#include "plots/unit.h"

struct unit unit_of(double least)
{
    static const struct unit units[] = {
        {1e15, "quadrillions"}, {1e12, "trillions"}, {1e9, "billions"},
        {1e6, "millions"}, {1e3, "thousands"}, {1, ""}};
    const struct unit *u = units;

    while (u->of > 1 && u->of > least)
        u++;
    return *u;
}
