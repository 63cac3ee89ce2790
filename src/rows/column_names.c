/* What the names of columns mean. One table holds the words: names of times, of other clocks, of counts, of
 * marks, of the quality of markers. Below it: the units at the end of a name. */
#include "rows/table.h"

#include "base/port.h"
#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Where the words are in a name. */
enum place {
    WHOLE_NAME,    /* the words are the name */
    LAST_WORD,     /* the name ends in the words, or in the words and a count, as in likelihood_2 */
    MAY_HAVE_UNIT, /* the words are the name, or are before a unit of time */
    HAS_UNIT       /* the words are before a unit of time */
};

/* The words have small letters, and neither blanks nor _ inside. */
static const struct {
    enum name_meaning meaning;
    enum place place;
    const char *words; /* with blanks between */
} meanings[] = {
    { NAME_TIME, MAY_HAVE_UNIT,
      "time t times timestamp timestamps ts seconds elapsedtime date datetime recordingtimestamp" },
    { NAME_TIME, HAS_UNIT, "elapsed timein" },
    { NAME_CLOCK, MAY_HAVE_UNIT,
      "utc utctime unix unixtime unixtimestamp epoch epochtime utctimestamp systemtime systime devicetime "
      "gpstime hosttime servertime walltime localtime clock systemclock hardwareclock ticks rostime boottime "
      "simt secondselapsed milliseconds millis micros" },
    { NAME_CLOCK, HAS_UNIT, "uptime hardwarecounter counter t clockcounter runtime host dev x" },
    { NAME_CLOCK, LAST_WORD, "timestamp header.stamp stamp.secs stamp.nsecs stamp.sec stamp.nanosec" },
    { NAME_FRAMES, WHOLE_NAME,
      "frame frame# index subframe framenumber localframenumber frameno frameindex frameid frameidx "
      "packetcounter coords" }, /* the last: DeepLabCut */
    { NAME_COUNT, WHOLE_NAME,
      "n nr sample sample# samplenumber idx row row# seq rownumber no. nr. sampleindex rowid unnamed:0" },
    { NAME_COUNT, LAST_WORD, "header.seq" },
    { NAME_MARK, WHOLE_NAME, "cut flag event trigger status state label class mode button outlier year" },
    { NAME_MARK, LAST_WORD, "id valid validity validityleft validityright" },
    { NAME_QUALITY, WHOLE_NAME, "markerquality" },
    { NAME_QUALITY, LAST_WORD, "likelihood visibility confidence" },
    { NAME_ERROR, WHOLE_NAME, "errorpermarker meanmarkererror" },
};

/* Bytes of a folded name; a longer name is cut, and no word of a table is so long. */
enum { FOLDED = 24 };

/* Folds a name into small letters without the #, % and _ before it and the blanks and _ inside, cut to
 * FOLDED - 1 bytes. */
static void fold(const char *name, size_t n, char folded[FOLDED])
{
    size_t k = 0;
    for (size_t i = 0; i < n && k + 1 < FOLDED; i++) {
        const char c = name[i];
        const bool dropped = c == ' ' || c == '_' || (k == 0 && (c == '#' || c == '%'));
        if (!dropped)
            folded[k++] = (char)tolower((unsigned char)c);
    }
    folded[k] = 0;
}

/* True if the name, folded, is one of the words. */
static bool is_among(const char *name, size_t n, const char *words)
{
    char folded[FOLDED];
    fold(name, n, folded);
    return folded[0] && text_has_word(words, folded);
}

/* Does a word begin at this byte of a name: at the start, after a sign, or with a capital after a small
 * letter? */
static bool begins_word(const char *name, size_t at)
{
    bool capital = name[at] >= 'A' && name[at] <= 'Z';
    return at == 0 || strchr(" ._-/:([", name[at - 1]) ||
           (capital && !(name[at - 1] >= 'A' && name[at - 1] <= 'Z'));
}

/* Does the name end in one of the words? */
static bool ends_among(const char *name, size_t n, const char *words)
{
    for (size_t i = 0; i < n; i++)
        if (begins_word(name, i) && is_among(name + i, n - i, words))
            return true;
    return false;
}

/* --- units in names --- */

const char *const time_unit_names[] = { "s", "ms", "us", "ns", "min", "h", "frames", NULL };

/* The words for each unit. */
static const char *const unit_words[TIME_UNIT_FRAMES] = {
    [TIME_UNIT_S] = "s sec second seconds secs",
    [TIME_UNIT_MS] = "ms msec millisecond milliseconds msecs millis",
    [TIME_UNIT_US] = "us \xC2\xB5s \xCE\xBCs usec microsecond microseconds",
    [TIME_UNIT_NS] = "ns nsec nanosecond nanoseconds nanos",
    [TIME_UNIT_MIN] = "min mins minute minutes",
    [TIME_UNIT_H] = "h hr hrs hour hours",
};

/* The unit that a word stands for, or TIME_UNIT_NONE. */
static int unit_of_word(const char *word, size_t n)
{
    int unit = 0;
    while (unit < TIME_UNIT_FRAMES && !is_among(word, n, unit_words[unit]))
        unit++;
    return unit < TIME_UNIT_FRAMES ? unit : TIME_UNIT_NONE;
}

/* The bytes of a name before the unit of time at the end; n: the name has no unit. The unit is the last word
 * of the name, in brackets or without. *unit: the unit, or TIME_UNIT_NONE. */
static size_t before_unit(const char *name, size_t n, int *unit)
{
    while (n > 0 && name[n - 1] == ' ')
        n--;
    const size_t end = n - (n > 0 && strchr(")]", name[n - 1]));
    size_t start = end > 0 ? end - 1 : 0;
    while (start > 0 && !begins_word(name, start))
        start--;
    *unit = start > 0 ? unit_of_word(name + start, end - start) : TIME_UNIT_NONE;
    while (*unit != TIME_UNIT_NONE && start > 0 && strchr("([_ ,/.", name[start - 1]))
        start--;
    return *unit == TIME_UNIT_NONE ? n : start;
}

int columns_unit_of_text(const char *text, size_t ntext)
{
    bool bracket = ntext > 2 && strchr("([", text[0]) && strchr(")]", text[ntext - 1]);
    return unit_of_word(text + bracket, ntext - 2 * (size_t)bracket);
}

int columns_unit_in_name(const char *name)
{
    int unit;
    before_unit(name, strlen(name), &unit);
    return unit == TIME_UNIT_NONE ? unit_of_word(name, strlen(name)) : unit;
}

bool columns_means_radians(const char *name, size_t n)
{
    return ends_among(name, n - (n > 0 && strchr(")]", name[n - 1])), "rad rads radian radians");
}

/* --- meanings --- */

/* The bytes of a name before the count at its end, as in likelihood_2. */
static size_t before_count(const char *name, size_t n)
{
    size_t digits = n;
    while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9')
        digits--;
    return digits < n && digits > 1 && name[digits - 1] == '_' ? digits - 1 : n;
}

bool columns_name_means(const char *name, size_t nname, enum name_meaning meaning)
{
    int unit;
    const size_t stem = before_unit(name, nname, &unit);
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
        const enum place place = meanings[i].place;
        const char *words = meanings[i].words;
        bool found = meanings[i].meaning == meaning && (place != HAS_UNIT || unit != TIME_UNIT_NONE);
        if (found && place == LAST_WORD)
            found = ends_among(name, before_count(name, nname), words) || ends_among(name, stem, words);
        else if (found)
            found = is_among(name, place == WHOLE_NAME ? nname : stem, words);
        if (found)
            return true;
    }
    return false;
}

/* --- angles --- */

/* Does the name of a column contain a word of rotations? */
static bool means_rotation(const struct column *column)
{
    static const char *const words[] = { "rot", "ang",  "euler",   "yaw", "pitch", "roll", "head",   "deg",
                                         "rad", "azim", "bearing", "hdg", "phase", "dir",  "orient", "quat" };
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (port_strcasestr(column->name, words[k]))
            return true;
    return false;
}

/* Does the name end in a separate letter of an axis, as in hip.x, hip_x, hipX and x? */
static bool ends_in_axis(const char *name)
{
    size_t n = strlen(name);
    if (n == 0 || !strchr("xyzXYZ", name[n - 1]))
        return false;
    if (n == 1 || strchr("._:- ", name[n - 2]))
        return true;
    bool upper = strchr("XYZ", name[n - 1]) != NULL;
    return upper && name[n - 2] >= 'a' && name[n - 2] <= 'z';
}

bool columns_may_wrap(const struct column *column)
{
    return means_rotation(column) || !ends_in_axis(column->name);
}

/* --- derivatives, measured or of an earlier run --- */

/* Is this the name of a derivative of a channel: x_vel of x, or q_vel_x, of a rotation, of q_x? */
static bool is_derivative(const struct table *table, const char *name)
{
    const char *vel = strstr(name, "_vel"), *found = vel ? vel : strstr(name, "_acc");
    if (!found || found == name)
        return false;
    char *source = text_format("%.*s%s", (int)(found - name), name, found + strlen("_vel"));
    const size_t column = source ? columns_lookup(table, source) : COLUMN_NONE;
    free(source);
    return column != COLUMN_NONE && table_filters(table, column);
}

void table_leave_derivatives(struct table *table)
{
    for (size_t i = 0; i < table->ncolumn; i++) {
        struct column *column = &table->column[i];
        if (column->role != ROLE_CHANNEL || column->asked || !is_derivative(table, table->column[i].name))
            continue;
        column->role = ROLE_PASS;
        column->alone = true;
        column->why = "derivative";
    }
}
