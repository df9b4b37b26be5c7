#!/usr/bin/env python3
"""reference.py > reference.json: writes inputs and the results of SciPy, with
which tests/stats/test_reference.c compares the results of the program.

The bootstrap cases have the resampled means of the program's generator (Philox
4x32-10, base/rng.h), reimplemented here, so that SciPy uses the same draws.
"""
import json
import math
import numpy as np
import scipy
from scipy import stats

rng = np.random.default_rng(20211)
cases = []


def floats(x):
    return [float(v) for v in x]


def number(x):
    return None if np.isnan(x) else float(x)


def add(kind, **values):
    cases.append({"kind": kind, **values})


def sample(n, kind):
    if kind == "ties":
        return rng.integers(0, 4, n).astype(float)
    if kind == "skewed":
        return rng.exponential(2.0, n)
    # multiples of 2^-10: their sums are exact, so equal sums compare equal
    return (rng.normal(30.0, 1.5, n) * 1024).round() / 1024


def philox(seed, stream, step, index):
    """Returns the four random words of block `index`, for one step."""
    c = [np.uint64(index & 0xFFFFFFFF), np.uint64(index >> 32),
         np.uint64(step), np.uint64(stream << 24)]
    k0, k1 = seed & 0xFFFFFFFF, seed >> 32
    mask = 0xFFFFFFFF
    c = [int(v) for v in c]
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k0, b & mask, (a >> 32) ^ c[3] ^ k1, a & mask]
        k0, k1 = (k0 + 0x9E3779B9) & mask, (k1 + 0xBB67AE85) & mask
    return c


def resampled_means(x, seed, resamples=10000, stream=4):
    means = np.empty(resamples)
    for r in range(resamples):
        words = []
        for block in range((len(x) + 3) // 4):
            words += philox(seed, stream, r, block)
        means[r] = mean([x[w * len(x) >> 32] for w in words[:len(x)]])
    return means


def mean(x, axis=-1):
    """Returns the mean, which does not depend on the order of the values."""
    return np.apply_along_axis(math.fsum, axis, x) / np.shape(x)[axis]


def t_quantile(degrees):
    """Returns t(0.975). isf has only nine correct digits, so Newton's method on
    sf improves its result."""
    t = stats.t.isf(0.025, degrees)
    for _ in range(3):
        t += (stats.t.sf(t, degrees) - 0.025) / stats.t.pdf(t, degrees)
    return t


# ---- one sample ----
for n in (1, 2, 3, 5, 8, 13, 30):
    x = sample(n, "skewed" if n % 2 else "normal")
    half = t_quantile(n - 1) * stats.sem(x) if n > 1 else np.nan
    add("sample", x=floats(x), mean=number(x.mean()),
        sd=number(x.std(ddof=1)) if n > 1 else None,
        low=number(x.mean() - half), high=number(x.mean() + half),
        iqm=number(stats.trim_mean(x, 0.25)))
for degrees in (0.7, 1, 2, 3, 4, 7, 12.5, 29, 60, 199):
    add("t_quantile", degrees=degrees, t=t_quantile(degrees))
for n, kind in ((8, "normal"), (8, "skewed"), (10, "skewed"), (30, "ties")):
    x = sample(n, kind)
    result = stats.bootstrap((x,), mean, n_resamples=2, method="BCa",
                             random_state=1)
    result.bootstrap_distribution = resampled_means(x, 1)
    result = stats.bootstrap((x,), mean, n_resamples=0, method="BCa",
                             bootstrap_result=result)
    add("bca", x=floats(x), low=result.confidence_interval.low,
        high=result.confidence_interval.high)

# ---- correlation ----
for n, kind in ((2, "normal"), (3, "normal"), (5, "normal"), (7, "ties"),
                (10, "normal"), (20, "ties"), (33, "normal"), (34, "normal"),
                (60, "ties"), (120, "normal")):
    x = sample(n, kind)
    y = sample(n, kind) + (x - x.mean()) * (0.5 if n > 30 else 1)
    if kind == "ties":
        y = y.round()
    r, s, t = (stats.pearsonr(x, y), stats.spearmanr(x, y),
               stats.kendalltau(x, y))
    add("correlation", x=floats(x), y=floats(y), pearson=number(r[0]),
        pearson_p=number(r[1]), spearman=number(s[0]), spearman_p=number(s[1]),
        kendall=number(t[0]), kendall_p=number(t[1]))
x = np.arange(6.0)
for y in (x, -x, x ** 3):
    r, s, t = (stats.pearsonr(x, y), stats.spearmanr(x, y),
               stats.kendalltau(x, y))
    add("correlation", x=floats(x), y=floats(y), pearson=number(r[0]),
        pearson_p=number(r[1]), spearman=number(s[0]), spearman_p=number(s[1]),
        kendall=number(t[0]), kendall_p=number(t[1]))

# ---- two samples ----
for na, nb, kind, shift in ((1, 1, "normal", 1), (3, 3, "normal", 9),
                            (3, 4, "normal", 1), (5, 5, "ties", 1),
                            (8, 8, "normal", 1), (8, 40, "normal", 0.5),
                            (9, 9, "normal", 1), (12, 20, "ties", 0),
                            (30, 30, "normal", 0.3), (8, 9, "ties", 0)):
    a, b = sample(na, kind) + shift, sample(nb, kind)
    case = {"a": floats(a), "b": floats(b)}
    if na > 1 and nb > 1:
        m = na + nb - 2
        # the pooled t statistic is d sqrt(na nb / (na + nb))
        t = stats.ttest_ind(a, b).statistic
        d = t / np.sqrt(na * nb / (na + nb))
        case["cohen_d"] = number(d)
        case["hedges_g"] = number(
            d * np.sqrt(2 / m) * scipy.special.gamma(m / 2) /
            scipy.special.gamma((m - 1) / 2))
    add("unpaired", **case)

# ---- pairs ----
for n, kind in ((1, "normal"), (3, "normal"), (5, "ties"), (6, "normal"),
                (10, "ties"), (12, "normal")):
    a, b = sample(n, kind), sample(n, kind)
    if n == 6:
        a = b + 1.0 + a / 100
    if n == 1:
        p = 1.0  # SciPy asks for two
    else:
        p = stats.permutation_test(
            (a, b), lambda x, y, axis: np.mean(x - y, axis=axis),
            permutation_type="samples", vectorized=True,
            n_resamples=np.inf).pvalue
    add("permutation", a=floats(a), b=floats(b), p=number(p))

print('{"scipy": "%s", "numpy": "%s", "cases": [' %
      (scipy.__version__, np.__version__))
print(",\n".join(json.dumps(case) for case in cases))
print("]}")
