/* Help, the manual page and the shell completions, made from the tables of options and the lists of filters
 * and commands. Every function that returns a string returns it malloc'ed, to be freed by the caller, or NULL
 * when memory is out. Invariant: nothing here names an option or a filter. */
#ifndef SPRUNG_CLI_MANUAL_H
#define SPRUNG_CLI_MANUAL_H

#include "base/text.h"
#include "cli/command.h"

/* `sprung help`: what it is, the filters, the commands, examples. */
char *manual_overview(void);

/* A few lines for a command line without arguments. */
char *manual_short(void);

/* `sprung --version`. */
char *manual_version(void);

/* `sprung help COMMAND` and `sprung COMMAND --help`; of command_filter with the filter, else NULL. */
char *manual_page(const struct command *command, const struct filter *filter);

/* The manual page in mdoc: a copy of the frame with lists in place of the marks @FILTERS@, @COMMANDS@,
 * @FORMATS@ and @OPTIONS title@ (of a shared table); a mark that fills a line replaces its line end, too.
 * NULL and *e when memory is out or a mark, which begins with a capital letter, is unknown. */
char *manual_mdoc(const char *frame, struct error *e);

/* Completions for a shell: HELP_BASH, HELP_ZSH or HELP_FISH. */
char *manual_completion(enum help_format shell);

/* Does one of the filter's own options hide this shared one's long name? */
bool manual_hides(const struct filter *filter, const struct param *shared);

/* The words that an option's value can be, FORMAT's names too, NULL-terminated and static; NULL when there is
 * no list. */
const char *const *manual_choices(const struct param *p);

/* An option's help and " (greater than 0; default 1)": its range and default, as far as it has them. */
char *manual_help(const struct param *p);

#endif
