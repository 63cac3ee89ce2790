"""python3 recorded.py filtfilt|hampel FILE, or array ROWS: what pandas and scipy do with recorded files. filtfilt: a
Butterworth low-pass of 6 Hz forward and backward over every column but the first, read and written as CSV. hampel: values
that are more than 3 scaled median deviations from the median of the 7 around them become that median, as Pose2Sim does.
array: nanoseconds a row of filtfilt over an array, the least of five turns."""
import sys
import time

from scipy.signal import butter, filtfilt


def array(rows):
    import numpy
    x = numpy.sin(numpy.arange(rows) / 100) + numpy.random.rand(rows) / 100
    b, a = butter(2, 6, fs=120)
    least = float('inf')
    for _ in range(5):
        begun = time.perf_counter()
        filtfilt(b, a, x)
        least = min(least, time.perf_counter() - begun)
    print(f'{least / rows * 1e9:.2f}')


def file(kind, name):
    import pandas
    table = pandas.read_csv(name)
    names = table.columns[1:]
    if kind == 'filtfilt':
        b, a = butter(2, 6, fs=120)
        table[names] = filtfilt(b, a, table[names].to_numpy(), axis=0)
    else:
        for name in names:
            middle = table[name].rolling(7, center=True, min_periods=1).median()
            off = (table[name] - middle).abs()
            scale = 1.4826 * off.rolling(7, center=True, min_periods=1).median()
            table[name] = table[name].where(off <= 3 * scale, middle)
    table.to_csv(sys.stdout, index=False, float_format='%.6f')


if sys.argv[1] == 'array':
    array(int(sys.argv[2]))
else:
    file(sys.argv[1], sys.argv[2])
