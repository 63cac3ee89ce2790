/* Tables of options -> getopt_long -> checked settings. One parser for every command; each command says which tables it
 * takes. Help, the man page's lists and the completions come from the same tables (manual.c).
 * Invariant: no option exists that is not a row of a table. */
#ifndef SPRUNG_OPTIONS_H
#define SPRUNG_OPTIONS_H

#include "base/error.h"
#include "filters/filter.h"
#include "formats/format.h"
#include "base/suggest.h"
#include "base/param.h"

enum gaps { GAPS_KEEP, GAPS_FILL, GAPS_RESTART, GAPS_ERROR };

struct series_options {       /* how rows become a series */
    const char *time;         /* --time */
    int time_unit;            /* index: s ms us ns */
    double rate;              /* --rate; NaN: not given */
    const char *columns, *exclude;
    long derivatives;         /* 0, 1, 2; -1: not given */
    int gaps;                 /* enum gaps */
    double max_gap;           /* seconds; NaN: none */
    const char *group_by;
    const char *start;        /* "first", "zero", or a number */
    const char *angles;       /* list of columns */
    double period;            /* of angles; NaN: not given */
    bool wrap;
    bool zero_phase;
    struct texts sets;        /* --set: LIST:option=value */
    const char *quaternions;  /* list of names, globs, positions; NULL: there are none */
    double resample;          /* --resample; NaN: not given */
};

struct cut_options {          /* where the goal jumps; for filters that take cuts */
    const char *cuts;         /* "T,T,…" or "cue" */
    const char *column;
    const char *from;         /* file */
    double detect;            /* K; NaN: not asked for */
};

struct number_options {
    long precision, decimals; /* -1: not given */
};

enum progress_when { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };

struct output_options {
    const char *from, *to;    /* format names */
    int subtype;              /* enum subtype; -1: not given */
    const char *output, *output_dir, *suffix; /* NULL: not given */
    const char *in_place;     /* the backup's suffix, "" for none; NULL: not in place */
    const char *plot; /* --plot: file of a picture */
    const char *report;       /* "text", "json"; "": text; NULL: none */
    double max_change;        /* NaN: no limit */
    bool force, dry_run;
    long jobs;                /* -1: as many as there are processors */
    int progress;             /* enum progress_when */
    bool quiet, verbose;
};

struct diff_options {
    double abs, rel;          /* tolerance: |a - b| <= abs + rel * max(|a|, |b|); NaN: not given */
    bool exact;
    const char *columns, *key;
    const char *angles, *quaternions;
    double period;
    int report;               /* enum report_style */
    const char *from;
    bool quiet;
};

enum report_style { REPORT_TEXT, REPORT_JSON };

enum response_to { RESPONSE_TEXT, RESPONSE_CSV, RESPONSE_JSON };

struct response_options {
    bool step, impulse, ramp, bode, summary;
    double duration, rate;    /* NaN: by what the filter does */
    int to;                   /* enum response_to */
    const char *plot;         /* NULL: no picture */
};

struct plot_options {
    const char *output;       /* NULL: the terminal */
    const char *title, *unit;
    long across;              /* panels side by side */
    const char *from;
    const char *cut_column;
};

/* A table of rows and the struct that their offsets point into. */
struct option_table {
    const char *title;        /* heading in help: "Series", "Numbers" */
    const struct param *params;
    size_t nparam;
    void *settings;
};

struct general_options {      /* what every command knows */
    bool help, version;
};

enum help_format { HELP_TEXT, HELP_MAN, HELP_BASH, HELP_ZSH, HELP_FISH };

struct help_options {
    int format;               /* enum help_format */
};

/* The tables that are not a filter's or a format's (tables.c). They have no settings: a caller copies what it takes and
 * fills that in, with a struct series_options, input_options, number_options, output_options, general_options. */
extern const struct option_table options_series, options_cuts, options_input, options_numbers, options_output, options_general,
    options_help, options_diff, options_response, options_plot, options_channels;

/* The tables that every filter takes after its own, in the order of help; NULL-terminated. */
extern const struct option_table *const options_shared[];

/* Does the filter take the options of this shared table? */
bool options_taken(const struct filter *filter, const struct option_table *shared);

/* What a command that is no filter takes: for its help, the manual and the completions. */
struct option_page {
    const char *name, *summary;
    const char *operands;     /* as the usage line shows them */
    const char *about;        /* paragraphs, an empty line between */
    const struct option_table *const *tables; /* NULL-terminated */
};

/* A row per command, the last with name NULL. */
extern const struct option_page options_pages[];

/* Sets every field of every table to its default, or to "not given" where it has none (see param.h). Settings are zeroed
 * before by the caller. Fails only when memory is out or a default is not valid. */
bool options_defaults(const struct option_table *tables, size_t ntable, struct error *e);

/* Parses argv[1..argc) (argv[0] is the command's name) into the tables' settings. Operands, in order, go to operands
 * (a texts list, owned by the caller: options_free). "--" ends options; "-" is an operand; options and operands mix in
 * any order, whatever POSIXLY_CORRECT says. Of an option given twice the last counts. Where two tables have a long name
 * in common the first table's is meant, and the other keeps its letter. An unknown option names the nearest known one;
 * a bad value names the option, what it takes and the range. Abbreviated long options are refused. A row of
 * options_general ends parsing: what follows --help does not matter. Texts point into argv. One call at a time. */
bool options_parse(int argc, char **argv, const struct option_table *tables, size_t ntable, struct texts *operands,
                   struct error *e);

/* Frees lists that parsing made; operands may be NULL. */
void options_free(const struct option_table *tables, size_t ntable, struct texts *operands);

/* Appends to a list; text is not copied. */
bool options_add_text(struct texts *texts, const char *text, struct error *e);

/* Writes what the row accepts ("greater than 0", "from 0 to 2", "s, ms, us or ns"; "" where anything goes) into buf,
 * NUL-terminated and cut. Returns buf. */
char *options_range(const struct param *p, char *buf, size_t maxbuf);

/* Sets the row's field as if the option were not given. A list it held is not freed. */
bool options_default(const struct param *p, void *settings, struct error *e);

/* Sets the row's field from an argument, as the command line does; value is NULL for a flag, and where an optional value
 * is not given. */
bool options_set(const struct param *p, void *settings, const char *value, struct error *e);

#endif
