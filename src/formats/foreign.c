/* Names files that are no series by their first bytes, and says how to make one of them. See input.h. */
#include "formats/input.h"

struct foreign {
    const char *magic;
    size_t nmagic;
    const char *what, *way_out;
};

#define FOREIGN(magic, what, way_out)                                                                        \
    {                                                                                                        \
        magic, sizeof magic - 1, what, way_out                                                               \
    }

static const char as_csv[] = "save or export it as CSV first";
static const char no_numbers[] = "there is no series of numbers in it";

/* clang-format off */
static const struct foreign foreign[] = {
    FOREIGN("\x1F\x8B", "compressed with gzip", "zcat FILE | sprung ..."),
    FOREIGN("BZh91AY&SY", "compressed with bzip2", "bzcat FILE | sprung ..."),
    FOREIGN("\xFD" "7zXZ", "compressed with xz", "xzcat FILE | sprung ..."),
    FOREIGN("\x28\xB5\x2F\xFD", "compressed with zstd", "zstdcat FILE | sprung ..."),
    FOREIGN("7z\xBC\xAF", "a 7-zip archive", "7z x -so FILE | sprung ..."),
    FOREIGN("PK\3\4", "a zip archive, as XLSX, ODS and NPZ files are", "unzip -p FILE | sprung ..., or save the spreadsheet as CSV"),
    FOREIGN("\xD0\xCF\x11\xE0", "an Office document, such as XLS", as_csv),
    FOREIGN("\x89HDF\r\n", "an HDF5 file, as MATLAB 7.3 files are", as_csv),
    FOREIGN("MATLAB 5.0 MAT", "a MATLAB file", "writematrix or writetable writes CSV in MATLAB"),
    FOREIGN("\x93NUMPY", "a NumPy array", "numpy.savetxt writes CSV"),
    FOREIGN("PAR1\x15", "a Parquet file", as_csv),
    FOREIGN("SQLite format 3", "an SQLite database", "sqlite3 -csv -header FILE 'SELECT ...' | sprung ..."),
    FOREIGN("Kaydara FBX Binary", "an FBX file", "export the animation as BVH or CSV"),
    FOREIGN("; FBX ", "an FBX file", "export the animation as BVH or CSV"),
    FOREIGN("\x89PNG", "a PNG picture", no_numbers),
    FOREIGN("\xFF\xD8\xFF", "a JPEG picture", no_numbers),
    FOREIGN("%PDF-", "a PDF document", no_numbers),
    FOREIGN("\x7F" "ELF", "an ELF program", no_numbers),
    FOREIGN("OggS\0", "Ogg audio", "convert it to WAV or FLAC, as with sox or ffmpeg"),
    FOREIGN("ID3\3", "MP3 audio", "convert it to WAV or FLAC, as with sox or ffmpeg"),
    FOREIGN("ID3\4", "MP3 audio", "convert it to WAV or FLAC, as with sox or ffmpeg"),
};
/* clang-format on */

bool foreign_check(struct source *source, struct error *e)
{
    for (const struct foreign *f = foreign; f < foreign + sizeof foreign / sizeof *foreign; f++)
        for (size_t n = 0;; n++) {
            if (n == f->nmagic) {
                error_data(e, "the file is %s", f->what);
                return error_hint(e, "%s", f->way_out);
            }
            if (!source_peek(source, n + 1, e)) /* no byte more than tells, for a pipe */
                return false;
            if (source->nhead <= n || source->head[n] != (unsigned char)f->magic[n])
                break;
        }
    return true;
}
