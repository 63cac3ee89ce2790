/* The head of a .npy file. Its dictionary is read by its grammar: nothing is evaluated. See npy.h. */
#include "formats/binary/npy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALIGN = 64,      /* a head that NumPy writes has a multiple of ALIGN bytes */
    COUNT_ROOM = 21, /* bytes that NumPy reserves for a growing number of rows */
    NEW_HEAD = 256   /* room for a new head */
};

/* --- types --- */

const char *npy_type_name(struct sample_type type, char name[8])
{
    const char *integer = type.kind == 'i' ? "int" : "uint";
    snprintf(name, 8, "%s%u", type.kind == 'f' ? "float" : integer, 8 * type.width);
    return name;
}

/* Further types of NumPy, by letter. */
static const struct other_type {
    char kind;
    const char *what, *way_out;
} other_types[] = {
    { 'f', "floats that are not 32 or 64 bits", "a.astype('float64')" },
    { 'b', "true and false", "a.astype('uint8')" },
    { 'c', "complex numbers", "a.view('float64')" },
    { 'm', "time spans", "a.astype('int64')" },
    { 'M', "dates", "a.astype('int64')" },
    { 'O', "Python objects", "numpy.array(a.tolist(), 'float64')" },
    { 'S', "text", "a.astype('float64')" },
    { 'U', "text", "a.astype('float64')" },
    { 'V', "raw bytes", "a.view('float64')" },
};

static bool refuse_type(const char *what, const char *way_out, struct error *e)
{
    error_data(e, "the array holds %s; only float32, float64 and integers can be read", what);
    return error_hint(e, "in Python: numpy.save(FILE, %s)", way_out);
}

/* Reads a type such as <f8. */
static bool read_type(const char *text, size_t n, struct sample_type *type, struct error *e)
{
    unsigned width = 0;
    for (size_t i = 2; i < n && text[i] >= '0' && text[i] <= '9' && width < 1000; i++)
        width = 10 * width + (unsigned)(text[i] - '0');
    char order = n > 0 ? text[0] : 0;
    char kind = n > 1 ? text[1] : 0;
    bool is_integer = (kind == 'i' || kind == 'u') && (width == 1 || width == 2 || width == 4 || width == 8);
    bool is_real = kind == 'f' && (width == 4 || width == 8);
    bool has_order = order == '<' || order == '>' || (order == '|' && width == 1);
    if (n == 3 && has_order && (is_integer || is_real)) {
        *type = (struct sample_type){ kind, width, order == '>' };
        return true;
    }
    for (const struct other_type *other = other_types;
         !is_real && other < other_types + sizeof other_types / sizeof *other_types; other++)
        if (other->kind == kind)
            return refuse_type(other->what, other->way_out, e);
    error_data(e, "the type of the numbers is unknown");
    return error_excerpt(e, text, n);
}

/* --- the grammar --- */

/* The rest of the dictionary. */
struct text_rest {
    const char *at, *end;
};

static void skip_blanks(struct text_rest *rest)
{
    while (rest->at < rest->end && memchr(" \t\r\n\f", *rest->at, 5))
        rest->at++;
}

/* Takes a word or sign, after blanks, if the rest begins with it. */
static bool take(struct text_rest *rest, const char *word)
{
    size_t n = strlen(word);
    skip_blanks(rest);
    if ((size_t)(rest->end - rest->at) < n || memcmp(rest->at, word, n) != 0)
        return false;
    rest->at += n;
    return true;
}

/* Takes a string without escapes, in either quotes. */
static bool take_string(struct text_rest *rest, const char **text, size_t *n)
{
    const bool single = take(rest, "'");
    const bool quoted = single || take(rest, "\"");
    const char *close = NULL;
    if (quoted)
        close = memchr(rest->at, single ? '\'' : '"', (size_t)(rest->end - rest->at));
    if (!close)
        return false;
    *text = rest->at;
    *n = (size_t)(close - rest->at);
    rest->at = close + 1;
    return !memchr(*text, '\\', *n);
}

/* Takes a count; *digits: its first digit, *n: their number. Python 2 wrote an L behind a long count. */
static bool take_count(struct text_rest *rest, uint64_t *count, const char **digits, size_t *n)
{
    skip_blanks(rest);
    *digits = rest->at;
    for (*count = 0; rest->at < rest->end && *rest->at >= '0' && *rest->at <= '9'; rest->at++) {
        if (*count > (UINT64_MAX - 9) / 10)
            return false;
        *count = 10 * *count + (uint64_t)(*rest->at - '0');
    }
    *n = (size_t)(rest->at - *digits);
    return *n > 0 && (take(rest, "L") || true);
}

static bool refuse_head(const struct text_rest *rest, struct error *e)
{
    const char *end = rest->end;
    while (end > rest->at && (end[-1] == ' ' || end[-1] == '\n')) /* the padding */
        end--;
    error_data(e, "the header is not a dictionary of descr, fortran_order and shape");
    return error_excerpt(e, rest->at, (size_t)(end - rest->at));
}

/* Takes the shape, such as (100, 3). */
static bool take_shape(struct text_rest *rest, struct npy_head *head, struct error *e)
{
    uint64_t count[2] = { 0, 1 };
    unsigned ndim = 0;
    bool more = true;
    if (!take(rest, "("))
        return refuse_head(rest, e);
    for (; !take(rest, ")"); ndim++) {
        const char *digits;
        size_t n;
        uint64_t ignored;
        if (!more || !take_count(rest, ndim < 2 ? &count[ndim] : &ignored, &digits, &n))
            return refuse_head(rest, e);
        if (ndim == 0) {
            head->count_at = (size_t)(digits - head->bytes);
            head->ncount = n;
        }
        more = take(rest, ",");
        if (ndim == 0 && !more)
            return refuse_head(rest, e); /* (3) is a number in Python */
    }
    if (ndim == 0 || ndim > 2) {
        error_data(e, "the array has %u dimensions, but a series has 1 or 2", ndim);
        return error_hint(e, "in Python: numpy.save(FILE, %s)", ndim ? "a.reshape(len(a), -1)" : "[a]");
    }
    if (count[1] == 0)
        return error_data(e, "the array has no columns");
    if (count[1] > NPY_MAXCOLUMN) {
        error_data(e, "the array has %llu columns; at most %d can be read", (unsigned long long)count[1],
                   NPY_MAXCOLUMN);
        return error_hint(e, "if its rows are the channels, in Python: numpy.save(FILE, a.T.copy())");
    }
    head->ndim = ndim;
    head->nrow = count[0];
    head->ncolumn = (size_t)count[1];
    return true;
}

/* Takes the type: a string, or the list of a record's fields. */
static bool take_type(struct text_rest *rest, struct sample_type *type, struct error *e)
{
    const char *text;
    size_t n;
    if (take(rest, "["))
        return refuse_type("structured data", "numpy.lib.recfunctions.structured_to_unstructured(a)", e);
    return take_string(rest, &text, &n) ? read_type(text, n, type, e) : refuse_head(rest, e);
}

bool npy_head_parse(struct npy_head *head, size_t start, struct error *e)
{
    static const char *const keys[] = { "descr", "fortran_order", "shape" };
    enum { DESCR, FORTRAN, SHAPE, NKEY };
    struct text_rest rest = { head->bytes + start, head->bytes + head->n };
    bool seen[NKEY] = { false }, fortran = false, more = true;
    if (!take(&rest, "{"))
        return refuse_head(&rest, e);
    while (!take(&rest, "}")) {
        const struct text_rest entry = rest;
        const char *text;
        size_t n, key = 0;
        if (!more || !take_string(&rest, &text, &n) || !take(&rest, ":"))
            return refuse_head(&entry, e);
        while (key < NKEY && (strlen(keys[key]) != n || memcmp(keys[key], text, n) != 0))
            key++;
        if (key == NKEY || seen[key])
            return refuse_head(&entry, e);
        seen[key] = true;
        if (key == DESCR && !take_type(&rest, &head->type, e))
            return false;
        if (key == SHAPE && !take_shape(&rest, head, e))
            return false;
        if (key == FORTRAN && !(fortran = take(&rest, "True")) && !take(&rest, "False"))
            return refuse_head(&rest, e);
        more = take(&rest, ",");
    }
    skip_blanks(&rest);
    if (rest.at < rest.end || !seen[DESCR] || !seen[FORTRAN] || !seen[SHAPE])
        return refuse_head(&rest, e);
    if (head->nrow > (uint64_t)INT64_MAX / npy_row_bytes(head))
        return error_data(e, "the header says %llu rows, more than a file can hold",
                          (unsigned long long)head->nrow);
    if (!fortran || head->ncolumn == 1 || head->nrow <= 1)
        return true;
    error_data(e, "the array is in Fortran order (column by column), which cannot be read");
    return error_hint(e, "in Python: numpy.save(FILE, numpy.ascontiguousarray(a))");
}

/* --- writing --- */

char *npy_head_make(const struct npy_head *head, uint64_t nrow, size_t *n)
{
    char *bytes = malloc(NEW_HEAD), count[24], columns[24] = "";
    int ncount = snprintf(count, sizeof count, "%llu", (unsigned long long)nrow);
    if (!bytes)
        return NULL;
    if (head->ndim == 2)
        snprintf(columns, sizeof columns, " %zu", head->ncolumn);
    const char several = head->type.big ? '>' : '<';
    const char order = head->type.width == 1 ? '|' : several;
    memset(bytes, ' ', NEW_HEAD);
    memcpy(bytes, NPY_MAGIC "\1\0", NPY_START);
    size_t end = NPY_START + 2;
    int nword = snprintf(bytes + end, NEW_HEAD - end,
                         "{'descr': '%c%c%u', 'fortran_order': False, 'shape': (%s,%s), }", order,
                         head->type.kind, head->type.width, count, columns);
    bytes[end + (size_t)nword] = ' ';
    end += (size_t)nword + (size_t)(COUNT_ROOM - ncount) + 1;
    *n = end + ALIGN - end % ALIGN;
    word_put((unsigned char *)bytes + NPY_START, *n - NPY_START - 2, 2, false);
    bytes[*n - 1] = '\n';
    return bytes;
}

char *npy_head_copy(const struct npy_head *head, uint64_t nrow, size_t *n)
{
    char *bytes = malloc(head->n), count[24];
    if (!bytes)
        return NULL;
    memcpy(bytes, head->bytes, head->n);
    snprintf(count, sizeof count, "%*llu", (int)head->ncount, (unsigned long long)nrow);
    if (nrow != head->nrow)
        memcpy(bytes + head->count_at, count, head->ncount);
    *n = head->n;
    return bytes;
}
