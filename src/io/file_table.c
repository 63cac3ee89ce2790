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
    free(files->inputs.entry);
    free(files->outputs.entry);
    pthread_mutex_destroy(&files->inputs.lock);
    pthread_mutex_destroy(&files->outputs.lock);
}

/* --- keys --- */

static uint64_t key_of(const void *bytes, size_t n)
{
    return hash_bytes(bytes, n) | 1; /* not 0 */
}

uint64_t file_key(const struct port_status *st)
{
    uint64_t identity[] = { st->device, st->inode };
    return key_of(identity, sizeof identity);
}

uint64_t file_key_of_name(const char *path)
{
    struct port_status st;
    char *directory = output_directory(path);
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    uint64_t parts[] = { 0, key_of(name, strlen(name)) };
    if (directory)
        parts[0] = port_status_of(directory, &st) == 0 ? file_key(&st) : key_of(directory, strlen(directory));
    free(directory);
    return key_of(parts, sizeof parts);
}

/* --- the table --- */

/* The entry with the key, or the free entry where the key belongs. The table must have a free entry. */
static struct file_entry *entry_of(const struct file_table *table, uint64_t key)
{
    size_t i = (key >> 1) & (table->maxentry - 1);
    while (table->entry[i].key && table->entry[i].key != key)
        i = (i + 1) & (table->maxentry - 1);
    return &table->entry[i];
}

/* Makes room for one more entry. False: out of memory; the table is as it was. */
static bool reserve(struct file_table *table)
{
    if (4 * (table->nentry + 1) <= 3 * table->maxentry)
        return true;
    struct file_table larger = { .maxentry = table->maxentry ? 2 * table->maxentry : 64 };
    larger.entry = calloc(larger.maxentry, sizeof *larger.entry);
    if (!larger.entry)
        return false;
    for (size_t i = 0; i < table->maxentry; i++)
        if (table->entry[i].key)
            *entry_of(&larger, table->entry[i].key) = table->entry[i];
    free(table->entry);
    table->entry = larger.entry;
    table->maxentry = larger.maxentry;
    return true;
}

size_t file_table_claim(struct file_table *table, uint64_t key, size_t number)
{
    size_t first = 0;
    pthread_mutex_lock(&table->lock);
    if (reserve(table)) {
        struct file_entry *entry = entry_of(table, key);
        if (!entry->key) {
            *entry = (struct file_entry){ key, number };
            table->nentry++;
        }
        first = entry->number;
    }
    pthread_mutex_unlock(&table->lock);
    return first;
}

size_t file_table_find(struct file_table *table, uint64_t key)
{
    pthread_mutex_lock(&table->lock);
    size_t number = table->maxentry ? entry_of(table, key)->number : 0;
    pthread_mutex_unlock(&table->lock);
    return number;
}
