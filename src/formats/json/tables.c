/* Several tables in one document: each value that --records with a * matches is a table with rows and times
 * of its own. The document is held whole. A table has a struct json of its own, which the functions for one
 * table take as the state of the reader. The text of the document is divided among the loaded tables: the
 * text of a table ends where the value of the next table begins, and the text of the first table begins with
 * the document. Therefore the text between tables is copied like the text around the records of a single
 * table. */
#include "formats/json/json.h"

#include "base/array.h"

#include <stdlib.h>

void json_free_table(struct json_table *table)
{
    json_free(&table->json);
    columns_free(&table->columns);
    free(table->name);
}

void json_close_tables(struct json_tables *tables)
{
    for (size_t i = 0; i < tables->n; i++)
        json_free_table(&tables->table[i]);
    free(tables->table);
    free(tables->text);
    free(tables->document.walk);
    json_free(&tables->document);
    free(tables);
}

/* --- rows --- */

bool json_explain_table(const struct json *json, const char *at, struct error *e)
{
    struct error place = { 0 };
    if (!json->tables)
        return false;
    struct json_scan scan = { .end = json->tables->text + json->tables->ntext };
    json_fail(&scan, at, "");
    json_explain(&scan, json->tables->text, json_start(json->tables->text), "$", &place);
    error_column(e, place.column);
    return error_place(e, place.line);
}

/* Binds a table. A table with a channel needs times where other tables have times. */
static bool bind_table(struct reader *reader, struct json_table *table, struct error *e)
{
    struct reader own = *reader;
    own.state = &table->json;
    if (reader->plan->time == 0 && table->time == COLUMN_NONE && table->selected) {
        error_data(e, "this table has no times (\"%s\"), but other tables do",
                   reader->columns.column[0].name);
        error_hint(e, "leave its columns out with --exclude, or give the row rate, as in --rate 100");
        return json_explain_table(&table->json, table->value, e);
    }
    return json_bind_table(&own, e);
}

bool json_bind_tables(struct reader *reader, struct error *e)
{
    struct json_tables *tables = ((struct json *)reader->state)->tables;
    const struct columns *columns = &reader->columns;
    const struct column_plan *plan = reader->plan;
    if (!format_owns_time(reader, e))
        return false;
    if (reader->part)
        return bind_table(reader, &tables->table[tables->at], e);
    if (plan->time != COLUMN_NONE && !columns->owns_time) {
        error_usage(e, "--time: each table of --records has its own times");
        return error_hint(e, "name them \"time\" in the file, or give the row rate, as in --rate 100");
    }
    bool good = true;
    for (size_t i = 0; good && i < tables->n; i++) {
        struct json_table *table = &tables->table[i];
        for (size_t k = table->first; k < table->end; k++)
            table->selected |= plan_use(plan, k)->role == ROLE_CHANNEL;
        reader->npart += table->selected;
        good = bind_table(reader, table, e);
    }
    return good;
}

/* The first selected table from number i on; tables->n: no further table is selected. */
static size_t find_selected(const struct json_tables *tables, size_t i)
{
    while (i < tables->n && !tables->table[i].selected)
        i++;
    return i;
}

/* Makes table i the table whose rows are loaded; following: number of the table that is loaded after table
 * i. */
static void choose_table(struct json_tables *tables, size_t i, size_t following)
{
    const char *end = tables->text + tables->ntext;
    tables->begin = tables->at == tables->n ? tables->text : tables->table[i].value;
    tables->end = following < tables->n ? tables->table[following].value : end;
    tables->at = i;
    tables->given = false;
}

/* Numbers the nodes of a table by the table's own columns. */
static void number_nodes(struct json_table *table, bool owns_time)
{
    const size_t shift = table->first - owns_time;
    for (size_t i = 0; i < table->json.nnode; i++) {
        struct json_node *node = table->json.node[i];
        if (node->column != COLUMN_NONE && node->column >= table->first)
            node->column -= shift;
    }
}

enum loaded json_next_table(const struct reader *input, struct reader *table, struct error *e)
{
    struct json_tables *tables = ((struct json *)input->state)->tables;
    if (!tables)
        return LOAD_END;
    size_t next = find_selected(tables, tables->at == tables->n ? 0 : tables->at + 1);
    if (next == tables->n)
        return LOAD_END;
    choose_table(tables, next, find_selected(tables, next + 1));
    struct json_table *chosen = &tables->table[next];
    if (!reader_of_table(input, table, chosen->name, chosen->first, chosen->end, e))
        return LOAD_ERROR;
    number_nodes(chosen, input->columns.owns_time);
    tables->nline += block_count(tables->counted, (size_t)(tables->begin - tables->counted), '\n');
    tables->counted = tables->begin;
    table->nline = tables->nline;
    table->state = &chosen->json;
    return LOAD_ROWS;
}

/* Copies the text of the chosen table to the table's struct json. */
static bool give_text(struct json_tables *tables, struct error *e)
{
    struct json_table *table = &tables->table[tables->at];
    struct json *json = &table->json;
    const size_t ntext = (size_t)(tables->end - tables->begin);
    if (!array_reserve(&json->rest, ntext + JSON_SLACK, &json->maxrest, 1, e))
        return false;
    memcpy(json->rest, tables->begin, ntext);
    memset(json->rest + ntext, 0, JSON_SLACK);
    json->nrest = ntext;
    json->base = tables->begin;
    json->nhead += (size_t)(table->value - tables->begin);
    json->split = (struct json_split){ .row_end = json->split.row_end,
                                       .n = json->nhead,
                                       .last = json->nhead };
    tables->given = true;
    return true;
}

enum loaded json_load_tables(struct reader *reader, struct block *block, struct error *e)
{
    struct json_tables *tables = ((struct json *)reader->state)->tables;
    if (tables->at == tables->n)
        choose_table(tables, 0, 1);
    for (;;) {
        struct reader own = *reader;
        own.state = &tables->table[tables->at].json;
        block->part = tables->at;
        if (!tables->given && !give_text(tables, e))
            return LOAD_ERROR;
        enum loaded loaded = json_load_table(&own, block, e);
        if (loaded != LOAD_END || reader->part || tables->at + 1 == tables->n)
            return loaded;
        choose_table(tables, tables->at + 1, tables->at + 2);
    }
}

const struct json *json_of_block(const struct reader *reader, const struct block *block)
{
    const struct json *json = reader->state;
    return json->tables ? &json->tables->table[block->part].json : json;
}
