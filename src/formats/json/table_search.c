/* The search for the tables of a document: which values --records matches, and the names of the tables and of
 * their columns. See tables.c. */
#include "formats/json/json.h"

#include "base/array.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    MAXNAME = 1000,       /* most bytes of a "name" that names a table */
    DISCRETE_TRACK = 2300 /* InterpolateDiscrete in the constants of three.js */
};

/* --- the search for tables --- */

struct search {
    struct reader *r;
    struct json_tables *tables;
    struct text path; /* of the value, for messages: $.tracks[3] */
    struct text name; /* of the table */
    size_t nnamed;    /* bytes of name up to the end of the last "name" in it */
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
static void put_step(struct search *s, const struct json_items *items, const char *value, size_t level)
{
    const struct json *document = &s->tables->document;
    size_t nname = 0;
    char name[MAXNAME];
    if (items->object)
        text_put(&s->path, ".%.*s", (int)items->nkey, items->key);
    else
        text_put(&s->path, "[%zu]", items->count - 1);
    if (level > s->last_star)
        return;
    const char *given = NULL;
    if (is_star(document->pointer[level]) && *value == '{')
        given = json_string_member(value, "name", &nname);
    if (given && nname > 0 && nname <= sizeof name) {
        nname = json_unescape(given, nname, name);
        if (!memchr(name, 0, nname)) {
            s->name.n = s->nnamed;
            if (s->nnamed > 0)
                text_add(&s->name, "/", 1);
            text_add(&s->name, name, nname);
            s->nnamed = s->name.n;
            return;
        }
    }
    if (s->name.n > 0)
        text_add(&s->name, ".", 1);
    if (items->object)
        text_add(&s->name, items->key, items->nkey);
    else
        text_put(&s->name, "%zu", items->count - 1);
}

/* Makes the shape and the columns of a table; a data error if the value is no table. */
static bool open_table(struct search *s, struct json_table *table, struct error *e)
{
    struct json *j = &table->json;
    struct reader own = *s->r;
    const char *end = s->tables->text + s->tables->ntext;
    *j = (struct json){
        .tables = s->tables,
        .walk = s->tables->document.walk,
        .rest = (char *)table->value,
        .nrest = (size_t)(end - table->value),
        .ended = true,
    };
    snprintf(j->prefix, sizeof j->prefix, "%s", s->path.bytes);
    own.columns = (struct columns){ 0 };
    own.state = j;
    bool good = false;
    if (*table->value == '[')
        good = json_open_rows(&own, 1, e);
    else if (*table->value == '{')
        good = json_open_columns(&own, 0, e);
    else
        error_data(e, "neither an array nor an object");
    table->columns = own.columns;
    j->rest = NULL;
    j->nrest = 0;
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
static bool add_table(struct search *s, const char *value)
{
    struct json_tables *tables = s->tables;
    const char *discrete = *value == '{' ? json_member(value, "interpolation") : NULL;
    struct json_table table = { .value = value };
    struct error fault = { 0 };
    if (discrete && strtol(discrete, NULL, 10) == DISCRETE_TRACK) {
        s->ndiscrete++;
        return true;
    }
    if (s->path.failed || s->name.failed)
        return error_memory(s->e);
    bool good = open_table(s, &table, &fault);
    if (!good && fault.kind != ERROR_DATA) {
        *s->e = fault;
        json_free_table(&table);
        return false;
    }
    table.time = columns_usual_time(&table.columns);
    if (!good || !has_numbers(&table)) {
        s->nother++;
        json_free_table(&table);
        return true;
    }
    table.name = strndup(s->name.bytes, s->name.n);
    if (table.name &&
        array_reserve(&tables->table, tables->n + 1, &tables->max, sizeof *tables->table, NULL)) {
        tables->table[tables->n++] = table;
        return true;
    }
    json_free_table(&table);
    return error_memory(s->e);
}

/* Adds the tables in a value that the first `level` parts of the pointer name. */
static bool search_value(struct search *s, const char *value, size_t level)
{
    const struct json *document = &s->tables->document;
    struct json_scan scan = { 0 };
    struct json_items items = { .object = *value == '{' };
    bool found = false;
    if (level == document->npointer)
        return add_table(s, value);
    if (*value != '{' && *value != '[')
        return true;
    const char *part = document->pointer[level];
    const size_t npath = s->path.n, nname = s->name.n, nnamed = s->nnamed;
    char *name = strndup(s->name.bytes, nname); /* of this value, without the names inside */
    bool good = name || error_memory(s->e);
    for (const char *p = value; good && (p = json_next(&items, p, &scan)); p = json_value(p, 0, &scan)) {
        if (!is_star(part) && !json_is_part(&items, items.count - 1, part))
            continue;
        if (found && !is_star(part)) {
            scan.end = s->tables->text + s->tables->ntext;
            json_fail(&scan, p, "--records names this member, and it stands there twice");
            good = json_explain(&scan, s->tables->text, json_start(s->tables->text), "$", s->e);
            break;
        }
        found = true;
        put_step(s, &items, p, level);
        good = search_value(s, p, level + 1);
        s->path.n = npath;
        s->name.n = 0;
        text_add(&s->name, name, nname);
        s->nnamed = nnamed;
    }
    free(name);
    return good;
}

/* --- columns of all tables --- */

/* The only array besides the times in an object of columns; NULL: there are several. */
static const struct json_node *find_only_array(const struct json_table *table)
{
    const struct json *j = &table->json;
    const struct json_node *only = NULL;
    for (size_t i = 0; i < j->nnode; i++) {
        const struct json_node *n = j->node[i];
        if (n->kind != JSON_COLUMN || json_first_leaf(n)->column == table->time)
            continue;
        if (only || n->parent != j->node[0])
            return NULL;
        only = n;
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

/* Adds a column to the reader with the properties of a table's column `like`, and moves the text of the first
 * row. */
static bool add_column(struct reader *r, const char *name, struct column *like, struct error *e)
{
    if (!columns_add(&r->columns, name, strlen(name), e))
        return false;
    struct column *c = &r->columns.column[r->columns.ncolumn - 1];
    c->first = like->first;
    c->number = like->number;
    c->spelling = like->spelling;
    c->form = like->form;
    c->axis = like->axis;
    c->text = like->text;
    like->text = NULL;
    return true;
}

/* Makes the columns of a table columns of the reader; the times of the table become column 0. */
static bool join_columns(struct reader *r, struct json_table *table, struct error *e)
{
    const size_t ncolumn = table->columns.ncolumn;
    const struct json_node *only_array = find_only_array(table);
    size_t *number = malloc(ncolumn * sizeof *number); /* of the column in the reader */
    bool good = number || error_memory(e);
    table->first = r->columns.ncolumn;
    for (size_t i = 0; good && i < ncolumn; i++) {
        struct column *column = &table->columns.column[i];
        const char *rest = name_in_table(table, only_array, column->name);
        number[i] = i == table->time ? 0 : r->columns.ncolumn;
        if (i == table->time)
            continue;
        const char *dot = *rest && *rest != '.' ? "." : "";
        char *name = text_format("%s%s%s", table->name, dot, rest);
        good = name ? add_column(r, name, column, e) : error_memory(e);
        free(name);
        if (good && column->joint)
            r->columns.column[number[i]].joint = table->first + column->joint;
    }
    table->end = r->columns.ncolumn;
    for (size_t i = 0; good && i < table->json.nnode; i++) {
        struct json_node *n = table->json.node[i];
        if (n->column != COLUMN_NONE)
            n->column = number[n->column];
    }
    free(number);
    columns_free(&table->columns);
    table->columns = (struct columns){ 0 };
    return good;
}

/* Makes the times of the first table column 0. Times of a table whose name tells another unit are no times.
 */
static bool join_times(struct reader *r, struct json_tables *tables, struct error *e)
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
    r->columns.named = true;
    r->columns.owns_time = time != NULL;
    return !time || add_column(r, time->name, time, e);
}

/* --- open --- */

/* Replaces the state of a reader that holds the document by the state of a document with tables. */
static struct json_tables *make_tables(struct reader *r)
{
    struct json *j = r->state;
    struct json_tables *tables = calloc(1, sizeof *tables);
    if (!tables)
        return NULL;
    tables->text = j->rest;
    tables->ntext = j->nrest;
    tables->counted = tables->text;
    j->rest = NULL;
    j->tables = tables;
    tables->document = *j;
    free(j);
    r->state = &tables->document;
    return tables;
}

bool json_has_star(const struct json *j)
{
    for (size_t i = 0; i < j->npointer; i++)
        if (is_star(j->pointer[i]))
            return true;
    return false;
}

static bool find_tables(struct search *s)
{
    struct json_tables *tables = s->tables;
    const struct json *document = &tables->document;
    for (size_t i = 0; i < document->npointer; i++)
        s->last_star = is_star(document->pointer[i]) ? i : s->last_star;
    text_put(&s->path, "$");
    text_put(&s->name, "%s", "");
    if (s->path.failed || s->name.failed)
        return error_memory(s->e);
    if (!search_value(s, json_start(tables->text), 0))
        return false;
    if (tables->n > 0)
        return true;
    error_data(s->e, "--records: the document has no table of numbers at %s", s->r->options->records);
    return error_hint(s->e, "each value that it matches is a table: an array, or an object of columns");
}

bool json_open_tables(struct reader *r, struct error *e)
{
    if (!json_hold_document(r, "a document with several tables", e))
        return false;
    struct json_tables *tables = make_tables(r);
    if (!tables)
        return error_memory(e);
    struct search s = { .r = r, .tables = tables, .e = e };
    bool good = find_tables(&s);
    free(s.path.bytes);
    free(s.name.bytes);
    good = good && join_times(r, tables, e);
    for (size_t i = 0; good && i < tables->n; i++)
        good = join_columns(r, &tables->table[i], e);
    tables->at = tables->n;
    if (good && s.nother > 0)
        messages_add(r->messages, r->source->name,
                     "%zu value%s at %s without numbers: passed through unchanged", s.nother,
                     error_plural(s.nother), r->options->records);
    if (good && s.ndiscrete > 0)
        messages_add(r->messages, r->source->name,
                     "%zu track%s with discrete interpolation: passed through unchanged", s.ndiscrete,
                     error_plural(s.ndiscrete));
    return good;
}
