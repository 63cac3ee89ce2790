/* Random bits, the same at every run, and doubles as bits: for the tests of numbers only. */
#ifndef SPRUNG_DRAW_H
#define SPRUNG_DRAW_H

#include <stdint.h>
#include <string.h>

static uint64_t draw_state = 1;

/* Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014). */
static inline uint64_t draw(void)
{
    uint64_t z = draw_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static inline uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#endif
