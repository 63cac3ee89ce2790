/* Load, parse, filter, print, store. Blocks are in a ring, in the order of the input, and each is submitted
 * to be parsed and to be printed. Waiting for a job that no thread has begun runs it at once, so the loop is
 * the same for any number of threads. Printed blocks are stored first, since that frees a place in the ring;
 * before it waits for input the loop finishes everything it has, which makes it live. If undecided blocks
 * fill the ring (look-ahead, whole series), it grows. After an error only the rows before it are finished. */
#include "run/filter_job.h"

#include "io/tempfile.h"
#include "run/progress.h"
#include <stdlib.h>

enum {
    SMALL_BYTES = 8 * 1024, /* a block with less text and */
    SMALL_ROWS = 512,       /* fewer rows is processed at once */
    SPARE = 1               /* blocks besides two for each thread, so that none waits for another */
};

struct slot {
    struct block block;
    struct pool_job job;
    const struct pipeline *pipeline;
};

struct ring {
    struct slot **slot; /* slot of block number i: slot[i % nslot] */
    size_t nslot;
    /* Block numbers; stored <= printing <= filtered <= loaded. */
    size_t loaded, filtered, printing, stored;
    uint64_t nrow, nprinted, nline;
    bool ended;         /* nothing more is loaded */
    bool line_from_end; /* the error's line is counted from the end of the last block, whose number of lines
                           is not yet known */
    struct error error; /* returned when the rows before it are stored */
};

static struct slot *slot_of(const struct ring *r, size_t number)
{
    return r->slot[number % r->nslot];
}

/* Makes a full ring larger by half; blocks keep their addresses. */
static bool grow(struct ring *r, const struct pipeline *p, struct error *e)
{
    size_t first = p->task->nthread == 1 ? 1 : 2 * p->task->nthread + SPARE;
    size_t nslot = r->nslot ? r->nslot + r->nslot / 2 + 1 : first;
    struct slot **slot = calloc(nslot, sizeof *slot);
    if (!slot)
        return error_memory(e);
    for (size_t i = r->stored; i < r->loaded; i++)
        slot[i % nslot] = slot_of(r, i);
    bool good = true;
    for (size_t i = r->loaded; i < r->stored + nslot; i++) {
        struct slot *fresh = calloc(1, sizeof *fresh);
        slot[i % nslot] = fresh;
        good = good && fresh;
    }
    free(r->slot);
    r->slot = slot;
    r->nslot = nslot;
    return good || error_memory(e);
}

/* Keeps an error, nline lines behind its own, to be returned later. Load runs ahead of filter, so an error
 * recorded later belongs to earlier rows and replaces this one. */
static void keep_error(struct ring *r, const struct error *e, uint64_t nline)
{
    r->error = *e;
    r->error.line += e->line ? nline : 0;
    r->line_from_end = false;
    r->ended = true;
}

static void parse(void *closure)
{
    struct slot *slot = closure;
    slot->pipeline->reader->format->parse(slot->pipeline->reader, &slot->block);
}

static void print(void *closure)
{
    struct slot *slot = closure;
    slot->block.nbyte = 0;
    slot->pipeline->writer->format->print(slot->pipeline->writer, &slot->block);
}

static void submit(const struct pipeline *p, struct slot *slot, void (*work)(void *))
{
    slot->pipeline = p;
    if (slot->block.ntext >= SMALL_BYTES || slot->block.nrow >= SMALL_ROWS) {
        pool_submit(p->task->pool, &slot->job, work, slot);
    } else {
        work(slot);
        slot->job.done = true;
    }
}

static void load_next(const struct pipeline *p, struct ring *r)
{
    struct slot *slot = slot_of(r, r->loaded);
    struct block *b = &slot->block;
    struct error e;
    b->error.kind = ERROR_NONE;
    b->ntext = b->nrow = 0;
    enum loaded loaded = p->reader->format->load(p->reader, b, &e);
    r->ended = loaded != LOAD_ROWS;
    if (loaded == LOAD_ERROR) {
        keep_error(r, &e, 0);
        r->line_from_end = true;
    } else if (loaded == LOAD_ROWS) {
        r->loaded++;
        submit(p, slot, parse);
    }
}

/* Drops the blocks that are not filtered, when no thread works on them any more; before that, with b, rows
 * from b->nrow on, in a block that is not printed yet and all later ones. */
static void discard_rows(const struct pipeline *p, struct ring *r, struct block *b)
{
    if (b)
        b->ntext = b->row[b->nrow].at;
    while (b && &slot_of(r, r->filtered - 1)->block != b)
        r->filtered--;
    for (size_t i = r->filtered; i < r->loaded; i++)
        pool_wait(p->task->pool, &slot_of(r, i)->job);
    r->loaded = r->filtered;
}

static void filter_next(const struct pipeline *p, struct ring *r)
{
    struct slot *slot = slot_of(r, r->filtered);
    struct block *b = &slot->block;
    pool_wait(p->task->pool, &slot->job);
    b->firstrow = r->nrow;
    b->firstline = r->nline + 1;
    r->filtered++;
    struct block *faulty = series_take(p->series, b), *bad = faulty ? faulty : b;
    if (bad->error.kind != ERROR_NONE) {
        keep_error(r, &bad->error, bad->firstline - 1);
        discard_rows(p, r, faulty);
    }
    r->nrow += b->nrow;
    r->nline += b->nline;
    progress_add(p->reader->source->nread - p->task->nread, p->writer->resampled ? b->nrow : 0, 0);
    p->task->nread = p->reader->source->nread;
}

/* Submits decided blocks to be printed; not all at once, since the bytes of a whole series may be many. */
static bool print_decided(const struct pipeline *p, struct ring *r, struct error *e)
{
    while (r->printing < r->filtered && r->printing - r->stored < 2 * p->task->nthread &&
           slot_of(r, r->printing)->block.pending == 0) {
        struct slot *slot = slot_of(r, r->printing);
        struct block *b = &slot->block;
        b->error.kind = ERROR_NONE;
        block_drop_hidden(b);
        b->firstrow = r->nprinted;
        r->nprinted += b->nrow;
        if (p->observe && !p->observe(p->observer, b, e)) {
            e->line += e->line ? b->firstline - 1 : 0;
            return false;
        }
        submit(p, slot, print);
        r->printing++;
    }
    return true;
}

static bool store(struct writer *w, struct block *b, struct error *e)
{
    bool good = w->format->store ? w->format->store(w, b, e) : tempfile_put(w->fd, b->bytes, b->nbyte, e);
    if (!good)
        e->at_output = true;
    return good;
}

/* Stores the oldest printed block, or those of its rows that could be printed. */
static bool store_next(const struct pipeline *p, struct ring *r, struct error *e)
{
    struct slot *slot = slot_of(r, r->stored);
    struct block *b = &slot->block;
    pool_wait(p->task->pool, &slot->job);
    r->stored++;
    bool printed = b->error.kind == ERROR_NONE || b->error.kind == ERROR_DATA;
    bool good = !printed || store(p->writer, b, e);
    if (good && b->error.kind != ERROR_NONE) {
        *e = b->error;
        e->line += e->line ? b->firstline - 1 : 0;
        good = false;
    }
    if (r->ended)
        block_free(b);
    return good && print_decided(p, r, e);
}

/* After the last block: decides the rows that wait for later ones. */
static void finish_series(const struct pipeline *p, struct ring *r)
{
    if (r->line_from_end)
        r->error.line += r->error.line ? r->nline : 0;
    struct block *faulty = series_finish(p->series);
    for (size_t i = r->printing; i < r->filtered; i++)
        slot_of(r, i)->block.pending = 0;
    if (faulty) {
        keep_error(r, &faulty->error, faulty->firstline - 1);
        discard_rows(p, r, faulty);
    }
}

static bool run_loop(const struct pipeline *p, struct ring *r, struct error *e)
{
    bool finished = false, good = true;
    while (good) {
        bool full = r->loaded - r->stored == r->nslot;
        bool idle = r->stored == r->loaded;
        if (r->stored < r->printing && slot_of(r, r->stored)->job.done) {
            good = store_next(p, r, e);
        } else if (!r->ended && !full && (idle || source_ready(p->reader->source))) {
            load_next(p, r);
        } else if (r->filtered < r->loaded) {
            filter_next(p, r);
            good = print_decided(p, r, e);
        } else if (r->stored < r->printing) {
            good = store_next(p, r, e);
        } else if (!r->ended && !full) {
            load_next(p, r);
        } else if (!r->ended) {
            good = grow(r, p, e);
        } else if (!finished) {
            finished = true;
            finish_series(p, r);
            good = print_decided(p, r, e);
        } else {
            *e = r->error;
            return r->error.kind == ERROR_NONE;
        }
    }
    for (size_t i = r->stored; i < r->loaded; i++)
        pool_wait(p->task->pool, &slot_of(r, i)->job);
    return false;
}

/* Writes the bytes before the first row or after the last. make: the format's begin or finish; NULL: none. */
static bool write_edge(struct writer *w, bool (*make)(struct writer *, struct block *, struct error *),
                       struct error *e)
{
    struct block edge = { 0 };
    bool good = !make || (make(w, &edge, e) && store(w, &edge, e));
    block_free(&edge);
    return good;
}

bool pipeline_run(struct pipeline *p, struct error *e)
{
    struct ring r = { .nline = p->reader->nline };
    const struct format *f = p->writer->format;
    bool good = write_edge(p->writer, f->begin, e) && grow(&r, p, e) && run_loop(p, &r, e) &&
                write_edge(p->writer, f->finish, e);
    for (size_t i = 0; i < r.nslot; i++)
        if (r.slot[i]) {
            block_free(&r.slot[i]->block);
            free(r.slot[i]);
        }
    free(r.slot);
    return good;
}
