"""cutoff.py: long sines at the cutoff through the program, for cutoffs of a hundredth to four tenths of the row rate: the gain
of all passes is 1/sqrt 2, whatever the hold is; and with --zero-phase where printed times are rounded as well."""
import cmath
import math
import os
import subprocess
import sys

FILTERS = ['damper', 'critical', 'double', 'spring -z 0.7071067811865476', 'spring -z 0.2', 'spring -z 3',
           'critical --goal-velocity difference', 'damper --approx holden', 'double --method published']


def sprung(arguments, text):
    done = subprocess.run([os.environ['SPRUNG']] + arguments.split(), input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit('sprung %s: %s' % (arguments, done.stderr))
    return [float(line.split(',')[-1]) for line in done.stdout.split('\n')[1:-1]]


def gain(values, w):
    """Of rows 1000 to 3000, which are whole periods of all waves here."""
    return abs(sum(v * cmath.exp(-1j * w * i) for i, v in enumerate(values) if 1000 <= i < 3000)) / 1000


def check(what, got, most):
    print('%s: %.6g' % (what, got))
    if not abs(got / math.sqrt(.5) - 1) < most:
        sys.exit('not 1/sqrt 2')


for part in (0.01, 0.05, 0.1, 0.25, 0.4):
    w = 2 * math.pi * part
    wave = [math.sin(w * i) for i in range(4000)]
    text = 'x\n' + ''.join('%r\n' % v for v in wave)
    for options in FILTERS:
        for more in ('', ' --hold linear'):
            if not ('published' in options and 'linear' in more):
                command = '%s --cutoff %r --rate 100 -d 0%s' % (options, 100 * part, more)
                check(command, gain(sprung(command, text), w), 1e-5)
for rate, decimals in ((30, 3), (60, 3), (120, 4)):
    w = 2 * math.pi * rate / 12 / rate
    for options in ('butterworth',):
        text = 't,x\n' + ''.join('%.*f,%r\n' % (decimals, i / rate, math.sin(w * i)) for i in range(4002))
        command = '%s --cutoff %r -c x -d 0 --zero-phase' % (options, rate / 12)
        values = sprung(command, text)
        part = sum(v * cmath.exp(-1j * w * i) for i, v in enumerate(values) if 1002 <= i < 3000)
        check('%s, %d decimals at %g' % (command, decimals, rate), abs(part) / 999, 1e-4)
