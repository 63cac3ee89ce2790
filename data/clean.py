"""Cleans a curve with libsprung, in Blender, Houdini or any other program that has Python."""
import ctypes, math, random
lib = ctypes.CDLL("libsprung.so.4")
Doubles = ctypes.POINTER(ctypes.c_double)
lib.sprung_smooth.argtypes = [ctypes.c_char_p,
    ctypes.c_size_t, ctypes.c_size_t] + 5 * [Doubles] + [
    ctypes.c_char_p, ctypes.c_size_t]


def clean(times, values, settings="cutoff=auto"):
    """The values without noise and without lag; times in seconds."""
    n = len(times)
    array = ctypes.c_double * n
    result, message = array(), ctypes.create_string_buffer(200)
    if lib.sprung_smooth(settings.encode(), n, 1,
                         array(*times), array(*values), result,
                         None, None, message, len(message)) != 0:
        raise ValueError(message.value.decode())
    return list(result)


random.seed(1)
times = [i / 60 for i in range(120)]
values = [math.sin(3 * t) + random.gauss(0, 0.02) for t in times]
off = [x - math.sin(3 * t) for x, t in zip(clean(times, values), times)]
print(sum(x * x for x in off) / len(off) < 0.01 ** 2)
