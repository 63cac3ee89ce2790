"""What --zero-phase must give for rotations: about a fixed axis what the channel gives, and properties.

    zero_rotations.py CHECK    (SPRUNG names the program)
"""
import math
import random
import sys

from zero_phase import close, column, largest, sprung, uneven

HEAD = ['time', 'w', 'x', 'y', 'z']
FILTERS = ['damper -H 0.1', 'critical -H 0.2', 'butterworth --cutoff 0.4', 'spring -f 1 -z 1.4']
SLOW = ['critical -H 30', 'damper -H 1000', 'butterworth --cutoff 0.01']


def multiply(a, b):
    return [a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3], a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1]]


def inverse(q):
    return [q[0], -q[1], -q[2], -q[3]]


def turn(v):
    angle = math.sqrt(sum(c * c for c in v))
    part = math.sin(angle / 2) / angle if angle else .5
    return [math.cos(angle / 2)] + [part * c for c in v]


def vector(q):
    n = math.sqrt(sum(c * c for c in q[1:]))
    angle = 2 * math.atan2(n, abs(q[0])) * (1 if q[0] >= 0 else -1)
    return [angle * c / n if n else 0.0 for c in q[1:]]


def apart(a, b):
    """The angle between two rotations."""
    return math.sqrt(sum(c * c for c in vector(multiply(a, inverse(b)))))


def filtered(options, times, targets):
    """Quaternions, velocities and accelerations. None: a gap."""
    rows = [[t] + (list(q) if q else [None] * 4) for t, q in zip(times, targets)]
    got = sprung(options + ' --zero-phase --quaternions 2-5:wxyz', rows, HEAD)
    return [r[1:5] for r in got], [r[5:8] for r in got], [r[8:11] for r in got]


def noisy(times, seed, size=.05):
    """About two axes, with noise."""
    r = random.Random(seed)
    return [multiply(turn([r.gauss(0, size) for _ in range(3)]),
                     multiply(turn([.9 * math.sin(2 * t), 0, 0]), turn([0, .3 * t, 1.2 * math.cos(3 * t)])))
            for t in times]


def check_axis():
    """About a fixed axis a rotation is an angle: with many turns, gaps, uneven steps, one row and two."""
    r = random.Random(1)
    axis = [2 / 7, -3 / 7, 6 / 7]
    spins = [lambda t: .5 * math.sin(3 * t), lambda t: 40 * t + math.sin(5 * t), lambda t: 4 * math.sin(2 * t),
             lambda t: 3 - 2 * t]
    times = [[i / 64 for i in range(150)], uneven(150), [0.0], [0.0, .5], [0.0, .5, .7]]
    for options in FILTERS + SLOW:
        for number, spin in enumerate(spins):
            if options in SLOW and number == 2:
                continue  # more than half a turn from the result to the rows
            for at in times[:2] if number < 3 else times:
                angles = [spin(t) + (r.gauss(0, .1) if number < 3 else 0) for t in at]
                if len(at) > 9 and number == 0:
                    angles[40:47] = [None] * 7
                signs = [r.choice([1, -1]) for _ in at]
                q, v, a = filtered(options + ' --gaps fill', at, [
                    [s * c for c in turn([angle * c for c in axis])] if angle is not None else None
                    for s, angle in zip(signs, angles)])
                want = sprung(options + ' --gaps fill --zero-phase', [[t, x] for t, x in zip(at, angles)])
                what = '%s, spin %d, %d rows' % (options, number, len(at))
                limit = 1e-9 if options not in SLOW else 1e-8
                close(what, [apart(x, turn([w[1] * c for c in axis])) for x, w in zip(q, want)], [0] * len(at), limit)
                for got, i in (v, 2), (a, 3):
                    for c in range(3):
                        close('  derivative', column(got, c), [w[i] * axis[c] for w in want],
                              limit * max(1, largest(column(want, i))))


def check_reversal():
    """A series told backward comes out backward; of q and -q either is taken; in another frame nothing changes."""
    for times in [i / 64 for i in range(100)], uneven(100):
        targets = noisy(times, 2)
        back = [times[-1] - t for t in times[::-1]]
        r = random.Random(3)
        flipped = [[s * c for c in q] for q in targets for s in [r.choice([1, -1])]]
        frame = turn([1, -2, .5])
        for options in FILTERS + SLOW:
            there, again = filtered(options, times, targets), filtered(options, back, targets[::-1])
            none = [0] * len(times)
            close(options, [apart(a, b) for a, b in zip(there[0], again[0][::-1])], none, 1e-9)
            for i, sign in (1, -1), (2, 1):
                size = max(largest(v) for v in there[i])
                for c in range(3):
                    close('  derivative', column(there[i], c), [sign * v[c] for v in again[i][::-1]], 1e-9 * max(size, 1))
            other = filtered(options, times, flipped)
            close('  flipped', [apart(a, b) for a, b in zip(there[0], other[0])], none, 1e-12)
            for x, y in zip(other[0], other[0][1:]):
                if sum(a * b for a, b in zip(x, y)) < 0:
                    sys.exit('%s: a sign flips' % options)
            moved = filtered(options, times, [multiply(frame, multiply(q, inverse(frame))) for q in targets])
            close('  another frame', [apart(multiply(frame, multiply(a, inverse(frame))), b)
                                      for a, b in zip(there[0], moved[0])], none, 1e-9)


def check_velocity():
    """Velocity and acceleration of a smooth motion about two axes that no filter changes, against differences."""
    def motion(t):
        return multiply(turn([1.5 * math.sin(4 * t), .2, 0]), turn([0, 2 * t, .8 * math.cos(5 * t)]))

    def velocity(t, h=1e-4):
        return [c / (2 * h) for c in vector(multiply(motion(t + h), inverse(motion(t - h))))]

    times = [i / 128 for i in range(400)]
    q, v, a = filtered('butterworth --cutoff 55', times, [motion(t) for t in times])
    inside = times[30:-30]
    close('unchanged', [apart(x, motion(t)) for x, t in zip(q, times)], [0] * len(times), 1e-3)
    for c in range(3):
        close('velocity', column(v, c)[30:-30], [velocity(t)[c] for t in inside], 1e-5 * max(map(largest, v)))
        close('acceleration', column(a, c)[30:-30], [(velocity(t + 1e-3)[c] - velocity(t - 1e-3)[c]) / 2e-3 for t in inside],
              1e-3 * max(map(largest, a)))


def check_noise():
    """Small noise on a rotation: the ends are at most 2.2 times as noisy as the middle."""
    n = 60
    r = random.Random(4)
    sums = [0.0] * n
    for _ in range(40):
        q, _, _ = filtered('critical -H 0.05 -d 0', [i / 64 for i in range(n)],
                           [turn([r.gauss(0, .01) for _ in range(3)]) for _ in range(n)])
        sums = [s + apart(x, [1, 0, 0, 0]) ** 2 for s, x in zip(sums, q)]
    noise = [math.sqrt(s) for s in sums]
    middle = math.sqrt(sum(x * x for x in noise[20:40]) / 20)
    print('noise %.3g times' % (max(noise) / middle))
    if not max(noise) < 2.2 * 1.15 * middle:  # drawn, not worked out
        sys.exit('too much')


if __name__ == '__main__':
    globals()['check_' + sys.argv[1]]()
