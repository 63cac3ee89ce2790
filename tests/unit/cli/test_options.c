/* The tables of options: each row is complete, and no option stands twice. The nearest names. */
#include "base/suggest.h"
#include "cli/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* No name and no letter stands twice among a filter's rows and the shared ones; but a filter may hide a
 * shared long name that has a letter. */
static void check_clash(const struct param *a, const struct param *b, bool same_table, const char *where)
{
    bool letter = a->letter && a->letter == b->letter;
    bool name = strcmp(a->name, b->name) == 0 && (same_table || !b->letter);
    if (letter || name)
        fail_msg("%s: --%s and --%s", where, a->name, b->name);
}

static void check_row(const struct param *p, const char *where)
{
    bool valued = p->kind != PARAM_FLAG && !p->choices;
    bool chosen = p->kind == PARAM_CHOICE || (p->kind == PARAM_OPTIONAL_TEXT && p->choices);
    if (!p->help || !p->name || (valued && !p->value) || chosen != (p->choices != NULL))
        fail_msg("%s: --%s is not complete", where, p->name);
    if (p->help[strlen(p->help) - 1] == '.')
        fail_msg("%s: --%s: its help ends in a dot", where, p->name);
    if (p->more && p->more[strlen(p->more) - 1] == '.')
        fail_msg("%s: --%s: the rest of its help ends in a dot", where, p->name);
}

static void check_tables(const struct filter *own)
{
    const struct param *rows[256];
    size_t n = 0;
    for (size_t i = 0; i < own->nparam; i++)
        rows[n++] = &own->params[i];
    for (size_t t = 0; options_shared[t]; t++)
        for (size_t i = 0; i < options_shared[t]->nparam; i++)
            rows[n++] = &options_shared[t]->params[i];
    for (size_t i = 0; i < n; i++) {
        check_row(rows[i], own->name);
        for (size_t j = i + 1; j < n; j++)
            check_clash(rows[i], rows[j], i >= own->nparam || j < own->nparam, own->name);
    }
}

static void no_option_stands_twice(void **state)
{
    (void)state;
    for (const struct filter *const *f = filter_list; *f; f++) {
        struct error e;
        struct command_line line = {
            .argc = 1, .argv = (char *[]){ NULL }, .tables = options_shared, .job.filter.filter = *f
        };
        check_tables(*f);
        if (synonym_of((*f)->name, true, NULL))
            fail_msg("%s is a filter now: take it out of cli/synonyms.c, and out of "
                     "tests/cases/cli/words.bats",
                     (*f)->name);
        assert_true(options_parse(&line, &e));
        options_free(&line);
    }
}

static const char *nearest(const char *word)
{
    static const char *const names[] = { "damper", "critical", "spring", "second-order", "tracking" };
    struct suggestion s = { .word = word };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        suggest_offer(&s, names[i]);
    return s.best;
}

static void nearest_names(void **state)
{
    (void)state;
    assert_string_equal(nearest("sprng"), "spring");
    assert_string_equal(nearest("psring"), "spring");
    assert_string_equal(nearest("Damper"), "damper");
    assert_string_equal(nearest("second"), "second-order");
    assert_null(nearest("butterworth"));
    assert_null(nearest(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_option_stands_twice),
        cmocka_unit_test(nearest_names),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
