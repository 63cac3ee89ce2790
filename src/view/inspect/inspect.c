/* One file from its first byte to the report. See inspect.h. */
#include "view/inspect/inspect.h"

#include "base/port.h"
#include "view/inspect/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct inspection {
    struct input in;
    const struct inspect_request *request;
    struct text page;     /* the report for people */
    struct json_out json; /* the report for programs */
    struct cJSON *tables; /* its tables */
    struct inspect_advice advice;
    char mask[INSPECT_MASK]; /* a mask that was found; "": none */
};

static void free_table(struct inspect_table *table)
{
    inspect_rows_free(&table->rows);
    free(table->channel);
    units_free(&table->units);
}

static void print_table(struct inspection *inspection, const struct inspect_table *table)
{
    const enum inspect_report form = inspection->request->form;
    if (form == INSPECT_JSON)
        inspect_json_table(&inspection->json, inspection->tables, table);
    else
        inspect_page_table(&inspection->page, table, form == INSPECT_ALL);
}

/* Reads, judges and prints the rows of the input, or of one of its tables. The reader is bound. */
static bool report_table(struct inspection *inspection, struct input *in, struct error *e)
{
    const double rate = in->reader.table.row_rate;
    struct inspect_table table = { .reader = &in->reader, .found_mask = inspection->mask };
    struct error fault = { 0 };
    bool read = inspect_rows_read(&table.rows, in, rate, &fault);
    bool good = (read || table.rows.nrow > 0) &&
                inspect_times_find(&table.times, &table.rows, rate, &fault) &&
                inspect_channels_find(&table, &fault);
    if (good)
        inspect_gaps_find(&table);
    good = good && inspect_faults_find(&table, &fault);
    if (good) {
        inspect_advice_take(&inspection->advice, &table);
        print_table(inspection, &table);
    }
    free_table(&table);
    if (!read || !good)
        *e = fault;
    return read && good;
}

/* Plans and binds the file; by the names of its columns with a mask, if a filter can have it. */
static bool bind(struct inspection *inspection, struct error *e)
{
    struct reader *reader = &inspection->in.reader;
    struct table *columns = &reader->table;
    struct column_choice choice = *inspection->request->choice;
    struct error ignored;
    choice.all_cells = choice.keeps_times = true;
    if (!table_plan(columns, &choice, e))
        return false;
    inspect_mask_find(columns, inspection->mask);
    if (inspection->mask[0]) {
        const char *masks[] = { inspection->mask };
        choice.masks = (struct texts){ .text = masks, .ntext = 1 };
        if (!table_plan(columns, &choice, &ignored)) {
            choice.masks = (struct texts){ .ntext = 0 };
            inspection->mask[0] = 0;
            if (!table_plan(columns, &choice, e))
                return false;
        }
    }
    return reader_bind(reader, e);
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
        loaded = input_next_part(&inspection->in.reader, &table.reader, e);
        if (loaded == LOAD_ROWS && !report_table(inspection, &table, e))
            loaded = LOAD_ERROR;
    }
    table_free(&table.reader.table);
    return loaded == LOAD_END;
}

static char *list_columns(const struct table *columns)
{
    struct text names = { 0 };
    for (size_t i = 0; i < columns->ncolumn; i++) {
        messages_escape(&names, columns->column[i].name, strlen(columns->column[i].name));
        text_put(&names, "\n");
    }
    return text_take(&names);
}

/* The report of an open file for programs. */
static char *report_json(struct inspection *inspection, const char *name, bool *good, struct error *e)
{
    json_out_open(&inspection->json);
    inspect_json_file(&inspection->json, &inspection->in.reader, name);
    inspection->tables = json_out_array(&inspection->json, inspection->json.root, "tables");
    *good = report_tables(inspection, e);
    if (*good)
        inspect_advice_finish(&inspection->advice, name);
    else
        json_out_text(&inspection->json, inspection->json.root, "error", e->text);
    if (*good)
        inspect_json_advice(&inspection->json, &inspection->advice);
    return json_out_take(&inspection->json, true);
}

/* The report of an open file for people. */
static char *report_page(struct inspection *inspection, const char *name, bool *good, struct error *e)
{
    inspect_page_file(&inspection->page, &inspection->in.reader, name);
    *good = report_tables(inspection, e);
    if (*good) {
        inspect_advice_finish(&inspection->advice, name);
        inspect_page_advice(&inspection->page, &inspection->advice);
    }
    return text_take(&inspection->page);
}

char *inspect_file(const char *name, const struct inspect_request *request, bool *good, struct error *e)
{
    struct inspection inspection = { .request = request };
    char *report = NULL;
    inspection.in.reader.lenient = true;
    inspect_advice_begin(&inspection.advice, request);
    *good = input_open(&inspection.in, name, request->options, e);
    const bool opened = *good;
    if (opened && request->form == INSPECT_COLUMNS)
        report = list_columns(&inspection.in.reader.table);
    else if (opened && request->form == INSPECT_JSON)
        report = report_json(&inspection, name, good, e);
    else if (opened)
        report = report_page(&inspection, name, good, e);
    if (opened && !report)
        *good = error_memory(e);
    inspect_advice_free(&inspection.advice);
    input_close(&inspection.in);
    return report;
}
