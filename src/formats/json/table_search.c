/* The search for the tables of a document: which values --records matches, and the names of the tables and of
 * their columns. See tables.c. */
#include "formats/json/json.h"

#include "base/array.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    MAXNAME = 1000,       /* most bytes of a "name" that names a table */
    DISCRETE_TRACK = 2300 /* InterpolateDiscrete in the constants of three.js */
};

/* --- the search for tables --- */

struct search {
    struct reader *reader;
    struct json_tables *tables;
    struct text path; /* path of the value, for messages: $.tracks[3] */
    struct text name; /* name of the table */
    size_t nnamed;    /* bytes of `name` up to the end of the last part that a member "name" gave */
    size_t last_star; /* index of the last * in the pointer: later parts are the same for all tables */
    size_t nother;    /* values without numbers */
    size_t ndiscrete; /* tracks of three.js with discrete interpolation */
    struct error *e;
};

static bool is_star(const char *part)
{
    return strcmp(part, "*") == 0;
}

/* Appends the key or index of the value to the path, and to the name of the table, unless all tables have the
 * same key. An object that a * matches and that has a member "name" is named by this member. */
static void put_step(struct search *search, const struct json_items *items, const char *value, size_t level)
{
    const struct json *document = &search->tables->document;
    size_t nname = 0;
    char name[MAXNAME];
    if (items->object)
        text_put(&search->path, ".%.*s", (int)items->nkey, items->key);
    else
        text_put(&search->path, "[%zu]", items->count - 1);
    if (level > search->last_star)
        return;
    const char *given = NULL;
    if (is_star(document->pointer[level]))
        given = json_inside(json_member(value, "name"), &nname);
    if (given && nname > 0 && nname <= sizeof name) {
        nname = json_unescape(given, nname, name);
        if (!memchr(name, 0, nname)) {
            search->name.n = search->nnamed;
            if (search->nnamed > 0)
                text_add(&search->name, "/", 1);
            text_add(&search->name, name, nname);
            search->nnamed = search->name.n;
            return;
        }
    }
    if (search->name.n > 0)
        text_add(&search->name, ".", 1);
    if (items->object)
        text_add(&search->name, items->key, items->nkey);
    else
        text_put(&search->name, "%zu", items->count - 1);
}

/* Makes the shape and the columns of a table; a data error if the value is no table. */
static bool open_table(struct search *search, struct json_table *table, struct error *e)
{
    struct json *json = &table->json;
    struct reader own = *search->reader;
    const char *end = search->tables->text + search->tables->ntext;
    *json = (struct json){
        .tables = search->tables,
        .walk = search->tables->document.walk,
        .rest = (char *)table->value,
        .nrest = (size_t)(end - table->value),
        .ended = true,
    };
    snprintf(json->prefix, sizeof json->prefix, "%s", search->path.bytes);
    own.columns = (struct columns){ 0 };
    own.state = json;
    bool good = false;
    if (*table->value == '[')
        good = json_open_rows(&own, 1, e);
    else if (*table->value == '{')
        good = json_open_columns(&own, 0, e);
    else
        error_data(e, "neither an array nor an object");
    table->columns = own.columns;
    json->rest = NULL;
    json->nrest = 0;
    return good;
}

static bool has_numbers(const struct json_table *table)
{
    for (size_t i = 0; i < table->columns.ncolumn; i++)
        if (i != table->time && table->columns.column[i].first != CELL_TEXT)
            return true;
    return false;
}

/* Adds the value as a table, unless the value has no numbers. */
static bool add_table(struct search *search, const char *value)
{
    struct json_tables *tables = search->tables;
    const char *interpolation = json_member(value, "interpolation");
    struct json_table table = { .value = value };
    struct error fault = { 0 };
    if (interpolation && strtol(interpolation, NULL, 10) == DISCRETE_TRACK) {
        search->ndiscrete++;
        return true;
    }
    if (search->path.failed || search->name.failed)
        return error_memory(search->e);
    bool good = open_table(search, &table, &fault);
    if (!good && fault.kind != ERROR_DATA) {
        *search->e = fault;
        json_free_table(&table);
        return false;
    }
    table.time = columns_usual_time(&table.columns);
    if (!good || !has_numbers(&table)) {
        search->nother++;
        json_free_table(&table);
        return true;
    }
    table.name = text_copy(search->name.bytes, search->name.n);
    if (table.name &&
        array_reserve(&tables->table, tables->n + 1, &tables->max, sizeof *tables->table, NULL)) {
        tables->table[tables->n++] = table;
        return true;
    }
    json_free_table(&table);
    return error_memory(search->e);
}

/* Adds the tables in a value that the first `level` parts of the pointer name. */
static bool search_value(struct search *search, const char *value, size_t level)
{
    const struct json *document = &search->tables->document;
    struct json_items items = { .count = 0 };
    bool found = false;
    if (level == document->npointer)
        return add_table(search, value);
    if (*value != '{' && *value != '[')
        return true;
    const char *part = document->pointer[level];
    const size_t npath = search->path.n, nname = search->name.n, nnamed = search->nnamed;
    char *name = text_copy(search->name.bytes, nname); /* name of this value, to go back to */
    bool good = name || error_memory(search->e);
    for (const char *p = value; good && (p = json_each(&items, p));) {
        if (!is_star(part) && !json_is_part(&items, items.count - 1, part))
            continue;
        if (found && !is_star(part)) {
            struct json_scan scan = { .end = search->tables->text + search->tables->ntext };
            json_fail(&scan, p, "--records names this member, but it occurs twice");
            good = json_explain(&scan, search->tables->text, json_start(search->tables->text), "$",
                                search->e);
            break;
        }
        found = true;
        put_step(search, &items, p, level);
        good = search_value(search, p, level + 1);
        search->path.n = npath;
        search->name.n = 0;
        text_add(&search->name, name, nname);
        search->nnamed = nnamed;
    }
    free(name);
    return good;
}

/* --- columns of all tables --- */

/* The only array besides the times in an object of columns; NULL: there are several, or the only array lies
 * in an inner object. */
static const struct json_node *find_only_array(const struct json_table *table)
{
    const struct json *json = &table->json;
    const struct json_node *only = NULL;
    for (size_t i = 0; i < json->nnode; i++) {
        const struct json_node *node = json->node[i];
        if (node->kind != JSON_COLUMN || json_first_leaf(node)->column == table->time)
            continue;
        if (only || node->parent != json->node[0])
            return NULL;
        only = node;
    }
    return only;
}

/* The part of a column's name behind the name of the table. The position of bare numbers and the name of an
 * only array are left out. */
static const char *name_in_table(const struct json_table *table, const struct json_node *only_array,
                                 const char *name)
{
    if (table->json.rows == JSON_NUMBERS)
        return "";
    if (only_array && strncmp(name, only_array->name, only_array->nname) == 0)
        return name + only_array->nname;
    return name;
}

/* Adds a column to the reader with the properties of a table's column `like`, and takes the text of the first
 * row from `like`. */
static bool add_column(struct reader *reader, const char *name, struct column *like, struct error *e)
{
    if (!columns_add(&reader->columns, name, strlen(name), e))
        return false;
    struct column *column = &reader->columns.column[reader->columns.ncolumn - 1];
    column->first = like->first;
    column->number = like->number;
    column->decimals = like->decimals;
    column->form = like->form;
    column->axis = like->axis;
    column->text = like->text;
    like->text = NULL;
    return true;
}

/* Makes the columns of a table columns of the reader; the times of the table become column 0. */
static bool join_columns(struct reader *reader, struct json_table *table, struct error *e)
{
    const size_t ncolumn = table->columns.ncolumn;
    const struct json_node *only_array = find_only_array(table);
    size_t *number = malloc(ncolumn * sizeof *number); /* [ncolumn] number of each column in the reader */
    bool good = number || error_memory(e);
    table->first = reader->columns.ncolumn;
    for (size_t i = 0; good && i < ncolumn; i++) {
        struct column *column = &table->columns.column[i];
        const char *rest = name_in_table(table, only_array, column->name);
        number[i] = i == table->time ? 0 : reader->columns.ncolumn;
        if (i == table->time)
            continue;
        const char *dot = *rest && *rest != '.' ? "." : "";
        char *name = text_format("%s%s%s", table->name, dot, rest);
        good = name ? add_column(reader, name, column, e) : error_memory(e);
        free(name);
        if (good && column->joint)
            reader->columns.column[number[i]].joint = table->first + column->joint;
    }
    table->end = reader->columns.ncolumn;
    for (size_t i = 0; good && i < table->json.nnode; i++) {
        struct json_node *node = table->json.node[i];
        if (node->column != COLUMN_NONE)
            node->column = number[node->column];
    }
    free(number);
    columns_free(&table->columns);
    table->columns = (struct columns){ 0 };
    return good;
}

/* Makes the times of the first table that has times column 0. Times whose name says another unit do not count
 * as times. */
static bool join_times(struct reader *reader, struct json_tables *tables, struct error *e)
{
    struct column *time = NULL;
    for (size_t i = 0; i < tables->n; i++) {
        struct json_table *table = &tables->table[i];
        if (table->time == COLUMN_NONE)
            continue;
        struct column *own = &table->columns.column[table->time];
        time = time ? time : own;
        if (columns_unit_in_name(own->name) != columns_unit_in_name(time->name))
            table->time = COLUMN_NONE;
    }
    reader->columns.named = true;
    reader->columns.owns_time = time != NULL;
    return !time || add_column(reader, time->name, time, e);
}

/* --- open --- */

/* Replaces the state of a reader that holds the document by the state of a document with tables. */
static struct json_tables *make_tables(struct reader *reader)
{
    struct json *json = reader->state;
    struct json_tables *tables = calloc(1, sizeof *tables);
    if (!tables)
        return NULL;
    tables->text = json->rest;
    tables->ntext = json->nrest;
    tables->counted = tables->text;
    json->rest = NULL;
    json->tables = tables;
    tables->document = *json;
    free(json);
    reader->state = &tables->document;
    return tables;
}

bool json_has_star(const struct json *json)
{
    for (size_t i = 0; i < json->npointer; i++)
        if (is_star(json->pointer[i]))
            return true;
    return false;
}

static bool find_tables(struct search *search)
{
    struct json_tables *tables = search->tables;
    const struct json *document = &tables->document;
    for (size_t i = 0; i < document->npointer; i++)
        search->last_star = is_star(document->pointer[i]) ? i : search->last_star;
    text_put(&search->path, "$");
    text_put(&search->name, "%s", "");
    if (search->path.failed || search->name.failed)
        return error_memory(search->e);
    if (!search_value(search, json_start(tables->text), 0))
        return false;
    if (tables->n > 0)
        return true;
    error_data(search->e, "--records: the document has no table of numbers at %s",
               search->reader->options->records);
    return error_hint(search->e, "each match must be a table: an array, or an object of columns");
}

bool json_open_tables(struct reader *reader, struct error *e)
{
    if (!json_hold_document(reader, "a document with several tables", e))
        return false;
    struct json_tables *tables = make_tables(reader);
    if (!tables)
        return error_memory(e);
    struct search search = { .reader = reader, .tables = tables, .e = e };
    bool good = find_tables(&search);
    free(search.path.bytes);
    free(search.name.bytes);
    good = good && join_times(reader, tables, e);
    for (size_t i = 0; good && i < tables->n; i++)
        good = join_columns(reader, &tables->table[i], e);
    tables->at = tables->n;
    if (good && search.nother > 0)
        reader_tell(reader, "%zu value%s at %s without a table of numbers: copied unchanged", search.nother,
                    error_plural(search.nother), reader->options->records);
    if (good && search.ndiscrete > 0)
        reader_tell(reader, "%zu track%s with discrete interpolation: copied unchanged", search.ndiscrete,
                    error_plural(search.ndiscrete));
    return good;
}
