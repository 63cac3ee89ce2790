/* The column table: names counted on, roles, lists, and what is said when a column is not there. */
#include "rows/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

/* A table from "name:kind,…", where kind is n(umber), t(ext), d(ate) or g(ap). */
static struct columns make(const char *columns)
{
    struct columns t = { .named = true };
    struct error e;
    for (const char *p = columns; *p;) {
        size_t n = strcspn(p, ":");
        assert_true(columns_add(&t, p, n, &e));
        char kind = p[n + 1];
        t.column[t.ncolumn - 1].first = kind == 'n' ? CELL_NUMBER : kind == 'g' ? CELL_GAP : CELL_TEXT;
        t.column[t.ncolumn - 1].form = kind == 'd' ? TIMESTAMP_DATE : TIMESTAMP_NUMBER;
        p += n + 2 + (p[n + 2] == ',');
    }
    return t;
}

/* The plan of all columns. */
static bool plan_all(struct column_plan *plan, const struct columns *t, const struct column_choice *choice,
                     struct error *e)
{
    return plan_make(plan, t, choice, e);
}

/* Roles as letters: . pass, c channel, T time, G group, C cut, r read; or the error's text and hint. */
static const char *roles(const char *columns, struct column_choice choice)
{
    static char shown[4096];
    struct columns t = make(columns);
    struct column_plan plan = { 0 };
    struct error e = { 0 };
    if (plan_all(&plan, &t, &choice, &e)) {
        for (size_t i = 0; i < t.ncolumn; i++)
            shown[i] = ".cTGCr"[plan_use(&plan, i)->role];
        shown[t.ncolumn] = 0;
    } else {
        assert_int_not_equal(e.kind, ERROR_NONE);
        snprintf(shown, sizeof shown, "%s|%s|%s", e.column, e.text, e.hint);
    }
    plan_free(&plan);
    columns_free(&t);
    return shown;
}

#define ROLES(names, ...)    roles(names, (struct column_choice){ __VA_ARGS__ })
#define COLUMNS(names, list) roles(names, (struct column_choice){ .columns = (list) })

static void check_names(const char *columns, const char *expected)
{
    struct columns t = make(columns);
    char names[256] = "";
    for (size_t i = 0; i < t.ncolumn; i++) {
        strcat(names, i ? "," : "");
        strcat(names, t.column[i].name);
    }
    assert_string_equal(names, expected);
    columns_free(&t);
}

static void repeated_names_count_on(void **state)
{
    (void)state;
    check_names("X:n,X:n,X:n", "X,X_2,X_3");
    check_names("X_2:n,X:n,X:n,X:n", "X_2,X,X_3,X_4");
    check_names("X:n,X:n,X_2:n", "X,X_2,X_2_2");
    check_names(":n,:n,a:n", ",,a");
}

static void default_channels(void **state)
{
    (void)state;
    assert_string_equal(ROLES("time:n,x:n,label:t,y:g,:g,:n", 0), "Tc.c.c");
    assert_string_equal(ROLES("x:n,TIME:n", 0), "cT");
    assert_string_equal(ROLES("x:n,seconds:n,t:n", 0), "cTc");
    assert_string_equal(ROLES("Frame:n,time (seconds):n,x:n", 0), ".Tc");
    assert_string_equal(ROLES("a:n,b:n", 0), "cc");
    assert_string_equal(ROLES("time:n,x:n", .rate = 1), ".c");
    assert_string_equal(ROLES("time:n,x:n,who:t,cut:n", .group = "who", .cut = "cut"), "TcGC");
    assert_string_equal(ROLES("time:n,x:n,bone:t,axis:t", .group = "bone,axis"), "TcGG");
    assert_string_equal(ROLES("time:n,x:n,bone:t,3:n", .group = " =3 ,3"), "TcGG");
    assert_string_equal(ROLES("a:n,x:n", .time = "1"), "Tc");
    assert_string_equal(ROLES("a:n,3:n,x:n", .time = "=3"), "cTc");
    assert_string_equal(ROLES("a b:n,x:n", .time = "\"a b\""), "Tc");
}

/* A time that the format makes has no bytes in the file that a filtered number could replace. */
static void a_time_of_the_format_is_no_channel(void **state)
{
    (void)state;
    static const char *const lists[] = { "time", "1", "1-3", "=time", "\"time\"" };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (int rate = 0; rate < 2; rate++) {
            struct columns t = make("time:n,x:n,y:n");
            struct column_plan plan = { 0 };
            struct error e = { 0 };
            t.owns_time = true;
            assert_false(
                plan_all(&plan, &t,
                         &(struct column_choice){ .columns = lists[i], .rate = rate, .time_unit = -1 }, &e));
            assert_string_equal(e.column, "time");
            assert_string_equal(e.text, "--columns names this column, but it is already the time column");
            plan_free(&plan);
            columns_free(&t);
        }
    struct columns t = make("time:n,x:n,y:n");
    struct column_plan plan = { 0 };
    struct error e = { 0 };
    t.owns_time = true;
    assert_true(
        plan_all(&plan, &t, &(struct column_choice){ .columns = "*", .rate = 1, .time_unit = -1 }, &e));
    assert_int_equal(plan_use(&plan, 0)->role, ROLE_PASS);
    assert_int_equal(plan.nchannel, 2);
    plan_free(&plan);
    columns_free(&t);
}

/* The unit of a time as --time-unit takes it; "": the name is no usual one of a time. */
static const char *unit_of(const char *name)
{
    static const char *const units[] = { "s", "ms", "us", "ns", "min", "h" };
    int unit = columns_unit_in_name(name);
    if (!columns_means_time(name, strlen(name)))
        return "";
    return unit == TIME_UNIT_NONE ? "s" : units[unit];
}

static void names_of_times(void **state)
{
    (void)state;
    static const struct {
        const char *name, *unit;
    } names[] = {
        { "time", "s" },
        { "T", "s" },
        { "Timestamp", "s" },
        { "SECONDS", "s" },
        { "elapsed time", "s" },
        { "Elapsed_Time", "s" },
        { "time seconds", "s" },
        { "Time (Seconds)", "s" },
        { "__time", "s" },
        { "#time", "s" },
        { "# time [s]", "s" },
        { "Time(s)", "s" },
        { "t (sec)", "s" },
        { "Time [ms]", "ms" },
        { "time_ms", "ms" },
        { "Time (milliseconds)", "ms" },
        { "timestamp_us", "us" },
        { "t [\xC2\xB5s]", "us" },
        { "t (\xCE\xBCs)", "us" },
        { "time (usec)", "us" },
        { "#timestamp [ns]", "ns" },
        { "timestamp ns", "ns" },
        { "T_NS ", "ns" },
        { "ElapsedTime(nanoseconds)", "ns" },
        { "time (min)", "min" },
        { "Time[h]", "h" },
        { "Time (hours)", "h" },
        { "time_min", "min" },
        { "timeMs", "ms" },
        { "timestampUs", "us" },
        { "timeNS", "ns" },
        { "timestampSec", "s" },
        { "timems", "ms" },
        { "t_us", "us" },
        { "t [h]", "h" },
        { "T_min", "" },
        { "t_h", "" },
        { "tMin", "" },
        { "Items", "" },
        { "times", "s" },
        { "lifetime", "" },
        { "", "" },
        { "s", "" },
        { "(s)", "" },
        { "_us", "" },
        { "time)", "" },
        { "ms", "" },
        { "temperature [s]", "" },
        { "a very long name that is none of a time", "" },
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(unit_of(names[i].name), names[i].unit) != 0)
            fail_msg("\"%s\": unit \"%s\", not \"%s\"", names[i].name, unit_of(names[i].name), names[i].unit);
    struct columns t = make("Sensor 1.x:n,Sensor 1.Time (ms):n");
    assert_int_equal(columns_usual_time(&t), COLUMN_NONE);
    t.stacked = true;
    assert_int_equal(columns_usual_time(&t), 1);
    columns_free(&t);
}

/* The unit of the time column as "exponent rate". */
static const char *unit(const char *columns, struct column_choice choice)
{
    static char shown[64];
    struct columns t = make(columns);
    struct column_plan plan = { 0 };
    struct error e;
    assert_true(plan_all(&plan, &t, &choice, &e));
    snprintf(shown, sizeof shown, "%d %g", plan.unit.exp10, plan.unit.rate);
    plan_free(&plan);
    columns_free(&t);
    return shown;
}

#define UNIT(names, ...) unit(names, (struct column_choice){ __VA_ARGS__ })

static void units_of_times(void **state)
{
    (void)state;
    assert_string_equal(UNIT("time [us]:n,x:n", .time_unit = -1), "-6 0");
    assert_string_equal(UNIT("time [us]:n,x:n", .time_unit = 0), "0 0");
    assert_string_equal(UNIT("time:n,x:n", .time_unit = 3), "-9 0");
    assert_string_equal(UNIT("pts_ms:n,x:n", .time = "pts_ms", .time_unit = -1), "-3 0");
    assert_string_equal(UNIT("time_ms:n,Frame:n,x:n", .time_unit = TIME_UNIT_FRAMES, .rate = 60), "0 60");
}

/* A table with a number in the first row of each column, from "name=number,…". */
static struct columns make_numbers(const char *columns)
{
    struct columns t = { .named = true };
    struct error e;
    for (const char *p = columns; *p;) {
        size_t n = strcspn(p, "=");
        assert_true(columns_add(&t, p, n, &e));
        t.column[t.ncolumn - 1].first = CELL_NUMBER;
        t.column[t.ncolumn - 1].number = strtod(p + n + 1, NULL);
        p += n + 1 + strcspn(p + n + 1, ",");
        p += *p == ',';
    }
    return t;
}

/* The role of the last column and its reason; or the time in words, where time is true. */
static const char *described(const char *columns, bool time)
{
    static const char *const roles[] = {
        [ROLE_PASS] = "copied", [ROLE_CHANNEL] = "channel", [ROLE_TIME] = "time"
    };
    static char shown[300];
    char reason[200];
    struct columns t = make_numbers(columns);
    struct column_plan plan = { 0 };
    struct column_choice choice = { .time_unit = TIME_UNIT_NONE };
    struct error e;
    assert_true(plan_all(&plan, &t, &choice, &e));
    plan_describe_reason(&plan, t.ncolumn - 1, reason, sizeof reason);
    if (time)
        plan_describe_time(&plan, shown, sizeof shown);
    else
        snprintf(shown, sizeof shown, "%s: %s", roles[plan_use(&plan, t.ncolumn - 1)->role], reason);
    plan_free(&plan);
    columns_free(&t);
    return shown;
}

static void units_by_size(void **state)
{
    (void)state;
    static const struct {
        const char *time, *unit;
    } times[] = {
        { "time=1700000000", "" },
        { "time=1700000000000", ", in ms by the size of its numbers" },
        { "time=1700000000000000", ", in us by the size of its numbers" },
        { "time=1.7e18", ", in ns by the size of its numbers" },
        { "time=946684799999", "" }, /* the last millisecond of 1999 */
        { "time=946684800000", ", in ms by the size of its numbers" },
        { "time=4102444800000", "" }, /* the year 2100 */
        { "time (us)=1700000000000", ", in us by its name" },
        { "time [h]=1", ", in h by its name" },
    };
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        char columns[64], expected[128];
        snprintf(columns, sizeof columns, "%s,x=1", times[i].time);
        snprintf(expected, sizeof expected, "column \"%.*s\"%s", (int)strcspn(columns, "="), columns,
                 times[i].unit);
        assert_string_equal(described(columns, true), expected);
    }
}

static void reasons_of_roles(void **state)
{
    (void)state;
    static const struct {
        const char *last, *words;
    } columns[] = {
        { "x=1", "channel: a number in the first row" },
        { "Frame=1", "copied: counts rows" },
        { "#=4", "copied: counts rows" },
        { "Sample #=0", "copied: counts rows" },
        { "seq=7", "copied: counts rows" },
        { "track_id=7", "copied: an event marker or an ID" },
        { "state=-1", "copied: an event marker or an ID" },
        { "state=0.5", "channel: a number in the first row" },
        { "nose_likelihood=1", "copied: marker quality" },
        { "n=0.5", "channel: a number in the first row" }, /* no count is a fraction */
        { "n=-1", "channel: a number in the first row" },
        { "Local frame number=3", "copied: counts rows" },
        { "Marker Quality=1", "copied: marker quality" },
        { "utc_usec=0", "copied: times of another clock" },
        { "unix_time=1700000000", "copied: times of another clock" },
        { "Hardware counter (us)=12", "copied: times of another clock" },
        { "sensor_ms=1700000000000", "copied: times of another clock" },
        { "delay_ms=12", "channel: a number in the first row" },
        { "reaction time (ms)=312", "channel: a number in the first row" },
        { "t=3", "channel: a number in the first row" },
    };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        char all[80];
        snprintf(all, sizeof all, "time=0,y=1,%s", columns[i].last);
        assert_string_equal(described(all, false), columns[i].words);
    }
    assert_string_equal(described("y=1,time=0", false), "time: named like a time");
}

static void derivatives_of_an_earlier_run(void **state)
{
    (void)state;
    assert_string_equal(ROLES("time:n,x:n,x_vel:n,x_acc:n,y:n", 0), "Tc..c");
    assert_string_equal(ROLES("time:n,x:n,x_vel:n", .columns = "x,x_vel"), "Tcc");
    assert_string_equal(ROLES("time:n,x:n,x_vel:n", .columns = "*"), "Tc.");
    assert_string_equal(ROLES("time:n,x_vel:n", 0), "Tc"); /* of no channel */
    assert_string_equal(ROLES("time:n,x:n,x_vel:n", .exclude = "x"), "T.c");
    assert_string_equal(ROLES("time:n,p.0:n,p_vel.0:n", 0), "Tc.");
    assert_string_equal(ROLES("time:n,q_w:n,q_x:n,q_y:n,q_z:n,q_vel_x:n,q_vel_y:n,q_vel_z:n", 0), "Tcccc...");
    assert_string_equal(ROLES("time:n,q_x:n,q_vel_x:n", 0), "Tcc"); /* one axis of three */
    assert_string_equal(ROLES("time:n,x:n,x_velocity:n", 0), "Tcc");
}

static void frame_counters(void **state)
{
    (void)state;
    const char *five = "FRAME:n,Sub Frame:n,x:n,frame_number:n,Index:n";
    struct column_choice frames = { .time_unit = TIME_UNIT_FRAMES, .rate = 100 };
    assert_string_equal(ROLES(five, .rate = 1), "..c..");
    assert_string_equal(COLUMNS("Frame#:n,frames:n,x:n,x frame:n", "x*"), "..cc");
    assert_string_equal(ROLES(five, .rate = 1, .columns = "FRAME,x,5"), "c.c.c");
    assert_string_equal(ROLES(five, .rate = 1, .columns = "*"), "..c..");
    assert_string_equal(ROLES("frame:n,frame:n,x:n", .rate = 1), "..c");
    assert_string_equal(ROLES(five, .group = "Index", .rate = 1), "..c.G");
    assert_string_equal(roles(five, frames), "T.c..");
    assert_string_equal(roles("time:n,frame:n,x:n", frames), "cTc");
    assert_string_equal(roles("time:n,x:n", frames), "Tc");
    frames.time = "x";
    assert_string_equal(roles("frame:n,x:n,y:n", frames), ".Tc");
    assert_string_equal(ROLES("time:n,index:n", .rate = 0),
                        "|nothing to filter: the first data row has no number except the time and frame "
                        "numbers|columns: time, index");
    assert_string_equal(
        ROLES("a:n,index:n", .columns = "i*"),
        "|--columns leaves nothing to filter (to filter frame numbers, give the full column name)"
        "|columns: a, index");
}

static void time_options_that_contradict(void **state)
{
    (void)state;
    assert_string_equal(ROLES("a:n,x:n", .time = "a", .rate = 1),
                        "|--time and --rate contradict each other: with --rate the times come from the row "
                        "numbers|leave one out, "
                        "or add --time-unit frames if the column holds frame numbers");
    assert_string_equal(ROLES("frame:n,x:n", .time_unit = TIME_UNIT_FRAMES),
                        "|--time-unit frames needs the frame rate|give it with --rate, such as --rate 100");
    assert_string_equal(ROLES("a:n,x:n", .time_unit = TIME_UNIT_FRAMES, .rate = 1),
                        "|--time-unit frames: no column of frame numbers found|name it with -t COLUMN; "
                        "if there is none, leave out --time-unit frames");
}

/* The hint where no time column is found. */
static const char *untimed(const char *columns)
{
    static char hint[300];
    struct columns t = make(columns);
    struct error e;
    assert_false(columns_untimed(&t, &e));
    snprintf(hint, sizeof hint, "%.40s", e.hint);
    columns_free(&t);
    return hint;
}

static void what_resembles_a_time(void **state)
{
    (void)state;
    assert_string_equal(untimed("x:n,unix time (min):n"), "if column 2, \"unix time (min)\", is the t");
    assert_string_equal(untimed("secs:n,time:t,header.stamp:n"),
                        "if column 3, \"header.stamp\", is the time");
    assert_string_equal(untimed("Frame:n,day:d"), "if column 2, \"day\", is the time: -t 2; e");
    assert_string_equal(untimed("Frame:n,x:n"), "give the frame rate: --rate 100 (if fram");
    assert_string_equal(untimed("a:n,x:n"), "give the row rate, as in --rate 100, or ");
}

static void lists(void **state)
{
    (void)state;
    const char *five = "time:n,hip.x:n,hip.y:n,note:t,knee:n";
    assert_string_equal(COLUMNS(five, "hip.x"), "Tc...");
    assert_string_equal(COLUMNS(five, "hip.*"), "Tcc..");
    assert_string_equal(COLUMNS(five, "*"), "Tcc.c");
    assert_string_equal(COLUMNS(five, "2-3"), "Tcc..");
    assert_string_equal(COLUMNS(five, "3-"), "T.c.c");
    assert_string_equal(COLUMNS(five, "1-"), "Tcc.c");
    assert_string_equal(COLUMNS(five, "5, hip.y"), "T.c.c");
    assert_string_equal(COLUMNS("a:n,3:n,b:n", "3"), "..c");
    assert_string_equal(COLUMNS("a:n,3:n,b:n", "=3"), ".c.");
    assert_string_equal(COLUMNS("a:n,\"x,y\"\"\":n", "\"\"\"x,y\"\"\"\"\"\"\",a"), "cc");
    assert_string_equal(COLUMNS("a*:n,ab:n", "a*"), "c.");
    assert_string_equal(COLUMNS("p[0]:n,p0:n", "p[0]"), "c.");
    assert_string_equal(COLUMNS("X:n,X:n,Y:n", "X_2"), ".c.");
    assert_string_equal(COLUMNS("X:n,X:n,Y:n", "X*"), "cc.");
    assert_string_equal(COLUMNS("a:n, b:n", " b"), ".c");
    assert_string_equal(COLUMNS(":g,b:n", "1"), "c.");
    assert_string_equal(ROLES(five, .exclude = "hip.*"), "T...c");
    assert_string_equal(ROLES(five, .columns = "2-5", .exclude = "note"), "Tcc.c");
    assert_string_equal(ROLES(five, .exclude = "note,time"), "Tcc.c");
    assert_string_equal(ROLES("time:n,x:n", .rate = 1, .columns = "time,x"), "cc");
}

static void cells_and_values(void **state)
{
    (void)state;
    struct columns t = make("cut:n,label:t,x:n,time:n,y:n");
    struct column_plan plan = { 0 };
    struct error e;
    assert_true(plan_all(&plan, &t, &(struct column_choice){ .cut = "cut" }, &e));
    assert_int_equal(plan.nchannel, 2);
    assert_int_equal(plan.nvalue, 3);
    assert_int_equal(plan.ncell, 4);
    assert_int_equal(plan_use(&plan, 0)->value, 2);
    assert_int_equal(plan_use(&plan, 2)->value, 0);
    assert_int_equal(plan_use(&plan, 4)->value, 1);
    assert_int_equal(plan_use(&plan, 0)->cell, 0);
    assert_int_equal(plan_use(&plan, 1)->cell, COLUMN_NONE);
    assert_int_equal(plan_use(&plan, 4)->cell, 3);
    assert_int_equal(plan.time, 3);
    assert_int_equal(plan.cut, 0);
    assert_int_equal(plan.ngroup, 0);
    assert_true(plan_all(&plan, &t, &(struct column_choice){ .all_cells = true }, &e));
    assert_int_equal(plan.ncell, 5);
    assert_int_equal(plan.nvalue, 3);
    assert_int_equal(plan_use(&plan, 0)->value, 0);
    plan_free(&plan);
    columns_free(&t);
}

/* The roles of all columns of a plan. */
static const char *roles_of(const struct column_plan *plan)
{
    static char shown[20];
    for (size_t i = 0; i < plan->columns->ncolumn; i++)
        shown[i] = ".cTGCr"[plan_use(plan, i)->role];
    shown[plan->columns->ncolumn] = 0;
    return shown;
}

/* The positions of all columns, as digits. */
static const char *positions_of(const struct columns *columns)
{
    static char shown[20];
    for (size_t i = 0; i < columns->ncolumn; i++)
        shown[i] = (char)('0' + columns->column[i].position);
    shown[columns->ncolumn] = 0;
    return shown;
}

/* The plan of a table is what the plan of the input says of the table's columns, and of the times, if the
 * format makes them. A LIST names columns of all tables by their names and positions. */
static void plans_of_tables(void **state)
{
    (void)state;
    struct columns t = make("time:n,a:n,b:n,c:t,d:n"), table = { 0 };
    struct column_plan plan = { 0 }, own = { 0 };
    const struct column_choice choice = { .columns = "3,d", .time_unit = TIME_UNIT_NONE };
    struct error e;
    bool named = false;
    t.owns_time = true;
    assert_true(plan_all(&plan, &t, &choice, &e));
    assert_string_equal(roles_of(&plan), "T.c.c");
    assert_false(plan_allows_none(&plan, &e));
    assert_true(columns_of_table(&table, &t, 1, 3, &e) && plan_of_table(&own, &plan, &table, &e));
    assert_string_equal(positions_of(&table), "123");
    assert_string_equal(roles_of(&own), "T.c");
    assert_true(own.nchannel == 1 && own.ncell == 2 && own.channel[0] == 2);
    assert_true(plan_pick_channels(&own, "5", "--angles", &named, &e) && !named);
    assert_true(plan_pick_channels(&own, "3", "--angles", &named, &e) && named);
    assert_true(columns_lookup(&table, "b") == 2 && columns_lookup(&table, "d") == COLUMN_NONE);
    assert_true(plan_allows_none(&own, &e));
    assert_true(columns_of_table(&table, &t, 3, 5, &e) && plan_of_table(&own, &plan, &table, &e));
    assert_string_equal(positions_of(&table), "145");
    assert_string_equal(roles_of(&own), "T.c");
    assert_true(plan_here(&own, 4, "--angles", &e) == 2 && plan_here(&own, 2, "--angles", &e) == COLUMN_NONE);
    assert_string_equal(e.column, "b");
    plan_free(&own);
    plan_free(&plan);
    columns_free(&table);
    columns_free(&t);
}

/* Column 0 of tables without times of their own is a column of the first table. What is read for a channel is
 * in the channel's table. */
static void masks_of_tables(void **state)
{
    (void)state;
    struct columns t = make("p:n,a:n,b:n,c:t,d:n"), table = { 0 };
    struct column_plan plan = { 0 }, own = { 0 };
    const struct column_choice choice = { .masks = { (const char *[]){ "a,d:p<0", "b:b<1" }, 2 },
                                          .rate = 100,
                                          .time_unit = TIME_UNIT_NONE };
    struct error e;
    assert_true(plan_all(&plan, &t, &choice, &e) && plan.nmask == 3);
    assert_true(columns_of_table(&table, &t, 0, 2, &e) && plan_of_table(&own, &plan, &table, &e));
    assert_string_equal(roles_of(&own), "rc");
    assert_true(own.nmask == 1 && own.mask[0].column == 1 && own.mask[0].teller == 0 && own.row_rate == 100);
    assert_true(columns_of_table(&table, &t, 2, 3, &e) && plan_of_table(&own, &plan, &table, &e));
    assert_true(own.nmask == 1 && own.mask[0].column == 0 && own.mask[0].teller == 0);
    assert_true(columns_of_table(&table, &t, 3, 5, &e) && !plan_of_table(&own, &plan, &table, &e));
    assert_string_equal(e.text, "--mask names this column, but its times differ from those of \"d\"");
    assert_string_equal(e.column, "p");
    plan_free(&own);
    plan_free(&plan);
    columns_free(&table);
    columns_free(&t);
}

/* The format makes even times: a filter counts the rows, and diff and inspect look at times that are counted.
 */
static void even_times(void **state)
{
    (void)state;
    struct columns t = make("time:n,a:n");
    struct column_plan plan = { 0 };
    struct column_choice choice = { .time_unit = TIME_UNIT_NONE };
    struct error e;
    t.owns_time = t.even = true;
    t.rate = 100;
    assert_true(plan_all(&plan, &t, &choice, &e));
    assert_true(plan.time == COLUMN_NONE && plan.row_rate == 100 && plan_use(&plan, 0)->role == ROLE_TIME);
    choice.rate = 50;
    assert_true(plan_all(&plan, &t, &choice, &e));
    assert_true(plan.rate == 50 && plan.row_rate == 50);
    choice = (struct column_choice){ .time_unit = TIME_UNIT_NONE, .keeps_times = true };
    assert_true(plan_all(&plan, &t, &choice, &e));
    assert_int_equal(plan.time, COLUMN_NONE);
    t.counted = true;
    assert_true(plan_all(&plan, &t, &choice, &e));
    assert_true(plan.time == 0 && plan.row_rate == 0);
    choice = (struct column_choice){ .compare = true };
    assert_true(plan_all(&plan, &t, &choice, &e));
    assert_true(plan.time == 0 && plan.nchannel == 1);
    plan_free(&plan);
    columns_free(&t);
}

/* The rotations of --rotations or of the format, as positions of x, y and z and an order; or the error. */
static const char *angles(struct columns t, const char *list)
{
    static char shown[4096];
    struct unit_list all = { 0 };
    struct column_plan plan = { 0 };
    struct error e = { 0 };
    char *p = shown;
    *p = 0;
    assert_true(plan_all(&plan, &t, &(struct column_choice){ .compare = true }, &e));
    bool good = list ? units_listed(&t, UNIT_EULER, list, true, &all, &e)
                     : units_known(&plan, UNIT_EULER, &all, &e);
    if (!good)
        snprintf(shown, sizeof shown, "%s|%s|%s|%s", e.column, e.text, e.excerpt, e.hint);
    else
        for (size_t i = 0; i < all.n; i++) {
            const struct unit_columns *r = &all.at[i];
            assert_int_equal(r->n, 3);
            p += sprintf(p, "%s%zu,%zu,%zu:%c%c%c", i ? " " : "", r->column[0] + 1, r->column[1] + 1,
                         r->column[2] + 1, 'X' + r->axis[0], 'X' + r->axis[1], 'X' + r->axis[2]);
        }
    unit_list_free(&all);
    plan_free(&plan);
    columns_free(&t);
    return shown;
}

/* The pairs of LIST:COLUMN as "i-j i-j", ! after i where it is named; or the error's text. */
static const char *pairs(const char *columns, const char *text)
{
    static char shown[4096];
    struct columns t = make(columns);
    struct column_pair pair[20];
    struct error e = { 0 };
    size_t n = 0;
    shown[0] = 0;
    for (size_t i = 0; i < 20; i++)
        pair[i] = (struct column_pair){ 0 };
    if (!columns_pair(&t, text, "--option", false, pair, &e))
        snprintf(shown, sizeof shown, "%s", e.text);
    for (size_t i = 0; i < t.ncolumn && !shown[n]; i++)
        if (pair[i].paired)
            n += (size_t)sprintf(shown + n, "%s%zu%s-%zu", n ? " " : "", i, pair[i].named ? "!" : "",
                                 pair[i].teller);
    columns_free(&t);
    return shown;
}

static void lists_of_angles(void **state)
{
    (void)state;
    const char *under = "time:n,hip_z:n,hip_x:n,hip_y:n,knee_x:n,knee_y:n,knee_z:n,toe_x:n,toe_y:n";
    const char *dots =
        "hip.X:n,hip.Y:n,hip.Z:n,legx:n,legy:n,legz:n,a.Zrotation:n,a.Xrotation:n,a.Yrotation:n";
    const char *bare = "time:n,a:n,b:n,c:n,d:n,e:n,f:n";
    assert_string_equal(angles(make(under), "hip:ZXY"), "3,4,2:ZXY");
    assert_string_equal(angles(make(under), "hip:xyz"), "3,4,2:XYZ");
    assert_string_equal(angles(make(under), "hip,knee:ZXY"), "3,4,2:ZXY 5,6,7:ZXY");
    assert_string_equal(angles(make(under), "knee:YXZ, hip:ZXY"), "5,6,7:YXZ 3,4,2:ZXY");
    assert_string_equal(angles(make(under), "*:ZXY"), "3,4,2:ZXY 5,6,7:ZXY");
    assert_string_equal(angles(make(under), "*:ZXY,hip:ZXY"), "3,4,2:ZXY 5,6,7:ZXY");
    assert_string_equal(angles(make(under), "k*:ZYX"), "5,6,7:ZYX");
    assert_string_equal(angles(make(dots), "hip,leg,a:XZY"), "1,2,3:XZY 4,5,6:XZY 8,9,7:XZY");
    assert_string_equal(angles(make(dots), "*:XZY"), "1,2,3:XZY 4,5,6:XZY 8,9,7:XZY");
    assert_string_equal(angles(make("p;q_x:n,p;q_y:n,p;q_z:n"), "\"p;q:XZY\""), "1,2,3:XZY");
    assert_string_equal(angles(make("3_x:n,3_y:n,3_z:n"), "=3:XZY"), "1,2,3:XZY");
    /* By position the columns stand in that order, unless names tell. */
    assert_string_equal(angles(make(bare), "2-4:ZXY"), "3,4,2:ZXY");
    assert_string_equal(angles(make(bare), "2-4,5-7:YXZ"), "3,2,4:YXZ 6,5,7:YXZ");
    assert_string_equal(angles(make(under), "2-4:XYZ"), "3,4,2:XYZ");
    assert_string_equal(angles(make(dots), "7-9:YZX"), "8,9,7:YZX");
}

static void angles_that_are_none(void **state)
{
    (void)state;
    const char *hip = "time:n,hip_z:n,hip_x:n,hip_y:n,b:n";
    assert_non_null(strstr(angles(make(hip), "hip"), "the order of the angles is missing after \"hip\""));
    assert_non_null(strstr(angles(make(hip), "hip:ZXY,2-4"), "is missing after \"2-4\""));
    assert_non_null(
        strstr(angles(make(hip), "hip:ZXX"),
               "not a valid order|ZXX|use the letters x, y and z once each (the third may repeat the "
               "first), as in hip:ZXY"));
    assert_non_null(strstr(angles(make(hip), "hip:ZZZ"), "not a valid order|ZZZ|"));
    assert_non_null(strstr(angles(make(hip), "hip:ZXZ"), "\"hip\" does not match three columns"));
    assert_non_null(strstr(angles(make(hip), "2-4:ZX"), "not a valid order|ZX|"));
    assert_non_null(strstr(angles(make(hip), "hip:wxyz"), "is missing after \"hip:wxyz\""));
    assert_non_null(strstr(angles(make(hip), "leg:ZXY"), "\"leg\" does not match three columns"));
    assert_non_null(strstr(angles(make(hip), "l*:ZXY"), "\"l*\" does not match three columns"));
    assert_non_null(strstr(angles(make(hip), "2-5:ZXY"), "has three columns, as in 3-5, but this is 2-5"));
    assert_non_null(strstr(angles(make(hip), "4-6:ZXY"), "no column 6: there are 5"));
    assert_non_null(strstr(angles(make(hip), "hip:ZXY,3-5:ZXY"), "two rotations share a column"));
    assert_non_null(strstr(angles(make(hip), "hip:ZXY,hip:XYZ"), "two rotations share a column"));
}

/* A table whose columns are channels of joints: "Hips PZXY" has a position, and rotations about z, x and y.
 */
static struct columns joints(const char *text)
{
    struct columns t = make("time:n");
    struct error e;
    size_t joint = 1;
    for (const char *p = text; *p; p++) {
        joint += *p == ' ';
        if (*p == ' ')
            continue;
        char name[] = { (char)('0' + (int)joint), *p, 0 };
        assert_true(columns_add(&t, name, 2, &e));
        t.column[t.ncolumn - 1].joint = joint;
        t.column[t.ncolumn - 1].axis = strchr("XYZ", *p) ? (size_t)(*p - 'W') : 0;
    }
    return t;
}

static void joints_with_three_axes_are_rotations(void **state)
{
    (void)state;
    assert_string_equal(angles(joints("ABCZXY ZXY"), NULL), "6,7,5:ZXY 9,10,8:ZXY");
    assert_string_equal(angles(joints("X XY ZYX XXY ZAYBX XYZX P YZ X"), NULL), "7,6,5:ZYX 15,13,11:ZYX");
    assert_string_equal(angles(joints("ABCZXZ YAXBY XYX"), NULL), "5,6,7:ZXZ 8,10,12:YXY 13,14,15:XYX");
    assert_string_equal(angles(joints("PQR"), NULL), "");
}

static void pairs_of_columns(void **state)
{
    (void)state;
    const char *hand = "time:n,a_pos:n,a_vel:n,b_pos:n,b_vel:n,c_pos:n,d:n";
    assert_string_equal(pairs(hand, "*_pos:*_vel"), "1-2 3-4");
    assert_string_equal(pairs(hand, "a_pos:a_vel"), "1!-2");
    assert_string_equal(pairs(hand, "a_pos,b_*:a_vel"), "1!-2 3-2 4-2");
    assert_string_equal(pairs(hand, "2,4-5:3"), "1!-2 3!-2 4!-2");
    assert_string_equal(pairs(hand, "*:a_vel"), "0-2 1-2 3-2 4-2 5-2 6-2");
    assert_string_equal(pairs("x:n,y:n,x_v:n,x_v_v:n,y_v:n", "*:*_v"), "0-2 1-4 2-3");
    assert_string_equal(pairs("x:n,y:n,p:n", "x,y:p"), "0!-2 1!-2");
    assert_string_equal(pairs("a_x:n,a_y:n,a_p:n,b_x:n,b_p:n", "*_x,*_y:*_p"), "0-2 1-2 3-4");
    assert_string_equal(pairs("vx:n,x:n", "*:v*"), "1-0");
    assert_string_equal(pairs(hand, "c_*:*_vel"),
                        "--option: found no columns that match both \"c_*\" and \"*_vel\" with the same *");
    assert_string_equal(pairs(hand, "a_pos:q_vel"), "--option: no column \"q_vel\"");
    assert_string_equal(pairs(hand, "q_pos:a_vel"), "--option: no column \"q_pos\"");
    assert_string_equal(pairs(hand, "a_pos"), "--option: must be LIST:COLUMN");
    assert_string_equal(pairs(hand, ":a_pos"), "--option: must be LIST:COLUMN");
    assert_non_null(strstr(pairs(hand, "a_pos:*_vel"), "both stand for the same text"));
    assert_non_null(strstr(pairs(hand, "*_*:*_vel"), "both stand for the same text"));
    assert_non_null(strstr(pairs(hand, "*_pos:*_*"), "both stand for the same text"));
    assert_non_null(strstr(pairs("X:n,X:n,X_v:n", "X:X_v"), "2 columns are named"));
}

/* The first colon at which both sides name columns separates. */
static void pairs_of_names_with_colons(void **state)
{
    (void)state;
    struct error e;
    struct columns t = { .named = true };
    const char *names[] = { "S:x", "S:y", "S:x:v", "S:y:v" };
    for (size_t i = 0; i < 4; i++) {
        assert_true(columns_add(&t, names[i], strlen(names[i]), &e));
        t.column[i].first = CELL_NUMBER;
    }
    const char *texts[] = { "S:*:S:*:v", "S:x,S:y:S:x:v" };
    for (size_t i = 0; i < 2; i++) {
        struct column_pair pair[4] = { 0 };
        assert_true(columns_pair(&t, texts[i], "--option", false, pair, &e));
        assert_int_equal(pair[0].teller, 2);
        assert_int_equal(pair[1].teller, i ? 2 : 3);
        assert_true(!pair[2].paired && !pair[3].paired);
    }
    columns_free(&t);
}

static void velocities(void **state)
{
    (void)state;
#define VELOCITY(names, list, text)                                                                          \
    roles(names, (struct column_choice){ .columns = list, .velocities = { (const char *[]){ text }, 1 } })
    const char *hand = "time:n,a:n,a_v:n,b:n,b_v:n,who:t";
    assert_string_equal(VELOCITY(hand, NULL, "*:*_v"), "Tcrcr.");
    assert_string_equal(VELOCITY(hand, NULL, "a:a_v"), "Tcrcc.");
    assert_string_equal(VELOCITY(hand, "a", "*:*_v"), "Tcr...");
    assert_string_equal(VELOCITY(hand, "*", "*:*_v"), "Tcrcr.");
    assert_string_equal(VELOCITY(hand, "a,a_v", "*:*_v"), "Tcc...");
    assert_string_equal(VELOCITY(hand, "b", "a:a_v"), "|--goal-velocity-from: column \"a\" is not filtered|");
    assert_string_equal(VELOCITY(hand, "b", "a*:a_v"),
                        "|--goal-velocity-from: its lists name no filtered column|");
    assert_string_equal(VELOCITY(hand, NULL, "a:who"),
                        "who|--goal-velocity-from names this column, but its first row holds text|");
    assert_string_equal(VELOCITY(hand, NULL, "a:time"),
                        "time|--goal-velocity-from names this column, but it is already the time column|");
    struct columns t = make(hand);
    struct column_plan plan = { 0 };
    struct error e;
    assert_true(plan_all(
        &plan, &t, &(struct column_choice){ .cut = "b", .velocities = { (const char *[]){ "a:a_v" }, 1 } },
        &e));
    assert_true(plan.measured && plan.nchannel == 2 && plan.nvalue == 4);
    assert_int_equal(plan_use(&plan, 1)->velocity, 2);
    assert_int_equal(plan_use(&plan, 4)->velocity, COLUMN_NONE);
    assert_int_equal(plan_use(&plan, 3)->value, 2); /* the cut */
    assert_int_equal(plan_use(&plan, 2)->value, 3);
    assert_int_not_equal(plan_use(&plan, 2)->cell, COLUMN_NONE);
    assert_true(plan_all(&plan, &t, &(struct column_choice){ .cut = "b" }, &e));
    assert_true(!plan.measured && plan_use(&plan, 1)->velocity == COLUMN_NONE);
    plan_free(&plan);
    columns_free(&t);
}

static void faults(void **state)
{
    (void)state;
    const char *five = "time:n,hip.x:n,hip.y:n,note:t,knee:n";
    assert_string_equal(COLUMNS(five, "nee"),
                        "|--columns: no column \"nee\"|did you mean \"knee\"? columns: time, hip.x, "
                        "hip.y, note, knee");
    assert_string_equal(COLUMNS(five, "hip"), "|--columns: no column \"hip\"|did you mean 'hip.*'? columns: "
                                              "time, hip.x, hip.y, note, knee");
    assert_string_equal(COLUMNS(five, "kne"), "|--columns: no column \"kne\"|did you mean \"knee\"? columns: "
                                              "time, hip.x, hip.y, note, knee");
    assert_string_equal(COLUMNS(five, "leg*"),
                        "|--columns: no column matches \"leg*\"|columns: time, hip.x, hip.y, note, knee");
    assert_string_equal(COLUMNS(five, "6"),
                        "|--columns: no column 6: there are 5|columns: time, hip.x, hip.y, note, knee");
    assert_string_equal(COLUMNS("a:n,2020:n", "2020"), ".c");
    assert_string_equal(COLUMNS("a:n,2020:n,2021:n", "2020-"), ".cc");
    assert_non_null(strstr(COLUMNS(five, "0"), "no column 0"));
    assert_non_null(strstr(COLUMNS(five, "99999999999999999999999"), "no column 9999"));
    assert_string_equal(COLUMNS(five, "3-2"), "|--columns: a range runs backward: 3-2|");
    assert_string_equal(COLUMNS(five, "knee,"), "|--columns: empty entry in the list|");
    assert_string_equal(COLUMNS(five, "\"knee"), "|--columns: unclosed quote|");
    assert_string_equal(COLUMNS(five, "\"knee\"x"), "|--columns: a comma is missing after \"knee\"|");
    assert_string_equal(COLUMNS(five, "note"),
                        "note|--columns names this column, but its first row holds text|");
    assert_string_equal(COLUMNS(five, "2-4"),
                        "note|--columns names this column, but its first row holds text|");
    assert_string_equal(COLUMNS(five, "time"),
                        "time|--columns names this column, but it is already the time column|"
                        "columns: time, hip.x, hip.y, note, knee");
    assert_non_null(strstr(COLUMNS(five, "n*"), "--columns leaves nothing to filter"));
    assert_non_null(strstr(ROLES("time:n,a:t", 0), "nothing to filter"));
    assert_non_null(strstr(ROLES(five, .time = "tme"), "--time: no column \"tme\"|did you mean \"time\"?"));
    assert_non_null(strstr(ROLES(five, .exclude = "tme"), "--exclude: no column \"tme\""));
    assert_string_equal(ROLES(five, .time = "hip.x", .group = "hip.x"),
                        "hip.x|--group-by names this column, but it is already the time column|");
    assert_non_null(strstr(ROLES(five, .cut = "note"),
                           "note|--cut-column names this column, but its first row holds text"));
    assert_string_equal(COLUMNS("X:n,Y:n,X:n", "X"),
                        "|--columns: 2 columns are named \"X\"|choose by position: 1, 3 (shown in "
                        "messages and output as X, X_2)");
    assert_non_null(
        strstr(COLUMNS("X:n,X:n,X_2:n", "X_2"), "2 columns are named \"X_2\"|choose by position: 2, 3"));
    assert_non_null(strstr(ROLES("X:n,X:n", .time = "X"), "--time: 2 columns are named \"X\""));
}

static void a_missing_column_lists_at_most_twenty(void **state)
{
    (void)state;
    char columns[400] = "", *end = columns;
    for (int i = 0; i < 30; i++)
        end += sprintf(end, "c%d:n,", i);
    end[-1] = 0;
    assert_non_null(strstr(COLUMNS(columns, "zzz"), "c18, c19 and 10 more"));
    assert_null(strstr(COLUMNS(columns, "zzz"), "c20"));
    char *wide = malloc(70000);
    memset(wide, 'w', 60000);
    strcpy(wide + 60000, ":n,b:n");
    assert_non_null(strstr(COLUMNS(wide, "zzz"), "www, b"));
    free(wide);
}

static void ten_thousand_columns_are_quick(void **state)
{
    (void)state;
    struct error e;
    clock_t begun = clock();
    for (int same = 0; same < 2; same++) {
        struct columns t = { .named = true };
        struct column_plan plan = { 0 };
        for (int i = 0; i < 10000; i++) {
            char name[32];
            int n = same ? sprintf(name, "marker") : sprintf(name, "marker%d", i);
            assert_true(columns_add(&t, name, (size_t)n, &e));
            t.column[i].first = CELL_NUMBER;
        }
        assert_true(plan_all(&plan, &t, &(struct column_choice){ .rate = 1, .exclude = "7" }, &e));
        assert_int_equal(plan.nchannel, 9999);
        assert_int_equal(columns_lookup(&t, same ? "marker_10000" : "marker9999"), 9999);
        plan_free(&plan);
        columns_free(&t);
    }
    assert_true(clock() - begun < CLOCKS_PER_SEC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeated_names_count_on),
        cmocka_unit_test(default_channels),
        cmocka_unit_test(a_time_of_the_format_is_no_channel),
        cmocka_unit_test(names_of_times),
        cmocka_unit_test(units_of_times),
        cmocka_unit_test(units_by_size),
        cmocka_unit_test(derivatives_of_an_earlier_run),
        cmocka_unit_test(reasons_of_roles),
        cmocka_unit_test(frame_counters),
        cmocka_unit_test(time_options_that_contradict),
        cmocka_unit_test(what_resembles_a_time),
        cmocka_unit_test(lists),
        cmocka_unit_test(cells_and_values),
        cmocka_unit_test(plans_of_tables),
        cmocka_unit_test(masks_of_tables),
        cmocka_unit_test(even_times),
        cmocka_unit_test(lists_of_angles),
        cmocka_unit_test(angles_that_are_none),
        cmocka_unit_test(joints_with_three_axes_are_rotations),
        cmocka_unit_test(pairs_of_columns),
        cmocka_unit_test(pairs_of_names_with_colons),
        cmocka_unit_test(velocities),
        cmocka_unit_test(faults),
        cmocka_unit_test(a_missing_column_lists_at_most_twenty),
        cmocka_unit_test(ten_thousand_columns_are_quick),
    };
    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
