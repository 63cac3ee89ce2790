/* Times as exact decimals; dates and times of day as text. See timestamp.h. */
#include "number/timestamp.h"

#include "number/fast_read.h"

#include <math.h>

enum { DAY = 86400 };

__extension__ typedef __int128 int128;

static const struct timestamp zero = { 0, { 0, 0, true } };

double time_unit_seconds(struct time_unit unit)
{
    double multiple = unit.multiple ? unit.multiple : 1;
    return number_scale(multiple, unit.exp10) / (unit.rate > 0 ? unit.rate : 1);
}

double timestamp_between(const struct timestamp *a, const struct timestamp *b, struct time_unit unit)
{
    const struct number_decimal *first = a ? &a->decimal : &zero.decimal, *last = &b->decimal;
    const double multiple = unit.multiple ? unit.multiple : 1, frames = unit.rate > 0 ? unit.rate : 1;
    int apart = first->exp10 - last->exp10, exp10 = last->exp10 + unit.exp10;
    if (!first->exact || !last->exact || apart > 18 || apart < -18)
        return number_scale(b->t - (a ? a->t : 0), unit.exp10) * multiple / frames;
    int128 from = first->digits, to = last->digits, most = (int128)1 << 53;
    for (int i = apart; i > 0; i--)
        from *= 10;
    for (int i = apart; i < 0; i++, exp10--)
        to *= 10;
    int128 digits = to - from;
    /* Zeros at the end are dropped until digits is an exact double, so that scale rounds once. Nanoseconds
     * since 1970 that are whole milliseconds need this. */
    for (; exp10 < 0 && (digits > most || digits < -most) && digits % 10 == 0; exp10++)
        digits /= 10;
    return number_scale((double)digits, exp10) * multiple / frames;
}

size_t timestamp_print(char *buf, const struct timestamp *time)
{
    return time->decimal.exact ? number_print_decimal(buf, &time->decimal, '.')
                               : number_print(buf, time->t, &number_shortest);
}

/* --- text --- */

static bool is_digit(const char *next, const char *end)
{
    return next < end && *next >= '0' && *next <= '9';
}

/* Reads n digits at `next` as a number from least to most. Returns the end of the digits; NULL: there are
 * fewer digits, the number is out of range, or next is NULL. */
static const char *read_digits(const char *next, const char *end, int n, int least, int most, int *number)
{
    *number = 0;
    for (; next && n > 0; n--)
        if (is_digit(next, end))
            *number = 10 * *number + (*next++ - '0');
        else
            next = NULL;
    return *number >= least && *number <= most ? next : NULL;
}

/* next + 1 if the byte at `next` is in `bytes`, else NULL. next may be NULL. */
static const char *skip_one(const char *next, const char *end, const char *bytes)
{
    return next && next < end && *next && strchr(bytes, *next) ? next + 1 : NULL;
}

/* Days since 1970 of a date of the Gregorian calendar. False: the month has no such day. */
static bool count_days(int year, int month, int day, int64_t *days)
{
    static const int before[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365 };
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    int length = before[month] - before[month - 1] + (leap && month == 2), past = year - 1;
    /* 719162 days passed before 1970. */
    *days = 365 * past + past / 4 - past / 100 + past / 400 - 719162 + before[month - 1] +
            (leap && month > 2) + day - 1;
    return day <= length;
}

/* Reads YYYY-MM-DD or YYYY/MM/DD as days since 1970. Returns the end of the date; NULL: no date. */
static const char *read_date(const char *next, const char *end, int64_t *days)
{
    int year, month, day;
    next = read_digits(next, end, 4, 1, 9999, &year);
    const char *sign = next && next < end && *next == '/' ? "/" : "-";
    next = read_digits(skip_one(next, end, sign), end, 2, 1, 12, &month);
    next = read_digits(skip_one(next, end, sign), end, 2, 1, 31, &day);
    return next && count_days(year, month, day, days) ? next : NULL;
}

/* Reads a number of one or two digits. */
static const char *read_one_or_two(const char *next, const char *end, int most, int *number)
{
    bool two = next && is_digit(next, end) && is_digit(next + 1, end);
    return read_digits(next, end, two ? 2 : 1, 1, most, number);
}

/* Reads MM/DD/YYYY, or with *day_first DD/MM/YYYY, as days since 1970; DD.MM.YYYY sets *day_first. Returns
 * the end of the date; NULL: no date. */
static const char *read_year_last(const char *next, const char *end, bool *day_first, int64_t *days)
{
    int first, second, year;
    next = read_one_or_two(next, end, 31, &first);
    const bool dotted = skip_one(next, end, ".");
    const char *sign = dotted ? "." : "/";
    next = read_one_or_two(skip_one(next, end, sign), end, 31, &second);
    next = read_digits(skip_one(next, end, sign), end, 4, 1, 9999, &year);
    *day_first |= dotted;
    const int month = *day_first ? second : first;
    const int day = *day_first ? first : second;
    return next && month <= 12 && count_days(year, month, day, days) ? next : NULL;
}

/* Reads AM or PM, with or without a blank before, of a time with this hour. Sets *shift to the seconds
 * between the time as written and the time of day. Returns the end; NULL: neither, or no such hour. */
static const char *read_half(const char *next, const char *end, int hour, int *shift)
{
    const char *letter = next < end && *next == ' ' ? next + 1 : next;
    const char *after = skip_one(skip_one(letter, end, "AaPp"), end, "Mm");
    if (!after || hour < 1 || hour > 12)
        return NULL;
    const bool afternoon = strchr("Pp", *letter);
    *shift = 3600 * (12 * afternoon - (hour == 12 ? 12 : 0));
    return after;
}

/* Reads HH:MM:SS, with or without a fraction and AM or PM, as seconds. dated: a date comes before; then the
 * seconds may be absent. Without a date the hour may be more than 23, as in an elapsed time. *shift: as of
 * read_half. Returns the end of the time; NULL: no time, or next is NULL. */
static const char *read_clock(const char *next, const char *end, bool dated, struct number_decimal *decimal,
                              int *shift)
{
    int hour, minute, second = 0;
    bool one_digit = next && skip_one(next + 1, end, ":");
    int most_hour = dated ? 23 : 99;
    next = read_digits(next, end, one_digit ? 1 : 2, 0, most_hour, &hour);
    next = read_digits(skip_one(next, end, ":"), end, 2, 0, 59, &minute);
    if (next && (!dated || skip_one(next, end, ":")))
        next = read_digits(skip_one(next, end, ":"), end, 2, 0, 59, &second);
    decimal->digits = (hour * 60 + minute) * 60 + second;
    const char *fraction = skip_one(next, end, ".,");
    const bool fine = fraction && is_digit(fraction, end);
    next = fine ? fraction : next;
    for (; fine && is_digit(next, end); next++, decimal->exp10--) {
        if (decimal->digits >= NUMBER_EXACT / 10)
            return NULL;
        decimal->digits = 10 * decimal->digits + (*next - '0');
    }
    const char *half = next ? read_half(next, end, hour, shift) : NULL;
    return half ? half : next;
}

/* Reads Z, UTC or +HH:MM, with or without a blank before, as seconds east of Greenwich. Returns the end of
 * the zone; NULL: no zone. */
static const char *read_zone(const char *next, const char *end, int *east)
{
    int hour, minute = 0;
    next += *next == ' ';
    if (end - next == 3 && memcmp(next, "UTC", 3) == 0)
        return end;
    if (skip_one(next, end, "Zz"))
        return next + 1;
    bool west = next < end && *next == '-';
    next = read_digits(skip_one(next, end, "+-"), end, 2, 0, 23, &hour);
    if (next && next < end)
        next = read_digits(*next == ':' ? next + 1 : next, end, 2, 0, 59, &minute);
    *east = (west ? -60 : 60) * (60 * hour + minute);
    return next;
}

/* Adds seconds to a time. False, and the time is as before: the sum has too many digits. */
static bool add_seconds(struct timestamp *time, int64_t seconds)
{
    struct number_decimal *decimal = &time->decimal;
    const double units = number_scale(1, -decimal->exp10);
    if (!(fabs((double)seconds * units + (double)decimal->digits) < (double)NUMBER_EXACT))
        return false;
    decimal->digits += seconds * (int64_t)units;
    time->t = timestamp_between(NULL, time, (struct time_unit){ 0 });
    return true;
}

/* Reads a date or a time of day, as timestamp_read. A date with the year last has the day first if day_first,
 * else the month. */
static enum timestamp_form read_form(const char *text, size_t n, bool day_first, struct timestamp *time)
{
    const char *end = text + n;
    int64_t days = 0;
    int east = 0, shift = 0;
    *time = zero;
    enum timestamp_form form = TIMESTAMP_DATE;
    const char *date = read_date(text, end, &days), *next = date ? date : text;
    if (!date && (date = read_year_last(text, end, &day_first, &days))) {
        form = day_first ? TIMESTAMP_DAY_FIRST : TIMESTAMP_MONTH_FIRST;
        next = date;
    }
    form = date ? form : TIMESTAMP_CLOCK;
    const char *between = date && date > text + 4 && text[4] == '/' ? "Tt /" : "Tt ";
    if (date != end)
        next = read_clock(date ? skip_one(date, end, between) : text, end, date, &time->decimal, &shift);
    if (form == TIMESTAMP_DATE && next && next < end) {
        next = read_zone(next, end, &east);
        form = TIMESTAMP_ZONED;
    }
    const bool whole = next == end && n > 0 && add_seconds(time, DAY * days - east + shift);
    return whole ? form : TIMESTAMP_NUMBER;
}

enum timestamp_form timestamp_read(const char *text, size_t n, struct timestamp *time)
{
    const enum timestamp_form form = read_form(text, n, false, time);
    return form == TIMESTAMP_NUMBER ? read_form(text, n, true, time) : form;
}

bool timestamp_is_unsure(const char *text, size_t n)
{
    struct timestamp ignored;
    const bool half = n > 0 && strchr("Mm", text[n - 1]);
    return !half && timestamp_read(text, n, &ignored) == TIMESTAMP_MONTH_FIRST &&
           !timestamp_fault(TIMESTAMP_DAY_FIRST, text, n, &ignored);
}

const char *timestamp_fault(enum timestamp_form form, const char *text, size_t n, struct timestamp *time)
{
    static const char *const faults[] = {
        [TIMESTAMP_NUMBER] = "not a number",
        [TIMESTAMP_DATE] = "not a date as in the first row",
        [TIMESTAMP_ZONED] = "not a date with a time zone, as in the first row",
        [TIMESTAMP_MONTH_FIRST] = "not a date with the month first, as in the first rows",
        [TIMESTAMP_DAY_FIRST] = "not a date with the day first, as in the first rows",
        [TIMESTAMP_CLOCK] = "not a time of day as in the first row",
    };
    const bool good = form != TIMESTAMP_NUMBER &&
                      read_form(text, n, form == TIMESTAMP_DAY_FIRST, time) == form;
    return good ? NULL : faults[form];
}

void timestamp_pass_midnight(struct timestamp *time, const struct timestamp *before)
{
    double back = timestamp_between(time, before, (struct time_unit){ 0 });
    if (back > DAY / 2)
        add_seconds(time, DAY * (int64_t)((back + DAY / 2) / DAY));
}
