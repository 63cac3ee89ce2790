/* Words to settings, by the option rows of the filter. See settings.h. */
#include "library/settings.h"

#include "base/text.h"
#include "springs/filter_words.h"
#include "sprung.h"

#include <ctype.h>
#include <stdlib.h>

/* Sets an option from a word: NAME=VALUE, or NAME of a flag. */
static bool set_option(struct library_filter *to, char *word, struct error *e)
{
    char *equals = strchr(word, '=');
    size_t n = equals ? (size_t)(equals - word) : strlen(word);
    if (equals)
        *equals = 0;
    const struct param *param = n > 0 ? param_find(to->filter->params, to->filter->nparam, word, n, 0) : NULL;
    const char *value = equals ? equals + 1 : NULL;
    if (!param) {
        error_usage(e, "%s does not have this option", to->filter->name);
        return error_excerpt(e, word, n);
    }
    if (strcmp(param->name, "predict") == 0)
        return error_usage(e, "predict: call sprung_predict instead");
    if (param->kind == PARAM_FLAG && value)
        return error_usage(e, "%s takes no value", param->name);
    if (param->kind != PARAM_FLAG && (!value || !*value)) {
        error_usage(e, "%s needs a value", param->name);
        return error_hint(e, "options are name=value, separated by spaces: \"halflife=0.1 hold=linear\"");
    }
    return param_set(param, to->settings, value, e);
}

/* Sets the options to their defaults, then by a text of words, which is cut into words. */
static bool set_options(struct library_filter *to, char *words, struct error *e)
{
    const char *blanks = " \t\r\n";
    char *rest;
    for (size_t i = 0; i < to->filter->nparam; i++)
        if (!param_default(&to->filter->params[i], to->settings, e))
            return false;
    for (char *word = strtok_r(words, blanks, &rest); word; word = strtok_r(NULL, blanks, &rest))
        if (!set_option(to, word, e))
            return false;
    return true;
}

static bool check(struct library_filter *to, bool whole, struct error *e)
{
    const struct filter *filter = to->filter;
    if (!filter_check(filter, to->settings, whole, e))
        return false;
    if (whole)
        return filter_check_zero_phase(filter, to->settings, e);
    if (filter_automatic(to->settings)) {
        error_usage(e, "auto needs all rows at once");
        return error_hint(e, "call sprung_smooth for auto");
    }
    return true;
}

bool settings_read(struct library_filter *to, const char *name, const char *text, bool whole, struct error *e)
{
    *to = (struct library_filter){ .filter = filter_find(name) };
    if (!to->filter) {
        error_usage(e, "no such filter");
        return error_excerpt(e, name, strlen(name));
    }
    char *words = strdup(text ? text : "");
    to->settings = calloc(1, to->filter->settings_size);
    bool good = (to->settings && words) || error_memory(e);
    good = good && set_options(to, words, e) && check(to, whole, e);
    free(words);
    if (!good)
        settings_free(to);
    return good;
}

void settings_free(struct library_filter *filter)
{
    if (filter->settings)
        param_free(filter->filter->params, filter->filter->nparam, filter->settings);
    free(filter->settings);
    *filter = (struct library_filter){ 0 };
}

/* Does an option begin here, with the two dashes of the command line? */
static bool is_dashed(const char *start, const char *p)
{
    bool apart = p == start || strchr(" (\"'=", p[-1]) != NULL;
    return apart && p[0] == '-' && p[1] == '-' && isalpha((unsigned char)p[2]);
}

int settings_fail(const struct error *e, char *message, size_t size)
{
    char text[2 * sizeof e->text + sizeof e->hint];
    size_t n = 0;
    error_what(e, text, sizeof text);
    if (e->hint[0])
        text_append(text, sizeof text, "\n  hint: %s", e->hint);
    for (const char *p = text; *p && message && n + 1 < size; p++) {
        if (is_dashed(text, p))
            p += 2;
        message[n++] = *p;
    }
    if (message && size > 0)
        message[n] = 0;
    if (e->kind == ERROR_MEMORY)
        return SPRUNG_NO_MEMORY;
    return e->kind == ERROR_DATA ? SPRUNG_BAD_DATA : SPRUNG_BAD_SETTINGS;
}
