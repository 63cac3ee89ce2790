/* What a written file will be: samples, channels and rate, and which metadata of the input the file lacks. */
#include "formats/audio/audio.h"

#include "base/text.h"
#include "io/output.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool choose_sample(struct recording *recording, const struct writer *writer, struct error *e)
{
    struct sound *sound = &recording->sound;
    if (!recording->input)
        sound->sample = SOUND_FLOAT;
    if (writer->subtype >= 0)
        sound->sample = SOUND_PCM16 + (unsigned)writer->subtype;
    if (sound->container->real)
        return true;
    if (writer->subtype < 0 && sound->sample >= SOUND_FLOAT)
        sound->sample = SOUND_PCM24;
    if (sound->sample < SOUND_PCM32)
        return true;
    error_usage(e, "%s can hold PCM of 8, 16 or 24 bits, not %s", sound->container->name,
                sound_sample_name(sound));
    return error_hint(e, "use --subtype pcm24, or --to wav");
}

/* The error of added columns in samples of whole numbers. Returns false. */
static bool refuse_added(const struct recording *recording, const struct output_columns *layout,
                         struct error *e)
{
    bool derived = format_derived(layout), real = recording->sound.container->real;
    error_usage(e, "%s do not fit into %s", derived ? "derivatives" : "columns that the filter adds",
                sound_sample_name(&recording->sound));
    char hint[160] = "";
    if (derived)
        text_append(hint, sizeof hint, "leave them out with --derivatives 0, ");
    if (real)
        text_append(hint, sizeof hint, "write them as channels with --subtype float, ");
    return error_hint(e, "%s%suse --to csv", hint, *hint ? "or " : "");
}

static bool choose_channels(struct recording *recording, const struct writer *writer, struct error *e)
{
    const struct columns *columns = &writer->reader->columns;
    const struct column_plan *plan = writer->reader->plan;
    const struct output_columns *layout = writer->layout;
    size_t n = 0, most = recording->sound.container->most_channels;
    recording->source = malloc((columns->ncolumn + layout->nadded + 1) * sizeof *recording->source);
    if (!recording->source)
        return error_memory(e);
    for (size_t i = 0; i < columns->ncolumn; i++) {
        const struct column_use *use = plan_use(plan, i);
        bool untimed = i == plan->unused_time && use->role != ROLE_CHANNEL;
        if (use->role == ROLE_TIME || plan_passes_numbers(use) || untimed)
            continue;
        if (!format_takes_numbers("audio", plan, i, e))
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
        rate = writer->reader->plan->rate;
    recording->sound.rate = rate > 0 ? rate : 0;
    recording->rate.unit = writer->reader->plan->unit;
    if (!(rate > 0) || (rate == floor(rate) && rate <= INT32_MAX))
        return true;
    error_data(e, "%.9g rows per second; audio needs a whole number", rate);
    return error_hint(e, "give another rate with --rate or --resample; --to csv keeps this one");
}

/* --- metadata that is lost --- */

/* True if the output lacks a chunk of the input, and the chunk is worth naming. */
static bool loses_chunk(const struct recording *recording, const struct sound_chunk *chunk)
{
    const struct sound *in = &recording->input->sound;
    bool wav = !in->container->library, copied = wav && recording->same;
    /* In a pipe nothing can follow the samples if the head does not give their number. */
    bool cut = copied && recording->to_pipe && recording->head_frames == SOUND_UNKNOWN &&
               chunk->at > in->data;
    if (copied && !cut && wav_chunk_lasts(chunk, recording->resampled))
        return false;
    if (wav && (chunk_is(chunk->id, "JUNKjunkPAD FLLR") || !wav_chunk_lasts(chunk, false)))
        return false;
    return cut || in->ncue == 0 || !chunk_is(chunk->id, "cue MARK");
}

/* The separator before the next item of a list. */
static const char *comma(const char *list)
{
    return *list ? ", " : "";
}

void recording_list_losses(const struct recording *recording, char *text, size_t maxtext)
{
    const struct sound *in = &recording->input->sound;
    const struct sound_container *to = recording->sound.container;
    bool wav = !in->container->library;
    for (size_t i = 0; i < in->nchunk && strlen(text) + 80 < maxtext; i++) {
        char id[17];
        error_escape(in->chunk[i].id, 4, id, sizeof id);
        if (loses_chunk(recording, &in->chunk[i]) && !strstr(text, id))
            text_append(text, maxtext, "%s%s", comma(text), id);
    }
    size_t all = wav ? 0 : library_count_texts(&recording->input->codec, in->container);
    size_t kept = wav ? 0 : library_count_texts(&recording->input->codec, to);
    if (all > kept)
        text_append(text, maxtext, "%s%zu of %zu tags", comma(text), all - kept, all);
    if (in->ncue > 0 && !to->cues)
        text_append(text, maxtext, "%s%zu cue point%s", comma(text), in->ncue, error_plural(in->ncue));
    if (in->ncue > 0 && to->cues && in->labelled && !(wav && recording->same))
        text_append(text, maxtext, "%sthe names of cue points", comma(text));
    if (in->ncue > LIBRARY_MAXCUE && to->library && to->cues)
        text_append(text, maxtext, "%scue points after the first %d", comma(text), LIBRARY_MAXCUE);
}

/* Refuses to replace a file, without --force, by a file that lacks metadata, or may lack metadata: libsndfile
 * does not say what it leaves out. */
static bool check_losses(const struct recording *recording, const struct writer *writer, struct error *e)
{
    char losses[256] = "";
    if (!recording->input || !writer->out || !writer->out->in_place || writer->out->force)
        return true;
    recording_list_losses(recording, losses, sizeof losses);
    bool unknown = recording->input->sound.container->library != 0;
    if (!*losses && !unknown)
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
    if (sound->container->read_only) {
        error_usage(e, "%s can be read, but not written: its encoders lose data", sound->container->name);
        return error_hint(e, "use --to flac, or --to wav");
    }
    if (!choose_sample(recording, writer, e) || !choose_channels(recording, writer, e) ||
        !choose_rate(recording, writer, e))
        return false;
    sound->words = sound->container->library != 0;
    if (sound->words)
        sound->big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    else if (!recording->same)
        sound->big = false;
    if (!recording->same || in->sample != sound->sample || in->channels != sound->channels)
        sound->nformat = 0;
    recording->resampled = in && writer->resampled;
    recording->stretch = recording->resampled ? sound->rate / writer->reader->plan->rate : 1;
    return check_losses(recording, writer, e);
}
