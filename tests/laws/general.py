"""Laws of all filters: what scaling, shifting, mirroring or splitting the input does, and that ways to run agree."""
import json
import math
import shlex

from .command_lines import FILTERS, LINEAR, OTHER_UNIT, Case, Option, draw_case
from .forms import KINDS, MARKERS, MOTION, STORED, TEXT, Form
from .runs import Failed, Refused, close, numbers, read_table, same
from .series import Row, draw_series, uniform

EXTREME = ("1e-9", "1e9", "1e-3", "1e4")
PIECES = (1, 7, 200, 3000, 70000)


def draw_constant(r):
    case = draw_case(r, "constant", [n for n in FILTERS if n not in OTHER_UNIT], groups=r.random() < .2,
                     deny=("start", "digits", "measured", "auto", "predict"),
                     bundles=["angle", "confidence", "vector"],
                     level=r.choice([0, 1, -2.5, 1e6, .1, -179.9]))
    if "--halflife" in case.core and "auto" not in case.core and r.random() < .3:
        at = case.core.index("--halflife")
        case.core = case.core[:at + 1] + [r.choice(EXTREME)] + case.core[at + 2:]
    return case


def law_constant(case, run):
    """A constant stays the constant; its derivatives are 0."""
    s, level = case.series.map(lambda i, c, x: case.p["level"]), case.p["level"]
    run.file("in." + case.form.kind, case.form.write(s))
    names, rows = numbers(run.table(case.words() + ["--to", "csv", "in." + case.form.kind], case.form))
    first, copied = s.names(), [b.copied for b in s.bundles for _ in b.names]
    for i, row in enumerate(rows):
        for c, x in enumerate(row):
            if c < len(first) and copied[c]:
                continue
            want = level if c < len(first) else 0
            if x is not None and x != want:
                raise Failed("not constant", "row %d, %s: %r, not %r" % (i + 1, names[c] if names else c, x, want))


def draw_linear(r):
    way = r.choice(["scale", "offset", "sum"])
    names = LINEAR + ("tracking", "inertialize") + (("character",) if way != "offset" else ())
    deny = ["digits", "measured", "detect", "limit", "auto", "angles", "quaternions", "rotations", "predict"]
    deny += ["despike"] if way != "scale" else []
    deny += ["zero"] if way == "sum" else []  # the values at the ends are chosen by the noise of each series
    case = draw_case(r, "linear", names, deny=deny + ["mask", "start"], bundles=["confidence"], calm=True,
                     way=way,
                     factor=r.choice([2, -1, .125]), offset=r.choice([64, -2048]))
    if "gain" in case.words():  # a step 1000 times the last one makes 1000 times of a rounding in the velocity
        case.p["way"] = "scale"
    return case


def law_linear(case, run):
    """Scaling, offset and sum of the input do the same to the output."""
    s, way, kind = case.series, case.p["way"], case.form.kind
    words = case.words() + ["--to", "csv"]
    flags = [not b.copied for b in s.bundles for _ in b.names]

    def table(series, name):
        run.file(name + "." + kind, case.form.write(series))
        return numbers(run.table(words + [name + "." + kind], case.form))[1]

    def each(f, *tables):
        return [[None if None in x else f(c, *x) if c >= n or flags[c] else x[0] for c, x in enumerate(zip(*rows))]
                for rows in zip(*tables)]

    n = len(flags)
    plain = table(s, "in")
    if way == "scale":
        other, want = s.map(lambda i, c, x: x * case.p["factor"]), each(lambda c, x: x * case.p["factor"], plain)
    elif way == "offset":
        other = s.map(lambda i, c, x: x + case.p["offset"])
        want = each(lambda c, x: x + case.p["offset"] if c < n else x, plain)
    else:
        add = table(s.map(lambda i, c, x: math.sin(i * (c + 1)) * 5), "second")
        run.base = 2
        other, want = s.map(lambda i, c, x: x + math.sin(i * (c + 1)) * 5), each(lambda c, x, y: x + y, plain, add)
    got = table(other, "other")
    # Sums and offsets are rounded in the input: to a part of the largest number there is, and derivatives by the steps.
    times = sorted({x.time for x in s.rows})
    step = min([b - a for a, b in zip(times, times[1:])] + [1000]) / 1000
    size = max([1] + [abs(x) for row in want + plain for x in row if x is not None])
    # With --zero-phase the rounding of larger numbers counts as noise, by which the values at the ends are chosen.
    tolerance = 1e-2 if way == "offset" and "--zero-phase" in words else 1e-9
    close([[x if x is None else x / size for x in row] for row in got],
          [[x if x is None else x / size for x in row] for row in want], tolerance, way, 1e-3,
          lambda c: 1e-15 / step ** 2 if c >= n else 0)


def draw_long(r):
    """--zero-phase with periods of the cutoff up to 1e12 times the duration."""
    case = draw_case(r, "linear", ("butterworth",), gaps=r.random() < .3, bundles=[], calm=True,
                     deny=["digits", "measured", "auto", "mask", "start", "despike", "zero", "resample",
                           "max-gap", "gaps", "predict"],
                     way=r.choice(["scale", "offset"]), factor=r.choice([2, -1, .125]), offset=r.choice([64, -2048]))
    rows = case.series.rows
    duration = max(rows[-1].time - rows[0].time, 1) / 1000
    case.core = ["--cutoff", "%.3g" % (1 / (duration * 10 ** r.uniform(-1, 12)))]
    case.options.append(Option("zero", "--zero-phase"))
    return case


def draw_shift(r):
    return draw_case(r, "shift", deny=("cuts",), groups=r.random() < .3, ms=r.choice([123456, -1000, 86400000]))


def law_shift(case, run):
    """Times that begin later change no number."""
    form, kind = case.form, case.form.kind
    run.file("in." + kind, form.write(case.series))
    run.file("other." + kind, form.write(case.series.shift(case.p["ms"])))
    words = case.words() + ["--to", "csv"]
    want = [row[1:] for row in run.table(words + ["in." + kind], form)[1]]
    same(want, [row[1:] for row in run.table(words + ["other." + kind], form)[1]], "shift")


def draw_groups(r):
    case = draw_case(r, "groups", groups=True, deny=("group", "resample", "cuts"), named=True)
    # The first row decides how a column's numbers are printed.
    case.options = [o for o in case.options if o.words[-1] != "input"]
    case.options.append(Option("group", "--group-by", ("%s", ["group"])))
    return case


def law_groups(case, run):
    """A group filtered alone equals the group among others."""
    s, form, kind = case.series, case.form, case.form.kind
    if not case.has("group"):
        return
    words = case.words() + ["--to", "csv"]
    run.file("in." + kind, form.write(s))
    rows = run.table(words + ["in." + kind], form)[1]
    for k, group in enumerate(sorted({x.group for x in s.rows})):
        mine = [x for x in s.rows if x.group == group]
        run.file("alone%d.%s" % (k, kind), form.write(s.with_rows(mine)))
        got = run.table(words + ["alone%d.%s" % (k, kind)], form)[1]
        same([row for row in rows if row[1] == form.group(group)], got, "a group alone")


def draw_channels(r):
    case = draw_case(r, "channels", groups=r.random() < .2)
    order = list(range(len(case.series.bundles)))
    r.shuffle(order)
    case.p["order"] = [case.series.bundles[i].names[0] for i in order]
    return case


def law_channels(case, run):
    """Channels in another order have the same numbers."""
    s, form, kind = case.series, case.form, case.form.kind
    form = form.change(layout="records") if form.layout == "nested" else form
    form = form.change(odd=0)
    order = sorted(range(len(s.bundles)), key=lambda i: case.p["order"].index(s.bundles[i].names[0]))
    other = s.with_bundles(order)
    run.file("in." + kind, form.write(s))
    run.file("other." + kind, form.write(other))
    names, rows = run.table(case.words(s, form) + ["--to", "csv", "in." + kind], form)
    others, got = run.table(case.words(other, form) + ["--to", "csv", "other." + kind], form)
    if not form.positional():
        same(sorted(names), sorted(others), "names")
        place = [others.index(n) for n in names]
        same(rows, [[row[p] for p in place] for row in got], "permuted")


def draw_arrival(r):
    case = draw_case(r, "arrival", kinds=KINDS, groups=r.random() < .3, named=False)
    more = r.choice([[], [], ["--report"], ["--to", "jsonl"], ["--to", "csv"], ["--gaps", "error"],
                     ["--report", "json"]])
    if case.form.kind == "bvh" and more[:1] == ["--to"]:
        more = []
    case.options.append(Option("more", *more))
    if r.random() < .5:
        case.options.append(Option("verbose", "--verbose"))
    fault = None
    if r.random() < .35:  # a fault somewhere
        fault = (r.random(), bytes([r.choice(b'",x\n{}-5e\r\0[]')]), r.randint(0, 1))
    if case.form.kind == "au":  # where one is cut short, a file tells it before any output, and a pipe after it
        fault = None
    case.p.update(fault=fault, pieces=r.sample(PIECES, 2), long=r.random() < .05 and case.form.kind not in MARKERS)
    return case


def law_arrival(case, run):
    """A file, a pipe and pieces of a pipe give the same bytes, status and messages."""
    kind = case.form.kind
    data = case.form.write(case.series.repeat(3000) if case.p["long"] else case.series)
    fault = case.p["fault"]
    if fault and data:
        at = int(fault[0] * len(data))
        data = data[:at] + fault[1] + data[at + fault[2]:]
    name = run.file("in.bin", data)
    words = case.words() + ["--from", kind]
    status, out, err = run.run(words + [name])
    base = len(run.said)
    for piece in case.p["pieces"]:
        if len(data) > 3000 * piece:  # takes long
            continue
        run.said[base:] = []
        got = run.run(words, piece, name)
        if b"is too high for" in err + got[2]:  # --cutoff is compared with the rate of the rows that have come
            continue
        same(str(status), str(got[0]), "status in pieces")
        named = (b"(standard input)", b"in.bin")
        same(out.replace(*named), got[1].replace(*named), "bytes in pieces")
        told = [err, got[2]]
        same(told[0].replace(*named), told[1].replace(*named), "messages in pieces")


def draw_places(r):
    case = draw_case(r, "places", kinds=KINDS, groups=r.random() < .2, named=False, deny=("derivatives", "digits"))
    derivatives = "0" if case.form.kind in MOTION + STORED or case.form.kind == "au" else r.choice("012")
    case.options.append(Option("derivatives", "--derivatives", derivatives))
    if case.form.kind not in ("au",) + STORED:
        case.options.append(Option("digits", *r.choice([["--decimals", "input"], ["--decimals", "9"]])))
    case.p["way"] = r.choice(["-j", "-o", "dir", "options"] + ["place"] * ("--predict" not in case.words()))
    case.p["long"] = r.random() < .1 and case.form.kind in TEXT + ("sto",)
    return case


def law_places(case, run):
    """One thread and two, all ways to name the output, and options from a file give the same bytes."""
    kind, way, s = case.form.kind, case.p["way"], case.series
    s = s.repeat(3000) if case.p["long"] else s  # more than a block
    suffix = case.form.suffix()
    name = run.file("in." + suffix, case.form.write(s))
    words = case.words()
    want = run.good(words + ["-j", "1", name])
    if way == "-j" or case.p["long"]:
        same(want, run.good(words + ["-j", "2", name]), "two threads")
        return
    if way == "options":
        run.file("options.txt", ("# settings\n" + shlex.join(words[1:]) + "\n").encode())
        same(want, run.good([words[0], "--options", "options.txt", name]), "--options")
        return
    if way == "-o":
        out = run.file("one." + suffix, b"")
        run.good(words + ["-o", out, name])
    elif way == "dir":
        out = "dir/" + name
        run.good(words + ["--output-dir", "dir", "--force", name])
    else:
        out = run.file("place." + suffix, case.form.write(s))
        audio = kind == "au"
        if audio:  # metadata may be lost
            status, _, err = run.run(words + ["--in-place", out])
            if status != 2 or b"metadata of AU may be lost" not in err or run.read(out) != case.form.write(s):
                raise Failed("metadata is lost in place", err.decode())
        run.good(words + ["--in-place", out] + (["--force"] if audio else []))
    got = run.read(out)
    if kind == "au":  # standard output is not told how long it will be
        want, got = want[:8] + want[12:], got[:8] + got[12:]
    same(want, got, way)


def draw_mirror(r):
    # A rotation that is more than half a turn behind has no shorter way, so there is no law for it.
    return draw_case(r, "mirror", LINEAR, gaps=False, steps=(1, 10, 17, 250), calm=True, turn=.03,
                     deny=("zero", "auto", "digits", "despike", "mask", "resample", "max-gap", "start", "period",
                           "measured", "predict"))


def law_mirror(case, run):
    """--zero-phase: the reversed series gives the reversed result, its velocity with the other sign."""
    s, form, kind = case.series, case.form, case.form.kind
    end = s.rows[0].time + s.rows[-1].time
    words = case.words() + ["--zero-phase", "--to", "csv"]
    turned = any(b.kind == "quaternion" or b.kind == "euler" and case.has("rotations") for b in s.bundles)
    if "pole-zero" in words and turned:
        raise Refused  # the approximation rings at uneven steps: rotations make whole turns, and their rounding grows
    run.file("in." + kind, form.write(s))
    run.file("back." + kind, form.write(s.with_rows(x.change(time=end - x.time) for x in reversed(s.rows))))
    names, rows = numbers(run.table(words + ["in." + kind], form))
    _, got = numbers(run.table(words + ["back." + kind], form))

    def plain(name, x):
        """Angles may be whole turns apart, as they are unwrapped from the other end; q and -q are one rotation."""
        name = name.replace("deep.", "")
        return math.cos(math.radians(x)) if name in ("yaw", "e_z", "e_x", "e_y") else abs(x) if name in (
            "q_w", "q_x", "q_y", "q_z") else x

    rows = [[plain(n, x) for n, x in zip(names, row)] for row in rows]
    got = [[-x if "_vel" in n else plain(n, x) for n, x in zip(names, row)] for row in reversed(got)]
    size = max([1] + [abs(x) for row in rows for x in row])
    if turned and size > 3e5:
        raise Refused  # a filter that hardly damps turns rotations by whole turns, and their rounding grows
    close([[x / size for x in row] for row in rows], [[x / size for x in row] for row in got], 1e-6, "mirrored", 1e-3)


def draw_resample(r):
    return draw_case(r, "resample", gaps=False, even=True, plain_time=True, part=r.choice([1, 2, 5]),
                     deny=("resample", "zero", "auto", "despike", "mask", "measured", "group", "digits", "cuts"))


def law_resample(case, run):
    """--resample at the rows' own rate, or a whole part of it, equals plain filtering, of which these rows are printed."""
    kind, part, form = case.form.kind, case.p["part"], case.form
    run.file("in." + kind, form.write(case.series))
    words = case.words() + ["--to", "csv"]
    names, want = numbers(run.table(words + ["in." + kind], form))
    got = numbers(run.table(words + ["--resample", "%d" % (100 // part), "in." + kind], form))
    same(names, got[0], "names")
    same(want[::part], got[1], "resampled")


TINY = 10**30


def draw_range(r):
    n = r.choice([2, 3, 6, 20])
    series = draw_series(r, False, False, [], True, True, r.randint(1, 2))
    low, high = sorted((r.choice([0, -30, r.randint(-30, 30)]), r.choice([0, 30, r.randint(-30, 30)])))
    at, rows = 0, []
    for i in range(n):
        # Times in units of 1e-30 s, so that a small step beside a large time is exact; some at most 1e15 apart.
        rows.append(Row(i, at, "", 0, [round(r.choice([r.gauss(0, 10), r.choice([0, 1, -1])]), 3) for _ in series.names()]))
        at += r.choice([0, int(r.uniform(1, 10) * 10 ** r.uniform(low, high) * TINY)]) if r.random() < .9 else 10**60
    name = r.choice(["damper", "critical", "double"])
    options = [Option("own", "--hold", "linear")] if r.random() < .5 else []
    return Case("range", series.with_rows(rows), Form("csv"), name, ["--halflife", "%.3g" % 10 ** r.uniform(-9, 9)], options,
                zero=False)


def law_range(case, run):
    """Damper, critical and double stay within the range of the input, whatever the half-life and the steps."""
    s = case.series
    lines = [",".join(s.columns())]
    for x in s.rows:
        lines.append("%d.%030d,%s" % (x.time // TINY, x.time % TINY, ",".join(repr(float(v)) for v in x.values)))
    run.file("in.csv", ("\n".join(lines) + "\n").encode())
    names, rows = numbers(run.table(case.words() + ["in.csv"]), 1)
    for c in range(len(s.names())):
        column = [x.values[c] for x in s.rows]
        low, high = min(column), max(column)
        room = 1e-9 * (high - low)
        for i, row in enumerate(rows):
            if not low - room <= row[c] <= high + room:
                raise Failed("out of range", "row %d, %s: %r is outside %r to %r" % (i + 1, names[c], row[c], low, high))
            if not all(math.isfinite(x) for x in row):
                raise Failed("not finite", "row %d: %r" % (i + 1, row))
