/* --mask LIST:COLUMN<X: which column (judge in the code) shows where a channel is missing. If COLUMN has a
 * *, that of an entry of LIST is the same text, so that each column of LIST has its own COLUMN. */
#include "rows/table.h"

#include "base/array.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reads LIST:COLUMN<X: the comparison into *mask, and in *nlist the bytes before it. Names may hold < and >,
 * so the last comparison of the text counts. == means =. */
static bool read_mask(const char *text, struct column_mask *mask, size_t *nlist, struct error *e)
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
    *nlist = begin;
    if (begin > 0 && memchr(text, ':', begin - 1) && text[begin - 1] != ':' &&
        number_read(number, after, '.', &mask->limit) == after && isfinite(mask->limit))
        return true;
    error_usage(e, "--mask must be LIST:COLUMN<X (or >, <=, >=, =), where X is a number");
    error_excerpt(e, text, strlen(text));
    if (begin > 0 && !strchr(text, ':'))
        return error_hint(e, "for all columns: --mask '*:%.200s'", text);
    return error_hint(e, "for example --mask '*_x,*_y:*_likelihood<0.6'");
}

/* Adds a mask, if it has a judge and its column is a channel. */
static bool add_mask(struct table *table, const struct column_mask *mask, struct error *e)
{
    if (mask->judge == COLUMN_NONE)
        return true;
    const struct column *judge = &table->column[mask->judge];
    if (judge->role == ROLE_TIME && table->form != TIMESTAMP_NUMBER) {
        error_data(e, "--mask compares numbers, but the times are dates or times of day");
        return error_column(e, judge->name);
    }
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
    const size_t n = strlen(name), head = star ? (size_t)(star - entry) : 0,
                 tail = star ? strlen(star + 1) : 0;
    if (!star || n < head + tail || memcmp(name, entry, head) != 0 || strcmp(name + n - tail, star + 1) != 0)
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

/* Adds the masks of an option: LIST ends at the last colon. */
static bool find_masks(struct table *table, const char *text, struct error *e)
{
    const size_t before = table->nmask;
    struct column_mask mask;
    size_t nlist;
    unsigned char *pick;
    char *list;
    if (!read_mask(text, &mask, &nlist, e) ||
        !arrays_make(e, ARRAY(pick, table->ncolumn), ARRAY(list, nlist + 1)))
        return false;
    memcpy(list, text, nlist);
    char *column = strrchr(list, ':');
    *column++ = 0;
    struct column_list items;
    bool good = columns_read_list(list, "--mask", &items, e);
    for (size_t k = 0; good && k < items.n; k++) {
        bool any;
        memset(pick, PICK_NONE, table->ncolumn);
        good = columns_pick_item(table, &items.at[k], pick, &any, e) &&
               (any || columns_may_miss(table) || columns_missing(table, items.at[k].text, "--mask", e));
        for (mask.column = 0; good && mask.column < table->ncolumn; mask.column++)
            good = pick[mask.column] == PICK_NONE ||
                   (find_judge(table, items.at[k].text, column, &mask, e) && add_mask(table, &mask, e));
    }
    free(pick);
    free(items.at);
    if (!good || table->nmask > before || columns_may_miss(table))
        return good;
    error_data(e, "--mask: no filtered column in \"%.*s\"", (int)(nlist < 200 ? nlist : 200), text);
    if (!memchr(text, '*', nlist))
        return false;
    return error_hint(
        e, "a * in COLUMN is the text that the * in LIST stands for, such as the 0 of x0 and c0 in "
           "'x*:c*<0.3'");
}

bool table_find_masks(struct table *table, struct error *e)
{
    const struct texts *texts = &table->choice->masks;
    for (size_t k = 0; k < texts->ntext; k++)
        if (!find_masks(table, texts->text[k], e))
            return false;
    for (size_t k = 0; k < table->nmask; k++) {
        struct column *judge = &table->column[table->mask[k].judge];
        if (judge->role != ROLE_PASS && (judge->role != ROLE_CHANNEL || judge->asked || judge->masked))
            continue;
        judge->role = ROLE_READ; /* no channel, unless a mask hides its numbers or --columns names it */
        judge->why = "read by --mask";
        judge->alone = false;
    }
    return true;
}
