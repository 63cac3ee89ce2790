/* The report of inspect for programs. See report.h. */
#include "view/inspect/report.h"

#include <math.h>
#include <stdlib.h>

void inspect_json_file(struct json_out *json, const struct reader *reader, const char *name)
{
    json_out_text(json, json->root, "file", name);
    json_out_text(json, json->root, "format", reader->format->name);
}

/* --- a table --- */

static void add_times(struct json_out *json, struct cJSON *to, const struct inspect_table *table)
{
    const struct table *columns = &table->reader->table;
    const struct inspect_times *times = &table->times;
    struct cJSON *time = json_out_object(json, to, "time");
    if (columns->time != COLUMN_NONE) {
        json_out_text(json, time, "column", table_column(columns, columns->time)->name);
        json_out_number(json, time, "unit_seconds", time_unit_seconds(columns->time_unit));
    }
    json_out_number(json, time, "rate", times->rate > 0 ? times->rate : (double)NAN);
    json_out_bool(json, time, "even", times->even);
    json_out_number(json, time, "span", times->span);
    json_out_number(json, time, "step_most", times->most);
    json_out_count(json, time, "steps_long", times->nlong);
    json_out_count(json, time, "rows_of_equal_time", times->nequal);
    json_out_count(json, time, "rows_backward", table->rows.nbackward);
}

/* Adds a number of faults, and the row of the first of them. */
static void add_faults(struct json_out *json, struct cJSON *to, const char *name, uint64_t n,
                       const char *row_name, size_t row)
{
    json_out_count(json, to, name, n);
    if (n > 0)
        json_out_count(json, to, row_name, row);
}

static void add_channel(struct json_out *json, struct cJSON *to, const struct inspect_table *table, size_t k)
{
    const struct inspect_channel *channel = &table->channel[k];
    const struct unit *unit = units_of(&table->units, k);
    const struct inspect_texts *texts = &table->rows.texts[k];
    json_out_text(json, to, "kind", unit->kind->name);
    if (unit->period > 0)
        json_out_number(json, to, "period", unit->period);
    if (channel->out)
        json_out_text(json, to, "exclude", channel->out);
    json_out_number(json, to, "least", channel->least);
    json_out_number(json, to, "most", channel->most);
    json_out_count(json, to, "missing", channel->nmissing);
    json_out_count(json, to, "gaps", channel->ngap);
    add_faults(json, to, "longest_gap", channel->longest, "longest_gap_row", channel->longest_row);
    add_faults(json, to, "texts", texts->n, "text_row", texts->row);
    if (texts->n > 0)
        json_out_text(json, to, "text", texts->first);
    add_faults(json, to, "spikes", channel->nspike, "spike_row", channel->spike_row);
}

static void add_column(struct json_out *json, struct cJSON *columns, const struct inspect_table *table,
                       size_t i)
{
    static const char *const roles[] = {
        [ROLE_PASS] = "copied", [ROLE_CHANNEL] = "channel", [ROLE_TIME] = "time",
        [ROLE_GROUP] = "group", [ROLE_CUT] = "cuts",        [ROLE_READ] = "mask",
    };
    const struct column *use = table_column(&table->reader->table, i);
    struct cJSON *to = json_out_object(json, columns, NULL);
    json_out_text(json, to, "name", table->reader->table.column[i].name);
    json_out_text(json, to, "role", roles[use->role]);
    json_out_text(json, to, "reason", use->why);
    if (use->role == ROLE_CHANNEL)
        add_channel(json, to, table, use->value);
}

void inspect_json_table(struct json_out *json, struct cJSON *tables, const struct inspect_table *table)
{
    const struct inspect_rows *rows = &table->rows;
    const struct table *columns = &table->reader->table;
    struct cJSON *to = json_out_object(json, tables, NULL);
    if (table->reader->part)
        json_out_text(json, to, "name", table->reader->part);
    json_out_count(json, to, "rows", rows->nrow);
    json_out_bool(json, to, "whole", rows->whole);
    add_times(json, to, table);
    if (rows->grouped != COLUMN_NONE)
        json_out_text(json, to, "group_by", columns->column[rows->grouped].name);
    json_out_count(json, to, "series", rows->nseries);
    add_faults(json, to, "jump_row", rows->joined_row, "jump_column", rows->joined + 1);
    struct cJSON *list = json_out_array(json, to, "columns");
    for (size_t i = 0; i < columns->ncolumn; i++)
        add_column(json, list, table, i);
}

/* --- the advice --- */

void inspect_json_advice(struct json_out *json, const struct inspect_advice *advice)
{
    if (advice->why_not.bytes)
        json_out_text(json, json->root, "why_not", advice->why_not.bytes);
    if (advice->command.bytes)
        json_out_text(json, json->root, "command", advice->command.bytes);
    json->failed |= advice->command.failed;
}
