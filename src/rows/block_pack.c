/* The spans, times and values of the rows of a block that waits, in few bytes. A span is counted from the end
 * of the span before it, and a time, in units of its last decimal, from the time before it: so most numbers
 * take a byte. Values take two bytes if all are whole numbers of 16 bits, or such parts of 2^15 as in a
 * recording. */
#include "rows/block.h"

#include <stdlib.h>

enum {
    MOST_SPAN = 10, /* bytes of two numbers of 32 bits */
    MOST_TIME = 10, /* bytes of a number of 64 bits */
    NO_TIMES = 255  /* in place of the number of decimals: the times are not packed */
};

/* Where the next number is, and what it is counted from. */
struct packing {
    unsigned char *next;
    uint32_t end;   /* of the span before */
    int64_t digits; /* of the time before */
    int decimals;   /* of all times */
    double unit;    /* 10^decimals */
};

/* --- numbers --- */

/* Seven bits a byte, the lowest first. */
static void put_number(struct packing *to, uint64_t x)
{
    for (; x >= 0x80; x >>= 7)
        *to->next++ = (unsigned char)(x | 0x80);
    *to->next++ = (unsigned char)x;
}

static uint64_t get_number(struct packing *from)
{
    uint64_t x = *from->next & 0x7F;
    for (unsigned shift = 7; *from->next++ & 0x80; shift += 7)
        x |= (uint64_t)(*from->next & 0x7F) << shift;
    return x;
}

/* The sign becomes the lowest bit. */
static void put_signed(struct packing *to, int64_t x)
{
    put_number(to, (uint64_t)x << 1 ^ (x < 0 ? UINT64_MAX : 0));
}

static int64_t get_signed(struct packing *from)
{
    const uint64_t x = get_number(from);
    return (int64_t)(x >> 1 ^ (x & 1 ? UINT64_MAX : 0));
}

static void put_span(struct packing *to, struct span span)
{
    put_signed(to, (int32_t)(span.at - to->end));
    put_number(to, span.n);
    to->end = span.at + span.n;
}

static struct span get_span(struct packing *from)
{
    struct span span = { .at = from->end + (uint32_t)get_signed(from) };
    span.n = (uint32_t)get_number(from);
    from->end = span.at + span.n;
    return span;
}

/* --- times --- */

/* The first byte is the number of decimals. */
static struct packing packing_of(unsigned char *bytes)
{
    struct packing packing = { .next = bytes + 1, .decimals = bytes[0], .unit = 1 };
    for (int i = 0; i < packing.decimals; i++)
        packing.unit *= 10;
    return packing;
}

static struct timestamp time_of_digits(const struct packing *packing, int64_t digits)
{
    return (struct timestamp){ (double)digits / packing->unit, { digits, -packing->decimals, true } };
}

/* The number of decimals of all times, if time_of_digits gives each of them to the last bit; else NO_TIMES.
 */
static unsigned char decimals_of_times(const struct block *block)
{
    unsigned char decimals = NO_TIMES;
    if (block->time && block->nrow > 0 && block->time->decimal.exact && block->time->decimal.exp10 <= 0)
        decimals = (unsigned char)-block->time->decimal.exp10;
    const struct packing packing = packing_of(&decimals);
    for (size_t i = 0; i < block->nrow && decimals != NO_TIMES; i++) {
        const struct timestamp *time = &block->time[i], made = time_of_digits(&packing, time->decimal.digits);
        if (!time->decimal.exact || time->decimal.exp10 != made.decimal.exp10 ||
            memcmp(&time->t, &made.t, sizeof made.t) != 0)
            decimals = NO_TIMES;
    }
    return decimals;
}

/* --- rows --- */

static void put_row(struct packing *to, const struct block *block, size_t row)
{
    const struct span span = block->row[row], *cell = block->cell + row * block->ncell;
    if (block->ncell > 0) /* rows are text */
        put_span(to, span);
    to->end = span.at;
    for (size_t c = 0; c < block->ncell; c++)
        put_span(to, cell[c]);
    to->end = span.at + span.n;
    if (to->decimals != NO_TIMES) {
        put_signed(to, block->time[row].decimal.digits - to->digits);
        to->digits = block->time[row].decimal.digits;
    }
}

/* Returns the span of the row, and sets cell[ncell] and the digits of its time. cell NULL: the row alone. */
static struct span get_row(struct packing *from, const struct block *block, struct span *cell)
{
    const struct span row = block->ncell > 0 ? get_span(from) : (struct span){ 0, 0 };
    from->end = row.at;
    for (size_t c = 0; c < block->ncell; c++) {
        const struct span span = get_span(from);
        if (cell)
            cell[c] = span;
    }
    from->end = row.at + row.n;
    if (from->decimals != NO_TIMES)
        from->digits += get_signed(from);
    return row;
}

static void release(void *array)
{
    void **p = array;
    free(*p);
    *p = NULL;
}

/* --- values --- */

/* The values as whole numbers of 16 bits in a unit; NULL: they are others, or out of memory. */
static int16_t *find_whole(const double *value, size_t n, double unit)
{
    int16_t *whole = malloc((n + 1) * sizeof *whole);
    bool good = whole != NULL;
    for (size_t i = 0; i < n && good; i++) {
        const double x = value[i] / unit, least = x > INT16_MIN ? x : INT16_MIN;
        whole[i] = (int16_t)(least < INT16_MAX ? least : INT16_MAX);
        const double made = whole[i] * unit;
        good = memcmp(&made, &value[i], sizeof made) == 0;
    }
    if (!good)
        release(&whole);
    return whole;
}

static void pack_values(struct block *block)
{
    const size_t n = block->nvalue * block->maxrow;
    for (int i = 0; i < 2 && !block->value16; i++) {
        block->unit = i == 0 ? 1 : 0x1p-15;
        block->value16 = find_whole(block->value, n, block->unit);
    }
    if (block->value16)
        release(&block->value);
}

/* Copies n packed values, from number `first` on. */
static void get_values(const struct block *block, size_t first, size_t n, double *to)
{
    for (size_t i = 0; i < n; i++)
        to[i] = block->value16[first + i] * block->unit;
}

void block_copy_values(const struct block *block, size_t channel, size_t row, size_t n, double *to)
{
    if (block->value16)
        get_values(block, channel * block->maxrow + row, n, to);
    else
        memcpy(to, block_value(block, channel) + row, n * sizeof *to);
}

void block_copy_goals(const struct block *block, size_t channel, size_t row, size_t n, double *to)
{
    if (block->ngoal > 0)
        memcpy(to, block_goal(block, channel) + row, n * sizeof *to);
    else
        block_copy_values(block, channel, row, n, to);
}

/* --- blocks --- */

void block_pack(struct block *block, bool keeps_steps)
{
    const size_t most = (1 + block->ncell) * MOST_SPAN + MOST_TIME;
    unsigned char *bytes = block->nrow < SIZE_MAX / most ? malloc(block->nrow * most + 1) : NULL;
    if (!bytes)
        return;
    bytes[0] = decimals_of_times(block);
    struct packing to = packing_of(bytes);
    for (size_t row = 0; row < block->nrow; row++)
        put_row(&to, block, row);
    const size_t n = (size_t)(to.next - bytes);
    block->packed = malloc(n);
    if (block->packed)
        memcpy(block->packed, bytes, n);
    free(bytes);
    if (!block->packed)
        return;
    release(&block->row);
    release(&block->cell);
    if (to.decimals != NO_TIMES)
        release(&block->time);
    if (!keeps_steps)
        release(&block->T);
    pack_values(block);
}

bool block_unpack(struct block *block, struct error *e)
{
    if (!block->packed)
        return true;
    struct packing from = packing_of(block->packed);
    const bool timed = from.decimals != NO_TIMES;
    const size_t nvalue = block->nvalue * block->maxrow;
    block->row = calloc(block->maxrow + 1, sizeof *block->row);
    block->cell = malloc((block->maxrow + 1) * (block->ncell + 1) * sizeof *block->cell);
    if (timed)
        block->time = malloc((block->maxrow + 1) * sizeof *block->time);
    if (block->value16)
        block->value = malloc((nvalue + 1) * sizeof *block->value);
    if (!block->row || !block->cell || !block->value || (timed && !block->time))
        return error_memory(e);
    if (block->value16)
        get_values(block, 0, nvalue, block->value);
    release(&block->value16);
    for (size_t row = 0; row < block->nrow; row++) {
        block->row[row] = get_row(&from, block, block->cell + row * block->ncell);
        if (timed)
            block->time[row] = time_of_digits(&from, from.digits);
    }
    release(&block->packed);
    return true;
}

struct span block_row(const struct block *block, size_t row)
{
    if (!block->packed)
        return block->row[row];
    struct packing from = packing_of(block->packed);
    for (size_t before = 0; before < row; before++)
        get_row(&from, block, NULL);
    return get_row(&from, block, NULL);
}
