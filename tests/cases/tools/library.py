"""library.py LIBRARY numbers|rotations|smooth|marks|errors: libsprung through ctypes against the command line, bit for bit.

numbers: 100 random settings of every filter, in one call, in two calls and in place. rotations: likewise, of quaternions.
smooth: zero phase of numbers and rotations. marks: spikes and jumps. errors: what is refused, and the messages.
"""
import ctypes
import math
import os
import random
import subprocess
import sys
from array import array

from program import FILTERS, SETTINGS, SPRUNG, able

lib = ctypes.CDLL(os.path.abspath(sys.argv[1]))
D = ctypes.POINTER(ctypes.c_double)
B = ctypes.POINTER(ctypes.c_ubyte)
P = ctypes.c_void_p
Z = ctypes.c_size_t
lib.sprung_open.argtypes = lib.sprung_open_rotations.argtypes = [ctypes.POINTER(P), ctypes.c_char_p, ctypes.c_char_p, Z,
                                                                 ctypes.c_char_p, Z]
lib.sprung_process.argtypes = [P, Z, D, D, B, D, D, D]
lib.sprung_close.argtypes = [P]
lib.sprung_reset.argtypes = [P]
lib.sprung_start.argtypes = [P, D, D]
lib.sprung_predict.argtypes = [P, ctypes.c_double, D, D]
lib.sprung_response.argtypes = [P, ctypes.c_double, ctypes.c_double, D, D]
lib.sprung_set.argtypes = [P, ctypes.c_char_p, ctypes.c_char_p, Z]
lib.sprung_smooth.argtypes = lib.sprung_smooth_rotations.argtypes = [ctypes.c_char_p, Z, Z, D, D, D, D, D,
                                                                     ctypes.c_char_p, Z]
lib.sprung_find_spikes.argtypes = lib.sprung_find_cuts.argtypes = [ctypes.c_double, Z, D, D, B]
lib.sprung_find_spikes.restype = lib.sprung_find_cuts.restype = Z
lib.sprung_version.restype = ctypes.c_char_p


def doubles(numbers):
    return (ctypes.c_double * max(1, len(numbers)))(*numbers)


def opened(name, settings, n, rotations=False):
    filter, message = P(), ctypes.create_string_buffer(400)
    open_it = lib.sprung_open_rotations if rotations else lib.sprung_open
    status = open_it(ctypes.byref(filter), name.encode(), settings.encode(), n, message, 400)
    assert status == 0 and filter.value, (name, settings, message.value)
    return filter


def same(a, b):
    return a == b or (math.isnan(a) and math.isnan(b))


def expect(got, want, what):
    assert len(got) == len(want), what
    for i, (a, b) in enumerate(zip(got, want)):
        assert same(a, b), (what, i, a, b)


def command_line(options, header, rows):
    text = header + "\n" + "\n".join(rows) + "\n"
    got = subprocess.run([SPRUNG, *options], input=text, capture_output=True, text=True)
    assert got.returncode == 0, (options, got.stderr)
    names, *lines = got.stdout.splitlines()
    return names.split(","), [[float(x) if x else math.nan for x in line.split(",")] for line in lines]


def log(low, high):
    return repr(round(math.exp(random.uniform(math.log(low), math.log(high))), 6))


def settings_of(name):
    short = [f"halflife={log(.01, 2)}", f"cutoff={log(.1, 5)}"]
    choices = {
        "damper": [*short, f"halflife={log(.01, 2)} hold=linear"],
        "critical": [*short, f"lag={log(.05, 1)}", f"halflife={log(.05, 2)} hold=linear"],
        "double": [*short, f"halflife={log(.1, 1)}"],
        "spring": [f"frequency={log(.2, 5)} damping-ratio={log(.1, 3)}", f"stiffness={log(1, 500)} damping={log(.5, 40)}",
                   f"halflife={log(.05, 1)} damping-ratio={log(.2, 2)}"],
        "butterworth": [f"cutoff={log(.1, 5)}"],
        "second-order": [f"frequency={log(.2, 5)} damping-ratio={log(.1, 3)} response={random.uniform(-2, 3):.3f}"],
        "tracking": ["", f"max-velocity={log(.5, 50)}", f"max-acceleration={log(5, 500)}"],
        "inertialize": [f"halflife={log(.05, 1)}"],
        "one-euro": [f"min-cutoff={log(.2, 5)} beta={log(.001, 1)}"],
        "timed": [f"halflife={log(.02, .5)} time={log(.1, 2)}"],
        "resonance": [f"halflife={log(.3, 2)} frequencies={log(.5, 3)},{log(4, 9)}"],
        "velocity": [f"halflife={log(.02, .5)} speed={log(.1, 20)}"],
        "character": [f"halflife={log(.05, 1)}"],
    }
    if name in choices:
        return random.choice(choices[name])
    return " ".join(f"{option[2:]}={value}" for option, value in zip(SETTINGS[name][::2], SETTINGS[name][1::2]))


def options_of(settings):
    return [word for setting in settings.split() for word in ("--" + setting).split("=")]


def take(rows, n, gaps, cuts, ahead):
    """Steps in 64ths of a second, values of a walk, gaps, cuts. Rows with a step of 0 are one sample. Where the filter looks
    ahead, at a cut or after a gap, no step is 0: the program sees rows that a call does not have yet."""
    steps = [random.choice((1, 1, 1, 2, 3, 1 if ahead and (gaps or cuts) else 0)) / 64 for _ in range(rows)]
    value, x = [], [random.uniform(-5, 5) for _ in range(n)]
    for i in range(rows):
        x = [a + random.gauss(0, 1) for a in x]
        value += [math.nan if gaps and random.random() < 0.06 else round(a, 4) for a in x]
    cut = [int(cuts and i > 0 and random.random() < 0.1) for i in range(rows)]
    return steps, value, cut


def times_of(steps):
    t, times = 1.0, []
    for i, step in enumerate(steps):
        t += step if i else 0
        times.append(t)
    return times


def process(filter, rows, n, steps, goal, cut, rates, in_place=False, split=0, unasked=0):
    """Values, velocities, accelerations of two calls. unasked: so many derivatives are NULL in the first call."""
    g = doubles(goal)
    value = g if in_place else doubles([0] * len(goal))
    velocity, acceleration = doubles([0] * rates * rows), doubles([0] * rates * rows)
    s, c = doubles(steps), (ctypes.c_ubyte * rows)(*cut)
    width = len(goal) // rows

    def at(array, i, each, kind):
        return ctypes.cast(ctypes.byref(array, i * each), kind)

    for first, end in ((0, split), (split, rows)):
        asked = 2 if first == split else 2 - unasked
        if end > first:
            status = lib.sprung_process(filter, end - first, at(s, first, 8, D), at(g, first * width, 8, D), at(c, first, 1, B),
                                        at(value, first * width, 8, D), at(velocity, first * rates, 8, D) if asked > 0 else None,
                                        at(acceleration, first * rates, 8, D) if asked > 1 else None)
            assert status == 0
    return list(value), list(velocity), list(acceleration)


def compare_calls(filter, rows, n, steps, goal, cut, rates, got, what):
    """In two calls the results are those of one call, also where the first call asks for fewer arrays."""
    split = random.randrange(rows + 1)
    for unasked in range(3):
        lib.sprung_reset(filter)
        again = process(filter, rows, n, steps, goal, cut, rates, split=split, unasked=unasked)
        for o, (a, b) in enumerate(zip(got, again)):
            first = 0 if o < 3 - unasked else split * rates
            expect(b[first:], a[first:], what + ("in two calls", split, "NULL", unasked, o))


def numbers():
    random.seed(5)
    for name in FILTERS:
        for draw in range(100):
            n, rows = random.choice((1, 2, 5)), random.choice((1, 2, 40, 300))
            settings = settings_of(name)
            cuts = name in able("cuts")
            steps, goal, cut = take(rows, n, draw % 2, cuts, name == "inertialize")
            header = "time," + ",".join(f"c{k}" for k in range(n)) + (",cut" if cuts else "")
            lines = [",".join([repr(t)] + ["" if math.isnan(x) else repr(x) for x in goal[i * n:i * n + n]] +
                              ([str(cut[i])] if cuts else [])) for i, t in enumerate(times_of(steps))]
            options = [name, *options_of(settings), "-q", "-t", "time", "-c", ",".join(f"c{k}" for k in range(n))]
            names, want = command_line(options + (["--cut-column", "cut"] if cuts else []), header, lines)
            filter = opened(name, settings, n)
            got = process(filter, rows, n, steps, goal, cut, n)
            for o, suffix in enumerate(("", "_vel", "_acc")):
                if name == "resonance":  # its cell stays, and the first frequency has the first output
                    suffix = "@" + options[options.index("--frequencies") + 1].split(",")[0] + suffix
                columns = [names.index(f"c{k}{suffix}") if f"c{k}{suffix}" in names else None for k in range(n)]
                if columns[0] is None:
                    continue
                expect(got[o], [row[c] for row in want for c in columns], (name, settings, suffix, draw))
            if name != "inertialize" or not (any(cut) or any(map(math.isnan, goal))):  # at a cut and after a gap it looks ahead
                compare_calls(filter, rows, n, steps, goal, cut, n, got, (name, settings))
            lib.sprung_reset(filter)
            for a, b in zip(got, process(filter, rows, n, steps, goal, cut, n, in_place=True)):
                expect(b, a, (name, settings, "in place"))
            lib.sprung_close(filter)


def turn(q, axis, angle):
    s = math.sin(angle / 2)
    a = (math.cos(angle / 2), s * axis[0], s * axis[1], s * axis[2])
    return (a[0] * q[0] - a[1] * q[1] - a[2] * q[2] - a[3] * q[3], a[0] * q[1] + a[1] * q[0] + a[2] * q[3] - a[3] * q[2],
            a[0] * q[2] - a[1] * q[3] + a[2] * q[0] + a[3] * q[1], a[0] * q[3] + a[1] * q[2] - a[2] * q[1] + a[3] * q[0])


def tumble(rows, gaps):
    q, goal = (1.0, 0.0, 0.0, 0.0), []
    for i in range(rows):
        v = [random.gauss(0, 1) for _ in range(3)]
        length = math.sqrt(sum(x * x for x in v))
        q = turn(q, [x / length for x in v], random.gauss(0, 0.3))
        goal += [math.nan] * 4 if gaps and random.random() < 0.06 else list(q)
    return goal


def rotation_lines(goal, times, cut=None):
    return [",".join([repr(t)] + ["" if math.isnan(x) else repr(x) for x in goal[4 * i:4 * i + 4]] +
                     ([str(cut[i])] if cut else [])) for i, t in enumerate(times)]


def compare_rotations(got, names, want, what):
    expect(got[0], [row[names.index(f"q_{k}")] for row in want for k in "wxyz"], what + ("value",))
    for o, suffix in ((1, "vel"), (2, "acc")):
        if f"q_{suffix}_x" in names:
            expect(got[o], [row[names.index(f"q_{suffix}_{k}")] for row in want for k in "xyz"], what + (suffix,))


def rotations():
    random.seed(6)
    for name in able("rotations"):
        for draw in range(60):
            rows, settings, cuts = random.choice((1, 2, 60)), settings_of(name), name in able("cuts")
            steps, _, cut = take(rows, 1, draw % 2, cuts, name == "inertialize")
            goal = tumble(rows, draw % 2)
            lines = rotation_lines(goal, times_of(steps), cut if cuts else None)
            options = [name, *options_of(settings), "-q", "--quaternions", "q"] + (["--cut-column", "cut"] if cuts else [])
            names, want = command_line(options, "time,q_w,q_x,q_y,q_z" + (",cut" if cuts else ""), lines)
            filter = opened(name, settings, 1, rotations=True)
            got = process(filter, rows, 1, steps, goal, cut, 3)
            compare_rotations(got, names, want, (name, settings, draw))
            if name != "inertialize" or not any(cut):
                compare_calls(filter, rows, 1, steps, goal, cut, 3, got, (name, settings))
            lib.sprung_reset(filter)
            expect(process(filter, rows, 1, steps, goal, cut, 3, in_place=True)[0], got[0], (name, "in place"))
            lib.sprung_close(filter)


def smoothed(settings, rows, n, times, goal, width=1):
    outs = [doubles([0] * rows * n * w) for w in ((1, 1, 1) if width == 1 else (4, 3, 3))]
    message = ctypes.create_string_buffer(400)
    smooth = lib.sprung_smooth if width == 1 else lib.sprung_smooth_rotations
    status = smooth(settings.encode(), rows, n, doubles(times), doubles(goal), *outs, message, 400)
    assert status == 0, (settings, message.value)
    return [list(out) for out in outs]


def unsmoothed(settings, rows, n, times, goal):
    message = ctypes.create_string_buffer(400)
    status = lib.sprung_smooth(settings.encode(), rows, n, doubles(times), doubles(goal),
                               doubles([0] * rows * n), None, None, message, 400)
    assert status == 3, (settings, status)
    return message.value.decode()


def smooth():
    random.seed(7)
    for draw in range(40):
        rows, n = 6000 if draw in (2, 3, 4) else random.choice((30, 200)), 2
        settings = random.choice(["cutoff=auto" if draw % 2 else "cutoff=2", "cutoff=2 loop", "cutoff=5"])
        steps = [random.choice((1, 1, 2) if draw % 3 == 0 else (1,)) / 64 for _ in range(rows)]
        times = times_of(steps)
        goal = [math.nan if draw % 4 == 1 and random.random() < 0.05 else round(math.sin(3 * t + k) + random.gauss(0, .05), 4)
                for t in times for k in range(n)]
        if draw == 2:  # a gap that ends a run, of one channel
            goal[1500 * n:2600 * n:n] = [math.nan] * 1100
        lines = [",".join([repr(t)] + ["" if math.isnan(x) else repr(x) for x in goal[i * n:i * n + n]])
                 for i, t in enumerate(times)]
        names, want = command_line(["butterworth", *options_of(settings), "-q", "--zero-phase"], "time,a,b", lines)
        got = smoothed(settings, rows, n, times, goal)
        for o, suffix in enumerate(("", "_vel", "_acc")):
            columns = [names.index(k + suffix) for k in "ab"]
            expect(got[o], [row[c] for row in want for c in columns], (settings, suffix))
    for draw in range(10):
        rows = 80
        goal = tumble(rows, draw % 2) if draw else [.707, 0, -.707, 0] * rows
        times = times_of([1 / 64] * rows)
        names, want = command_line(["butterworth", "--cutoff", "3", "-q", "--zero-phase", "--quaternions", "q"],
                                   "time,q_w,q_x,q_y,q_z", rotation_lines(goal, times))
        got = smoothed("cutoff=3", rows, 1, times, goal, width=4)
        compare_rotations(got, names, want, ("rotations", draw))


def few():
    """A channel with too few numbers for auto stays, and has the derivatives of the spline through its samples; a result that no
    double holds is refused, of a row by row filter it is not finite."""
    random.seed(9)
    rows, times = 60, times_of([1 / 64] * 60)
    goal = [x for i in range(rows) for x in (math.sin(i / 9) + random.gauss(0, .05), i / 64 if i < 10 else math.nan)]
    got, alone = smoothed("cutoff=auto", rows, 2, times, goal), smoothed("cutoff=auto", rows, 1, times, goal[::2])
    for o in range(3):
        expect(got[o][::2], alone[o], ("beside a short channel", o))
    expect(got[0][1::2], goal[1::2], "a short channel")
    assert all(abs(v - 1) < 1e-9 for v in got[1][1:20:2]), got[1][1::2]
    assert "too large" in unsmoothed("cutoff=2", rows, 1, times, [1.7e308 * (-1) ** (i // 2) for i in range(rows)])
    filter = opened("butterworth", "cutoff=50", 1)  # more than 60 rows a second can show: no row is refused
    got = process(filter, 40, 1, [1 / 60] * 40, [1] + [2] * 39, [0] * 40, 1)[0]
    lib.sprung_reset(filter)
    expect(process(filter, 40, 1, [1 / 60] * 40, [1] + [2] * 39, [0] * 40, 1, split=1)[0], got, "first row alone")
    assert abs(got[-1] - 2) < 1e-6, got
    lib.sprung_close(filter)
    filter = opened("damper", "method=euler damping=1e10", 1)  # grows by 1e15 a row, and no number is repeated
    got = process(filter, 40, 1, [1e5] * 40, [1] + [2] * 39, [0] * 40, 1)[0]
    assert all(map(math.isfinite, got[:20])) and not any(map(math.isfinite, got[30:])), got
    lib.sprung_close(filter)


def marks():
    random.seed(8)
    rows = 600
    times = [i / 64 for i in range(rows)]
    value = [round(10 * math.sin(2 * t) + random.gauss(0, .05), 3) for t in times]
    spikes = sorted(random.sample(range(20, 580, 12), 12))
    for i in spikes + [0, rows - 1]:  # nothing tells the first and the last from a step
        value[i] += 3
    mark = (ctypes.c_ubyte * rows)()
    assert lib.sprung_find_spikes(6, rows, doubles(times), doubles(value), mark) == len(spikes)
    assert [i for i in range(rows) if mark[i]] == spikes
    jumps = [150, 300, 470]
    value = [round(10 * math.sin(2 * t), 4) + 40 * sum(i >= j for j in jumps) for i, t in enumerate(times)]
    assert lib.sprung_find_cuts(8, rows, doubles(times), doubles(value), mark) == len(jumps)
    assert [i for i in range(rows) if mark[i]] == jumps
    value[200] = math.inf  # no number of a curve: the jumps elsewhere are found
    assert lib.sprung_find_cuts(8, rows, doubles(times), doubles(value), mark) == len(jumps)
    assert [i for i in range(rows) if mark[i]] == jumps
    assert lib.sprung_find_spikes(6, 0, None, None, None) == lib.sprung_find_cuts(6, 0, None, None, None) == 0


def refused(name, settings, text, n=1, rotations=False):
    filter, message = P(1), ctypes.create_string_buffer(400)
    open_it = lib.sprung_open_rotations if rotations else lib.sprung_open
    status = open_it(ctypes.byref(filter), name.encode(), settings.encode() if settings is not None else None, n, message, 400)
    said = message.value.decode()
    assert status == 1 and not filter.value and text in said and "--" not in said, (name, settings, status, said)


def out_of_memory():
    most = ctypes.c_size_t(-1).value
    for open_it in (lib.sprung_open, lib.sprung_open_rotations):
        for n in [most // k + d for k in (1, 2, 4, 8, 16, 100) for d in (-1, 0, 1, 2) if most // k + d <= most]:
            filter = P(1)
            status = open_it(ctypes.byref(filter), b"damper", b"halflife=1", n, None, 0)
            assert status == 2 and not filter.value, (open_it, n, status)


def errors():
    out_of_memory()
    refused("critcal", None, 'no such filter: "critcal"')
    refused("critical", None, "critical needs halflife, lag or cutoff")
    refused("critical", "halflive=1", 'critical does not have this option: "halflive"')
    refused("critical", "halflife=-1", "halflife: must be greater than 0")
    refused("critical", "halflife", "halflife needs a value")
    refused("critical", "halflife=1 predict=2", "sprung_predict")
    refused("critical", "halflife=1", "at least one channel", n=0)
    refused("double", "halflife=1", "double cannot filter rotations", rotations=True)
    assert lib.sprung_open(ctypes.byref(P()), b"nothing", None, 1, None, 0) == 1
    filter = opened("critical", "halflife=0.25", 1)
    out = doubles([0])
    for step, goal in (([1, -1], [1, 2]), ([1, math.nan], [1, 2]), ([1, 1], [1, math.inf])):
        assert lib.sprung_process(filter, 2, doubles(step), doubles(goal), None, doubles([0, 0]), None, None) == 3
    assert lib.sprung_predict(filter, 1, out, None) == 0 and math.isnan(out[0])
    # A state to go on from, a prediction and a row by the closed form: y = 4 ln 2 / 2 / halflife, x = (x0 + (v + y x0) t) e^-yt.
    y, t, x0, v = 2 * math.log(2) / 0.25, 0.3, 2.0, 5.0
    want = (x0 - 1 + (v + y * (x0 - 1)) * t) * math.exp(-y * t) + 1
    assert lib.sprung_start(filter, doubles([x0]), doubles([v])) == 0
    assert lib.sprung_process(filter, 1, doubles([t]), doubles([1.0]), None, out, None, None) == 0
    assert abs(out[0] - want) < 1e-14, (out[0], want)
    assert lib.sprung_predict(filter, 1e3, out, None) == 0 and abs(out[0] - 1) < 1e-12
    assert lib.sprung_set(filter, b"halflife=0", None, 0) == 1 and lib.sprung_set(filter, b"halflife=1", None, 0) == 0
    # The gain of a critical spring at its cutoff is 1/sqrt 2; on rows of a hundredth of a cutoff nearly so.
    gain, phase = doubles([0]), doubles([0])
    lib.sprung_close(filter)
    filter = opened("butterworth", "cutoff=2", 1)
    for step in (0, 1e-4):
        assert lib.sprung_response(filter, 2, step, gain, phase) == 0
        assert abs(gain[0] - math.sqrt(.5)) < 1e-3 and abs(phase[0] + 90) < 0.1, (gain[0], phase[0])
    lib.sprung_close(filter)
    filter = opened("tracking", "", 1)
    assert lib.sprung_response(opened("timed", "halflife=1 time=1", 1), 1, 0, gain, phase) == 1
    lib.sprung_close(filter)
    message = ctypes.create_string_buffer(12)
    assert lib.sprung_open(ctypes.byref(P()), b"nothing", None, 1, message, 12) == 1 and len(message.value) == 11
    out = [doubles([0] * 3) for _ in range(3)]
    assert lib.sprung_smooth(b"cutoff=1", 3, 1, doubles([0, 1, 1]), doubles([1, 2, 3]), *out, None, 0) == 3
    message, times = ctypes.create_string_buffer(400), [i / 10 for i in range(30)]
    assert lib.sprung_smooth(b"cutoff=5", 30, 1, doubles(times), doubles(times), *[doubles(times)] * 3, message, 400) == 1
    assert message.value.startswith(b"cutoff 5 is too high for 10 rows per second: the maximum is 4.5 Hz"), message.value
    filter = opened("critical", "halflife=1", 1, rotations=True)  # a quaternion of length 0 is missing
    out = doubles([0] * 8)
    assert lib.sprung_process(filter, 2, doubles([0, 1]), doubles([0] * 4 + [1, 0, 0, 0]), None, out, None, None) == 0
    assert all(map(math.isnan, out[:4])) and list(out[4:]) == [1, 0, 0, 0], list(out)
    lib.sprung_close(filter)
    assert lib.sprung_version().decode() == subprocess.run([SPRUNG, "--version"], capture_output=True, text=True).stdout.split()[1]


{"numbers": numbers, "rotations": rotations, "smooth": smooth, "few": few, "marks": marks, "errors": errors}[sys.argv[2]]()
