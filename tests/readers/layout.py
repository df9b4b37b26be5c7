"""layout.py all | units | h5netcdf | netcdf4 CELL.h5...

all: checks that the cells together have every dataset of
harness/store/cell_layout.c. units: prints the units of their numbers, one per
line. h5netcdf or netcdf4: checks that every group with datasets opens in
xarray with this engine, that each variable has a name, each dimension a
coordinate and each number a unit, and that h5py reads the same values.
"""
import fnmatch
import re
import sys

import h5py
import numpy
import xarray

LAYOUT = "harness/store/cell_layout.c"


def die(*words):
    sys.exit(" ".join(map(str, words)))


def datasets(path):
    found = {}
    with h5py.File(path) as f:
        f.visititems(lambda name, x: found.update({name: x[()]})
                     if isinstance(x, h5py.Dataset) else None)
    return found


def every_row(paths):
    with open(LAYOUT) as f:
        rows = re.findall(r'^    \{"([a-z*/_]+)", \{', f.read(), re.M)
    have = {name for path in paths for name in datasets(path)}
    missing = [r for r in rows if not fnmatch.filter(have, r)]
    if len(rows) < 30 or missing:
        die(len(rows), "rows; no cell has", *missing)


def units(paths):
    found = set()
    for path in paths:
        with h5py.File(path) as f:
            f.visititems(lambda name, x: found.add(x.attrs["units"])
                         if "units" in x.attrs else None)
    print(*sorted(found), sep="\n")


def same(a, b):
    if a.dtype == object:
        return [x.decode() if isinstance(x, bytes) else x for x in a.flat] == \
            list(b.flat)
    return numpy.array_equal(a, b, equal_nan=a.dtype.kind == "f")


def check_group(path, group, engine, values):
    with xarray.open_dataset(path, group=group, engine=engine) as d:
        for dim in d.dims:
            if dim not in d.coords:
                die(path, group, dim, "has no coordinate")
        for name, x in d.variables.items():
            at = f"{group}/{name}"
            if not x.attrs.get("long_name"):
                die(path, at, "has no long_name")
            if x.dtype.kind in "if" and not x.attrs.get("units"):
                die(path, at, "has no units")
            if not same(numpy.asarray(values.pop(at)), x.values):
                die(path, at, "has other values")


def check(path, engine):
    values = datasets(path)
    for group in sorted({name.rpartition("/")[0] for name in values}):
        check_group(path, group, engine, values)
    if values:
        die(path, engine, "does not see", *values)


what, paths = sys.argv[1], sys.argv[2:]
if what == "all":
    every_row(paths)
elif what == "units":
    units(paths)
else:
    for path in paths:
        check(path, what)
