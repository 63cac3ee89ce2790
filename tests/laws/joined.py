"""Laws of --join: several inputs are one series."""
from .command_lines import FILTERS, JOINED, able, draw_case
from .forms import KINDS, MARKERS, TEXT
from .runs import Failed, Refused, close, numbers, same

CUT_TAKERS = able("cuts")


def draw_join(r):
    name = r.choice(FILTERS)
    # Motion has no place for other quantities.
    kinds = [k for k in (TEXT if name in ("resonance", "character") else TEXT + KINDS) if k in JOINED]
    deny = ["cuts", "mask"]
    if name not in CUT_TAKERS:  # what is bridged within a take alone
        deny += ["despike", "gaps", "resample"]
    case = draw_case(r, "join", (name,), kinds=kinds, groups=r.random() < .2, rates=False, deny=deny, steps=(1, 10, 17, 250))
    n = len(case.series.rows)
    if n < 4:
        return draw_join(r)
    case.p["seams"] = sorted(r.sample(range(2, n - 1), min(r.randint(1, 2), n - 3)))
    case.p["move"] = [r.choice([0, 0, -20000, -730, 500]) for _ in case.p["seams"]]
    case.p["pieces"] = [r.choice([7, 200, 3000])]
    case.p["long"] = r.random() < .1 and case.form.kind in TEXT and not case.has("resample")
    if case.p["long"]:  # more than a block
        case.p["pieces"] = [3000]
    if any(x.group for x in case.series.rows) or case.form.kind not in TEXT:
        case.p["move"] = [0 for _ in case.p["seams"]]
        case.series = case.series.with_rows(sorted(case.series.rows, key=lambda x: x.time))  # a cut is one of all groups
    return case


def law_join(case, run):
    """Takes behind each other are the series of all rows, with a cut at each seam; however they are read."""
    s, form, p = case.series, case.form, case.p
    timed = form.kind not in ("bvh",) + MARKERS
    seams = [x for x in p["seams"] if x < len(s.rows)]
    if p["long"]:
        n, s = len(s.rows), s.repeat(3000)
        seams = [x * len(s.rows) // n for x in seams]
    # The time of a take that does not go on is moved: its first row stands one step after the latest row so far.
    takes, whole, before = [], [], None
    for k, (first, end) in enumerate(zip([0] + seams, seams + [len(s.rows)])):
        rows = [x.change(values=[.5 if v is None else v for v in x.values]) if i == 0 else x
                for i, x in enumerate(s.rows[first:end])]
        if timed and k > 0:
            late = max(x.time for x in whole)
            start = rows[0].time if p["move"][k - 1] == 0 and rows[0].time > late else late + 10 + p["move"][k - 1]
            rows = [x.change(time=x.time - rows[0].time + start) for x in rows]
        takes.append(rows)
        if timed and k > 0 and rows[0].time <= late:
            steps = [b.time - a.time for a, b in zip(before, before[1:]) if b.time > a.time]
            if not steps:
                raise Refused
            rows = [x.change(time=x.time - rows[0].time + late + steps[-1]) for x in rows]
        whole += rows
        before = rows
    if form.unit == "iso" and takes[1:] and any(a[0].time <= max(x.time for x in b) for a, b in zip(takes[1:], takes)):
        raise Refused  # dates do not move
    kind = form.suffix()
    names = [run.file("take%d.%s" % (k, kind), form.write(s.with_rows(rows))) for k, rows in enumerate(takes)]
    everything = run.file("whole." + kind, form.write(s.with_rows(whole)))
    words = case.words()
    same(run.good(words + [everything]), run.good(words + ["--join", everything]), "one input")
    if case.filter in CUT_TAKERS:
        at, cuts = 0, []
        for rows in takes[:-1]:
            at += len(rows)
            cuts.append("%.17g" % (at / form.hz) if not timed else "%.3f" % (whole[at].time / 1000))
        words = words + ["--cuts=" + ",".join(cuts)]
    digits = [] if case.has("digits") or form.kind not in TEXT else ["--decimals", "17"]
    want = run.good(words + digits + [everything])
    got = run.good(case.words() + digits + ["--join"] + names)
    moved = [x.time for rows in takes for x in rows] != [x.time for x in whole]
    if moved or form.kind in ("jsonl",) or form.eol == "\r" or not form.last:
        more = digits + ["--to", "csv"]
        first = 1 if s.flat else 3
        want, got = (numbers(run.table(x + more, form), first)[1]
                     for x in (words + [everything], case.words() + ["--join"] + names))
        close(got, want, 1e-9, "joined", 1e-9)
    else:
        same(want, got, "joined")
    joined = run.good(case.words() + ["--join"] + names)
    same(joined, run.good(case.words() + ["-j", "2", "--join"] + names), "two threads")
    k = len(names) // 2
    piped = names[:k] + ["-"] + names[k + 1:]
    status, out, err = run.run(case.words() + ["--from", form.kind, "--join"] + piped, p["pieces"][0], names[k])
    if status:
        raise Failed("status %d of a pipe" % status, err.decode())
    same(joined, out, "one input through a pipe")
