/* What a written file will be: samples, channels and rate, and which metadata of the input the file lacks. */
#include "formats/audio/audio.h"

#include "io/output.h"
#include <math.h>
#include <stdlib.h>

static bool choose_sample(struct recording *recording, struct error *e)
{
    struct sound *sound = &recording->sound;
    if (!recording->input)
        sound->sample = SOUND_FLOAT;
    if (!sound->container->real && sound->sample >= SOUND_FLOAT)
        sound->sample = SOUND_PCM24;
    if (sound->container->real || sound->sample < SOUND_PCM32)
        return true;
    error_usage(e, "%s can hold PCM of 8, 16 or 24 bits, not %s", sound->container->name,
                sound_sample_name(sound));
    return error_hint(e, "use --to wav");
}

/* The error of added columns in samples of whole numbers. Returns false. */
static bool refuse_added(const struct recording *recording, const struct output_columns *layout,
                         struct error *e)
{
    bool derived = format_derived(layout);
    error_usage(e, "%s do not fit into %s", derived ? "derivatives" : "columns that the filter adds",
                sound_sample_name(&recording->sound));
    return error_hint(e, "%suse --to csv", derived ? "leave them out with --derivatives 0, or " : "");
}

static bool choose_channels(struct recording *recording, const struct writer *writer, struct error *e)
{
    const struct table *table = &writer->reader->table;
    const struct output_columns *layout = writer->layout;
    size_t n = 0, most = recording->sound.container->most_channels;
    recording->source = malloc((table->ncolumn + layout->nadded + 1) * sizeof *recording->source);
    if (!recording->source)
        return error_memory(e);
    for (size_t i = 0; i < table->ncolumn; i++) {
        const struct column *use = table_column(table, i);
        bool untimed = i == table->unused_time && use->role != ROLE_CHANNEL;
        if (use->role == ROLE_TIME || use->alone || untimed)
            continue;
        if (!format_takes_numbers("audio", table, i, e))
            return false;
        recording->source[n++] = (struct channel_source){ layout->replace[i], i };
    }
    if (layout->nadded && recording->sound.sample < SOUND_FLOAT)
        return refuse_added(recording, layout, e);
    for (size_t i = 0; i < layout->nadded; i++)
        recording->source[n++] = (struct channel_source){ layout->added[i].out, layout->added[i].column };
    recording->sound.channels = (unsigned)n;
    if (!recording->input)
        format_note_unfiltered(writer->reader);
    if (n > 0 && n <= most)
        return true;
    if (n == 0)
        error_data(e, "%s needs at least one column of numbers", writer->format->name);
    else
        error_data(e, "%zu channels; %s holds at most %zu", n, writer->format->name, most);
    return error_hint(e, "use --to csv");
}

static bool choose_rate(struct recording *recording, const struct writer *writer, struct error *e)
{
    double rate = writer->rate;
    if (!(rate > 0) && recording->input)
        rate = writer->reader->table.rate;
    recording->sound.rate = rate > 0 ? rate : 0;
    recording->rate.unit = writer->reader->table.time_unit;
    if (!(rate > 0) || (rate == floor(rate) && rate <= INT32_MAX))
        return true;
    error_data(e, "%.9g rows per second; audio needs a whole number", rate);
    return error_hint(e, "give another rate with --rate or --resample; --to csv keeps this one");
}

/* Refuses to replace a file, without --force, by a file that lacks metadata, or may lack metadata: of most
 * containers libsndfile does not say what it leaves out. */
static bool check_losses(const struct recording *recording, const struct writer *writer, struct error *e)
{
    char losses[256] = "";
    if (!recording->input || !writer->out || !writer->out->in_place || writer->out->force)
        return true;
    bool known = library_list_losses(recording, losses, sizeof losses);
    if (!*losses && known)
        return true;
    if (*losses)
        error_data(e, "metadata would be lost: %s", losses);
    else
        error_data(e, "metadata of %s may be lost", recording->input->sound.container->name);
    return error_hint(e, "add --force to replace the file anyway, or write to another with --output");
}

bool audio_accept(struct writer *writer, struct error *e)
{
    struct recording *recording = calloc(1, sizeof *recording);
    writer->state = recording;
    if (!recording)
        return error_memory(e);
    struct sound *sound = &recording->sound;
    recording->file.fd = recording->held.fd = -1;
    recording->input = writer->reader->format->family == FAMILY_AUDIO ? writer->reader->state : NULL;
    const struct sound *in = recording->input ? &recording->input->sound : NULL;
    if (in)
        *sound = *in;
    sound->container = writer->format->kind;
    recording->same = in && in->container == sound->container;
    if (!choose_sample(recording, e) || !choose_channels(recording, writer, e) ||
        !choose_rate(recording, writer, e))
        return false;
    recording->resampled = in && writer->resampled;
    return check_losses(recording, writer, e);
}
