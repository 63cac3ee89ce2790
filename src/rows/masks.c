/* --mask: which column (teller in the code) shows where a channel is missing. */
#include "rows/table.h"

#include "base/array.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Names may hold < and >, so the last comparison of the text counts. */
bool table_mask_read(const char *text, struct column_mask *mask, struct error *e)
{
    size_t n = strlen(text), at = n ? n - 1 : 0;
    while (at > 0 && !strchr("<>", text[at]))
        at--;
    const char *number = text + at + 1 + (n > 0 && text[at + 1] == '='), *end = text + n;
    *mask = (struct column_mask){
        .above = text[at] == '>', .equal = number > text + at + 1, .text = text, .nlist = at
    };
    bool good = at > 0 && number_read(number, end, '.', &mask->limit) == end && isfinite(mask->limit);
    if (good)
        return true;
    error_usage(e, "--mask must be LIST:COLUMN<X (or >, <=, >=), where X is a number");
    error_excerpt(e, text, n);
    return error_hint(e, "for example --mask '*_x,*_y:*_likelihood<0.6'");
}

bool table_find_masks(struct table *table, const struct texts *texts, const unsigned char *pick,
                      unsigned char *drop, struct error *e)
{
    struct column_pair *pair;
    bool *own, good = true;
    if (texts->ntext == 0)
        return true;
    if (!arrays_make(e, ARRAY(pair, table->ncolumn), ARRAY(own, table->ncolumn)))
        return false;
    for (size_t k = 0; good && k < texts->ntext; k++) {
        struct column_mask mask;
        memset(pair, 0, table->ncolumn * sizeof *pair);
        good = table_mask_read(texts->text[k], &mask, e) &&
               array_reserve(&table->mask, table->nmask + table->ncolumn, &table->maxmask,
                             sizeof *table->mask, e);
        char *list = good ? text_copy(mask.text, mask.nlist) : NULL;
        good = good && (list ? columns_pair(table, list, "--mask", true, pair, e) : error_memory(e));
        for (size_t i = 0; good && i < table->ncolumn; i++)
            if (pair[i].paired) {
                mask.column = i;
                mask.teller = pair[i].teller;
                mask.named = pair[i].named;
                table->mask[table->nmask++] = mask;
                own[i] |= mask.teller == i;
            }
        free(list);
    }
    for (size_t i = 0; good && i < table->nmask; i++) {
        const size_t teller = table->mask[i].teller;
        if (pick[teller] != PICK_EXPLICIT && !own[teller])
            drop[teller] = PICK_EXPLICIT;
    }
    free(pair);
    return good;
}

/* Gives ROLE_READ to a condition column, unless the column has a role with numbers. */
static bool read_teller(struct table *table, const struct column_mask *mask, struct error *e)
{
    struct column *teller = &table->column[mask->teller];
    const enum role role = table_column(table, mask->teller)->role;
    if (role == ROLE_TIME) {
        if (table->form == TIMESTAMP_NUMBER)
            return true;
        error_data(e, "--mask compares numbers, but the times are dates or times of day");
        return error_column(e, teller->name);
    }
    if (teller->first == CELL_TEXT || role == ROLE_GROUP)
        return table_refuse(table, mask->teller, "--mask", teller->first == CELL_TEXT, e);
    if (role == ROLE_PASS) {
        teller->role = ROLE_READ;
        teller->why = why_option;
    }
    return true;
}

/* Masks that are kept move to the front. */
bool table_keep_masks(struct table *table, const struct column_choice *choice, struct error *e)
{
    const size_t n = table->nmask;
    size_t next = 0;
    table->nmask = 0;
    for (size_t k = 0; k < choice->masks.ntext; k++) {
        const char *text = choice->masks.text[k];
        bool any = false;
        for (; next < n && table->mask[next].text == text; next++) {
            const struct column_mask mask = table->mask[next];
            if (!table_filters(table, mask.column)) {
                if (mask.named)
                    return error_data(e, "--mask: column \"%s\" is not filtered",
                                      table_column(table, mask.column)->name);
                continue;
            }
            if (!read_teller(table, &mask, e))
                return false;
            any = true;
            table->mask[table->nmask++] = mask;
        }
        if (!any)
            return error_data(e, "--mask: no filtered column in \"%.200s\"", text);
    }
    return true;
}
