"""What the benchmark found, as tables: in full for the terminal, or as the README shows it."""
import os
import platform
import re

from clock import Spread, brief


class Results:
    def __init__(self):
        self.wrong, self.missing, self.races, self.live = [], [], [], []

    def add(self, work, peer, rounds, size):
        self.races.append((work, peer, rounds, size))


# Whether a target is met can be judged with whole workloads only.
def target(sign, wanted, value, judge):
    if not judge:
        return f'{sign} {wanted:g}'
    met = value <= wanted if sign == '<=' else value >= wanted
    return f'{sign} {wanted:g} ' + ('met' if met else 'MISSED')


def table(header, rows, markdown):
    """The first column, and those named in words, stand left; the others right."""
    width = [max(len(str(row[i])) for row in [header, *rows]) for i in range(len(header))]
    left = [i == 0 or not any(re.match(r'[\d.]', row[i]) for row in rows) for i in range(len(header))]
    lines = []
    for row in [header, *rows]:
        cells = [row[i].ljust(width[i]) if left[i] else row[i].rjust(width[i]) for i in range(len(row))]
        lines.append(f'| {" | ".join(cells)} |' if markdown else '  '.join(cells).rstrip())
    if markdown:
        lines.insert(1, '|' + '|'.join('---' if flag else '---:' for flag in left) + '|')
    print('\n'.join(lines) + '\n')


def machine():
    with open('/proc/cpuinfo') as file:
        model = re.search(r'model name\s*: (.*)', file.read())
    return f'{model.group(1).strip() if model else platform.machine()}, {os.cpu_count()} processors'


def alone(results, markdown, judge):
    """sprung itself: every run of the same workload and output, whoever ran beside it."""
    groups = {}
    for work, peer, rounds, size in results.races:
        groups.setdefault((work.title, peer.output), (work, size, []))[2].extend(rounds)
    rows = []
    for (title, output), (work, size, rounds) in groups.items():
        one, two = Spread([turn[0][0] for turn in rounds]), Spread([turn[1][0] for turn in rounds])
        gain = Spread([turn[1][0] / turn[0][0] for turn in rounds])
        peak = max(turn[i][1] for turn in rounds for i in (0, 1)) / 1024
        wanted = work.ending() == 'csv' and work.files == 1
        streamed = work.kind not in ('c3d', 'fbx')  # of these the whole file is held
        nrow = work.rows * work.files
        row = [title, output, f'{one.median:.3f} s', f'{size / one.median / 1e6:.0f}', f'{nrow / one.median / 1e6:.2f}',
               f'{two.median:.3f} s', gain.text(), f'{peak:.1f}']
        if not markdown:
            row += [target('<=', 0.55, gain.median, judge) if wanted else '', target('<=', 16, peak, judge) if streamed else '']
        rows.append(row)
    header = ['sprung', 'prints', 'one thread', 'MB/s', 'million rows/s', 'two threads', 'of one', 'peak MB']
    table(header if markdown else header + ['two threads', 'peak'], rows, markdown)


def judged(results, floor, markdown, judge):
    """A line for each race with floors, or with peers."""
    rows = []
    for work, peer, rounds, _ in results.races:
        if peer.floor != floor:
            continue
        ratios = [Spread([(turn[i][0] / turn[2][0]) ** (1 if floor else -1) for turn in rounds]) for i in (0, 1)]
        median = ratios[peer.threads - 1].median
        wanted = target('<=' if floor else '>=', peer.target, median, judge) if peer.target else ''
        note = f' ({peer.stand_in})' if peer.stand_in else ''
        rows.append([work.title, peer.output, peer.name + note, ratios[0].text(), ratios[1].text(), wanted,
                     str(len(rounds))])
    if rows:
        header = ['sprung takes so many times as long as' if floor else 'sprung is so many times as fast as', 'printing',
                  'beside', 'one thread', 'two threads', 'target', 'turns']
        table(header, rows, markdown)


def matrix(results, works):
    """How many times as fast as its peers sprung is on two threads: a row a peer, a column a workload."""
    found, names = {}, {}
    for work, peer, rounds, _ in results.races:
        if not peer.floor:
            names[peer.name + (f' ({peer.stand_in})' if peer.stand_in else '')] = peer.name
            found[peer.name, work.title] = Spread([turn[2][0] / turn[1][0] for turn in rounds])
    titles = [work.title for work in works if any(title == work.title for _, title in found)]
    rows = [[shown] + [found[name, title].text() if (name, title) in found else '' for title in titles]
            for shown, name in names.items()]
    table(['sprung is so many times as fast as', *titles], rows, True)


def answers(results, markdown, judge):
    rows = []
    for name, wanted, turns in results.live:
        median, late = Spread([turn[0] for turn in turns]), Spread([turn[1] for turn in turns])
        rows.append([name, median.text(), late.text(), target('<=', wanted, median.median, judge) if wanted else ''])
    table(['live, a row in and a row out', 'microseconds', '99 of 100 under', 'target'], rows, markdown)


def show(results, works, markdown, judge):
    print(f'{machine()}; median (least..greatest)\n')
    if results.races:
        alone(results, markdown, judge)
        judged(results, True, markdown, judge)
        if markdown:
            matrix(results, works)
        else:
            judged(results, False, markdown, judge)
    if results.live:
        answers(results, markdown, judge)
    if results.missing and not markdown:
        print('not installed: ' + '; '.join(results.missing) + '\n')
    if results.wrong:
        print('not timed, because the result is wrong: ' + '; '.join(results.wrong))
