/* Words about columns that both reports have. See print.h. */
#include "formats/csv/csv.h"
#include "view/inspect/print.h"

#include <stdio.h>

const char *inspect_delimiter(const struct reader *reader, char buf[8])
{
    const struct csv *csv = reader->state;
    if (reader->format->family != FAMILY_TEXT)
        return NULL;
    if (csv->runs)
        return "blanks";
    if (csv->delimiter == '\t')
        return "tab";
    snprintf(buf, 8, "%c", csv->delimiter);
    return buf;
}

const char *inspect_kind_reason(enum inspect_kind kind)
{
    static const char *const reasons[] = {
        [INSPECT_CONSTANT] = "constant",
        [INSPECT_COUNT] = "counts rows",
        [INSPECT_CLOCK] = "rises evenly, like a time",
        [INSPECT_MARK] = "only 0 and 1",
        [INSPECT_STATE] = "a state: few whole numbers",
        [INSPECT_QUALITY] = "confidence, 0 to 1",
        [INSPECT_ROTATION] = "",
    };
    return kind < sizeof reasons / sizeof *reasons && reasons[kind] ? reasons[kind] : "";
}

void inspect_kind_words(const struct inspect_meaning *meaning, char words[INSPECT_WORDS])
{
    const char *shown = meaning->by_format ? "" : ", recognized by its length of 1";
    snprintf(words, INSPECT_WORDS, "%s", inspect_kind_reason(meaning->kind));
    if (meaning->kind == INSPECT_ANGLE)
        snprintf(words, INSPECT_WORDS, meaning->by_format ? "angle" : "angle, wraps at %.6g",
                 meaning->period);
    if (meaning->kind == INSPECT_ROTATION)
        snprintf(words, INSPECT_WORDS, "part of a quaternion%s", shown);
    if (meaning->lost_row > 0)
        text_append(words, INSPECT_WORDS, ", four zeros in row %zu", meaning->lost_row);
}

void inspect_reason(const struct inspect_table *table, size_t i, char reason[INSPECT_WORDS])
{
    plan_describe_reason(table->reader->plan, i, reason, INSPECT_WORDS);
}
