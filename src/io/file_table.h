/* The files that one command reads and writes, known by device and inode or by directory and name, however
 * their paths are spelled. A key is a hash of 64 bits: that two of ten million files have the same key has a
 * probability of 10^-5. Inputs are claimed before threads begin. Any thread may claim outputs. */
#ifndef SPRUNG_IO_FILE_TABLE_H
#define SPRUNG_IO_FILE_TABLE_H

#include "base/name_table.h"
#include "base/port.h"

#include <pthread.h>

/* The numbers, from 1, of the inputs with which files were claimed. */
struct file_table {
    struct name_table inputs;  /* by device and inode */
    struct name_table outputs; /* by directory and name, since an output gets a new inode */
    pthread_mutex_t lock;      /* for outputs */
};

void file_table_open(struct file_table *files);
void file_table_close(struct file_table *files);

/* Claim a file with a number, unless it was claimed before: an input with this status, or an output at this
 * path, where a file may exist or not; a symbolic link of this name is not followed. Return the number that
 * the file was claimed with first; 0: out of memory. */
size_t file_table_claim_input(struct file_table *files, const struct port_status *status, size_t number);
size_t file_table_claim_output(struct file_table *files, const char *path, size_t number);

/* The number of the input with this status; 0: it is no input. */
size_t file_table_find_input(const struct file_table *files, const struct port_status *status);

#endif
