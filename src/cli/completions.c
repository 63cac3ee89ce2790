/* Completions for bash, zsh and fish: see manual.h. Each shell's script is a frame, whose marks are replaced
 * by what the tables say: the first words, every option under the filters and commands that take it, and the
 * choices of its value. Operands are files. */
#include "cli/manual.h"

#include <stdio.h>

/* Writes one option of a word; letter_only: its long name is hidden by an option of the filter's own. */
typedef void put_option(struct text *t, const char *word, const struct param *p, bool letter_only);

/* How a shell lists the options of a word: before, the word, after (unless before is ""), options, end. */
struct layout {
    const char *before, *after, *end;
    put_option *option;
};

/* The word is a filter, a command, or a command with the filter after it, as response/critical. */
static void put_word(struct text *t, const struct layout *l, const struct command *command,
                     const struct filter *filter)
{
    const struct option_table *const *tables = command ? command->tables : options_shared;
    char word[64];
    snprintf(word, sizeof word, "%s%s%s", command ? command->name : "", command && filter ? "/" : "",
             filter ? filter->name : "");
    if (l->before[0])
        text_put(t, "%s%s%s", l->before, word, l->after);
    for (size_t i = 0; filter && i < filter->nparam; i++)
        l->option(t, word, &filter->params[i], false);
    for (; *tables; tables++)
        for (size_t i = 0; i < (*tables)->nparam && (command || options_taken(filter, *tables)); i++) {
            const struct param *p = &(*tables)->params[i];
            l->option(t, word, p, filter && manual_hides(filter, p));
        }
    text_put(t, "%s", l->end);
}

/* All words: filters, commands, and commands with each filter. */
static void put_words(struct text *t, const struct layout *l)
{
    for (const struct filter *const *f = filter_list; *f; f++)
        put_word(t, l, NULL, *f);
    for (const struct command *const *c = command_list; *c; c++)
        put_word(t, l, *c, NULL);
    for (const struct command *const *c = command_list; *c; c++)
        for (const struct filter *const *f = filter_list; *f && (*c)->takes_filter; f++)
            put_word(t, l, *c, *f);
}

/* Writes one filter or command. */
typedef void put_name(struct text *t, const char *name, const char *summary);

static void put_each(struct text *t, put_name *put)
{
    for (const struct filter *const *f = filter_list; *f; f++)
        put(t, (*f)->name, (*f)->summary);
    for (const struct command *const *c = command_list; *c; c++)
        put(t, (*c)->name, (*c)->summary);
}

enum { FILTERS = 1, COMMANDS = 2, TAKERS = 4 /* commands that a filter follows */ };

/* Writes the names of some of these kinds, with blanks between them. */
static void put_names(struct text *t, unsigned kinds)
{
    const char *blank = "";
    for (const struct filter *const *f = filter_list; *f && kinds & FILTERS; f++, blank = " ")
        text_put(t, "%s%s", blank, (*f)->name);
    for (const struct command *const *c = command_list; *c; c++)
        if (kinds & COMMANDS || (kinds & TAKERS && (*c)->takes_filter)) {
            text_put(t, "%s%s", blank, (*c)->name);
            blank = " ";
        }
}

static void put_choices(struct text *t, const char *const *choices)
{
    for (size_t i = 0; choices && choices[i]; i++)
        text_put(t, "%s%s", i ? " " : "", choices[i]);
}

static bool is_file(const struct param *p)
{
    return p->value && (strcmp(p->value, "FILE") == 0 || strcmp(p->value, "DIR") == 0);
}

/* The words up to a semicolon, with a backslash before each character of special, and quote for a quote. */
static void put_clause(struct text *t, const char *words, const char *special, const char *quote)
{
    for (const char *p = words; *p && *p != ';'; p++) {
        if (*p == '\'')
            text_put(t, "%s", quote);
        else
            text_put(t, "%s%c", strchr(special, *p) ? "\\" : "", *p);
    }
}

/* --- bash --- */

static const char bash_frame[] =
    "# bash completion for sprung, made by: sprung help --format bash\n"
    "_sprung()\n"
    "{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} first=${COMP_WORDS[1]}\n"
    "    local names='@NAMES@' filters='@FILTERS@' words= value= takes_filter=\n"
    "    COMPREPLY=()\n"
    "    if [[ $COMP_CWORD == 1 ]]; then\n"
    "        COMPREPLY=($(compgen -W \"$names --help --version\" -- \"$cur\"))\n"
    "        return\n"
    "    fi\n"
    "    [[ ' @TAKERS@ ' == *\" $first \"* ]] && takes_filter=yes\n"
    "    if [[ -n $takes_filter && $COMP_CWORD -gt 2 && \" $filters \" == *\" ${COMP_WORDS[2]} \"* ]]; then\n"
    "        first+=/${COMP_WORDS[2]} takes_filter=\n"
    "    fi\n"
    "    # --gaps=keep comes as three words\n"
    "    if [[ $cur == '=' ]]; then\n"
    "        cur=\n"
    "    elif [[ $prev == '=' && $COMP_CWORD -gt 2 ]]; then\n"
    "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
    "    fi\n"
    "    case $first:$prev in\n"
    "@BASH VALUES@\n"
    "    esac\n"
    "    if [[ -n $value ]]; then\n"
    "        compopt +o default +o bashdefault 2> /dev/null\n"
    "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
    "        return\n"
    "    fi\n"
    "    case $first:$cur in\n"
    "@BASH OPTIONS@\n"
    "    help:*) words=$names ;;\n"
    "    *) [[ -n $takes_filter ]] && words=$filters ;;\n"
    "    esac\n"
    "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
    "}\n"
    "complete -o bashdefault -o default -F _sprung sprung\n";

static void bash_option(struct text *t, const char *word, const struct param *p, bool letter_only)
{
    (void)word;
    if (letter_only)
        text_put(t, " -%c", p->letter);
    else
        text_put(t, " --%s", p->name);
}

static void bash_value(struct text *t, const char *word, const struct param *p, bool letter_only)
{
    if (p->kind == PARAM_FLAG || p->kind == PARAM_OPTIONAL_TEXT || is_file(p))
        return;
    text_put(t, "    ");
    if (!letter_only)
        text_put(t, "%s:--%s", word, p->name);
    if (p->letter)
        text_put(t, "%s%s:-%c", letter_only ? "" : " | ", word, p->letter);
    text_put(t, ") value=yes words='");
    put_choices(t, manual_choices(p));
    text_put(t, "' ;;\n");
}

/* --- zsh --- */

static const char zsh_frame[] =
    "#compdef sprung\n"
    "# zsh completion for sprung, made by: sprung help --format zsh\n"
    "_sprung() {\n"
    "    local -a names options\n"
    "    local first operand='*:file:_files' filters='@FILTERS@'\n"
    "    names=(\n"
    "@ZSH NAMES@\n"
    "    )\n"
    "    if (( CURRENT == 2 )); then\n"
    "        _describe -t names 'filter or command' names\n"
    "        return\n"
    "    fi\n"
    "    first=$words[2]\n"
    "    shift words\n"
    "    (( CURRENT-- ))\n"
    "    if [[ ' @TAKERS@ ' == *\" $first \"* ]]; then\n"
    "        operand=\"1:filter:($filters)\"\n"
    "        if (( CURRENT > 2 )) && [[ \" $filters \" == *\" $words[2] \"* ]]; then\n"
    "            first+=/$words[2] operand=\n"
    "            words[2]=()\n"
    "            (( CURRENT-- ))\n"
    "        fi\n"
    "    fi\n"
    "    case $first in\n"
    "@ZSH OPTIONS@\n"
    "    esac\n"
    "    [[ $first == help ]] && operand='1:filter or command:(@NAMES@)'\n"
    "    _arguments -s -S $options $operand\n"
    "}\n"
    "_sprung \"$@\"\n";

static void zsh_name(struct text *t, const char *name, const char *summary)
{
    text_put(t, "        '%s:", name);
    put_clause(t, summary, "\\:", "'\\''");
    text_put(t, "'\n");
}

static void zsh_value(struct text *t, const struct param *p)
{
    const char *const *choices = manual_choices(p);
    if (p->kind == PARAM_FLAG)
        return;
    text_put(t, p->kind == PARAM_OPTIONAL_TEXT ? "::" : ":");
    put_clause(t, choices ? p->name : p->value, ":\\[]", "");
    text_put(t, choices ? ":(" : is_file(p) ? ":_files" : ": ");
    put_choices(t, choices);
    text_put(t, "%s", choices ? ")" : "");
}

static void zsh_option(struct text *t, const char *word, const struct param *p, bool letter_only)
{
    const char *joined = p->kind == PARAM_FLAG ? "" : p->kind == PARAM_OPTIONAL_TEXT ? "-" : "+";
    const char *equals = p->kind == PARAM_FLAG ? "" : p->kind == PARAM_OPTIONAL_TEXT ? "=-" : "=";
    (void)word;
    text_put(t, "            ");
    if (letter_only)
        text_put(t, "'-%c%s[", p->letter, joined);
    else if (p->letter)
        text_put(t, "'(-%c --%s)'{-%c%s,--%s%s}'[", p->letter, p->name, p->letter, joined, p->name, equals);
    else
        text_put(t, "'--%s%s[", p->name, equals);
    put_clause(t, p->help, "\\[]", "'\\''");
    text_put(t, "]");
    zsh_value(t, p);
    text_put(t, "'\n");
}

/* --- fish --- */

/* __sprung_first WORD...: is the first word, with the filter after it, one of these? */
static const char fish_frame[] =
    "# fish completion for sprung, made by: sprung help --format fish\n"
    "function __sprung_first\n"
    "    set -l words (commandline -opc)\n"
    "    test (count $words) -ge 2; or return 1\n"
    "    set -l first $words[2]\n"
    "    if test (count $words) -ge 3; and contains -- $first @TAKERS@; and contains -- $words[3] @FILTERS@\n"
    "        set first $first/$words[3]\n"
    "    end\n"
    "    contains -- $first $argv\n"
    "end\n"
    "@FISH NAMES@\n"
    "complete -c sprung -n '__sprung_first help' -f -a '@NAMES@'\n"
    "complete -c sprung -n '__sprung_first @TAKERS@' -f -a '@FILTERS@'\n"
    "@FISH OPTIONS@\n";

static void fish_name(struct text *t, const char *name, const char *summary)
{
    text_put(t, "complete -c sprung -n 'test (count (commandline -opc)) -eq 1' -f -a %s -d '", name);
    put_clause(t, summary, "\\", "\\'");
    text_put(t, "'\n");
}

static void fish_option(struct text *t, const char *word, const struct param *p, bool letter_only)
{
    const char *const *choices = manual_choices(p);
    text_put(t, "complete -c sprung -n '__sprung_first %s'", word);
    if (p->letter)
        text_put(t, " -s %c", p->letter);
    if (!letter_only)
        text_put(t, " -l %s", p->name);
    if (is_file(p))
        text_put(t, " -r -F");
    else if (p->kind != PARAM_FLAG && p->kind != PARAM_OPTIONAL_TEXT)
        text_put(t, " -x");
    text_put(t, "%s", choices ? " -a '" : "");
    put_choices(t, choices);
    text_put(t, choices ? "' -d '" : " -d '");
    put_clause(t, p->help, "\\", "\\'");
    text_put(t, "'\n");
}

/* --- the marks of all frames: names, what each writes for each name, or the options of all words --- */

/* clang-format off */
static const struct {
    const char *name;
    unsigned names;
    put_name *each;
    struct layout words;
} marks[] = {
    { "NAMES", FILTERS | COMMANDS, NULL, { 0 } },
    { "FILTERS", FILTERS, NULL, { 0 } },
    { "TAKERS", TAKERS, NULL, { 0 } },
    { "BASH VALUES", 0, NULL, { "", "", "", bash_value } },
    { "BASH OPTIONS", 0, NULL, { "    ", ":-*) words='", "' ;;\n", bash_option } },
    { "ZSH NAMES", 0, zsh_name, { 0 } },
    { "ZSH OPTIONS", 0, NULL, { "    ", ")\n        options=(\n", "        )\n        ;;\n", zsh_option } },
    { "FISH NAMES", 0, fish_name, { 0 } },
    { "FISH OPTIONS", 0, NULL, { "", "", "", fish_option } },
};
/* clang-format on */

static bool put_mark(struct text *t, const char *mark)
{
    size_t n = sizeof marks / sizeof *marks, i = 0;
    while (i < n && strcmp(marks[i].name, mark) != 0)
        i++;
    if (i < n && marks[i].names)
        put_names(t, marks[i].names);
    else if (i < n && marks[i].each)
        put_each(t, marks[i].each);
    else if (i < n)
        put_words(t, &marks[i].words);
    return i < n;
}

char *manual_completion(enum help_format shell, struct error *e)
{
    const char *frame = shell == HELP_BASH ? bash_frame : shell == HELP_ZSH ? zsh_frame : fish_frame;
    return manual_expand(frame, put_mark, e);
}
