/* One file from its first byte to the report. See inspect.h. */
#include "view/inspect/inspect.h"

#include "view/inspect/report.h"

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
    const char *masks[1];    /* the same */
    struct column_choice choice;
};

/* Reads, judges and prints the rows of the input, or of one of its tables. The reader is bound. */
static bool report_table(struct inspection *inspection, struct input *in, struct error *e)
{
    struct inspect_table table = { .reader = &in->reader, .found_mask = inspection->mask };
    const bool read = inspect_rows_read(&table.rows, in, e);
    bool good = (read || table.rows.nrow > 0) &&
                inspect_times_find(&table.times, &table.rows, in->reader.table.row_rate, e) &&
                inspect_channels_find(&table, e);
    if (good)
        inspect_gaps_find(&table);
    good = good && inspect_samples_find(&table, e);
    if (good)
        inspect_advice_take(&inspection->advice, &table);
    if (good && inspection->request->options->report == INSPECT_JSON)
        inspect_json_table(&inspection->json, inspection->tables, &table);
    else if (good)
        inspect_page_table(&inspection->page, &table, inspection->request->all);
    free(table.rows.value);
    free(table.channel);
    units_free(&table.units);
    return read && good;
}

/* Plans and binds the file; by the names of its columns with a mask, if a filter can have it. */
static bool bind(struct inspection *inspection, struct error *e)
{
    struct reader *reader = &inspection->in.reader;
    struct column_choice *choice = &inspection->choice;
    struct error ignored;
    *choice = *inspection->request->choice;
    choice->all_cells = true;
    if (!table_plan(&reader->table, choice, e))
        return false;
    inspect_mask_find(&reader->table, inspection->mask);
    inspection->masks[0] = inspection->mask;
    choice->masks = (struct texts){ .text = inspection->masks, .ntext = inspection->mask[0] != 0 };
    if (inspection->mask[0] && !table_plan(&reader->table, choice, &ignored)) {
        choice->masks.ntext = 0;
        inspection->mask[0] = 0;
        if (!table_plan(&reader->table, choice, e))
            return false;
    }
    return reader_bind(reader, e);
}

static bool report_tables(struct inspection *inspection, struct error *e)
{
    struct input table = { .nline = 0 };
    enum loaded loaded = LOAD_ROWS;
    if (!bind(inspection, e))
        return false;
    if (inspection->in.reader.npart == 0)
        return report_table(inspection, &inspection->in, e);
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

/* The report of an open file. */
static char *report_file(struct inspection *inspection, const char *name, bool *good, struct error *e)
{
    const struct reader *reader = &inspection->in.reader;
    struct inspect_advice *advice = &inspection->advice;
    struct json_out *json = &inspection->json;
    const bool for_people = inspection->request->options->report != INSPECT_JSON;
    if (for_people) {
        inspect_page_file(&inspection->page, reader, name);
    } else {
        json_out_open(json);
        inspect_json_file(json, reader, name);
        inspection->tables = json_out_array(json, json->root, "tables");
    }
    *good = report_tables(inspection, e);
    if (*good)
        inspect_advice_finish(advice, name);
    if (*good && for_people)
        inspect_page_advice(&inspection->page, advice);
    else if (*good)
        inspect_json_advice(json, advice);
    else if (!for_people)
        json_out_text(json, json->root, "error", e->text);
    return for_people ? text_take(&inspection->page) : json_out_take(json, true);
}

char *inspect_file(const char *name, const struct inspect_request *request, bool *good, struct error *e)
{
    struct inspection inspection = { .request = request };
    char *report = NULL;
    inspection.in.reader.lenient = true;
    inspect_advice_begin(&inspection.advice, request->options);
    *good = input_open(&inspection.in, name, request->input, e) &&
            input_check_options(&inspection.in.reader, e);
    if (*good) {
        report = request->options->report == INSPECT_COLUMNS ? list_columns(&inspection.in.reader.table)
                                                             : report_file(&inspection, name, good, e);
        if (!report)
            *good = error_memory(e);
    }
    inspect_advice_free(&inspection.advice);
    input_close(&inspection.in);
    return report;
}
