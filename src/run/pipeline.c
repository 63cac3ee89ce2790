/* Load, parse, the stages of the job, print, store.
 *
 * A block is loaded, and parsed on any thread. Then the block runs through the stages, in order, on one
 * thread: a stage takes a block, and holds the block until no row of the block is pending. After the last
 * stage a block is printed, on any thread, and stored, in order. Blocks keep their places in memory all the
 * way. Where a stage makes new blocks (--resample), the new blocks continue, and the block from which the new
 * blocks are made is free again.
 *
 * Waiting for a job that no thread has begun runs the job immediately, so the loop is the same for any number
 * of threads. Printed blocks are stored first, which frees the blocks. Before the loop waits for input, the
 * loop finishes every block that can be finished, and where rows may wait a block then has one row
 * (formats/format.h: reader_wants_row), so that a row never waits for unnecessary input. After an error only
 * the rows before the error are finished. */
#include "run/pipeline.h"

#include "io/tempfile.h"
#include "run/progress.h"
#include <stdlib.h>

enum {
    /* A block with less text and fewer rows is parsed and printed by the loop itself, by no other thread. */
    SMALL_BYTES = 8 * 1024,
    SMALL_ROWS = 512,
    SPARE = 1, /* blocks at work beyond two per thread, to keep a thread from waiting for a block */
    KEPT = 16  /* blocks in use; while there are more, a block is freed when it is stored */
};

struct slot {
    struct block block; /* the first member: a slot is found by its block */
    struct pool_job job;
    const struct pipeline *pipeline;
    struct slot **spare; /* where the slot comes from, and goes back to */
    struct slot *next;   /* the next slot in a queue, or among spare slots */
    struct slot *older;  /* the slot that was allocated before; the list of all slots, for freeing */
};

struct queue {
    struct slot *first, *last; /* NULL: the queue is empty */
    size_t n;
};

struct flow {
    const struct pipeline *pipeline;
    struct slot *spare_loaded; /* list of unused slots for blocks of the input */
    struct slot *spare_made; /* list of unused slots for blocks that a stage makes: they have another shape */
    struct slot *newest; /* the slot that was allocated last; the list of all slots continues with `older` */
    size_t nused;        /* slots in use */
    size_t most;         /* limit: blocks before the first stage, and blocks after the last */

    struct queue parsing;              /* loaded blocks that no stage has taken */
    struct queue in_stage[STAGES_MAX]; /* blocks that each stage holds */
    struct queue printing;             /* blocks that have passed all stages */

    uint64_t nrow[STAGES_MAX]; /* rows that each stage has taken */
    uint64_t nprinted;         /* rows that were printed */
    uint64_t nline;            /* lines that went into the first stage */
    size_t nfinished;          /* number of stages, from the first on, that take no more rows */
    bool ended;                /* no more blocks are loaded */
    bool line_from_end;        /* the error's line is counted from the end of the input that was loaded */
    struct error error;        /* returned when the rows before the error are stored */
};

/* --- slots and queues --- */

static void queue_add(struct queue *queue, struct slot *slot)
{
    slot->next = NULL;
    if (queue->last)
        queue->last->next = slot;
    else
        queue->first = slot;
    queue->last = slot;
    queue->n++;
}

static struct slot *queue_take(struct queue *queue)
{
    struct slot *slot = queue->first;
    queue->first = slot->next;
    queue->last = queue->first ? queue->last : NULL;
    queue->n--;
    return slot;
}

/* A slot with a block without rows. NULL: out of memory. */
static struct slot *slot_get(struct flow *flow, struct slot **spare, struct error *e)
{
    struct slot *slot = *spare;
    if (slot) {
        *spare = slot->next;
    } else if ((slot = calloc(1, sizeof *slot))) {
        slot->pipeline = flow->pipeline;
        slot->spare = spare;
        slot->older = flow->newest;
        flow->newest = slot;
    } else {
        error_memory(e);
        return NULL;
    }
    flow->nused++;
    struct block *block = &slot->block;
    block->error.kind = ERROR_NONE;
    block->ntext = block->nrow = block->nline = block->pending = block->ngoal = 0;
    return slot;
}

/* Gives back a slot. Its memory stays until pipeline_run ends, or until store_next frees it. A block that was
 * dropped after an error also keeps its memory, since stages may still write to it; nothing fills it again,
 * since after an error nothing is loaded (keep_error), and no stage before the error makes blocks
 * (drop_before). */
static void slot_put(struct flow *flow, struct slot *slot)
{
    slot->next = *slot->spare;
    *slot->spare = slot;
    flow->nused--;
}

/* --- jobs for threads --- */

static void parse(void *closure)
{
    struct slot *slot = closure;
    format_parse(slot->pipeline->reader, &slot->block);
}

static void print(void *closure)
{
    struct slot *slot = closure;
    slot->block.nbyte = 0;
    slot->pipeline->writer->format->print(slot->pipeline->writer, &slot->block);
}

static void submit(struct slot *slot, void (*work)(void *))
{
    if (slot->block.ntext >= SMALL_BYTES || slot->block.nrow >= SMALL_ROWS) {
        pool_submit(slot->pipeline->task->pool, &slot->job, work, slot);
    } else {
        work(slot);
        slot->job.done = true;
    }
}

static void wait_for(struct slot *slot)
{
    pool_wait(slot->pipeline->task->pool, &slot->job);
}

/* --- errors --- */

/* Keeps an error to be returned later, with nline added to the error's line, and ends loading. Rows are
 * loaded ahead of the stages, so an error that is found later belongs to earlier rows, and replaces the kept
 * error. */
static void keep_error(struct flow *flow, const struct error *e, uint64_t nline)
{
    flow->error = *e;
    error_shift(&flow->error, nline);
    flow->line_from_end = false;
    flow->ended = true;
}

static void drop_parsing(struct flow *flow)
{
    while (flow->parsing.first) {
        wait_for(flow->parsing.first);
        slot_put(flow, queue_take(&flow->parsing));
    }
}

/* Drops the blocks before stage i. From now on stage i is the first stage to take rows. */
static void drop_before(struct flow *flow, size_t i)
{
    drop_parsing(flow);
    for (size_t k = 0; k < i; k++)
        while (flow->in_stage[k].first)
            slot_put(flow, queue_take(&flow->in_stage[k]));
    flow->nfinished = i > flow->nfinished ? i : flow->nfinished;
}

/* A bad row cuts short a block in stage i: keeps the error, drops the bad row and later rows. */
static void cut_short(struct flow *flow, size_t i, struct block *block)
{
    struct slot *slot = (struct slot *)block, *later = slot->next;
    struct queue *queue = &flow->in_stage[i];
    keep_error(flow, &block->error, block->firstline - 1);
    block->error.kind = ERROR_NONE;
    drop_before(flow, i);
    queue->last = slot;
    slot->next = NULL;
    for (struct slot *next; later; later = next) {
        next = later->next;
        slot_put(flow, later);
        queue->n--;
    }
}

/* --- the way of a block --- */

static void load_next(struct flow *flow, struct error *e)
{
    const struct pipeline *pipeline = flow->pipeline;
    struct slot *slot = slot_get(flow, &flow->spare_loaded, e);
    enum loaded loaded = LOAD_ERROR;
    if (slot)
        loaded = pipeline->reader->format->load(pipeline->reader, &slot->block, e);
    if (loaded == LOAD_ROWS) {
        queue_add(&flow->parsing, slot);
        submit(slot, parse);
        return;
    }
    flow->ended = true;
    if (slot)
        slot_put(flow, slot);
    if (loaded == LOAD_ERROR) {
        keep_error(flow, e, 0);
        flow->line_from_end = true;
    }
}

/* Begins to print a block that has passed all stages. False: the observer ends the job with *e. */
static bool print_block(struct flow *flow, struct slot *slot, struct error *e)
{
    struct block *block = &slot->block;
    block->firstrow = flow->nprinted;
    flow->nprinted += block->nrow;
    if (flow->pipeline->observe && !flow->pipeline->observe(flow->pipeline->observer, block, e)) {
        error_shift(e, block->firstline - 1);
        return false;
    }
    queue_add(&flow->printing, slot);
    submit(slot, print);
    return true;
}

/* Does stage i, or printing after the last stage, take another block? A stage that makes blocks takes a
 * single block at a time. Only some blocks are printed together, since the bytes of a whole series may be
 * many. */
static bool takes_more(const struct flow *flow, size_t i)
{
    if (i == flow->pipeline->nstage)
        return flow->printing.n < 2 * flow->pipeline->task->nthread;
    return !flow->pipeline->stage[i].make || !flow->in_stage[i].first;
}

/* Gives a block to stage i, or, after the last stage, to print_block. False: print_block ends the job. */
static bool enter_stage(struct flow *flow, size_t i, struct slot *slot, struct error *e)
{
    struct block *block = &slot->block, *faulty = NULL;
    if (i == flow->pipeline->nstage)
        return print_block(flow, slot, e);
    const struct stage *stage = &flow->pipeline->stage[i];
    block->firstrow = flow->nrow[i];
    queue_add(&flow->in_stage[i], slot);
    if (block->nrow > 0)
        faulty = stage->take(stage->state, block);
    if (faulty)
        cut_short(flow, i, faulty);
    flow->nrow[i] += block->nrow;
    if (i + 1 == flow->pipeline->nstage)
        progress_add(0, block->nrow, 0);
    return true;
}

/* Lets stage i make a block of the block that the stage holds. */
static bool make_block(struct flow *flow, size_t i, struct error *e)
{
    const struct stage *stage = &flow->pipeline->stage[i];
    struct slot *slot = slot_get(flow, &flow->spare_made, e);
    if (!slot)
        return false;
    slot->block.firstline = 1; /* the rows have their own lines */
    stage->make(stage->state, &slot->block);
    if (slot->block.error.kind != ERROR_NONE) {
        keep_error(flow, &slot->block.error, 0);
        slot->block.error.kind = ERROR_NONE;
        drop_before(flow, i + 1);
    }
    return enter_stage(flow, i + 1, slot, e);
}

/* Moves the first block of stage i to the next stage, if the block can move; *moved: it did. False: the job
 * ends with *e. */
static bool pass_block(struct flow *flow, size_t i, bool *moved, struct error *e)
{
    const struct stage *stage = &flow->pipeline->stage[i];
    struct slot *slot = flow->in_stage[i].first;
    *moved = false;
    if (!slot || !takes_more(flow, i + 1))
        return true;
    *moved = stage->make || slot->block.pending == 0;
    if (slot->block.pending > 0)
        return !stage->make || make_block(flow, i, e);
    if (!format_parse_again(flow->pipeline->reader, &slot->block, e))
        return false;
    queue_take(&flow->in_stage[i]);
    if (!stage->make)
        return enter_stage(flow, i + 1, slot, e);
    slot_put(flow, slot);
    return true;
}

/* Moves blocks on, the oldest blocks first, until no block can move. */
static bool pass_on(struct flow *flow, struct error *e)
{
    bool good = true, moved = false;
    for (size_t i = flow->pipeline->nstage; good && i > 0; i = moved ? flow->pipeline->nstage : i - 1)
        good = pass_block(flow, i - 1, &moved, e);
    return good;
}

/* Gives the oldest loaded block to the first stage. */
static bool enter_first(struct flow *flow, struct error *e)
{
    const struct pipeline *pipeline = flow->pipeline;
    struct slot *slot = queue_take(&flow->parsing);
    struct block *block = &slot->block;
    wait_for(slot);
    uint64_t nbefore = flow->nline;
    block->firstline = nbefore + 1;
    flow->nline += block->nline;
    if (block->error.kind != ERROR_NONE) {
        keep_error(flow, &block->error, nbefore);
        block->error.kind = ERROR_NONE;
        drop_parsing(flow);
    }
    progress_add(pipeline->reader->source->nread - pipeline->task->nread, 0, 0);
    pipeline->task->nread = pipeline->reader->source->nread;
    return enter_stage(flow, 0, slot, e) && pass_on(flow, e);
}

/* After the last block: the first unfinished stage decides rows that wait for later rows. */
static bool finish_next(struct flow *flow, struct error *e)
{
    const size_t i = flow->nfinished++;
    const struct stage *stage = &flow->pipeline->stage[i];
    struct block *faulty = NULL;
    if (flow->line_from_end)
        error_shift(&flow->error, flow->nline);
    flow->line_from_end = false;
    if (stage->finish)
        faulty = stage->finish(stage->state, flow->error.kind == ERROR_NONE);
    for (struct slot *slot = flow->in_stage[i].first; slot; slot = slot->next)
        slot->block.pending = 0;
    if (faulty)
        cut_short(flow, i, faulty);
    return pass_on(flow, e);
}

static bool store(struct writer *writer, struct block *block, struct error *e)
{
    bool good = writer->format->store ? writer->format->store(writer, block, e)
                                      : tempfile_put(writer->fd, block->bytes, block->nbyte, e);
    if (!good)
        e->at_output = true;
    return good;
}

/* Stores the oldest printed block: all rows, or the rows before the first row that could not be printed. Of
 * many blocks, such as those of one row, the memory is not kept: all of them would become large in time. */
static bool store_next(struct flow *flow, struct error *e)
{
    struct slot *slot = queue_take(&flow->printing);
    struct block *block = &slot->block;
    wait_for(slot);
    bool printed = block->error.kind == ERROR_NONE || block->error.kind == ERROR_DATA;
    bool good = !printed || store(flow->pipeline->writer, block, e);
    if (good && block->error.kind != ERROR_NONE) {
        *e = block->error;
        error_shift(e, block->firstline - 1);
        good = false;
    }
    if (flow->ended || flow->nused > KEPT)
        block_free(block);
    slot_put(flow, slot);
    return good && pass_on(flow, e);
}

/* Runs until the rows of the input are stored, or until an error. Each turn does the first thing below that
 * is possible. */
static bool run_loop(struct flow *flow, struct error *e)
{
    const struct pipeline *pipeline = flow->pipeline;
    bool good = true;
    while (good) {
        bool loads = !flow->ended && flow->parsing.n + flow->printing.n < flow->most;
        if (flow->printing.first && flow->printing.first->job.done) {
            good = store_next(flow, e);
        } else if (loads && (flow->nused == 0 || source_ready(pipeline->reader->source))) {
            load_next(flow, e);
        } else if (flow->parsing.first && takes_more(flow, pipeline->nstage)) {
            good = enter_first(flow, e);
        } else if (flow->printing.first) {
            good = store_next(flow, e);
        } else if (loads) {
            load_next(flow, e);
        } else if (flow->nfinished < pipeline->nstage) {
            good = finish_next(flow, e);
        } else {
            *e = flow->error;
            return flow->error.kind == ERROR_NONE;
        }
    }
    drop_parsing(flow);
    for (struct slot *slot = flow->printing.first; slot; slot = slot->next)
        wait_for(slot);
    return false;
}

/* Writes the bytes before the first row, or after the last row. make: the format's begin or finish; NULL: no
 * bytes. */
static bool write_edge(struct writer *writer, bool (*make)(struct writer *, struct block *, struct error *),
                       struct error *e)
{
    struct block edge = { 0 };
    bool good = !make || (make(writer, &edge, e) && store(writer, &edge, e));
    block_free(&edge);
    return good;
}

bool pipeline_run(const struct pipeline *pipeline, struct error *e)
{
    const size_t nthread = pipeline->task->nthread;
    struct flow flow = {
        .pipeline = pipeline,
        .nline = pipeline->reader->nline,
        .most = nthread == 1 ? 1 : 2 * nthread + SPARE,
    };
    const struct format *format = pipeline->writer->format;
    bool good = write_edge(pipeline->writer, format->begin, e) && run_loop(&flow, e) &&
                write_edge(pipeline->writer, format->finish, e);
    for (struct slot *slot = flow.newest, *older; slot; slot = older) {
        older = slot->older;
        block_free(&slot->block);
        free(slot);
    }
    return good;
}
