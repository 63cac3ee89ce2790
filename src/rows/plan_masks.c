/* --mask in a plan: which column (teller in the code) shows where a channel is missing. */
#include "rows/plan.h"

#include "base/array.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Names may hold < and >, so the last comparison of the text counts. */
bool plan_mask_read(const char *text, struct column_mask *mask, struct error *e)
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

bool plan_find_masks(struct column_plan *plan, const struct texts *texts, const unsigned char *pick,
                     unsigned char *drop, struct error *e)
{
    struct column_pair *pair;
    bool *own, good = true;
    const struct columns *columns = plan->columns;
    if (texts->ntext == 0)
        return true;
    if (!arrays_make(e, ARRAY(pair, columns->ncolumn), ARRAY(own, columns->ncolumn)))
        return false;
    for (size_t k = 0; good && k < texts->ntext; k++) {
        struct column_mask mask;
        memset(pair, 0, columns->ncolumn * sizeof *pair);
        good = plan_mask_read(texts->text[k], &mask, e) &&
               array_reserve(&plan->mask, plan->nmask + columns->ncolumn, &plan->maxmask, sizeof *plan->mask,
                             e);
        char *list = good ? text_copy(mask.text, mask.nlist) : NULL;
        good = good && (list ? columns_pair(columns, list, "--mask", true, pair, e) : error_memory(e));
        for (size_t i = 0; good && i < columns->ncolumn; i++)
            if (pair[i].paired) {
                mask.column = i;
                mask.teller = pair[i].teller;
                mask.named = pair[i].named;
                plan->mask[plan->nmask++] = mask;
                own[i] |= mask.teller == i;
            }
        free(list);
    }
    for (size_t i = 0; good && i < plan->nmask; i++) {
        const size_t teller = plan->mask[i].teller;
        if (pick[teller] != PICK_EXPLICIT && !own[teller])
            drop[teller] = PICK_EXPLICIT;
    }
    free(pair);
    return good;
}

/* Gives ROLE_READ to a condition column, unless the column has a role with numbers. */
static bool read_teller(struct column_plan *plan, const struct column_mask *mask, struct error *e)
{
    const struct column *teller = columns_at(plan->columns, mask->teller);
    const enum role role = plan_use(plan, mask->teller)->role;
    if (role == ROLE_TIME) {
        if (plan->form == TIMESTAMP_NUMBER)
            return true;
        error_data(e, "--mask compares numbers, but the times are dates or times of day");
        return error_column(e, teller->name);
    }
    if (teller->first == CELL_TEXT || role == ROLE_GROUP)
        return plan_refuse(plan, mask->teller, "--mask", teller->first == CELL_TEXT, e);
    if (role == ROLE_PASS) {
        plan_own(plan, mask->teller)->role = ROLE_READ;
        plan_own(plan, mask->teller)->reason = REASON_OPTION;
    }
    return true;
}

/* Masks that are kept move to the front. */
bool plan_keep_masks(struct column_plan *plan, const struct column_choice *choice, struct error *e)
{
    const size_t n = plan->nmask;
    size_t next = 0;
    plan->nmask = 0;
    for (size_t k = 0; k < choice->masks.ntext; k++) {
        const char *text = choice->masks.text[k];
        bool any = false;
        for (; next < n && plan->mask[next].text == text; next++) {
            const struct column_mask mask = plan->mask[next];
            if (!plan_filters(plan, mask.column)) {
                if (mask.named)
                    return error_data(e, "--mask: column \"%s\" is not filtered",
                                      columns_at(plan->columns, mask.column)->name);
                continue;
            }
            if (!read_teller(plan, &mask, e))
                return false;
            any = true;
            plan->mask[plan->nmask++] = mask;
        }
        if (!any)
            return error_data(e, "--mask: no filtered column in \"%.200s\"", text);
    }
    return true;
}
