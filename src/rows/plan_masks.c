/* --mask and --goal-velocity-from in a plan: which column (teller in the code) shows where a channel is
 * missing, and which holds its velocity. */
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

/* The last of several velocities of a column counts, in the order of the texts. */
bool plan_find_masks(struct column_plan *plan, const struct texts *texts, bool masks,
                     const unsigned char *pick, unsigned char *drop, struct error *e)
{
    const char *option = masks ? "--mask" : "--goal-velocity-from";
    struct column_pair *pair;
    bool *own, good = true;
    const struct columns *columns = plan->columns;
    size_t first = plan->nmask;
    if (texts->ntext == 0)
        return true;
    if (!arrays_make(e, ARRAY(pair, columns->ncolumn), ARRAY(own, columns->ncolumn)))
        return false;
    for (size_t k = 0; good && k < texts->ntext; k++) {
        struct column_mask link = { .text = texts->text[k], .nlist = strlen(texts->text[k]) };
        for (size_t i = 0; (masks || k == 0) && i < columns->ncolumn; i++)
            pair[i] = (struct column_pair){ 0 };
        good = (!masks || plan_mask_read(link.text, &link, e)) &&
               array_reserve(&plan->mask, plan->nmask + columns->ncolumn, &plan->maxmask, sizeof *plan->mask,
                             e);
        char *list = good ? text_copy(link.text, link.nlist) : NULL;
        good = good && (list ? columns_pair(columns, list, option, masks, pair, e) : error_memory(e));
        for (size_t i = 0; good && (masks || k + 1 == texts->ntext) && i < columns->ncolumn; i++)
            if (pair[i].paired) {
                link.column = i;
                link.teller = pair[i].teller;
                link.named = pair[i].named;
                plan->mask[plan->nmask++] = link;
                own[i] |= link.teller == i;
            }
        free(list);
    }
    for (size_t i = first; good && i < plan->nmask; i++) {
        const size_t teller = plan->mask[i].teller;
        if (pick[teller] != PICK_EXPLICIT && !own[teller])
            drop[teller] = PICK_EXPLICIT;
    }
    free(pair);
    return good;
}

/* Gives ROLE_READ to a condition column, unless the column has a role with numbers. velocity: the times of
 * rows are no velocity. */
static bool read_teller(struct column_plan *plan, const struct column_mask *link, bool velocity,
                        const char *option, struct error *e)
{
    const struct column *teller = columns_at(plan->columns, link->teller);
    const enum role role = plan_use(plan, link->teller)->role;
    if (role == ROLE_TIME && !velocity) {
        if (plan->form == TIMESTAMP_NUMBER)
            return true;
        error_data(e, "%s compares numbers, but the times are dates or times of day", option);
        return error_column(e, teller->name);
    }
    if (teller->first == CELL_TEXT || role == ROLE_TIME || role == ROLE_GROUP)
        return plan_refuse(plan, link->teller, option, teller->first == CELL_TEXT, e);
    if (role == ROLE_PASS) {
        plan_own(plan, link->teller)->role = ROLE_READ;
        plan_own(plan, link->teller)->reason = REASON_OPTION;
    }
    return true;
}

/* The links of one argument of --mask or of the list of --goal-velocity-from. */
struct links {
    size_t next;        /* index into plan->mask of the next link; kept masks move to the front */
    size_t end;         /* number of links in plan->mask */
    const char *option; /* the option, for messages */
};

/* After the channels are known: takes the links that the argument `text` made, from links->next on, and marks
 * the condition columns as read. velocity: a link gives the channel a measured velocity; else the link is
 * kept as a mask. *any: a link belongs to a channel. */
static bool keep_links(struct column_plan *plan, struct links *links, const char *text, bool velocity,
                       bool *any, struct error *e)
{
    *any = false;
    for (; links->next < links->end && plan->mask[links->next].text == text; links->next++) {
        const struct column_mask link = plan->mask[links->next];
        if (!plan_filters(plan, link.column)) {
            if (link.named)
                return error_data(e, "%s: column \"%s\" is not filtered", links->option,
                                  columns_at(plan->columns, link.column)->name);
            continue;
        }
        if (!read_teller(plan, &link, velocity, links->option, e))
            return false;
        *any = true;
        if (velocity)
            plan_own(plan, link.column)->velocity = link.teller;
        else
            plan->mask[plan->nmask++] = link;
    }
    return true;
}

static bool keep_velocities(struct column_plan *plan, struct links *links, const struct texts *texts,
                            struct error *e)
{
    links->option = "--goal-velocity-from";
    if (texts->ntext == 0)
        return true;
    /* The links of all texts hold the last text. */
    if (!keep_links(plan, links, texts->text[texts->ntext - 1], true, &plan->measured, e))
        return false;
    return plan->measured || error_data(e, "%s: its lists name no filtered column", links->option);
}

static bool keep_masks(struct column_plan *plan, struct links *links, const struct texts *texts,
                       struct error *e)
{
    links->option = "--mask";
    for (size_t k = 0; k < texts->ntext; k++) {
        bool any;
        if (!keep_links(plan, links, texts->text[k], false, &any, e))
            return false;
        if (!any)
            return error_data(e, "%s: no filtered column in \"%.200s\"", links->option, texts->text[k]);
    }
    return true;
}

bool plan_keep_masks(struct column_plan *plan, const struct column_choice *choice, struct error *e)
{
    struct links links = { .end = plan->nmask };
    plan->nmask = 0;
    return keep_velocities(plan, &links, &choice->velocities, e) &&
           keep_masks(plan, &links, &choice->masks, e);
}
