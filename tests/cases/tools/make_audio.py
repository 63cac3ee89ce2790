#!/usr/bin/env python3
"""Makes the audio files of the tests, odd ones above all, and looks into those that come out.

  make_audio.py NAME FILE         writes the file of that name (make_audio.py list: the names)
  make_audio.py samples FILE      prints rate, channels and every sample of a WAV, AU or AIFF file, as integers or floats
  make_audio.py chunks FILE       prints the chunks of a RIFF file: name, size
"""
import struct
import sys

PCM, FLOAT = 1, 3
GUID = bytes.fromhex("000010008000 00aa00389b71".replace(" ", ""))


def chunk(name, data, order="<", size=None, pad=True):
    size = len(data) if size is None else size
    return name + struct.pack(order + "I", size) + data + (b"\0" if pad and len(data) & 1 else b"")


def pack(values, bits, order="<", real=False):
    if real:
        return struct.pack(f"{order}{len(values)}{'f' if bits == 32 else 'd'}", *values)
    if bits == 8:
        return bytes(v + 128 for v in values)
    out = bytearray()
    for v in values:
        out += v.to_bytes(bits // 8, "little" if order == "<" else "big", signed=True)
    return bytes(out)


def fmt(bits=16, channels=1, rate=8000, tag=PCM, order="<", extra=b"", align=None):
    align = channels * ((bits + 7) // 8) if align is None else align
    return struct.pack(order + "HHIIHH", tag, channels, rate, rate * align & 0xFFFFFFFF, align, bits) + extra


def extensible(bits=24, channels=2, rate=8000, tag=PCM, order="<", mask=3, valid=None):
    extra = struct.pack(order + "HHII", 22, valid or bits, mask, tag)
    return fmt(bits, channels, rate, 0xFFFE, order, extra + (GUID if order == "<" else GUID[:0] + bytes.fromhex("00000010800000aa00389b71")))


def wav(samples, form=None, magic=b"RIFF", before=b"", after=b"", size=None, order="<", riff=None):
    body = b"WAVE" + chunk(b"fmt ", form if form is not None else fmt(order=order), order) + before
    body += chunk(b"data", samples, order, size) + after
    return magic + struct.pack(order + "I", len(body) if riff is None else riff) + body


def cue(frames, order="<", count=None):
    points = b"".join(struct.pack(order + "II4sIII", i + 1, f, b"data", 0, 0, f) for i, f in enumerate(frames))
    return chunk(b"cue ", struct.pack(order + "I", len(frames) if count is None else count) + points, order)


def labels():
    return chunk(b"LIST", b"adtl" + chunk(b"labl", struct.pack("<I", 1) + b"jump\0"))


def info():
    return chunk(b"LIST", b"INFO" + chunk(b"IART", b"Nobody\0"))


def au(samples, encoding=3, channels=1, rate=8000, size=None, order=">", offset=24):
    size = len(samples) if size is None else size
    head = struct.pack(order + "IIIII", offset, size, encoding, rate, channels)
    return (b".snd" if order == ">" else b"dns.") + head + bytes(max(0, offset - 24)) + samples


def extended(rate):
    """An integer as an 80 bit float."""
    e = rate.bit_length() - 1
    return struct.pack(">HQ", 16383 + e, rate << (63 - e)) if rate else bytes(10)


def aiff(samples, bits=16, channels=1, rate=8000, frames=None, kind=None, after=b"", before=b"", size=None, form=None):
    n = len(samples) // max(1, channels * ((bits + 7) // 8)) if frames is None else frames
    comm = struct.pack(">HIH", channels, n, bits) + extended(rate)
    body = b"AIFC" if kind else b"AIFF"
    if kind:
        body += chunk(b"FVER", struct.pack(">I", 0xA2805140), ">")
        comm += kind + b"\0\0"
    body += chunk(b"COMM", comm, ">") + before
    body += chunk(b"SSND", bytes(8) + samples, ">", None if size is None else size + 8) + after
    return b"FORM" + struct.pack(">I", len(body) if form is None else form) + body


def marks(frames, name=b"jump"):
    one = [struct.pack(">HIB", i + 1, f, len(name)) + name + (b"" if len(name) & 1 else b"\0") for i, f in enumerate(frames)]
    return chunk(b"MARK", struct.pack(">H", len(frames)) + b"".join(one), ">")


def caf(samples, bits=16, channels=1, rate=8000.0, flags=2, size=None, kind=b"lpcm", packet=None, before=b"", after=b""):
    packet = channels * bits // 8 if packet is None else packet
    desc = struct.pack(">d4sIIIII", rate, kind, flags, packet, 1, channels, bits)
    size = len(samples) + 4 if size is None else size
    return (b"caff" + struct.pack(">HH", 1, 0) + b"desc" + struct.pack(">q", 32) + desc + before
            + b"data" + struct.pack(">q", size) + bytes(4) + samples + after)


def rf64(samples, form=None, data=None, ds64=True):
    n = len(samples) if data is None else data
    body = b"WAVE" + (chunk(b"ds64", struct.pack("<QQQI", 72 + n, n, 0, 0)) if ds64 else b"")
    body += chunk(b"fmt ", form or fmt()) + chunk(b"data", samples, size=0xFFFFFFFF)
    return b"RF64" + struct.pack("<I", 0xFFFFFFFF) + body


EDGE = {8: [-128, -127, -1, 0, 1, 126, 127],
        24: [-2**23, -2**23 + 1, -65537, -257, -256, -255, -1, 0, 1, 255, 256, 257, 65537, 2**23 - 2, 2**23 - 1],
        32: [-2**31, -2**31 + 1, -65537, -257, -1, 0, 1, 255, 256, 65537, 2**31 - 2, 2**31 - 1]}
RAMP = [0, 1000, -1000, 32767, -32768, 5, -5, 77]
REAL = [0.0, 0.5, -0.25, 0.1, 1.0, -1.0, 3.5, 1e-30]
ramp = pack(RAMP, 16)
stereo = pack(RAMP, 16)
long = pack([(i * 7919) % 65536 - 32768 for i in range(20000)], 16)
NAN, INF = float("nan"), float("inf")

FILES = {
    "ramp": lambda: wav(ramp),
    "all16": lambda: wav(pack(list(range(-32768, 32768)), 16)),
    "edge8": lambda: wav(pack(list(range(-128, 128)), 8), fmt(8)),
    "odd8": lambda: wav(pack(EDGE[8], 8), fmt(8)),
    "edge24": lambda: wav(pack(EDGE[24], 24), fmt(24)),
    "edge32": lambda: wav(pack(EDGE[32], 32), fmt(32)),
    "float": lambda: wav(pack(REAL, 32, real=True), fmt(32, tag=FLOAT)),
    "double": lambda: wav(pack(REAL, 64, real=True), fmt(64, tag=FLOAT)),
    "stereo": lambda: wav(stereo, fmt(channels=2)),
    "long": lambda: wav(long, fmt(channels=2, rate=44100)),
    "long-float": lambda: wav(pack([((i * 7919) % 65536 - 32768) / 40000 for i in range(20000)], 32, real=True),
                              fmt(32, 2, 44100, FLOAT)),
    "extensible": lambda: wav(pack(EDGE[24][:14], 24), extensible()),
    "extensible-float": lambda: wav(pack(REAL, 32, real=True), extensible(32, 2, 8000, FLOAT, mask=0x30)),
    "extensible-20": lambda: wav(pack([v & ~15 for v in EDGE[24][:14]], 24), extensible(valid=20)),
    "rifx": lambda: wav(pack(RAMP, 16, ">"), magic=b"RIFX", order=">"),
    "rf64": lambda: rf64(ramp),
    "rf64-open": lambda: rf64(ramp, data=0),
    "size0": lambda: wav(ramp, size=0, riff=0),
    "size36": lambda: wav(ramp, size=0, riff=36),
    "sizeF": lambda: wav(ramp, size=0xFFFFFFFF, riff=0xFFFFFFFF),
    "size7": lambda: wav(ramp, size=0x7FFFF000, riff=0x7FFFF024),
    "size7b": lambda: wav(ramp, size=0x7FFFF024, riff=0x7FFFF048),
    "empty": lambda: wav(b""),
    "empty-list": lambda: wav(b"", after=info()),
    "truncated": lambda: wav(ramp, size=2000, riff=2036),
    "partial": lambda: wav(ramp + b"\1", size=17, riff=53),
    "cue": lambda: wav(ramp, before=cue([2, 5])),
    "cue-after": lambda: wav(ramp, after=cue([2, 5]) + labels() + info()),
    "cue-200": lambda: wav(long, before=cue(list(range(0, 10000, 50)))),
    "cue-lies": lambda: wav(ramp, before=cue([2, 5], count=99999)),
    "cue-past": lambda: wav(ramp, before=b"cue " + struct.pack("<I", 0x10000000) + bytes(28)),
    "metadata": lambda: wav(ramp, before=chunk(b"bext", b"x" * 602), after=info() + chunk(b"PEAK", bytes(16)) + chunk(b"oddc", b"abc")),
    "fillers": lambda: wav(ramp, before=chunk(b"JUNK", bytes(8)) + chunk(b"none", b""), after=chunk(b"PAD ", b"abcd")),
    "odd-before": lambda: wav(ramp, before=chunk(b"oddc", b"abc") + cue([2, 5])),
    "odd-fmt": lambda: wav(ramp, fmt(extra=b"\1\0\5"), before=chunk(b"oddc", b"abcde")),
    "odd-samples": lambda: wav(pack(EDGE[8], 8), fmt(8), after=chunk(b"oddc", b"abc") + info()),
    "tail-damaged": lambda: wav(ramp, after=b"LIST" + struct.pack("<I", 999) + b"INFO"),
    "two-data": lambda: wav(ramp, after=chunk(b"data", ramp)),
    "two-fmt": lambda: wav(ramp, before=chunk(b"fmt ", fmt())),
    "no-data": lambda: b"RIFF" + struct.pack("<I", 28) + b"WAVE" + chunk(b"fmt ", fmt()),
    "no-fmt": lambda: b"RIFF" + struct.pack("<I", 28) + b"WAVE" + chunk(b"data", ramp),
    "adpcm-ms": lambda: wav(bytes(256), fmt(4, tag=2, extra=struct.pack("<HHH", 32, 500, 7) + bytes(28), align=256)),
    "adpcm-ima": lambda: wav(bytes(256), fmt(4, tag=0x11, extra=struct.pack("<HH", 2, 505), align=256)),
    "gsm": lambda: wav(bytes(65), fmt(0, tag=0x31, extra=struct.pack("<HH", 2, 320), align=65)),
    "mulaw": lambda: wav(bytes(8), fmt(8, tag=7)),
    "alaw": lambda: wav(bytes(8), fmt(8, tag=6)),
    "tag-odd": lambda: wav(bytes(8), fmt(16, tag=0x1234)),
    "extensible-adpcm": lambda: wav(bytes(64), extensible(16, 1, tag=2)),
    "channels0": lambda: wav(ramp, fmt(channels=0)),
    "channels257": lambda: wav(bytes(514), fmt(channels=257)),
    "channels64": lambda: wav(pack([(i * 37) % 200 for i in range(640)], 16), fmt(channels=64)),
    "rate0": lambda: wav(ramp, fmt(rate=0)),
    "align": lambda: wav(ramp, fmt(align=7)),
    "bits64": lambda: wav(bytes(64), fmt(64)),
    "bits12": lambda: wav(pack([v & ~15 for v in RAMP], 16), fmt(12)),
    "short-fmt": lambda: wav(ramp, fmt()[:14]),
    "fmt-cut": lambda: wav(ramp)[:30],
    "head-cut": lambda: wav(ramp)[:11],
    "avi": lambda: b"RIFF" + struct.pack("<I", 4) + b"AVI " + bytes(100),
    "many-chunks": lambda: wav(ramp, before=chunk(b"abcd", b"") * 5000),
    "nan": lambda: wav(pack([0.0, 0.5, NAN, NAN, 0.25, 0.125], 32, real=True), fmt(32, tag=FLOAT)),
    "inf": lambda: wav(pack([0.0, 0.5, 0.25, INF, 0.125], 32, real=True), fmt(32, tag=FLOAT)),
    "nan-right": lambda: wav(pack([0.0, NAN, 0.5, 0.5, 0.5, NAN], 32, real=True), fmt(32, 2, tag=FLOAT)),
    "loud": lambda: wav(pack([0.0, 1.5, -1.5, 0.9], 32, real=True), fmt(32, tag=FLOAT)),
    "au": lambda: au(pack(RAMP, 16, ">")),
    "au-float": lambda: au(pack(REAL, 32, ">", True), 6),
    "au-double": lambda: au(pack(REAL, 64, ">", True), 7),
    "au-24": lambda: au(pack(EDGE[24], 24, ">"), 4),
    "au-open": lambda: au(pack(RAMP, 16, ">"), size=0xFFFFFFFF),
    "au-little": lambda: au(ramp, order="<"),
    "au-mulaw": lambda: au(bytes(8), 1),
    "au-g721": lambda: au(bytes(8), 23),
    "au-channels0": lambda: au(bytes(8), channels=0),
    "aiff": lambda: aiff(pack(RAMP, 16, ">")),
    "aiff-8": lambda: aiff(bytes(v & 255 for v in EDGE[8]), 8),
    "aiff-sowt": lambda: aiff(ramp, kind=b"sowt"),
    "aiff-float": lambda: aiff(pack(REAL, 32, ">", True), 32, kind=b"fl32"),
    "aiff-mark": lambda: aiff(pack(RAMP, 16, ">"), before=marks([2, 5])),
    "aiff-mark-sowt": lambda: aiff(ramp, kind=b"sowt", before=marks([2, 5])),
    "aiff-odd-before": lambda: aiff(pack(RAMP, 16, ">"), before=chunk(b"ANNO", b"abc", ">") + marks([2, 5])),
    "aiff-odd-samples": lambda: aiff(bytes(v & 255 for v in EDGE[8]), 8, after=chunk(b"ANNO", b"abc", ">") + marks([2])),
    "aiff-texts": lambda: aiff(pack(RAMP, 16, ">"), before=b"".join(chunk(i, t, ">") for i, t in [
        (b"NAME", b"Walk"), (b"AUTH", b"Nobody"), (b"(c) ", b"Copyright none"), (b"ANNO", b"A note")])),
    "aiff-ima4": lambda: aiff(bytes(34), 16, kind=b"ima4"),
    "aiff-no-comm": lambda: b"FORM" + struct.pack(">I", 30) + b"AIFF" + chunk(b"SSND", bytes(24), ">"),
    "caf": lambda: caf(ramp),
    "caf-big": lambda: caf(pack(RAMP, 16, ">"), flags=0),
    "caf-float": lambda: caf(pack(REAL, 32, real=True), 32, flags=3),
    "caf-odd": lambda: caf(pack(EDGE[8], 8), 8, before=b"uuid" + struct.pack(">q", 3) + b"abc"),
    "caf-aac": lambda: caf(bytes(64), kind=b"aac ", packet=0),
    "caf-truncated": lambda: caf(ramp, size=2004),
    "caf-align": lambda: caf(ramp, packet=5),
    "caf-rate": lambda: caf(ramp, rate=-1.0),
}


def walk(data):
    order = ">" if data[:4] in (b"RIFX", b"FORM") else "<"
    at = 12
    while at + 8 <= len(data):
        name, n = data[at:at + 4], struct.unpack(order + "I", data[at + 4:at + 8])[0]
        if name == b"data" and n == 0xFFFFFFFF:
            n = struct.unpack("<Q", data[28:36])[0]
        yield name, data[at + 8:at + 8 + n], n
        at += 8 + n + (n & 1)


def numbers(data, bits, order, real, unsigned8):
    if real:
        return struct.unpack(f"{order}{len(data) * 8 // bits}{'f' if bits == 32 else 'd'}", data)
    width = bits // 8
    if width == 1:
        return [b - 128 if unsigned8 else (b ^ 128) - 128 for b in data]
    return [int.from_bytes(data[i:i + width], "little" if order == "<" else "big", signed=True)
            for i in range(0, len(data), width)]


def look(data):
    if data[:4] in (b".snd", b"dns."):
        order = ">" if data[:4] == b".snd" else "<"
        offset, n, encoding, rate, channels = struct.unpack(order + "IIIII", data[4:24])
        bits, real = {2: (8, 0), 3: (16, 0), 4: (24, 0), 5: (32, 0), 6: (32, 1), 7: (64, 1)}[encoding]
        return rate, channels, numbers(data[offset:], bits, order, real, False)
    parts = {name: body for name, body, _ in walk(data)}
    if data[:4] == b"FORM":
        comm = parts[b"COMM"]
        channels, _, bits = struct.unpack(">HIH", comm[:8])
        e, m = struct.unpack(">HQ", comm[8:18])
        kind = comm[18:22]
        order = "<" if kind == b"sowt" else ">"
        return m >> (16383 + 63 - e), channels, numbers(parts[b"SSND"][8:], bits, order, kind.lower() == b"fl32", False)
    order = ">" if data[:4] == b"RIFX" else "<"
    form = parts[b"fmt "]
    tag, channels, rate, _, align, bits = struct.unpack(order + "HHIIHH", form[:16])
    if tag == 0xFFFE:
        tag = struct.unpack(order + "I", form[24:28])[0]
    return rate, channels, numbers(parts[b"data"], align // channels * 8, order, tag == FLOAT, True)


def main():
    what, file = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    if what == "list":
        print("\n".join(FILES))
    elif what == "samples":
        rate, channels, values = look(open(file, "rb").read())
        print(rate, channels)
        print("\n".join(map(repr, values)))
    elif what == "chunks":
        for name, _, n in walk(open(file, "rb").read()):
            print(name.decode("latin-1"), n)
    elif what == "same":
        one, other = [open(name, "rb").read() for name in sys.argv[2:4]]
        sizes = [[n for name, _, n in walk(data) if name == b"data"] for data in (one, other)]
        sys.exit(look(one) != look(other) or sizes[0] != sizes[1])
    elif what == "make":
        for name in sys.argv[2:]:
            with open(name + ".wav", "wb") as out:
                out.write(FILES[name]())
    else:
        with open(file, "wb") as out:
            out.write(FILES[what]())


if __name__ == "__main__":
    main()
