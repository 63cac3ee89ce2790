/* The picture of --plot: input against output. See plot.h. */
#include "view/plot.h"

#include <stdlib.h>

/* Adds a line for an out column of the blocks to the last panel. */
static bool add_output(struct plot *plot, size_t out, struct error *e)
{
    struct plot_line *line = plot_add_line(plot, plot->npanel - 1, "output", PLOT_BLUE, e);
    if (!line)
        return false;
    line->column = out;
    line->out = true;
    return true;
}

/* Adds a panel for the input and the output of a channel and, with derivatives, a panel for each column that
 * the filter adds for the channel. */
static bool add_channel(struct plot_overlay *overlay, const struct output_columns *output, size_t column,
                        bool derivatives, struct error *e)
{
    const struct column *channel = &overlay->reader->columns.column[column];
    const struct column_use *channel_use = plan_use(overlay->series.plan, column);
    struct plot *plot = &overlay->plot;
    bool replaced = output->replace[column] != COLUMN_NONE;
    if (!plot_add_panel(plot, channel->name, e))
        return false;
    struct plot_line *input = plot_add_line(plot, plot->npanel - 1, "input", replaced ? PLOT_GREY : PLOT_BLUE,
                                            e);
    if (!input)
        return false;
    input->column = channel_use->value;
    bool good = !replaced || add_output(plot, output->replace[column], e);
    for (const struct added *added = output->added;
         good && derivatives && added < output->added + output->nadded; added++)
        if (added->column == column && plot->npanel < PLOT_DOWN)
            good = plot_add_panel(plot, added->name, e) && add_output(plot, added->out, e);
    return good;
}

bool plot_overlay_open(struct plot_overlay *overlay, const struct reader *reader,
                       const struct output_columns *output, double rate, struct error *e)
{
    const struct column_plan *plan = reader->plan;
    bool derivatives = plan->nchannel + output->nadded <= PLOT_DOWN || plan->nchannel == 1;
    overlay->reader = reader;
    overlay->plot.x = "time (s)";
    overlay->series = (struct plot_series){ .plot = &overlay->plot, .plan = plan, .rate = rate };
    bool good = true;
    for (size_t c = 0; good && c < plan->nchannel; c++)
        if (overlay->plot.npanel == PLOT_DOWN)
            overlay->nleft++;
        else
            good = add_channel(overlay, output, plan->channel[c], derivatives, e);
    return good;
}

bool plot_overlay_add(struct plot_overlay *overlay, const struct block *block, struct error *e)
{
    for (size_t i = 0; i < block->nrow; i++) {
        const struct group_key *key = &overlay->key;
        if (!format_group(overlay->reader, block, i, &overlay->key, e))
            return false;
        if (!overlay->group.bytes)
            text_add(&overlay->group, key->text, key->n); /* the group of the first row */
        if (overlay->group.failed)
            return error_memory(e);
        if (key->n != overlay->group.n || memcmp(key->text, overlay->group.bytes, key->n) != 0)
            overlay->others = true;
        else
            plot_series_row(&overlay->series, block, i);
    }
    return true;
}

bool plot_overlay_draw(struct plot_overlay *overlay, const char *file, struct messages *messages,
                       const char *name, struct error *e)
{
    char group[256];
    if (overlay->others) {
        error_escape(overlay->group.bytes, overlay->group.n, group, sizeof group);
        messages_add(messages, name, "the picture shows the first group, \"%s\"", group);
    }
    if (overlay->nleft)
        messages_add(messages, name,
                     "the picture shows %zu channels; %zu more %s left out (choose with --columns)",
                     overlay->plot.npanel, overlay->nleft, overlay->nleft == 1 ? "is" : "are");
    return plot_draw(&overlay->plot, file, e);
}

void plot_overlay_close(struct plot_overlay *overlay)
{
    plot_free(&overlay->plot);
    format_group_free(&overlay->key);
    free(overlay->group.bytes);
}
