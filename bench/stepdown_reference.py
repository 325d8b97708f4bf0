#!/usr/bin/env python3
"""Step-down tests of overlapping slices, by their definition and in fractions; shares nothing with the program.

With k units, their sums s and z² = (sum of s)² / (sum of s²), the statistic of a slice is t² = z² (4 + k - 1) / (4 + k - z²): Student's t of
the sums with four units more that have no effect. In the order of the observed t², the adjusted p value of the j-th slice is the largest
over i <= j of the share of patterns of signs in which the largest t² of the slices from the i-th on is at least the observed one of the i-th
(Westfall and Young 1993). All patterns are tried.

    python3 bench/stepdown_reference.py > internal/stats/testdata/stepdown.json

Needs nothing but Python 3.9.
"""

import itertools
import json
import random
from fractions import Fraction


def squared(sums):
    total, squares, k = sum(sums), sum(s * s for s in sums), len(sums)
    if squares == 0:
        return Fraction(0)
    z2 = Fraction(total * total, squares)
    return z2 * (4 + k - 1) / (4 + k - z2)


def adjusted(diffs, slices, clusters):
    names = sorted(set(clusters))
    patterns = list(itertools.product((1, -1), repeat=len(names)))  # the observed one is the first
    table = []
    for places in slices:
        own = [n for n in names if any(clusters[i] == n for i in places)]
        sums = {n: sum(diffs[i] for i in places if clusters[i] == n) for n in own}
        table.append([squared([sign * sums[n] for n, sign in zip(names, signs) if n in sums]) for signs in patterns])
    order = sorted(range(len(slices)), key=lambda s: -table[s][0])
    out, largest = [0.0] * len(slices), 0
    for i, s in enumerate(order):
        as_extreme = sum(max(table[k][b] for k in order[i:]) >= table[s][0] for b in range(len(patterns)))
        largest = max(largest, as_extreme)
        out[s] = largest / len(patterns)
    return out


def main():
    r = random.Random(20)
    cases = []
    for number in range(60):
        units = r.randint(3, 8)
        n = units * r.choice([1, 1, 2, 3])
        clusters = [i % units for i in range(n)]
        if r.random() < 0.4:
            r.shuffle(clusters)
        diffs = []
        for _ in range(n):
            if number % 4 == 0:
                diffs.append(r.randint(-40, 40))
            elif number % 4 == 1:
                diffs.append(r.choice([0, 0, 0, -2, -1, 1]))
            elif number % 4 == 2:
                diffs.append(-4)
            else:
                diffs.append(-4 if r.random() < 0.9 else -3)
        slices = [sorted(r.sample(range(n), r.randint(2, n))) for _ in range(r.randint(1, 6))]
        cases.append({"diffs": diffs, "slices": slices, "clusters": clusters, "adjusted": adjusted(diffs, slices, clusters)})
    print("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]")


if __name__ == "__main__":
    main()
