#!/usr/bin/python3
"""Makes the samples in this folder: small series in the layouts that motion-capture systems write.

    data/make_samples.py [FOLDER]

wave.csv   a noisy curve at 60 Hz as a tracker gives it: time, two channels, a text column, a cut column (1 where the
           marker jumped), and a gap in y
take.csv   a take with names on two header lines below a preamble, as Motive writes it, with CRLF and a frame column
groups.csv two actors in one file, rows interleaved, time stamps that are not regular
step.csv   a noisy step at 60 Hz, up and down again: time, one channel, a cut column (1 where it jumps)
walk.bvh   two seconds of a skeleton of four joints at 30 Hz; the hips turn past 180 degrees; a blank ends each row
markers.trc  three markers at 100 Hz as Motion Analysis writes them: tabs, CRLF, empty cells where a marker was lost
angles.sto angles and a moment as OpenSim writes them: tabs, "nan" where nothing was measured
angles.mot the same with columns that stand below each other between blanks
joints.csv a hip as a quaternion and a knee as Euler angles, 60 Hz: columns hip_w hip_x hip_y hip_z knee_z knee_x knee_y
pose.csv   two points of a pose estimator at 30 Hz, as DeepLabCut writes them: three header lines, a frame column, and how
           likely each point is; where a point is hidden its coordinates jump
hip.fbx    two seconds of a hip at 30 Hz, position and rotation, as FBX 7.4 in text
sensor.csv a sensor at about 20 Hz whose samples come at irregular times
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
        for n in range(181):
            up = 30 <= n < 105
            f.write("%.4f,%.4f,%d\n" % (n / 60, up + 0.03 * next(shake), n in (30, 105)))


def walk(path):
    shake = noise(5)
    joints = [("Hips", 0, 100, 0), ("Spine", 0, 20, -2), ("LeftLeg", 10, -4, 0), ("RightLeg", -10, -4, 0)]
    lines = ["HIERARCHY"]
    for depth, (name, x, y, z) in zip((0, 1, 1, 1), joints):
        tab = "\t" * depth
        lines += [tab + ("JOINT " if depth else "ROOT ") + name, tab + "{", "%s\tOFFSET %d %d %d" % (tab, x, y, z)]
        position = "" if depth else "Xposition Yposition Zposition "
        lines += ["%s\tCHANNELS %d %sZrotation Xrotation Yrotation" % (tab, 3 if depth else 6, position)]
        if depth:
            lines += [tab + "\tEnd Site", tab + "\t{", tab + "\t\tOFFSET 0 -40 0", tab + "\t}", tab + "}"]
    lines += ["}", "MOTION", "Frames:\t60", "Frame Time:\t0.0333333"]
    with open(path, "w", newline="") as f:
        f.write("\n".join(lines) + "\n")
        for n in range(60):
            t = n / 30
            turn = (100 + 90 * t + 2 * next(shake) + 180) % 360 - 180
            cells = [30 * t, 100 + 2 * math.sin(9 * t), 1e-6 * next(shake), 3 * math.sin(4 * t), -2 * math.cos(4 * t), turn]
            for joint in range(3):
                cells += [(20 - 5 * axis) * math.sin(5 * t + joint + axis) + 0.6 * next(shake) for axis in range(3)]
            f.write("".join("%.6g " % v for v in cells) + "\n")


def markers(path):
    shake = noise(6)
    names = ["R.Hip", "R.Knee", "R.Ankle"]
    with open(path, "w", newline="") as f:
        f.write("PathFileType\t4\t(X/Y/Z)\tmarkers.trc\r\n")
        f.write("DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\r\n")
        f.write("100.00\t100.00\t120\t3\tmm\t100.00\t1\t120\r\n")
        f.write("Frame#\tTime\t" + "\t\t\t".join(names) + "\t\t\t\r\n")
        f.write("\t\t" + "".join("%s%d\t" % (axis, i + 1) for i in range(3) for axis in "XYZ") + "\r\n\r\n")
        for n in range(120):
            cells = ["%d" % (n + 1), "%.2f" % (n / 100)]
            for marker in range(3):
                xyz = [100 * axis + (80 + 40 * marker) * math.sin(0.05 * n + axis) + 1.5 * next(shake) for axis in range(3)]
                lost = marker == 1 and 40 <= n < 52
                cells += ["" if lost else "%.3f" % v for v in xyz]
            f.write("\t".join(cells) + "\t\r\n")


def angles(path, blanks):
    shake = noise(7)
    names = ["time", "hip_flexion_r", "knee_angle_r", "knee_moment_r"]
    with open(path, "w", newline="") as f:
        f.write("%s\nversion=1\nnRows=100\nnColumns=4\ninDegrees=yes\n\n" % os.path.basename(path))
        f.write("Units are S.I. units (second, meters, Newtons, ...)\nAngles are in degrees.\n\nendheader\n")
        f.write("".join("%16s" % name for name in names) + "\n" if blanks else "\t".join(names) + "\n")
        for n in range(100):
            t = n / 60
            moment = 15 * math.sin(7 * t) + next(shake)
            cells = [t, 30 * math.cos(6 * t) + next(shake), 30 + 28 * math.sin(6 * t) + next(shake), moment]
            texts = ["%.8f" % v for v in cells]
            texts[3] = "nan" if n < 10 else texts[3]
            f.write("".join("%16s" % text for text in texts) + "\n" if blanks else "\t".join(texts) + "\n")


def joints(path):
    shake = noise(8)
    with open(path, "w", newline="") as f:
        f.write("time,hip_w,hip_x,hip_y,hip_z,knee_z,knee_x,knee_y\n")
        for n in range(120):
            t = n / 60
            half = 0.5 * (0.6 * math.sin(4 * t) + 0.02 * next(shake))
            axis = (0.6, 0.0, 0.8)
            quaternion = [math.cos(half)] + [math.sin(half) * a for a in axis]
            knee = [35 + 30 * math.sin(8 * t) + next(shake), 4 * math.cos(8 * t) + 0.5 * next(shake), 2 + 0.5 * next(shake)]
            f.write("%.4f,%s,%s\n" % (t, ",".join("%.6f" % q for q in quaternion), ",".join("%.3f" % a for a in knee)))


def pose(path):
    shake = noise(9)
    points = ("nose", "paw")
    with open(path, "w", newline="") as f:
        f.write("scorer" + ",net" * 6 + "\n")
        f.write("bodyparts," + ",".join("%s,%s,%s" % (point, point, point) for point in points) + "\n")
        f.write("coords" + ",x,y,likelihood" * 2 + "\n")
        for n in range(90):
            cells = ["%d" % n]
            for k in range(2):
                hidden = k == 1 and 40 <= n < 46
                x = 200 + 80 * k + 60 * math.sin(0.1 * n + k) + 0.8 * next(shake) + (90 if hidden else 0)
                y = 150 + 40 * math.cos(0.1 * n) + 0.8 * next(shake) - (70 if hidden else 0)
                cells += ["%.3f" % x, "%.3f" % y, "%.3f" % (0.12 if hidden else 0.97 + 0.02 * next(shake))]
            f.write(",".join(cells) + "\n")


def hip(path):
    shake = noise(11)
    second = 46186158000  # ticks
    ticks = [n * second // 30 for n in range(60)]
    objects, links = [], []

    def add(kind, name, lines=()):
        key = 1000 + len(objects)
        objects.append('\t%s: %d, "%s", "" {\n%s\t}\n' % (kind, key, name, "".join("\t\t%s\n" % line for line in lines)))
        return key

    def array(name, values):
        return "%s: *%d {\n\t\t\ta: %s\n\t\t}" % (name, len(values), ",".join(str(v) for v in values))

    def link(*words):
        links.append('\tC: "%s",%d,%d%s\n' % (words[0], words[1], words[2], ',"%s"' % words[3] if len(words) > 3 else ""))

    stack, layer, model = add("AnimationStack", "AnimStack::walk"), add("AnimationLayer", "AnimLayer::base"), add("Model", "Model::hip")
    link("OO", layer, stack)
    link("OO", model, 0)
    for prop, size in (("Lcl Translation", 5), ("Lcl Rotation", 30)):
        node = add("AnimationCurveNode", "AnimCurveNode::" + prop[4])
        link("OO", node, layer)
        link("OP", node, model, prop)
        for k, axis in enumerate("XYZ"):
            values = ["%.5f" % (size * (math.sin(5 * n / 30 + k) + 0.03 * next(shake))) for n in range(60)]
            curve = add("AnimationCurve", "AnimCurve::", (
                "Default: " + values[0], "KeyVer: 4009", array("KeyTime", ticks), array("KeyValueFloat", values),
                array("KeyAttrFlags", [24836]), array("KeyAttrDataFloat", [0, 0, 0, 0]), array("KeyAttrRefCount", [60])))
            link("OP", curve, node, "d|" + axis)
    with open(path, "w", newline="") as f:
        f.write("; FBX 7.4.0 project file\n\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n}\n")
        f.write("Objects:  {\n" + "".join(objects) + "}\nConnections:  {\n" + "".join(links) + "}\n")


def sensor(path):
    shake = noise(10)
    t = 0.0
    with open(path, "w", newline="") as f:
        f.write("time,temperature\n")
        for _ in range(80):
            f.write("%.3f,%.2f\n" % (t, 21 + 2 * math.sin(0.9 * t) + 0.1 * next(shake)))
            t += 0.05 + 0.03 * next(shake)


if __name__ == "__main__":
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    wave(os.path.join(folder, "wave.csv"))
    take(os.path.join(folder, "take.csv"))
    groups(os.path.join(folder, "groups.csv"))
    step(os.path.join(folder, "step.csv"))
    walk(os.path.join(folder, "walk.bvh"))
    markers(os.path.join(folder, "markers.trc"))
    angles(os.path.join(folder, "angles.sto"), False)
    angles(os.path.join(folder, "angles.mot"), True)
    joints(os.path.join(folder, "joints.csv"))
    pose(os.path.join(folder, "pose.csv"))
    sensor(os.path.join(folder, "sensor.csv"))
    hip(os.path.join(folder, "hip.fbx"))
