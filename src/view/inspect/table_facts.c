/* The facts about a file and its tables. See table.h. */
#include "base/braille.h"
#include "base/utf8.h"
#include "formats/csv/csv.h"
#include "view/inspect/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- the file --- */

/* The character between cells of a table of text, in words; NULL: the format has a fixed character. */
static const char *name_delimiter(const struct reader *reader, char buf[8])
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

void inspect_facts_of_file(struct facts *facts, const struct reader *reader, const char *name, uint64_t nbyte)
{
    const struct columns *columns = &reader->columns;
    char buf[8];
    const char *delimiter = name_delimiter(reader, buf);
    const bool lines = reader->format->family == FAMILY_TEXT || reader->format->family == FAMILY_MOTION;
    facts_text(facts, "file", name);
    facts_text(facts, "format", reader->format->name);
    facts_say(facts, "format", "%s", reader->format->name);
    if (delimiter) {
        const char *quote = strlen(delimiter) == 1 ? "\"" : "";
        facts_text(facts, "delimiter", delimiter);
        facts_say(facts, NULL, "separated by %s%s%s", quote, delimiter, quote);
    }
    facts_say(facts, NULL, "%zu column%s", columns->ncolumn, error_plural(columns->ncolumn));
    if (lines) {
        facts_count(facts, "head_lines", reader->nline);
        facts_say(facts, "head", "%llu line%s before the first row", (unsigned long long)reader->nline,
                  error_plural(reader->nline));
    }
    if (lines && columns->stacked)
        facts_say(facts, NULL, "names joined from several lines");
    else if (lines && !columns->named)
        facts_say(facts, NULL, "no names: columns are numbered");
    if (lines && columns->doubtful)
        facts_say(facts, NULL, "the first line has text (--header 1 if it holds the names)");
    facts_flag(facts, "named", columns->named);
    facts_flag(facts, "names_joined", columns->stacked);
    if (nbyte > 0)
        facts_count(facts, "bytes", nbyte);
}

/* --- times --- */

/* A number for a sentence. */
static const char *number_of(double x, char buf[24])
{
    snprintf(buf, 24, "%.5g", x + 0.0);
    return buf;
}

static const struct {
    const char *key, *words;
} unit_reasons[] = {
    [UNIT_ASSUMED] = { "assumed", "assumed" },
    [UNIT_OPTION] = { "option", "--time-unit" },
    [UNIT_NAME] = { "name", "by its name" },
    [UNIT_LINE] = { "line", "by the line below the names" },
    [UNIT_EPOCH] = { "size", "by the size of the numbers, counted from 1970" },
    [UNIT_TEXT] = { "text", "dates or times of day" },
};

static void say_time_column(struct facts *facts, const struct inspect_table *table)
{
    const struct columns *columns = &table->reader->columns;
    const struct column_plan *plan = table->reader->plan;
    const char *reason = unit_reasons[plan->unit_reason].words, *name = columns_at(columns, plan->time)->name;
    if (plan->unit_reason == UNIT_ASSUMED && family_states_seconds(table->reader->format->family))
        reason = "by the format";
    if (plan->unit.rate > 0)
        facts_say(facts, "time", "column \"%.100s\", %.15g frames per second", name, plan->unit.rate);
    else
        facts_say(facts, "time", "column \"%.100s\", in %s (%s)", name, columns_unit_name(plan->unit),
                  reason);
}

static void say_rate(struct facts *facts, const struct inspect_table *table)
{
    const struct columns *columns = &table->reader->columns;
    const double rate = table->times.rate;
    const char *stated = columns_stated_rate(columns) == rate ? "stated in the file" : "--rate";
    const size_t like = columns_resembles_time(columns, true);
    if (!(rate > 0) && like != COLUMN_NONE)
        facts_say(facts, "time",
                  "no time column and no rate: row numbers count as times; if \"%.100s\" is the time, add "
                  "--time %zu",
                  columns_at(columns, like)->name, like + 1);
    else if (!(rate > 0))
        facts_say(facts, "time",
                  "no time column and no rate: row numbers count as times (give --rate HZ or --time COLUMN)");
    else
        facts_say(facts, "time", "%.10g row%s per second (%s)", rate, rate == 1 ? "" : "s", stated);
}

/* What is odd about the times. */
static void say_steps(struct facts *facts, const struct inspect_table *table)
{
    const struct inspect_times *times = &table->times;
    const bool timed = table->reader->plan->time != COLUMN_NONE;
    char a[24], b[24], c[24];
    if (timed && times->even && times->rate > 0)
        facts_say(facts, "", "even, %.10g row%s per second", times->rate, times->rate == 1 ? "" : "s");
    else if (timed && times->usual > 0)
        facts_say(facts, "", "uneven steps of %s to %s s, usually %s s", number_of(times->least, a),
                  number_of(times->most, b), number_of(times->usual, c));
    if (times->nlong > 0)
        facts_say(facts, "", "%llu long step%s (longest: %s s before row %zu)",
                  (unsigned long long)times->nlong, error_plural(times->nlong), number_of(times->most, a),
                  times->most_row);
    if (times->nequal > 0)
        facts_say(facts, "", "%llu row%s the time of the row before", (unsigned long long)times->nequal,
                  times->nequal == 1 ? " has" : "s have");
    if (times->nbackward > 0)
        facts_say(facts, "", "time goes backward in %llu row%s (first: row %zu)",
                  (unsigned long long)times->nbackward, error_plural(times->nbackward), times->backward_row);
}

static void add_times(struct facts *facts, const struct inspect_table *table)
{
    const struct columns *columns = &table->reader->columns;
    const struct column_plan *plan = table->reader->plan;
    const struct inspect_times *times = &table->times;
    facts_open(facts, FACT_OBJECT, "time");
    if (plan->time != COLUMN_NONE) {
        facts_text(facts, "column", columns_at(columns, plan->time)->name);
        facts_count(facts, "position", plan->time + 1);
        facts_number(facts, "unit_seconds", time_unit_seconds(plan->unit));
        facts_text(facts, "unit_reason", unit_reasons[plan->unit_reason].key);
        say_time_column(facts, table);
    } else {
        say_rate(facts, table);
    }
    say_steps(facts, table);
    facts_number(facts, "rate", times->rate > 0 ? times->rate : (double)NAN);
    facts_flag(facts, "rate_stated", times->stated);
    facts_flag(facts, "even", times->even);
    facts_number(facts, "span", times->span);
    facts_number(facts, "step_usual", times->usual);
    facts_number(facts, "step_least", times->least);
    facts_number(facts, "step_most", times->most);
    facts_count(facts, "steps_long", times->nlong);
    facts_count(facts, "rows_of_equal_time", times->nequal);
    facts_count(facts, "rows_backward", times->nbackward);
    facts_close(facts);
}

static void add_rows(struct facts *facts, const struct inspect_table *table)
{
    const struct inspect_rows *rows = &table->rows;
    const struct columns *columns = &table->reader->columns;
    const struct source *source = table->reader->source;
    char span[24];
    facts_say(facts, "rows", "%zu", rows->nrow);
    if (rows->nrow > 1 && rows->timed)
        facts_say(facts, NULL, "%s s", number_of(table->times.span, span));
    if (!rows->whole)
        facts_say(facts, NULL, "read the first %.1f MB only", (double)source->nread / 1e6);
    if (rows->grouped != COLUMN_NONE) {
        facts_text(facts, "group_by", columns->column[rows->grouped].name);
        facts_count(facts, "series", rows->nseries);
        facts_say(facts, NULL, "%zu series, told apart by column \"%.100s\"", rows->nseries,
                  columns->column[rows->grouped].name);
    }
}

/* --- columns --- */

const struct inspect_kind_text inspect_kinds[] = {
    [INSPECT_VALUE] = { "value", NULL },          [INSPECT_CONSTANT] = { "constant", "constant" },
    [INSPECT_COUNT] = { "count", "counts rows" }, [INSPECT_CLOCK] = { "clock", "rises evenly, like a time" },
    [INSPECT_MARK] = { "mark", "only 0 and 1" },  [INSPECT_QUALITY] = { "quality", "confidence, 0 to 1" },
    [INSPECT_ANGLE] = { "angle", NULL },          [INSPECT_ROTATION] = { "rotation", NULL },
};

static void put_rotation(char *reason, size_t size, const struct inspect_meaning *meaning)
{
    text_append(reason, size, "part of a quaternion%s",
                meaning->by_format ? "" : ", recognized by its length of 1");
    if (meaning->lost_row > 0)
        text_append(reason, size, ", four zeros in row %zu", meaning->lost_row);
}

static void add_kind(struct facts *facts, const struct columns *columns,
                     const struct inspect_meaning *meaning)
{
    char reason[120] = "";
    if (meaning->kind == INSPECT_ANGLE)
        snprintf(reason, sizeof reason, meaning->by_format ? "angle" : "angle, wraps at %.6g",
                 meaning->period);
    else if (meaning->kind == INSPECT_ROTATION)
        put_rotation(reason, sizeof reason, meaning);
    else if (meaning->kind != INSPECT_VALUE)
        snprintf(reason, sizeof reason, "%s", inspect_kinds[meaning->kind].words);
    facts_text(facts, "kind", inspect_kinds[meaning->kind].key);
    if (reason[0]) {
        facts_text(facts, "kind_reason", reason);
        facts_say(facts, NULL, "%s", reason);
    }
    if (meaning->kind == INSPECT_ANGLE)
        facts_number(facts, "period", meaning->period);
    if (meaning->kind == INSPECT_ROTATION && meaning->rotation != COLUMN_NONE)
        facts_text(facts, "rotation_first", columns->column[meaning->rotation].name);
}

/* A picture of the channel's values over the rows, `width` characters wide. */
static void add_spark(struct facts *facts, const struct inspect_table *table, size_t number, size_t width)
{
    enum { MOST = 40 };
    const double *value = inspect_value(&table->rows, number); /* of an angle without its wraps */
    const struct inspect_range range = inspect_range_of(&table->rows, value);
    const double height = range.most - range.least;
    const size_t nrow = table->rows.nrow, across = width * BRAILLE_ACROSS;
    unsigned char cells[MOST] = { 0 };
    struct braille canvas = { cells, width, 1 };
    struct text spark = { 0 };
    for (size_t x = 0; x < across; x++) {
        const size_t first = nrow * x / across, end = nrow * (x + 1) / across;
        double top = NAN, bottom = NAN; /* dots from the top */
        for (size_t i = first; i < (end > first ? end : first + 1); i++) {
            if (isnan(value[i]))
                continue;
            const double part = height > 0 ? (range.most - value[i]) / height : 0.5;
            const double y = round((BRAILLE_DOWN - 1) * fmin(fmax(part, 0), 1));
            top = fmin(top, y);
            bottom = fmax(bottom, y);
        }
        if (!isnan(top))
            braille_line(&canvas, x, (size_t)top, x, (size_t)bottom, false);
    }
    for (size_t i = 0; i < width; i++)
        braille_put(&spark, cells[i]);
    facts_spark(facts, text_take(&spark));
}

static void add_texts(struct facts *facts, const struct inspect_table *table,
                      const struct inspect_texts *texts)
{
    facts_text(facts, "text", texts->first);
    if (family_holds_texts(table->reader->format->family))
        facts_say(facts, NULL, "text in %llu later cell%s, first \"%s\" in row %zu",
                  (unsigned long long)texts->n, error_plural(texts->n), texts->first, texts->row);
    else
        facts_say(facts, NULL, "infinite in %llu row%s, first in row %zu", (unsigned long long)texts->n,
                  error_plural(texts->n), texts->row);
}

static void add_channel(struct facts *facts, const struct inspect_table *table, size_t number, size_t spark)
{
    const struct inspect_channel *channel = &table->channel[number];
    const struct inspect_missing *missing = &channel->missing;
    const struct inspect_faults *faults = &table->faults[number];
    const struct inspect_texts *texts = &table->rows.texts[number];
    const struct {
        const char *key;
        uint64_t count;
        bool absent;
    } counts[] = {
        { "missing", missing->n, false },
        { "gaps", missing->ngap, false },
        { "longest_gap", missing->longest, false },
        { "longest_gap_row", missing->longest_row, missing->longest == 0 },
        { "texts", texts->n, false },
        { "text_row", texts->row, texts->n == 0 },
        { "wraps", channel->meaning.nwrap, false },
        { "spikes", faults->nspike, false },
        { "spike_row", faults->spike_row, faults->nspike == 0 },
        { "jumps", faults->njump, false },
        { "jump_row", faults->jump_row, faults->njump == 0 },
    };
    add_kind(facts, &table->reader->columns, &channel->meaning);
    if (texts->n > 0)
        add_texts(facts, table, texts);
    if (table->rows.nrow > 0)
        add_spark(facts, table, number, spark);
    facts_number(facts, "least", channel->range.least);
    facts_number(facts, "most", channel->range.most);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        if (!counts[k].absent)
            facts_count(facts, counts[k].key, counts[k].count);
    facts_number(facts, "noise", faults->noise);
}

static void add_column(struct facts *facts, const struct inspect_table *table, size_t i, size_t spark)
{
    static const struct {
        const char *key, *words;
    } roles[] = {
        [ROLE_PASS] = { "copied", "not filtered" },
        [ROLE_CHANNEL] = { "channel", "filtered" },
        [ROLE_TIME] = { "time", "time" },
        [ROLE_GROUP] = { "group", "group" },
        [ROLE_CUT] = { "cuts", "cuts" },
        [ROLE_READ] = { "read by an option", "read" },
    };
    const struct columns *columns = &table->reader->columns;
    const struct column_plan *plan = table->reader->plan;
    const struct column *column = &columns->column[i];
    const struct column_use *use = plan_use(plan, i);
    char by_plan[300];
    plan_describe_reason(plan, i, by_plan, sizeof by_plan);
    const char *reason = table->told && use->role == ROLE_TIME ? "Unix times" : by_plan;
    facts_open(facts, FACT_OBJECT, NULL);
    facts_text(facts, "name", column->name);
    facts_count(facts, "position", i + 1);
    facts_text(facts, "role", roles[use->role].key);
    facts_text(facts, "reason", reason);
    facts_say(facts, roles[use->role].words, "%s", use->reason == REASON_NUMBER ? "" : reason);
    if (column->decimals >= 0)
        facts_count(facts, "decimals", (uint64_t)column->decimals);
    if (use->role == ROLE_CHANNEL)
        add_channel(facts, table, use->value, spark);
    facts_close(facts);
}

/* Says how long a gap is, and where. The seconds are those that --max-gap compares; `between`
 * says so, or is empty. */
static void say_gap(struct facts *facts, const struct inspect_table *table, const char *label,
                    const char *between, const struct inspect_gap *gap)
{
    const struct column *column = &table->reader->columns.column[table->channel[gap->channel].column];
    char seconds[24], span[48] = "";
    if (table->times.rate > 0)
        snprintf(span, sizeof span, " (%s s%s)",
                 number_of((double)(gap->length + 1) / table->times.rate, seconds), between);
    facts_say(facts, "", "%s: %llu row%s%s of \"%.60s\" from row %zu", label, (unsigned long long)gap->length,
              error_plural(gap->length), span, column->name, gap->row);
}

/* Where the longest gap, the first spike and the first jump are. A channel without a value has no gap that
 * could be filled. */
static void say_places(struct facts *facts, const struct inspect_table *table)
{
    const struct inspect_missing *gap = NULL;
    const struct inspect_faults *spike = NULL, *jump = NULL;
    size_t with_gap = 0, with_spike = 0, with_jump = 0;
    for (size_t k = 0; k < table->rows.nchannel; k++) {
        const struct inspect_channel *channel = &table->channel[k];
        const struct inspect_missing *missing = &channel->missing;
        const struct inspect_faults *faults = &table->faults[k];
        if (missing->longest > 0 && !isnan(channel->range.least) &&
            (!gap || missing->longest > gap->longest)) {
            gap = missing;
            with_gap = k;
        }
        if (faults->nspike > 0 && (!spike || faults->spike_row < spike->spike_row)) {
            spike = faults;
            with_spike = k;
        }
        if (faults->njump > 0 && (!jump || faults->jump_row < jump->jump_row)) {
            jump = faults;
            with_jump = k;
        }
    }
    if (gap)
        say_gap(facts, table, "longest gap", " between values",
                &(struct inspect_gap){ with_gap, gap->longest, gap->longest_row });
    if (spike)
        facts_say(facts, "", "first spike: row %zu of \"%.60s\"", spike->spike_row,
                  plan_channel(table->reader->plan, with_spike)->name);
    if (jump)
        facts_say(facts, "", "first jump: row %zu of \"%.60s\" (--detect-cuts below %d finds smaller ones)",
                  jump->jump_row, plan_channel(table->reader->plan, with_jump)->name, INSPECT_JUMP);
}

void inspect_facts_of_table(struct facts *facts, const struct inspect_table *table)
{
    const struct columns *columns = &table->reader->columns;
    size_t longest = 0, name, spark;
    for (size_t k = 0; k < table->rows.nchannel; k++) {
        const char *channel = columns->column[table->channel[k].column].name;
        const size_t wide = utf8_count(channel, strlen(channel));
        longest = wide > longest ? wide : longest;
    }
    facts_value_widths(longest, &name, &spark);
    facts_open(facts, FACT_OBJECT, NULL);
    if (table->reader->part) {
        facts_text(facts, "name", table->reader->part);
        facts_say(facts, "\ntable", "%s", table->reader->part);
    }
    facts_count(facts, "rows", table->rows.nrow);
    facts_flag(facts, "whole", table->rows.whole);
    add_times(facts, table);
    add_rows(facts, table);
    facts_open(facts, FACT_ARRAY, "columns");
    for (size_t i = 0; i < columns->ncolumn; i++)
        add_column(facts, table, i, spark);
    facts_close(facts);
    for (size_t i = 0; i < table->ngap; i++)
        say_gap(facts, table, "gap", "", &table->gap[i]);
    say_places(facts, table);
    facts_close(facts);
}
