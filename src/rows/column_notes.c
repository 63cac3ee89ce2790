/* Messages about columns: which columns are left alone and why, the roles, and the unit of the times. */
#include "rows/columns.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- notes --- */

void columns_names_add(struct column_names *list, const char *name, const char *sample)
{
    enum { MOST = 8, SAMPLE = 24 };
    char entry[80 + SAMPLE] = "";
    text_append(entry, sizeof entry, "\"%.*s\"", 60, name);
    if (strstr(list->text, entry))
        return;
    if (sample)
        text_append(entry, sizeof entry, " (%.*s)", SAMPLE, sample);
    if (list->n == MOST || strlen(list->text) + strlen(entry) + 2 >= sizeof list->text) {
        list->left_out++;
        return;
    }
    text_append(list->text, sizeof list->text, "%s%s", list->n ? ", " : "", entry);
    list->n++;
}

const char *columns_names_text(struct column_names *list)
{
    static const char more[] = " and %zu more";
    if (list->left_out > 0)
        text_append(list->text, sizeof list->text, more, list->left_out);
    return list->text;
}

static void note_counts(const struct columns *t, struct messages *messages, const char *file)
{
    struct column_names names = { .n = 0 };
    bool counts = false, others = false, quality = false, unlabelled = false;
    for (size_t i = 0; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        if (!column_passes_numbers(c) || c->reason > REASON_UNLABELLED)
            continue;
        counts |= c->reason == REASON_COUNTER;
        others |= c->reason == REASON_COUNTER && !columns_means_frame(c->original, strlen(c->original));
        quality |= c->reason == REASON_QUALITY;
        unlabelled |= c->reason == REASON_UNLABELLED;
        const char *name = columns_last_line(t, i);
        columns_names_add(&names, name[0] ? name : "1", NULL);
    }
    if (names.n == 0)
        return;
    const char *count = others ? "counts of rows" : "frame numbers";
    const char *counted = counts ? count : "", *judged = quality ? "qualities of markers" : "";
    const char *nameless = unlabelled ? "markers without a name" : "";
    const char *after_count = counts && (quality || unlabelled) ? " and " : "";
    const char *after_quality = quality && unlabelled ? " and " : "";
    messages_add(messages, file,
                 "%s%s%s%s%s are no channels unless --columns names them: %s; see sprung inspect", counted,
                 after_count, judged, after_quality, nameless, columns_names_text(&names));
}

/* Adds a note that names all columns with this reason to be left alone. what: the words before the names. */
static void note_reason(const struct columns *t, enum role_reason reason, const char *what,
                        struct messages *messages, const char *file)
{
    struct column_names names = { .n = 0 };
    for (size_t i = 0; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        const char *sample = reason == REASON_TEXT ? c->text : NULL;
        char position[24];
        snprintf(position, sizeof position, "%zu", i + 1);
        if (c->role == ROLE_PASS && c->reason == reason)
            columns_names_add(&names, c->name[0] ? c->name : position, sample);
    }
    if (names.n > 0)
        messages_add(messages, file, "%s: %s; see sprung inspect", what, columns_names_text(&names));
}

static const char *const unit_names[] = { "s", "ms", "us", "ns", "min", "h", "frames" };

/* The name of a unit in messages. */
static const char *name_of_unit(struct time_unit unit)
{
    if (unit.rate > 0)
        return unit_names[TIME_UNIT_FRAMES];
    if (unit.multiple)
        return unit_names[unit.multiple == 60 ? TIME_UNIT_MIN : TIME_UNIT_H];
    return unit_names[unit.exp10 / -3];
}

void columns_note(const struct columns *t, const struct column_choice *choice, struct messages *messages,
                  const char *file)
{
    note_counts(t, messages, file);
    note_reason(t, REASON_CLOCK, "times of another clock are no channels unless --columns names them",
                messages, file);
    note_reason(t, REASON_TEXT,
                "columns with text in the first row are left alone, unless --missing says that it is a gap",
                messages, file);
    if (t->time != COLUMN_NONE && t->unit_reason == UNIT_EPOCH)
        messages_add(messages, file,
                     "the times of \"%s\" are taken for %s since 1970, as %.17g in the first row can be "
                     "nothing else: --time-unit says another unit",
                     columns_last_line(t, t->time), name_of_unit(t->unit), t->column[t->time].number);
    double stated = t->stated_rate, given = choice->rate;
    if (stated > 0 && given > 0 && fabs(stated - given) > 1e-3 * stated)
        messages_add(messages, file,
                     "--rate says %.6g rows per second, and the header says %.6g: --rate counts", given,
                     stated);
    if (t->doubtful)
        messages_add(messages, file,
                     "no line holds names, and the first line has text and is taken for a row: --header 1 if "
                     "it holds the names, else --no-header");
}

void columns_note_derivatives(const struct columns *t, bool written, struct messages *messages,
                              const char *file)
{
    note_reason(t, REASON_DERIVATIVE,
                written
                    ? "derivatives that an earlier run added are written anew, and are no channels unless "
                      "--columns names them"
                    : "derivatives that an earlier run added are left as they are, as they are no channels "
                      "unless --columns names them; --derivatives writes them anew",
                messages, file);
}

/* --- descriptions --- */

/* The words for a reason, which follow the role. */
static const char *reason_text(const struct columns *t, const struct column *c)
{
    switch (c->reason) {
    case REASON_NONE:
        return "not looked at";
    case REASON_NUMBER:
        return "a number in the first row";
    case REASON_MISSING:
        return "a missing value under a name in the first row";
    case REASON_CHOSEN:
        return "--columns names it";
    case REASON_PARAMETER:
        return "an option has its values from it";
    case REASON_OPTION:
        return "an option names it";
    case REASON_NAME:
        return t->unit.rate > 0 ? "the name of a count of frames" : "the name of a time";
    case REASON_FORMAT:
        if (c->role == ROLE_TIME)
            return "the format makes the times";
        return c->role == ROLE_ABSENT ? "it belongs to another table" : "the format says so";
    case REASON_RATE:
        return "--rate numbers the rows instead";
    case REASON_TEXT:
        return "text in the first row";
    case REASON_NAMELESS:
        return "no name, and nothing in the first row";
    case REASON_NOT_CHOSEN:
        return "--columns does not name it";
    case REASON_EXCLUDED:
        return "--exclude names it";
    case REASON_TELLS:
        return "an option reads it for other columns";
    case REASON_COUNTER:
        return "counts rows";
    case REASON_QUALITY:
        return "quality of a marker";
    case REASON_UNLABELLED:
        return "a marker without a name";
    case REASON_CLOCK:
        return "times of another clock";
    case REASON_DERIVATIVE:
        return "a derivative that an earlier run added";
    }
    return "";
}

void columns_describe_role(const struct columns *t, size_t i, char *buf, size_t maxbuf)
{
    static const char *const roles[] = {
        [ROLE_PASS] = "left alone", [ROLE_CHANNEL] = "channel", [ROLE_TIME] = "time",
        [ROLE_GROUP] = "group",     [ROLE_CUT] = "cuts",        [ROLE_READ] = "read by an option",
        [ROLE_ABSENT] = "absent",
    };
    const struct column *c = &t->column[i];
    snprintf(buf, maxbuf, "%s: %s", roles[c->role], reason_text(t, c));
    if (c->reason == REASON_TEXT && c->text)
        text_append(buf, maxbuf, ": \"%s\"", c->text);
    if (c->reason == REASON_DERIVATIVE)
        text_append(buf, maxbuf, ", of \"%.60s\"", t->column[c->source].name);
}

void columns_describe_time(const struct columns *t, char *buf, size_t maxbuf)
{
    static const char *const reasons[] = {
        [UNIT_ASSUMED] = "",
        [UNIT_OPTION] = " by --time-unit",
        [UNIT_NAME] = " by its name",
        [UNIT_LINE] = " by the line below the names",
        [UNIT_EPOCH] = " by the size of its numbers",
        [UNIT_TEXT] = "",
    };
    snprintf(buf, maxbuf, "column \"%.100s\"", t->column[t->time].name);
    if (t->unit.rate > 0)
        text_append(buf, maxbuf, ", %.15g frames per second", t->unit.rate);
    else if (t->unit.exp10 != 0 || t->unit.multiple)
        text_append(buf, maxbuf, ", in %s%s", name_of_unit(t->unit), reasons[t->unit_reason]);
}
