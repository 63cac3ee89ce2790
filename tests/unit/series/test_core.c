/* The core against the stages that it will replace: the same command lines and rows give the same bytes,
 * whatever the pieces that the rows come in. Rows that share a time and points of --resample are new, and
 * judged by their own rules. */
#include "cli/options.h"
#include "run/pipeline.h"
#include "run/stages.h"
#include "series/core/core.h"
#include "series/core/first_warnings.h"
#include "series/core/grid.h"

/* The job with the core in place of the old stages: its functions have other names here. */
struct core_job {
    struct split split;
    struct prepare prepare;
    struct core core;
    struct first_warnings warnings;
    struct clean_count *count;
    struct grid *grid;
};
static struct core_job opened;
static bool core_stages_open(struct stages *stages, const struct filter_job_task *task, struct error *e);
#define stages_open    core_stages_open
#define filter_job_run core_job_run
#include "run/filter_job.c"
#undef stages_open
#undef filter_job_run

#include "unit/harness.h"

#include <fcntl.h>
#include <unistd.h>

static struct stage *add(struct stages *stages)
{
    return &stages->at[stages->n++];
}

/* As stages_open, with the core. The old filter is opened too, for what the job says at the end. */
static bool core_stages_open(struct stages *stages, const struct filter_job_task *task, struct error *e)
{
    const struct filter_job_config *job = stages->config;
    const struct column_plan *plan = stages->reader->plan;
    const struct series_rows in = { stages->reader,   plan,           &job->series,        plan->row_rate,
                                    &job->cuts.given, &stages->units, &opened.split.groups };
    if (!stages_open(stages, task, e))
        return false;
    stages->n = 0;
    stages->reader->nout = stages->layout.nout;
    opened = (struct core_job){ .count = calloc(plan->nchannel, sizeof *opened.count) };
    split_open(&opened.split, &in);
    *add(stages) = (struct stage){ split_take, .state = &opened.split };
    opened.prepare = (struct prepare){ in, opened.count };
    *add(stages) = prepare_stage(&opened.prepare);
    const struct core_config config = {
        .in = in,
        .filter = job->filter.filter,
        .settings = job->filter.settings,
        .derivatives = stages->derivatives,
        .despike = job->despike,
        .detect = job->filter.filter->cuts ? job->cuts.detect : (double)NAN,
        .resample = job->resample,
        .lookahead = job->filter.lookahead,
        .zero_phase = job->filter.zero_phase,
        .count = opened.count,
        .warnings = &opened.warnings,
    };
    const struct first_warnings_config warnings = { .zero_phase = config.zero_phase };
    if (!core_open(&opened.core, &config, e) ||
        !first_warnings_open(&opened.warnings, &opened.core, &warnings, e))
        return false;
    *add(stages) = core_stage(&opened.core);
    const struct grid_config grid = { in, &opened.core, &stages->layout, job->resample,
                                      config.filter->keeps_cell };
    if (!isnan(job->resample))
        opened.grid = grid_open(add(stages), &grid, e);
    return isnan(job->resample) || opened.grid;
}

static void close_core(void)
{
    grid_close(opened.grid);
    core_close(&opened.core);
    first_warnings_close(&opened.warnings);
    split_close(&opened.split);
    free(opened.count);
    opened = (struct core_job){ .grid = NULL };
}

/* --- running a command line --- */

static char output[2][1 << 20];

/* Runs the words of a command line over a file, into output[core]. */
static void run(bool core, const char *words, const char *file)
{
    char copy[300], *argv[30], *rest = copy;
    struct error e = { 0 };
    int argc = 0;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word; (word = strsep(&rest, " "));)
        argv[argc++] = word;
    struct command_line line = { .argc = argc, .argv = argv, .tables = options_shared };
    line.job.filter.filter = filter_find(argv[0]);
    assert_true(options_parse(&line, &e));
    const struct job_filter *given = &line.job.filter;
    assert_true(filter_check(given->filter, given->settings, given->zero_phase, &e));
    char name[] = "/tmp/sprung-core-XXXXXX";
    const int fd = mkstemp(name);
    assert_true(fd >= 0 && unlink(name) == 0);
    struct filter_job_task task = { .input = file, .fd = fd, .nthread = 1, .pool = pool_open(0) };
    const bool good = core ? core_job_run(&line.job, &task, NULL, &e)
                           : filter_job_run(&line.job, &task, NULL, &e);
    if (core)
        close_core();
    if (!good)
        fail_msg("%s: %s", words, e.text);
    const ssize_t n = pread(fd, output[core], sizeof output[core] - 1, 0);
    assert_true(n >= 0);
    output[core][n] = 0;
    close(fd);
    pool_close(task.pool);
    options_free(&line);
}

/* Writes rows with gaps, spikes and cuts; times rise by uneven steps. */
static void write_rows(const char *file)
{
    FILE *f = fopen(file, "w");
    double t = 0;
    assert_non_null(f);
    fputs("time,who,x,y,z,yaw,cut\n", f);
    for (int i = 0; i < 900; i++) {
        const char *const gap[] = { "nan", "" };
        t += i % 7 == 3 ? .012 : .01;
        fprintf(f, "%.3f,%c,", t, 'a' + i * i / 7 % 2);
        if (i % 90 > 84)
            fputs(gap[i % 2], f);
        else
            fprintf(f, "%.3f", sin(i / 20.0) * 5 + (i % 77 == 50 ? 40 : 0));
        fprintf(f, ",%.2f,%.3f,%.1f,%d\n", fmod(i * 7.3, 11), cos(i / 9.0), fmod(i * 7.3 + 180, 360) - 180,
                i % 60 == 59);
    }
    fclose(f);
}

static const char *const filters[] = {
    "damper -H .1",
    "one-euro --beta .1",
    "critical -H .1",
    "spring -f 2 -z .3",
    "butterworth --cutoff 2",
    "second-order -f 2 -z .5 -r -1",
    "tracking --cut-column cut",
    "tracking --detect-cuts 8",
    "inertialize -H .1 --cut-column cut",
    "double -H .1 --hold linear",
    "timed -H .1 --time .2",
    "velocity -H .1 --speed 2",
    "character -H .2 --predict .1",
    "resonance -H .5 --frequencies 1,2",
    "critical -H .1 --predict .1,.2",
    "butterworth --cutoff 2 --zero-phase",
    "butterworth --cutoff auto --zero-phase",
    "butterworth --cutoff 2 --zero-phase --lookahead .2",
    "butterworth --cutoff 2 --zero-phase --loop",
};
static const char *const ways[] = {
    "-c x,y,z",
    "-c x,y,z --group-by who",
    "-c x,z --gaps linear",
    "-c x --gaps restart --max-gap .03",
    "-c x,y --despike 6",
    "-c x,yaw --angles yaw --gaps fill",
    "-d 0 --rate 50 -x time,cut --mask x:y<2",
};

/* Are two texts the same, but for numbers that differ by rounding? */
static bool same_numbers(const char *a, const char *b)
{
    while (*a && *b) {
        char *a_end, *b_end;
        const double x = strtod(a, &a_end), y = strtod(b, &b_end);
        const bool numbers = a_end > a && b_end > b;
        if (!numbers && *a != *b)
            return false;
        if (numbers && !(isnan(x) && isnan(y)) && !(fabs(x - y) <= 1e-9 * fmax(1, fabs(x))))
            return false;
        a = numbers ? a_end : a + 1;
        b = numbers ? b_end : b + 1;
    }
    return *a == *b;
}

static void the_core_gives_what_the_stages_give(void **state)
{
    char file[] = "/tmp/sprung-core-rows-XXXXXX", words[300];
    (void)state;
    close(mkstemp(file));
    write_rows(file);
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        for (size_t j = 0; j < sizeof ways / sizeof *ways; j++) {
            if (strstr(filters[i], "lookahead") && strstr(ways[j], "fill"))
                continue; /* refused */
            snprintf(words, sizeof words, "%s %s --from csv", filters[i], ways[j]);
            run(false, words, file);
            run(true, words, file);
            if (!same_numbers(output[0], output[1]))
                fail_msg("differs: %s", words);
        }
    unlink(file);
}

/* Rows of one time are one sample: a channel that is missing takes the later row's value, and each row prints
 * where it has a number. */
static void rows_of_one_time_are_one_sample(void **state)
{
    char file[] = "/tmp/sprung-core-rows-XXXXXX", alone[] = "/tmp/sprung-core-rows-XXXXXX", *both, *single;
    (void)state;
    close(mkstemp(file));
    close(mkstemp(alone));
    FILE *f = fopen(file, "w"), *g = fopen(alone, "w");
    fputs("time,x,y\n", f);
    fputs("time,x,y\n", g);
    for (int i = 0; i < 50; i++) {
        fprintf(f, "%d,%d,\n%d,,%d\n", i, i * i % 7, i, i * i % 5);
        fprintf(g, "%d,%d,%d\n", i, i * i % 7, i * i % 5);
    }
    fclose(f);
    fclose(g);
    run(true, "critical -H .7 -c x,y -d 0 --from csv", file);
    both = strdup(output[1]);
    run(true, "critical -H .7 -c x,y -d 0 --from csv", alone);
    single = output[1];
    char *rows = strchr(both, '\n') + 1, *row = strchr(single, '\n') + 1;
    for (int i = 0; i < 50; i++) {
        char t[20], x[40], y[40], want[160];
        assert_int_equal(sscanf(row, "%19[^,],%39[^,],%39[^\n]", t, x, y), 3);
        snprintf(want, sizeof want, "%s,%s,\n%s,,%s\n", t, x, t, y);
        if (strncmp(rows, want, strlen(want)) != 0)
            fail_msg("row %d: %.60s", i, rows);
        rows += strlen(want);
        row = strchr(row, '\n') + 1;
    }
    free(both);
    unlink(file);
    unlink(alone);
}

/* A point of --resample is the filter's own state: that of a file with a row of the same goal there. A row at
 * a point has the numbers that it has without points. */
static void points_are_states_and_change_nothing(void **state)
{
    char file[] = "/tmp/sprung-core-rows-XXXXXX", *rows;
    double value[2][4];
    (void)state;
    close(mkstemp(file));
    FILE *f = fopen(file, "w");
    fputs("t,x\n0,1\n.02,0\n.04,3\n.06,4\n", f);
    fclose(f);
    run(true, "critical -H .1 -d 0 --from csv", file);
    rows = strchr(output[1], '\n');
    assert_int_equal(sscanf(rows, " %*[^,],%lf %*[^,],%lf %*[^,],%lf %*[^,],%lf", &value[0][0], &value[0][1],
                            &value[0][2], &value[0][3]),
                     4);
    run(true, "critical -H .1 -d 0 --resample 100 --from csv", file);
    rows = strchr(output[1], '\n');
    double point[7];
    assert_int_equal(sscanf(rows,
                            " %*[^,],%lf %*[^,],%lf %*[^,],%lf %*[^,],%lf %*[^,],%lf %*[^,],%lf %*[^,],%lf",
                            &point[0], &point[1], &point[2], &point[3], &point[4], &point[5], &point[6]),
                     7);
    for (int i = 0; i < 4; i++)
        assert_true(point[2 * i] == value[0][i]);
    f = fopen(file, "w");
    fputs("t,x\n0,1\n.01,0\n.02,0\n.03,3\n.04,3\n.05,4\n.06,4\n", f);
    fclose(f);
    run(true, "critical -H .1 -d 0 --from csv", file);
    rows = strchr(output[1], '\n');
    for (int i = 0; i < 7; i++) {
        double x;
        assert_int_equal(sscanf(rows, "\n%*[^,],%lf", &x), 1);
        assert_true(fabs(x - point[i]) <= 1e-12);
        rows = strchr(rows + 1, '\n');
    }
    unlink(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_core_gives_what_the_stages_give),
        cmocka_unit_test(rows_of_one_time_are_one_sample),
        cmocka_unit_test(points_are_states_and_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
