"""What races what: the workloads, what sprung makes of each, and who makes the same or stands in for it. A peer is a
command; {file} and {step} in it are the workload's, {csv} holds the same numbers as CSV, {out} is the file, {folder} the
folder it writes to."""
import dataclasses
import shutil
import subprocess

HALFLIFE = '0.1'
SOUND_HALFLIFE = '0.0022'  # about 100 Hz, as the low passes of sound programs beside it


@dataclasses.dataclass
class Workload:
    name: str
    title: str
    kind: str  # of the generator
    rows: int
    columns: int = 1
    step: str = '0.001'
    files: int = 1
    halflife: str = HALFLIFE
    to: str = 'nowhere'  # where results go while time counts: nowhere (/dev/null), a file, a folder

    def ending(self):
        return {'csv': 'csv', 'irregular': 'csv', 'array': 'json', 'lines': 'jsonl', 'wav16': 'wav', 'wavf': 'wav',
                'c3d': 'c3d', 'fbx': 'fbx'}[self.kind]


@dataclasses.dataclass
class Peer:
    name: str
    command: list
    output: str = 'six decimals'  # what sprung prints in this race
    target: float = None  # for a peer, sprung is so many times as fast; for a floor, it takes so many times as long
    floor: bool = False
    stand_in: str = ''  # what it does in place of the spring: its result is not compared
    threads: int = 1  # of sprung, in the target: 2 is what it starts by itself on two processors
    ending: str = ''  # of its result's name, where it is not the workload's
    modules: tuple = ()  # of Python
    probe: list = None  # a command that succeeds where it is installed
    tolerance: tuple = ('--abs', '1.1e-6', '--rel', '1e-6')


# What sprung prints, and the options that make it do so.
OUTPUTS = {
    'six decimals': ['-d', '0', '--decimals', '6'],
    'shortest': ['-d', '0'],
    'shortest, velocity': ['-d', '1'],
    'as it came': [],
    'spikes removed': ['--despike', '6'],
}


def workloads(small):
    few = 1000 if small else 1
    return [
        Workload('one', 'CSV, one channel', 'csv', 2000000 // few),
        Workload('many', 'CSV, 100 channels', 'csv', 50000 // min(few, 100), 100),
        Workload('irregular', 'CSV, irregular steps', 'irregular', 1000000 // few, step='0'),
        Workload('array', 'JSON, array of records', 'array', 1000000 // few),
        Workload('lines', 'JSON lines', 'lines', 1000000 // few),
        Workload('wav16', 'WAV, 16 bit', 'wav16', 26460000 // few, 2, halflife=SOUND_HALFLIFE, to='file'),
        Workload('wavf', 'WAV, float', 'wavf', 26460000 // few, 2, halflife=SOUND_HALFLIFE, to='file'),
        Workload('points', 'C3D, 40 points', 'c3d', 47000 // min(few, 100), 120),
        Workload('curves', 'FBX, 120 curves', 'fbx', 47000 // min(few, 100), 120),
        Workload('small', 'small CSV files', 'csv', 600, files=20 if small else 1000, to='folder'),
    ]


def python(modules):
    """A Python that has the modules: the one on the PATH, or the system's."""
    for path in ('python3', '/usr/bin/python3'):
        code = ''.join(f'import {module};' for module in modules) or 'pass'
        if shutil.which(path) and subprocess.run([path, '-c', code], capture_output=True).returncode == 0:
            return path
    return None


def biquad(halflife, rate):
    """The critical spring from rest as a recursion of two poles: b0 b1 b2 a0 a1 a2."""
    from math import exp, log
    u = 2 * log(2) / float(halflife) / rate
    E = exp(-u)
    return [repr(number) for number in (1 - E * (1 + u), E * (E - 1 + u), 0.0, 1.0, -2 * E, E * E)]


def csv_peers(work, peers, tools, sprung):
    awk = ['-f', f'{peers}/spring.awk', '-v', f'halflife={HALFLIFE}', '-v', 'step={step}', '{file}']
    miller = ['mlr', '--icsv', '--ocsv', '--ofmt', '%.6f']
    script = f'{peers}/spring.py'
    one = work.name == 'one'
    made = [
        Peer('C, strtod and printf', [f'{tools}/bare_stdio', HALFLIFE, '{step}', '{file}']),
        Peer('mawk', ['mawk', *awk], target=25 if one else None, threads=2),
        Peer('gawk', ['gawk', *awk]),
        Peer('Miller, put', [*miller, 'put', '-s', f'halflife={HALFLIFE}', '-s', 'step={step}', '-f', f'{peers}/spring.mlr',
                             '{file}']),
        Peer('node', ['node', f'{peers}/spring.js', 'csv', HALFLIFE, '{step}', '{file}']),
        Peer('python, loop', ['python', script, 'csv', HALFLIFE, '{step}', '{file}']),
    ]
    if work.step == '0':
        return made
    names = ','.join(f'x{i + 1}' for i in range(work.columns)) if work.columns > 1 else 'x'
    made += [
        Peer('Miller, ewma', [*miller, 'step', '-a', 'ewma', '-d', '0.1', '-f', names, '{file}'], target=18 if one else None, threads=2,
             stand_in='smooths with one pole, keeps the input'),
        Peer('numpy, scipy', ['python', script, 'numpy', HALFLIFE, '{step}', '{file}'], modules=('numpy', 'scipy')),
        Peer('pandas, scipy', ['python', script, 'pandas', HALFLIFE, '{step}', '{file}'], modules=('pandas', 'scipy')),
        Peer('R data.table, 2 threads', ['Rscript', f'{peers}/spring.R', HALFLIFE, '{step}', '{file}'],
             target=5 if one else None, threads=2, probe=['Rscript', '-e', 'library(data.table)']),
    ]
    if work.name == 'many':
        plain = [sprung, 'critical', '-H', HALFLIFE, '-j1', '{file}']
        made.append(Peer('sprung, plain', plain, 'spikes removed', 2, floor=True, stand_in='the same without --despike'))
    if one:
        cut = ['cut', '-d,', '-f2', '{file}']
        made = [Peer('cut', cut, target=1.3, floor=True, stand_in='copies a column'),
                Peer('cut', cut, 'shortest, velocity', 2.4, floor=True, stand_in='copies a column')] + made
    return made


def json_peers(work, peers, sprung):
    lines = 'true' if work.kind == 'lines' else 'false'
    jq = ['-nc', '-f', f'{peers}/spring.jq', '--argjson', 'halflife', HALFLIFE, '--argjson', 'step', '{step}', '--argjson',
          'lines', lines, '{file}']
    made = [
        Peer('sprung, the numbers as CSV', [sprung, 'critical', '-H', HALFLIFE, '-d', '0', '-j1', '{csv}'], target=1.5,
             floor=True, ending='csv'),
        Peer('node', ['node', f'{peers}/spring.js', work.kind, HALFLIFE, '{step}', '{file}'], target=10),
        Peer('python, loop', ['python', f'{peers}/spring.py', work.kind, HALFLIFE, '{step}', '{file}']),
        Peer('Miller, put', ['mlr', *(['--ijsonl', '--ojsonl'] if work.kind == 'lines' else ['--json']), 'put', '-s',
                             f'halflife={HALFLIFE}', '-s', 'step={step}', '-f', f'{peers}/spring.mlr', '{file}'], target=40),
        Peer('jq', ['jq', *jq]),
        Peer('gojq', ['gojq', *jq]),
    ]
    for peer in made:
        peer.output = 'shortest'
    return made


def sound_peers(work, tools):
    b0, b1, b2, a0, a1, a2 = biquad(work.halflife, 44100)
    stand_in = 'another filter of two poles'
    # A result of 16 bits may be rounded the other way; single precision has seven digits.
    tolerance = ('--abs', '3.2e-5' if work.kind == 'wav16' else '1e-6')
    ffmpeg = ['ffmpeg', '-v', 'error', '-y', '-i', '{file}', '-c:a', 'pcm_s16le' if work.kind == 'wav16' else 'pcm_f32le', '-af']
    made = [
        Peer('bare libsndfile loop', [f'{tools}/bare_sndfile', work.halflife, '{file}', '{out}'], target=1.25, floor=True),
        Peer('sox, lowpass', ['sox', '-D', '{file}', '{out}', 'lowpass', '100'], target=1.1, threads=2, stand_in=stand_in),
        Peer('ffmpeg, lowpass', [*ffmpeg, 'lowpass=f=100', '{out}'], target=2.5, threads=2, stand_in=stand_in),
        Peer('sox, biquad', ['sox', '-D', '{file}', '{out}', 'biquad', b0, b1, b2, a0, a1, a2]),
        Peer('ffmpeg, biquad', [*ffmpeg, f'biquad=b0={b0}:b1={b1}:b2={b2}:a0={a0}:a1={a1}:a2={a2}:precision=f64', '{out}']),
    ]
    for peer in made:
        peer.output, peer.tolerance = 'as it came', tolerance
    return made


def small_peers(peers, sprung):
    awk = f'mawk -f {peers}/spring.awk -v halflife={HALFLIFE} -v step={{step}} -v folder={{folder}}'
    each = f'{sprung} critical -H {HALFLIFE} {" ".join(OUTPUTS["six decimals"])} -j1 --output-dir {{folder}}'
    shell = ['sh', '-c']
    probe = ['mawk', 'BEGIN {}']
    return [
        Peer('mawk, xargs -P2, a file a call', [*shell, f'ls {{file}}/* | xargs -P2 -n1 {awk}'], target=10, threads=2,
             probe=probe),
        Peer('mawk, xargs -P2, 100 files a call', [*shell, f'ls {{file}}/* | xargs -P2 -n100 {awk}'], target=10, threads=2,
             probe=probe),
        Peer('sprung, xargs -P2, a file a call', [*shell, f'ls {{file}}/* | xargs -P2 -n1 {each}'], threads=2),
    ]


def peers_of(work, peers, tools, sprung):
    if work.files > 1:
        return small_peers(peers, sprung)
    if work.ending() == 'csv':
        return csv_peers(work, peers, tools, sprung)
    if work.ending() == 'c3d':
        text = [sprung, 'critical', '-H', HALFLIFE, *OUTPUTS['shortest'], '-j1', '{csv}']  # in full, as the samples are
        return [Peer('sprung, the numbers as CSV', text, 'as it came', 2, stand_in='reads and prints text', ending='csv')]
    if work.ending() == 'fbx':
        same = [sprung, 'critical', '-H', HALFLIFE, '-q', '-j1', '{glb}']
        return [Peer('sprung, the numbers as .glb', same, 'as it came', 2, floor=True, stand_in='reads the times once', ending='glb')]
    return sound_peers(work, tools) if work.ending() == 'wav' else json_peers(work, peers, sprung)


def live(sprung):
    """Who answers rows as they come, and in how many microseconds at the median it should; cat is the least one can do."""
    spring = [sprung, 'critical', '-H', HALFLIFE, *OUTPUTS['six decimals']]
    return [('cat', ['cat'], None), ('sprung', spring, 100), ('sprung, one thread', [*spring, '-j1'], 100)]


def command(peer):
    """The peer's command, or None where it is not installed."""
    if peer.command[0] == 'python':
        found = python(peer.modules)
        return [found, *peer.command[1:]] if found else None
    if not shutil.which(peer.command[0]):
        return None
    if peer.probe and (not shutil.which(peer.probe[0]) or subprocess.run(peer.probe, capture_output=True).returncode != 0):
        return None
    return peer.command
