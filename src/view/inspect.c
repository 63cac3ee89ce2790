/* One file from its first byte to the report. See inspect.h. */
#include "view/inspect.h"

#include "formats/csv/csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

struct inspection {
    struct input in;
    const struct column_choice *choice;
    bool json;
    struct text text;     /* the report for people */
    struct json_out out;  /* the one for programs */
    struct cJSON *tables; /* in out */
    struct inspect_findings all;
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
static bool report_table(struct inspection *x, struct error *e)
{
    const struct columns *t = &x->in.reader.columns;
    double given = x->choice->rate > 0 ? x->choice->rate : t->rate;
    double rate = t->time == COLUMN_NONE && given > 0 ? given : 0;
    struct inspect_table table = { .reader = &x->in.reader };
    struct error fault = { 0 };
    if (!arrays_make(e, ARRAY(table.channel, t->nchannel + 1)))
        return false;
    for (size_t i = 0; i < t->ncolumn; i = columns_after(t, i))
        if (t->column[i].role == ROLE_CHANNEL)
            table.channel[t->column[i].value].column = i;
    bool read = inspect_rows_read(&table.rows, table.channel, &x->in, rate, &fault);
    bool good = (read || table.rows.number) && inspect_times_find(&table.times, &table.rows, rate, &fault) &&
                inspect_channels_find(&table, &fault);
    if (good) {
        inspect_findings_add(&x->all, &table);
        if (x->json)
            inspect_json_table(&x->out, x->tables, &table);
        else
            inspect_text_table(&x->text, &table);
    }
    inspect_rows_free(&table.rows);
    free(table.channel);
    if (!read || !good)
        *e = fault;
    return read && good;
}

/* Gives columns their roles, for the file and again for each table of the file. */
static bool bind(struct inspection *x, struct error *e)
{
    struct reader *r = &x->in.reader;
    struct column_choice choice = *x->choice;
    choice.all_cells = true;
    return columns_select(&r->columns, &choice, e) && (!r->format->bind || r->format->bind(r, e));
}

static bool report_tables(struct inspection *x, struct error *e)
{
    struct reader *r = &x->in.reader;
    if (!bind(x, e))
        return false;
    if (r->npart == 0)
        return report_table(x, e);
    while (r->format->next(r) == LOAD_ROWS)
        if (!bind(x, e) || !report_table(x, e))
            return false;
    return true;
}

static void report_head(struct inspection *x, const char *name)
{
    struct stat st;
    struct inspect_head head = { .name = name, .reader = &x->in.reader };
    if (fstat(x->in.source.fd, &st) == 0 && S_ISREG(st.st_mode))
        head.nbyte = (uint64_t)st.st_size;
    head.nread = x->in.source.nread;
    if (x->json)
        inspect_json_head(&x->out, &head);
    else
        inspect_text_head(&x->text, &head);
}

char *inspect_file(const char *name, const struct column_choice *choice, const struct input_options *options,
                   bool json, bool *good, struct error *e)
{
    struct inspection x = { .choice = choice, .json = json, .all.fewest = SIZE_MAX };
    struct inspect_advice advice = { 0 };
    x.in.reader.lenient = true;
    if (json)
        json_out_open(&x.out);
    bool opened = input_open(&x.in, name, options, e);
    *good = false;
    if (opened) {
        report_head(&x, name);
        x.tables = json ? json_out_array(&x.out, x.out.root, "tables") : NULL;
        *good = report_tables(&x, e);
    }
    if (*good) {
        inspect_advise(&advice, &x.all, name, choice, options);
        if (json)
            inspect_json_advice(&x.out, &advice);
        else
            inspect_text_advice(&x.text, &advice, &x.all);
    } else if (json && opened) { /* the report covers the rows before the error */
        json_out_text(&x.out, x.out.root, "error", e->text);
    }
    char *report = json ? json_out_take(&x.out, true) : text_take(&x.text);
    if (!opened || advice.failed) {
        free(report);
        report = NULL;
    }
    if (opened && !report)
        *good = error_memory(e);
    inspect_advice_free(&advice);
    inspect_findings_free(&x.all);
    input_close(&x.in);
    return report;
}
