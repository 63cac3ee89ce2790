/* Help, the manual page's lists and the shell completions, all made from the tables of options and the list of filters.
 * Every function returns a malloc'ed string for the caller to write and free, or NULL when memory is out.
 * Invariant: nothing here names an option or a filter; it shows what the tables say. */
#ifndef SPRUNG_MANUAL_H
#define SPRUNG_MANUAL_H

#include "cli/options.h"

/* `sprung help`: what it is, the filters, the commands, examples. */
char *manual_overview(void);

/* A few lines for someone who typed nothing. */
char *manual_short(void);

/* `sprung --version`. */
char *manual_version(void);

/* `sprung help FILTER` and `sprung FILTER --help`. */
char *manual_filter(const struct filter *filter);

/* `sprung help COMMAND`. */
char *manual_page(const struct option_page *page);

/* Does a filter follow the command, before any option? */
bool manual_takes_filter(const struct option_page *page);

/* The command's row in options_pages, or NULL. */
const struct option_page *manual_find(const char *command);

/* The manual page in mdoc: its frame, with each line @FILTERS@, @COMMANDS@, @FORMATS@ or @OPTIONS title@ (the title of
 * a shared table) replaced by what the tables say. NULL and *e also when a mark is unknown. */
char *manual_mdoc(const char *frame, struct error *e);

/* Completions for a shell. Their files are sprung (bash), _sprung (zsh), sprung.fish. */
char *manual_bash(void);
char *manual_zsh(void);
char *manual_fish(void);

/* Does one of the filter's own options hide this shared one's long name? */
bool manual_hides(const struct filter *filter, const struct param *shared);

/* What the user may type for the option: NULL-terminated choices, FORMAT's names too; NULL when there is no list. The
 * array is static for the process. */
const char *const *manual_choices(const struct param *p);

#endif
