#!/usr/bin/env python3
"""A C3D file, and the numbers in one, by the C3D user guide, without anything of sprung.

make_c3d.py OUT [KEY=VALUE]...  makes a file of points that move on sines, and of analog channels. Keys, with what they
  are without: proc=84 (85 DEC, 86 SGI), float=1, points=3, frames=40, rate=100, scale=0.01, channels=2, each=3,
  unsigned=0, gap= (POINT:FIRST:LAST, frames from 0), labels=1, amplitude=100; header.KEY=X lies about a word of the
  header (points total first last start each), param.GROUP.NAME=X gives a parameter another number, - leaves it out;
  cut=N leaves out the last N bytes; blocks=N is the number of parameter blocks in their head; extra=HEX is put after
  the parameters; units= is POINT:UNITS.
  Another file may follow after --.
make_c3d.py --numbers FILE...  writes FILE.csv and FILE.analog.csv: time and the channels, all digits, empty where a
  point is missing.
make_c3d.py --samples A B [A B]...  prints for each sample that differs: A, residual, point or analog, its number and
  the frame; or elsewhere.
"""
import math
import struct
import sys


def dec(x):
    """An F float of a VAX: 0.1f * 2^(e-128), words in order of significance."""
    if x == 0:
        return bytes(4)
    m, e = math.frexp(abs(x))
    n = round(m * 2**24)
    if n == 2**24:
        n, e = n // 2, e + 1
    bits = (x < 0) << 31 | (e + 128) << 23 | n & 0x7FFFFF
    return struct.pack('<HH', bits >> 16, bits & 0xFFFF)


def undec(b):
    high, low = struct.unpack('<HH', b)
    bits = high << 16 | low
    e = bits >> 23 & 255
    x = 0.0 if e == 0 else math.ldexp(bits & 0x7FFFFF | 0x800000, e - 128 - 24)
    return -x if bits >> 31 else x


class Coding:
    def __init__(self, processor):
        self.order = '>' if processor == 86 else '<'
        self.dec = processor == 85

    def real(self, x):
        return dec(x) if self.dec else struct.pack(self.order + 'f', x)

    def unreal(self, b):
        return undec(b) if self.dec else struct.unpack(self.order + 'f', b)[0]

    def int(self, x):
        return struct.pack(self.order + 'H', int(x) & 0xFFFF)

    def word(self, b, at):
        return struct.unpack_from(self.order + 'H', b, at)[0]


def make(out, o):
    get = lambda key, usual: type(usual)(o.get(key, usual))
    k = Coding(get('proc', 84))
    real, points, frames, channels, each = (get(*p) for p in
                                            (('float', 1), ('points', 3), ('frames', 40), ('channels', 2), ('each', 3)))
    rate, scale, size, first = get('rate', 100.0), get('scale', 0.01), get('amplitude', 100.0), get('first', 1)
    gap = [int(n) for n in o['gap'].split(':')] if o.get('gap') else [-1, 0, 0]
    labels = [f'M{i + 1}' for i in range(points)] if get('labels', 1) else []
    parameters = []

    def add(group, name, kind, dims, data):
        told = o.get(f'param.{group}.{name}')
        if told == '-':
            return
        if told is not None and data != b'??':
            data = k.real(float(told)) if kind == 4 else k.int(int(told))
            dims = [1]
        parameters.append((group, name, kind, dims, data))

    def texts(group, name, list_, width):
        for part in range(0, max(len(list_), 1), 255):
            some = list_[part:part + 255]
            add(group, name + (str(part // 255 + 1) if part else ''), -1, [width, len(some)],
                b''.join(t.encode().ljust(width) for t in some))

    add('POINT', 'USED', 2, [], k.int(points))
    add('POINT', 'SCALE', 4, [], k.real(-scale if real else scale))
    add('POINT', 'RATE', 4, [], k.real(rate))
    add('POINT', 'FRAMES', 2, [], k.int(min(frames, 65535)))
    add('POINT', 'DATA_START', 2, [], b'??')
    texts('POINT', 'LABELS', labels, 8)
    if o.get('units'):
        texts('POINT', 'UNITS', [o['units']], 4)
    add('ANALOG', 'USED', 2, [], k.int(channels))
    add('ANALOG', 'RATE', 4, [], k.real(rate * each))
    add('ANALOG', 'GEN_SCALE', 4, [], k.real(0.5))
    add('ANALOG', 'SCALE', 4, [channels], b''.join(k.real(0.25 * (c + 1)) for c in range(channels)))
    add('ANALOG', 'OFFSET', 2, [channels], b''.join(k.int((40000 if get('unsigned', 0) else -3) + c) for c in range(channels)))
    add('ANALOG', 'FORMAT', -1, [8], b'UNSIGNED' if get('unsigned', 0) else b'SIGNED  ')
    texts('ANALOG', 'LABELS', [f'V{c + 1}' for c in range(channels)], 4)
    if frames > 65535 or o.get('trial'):
        last = first + frames - 1
        add('TRIAL', 'ACTUAL_START_FIELD', 2, [2], k.int(first) + k.int(first >> 16))
        add('TRIAL', 'ACTUAL_END_FIELD', 2, [2], k.int(last) + k.int(last >> 16))

    groups = {'POINT': 1, 'ANALOG': 2, 'TRIAL': 3}
    entries = []
    for group, name, kind, dims, data in parameters:
        body = struct.pack('bB', kind, len(dims)) + bytes(dims) + data + b'\x04text'
        entries.append(struct.pack('bb', len(name), groups[group]) + name.encode() + k.int(2 + len(body)) + body)
    for name, n in groups.items():  # a group may come after its parameters
        entries.append(struct.pack('bb', -len(name), -n) + name.encode() + k.int(3) + b'\x00')
    section = b''.join(entries) + bytes.fromhex(o.get('extra', '')) + bytes(4)
    blocks = (4 + len(section) + 511) // 512
    start = 2 + blocks
    told = o.get('param.POINT.DATA_START', start)
    section = section if told == '-' else section.replace(b'??', k.int(int(told)))
    section = bytes([1, 80, int(o.get('blocks', blocks)), int(o.get('processor', get('proc', 84)))]) + section
    section = section.ljust(512 * blocks, b'\0')

    words = {'points': points, 'total': channels * each, 'first': first, 'last': min(first + frames - 1, 65535), 'start': start,
             'each': each}
    for key in words:
        words[key] = int(o.get('header.' + key, words[key]))
    head = (bytes([int(o.get('block', 2)), int(o.get('key', 80))]) + k.int(words['points']) + k.int(words['total']) +
            k.int(words['first']) + k.int(words['last']) + k.int(10) + k.real(-scale if real else scale) +
            k.int(words['start']) + k.int(words['each']) + k.real(float(o.get('header.rate', rate))))
    head = (head + bytes(range(200))).ljust(512, b'\xEE')

    def point(f, p):
        gone = p == gap[0] and gap[1] <= f <= gap[2]
        xyz = [size * math.sin(0.05 * f * (a + 1) + p) for a in range(3)]
        if real:
            return b''.join(k.real(x) for x in xyz) + k.real(-1 if gone else 0x0305)
        return b''.join(k.int(round(x / scale)) for x in xyz) + k.int(-1 if gone else 0x0305)

    def voltage(f, j, c):
        x = round(1000 * math.sin(0.02 * (f * each + j) + c)) + (40000 if get('unsigned', 0) else 0)
        return k.real(x) if real else k.int(x)

    data = b''.join(b''.join(point(f, p) for p in range(points)) +
                    b''.join(voltage(f, j, c) for j in range(each) for c in range(channels)) for f in range(frames))
    whole = head + section + data + b'the end'
    open(out, 'wb').write(whole[:len(whole) - int(o.get('cut', 0))])


class Reader:
    """Trusts the parameters, which have no faults here."""

    def __init__(self, name):
        self.b = open(name, 'rb').read()
        at = 512 * (self.b[0] - 1) + 4
        self.k = Coding(self.b[at - 1])
        names, self.p = {}, {}
        while self.b[at]:
            n, group = abs(struct.unpack_from('b', self.b, at)[0]), struct.unpack_from('b', self.b, at + 1)[0]
            name, q = self.b[at + 2:at + 2 + n].decode(), at + 2 + n
            step = self.k.word(self.b, q)
            if group < 0:
                names[-group] = name
            else:
                kind, dims = struct.unpack_from('b', self.b, q + 2)[0], self.b[q + 4:q + 4 + self.b[q + 3]]
                data = self.b[q + 4 + len(dims):][:abs(kind) * math.prod(dims)]
                self.p[group, name] = kind, dims, data
            if step == 0:
                break
            at = q + step
        self.p = {(names[g], name): value for (g, name), value in self.p.items()}
        self.points, self.channels = self.number('POINT', 'USED'), self.number('ANALOG', 'USED')
        self.frames, self.scale = self.number('POINT', 'FRAMES'), self.number('POINT', 'SCALE')
        self.rate, self.start = self.number('POINT', 'RATE'), 512 * (self.number('POINT', 'DATA_START') - 1)
        self.each = round(self.number('ANALOG', 'RATE') / self.rate)
        self.width = 4 if self.scale < 0 else 2
        self.frame = self.width * (4 * self.points + self.channels * self.each)
        if self.frames == 65535:
            a, b = ([self.number('TRIAL', f'ACTUAL_{e}_FIELD', i) for i in (0, 1)] for e in ('START', 'END'))
            self.frames = b[0] + 65536 * b[1] - a[0] - 65536 * a[1] + 1

    def number(self, group, name, i=0):
        kind, _, data = self.p[group, name]
        return self.k.unreal(data[4 * i:4 * i + 4]) if kind == 4 else self.k.word(data, 2 * i)

    def labels(self, group, name='LABELS'):
        made, part = [], 1
        while (group, name + (str(part) if part > 1 else '')) in self.p:
            _, (width, n), data = self.p[group, name + (str(part) if part > 1 else '')]
            made += [data[i * width:(i + 1) * width].decode().strip() for i in range(n)]
            part += 1
        return made

    def sample(self, at, unsigned=False):
        if self.width == 4:
            return self.k.unreal(self.b[at:at + 4])
        x = self.k.word(self.b, at)
        return x if unsigned or x < 32768 else x - 65536

    def numbers(self):
        labels = self.labels('POINT')
        yield ['time'] + [f'{labels[i] if i < len(labels) else f"point{i + 1}"}.{a}' for i in range(self.points) for a in 'xyz']
        for f in range(self.frames):
            row = [f / self.rate]
            for p in range(self.points):
                xyzr = [self.sample(self.start + f * self.frame + (4 * p + i) * self.width) for i in range(4)]
                row += ['' if xyzr[3] < 0 else x * (1 if self.width == 4 else self.scale) for x in xyzr[:3]]
            yield row

    def analog(self):
        yield ['time'] + self.labels('ANALOG')[:self.channels]
        unsigned = self.p['ANALOG', 'FORMAT'][2] == b'UNSIGNED'
        offset = [self.number('ANALOG', 'OFFSET', c) for c in range(self.channels)]
        offset = [x - 65536 if x > 32767 and not unsigned else x for x in offset]
        scale = [self.number('ANALOG', 'SCALE', c) * self.number('ANALOG', 'GEN_SCALE') for c in range(self.channels)]
        for n in range(self.frames * self.each):
            at = self.start + n // self.each * self.frame + self.width * (4 * self.points + n % self.each * self.channels)
            yield [n / (self.rate * self.each)] + [
                (self.sample(at + c * self.width, unsigned) - offset[c]) * scale[c] for c in range(self.channels)]

    def place(self, at):
        n = at - self.start
        if n < 0 or n >= self.frames * self.frame:
            return 'elsewhere'
        frame, cell = n // self.frame, n % self.frame // self.width
        if cell >= 4 * self.points:
            return f'analog {(cell - 4 * self.points) % self.channels} {frame}'
        return f'{"residual" if cell % 4 == 3 else "point"} {cell // 4} {frame}'


def main():
    names = sys.argv[2:]
    if sys.argv[1] == '--numbers':
        for name in names:
            r = Reader(name)
            for ending, rows in ('csv', r.numbers()), ('analog.csv', r.analog()):
                with open(f'{name}.{ending}', 'w') as out:
                    out.writelines(','.join(x if isinstance(x, str) else repr(x) for x in row) + '\n' for row in rows)
    elif sys.argv[1] == '--samples':
        for one, other in zip(names[::2], names[1::2]):
            a, b = Reader(one), Reader(other)
            assert len(a.b) == len(b.b)
            for place in dict.fromkeys(a.place(i) for i in range(len(a.b)) if a.b[i] != b.b[i]):
                print(one, place)
    else:
        words = sys.argv[1:] + ['--']
        while words:
            end = words.index('--')
            make(words[0], dict(word.split('=', 1) for word in words[1:end]))
            words = words[end + 1:]


main()
