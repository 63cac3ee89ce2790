/* The files of one command. See file_table.h. */
#include "io/file_table.h"

#include "base/hash.h"
#include "io/output.h"

#include <stdlib.h>
#include <string.h>

void file_table_open(struct file_table *files)
{
    *files = (struct file_table){ 0 };
    pthread_mutex_init(&files->lock, NULL);
}

void file_table_close(struct file_table *files)
{
    name_table_free(&files->inputs);
    name_table_free(&files->outputs);
    pthread_mutex_destroy(&files->lock);
}

/* The key of two numbers. */
static struct name_key key_of(uint64_t first, uint64_t second)
{
    const uint64_t both[] = { first, second };
    return (struct name_key){ .scope = hash_bytes(both, sizeof both) };
}

static struct name_key key_of_file(const struct port_status *status)
{
    return key_of(status->device, status->inode);
}

/* The key of a name in a directory. Of a directory that is not made yet the path counts. */
static struct name_key key_of_name(const char *path)
{
    struct port_status status;
    const char *name = output_last_part(path);
    char *directory = output_directory(path);
    uint64_t parent = 0;
    if (directory && port_status_of(directory, &status) == 0)
        parent = key_of_file(&status).scope;
    else if (directory)
        parent = hash_bytes(directory, strlen(directory));
    free(directory);
    return key_of(parent, hash_bytes(name, strlen(name)));
}

static size_t claim(struct name_table *table, struct name_key key, size_t number)
{
    const size_t first = name_table_find(table, key);
    if (first != NAME_TABLE_NONE)
        return first;
    return name_table_put(table, key, number, NULL) ? number : 0;
}

size_t file_table_claim_input(struct file_table *files, const struct port_status *status, size_t number)
{
    return claim(&files->inputs, key_of_file(status), number);
}

size_t file_table_claim_output(struct file_table *files, const char *path, size_t number)
{
    const struct name_key key = key_of_name(path);
    pthread_mutex_lock(&files->lock);
    const size_t first = claim(&files->outputs, key, number);
    pthread_mutex_unlock(&files->lock);
    return first;
}

size_t file_table_find_input(const struct file_table *files, const struct port_status *status)
{
    const size_t number = name_table_find(&files->inputs, key_of_file(status));
    return number == NAME_TABLE_NONE ? 0 : number;
}
