/* --mask LIST:COLUMN<X: which column (teller in the code) shows where a channel is missing. A * in LIST and
 * one in COLUMN are the same text, so that each column of LIST has a COLUMN of its own. */
#include "rows/table.h"

#include "base/array.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Names may hold < and >, so the last comparison of the text counts. == means =. */
bool table_mask_read(const char *text, struct column_mask *mask, struct error *e)
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
    if (begin > 0 && number_read(number, after, '.', &mask->limit) == after && isfinite(mask->limit))
        return true;
    error_usage(e, "--mask must be LIST:COLUMN<X (or >, <=, >=, =), where X is a number");
    error_excerpt(e, text, strlen(text));
    return error_hint(e, "for example --mask '*_x,*_y:*_likelihood<0.6'");
}

/* What the columns of a mask are looked up with. */
struct finding {
    struct table *table;
    const char *column;      /* COLUMN */
    struct column_mask mask; /* of the columns that are found, but for these columns */
    struct error *e;
};

static bool add_mask(struct finding *finding, size_t column, size_t teller, bool named)
{
    struct table *table = finding->table;
    if (!array_reserve(&table->mask, table->nmask + 1, &table->maxmask, sizeof *table->mask, finding->e))
        return false;
    struct column_mask mask = finding->mask;
    mask.column = column;
    mask.teller = teller;
    mask.named = named;
    table->mask[table->nmask++] = mask;
    return true;
}

/* The error of a side that has no * or several, where the other side has a *. */
static bool not_one_star(const char *text, struct error *e)
{
    error_usage(e, "--mask: use one * on each side; both are the same text");
    error_excerpt(e, text, strlen(text));
    return error_hint(e, "for example --mask '*_x,*_y:*_likelihood<0.6'");
}

/* Masks column i, if its name is that of an item of LIST and a COLUMN with the same text for the * exists. */
static bool mask_matched(struct finding *finding, size_t i, const char *item)
{
    const char *name = finding->table->column[i].name, *star = strchr(finding->column, '*');
    const size_t n = strlen(name), nhead = (size_t)(strchr(item, '*') - item),
                 ntail = strlen(item) - nhead - 1;
    if (n < nhead + ntail || memcmp(name, item, nhead) != 0 ||
        strcmp(name + n - ntail, item + nhead + 1) != 0)
        return true;
    char *other = text_format("%.*s%.*s%s", (int)(star - finding->column), finding->column,
                              (int)(n - nhead - ntail), name + nhead, star + 1);
    if (!other)
        return error_memory(finding->e);
    const size_t teller = columns_lookup(finding->table, other);
    free(other);
    return teller == COLUMN_NONE || add_mask(finding, i, teller, false);
}

static bool mask_item(void *closure, const struct column_item *item)
{
    struct finding *finding = closure;
    const char *star = item->is_name ? NULL : strchr(item->text, '*');
    if (!star || strchr(star + 1, '*'))
        return not_one_star(item->text, finding->e);
    for (size_t i = 0; i < finding->table->ncolumn; i++)
        if (!mask_matched(finding, i, item->text))
            return false;
    return true;
}

/* Masks each column of a list, by a COLUMN of its own. */
static bool mask_each(struct finding *finding, const char *list)
{
    const size_t before = finding->table->nmask;
    if (strchr(strchr(finding->column, '*') + 1, '*'))
        return not_one_star(finding->column, finding->e);
    if (!columns_each_item(finding->table, list, "--mask", mask_item, finding, finding->e))
        return false;
    if (finding->table->nmask > before)
        return true;
    error_data(finding->e, "--mask: found no columns that match both \"%.80s\" and \"%.80s\" with the same *",
               list, finding->column);
    return columns_hint(finding->table, finding->e);
}

/* Masks the columns of a list by one COLUMN. A lone * means every column but COLUMN. */
static bool mask_all(struct finding *finding, const char *list)
{
    const struct table *table = finding->table;
    const bool others = strcmp(list, "*") == 0;
    const size_t teller = columns_find(table, finding->column, "--mask", finding->e);
    if (teller == COLUMN_NONE)
        return false;
    unsigned char *pick = calloc(table->ncolumn, 1);
    bool good = pick ? columns_pick_list(table, list, "--mask", pick, finding->e) : error_memory(finding->e);
    for (size_t i = 0; good && i < table->ncolumn; i++)
        if (pick[i] != PICK_NONE && !(others && i == teller))
            good = add_mask(finding, i, teller, pick[i] == PICK_EXPLICIT);
    free(pick);
    return good;
}

/* Names may have colons: LIST ends at the first colon where both sides name columns. */
static bool find_columns(struct finding *finding, const char *text)
{
    bool good = false;
    const char *colon = strchr(text, ':');
    if (!colon || colon == text || colon[1] == 0) {
        error_usage(finding->e, "--mask needs the columns that it masks: LIST:COLUMN");
        error_excerpt(finding->e, text, strlen(text));
        return error_hint(finding->e, "for all others: --mask '*:%s'", finding->mask.text);
    }
    for (; colon && colon[1] && !good; colon = strchr(colon + 1, ':')) {
        char *list = text_copy(text, (size_t)(colon - text));
        finding->column = colon + 1;
        const bool each = strchr(colon + 1, '*') && columns_lookup(finding->table, colon + 1) == COLUMN_NONE;
        if (!list)
            good = error_memory(finding->e);
        else
            good = each ? mask_each(finding, list) : mask_all(finding, list);
        free(list);
    }
    return good;
}

/* A condition column is no channel, unless --columns or LIST names it. */
static bool drop_tellers(const struct table *table, const unsigned char *pick, unsigned char *drop,
                         struct error *e)
{
    bool *own = calloc(table->ncolumn + 1, sizeof *own); /* the column is masked by its own numbers */
    if (!own)
        return error_memory(e);
    for (size_t i = 0; i < table->nmask; i++)
        own[table->mask[i].teller] |= table->mask[i].column == table->mask[i].teller;
    for (size_t i = 0; i < table->nmask; i++) {
        const size_t teller = table->mask[i].teller;
        if (pick[teller] != PICK_EXPLICIT && !own[teller])
            drop[teller] = PICK_EXPLICIT;
    }
    free(own);
    return true;
}

bool table_find_masks(struct table *table, const struct texts *texts, const unsigned char *pick,
                      unsigned char *drop, struct error *e)
{
    bool good = true;
    for (size_t k = 0; good && k < texts->ntext; k++) {
        struct finding finding = { .table = table, .e = e };
        good = table_mask_read(texts->text[k], &finding.mask, e);
        char *columns = good ? text_copy(finding.mask.text, finding.mask.nlist) : NULL;
        good = good && (columns ? find_columns(&finding, columns) : error_memory(e));
        free(columns);
    }
    return good && drop_tellers(table, pick, drop, e);
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
