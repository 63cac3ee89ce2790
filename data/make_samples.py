#!/usr/bin/python3
"""Makes the samples in this folder: small series in the layouts that motion-capture systems write.

    data/make_samples.py [FOLDER]

wave.csv   a noisy curve at 60 Hz as a tracker gives it: time, two channels, a text column, a cut column (1 where the
           marker jumped), and a gap in y
take.csv   a take with names on two header lines below a preamble, as Motive writes it, with CRLF and a frame column
groups.csv two actors in one file, rows interleaved, time stamps that are not regular
step.csv   a noisy step at 120 Hz, up and down again: time, one channel, a cut column (1 where it jumps)
The numbers come from a small generator of its own, so that the files are the same everywhere.
"""
import math
import os
import sys


def noise(seed):
    """Uniform numbers in -1..1 from the 64-bit congruential generator of Knuth's MMIX."""
    state = seed
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield (state >> 11) / 2**52 - 1


def wave(path):
    shake = noise(1)
    with open(path, "w", newline="") as f:
        f.write("time,x,y,pose,cut\n")
        for n in range(240):
            t = n / 60
            cut = n == 120
            x = 10 * math.sin(2 * math.pi * 0.5 * t) + (25 if n >= 120 else 0) + 0.4 * next(shake)
            y = 90 + 5 * math.cos(2 * math.pi * 0.8 * t) + 0.3 * next(shake)
            y = "" if 60 <= n < 72 else "%.3f" % y
            pose = "idle" if n < 60 else '"step, left"' if n < 150 else "turn"
            f.write("%.4f,%.3f,%s,%s,%d\n" % (t, x, y, pose, cut))


def take(path):
    shake = noise(2)
    with open(path, "w", newline="") as f:
        f.write("Format Version,1.21,Take Name,Sample take,Export Frame Rate,120.000000\r\n\r\n")
        f.write(",,Hip,,,Knee,,\r\n")
        f.write("Frame,Time (Seconds),X,Y,Z,X,Y,Z\r\n")
        for n in range(120):
            t = n / 120
            cells = ["%d" % n, "%.6f" % t]
            for joint in range(2):
                for axis in range(3):
                    v = math.sin(2 * math.pi * (0.6 + 0.2 * axis) * t + joint) + 0.9 - 0.4 * joint
                    cells.append("%.6f" % (v + 0.004 * next(shake)))
            f.write(",".join(cells) + "\r\n")


def groups(path):
    shake = noise(3)
    t = {"anna": 0.0, "ben": 0.0041}
    with open(path, "w", newline="") as f:
        f.write("actor,time,x\n")
        for n in range(160):
            actor = "anna" if next(shake) < 0.2 else "ben"
            f.write("%s,%.4f,%.4f\n" % (actor, t[actor], math.sin(3 * t[actor]) + 0.05 * next(shake)))
            t[actor] += 0.0167 + 0.004 * next(shake)


def step(path):
    shake = noise(4)
    with open(path, "w", newline="") as f:
        f.write("time,x,cut\n")
        for n in range(361):
            up = 60 <= n < 210
            f.write("%.4f,%.4f,%d\n" % (n / 120, up + 0.03 * next(shake), n in (60, 210)))


if __name__ == "__main__":
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    wave(os.path.join(folder, "wave.csv"))
    take(os.path.join(folder, "take.csv"))
    groups(os.path.join(folder, "groups.csv"))
    step(os.path.join(folder, "step.csv"))
