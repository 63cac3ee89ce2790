/* The files of one command. See file_table.h. */
#include "io/file_table.h"

#include "base/hash.h"
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

uint64_t file_key(const struct stat *st)
{
    uint64_t identity[] = { st->st_dev, st->st_ino };
    return key_of(identity, sizeof identity);
}

uint64_t file_key_of_name(const char *path)
{
    struct stat st;
    char *directory = output_directory(path);
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    uint64_t parts[] = { 0, key_of(name, strlen(name)) };
    if (directory)
        parts[0] = stat(directory, &st) == 0 ? file_key(&st) : key_of(directory, strlen(directory));
    free(directory);
    return key_of(parts, sizeof parts);
}

/* --- the table --- */

/* The entry with the key, or the free one where the key belongs. The table is never full. */
static struct file_entry *entry_of(const struct file_table *files, uint64_t key)
{
    size_t i = (key >> 1) & (files->maxentry - 1);
    while (files->entry[i].key && files->entry[i].key != key)
        i = (i + 1) & (files->maxentry - 1);
    return &files->entry[i];
}

/* Makes room for one more entry. False: out of memory; the table is as it was. */
static bool reserve(struct file_table *files)
{
    if (4 * (files->nentry + 1) <= 3 * files->maxentry)
        return true;
    struct file_table larger = { .maxentry = files->maxentry ? 2 * files->maxentry : 64 };
    larger.entry = calloc(larger.maxentry, sizeof *larger.entry);
    if (!larger.entry)
        return false;
    for (size_t i = 0; i < files->maxentry; i++)
        if (files->entry[i].key)
            *entry_of(&larger, files->entry[i].key) = files->entry[i];
    free(files->entry);
    files->entry = larger.entry;
    files->maxentry = larger.maxentry;
    return true;
}

size_t file_table_claim(struct file_table *files, uint64_t key, size_t number)
{
    size_t first = 0;
    pthread_mutex_lock(&files->lock);
    if (reserve(files)) {
        struct file_entry *entry = entry_of(files, key);
        if (!entry->key) {
            *entry = (struct file_entry){ key, number };
            files->nentry++;
        }
        first = entry->number;
    }
    pthread_mutex_unlock(&files->lock);
    return first;
}

size_t file_table_find(struct file_table *files, uint64_t key)
{
    pthread_mutex_lock(&files->lock);
    size_t number = files->maxentry ? entry_of(files, key)->number : 0;
    pthread_mutex_unlock(&files->lock);
    return number;
}
