/* --mask LIST:COLUMN<X: which column (teller in the code) shows where a channel is missing. A * in LIST and
 * one in COLUMN are the same text, so that each column of LIST has its own COLUMN. */
#include "rows/table.h"

#include "base/array.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MASK_EXAMPLE "for example --mask '*_x,*_y:*_likelihood<0.6'"

/* Reads LIST:COLUMN<X into *mask, except the members column and teller. Names may hold < and >, so the last
 * comparison of the text counts. == means =. */
static bool read_mask(const char *text, struct column_mask *mask, struct error *e)
{
    size_t end = strlen(text);
    while (end > 0 && !strchr("<>=", text[end - 1]))
        end--;
    size_t begin = end;
    while (begin > 0 && end - begin < 2 && strchr("<>=", text[begin - 1]))
        begin--;
    const char *number = text + end, *after = number + strlen(number);
    *mask = (struct column_mask){
        .below = memchr(text + begin, '<', end - begin) != NULL,
        .above = memchr(text + begin, '>', end - begin) != NULL,
        .equal = end > begin && text[end - 1] == '=',
        .text = text,
        .nlist = begin,
    };
    if (begin > 0 && memchr(text, ':', begin - 1) && text[begin - 1] != ':' &&
        number_read(number, after, '.', &mask->limit) == after && isfinite(mask->limit))
        return true;
    error_usage(e, "--mask must be LIST:COLUMN<X (or >, <=, >=, =), where X is a number");
    error_excerpt(e, text, strlen(text));
    return error_hint(e, MASK_EXAMPLE);
}

bool table_check_masks(const struct texts *masks, struct error *e)
{
    struct column_mask mask;
    for (size_t i = 0; i < masks->ntext; i++)
        if (!read_mask(masks->text[i], &mask, e))
            return false;
    return true;
}

/* Adds a mask like *like for a column. Its condition column gets ROLE_READ, unless it has a role with
 * numbers. */
static bool add_mask(struct table *table, const struct column_mask *like, size_t column, size_t teller,
                     struct error *e)
{
    struct column *condition = &table->column[teller];
    if (condition->role == ROLE_TIME && table->form != TIMESTAMP_NUMBER) {
        error_data(e, "--mask compares numbers, but the times are dates or times of day");
        return error_column(e, condition->name);
    }
    if (condition->first == CELL_TEXT || condition->role == ROLE_GROUP)
        return table_refuse(table, teller, "--mask", condition->first == CELL_TEXT, e);
    if (!array_reserve(&table->mask, table->nmask + 1, &table->maxmask, sizeof *table->mask, e))
        return false;
    if (condition->role == ROLE_PASS) {
        condition->role = ROLE_READ;
        condition->why = why_option;
    }
    struct column_mask *mask = &table->mask[table->nmask++];
    *mask = *like;
    mask->column = column;
    mask->teller = teller;
    return true;
}

/* Does a name match a text with one *? Then [*at, *at + *n) is the part for the *. */
static bool matches_star(const char *name, const char *text, size_t *at, size_t *n)
{
    const char *star = strchr(text, '*');
    if (!star || strchr(star + 1, '*'))
        return false;
    const size_t length = strlen(name), head = (size_t)(star - text), tail = strlen(star + 1);
    *at = head;
    *n = length - head - tail;
    return length >= head + tail && memcmp(name, text, head) == 0 &&
           strcmp(name + length - tail, star + 1) == 0;
}

/* Masks the columns of an item of LIST, each by a COLUMN of numbers with the same text for the *. */
static bool mask_item(struct table *table, const struct column_mask *like, const char *item,
                      const char *column, struct error *e)
{
    const char *star = strchr(column, '*');
    size_t at, n;
    for (size_t i = 0; i < table->ncolumn; i++) {
        const char *name = table->column[i].name;
        if (!matches_star(name, item, &at, &n))
            continue;
        char *other = text_format("%.*s%.*s%s", (int)(star - column), column, (int)n, name + at, star + 1);
        const size_t teller = other ? columns_lookup(table, other) : COLUMN_NONE;
        free(other);
        if (!other)
            return error_memory(e);
        const bool tells = teller != COLUMN_NONE && table->column[teller].first != CELL_TEXT;
        if (tells && !add_mask(table, like, i, teller, e))
            return false;
    }
    return true;
}

/* Masks each column of a list, by its own COLUMN. */
static bool mask_each(struct table *table, const struct column_mask *like, const char *list,
                      const char *column, struct error *e)
{
    const size_t before = table->nmask;
    char *copy = strdup(list), *at = copy;
    struct column_item item;
    bool good = copy || error_memory(e);
    while (good && at)
        good = columns_next_item(table, &at, "--mask", &item, e) &&
               mask_item(table, like, item.text, column, e);
    free(copy);
    if (!good || table->nmask > before)
        return good;
    error_data(e,
               "--mask: found no columns that match both \"%.80s\" and \"%.80s\" with the same *, such as "
               "the 0 of x0 and c0 in 'x*:c*<0.3'",
               list, column);
    return columns_hint(table, NULL, e);
}

/* Masks the columns of a list by one COLUMN. A lone * means every column but COLUMN. */
static bool mask_all(struct table *table, const struct column_mask *like, const char *list,
                     const char *column, struct error *e)
{
    const bool others = strcmp(list, "*") == 0;
    const size_t teller = columns_find(table, column, "--mask", e);
    if (teller == COLUMN_NONE)
        return false;
    unsigned char *pick = calloc(table->ncolumn, 1);
    bool good = pick ? columns_pick_list(table, list, "--mask", pick, e) : error_memory(e);
    for (size_t i = 0; good && i < table->ncolumn; i++)
        if (pick[i] != PICK_NONE && !(others && i == teller))
            good = add_mask(table, like, i, teller, e);
    free(pick);
    return good;
}

/* Adds the masks of a text LIST:COLUMN. Names may have colons: LIST ends at the first colon where both sides
 * name columns. */
static bool find_columns(struct table *table, const struct column_mask *like, const char *text,
                         struct error *e)
{
    bool good = false;
    const char *colon = strchr(text, ':');
    for (; colon && colon[1] && !good; colon = strchr(colon + 1, ':')) {
        const char *column = colon + 1;
        const bool each = strchr(column, '*') && columns_lookup(table, column) == COLUMN_NONE;
        char *list = text_copy(text, (size_t)(colon - text));
        if (!list)
            good = error_memory(e);
        else
            good = (each ? mask_each : mask_all)(table, like, list, column, e);
        free(list);
    }
    return good;
}

bool table_find_masks(struct table *table, const struct texts *texts, struct error *e)
{
    bool good = true;
    for (size_t k = 0; good && k < texts->ntext; k++) {
        struct column_mask mask;
        good = read_mask(texts->text[k], &mask, e);
        char *columns = good ? text_copy(mask.text, mask.nlist) : NULL;
        good = good && (columns ? find_columns(table, &mask, columns, e) : error_memory(e));
        free(columns);
    }
    for (size_t k = 0; good && k < table->nmask; k++) { /* a column masked by its own numbers is a channel */
        struct column *column = &table->column[table->mask[k].column];
        if (table->mask[k].column == table->mask[k].teller && column->role == ROLE_READ)
            column->role = ROLE_PASS;
    }
    return good;
}

bool table_keep_masks(struct table *table, const struct texts *texts, struct error *e)
{
    const size_t n = table->nmask;
    table->nmask = 0;
    for (size_t text = 0, k = 0; text < texts->ntext; text++) {
        const size_t before = table->nmask;
        for (; k < n && table->mask[k].text == texts->text[text]; k++) {
            const struct column_mask mask = table->mask[k];
            if (!table_filters(table, mask.column))
                continue;
            table->mask[table->nmask++] = mask;
            if (table->column[mask.teller].role == ROLE_PASS) /* its own mask was dropped */
                table->column[mask.teller].role = ROLE_READ;
        }
        if (table->nmask == before)
            return error_data(e, "--mask: no filtered column in \"%.200s\"", texts->text[text]);
    }
    return true;
}
