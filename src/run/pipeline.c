/* Load, parse, the stages of the job, print, store.
 *
 * A block is loaded, and parsed on any thread. Then the block runs through the stages, in order, on one
 * thread: a stage takes a block, and holds the block until no row of the block is pending. After the last
 * stage a block is printed, on any thread, and stored, in order. Blocks keep their places in memory all the
 * way. Where a stage makes new blocks (--resample), the new blocks go on, and the block from which the new
 * blocks are made is free again.
 *
 * Waiting for a job that no thread has begun runs the job at once, so the loop is the same for any number of
 * threads. Printed blocks are stored first, which frees the blocks. Before the loop waits for input, the loop
 * finishes every row that can be finished, so that a row never waits for unnecessary input. Where
 * stages hold all blocks (look-ahead, whole series), more blocks are allocated. After an error only the rows
 * before the error are finished. */
#include "run/filter_job.h"

#include "io/tempfile.h"
#include "run/join.h"
#include "run/progress.h"
#include <stdlib.h>

enum {
    SMALL_BYTES =
        8 * 1024,     /* a block with less text, and with fewer than SMALL_ROWS rows, is processed at once */
    SMALL_ROWS = 512, /* see SMALL_BYTES */
    SPARE = 1         /* blocks beyond two for each thread, so that no thread waits for a block */
};

struct slot {
    struct block block; /* the first member: a slot is found by its block */
    struct pool_job job;
    const struct pipeline *pipeline;
    struct supply *supply; /* owner of the slot while the slot is not in use */
    struct slot *next;     /* the next slot in a queue, or among spare slots */
    struct slot *older;    /* the slot that was allocated before; the list of all slots, for freeing */
};

struct queue {
    struct slot *first, *last; /* NULL: the queue is empty */
    size_t n;
};

/* Slots for blocks of one shape. */
struct supply {
    struct slot *spare;
    size_t nused; /* slots in use */
    size_t most;  /* slots that may be in use */
};

struct flow {
    const struct pipeline *p;
    struct supply loaded; /* slots for blocks of the input */
    struct supply made;   /* slots for blocks that a stage makes */
    struct slot *newest;  /* the slot that was allocated last; the list of all slots goes on with `older` */

    struct queue parsing;          /* loaded blocks that no stage has taken */
    struct queue held[STAGES_MAX]; /* blocks that each stage holds */
    struct queue printing;         /* blocks that have passed all stages */

    uint64_t nrow[STAGES_MAX]; /* rows that each stage has taken */
    uint64_t nprinted;         /* rows that were printed */
    uint64_t nline;            /* lines that went into the first stage */
    size_t nfinished;          /* number of stages, from the first on, that take no more rows */
    size_t goals_from;         /* the first stage that needs goals */
    bool ended;                /* no further block is loaded */
    bool starved;              /* a stage waits for a free slot to make a block */
    bool line_from_end;        /* the error's line is counted from the end of the input that was loaded */
    struct error error;        /* returned when the rows before the error are stored */
};

/* --- slots and queues --- */

static void queue_add(struct queue *q, struct slot *slot)
{
    slot->next = NULL;
    if (q->last)
        q->last->next = slot;
    else
        q->first = slot;
    q->last = slot;
    q->n++;
}

static struct slot *queue_take(struct queue *q)
{
    struct slot *slot = q->first;
    q->first = slot->next;
    q->last = q->first ? q->last : NULL;
    q->n--;
    return slot;
}

/* Raises the number of slots that may be in use by half, and by 1. */
static void supply_grow(struct supply *supply)
{
    supply->most += supply->most / 2 + 1;
}

static bool has_room(const struct supply *supply)
{
    return supply->nused < supply->most;
}

/* A slot with a block without rows. NULL: memory is out. */
static struct slot *slot_get(struct flow *f, struct supply *supply, struct error *e)
{
    struct slot *slot = supply->spare;
    if (slot) {
        supply->spare = slot->next;
    } else if ((slot = calloc(1, sizeof *slot))) {
        slot->pipeline = f->p;
        slot->supply = supply;
        slot->older = f->newest;
        f->newest = slot;
    } else {
        error_memory(e);
        return NULL;
    }
    supply->nused++;
    struct block *b = &slot->block;
    b->error.kind = ERROR_NONE;
    b->ntext = b->nrow = b->nline = b->pending = b->ngoal = 0;
    return slot;
}

/* Frees no memory: a stage may still write to rows in a block behind an error. */
static void slot_put(struct slot *slot)
{
    slot->next = slot->supply->spare;
    slot->supply->spare = slot;
    slot->supply->nused--;
}

/* --- jobs for threads --- */

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
static void keep_error(struct flow *f, const struct error *e, uint64_t nline)
{
    f->error = *e;
    f->error.line += e->line ? nline : 0;
    f->line_from_end = false;
    f->ended = true;
}

static void drop_parsing(struct flow *f)
{
    while (f->parsing.first) {
        wait_for(f->parsing.first);
        slot_put(queue_take(&f->parsing));
    }
}

/* Drops all blocks before stage i. From now on stage i is the first stage that takes rows. */
static void drop_before(struct flow *f, size_t i)
{
    drop_parsing(f);
    for (size_t k = 0; k < i; k++)
        while (f->held[k].first)
            slot_put(queue_take(&f->held[k]));
    f->nfinished = i > f->nfinished ? i : f->nfinished;
}

/* A bad row cuts short a block that stage i holds: drops the rows behind the bad row. */
static void cut_short(struct flow *f, size_t i, struct block *b)
{
    struct slot *slot = (struct slot *)b, *behind = slot->next;
    struct queue *held = &f->held[i];
    keep_error(f, &b->error, b->firstline - 1);
    b->error.kind = ERROR_NONE;
    b->ntext = b->row[b->nrow].at;
    drop_before(f, i);
    held->last = slot;
    slot->next = NULL;
    for (struct slot *next; behind; behind = next) {
        next = behind->next;
        slot_put(behind);
        held->n--;
    }
}

/* --- the way of a block --- */

static void load_next(struct flow *f, struct error *e)
{
    const struct pipeline *p = f->p;
    struct slot *slot = slot_get(f, &f->loaded, e);
    enum loaded loaded = LOAD_ERROR;
    if (slot)
        loaded = p->join ? join_load(p->join, &slot->block, e)
                         : p->reader->format->load(p->reader, &slot->block, e);
    if (loaded == LOAD_ROWS) {
        queue_add(&f->parsing, slot);
        submit(slot, parse);
        return;
    }
    f->ended = true;
    if (slot)
        slot_put(slot);
    if (loaded == LOAD_ERROR) {
        keep_error(f, e, 0);
        f->line_from_end = true;
    }
}

/* Begins to print a block that has passed all stages. False: the observer ends the job. */
static bool print_block(struct flow *f, struct slot *slot, struct error *e)
{
    struct block *b = &slot->block;
    block_drop_hidden(b);
    b->firstrow = f->nprinted;
    f->nprinted += b->nrow;
    if (f->p->observe && !f->p->observe(f->p->observer, b, e)) {
        e->line += e->line ? b->firstline - 1 : 0;
        return false;
    }
    queue_add(&f->printing, slot);
    submit(slot, print);
    return true;
}

/* Does stage i, or printing behind the last stage, take a further block? A stage that makes blocks takes a
 * single block at a time. Only some blocks are printed at once, since the bytes of a whole series may be
 * many. */
static bool takes_more(const struct flow *f, size_t i)
{
    if (i == f->p->nstage)
        return f->printing.n < 2 * f->p->task->nthread;
    return !f->p->stage[i].make || !f->held[i].first;
}

/* Gives a block to stage i. False: printing has ended the job. */
static bool enter_stage(struct flow *f, size_t i, struct slot *slot, struct error *e)
{
    struct block *b = &slot->block, *faulty = NULL;
    if (i == f->p->nstage)
        return print_block(f, slot, e);
    const struct stage *stage = &f->p->stage[i];
    size_t nchannel = f->p->reader->columns.nchannel;
    b->firstrow = f->nrow[i];
    queue_add(&f->held[i], slot);
    if (b->nrow > 0 && i == f->goals_from && !block_make_goals(b, nchannel, &b->error)) {
        b->nrow = 0;
        faulty = b;
    } else if (b->nrow > 0) {
        faulty = stage->take(stage->state, b);
    }
    if (faulty)
        cut_short(f, i, faulty);
    f->nrow[i] += b->nrow;
    if (i + 1 == f->p->nstage)
        progress_add(0, b->nrow, 0);
    return true;
}

/* Lets stage i make a block of the block that the stage holds, if there is a slot for the new block. */
static bool make_block(struct flow *f, size_t i, struct error *e)
{
    const struct stage *stage = &f->p->stage[i];
    f->starved = !has_room(&f->made);
    if (f->starved)
        return true;
    struct slot *slot = slot_get(f, &f->made, e);
    if (!slot)
        return false;
    slot->block.firstline = 1; /* the rows have their own lines */
    stage->make(stage->state, &slot->block);
    if (slot->block.error.kind != ERROR_NONE) {
        keep_error(f, &slot->block.error, 0);
        slot->block.error.kind = ERROR_NONE;
        drop_before(f, i + 1);
    }
    return enter_stage(f, i + 1, slot, e);
}

/* Moves the first block of stage i to the next stage, if the block can move; *moved tells. False: the job
 * ends with *e. */
static bool pass_block(struct flow *f, size_t i, bool *moved, struct error *e)
{
    const struct stage *stage = &f->p->stage[i];
    struct slot *slot = f->held[i].first;
    *moved = false;
    if (!slot || !takes_more(f, i + 1))
        return true;
    if (stage->make && slot->block.pending > 0) {
        bool good = make_block(f, i, e);
        *moved = !f->starved;
        return good;
    }
    if (slot->block.pending > 0)
        return true;
    *moved = true;
    queue_take(&f->held[i]);
    if (stage->leave)
        stage->leave(stage->state, &slot->block);
    if (!stage->make)
        return enter_stage(f, i + 1, slot, e);
    slot_put(slot);
    return true;
}

/* Moves blocks on, the oldest blocks first, until no block can move. */
static bool pass_on(struct flow *f, struct error *e)
{
    bool good = true, moved = false;
    f->starved = false;
    for (size_t i = f->p->nstage; good && i > 0; i = moved ? f->p->nstage : i - 1)
        good = pass_block(f, i - 1, &moved, e);
    return good;
}

/* Gives the oldest loaded block to the first stage. */
static bool enter_first(struct flow *f, struct error *e)
{
    const struct pipeline *p = f->p;
    struct slot *slot = queue_take(&f->parsing);
    struct block *b = &slot->block;
    wait_for(slot);
    uint64_t nbefore = f->nline;
    b->firstline = nbefore + 1;
    f->nline += b->nline;
    if (p->join)
        join_take(p->join, b);
    if (b->error.kind != ERROR_NONE) {
        keep_error(f, &b->error, nbefore);
        b->error.kind = ERROR_NONE;
        drop_parsing(f);
    }
    progress_add(p->reader->source->nread - p->task->nread, 0, 0);
    p->task->nread = p->reader->source->nread;
    return enter_stage(f, 0, slot, e) && pass_on(f, e);
}

/* After the last block: the first stage that is not finished decides the rows that wait for later rows. */
static bool finish_next(struct flow *f, struct error *e)
{
    size_t i = f->nfinished++;
    const struct stage *stage = &f->p->stage[i];
    if (f->line_from_end)
        f->error.line += f->error.line ? f->nline : 0;
    f->line_from_end = false;
    struct block *faulty = stage->finish ? stage->finish(stage->state) : NULL;
    for (struct slot *slot = f->held[i].first; slot; slot = slot->next)
        slot->block.pending = 0;
    if (faulty)
        cut_short(f, i, faulty);
    return pass_on(f, e);
}

static bool store(struct writer *w, struct block *b, struct error *e)
{
    bool good = w->format->store ? w->format->store(w, b, e) : tempfile_put(w->fd, b->bytes, b->nbyte, e);
    if (!good)
        e->at_output = true;
    return good;
}

/* Stores the oldest printed block: all rows, or the rows before the first row that could not be printed. */
static bool store_next(struct flow *f, struct error *e)
{
    struct slot *slot = queue_take(&f->printing);
    struct block *b = &slot->block;
    wait_for(slot);
    bool printed = b->error.kind == ERROR_NONE || b->error.kind == ERROR_DATA;
    bool good = !printed || store(f->p->writer, b, e);
    if (good && b->error.kind != ERROR_NONE) {
        *e = b->error;
        e->line += e->line ? b->firstline - 1 : 0;
        good = false;
    }
    if (f->ended)
        block_free(b);
    slot_put(slot);
    return good && pass_on(f, e);
}

static bool run_loop(struct flow *f, struct error *e)
{
    const struct pipeline *p = f->p;
    bool good = true;
    while (good) {
        bool idle = f->loaded.nused + f->made.nused == 0;
        bool loads = !f->ended && has_room(&f->loaded);
        if (f->printing.first && f->printing.first->job.done) {
            good = store_next(f, e);
        } else if (loads && (idle || source_ready(p->reader->source))) {
            load_next(f, e);
        } else if (f->parsing.first && takes_more(f, 0)) {
            good = enter_first(f, e);
        } else if (f->printing.first) {
            good = store_next(f, e);
        } else if (f->starved) {
            supply_grow(&f->made);
            good = pass_on(f, e);
        } else if (loads) {
            load_next(f, e);
        } else if (!f->ended) {
            supply_grow(&f->loaded);
        } else if (f->nfinished < p->nstage) {
            good = finish_next(f, e);
        } else {
            *e = f->error;
            return f->error.kind == ERROR_NONE;
        }
    }
    drop_parsing(f);
    for (struct slot *slot = f->printing.first; slot; slot = slot->next)
        wait_for(slot);
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

bool pipeline_run(const struct pipeline *p, struct error *e)
{
    size_t first = p->task->nthread == 1 ? 1 : 2 * p->task->nthread + SPARE;
    struct flow f = { .p = p, .nline = p->reader->nline, .loaded.most = first, .made.most = first };
    const struct format *format = p->writer->format;
    while (f.goals_from < p->nstage && !p->stage[f.goals_from].changes_goals)
        f.goals_from++;
    bool good = write_edge(p->writer, format->begin, e) && run_loop(&f, e) &&
                write_edge(p->writer, format->finish, e);
    for (struct slot *slot = f.newest, *older; slot; slot = older) {
        older = slot->older;
        block_free(&slot->block);
        free(slot);
    }
    return good;
}
