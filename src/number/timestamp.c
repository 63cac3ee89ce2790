/* Times as exact decimals; dates and times of day as text. See timestamp.h. */
#include "number/timestamp.h"

#include "number/fast_read.h"

enum { DAY = 86400 };

__extension__ typedef __int128 int128;

static const struct timestamp zero = { 0, { 0, 0, true } };

/* x * 10^exp10; rounds once while x has at most 53 bits and |exp10| <= 22, where the powers are exact. */
static double scale(double x, int exp10)
{
    for (; exp10 < -22; exp10 += 22)
        x /= number_power_of_10[22];
    for (; exp10 > 22; exp10 -= 22)
        x *= number_power_of_10[22];
    return exp10 < 0 ? x / number_power_of_10[-exp10] : x * number_power_of_10[exp10];
}

double time_unit_seconds(struct time_unit unit)
{
    double multiple = unit.multiple ? unit.multiple : 1;
    return scale(multiple, unit.exp10) / (unit.rate > 0 ? unit.rate : 1);
}

double timestamp_between(const struct timestamp *a, const struct timestamp *b, struct time_unit unit)
{
    const struct number_decimal *p = a ? &a->decimal : &zero.decimal, *q = &b->decimal;
    double frames = unit.rate > 0 ? unit.rate : 1;
    int multiple = unit.multiple ? unit.multiple : 1;
    int apart = p->exp10 - q->exp10;
    if (!p->exact || !q->exact || apart > 18 || apart < -18)
        return scale((b->t - (a ? a->t : 0)) * multiple, unit.exp10) / frames;
    int128 from = p->digits, to = q->digits;
    for (int i = apart; i > 0; i--)
        from *= 10;
    for (int i = apart; i < 0; i++)
        to *= 10;
    int128 digits = to - from, most = (int128)1 << 53, room = most * most;
    double outside = 1; /* the multiple, where the digits have no room for it */
    if (digits < room && digits > -room)
        digits *= multiple;
    else
        outside = multiple;
    int exp10 = (apart > 0 ? q->exp10 : p->exp10) + unit.exp10;
    /* Fewer digits, so that scale rounds once, as for nanoseconds since 1970 that are whole milliseconds. */
    for (; exp10 < 0 && (digits > most || digits < -most) && digits % 10 == 0; exp10++)
        digits /= 10;
    return scale((double)digits, exp10) * outside / frames;
}

size_t timestamp_print(char *buf, const struct timestamp *s)
{
    return s->decimal.exact ? number_print_decimal(buf, &s->decimal, '.')
                            : number_print(buf, s->t, &number_shortest);
}

/* --- text --- */

static bool is_digit(const char *p, const char *end)
{
    return p < end && *p >= '0' && *p <= '9';
}

/* Reads n digits at p, a number from least to most; returns what follows. NULL: they are not there, or p is
 * NULL. */
static const char *digits(const char *p, const char *end, int n, int least, int most, int *x)
{
    *x = 0;
    for (; p && n > 0; n--)
        if (is_digit(p, end))
            *x = 10 * *x + (*p++ - '0');
        else
            p = NULL;
    return *x >= least && *x <= most ? p : NULL;
}

/* What follows the first of these bytes at p, or NULL. */
static const char *after(const char *p, const char *end, const char *bytes)
{
    return p && p < end && *p && strchr(bytes, *p) ? p + 1 : NULL;
}

/* Reads YYYY-MM-DD as days since 1970 in the Gregorian calendar. */
static const char *read_date(const char *p, const char *end, int64_t *days)
{
    static const int before[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365 };
    int year, month, day;
    p = digits(p, end, 4, 1, 9999, &year);
    p = digits(after(p, end, "-"), end, 2, 1, 12, &month);
    if (!p)
        return NULL;
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    int length = before[month] - before[month - 1] + (leap && month == 2), past = year - 1;
    p = digits(after(p, end, "-"), end, 2, 1, length, &day);
    /* 719162 days passed before 1970. */
    *days = 365 * past + past / 4 - past / 100 + past / 400 - 719162 + before[month - 1] +
            (leap && month > 2) + day - 1;
    return p;
}

/* Reads HH:MM:SS, with or without a fraction, as seconds. On a date the seconds may be absent; else the hour
 * may have one digit, or be more than 23 as in an elapsed time. */
static const char *read_clock(const char *p, const char *end, bool dated, struct number_decimal *d)
{
    int hour, minute, second = 0;
    bool one = p && !dated && after(p + 1, end, ":");
    p = digits(p, end, one ? 1 : 2, 0, dated ? 23 : 99, &hour);
    p = digits(after(p, end, ":"), end, 2, 0, 59, &minute);
    if (p && (!dated || after(p, end, ":")))
        p = digits(after(p, end, ":"), end, 2, 0, 59, &second);
    d->digits = (hour * 60 + minute) * 60 + second;
    const char *fraction = after(p, end, ".,");
    if (!fraction || !is_digit(fraction, end))
        return p;
    for (p = fraction; is_digit(p, end); p++, d->exp10--) {
        if (d->digits >= NUMBER_EXACT / 10)
            return NULL;
        d->digits = 10 * d->digits + (*p - '0');
    }
    return p;
}

/* Reads Z, UTC or +HH:MM, with or without a blank before it, as seconds east of Greenwich. */
static const char *read_zone(const char *p, const char *end, int *east)
{
    int hour, minute = 0;
    p += *p == ' ';
    if (end - p == 3 && memcmp(p, "UTC", 3) == 0)
        return end;
    if (after(p, end, "Zz"))
        return p + 1;
    bool west = p < end && *p == '-';
    p = digits(after(p, end, "+-"), end, 2, 0, 23, &hour);
    if (p && p < end)
        p = digits(*p == ':' ? p + 1 : p, end, 2, 0, 59, &minute);
    *east = (west ? -60 : 60) * (60 * hour + minute);
    return p;
}

/* False where the sum has too many digits. */
static bool add_seconds(struct timestamp *s, int64_t seconds)
{
    struct number_decimal *d = &s->decimal;
    int64_t sum;
    for (int i = d->exp10; i < 0; i++)
        if (__builtin_mul_overflow(seconds, 10, &seconds))
            return false;
    if (__builtin_add_overflow(d->digits, seconds, &sum) || sum >= NUMBER_EXACT || sum <= -NUMBER_EXACT)
        return false;
    d->digits = sum;
    s->t = timestamp_between(NULL, s, (struct time_unit){ 0 });
    return true;
}

static bool is_time_code(const char *p, const char *end)
{
    int x;
    for (int i = 0; i < 3; i++)
        p = after(digits(p, end, 2, 0, 99, &x), end, ":;");
    return digits(p, end, 2, 0, 99, &x) != NULL;
}

enum timestamp_form timestamp_read(const char *text, size_t n, struct timestamp *s)
{
    const char *end = text + n;
    int64_t days = 0;
    int east = 0;
    *s = zero;
    const char *date = read_date(text, end, &days), *p = date ? date : text;
    enum timestamp_form form = date ? TIMESTAMP_DATE : TIMESTAMP_CLOCK;
    if (date != end)
        p = read_clock(date ? after(date, end, "Tt ") : text, end, date, &s->decimal);
    if (date && p && p < end) {
        p = read_zone(p, end, &east);
        form = TIMESTAMP_ZONED;
    }
    if (p == end && n > 0 && add_seconds(s, DAY * days - east))
        return form;
    return is_time_code(text, end) ? TIMESTAMP_CODE : TIMESTAMP_NUMBER;
}

const char *timestamp_fault(enum timestamp_form form, const char *text, size_t n, struct timestamp *s)
{
    static const char *const faults[] = {
        [TIMESTAMP_NUMBER] = "not a number",
        [TIMESTAMP_DATE] = "not a date without time zone, as in the first row",
        [TIMESTAMP_ZONED] = "not a date and time with a time zone, as in the first row",
        [TIMESTAMP_CLOCK] = "not a time of day, as in the first row",
        [TIMESTAMP_CODE] = "an SMPTE time code, which does not tell its rate",
    };
    enum timestamp_form found = timestamp_read(text, n, s);
    bool good = found == form && form != TIMESTAMP_NUMBER && form != TIMESTAMP_CODE;
    return good ? NULL : faults[found == TIMESTAMP_CODE ? found : form];
}

void timestamp_pass_midnight(struct timestamp *s, const struct timestamp *before)
{
    double back = timestamp_between(s, before, (struct time_unit){ 0 });
    if (back > DAY / 2)
        add_seconds(s, DAY * (int64_t)((back + DAY / 2) / DAY));
}
