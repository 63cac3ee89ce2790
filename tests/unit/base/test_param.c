/* Values of options compared field by field: padding and addresses do not count. */
#include "base/param.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct settings {
    bool flag; /* padding follows */
    double number;
    long count;
    int choice;
    const char *text;
    struct numbers list;
    struct texts texts;
};

#define FIELD(name) offsetof(struct settings, name)
static const char *const words[] = { "one", "two", NULL };
static const struct param flag = { .name = "flag", FLAG(flag) };
static const struct param number = { .name = "number", NUMBER(number, RANGE_ANY, "X") };
static const struct param count = { .name = "count", COUNT(count, 0, 9) };
static const struct param choice = { .name = "choice", CHOICE(choice, words) };
static const struct param text = { .name = "text", TEXT(text, "WORD") };
static const struct param list = { .name = "list", NUMBERS(list, RANGE_ANY, "LIST") };
static const struct param texts = { .name = "texts", .kind = PARAM_TEXTS, .offset = FIELD(texts) };

static void fill(struct settings *set, int byte)
{
    memset(set, byte, sizeof *set);
    set->flag = true;
    set->number = NAN;
    set->count = 3;
    set->choice = 1;
    set->text = NULL;
    set->list = (struct numbers){ NULL, 0 };
    set->texts = (struct texts){ NULL, 0 };
}

static void same_values_are_equal(void **state)
{
    (void)state;
    static const struct param *const all[] = { &flag, &number, &count, &choice, &text, &list };
    double first[] = { 1, 2 }, second[] = { 1, 2 };
    char word[] = "a", other[] = "a";
    struct settings a, b;
    fill(&a, 0);
    fill(&b, 0xff);
    assert_true(memcmp(&a, &b, sizeof a) != 0);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        assert_true(param_equal(all[i], &a, &b));
    a.number = 0.1;
    b.number = 0.1;
    a.text = word;
    b.text = other;
    a.list = (struct numbers){ first, 2 };
    b.list = (struct numbers){ second, 2 };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        assert_true(param_equal(all[i], &a, &b));
}

static void other_values_differ(void **state)
{
    (void)state;
    double first[] = { 1, 2 }, second[] = { 1, 3 };
    struct settings a, b;
    fill(&a, 0);
    fill(&b, 0);
    b.flag = false;
    b.number = 1;
    b.count = 4;
    b.choice = 0;
    b.text = "a";
    a.list = (struct numbers){ first, 2 };
    b.list = (struct numbers){ second, 2 };
    assert_false(param_equal(&flag, &a, &b));
    assert_false(param_equal(&number, &a, &b));
    assert_false(param_equal(&count, &a, &b));
    assert_false(param_equal(&choice, &a, &b));
    assert_false(param_equal(&text, &a, &b));
    assert_false(param_equal(&text, &b, &a));
    assert_false(param_equal(&list, &a, &b));
    b.list = (struct numbers){ first, 1 };
    assert_false(param_equal(&list, &a, &b));
    a.text = "b";
    assert_false(param_equal(&text, &a, &b));
    assert_false(param_equal(&texts, &a, &a));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_values_are_equal),
        cmocka_unit_test(other_values_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
