/* Jobs and numbers shared among threads. */
#include "base/pool.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 1000, MOST = 64 };

struct calls {
    atomic_int called[COUNT];
    atomic_int busy[MOST];
    atomic_bool twice; /* two calls had the same worker at the same time */
    size_t nworker;
    atomic_bool beyond; /* a worker had a number of nworker or more */
};

static void call(void *closure, size_t i, size_t worker)
{
    struct calls *calls = closure;
    if (worker >= calls->nworker) {
        calls->beyond = true;
        return;
    }
    if (atomic_fetch_add(&calls->busy[worker], 1) != 0)
        calls->twice = true;
    atomic_fetch_add(&calls->called[i], 1);
    atomic_fetch_sub(&calls->busy[worker], 1);
}

static void each_number_is_called_once(void **state)
{
    (void)state;
    const size_t nthread[] = { 0, 1, 7, 80 };
    for (size_t k = 0; k < sizeof nthread / sizeof *nthread; k++) {
        static struct calls calls;
        memset(&calls, 0, sizeof calls);
        struct pool *pool = pool_open(nthread[k]);
        assert_non_null(pool);
        calls.nworker = pool_workers(pool);
        assert_true(calls.nworker >= 1 && calls.nworker <= MOST && calls.nworker <= nthread[k] + 1);
        for (size_t n = 0; n <= COUNT; n += n < 3 ? 1 : COUNT - 3)
            pool_each(pool, n, call, &calls);
        for (size_t i = 0; i < COUNT; i++)
            assert_int_equal(calls.called[i], 1 + (i < 1) + (i < 2) + (i < 3));
        assert_false(calls.twice);
        assert_false(calls.beyond);
        pool_close(pool);
    }
}

static void without_a_pool_the_caller_works(void **state)
{
    (void)state;
    static struct calls calls;
    calls.nworker = pool_workers(NULL);
    assert_int_equal(calls.nworker, 1);
    pool_each(NULL, COUNT, call, &calls);
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(calls.called[i], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_number_is_called_once),
        cmocka_unit_test(without_a_pool_the_caller_works),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
