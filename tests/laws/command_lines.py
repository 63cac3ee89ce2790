"""Random filters and options: a case is a command line with its series and form."""
import copy
import os
import shlex
import sys

from .forms import EVEN, MARKERS, MOTION, STORED, TEXT, draw_form, single
from .series import ODD_NAMES, Bundle, draw_series, uniform

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cases", "tools"))
from program import BRIDGING, FILTERS, GAPS, OTHER_UNIT, SETTINGS, able, having  # noqa: E402

ROTATIONS, LINEAR = able("rotations"), able("zero-phase")


class Option:
    """Words that are left out together. A word is text, or (format, what is referred to...), see Case.words."""

    def __init__(self, tag, *words):
        self.tag, self.words = tag, list(words)


def draw_filter(r, names=FILTERS, calm=False):
    """(name, words that must stay, options of its own). calm: only settings that come to rest soon."""
    name = r.choice(names)
    h = uniform(r, .01, 10)
    half = ["--halflife", h]
    options = []

    def maybe(p, *words):
        if r.random() < p:
            options.append(Option("own", *words))

    def hold_and_approx():
        maybe(.3, "--hold", r.choice(["linear", "linear", "step"]))
        maybe(.15, "--approx", r.choice(["holden", "unreal"]))

    def rate(*others):
        return r.choice([half, half] + list(others) + [["--cutoff", uniform(r, .05, 20)]])

    if name == "damper":
        method = r.choice(["exact"] * 5 + ["lerp", "euler", "exponential"])
        if method == "exact":
            words = rate(["--lag", uniform(r, .01, 5)], ["--remaining", "%.3f" % r.uniform(.01, .9)])
            hold_and_approx()
        else:
            words = ["--method", method] + (["--factor", "%.2f" % r.uniform(.05, 1)] if method == "lerp"
                                            else ["--damping", uniform(r, .5, 7)])
            if method == "exponential":
                maybe(.5, "--fixed-rate", uniform(r, 20, 200))
    elif name == "critical":
        words = rate(["--lag", uniform(r, .01, 5)])
        maybe(.3, "--goal-velocity", r.choice(["difference", "zero"]))
        hold_and_approx()
    elif name == "spring":
        ratio = ["--damping-ratio", uniform(r, .1, 3)]
        if r.random() < .1:
            words = ["--method", "euler", "--frequency", uniform(r, .1, .5), "--damping-ratio", uniform(r, .2, 1)]
        else:
            stiff = r.choice([["--stiffness", uniform(r, .5, 900)], ["--frequency", uniform(r, .1, 10)]])
            words = r.choice([stiff + ratio, stiff + half, stiff + ["--damping", uniform(r, .3, 50)], half + ratio,
                              ratio + ["--cutoff", uniform(r, .1, 10)]])
            hold_and_approx()
        maybe(.3, "--goal-velocity", r.choice(["difference", "zero"]))
    elif name == "butterworth":
        words = ["--cutoff", uniform(r, .05, 20)]
        maybe(.3, "--hold", r.choice(["linear", "step"]))
    elif name == "second-order":
        method = r.choice(["exact"] * 4 + ["euler", "stable", "clamp", "substep", "pole-zero"])
        slow = method in ("euler", "stable", "clamp")
        words = ["--frequency", uniform(r, .1, .4 if slow else 8), "--damping-ratio", uniform(r, .1, 1 if slow else 3),
                 "--response", "%.2f" % r.uniform(-2, 2)]
        options += [Option("own", "--method", method)] if method != "exact" else []
    elif name == "double":
        words = rate()
        maybe(.3, "--hold", "linear")
        if r.random() < .2:
            options[:] = [Option("own", "--method", "published")]
            maybe(.5, "--approx", "holden")
    elif name == "tracking":
        words, method = [], r.choice(["exact", "exact", "gain", "halflife", "spring-damper"])
        if method != "exact":
            words = ["--method", method]
        if method == "halflife":
            maybe(.4, "--position-halflife", uniform(r, .01, 5))
            maybe(.4, "--velocity-halflife", uniform(r, .01, 1))
            maybe(.3, "--acceleration-halflife", uniform(r, .001, .1))
        else:
            maybe(.4, "--position-gain", "%.3f" % r.uniform(.005, .3))
            maybe(.4, "--velocity-gain", "%.2f" % r.uniform(.05, .9))
            maybe(.3, "--acceleration-gain", "%.2f" % r.uniform(0, 1))
        if method in ("exact", "spring-damper"):
            maybe(.3, "--gain-rate", uniform(r, 15, 240))
        if method == "spring-damper":
            maybe(.3, "--approx", "unreal")
        if not calm and r.random() < .2:
            options.append(Option("limit", "--max-velocity", uniform(r, 1, 1e4)))
        if not calm and r.random() < .2:
            options.append(Option("limit", "--max-acceleration", uniform(r, 10, 1e6)))
    elif name == "inertialize":
        words = half
        maybe(.2, "--approx", "holden")
    elif name in ("timed", "velocity"):
        words = half + (["--time", uniform(r, .05, 2)] if name == "timed" else ["--speed", uniform(r, .1, 100)])
        maybe(.2, "--apprehension", uniform(r, .1, 3))
        maybe(.2, "--approx", "holden")
    elif name == "character":
        words = half
        maybe(.4, "--predict", r.choice(["0.1,0.5", "0.25"]))
        maybe(.2, "--approx", "unreal")
    elif name == "one-euro":
        words = []
        maybe(.6, "--min-cutoff", uniform(r, .1, 10))
        maybe(.6, "--beta", uniform(r, .001, 10))
        maybe(.3, "--derivative-cutoff", uniform(r, .1, 10))
    elif name == "resonance":
        words = half + ["--frequencies", r.choice(["1", "0.5,2", "1:10:3"])]
        maybe(.3, "--method", "energy")
    else:
        words = list(SETTINGS[name])
    return name, words, options


class Case:
    """All that a law needs. p: what the law has drawn for itself."""

    def __init__(self, law, series, form, filter, words, options, **p):
        self.law, self.series, self.form, self.filter, self.core, self.options = law, series, form, filter, words, options
        self.p = p
        self.files = {}

    def has(self, *tags):
        return any(o.tag in tags for o in self.options)

    def option(self, tag):
        return next((o for o in self.options if o.tag == tag), None)

    def change(self, **what):
        case = copy.copy(self)
        case.__dict__.update(what)
        return case

    def refer(self, names, s, form):
        """A LIST of columns: by name, or by position where they have none, or odd ones."""
        columns = s.columns()

        def one(name):
            if form.kind in ("au", "trc", "bvh"):  # of the others no law names columns
                at = columns.index(name)
                return "ch%d" % at if form.kind == "au" else str(at + (2 if form.kind == "trc" else 1))
            if form.positional() or name in ODD_NAMES:
                return str(columns.index(name) + 1)
            nested = form.layout == "nested" and columns.index(name) >= max(1, len(columns) - 2)
            return "deep." + name if nested else name
        return ",".join(one(n) for n in names if n in columns)

    def word(self, word, s, form):
        if isinstance(word, str):
            return word
        parts = []
        for part in word[1:]:
            if isinstance(part, Bundle):
                order = "".join(n[-1] for n in part.names)
                at = s.columns().index(part.names[0]) + 1 if part.names[0] in s.columns() else 0
                named = not (form.positional() or form.layout == "nested")
                if part.kind == "vector":
                    parts.append(part.base if named else "%d-%d" % (at, at + len(part.names) - 1))
                elif part.kind == "quaternion":
                    parts.append(part.base if named else "%d-%d:%s" % (at, at + 3, order))
                else:
                    parts.append("%s:%s" % (part.base if named else "%d-%d" % (at, at + 2), order.upper()))
            else:
                parts.append(self.refer(part, s, form))
        return word[0] % tuple(parts)

    def words(self, series=None, form=None, without=(), filter=None, core=None):
        """The command line but its files. without: tags of options that are left out."""
        s, form = series or self.series, form or self.form
        words = [filter or self.filter] + [self.word(w, s, form) for w in (self.core if core is None else core)]
        if form.kind in TEXT:
            words += form.words(s)
            copied = [n for b in s.bundles if b.copied for n in b.names]
            leave = ([] if self.has("group") and "group" not in without else ["group"]) + (
                [] if self.has("cut-column") and "cut-column" not in without else ["cut"])
            leave = leave if not s.flat else []
            if form.rate is not None:
                leave = ["time"] + leave
            if leave + copied:
                words += ["-x", self.refer(leave + copied, s, form)] if "time" not in leave else [
                    "-x", ",".join(["1", self.refer(leave[1:] + copied, s, form)]).rstrip(",")]
        for o in self.options:
            if o.tag not in without:
                words += [self.word(w, s, form) for w in o.words]
        return words


def draw_options(r, s, name, deny=()):
    """Options about the series. deny: tags that the law does not allow."""
    options = []
    linear, turns = name in LINEAR, name in ROTATIONS
    tags = set()

    def add(tag, p, *words):
        if tag not in deny and r.random() < p:
            options.append(Option(tag, *words))
            tags.add(tag)
            return True
        return False

    numbers = [n for b in s.of("number") for n in b.names]
    if s.of("quaternion") and turns:
        add("quaternions", .8, "--quaternions", ("%s", s.of("quaternion")[0]))
    elif s.of("quaternion"):
        options.append(Option("known", "--quaternions", "none"))
    if s.of("euler") and turns:
        add("rotations", .8, "--rotations", ("%s", s.of("euler")[0]))
    if s.of("angle"):
        if add("angles", .8, "--angles", ("%s", s.of("angle")[0].names)):
            if "rotations" not in tags:
                add("period", .15, "--period", "400")
    if not s.flat:
        if any(x.group for x in s.rows):
            add("group", 1, "--group-by", ("%s", ["group"]))
        if name in able("cuts"):
            way = r.choice(["column", "list", "detect", "none"])
            if way == "column":
                add("cut-column", 1, "--cut-column", ("%s", ["cut"]))
            elif way == "list":
                t = s.rows[len(s.rows) // 2].time
                add("cuts", 1, "--cuts", "%.3f,%.3f" % (t / 1000, t / 1000 + .05))
            elif way == "detect":
                add("detect", 1, "--detect-cuts", uniform(r, 3, 20))
    if linear and add("zero", .2, "--zero-phase"):
        if name == "butterworth" and "auto" not in deny and r.random() < .3:
            tags.add("auto")
        elif "auto" not in deny:
            add("loop", .1, "--loop")
    if name not in ("character",) and "zero" not in tags:
        add("start", .15, "--start", "zero" if "rotations" in tags or s.of("quaternion") and turns else r.choice(["zero", "first", "2.5"]))
    gaps = list(GAPS + BRIDGING)
    add("gaps", .5, "--gaps", r.choice(gaps))
    limits = ["0.02", "0.1", "0", "3rows", "1rows"]
    add("max-gap", .2, "--max-gap", r.choice(limits))
    add("despike", .5 if "detect" in tags else .15, "--despike", uniform(r, 2, 10))
    if s.of("confidence"):
        add("mask", .7, "--mask", ("%%s:%%s%s" % r.choice(["<0.3", ">0.9", "<=0.1", ">=0.8"]), numbers, ["likely"]))
    elif numbers[0] not in ODD_NAMES:
        add("mask", .1, "--mask", ("%s:%s>20", numbers[:1], numbers[:1]))
    if not tags & {"measured", "auto", "group"}:
        add("resample", .1, "--resample", r.choice(["37", "100", "12.5"]))
    add("derivatives", .3, "--derivatives", r.choice("012"))
    add("digits", .2, *r.choice([("--decimals", r.choice(["3", "9", "17"])),
                                 ("--decimals", r.choice(["2", "7", "input"]))]))
    return options, "auto" in tags


# The words of character have --predict; butterworth has no option but --cutoff, with which no case predicts.
PREDICTING = tuple(name for name in having("predict") if name not in ("character", "butterworth"))


def draw_more(r, s, form, name, words, own, options, deny):
    """Options that depend on the others, and on the form."""
    tags = {o.tag for o in options}
    plain = not {"--method", "--approx", "--cutoff"} & set(words + [w for o in own for w in o.words])
    added = []

    def add(tag, p, *words):
        if tag not in deny and r.random() < p:
            added.append(Option(tag, *words))

    if s.of("vector"):
        add("vectors", .7, "--vectors", ("%s", s.of("vector")[0]))
    elif form.kind not in TEXT:
        add("vectors", .2, "--vectors", "none")
    if name in PREDICTING and plain and form.kind in TEXT and not {"zero"} & tags and (
            name != "tracking" or "resample" not in tags | set(deny)):  # tracking resampled knows its rows alone
        add("predict", .2, "--predict", r.choice(["0.1", "0.05,1", "2"]))
    return words, own, added


def draw_rotation(r, kind):
    """A bundle for a file of that kind, or None."""
    if r.random() < .5:
        return None
    return {"glb": Bundle("quaternion", "q", ["q_" + c for c in "wxyz"]),
            "fbx": Bundle("euler", "e", ["e_" + c for c in "zxy"])}.get(kind)


def whole_points(values):
    """Where a coordinate is missing, the point is missing."""
    points = [values[k:k + 3] for k in range(0, len(values), 3)]
    return [v for point in points for v in ([None] * 3 if None in point else point)]


def draw_case(r, law, names=FILTERS, kinds=TEXT, gaps=True, groups=False, deny=(), bundles=None, named=True, calm=False,
              flat=False, even=None, plain_time=False, steps=(0, 1, 10, 17, 250), turn=.6, rates=True, **p):
    """A case of all that has not been denied. rates: rows may be numbered, and have no times."""
    name, words, own = draw_filter(r, names, calm)
    kind = r.choice(kinds)
    exported = kind in MOTION + STORED
    flat = flat or exported or kind == "au"
    even = True if kind in EVEN else even
    channels = {"bvh": 6 + 3 * r.randint(0, 2)}.get(kind)
    if kind in MARKERS + STORED:
        channels = 3 * r.randint(1, 2)
    if kind == "au" or exported and kind not in ("sto", "mot"):
        while name in OTHER_UNIT:
            name, words, own = draw_filter(r, names, calm)
    rotation = draw_rotation(r, kind)
    steps = tuple(x for x in steps if x > 0) if kind == "glb" else steps
    s = draw_series(r, gaps and kind not in ("au", "bvh"), groups and not flat, bundles, flat, even, channels, steps, turn,
                    rotation)
    if kind == "fbx" and len(s.rows) < 3:  # curves of fewer keys pass
        s = s.repeat(3 * len(s.rows))
    if kind == "au" or exported:
        s = s.map(lambda i, c, x: single(round(x, 6)) if kind in ("au",) + STORED else round(x, 6))
    if kind == "c3d":
        s = s.with_rows(x.change(values=whole_points(x.values)) for x in s.rows)
    if exported and s.rows:
        s = s.shift(-s.rows[0].time)
    form = draw_form(r, s, (kind,), named, plain_time, rates and law not in ("formats", "diff", "back", "resample"))
    options, auto = draw_options(r, s, name, deny)
    if kind == "bvh" and name not in ROTATIONS or kind == "bvh" and any(o.words[-1] == "2.5" for o in options):
        options = [o for o in options if o.tag != "start"] + [Option("rotations", "--rotations", "none")]
    if form.unit in ("iso", "frames") or form.layout in ("columns", "pointer") and law in ("places", "spikes"):
        options = [o for o in options if o.tag != "resample"]
    if rotation:  # the format tells
        options = [o for o in options if o.tag not in ("quaternions", "rotations")]
    if rotation and not any(o.tag == "known" for o in options) and (name not in ROTATIONS or any(o.words[-1] == "2.5" for o in options)):
        options.append(Option("known", "--quaternions" if kind == "glb" else "--rotations", "none"))
    if exported or kind == "au":
        options = [o for o in options if o.tag not in ("derivatives", "resample")]
    if kind in ("qualisys",) + STORED:
        options = [o for o in options if o.tag != "mask"]
    if kind in STORED:
        options = [o for o in options if o.tag not in ("digits",)]
    if kind in ("bvh", "au", "glb", "fbx"):  # no file of these can hold a new gap
        options = [o for o in options if o.tag not in ("despike", "mask")]
    if auto:
        words = ["--cutoff", "auto"]
    own = [o for o in own if o.tag not in deny]
    words, own, more = draw_more(r, s, form, name, words, own, options, deny)
    options += more
    return Case(law, s, form, name, words, own + options, **p)
