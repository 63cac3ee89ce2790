"""Laws of formats: the same series in two formats gives the same numbers, and comes back."""
import ast
import struct

from .command_lines import FILTERS, draw_case
from .forms import EVEN, KINDS, MOTION, STORED, TEXT, Form, draw_form, parts
from .runs import Failed, Refused, close, number, numbers, read_table, same
from .series import uniform



def draw_formats(r):
    case = draw_case(r, "formats", groups=r.random() < .3, named=False)
    case.options = [o for o in case.options if o.tag != "digits" or o.words[-1] in ("7", "17")]
    case.p["other"] = draw_form(r, case.series, TEXT, False, plain_time=case.has("resample"))
    return case


def law_formats(case, run):
    """csv, tsv, json in all layouts, and json lines give the same numbers."""
    s = case.series
    tables = []
    for name, form in (("in", case.form), ("other", case.p["other"])):
        run.file("%s.%s" % (name, form.kind), form.write(s))
        words = case.words(s, form) + ["--to", "csv", "%s.%s" % (name, form.kind)]
        if "--quaternions" not in words:  # by names alone four columns are a rotation, and not in all layouts
            words += ["--quaternions", "none"]
        out = run.good(words)
        header = not (form.kind in ("json",) and form.layout == "arrays")
        table = read_table(out, form if form.kind in ("csv", "tsv") else Form("csv", header=header))
        columns = len(s.columns())
        # --to csv of nested members and columns of objects keeps their order; all numbers count.
        tables.append([[number(x) for x in row[3:columns]] + sorted_numbers(row[columns:]) for row in table[1]])
    close(tables[0], tables[1], 0, "formats")


def sorted_numbers(cells):
    return sorted((number(x) for x in cells), key=lambda x: (x is None, x or 0))


def draw_audio(r):
    case = draw_case(r, "audio", [n for n in FILTERS if n != "resonance"], kinds=("au",), deny=("resample", "digits"))
    case.options = [o for o in case.options if o.tag != "cuts"]
    return case


def law_audio(case, run):
    """Samples of floats and doubles, and their output as samples, equal numbers in csv."""
    s, form = case.series, case.form
    run.file("in.au", form.write(s))
    plain = Form("csv", rate=form.rate)
    run.file("in.csv", plain.write(s))

    def words(f):
        return case.words(s, f, without=("mask",)) + ["--derivatives", "0"]

    _, want = numbers(run.table(words(plain) + ["in.csv"]), 1)
    got = run.table(words(form) + ["--to", "csv", "in.au"])
    close(numbers(got, 1)[1], want, 0, "csv from au")
    out = run.good(words(form) + ["-o", "-", "in.au"])
    data = out[struct.unpack(">I", out[4:8])[0]:]
    n = struct.unpack(">I", out[20:24])[0]
    # The samples have the type of the input's: encoding 6 is float, 7 is double.
    letter, size = ("f", 4) if struct.unpack(">I", out[12:16])[0] == 6 else ("d", 8)
    kind = ">%d" + letter
    if len(s.rows) * n * size > len(data):
        raise Failed("au is short", "%d bytes" % len(data))
    samples = struct.unpack(kind % (len(s.rows) * n), data[:len(s.rows) * n * size])
    single = [list(struct.unpack(kind % n, struct.pack(kind % n, *row))) for row in want]
    close([list(samples[i:i + n]) for i in range(0, len(samples), n)], single, 0, "au")


def draw_array(r):
    return draw_case(r, "array", kinds=("csv",), flat=True, plain_time=True, rates=False, steps=(1, 10, 17, 250),
                     deny=("digits",))


def law_array(case, run):
    """An array of .npy has the numbers of csv, in the same columns, and they come back."""
    run.file("in.csv", case.form.write(case.series))
    words = case.words() + ["--derivatives", "1", "in.csv"]
    _, want = numbers(run.table(words, case.form), 0)
    run.good(words + ["-o", "out.npy"])
    data = run.read("out.npy")
    end = 10 + struct.unpack("<H", data[8:10])[0]
    head = ast.literal_eval(data[10:end].decode().strip())
    n, width = head["shape"]
    flat = [None if x != x else x for x in struct.unpack("<%dd" % (n * width), data[end:])]
    close([flat[i:i + width] for i in range(0, n * width, width)], want, 0, "npy")
    copy = ["damper", "--method", "lerp", "--factor", "1", "--derivatives", "0", "--time", "1", "--time-unit", "s"]
    back = run.table(copy + ["--to", "csv", "out.npy"], Form("csv", header=False))
    close(numbers(back, 0)[1], want, 0, "csv from npy")


def draw_motion(r):
    return draw_case(r, "motion", kinds=[k for k in MOTION if k != "bvh"], deny=("resample", "mask", "digits", "cuts"))


def law_motion(case, run):
    """Files of motion capture give the numbers of the same series in csv, which knows no vectors."""
    s, form = case.series, case.form
    name = run.file("in." + form.suffix(), form.write(s))
    run.file("in.csv", Form("csv").write(s))
    more = ["--derivatives", "0", "--vectors", "none"]
    _, want = numbers(run.table(case.words(s, Form("csv")) + more + ["in.csv"]), 1)
    got = run.table(case.words() + more + ["--to", "csv", name])
    made = form.kind == "qualisys" and form.layout != "times"  # times of a rate: their steps are rounded in another way
    close(numbers(got, 2 if form.kind == "trc" or form.layout == "times" else 1)[1], want, 1e-9 if made else 0, form.kind, 1)


def draw_stored(r):
    # Small turns: a rotation half a turn behind, or angles at a quarter turn, make much of a rounding.
    return draw_case(r, "stored", kinds=STORED, steps=(1, 10, 17, 250), turn=.03, deny=(
        "resample", "mask", "digits", "cuts", "detect", "auto", "despike", "max-gap",
        "derivatives"))


def law_stored(case, run):
    """Files of samples give the numbers of the same series in csv, and hold these numbers afterwards."""
    s, form, kind = case.series, case.form, case.form.kind
    if kind == "fbx" and len(s.rows) < 3:
        raise Refused
    turned = s.of("quaternion") or s.of("euler")
    if turned and "gain" in case.words():  # a step 1000 times the last one makes 1000 times of a rounding in the velocity
        raise Refused
    name = run.file("in." + kind, form.write(s))
    plain = Form("csv", single=kind == "glb")
    run.file("in.csv", plain.write(s))
    words = case.words(s, plain)
    words += ["--quaternions", "q"] if s.of("quaternion") and not case.has("known") else []
    if s.of("euler"):
        words += ["--angles", "e_*"] if case.has("known") else ["--rotations", "e:ZXY"]
    want = numbers(run.table(words + ["--derivatives", "0", "in.csv"]), 1)[1]
    places = [at + k for at, _, order in parts(s, "quaternion" if kind == "glb" else "euler", "xyzw" if kind == "glb" else "xyz")
              for k in order]
    want = [[row[p] for p in places] for row in want]
    alone = ["--vectors", "none"]  # csv knows no vectors, which are missing as a whole
    got = numbers(run.table(case.words() + alone + ["--derivatives", "0", "--to", "csv", name]), 1)[1]
    # A quaternion whose length is 1 in the precision of floats is printed with length 1 in csv, and kept in glb. Angles whose
    # second one is near a quarter turn have half of the digits.
    # Method gain multiplies their errors again. With --zero-phase the rounding to floats counts as noise, by which the values at
    # the ends are chosen.
    digits = 1e-3 if "gain" in words else 1e-6
    if "--zero-phase" in words:
        digits = 1e-2
    close(got, want, digits if turned or "--zero-phase" in words else 1e-9, "csv from " + kind, 1)
    run.good(case.words() + alone + ["-o", "out." + kind, name])
    copy = ["damper", "--method", "lerp", "--factor", "1", "--derivatives", "0", "--rotations", "none", "--quaternions", "none"]
    copy += alone
    stored = numbers(run.table(copy + ["--to", "csv", "out." + kind]), 1)[1]
    if kind == "glb" and s.of("quaternion"):
        turn_signs(stored, want)
    close(stored, want, digits, "stored in " + kind, 1e-9)


def turn_signs(rows, like):
    """Of both quaternions that are a rotation, in the last four numbers, takes that of the other rows: glb keeps the sign of
    its input."""
    for row, other in zip(rows, like):
        a, b = row[-4:], other[-4:]
        if None not in a and None not in b and sum(x * y for x, y in zip(a, b)) < 0:
            row[-4:] = [-x for x in a]


def draw_column(r):
    case = draw_case(r, "column", ("critical",), kinds=KINDS + STORED, groups=False, deny=("cuts",))
    case.options = []
    case.core = ["--halflife", uniform(r, .01, 1)]
    case.p["rate"] = r.choice([[], ["--rate", "50"]]) if case.form.rate is None else []
    return case


def law_column(case, run):
    """A column by its name and by its position is the same column; filtered alone it has the numbers that it has among others,
    and the others keep theirs. Times are no channels."""
    s, form = case.series, case.form
    if form.kind == "fbx" and len(s.rows) < 3:
        raise Refused
    if any(a.time == b.time for a, b in zip(s.rows, s.rows[1:])):  # rows of one sample print its result
        raise Refused
    name = run.file("in." + form.suffix(), form.write(s))
    more = ["--derivatives", "0", "--to", "csv"]
    more += ["--rotations", "none", "--quaternions", "none", "--vectors", "none"] + case.p["rate"]
    reading = form.words(s) if form.kind in TEXT else []
    status, out, _ = run.run(["critical"] + case.core + reading + more + [name])
    if status:
        raise Refused
    names, every = read_table(out, form)
    copy = read_table(run.good(["tracking", "--gaps", "restart"] + reading + more + [name]), form)[1]
    for c, column in enumerate(names):
        if "," in column:
            column = '"%s"' % column if '"' not in column else str(c + 1)
        place = c if form.kind == "au" else c + 1  # that of a channel is its number
        by_place = run.run(["critical"] + case.core + reading + more + ["-c", str(place), name])
        by_name = run.run(["critical"] + case.core + reading + more + ["-c", column, name])
        for way in (by_place, by_name):
            if way[0] not in (0, 2):
                raise Failed("status %d of a column alone" % way[0], "column %d: %s" % (c + 1, way[2].decode()))
        if by_place[0] != by_name[0] or by_place[1] != by_name[1]:
            raise Failed("by name and by position", "column %d, %r: %s" % (
                c + 1, names[c], (by_place[2] + by_name[2]).decode()))
        made = form.kind in STORED + ("au", "bvh") or form.kind == "qualisys" and form.layout != "times"
        timed = names[c] == "time" and made
        if timed and by_place[0] == 0:
            raise Failed("the time is a channel")
        if by_place[0]:
            continue
        alone = read_table(by_place[1], form)[1]
        for k in range(len(names)):
            got, was, want = ([value(row[k]) for row in table] for table in (alone, copy, every))
            filtered = was != want  # else it is no channel unless it is named
            if got != (want if k == c and filtered else was) and (k != c or filtered):
                i = next(i for i in range(len(got)) if got[i] != (want if k == c else was)[i])
                raise Failed("a column alone", "row %d, column %d: %r" % (i + 1, k + 1, got[i]))


def value(cell):
    """The number in a cell, or the text."""
    try:
        return number(cell)
    except ValueError:
        return cell


def draw_rates(r):
    case = draw_case(r, "rates", kinds=KINDS, plain_time=True, steps=(1, 10, 17, 250))
    case.options = []
    return case


def law_rates(case, run):
    """A file agrees with itself, and not with one of the same numbers whose rows are at other times."""
    s, form = case.series, case.form
    s = s.shift(-s.rows[0].time)
    if form.kind == "fbx" and len(s.rows) < 3:
        raise Refused
    name = run.file("in." + form.suffix(), form.write(s))
    slow = form.change(hz=50, rate=form.rate and str(int(form.rate) // 2)) if form.kind in EVEN else form
    run.file("slow." + form.suffix(), slow.write(s.with_rows(x.change(time=2 * x.time) for x in s.rows)))
    words = form.words(s) if form.kind in TEXT else []
    status, out, err = run.run(["diff"] + words + [name, name])
    if status:
        raise Failed("diff status %d with itself" % status, (out + err).decode())
    status, out, err = run.run(["diff"] + words + [name, "slow." + form.suffix()])
    want = int(len(s.rows) > 1)
    if status != want:
        raise Failed("diff status %d with another rate" % status, (out + err).decode())


def draw_diff(r):
    case = draw_case(r, "diff", groups=r.random() < .3, column=r.random())
    case.options = []
    case.p["other"] = draw_form(r, case.series).change(unit=case.form.unit, name=case.form.name, said=(), layout="records",
                                                      decimal=case.form.decimal, missing=case.form.missing)
    case.form.said = ()
    return case


def law_diff(case, run):
    """A series differs from itself in nothing, and from another in something."""
    s, form = case.series, case.form.change(layout="records")
    form = form.change(missing=(), delimiter=None, decimal=".", comments=0)
    other = case.p["other"].change(missing=(), delimiter=None, decimal=".", comments=0)
    run.file("in." + form.kind, form.write(s))
    run.file("other." + other.kind, other.write(s))
    for name in ("in." + form.kind, "other." + other.kind):
        status, out, err = run.run(["diff", "--rel", "0", "in." + form.kind, name])
        if status:
            raise Failed("diff status %d" % status, (out + err).decode())
    c = int(case.p["column"] * len(s.names()))
    if all(x.values[c] is None for x in s.rows):
        return
    changed = s.with_rows(x.change(values=[v + 1 if k == c and v is not None else v for k, v in enumerate(x.values)])
                          for x in s.rows)
    run.file("third." + other.kind, other.write(changed))
    status, _, _ = run.run(["diff", "in." + form.kind, "third." + other.kind])
    if status != 1:
        raise Failed("diff status %d where they differ" % status)


def draw_back(r):
    return draw_case(r, "back", groups=r.random() < .3, steps=(1, 10, 17, 250), named=False,
                     deny=("digits", "resample"))


def law_back(case, run):
    """--to csv and back: the same numbers; and the csv filtered gives what the series filtered gives."""
    s, form, kind = case.series, case.form, case.form.kind
    name = "in." + kind
    run.file(name, form.write(s))
    plain = form.change(kind="csv", odd=0, delimiter=form.delimiter if kind == "csv" else None, header=not form.positional(),
                        comments=form.comments if kind == "csv" else 0,
                        layout=form.layout if form.layout == "nested" else "records")
    numbers_of = lambda table: [[number(x) for x in row[3:]] for row in table[1]]
    copy = ["damper", "--method", "lerp", "--factor", "1", "--derivatives", "0", "--rotations", "none", "--quaternions", "none"]

    def leave(f):
        groups = any(x.group for x in s.rows)
        return copy + f.words(s) + ["-x", case.refer(["cut"] if groups else ["group", "cut"], s, f)] + (
            ["--group-by", case.refer(["group"], s, f)] if groups else [])

    run.good(leave(form) + ["--to", "csv", "-o", "out.csv", name])
    want = numbers_of(read_table(run.read("out.csv"), plain))
    close(want, [x.values for x in s.rows], 0, "to csv")
    run.good(leave(plain) + ["--to", kind, "-o", "again." + kind, "out.csv"])
    again = form.change(delimiter=None if kind != "csv" else form.delimiter, header=plain.header)
    again = again.change(layout=("records" if plain.header else "arrays") if kind == "json" else again.layout)
    if kind in ("json", "jsonl") and (not plain.header or form.layout == "nested"):  # the members have other names
        return
    close(want, numbers_of(run.table(leave(again) + ["--to", "csv", "again." + kind], form)), 0, "and back")
    digits = ["--derivatives", "0"]
    a = numbers_of(run.table(case.words(s, form) + digits + ["--to", "csv", name], form))
    b = numbers_of(run.table(case.words(s, plain) + digits + ["out.csv"], plain))
    close(a, b, 0, "filtered")
