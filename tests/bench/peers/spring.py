"""python3 spring.py csv|array|lines|numpy|pandas HALFLIFE STEP FILE: the critical spring on every column but the first, or
on x of records. csv, array and lines are loops in plain Python, numpy and pandas leave the loop to scipy. With a step of
0, for csv alone, the first column says the time."""
import math
import sys


class Spring:
    def __init__(self, halflife):
        self.y = 2 * math.log(2) / halflife

    def matrix(self, T):
        y, E = self.y, math.exp(-self.y * T)
        self.ee, self.ev, self.ve, self.vv = E * (1 + y * T), E * T, -E * y * y * T, E * (1 - y * T)

    def start(self, goals):
        self.x, self.v = list(goals), [0.0] * len(goals)

    def run(self, i, g):
        e, v = self.x[i] - g, self.v[i]
        x = self.x[i] = g + self.ee * e + self.ev * v
        self.v[i] = self.ve * e + self.vv * v
        return x


def loop(spring, step, lines, out):
    out.write(next(lines))
    last = None
    for line in lines:
        time, *cells = line.split(',')
        goals = [float(cell) for cell in cells]
        if last is None:
            spring.start(goals)
            last = float(time)
        if step == 0:
            spring.matrix(float(time) - last)
            last = float(time)
        out.write(','.join([time] + [f'{spring.run(i, g):.6f}' for i, g in enumerate(goals)]) + '\n')


def records(spring, items):
    for n, item in enumerate(items):
        if n == 0:
            spring.start([item['x']])
        item['x'] = spring.run(0, item['x'])
        yield item


def column(halflife, step, goals):
    """The same spring as a recursion of two poles, from rest at the first goal."""
    from scipy.signal import lfilter
    u = 2 * math.log(2) / halflife * step
    E = math.exp(-u)
    return goals[0] + lfilter([1 - E * (1 + u), E * (E - 1 + u)], [1, -2 * E, E * E], goals - goals[0], axis=0)


def main(kind, halflife, step, name):
    spring = Spring(halflife)
    spring.matrix(step)
    if kind == 'numpy':
        import numpy
        table = numpy.loadtxt(name, delimiter=',', skiprows=1)
        table[:, 1:] = column(halflife, step, table[:, 1:])
        with open(name) as file:
            header = file.readline().rstrip('\n')
        numpy.savetxt(sys.stdout, table, '%.6f', delimiter=',', header=header, comments='')
    elif kind == 'pandas':
        import pandas
        table = pandas.read_csv(name)
        table.iloc[:, 1:] = column(halflife, step, table.iloc[:, 1:].to_numpy())
        table.to_csv(sys.stdout, index=False, float_format='%.6f')
    elif kind == 'csv':
        with open(name) as lines:
            loop(spring, step, lines, sys.stdout)
    else:
        import json
        with open(name) as file:
            if kind == 'array':
                json.dump(list(records(spring, json.load(file))), sys.stdout)
            else:
                for item in records(spring, map(json.loads, file)):
                    sys.stdout.write(json.dumps(item) + '\n')


main(sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), sys.argv[4])
