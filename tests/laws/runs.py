"""Runs of the program, and what its output says."""
import csv
import fcntl
import io
import os
import re
import select
import selectors
import shlex
import struct
import subprocess
import sys
import termios
import time

from .forms import Form

MAXOUTPUT = 16 << 20  # bytes of one run


class Failed(Exception):
    """A law does not hold; kind: in which way, so that a smaller draw can be told to fail in the same way."""

    def __init__(self, kind, text=""):
        super().__init__("%s: %s" % (kind, text) if text else kind)
        self.kind = kind


class Refused(Exception):
    """Settings that --zero-phase does not take, or a filter that is not stable with the steps of the draw, whose output
    grows without bound (--method gain)."""


class Runs:
    """The program, in a folder of its own; remembers the commands of a draw."""

    def __init__(self, program, folder):
        self.program, self.folder, self.said, self.base = program, folder, [], 0

    def file(self, name, data):
        with open(os.path.join(self.folder, name), "wb") as f:
            f.write(data)
        return name

    def read(self, name):
        with open(os.path.join(self.folder, name), "rb") as f:
            return f.read()

    def run(self, words, piece=None, name=None):
        """(status, output, messages); with piece, the file's data comes through a pipe in pieces of so many bytes."""
        command = shlex.join([self.program] + words)
        self.said.append("%s --feed %d %s %s" % (os.path.abspath(sys.argv[0]), piece, name, command) if piece else command)
        stdin = subprocess.PIPE if piece else subprocess.DEVNULL
        p = subprocess.Popen([self.program] + words, cwd=self.folder, stdin=stdin, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        if not piece:
            return gather(p)
        data = self.read(name)
        pid = os.fork()
        if pid == 0:
            p.stdout.close()
            p.stderr.close()
            feed(p.stdin.fileno(), data, piece)
            os._exit(0)
        p.stdin.close()
        try:
            return gather(p)
        finally:
            os.waitpid(pid, 0)

    def good(self, words):
        status, out, err = self.run(words)
        if status:
            message = err.decode(errors="replace").strip()
            if any(text in message for text in (
                    "--zero-phase needs a damping ratio", "--zero-phase cannot be combined", "--zero-phase has no lag",
                    "the filter is unstable", "auto needs at least 20 values",
                    "rows per second: the maximum is")):
                raise Refused
            raise Failed("status %d (%s)" % (status, re.sub(r"[-+.\de]+|\"[^\"]*\"", "#", message.split("\n")[0])), message)
        return out

    def table(self, words, form=Form("csv")):
        """Names and cells of the csv that the program writes."""
        return read_table(self.good(words), form)


def gather(p):
    """(status, output, messages) of a running program. One that writes too much to hold (--resample of years) is ended,
    and the draw is refused."""
    text, size = {p.stdout: [], p.stderr: []}, 0
    with p, selectors.DefaultSelector() as ready:
        for stream in text:
            ready.register(stream, selectors.EVENT_READ)
        while ready.get_map():
            for key, _ in ready.select():
                data = key.fileobj.read1(1 << 16)
                text[key.fileobj].append(data)
                if not data:
                    ready.unregister(key.fileobj)
                size += len(data)
                if size > MAXOUTPUT:
                    p.kill()
                    raise Refused
    return p.returncode, b"".join(text[p.stdout]), b"".join(text[p.stderr])


def feed(fd, data, piece):
    """Writes data in pieces, each when the one before it has been read; ends when nothing reads any more."""
    gone = select.poll()
    gone.register(fd, 0)  # POLLERR is always reported
    try:
        for at in range(0, len(data), piece):
            os.write(fd, data[at:at + piece])
            while struct.unpack("i", fcntl.ioctl(fd, termios.FIONREAD, b"\0\0\0\0"))[0]:
                if gone.poll(0):
                    return
                time.sleep(0)
    except BrokenPipeError:
        pass


def read_table(out, form):
    """Names and rows of cells of what the program wrote with --to csv."""
    text = out.decode("utf-8-sig")
    if form.kind not in ("csv", "tsv"):
        form = Form("csv")
    elif form.kind == "tsv":
        form = form.change(kind="csv", comments=0)
    if form.delimiter == "blanks":
        rows = [line.split() for line in text.splitlines()][form.comments:]
    else:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=form.between()))[form.comments:]
    if form.decimal != ".":
        names = rows[:1] if form.header else []
        rows = names + [[x.replace(form.decimal, ".") for x in row] for row in rows[len(names):]]
    return (rows[0], rows[1:]) if form.header and rows else ([], rows)


def number(text):
    text = text.strip()
    return None if text.lower() in ("", "nan", "na", "null", "-", "-999") else float(text)


def numbers(table, skip=3):
    """The numbers of every row behind the first columns."""
    return table[0][skip:], [[number(x) for x in row[skip:]] for row in table[1]]


def close(a, b, tolerance, what, least=1e-300, rough=lambda c: 0):
    """Two tables of numbers agree within tolerance times the largest number of the column, or least; or rough(column)."""
    if len(a) != len(b):
        raise Failed(what, "%d and %d rows" % (len(a), len(b)))
    for c in range(len(a[0]) if a else 0):
        known = [abs(v) for t in (a, b) for v in (row[c] for row in t) if v is not None]
        limit = max(tolerance * max(known + [least]), rough(c))
        for i, (p, q) in enumerate(zip((row[c] for row in a), (row[c] for row in b))):
            if (p is None) != (q is None) or (p is not None and not abs(p - q) <= limit):
                raise Failed(what, "row %d, number %d: %r and %r" % (i + 1, c + 1, p, q))


def same(a, b, what):
    if a != b:
        at = next((i for i, (p, q) in enumerate(zip(a, b)) if p != q), min(len(a), len(b)))
        raise Failed(what, "from %d on: %r and %r" % (at, a[max(at - 40, 0):at + 40], b[max(at - 40, 0):at + 40]))
