"""How a series is written: formats, layouts and spellings."""
import copy
import json
import math
import os
import struct
import sys
import tempfile
import time

from .series import pick

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cases", "tools"))
from fbx import Node, Prop, write as write_fbx  # noqa: E402


class Form:
    """How a series is written: format, layout, and spelling. No field but kind is needed: the others have plain values."""
    PLAIN = {"eol": "\n", "bom": False, "odd": 0, "last": True, "unit": "s", "name": "time", "said": (), "delimiter": None,
             "decimal": ".", "header": True, "comments": 0, "layout": "records", "missing": (), "rate": None, "hz": 100,
             "single": False, "absent": False}

    def __init__(self, kind, **fields):
        self.kind = kind
        self.__dict__.update(self.PLAIN)
        self.__dict__.update(fields)

    # hz: rows per second of formats whose rows have no times; single: times are floats of 32 bits; absent: members whose
    # value is missing are left out of JSON records behind the first.

    def suffix(self):
        """Of names of files."""
        return "tsv" if self.kind == "qualisys" else self.kind

    def between(self):
        if self.delimiter == "blanks":
            return ["  ", " ", "\t ", "   "][self.odd % 4]
        return self.delimiter or ("\t" if self.kind == "tsv" else ",")

    def group(self, name):
        """The name of a group as it stands in a cell; between blanks a cell is neither empty nor has blanks."""
        return "g" + name.replace(" ", "_") if self.delimiter == "blanks" else name

    def change(self, **fields):
        form = copy.copy(self)
        form.__dict__.update(fields)
        return form

    def positional(self):
        """Do the columns have no names?"""
        return not self.header or (self.kind == "json" and self.layout == "arrays")

    def words(self, s):
        """Options that tell the program how the file is to be read."""
        words = list(self.said)
        if self.kind in ("csv", "tsv"):
            if self.delimiter:
                words += ["--delimiter", self.delimiter]
            if self.decimal != ".":
                words += ["--decimal", self.decimal]
            if not self.header:
                words += ["--no-header"]
        if self.kind == "json" and self.layout == "pointer":
            words += ["--records", "/tracks/1/samples"]
        if self.positional() and self.rate is None:
            words += ["-t", "1"]
        if self.rate is not None and self.kind in ("csv", "tsv", "json", "jsonl"):
            words += ["--rate", self.rate]
        if self.missing:
            words += ["--missing", ",".join(self.missing)]
        return words

    def time(self, ms):
        if self.single:
            return repr(single(ms / 1000))
        if self.unit == "s":
            return "%s%d.%03d" % ("-" if ms < 0 else "", abs(ms) // 1000, abs(ms) % 1000)
        if self.unit == "iso":
            return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(ms // 1000)) + ".%03dZ" % (ms % 1000)
        return str(ms // 10 if self.unit == "frames" else ms * {"ms": 1, "us": 1000, "ns": 1000000}[self.unit])

    def cell(self, x, row, c, plain=False):
        """A number in one of many spellings, all of the same double; plain: as JSON takes it."""
        how = pick(self.odd, row, c) if self.odd else 0
        if x is None:
            gaps = ["" if self.delimiter != "blanks" else "nan", "nan", "NA", "null", "NULL"] + list(self.missing)
            return "null" if plain else gaps[how % len(gaps)]
        text = repr(float(x))
        if how % 3 == 1:
            text = text if "e" in text else text + ["0", "e0", "E+00"][how // 3 % 3]
        if how % 7 == 2 and not plain:
            text = [" %s", "%s ", "%s" if text[0] == "-" else "+%s"][how // 21 % 3] % text
        return text.replace(".", self.decimal) if not plain else text

    def key(self, name):
        return json.dumps(name, ensure_ascii=not self.odd or self.odd % 2 == 0)

    def write(self, s):
        """The bytes of the series."""
        return {"csv": self.table, "tsv": self.table, "json": self.json, "jsonl": self.jsonl, "au": self.au, "sto": self.sto,
                "mot": self.sto, "trc": self.trc, "bvh": self.bvh, "qualisys": self.qualisys, "c3d": self.c3d, "glb": self.glb,
                "fbx": self.fbx}[self.kind](s)

    def table(self, s):
        def quote(text, always=False):
            if self.delimiter == "blanks":
                return text.replace(" ", "_")
            odd = always or any(c in text for c in '"\n\r\t#' + self.between())
            return '"%s"' % text.replace('"', '""') if odd else text

        names = [self.name] + s.columns()[1:]
        lines = ["# comment %d" % k for k in range(self.comments)]
        if self.header:
            lines.append(self.between().join(quote(n) for n in names))
        for x in s.rows:
            cells = [self.time(x.time).replace(".", self.decimal) if self.unit != "iso" else self.time(x.time)]
            if not s.flat:
                cells += [quote(self.group(x.group), self.odd and pick(self.odd, x.id, 999) % 4 == 0), str(x.cut)]
            lines.append(self.between().join(cells + [self.cell(v, x.id, c) for c, v in enumerate(x.values)]))
        return (b"\xef\xbb\xbf" if self.bom else b"") + (self.eol.join(lines) + (self.eol if self.last else "")).encode()

    def columns_json(self, s):
        columns = [[self.time(x.time) if self.unit != "iso" else json.dumps(self.time(x.time)) for x in s.rows]]
        if not s.flat:
            columns += [[json.dumps(x.group) for x in s.rows], [str(x.cut) for x in s.rows]]
        columns += [[self.cell(x.values[c], x.id, c, True) for x in s.rows] for c in range(len(s.names()))]
        return columns

    def records(self, s):
        names = [self.name] + s.columns()[1:]
        blank = " " if self.odd % 3 else ""
        keys = [self.key(n) for n in names]
        outer = max(1, len(names) - 2) if self.layout == "nested" else len(names)  # the last columns are members of an object
        records = []
        for i, row in enumerate(zip(*self.columns_json(s))):
            members = [None if self.absent and i and x == "null" else key + ":" + blank + x for key, x in zip(keys, row)]
            text = ("," + blank).join(x for x in members[:outer] if x)
            if self.layout == "nested":
                text += ',%s"deep":{%s}' % (blank, ",".join(x for x in members[outer:] if x))
            records.append("{%s}" % text)
        return records

    def json(self, s):
        blank = " " if self.odd % 3 else ""
        if self.layout == "arrays":
            text = "[%s]" % ("," + blank).join("[%s]" % ",".join(row) for row in zip(*self.columns_json(s)))
        elif self.layout == "columns":
            names = [self.name] + s.columns()[1:]
            text = "{%s}" % ",".join('%s:%s[%s]' % (self.key(n), blank, ",".join(x))
                                     for n, x in zip(names, self.columns_json(s)))
        else:
            text = "[%s]" % (",\n" + blank).join(self.records(s))
        if self.layout == "pointer":
            text = '{"meta": {"samples": [1, 2]}, "tracks": [{"samples": 7},%s{"samples": %s, "n": 1.50}], "end": null}' % (
                blank, text)
        return (text + ("\n" if self.last else "")).encode()

    def jsonl(self, s):
        eol = "\n" if self.eol == "\r" else self.eol
        return (eol.join(self.records(s)) + (eol if self.last else "")).encode()

    def au(self, s):
        """layout: float or double; rate: whole hertz."""
        kind, wide = ("f", 6) if self.layout == "float" else ("d", 7)
        values = [v or 0.0 for x in s.rows for v in x.values]
        note = b"note" if self.odd % 2 else b""
        data = struct.pack(">%d%s" % (len(values), kind), *values)
        size = 0xffffffff if self.odd % 3 == 1 else len(data)
        return struct.pack(">4s5I", b".snd", 24 + len(note), size, wide, int(self.rate), len(s.names())) + note + data + (
            b"" if size == 0xffffffff else b"end of file"[:self.odd % 12])

    def sto(self, s):
        mot, eol = self.kind == "mot", "\r\n" if self.eol == "\r\n" else "\n"
        line = ("%16s" * len(s.columns())).__mod__ if mot else "\t".join(["%s"] * len(s.columns())).__mod__
        lines = ["series", "version=1", "nRows=%d" % len(s.rows), "nColumns=%d" % len(s.columns()), "inDegrees=no", "endheader",
                 line(tuple(s.columns()))]
        for x in s.rows:
            lines.append(line(("%.3f" % (x.time / 1000),) + tuple("nan" if v is None else "%.6f" % v for v in x.values)))
        return (eol.join(lines) + eol).encode()

    def trc(self, s):
        """Markers of three columns each; the time step is 10 ms."""
        eol, n = "\n" if self.eol == "\n" else "\r\n", len(s.names()) // 3
        lines = ["PathFileType\t4\t(X/Y/Z)\tin.trc",
                 "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
                 "%.2f\t%.2f\t%d\t%d\tmm\t%.2f\t1\t%d" % (self.hz, self.hz, len(s.rows), n, self.hz, 1000),
                 "Frame#\tTime\t" + "\t\t\t".join("m%d" % k for k in range(n)) + "\t\t",
                 "\t\t" + "\t".join("%s%d" % (a, k + 1) for k in range(n) for a in "XYZ"), ""]
        for i, x in enumerate(s.rows):
            lines.append("%d\t%.2f\t%s" % (i + 1, i / self.hz, "\t".join("" if v is None else "%.6f" % v for v in x.values)))
        return (eol.join(lines) + eol).encode()

    def bvh(self, s):
        """A chain of joints; the first has three positions, too."""
        eol = "\r\n" if self.eol == "\r\n" else "\n"
        n = len(s.names()) // 3
        lines = ["HIERARCHY"]
        for k in range(n - 1):
            lines += ["\t" * k + ("JOINT j%d" % k if k else "ROOT j0"), "\t" * k + "{", "\t" * k + "\tOFFSET 0 1 0", "\t" * k +
                      "\tCHANNELS " + ("3 Zrotation Xrotation Yrotation" if k else
                                       "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation")]
        lines += ["\t" * (n - 1) + "End Site", "\t" * (n - 1) + "{", "\t" * n + "OFFSET 0 1 0", "\t" * (n - 1) + "}"]
        lines += ["\t" * k + "}" for k in reversed(range(n - 1))]
        lines += ["MOTION", "Frames: %d" % len(s.rows), "Frame Time: %.8g" % (1 / self.hz)]
        lines += [" ".join("%.6f" % (v or 0) for v in x.values) for x in s.rows]
        return (eol.join(lines) + eol).encode()


    def qualisys(self, s):
        """Markers of three columns each. layout: "times" has columns of frames and times."""
        eol, n = "\n" if self.eol == "\n" else "\r\n", len(s.names()) // 3
        names = ["m%d" % k for k in range(n)]
        lines = ["NO_OF_FRAMES\t%d" % len(s.rows), "NO_OF_MARKERS\t%d" % n, "FREQUENCY\t%d" % self.hz, "DATA_INCLUDED\t3D",
                 "MARKER_NAMES\t" + "\t".join(names)]
        timed = self.layout == "times"
        if timed:
            lines.append("Frame\tTime\t" + "\t".join("%s %s" % (m, a) for m in names for a in "XYZ"))
        for i, x in enumerate(s.rows):
            before = ["%d" % (i + 1), "%.5f" % (i / self.hz)] if timed else []
            lines.append("\t".join(before + ["" if v is None else "%.6f" % v for v in x.values]))
        return (eol.join(lines) + eol).encode()

    def c3d(self, s):
        """Points of three floats and a residual, of Intel's byte order; a point of which a coordinate is missing is missing."""
        n = len(s.names()) // 3
        parameters = [("USED", 2, b"\0", struct.pack("<H", n)), ("SCALE", 4, b"\0", struct.pack("<f", -.1)),
                      ("RATE", 4, b"\0", struct.pack("<f", self.hz)), ("DATA_START", 2, b"\0", b"??"),
                      ("FRAMES", 2, b"\0", struct.pack("<H", len(s.rows))),
                      ("LABELS", -1, bytes([2, 4, n]), b"".join(b"m%-3d" % k for k in range(n)))]
        section = b"\x05\xffPOINT\x03\0\0"
        for name, kind, dimensions, data in parameters:
            body = struct.pack("b", kind) + dimensions + data + b"\0"
            section += struct.pack("bb", len(name), 1) + name.encode() + struct.pack("<H", 2 + len(body)) + body
        section += bytes(4)
        blocks = (4 + len(section) + 511) // 512
        section = (bytes([1, 80, blocks, 84]) + section.replace(b"??", struct.pack("<H", 2 + blocks))).ljust(512 * blocks, b"\0")
        head = struct.pack("<BBHHHHHfHHf", 2, 80, n, 0, 1, len(s.rows), 10, -.1, 2 + blocks, 0, self.hz).ljust(512, b"\0")
        data = b""
        for x in s.rows:
            for k in range(0, len(x.values), 3):
                gone = None in x.values[k:k + 3]
                data += struct.pack("<4f", *(v or 0 for v in x.values[k:k + 3]), -1 if gone else 0)
        return head + section + data

    def glb(self, s):
        """An animation of one input: a translation for three numbers, and a rotation for a quaternion, of a node each."""
        data, views, accessors, channels = bytearray(), [], [], []

        def add(values, kind, count):
            views.append({"buffer": 0, "byteOffset": len(data), "byteLength": 4 * len(values)})
            accessors.append({"bufferView": len(views) - 1, "componentType": 5126, "count": count, "type": kind})
            data.extend(struct.pack("<%df" % len(values), *(math.nan if v is None else v for v in values)))

        add([x.time / 1000 for x in s.rows], "SCALAR", len(s.rows))
        accessors[0]["min"], accessors[0]["max"] = [single(s.rows[0].time / 1000)], [single(s.rows[-1].time / 1000)]
        for at, path, order in parts(s, "quaternion", "xyzw"):
            add([x.values[at + k] for x in s.rows for k in order], "VEC4" if len(order) == 4 else "VEC3", len(s.rows))
            channels.append({"sampler": len(channels), "target": {"node": len(channels), "path": path}})
        text = json.dumps({"asset": {"version": "2.0"}, "nodes": [{"name": "n%d" % k} for k in range(len(channels))],
                           "buffers": [{"byteLength": len(data)}], "bufferViews": views, "accessors": accessors,
                           "animations": [{"name": "a", "channels": channels, "samplers": [
                               {"input": 0, "output": k + 1} for k in range(len(channels))]}]}).encode()
        text += b" " * (-len(text) % 4)
        return struct.pack("<4sIIII", b"glTF", 2, 28 + len(text) + len(data), len(text), 0x4E4F534A) + text + struct.pack(
            "<II", len(data), 0x004E4942) + data

    def fbx(self, s):
        """A translation for three numbers, and a rotation for Euler angles, of a model each. """
        ticks = [x.time * 46186158 for x in s.rows]
        objects = [Node("AnimationStack", [Prop("L", 1), Prop("S", "a\0\1AnimStack"), Prop("S", "")]),
                   Node("AnimationLayer", [Prop("L", 2), Prop("S", "b\0\1AnimLayer"), Prop("S", "")])]
        links = [("OO", 2, 1)]
        deflate = 6 if self.odd % 2 else None
        for part, (at, path, order) in enumerate(parts(s, "euler", "xyz")):
            model, node = 100 * part + 10, 100 * part + 11
            what = "Lcl Rotation" if path == "rotation" else "Lcl Translation"
            rotation_order = Node("P", [Prop("S", "RotationOrder"), Prop("S", "enum"), Prop("S", ""), Prop("S", ""), Prop("I", 3)])
            objects.append(Node("Model", [Prop("L", model), Prop("S", "n%d\0\1Model" % part), Prop("S", "Null")],
                                [Node("Properties70", [], [rotation_order])]))
            objects.append(Node("AnimationCurveNode", [Prop("L", node), Prop("S", "T\0\1AnimCurveNode"), Prop("S", "")]))
            links += [("OO", node, 2), ("OP", node, model, what)]
            for k, axis in zip(order, "XYZ"):
                curve = 100 * part + 12 + k
                values = [math.nan if x.values[at + k] is None else x.values[at + k] for x in s.rows]
                objects.append(Node("AnimationCurve", [Prop("L", curve), Prop("S", "\0\1AnimCurve"), Prop("S", "")], [
                    Node("Default", [Prop("D", 0.0)]), Node("KeyVer", [Prop("I", 4009)]),
                    Node("KeyTime", [Prop("l", ticks, deflate)]), Node("KeyValueFloat", [Prop("f", values, deflate)])]))
                links.append(("OP", curve, node, "d|" + axis))
        connections = [Node("C", [Prop("S", x[0]), Prop("L", x[1]), Prop("L", x[2])] + [Prop("S", p) for p in x[3:]]) for x in links]
        top = [Node("Creator", [Prop("S", "properties")]), Node("Objects", [], objects), Node("Connections", [], connections)]
        with tempfile.NamedTemporaryFile() as f:
            write_fbx(f.name, top, version=7400 if self.odd % 3 else 7700)
            return f.read()


def single(x):
    """The nearest float of 32 bits."""
    return struct.unpack("f", struct.pack("f", x))[0]


def parts(s, kind, axes):
    """Of a series of numbers and perhaps a bundle of that kind at the end: (number of the first column, path, order) of each
    translation and rotation. The order is that of the columns in the file."""
    rotation = s.of(kind)
    nnumber = len(s.of("number"))
    found = [(at, "translation", (0, 1, 2)) for at in range(0, nnumber, 3)]
    for b in rotation:
        letters = "".join(n[-1] for n in b.names)
        found.append((nnumber, "rotation", tuple(letters.index(a) for a in axes)))
    return found


TEXT = ("csv", "tsv", "json", "jsonl")
MOTION = ("sto", "mot", "trc", "bvh", "qualisys")
STORED = ("c3d", "glb", "fbx")  # samples of fixed width
KINDS = TEXT + ("au",) + MOTION + STORED  # those that Form.write knows
# No law writes these: law_array has npy, the other audio formats differ from au in libsndfile alone, gltf is glb in JSON.
UNWRITTEN = ("npy", "wav", "aiff", "flac", "caf", "w64", "ogg", "gltf")
MARKERS = ("trc", "qualisys", "c3d")
EVEN = ("au", "bvh") + MARKERS  # rows have no times of their own


def draw_form(r, s, kinds=TEXT, names=True, plain_time=False, rates=False):
    """names: columns must have names; plain_time: in seconds; rates: rows may be numbered, and have no times."""
    form = Form(r.choice(kinds))
    if form.kind == "au":
        return form.change(layout=r.choice(["float", "double"]), rate=r.choice(["100", "44100"]), odd=r.randrange(1 << 20))
    if form.kind == "qualisys":
        return form.change(eol=r.choice(["\n", "\r\n"]), layout=r.choice(["times", "records"]))
    if form.kind == "fbx":
        return form.change(odd=r.randrange(6))
    if form.kind in MOTION + STORED:
        return form.change(eol=r.choice(["\n", "\r\n"]))
    odd = r.choice([0, r.randrange(1, 1 << 20)])
    form = form.change(odd=odd, last=not odd or r.random() < .6, eol=r.choice(["\n", "\n", "\r\n", "\r"]))
    if form.kind in ("csv", "tsv"):
        form.bom = odd and r.random() < .3
        if form.kind == "csv" and r.random() < .2:
            form.delimiter = r.choice([";", "|", "blanks"])
            form.decimal = r.choice([".", ","])
        form.comments = r.choice([0, 0, 0, 2])
        form.header = names or r.random() < .8
        if r.random() < .1:
            form.missing = ("-", "-999")
    if form.kind == "json":
        form.layout = r.choice(["records", "arrays" if not names else "records", "columns", "pointer", "nested"])
    if form.kind == "jsonl":
        form.layout = r.choice(["records", "nested"])
    form.absent = form.kind in ("json", "jsonl") and r.random() < .3
    if rates and not plain_time and not any(x.group for x in s.rows) and r.random() < .15:
        form.rate = r.choice(["100", "29.97", "240"])
        if r.random() < .5 and all(x.time % 10 == 0 for x in s.rows):
            form.rate = r.choice(["100", "240"])
            form.unit, form.said, form.name = "frames", ("--time-unit", "frames"), r.choice(["frame", "Frame#", "time"])
            form.said += ("-t", "1") if form.positional() else ()
    elif not plain_time and r.random() < .5:
        form.unit = r.choice(["ms", "us", "ns", "s", "iso" if s.rows[0].time > 0 else "s"])
        if form.unit not in ("s", "iso") and (r.random() < .5 or form.positional()):
            form.said = ("--time-unit", form.unit)
        else:
            first = "" if form.comments else "#"
            form.name = {"s": r.choice(["t", "Time", "seconds", "Elapsed Time", first + "timestamp"]), "iso": "Timestamp",
                         "ms": r.choice(["time [ms]", "time_ms"]), "us": "Time (us)", "ns": first + "timestamp [ns]"}[form.unit]
            if form.delimiter == "blanks":
                form.name = {"s": "seconds", "iso": "Timestamp"}.get(form.unit, "time_" + form.unit)
        if not form.positional() and r.random() < .2:
            form.name = "clock"
            form.said = ("-t", r.choice(["clock", "1"])) + (("--time-unit", form.unit) if form.unit not in ("s", "iso") else ())
    return form
