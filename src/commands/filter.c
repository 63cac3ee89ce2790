/* The main job: filter files, or standard input. */
#include "command.h"

#include "../job.h"
#include "../manual.h"
#include "../pipeline.h"
#include "../pool.h"
#include <stdlib.h>
#include <unistd.h>

enum { NTABLE = 6 };

static void tables_of(struct job_config *c, struct option_table tables[NTABLE])
{
    void *const settings[] = { &c->series, &c->input, &c->numbers, &c->output, &c->general };
    tables[0] = (struct option_table){ "Filter", c->filter->params, c->filter->nparam, c->settings };
    for (size_t i = 0; options_shared[i]; i++) {
        tables[i + 1] = *options_shared[i];
        tables[i + 1].settings = settings[i];
    }
}

/* Threads to work with: one fewer are started, the caller is one of them. */
static size_t processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > 64 ? 64 : (size_t)n;
}

static const char *input_name(const char *input)
{
    return strcmp(input, "-") ? input : "(standard input)";
}

static enum status filter_files(const struct job_config *c, const struct texts *inputs, struct notes *notes)
{
    struct error e;
    const char *input = inputs->ntext ? inputs->text[0] : "-";
    if (inputs->ntext > 1) {
        error_usage(&e, "%zu inputs, and one output", inputs->ntext);
        error_hint(&e, "give one input at a time");
        notes_error(notes, NULL, &e);
        return STATUS_TROUBLE;
    }
    size_t nthread = processors();
    struct pool *pool = pool_open(nthread - 1, &e);
    bool good = pool && job_run(c, input, STDOUT_FILENO, pool, nthread, notes, &e);
    if (!good)
        notes_error(notes, pool ? input_name(input) : NULL, &e);
    pool_close(pool);
    return good ? STATUS_DONE : STATUS_TROUBLE;
}

enum status filter_command(const struct filter *filter, int argc, char **argv, struct notes *notes)
{
    struct job_config c = { .filter = filter, .settings = calloc(1, filter->settings_size + 1) };
    struct option_table tables[NTABLE];
    struct texts inputs = { NULL, 0 };
    struct error e;
    enum status status = STATUS_TROUBLE;
    tables_of(&c, tables);
    if (!c.settings)
        error_memory(&e), notes_error(notes, NULL, &e);
    else if (!options_defaults(tables, NTABLE, &e) || !options_parse(argc, argv, tables, NTABLE, &inputs, &e) ||
             (!c.general.help && !filter->check(c.settings, &e)))
        notes_error(notes, NULL, &e);
    else
        status = filter_files(&c, &inputs, notes);
    options_free(tables, NTABLE, &inputs);
    free(c.settings);
    return status;
}
