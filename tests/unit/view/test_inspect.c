/* sprung inspect, apart from files: what times and channels in plain arrays show, and the command line that
 * follows from findings. */
#include "formats/format.h"
#include "view/inspect/advice.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 400, MOST = 8 };

/* --- a table in memory --- */

struct made {
    struct reader reader;
    struct column_plan plan;
    struct inspect_table table;
    double time[ROWS], value[MOST * ROWS];
    uint32_t number[ROWS];
    bool begins[ROWS];
    struct inspect_texts texts[MOST];
};

/* A table of csv with rows at 100 Hz and a channel of each name, whose numbers are 0. */
static struct made *make_table(const char *const *name, size_t n)
{
    struct made *m = calloc(1, sizeof *m);
    struct error e;
    assert_non_null(m);
    m->reader.format = format_find("csv");
    for (size_t k = 0; k < n; k++) {
        assert_true(columns_add(&m->reader.columns, name[k], strlen(name[k]), &e));
        m->reader.columns.column[k].first = CELL_NUMBER;
    }
    const struct column_choice choice = { .time_unit = TIME_UNIT_NONE };
    assert_true(plan_make(&m->plan, &m->reader.columns, &choice, &e));
    m->reader.plan = &m->plan;
    for (size_t i = 0; i < ROWS; i++) {
        m->time[i] = (double)i / 100;
        m->number[i] = (uint32_t)i + 1;
    }
    m->begins[0] = true;
    m->table.reader = &m->reader;
    m->table.rows = (struct inspect_rows){ .nrow = ROWS,
                                           .maxrow = ROWS,
                                           .whole = true,
                                           .nchannel = n,
                                           .value = m->value,
                                           .texts = m->texts,
                                           .time = m->time,
                                           .number = m->number,
                                           .begins = m->begins,
                                           .grouped = COLUMN_NONE,
                                           .lasting = COLUMN_NONE,
                                           .nseries = 1,
                                           .timed = true,
                                           .digit = 0.01 };
    return m;
}

static void free_table(struct made *m)
{
    free(m->table.channel);
    free(m->table.reading.excluded);
    free(m->table.faults);
    units_free(&m->table.units);
    plan_free(&m->plan);
    columns_free(&m->reader.columns);
    free(m);
}

static void judge(struct made *m)
{
    struct error e;
    assert_true(inspect_channels_find(&m->table, &e) && inspect_reading_find(&m->table, &e) &&
                inspect_faults_find(&m->table, &e));
}

/* Spikes and jumps of a channel. */
static uint64_t count_faults(const struct made *m, size_t k)
{
    return m->table.faults[k].nspike + m->table.faults[k].njump;
}

/* Numbers in -1 to 1 without a pattern, always the same. */
static double noise(size_t i)
{
    return 2 * fmod(fabs(43758.5453 * sin((double)i * 12.9898)), 1) - 1;
}

/* --- times --- */

static struct inspect_times judge_times(const struct made *m, double rate)
{
    struct inspect_times times;
    struct error e;
    assert_true(inspect_times_find(&times, &m->table.rows, rate, &e));
    return times;
}

static void even_times(void **state)
{
    (void)state;
    struct made *m = make_table((const char *const[]){ "x" }, 1);
    struct inspect_times times = judge_times(m, 0);
    assert_true(times.even && !times.stated && times.rate == 100 && times.nlong == 0);
    /* 30 rows a second in three decimals: steps of 33 and 34 ms; one row is missing. */
    m->table.rows.digit = 0.001;
    for (size_t i = 0; i < ROWS; i++)
        m->time[i] = round(1000 * (double)(i < 200 ? i : i + 1) / 30) / 1000;
    times = judge_times(m, 0);
    assert_true(times.even && times.rate == 30);
    assert_int_equal(times.nlong, 1);
    assert_int_equal(times.most_row, 201);
    /* The same times with nine decimals are not even. */
    m->table.rows.digit = 1e-9;
    times = judge_times(m, 0);
    assert_true(!times.even && times.rate == 0);
    assert_true(fabs(times.least - 0.033) < 1e-9 && fabs(times.most - 0.067) < 1e-9);
    times = judge_times(m, 50); /* --rate */
    assert_true(times.even && times.stated && times.rate == 50);
    free_table(m);
}

static void equal_and_backward_times(void **state)
{
    (void)state;
    struct made *m = make_table((const char *const[]){ "x" }, 1);
    m->time[10] = m->time[9];
    m->time[100] = m->time[98];
    struct inspect_times times = judge_times(m, 0);
    assert_int_equal(times.nequal, 1);
    assert_int_equal(times.nbackward, 1);
    assert_int_equal(times.backward_row, 101);
    assert_true(times.span == 3.99);
    /* Between series that a column tells apart times may go backward. */
    m->begins[100] = true;
    m->table.rows.grouped = 0;
    assert_int_equal(judge_times(m, 0).nbackward, 0);
    free_table(m);
}

/* --- channels --- */

static void missing_values(void **state)
{
    (void)state;
    struct made *m = make_table((const char *const[]){ "x" }, 1);
    for (size_t i = 0; i < ROWS; i++)
        m->value[i] = sin((double)i / 20);
    for (size_t i = 50; i < 60; i++)
        m->value[i] = NAN;
    for (size_t i = 95; i < 107; i++)
        m->value[i] = NAN;
    m->begins[100] = true; /* a series ends within missing values: two gaps */
    judge(m);
    const struct inspect_missing *missing = &m->table.channel[0].missing;
    assert_int_equal(missing->n, 22);
    assert_int_equal(missing->ngap, 3);
    assert_int_equal(missing->longest, 10);
    assert_int_equal(missing->longest_row, 51);
    assert_int_equal(count_faults(m, 0), 0);
    free_table(m);
}

static void spikes_and_jumps(void **state)
{
    (void)state;
    struct made *m = make_table((const char *const[]){ "x", "y", "z" }, 3);
    double *x = m->value, *y = x + ROWS, *z = y + ROWS;
    for (size_t i = 0; i < ROWS; i++) {
        x[i] = 3 * sin((double)i / 30) + 0.01 * noise(i) + (i >= 300 ? 5 : 0);
        y[i] = 3 * cos((double)i / 30) + 0.01 * noise(i + ROWS) + (i >= 200 ? 50 : 0);
        z[i] = 1.5;
    }
    x[120] += 2;
    m->begins[200] = true; /* the step of y lies between two series */
    judge(m);
    const struct inspect_faults *faults = m->table.faults;
    assert_int_equal(faults[0].nspike, 1);
    assert_int_equal(faults[0].spike_row, 121);
    assert_int_equal(faults[0].njump, 1);
    assert_int_equal(faults[0].jump_row, 301);
    assert_int_equal(count_faults(m, 1), 0);
    /* Numbers spread evenly over -0.01 to 0.01. */
    assert_true(fabs(faults[1].noise / (0.01 / sqrt(3)) - 1) < 0.15);
    assert_int_equal(m->table.channel[2].meaning.kind, INSPECT_CONSTANT);
    assert_true(isnan(faults[2].noise));
    free_table(m);
}

static void kinds(void **state)
{
    (void)state;
    static const char *const name[] = { "n", "on", "yaw", "x", "p.x", "p.score", "score", "steps" };
    struct made *m = make_table(name, 8);
    for (size_t i = 0; i < ROWS; i++) {
        double turn = fmod((double)i * 7, 360) - 180;
        const double row[] = { (double)i + (i > 200), /* a frame was dropped */
                               i % 3 == 0,
                               turn,
                               turn,
                               cos((double)i),
                               0.5 + 0.4 * noise(i),
                               0.5 + 0.4 * noise(i),
                               floor((double)i / 2) };
        for (size_t k = 0; k < 8; k++)
            m->value[k * ROWS + i] = row[k];
    }
    judge(m);
    /* x turns, whatever its name is. A score without a point beside it is a value. */
    static const enum inspect_kind kind[] = { INSPECT_COUNT, INSPECT_MARK,    INSPECT_ANGLE, INSPECT_ANGLE,
                                              INSPECT_VALUE, INSPECT_QUALITY, INSPECT_VALUE, INSPECT_VALUE };
    for (size_t k = 0; k < 8; k++)
        if (m->table.channel[k].meaning.kind != kind[k])
            fail_msg("%s: kind %d", name[k], (int)m->table.channel[k].meaning.kind);
    assert_true(m->table.channel[2].meaning.period == 360);
    assert_int_equal(m->table.channel[2].meaning.nwrap, ROWS * 7 / 360);
    assert_int_equal(count_faults(m, 2), 0);
    free_table(m);
}

static void quaternions(void **state)
{
    (void)state;
    struct made *m = make_table((const char *const[]){ "a", "q_w", "q_x", "q_y", "q_z" }, 5);
    for (size_t i = 0; i < ROWS; i++) {
        /* q and -q are the same rotation: without the right signs some rows are spikes, and half of the rows
         * lie behind a jump. */
        bool other = i % 50 == 20 || i > ROWS / 2;
        double angle = (double)i / 50, sign = other ? -1 : 1;
        const double row[] = { 1, sign * cos(angle), sign * 0.6 * sin(angle), sign * 0.48 * sin(angle),
                               sign * 0.64 * sin(angle) };
        for (size_t k = 0; k < 5; k++)
            m->value[k * ROWS + i] = row[k];
    }
    judge(m);
    assert_int_equal(m->table.channel[0].meaning.kind, INSPECT_CONSTANT);
    for (size_t k = 1; k < 5; k++) {
        const struct inspect_meaning *meaning = &m->table.channel[k].meaning;
        assert_int_equal(meaning->kind, INSPECT_ROTATION);
        assert_int_equal(meaning->rotation, 1);
        assert_false(meaning->by_format);
        assert_int_equal(count_faults(m, k), 0);
    }
    free_table(m);
}

static void letters_of_components(void **state)
{
    (void)state;
    char letters[5];
    struct made *m = make_table((const char *const[]){ "S", "X", "Y", "Z", "hip_w", "q0", "a.Y", "S" }, 8);
    columns_component_letters(&m->reader.columns, 0, letters);
    assert_string_equal(letters, "wxyz");
    columns_component_letters(&m->reader.columns, 4, letters); /* the last name is S_2, and S in the input */
    assert_string_equal(letters, "w yw");
    free_table(m);
}

/* --- the command line --- */

/* The command line that follows from what is known about all tables of the file `name`, read without options
 * but these. */
static void advises(const struct inspect_advice *all, const char *name, const struct column_choice *choice,
                    const char *expected)
{
    struct inspect_advice advice = *all;
    struct input_options options = { 0 };
    struct facts facts = { 0 };
    const char *command = NULL;
    inspect_facts_of_advice(&facts, &advice, name, choice, &options);
    assert_false(facts.failed);
    for (size_t i = 0; i < facts.n; i++) {
        const struct fact *fact = &facts.at[i];
        if (fact->kind == FACT_TEXT && strcmp(fact->key, "command") == 0)
            command = fact->text;
        if (fact->kind == FACT_TEXT && strcmp(fact->key, "option") == 0)
            assert_true(facts.at[i + 1].text[0] != '\0' && strstr(command, fact->text));
    }
    if (expected)
        assert_string_equal(command, expected);
    else
        assert_null(command);
    inspect_advice_free(&advice);
    facts_free(&facts);
}

static void command_lines(void **state)
{
    (void)state;
    const struct column_choice none = { .time_unit = TIME_UNIT_NONE };
    struct inspect_advice all = { .nrow = 1000, .fewest = 1000, .step = 0.01, .bytes = 1e5 };
    advises(&all, "a.csv", &none, "sprung butterworth --zero-phase --cutoff auto --output-dir clean a.csv");
    advises(&all, "-", &none, "sprung butterworth --zero-phase --cutoff auto --derivatives 0");
    advises(&all, "clean/it's.csv", &none,
            "sprung butterworth --zero-phase --cutoff auto --output-dir cleaned 'clean/it'\\''s.csv'");
    advises(&all, "-a.csv", &none,
            "sprung butterworth --zero-phase --cutoff auto --output-dir clean -- -a.csv");
    all.nspike = 3;
    all.fill_rows = 25;
    all.longest = 30;
    advises(&all, "a.csv", &none,
            "sprung butterworth --despike 10 --gaps fill --max-gap 25rows --zero-phase --cutoff auto "
            "--output-dir clean a.csv");
    all.nspike = all.fill_rows = 0;
    all.fewest = 5;
    advises(&all, "a.csv", &none, "sprung critical --zero-phase --halflife 0.03 --output-dir clean a.csv");
    all.bytes = (double)INFINITY;
    advises(&all, "a.csv", &none, "sprung critical --halflife 0.03 --output-dir clean a.csv");
    const struct column_choice given = { .time_unit = TIME_UNIT_MS, .exclude = "b,c", .columns = "a*" };
    advises(&all, "a.csv", &given,
            "sprung critical --columns 'a*' --time-unit ms --exclude b,c --halflife 0.03 --output-dir clean "
            "a.csv");
    all.hopeless = true;
    advises(&all, "a.csv", &none, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_times),
        cmocka_unit_test(equal_and_backward_times),
        cmocka_unit_test(missing_values),
        cmocka_unit_test(spikes_and_jumps),
        cmocka_unit_test(kinds),
        cmocka_unit_test(quaternions),
        cmocka_unit_test(letters_of_components),
        cmocka_unit_test(command_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
