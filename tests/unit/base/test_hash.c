/* The hash: SipHash-1-3 as others compute it. */
#include "base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char text[] = "sprung filters time series with springs";

/* CPython 3.11 has the same hash: PYTHONHASHSEED=0 python3 -c 'print(hash("sprung") % 2**64)' */
static void is_that_of_python(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        uint64_t hash;
    } known[] = {
        { 1, 0x2408f22a0fab9ae5 },  { 6, 0xd509a4edf7a0b736 }, { 7, 0xc13836b5a6febc33 },
        { 8, 0xfceacf50b7c92915 },  { 9, 0x86baea86d6ae492d }, { 16, 0x4a26bff7136a84d },
        { 39, 0x9a96864152757b7e },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_true(hash_bytes(text, known[i].n) == known[i].hash);
}

/* The key 0, 1, ... 15 and the texts of 0 and 1 bytes, as in the tests of Rust's library. */
static void is_that_of_rust(void **state)
{
    (void)state;
    hash_key[0] = 0x0706050403020100;
    hash_key[1] = 0x0f0e0d0c0b0a0908;
    assert_true(hash_bytes("", 0) == 0xabac0158050fc4dc);
    assert_true(hash_bytes("", 1) == 0xc9f49bf37d57ca93);
    hash_key[0] = hash_key[1] = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_that_of_python),
        cmocka_unit_test(is_that_of_rust),
    };
    return cmocka_run_group_tests_name("hash", tests, NULL, NULL);
}
