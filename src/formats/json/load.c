/* Cutting what is read into blocks of whole records. A block ends with its last record's last byte, so that
 * the comma after it comes with the next record, and a record goes out as soon as it is whole. What follows
 * the last record is checked and passed on as it comes, in blocks without rows. For parse, load leaves in
 * b->nrow how many records it counted (of jsonl: at most), and in b->firstrow the number of the first. */
#include "formats/json/json.h"

#include <stdlib.h>

/* Moves what is left of n bytes of the block's text after the first ntext to rest. */
static bool keep_rest(struct json *j, struct block *b, size_t ntext, size_t n, struct error *e)
{
    size_t left = n - ntext;
    if (left + JSON_SLACK > j->maxrest) {
        char *fresh = malloc(left + FORMAT_BLOCK + JSON_SLACK);
        if (!fresh)
            return error_memory(e);
        free(j->rest);
        j->rest = fresh;
        j->maxrest = left + FORMAT_BLOCK + JSON_SLACK;
    }
    memcpy(j->rest, b->text + ntext, left);
    j->nrest = left;
    b->ntext = ntext;
    /* A bare number ends with what follows it. */
    char next = left > 0 && j->cut.rows == JSON_COMMAS ? b->text[ntext] : 0;
    memset(b->text + ntext, 0, JSON_SLACK);
    b->text[ntext] = next;
    return true;
}

static enum loaded give(const struct reader *r, struct block *b, size_t nrow, struct error *e)
{
    struct json *j = r->state;
    const struct columns *t = &r->columns;
    if (!block_reserve(b, nrow, j->ncell, t->nvalue, r->nout, t->time != COLUMN_NONE, e))
        return LOAD_ERROR;
    b->nrow = nrow;
    b->firstrow = j->nrow;
    j->nrow += nrow;
    return LOAD_ROWS;
}

/* Reads on at the end of n bytes of text. */
static bool read_on(struct reader *r, struct block *b, size_t *n, struct error *e)
{
    struct json *j = r->state;
    size_t aim = *n > FORMAT_BLOCK ? *n : FORMAT_BLOCK, got;
    if (!block_reserve_text(b, *n + aim + JSON_SLACK, e) ||
        !source_read(r->source, b->text + *n, aim, &got, e))
        return false;
    *n += got;
    j->ended = got == 0;
    memset(b->text + *n, 0, JSON_SLACK);
    return true;
}

static bool is_blank(const char *p, const char *end)
{
    p = json_space(p);
    return p >= end;
}

/* A fault that is not a record's own: nothing of the block is good from ntext on. */
static enum loaded give_fault(struct reader *r, struct block *b, const struct json_scan *s, size_t ntext,
                              struct error *e)
{
    /* What was read of what follows is chance: one byte is shown. */
    struct json_scan shown = *s;
    shown.nexcerpt = 1;
    json_explain(&shown, b->text, NULL, "$", &b->error);
    b->ntext = ntext;
    return give(r, b, 0, e);
}

static enum loaded load_rows(struct reader *r, struct block *b, size_t n, struct error *e)
{
    struct json *j = r->state;
    struct json_cut *c = &j->cut;
    for (;;) {
        json_cut(c, b->text, n);
        if (c->nrow > 0 || c->closed || j->ended || n > FORMAT_MAXROW)
            break;
        if (!read_on(r, b, &n, e))
            return LOAD_ERROR;
    }
    size_t nrow = c->nrow, ntext = c->last;
    j->tail = c->closed;
    if (c->closed) {
        /* A number that no comma follows; or something that is no record, which parse will say: it needs the
         * bracket. */
        const char *p = json_space(b->text + ntext), *close = b->text + c->n;
        bool more = p < close, record = c->rows == JSON_COMMAS && json_space(p + (*p == ',')) < close;
        nrow += more;
        ntext = more ? c->n + !record : ntext;
    } else if (nrow == 0 && !j->ended) {
        struct json_scan s = { .end = b->text + n, .at = b->text, .what = "a record is longer than 64 MiB" };
        return give_fault(r, b, &s, 0, e);
    } else if (nrow == 0) {
        /* The last line, or what is left of a document that stops too early. */
        if (n == 0 && j->lines)
            return LOAD_END;
        nrow = 1;
        ntext = n;
    }
    if (!keep_rest(j, b, ntext, n, e))
        return LOAD_ERROR;
    *c = (struct json_cut){
        c->rows, c->string, c->escape, c->depth, c->closed ? 0 : c->n - ntext, 0, 0, false
    };
    return give(r, b, nrow, e);
}

/* A member of the objects around the records must not have the name of the way to them once more. */
static bool repeats_no_way(const struct json_walk *w, const char *key, size_t nkey, struct json_scan *s)
{
    const struct json *j = w->closure;
    if (w->depth > w->least || w->depth > j->npointer)
        return true;
    const char *part = j->pointer[w->depth - 1];
    if (!json_same_key(key, nkey, part, strlen(part)))
        return true;
    json_fail(s, key - 1, "--records names this member, and it stands there twice");
    return false;
}

static enum loaded load_tail(struct reader *r, struct block *b, size_t n, struct error *e)
{
    struct json *j = r->state;
    struct json_walk *w = &j->walk;
    if (!w->key)
        w->least = w->depth;
    w->key = repeats_no_way;
    w->closure = j;
    for (;;) {
        struct json_scan s = { .end = b->text + n, .more = !j->ended };
        const char *p = b->text;
        if (w->depth > 0)
            p = json_walk(w, p, 0, &s);
        if (p && !is_blank(p, s.end)) {
            w->token = json_space(p);
            p = json_fail(&s, w->token, "text after the end of the document");
            s.hint = "--from jsonl reads one record a line";
        }
        size_t ntext = p ? n : (size_t)(w->token - b->text);
        if (!p && (s.at != s.end || j->ended))
            return give_fault(r, b, &s, ntext, e);
        if (ntext == 0 && n > FORMAT_MAXROW) {
            json_fail(&s, b->text, "a string or number longer than 64 MiB");
            return give_fault(r, b, &s, 0, e);
        }
        if (ntext > 0)
            return keep_rest(j, b, ntext, n, e) ? give(r, b, 0, e) : LOAD_ERROR;
        if (j->ended)
            return LOAD_END;
        if (!read_on(r, b, &n, e))
            return LOAD_ERROR;
    }
}

enum loaded json_load(struct reader *r, struct block *b, struct error *e)
{
    struct json *j = r->state;
    size_t n = j->nrest;
    if (j->shape == JSON_COLUMNS)
        return json_columns_load(r, b, e);
    if (!block_reserve_text(b, n + JSON_SLACK, e))
        return LOAD_ERROR;
    if (n > 0)
        memcpy(b->text, j->rest, n);
    memset(b->text + n, 0, JSON_SLACK);
    return j->tail ? load_tail(r, b, n, e) : load_rows(r, b, n, e);
}
