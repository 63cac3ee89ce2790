/* --mask LIST:COLUMN<X: which column (judge in the code) shows where a channel is missing. If COLUMN has a
 * *, that of an entry of LIST is the same text, so that each column of LIST has its own COLUMN. */
#include "rows/table.h"

#include "base/array.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reads LIST:COLUMN<X: the comparison into *mask, and sets *colon and *sign to the places of both. Names may
 * hold them, so the last of each counts. == means =. */
static bool read_mask(const char *text, struct column_mask *mask, const char **colon, const char **sign,
                      struct error *e)
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
    };
    *sign = text + begin;
    for (*colon = *sign; *colon > text && **colon != ':';)
        --*colon;
    if (**colon == ':' && *colon > text && *colon + 1 < *sign &&
        number_read(number, after, '.', &mask->limit) == after && isfinite(mask->limit))
        return true;
    error_usage(e, "--mask must be LIST:COLUMN<X (or >, <=, >=, =), where X is a number");
    error_excerpt(e, text, strlen(text));
    if (begin > 0 && !strchr(text, ':'))
        return error_hint(e, "for all columns: --mask '*:%.200s'", text);
    return error_hint(e, "for example --mask '*_x,*_y:*_likelihood<0.6'");
}

/* Adds a mask, if its column is a channel. */
static bool add_mask(struct table *table, const struct column_mask *mask, struct error *e)
{
    const struct column *judge = &table->column[mask->judge];
    if (judge->first == CELL_TEXT || judge->role == ROLE_GROUP)
        return table_refuse(table, mask->judge, "--mask", judge->first == CELL_TEXT, e);
    if (!table_filters(table, mask->column))
        return true;
    if (!array_reserve(&table->mask, table->nmask + 1, &table->maxmask, sizeof *table->mask, e))
        return false;
    table->mask[table->nmask++] = *mask;
    table->column[mask->column].masked = true;
    return true;
}

/* Sets mask->judge to the column that shows where mask->column is missing: COLUMN, whose * stands for the
 * text that the * of the entry of LIST matched. COLUMN_NONE: there is no such column of numbers. */
static bool find_judge(const struct table *table, const char *entry, const char *column,
                       struct column_mask *mask, struct error *e)
{
    const char *name = table->column[mask->column].name;
    const char *star = strchr(entry, '*'), *place = strchr(column, '*');
    if (!place || columns_lookup(table, column) != COLUMN_NONE) {
        mask->judge = columns_find(table, column, "--mask", e);
        return mask->judge != COLUMN_NONE;
    }
    mask->judge = COLUMN_NONE;
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
        mask->judge = named;
    return true;
}

/* Adds the masks of the columns that an entry of LIST names. */
static bool take_entry(struct table *table, const struct column_item *item, const char *column,
                       struct column_mask mask, struct error *e)
{
    unsigned char *pick;
    bool any;
    if (!arrays_make(e, ARRAY(pick, table->ncolumn)))
        return false;
    bool good = columns_pick_item(table, item, pick, &any, e) && columns_check_item(table, item, any, e);
    for (mask.column = 0; good && mask.column < table->ncolumn; mask.column++)
        if (pick[mask.column] != PICK_NONE)
            good = find_judge(table, item->text, column, &mask, e) &&
                   (mask.judge == COLUMN_NONE || add_mask(table, &mask, e));
    free(pick);
    return good;
}

/* Adds the masks of an option. */
static bool take_option(struct table *table, const char *text, struct error *e)
{
    const size_t before = table->nmask;
    struct column_mask mask;
    struct column_list items;
    const char *colon, *sign;
    if (!read_mask(text, &mask, &colon, &sign, e))
        return false;
    char *column = text_copy(colon + 1, (size_t)(sign - colon - 1));
    bool good = column || error_memory(e);
    good = columns_read_list(text, (size_t)(colon - text), "--mask", &items, e) && good;
    for (size_t k = 0; good && k < items.n; k++)
        good = take_entry(table, &items.at[k], column, mask, e);
    free(items.at);
    free(column);
    if (!good || table->nmask > before || columns_may_miss(table))
        return good;
    error_data(e, "--mask: no filtered column in \"%.*s\"", (int)(sign - text), text);
    return error_hint(e, "LIST names columns that are filtered; a * in COLUMN is the text that the * in LIST "
                         "stands for, such as the 0 of x0 and c0 in 'x*:c*<0.3'");
}

/* The judge of a mask is no channel, unless a mask hides its numbers, too, or --columns names it. */
bool table_find_masks(struct table *table, struct error *e)
{
    const struct texts *texts = &table->choice->masks;
    for (size_t k = 0; k < texts->ntext; k++)
        if (!take_option(table, texts->text[k], e))
            return false;
    for (size_t k = 0; k < table->nmask; k++) {
        struct column *judge = &table->column[table->mask[k].judge];
        const bool filtered = judge->role == ROLE_CHANNEL && (judge->asked || judge->masked);
        if (filtered || (judge->role != ROLE_CHANNEL && judge->role != ROLE_PASS))
            continue;
        judge->role = ROLE_READ;
        judge->why = "read by --mask";
        judge->alone = false;
    }
    return true;
}
