/* One file from its first byte to the report. See inspect.h. */
#include "view/inspect/inspect.h"

#include "base/port.h"
#include "view/inspect/advice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct inspection {
    struct input in;
    const struct column_choice *choice;
    bool told; /* the times are those of a column that only --time makes the time column */
    bool all;  /* every gap is reported */
    struct facts facts;
    struct inspect_advice advice;
};

static void free_table(struct inspect_table *table)
{
    inspect_rows_free(&table->rows);
    free(table->channel);
    free(table->gap);
    free(table->reading.excluded);
    free(table->faults);
    units_free(&table->units);
}

/* Reads and judges the rows of the input, or of one of its tables, and adds their facts. The reader is bound.
 */
static bool report_table(struct inspection *inspection, struct input *in, struct error *e)
{
    const double rate = in->reader.plan->row_rate;
    struct inspect_table table = { .reader = &in->reader, .told = inspection->told, .all = inspection->all };
    struct error fault = { 0 };
    bool read = inspect_rows_read(&table.rows, in, rate, &fault);
    bool good = (read || table.rows.nrow > 0) &&
                inspect_times_find(&table.times, &table.rows, rate, &fault) &&
                inspect_channels_find(&table, &fault) && inspect_reading_find(&table, &fault) &&
                inspect_faults_find(&table, &fault) && inspect_quiet_find(&table, &table.quiet, &fault);
    if (good) {
        inspect_advice_take(&inspection->advice, &table);
        inspect_facts_of_table(&inspection->facts, &table);
    }
    free_table(&table);
    if (!read || !good)
        *e = fault;
    return read && good;
}

/* Where neither times nor a rate are known: a column of Unix times, which a filter takes as the time only
 * with --time. COLUMN_NONE: there is no such column. */
static size_t find_unix_times(const struct reader *reader)
{
    const bool known = reader->plan->time != COLUMN_NONE || reader->plan->row_rate > 0;
    const size_t like = known ? COLUMN_NONE : columns_resembles_time(&reader->columns, false);
    const bool found = like != COLUMN_NONE && columns_holds_epoch(columns_at(&reader->columns, like));
    return found ? like : COLUMN_NONE;
}

/* Plans and binds the file. */
static bool bind(struct inspection *inspection, struct error *e)
{
    struct reader *reader = &inspection->in.reader;
    struct column_choice choice = *inspection->choice;
    char time[COLUMNS_NUMBER];
    choice.all_cells = choice.keeps_times = true;
    if (!reader_plan(reader, &inspection->in.plan, &choice, e))
        return false;
    const size_t column = find_unix_times(reader);
    inspection->told = column != COLUMN_NONE;
    if (inspection->told)
        snprintf(time, sizeof time, "%zu", reader->columns.column[column].position);
    choice.time = time;
    return (!inspection->told || reader_plan(reader, &inspection->in.plan, &choice, e)) &&
           reader_bind(reader, e);
}

static bool report_tables(struct inspection *inspection, struct error *e)
{
    struct input table = { .nline = 0 };
    if (!bind(inspection, e))
        return false;
    if (inspection->in.reader.npart == 0)
        return report_table(inspection, &inspection->in, e);
    enum loaded loaded = LOAD_ROWS;
    while (loaded == LOAD_ROWS) {
        table.nline = 0;
        loaded = input_next_table(&inspection->in.reader, &table.reader, &table.plan, e);
        if (loaded == LOAD_ROWS && !report_table(inspection, &table, e))
            loaded = LOAD_ERROR;
    }
    plan_free(&table.plan);
    columns_free(&table.reader.columns);
    return loaded == LOAD_END;
}

static char *list_columns(const struct columns *columns)
{
    struct text names = { 0 };
    for (size_t i = 0; i < columns->ncolumn; i++) {
        messages_escape(&names, columns->column[i].name, strlen(columns->column[i].name));
        text_put(&names, "\n");
    }
    return text_take(&names);
}

/* The size of the file in bytes; 0: not known. */
static uint64_t file_size(const struct input *in)
{
    struct port_status status;
    const bool known = port_status(in->source.fd, &status) == 0 && status.kind == PORT_REGULAR;
    return known ? (uint64_t)status.size : 0;
}

/* Adds the facts about an open file. A fault leaves those about the rows before it. */
static bool add_facts(struct inspection *inspection, const char *name, const struct input_options *options,
                      struct error *e)
{
    struct facts *facts = &inspection->facts;
    inspect_facts_of_file(facts, &inspection->in.reader, name, file_size(&inspection->in));
    facts_open(facts, FACT_ARRAY, "tables");
    const bool good = report_tables(inspection, e);
    facts_close(facts);
    if (good)
        inspect_facts_of_advice(facts, &inspection->advice, name, inspection->choice, options);
    else
        facts_text(facts, "error", e->text);
    return good;
}

char *inspect_file(const char *name, const struct column_choice *choice, const struct input_options *options,
                   enum inspect_report form, bool *good, struct error *e)
{
    struct inspection inspection = { .choice = choice,
                                     .all = form == INSPECT_ALL,
                                     .advice.fewest = SIZE_MAX };
    char *report = NULL;
    inspection.in.reader.lenient = true;
    const bool opened = input_open(&inspection.in, name, options, e);
    if (opened && form == INSPECT_COLUMNS)
        report = list_columns(&inspection.in.reader.columns);
    *good = opened && (form == INSPECT_COLUMNS || add_facts(&inspection, name, options, e));
    if (opened && form != INSPECT_COLUMNS)
        report = form == INSPECT_JSON ? facts_json(&inspection.facts)
                                      : facts_page(&inspection.facts, inspection.all);
    if (opened && !report)
        *good = error_memory(e);
    inspect_advice_free(&inspection.advice);
    facts_free(&inspection.facts);
    input_close(&inspection.in);
    return report;
}
