/* Dates and times of day as exact decimals. Days are checked against timegm of the C library. */
#include "number/timestamp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

/* The form and the time in seconds of a text: "d 0.5", "d …", "c …"; "-" for any other text. */
static const char *read(const char *text)
{
    static char shown[NUMBER_MAX + 3];
    struct timestamp s;
    enum timestamp_form form = timestamp_read(TIMESTAMP_NUMBER, text, strlen(text), &s);
    if (form == TIMESTAMP_NUMBER)
        return "-";
    shown[0] = "?dmwc"[form];
    shown[1] = ' ';
    shown[2 + timestamp_print(shown + 2, &s)] = 0;
    assert_true(s.decimal.exact);
    assert_true(s.t == timestamp_between(NULL, &s, (struct time_unit){ 0 }));
    return shown;
}

static void every_day_is_that_of_the_c_library(void **state)
{
    (void)state;
    for (time_t day = -719162; day <= 2932896; day++) { /* 0001-01-01 to 9999-12-31 */
        time_t at = day * 86400;
        struct tm tm;
        struct timestamp s;
        char text[64];
        gmtime_r(&at, &tm);
        int n = snprintf(text, sizeof text, "%04d-%02d-%02d", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
        if (timestamp_read(TIMESTAMP_NUMBER, text, (size_t)n, &s) != TIMESTAMP_DATE ||
            s.decimal.digits != (int64_t)at)
            fail_msg("%s is %lld", text, (long long)s.decimal.digits);
    }
}

static void forms(void **state)
{
    (void)state;
    assert_string_equal(read("1970-01-01"), "d 0");
    assert_string_equal(read("1970-01-01T00:00:01"), "d 1");
    assert_string_equal(read("1970-01-02 00:01"), "d 86460");
    assert_string_equal(read("1969-12-31t23:59:59.75"), "d -0.25");
    assert_string_equal(read("2026-11-22T05:08:56.123Z"), "d 1795324136.123");
    assert_string_equal(read("2026-11-22 05:08:56.123 UTC"), "d 1795324136.123");
    assert_string_equal(read("2026-11-22T06:08:56.123+01:00"), "d 1795324136.123");
    assert_string_equal(read("2026-11-22T01:38:56,123-0330"), "d 1795324136.123");
    assert_string_equal(read("2026-11-22 06:08:56.123456789 +01"), "d 1795324136.123456789");
    assert_string_equal(read("2000-02-29"), "d 951782400");
    assert_string_equal(read("2015/01/31 01:00:00"), "d 1422666000");
    assert_string_equal(read("1970/01/01/02:04:34.357"), "d 7474.357"); /* ROS */
    assert_string_equal(read("01/31/2015 1:00:00"), "m 1422666000");
    assert_string_equal(read("1/31/2015"), "m 1422662400");
    assert_string_equal(read("1/31/2015 12:00:00 AM"), "m 1422662400");
    assert_string_equal(read("1/2/2015 11:00:00.25PM"), "m 1420239600.25");
    assert_string_equal(read("31.1.2015 1:00"), "w 1422666000");
    assert_string_equal(read("12:00:01 pm"), "c 43201");
    assert_string_equal(read("31/01/2015 01:00"), "w 1422666000");
    assert_string_equal(read("02/01/2015"), "m 1422748800"); /* the first of February */
    assert_string_equal(read("0:00:00"), "c 0");
    assert_string_equal(read("5:08:56.5"), "c 18536.5");
    assert_string_equal(read("05:08:56,5"), "c 18536.5");
    assert_string_equal(read("99:59:59.999"), "c 359999.999");
    assert_string_equal(read("01:02:03:04"), "-");
    assert_string_equal(read("01:02:03;04"), "-");
}

static void other_texts(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "1",
        "1.5",
        "2026",
        "2026-11",
        "2026-13-01",
        "2026-00-01",
        "2026-04-31",
        "2026-02-29",
        "1900-02-29",
        "2026-11-00",
        "0000-01-01",
        "26-11-22",
        "2026-1-2",
        "2026/11-22",
        "2026-11/22",
        "13/13/2015",
        "31/02/2015",
        "1/2/15",
        "22.13.2026",
        "22.11/2026",
        "2026-11-22T",
        "2026-11-22 ",
        "2026-11-22T24:00:00",
        "2026-11-22T05:60:00",
        "2026-11-22T05:08:60",
        "2026-11-22T05:08:56.",
        "2026-11-22T05:08:56.1x",
        "2026-11-22T05:08:56.1 ",
        "2026-11-22T05:08:56X",
        "2026-11-22T05:08:56+",
        "2026-11-22T05:08:56+1",
        "2026-11-22T05:08:56+24:00",
        "2026-11-22T05:08:56+01:60",
        "2026-11-22T05:08:56+01:0",
        "2026-11-22T05:08:56.1234567891",
        "2026-11-22Z",
        "-2026-11-22",
        "+5:00:00",
        "05:08",
        "5:8:56",
        "05:08:5",
        "05:60:00",
        "05:08:60",
        "100:00:00",
        "05:08:56Z",
        "00:08:56 pm",
        "13:08:56 pm",
        "05:08:56 p",
        "5:08:56:",
        " 5:08:56",
        "05:08.5",
        "1:2:3:4",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(read(texts[i]), "-") != 0)
            fail_msg("\"%s\" is read as %s", texts[i], read(texts[i]));
}

static void midnight(void **state)
{
    (void)state;
    static const struct {
        const char *before, *now, *after;
    } cases[] = {
        { "23:59:59.5", "0:00:00.25", "86400.25" },
        { "12:00:01", "0:00:00", "86400" },
        { "12:00:00", "0:00:00", "0" },
        { "10:00:01", "10:00:00", "36000" },
        { "10:00:00", "23:00:00", "82800" },
        { "70:00:00", "1:00:00", "262800" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct timestamp before, now;
        char text[NUMBER_MAX + 1];
        timestamp_read(TIMESTAMP_NUMBER, cases[i].before, strlen(cases[i].before), &before);
        timestamp_read(TIMESTAMP_NUMBER, cases[i].now, strlen(cases[i].now), &now);
        timestamp_pass_midnight(&now, &before);
        text[timestamp_print(text, &now)] = 0;
        assert_string_equal(text, cases[i].after);
        assert_true(now.t == timestamp_between(NULL, &now, (struct time_unit){ 0 }));
    }
}

static void frames_are_units(void **state)
{
    (void)state;
    struct timestamp a = { 72262, { 72262, 0, true } }, b = { 72265, { 72265, 0, true } };
    assert_true(timestamp_between(&a, &b, (struct time_unit){ 0, 120, 0 }) == 3.0 / 120);
    assert_true(timestamp_between(NULL, &b, (struct time_unit){ 0, 29.97, 0 }) == 72265 / 29.97);
    assert_true(timestamp_between(&a, &b, (struct time_unit){ -3, 0, 0 }) == 0.003);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_day_is_that_of_the_c_library),
        cmocka_unit_test(forms),
        cmocka_unit_test(other_texts),
        cmocka_unit_test(midnight),
        cmocka_unit_test(frames_are_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
