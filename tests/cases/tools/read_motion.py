#!/usr/bin/python3
"""Reads BVH, TRC, STO and MOT files by what their formats say, knowing nothing of sprung; for its tests.

    read_motion.py FILE               prints what it read as csv: time and channels, numbers as they are spelled
    read_motion.py --only GLOB A B    B is A rewritten: same header, same rows, other bytes only in cells of channels
                                      whose names match GLOB; prints how many cells differ

BVH: a tree of joints; the motion's numbers stand in the order in which the channels were declared, depth first.
TRC: tabs; names above every third column from the third on; X, Y and Z of each. STO, MOT: lines up to endheader, names.
A file that breaks these rules ends the program with a message.
"""
import fnmatch
import re
import sys


class Bad(Exception):
    pass


class Series:
    """header: the bytes above the rows. names: of the cells in a row. rows: lists of (start, end) in data, per cell.
    time: the column, or None: it is row * step."""

    def __init__(self, data):
        self.data, self.header, self.names, self.rows, self.time, self.step = data, b"", [], [], None, None

    def cell(self, row, column):
        start, end = self.rows[row][column]
        return self.data[start:end].decode()

    def time_of(self, row):
        return float(self.cell(row, self.time)) if self.time is not None else row * self.step


def lines(data, start=0):
    """(start, end) of every line, without its line end."""
    for match in re.compile(rb"([^\r\n]*)(\r\n|\n|\r|$)").finditer(data, start):
        if match.end() > match.start():
            yield match.start(1), match.end(1)


def words(data, start, end):
    return [(m.start(), m.end()) for m in re.compile(rb"[^ \t\r\n]+").finditer(data, start, end)]


def cells(data, start, end, delimiter):
    found = []
    while True:
        at = data.find(delimiter, start, end)
        stop = end if at < 0 else at
        text = data[start:stop]
        left = start + len(text) - len(text.lstrip())
        found.append((left, left + len(text.strip())))
        if at < 0:
            return found
        start = at + 1


def number(text, gap=()):
    if text.lower() in gap:
        return None
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text):
        raise Bad("not a number: %r" % text)
    return float(text)


def joint(tokens, at, names):
    """One joint's block, after its name; returns what follows its closing brace."""
    name = tokens[at]
    if tokens[at + 1] != "{":
        raise Bad("no { after %s" % name)
    at += 2
    while tokens[at] != "}":
        if tokens[at] == "OFFSET":
            for text in tokens[at + 1:at + 4]:
                number(text)
            at += 4
        elif tokens[at] == "CHANNELS":
            n = int(tokens[at + 1])
            names += [name + "." + channel for channel in tokens[at + 2:at + 2 + n]]
            at += 2 + n
        elif tokens[at] == "JOINT":
            at = joint(tokens, at + 1, names)
        elif tokens[at:at + 2] == ["End", "Site"]:
            at = joint(tokens, at + 1, [])
        else:
            raise Bad("%r in the block of %s" % (tokens[at], name))
    return at + 1


def bvh(data):
    s = Series(data)
    motion = re.search(rb"^[ \t]*MOTION[ \t]*\r?\n\s*Frames:\s*(\d+)\s*\r?\n\s*Frame Time:\s*(\S+)[ \t]*\r?\n", data, re.M)
    if not motion:
        raise Bad("no motion")
    tokens = data[:motion.start()].decode().split()
    if tokens[:2] != ["HIERARCHY", "ROOT"]:
        raise Bad("no hierarchy")
    at = joint(tokens, 2, s.names)
    if at != len(tokens):
        raise Bad("something behind the skeleton")
    s.header, s.step = data[:motion.end()], number(motion[2].decode())
    s.rows = [row for row in (words(data, *line) for line in lines(data, motion.end())) if row]
    if len(s.rows) != int(motion[1]):
        raise Bad("%d frames, not %d" % (len(s.rows), int(motion[1])))
    for row in s.rows:
        if len(row) != len(s.names):
            raise Bad("%d numbers in a frame, not %d" % (len(row), len(s.names)))
    return s


def trc(data):
    s = Series(data)
    head = list(lines(data))[:5]
    top = [[data[a:b].decode() for a, b in cells(data, *line, b"\t")] for line in head]
    if top[0][0] != "PathFileType" or top[3][:2] != ["Frame#", "Time"]:
        raise Bad("not a trc file")
    fields = dict(zip(top[1], top[2]))
    markers = [name for name in top[3][2:] if name]
    if top[3][2:2 + 3 * len(markers):3] != markers or len(markers) != int(fields["NumMarkers"]):
        raise Bad("markers: %r" % markers)
    if [axis for axis in top[4] if axis] != ["%s%d" % (axis, i + 1) for i in range(len(markers)) for axis in "XYZ"]:
        raise Bad("axes: %r" % top[4])
    if not number(fields["DataRate"]) > 0 or fields["Units"] not in ("mm", "m"):
        raise Bad("fields: %r" % fields)
    s.names = top[3][:2] + [name + "." + axis for name in markers for axis in "XYZ"]
    s.time = 1
    s.header = data[:re.compile(rb"\s*").match(data, head[4][1]).end()]
    for start, end in lines(data, len(s.header)):
        row = cells(data, start, end, b"\t")
        if not data[start:end].strip():
            continue
        if len(row) < len(s.names) or any(a < b for a, b in row[len(s.names):]):
            raise Bad("%d cells in a row, not %d" % (len(row), len(s.names)))
        s.rows.append(row[:len(s.names)])
    if len(s.rows) != int(fields["NumFrames"]):
        raise Bad("%d frames, not %s" % (len(s.rows), fields["NumFrames"]))
    return s


def sto(data, lenient):
    """lenient: nRows may be wrong, as in files that a spreadsheet cut."""
    s = Series(data)
    end = re.search(rb"^endheader[,\t ]*\r?\n\s*", data, re.M)
    if not end:
        raise Bad("no endheader")
    fields = dict(re.findall(r"^(\w+)=([^,\s]*)", data[:end.start()].decode(), re.M))
    first, *rest = lines(data, end.end())
    delimiter = next((d for d in (b"\t", b",") if d in data[first[0]:first[1]]), None)
    cut = (lambda a, b: cells(data, a, b, delimiter)) if delimiter else (lambda a, b: words(data, a, b))
    s.names = [data[a:b].decode() for a, b in cut(*first)]
    if s.names[0].lower() != "time" or len(s.names) != int(fields["nColumns"]):
        raise Bad("columns: %r" % s.names)
    s.time = 0
    s.header = data[:rest[0][0] if rest else len(data)]
    s.rows = [cut(*line) for line in rest if data[line[0]:line[1]].strip()]
    if any(len(row) != len(s.names) for row in s.rows) or (not lenient and len(s.rows) != int(fields["nRows"])):
        raise Bad("rows")
    return s


def read(path):
    data = open(path, "rb").read()
    if data.lstrip().startswith(b"HIERARCHY"):
        s = bvh(data)
    elif data.startswith(b"PathFileType"):
        s = trc(data)
    else:
        s = sto(data, b"endheader," in data)
    before = -1
    for row in range(len(s.rows)):
        for column in range(len(s.names)):
            number(s.cell(row, column), ("", "nan"))
        if not s.time_of(row) > before and row:
            raise Bad("time in row %d" % row)
        before = s.time_of(row)
    return s


def between(s):
    """The bytes outside of all cells."""
    out, at = [], 0
    for row in s.rows:
        for start, end in row:
            out.append(s.data[at:start])
            at = end
    return out + [s.data[at:]]


def compare(a, b, only):
    if a.header != b.header or a.names != b.names or len(a.rows) != len(b.rows):
        raise Bad("header, names or number of rows")
    if between(a) != between(b):
        raise Bad("bytes between cells")
    changed = 0
    for row in range(len(a.rows)):
        for column, name in enumerate(a.names):
            if a.cell(row, column) != b.cell(row, column):
                changed += 1
                if not fnmatch.fnmatchcase(name, only):
                    raise Bad("row %d, column %s" % (row, name))
    return changed


def main(args):
    if args[0] == "--only":
        print(compare(read(args[2]), read(args[3]), args[1]))
        return
    s = read(args[0])
    keep = [i for i in range(len(s.names)) if i != s.time]
    print(",".join(["time"] + [s.names[i] for i in keep]))
    for row in range(len(s.rows)):
        time = s.cell(row, s.time) if s.time is not None else repr(s.time_of(row))
        print(",".join([time] + [s.cell(row, i) for i in keep]))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (Bad, IndexError, KeyError, ValueError) as problem:
        sys.exit("read_motion.py: %s: %r" % (sys.argv[-1], problem))
