"""Random series: bundles of columns, rows, and what laws do to them."""
import copy
import math


def uniform(r, low, high):
    """A number spread evenly over orders of magnitude, as a person would type it."""
    return "%.3g" % math.exp(r.uniform(math.log(low), math.log(high)))


def pick(seed, *keys):
    """A number from 0 to 2^32 - 1 that depends on the seed and the keys alone."""
    x = seed & 0xffffffff
    for key in keys:
        x = (x ^ key) * 0x9e3779b1 & 0xffffffff
        x = (x ^ x >> 15) * 0x85ebca77 & 0xffffffff
        x ^= x >> 13
    return x


class Bundle:
    """Columns that belong together. kind: number, vector, angle, quaternion, euler; or those that are copied: measured
    (velocity of the channel before it), confidence."""

    def __init__(self, kind, base, names):
        self.kind, self.base, self.names = kind, base, names

    copied = property(lambda self: self.kind in ("measured", "confidence"))


class Row:
    """id: stays the same when other rows are dropped; time: whole milliseconds; values: numbers, or None for a gap."""

    def __init__(self, id, time, group, cut, values):
        self.id, self.time, self.group, self.cut, self.values = id, time, group, cut, values

    def change(self, **what):
        row = copy.copy(self)
        row.__dict__.update(what)
        return row


ODD_NAMES = ["a b", "x,y", 'say "x"', "ünï", "hip.x"]


class Series:
    """Rows of time, group, cut, and bundles of columns. flat: of time and numbers alone."""

    def __init__(self, bundles, rows, flat=False):
        self.bundles, self.rows, self.flat = bundles, rows, flat

    def names(self, copied=True):
        return [n for b in self.bundles if copied or not b.copied for n in b.names]

    def columns(self):
        return ["time"] + ([] if self.flat else ["group", "cut"]) + self.names()

    def of(self, kind):
        return [b for b in self.bundles if b.kind == kind]

    def with_rows(self, rows):
        return Series(self.bundles, list(rows), self.flat)

    def with_bundles(self, order):
        """The bundles of these numbers."""
        at, start = [], 0
        for b in self.bundles:
            at.append(range(start, start + len(b.names)))
            start += len(b.names)
        places = [k for i in order for k in at[i]]
        return Series([self.bundles[i] for i in order],
                      [x.change(values=[x.values[k] for k in places]) for x in self.rows], self.flat)

    def map(self, value):
        """value(row id, number of the column, x) for all channels; gaps and copied columns stay."""
        keep = [b.copied for b in self.bundles for _ in b.names]
        return self.with_rows(x.change(values=[v if v is None or keep[c] else value(x.id, c, v)
                                               for c, v in enumerate(x.values)]) for x in self.rows)

    def repeat(self, n):
        """Again and again, until there are n rows."""
        rows, span = [], max(x.time for x in self.rows) - min(x.time for x in self.rows) + 10
        for k in range(max(1, n // len(self.rows))):
            rows += [x.change(time=x.time + k * span, id=x.id + k * len(self.rows)) for x in self.rows]
        return self.with_rows(rows)

    def shift(self, ms):
        return self.with_rows(x.change(time=x.time + ms) for x in self.rows)


def unit_vector(r, n):
    v = [r.gauss(0, 1) for _ in range(n)]
    size = math.sqrt(sum(x * x for x in v)) or 1
    return [x / size for x in v]


def draw_series(r, gaps=True, groups=False, kinds=None, flat=False, even=None, channels=None, steps=(0, 1, 10, 17, 250),
                turn=.3, rotation=None):
    """kinds: of bundles beside numbers; turn: of rotations from row to row, in radians; rotation: the last bundle of a flat
    series."""
    kinds = ["angle", "quaternion", "euler", "vector", "measured", "confidence"] if kinds is None else kinds
    bundles = [Bundle("number", "ch%d" % c, ["ch%d" % c]) for c in range(channels or r.randint(1, 4))]
    if flat:
        kinds = []
        bundles += [rotation] if rotation else []
    elif r.random() < .3:
        odd = r.choice(ODD_NAMES)
        bundles[0] = Bundle("number", odd, [odd])
    for kind in kinds:
        if r.random() < .25 and kind not in [b.kind for b in bundles]:
            bundles.append({"angle": lambda: Bundle("angle", "yaw", ["yaw"]),
                            "quaternion": lambda: Bundle("quaternion", "q", ["q_" + c for c in "wxyz"]),
                            "euler": lambda: Bundle("euler", "e", ["e_" + c for c in "zxy"]),
                            "measured": lambda: Bundle("measured", bundles[0].base, ["measured"]),
                            "vector": lambda: Bundle("vector", "v", ["v_" + c for c in r.choice(["xy", "xyz"])]),
                            "confidence": lambda: Bundle("confidence", "likely", ["likely"])}[kind]())
    n = r.choice([1, 2, 3, 10, 40, 40, 150])
    even = r.random() < .5 if even is None else even
    at = r.choice([0, -500, 10**9, 1700000000000])
    names = ["a", "b b", "", "c"] if groups else [""]
    cuts = r.random() < .5
    last, level, rows = {}, {}, []
    missing = .7 if r.random() < .1 else .06
    for i in range(n):
        group = r.choice(names)
        time = last.get(group, at - 10 if even else at) + (10 if even else r.choice(steps))
        values = []
        for k, b in enumerate(bundles):
            x = level.get(k, [0.0])
            if b.kind == "vector":
                leap = r.choice([-50, 50]) if r.random() < .02 else 0
                x = [p + r.gauss(0, 1) + leap for p in level.get(k, [0.0] * len(b.names))]
                shown = [round(p, 3) for p in x]
            elif b.kind in ("number", "measured"):
                x = [x[0] + r.gauss(0, 1) + (r.choice([-50, 50]) if r.random() < .02 else 0)]
                shown = [round(x[0], r.choice([0, 2, 6]))]
            elif b.kind == "angle":
                x = [x[0] + r.gauss(0, 40)]
                shown = [round((x[0] + 180) % 360 - 180, 3)]
            elif b.kind == "quaternion":
                old = level.get(k, [1.0, 0.0, 0.0, 0.0])
                x = [p + turn / 2 * q for p, q in zip(old, unit_vector(r, 4))]
                size = math.sqrt(sum(p * p for p in x)) or 1
                x = [p / size for p in x]
                sign = r.choice([1, 1, 1, -1])
                shown = [round(sign * p, 6) for p in x]
            elif b.kind == "euler":
                x = [p + r.gauss(0, 30 * turn) for p in level.get(k, [0.0, 0.0, 0.0])]
                shown = [round((p + 180) % 360 - 180, 3) for p in x]
            else:
                x, shown = [0.0], [round(r.random(), 2)]
            level[k] = x
            if gaps and b.kind in ("quaternion", "euler") and r.random() < missing:
                shown = [None] * len(shown)
            elif gaps and b.kind != "confidence":
                shown = [None if r.random() < (missing if len(shown) == 1 else missing / 6) else p for p in shown]
            values += shown
        last[group] = time
        rows.append(Row(i, time, group, int(cuts and r.random() < .05), values))
    # The first row decides which columns are channels.
    filled = [x for b in bundles for x in ([1.0, 0.0, 0.0, 0.0] if b.kind == "quaternion" else
                                            [0.0] * len(b.names))]
    if None in rows[0].values:
        rows[0].values = filled
    return Series(bundles, rows, flat)
