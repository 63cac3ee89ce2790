/* Words to settings, by the option rows of the filter. See settings.h. */
#include "library/settings.h"

#include "base/suggest.h"
#include "base/text.h"
#include "springs/filter_words.h"
#include "sprung.h"

#include <ctype.h>
#include <stdlib.h>

static bool refuse_filter(const char *name, struct error *e)
{
    struct suggestion near = { .word = name };
    for (size_t i = 0; filter_list[i]; i++)
        suggest_offer(&near, filter_list[i]->name);
    error_usage(e, "no such filter");
    error_excerpt(e, name, strlen(name));
    return near.best ? error_hint(e, "did you mean %s?", near.best) : false;
}

static bool refuse_option(const struct filter *filter, const char *name, size_t n, struct error *e)
{
    struct suggestion near = { .word = name };
    for (size_t i = 0; i < filter->nparam; i++)
        suggest_offer(&near, filter->params[i].name);
    error_usage(e, "%s does not have this option", filter->name);
    error_excerpt(e, name, n);
    return near.best ? error_hint(e, "did you mean %s?", near.best) : false;
}

/* Sets an option from a word: NAME=VALUE, or NAME of a flag. */
static bool set_option(struct library_filter *to, char *word, struct error *e)
{
    char *equals = strchr(word, '=');
    size_t n = equals ? (size_t)(equals - word) : strlen(word);
    if (equals)
        *equals = 0;
    const struct param *param = n > 0 ? param_find(to->filter->params, to->filter->nparam, word, n, 0) : NULL;
    const char *value = equals ? equals + 1 : NULL;
    if (!param)
        return refuse_option(to->filter, word, n, e);
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

static bool set_options(struct library_filter *to, struct error *e)
{
    for (size_t i = 0; i < to->filter->nparam; i++)
        if (!param_default(&to->filter->params[i], to->settings, e))
            return false;
    char *word = to->words;
    while (*word) {
        size_t n = strcspn(word, " \t\r\n");
        bool last = word[n] == 0;
        word[n] = 0;
        if (n > 0 && !set_option(to, word, e))
            return false;
        if (last)
            break;
        word += n + 1;
    }
    return true;
}

static bool check(struct library_filter *to, enum library_use use, struct error *e)
{
    const struct filter *filter = to->filter;
    if (!filter_check(filter, to->settings, use == LIBRARY_WHOLE, e))
        return false;
    if (use == LIBRARY_WHOLE)
        return filter_check_zero_phase(filter, to->settings, e);
    if (filter_automatic(to->settings)) {
        error_usage(e, "auto needs all rows at once");
        return error_hint(e, "call sprung_smooth for auto");
    }
    return true;
}

bool settings_read(struct library_filter *to, const char *name, const char *text, enum library_use use,
                   struct error *e)
{
    *to = (struct library_filter){ .filter = filter_find(name) };
    if (!to->filter)
        return refuse_filter(name, e);
    to->settings = calloc(1, to->filter->settings_size);
    to->words = strdup(text ? text : "");
    if (!to->settings || !to->words)
        error_memory(e);
    else if (set_options(to, e) && check(to, use, e))
        return true;
    settings_free(to);
    return false;
}

void settings_free(struct library_filter *filter)
{
    if (filter->settings)
        param_free(filter->filter->params, filter->filter->nparam, filter->settings);
    free(filter->settings);
    free(filter->words);
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
