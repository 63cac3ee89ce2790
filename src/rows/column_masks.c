/* Columns that others say something about: --mask, which channels are missing where another column, or their
 * own, is beyond a limit; and --goal-velocity-from. */
#include "base/array.h"
#include "rows/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char mask_option[] = "--mask", velocity_option[] = "--goal-velocity-from";

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
    error_usage(e, "%s: must be LIST:COLUMN<X, or with >, <= or >=, where X is a number", mask_option);
    error_excerpt(e, text, n);
    return error_hint(e, "for example %s '*_x,*_y:*_likelihood<0.6'", mask_option);
}

/* Adds the links of all texts of an option to t->mask. A later velocity of a column takes the place of one
 * before it. Sets drop for columns that tell about others, but not themselves, unless pick names them. */
static bool find(struct columns *t, const struct texts *texts, const char *option, const unsigned char *pick,
                 unsigned char *drop, struct error *e)
{
    struct column_pair *pair;
    bool *own, good = true, masks = option == mask_option;
    size_t first = t->nmask;
    if (!arrays_make(e, ARRAY(pair, t->ncolumn), ARRAY(own, t->ncolumn)))
        return false;
    for (size_t k = 0; good && k < texts->ntext; k++) {
        struct column_mask link = { .text = texts->text[k], .nlist = strlen(texts->text[k]) };
        for (size_t i = 0; (masks || k == 0) && i < t->ncolumn; i++)
            pair[i].with = COLUMN_NONE;
        good = (!masks || columns_mask_read(link.text, &link, e)) &&
               array_reserve(&t->mask, t->nmask + t->ncolumn, &t->maxmask, sizeof *t->mask, e);
        char *list = good ? strndup(link.text, link.nlist) : NULL;
        good = good && (list ? columns_pair(t, list, option, masks, pair, e) : error_memory(e));
        for (size_t i = 0; good && (masks || k + 1 == texts->ntext) && i < t->ncolumn; i++)
            if (pair[i].with != COLUMN_NONE) {
                link.column = i;
                link.with = pair[i].with;
                link.named = pair[i].named;
                t->mask[t->nmask++] = link;
                own[i] |= link.with == i;
            }
        free(list);
    }
    for (size_t i = first; good && i < t->nmask; i++)
        if (pick[t->mask[i].with] != PICK_EXPLICIT && !own[t->mask[i].with])
            drop[t->mask[i].with] = PICK_EXPLICIT;
    free(pair);
    return good;
}

bool columns_find_masks(struct columns *t, const struct column_choice *choice, const unsigned char *pick,
                        unsigned char *drop, struct error *e)
{
    return find(t, &choice->velocities, velocity_option, pick, drop, e) &&
           find(t, &choice->masks, mask_option, pick, drop, e);
}

/* Takes over those of channels from the links from *at to end that have the text; there must be one. */
static bool keep(struct columns *t, const char *text, const char *option, size_t *at, size_t end,
                 struct error *e)
{
    bool any = false, masks = option == mask_option;
    for (; *at < end && t->mask[*at].text == text; (*at)++) {
        const struct column_mask link = t->mask[*at];
        if (!columns_read(t, &link, option, e))
            return false;
        if (t->column[link.column].role != ROLE_CHANNEL)
            continue;
        any = true;
        if (masks)
            t->mask[t->nmask++] = link;
        else
            t->column[link.column].velocity = link.with;
    }
    t->measured |= any && !masks;
    return any || error_data(e,
                             masks ? "%s: no filtered column is in \"%.200s\""
                                   : "%s: no filtered column is in a list",
                             option, text);
}

bool columns_keep_masks(struct columns *t, const struct column_choice *choice, struct error *e)
{
    const struct texts *velocities = &choice->velocities, *masks = &choice->masks;
    size_t at = 0, end = t->nmask, n = velocities->ntext;
    t->nmask = 0;
    if (n && !keep(t, velocities->text[n - 1], velocity_option, &at, end, e))
        return false;
    for (size_t k = 0; k < masks->ntext; k++)
        if (!keep(t, masks->text[k], mask_option, &at, end, e))
            return false;
    return true;
}
