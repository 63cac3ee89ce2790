/* The report of inspect for programs. See print.h. */
#include "base/port.h"
#include "view/inspect/print.h"

#include <math.h>
#include <stdlib.h>

/* --- the file --- */

/* The size of the file in bytes; 0: not known. */
static uint64_t file_size(const struct input *in)
{
    struct port_status status;
    const bool known = port_status(in->source.fd, &status) == 0 && status.kind == PORT_REGULAR;
    return known ? (uint64_t)status.size : 0;
}

void inspect_json_file(struct json_out *json, const struct input *in, const char *name)
{
    const struct reader *reader = &in->reader;
    char buf[8];
    const char *delimiter = inspect_delimiter(reader, buf);
    const uint64_t size = file_size(in);
    json_out_text(json, json->root, "file", name);
    json_out_text(json, json->root, "format", reader->format->name);
    if (delimiter)
        json_out_text(json, json->root, "delimiter", delimiter);
    if (reader->format->family == FAMILY_TEXT || reader->format->family == FAMILY_MOTION)
        json_out_count(json, json->root, "head_lines", reader->nline);
    json_out_bool(json, json->root, "named", reader->columns.named);
    json_out_bool(json, json->root, "names_joined", reader->columns.stacked);
    if (size > 0)
        json_out_count(json, json->root, "bytes", size);
}

/* --- a table --- */

static void add_times(struct json_out *json, struct cJSON *to, const struct inspect_table *table)
{
    static const char *const reasons[] = {
        [UNIT_ASSUMED] = "assumed", [UNIT_OPTION] = "option", [UNIT_NAME] = "name",
        [UNIT_LINE] = "line",       [UNIT_EPOCH] = "size",    [UNIT_TEXT] = "text",
    };
    const struct column_plan *plan = table->reader->plan;
    const struct inspect_times *times = &table->times;
    struct cJSON *time = json_out_object(json, to, "time");
    if (plan->time != COLUMN_NONE) {
        json_out_text(json, time, "column", columns_at(&table->reader->columns, plan->time)->name);
        json_out_count(json, time, "position", plan->time + 1);
        json_out_number(json, time, "unit_seconds", time_unit_seconds(plan->unit));
        json_out_text(json, time, "unit_reason", reasons[plan->unit_reason]);
    }
    json_out_number(json, time, "rate", times->rate > 0 ? times->rate : (double)NAN);
    json_out_bool(json, time, "rate_stated", times->stated);
    json_out_bool(json, time, "even", times->even);
    json_out_number(json, time, "span", times->span);
    json_out_number(json, time, "step_usual", times->usual);
    json_out_number(json, time, "step_least", times->least);
    json_out_number(json, time, "step_most", times->most);
    json_out_count(json, time, "steps_long", times->nlong);
    json_out_count(json, time, "rows_of_equal_time", times->nequal);
    json_out_count(json, time, "rows_backward", times->nbackward);
}

/* Adds a number of faults, and the row of the first of them. */
static void add_faults(struct json_out *json, struct cJSON *to, const char *name, uint64_t n,
                       const char *row_name, size_t row)
{
    json_out_count(json, to, name, n);
    if (n > 0)
        json_out_count(json, to, row_name, row);
}

static void add_channel(struct json_out *json, struct cJSON *to, const struct inspect_table *table,
                        size_t number)
{
    static const char *const kinds[] = {
        [INSPECT_VALUE] = "value",     [INSPECT_CONSTANT] = "constant", [INSPECT_COUNT] = "count",
        [INSPECT_CLOCK] = "clock",     [INSPECT_MARK] = "mark",         [INSPECT_STATE] = "state",
        [INSPECT_QUALITY] = "quality", [INSPECT_ANGLE] = "angle",       [INSPECT_ROTATION] = "rotation",
    };
    const struct inspect_channel *channel = &table->channel[number];
    const struct inspect_meaning *meaning = &channel->meaning;
    const struct inspect_missing *missing = &channel->missing;
    const struct inspect_faults *faults = &table->faults[number];
    const struct inspect_texts *texts = &table->rows.texts[number];
    char words[INSPECT_WORDS];
    inspect_kind_words(meaning, words);
    json_out_text(json, to, "kind", kinds[meaning->kind]);
    if (words[0])
        json_out_text(json, to, "kind_reason", words);
    if (meaning->kind == INSPECT_ANGLE)
        json_out_number(json, to, "period", meaning->period);
    if (meaning->kind == INSPECT_ROTATION && meaning->rotation != COLUMN_NONE)
        json_out_text(json, to, "rotation_first", table->reader->columns.column[meaning->rotation].name);
    json_out_number(json, to, "least", channel->range.least);
    json_out_number(json, to, "most", channel->range.most);
    json_out_count(json, to, "missing", missing->n);
    json_out_count(json, to, "gaps", missing->ngap);
    add_faults(json, to, "longest_gap", missing->longest, "longest_gap_row", missing->longest_row);
    add_faults(json, to, "texts", texts->n, "text_row", texts->row);
    if (texts->n > 0)
        json_out_text(json, to, "text", texts->first);
    json_out_count(json, to, "wraps", meaning->nwrap);
    add_faults(json, to, "spikes", faults->nspike, "spike_row", faults->spike_row);
    add_faults(json, to, "jumps", faults->njump, "jump_row", faults->jump_row);
    json_out_number(json, to, "noise", faults->noise);
}

static void add_column(struct json_out *json, struct cJSON *columns, const struct inspect_table *table,
                       size_t i)
{
    static const char *const roles[] = {
        [ROLE_PASS] = "copied", [ROLE_CHANNEL] = "channel", [ROLE_TIME] = "time",
        [ROLE_GROUP] = "group", [ROLE_CUT] = "cuts",        [ROLE_READ] = "read by an option",
    };
    const struct column *column = &table->reader->columns.column[i];
    const struct column_use *use = plan_use(table->reader->plan, i);
    struct cJSON *to = json_out_object(json, columns, NULL);
    char reason[INSPECT_WORDS];
    inspect_reason(table, i, reason);
    json_out_text(json, to, "name", column->name);
    json_out_count(json, to, "position", i + 1);
    json_out_text(json, to, "role", roles[use->role]);
    json_out_text(json, to, "reason", reason);
    if (column->decimals >= 0)
        json_out_count(json, to, "decimals", (uint64_t)column->decimals);
    if (use->role == ROLE_CHANNEL)
        add_channel(json, to, table, use->value);
}

void inspect_json_table(struct json_out *json, struct cJSON *tables, const struct inspect_table *table)
{
    const struct inspect_rows *rows = &table->rows;
    const struct columns *columns = &table->reader->columns;
    struct cJSON *to = json_out_object(json, tables, NULL);
    if (table->reader->part)
        json_out_text(json, to, "name", table->reader->part);
    json_out_count(json, to, "rows", rows->nrow);
    json_out_bool(json, to, "whole", rows->whole);
    add_times(json, to, table);
    if (rows->grouped != COLUMN_NONE) {
        json_out_text(json, to, "group_by", columns->column[rows->grouped].name);
        json_out_count(json, to, "series", rows->nseries);
    }
    struct cJSON *list = json_out_array(json, to, "columns");
    for (size_t i = 0; i < columns->ncolumn; i++)
        add_column(json, list, table, i);
}

/* --- the advice --- */

void inspect_json_advice(struct json_out *json, const struct inspect_advice *advice)
{
    struct cJSON *notes = json_out_array(json, json->root, "notes");
    for (size_t k = 0; k < advice->nnote; k++)
        json_out_text(json, notes, NULL, advice->note[k].bytes ? advice->note[k].bytes : "");
    if (advice->why_not.bytes)
        json_out_text(json, json->root, "why_not", advice->why_not.bytes);
    if (advice->command.bytes)
        json_out_text(json, json->root, "command", advice->command.bytes);
    struct cJSON *options = json_out_array(json, json->root, "options");
    for (size_t k = 0; k < advice->noption && advice->command.bytes; k++) {
        const struct inspect_option *option = &advice->option[k];
        struct text words = { 0 };
        if (option->dropped)
            continue;
        inspect_put_option(&words, option);
        struct cJSON *to = json_out_object(json, options, NULL);
        json_out_text(json, to, "option", words.bytes ? words.bytes : "");
        json_out_text(json, to, "reason", option->why.bytes ? option->why.bytes : "");
        free(words.bytes);
    }
    json->failed |= advice->command.failed || advice->why_not.failed;
}
