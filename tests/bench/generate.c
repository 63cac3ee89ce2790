// The workloads of the benchmark, on standard output: generate KIND ROWS [COLUMNS], where KIND is csv,
// irregular, array, lines, wav16, wavf, c3d, fbx or glb. Rows are 1 ms apart, or with irregular
// about so, each step another. A value is a triangle wave of integers with some noise, so that every machine
// makes the same bytes. The first is 0, for peers that start at rest.
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

// Begins a parameter of the group POINT with one number of nbyte bytes, 2 or 4, which the caller writes, and then a
// byte 0 for no description. Returns the bytes of the parameter.
static int begin_parameter(const char *name, int nbyte)
{
    putchar((int)strlen(name));
    putchar(1); // of group 1
    fputs(name, stdout);
    little((uint64_t)nbyte + 5, 2);
    putchar(nbyte);
    putchar(0); // dimensions
    return 7 + (int)strlen(name) + nbyte;
}

static int whole_parameter(const char *name, uint64_t value)
{
    const int n = begin_parameter(name, 2);
    little(value, 2);
    putchar(0);
    return n;
}

static int float_parameter(const char *name, double value)
{
    const int n = begin_parameter(name, 4);
    little_float(value);
    putchar(0);
    return n;
}

// A header, a block of parameters, and floats: the numbers of csv.
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
    fputs("\005\377POINT\003", stdout);
    putchar(0);
    putchar(0);
    int n = 4 + 10;
    n += whole_parameter("USED", (uint64_t)ncolumn / 3);
    n += whole_parameter("FRAMES", (uint64_t)nrow);
    n += whole_parameter("DATA_START", 3);
    n += float_parameter("SCALE", -0.01);
    n += float_parameter("RATE", 1000);
    for (; n < 512; n++)
        putchar(0);
    for (int64_t row = 0; row < nrow; row++)
        for (int i = 0; i < ncolumn; i++) {
            little_float((double)(value(row, i) / 1000) / 1e6);
            if (i % 3 == 2)
                little_float(0);
        }
}

// The numbers of csv, nrow times ncolumn, row by row.
static float *floats(int64_t nrow, int ncolumn)
{
    float *made = malloc(((size_t)(nrow * ncolumn) + 1) * sizeof *made);
    if (!made)
        exit(2);
    for (int64_t row = 0; row < nrow; row++)
        for (int i = 0; i < ncolumn; i++)
            made[row * ncolumn + i] = (float)((double)(value(row, i) / 1000) / 1e6);
    return made;
}

// An FBX file is made in memory: the end of a record is known after what is in the record.
static struct {
    unsigned char *bytes;
    size_t n, room;
} made;

static void add(const void *bytes, size_t n)
{
    if (made.n + n > made.room) {
        made.room = 2 * (made.n + n);
        made.bytes = realloc(made.bytes, made.room);
        if (!made.bytes)
            exit(2);
    }
    if (n > 0)
        memcpy(made.bytes + made.n, bytes, n);
    made.n += n;
}

static void add_little(uint64_t number, size_t nbyte)
{
    for (; nbyte > 0; nbyte--, number >>= 8)
        add(&(unsigned char){ (unsigned char)number }, 1);
}

// Begins a record of FBX 7.4; returns where it begins.
static size_t begin_record(const char *name)
{
    const size_t at = made.n;
    add_little(0, 12);
    add_little(strlen(name), 1);
    add(name, strlen(name));
    return at;
}

static void store_little(size_t at, size_t number)
{
    for (int i = 0; i < 4; i++)
        made.bytes[at + (size_t)i] = (unsigned char)(number >> 8 * i);
}

// Ends the values of a record.
static void end_values(size_t at, size_t nvalue)
{
    store_little(at + 4, nvalue);
    store_little(at + 8, made.n - at - 13 - made.bytes[at + 12]);
}

static void end_record(size_t at, bool nodes_inside)
{
    if (nodes_inside)
        add_little(0, 13);
    store_little(at, made.n);
}

static void add_text(const char *text, size_t n)
{
    add("S", 1);
    add_little(n, 4);
    add(text, n);
}

static void add_id(uint64_t id)
{
    add("L", 1);
    add_little(id, 8);
}

static size_t begin_object(const char *kind, uint64_t id, const char *name, size_t nname)
{
    const size_t at = begin_record(kind);
    add_id(id);
    add_text(name, nname);
    add_text("", 0);
    end_values(at, 3);
    return at;
}

static void connect(uint64_t child, uint64_t parent, const char *property)
{
    const size_t at = begin_record("C");
    add_text(property ? "OP" : "OO", 2);
    add_id(child);
    add_id(parent);
    if (property)
        add_text(property, strlen(property));
    end_values(at, property ? 4 : 3);
    end_record(at, false);
}

enum { STACK = 1, LAYER = 2, MODEL = 1000, CURVE_NODE = 2000, CURVE = 3000 };

static void add_curve(int64_t nrow, int ncolumn, int column, const float *numbers)
{
    const size_t at = begin_object("AnimationCurve", (uint64_t)(CURVE + column), "\0\1AnimCurve", 11),
                 times = begin_record("KeyTime");
    add("l", 1);
    add_little((uint64_t)nrow, 4);
    add_little(0, 4);
    add_little((uint64_t)(8 * nrow), 4);
    for (int64_t row = 0; row < nrow; row++)
        add_little((uint64_t)(row * 46186158), 8);
    end_values(times, 1);
    end_record(times, false);
    const size_t values = begin_record("KeyValueFloat");
    add("f", 1);
    add_little((uint64_t)nrow, 4);
    add_little(0, 4);
    add_little((uint64_t)(4 * nrow), 4);
    for (int64_t row = 0; row < nrow; row++) {
        uint32_t bits;
        memcpy(&bits, &numbers[row * ncolumn + column], sizeof bits);
        add_little(bits, 4);
    }
    end_values(values, 1);
    end_record(values, false);
    end_record(at, true);
}

// Translations of ncolumn / 3 models, in arrays that are not deflated: the numbers of csv.
static void fbx(int64_t nrow, int ncolumn)
{
    static const char *const axes[] = { "d|X", "d|Y", "d|Z" };
    const float *numbers = floats(nrow, ncolumn);
    char name[32];
    add("Kaydara FBX Binary  \0\x1a\0", 23);
    add_little(7400, 4);
    const size_t objects = begin_record("Objects");
    end_record(begin_object("AnimationStack", STACK, "take\0\1AnimStack", 15), false);
    end_record(begin_object("AnimationLayer", LAYER, "base\0\1AnimLayer", 15), false);
    for (int i = 0; i < ncolumn / 3; i++) {
        const int n = snprintf(name, sizeof name, "p%d%c\1Model", i + 1, 0);
        end_record(begin_object("Model", (uint64_t)(MODEL + i), name, (size_t)n), false);
        end_record(begin_object("AnimationCurveNode", (uint64_t)(CURVE_NODE + i), "T\0\1AnimCurveNode", 16),
                   false);
    }
    for (int i = 0; i < ncolumn / 3 * 3; i++)
        add_curve(nrow, ncolumn, i, numbers);
    end_record(objects, true);
    const size_t connections = begin_record("Connections");
    connect(LAYER, STACK, NULL);
    for (int i = 0; i < ncolumn / 3; i++) {
        connect((uint64_t)(CURVE_NODE + i), LAYER, NULL);
        connect((uint64_t)(CURVE_NODE + i), (uint64_t)(MODEL + i), "Lcl Translation");
    }
    for (int i = 0; i < ncolumn / 3 * 3; i++)
        connect((uint64_t)(CURVE + i), (uint64_t)(CURVE_NODE + i / 3), axes[i % 3]);
    end_record(connections, true);
    add_little(0, 13);
    fwrite(made.bytes, 1, made.n, stdout);
}

// Prints the JSON text of a .glb, or with NULL only returns its length.
static int glb_json(FILE *out, int64_t nrow, int nnode)
{
    static char text[1 << 16];
    char *at = text, *end = text + sizeof text;
    const long long each = 12 * nrow, times = 4 * nrow;
    at += snprintf(at, (size_t)(end - at), "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[");
    for (int i = 0; i < nnode; i++)
        at += snprintf(at, (size_t)(end - at), "%s{\"name\":\"p%d\"}", i ? "," : "", i + 1);
    at += snprintf(at, (size_t)(end - at), "],\"animations\":[{\"name\":\"take\",\"channels\":[");
    for (int i = 0; i < nnode; i++)
        at += snprintf(at, (size_t)(end - at),
                       "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"translation\"}}", i ? "," : "",
                       i, i);
    at += snprintf(at, (size_t)(end - at), "],\"samplers\":[");
    for (int i = 0; i < nnode; i++)
        at += snprintf(at, (size_t)(end - at), "%s{\"input\":0,\"output\":%d}", i ? "," : "", i + 1);
    at += snprintf(
        at, (size_t)(end - at),
        "]}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%lld,\"type\":\"SCALAR\"}",
        (long long)nrow);
    for (int i = 0; i < nnode; i++)
        at += snprintf(at, (size_t)(end - at),
                       ",{\"bufferView\":%d,\"componentType\":5126,\"count\":%lld,\"type\":\"VEC3\"}", i + 1,
                       (long long)nrow);
    at += snprintf(at, (size_t)(end - at), "],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%lld}", times);
    for (int i = 0; i < nnode; i++)
        at += snprintf(at, (size_t)(end - at), ",{\"buffer\":0,\"byteOffset\":%lld,\"byteLength\":%lld}",
                       times + i * each, each);
    at += snprintf(at, (size_t)(end - at), "],\"buffers\":[{\"byteLength\":%lld}]}", times + nnode * each);
    while ((at - text) % 4)
        *at++ = ' ';
    if (out)
        fwrite(text, 1, (size_t)(at - text), out);
    return (int)(at - text);
}

// The file of fbx as a .glb: translations of ncolumn / 3 nodes.
static void glb(int64_t nrow, int ncolumn)
{
    const int nnode = ncolumn / 3, njson = glb_json(NULL, nrow, nnode);
    const float *numbers = floats(nrow, ncolumn);
    const uint64_t nbyte = (uint64_t)(4 * nrow + 12 * nrow * nnode);
    fputs("glTF", stdout);
    little(2, 4);
    little(28 + (uint64_t)njson + nbyte, 4);
    little((uint64_t)njson, 4);
    fputs("JSON", stdout);
    glb_json(stdout, nrow, nnode);
    little(nbyte, 4);
    fwrite("BIN", 1, 4, stdout);
    for (int64_t row = 0; row < nrow; row++)
        little_float((double)row / 1000);
    for (int i = 0; i < nnode; i++)
        for (int64_t row = 0; row < nrow; row++)
            for (int axis = 0; axis < 3; axis++)
                little_float((double)numbers[row * ncolumn + 3 * i + axis]);
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
    else if (strcmp(kind, "fbx") == 0)
        fbx(nrow, ncolumn);
    else if (strcmp(kind, "glb") == 0)
        glb(nrow, ncolumn);
    else
        fputs("usage: generate csv|irregular|array|lines|wav16|wavf|c3d|fbx|glb ROWS [COLUMNS]\n", stderr);
    return nrow > 0 && fflush(stdout) == 0 && !ferror(stdout) ? 0 : 2;
}
