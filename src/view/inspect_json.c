/* The report of sprung inspect for programs: one line of JSON for a file. See inspect.h. */
#include "view/inspect.h"

#include <math.h>
#include <string.h>

void inspect_json_head(struct json_out *out, const struct inspect_head *head)
{
    const struct reader *reader = head->reader;
    const struct columns *columns = &reader->columns;
    char buf[8];
    const char *delimiter = inspect_delimiter(reader, buf);
    json_out_text(out, out->root, "file", head->name);
    json_out_text(out, out->root, "format", reader->format->name);
    if (delimiter)
        json_out_text(out, out->root, "delimiter", delimiter);
    if (reader->format->family == FAMILY_TEXT || reader->format->family == FAMILY_MOTION)
        json_out_count(out, out->root, "head_lines", reader->nline);
    json_out_bool(out, out->root, "named", columns->named);
    json_out_bool(out, out->root, "names_joined", columns->stacked);
    if (head->nbyte > 0)
        json_out_count(out, out->root, "bytes", head->nbyte);
}

static void add_time(struct json_out *out, struct cJSON *to, const struct inspect_table *table)
{
    static const char *const reasons[] = {
        [UNIT_ASSUMED] = "assumed", [UNIT_OPTION] = "option", [UNIT_NAME] = "name",
        [UNIT_LINE] = "line",       [UNIT_EPOCH] = "size",    [UNIT_TEXT] = "text",
    };
    const struct columns *columns = &table->reader->columns;
    const struct inspect_times *times = &table->times;
    struct cJSON *time = json_out_object(out, to, "time");
    if (columns->time != COLUMN_NONE) {
        json_out_text(out, time, "column", columns_at(columns, columns->time)->name);
        json_out_count(out, time, "position", columns->time + 1);
        json_out_number(out, time, "unit_seconds", time_unit_seconds(columns->unit));
        json_out_text(out, time, "unit_reason", reasons[columns->unit_reason]);
    }
    json_out_number(out, time, "rate", times->rate > 0 ? times->rate : (double)NAN);
    json_out_bool(out, time, "rate_stated", times->stated);
    json_out_bool(out, time, "even", times->even);
    json_out_number(out, time, "span", times->span);
    json_out_number(out, time, "step_usual", times->usual);
    json_out_number(out, time, "step_least", times->least);
    json_out_number(out, time, "step_most", times->most);
    json_out_count(out, time, "steps_long", times->nlong);
    json_out_count(out, time, "rows_of_equal_time", times->nequal);
    json_out_count(out, time, "rows_backward", times->nbackward);
}

static void add_channel(struct json_out *out, struct cJSON *to, const struct inspect_table *table,
                        const struct inspect_channel *channel)
{
    static const char *const kinds[] = {
        [INSPECT_VALUE] = "value",       [INSPECT_CONSTANT] = "constant", [INSPECT_COUNT] = "count",
        [INSPECT_MARK] = "mark",         [INSPECT_QUALITY] = "quality",   [INSPECT_ANGLE] = "angle",
        [INSPECT_ROTATION] = "rotation", [INSPECT_CLOCK] = "clock",
    };
    const struct columns *columns = &table->reader->columns;
    char kind[160];
    json_out_text(out, to, "kind", kinds[channel->kind]);
    inspect_describe_kind(columns, channel, kind, sizeof kind);
    if (kind[0])
        json_out_text(out, to, "kind_reason", kind);
    if (channel->kind == INSPECT_ANGLE)
        json_out_number(out, to, "period", channel->period);
    if (channel->kind == INSPECT_ROTATION && channel->rotation != COLUMN_NONE)
        json_out_text(out, to, "rotation_first", columns->column[channel->rotation].name);
    json_out_number(out, to, "least", channel->least);
    json_out_number(out, to, "most", channel->most);
    json_out_count(out, to, "missing", channel->nmissing);
    json_out_count(out, to, "gaps", channel->ngap);
    json_out_count(out, to, "longest_gap", channel->longest);
    if (channel->longest > 0)
        json_out_count(out, to, "longest_gap_row", channel->longest_row);
    json_out_count(out, to, "texts", channel->ntext);
    if (channel->ntext > 0) {
        json_out_text(out, to, "text", channel->text);
        json_out_count(out, to, "text_row", channel->text_row);
    }
    json_out_count(out, to, "wraps", channel->nwrap);
    json_out_count(out, to, "spikes", channel->nspike);
    if (channel->nspike > 0)
        json_out_count(out, to, "spike_row", channel->spike_row);
    json_out_count(out, to, "jumps", channel->njump);
    if (channel->njump > 0)
        json_out_count(out, to, "jump_row", channel->jump_row);
    json_out_number(out, to, "noise", channel->noise);
}

void inspect_json_table(struct json_out *out, struct cJSON *tables, const struct inspect_table *table)
{
    const struct columns *t = &table->reader->columns;
    const struct inspect_rows *rows = &table->rows;
    struct cJSON *to = json_out_object(out, tables, NULL);
    if (table->reader->part)
        json_out_text(out, to, "name", table->reader->part);
    json_out_count(out, to, "rows", rows->nrow);
    json_out_bool(out, to, "whole", rows->whole);
    add_time(out, to, table);
    if (rows->grouped != COLUMN_NONE) {
        json_out_text(out, to, "group_by", t->column[rows->grouped].name);
        json_out_count(out, to, "series", rows->nseries);
    }
    struct cJSON *columns = json_out_array(out, to, "columns");
    for (size_t i = 0; i < t->ncolumn; i = columns_after(t, i)) {
        const struct column *c = &t->column[i];
        if (c->role == ROLE_ABSENT)
            continue;
        struct cJSON *column = json_out_object(out, columns, NULL);
        char role[300];
        columns_describe_role(t, i, role, sizeof role);
        char *colon = strstr(role, ": ");
        if (colon)
            *colon = 0;
        json_out_text(out, column, "name", c->name);
        json_out_count(out, column, "position", i + 1);
        json_out_text(out, column, "role", role);
        json_out_text(out, column, "reason", colon ? colon + 2 : "");
        if (c->spelling.decimals >= 0)
            json_out_count(out, column, "decimals", (uint64_t)c->spelling.decimals);
        if (c->role == ROLE_CHANNEL)
            add_channel(out, column, table, &table->channel[c->value]);
    }
}

void inspect_json_advice(struct json_out *out, const struct inspect_advice *advice)
{
    if (advice->command)
        json_out_text(out, out->root, "command", advice->command);
    struct cJSON *options = json_out_array(out, out->root, "options");
    for (size_t k = 0; k < advice->noption; k++) {
        struct cJSON *option = json_out_object(out, options, NULL);
        json_out_text(out, option, "option", advice->option[k].words ? advice->option[k].words : "");
        json_out_text(out, option, "reason", advice->option[k].why ? advice->option[k].why : "");
    }
}
