/* One file from its first byte to the report. See inspect.h. */
#include "view/inspect.h"

#include "base/port.h"
#include "formats/csv/csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct inspection {
    struct input in;
    const struct column_choice *choice;
    bool json;
    struct text text;     /* the report for people */
    struct json_out out;  /* the report for programs */
    struct cJSON *tables; /* the array of tables in out */
    struct inspect_findings findings;
};

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

/* Reads and judges a table, whose columns are selected and bound, and adds the table to the report. */
static bool report_table(struct inspection *inspection, struct error *e)
{
    const struct columns *columns = &inspection->in.reader.columns;
    double given = inspection->choice->rate > 0 ? inspection->choice->rate : columns->rate;
    double rate = columns->time == COLUMN_NONE && given > 0 ? given : 0;
    struct inspect_table table = { .reader = &inspection->in.reader };
    struct error fault = { 0 };
    if (!arrays_make(e, ARRAY(table.channel, columns->nchannel + 1)))
        return false;
    for (size_t i = 0; i < columns->ncolumn; i = columns_after(columns, i))
        if (columns->column[i].role == ROLE_CHANNEL)
            table.channel[columns->column[i].value].column = i;
    bool read = inspect_rows_read(&table.rows, table.channel, &inspection->in, rate, &fault);
    bool good = (read || table.rows.number) && inspect_times_find(&table.times, &table.rows, rate, &fault) &&
                inspect_channels_find(&table, &fault) && inspect_reading_find(&table, &fault) &&
                inspect_faults_find(&table, &fault);
    if (good) {
        inspect_findings_add(&inspection->findings, &table);
        if (inspection->json)
            inspect_json_table(&inspection->out, inspection->tables, &table);
        else
            inspect_text_table(&inspection->text, &table);
    }
    inspect_rows_free(&table.rows);
    free(table.channel);
    if (!read || !good)
        *e = fault;
    return read && good;
}

/* Gives columns their roles, for the file and again for each table of the file. */
static bool bind(struct inspection *inspection, struct error *e)
{
    struct reader *reader = &inspection->in.reader;
    struct column_choice choice = *inspection->choice;
    choice.all_cells = true;
    return columns_select(&reader->columns, &choice, e) &&
           (!reader->format->bind || reader->format->bind(reader, e));
}

static bool report_tables(struct inspection *inspection, struct error *e)
{
    struct reader *reader = &inspection->in.reader;
    if (!bind(inspection, e))
        return false;
    if (reader->npart == 0)
        return report_table(inspection, e);
    while (reader->format->next(reader) == LOAD_ROWS)
        if (!bind(inspection, e) || !report_table(inspection, e))
            return false;
    return true;
}

static void report_head(struct inspection *inspection, const char *name)
{
    struct port_status st;
    struct inspect_head head = { .name = name, .reader = &inspection->in.reader };
    if (port_status(inspection->in.source.fd, &st) == 0 && st.kind == PORT_REGULAR)
        head.nbyte = (uint64_t)st.size;
    head.nread = inspection->in.source.nread;
    if (inspection->json)
        inspect_json_head(&inspection->out, &head);
    else
        inspect_text_head(&inspection->text, &head);
}

/* Takes a report with its control bytes escaped: names and cells may hold any bytes, and reports go to
 * terminals. NULL: out of memory. */
static char *take_printable(struct text *report)
{
    struct text shown = { .failed = report->failed };
    messages_escape_lines(&shown, report->bytes, report->n);
    free(report->bytes);
    *report = (struct text){ 0 };
    return text_take(&shown);
}

char *inspect_file(const char *name, const struct column_choice *choice, const struct input_options *options,
                   bool json, bool *good, struct error *e)
{
    struct inspection inspection = { .choice = choice, .json = json, .findings.fewest = SIZE_MAX };
    struct inspect_advice advice = { 0 };
    inspection.in.reader.lenient = true;
    if (json)
        json_out_open(&inspection.out);
    bool opened = input_open(&inspection.in, name, options, e);
    *good = false;
    if (opened) {
        report_head(&inspection, name);
        inspection.tables = json ? json_out_array(&inspection.out, inspection.out.root, "tables") : NULL;
        *good = report_tables(&inspection, e);
    }
    if (*good) {
        inspect_advise(&advice, &inspection.findings, name, choice, options);
        if (json)
            inspect_json_advice(&inspection.out, &advice);
        else
            inspect_text_advice(&inspection.text, &advice, &inspection.findings);
    } else if (json && opened) { /* the report covers the rows before the error */
        json_out_text(&inspection.out, inspection.out.root, "error", e->text);
    }
    char *report = json ? json_out_take(&inspection.out, true) : take_printable(&inspection.text);
    if (!opened || advice.failed) {
        free(report);
        report = NULL;
    }
    if (opened && !report)
        *good = error_memory(e);
    inspect_advice_free(&advice);
    inspect_findings_free(&inspection.findings);
    input_close(&inspection.in);
    return report;
}
