/* An object of columns, {"time": [0, 1], "hip": {"x": [2, 3]}}, and an array of numbers, which is a column
 * without a name. The document is read whole and is a single block. An element of an array may be an array
 * of scalars, whose elements are columns. */
#include "formats/json/json.h"

#include <math.h>

/* --- reading --- */

bool json_open_columns(struct reader *reader, const char *p, struct error *e)
{
    struct json *json = reader->state;
    if (json->nrest > UINT32_MAX - FORMAT_MAXCELL)
        return error_data(e, "columns can be at most 4 GiB, as they are held in memory");
    reader->table.named = *p == '{';
    reader->table.stacked = *p != '{'; /* derivatives do not fit between numbers */
    const struct json_node *document = json_shape(reader, p, true, e);
    if (!document)
        return false;
    if (reader->table.ncolumn == 0) {
        error_data(e, "this object has no columns: none of its members is an array of numbers");
        return error_hint(e, "for one record per line, try --from jsonl");
    }
    if (reader->table.named)
        json->object_end = (size_t)(document->after - json->rest);
    return true;
}

/* The column whose length is the number of rows: the time, else the first channel, else the first column. */
static size_t leading_column(const struct table *table)
{
    if (table->time != COLUMN_NONE)
        return table->time;
    return table->nchannel > 0 ? table->channel[0] : 0;
}

bool json_bind_columns(struct reader *reader, struct error *e)
{
    struct json *json = reader->state;
    const struct table *table = &reader->table;
    const size_t leading = leading_column(table);
    for (size_t i = 0; i < json->nnode; i++)
        if (json->node[i]->column == leading)
            json->length = json->node[i]->count;
    for (size_t i = 0; i < json->nnode; i++) {
        const struct json_node *leaf = json->node[i];
        if (leaf->column == COLUMN_NONE || leaf->count == json->length ||
            table_column(table, leaf->column)->role == ROLE_PASS)
            continue;
        error_data(e, "columns differ in length: this one has %zu element%s, \"%.100s\" has %zu", leaf->count,
                   error_plural(leaf->count), table->column[leading].name, json->length);
        error_column(e, table->column[leaf->column].name);
        return error_hint(e, "choose the columns to filter with --columns or --exclude");
    }
    return true;
}

void json_parse_columns(struct json_row *row)
{
    const struct json *json = row->json;
    const struct table *table = &row->reader->table;
    struct block *block = row->block;
    for (row->i = 0; row->i < row->nrow; row->i++, row->cell += block->ncell) {
        json_clear_row(row);
        if (table->time != COLUMN_NONE)
            block->time[row->i] = (struct timestamp){ 0 }; /* text that passes through may have no times */
    }
    for (size_t k = 0; k < json->nnode; k++) {
        const struct json_node *array = json->node[k];
        struct json_items items = { .count = 0 };
        if (array->start == 0 || !array->wanted)
            continue;
        const char *p = block->text + array->start - 1;
        row->cell = block->cell;
        for (row->i = 0; row->i < row->nrow; row->i++, row->cell += block->ncell) {
            p = json_next(&items, p, &row->scan);
            p = p ? json_read_node(row, array, p) : NULL;
            if (!p)
                break;
        }
        if (!p && !items.end) {
            json_explain(&row->scan, block->text, "$", &block->error);
            block->ntext = 0;
            return;
        }
    }
    const size_t leader = table_column(table, leading_column(table))->cell;
    for (block->nrow = 0; block->nrow < row->nrow; block->nrow++) {
        struct span *span = &block->row[block->nrow];
        *span = (struct span){ 0, 0 };
        if (leader != COLUMN_NONE && block->cell[block->nrow * block->ncell + leader].n > 0)
            *span = block->cell[block->nrow * block->ncell + leader];
    }
}

/* --- writing --- */

/* Puts the array with new numbers. *from: the text up to here was copied; becomes the end of the last cell
 * that was replaced. */
static bool put_array(const struct writer *writer, struct block *block, const struct json_node *array,
                      const char **from)
{
    const bool nested = array->kind == JSON_ARRAY;
    const struct json_node *first = nested ? array->child : array;
    for (size_t row = 0; row < block->nrow; row++)
        for (const struct json_node *leaf = first; leaf; leaf = nested ? leaf->next : NULL) {
            if (!writer_replaces(writer, block, row, leaf->column))
                continue;
            const size_t out = writer->layout->replace[leaf->column];
            const double x = block_out(block, out)[row];
            const struct span cell = block->cell[row * block->ncell + leaf->cell];
            const char *text = block->text + cell.at;
            if (cell.n == 0 || x == block_value(block, leaf->value)[row])
                continue;
            const struct number_format format = splice_cell_format(text, cell.n, '.');
            const bool as_cell = writer->layout->decimals_of_cells && !isnan(x);
            if (!block_put(block, *from, (size_t)(text - *from)) ||
                !(as_cell ? block_put_number(block, x, &format)
                          : writer_put(writer, block, row, out, "null")))
                return false;
            *from = text + cell.n;
        }
    return true;
}

/* Puts an added array: name and numbers. */
static bool put_added(const struct writer *writer, struct block *block, size_t i)
{
    const struct json_writer *json_writer = writer->state;
    const char *separator = json_is_tight(block->text) ? "," : ", ";
    bool good = json_put(block, json_writer->label[i]) && json_put(block, "[");
    for (size_t row = 0; row < block->nrow && good; row++)
        good = (row == 0 || json_put(block, separator)) &&
               writer_put(writer, block, row, writer->layout->added[i].out, "null");
    return good && json_put(block, "]");
}

/* Added arrays are members at the end of the object. After a fault nothing is written, since the first row
 * ends only at the end of the document. */
void json_print_columns(const struct writer *writer, struct block *block)
{
    const struct json *json = writer->reader->state;
    const char *from = block->text, *last = block->text + json->object_end;
    bool good = block->nrow == json->length;
    for (size_t i = 0; i < json->nnode && good; i++)
        good = json->node[i]->start == 0 || put_array(writer, block, json->node[i], &from);
    if (good && writer->layout->nadded > 0) {
        good = block_put(block, from, (size_t)(last - from));
        from = last;
    }
    for (size_t i = 0; good && i < writer->layout->nadded; i++)
        good = put_added(writer, block, i);
    if (good)
        block_put(block, from, (size_t)(block->text + block->ntext - from));
}
