/* --join: several inputs with the same columns as a single series. The reader of the first input goes on with
 * the rows of the next input, and the head of the next input is dropped. Times, counts of rows and the times
 * of other clocks go on: where a later input begins at or before the greatest number of the inputs before,
 * one amount is added to all numbers of the later input, so that its first number is a step above the
 * greatest. Invariant: memory does not grow with the inputs, and the text of a row changes only in cells that
 * go on. */
#ifndef SPRUNG_RUN_JOIN_H
#define SPRUNG_RUN_JOIN_H

#include "formats/format.h"

/* A column whose numbers go on from one input to the next. */
struct going_on {
    size_t column;
    struct timestamp greatest; /* the greatest number so far, after shifts */
    struct timestamp last;     /* the number of the last row, after shifts */
    struct timestamp step;     /* the last step between two rows that was greater than 0 */
    struct timestamp shift;    /* added to the numbers of the input under way */
    bool known;                /* greatest and last are set */
    bool stepped;              /* step is set */
    bool shifted;              /* shift is set */
};

/* A cell that gets a new number. */
struct cell_edit {
    struct span cell; /* in the text before any change */
    struct timestamp number;
    size_t growth; /* growth of the cell in bytes, modulo the range of size_t */
};

/* An input from which a row was read. */
struct joined_input {
    uint64_t before; /* lines before the input's rows: of the first input's head, and of earlier rows */
    uint64_t head;   /* lines of the input's own head */
};

struct join {
    struct reader *reader;      /* opened for the first input, goes on through all inputs */
    const struct texts *inputs; /* names; "-": standard input */
    double rate;                /* rows per second by the head of the first input; 0: the head does not say */
    size_t ninput;              /* inputs that were opened; rows are loaded from the input opened last */
    size_t ntaken;              /* inputs from which rows were read */
    struct joined_input *input; /* [inputs->ntext] owned */
    struct going_on *number;    /* [nnumber] columns that go on, ascending; not a time of dates; owned */
    size_t nnumber;
    struct cell_edit *edit; /* [nnumber] changed cells of the row under way; in the allocation of `number` */
    char *text;             /* [maxtext] new text of the block under way; owned */
    size_t maxtext;
    bool begins; /* the next row is the first row of an input */
    int output;  /* descriptor of the output, which no input may be; -1: no such check */
};

/* Begins with an open reader of the first input, before there is a plan, and checks the heads of later
 * inputs, if they are files. inputs has two names or more. join_close follows in any case. */
bool join_open(struct join *join, struct reader *first, const struct texts *inputs, int output,
               struct error *e);
void join_close(struct join *join);

/* Lists the columns whose numbers go on in later inputs. Call after the plan is made, with all_cells set. */
bool join_bind(struct join *join, struct error *e);

/* Like the format's load, and at the end of an input goes on with the next input. The text of an error about
 * the head of a later input names the later input. */
enum loaded join_load(struct join *join, struct block *block, struct error *e);

/* Moves the numbers of a parsed block. Blocks come in order, with firstline set, before any stage. An error
 * goes to block->error. */
void join_take(struct join *join, struct block *block);

/* The name of the input that a line belongs to. *line, counted over all inputs, becomes the number of the
 * line in the input. */
const char *join_place(const struct join *join, uint64_t *line);

#endif
