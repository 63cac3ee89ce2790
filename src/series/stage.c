/* A queue of blocks that the stage has taken, in order. The first of them is given when nothing of it is
 * pending; the caller's block and that of the queue change places, so that memory goes round. See stage.h. */
#include "series/stage.h"

#include <stdlib.h>

struct entry {
    struct block block; /* the first member: an entry is found by its block */
    struct entry *next;
};

struct staged {
    struct format format; /* that of the reader below, with this load and parse */
    struct reader *from;
    struct stage stage;
    struct entry *first, **end; /* blocks to give, up to *end; from there on spare entries */
    uint64_t nrow, nline;       /* before the next block */
    enum loaded loaded;         /* LOAD_ROWS: more may come; LOAD_ERROR: error follows the last block */
    bool finished;
    struct error error;
};

static void free_entries(struct entry **list)
{
    for (struct entry *x = *list, *next; x; x = next) {
        next = x->next;
        block_free(&x->block);
        free(x);
    }
    *list = NULL;
}

/* The block becomes the last one, cut short by its error. Rows of those behind it may still be pending: they
 * are kept until finish. */
static void cut_short(struct staged *s, struct block *b)
{
    s->end = &((struct entry *)b)->next;
    b->ntext = b->row[b->nrow].at;
    s->loaded = LOAD_END;
}

/* Loads a block of the reader below into the first spare entry, and gives it to the stage. */
static void take_next(struct staged *s)
{
    struct entry *x = *s->end ? *s->end : calloc(1, sizeof *x);
    s->loaded = LOAD_ERROR;
    if (!x) {
        error_memory(&s->error);
        return;
    }
    *s->end = x;
    struct block *b = &x->block, *faulty = b;
    b->error.kind = ERROR_NONE;
    b->ntext = b->nrow = b->nline = b->pending = 0;
    s->loaded = s->from->format->load(s->from, b, &s->error);
    if (s->loaded != LOAD_ROWS)
        return;
    s->from->format->parse(s->from, b);
    if (s->end != &s->first && b->nrow == 0 && b->ntext == 0 && b->nline == 0 && b->error.kind == ERROR_NONE)
        return;
    s->end = &x->next;
    b->firstrow = s->nrow;
    b->firstline = s->nline + 1;
    if (b->nrow == 0 || s->from->goals || block_make_goals(b, s->from->columns.nchannel, &b->error))
        faulty = b->nrow > 0 ? s->stage.take(s->stage.closure, b) : NULL;
    else
        b->nrow = 0;
    if (faulty)
        cut_short(s, faulty);
    else if (b->error.kind != ERROR_NONE)
        s->loaded = LOAD_END;
    s->nrow += b->nrow;
    s->nline += b->nline;
}

static void finish(struct staged *s)
{
    struct block *faulty = s->stage.finish(s->stage.closure);
    for (struct entry *x = s->first; x; x = x->next)
        x->block.pending = 0;
    if (faulty)
        cut_short(s, faulty);
    s->finished = true;
    free_entries(s->end);
}

/* Gives the first block of the queue; the caller's memory takes its place, and its entry becomes spare. */
static void give_first(struct staged *s, struct block *b)
{
    struct entry *x = s->first;
    struct block given = x->block;
    if (s->stage.give)
        s->stage.give(s->stage.closure, &given);
    x->block = *b;
    *b = given;
    s->first = x->next;
    s->end = s->end == &x->next ? &s->first : s->end;
    x->next = *s->end;
    *s->end = x;
    if (s->finished)
        free_entries(s->end);
}

static enum loaded load(struct reader *r, struct block *b, struct error *e)
{
    struct staged *s = r->state;
    if (s->loaded == LOAD_ROWS && (s->end == &s->first || s->first->block.pending > 0))
        take_next(s);
    if (s->loaded != LOAD_ROWS && !s->finished)
        finish(s);
    if (s->end == &s->first) {
        *e = s->error;
        return s->loaded;
    }
    const struct block *x = &s->first->block;
    if (x->pending == 0) {
        give_first(s, b);
        return LOAD_ROWS;
    }
    b->ntext = b->nline = 0;
    bool good = block_reserve(b, 0, x->ncell, x->nvalue, x->nout, x->time != NULL, e) &&
                block_reserve_text(b, 1, e);
    return good ? LOAD_ROWS : LOAD_ERROR;
}

void stage_parse(const struct reader *r, struct block *b)
{
    (void)r, (void)b;
}

static const char *cell(const struct reader *r, const struct block *b, size_t row, size_t column, char *buf,
                        size_t maxbuf, size_t *ntext)
{
    const struct staged *s = r->state;
    return s->from->format->cell(s->from, b, row, column, buf, maxbuf, ntext);
}

bool stage_open(struct reader *r, struct reader *from, const struct stage *stage, struct error *e)
{
    struct staged *s = calloc(1, sizeof *s);
    if (!s)
        return error_memory(e);
    *s = (struct staged){ .format = *from->format, .from = from, .stage = *stage, .nline = from->nline };
    s->end = &s->first;
    s->format.load = load;
    s->format.parse = stage_parse;
    s->format.cell = from->format->cell ? cell : NULL;
    *r = *from;
    r->goals = true;
    r->format = &s->format;
    r->state = s;
    return true;
}

void stage_close(struct reader *r)
{
    struct staged *s = r->state;
    if (s)
        free_entries(&s->first);
    free(s);
    r->state = NULL;
}
