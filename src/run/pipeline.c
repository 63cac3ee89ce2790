/* Load, parse, filter, print, store.
 *
 * Blocks stand in a ring, in the order of the input. Load fills the next free one and hands it out to be
 * parsed; the oldest parsed one is filtered here, in order, and when all its rows are decided observers
 * look at it and it is handed out to be printed; the oldest printed one is stored and is free again.
 * Handing out means queueing a job; waiting for a job that no thread has begun does it on the spot, so the
 * loop is the same with no thread or many. What is printed goes out before anything else, since its place
 * in the ring is work for a thread. A small block is not worth a hand-over and is worked on at once. Before
 * the loop would wait for input it finishes all that it has: that makes it live. A filter that looks ahead,
 * or a whole-series mode, may leave blocks undecided; when those fill the ring, it grows.
 *
 * The first error, wherever it arises, stops loading; the blocks before it, and the rows before it in its own
 * block, are finished and stored, and then it is returned, its line counted from the start of the input. */
#include "run/pipeline.h"

#include "io/tempfile.h"
#include <stdlib.h>

enum {
    SMALL = 8 * 1024, /* bytes of text and */
    FEW = 512,        /* rows below which a block is worked on at once */
    SPARE = 1         /* blocks beside two for each thread, so that none waits for another */
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
    uint64_t nrow, nline;
    bool ended;  /* nothing more is loaded */
    bool failed; /* error is set: it is returned when the blocks before it are stored */
    bool behind; /* its line is counted from the end of the last block: until that is filtered nobody knows more */
    struct error error;
};

static struct slot *slot_of(const struct ring *r, size_t number)
{
    return r->slot[number % r->nslot];
}

/* Makes the ring larger by half, each block staying where it is in memory. */
static bool grow(struct ring *r, const struct pipeline *p, struct error *e)
{
    size_t first = p->nthread == 1 ? 1 : 2 * p->nthread + SPARE;
    size_t nslot = r->nslot ? r->nslot + r->nslot / 2 + 1 : first;
    struct slot **slot = calloc(nslot, sizeof *slot);
    if (!slot)
        return error_memory(e);
    for (size_t i = r->stored; i < r->loaded; i++)
        slot[i % nslot] = slot_of(r, i);
    bool good = true;
    for (size_t i = r->loaded; i < r->stored + nslot; i++) {
        struct slot *fresh = i < r->stored + r->nslot ? slot_of(r, i) : calloc(1, sizeof *fresh);
        if (fresh)
            fresh->pipeline = p;
        slot[i % nslot] = fresh;
        good = good && fresh;
    }
    free(r->slot);
    r->slot = slot;
    r->nslot = nslot;
    return good || error_memory(e);
}

static void free_ring(struct ring *r)
{
    for (size_t i = 0; i < r->nslot; i++)
        if (r->slot[i]) {
            block_free(&r->slot[i]->block);
            free(r->slot[i]);
        }
    free(r->slot);
}

/* Keeps an error, to be returned in its turn. A later one comes from an earlier block. */
static void fail(struct ring *r, const struct error *e)
{
    r->error = *e;
    r->failed = true;
    r->behind = false;
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
    if (slot->pipeline->writer)
        slot->pipeline->writer->format->print(slot->pipeline->writer, &slot->block);
}

static void hand_out(const struct pipeline *p, struct slot *slot, void (*work)(void *))
{
    if (slot->block.ntext >= SMALL || slot->block.nrow >= FEW) {
        pool_submit(p->pool, &slot->job, work, slot);
    } else {
        work(slot);
        slot->job.state = POOL_DONE;
    }
}

static void load(const struct pipeline *p, struct ring *r)
{
    struct slot *slot = slot_of(r, r->loaded);
    struct block *b = &slot->block;
    struct error e;
    b->error.kind = ERROR_NONE;
    b->ntext = b->nrow = 0;
    switch (p->reader->format->load(p->reader, b, &e)) {
    case LOAD_ERROR:
        /* The format counts its lines from the start of what it was asked to load. */
        fail(r, &e);
        r->behind = true;
        break;
    case LOAD_END:
        r->ended = true;
        break;
    case LOAD_ROWS:
        r->loaded++;
        hand_out(p, slot, parse);
        break;
    }
}

/* Blocks that were loaded after the one with the error are dropped. */
static void drop(const struct pipeline *p, struct ring *r)
{
    for (size_t i = r->filtered; i < r->loaded; i++)
        pool_wait(p->pool, &slot_of(r, i)->job);
    r->loaded = r->filtered;
}

/* A fault at row b->nrow of a block that is not printed yet: what stands from there on will not be. */
static void cut_short(const struct pipeline *p, struct ring *r, struct block *b)
{
    b->ntext = b->row[b->nrow].at;
    while (&slot_of(r, r->filtered - 1)->block != b)
        r->filtered--;
    drop(p, r);
}

static void filter(const struct pipeline *p, struct ring *r)
{
    struct slot *slot = slot_of(r, r->filtered);
    struct block *b = &slot->block;
    struct error e;
    pool_wait(p->pool, &slot->job);
    b->firstrow = r->nrow;
    b->firstline = r->nline + 1;
    r->filtered++;
    struct block *faulty;
    bool parsed = b->error.kind == ERROR_NONE;
    if (!series_take(p->series, b, &faulty, &e)) {
        fail(r, &e);
        if (faulty)
            cut_short(p, r, faulty);
        else
            drop(p, r);
    } else if (!parsed) {
        b->error.line += b->error.line ? r->nline : 0;
        fail(r, &b->error);
        drop(p, r);
    }
    r->nrow += b->nrow;
    r->nline += b->nline;
}

static bool observe(const struct pipeline *p, const struct block *b, struct error *e)
{
    for (size_t i = 0; i < p->nobserver; i++)
        if (!p->observer[i].take(p->observer[i].closure, b, e)) {
            e->line += e->line ? b->firstline - 1 : 0;
            return false;
        }
    return true;
}

/* Hands out what is decided to be printed, but not the bytes of a whole series at once. */
static bool decide(const struct pipeline *p, struct ring *r, struct error *e)
{
    while (r->printing < r->filtered && r->printing - r->stored < 2 * p->nthread &&
           slot_of(r, r->printing)->block.pending == 0) {
        struct slot *slot = slot_of(r, r->printing);
        slot->block.error.kind = ERROR_NONE;
        if (!observe(p, &slot->block, e))
            return false;
        hand_out(p, slot, print);
        r->printing++;
    }
    return true;
}

/* Stores the oldest printed block: where a row could not be printed, those before it. */
static bool store(const struct pipeline *p, struct ring *r, struct error *e)
{
    struct slot *slot = slot_of(r, r->stored);
    struct block *b = &slot->block;
    pool_wait(p->pool, &slot->job);
    r->stored++;
    bool good = true;
    if (p->writer && (b->error.kind == ERROR_NONE || b->error.kind == ERROR_DATA))
        good = p->writer->format->store ? p->writer->format->store(p->writer, b, e)
                                        : tempfile_put(p->writer->fd, b->bytes, b->nbyte, e);
    if (!good) {
        e->at_output = true;
    } else if (b->error.kind != ERROR_NONE) {
        *e = b->error;
        e->line += e->line ? b->firstline - 1 : 0;
        good = false;
    }
    if (r->ended)
        block_free(b);
    return good;
}

/* Nothing more is loaded: rows that waited for others are decided. After an error only good rows are left. */
static void finish(const struct pipeline *p, struct ring *r)
{
    struct error e;
    struct block *faulty;
    if (r->failed && r->behind)
        r->error.line += r->error.line ? r->nline : 0;
    bool good = series_finish(p->series, &faulty, &e);
    for (size_t i = r->printing; i < r->filtered; i++)
        slot_of(r, i)->block.pending = 0;
    if (!good) {
        fail(r, &e);
        cut_short(p, r, faulty);
    }
}

/* Before memory goes, no thread may work on it any more. */
static void settle(const struct pipeline *p, struct ring *r)
{
    for (size_t i = r->stored; i < r->printing; i++)
        pool_wait(p->pool, &slot_of(r, i)->job);
    drop(p, r);
}

/* Is the oldest block printed? One that nobody has begun is not. */
static bool is_printed(const struct pipeline *p, const struct ring *r)
{
    return r->stored < r->printing && pool_done(p->pool, &slot_of(r, r->stored)->job);
}

static bool store_next(const struct pipeline *p, struct ring *r, struct error *e)
{
    if (!store(p, r, e))
        return false;
    if (p->watch)
        p->watch(p->closure, source_position(p->reader->source));
    return decide(p, r, e);
}

static bool run(const struct pipeline *p, struct ring *r, struct error *e)
{
    bool finished = false, good = true;
    while (good) {
        bool full = r->loaded - r->stored == r->nslot;
        bool idle = r->stored == r->loaded;
        if (is_printed(p, r)) {
            good = store_next(p, r, e);
        } else if (!r->ended && !full && (idle || source_ready(p->reader->source))) {
            load(p, r);
        } else if (r->filtered < r->loaded) {
            filter(p, r);
            good = decide(p, r, e);
        } else if (r->stored < r->printing) {
            good = store_next(p, r, e);
        } else if (!r->ended && !full) {
            load(p, r);
        } else if (!r->ended) {
            good = grow(r, p, e);
        } else if (!finished) {
            finished = true;
            finish(p, r);
            good = decide(p, r, e);
        } else {
            *e = r->error;
            return !r->failed;
        }
    }
    settle(p, r);
    return false;
}

bool pipeline_run(struct pipeline *p, struct error *e)
{
    struct ring r = { .nline = p->reader->nline };
    bool good = grow(&r, p, e) && run(p, &r, e);
    free_ring(&r);
    return good;
}
