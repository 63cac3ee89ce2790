/* Arguments of the elementary functions, the same on every machine, and hashes of the results. */
#ifndef SPRUNG_TESTS_ELEMENTARY_VALUES_H
#define SPRUNG_TESTS_ELEMENTARY_VALUES_H

#include "number/elementary.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct function {
    const char *name;
    double (*one)(double x); /* NULL: the function has two arguments */
    double (*two)(double x, double y);
    int least, most; /* arguments lie from 2^least to 2^most */
    bool positive;   /* the first argument has no sign */
    double special;  /* many arguments lie near multiples of it; 1: near 1 itself; 0: near no number */
    uint64_t hash;   /* of the first HASHED results */
};

enum { HASHED = 1000000 };

static const struct function functions[] = {
    { "exp", elementary_exp, NULL, -60, 10, false, 0.0054152123481245727, 0x633d8f132cbf1bcf },
    { "expm1", elementary_expm1, NULL, -60, 10, false, 0.0054152123481245727, 0xd1f8644da4a5f83c },
    { "log", elementary_log, NULL, -1074, 1024, true, 1, 0xa9f657fa0a1a32aa },
    { "log1p", elementary_log1p, NULL, -60, 60, false, 0.0078125, 0x612aea758c638e70 },
    { "log10", elementary_log10, NULL, -1074, 1024, true, 1, 0x6207d4b189c6b0e2 },
    { "sin", elementary_sin, NULL, -40, 1024, false, 1.5707963267948966, 0x361465d47f89cc59 },
    { "cos", elementary_cos, NULL, -40, 1024, false, 1.5707963267948966, 0x56ea702e200e643e },
    { "pow", NULL, elementary_pow, -30, 30, true, 1, 0x11e95d9c5d3318e1 },
    { "hypot", NULL, elementary_hypot, -1074, 1024, false, 0, 0x62ca2aff8e13b72c },
    { "atan2", NULL, elementary_atan2, -1074, 1024, false, 0, 0xda6fd6842169064c },
};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* SplitMix64 (Steele, Lea and Flood, 2014). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* From 1 to 2; one draw in four has few digits. */
static double random_mantissa(uint64_t *state)
{
    uint64_t bits = next_random(state), kept = bits % 4 ? ~(uint64_t)0 : ~(uint64_t)0 << 44;
    return 1 + (double)(bits >> 11 & kept) * 0x1p-53;
}

static double random_argument(const struct function *function, uint64_t *state)
{
    uint64_t bits = next_random(state);
    int least = function->least, most = function->most;
    if (bits % 4) { /* most arguments are not extreme */
        least = least < -12 ? -12 : least;
        most = most > 12 ? 12 : most;
    }
    double x = ldexp(random_mantissa(state), least + (int)(bits >> 8 & 0xffff) % (most - least));
    if (function->special > 0 && bits >> 2 & 1) {
        double times = (double)(1 + (bits >> 32) % 1000);
        double off = ldexp(random_mantissa(state), -(int)(bits >> 24 & 63));
        x = function->special * times * (bits >> 3 & 1 ? 1 : bits >> 4 & 1 ? 1 + off : 1 - off / 2);
        if (function->special == 1)
            x /= times;
    }
    return function->positive || bits >> 5 & 1 ? x : -x;
}

struct draw {
    double x, y, result;
};

static struct draw next_draw(const struct function *function, uint64_t *state)
{
    struct draw draw = { .x = random_argument(function, state) };
    if (function->one) {
        draw.result = function->one(draw.x);
        return draw;
    }
    /* Half of the second arguments are about as large as the first. */
    draw.y = random_argument(function, state);
    if (next_random(state) & 1)
        draw.y = function->special > 0 ? (draw.y > 0 ? 1 : -1) * ldexp(random_mantissa(state), -3)
                                       : draw.x * (random_mantissa(state) - 0.5);
    if (function->special > 0 && next_random(state) & 1)
        draw.y = -draw.y;
    draw.result = function->two(draw.x, draw.y);
    return draw;
}

static uint64_t bits_of_result(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return isnan(x) ? 0x7ff8000000000000 : bits; /* the sign of NaN is that of the machine */
}

static uint64_t hash_of(const struct function *function)
{
    uint64_t state = 1, hash = 0xcbf29ce484222325; /* FNV-1a, 64 bits at once */
    for (int i = 0; i < HASHED; i++)
        hash = (hash ^ bits_of_result(next_draw(function, &state).result)) * 0x100000001b3;
    return hash;
}

#endif
