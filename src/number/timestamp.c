/* Times as exact decimals; dates and times of day as text. See timestamp.h. */
#include "number/timestamp.h"

#include "number/fast_read.h"

#include <math.h>
#include <strings.h>

enum {
    DAY = 86400,   /* seconds */
    TEXT_FORMS = 6 /* rows of text_forms */
};

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
    const double multiple = unit.multiple ? unit.multiple : 1;
    const double frames = unit.rate > 0 ? unit.rate : 1;
    int apart = first->exp10 - last->exp10, exp10 = last->exp10 + unit.exp10;
    if (!first->exact || !last->exact)
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

/* The forms of texts, in the order in which they are tried. */
static const struct text_form {
    enum timestamp_form form;
    const char *date;     /* as of read_pattern; "": no date */
    int year, month, day; /* their places among the numbers of the date */
} text_forms[TEXT_FORMS] = {
    { TIMESTAMP_DATE, "4-2-2", 0, 1, 2 },        { TIMESTAMP_DATE, "4/2/2", 0, 1, 2 },
    { TIMESTAMP_MONTH_FIRST, "1/1/4", 2, 0, 1 }, { TIMESTAMP_DAY_FIRST, "1/1/4", 2, 1, 0 },
    { TIMESTAMP_DAY_FIRST, "1.1.4", 2, 1, 0 },   { TIMESTAMP_CLOCK, "", 0, 0, 0 },
};

static bool is_digit(const char *next, const char *end)
{
    return next < end && *next >= '0' && *next <= '9';
}

/* Reads what a pattern says: 4 is a number of four digits, 2 of two, 1 of one or two, and another byte is
 * that byte. The numbers go to *number and after. Returns the end; NULL: another text, or next is NULL. */
static const char *read_pattern(const char *next, const char *end, const char *pattern, int *number)
{
    for (; next && *pattern; pattern++) {
        const int least = *pattern - '0', most = least == 1 ? 2 : least;
        if (least < 1 || least > 4) { /* no digit */
            next = next < end && *next == *pattern ? next + 1 : NULL;
            continue;
        }
        int n = 0;
        for (*number = 0; n < most && is_digit(next, end); n++)
            *number = 10 * *number + (*next++ - '0');
        next = n >= least ? next : NULL;
        number++;
    }
    return next;
}

/* Days since 1970 of a date of the Gregorian calendar. False: there is no such day. */
static bool count_days(int year, int month, int day, int64_t *days)
{
    static const int before[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365 };
    if (year < 1 || month < 1 || month > 12)
        return false;
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    int length = before[month] - before[month - 1] + (leap && month == 2), past = year - 1;
    /* 719162 days passed before 1970. */
    *days = 365 * past + past / 4 - past / 100 + past / 400 - 719162 + before[month - 1] +
            (leap && month > 2) + day - 1;
    return day >= 1 && day <= length;
}

/* Reads AM or PM, with or without a blank before, of a time with this hour. Adds to *shift the seconds from
 * the time as written to the time of day. Returns the end; next: neither. */
static const char *read_half(const char *next, const char *end, int hour, int64_t *shift)
{
    const char *letters = next + (next < end && *next == ' ');
    const bool two = end - letters >= 2 && hour >= 1 && hour <= 12;
    const bool afternoon = two && strncasecmp(letters, "PM", 2) == 0;
    if (!afternoon && !(two && strncasecmp(letters, "AM", 2) == 0))
        return next;
    *shift += 3600 * (12 * afternoon - (hour == 12 ? 12 : 0));
    return letters + 2;
}

/* Reads HH:MM:SS, with or without a fraction and AM or PM, as seconds. dated: a date comes before; then the
 * seconds may be absent. Without a date the hour may be more than 23, as in an elapsed time. *shift: as of
 * read_half. Returns the end of the time; NULL: no time, or next is NULL. */
static const char *read_clock(const char *next, const char *end, bool dated, struct number_decimal *decimal,
                              int64_t *shift)
{
    int number[3] = { 0 }; /* hours, minutes, seconds */
    const char *minutes = read_pattern(next, end, "1:2", number);
    const char *seconds = read_pattern(minutes, end, ":2", number + 2);
    next = dated && !seconds ? minutes : seconds;
    if (!next || number[0] > (dated ? 23 : 99) || number[1] > 59 || number[2] > 59)
        return NULL;
    decimal->digits = (number[0] * 60 + number[1]) * 60 + number[2];
    const bool fine = seconds && next < end && (*next == '.' || *next == ',') && is_digit(next + 1, end);
    for (next += fine; fine && is_digit(next, end); next++, decimal->exp10--) {
        if (decimal->digits >= NUMBER_EXACT / 10)
            return NULL;
        decimal->digits = 10 * decimal->digits + (*next - '0');
    }
    return read_half(next, end, number[0], shift);
}

/* Reads Z, UTC or +HH:MM, with or without a blank before. Takes the seconds east of Greenwich from *shift.
 * Returns the end of the zone; NULL: no zone. */
static const char *read_zone(const char *next, const char *end, int64_t *shift)
{
    int number[2] = { 0 }; /* hours, minutes */
    next += *next == ' ';
    const size_t n = (size_t)(end - next);
    if ((n == 1 && (*next == 'Z' || *next == 'z')) || (n == 3 && memcmp(next, "UTC", 3) == 0))
        return end;
    const bool sign = n > 0 && (*next == '+' || *next == '-');
    const char *hours = sign ? read_pattern(next + 1, end, "2", number) : NULL;
    const bool colon = hours && hours < end && *hours == ':';
    const char *pattern = colon ? ":2" : "2";
    const char *minutes = hours == end ? end : read_pattern(hours, end, pattern, number + 1);
    *shift -= (sign && *next == '-' ? -60 : 60) * (60 * number[0] + number[1]);
    return number[0] <= 23 && number[1] <= 59 ? minutes : NULL;
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

/* Has text[n] this form? */
static bool read_as(const struct text_form *as, const char *text, size_t n, struct timestamp *time)
{
    const char *end = text + n;
    const bool dated = *as->date;
    int number[3] = { 0 };
    int64_t days = 0, shift = 0;
    *time = zero;
    const char *next = read_pattern(text, end, as->date, number);
    if (!next || (dated && !count_days(number[as->year], number[as->month], number[as->day], &days)))
        return false;
    if (!dated || next < end) {
        const bool parted = dated && *next && strchr("Tt /", *next);
        next = read_clock(dated && !parted ? NULL : next + dated, end, dated, &time->decimal, &shift);
    }
    if (as->form == TIMESTAMP_DATE && next && next < end)
        next = read_zone(next, end, &shift);
    return next == end && add_seconds(time, DAY * days + shift);
}

enum timestamp_form timestamp_read(enum timestamp_form given, const char *text, size_t n,
                                   struct timestamp *time)
{
    for (const struct text_form *as = text_forms; as < text_forms + TEXT_FORMS; as++)
        if ((given == TIMESTAMP_NUMBER || as->form == given) && read_as(as, text, n, time))
            return as->form;
    return TIMESTAMP_NUMBER;
}

bool timestamp_is_unsure(const char *text, size_t n)
{
    struct timestamp ignored;
    const bool half = n > 0 && strchr("Mm", text[n - 1]);
    return !half && timestamp_read(TIMESTAMP_MONTH_FIRST, text, n, &ignored) &&
           timestamp_read(TIMESTAMP_DAY_FIRST, text, n, &ignored);
}

const char *timestamp_fault(enum timestamp_form form, const char *text, size_t n, struct timestamp *time)
{
    if (form == TIMESTAMP_NUMBER)
        return "not a number";
    return timestamp_read(form, text, n, time) ? NULL : "not a time in the form of the first row";
}

void timestamp_pass_midnight(struct timestamp *time, const struct timestamp *before)
{
    double back = timestamp_between(time, before, (struct time_unit){ 0 });
    if (back > DAY / 2)
        add_seconds(time, DAY * (int64_t)((back + DAY / 2) / DAY));
}
