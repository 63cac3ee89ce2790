/* The command line: rows of tables -> getopt_long -> settings. getopt_long splits words into options and
 * values; options.c reports unknown options, with suggestions, and missing values; base/param.c reports wrong
 * values. */
#include "cli/options.h"

#include "base/port.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "springs/filter_words.h"
#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#undef FIELD
#define FIELD(field) offsetof(struct command_line, field)

struct row {
    const struct param *param;
    void *settings; /* the struct of the param's field: the filter's settings, or the command line */
    bool given;
    const char *file; /* of --options, that gave the option; NULL: the command line */
};

enum {
    FIRST = 256, /* row i has the val FIRST + i in getopt's table, so that val is no letter */
    MAXROW = 128
};

/* The options of the filter and of the tables. */
struct rows {
    struct command_line *line;
    struct row row[MAXROW];
    size_t nrow;
    struct option option[MAXROW + 1]; /* getopt's table; the last entry is zero */
    char letters[3 * MAXROW + 3];     /* getopt's string of short options */
};

/* The member has_arg of getopt_long's struct option. The value is also the number of colons after the
 * option's letter in the string of short options. */
static int has_argument(const struct param *param)
{
    if (param->kind == PARAM_FLAG)
        return no_argument;
    return param->kind == PARAM_OPTIONAL_TEXT ? optional_argument : required_argument;
}

static bool set_defaults(const struct param *params, size_t nparam, void *settings, struct error *e)
{
    for (const struct param *param = params; param < params + nparam; param++)
        if (!param_default(param, settings, e))
            return false;
    return true;
}

/* Adds the options of a table. */
static void add_rows(struct rows *rows, const struct param *params, size_t nparam, void *settings)
{
    for (const struct param *param = params; param < params + nparam; param++) {
        assert(rows->nrow < MAXROW);
        rows->row[rows->nrow] = (struct row){ param, settings, false, NULL };
        rows->option[rows->nrow] = (struct option){ param->name, has_argument(param), NULL,
                                                    FIRST + (int)rows->nrow };
        rows->nrow++;
        if (param->letter)
            text_append(rows->letters, sizeof rows->letters, "%c%.*s", param->letter, has_argument(param),
                        "::");
    }
}

/* The first row with the long name name[n] or the letter, which may be 0; NULL: no row. */
static struct row *find_row(struct rows *rows, const char *name, size_t n, int letter)
{
    for (size_t i = 0; i < rows->nrow; i++)
        if (param_is(rows->row[i].param, name, n, letter))
            return &rows->row[i];
    return NULL;
}

/* Has the command an option of this name, or a table with this heading? */
static bool has_option(const void *command, const char *name)
{
    const struct rows *rows = command;
    for (const struct option_table *const *table = rows->line->tables; *table; table++)
        if (strcmp((*table)->title, name) == 0)
            return true;
    for (const struct row *row = rows->row; row < rows->row + rows->nrow; row++)
        if (strcmp(row->param->name, name) == 0)
            return true;
    return false;
}

bool options_apply(const struct filter *filter, const struct option_table *table)
{
    if (table == &options_cuts)
        return !filter || filter->cuts;
    return table != &options_zero_phase || !filter || filter_takes(filter, FILTER_ZERO_PHASE);
}

const struct param *options_of_filter(const struct filter *filter, const char *name, size_t n, int letter)
{
    const struct option_table *const some[] = { &options_cuts, &options_zero_phase };
    const struct param *param = param_find(filter->params, filter->nparam, name, n, letter);
    for (size_t i = 0; i < sizeof some / sizeof *some && !param; i++)
        if (options_apply(filter, some[i]))
            param = param_find(some[i]->params, some[i]->nparam, name, n, letter);
    return param;
}

/* The error that the option name[n] is unknown. letter: of a short option, whose character is name[n]; 0: the
 * option is long. The hint is that of a synonym, or names filters with the option, or suggests another name,
 * or says how to list all. Returns false. */
static bool unknown_option(const struct rows *rows, const char *name, size_t n, int letter, struct error *e)
{
    char word[64], list[256] = "";
    error_escape(name, n, word, letter ? 16 : sizeof word);
    error_usage(e, "unknown option %s%s", letter ? "-" : "--", word);
    const char *synonym = synonym_of_option(word, has_option, rows);
    if (synonym)
        return error_hint(e, "%s", synonym);
    for (const struct filter *const *f = filter_list; *f; f++)
        if (options_of_filter(*f, name, n, letter))
            text_append(list, sizeof list, "%s%s", list[0] ? ", " : "", (*f)->name);
    if (list[0])
        return error_hint(e, "this is an option of %s", list);
    struct suggestion near = { .word = word };
    for (size_t i = 0; i < rows->nrow && !letter; i++)
        suggest_offer(&near, rows->row[i].param->name);
    return near.best ? error_hint(e, "did you mean --%s?", near.best)
                     : error_hint(e, "for all options, add --help");
}

/* If `row`, an option of the filter, hides a shared option with the same long name, adds the hint how the
 * shared option is given. Returns false. */
static bool hint_hidden(const struct rows *rows, const struct row *row, struct error *e)
{
    for (const struct row *other = row + 1; other < rows->row + rows->nrow; other++)
        if (strcmp(other->param->name, row->param->name) == 0 && other->param->letter && row->param->value)
            return error_hint(e, "here --%s %s is the filter's own option; use -%c %s instead of --%s %s",
                              row->param->name, row->param->value, other->param->letter, other->param->value,
                              other->param->name, other->param->value);
    return false;
}

/* If the word of an unknown option is the name of a file, adds the hint how the file is given. Returns false.
 */
static bool hint_file(const char *word, struct error *e)
{
    char quoted[TEXT_WORD];
    return port_exists(word) && error_hint(e, "if it is the file, write ./%s", text_quoted(quoted, word));
}

/* The error that a letter in a word such as -xyz is no option. Returns false. */
static bool unknown_letter(const struct rows *rows, const char *word, int letter, struct error *e)
{
    const char *at = strchr(word + 1, letter);
    size_t n = 1;
    while (at && utf8_continues(at[n]))
        n++;
    unknown_option(rows, at ? at : word + 1, n, letter, e);
    if (strlen(word) > n + 1)
        error_excerpt(e, word, strlen(word));
    return hint_file(word, e);
}

static bool missing_value(const struct param *param, struct error *e)
{
    char range[200];
    param_range_text(param, range, sizeof range);
    const char *value = param->value && !param->choices ? param->value : "";
    return error_usage(e, "--%s needs a value: %s%s%s", param->name, value, value[0] && range[0] ? ", " : "",
                       range);
}

/* Refuses words that getopt_long would take in another sense: abbreviated long options, values of flags, and
 * a long name after a single dash (-halflife would be -h with a value). */
static bool check_word(struct rows *rows, const char *word, struct error *e)
{
    bool two_dashes = strncmp(word, "--", 2) == 0;
    if (word[0] != '-' || !word[1] || !word[2])
        return true;
    const char *name = word + 1 + two_dashes;
    size_t n = strcspn(name, "=");
    const struct row *row = find_row(rows, name, n, 0);
    if (!row)
        return !two_dashes || unknown_option(rows, name, n, 0, e) || hint_file(word, e);
    if (two_dashes)
        return row->param->kind != PARAM_FLAG || !name[n] ||
               error_usage(e, "--%s does not take a value", row->param->name);
    error_usage(e, "unknown option -%s", row->param->name);
    return error_hint(e, "did you mean --%s?", row->param->name);
}

/* Is the option's value the name of a file or folder? */
static bool names_path(const struct param *param)
{
    return param->value && (strcmp(param->value, "FILE") == 0 || strcmp(param->value, "DIR") == 0);
}

/* The word after those that getopt_long has taken; NULL: the last of its file, or of the command line. */
static char *next_word(const struct option_words *words)
{
    const size_t at = (size_t)optind;
    return at < words->n && words->place[at].file == words->place[at - 1].file ? words->word[at] : NULL;
}

/* Takes the option's value: optarg, or for an optional value the next word, if the word is a choice of the
 * option. letter: the option was given as a letter. NULL: no value is given. */
static const char *take_value(const struct rows *rows, const struct param *param, bool letter)
{
    if (letter && param->kind == PARAM_OPTIONAL_TEXT && optarg && *optarg == '=')
        optarg++; /* -i=.bak is --in-place=.bak */
    const char *next = next_word(&rows->line->words);
    if (optarg && names_path(param))
        port_slashes(optarg);
    if (param->kind != PARAM_OPTIONAL_TEXT || optarg || !next)
        return optarg;
    for (size_t i = 0; param->choices && param->choices[i]; i++)
        if (strcmp(next, param->choices[i]) == 0)
            return rows->line->words.word[optind++];
    return NULL;
}

/* After an option without its optional value, refuses a next word that is neither a file nor has the suffix
 * of a format: the user meant the word as the value, and --in-place would continue without a backup. word:
 * the next word; NULL: the option is the last word. */
static bool check_next_word(const struct param *param, const char *word, struct error *e)
{
    if (!word || word[0] == '-' || format_by_file(word) || port_exists(word))
        return true;
    char value[TEXT_WORD];
    error_usage(e, "--%s: there is no file of this name", param->name);
    error_excerpt(e, word, strlen(word));
    return error_hint(e, "if it is the value of --%s, write --%s=%s", param->name, param->name,
                      text_quoted(value, word));
}

/* Called when the option of `row` is given: options of the same exclusive group that an earlier file gave get
 * their defaults again. */
static void replace_group(const struct rows *rows, const struct row *row)
{
    for (const struct row *other = rows->row; other < rows->row + rows->nrow; other++) {
        bool same_group = other->param->exclusive_group == row->param->exclusive_group &&
                          other->settings == row->settings;
        if (!same_group || !other->given || other->file == row->file)
            continue;
        param_default(other->param, other->settings, NULL); /* cannot fail: no fallback */
    }
}

/* Replaces the hint of the error about the value by that of a synonym, if there is one. Returns false. */
static bool hint_value(const struct rows *rows, const struct param *param, const char *value, struct error *e)
{
    char word[64];
    snprintf(word, sizeof word, "%s=%s", param->name, value);
    const char *synonym = synonym_of_option(word, has_option, rows);
    return synonym && error_hint(e, "%s", synonym);
}

static bool param_is_among(const struct param *param, const struct option_table *table)
{
    return param >= table->params && param < table->params + table->nparam;
}

/* Keeps the option for the command that sprung inspect advises. */
static void keep_given(struct inspect_options *inspect, const struct param *param, const char *value)
{
    size_t k = 0;
    while (k < inspect->ngiven && strcmp(inspect->given[k].option, param->name) != 0)
        k++;
    const bool repeated = param_is_among(param, &options_columns) || param_is_among(param, &options_input) ||
                          strcmp(param->name, "group-by") == 0;
    if (k == INSPECT_GIVEN || !repeated)
        return;
    inspect->given[k] = (struct inspect_given){ param->name, value };
    inspect->ngiven = k == inspect->ngiven ? k + 1 : inspect->ngiven;
}

/* Sets the option of `row` to the value from getopt_long. letter: the option was given as a letter. */
static bool set_option(struct rows *rows, struct row *row, const char *file, bool letter, struct error *e)
{
    const struct param *param = row->param;
    const char *value = take_value(rows, param, letter);
    const bool own = row->settings != rows->line;
    const bool without_value = param->kind == PARAM_OPTIONAL_TEXT && !value;
    if (file && (param->ends || param->offset == FIELD(options)) && !own)
        return error_usage(e, "--%s works only on the command line", param->name);
    row->given = true;
    row->file = file;
    rows->line->own_given |= own;
    if (without_value && !check_next_word(param, next_word(&rows->line->words), e))
        return false;
    if (param->exclusive_group)
        replace_group(rows, row);
    bool good = param_set(param, row->settings, value, e);
    if (good && rows->line->tables[0] == &options_inspect)
        keep_given(&rows->line->inspect, param, value);
    return good || (value && hint_value(rows, param, value, e));
}

/* Adds the names that the word means: itself, or on Windows the files that match a word such as *.csv.
 */
static bool add_names(struct command_line *line, char *word, struct error *e)
{
    struct tree *matches = &line->matches;
    size_t before = matches->nfile;
    port_slashes(word);
    if (!port_expands_patterns || !strpbrk(word, "*?"))
        return texts_add(&line->operands, word, e);
    bool good = tree_add_matches(matches, word, e);
    if (good && matches->nfile == before)
        return texts_add(&line->operands, word, e); /* opening it says what is wrong */
    for (size_t i = before; good && i < matches->nfile; i++)
        good = texts_add(&line->operands, matches->file[i].path, e);
    return good;
}

/* Refuses an operand that was meant as an option: after a dash that is none in ASCII, or a bare number. */
static bool check_operand(const struct rows *rows, const char *word, struct error *e)
{
    static const char *const dashes[] = { "\xE2\x80\x93", "\xE2\x80\x94", "\xE2\x88\x92" };
    const struct filter *filter = rows->line->job.filter.filter;
    double number;
    for (size_t i = 0; i < sizeof dashes / sizeof *dashes; i++)
        if (strncmp(word, dashes[i], 3) == 0 && !port_exists(word)) {
            error_usage(e, "options begin with the ASCII dash -");
            error_excerpt(e, word, strlen(word));
            return error_hint(e, "write %s%s", word[4] ? "--" : "-", word + 3);
        }
    if (!filter || number_read(word, word + strlen(word), '.', &number) != word + strlen(word) ||
        port_exists(word))
        return true;
    error_usage(e, "there is no such file, and a number belongs to an option");
    error_excerpt(e, word, strlen(word));
    for (const struct param *own = filter->params; own < filter->params + filter->nparam; own++)
        if (own->kind == PARAM_NUMBER)
            return error_hint(e, "try --%s %s", own->name, word);
    return false;
}

static bool add_operand(const struct rows *rows, char *word, const char *file, struct error *e)
{
    if (!file)
        return check_operand(rows, word, e) && add_names(rows->line, word, e);
    error_usage(e, "not an option; give files on the command line");
    return error_excerpt(e, word, strlen(word));
}

/* The row of an option. id: a result of getopt_long, FIRST + the row's number or a letter. */
static struct row *row_of(struct rows *rows, int id)
{
    return id >= FIRST ? &rows->row[id - FIRST] : find_row(rows, "", 0, id);
}

/* Parses the word at *at and its value. *end: no more options follow. */
static bool parse_word(struct rows *rows, size_t *at, bool *end, struct error *e)
{
    enum { OPERAND = 1, END = -1 }; /* results of getopt_long besides options */
    const struct option_words *words = &rows->line->words;
    char *word = words->word[*at];
    const char *file = words->place[*at].file;
    if (file && strcmp(word, "--") == 0)
        return add_operand(rows, word, file, e);
    if (!check_word(rows, word, e))
        return false;
    const int id = getopt_long((int)words->n, words->word, rows->letters, rows->option, NULL);
    if (id == '?')
        return unknown_letter(rows, word, optopt, e);
    if (id == ':')
        return missing_value(row_of(rows, optopt)->param, e);
    *end = id == END;
    if (id == END || id == OPERAND)
        return id == END || add_operand(rows, optarg, file, e);
    struct row *row = row_of(rows, id);
    if ((size_t)optind > *at + 1 && words->place[optind - 1].file != file) /* the value is from elsewhere */
        return missing_value(row->param, e);
    if (!set_option(rows, row, file, id < FIRST, e))
        return hint_hidden(rows, row, e);
    rows->line->brief = row->param->ends && id < FIRST;
    *end = row->param->ends;
    return true;
}

/* On false *at is the index of the word that the error is about. */
static bool parse_words(struct rows *rows, size_t *at, struct error *e)
{
    const struct option_words *words = &rows->line->words;
    bool end = false;
    opterr = 0;
    optind = 0; /* glibc: begins a new command line */
    for (*at = 1; *at < words->n && !end; *at = (size_t)optind)
        if (!parse_word(rows, at, &end, e))
            return false;
    for (; *at < words->n && !rows->line->help && !rows->line->version && !rows->line->complete; ++*at)
        if (!add_operand(rows, words->word[*at], words->place[*at].file, e))
            return false;
    return true;
}

bool options_parse(struct command_line *line, struct error *e)
{
    struct job_filter *own = &line->job.filter;
    /* '-': operands come in order, whatever POSIXLY_CORRECT says; ':': a missing value is not an unknown
     * option. */
    struct rows rows = { .line = line, .letters = "-:" };
    if (own->filter) {
        own->settings = calloc(1, own->filter->settings_size + 1);
        if (!own->settings)
            return error_memory(e);
        if (!set_defaults(own->filter->params, own->filter->nparam, own->settings, e))
            return false;
        add_rows(&rows, own->filter->params, own->filter->nparam, own->settings);
    }
    for (const struct option_table *const *t = line->tables; *t; t++) {
        /* every filter knows --zero-phase: its error names a cutoff. */
        const bool known = *t != &options_cuts || options_apply(own->filter, *t);
        if (!set_defaults((*t)->params, (*t)->nparam, line, e))
            return false;
        if (known)
            add_rows(&rows, (*t)->params, (*t)->nparam, line);
    }
    size_t at;
    if (!option_words_make(&line->words, line->argc, line->argv, &line->file, e))
        return false;
    if (parse_words(&rows, &at, e))
        return true;
    line->file = line->words.place[at].file;
    if (line->file)
        error_place(e, line->words.place[at].line);
    return false;
}

void options_free(struct command_line *line)
{
    struct job_filter *own = &line->job.filter;
    if (own->settings)
        param_free(own->filter->params, own->filter->nparam, own->settings);
    free(own->settings);
    for (const struct option_table *const *t = line->tables; *t; t++)
        param_free((*t)->params, (*t)->nparam, line);
    free(line->operands.text);
    tree_free(&line->matches);
    option_words_free(&line->words);
}
