// The workloads of the benchmark, on standard output: generate KIND ROWS [COLUMNS], where KIND is csv,
// irregular, array, lines, wav16, wavf or c3d. Rows are 1 ms apart, or with irregular about so, each step
// another. A value is a triangle wave of integers with some noise, so that every machine makes the same
// bytes. The first is 0, for peers that start at rest.
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RATE = 44100 };

static uint64_t seed = 88172645463325252u;

static uint64_t noise(uint64_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed % below;
}

// In billionths, between -55 and 55.
static int64_t value(int64_t row, int column)
{
    const int64_t period = 2000 + 37 * column;
    const int64_t phase = (row + period / 4) % period;
    const int64_t rising = phase < period / 2 ? phase : period - phase;
    const int64_t wave = rising * 200000000000 / period - 50000000000;
    return row == 0 ? 0 : wave + (int64_t)noise(10000000000) - 5000000000;
}

// Prints number / 10^digits.
static char *decimal(char *at, int64_t number, int digits)
{
    char text[24];
    int n = 0;
    uint64_t left = number < 0 ? -(uint64_t)number : (uint64_t)number;
    if (number < 0)
        *at++ = '-';
    for (; left > 0 || n <= digits; left /= 10) {
        if (n == digits)
            text[sizeof text - 1 - (size_t)n++] = '.';
        text[sizeof text - 1 - (size_t)n++] = (char)('0' + left % 10);
    }
    memcpy(at, text + sizeof text - n, (size_t)n);
    return at + n;
}

static char *text(char *at, const char *what)
{
    const size_t length = strlen(what);
    memcpy(at, what, length);
    return at + length;
}

static void csv(int64_t nrow, int ncolumn, bool irregular)
{
    char *line = malloc(64 + 24 * (size_t)ncolumn);
    if (!line)
        exit(2);
    fputs("time", stdout);
    if (ncolumn == 1)
        fputs(",x", stdout);
    for (int i = 0; ncolumn > 1 && i < ncolumn; i++)
        printf(",x%d", i + 1);
    putchar('\n');
    for (int64_t row = 0, time = 0; row < nrow; row++) {
        char *at = irregular ? decimal(line, time, 9) : decimal(line, row * 10, 4);
        for (int i = 0; i < ncolumn; i++) {
            *at++ = ',';
            at = ncolumn == 1 ? decimal(at, value(row, i), 9) : decimal(at, value(row, i) / 1000, 6);
        }
        *at++ = '\n';
        fwrite(line, 1, (size_t)(at - line), stdout);
        if (irregular)
            time += 500000 + (int64_t)noise(1000000);
    }
    free(line);
}

static void json(int64_t nrow, bool array)
{
    char line[128];
    for (int64_t row = 0; row < nrow; row++) {
        char *at = text(line, !array ? "" : row == 0 ? "[" : ",\n");
        at = decimal(text(at, "{\"time\": "), row * 10, 4);
        at = decimal(text(at, ", \"x\": "), value(row, 0), 9);
        at = text(at, array ? "}" : "}\n");
        fwrite(line, 1, (size_t)(at - line), stdout);
    }
    if (array)
        fputs("]\n", stdout);
}

static void little(uint64_t number, int nbyte)
{
    for (int i = 0; i < nbyte; i++)
        putchar((int)(number >> 8 * i & 255));
}

static void wav(int64_t nrow, int nchannel, bool floating)
{
    const int width = floating ? 4 : 2;
    const uint64_t size = (uint64_t)(nrow * nchannel * width);
    fputs("RIFF", stdout);
    little((floating ? 48u : 36u) + size, 4);
    fputs("WAVEfmt ", stdout);
    little(16, 4);
    little(floating ? 3 : 1, 2);
    little((uint64_t)nchannel, 2);
    little(RATE, 4);
    little((uint64_t)(RATE * nchannel * width), 4);
    little((uint64_t)(nchannel * width), 2);
    little((uint64_t)width * 8, 2);
    if (floating) {
        fputs("fact", stdout);
        little(4, 4);
        little((uint64_t)nrow, 4);
    }
    fputs("data", stdout);
    little(size, 4);
    for (int64_t row = 0; row < nrow; row++)
        for (int i = 0; i < nchannel; i++) {
            const int64_t billionths = value(row, i);
            const float sample = (float)billionths / 64e9f;
            uint32_t bits;
            memcpy(&bits, &sample, sizeof bits);
            little(floating ? bits : (uint64_t)(billionths / 2000000), width);
        }
}

static void little_float(double x)
{
    const float rounded = (float)x;
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    little(bits, 4);
}

// A header, a block without parameters, and floats: the numbers of csv.
static void c3d(int64_t nrow, int ncolumn)
{
    little(0x5002, 2);
    little((uint64_t)ncolumn / 3, 2);
    little(0, 2);
    little(1, 2);
    little((uint64_t)nrow, 2);
    little(10, 2);
    little_float(-0.01);
    little(3, 2);
    little(1, 2);
    little_float(1000);
    for (int i = 24; i < 512; i++)
        putchar(0);
    little(0x54015001, 4);
    for (int i = 4; i < 512; i++)
        putchar(0);
    for (int64_t row = 0; row < nrow; row++)
        for (int i = 0; i < ncolumn; i++) {
            little_float((double)(value(row, i) / 1000) / 1e6);
            if (i % 3 == 2)
                little_float(0);
        }
}

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "";
    const int64_t nrow = argc > 2 ? strtoll(argv[2], NULL, 10) : 0;
    const int ncolumn = argc > 3 ? atoi(argv[3]) : 1;
    static char buffer[1 << 16];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    if (strcmp(kind, "csv") == 0 || strcmp(kind, "irregular") == 0)
        csv(nrow, ncolumn, kind[0] == 'i');
    else if (strcmp(kind, "array") == 0 || strcmp(kind, "lines") == 0)
        json(nrow, kind[0] == 'a');
    else if (strcmp(kind, "wav16") == 0 || strcmp(kind, "wavf") == 0)
        wav(nrow, ncolumn, kind[3] == 'f');
    else if (strcmp(kind, "c3d") == 0)
        c3d(nrow, ncolumn);
    else
        fputs("usage: generate csv|irregular|array|lines|wav16|wavf|c3d ROWS [COLUMNS]\n", stderr);
    return nrow > 0 && fflush(stdout) == 0 && !ferror(stdout) ? 0 : 2;
}
