"""Runs commands and takes their time, by build/bench/measure; programs that are compared take turns."""
import shutil
import statistics
import subprocess
import time


class Failed(Exception):
    pass


class Clock:
    def __init__(self, tools, work, runs, patience):
        self.measure, self.work, self.runs, self.patience = tools / 'measure', work, runs, patience

    def run(self, command, to, stdin=None):
        """Seconds and peak kilobytes of one run whose standard output goes to a file."""
        report = self.work / 'report'
        with open(to, 'w') as out:
            done = subprocess.run([self.measure, report, *command], stdin=stdin or subprocess.DEVNULL, stdout=out,
                                  stderr=subprocess.PIPE, text=True, errors='replace')
        if done.returncode != 0:
            raise Failed(f'status {done.returncode}: {done.stderr.strip()[-300:]}')
        seconds, peak, _ = report.read_text().split()
        return float(seconds), int(peak)

    def turns(self, commands, fresh):
        """Runs the commands in turn, several times over: a list of rounds, each a list of (seconds, peak). They stop early
        when they have tried one's patience, but not before two rounds. The folder fresh is new for each run."""
        rounds = []
        begun = time.monotonic()
        while len(rounds) < self.runs:
            if len(rounds) >= 2 and time.monotonic() - begun > self.patience:
                break
            order = range(len(commands))
            results = {}
            for i in order if len(rounds) % 2 == 0 else reversed(order):
                renew(fresh)
                command, to = commands[i]
                results[i] = self.run(command, to)
            rounds.append([results[i] for i in order])
        return rounds


def set_aside(folder):
    """Takes a folder out of the way, until discard. Removed at once, its files would slow down what comes next: a file system
    may look at every file that went in the last minutes before it makes a new one (ext4 without a journal does)."""
    if folder.exists():
        folder.rename(folder.with_name(f'old.{folder.name}.{time.time_ns()}'))


def renew(folder):
    set_aside(folder)
    folder.mkdir()


def discard(work):
    for folder in work.glob('old.*'):
        shutil.rmtree(folder)


class Spread:
    """The median of some ratios or times, and how far they spread."""

    def __init__(self, values):
        self.low, self.median, self.high = min(values), statistics.median(values), max(values)

    def text(self):
        return f'{brief(self.median)} ({brief(self.low)}..{brief(self.high)})'


def brief(number):
    return f'{number:.0f}' if number >= 100 else f'{number:.1f}' if number >= 10 else f'{number:.2f}'
