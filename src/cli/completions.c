/* Completions for bash, zsh and fish: see manual.h. Each shell's script holds what the tables say: the first
 * words, every option under the filters and commands that take it, and the choices of its value. Operands are
 * files. */
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
    char word[64];
    snprintf(word, sizeof word, "%s%s%s", command->name, command->name[0] && filter ? "/" : "",
             filter ? filter->name : "");
    if (l->before[0])
        text_put(t, "%s%s%s", l->before, word, l->after);
    for (size_t i = 0; filter && i < filter->nparam; i++)
        l->option(t, word, &filter->params[i], false);
    for (const struct option_table *const *table = command->tables; *table; table++)
        for (size_t i = 0; i < (*table)->nparam && options_taken(filter, *table); i++) {
            const struct param *p = &(*table)->params[i];
            l->option(t, word, p, filter && manual_hides(filter, p));
        }
    text_put(t, "%s", l->end);
}

/* All words: filters, commands, and commands with each filter. */
static void put_words(struct text *t, const struct layout *l)
{
    for (const struct filter *const *f = filter_list; *f; f++)
        put_word(t, l, &command_filter, *f);
    for (const struct command *const *c = command_list; *c; c++)
        put_word(t, l, *c, NULL);
    for (const struct command *const *c = command_list; *c; c++)
        for (const struct filter *const *f = filter_list; *f && (*c)->takes_filter; f++)
            put_word(t, l, *c, *f);
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

/* How a shell shows a name and its summary: before, the name, after, the clause. */
struct naming {
    const char *before, *after, *special, *quote;
};

static void put_name(struct text *t, const struct naming *n, const char *name, const char *summary)
{
    text_put(t, "%s%s%s", n->before, name, n->after);
    put_clause(t, summary, n->special, n->quote);
    text_put(t, "'\n");
}

/* All filters and commands. */
static void put_names(struct text *t, const struct naming *n)
{
    for (const struct filter *const *f = filter_list; *f; f++)
        put_name(t, n, (*f)->name, (*f)->summary);
    for (const struct command *const *c = command_list; *c; c++)
        put_name(t, n, (*c)->name, (*c)->summary);
}

/* Names with blanks between them: of the filters, of filters and commands, of commands that a filter follows.
 */
struct words {
    char filters[256], names[256], takers[64];
};

/* --- bash --- */

static void put_bash_option(struct text *t, const char *word, const struct param *p, bool letter_only)
{
    (void)word;
    if (letter_only)
        text_put(t, " -%c", p->letter);
    else
        text_put(t, " --%s", p->name);
}

static void put_bash_value(struct text *t, const char *word, const struct param *p, bool letter_only)
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

static void put_bash(struct text *t, const struct words *words)
{
    text_put(
        t,
        "# bash completion for sprung, made by: sprung help --format bash\n"
        "_sprung()\n"
        "{\n"
        "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} first=${COMP_WORDS[1]}\n"
        "    local names='%s' filters='%s' words= value= takes_filter=\n"
        "    COMPREPLY=()\n"
        "    if [[ $COMP_CWORD == 1 ]]; then\n"
        "        COMPREPLY=($(compgen -W \"$names --help --version\" -- \"$cur\"))\n"
        "        return\n"
        "    fi\n"
        "    [[ ' %s ' == *\" $first \"* ]] && takes_filter=yes\n"
        "    if [[ -n $takes_filter && $COMP_CWORD -gt 2 && \" $filters \" == *\" ${COMP_WORDS[2]} \"* ]]; "
        "then\n"
        "        first+=/${COMP_WORDS[2]} takes_filter=\n"
        "    fi\n"
        "    # --gaps=keep comes as three words\n"
        "    if [[ $cur == '=' ]]; then\n"
        "        cur=\n"
        "    elif [[ $prev == '=' && $COMP_CWORD -gt 2 ]]; then\n"
        "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
        "    fi\n"
        "    case $first:$prev in\n",
        words->names, words->filters, words->takers);
    put_words(t, &(struct layout){ "", "", "", put_bash_value });
    text_put(t, "    esac\n"
                "    if [[ -n $value ]]; then\n"
                "        compopt +o default +o bashdefault 2> /dev/null\n"
                "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
                "        return\n"
                "    fi\n"
                "    case $first:$cur in\n");
    put_words(t, &(struct layout){ "    ", ":-*) words='", "' ;;\n", put_bash_option });
    text_put(t, "    help:*) words=$names ;;\n"
                "    *) [[ -n $takes_filter ]] && words=$filters ;;\n"
                "    esac\n"
                "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
                "}\n"
                "complete -o bashdefault -o default -F _sprung sprung\n");
}

/* --- zsh --- */

static void put_zsh_value(struct text *t, const struct param *p)
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

static void put_zsh_option(struct text *t, const char *word, const struct param *p, bool letter_only)
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
    put_zsh_value(t, p);
    text_put(t, "'\n");
}

static void put_zsh(struct text *t, const struct words *words)
{
    text_put(t,
             "#compdef sprung\n"
             "# zsh completion for sprung, made by: sprung help --format zsh\n"
             "_sprung() {\n"
             "    local -a names options\n"
             "    local first operand='*:file:_files' filters='%s'\n"
             "    names=(\n",
             words->filters);
    put_names(t, &(struct naming){ "        '", ":", "\\:", "'\\''" });
    text_put(t,
             "    )\n"
             "    if (( CURRENT == 2 )); then\n"
             "        _describe -t names 'filter or command' names\n"
             "        return\n"
             "    fi\n"
             "    first=$words[2]\n"
             "    shift words\n"
             "    (( CURRENT-- ))\n"
             "    if [[ ' %s ' == *\" $first \"* ]]; then\n"
             "        operand=\"1:filter:($filters)\"\n"
             "        if (( CURRENT > 2 )) && [[ \" $filters \" == *\" $words[2] \"* ]]; then\n"
             "            first+=/$words[2] operand=\n"
             "            words[2]=()\n"
             "            (( CURRENT-- ))\n"
             "        fi\n"
             "    fi\n"
             "    case $first in\n",
             words->takers);
    put_words(
        t, &(struct layout){ "    ", ")\n        options=(\n", "        )\n        ;;\n", put_zsh_option });
    text_put(t,
             "    esac\n"
             "    [[ $first == help ]] && operand='1:filter or command:(%s)'\n"
             "    _arguments -s -S $options $operand\n"
             "}\n"
             "_sprung \"$@\"\n",
             words->names);
}

/* --- fish --- */

static void put_fish_option(struct text *t, const char *word, const struct param *p, bool letter_only)
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

/* __sprung_first WORD...: is the first word, with the filter after it, one of these? */
static void put_fish(struct text *t, const struct words *words)
{
    text_put(t,
             "# fish completion for sprung, made by: sprung help --format fish\n"
             "function __sprung_first\n"
             "    set -l words (commandline -opc)\n"
             "    test (count $words) -ge 2; or return 1\n"
             "    set -l first $words[2]\n"
             "    if test (count $words) -ge 3; and contains -- $first %s; and contains -- $words[3] %s\n"
             "        set first $first/$words[3]\n"
             "    end\n"
             "    contains -- $first $argv\n"
             "end\n",
             words->takers, words->filters);
    put_names(t, &(struct naming){ "complete -c sprung -n 'test (count (commandline -opc)) -eq 1' -f -a ",
                                   " -d '", "\\", "\\'" });
    text_put(t,
             "complete -c sprung -n '__sprung_first help' -f -a '%s'\n"
             "complete -c sprung -n '__sprung_first %s' -f -a '%s'\n",
             words->names, words->takers, words->filters);
    put_words(t, &(struct layout){ "", "", "", put_fish_option });
}

char *manual_completion(enum help_format shell)
{
    struct text t = { 0 };
    struct words words = { "", "", "" };
    for (const struct filter *const *f = filter_list; *f; f++)
        text_append(words.filters, sizeof words.filters, "%s%s", f == filter_list ? "" : " ", (*f)->name);
    text_append(words.names, sizeof words.names, "%s", words.filters);
    for (const struct command *const *c = command_list; *c; c++) {
        text_append(words.names, sizeof words.names, " %s", (*c)->name);
        if ((*c)->takes_filter)
            text_append(words.takers, sizeof words.takers, "%s%s", words.takers[0] ? " " : "", (*c)->name);
    }
    (shell == HELP_BASH ? put_bash : shell == HELP_ZSH ? put_zsh : put_fish)(&t, &words);
    return text_take(&t);
}
