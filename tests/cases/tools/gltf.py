"""Makes and reads glTF files for the tests, with nothing of sprung's.

gltf.py make FILE [KEY=JSON]...   writes a file (.gltf or .glb); keys change it, see make()
gltf.py csv FILE CHANNEL...       the values of channels, with the times of the first: time,NAME.x,... as CSV
gltf.py pair FILE FILE CHANNEL... in.csv and got.csv: that of both files
gltf.py many FILE KEY=JSON...     for each line EDITS|TEXT of standard input a file 1FILE, 2FILE, ...
gltf.py json FILE                 the JSON text as it is in the file
gltf.py bytes FILE                the bytes of the first buffer
gltf.py extremes FILE             checks min and max of all accessors that animations use
"""
import base64, json, math, os, struct, sys

KINDS = {"i8": (5120, "b", 127), "u8": (5121, "B", 255), "i16": (5122, "h", 32767), "u16": (5123, "H", 65535),
         "f32": (5126, "f", 0)}
CODES = {code: (letter, most) for code, letter, most in KINDS.values()}
CODES[5125] = ("I", 0)
SIZES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def noise(i, k):
    x = math.sin(12.9898 * (i + 1) + 78.233 * (k + 1)) * 43758.5453
    return x - math.floor(x) - 0.5


class Writer:
    def __init__(self):
        self.bytes = bytearray(b"HEAD")
        self.views, self.accessors = [], []

    def add(self, rows, type, kind="f32", extremes=False):
        code, letter, most = KINDS[kind]
        cells = [c for row in rows for c in row]
        if most:
            cells = [round(c * most) for c in cells]
        data = struct.pack("<%d%s" % (len(cells), letter), *cells)
        while len(self.bytes) % 4:
            self.bytes += b"\xEE"
        self.views.append({"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(data)})
        self.bytes += data
        n = SIZES[type]
        accessor = {"bufferView": len(self.views) - 1, "componentType": code, "count": len(cells) // n, "type": type}
        if most:
            accessor["normalized"] = True
        if extremes:
            cells = struct.unpack("<%d%s" % (len(cells), letter), data)
            accessor["min"] = [min(cells[c::n]) for c in range(n)]
            accessor["max"] = [max(cells[c::n]) for c in range(n)]
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def turns(times, k):
    rows = []
    for i, t in enumerate(times):
        a, b = 0.6 * math.sin(3 * t + k) + 0.05 * noise(i, k), 0.4 * math.cos(2 * t) + 0.05 * noise(i, k + 9)
        q = [math.sin(a) * math.cos(b), math.sin(a) * math.sin(b), 0.1 * math.sin(a), math.cos(a)]
        n = math.sqrt(sum(c * c for c in q))
        rows.append([c / n for c in q])
    return rows


def make(file, **keys):
    """animations: a list of animations, each [name, [[node, path, kind, interpolation, times], ...]]; times 0 or 1 chooses
    the sampler's input. rows: of the first input. edit: pairs of texts that are replaced in the JSON. bin: the name of the
    other file. late: seconds that are added to the times. rate: keys a second, which are uneven at 30. Of two samplers of one animation with the same times the input
    accessor is one."""
    rows = keys.get("rows", 40)
    w = Writer()
    animations = []
    for a, (name, channels) in enumerate(keys.get("animations", [["walk", [[0, "translation", "f32", "LINEAR", 0],
                                                                    [0, "rotation", "f32", "LINEAR", 0]]]])):
        inputs, animation = {}, {"channels": [], "samplers": []}
        if name is not None:
            animation["name"] = name
        for k, (node, path, kind, interpolation, which) in enumerate(channels):
            n = rows + 10 * which
            rate = keys.get("rate", 30)
            times = [i / rate + (0.12 / rate * noise(i, 5) if i and rate == 30 else 0) + which for i in range(n)]
            if which not in inputs:
                inputs[which] = w.add([[t + keys.get("late", 0)] for t in times], "SCALAR", extremes=True)
            each = 3 if interpolation == "CUBICSPLINE" else 1
            if path == "rotation":
                values, type = turns(times * each, a + k), "VEC4"
            elif path == "weights":
                values = [[0.5 + 0.4 * math.sin(3 * t + m) + 0.08 * noise(i, m)] for i, t in enumerate(times * each) for m in range(2)]
                type = "SCALAR"
            else:
                values, type = [[0.5 * math.sin(2 * t + c) + 0.1 * noise(i, c + 3 * k) for c in range(3)] for i, t in enumerate(times * each)], "VEC3"
            sampler = {"input": inputs[which], "output": w.add(values, type, kind, keys.get("extremes", True))}
            if interpolation != "LINEAR":
                sampler["interpolation"] = interpolation
            animation["samplers"].append(sampler)
            animation["channels"].append({"sampler": k, "target": {"node": node, "path": path}})
        animations.append(animation)
    data = bytes(w.bytes) + b"TAIL"
    doc = {"asset": {"version": "2.0", "generator": "a test, \"quoted\" caf\u00e9"}, "scene": 0,
           "nodes": [{"name": "hip", "rotation": [0.0, 0, 0, 1.000]}, {"mesh": 0}, {"name": "face"}],
           "accessors": w.accessors, "bufferViews": w.views, "buffers": [{"byteLength": len(data)}],
           "animations": animations, "extras": {"kept": [1.50, 1e3, -0.0]}}
    other = keys.get("bin")
    glb = file.endswith(".glb")
    if other:
        doc["buffers"][0]["uri"] = other
        with open(os.path.join(os.path.dirname(file), keys.get("as", other)), "wb") as f:
            f.write(data)
    elif not glb:
        doc["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    text = json.dumps(doc, indent=2, ensure_ascii=False)
    for old, new in keys.get("edit", []):
        assert old in text, old
        text = text.replace(old, new, 1)
    text = text.encode()
    if glb:
        text = container(text, None if other else data, more=struct.pack("<I4s", 8, b"MORE") + b"chunk...")
    with open(file, "wb") as f:
        f.write(text)


def container(text, data, fill=b" ", more=b""):
    """A .glb: the JSON text, with fill after it, the binary chunk unless data is None, and more chunks."""
    text += fill * (-len(text) % 4)
    body = struct.pack("<I4s", len(text), b"JSON") + text
    if data is not None:
        data = bytes(data) + b"\0" * (-len(data) % 4)
        body += struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(body + more)) + body + more


def chunks(data):
    magic, version, n = struct.unpack_from("<4sII", data)
    assert magic == b"glTF" and version == 2 and n == len(data), (n, len(data))
    found, at = [], 12
    while at < n:
        size, kind = struct.unpack_from("<I4s", data, at)
        assert size % 4 == 0 and at + 8 + size <= n
        found.append((kind, data[at + 8:at + 8 + size]))
        at += 8 + size
    return found


class Reader:
    def __init__(self, file):
        data = open(file, "rb").read()
        self.binary = None
        if data[:4] == b"glTF":
            found = chunks(data)
            data = found[0][1]
            self.binary = found[1][1] if found[1][0] == b"BIN\0" else None
        self.text = data
        self.doc = json.loads(data)
        self.folder = os.path.dirname(file)

    def buffer(self, i):
        uri = self.doc["buffers"][i].get("uri")
        if uri is None:
            return self.binary
        if uri.startswith("data:"):
            return base64.b64decode(uri.split(",")[1] + "==")
        from urllib.parse import unquote
        return open(os.path.join(self.folder, unquote(uri)), "rb").read()

    def raw(self, i):
        a = self.doc["accessors"][i]
        v = self.doc["bufferViews"][a["bufferView"]]
        letter, most = CODES[a["componentType"]]
        n = SIZES[a["type"]]
        cells = struct.unpack_from("<%d%s" % (a["count"] * n, letter), self.buffer(v["buffer"]),
                                   v.get("byteOffset", 0) + a.get("byteOffset", 0))
        return [cells[k:k + n] for k in range(0, len(cells), n)], most

    def values(self, i):
        rows, most = self.raw(i)
        return [[max(c / most, -1) if most else c for c in row] for row in rows]

    def sampler(self, name):
        """ANIMATION/NODE.PATH by numbers or names."""
        animation, channel = name.split("/")
        for i, a in enumerate(self.doc["animations"]):
            if a.get("name", "animation%d" % i) != animation:
                continue
            for c in a["channels"]:
                node = c["target"]["node"]
                label = self.doc["nodes"][node].get("name", "node%d" % node)
                if label + "." + c["target"]["path"] == channel:
                    return a["samplers"][c["sampler"]]
        raise SystemExit("no channel " + name)

    def keys(self, s):
        """Times and values of a sampler as rows of numbers, without tangents."""
        times, rows = self.values(s["input"]), self.values(s["output"])
        parts = 3 if s.get("interpolation") == "CUBICSPLINE" else 1
        each = len(rows) // len(times) // parts
        rows = [[c for row in rows[k:k + each] for c in row] for k in range(0, len(rows), each)]
        return times, rows[parts // 2::parts]

    def csv(self, names):
        table = None
        heads = ["time"]
        for name in names:
            s = self.sampler(name)
            times, values = self.keys(s)
            each = len(values[0])
            if self.doc["accessors"][s["output"]]["type"] == "SCALAR":
                heads += ["%s.%d" % (name, k) for k in range(each)]
            else:
                heads += [name + "." + "xyzw"[k] for k in range(len(values[0]))]
            table = table or [list(t) for t in times]
            for row, more in zip(table, values):
                row += more
        return "\n".join([",".join(heads)] + [",".join(map(repr, row)) for row in table]) + "\n"

    def extremes(self):
        for a in self.doc["animations"]:
            for s in a["samplers"]:
                for i in (s["input"], s["output"]):
                    accessor = self.doc["accessors"][i]
                    rows, _ = self.raw(i)
                    for key, of in ("min", min), ("max", max):
                        want = [of(c) for c in zip(*rows)]
                        if key in accessor and accessor[key] != want:
                            raise SystemExit("accessors[%d].%s is %s, not %s" % (i, key, accessor[key], want))


if __name__ == "__main__":
    command, file, rest = sys.argv[1], sys.argv[2], sys.argv[3:]
    if command == "make":
        make(file, **{k: json.loads(v) for k, v in (a.split("=", 1) for a in rest)})
    elif command == "many":
        keys = {k: json.loads(v) for k, v in (a.split("=", 1) for a in rest)}
        for i, line in enumerate(sys.stdin, 1):
            make("%d%s" % (i, file), edit=json.loads("[" + line.split("|")[0] + "]"), **keys)
    elif command == "pair":
        for source, to in (file, "in.csv"), (rest[0], "got.csv"):
            with open(to, "w") as f:
                f.write(Reader(source).csv(rest[1:]))
    elif command == "csv":
        sys.stdout.write(Reader(file).csv(rest))
    elif command == "json":
        sys.stdout.buffer.write(Reader(file).text)
    elif command == "bytes":
        sys.stdout.buffer.write(Reader(file).buffer(0))
    elif command == "extremes":
        Reader(file).extremes()
