/* Audio in. A block's text is its frames as the file has them (of FLAC: as the library gives them); the
 * columns are time, ch1, ch2, … A regular file is read by position; a pipe is copied to a temporary file
 * first, except AU, whose rows leave as they come. */
#include "formats/audio/audio.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 16 * 1024, LEAST = 64 }; /* samples, and frames, that one load aims at */

/* Makes a file that is read by position; of AU from a pipe its first bytes. */
static bool open_file(struct audio *a, struct source *source, bool au, struct error *e)
{
    a->file.fd = -1;
    if (source->regular) {
        off_t at = lseek(source->fd, 0, SEEK_CUR), end = lseek(source->fd, 0, SEEK_END);
        if (at < 0 || end < 0 || lseek(source->fd, at, SEEK_SET) < 0)
            return error_system(e, errno, "cannot read");
        a->file.fd = source->fd;
        a->file.base = (uint64_t)at - source->nhead;
        a->file.size = (uint64_t)end > a->file.base ? (uint64_t)end - a->file.base : 0;
        return true;
    }
    if (au) {
        bool good = source_peek(source, AU_HEAD, e);
        uint64_t data = sound_word(source->head + 4, 4, source->head[0] == '.'), most = AU_HEAD + AU_NOTE;
        good = good && source_peek(source, data < most ? (size_t)data : most, e);
        a->file.bytes = source->head;
        a->file.size = source->nhead < 24 ? source->nhead : SOUND_UNKNOWN;
        return good;
    }
    a->file.fd = tempfile_temporary(e);
    return a->file.fd >= 0 && tempfile_take(a->file.fd, source, &a->file.size, e);
}

/* Reads at most that many bytes from a pipe, which are dropped; *n: so many were there. */
static bool skip(struct source *source, uint64_t most, uint64_t *n, struct error *e)
{
    char bytes[SOURCE_HEAD];
    *n = 0;
    for (size_t got = 1; got > 0 && *n < most; *n += got)
        if (!source_read(source, bytes, most - *n < SOURCE_HEAD ? (size_t)(most - *n) : SOURCE_HEAD, &got, e))
            return false;
    return true;
}

/* Checks that all the frames are present that the header promises. */
static bool check_present(const struct reader *r, uint64_t present, struct error *e)
{
    const struct audio *a = r->state;
    if (a->sound.promised == SOUND_UNKNOWN || present >= a->sound.promised || r->options->allow_truncated)
        return true;
    error_data(e, "truncated: %llu frame%s promised, %llu present", (unsigned long long)a->sound.promised,
               error_plural(a->sound.promised), (unsigned long long)present);
    return error_hint(e, "--allow-truncated reads what is there");
}

bool audio_open(struct reader *r, struct error *e)
{
    enum sound_kind kind = sound_kind_of(r->format);
    struct audio *a = calloc(1, sizeof *a);
    if (!(r->state = a))
        return error_memory(e);
    struct sound *s = &a->sound;
    uint64_t nhead;
    if (!open_file(a, r->source, kind == SOUND_AU, e) || !sound_read_header(s, kind, &a->file, e) ||
        (a->file.fd < 0 && !skip(r->source, s->data, &nhead, e)))
        return false;
    if (a->file.fd < 0 && nhead < s->data)
        return error_data(e, "the file ends in its header");
    if (kind != SOUND_FLAC && a->file.fd >= 0 && !check_present(r, s->ndata / sound_frame(s), e))
        return false;
    if (s->remark[0] && r->messages && kind != SOUND_AU)
        messages_add(r->messages, r->source->name, "%s", s->remark);
    if (kind == SOUND_FLAC && !codec_open(&a->codec, s, NULL, e))
        return false;
    r->columns.rate = s->rate;
    r->columns.owns_time = true;
    r->columns.named = true;
    for (unsigned i = 0; i <= s->channels; i++) {
        char name[16];
        int n = snprintf(name, sizeof name, i ? "ch%u" : "time", i);
        if (!columns_add(&r->columns, name, (size_t)n, e))
            return false;
        r->columns.column[i].first = CELL_NUMBER;
    }
    r->columns.ncue = s->ncue;
    r->columns.cue = a->cue = malloc((s->ncue + 1) * sizeof *a->cue);
    for (size_t i = 0; a->cue && i < s->ncue; i++)
        a->cue[i] = (double)s->cue[i].frame;
    return a->cue || error_memory(e);
}

bool audio_bind(struct reader *r, struct error *e)
{
    if (!format_owns_time(r, e))
        return false;
    r->columns.time = COLUMN_NONE; /* its column is made from the rate: rows have no times of their own */
    return true;
}

/* Loads at least one frame: from a pipe what comes in one read. */
static bool load_frames(struct reader *r, struct block *b, size_t maxframe, size_t *nframe, struct error *e)
{
    struct audio *a = r->state;
    size_t frame = sound_frame(&a->sound), max = maxframe * frame, n = a->nrest;
    if (a->codec.library)
        return codec_read(&a->codec, b->text, maxframe, nframe, e) &&
               (*nframe > 0 || check_present(r, a->nframe, e));
    memcpy(b->text, a->rest, n);
    for (size_t got = 1; n < frame && got > 0; n += got, a->at += got) {
        uint64_t left = a->sound.ndata - a->at; /* of an unknown number, more than any room */
        size_t room = got = left < max - n ? (size_t)left : max - n;
        if (room > 0 && a->file.fd < 0 && !source_read(r->source, b->text + n, room, &got, e))
            return false;
        if (a->file.fd >= 0 && !sound_get(&a->file, a->sound.data + a->at, b->text + n, room, e))
            return false;
        if (got == 0 && room > 0 && !check_present(r, a->nframe, e))
            return false;
    }
    *nframe = n / frame;
    a->nrest = n % frame;
    memcpy(a->rest, b->text + *nframe * frame, a->nrest);
    return true;
}

/* At the end of AU: remarks on what follows the samples, which a pipe does not tell before. */
static bool end_au(struct reader *r, struct error *e)
{
    struct audio *a = r->state;
    struct sound *s = &a->sound;
    uint64_t n = a->file.fd < 0 ? a->at : a->file.size - s->data, more = 0;
    if (a->file.fd < 0 && !skip(r->source, UINT64_MAX, &more, e))
        return false;
    n += more;
    a->ended = true;
    if (s->promised == SOUND_UNKNOWN || n <= s->promised * sound_frame(s))
        return sound_check(s, SOUND_UNKNOWN, n, e);
    n -= s->promised * sound_frame(s);
    snprintf(s->remark, sizeof s->remark, "what follows the samples, %llu byte%s, is dropped",
             (unsigned long long)n, error_plural(n));
    return true;
}

enum loaded audio_load(struct reader *r, struct block *b, struct error *e)
{
    struct audio *a = r->state;
    size_t channels = a->sound.channels, nframe, before = b->maxrow;
    size_t maxframe = BLOCK / channels < LEAST ? LEAST : BLOCK / channels;
    if (!block_reserve_text(b, maxframe * sound_frame(&a->sound), e) ||
        !load_frames(r, b, maxframe, &nframe, e) ||
        !block_reserve(b, nframe, r->columns.ncell, r->columns.nvalue, r->nout, false, e))
        return LOAD_ERROR;
    /* Rows have no text of their own: their spans are empty, and those of cells as long as a number may be.
     */
    if (b->maxrow != before) {
        memset(b->row, 0, b->maxrow * sizeof *b->row);
        for (size_t i = 0; i < b->maxrow * b->ncell; i++)
            b->cell[i] = (struct span){ 0, NUMBER_MAX };
    }
    b->ntext = nframe * sound_frame(&a->sound);
    b->nrow = nframe;
    b->nline = 0;
    b->firstrow = a->nframe;
    a->nframe += nframe;
    if (r->source->regular) /* it is read by position */
        r->source->nread = a->codec.library ? a->codec.at : a->sound.data + a->at;
    if (nframe == 0 && sound_kind_of(r->format) == SOUND_AU && !a->ended && !end_au(r, e))
        return LOAD_ERROR;
    return nframe > 0 ? LOAD_ROWS : LOAD_END;
}

/* An infinite sample of a float file is an error; with lenient it is a gap. */
static void check_samples(const struct reader *r, struct block *b, size_t column, double *value)
{
    for (size_t i = 0; i < b->nrow; i++) {
        if (!isinf(value[i]))
            continue;
        value[i] = (double)NAN;
        if (r->lenient)
            continue;
        b->nrow = i;
        error_data(&b->error, "the sample of frame %llu, at %.9g s, is infinite",
                   (unsigned long long)(b->firstrow + i), (double)(b->firstrow + i) / r->columns.rate);
        error_column(&b->error, r->columns.column[column].name);
    }
}

void audio_numbers(const struct reader *r, const struct block *b, size_t column, size_t first, size_t n,
                   double *to)
{
    const struct sound *s = &((const struct audio *)r->state)->sound;
    const unsigned char *bytes = (const unsigned char *)b->text + first * sound_frame(s);
    if (column > 0)
        samples_decode(s, bytes + (column - 1) * sound_width(s), n, to);
    else
        for (size_t i = 0; i < n; i++)
            to[i] = (double)(b->firstrow + first + i) / r->columns.rate;
}

void audio_parse(const struct reader *r, struct block *b)
{
    const struct audio *a = r->state;
    for (size_t i = 0; i < r->columns.ncolumn; i++) {
        if (r->columns.column[i].value == COLUMN_NONE)
            continue;
        double *value = block_value(b, r->columns.column[i].value);
        audio_numbers(r, b, i, 0, b->nrow, value);
        if (i > 0 && a->sound.sample >= SOUND_FLOAT)
            check_samples(r, b, i, value);
    }
}

const char *audio_cell(const struct reader *r, const struct block *b, size_t row, size_t column, char *buf,
                       size_t maxbuf, size_t *ntext)
{
    double x;
    audio_numbers(r, b, column, row, 1, &x);
    if (isnan(x))
        return NULL;
    *ntext = isinf(x) ? (size_t)snprintf(buf, maxbuf, "%g", x) : number_print(buf, x, &number_shortest);
    return buf;
}

void audio_close(struct reader *r)
{
    struct audio *a = r->state;
    if (!a)
        return;
    if (a->ended && a->sound.remark[0] && r->messages)
        messages_add(r->messages, r->source->name, "%s", a->sound.remark);
    codec_close(&a->codec, NULL);
    sound_free(&a->sound);
    if (a->file.fd >= 0 && a->file.fd != r->source->fd)
        close(a->file.fd);
    free(a->cue);
    free(a);
    r->state = NULL;
}
