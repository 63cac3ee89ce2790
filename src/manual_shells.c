/* Completions for bash, zsh and fish. See manual.h. Each shell gets the first words, every option under the
 * filters and commands that take it, and the choices of its value; operands are files. */
#include "manual.h"

#include "text.h"

#include <stdio.h>

/* A name that may come first, and what it takes: its own rows, then shared tables. */
struct word {
    const char *name, *summary;
    const struct filter *filter;    /* NULL: a command */
    const struct option_page *page; /* NULL: a filter */
};

static bool get_word(size_t i, struct word *w)
{
    size_t nfilter = 0;
    while (filter_list[nfilter])
        nfilter++;
    *w = (struct word){ 0 };
    if (i < nfilter) {
        w->filter = filter_list[i];
        w->name = w->filter->name;
        w->summary = w->filter->summary;
        return true;
    }
    w->page = &options_pages[i - nfilter];
    w->name = w->page->name;
    w->summary = w->page->summary;
    return w->name != NULL;
}

/* Calls put for every row that the word takes; letter_only: its long name is hidden by an option of the
 * filter's own. */
typedef void put_row(struct text *t, const struct word *w, const struct param *p, bool letter_only);

static void each_row(struct text *t, const struct word *w, put_row *put)
{
    const struct option_table *const *tables = w->filter ? options_shared : w->page->tables;
    for (size_t i = 0; w->filter && i < w->filter->nparam; i++)
        put(t, w, &w->filter->params[i], false);
    for (size_t k = 0; tables[k]; k++)
        for (size_t i = 0; i < tables[k]->nparam; i++) {
            const struct param *p = &tables[k]->params[i];
            if (w->filter && !options_taken(w->filter, tables[k]))
                continue;
            put(t, w, p, w->filter && manual_hides(w->filter, p));
        }
}

static void put_names(struct text *t)
{
    struct word w;
    for (size_t i = 0; get_word(i, &w); i++)
        text_put(t, "%s%s", i ? " " : "", w.name);
}

static void put_choices(struct text *t, const char *const *choices)
{
    for (size_t i = 0; choices[i]; i++)
        text_put(t, "%s%s", i ? " " : "", choices[i]);
}

static bool is_file(const struct param *p)
{
    return p->value && (strcmp(p->value, "FILE") == 0 || strcmp(p->value, "DIR") == 0);
}

/* The first clause of words, with a backslash before every character of special. A single quote becomes
 * quote. */
static void put_clause(struct text *t, const char *words, const char *special, const char *quote)
{
    for (const char *p = words; *p && *p != ';'; p++) {
        if (*p == '\'')
            text_put(t, "%s", quote);
        else
            text_put(t, "%s%c", strchr(special, *p) ? "\\" : "", *p);
    }
}

/* bash */

static void bash_option(struct text *t, const struct word *w, const struct param *p, bool letter_only)
{
    (void)w;
    if (letter_only)
        text_put(t, " -%c", p->letter);
    else
        text_put(t, " --%s", p->name);
}

static void bash_value(struct text *t, const struct word *w, const struct param *p, bool letter_only)
{
    const char *const *choices = manual_choices(p);
    if (p->kind == PARAM_FLAG || p->kind == PARAM_OPTIONAL_TEXT || is_file(p))
        return;
    text_put(t, "    ");
    if (!letter_only)
        text_put(t, "%s:--%s", w->name, p->name);
    if (p->letter)
        text_put(t, "%s%s:-%c", letter_only ? "" : " | ", w->name, p->letter);
    text_put(t, ") value=yes words='");
    if (choices)
        put_choices(t, choices);
    text_put(t, "' ;;\n");
}

char *manual_bash(void)
{
    struct text t = { 0 };
    struct word w;
    text_put(
        &t,
        "# bash completion for sprung, made by: sprung help --format bash\n_sprung()\n{\n"
        "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} first=${COMP_WORDS[1]}\n"
        "    local names='");
    put_names(&t);
    text_put(&t, "' words= value=\n"
                 "    COMPREPLY=()\n"
                 "    if [[ $COMP_CWORD == 1 ]]; then\n"
                 "        COMPREPLY=($(compgen -W \"$names --help --version\" -- \"$cur\"))\n"
                 "        return\n"
                 "    fi\n"
                 "    # --gaps=keep comes as three words\n"
                 "    if [[ $cur == '=' ]]; then\n"
                 "        cur=\n"
                 "    elif [[ $prev == '=' && $COMP_CWORD -gt 2 ]]; then\n"
                 "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
                 "    fi\n"
                 "    case $first:$prev in\n");
    for (size_t i = 0; get_word(i, &w); i++)
        each_row(&t, &w, bash_value);
    text_put(&t, "    esac\n"
                 "    if [[ -n $value ]]; then\n"
                 "        compopt +o default +o bashdefault 2> /dev/null\n"
                 "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
                 "        return\n"
                 "    fi\n"
                 "    case $first:$cur in\n");
    for (size_t i = 0; get_word(i, &w); i++) {
        text_put(&t, "    %s:-*) words='", w.name);
        each_row(&t, &w, bash_option);
        text_put(&t, "' ;;\n");
    }
    text_put(&t, "    help:*) words=$names ;;\n"
                 "    esac\n"
                 "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
                 "}\n"
                 "complete -o bashdefault -o default -F _sprung sprung\n");
    return text_take(&t);
}

/* zsh */

static void zsh_value(struct text *t, const struct param *p)
{
    const char *const *choices = manual_choices(p);
    if (p->kind == PARAM_FLAG)
        return;
    text_put(t, p->kind == PARAM_OPTIONAL_TEXT ? "::" : ":");
    put_clause(t, choices ? p->name : p->value, ":\\[]", "");
    text_put(t, ":");
    if (choices) {
        text_put(t, "(");
        put_choices(t, choices);
        text_put(t, ")");
    } else {
        text_put(t, is_file(p) ? "_files" : " ");
    }
}

static void zsh_option(struct text *t, const struct word *w, const struct param *p, bool letter_only)
{
    const char *joined = p->kind == PARAM_FLAG ? "" : p->kind == PARAM_OPTIONAL_TEXT ? "-" : "+";
    const char *equals = p->kind == PARAM_FLAG ? "" : p->kind == PARAM_OPTIONAL_TEXT ? "=-" : "=";
    (void)w;
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

char *manual_zsh(void)
{
    struct text t = { 0 };
    struct word w;
    text_put(&t,
             "#compdef sprung\n# zsh completion for sprung, made by: sprung help --format zsh\n_sprung() {\n"
             "    local -a names options\n    local first operand='*:file:_files'\n    names=(\n");
    for (size_t i = 0; get_word(i, &w); i++) {
        text_put(&t, "        '%s:", w.name);
        put_clause(&t, w.summary, "\\:", "'\\''");
        text_put(&t, "'\n");
    }
    text_put(&t, "    )\n"
                 "    if (( CURRENT == 2 )); then\n"
                 "        _describe -t names 'filter or command' names\n"
                 "        return\n"
                 "    fi\n"
                 "    first=$words[2]\n"
                 "    shift words\n"
                 "    (( CURRENT-- ))\n"
                 "    case $first in\n");
    for (size_t i = 0; get_word(i, &w); i++) {
        text_put(&t, "    %s)\n        options=(\n", w.name);
        each_row(&t, &w, zsh_option);
        text_put(&t, "        )\n        ;;\n");
    }
    text_put(&t, "    esac\n    [[ $first == help ]] && operand='1:filter or command:(");
    put_names(&t);
    text_put(&t, ")'\n    _arguments -s -S $options $operand\n}\n_sprung \"$@\"\n");
    return text_take(&t);
}

/* fish */

static void fish_option(struct text *t, const struct word *w, const struct param *p, bool letter_only)
{
    const char *const *choices = manual_choices(p);
    text_put(t, "complete -c sprung -n '__sprung_first %s'", w->name);
    if (p->letter)
        text_put(t, " -s %c", p->letter);
    if (!letter_only)
        text_put(t, " -l %s", p->name);
    if (is_file(p))
        text_put(t, " -r -F");
    else if (p->kind != PARAM_FLAG && p->kind != PARAM_OPTIONAL_TEXT)
        text_put(t, " -x");
    if (choices) {
        text_put(t, " -a '");
        put_choices(t, choices);
        text_put(t, "'");
    }
    text_put(t, " -d '");
    put_clause(t, p->help, "\\", "\\'");
    text_put(t, "'\n");
}

char *manual_fish(void)
{
    struct text t = { 0 };
    struct word w;
    text_put(&t, "# fish completion for sprung, made by: sprung help --format fish\n"
                 "function __sprung_first\n"
                 "    set -l words (commandline -opc)\n"
                 "    test (count $words) -ge 2; and contains -- $words[2] $argv\n"
                 "end\n");
    for (size_t i = 0; get_word(i, &w); i++) {
        text_put(&t, "complete -c sprung -n 'test (count (commandline -opc)) -eq 1' -f -a %s -d '", w.name);
        put_clause(&t, w.summary, "\\", "\\'");
        text_put(&t, "'\n");
    }
    text_put(&t, "complete -c sprung -n '__sprung_first help' -f -a '");
    put_names(&t);
    text_put(&t, "'\n");
    for (size_t i = 0; get_word(i, &w); i++)
        each_row(&t, &w, fish_option);
    return text_take(&t);
}
