/* Completions for bash, zsh and fish. See manual.h. Each shell gets the first words, every option under the
 * filters and commands that take it, and the choices of its value; operands are files. */
#include "cli/manual.h"

#include "base/text.h"

#include <stdio.h>

/* What may come first, and what it takes: its own rows, then shared tables. A command that is given a filter
 * comes once alone and once with each filter, as response/critical. */
struct word {
    char name[64];
    const char *summary;
    const struct filter *filter;    /* NULL: a command alone */
    const struct option_page *page; /* NULL: a filter alone */
};

/* Word i of those with one name; false: there are no more. */
static bool get_name(size_t i, struct word *w)
{
    size_t nfilter = 0, npage = 0;
    while (filter_list[nfilter])
        nfilter++;
    while (options_pages[npage].name)
        npage++;
    if (i >= nfilter + npage)
        return false;
    *w = (struct word){ .filter = i < nfilter ? filter_list[i] : NULL,
                        .page = i < nfilter ? NULL : &options_pages[i - nfilter] };
    const char *name = w->filter ? w->filter->name : w->page->name;
    w->summary = w->filter ? w->filter->summary : w->page->summary;
    snprintf(w->name, sizeof w->name, "%s", name);
    return true;
}

/* Word i of all. */
static bool get_word(size_t i, struct word *w)
{
    struct word filter;
    size_t nname = 0;
    if (get_name(i, w))
        return true;
    while (get_name(nname, w))
        nname++;
    i -= nname;
    for (const struct option_page *page = options_pages; page->name; page++) {
        for (size_t k = 0; manual_takes_filter(page) && get_name(k, &filter) && filter.filter; k++)
            if (i-- == 0) {
                w->filter = filter.filter;
                w->page = page;
                snprintf(w->name, sizeof w->name, "%s/%s", page->name, filter.filter->name);
                return true;
            }
    }
    return false;
}

/* Word i of the commands that are given a filter. */
static bool get_taker(size_t i, struct word *w)
{
    for (size_t k = 0; get_name(k, w); k++)
        if (w->page && manual_takes_filter(w->page) && i-- == 0)
            return true;
    return false;
}

/* Calls put for every row that the word takes; letter_only: its long name is hidden by an option of the
 * filter's own. */
typedef void put_row(struct text *t, const struct word *w, const struct param *p, bool letter_only);

static void each_row(struct text *t, const struct word *w, put_row *put)
{
    const struct option_table *const *tables = w->page ? w->page->tables : options_shared;
    for (size_t i = 0; w->filter && i < w->filter->nparam; i++)
        put(t, w, &w->filter->params[i], false);
    for (size_t k = 0; tables[k]; k++)
        for (size_t i = 0; i < tables[k]->nparam; i++) {
            const struct param *p = &tables[k]->params[i];
            if (!w->page && !options_taken(w->filter, tables[k]))
                continue;
            put(t, w, p, w->filter && manual_hides(w->filter, p));
        }
}

static void put_names(struct text *t, bool filters_only)
{
    struct word w;
    for (size_t i = 0; get_name(i, &w) && (w.filter || !filters_only); i++)
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

/* Up to the words that the line is about: $first, $prev and $cur. */
static void bash_begin(struct text *t)
{
    struct word w;
    text_put(
        t, "# bash completion for sprung, made by: sprung help --format bash\n_sprung()\n{\n"
           "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} first=${COMP_WORDS[1]}\n"
           "    local names='");
    put_names(t, false);
    text_put(t, "' filters='");
    put_names(t, true);
    text_put(t, "' words= value=\n"
                "    COMPREPLY=()\n"
                "    if [[ $COMP_CWORD == 1 ]]; then\n"
                "        COMPREPLY=($(compgen -W \"$names --help --version\" -- \"$cur\"))\n"
                "        return\n"
                "    fi\n"
                "    if [[ $COMP_CWORD -gt 2 && \" $filters \" == *\" ${COMP_WORDS[2]} \"* ]]; then\n"
                "        case $first in\n");
    for (size_t i = 0; get_taker(i, &w); i++)
        text_put(t, "        %s) first+=/${COMP_WORDS[2]} ;;\n", w.name);
    text_put(t, "        esac\n"
                "    fi\n"
                "    # --gaps=keep comes as three words\n"
                "    if [[ $cur == '=' ]]; then\n"
                "        cur=\n"
                "    elif [[ $prev == '=' && $COMP_CWORD -gt 2 ]]; then\n"
                "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
                "    fi\n");
}

static void bash_values(struct text *t)
{
    struct word w;
    text_put(t, "    case $first:$prev in\n");
    for (size_t i = 0; get_word(i, &w); i++)
        each_row(t, &w, bash_value);
    text_put(t, "    esac\n"
                "    if [[ -n $value ]]; then\n"
                "        compopt +o default +o bashdefault 2> /dev/null\n"
                "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
                "        return\n"
                "    fi\n");
}

static void bash_words(struct text *t)
{
    struct word w;
    text_put(t, "    case $first:$cur in\n");
    for (size_t i = 0; get_word(i, &w); i++) {
        text_put(t, "    %s:-*) words='", w.name);
        each_row(t, &w, bash_option);
        text_put(t, "' ;;\n");
    }
    for (size_t i = 0; get_taker(i, &w); i++)
        text_put(t, "    %s:*) words=$filters ;;\n", w.name);
    text_put(t, "    help:*) words=$names ;;\n"
                "    esac\n"
                "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n");
}

char *manual_bash(void)
{
    struct text t = { 0 };
    bash_begin(&t);
    bash_values(&t);
    bash_words(&t);
    text_put(&t, "}\ncomplete -o bashdefault -o default -F _sprung sprung\n");
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

static void zsh_begin(struct text *t)
{
    struct word w;
    text_put(t,
             "#compdef sprung\n# zsh completion for sprung, made by: sprung help --format zsh\n_sprung() {\n"
             "    local -a names options\n    local first operand='*:file:_files' filters='");
    put_names(t, true);
    text_put(t, "'\n    names=(\n");
    for (size_t i = 0; get_name(i, &w); i++) {
        text_put(t, "        '%s:", w.name);
        put_clause(t, w.summary, "\\:", "'\\''");
        text_put(t, "'\n");
    }
    text_put(t, "    )\n"
                "    if (( CURRENT == 2 )); then\n"
                "        _describe -t names 'filter or command' names\n"
                "        return\n"
                "    fi\n"
                "    first=$words[2]\n"
                "    shift words\n"
                "    (( CURRENT-- ))\n"
                "    if (( CURRENT > 2 )) && [[ \" $filters \" == *\" $words[2] \"* ]]; then\n"
                "        case $first in\n");
    for (size_t i = 0; get_taker(i, &w); i++)
        text_put(t, "        %s) first+=/$words[2] operand= ; words[2]=(); (( CURRENT-- )) ;;\n", w.name);
    text_put(t, "        esac\n"
                "    fi\n");
}

static void zsh_words(struct text *t)
{
    struct word w;
    text_put(t, "    case $first in\n");
    for (size_t i = 0; get_word(i, &w); i++) {
        text_put(t, "    %s)\n        options=(\n", w.name);
        each_row(t, &w, zsh_option);
        text_put(t, "        )\n        ;;\n");
    }
    text_put(t, "    esac\n");
    for (size_t i = 0; get_taker(i, &w); i++)
        text_put(t, "    [[ $first == %s ]] && operand=\"1:filter:($filters)\"\n", w.name);
    text_put(t, "    [[ $first == help ]] && operand='1:filter or command:(");
    put_names(t, false);
    text_put(t, ")'\n    _arguments -s -S $options $operand\n}\n_sprung \"$@\"\n");
}

char *manual_zsh(void)
{
    struct text t = { 0 };
    zsh_begin(&t);
    zsh_words(&t);
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

/* __sprung_first WORD...: is the first word, with the filter after it, one of these? */
static void fish_function(struct text *t)
{
    struct word w;
    text_put(t, "# fish completion for sprung, made by: sprung help --format fish\n"
                "function __sprung_first\n"
                "    set -l words (commandline -opc)\n"
                "    test (count $words) -ge 2; or return 1\n"
                "    set -l first $words[2]\n"
                "    if test (count $words) -ge 3; and contains -- $words[3] ");
    put_names(t, true);
    text_put(t, "\n"
                "        switch $first\n");
    for (size_t i = 0; get_taker(i, &w); i++)
        text_put(t, "            case %s\n                set first $first/$words[3]\n", w.name);
    text_put(t, "        end\n"
                "    end\n"
                "    contains -- $first $argv\n"
                "end\n");
}

static void fish_operands(struct text *t)
{
    struct word w;
    for (size_t i = 0; get_name(i, &w); i++) {
        text_put(t, "complete -c sprung -n 'test (count (commandline -opc)) -eq 1' -f -a %s -d '", w.name);
        put_clause(t, w.summary, "\\", "\\'");
        text_put(t, "'\n");
    }
    text_put(t, "complete -c sprung -n '__sprung_first help' -f -a '");
    put_names(t, false);
    text_put(t, "'\n");
    for (size_t i = 0; get_taker(i, &w); i++) {
        text_put(t, "complete -c sprung -n '__sprung_first %s' -f -a '", w.name);
        put_names(t, true);
        text_put(t, "'\n");
    }
}

char *manual_fish(void)
{
    struct text t = { 0 };
    struct word w;
    fish_function(&t);
    fish_operands(&t);
    for (size_t i = 0; get_word(i, &w); i++)
        each_row(&t, &w, fish_option);
    return text_take(&t);
}
