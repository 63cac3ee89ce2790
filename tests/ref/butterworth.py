#!/usr/bin/python3
"""Writes tests/ref/butterworth_table.csv: a marker and what scipy's zero-lag Butterworth makes of it. Usage: butterworth.py >FILE

The marker is a heel in walking, in millimetres, three seconds at 120 Hz with 0.3 mm of noise. The filter is the usual one of
biomechanics: Butterworth of second order, forward and backward, which together are of fourth order; its cutoff is
divided by (sqrt(2) - 1)^(1/4), so that both passes together have -3 dB at 6 Hz (Winter, Biomechanics and Motor Control
of Human Movement). Without scipy the status is 77.
"""
import sys
from math import pi, sin, sqrt
try:
    from scipy.signal import butter, filtfilt
except ImportError:
    sys.exit(77)

RATE, CUTOFF, NROW = 120, 6, 360
LCG = 2024


def noise():
    global LCG
    LCG = (LCG * 6364136223846793005 + 1442695040888963407) % 2**64
    return (LCG >> 11) * 2.0**-53 - 0.5


marker = []
for n in range(NROW):
    t = n / RATE
    heel = sum(a * sin(2 * pi * 0.9 * k * t + phase) for k, a, phase in ((1, 120, 0.3), (2, 30, 1.1), (3, 10, 2.0), (4, 3, 0.5)))
    marker.append(round(250 + heel + noise(), 3))
b, a = butter(2, CUTOFF / (sqrt(2) - 1) ** 0.25, fs=RATE)
print('time,heel,butterworth')
for n, (x, y) in enumerate(zip(marker, filtfilt(b, a, marker))):
    print('%r,%s,%.6f' % (n / RATE, x, y))
