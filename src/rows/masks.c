/* --mask LIST:COLUMN<X: which column (teller in the code) shows where a channel is missing. A * in LIST and
 * one in COLUMN are the same text, so that each column of LIST has its own COLUMN. */
#include "rows/table.h"

#include "base/array.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    return error_hint(e, "for example --mask '*_x,*_y:*_likelihood<0.6'");
}

bool table_check_masks(const struct texts *masks, struct error *e)
{
    struct column_mask mask;
    for (size_t i = 0; i < masks->ntext; i++)
        if (!read_mask(masks->text[i], &mask, e))
            return false;
    return true;
}

/* Adds a mask. Its condition column gets ROLE_READ, unless it has a role with numbers. */
static bool add_mask(struct table *table, const struct column_mask *mask, struct error *e)
{
    struct column *condition = &table->column[mask->teller];
    if (condition->role == ROLE_TIME && table->form != TIMESTAMP_NUMBER) {
        error_data(e, "--mask compares numbers, but the times are dates or times of day");
        return error_column(e, condition->name);
    }
    if (condition->first == CELL_TEXT || condition->role == ROLE_GROUP)
        return table_refuse(table, mask->teller, "--mask", condition->first == CELL_TEXT, e);
    if (!array_reserve(&table->mask, table->nmask + 1, &table->maxmask, sizeof *table->mask, e))
        return false;
    if (condition->role == ROLE_PASS) {
        condition->role = ROLE_READ;
        condition->why = why_option;
    }
    table->mask[table->nmask++] = *mask;
    return true;
}

/* Sets *teller to the column of numbers that has, in place of the * of COLUMN, the text that the * of an
 * entry has in a name; COLUMN_NONE: there is no such column. */
static bool find_teller(const struct table *table, const char *name, const char *entry, const char *column,
                        size_t *teller, struct error *e)
{
    const char *star = strchr(entry, '*'), *place = strchr(column, '*');
    *teller = COLUMN_NONE;
    if (!star)
        return true;
    const size_t n = strlen(name), head = (size_t)(star - entry), tail = strlen(star + 1);
    if (n < head + tail || memcmp(name, entry, head) != 0 || strcmp(name + n - tail, star + 1) != 0)
        return true;
    char *other = text_format("%.*s%.*s%s", (int)(place - column), column, (int)(n - head - tail),
                              name + head, place + 1);
    if (!other)
        return error_memory(e);
    const size_t named = columns_lookup(table, other);
    free(other);
    if (named != COLUMN_NONE && table->column[named].first != CELL_TEXT)
        *teller = named;
    return true;
}

/* Masks each column of a list, by its own COLUMN. */
static bool mask_each(struct table *table, struct column_mask *mask, const char *list, const char *column,
                      struct error *e)
{
    const size_t before = table->nmask;
    char *copy = strdup(list), *at = copy;
    struct column_item item;
    bool good = copy || error_memory(e);
    while (good && at) {
        good = columns_next_item(table, &at, "--mask", &item, e);
        for (mask->column = 0; good && mask->column < table->ncolumn; mask->column++) {
            const char *name = table->column[mask->column].name;
            good = find_teller(table, name, item.text, column, &mask->teller, e) &&
                   (mask->teller == COLUMN_NONE || add_mask(table, mask, e));
        }
    }
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
static bool mask_all(struct table *table, struct column_mask *mask, const char *list, const char *column,
                     struct error *e)
{
    unsigned char *pick;
    mask->teller = columns_find(table, column, "--mask", e);
    if (mask->teller == COLUMN_NONE || !arrays_make(e, ARRAY(pick, table->ncolumn)))
        return false;
    bool good = columns_pick_list(table, list, "--mask", pick, e);
    if (strcmp(list, "*") == 0)
        pick[mask->teller] = PICK_NONE;
    for (mask->column = 0; good && mask->column < table->ncolumn; mask->column++)
        good = pick[mask->column] == PICK_NONE || add_mask(table, mask, e);
    free(pick);
    return good;
}

/* Adds the masks of an option. Names may have colons: LIST ends at the first colon where both sides name
 * columns. */
static bool find_masks(struct table *table, const char *text, struct error *e)
{
    struct column_mask mask;
    bool good = false;
    if (!read_mask(text, &mask, e))
        return false;
    char *list = text_copy(text, mask.nlist), *colon = list;
    if (!list)
        return error_memory(e);
    while (!good && (colon = strchr(colon, ':')) && colon[1]) {
        const char *column = colon + 1;
        const bool each = strchr(column, '*') && columns_lookup(table, column) == COLUMN_NONE;
        *colon = 0;
        good = (each ? mask_each : mask_all)(table, &mask, list, column, e);
        *colon++ = ':';
    }
    free(list);
    return good;
}

bool table_find_masks(struct table *table, const struct texts *texts, struct error *e)
{
    for (size_t k = 0; k < texts->ntext; k++)
        if (!find_masks(table, texts->text[k], e))
            return false;
    for (size_t k = 0; k < table->nmask; k++) { /* a column masked by its own numbers is a channel */
        struct column *column = &table->column[table->mask[k].column];
        if (table->mask[k].column == table->mask[k].teller && column->role == ROLE_READ)
            column->role = ROLE_PASS;
    }
    return true;
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
