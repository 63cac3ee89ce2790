/* --mask: which channels are missing where another column, or their own, is beyond a limit. */
#include "base/array.h"
#include "rows/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char option[] = "--mask";

/* Names may have comparisons: the last one counts. */
bool columns_mask_read(const char *text, struct column_mask *mask, struct error *e)
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
    error_usage(e, "%s: must be LIST:COLUMN<X, or with >, <= or >=, where X is a number", option);
    error_excerpt(e, text, n);
    return error_hint(e, "for example %s '*_x,*_y:*_likelihood<0.6'", option);
}

/* Adds the masks of one text; own marks columns that mask themselves. */
static bool find(struct columns *t, const char *text, struct column_pair *pair, bool *own, struct error *e)
{
    struct column_mask mask;
    if (!columns_mask_read(text, &mask, e) ||
        !array_reserve(&t->mask, t->nmask + t->ncolumn, &t->maxmask, sizeof *t->mask, e))
        return false;
    char *list = strndup(text, mask.nlist);
    for (size_t i = 0; i < t->ncolumn; i++)
        pair[i].with = COLUMN_NONE;
    bool good = list ? columns_pair(t, list, option, true, pair, e) : error_memory(e);
    for (size_t i = 0; good && i < t->ncolumn; i++) {
        if (pair[i].with == COLUMN_NONE)
            continue;
        mask.column = i;
        mask.with = pair[i].with;
        mask.named = pair[i].named;
        t->mask[t->nmask++] = mask;
        own[i] |= mask.with == i;
    }
    free(list);
    return good;
}

bool columns_find_masks(struct columns *t, const struct texts *masks, const unsigned char *pick,
                        unsigned char *drop, struct error *e)
{
    struct column_pair *pair;
    bool *own, good = true;
    if (!arrays_make(e, ARRAY(pair, t->ncolumn), ARRAY(own, t->ncolumn)))
        return false;
    for (size_t i = 0; good && i < masks->ntext; i++)
        good = find(t, masks->text[i], pair, own, e);
    for (size_t i = 0; good && i < t->nmask; i++)
        if (pick[t->mask[i].with] != PICK_EXPLICIT && !own[t->mask[i].with])
            drop[t->mask[i].with] = PICK_EXPLICIT;
    free(pair);
    return good;
}

bool columns_keep_masks(struct columns *t, const struct texts *masks, struct error *e)
{
    size_t n = 0, i = 0;
    for (size_t k = 0; k < masks->ntext; k++) {
        size_t before = n;
        for (; i < t->nmask && t->mask[i].text == masks->text[k]; i++) {
            const struct column_mask mask = t->mask[i];
            struct column_pair pair = { mask.with, mask.named };
            if (!columns_read(t, mask.column, pair, option, e))
                return false;
            t->mask[n] = mask;
            n += t->column[mask.column].role == ROLE_CHANNEL;
        }
        if (n == before)
            return error_data(e, "%s: no filtered column is in \"%.200s\"", option, masks->text[k]);
    }
    t->nmask = n;
    return true;
}
