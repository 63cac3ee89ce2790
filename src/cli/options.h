/* Tables of options -> getopt_long -> checked settings. One parser for every command; each command says which
 * tables it takes. Help, the man page's lists and the completions come from the same tables (manual.c).
 * Invariant: no option exists that is not a row of a table. */
#ifndef SPRUNG_OPTIONS_H
#define SPRUNG_OPTIONS_H

#include "base/param.h"
#include "compare/diff.h"
#include "run/filter_job.h"
#include "view/response_show.h"

struct plot_options {
    const char *output; /* NULL: the terminal */
    const char *title, *unit;
    long across; /* panels side by side */
    const char *from;
    const char *cut_column;
};

/* A table of rows and the struct that their offsets point into. */
struct option_table {
    const char *title; /* heading in help: "Series", "Numbers" */
    const struct param *params;
    size_t nparam;
    void *settings;
};

struct general_options { /* what every command knows */
    bool help, version;
};

enum help_format { HELP_TEXT, HELP_MAN, HELP_BASH, HELP_ZSH, HELP_FISH };

struct help_options {
    int format; /* enum help_format */
};

/* The tables that are not a filter's (option_tables.c). They have no settings: a caller copies what it takes
 * and fills that in: a struct filter_job_config for options_series, options_cuts, options_numbers,
 * options_output and options_channels, else the struct of that name. */
extern const struct option_table options_series, options_cuts, options_input, options_numbers, options_output,
    options_general, options_help, options_diff, options_response, options_plot, options_channels;

/* The tables that every filter takes after its own, in the order of help; NULL-terminated. */
extern const struct option_table *const options_shared[];

/* Does the filter take the options of this shared table? */
bool options_taken(const struct filter *filter, const struct option_table *shared);

/* What a command that is no filter takes: for its help, the manual and the completions. */
struct option_page {
    const char *name, *summary;
    const char *operands;                     /* as the usage line shows them */
    const char *about;                        /* paragraphs, an empty line between */
    const struct option_table *const *tables; /* NULL-terminated */
};

/* A row per command, the last with name NULL. */
extern const struct option_page options_pages[];

/* Sets every field of every table to its default, or to "not given" where it has none (see param.h). Settings
 * are zeroed before by the caller. Fails only when memory is out or a default is not valid. */
bool options_defaults(const struct option_table *tables, size_t ntable, struct error *e);

/* Parses argv[1..argc) (argv[0] is the command's name) into the tables' settings. Operands, in order, go to
 * operands (a texts list, owned by the caller: options_free). "--" ends options; "-" is an operand; options
 * and operands mix in any order, whatever POSIXLY_CORRECT says. Of an option given twice the last counts.
 * Where two tables have a long name in common the first table's is meant, and the other keeps its letter. An
 * unknown option names the nearest known one; a bad value names the option, what it takes and the range.
 * Abbreviated long options are refused. A row of options_general ends parsing: what follows --help does not
 * matter. Texts point into argv. One call at a time. */
bool options_parse(int argc, char **argv, const struct option_table *tables, size_t ntable,
                   struct texts *operands, struct error *e);

/* Frees lists that parsing made; operands may be NULL. */
void options_free(const struct option_table *tables, size_t ntable, struct texts *operands);

#endif
