#!/usr/bin/env python3
"""Makes and reads .npy files without NumPy, by the description of the format.

  npy.py make FILE TYPE SHAPE [KEY=VALUE]...   writes an array such as <f8 100,3; 100, has one dimension
       version=1 to 3; header=TEXT in place of the dictionary; values=X,Y,... in place of waves
  npy.py csv FILE                              prints the numbers, a row a line
  npy.py head FILE                             prints version, dictionary and the bytes of the head
"""
import ast
import math
import struct
import sys

def form(descr, n):
    return "<%d%s" % (n, {"<f4": "f", "<f8": "d"}[descr])


def head(descr, shape, version=1, header=None):
    text = header or "{'descr': '%s', 'fortran_order': False, 'shape': %r, }" % (descr, shape)
    size = 2 if version == 1 else 4
    text += " " * (-(8 + size + len(text) + 1) % 64) + "\n"
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(text)) + text.encode()


def wave(i):
    return 60 + 40 * math.sin(i / 3) + i % 5 / 7


def make(name, descr, shape, version="1", header=None, values=None):
    shape = ast.literal_eval("(%s)" % shape)
    n = math.prod(shape)
    numbers = [wave(i) for i in range(n)]
    if values is not None:
        numbers = [ast.literal_eval(v) if v not in ("nan", "inf") else float(v) for v in values.split(",") if v]
    with open(name, "wb") as f:
        f.write(head(descr, shape, int(version), header) + struct.pack(form(descr, len(numbers)), *numbers))


def read(name):
    with open(name, "rb") as f:
        data = f.read()
    assert data[:6] == b"\x93NUMPY"
    size = 2 if data[6] == 1 else 4
    at = 8 + size
    end = at + int.from_bytes(data[8:at], "little")
    words = ast.literal_eval(data[at:end].decode().strip())
    n = math.prod(words["shape"])
    numbers = struct.unpack(form(words["descr"], n), data[end:])
    return data[6], words, end, numbers


def csv(name):
    _, words, _, numbers = read(name)
    width = words["shape"][1] if len(words["shape"]) == 2 else 1
    for i in range(0, len(numbers), width):
        print(",".join("" if x != x else repr(x) for x in numbers[i:i + width]))


def main():
    command, name, *words = sys.argv[1:]
    if command == "make":
        make(name, *words[:2], **dict(w.split("=", 1) for w in words[2:]))
    elif command == "csv":
        csv(name)
    else:
        version, dictionary, end, _ = read(name)
        print(version, dictionary, end)


main()
