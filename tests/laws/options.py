"""Laws of single options."""
import json
import math
import re

from .command_lines import BRIDGING, FILTERS, OTHER_UNIT, PREDICTING, Case, Option, draw_case, draw_form
from .forms import TEXT, Form
from .runs import Failed, Refused, close, numbers, read_table, same
from .series import Row, draw_series, uniform, unit_vector


def draw_mask(r):
    case = draw_case(r, "mask", [n for n in FILTERS if n != "resonance"], deny=("mask", "digits"),
                     bundles=["confidence"] * 8, groups=r.random() < .2)
    s = case.series
    if s.of("confidence"):
        at = s.names().index("likely")
        case.series = s.with_rows(x.change(values=[.5 if x is s.rows[0] and k == at else v for k, v in enumerate(x.values)])
                                  for x in s.rows)
    return case


def law_mask(case, run):
    """Masked cells are empty cells."""
    s, form, kind = case.series, case.form, case.form.kind
    if not s.of("confidence"):
        return
    at = s.names().index("likely")
    keep = [b.copied for b in s.bundles for _ in b.names]
    empty = s.with_rows(x.change(values=[None if x.values[at] < .3 and not keep[c] else v for c, v in enumerate(x.values)])
                        for x in s.rows)
    run.file("in." + kind, form.write(s))
    run.file("empty." + kind, form.write(empty))
    mask = case.word(("%s:%s<0.3", s.names(False), ["likely"]), s, form)
    got = numbers(run.table(case.words() + ["--mask", mask, "--to", "csv", "in." + kind], form))[1]
    close(got, numbers(run.table(case.words() + ["--to", "csv", "empty." + kind], form))[1], 0, "masked")


def draw_spikes(r):
    return draw_case(r, "spikes", deny=("despike",), groups=r.random() < .2, kinds=TEXT)


def stands_still(series, rows=4):
    """Does a channel of a group keep its value over so many rows?"""
    for channel in range(len(series.rows[0].values) if series.rows else 0):
        last = {}  # of each group: the last value, and how many rows have had it
        for row in series.rows:
            value = row.values[channel]
            before, n = last.get(row.group, (None, 0))
            if value is not None:
                last[row.group] = (value, n + 1 if value == before else 1)
            if last.get(row.group, (None, 0))[1] >= rows:
                return True
    return False


def law_spikes(case, run):
    """A threshold that nothing passes changes nothing."""
    form, kind = case.form, case.form.kind
    if stands_still(case.series):
        raise Refused  # the scale is 0 there, and what rounding does not explain stands out at any threshold
    run.file("in." + kind, form.write(case.series))
    want = run.good(case.words() + ["in." + kind])
    same(want, run.good(case.words() + ["--despike", "1e30", "in." + kind]), "--despike 1e30")


def draw_filled(r):
    s = draw_series(r, True, r.random() < .3, ["angle"], steps=(1, 10, 17, 250))
    case = Case("filled", s, draw_form(r, s), "tracking", ["--gaps", r.choice(BRIDGING)], [])
    if any(x.group for x in s.rows):
        case.options.append(Option("group", "--group-by", ("%s", ["group"])))
    if r.random() < .5:
        case.options.append(Option("max-gap", "--max-gap", r.choice(["2rows", "1rows", "0.05"])))
    return case


def law_filled(case, run):
    """Filling gaps leaves valid cells as they are; without a limit only gaps at the ends are left."""
    s, form, kind = case.series, case.form, case.form.kind
    run.file("in." + kind, form.write(s))
    rows = numbers(run.table(case.words() + ["--derivatives", "0", "--to", "csv", "in." + kind], form))[1]
    for i, (x, row) in enumerate(zip(s.rows, rows)):
        for c, v in enumerate(x.values):
            if v is not None and row[c] != v:
                raise Failed("a valid cell changed", "row %d: %r was %r" % (i + 1, row[c], v))
            mine = [(k, y.values[c] is not None) for k, y in enumerate(s.rows) if y.group == x.group or not case.has("group")]
            inside = any(k < i and known for k, known in mine) and any(k > i and known for k, known in mine)
            if v is None and row[c] is None and inside and not case.has("max-gap"):
                raise Failed("a gap is left", "row %d" % (i + 1))


def draw_predict(r):
    # Of several rows at one time the first one counts, and is what the others predict from.
    case = draw_case(r, "predict", PREDICTING, gaps=False, rates=False, kinds=("csv", "tsv", "jsonl"), steps=(1, 10, 17, 250),
                     bundles=["angle", "quaternion", "confidence", "vector"],
                     deny=("predict", "zero", "resample", "auto", "measured", "derivatives", "digits", "detect", "despike",
                           "cuts", "mask"),
                     seconds=r.choice(["0.001", "0.05", "1", "30"]), row=r.random())
    case.options = [o for o in case.options if "--method" not in o.words and "--approx" not in o.words]
    if "--method" in case.core or "--cutoff" in case.core or any("cutoff=" in w[0] for o in case.options for w in o.words):
        return draw_predict(r)  # these do not predict, or with the speed of another time step
    return case


def law_predict(case, run):
    """A prediction is what one more row prints; it changes no other column."""
    s, form, kind = case.series, case.form, case.form.kind
    at, S = int(case.p["row"] * len(s.rows)), case.p["seconds"]
    run.file("in." + kind, form.write(s))
    words = case.words() + ["--to", "csv"]
    names, rows = run.table(words + ["--predict", S, "in." + kind], form)
    predicted = [n for n in names if "@" in n]
    plain, want = run.table(words + ["in." + kind], form)
    same(plain, [n for n in names if n not in predicted], "names without predictions")
    same(want, [[x for n, x in zip(names, row) if n not in predicted] for row in rows], "predictions change others")
    last = s.rows[at]
    more = last.change(id=len(s.rows), time=last.time + round(1000 * float(S)), cut=0)
    run.file("more." + kind, form.write(s.with_rows(s.rows[:at + 1] + [more])))
    later, after = numbers(run.table(words + ["more." + kind], form))
    got, want = {}, {}
    for n, x in zip(names, rows[at]):
        base, _, _ = n.partition("@")
        if n in predicted:
            turns = re.fullmatch(r"(deep\.)?q_[wxyz]", base)  # q and -q are one rotation
            want[n], got[n] = (abs(v) if turns else v for v in (after[-1][later.index(base)], float(x)))
    sizes = [max([1] + [abs(x) for x in column if x is not None]) for column in zip(*after)]
    size = {n: sizes[later.index(n.partition("@")[0])] for n in predicted}
    close([[got[n] / size[n] for n in predicted]], [[want[n] / size[n] for n in predicted]], 1e-9, "predicted", 1)


def draw_report(r):
    case = draw_case(r, "report", [n for n in FILTERS if n not in OTHER_UNIT], kinds=("csv", "tsv", "jsonl"),
                     bundles=["confidence"], rates=False, groups=r.random() < .3, seconds=None,
                     deny=("resample", "digits", "derivatives", "predict", "despike", "mask"))
    # What is filled is a value of the input for the report.
    case.options = [o for o in case.options if o.tag != "gaps" or o.words[-1] not in BRIDGING]
    return case


def law_report(case, run):
    """The report is that of the numbers, and changes no byte."""
    s, form, kind = case.series, case.form, case.form.kind
    name = run.file("in." + kind, form.write(s))
    words = case.words() + ["--to", "csv"]
    want = run.good(words + [name])
    same(want, run.good(words + ["--report", "json", name]), "bytes with a report")
    run.good(words + ["--report", "json", "--verbose", "-o", "out.csv", name])
    status, text, _ = run.run(words + ["--report", "json", "-o", "again.csv", name])
    report = json.loads(text)
    names, rows = numbers(read_table(want, form))
    columns = dict(zip(names, zip(*rows)))
    if report["rows"] != len(s.rows):
        raise Failed("rows of the report", "%r" % report["rows"])
    for channel in report["channels"]:
        base = channel["channel"]
        before = [x.values[names.index(base)] for x in s.rows]
        after = columns[base]
        change = [abs(p - q) for p, q in zip(before, after) if p is not None and q is not None]
        velocity = [abs(x or 0) for x in columns.get(base + "_vel", [])]
        told = channel["change"]
        if change:
            size = max(abs(x) for x in before + list(after) if x is not None)
            for what, mine, its in (("largest", max(change), told["largest"]),
                                    ("rms", math.sqrt(sum(x * x for x in change) / len(change)), told["rms"])):
                if not abs(mine - its) <= 1e-5 * mine + 1e-12 * size:
                    raise Failed(what + " of the report", "%s: %r, and of the numbers %r" % (base, its, mine))
        if velocity and not abs(max(velocity) - (channel["velocity"] or 0)) <= 1e-5 * max(velocity):
            raise Failed("velocity of the report", "%s: %r, and of the numbers %r" % (base, channel["velocity"], max(velocity)))


def draw_auto(r):
    case = draw_case(r, "auto", ("butterworth",), gaps=r.random() < .3, rates=False, steps=(1, 10, 17, 250),
                     bundles=["confidence", "vector"], factor=r.choice([2, -1, .125, -16]),
                     deny=("zero", "digits", "measured", "despike", "mask", "resample", "start", "predict"))
    if len(case.series.rows) < 40:
        return draw_auto(r)
    # Of many decimals: the decimals that numbers show belong to what tells spikes, and change with the unit.
    case.series = case.series.map(lambda i, c, x: x * math.pi / 3)
    case.core = ["--cutoff", "auto"]
    case.options.append(Option("zero", "--zero-phase"))
    return case


def law_auto(case, run):
    """The cutoff that is chosen does not depend on the unit of the values."""
    s, form, kind = case.series, case.form, case.form.kind
    factor, flags = case.p["factor"], [not b.copied for b in s.bundles for _ in b.names]
    words = case.words() + ["--to", "csv"]
    run.file("in." + kind, form.write(s))
    run.file("other." + kind, form.write(s.map(lambda i, c, x: x * factor)))
    flags += [True] * 1000
    plain = run.good(words + ["in." + kind])
    want = [[x if x is None or not f else x * factor for f, x in zip(flags, row)]
            for row in numbers(read_table(plain, form))[1]]
    close(numbers(run.table(words + ["other." + kind], form))[1], want, 1e-9, "auto, scaled", 1e-9)


def draw_scaled(r):
    name = r.choice(["velocity", "tracking", "one-euro", "timed"])
    case = draw_case(r, "scaled", (name,), bundles=["confidence", "vector"], factor=r.choice([2, .125, 16]),
                     deny=("digits", "limit", "detect", "despike", "mask", "start", "predict"))
    size = uniform(r, .1, 100)
    words = {"velocity": ["--speed", size], "tracking": ["--max-velocity", size], "one-euro": ["--beta", size]}.get(name, [])
    if name == "velocity":
        at = case.core.index("--speed")
        case.core = case.core[:at] + case.core[at + 2:]
    case.options = [o for o in case.options if "--beta" not in o.words] + [Option("size", *words)] * bool(words)
    return case


def law_scaled(case, run):
    """Values in another unit, with speeds in this unit, give the output in this unit."""
    s, form, kind, factor = case.series, case.form, case.form.kind, case.p["factor"]
    flags = [not b.copied for b in s.bundles for _ in b.names] + [True] * 1000
    run.file("in." + kind, form.write(s))
    run.file("other." + kind, form.write(s.map(lambda i, c, x: x * factor)))
    want = numbers(run.table(case.words() + ["--to", "csv", "in." + kind], form))[1]
    want = [[x if x is None or not f else x * factor for f, x in zip(flags, row)] for row in want]
    by = 1 / factor if case.filter == "one-euro" else factor
    other = case.change(options=[Option("size", o.words[0], repr(float(o.words[1]) * by)) if o.tag == "size" else o
                                 for o in case.options])
    close(numbers(run.table(other.words() + ["--to", "csv", "other." + kind], form))[1], want, 1e-9, "scaled", 1e-9)


def draw_turned(r):
    names = ["velocity", "timed", "tracking", "tracking", "inertialize", "critical", "second-order", "spring"]
    case = draw_case(r, "turned", names, bundles=["vector"] * 12 + ["confidence"], kinds=("csv", "jsonl"), rates=False,
                     deny=("digits", "zero", "auto", "vectors", "predict"), groups=r.random() < .2)
    if not case.series.of("vector"):
        return draw_turned(r)
    case.options = [o for o in case.options if o.words[-1] != "2.5" or "--despike" in o.words]  # no vector, but a number for each component
    case.options.append(Option("vectors", "--vectors", ("%s", case.series.of("vector")[0])))
    n = len(case.series.of("vector")[0].names)
    case.p["matrices"] = [random_turn(r, n), random_turn(r, n)]
    if r.random() < .3:
        axes = r.sample(range(n), n)
        case.p["matrices"] = [[[float(i == k) for k in range(n)] for i in range(n)],
                              [[r.choice([-1.0, 1.0]) * (axes[i] == k) for k in range(n)] for i in range(n)]]
    return case


def random_turn(r, n):
    """An orthogonal matrix: rows at right angles to each other."""
    rows = []
    while len(rows) < n:
        v = unit_vector(r, n)
        for row in rows:
            along = sum(p * q for p, q in zip(v, row))
            v = [p - along * q for p, q in zip(v, row)]
        size = math.sqrt(sum(p * p for p in v))
        if size > .1:
            rows.append([p / size for p in v])
    return rows


def turn(matrix, v):
    return [None] * len(v) if None in v else [sum(p * q for p, q in zip(row, v)) for row in matrix]


def law_turned(case, run):
    """--vectors: turned input gives turned output."""
    if not case.has("vectors"):
        return
    if "gain" in case.words():  # a step 1000 times the last one makes 1000 times of a rounding in the velocity
        return
    s, form, kind = case.series, case.form, case.form.kind
    at = s.names().index("v_x")
    n = len(s.of("vector")[0].names)
    tables = []
    for k, matrix in enumerate(case.p["matrices"]):
        turned = s.with_rows(x.change(values=x.values[:at] + turn(matrix, x.values[at:at + n]) + x.values[at + n:])
                             for x in s.rows)
        name = run.file("turned%d.%s" % (k, kind), form.write(turned))
        names, rows = numbers(run.table(case.words() + ["--to", "csv", name], form))
        back = [list(column) for column in zip(*matrix)]
        places = [i for i, x in enumerate(names) if re.fullmatch(r"(deep\.)?v_[xyz](_vel|_acc)?", x)]
        for end in ("", "_vel", "_acc"):
            mine = [i for i in places if names[i].replace("deep.", "")[3:] == end]
            for row in rows:
                for i, x in zip(mine, turn(back, [row[i] for i in mine])):
                    row[i] = x
        tables.append([[x for i, x in enumerate(row) if i in places] for row in rows])
    size = max([1] + [abs(x) for row in tables[0] for x in row if x is not None])
    close(*([[x if x is None else x / size for x in row] for row in table] for table in tables), 1e-7, "turned", 1e-2)


def draw_untouched(r):
    return draw_case(r, "untouched", [n for n in FILTERS if n not in OTHER_UNIT], kinds=("csv", "tsv"),
                     groups=r.random() < .3, named=False, deny=("resample", "digits"))


def law_untouched(case, run):
    """The head, cells of columns that are not filtered, and those of values that stay keep their bytes."""
    s, form, kind = case.series, case.form, case.form.kind
    if form.delimiter == "blanks":  # a cell keeps its width
        return
    data = form.write(s)
    out = run.good(case.words() + [run.file("in." + kind, data)])
    before, after = (text.decode("utf-8-sig").split(form.eol) for text in (data, out))
    same(data[:3] == b"\xef\xbb\xbf", out[:3] == b"\xef\xbb\xbf", "byte order mark")
    cells = re.compile(r'("(?:[^"]|"")*"|[^%s]*)(?:%s|$)' % ((re.escape(form.between()),) * 2))
    same(len(before) - (not form.last), len(after) - (not out.decode().endswith(form.eol)), "lines")
    flags = [True] * (len(s.columns()) - len(s.names())) + [b.copied for b in s.bundles for _ in b.names]
    head = form.comments + form.header
    for i, (a, b) in enumerate(zip(before, after)):
        if i < head:
            same(a, b[:len(a)], "the head")
            continue
        row, got = cells.findall(a), cells.findall(b)
        for c, (x, y) in enumerate(zip(row[:len(flags)], got)):
            if x != y and (flags[c] or plain(x, form) is not None and plain(x, form) == plain(y, form)):
                raise Failed("a cell changed", "line %d, cell %d: %r to %r" % (i + 1, c + 1, x, y))


def plain(cell, form):
    """The number in a cell as it stands, or None."""
    text = cell.strip().strip('"').replace(form.decimal, ".").lower()
    return None if text in ("", "nan", "na", "null", "-", "-999") else float(text)
