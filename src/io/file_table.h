/* The files that one command reads and writes, known by device and inode or by directory and name, however
 * their paths are spelled. A key is a hash of 64 bits: that two of ten million files have the same key has a
 * probability of 10^-5. Any thread may call. */
#ifndef SPRUNG_IO_FILE_TABLE_H
#define SPRUNG_IO_FILE_TABLE_H

#include "base/port.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A hash table from the key of a file to the number, from 1, of an input. */
struct file_table {
    pthread_mutex_t lock;
    struct file_entry {
        uint64_t key; /* 0: the entry is free */
        size_t number;
    } * entry;
    size_t nentry, maxentry; /* maxentry is 0 or a power of 2 */
};

/* The files of a command. */
struct command_files {
    struct file_table inputs;  /* by device and inode */
    struct file_table outputs; /* by directory and name, since an output gets a new inode */
};

void command_files_open(struct command_files *files);
void command_files_close(struct command_files *files);

/* The key of an existing file. */
uint64_t file_key(const struct port_status *st);

/* The key of a name in a directory, with or without a file of this name. A symbolic link of this name is not
 * followed. */
uint64_t file_key_of_name(const char *path);

/* Enters the number with the key if the table does not have the key. Returns the number that the table has
 * with the key; 0: out of memory. */
size_t file_table_claim(struct file_table *table, uint64_t key, size_t number);

/* The number entered with the key; 0: the key is not in the table. */
size_t file_table_find(struct file_table *table, uint64_t key);

#endif
