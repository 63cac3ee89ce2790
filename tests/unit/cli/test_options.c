/* The command line: every kind of row, every way to write it, and what is said when it is wrong. */
#include "base/suggest.h"
#include "cli/options.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

struct settings {
    double halflife, response;
    int method;
    long order;
    bool wrap;
    const char *label, *backup;
    struct numbers frequencies;
    struct texts keep;
    double time;
};

static const char *const methods[] = { "exact", "euler", NULL };

#define AT(field) offsetof(struct settings, field)
static const struct param fake[] = {
    { .name = "halflife",
      .letter = 'H',
      .kind = PARAM_NUMBER,
      .range = RANGE_POSITIVE,
      .value = "S",
      .offset = AT(halflife),
      .help = "half-life" },
    { .name = "response",
      .letter = 'r',
      .kind = PARAM_NUMBER,
      .fallback = "-1.5",
      .value = "R",
      .offset = AT(response),
      .help = "response" },
    { .name = "method", .kind = PARAM_CHOICE, .choices = methods, .offset = AT(method), .help = "method" },
    { .name = "order",
      .kind = PARAM_COUNT,
      .range = RANGE_LIMITS,
      .min = 0,
      .max = 2,
      .value = "N",
      .offset = AT(order),
      .help = "order" },
    { .name = "wrap", .letter = 'w', .kind = PARAM_FLAG, .offset = AT(wrap), .help = "wrap" },
    { .name = "label",
      .letter = 'l',
      .kind = PARAM_TEXT,
      .value = "TEXT",
      .offset = AT(label),
      .help = "label" },
    { .name = "in-place",
      .letter = 'i',
      .kind = PARAM_OPTIONAL_TEXT,
      .value = "SUFFIX",
      .offset = AT(backup),
      .help = "backup" },
    { .name = "frequencies",
      .kind = PARAM_NUMBERS,
      .range = RANGE_POSITIVE,
      .value = "F,F,…",
      .offset = AT(frequencies),
      .help = "frequencies" },
    { .name = "keep", .kind = PARAM_TEXTS, .value = "TEXT", .offset = AT(keep), .help = "texts" },
    { .name = "time",
      .kind = PARAM_NUMBER,
      .range = RANGE_POSITIVE,
      .value = "S",
      .offset = AT(time),
      .help = "hides --time COLUMN" },
};
#undef AT

static const struct filter fake_filter = { .name = "fake",
                                           .params = fake,
                                           .nparam = sizeof fake / sizeof *fake,
                                           .settings_size = sizeof(struct settings) };
static const struct option_table *const tables[] = { &options_columns, &options_gaps, &options_filtering,
                                                     &options_general, NULL };

/* A command line under test, and everything that parsing it gave. */
struct line {
    struct command_line line;
    const struct settings *own;
    struct error e;
    char *argv[16];
    bool good;
};

static void parse_line(struct line *l, const char *first, ...)
{
    int argc = 0;
    va_list args;
    memset(l, 0, sizeof *l);
    l->argv[argc++] = (char *)"damper";
    va_start(args, first);
    for (const char *word = first; word; word = va_arg(args, const char *))
        l->argv[argc++] = (char *)word;
    va_end(args);
    l->line = (struct command_line){
        .argc = argc, .argv = l->argv, .tables = tables, .job.filter.filter = &fake_filter
    };
    l->good = options_parse(&l->line, &l->e);
    l->own = l->line.job.filter.settings;
}

static void end_line(struct line *l)
{
    options_free(&l->line);
}

#define GOOD(...)                                                                                            \
    parse_line(&l, __VA_ARGS__, NULL);                                                                       \
    if (!l.good)                                                                                             \
        print_message("%s\n", l.e.text);                                                                     \
    assert_true(l.good)

/* Checks words of the error as "text|excerpt|hint". */
static void check_fault(struct line *l, const char *expected)
{
    char said[4096];
    assert_false(l->good);
    assert_int_equal(l->e.kind, ERROR_USAGE);
    snprintf(said, sizeof said, "%s|%.*s|%s", l->e.text, (int)l->e.nexcerpt, l->e.excerpt, l->e.hint);
    assert_string_equal(said, expected);
    end_line(l);
}

#define FAULT(expected, ...)                                                                                 \
    parse_line(&l, __VA_ARGS__, NULL);                                                                       \
    check_fault(&l, expected)

static void defaults(void **state)
{
    (void)state;
    struct line l;
    parse_line(&l, NULL, NULL);
    assert_true(l.good);
    assert_true(isnan(l.own->halflife));
    assert_true(l.own->response == -1.5);
    assert_int_equal(l.own->method, -1);
    assert_int_equal(l.own->order, -1);
    assert_false(l.own->wrap);
    assert_null(l.own->label);
    assert_null(l.own->backup);
    assert_int_equal(l.own->frequencies.nvalue, 0);
    assert_int_equal(l.own->keep.ntext, 0);
    assert_int_equal(l.line.job.series.gaps, GAPS_KEEP);
    assert_int_equal(l.line.job.derivatives, -1);
    assert_false(l.line.job.series.start.given);
    assert_int_equal(l.line.operands.ntext, 0);
    end_line(&l);
}

static void every_spelling(void **state)
{
    (void)state;
    struct line l;
    GOOD("-d", "0");
    assert_int_equal(l.line.job.derivatives, 0);
    end_line(&l);
    GOOD("-d0");
    assert_int_equal(l.line.job.derivatives, 0);
    end_line(&l);
    GOOD("--derivatives=1");
    assert_int_equal(l.line.job.derivatives, 1);
    end_line(&l);
    GOOD("--derivatives", "2", "-wr-2", "--start", "-5", "-H.5");
    assert_int_equal(l.line.job.derivatives, 2);
    assert_true(l.own->wrap);
    assert_true(l.own->response == -2);
    assert_true(l.own->halflife == .5);
    assert_true(l.line.job.series.start.given && l.line.job.series.start.value == -5);
    end_line(&l);
    GOOD("-r", "-2", "-r", "1e-3", "--label=a=b", "-i", "--in-place=.bak");
    assert_true(l.own->response == 1e-3);
    assert_string_equal(l.own->label, "a=b");
    assert_string_equal(l.own->backup, ".bak");
    end_line(&l);
    GOOD("-i", "x.csv");
    assert_string_equal(l.own->backup, "");
    assert_int_equal(l.line.operands.ntext, 1);
    end_line(&l);
    GOOD("--keep", "a", "--keep=-b");
    assert_int_equal(l.own->keep.ntext, 2);
    assert_string_equal(l.own->keep.text[1], "-b");
    end_line(&l);
    GOOD("--gaps", "restart", "--method", "euler");
    assert_int_equal(l.line.job.series.gaps, GAPS_RESTART);
    assert_int_equal(l.own->method, 1);
    end_line(&l);
}

static void operands_in_any_order(void **state)
{
    (void)state;
    struct line l;
    for (int posix = 0; posix < 2; posix++) {
        if (posix)
            setenv("POSIXLY_CORRECT", "1", 1);
        GOOD("a.csv", "-w", "-", "-H", "1", "b.csv", "--", "-w", "--");
        assert_true(l.own->halflife == 1);
        assert_int_equal(l.line.operands.ntext, 5);
        const char *expected[] = { "a.csv", "-", "b.csv", "-w", "--" };
        for (size_t i = 0; i < 5; i++)
            assert_string_equal(l.line.operands.text[i], expected[i]);
        end_line(&l);
    }
    unsetenv("POSIXLY_CORRECT");
}

static void numbers(void **state)
{
    (void)state;
    struct line l;
    GOOD("--frequencies", "1,2.5,1e1", "--frequencies", "3,4");
    assert_int_equal(l.own->frequencies.nvalue, 2);
    assert_true(l.own->frequencies.value[1] == 4);
    end_line(&l);
    GOOD("--frequencies", "1:1000:4");
    assert_int_equal(l.own->frequencies.nvalue, 4);
    const double decades[] = { 1, 10, 100, 1000 };
    assert_memory_equal(l.own->frequencies.value, decades, sizeof decades);
    end_line(&l);
    GOOD("--frequencies", "0.3:7:50");
    for (size_t i = 0; i + 1 < 50; i++)
        assert_true(fabs(l.own->frequencies.value[i + 1] / l.own->frequencies.value[i] -
                         pow(7 / .3, 1. / 49)) < 1e-13);
    end_line(&l);
    FAULT("--frequencies: must be a number greater than 0|x|", "--frequencies", "1,x");
    FAULT("--frequencies: must be a number greater than 0||", "--frequencies", "1,");
    FAULT("--frequencies: must be greater than 0|-1|", "--frequencies", "1,-1,2");
    FAULT("--frequencies: must be LO:HI:N with LO < HI and N from 2 to 100000|3:2:5|", "--frequencies",
          "3:2:5");
    FAULT("--frequencies: must be LO:HI:N with LO < HI and N from 2 to 100000|1:2:1|", "--frequencies",
          "1:2:1");
    FAULT("--frequencies: must be LO:HI:N with LO < HI and N from 2 to 100000|1:2:|", "--frequencies",
          "1:2:");
    FAULT("--frequencies: must be LO:HI:N with LO < HI and N from 2 to 100000|1:2|", "--frequencies", "1:2");
}

static void bad_values(void **state)
{
    (void)state;
    struct line l;
    FAULT("--halflife: must be greater than 0|-1|", "-H", "-1");
    FAULT("--halflife: must be greater than 0|0|", "--halflife=0");
    FAULT("--halflife: must be a number greater than 0|nan|", "-H", "nan");
    FAULT("--halflife: must be a number greater than 0|inf|", "-H", "inf");
    FAULT("--halflife: must be a number greater than 0|12abc|a unit may follow: s, ms, us, ns, min, h", "-H",
          "12abc");
    FAULT("--halflife: must be a number greater than 0|1,5|numbers have a decimal point: 1.5", "-H",
          "1,5");
    FAULT("--halflife: must be a number greater than 0| 1|", "-H", " 1");
    FAULT("--halflife: must be a number greater than 0|0x10|a unit may follow: s, ms, us, ns, min, h", "-H",
          "0x10");
    FAULT("--halflife: must be a number greater than 0||", "--halflife=");
    FAULT("--halflife: out of range|1e400|the valid range is 1e-30 to 1e+30", "-H", "1e400");
    FAULT("--response: must be a number|x|", "-r", "x");
    FAULT("--order: must be from 0 to 2|3|", "--order=3");
    FAULT("--order: must be a whole number from 0 to 2|1.5|", "--order=1.5");
    FAULT("--order: must be a whole number from 0 to 2||", "--order=");
    FAULT("--order: must be a whole number from 0 to 2|-|", "--order=-");
    FAULT("--order: must be from 0 to 2|99999999999999999999|", "--order=99999999999999999999");
    FAULT("--method: must be exact or euler|eler|did you mean euler?", "--method", "eler");
    FAULT("--method: must be exact or euler|zzz|", "--method", "zzz");
    FAULT("--method: must be exact or euler||", "--method", "");
    FAULT("--label: the value is empty||", "-l", "");
    FAULT("--time: must be a number greater than 0|seconds|", "--time", "seconds");
}

static void bad_options(void **state)
{
    (void)state;
    struct line l;
    FAULT("unknown option --halfife||did you mean --halflife?", "--halfife", "1");
    FAULT("unknown option --half||did you mean --halflife?", "--half=1");
    FAULT("unknown option --HALFLIFE||did you mean --halflife?", "--HALFLIFE");
    FAULT("unknown option --xyzzy||for all options, add --help", "--xyzzy");
    FAULT("unknown option --\\x1B[1m||for all options, add --help", "--\033[1m");
    FAULT("unknown option -Q||for all options, add --help", "-Q");
    FAULT("unknown option -Q||for all options, add --help", "-wQ");
    FAULT("unknown option -é||for all options, add --help", "-é");
    FAULT("unknown option -5||for all options, add --help", "-5");
    FAULT("unknown option -order||did you mean --order?", "-order", "1");
    FAULT("unknown option -halflife||did you mean --halflife?", "-halflife=1");
    FAULT("unknown option -help||did you mean --help?", "-help");
    FAULT("--response: must be a number|at|", "-rat");
    FAULT("--wrap does not take a value||", "--wrap=1");
    FAULT("--halflife needs a value: greater than 0||", "-H");
    FAULT("--halflife needs a value: greater than 0||", "a", "--halflife");
    FAULT("--time-unit needs a value: s, ms, us, ns, min, h or frames||", "--time-unit");
    FAULT("--label needs a value: TEXT||", "-wl");
}

static void the_letter_of_a_hidden_name_works(void **state)
{
    (void)state;
    struct line l;
    GOOD("--time", "0.5", "-t", "seconds");
    assert_true(l.own->time == .5);
    assert_string_equal(l.line.job.columns.time, "seconds");
    end_line(&l);
}

static void help_ends_parsing(void **state)
{
    (void)state;
    struct line l;
    GOOD("-w", "--help", "--nonsense");
    assert_true(l.line.help);
    end_line(&l);
    GOOD("-wh");
    assert_true(l.line.help);
    end_line(&l);
}

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
        cmocka_unit_test(defaults),
        cmocka_unit_test(every_spelling),
        cmocka_unit_test(operands_in_any_order),
        cmocka_unit_test(numbers),
        cmocka_unit_test(bad_values),
        cmocka_unit_test(bad_options),
        cmocka_unit_test(the_letter_of_a_hidden_name_works),
        cmocka_unit_test(help_ends_parsing),
        cmocka_unit_test(no_option_stands_twice),
        cmocka_unit_test(nearest_names),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
