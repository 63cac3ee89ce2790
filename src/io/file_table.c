/* The files of one command. See file_table.h. */
#include "io/file_table.h"

#include "base/hash.h"
#include "base/port.h"
#include "io/output.h"

#include <stdlib.h>
#include <string.h>

void command_files_open(struct command_files *files)
{
    *files = (struct command_files){ 0 };
    pthread_mutex_init(&files->inputs.lock, NULL);
    pthread_mutex_init(&files->outputs.lock, NULL);
}

void command_files_close(struct command_files *files)
{
    name_table_free(&files->inputs.numbers);
    name_table_free(&files->outputs.numbers);
    pthread_mutex_destroy(&files->inputs.lock);
    pthread_mutex_destroy(&files->outputs.lock);
}

/* --- keys --- */

uint64_t file_key(const struct port_status *st)
{
    uint64_t identity[] = { st->device, st->inode };
    return hash_bytes((const char *)identity, sizeof identity);
}

uint64_t file_key_of_name(const char *path)
{
    struct port_status st;
    char *directory = output_directory(path);
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    uint64_t parts[] = { 0, hash_bytes(name, strlen(name)) };
    if (directory)
        parts[0] = port_status_of(directory, &st) == 0 ? file_key(&st)
                                                       : hash_bytes(directory, strlen(directory));
    free(directory);
    return hash_bytes((const char *)parts, sizeof parts);
}

/* --- the table --- */

/* The number of a key; 0: the table does not have the key. The caller holds the lock. */
static size_t number_of(const struct file_table *table, uint64_t key)
{
    size_t number = name_table_find(&table->numbers, (struct name_key){ .scope = key });
    return number == NAME_TABLE_NONE ? 0 : number;
}

size_t file_table_claim(struct file_table *table, uint64_t key, size_t number)
{
    pthread_mutex_lock(&table->lock);
    size_t first = number_of(table, key);
    if (first == 0 && name_table_put(&table->numbers, (struct name_key){ .scope = key }, number, NULL))
        first = number;
    pthread_mutex_unlock(&table->lock);
    return first;
}

size_t file_table_find(struct file_table *table, uint64_t key)
{
    pthread_mutex_lock(&table->lock);
    size_t number = number_of(table, key);
    pthread_mutex_unlock(&table->lock);
    return number;
}
