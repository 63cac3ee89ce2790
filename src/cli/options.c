/* The command line: rows of tables -> getopt_long -> settings. getopt_long splits words into options and
 * values; options.c reports unknown options, with suggestions, and missing values; base/param.c reports wrong
 * values. */
#include "cli/options.h"

#include "base/array.h"
#include "base/port.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "springs/filter_words.h"
#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

struct row {
    const struct param *param;
    void *settings; /* the struct of the param's field: the filter's settings, or the command line */
};

enum {
    FIRST = 256, /* row i has the val FIRST + i in getopt's table, so that val is no letter */
    MAXROW = 128
};

/* The options of the filter and of the tables, and the words that are parsed. */
struct rows {
    struct command_line *line;
    struct row row[MAXROW];
    size_t nrow;
    struct option option[MAXROW + 1]; /* getopt's table; the last entry is zero */
    char letters[3 * MAXROW + 3];     /* getopt's string of short options */

    char **word; /* [nword] the command line, or a file of --options; word[0] is not parsed */
    size_t nword;
    bool in_file;
};

/* The member has_arg of getopt_long's struct option. The value is also the number of colons after the
 * option's letter in the string of short options. */
static int has_argument(const struct param *param)
{
    if (param->kind == PARAM_FLAG)
        return no_argument;
    return param->kind == PARAM_OPTIONAL_TEXT ? optional_argument : required_argument;
}

/* Sets the fields of a table's options to their defaults, and adds the options; known false: they stay
 * unknown. */
static bool add_rows(struct rows *rows, const struct param *params, size_t nparam, void *settings, bool known,
                     struct error *e)
{
    for (const struct param *param = params; param < params + nparam; param++) {
        if (!param_default(param, settings, e))
            return false;
        if (!known)
            continue;
        assert(rows->nrow < MAXROW);
        rows->row[rows->nrow] = (struct row){ param, settings };
        rows->option[rows->nrow] = (struct option){ param->name, has_argument(param), NULL,
                                                    FIRST + (int)rows->nrow };
        rows->nrow++;
        if (param->letter)
            text_append(rows->letters, sizeof rows->letters, "%c%.*s", param->letter, has_argument(param),
                        "::");
    }
    return true;
}

/* The first row with the long name name[n] or the letter, which may be 0; NULL: no row. */
static struct row *find_row(struct rows *rows, const char *name, size_t n, int letter)
{
    for (size_t i = 0; i < rows->nrow; i++)
        if (param_is(rows->row[i].param, name, n, letter))
            return &rows->row[i];
    return NULL;
}

bool options_apply(const struct filter *filter, const struct option_table *table)
{
    if (table == &options_cuts)
        return !filter || filter->cuts;
    return table != &options_zero_phase || !filter || filter->zero_phase;
}

const struct param *options_find(const struct filter *filter, const struct option_table *const *tables,
                                 const char *word)
{
    const bool short_name = word[0] == '-' && word[1] && word[1] != '-' && !word[2];
    const char *name = word + strspn(word, "-");
    const int letter = short_name ? name[0] : 0;
    const size_t n = short_name ? 0 : strcspn(name, "=");
    const struct param *param = filter ? param_find(filter->params, filter->nparam, name, n, letter) : NULL;
    for (; *tables && !param; tables++)
        if (options_apply(filter, *tables))
            param = param_find((*tables)->params, (*tables)->nparam, name, n, letter);
    return param;
}

/* The error that the option name[n], after these dashes, is unknown. The hint is that of a synonym, or names
 * filters with the option, or suggests another name, or says how to list all. Returns false. */
static bool unknown_option(struct rows *rows, const char *dashes, const char *name, size_t n, struct error *e)
{
    char word[64], list[256] = "";
    const size_t ndash = strlen(dashes);
    strcpy(word, dashes);
    error_escape(name, n, word + ndash, sizeof word - ndash);
    error_usage(e, "unknown option %s", word);
    if (ndash == 2 && n == 1 && find_row(rows, "", 0, *name))
        return error_hint(e, "did you mean -%c?", *name);
    const char *synonym = synonym_of(word + ndash, false, rows->line);
    if (synonym)
        return error_hint(e, "%s", synonym);
    for (const struct filter *const *f = filter_list; *f; f++)
        if (options_find(*f, options_some, word))
            text_append(list, sizeof list, "%s%s", list[0] ? ", " : "", (*f)->name);
    if (list[0])
        return error_hint(e, "this is an option of %s", list);
    struct suggestion near = { .word = word + ndash };
    for (size_t i = 0; i < rows->nrow && ndash == 2; i++)
        suggest_offer(&near, rows->row[i].param->name);
    return near.best ? error_hint(e, "did you mean --%s?", near.best)
                     : error_hint(e, "for all options, add --help");
}

/* The error that a letter in a word such as -xyz is no option. Returns false. */
static bool unknown_letter(struct rows *rows, const char *word, struct error *e)
{
    const char *at = word + 1;
    uint32_t code;
    while (find_row(rows, "", 0, *at))
        at++;
    const size_t n = utf8_decode(at, 4, &code);
    return unknown_option(rows, "-", at, n ? n : 1, e);
}

static bool missing_value(const struct param *param, struct error *e)
{
    char range[200];
    param_range_text(param, range, sizeof range);
    return error_usage(e, "--%s needs a value: %s", param->name, range[0] ? range : param->value);
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
    if (!row && !two_dashes && !synonym_of(name, false, rows->line))
        return true;
    if (!row)
        return unknown_option(rows, two_dashes ? "--" : "-", name, n, e);
    if (two_dashes)
        return row->param->kind != PARAM_FLAG || !name[n] ||
               error_usage(e, "--%s does not take a value", row->param->name);
    error_usage(e, "unknown option -%s", row->param->name);
    return error_hint(e, "did you mean --%s?", row->param->name);
}

/* Takes the option's value: optarg, or for an optional value the next word, if the word is a choice of the
 * option. letter: the option was given as a letter. NULL: no value is given. */
static const char *take_value(const struct rows *rows, const struct param *param, bool letter)
{
    const bool path = param->value && (strcmp(param->value, "FILE") == 0 || strcmp(param->value, "DIR") == 0);
    const char *next = rows->word[optind];
    if (letter && (path || param->kind != PARAM_TEXT) && optarg && *optarg == '=')
        optarg++; /* -H=1 is -H 1; in a LIST =3 is a name */
    if (optarg && path)
        port_slashes(optarg);
    if (param->kind != PARAM_OPTIONAL_TEXT || optarg || !next)
        return optarg;
    for (size_t i = 0; param->choices && param->choices[i]; i++)
        if (strcmp(next, param->choices[i]) == 0)
            return rows->word[optind++];
    return NULL;
}

/* Keeps an option about reading or columns for the command that sprung inspect advises. */
static void keep_given(struct inspect_options *inspect, const struct param *param, const char *value)
{
    static const struct option_table *const repeated[] = { &options_columns, &options_input, NULL };
    const bool reads = strcmp(param->name, "group-by") == 0 || strcmp(param->name, "bad-rows") == 0;
    if (inspect->ngiven < INSPECT_GIVEN && (reads || options_find(NULL, repeated, param->name)))
        inspect->given[inspect->ngiven++] = (struct inspect_given){ param->name, value };
}

/* The row of an option. id: a result of getopt_long, FIRST + the row's number or a letter. */
static const struct row *row_of(struct rows *rows, int id)
{
    return id >= FIRST ? &rows->row[id - FIRST] : find_row(rows, "", 0, id);
}

/* Sets an option to the value from getopt_long. id: as for row_of. */
static bool set_option(struct rows *rows, int id, struct error *e)
{
    const struct row *row = row_of(rows, id);
    const struct param *param = row->param;
    const bool letter = id < FIRST;
    const char *value = take_value(rows, param, letter);
    if (!param_set(param, row->settings, value, e))
        return false;
    if (rows->line->tables[0] == &options_inspect)
        keep_given(&rows->line->inspect, param, value);
    rows->line->brief = param->ends && letter;
    return true;
}

static bool add_operand(struct rows *rows, char *word, struct error *e)
{
    if (!rows->in_file)
        return texts_add(&rows->line->operands, port_slashes(word), e);
    error_usage(e, "not an option; give files on the command line");
    return error_excerpt(e, word, strlen(word));
}

/* Parses the words. On false *at is the index of the word that the error is about. */
static bool parse_words(struct rows *rows, size_t *at, struct error *e)
{
    enum { OPERAND = 1, END = -1, UNKNOWN = '?', MISSING = ':' }; /* results of getopt_long besides options */
    bool end = false;                                             /* no more options follow */
    opterr = 0;
    optind = 0; /* glibc: begins a new command line */
    for (*at = 1; *at < rows->nword && !end; *at = (size_t)optind) {
        char *word = rows->word[*at];
        if (!check_word(rows, word, e))
            return false;
        const int id = getopt_long((int)rows->nword, rows->word, rows->letters, rows->option, NULL);
        if (id == UNKNOWN)
            return unknown_letter(rows, word, e);
        if (id == MISSING)
            return missing_value(row_of(rows, optopt)->param, e);
        end = id == END || (id != OPERAND && row_of(rows, id)->param->ends);
        if (id == OPERAND && !add_operand(rows, optarg, e))
            return false;
        if (id != OPERAND && id != END && !set_option(rows, id, e))
            return false;
    }
    const bool ended = rows->line->help || rows->line->version;
    for (; *at < rows->nword && !ended; ++*at)
        if (!add_operand(rows, rows->word[*at], e))
            return false;
    return true;
}

/* Parses a file of --options. */
static bool parse_file(struct rows *rows, const char *name, struct error *e)
{
    struct command_line *line = rows->line;
    struct option_words words = { 0 };
    size_t at = 0;
    line->file = name;
    bool good = texts_add(&line->files, name, e) && option_words_read(&words, name, e);
    if (words.bytes && !texts_add(&line->bytes, words.bytes, e)) {
        free(words.bytes);
        good = false;
    }
    if (good) {
        rows->word = words.word;
        rows->nword = words.n;
        good = parse_words(rows, &at, e) || error_place(e, words.line[at]);
    }
    free(words.word);
    return good;
}

/* Parses the files of --options, before all other options of the command line. */
static bool parse_files(struct rows *rows, struct error *e)
{
    char *const *argv = rows->line->argv;
    static const char option[] = "--options";
    const size_t n = strlen(option);
    rows->in_file = true;
    for (int i = 1; i < rows->line->argc && strcmp(argv[i], "--") != 0; i++) {
        const char *name = NULL;
        if (strncmp(argv[i], option, n) == 0 && argv[i][n] == '=')
            name = argv[i] + n + 1;
        else if (strcmp(argv[i], option) == 0)
            name = argv[++i];
        if (name && name[0] && !parse_file(rows, name, e))
            return false;
    }
    rows->in_file = false;
    rows->line->file = NULL;
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
        if (!add_rows(&rows, own->filter->params, own->filter->nparam, own->settings, true, e))
            return false;
    }
    for (const struct option_table *const *t = line->tables; *t; t++) {
        /* filters without --zero-phase know it, too, so that the error can name a cutoff. */
        const bool known = *t != &options_cuts || options_apply(own->filter, *t);
        if (!add_rows(&rows, (*t)->params, (*t)->nparam, line, known, e))
            return false;
    }
    size_t at;
    if (!parse_files(&rows, e))
        return false;
    rows.word = line->argv;
    rows.nword = (size_t)line->argc;
    return parse_words(&rows, &at, e);
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
    for (size_t i = 0; i < line->bytes.ntext; i++)
        free((char *)(uintptr_t)line->bytes.text[i]);
    free(line->bytes.text);
    free(line->files.text);
}
