"""Makes and reads FBX files for the tests, with nothing of sprung's.

fbx.py make FILE [KEY=JSON]...   writes a file; keys change it, see build() and write()
fbx.py csv FILE CHANNEL...       the keys of STACK/OBJECT.property[.component]: time,NAME,... as CSV; of one set of times
fbx.py pair FILE FILE CHANNEL... in.csv and got.csv: that of both files
fbx.py same FILE FILE            requires that nothing but the values of keys differs; prints how many curves differ
fbx.py counts FILE               objects of each kind, and keys of each curve
"""
import json, math, struct, sys, zlib

TICKS = 46186158000
WIDTHS = {"C": "B", "Y": "h", "I": "i", "F": "f", "D": "d", "L": "q"}
ARRAYS = {"f": "f", "d": "d", "l": "q", "i": "i", "b": "b", "c": "B"}
MAGIC = b"Kaydara FBX Binary  \0\x1a\0"
FOOT = bytes.fromhex("fabcab09d0c8d466b176fb831cf7267e")
END = bytes.fromhex("f85a8c6adef5d97eece90ce375 8f290b".replace(" ", ""))


class Node:
    def __init__(self, name, props=(), kids=()):
        self.name, self.props, self.kids = name, list(props), list(kids)

    def find(self, name):
        return next((k for k in self.kids if k.name == name), None)

    def all(self, name):
        return [k for k in self.kids if k.name == name]


class Prop:
    """letter and value; of a file that was read also its bytes. deflate: 0 to 9, None: raw."""
    def __init__(self, letter, value, deflate=None, raw=None):
        self.letter, self.value, self.deflate, self.raw = letter, value, deflate, raw

    def bytes(self):
        if self.raw is not None:
            return self.raw
        if self.letter in WIDTHS:
            return self.letter.encode() + struct.pack("<" + WIDTHS[self.letter], self.value)
        if self.letter in "SR":
            data = self.value if isinstance(self.value, bytes) else self.value.encode()
            return self.letter.encode() + struct.pack("<I", len(data)) + data
        data = struct.pack("<%d%s" % (len(self.value), ARRAYS[self.letter]), *self.value)
        packed = data if self.deflate is None else zlib.compress(data, self.deflate)
        return self.letter.encode() + struct.pack("<III", len(self.value), self.deflate is not None, len(packed)) + packed


def noise(i, k):
    x = math.sin(12.9898 * (i + 1) + 78.233 * (k + 1)) * 43758.5453
    return x - math.floor(x) - 0.5


def times_of(name, rows):
    """a: 30 a second; b: others; half, third: some of a; two: its first and last; late: a, 0.01 s later."""
    a = [i * TICKS // 30 for i in range(rows)]
    return {"a": a, "b": [TICKS + i * TICKS // 24 for i in range(rows + 10)], "half": a[::2] + ([] if rows % 2 else a[-1:]),
            "third": a[1::3], "two": [a[0], a[-1]], "one": a[:1], "late": [t + TICKS // 100 for t in a]}[name]


COMPONENTS = {"Lcl Translation": "XYZ", "Lcl Rotation": "XYZ", "Lcl Scaling": "XYZ"}


def build(**keys):
    """curves: a list of [STACK, LAYER, OBJECT, PROPERTY, TIMES...]: a curve for each of TIMES, of x, y and z in turn; of another
    property the first is the property itself. flags: of all curves, or {number: flags}. order: {OBJECT: RotationOrder}.
    rows: keys of the times a. shift: added to the numbers of objects. edit: Python that may change the tree `top`."""
    rows, curves = keys.get("rows", 40), keys.get("curves", [["walk", "Base", "hip", "Lcl Translation", "a", "a", "a"],
                                                             ["walk", "Base", "hip", "Lcl Rotation", "a", "a", "a"]])
    objects, links, known = [], [], {}
    deflate = keys.get("deflate", 6)

    def thing(kind, name, cls, kids=(), unique=None):
        key = (kind, name, unique)
        if key not in known:
            known[key] = 1000 + 7 * len(known) + keys.get("shift", 0)
            objects.append(Node(kind, [Prop("L", known[key]), Prop("S", name + "\0\1" + cls), Prop("S", "")], kids))
        return known[key]

    def array(letter, value):
        return Prop(letter, value, deflate if len(value) > 4 else None)

    objects.append(Node("Geometry", [Prop("L", 5), Prop("S", "box\0\1Geometry"), Prop("S", "Mesh")],
                        [Node("Vertices", [Prop("d", [0.5 * i for i in range(60)], deflate)]), Node("Empty", [], [])]))
    number = 0
    for stack, layer, target, prop, *times in curves:
        top = thing("AnimationStack", stack, "AnimStack")
        own = thing("AnimationLayer", layer, "AnimLayer", unique=stack)
        if ("OO", own, top) not in links:
            links.append(("OO", own, top))
        order = keys.get("order", {}).get(target)
        p = [Node("P", [Prop("S", "RotationOrder"), Prop("S", "enum"), Prop("S", ""), Prop("S", ""), Prop("I", order)])] if order is not None else []
        p.append(Node("P", [Prop("S", "Lcl Rotation"), Prop("S", "Lcl Rotation"), Prop("S", ""), Prop("S", "A"), Prop("D", 1.5), Prop("D", 0.0), Prop("D", 0.0)]))
        model = thing("Model", target, "Model", [Node("Version", [Prop("I", 232)]), Node("Properties70", [], p), Node("Shading", [Prop("C", 1)])])
        if ("OO", model, 0) not in links:
            links.append(("OO", model, 0))
        node = thing("AnimationCurveNode", prop[4:5] if prop in COMPONENTS else prop, "AnimCurveNode", unique=len(known))
        links.append(("OO", node, own))
        links.append(("OP", node, model, prop))
        for k, name in enumerate(times):
            if name is None:
                continue
            ticks, scale = times_of(name, rows), 40 if prop == "Lcl Rotation" else 1
            values = [scale * (math.sin(3 * t / TICKS + k + number) + 0.2 * noise(i, number + k)) for i, t in enumerate(ticks)]
            values = list(struct.unpack("<%df" % len(values), struct.pack("<%df" % len(values), *values)))
            flags = keys.get("flags", [24836])
            flags = flags.get(str(number), [24836]) if isinstance(flags, dict) else flags
            each = [1] * len(flags)
            each[-1] += len(ticks) - len(flags)
            curve = thing("AnimationCurve", "", "AnimCurve", [
                Node("Default", [Prop("D", values[0])]), Node("KeyVer", [Prop("I", 4009)]),
                Node("KeyTime", [array("l", ticks)]), Node("KeyValueFloat", [array("f", values)]),
                Node("KeyAttrFlags", [array("i", flags)]), Node("KeyAttrDataFloat", [array("f", [0.0] * 4 * len(flags))]),
                Node("KeyAttrRefCount", [array("i", each)])], unique=len(known))
            part = COMPONENTS[prop][k] if prop in COMPONENTS else prop
            links.append(("OP", curve, node, "d|" + part))
            number += 1
    connections = [Node("C", [Prop("S", c[0]), Prop("L", c[1]), Prop("L", c[2])] + [Prop("S", x) for x in c[3:]]) for c in links]
    top = [Node("FBXHeaderExtension", [], [Node("FBXHeaderVersion", [Prop("I", 1003)]), Node("FBXVersion", [Prop("I", keys.get("version", 7400))])]),
           Node("FileId", [Prop("R", bytes(range(16)))]), Node("Creator", [Prop("S", "a test")]),
           Node("Objects", [], objects), Node("Connections", [], connections),
           Node("Takes", [], [Node("Current", [Prop("S", "")])])]
    exec(keys.get("edit", ""), {"top": top, "objects": top[3].kids, "connections": top[4].kids, "Node": Node, "Prop": Prop,
                                "curves": [o for o in objects if o.name == "AnimationCurve"], "struct": struct})
    return top


def record(node, at, wide):
    head = "<QQQB" if wide else "<IIIB"
    size = struct.calcsize(head)
    props = b"".join(p.bytes() for p in node.props)
    name = node.name.encode()
    body = b""
    start = at + size + len(name) + len(props)
    for kid in node.kids:
        body += record(kid, start + len(body), wide)
    if node.kids or not node.props:
        body += bytes(size)
    return struct.pack(head, start + len(body), len(node.props), len(props), len(name)) + name + props + body


def write(file, top, version=7400, blender=False, footer=True):
    data, wide = MAGIC + struct.pack("<I", version), version >= 7500
    for node in top:
        data += record(node, len(data), wide)
    data += bytes(25 if wide else 13)
    if footer:
        data += FOOT
        data += (b"\0" * 4 + pad(len(data) + 4)) if blender else (pad(len(data)) + b"\0" * 4)
        data += struct.pack("<I", version) + bytes(120) + END
    open(file, "wb").write(data)


def pad(n):
    return bytes(16 - n % 16)


def parse(data):
    """The nodes of a file at the top, its version, and its footer. Every length must fit."""
    assert data.startswith(MAGIC)
    version = struct.unpack_from("<I", data, 23)[0]
    head = "<QQQB" if version >= 7500 else "<IIIB"
    size = struct.calcsize(head)

    def prop(at):
        letter = chr(data[at])
        if letter in WIDTHS:
            n = struct.calcsize("<" + WIDTHS[letter])
            return Prop(letter, struct.unpack_from("<" + WIDTHS[letter], data, at + 1)[0], raw=data[at:at + 1 + n]), at + 1 + n
        if letter in "SR":
            n = struct.unpack_from("<I", data, at + 1)[0]
            return Prop(letter, data[at + 5:at + 5 + n], raw=data[at:at + 5 + n]), at + 5 + n
        count, encoding, n = struct.unpack_from("<III", data, at + 1)
        packed = data[at + 13:at + 13 + n]
        value = zlib.decompress(packed) if encoding else packed
        assert len(value) == count * struct.calcsize("<" + ARRAYS[letter])
        p = Prop(letter, struct.unpack("<%d%s" % (count, ARRAYS[letter]), value), raw=data[at:at + 13 + n])
        p.head = data[at:at + 9] # letter, count, encoding
        return p, at + 13 + n

    def node(at):
        end, nprop, nbyte, nname = struct.unpack_from(head, data, at)
        if end == 0:
            assert data[at:at + size] == bytes(size)
            return None, at + size
        own = Node(data[at + size:at + size + nname].decode())
        at += size + nname
        values = at
        for _ in range(nprop):
            p, at = prop(at)
            own.props.append(p)
        assert at == values + nbyte, own.name
        own.ended = at < end
        while at < end:
            kid, at = node(at)
            if kid is None:
                break
            own.kids.append(kid)
        assert at == end, (own.name, at, end)
        return own, end

    top, at = [], 27
    while True:
        kid, at = node(at)
        if kid is None:
            return top, version, data[at:], at
        top.append(kid)




class File:
    def __init__(self, file):
        self.data = open(file, "rb").read()
        self.top, self.version, self.footer, self.at = parse(self.data)
        self.objects = {n.props[0].value: n for t in self.top if t.name == "Objects" for n in t.kids}
        self.links = [[p.value for p in c.props] for t in self.top if t.name == "Connections" for c in t.kids]

    @staticmethod
    def name(node):
        return node.props[1].value.split(b"\0")[0].decode()

    def curves(self):
        """STACK/OBJECT.property[.component] and the curve's node."""
        out = []
        up = {}
        for link in self.links:
            up.setdefault(link[1], []).append(link)
        for id, node in self.objects.items():
            if node.name != "AnimationCurve":
                continue
            for _, _, parent, part in up.get(id, []):
                layer = next(l[2] for l in up[parent] if l[0] == b"OO")
                stack = next(l[2] for l in up[layer] if l[0] == b"OO")
                target, prop = next((l[2], l[3].decode()) for l in up[parent] if l[0] == b"OP")
                part = part.decode()[2:]
                names = {"Lcl Translation": "translation", "Lcl Rotation": "rotation", "Lcl Scaling": "scale"}
                name = "%s/%s.%s" % (self.name(self.objects[stack]), self.name(self.objects[target]), names.get(prop, prop))
                out.append((name if part == prop else name + "." + part.lower(), node))
                break
        return out

    def csv(self, names):
        heads, table = ["time"], None
        for name in names:
            for found, node in self.curves():
                if found == name or found.rpartition(".")[0] == name:
                    ticks, values = node.find("KeyTime").props[0].value, node.find("KeyValueFloat").props[0].value
                    table = table or [[t / TICKS] for t in ticks]
                    assert len(table) == len(ticks)
                    heads.append(found)
                    for row, v in zip(table, values):
                        row.append(v)
        return "\n".join([",".join(heads)] + [",".join(map(repr, row)) for row in table]) + "\n"


def same(a, b, path, curve, changed):
    assert a.name == b.name and len(a.props) == len(b.props) and len(a.kids) == len(b.kids), path
    path += "/" + a.name
    for x, y in zip(a.props, b.props):
        if curve and a.name == "KeyValueFloat":
            assert len(x.value) == len(y.value) and x.letter == y.letter and getattr(x, "head", 0) == getattr(y, "head", 0), path
            if list(x.value) != list(y.value):
                changed.append(path)
            else:
                assert x.raw == y.raw, path
        else:
            assert x.raw == y.raw and (x.raw is not None or x.value == y.value), path
    assert getattr(a, "ended", 0) == getattr(b, "ended", 0), path
    for x, y in zip(a.kids, b.kids):
        same(x, y, path, curve or x.name == "AnimationCurve", changed)


def compare(one, two):
    a, b = File(one), File(two)
    changed = []
    assert a.version == b.version and len(a.top) == len(b.top)
    for x, y in zip(a.top, b.top):
        same(x, y, "", False, changed)
    if a.footer:
        for f in a, b:
            assert f.footer[:16] == a.footer[:16] and f.footer.endswith(a.footer[-144:])
        zeros = [len(f.footer) - 156 for f in (a, b)]
        ends = [(f.at + 16 + z) % 16 for f, z in zip((a, b), zeros)]
        assert ends[0] == ends[1] and all(4 < z <= 20 for z in zeros), (zeros, ends)
    print(len(changed))


if __name__ == "__main__":
    command, file, rest = sys.argv[1], sys.argv[2], sys.argv[3:]
    if command == "make":
        keys = {k: json.loads(v) for k, v in (a.split("=", 1) for a in rest)}
        write(file, build(**keys), **{k: v for k, v in keys.items() if k in ("version", "blender", "footer")})
    elif command == "csv":
        sys.stdout.write(File(file).csv(rest))
    elif command == "pair":
        for source, to in (file, "in.csv"), (rest[0], "got.csv"):
            with open(to, "w") as f:
                f.write(File(source).csv(rest[1:]))
    elif command == "same":
        compare(file, rest[0])
    elif command == "counts":
        f = File(file)
        kinds = sorted(n.name for n in f.objects.values())
        print(*("%s %d" % (k, kinds.count(k)) for k in sorted(set(kinds))), sep="\n")
        print(*("%s %d" % (name, len(node.find("KeyTime").props[0].value)) for name, node in f.curves()), sep="\n")
