/* Comparing: the tolerance against long double arithmetic; all else is in cases/compare/diff.bats. */
#include "unit/harness.h"

#include "compare/diff.h"
#include <unistd.h>

static struct diff_options plain(void)
{
    return (struct diff_options){ 0 };
}

/* Writes a csv of two columns into a file that is gone after the test; returns its name. */
static char *file_of(const double *t, const double *x, size_t n)
{
    char *name = strdup("/tmp/sprung-test-XXXXXX");
    int fd = mkstemp(name);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    assert_non_null(f);
    fputs("time,x\n", f);
    for (size_t i = 0; i < n; i++)
        fprintf(f, "%.17g,%.17g\n", t[i], x[i]);
    assert_int_equal(fclose(f), 0);
    return name;
}

/* The comparison of two series of n rows with a common time. */
static void compare(struct diff *d, const struct diff_options *o, const double *x, const double *y, size_t n)
{
    static const struct input_options input = { 0 };
    double *t = harness_alloc(n, sizeof *t);
    struct error e;
    for (size_t i = 0; i < n; i++)
        t[i] = (double)i;
    char *a = file_of(t, x, n), *b = file_of(t, y, n);
    memset(d, 0, sizeof *d);
    if (!diff_open(d, o, &input, (const char *const[]){ a, b }, &e) || !diff_run(d, &e))
        fail_msg("%s", e.text);
    unlink(a);
    unlink(b);
    free(a);
    free(b);
    free(t);
}

static void the_rule_is_as_it_is_written(void **state)
{
    (void)state;
    enum { N = 20000 };
    double *x = harness_alloc(N, sizeof *x), *y = harness_alloc(N, sizeof *y);
    uint64_t seed = 3;
    struct diff_options o = plain();
    o.abs = (struct tolerances){ &(struct tolerance){ NULL, 1e-3 }, 1, 1 };
    o.rel = (struct tolerances){ &(struct tolerance){ NULL, 1e-4 }, 1, 1 };
    uint64_t beyond = 0;
    double worst = 0;
    for (size_t i = 0; i < N; i++) {
        double size = pow(10, 6 * harness_noise(&seed));
        x[i] = size * harness_noise(&seed);
        y[i] = x[i] + (1e-3 + 1e-4 * size) * 2 * harness_noise(&seed);
        long double a = x[i], b = y[i], most = fmaxl(fabsl(a), fabsl(b)), apart = fabsl(a - b);
        const bool differs = apart > 1e-3L + 1e-4L * most;
        beyond += differs;
        worst = fmax(worst, differs ? (double)apart : 0);
    }
    struct diff d;
    compare(&d, &o, x, y, N);
    assert_int_equal(d.compared, N);
    assert_true(beyond > N / 20 && beyond < N * 19 / 20);
    assert_int_equal(d.column[1].beyond, beyond);
    assert_true(fabs(d.column[1].worst.apart - worst) <= 1e-15 * worst);
    size_t row = d.column[1].worst.row[0] - 1;
    assert_true(x[row] == d.column[1].worst.cell[0].x && y[row] == d.column[1].worst.cell[1].x);
    diff_close(&d);
    free(x);
    free(y);
}

static void it_is_symmetric_and_every_number_agrees_with_itself(void **state)
{
    (void)state;
    static const double numbers[] = { 0, 4.9e-324, 1e-300, 1, 1 + 0x1p-52, 1e15, 1.7976931348623157e308 };
    enum { N = sizeof numbers / sizeof *numbers };
    struct diff_column d = { .rel = 1e-9 };
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < N; k++) {
            double a = numbers[i], b = numbers[k];
            assert_true(diff_agree(&d, a, b, fabs(a - b)) == diff_agree(&d, b, a, fabs(b - a)));
            assert_true(diff_agree(&d, a, b, fabs(a - b)) == (i == k || (i + k == 7 && (i == 3 || i == 4))));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rule_is_as_it_is_written),
        cmocka_unit_test(it_is_symmetric_and_every_number_agrees_with_itself),
    };
    return cmocka_run_group_tests_name("diff", tests, NULL, NULL);
}
