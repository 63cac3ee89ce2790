/* What names tell of times: which column is the time, in what unit, and which one counts frames. */
#include "rows/columns.h"

#include "base/port.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Bytes of a folded name; longer ones are none that is looked for. */
enum { FOLDED = 24 };

/* True if the name, but for # and _ before it, blanks and _ within, and letter case, is one of the words. */
static bool is_among(const char *name, size_t n, const char *const *words)
{
    char folded[FOLDED];
    size_t k = 0;
    for (size_t i = 0; i < n && k < FOLDED; i++)
        if (!strchr(k ? " _" : " _#", name[i]))
            folded[k++] = name[i];
    folded[k < FOLDED ? k : 0] = 0;
    while (*words && strcasecmp(folded, *words) != 0)
        words++;
    return *words;
}

/* The bytes of a name before the unit of time at its end, 10^*exp10 seconds, in brackets or after _ or a
 * blank; n: it has none. */
static size_t before_unit(const char *name, size_t n, int *exp10)
{
    static const char *const units[][7] = {
        { "s", "sec", "second", "seconds" },
        { "ms", "msec", "millisecond", "milliseconds" },
        { "us", "\xC2\xB5s", "\xCE\xBCs", "usec", "microsecond", "microseconds" },
        { "ns", "nsec", "nanosecond", "nanoseconds" },
    };
    while (n > 0 && name[n - 1] == ' ')
        n--;
    bool bracket = n > 0 && strchr(")]", name[n - 1]);
    size_t end = n - bracket, start = end;
    while (start > 0 && !strchr(bracket ? "([" : "_ ", name[start - 1]))
        start--;
    for (int i = 0; start > 0 && i < 4; i++)
        if (is_among(name + start, end - start, units[i])) {
            *exp10 = -3 * i;
            return start - 1;
        }
    return n;
}

bool columns_means_time(const char *name, size_t nname)
{
    static const char *const times[] = { "time", "t", "timestamp", "seconds", "elapsedtime", NULL };
    int exp10;
    return is_among(name, before_unit(name, nname, &exp10), times);
}

/* The last of the header lines that were joined to the name; or what stands above a name that is empty. */
static const char *last_line(const struct columns *t, size_t i)
{
    const struct column *c = &t->column[i];
    const char *dot = t->stacked ? strrchr(c->name, '.') : NULL;
    return dot ? dot + 1 : c->name[0] || !c->above ? c->name : c->above;
}

int columns_unit_in_name(const char *name)
{
    int exp10 = 0;
    before_unit(name, strlen(name), &exp10);
    return exp10;
}

size_t columns_usual_time(const struct columns *t)
{
    for (size_t i = 0; i < t->ncolumn; i++) {
        const char *name = last_line(t, i);
        if (columns_means_time(name, strlen(name)))
            return i;
    }
    return COLUMN_NONE;
}

bool columns_counts_frames(const struct column *c)
{
    static const char *const counters[] = {
        "frame", "frame#", "subframe", "framenumber", "index", "coords", "scorer.bodyparts.coords", NULL
    }; /* DeepLabCut */
    return is_among(c->original, strlen(c->original), counters);
}

bool columns_tells_quality(const struct columns *t, size_t i)
{
    static const char *const words[] = { "markerquality", "errorpermarker", "meanmarkererror", NULL };
    const char *name = last_line(t, i);
    return is_among(name, strlen(name), words);
}

size_t columns_frame_counter(const struct columns *t)
{
    for (size_t i = 0; i < t->ncolumn; i++)
        if ((t->column[i].first == CELL_NUMBER || t->column[i].frame) && columns_counts_frames(&t->column[i]))
            return i;
    return COLUMN_NONE;
}

void columns_note_counters(const struct columns *t, struct messages *messages, const char *file)
{
    char names[200] = "";
    bool frames = false, quality = false, unlabelled = false;
    for (size_t i = 0; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        if (!c->counter)
            continue;
        frames |= columns_counts_frames(c);
        quality |= columns_tells_quality(t, i);
        unlabelled |= c->unlabelled;
        char name[80] = "";
        text_append(name, sizeof name, "\"%s\"", last_line(t, i));
        if (!strstr(names, name))
            text_append(names, sizeof names, "%s%s", names[0] ? ", " : "", name);
    }
    if (names[0])
        messages_add(messages, file, "%s%s%s%s%s are no channels unless --columns names them: %s",
                     frames ? "frame numbers" : "", frames && (quality || unlabelled) ? " and " : "",
                     quality ? "qualities of markers" : "", quality && unlabelled ? " and " : "",
                     unlabelled ? "markers without a name" : "", names);
}

void columns_describe_time(const struct columns *t, char *buf, size_t maxbuf)
{
    static const char *const units[] = { "", ", in ms", ", in us", ", in ns" };
    snprintf(buf, maxbuf, "column \"%.100s\"%s", t->column[t->time].name, units[t->unit.exp10 / -3]);
    if (t->unit.rate > 0)
        text_append(buf, maxbuf, ", %.15g frames per second", t->unit.rate);
}

/* --- errors --- */

/* The column that looks most like a time, or COLUMN_NONE. */
static size_t resembles_time(const struct columns *t)
{
    static const char *const words[] = { "time", "stamp", "clock", "sec", "date", "" };
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        for (size_t i = 0; i < t->ncolumn; i++) {
            const struct column *c = &t->column[i];
            bool number = c->first == CELL_NUMBER &&
                          *words[k]; /* without a word only a date is like a time */
            if ((number || c->form != TIMESTAMP_NUMBER) && port_strcasestr(c->name, words[k]))
                return i;
        }
    return COLUMN_NONE;
}

bool columns_untimed(const struct columns *t, struct error *e)
{
    size_t like = resembles_time(t), counter = columns_frame_counter(t);
    error_data(e, "there is no time column, and no rate is assumed");
    if (t->doubtful)
        return error_hint(e, "if the first line holds the names, say so with --header 1; else give the time "
                             "column with --time, or the rows per second with --rate HZ");
    if (like != COLUMN_NONE)
        return error_hint(
            e,
            "is it column %zu, \"%.80s\"? Then --time %zu names it; else give the rows per second with "
            "--rate HZ",
            like + 1, t->column[like].name, like + 1);
    if (counter != COLUMN_NONE)
        return error_hint(
            e,
            "give the frames per second with --rate HZ, and with --time-unit frames \"%.80s\" tells "
            "which are missing; or name the column with --time",
            t->column[counter].name);
    return error_hint(e, "name the column with --time, or give the rows per second with --rate HZ");
}

bool columns_resamplable(const struct columns *t, struct error *e)
{
    if (t->unit.rate == 0 && t->form == TIMESTAMP_NUMBER)
        return true;
    error_usage(e, "--resample prints new times, and this column holds %s",
                t->unit.rate > 0 ? "frame numbers" : "dates or times of day");
    error_column(e, t->column[t->time].name);
    return error_hint(e, "it needs times in s, ms, us or ns, or uniform rows with --rate HZ alone");
}

bool columns_backward(const struct columns *t, const struct timestamp *before, const struct timestamp *now,
                      struct error *e)
{
    char a[NUMBER_MAX + 1], b[NUMBER_MAX + 1];
    a[timestamp_print(a, before)] = b[timestamp_print(b, now)] = 0;
    error_data(e, "time goes backward: %s after %s%s", b, a,
               t->form == TIMESTAMP_CLOCK    ? " seconds since midnight"
               : t->form != TIMESTAMP_NUMBER ? " seconds since 1970"
                                             : "");
    error_column(e, t->column[t->time].name);
    return error_hint(e, "%s; to number the rows use --rate HZ",
                      t->group != COLUMN_NONE ? "the rows of a group stand in the order of their times"
                                              : "for several series in one file use --group-by COLUMN");
}
