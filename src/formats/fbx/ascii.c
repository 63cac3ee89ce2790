/* The text container of FBX: `Name: value, value {` with the nodes inside before a `}`. See fbx.h. */
#include "formats/fbx/fbx.h"

#include <ctype.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The end of the line that a place is in. */
static size_t line_end(const struct fbx *fbx, size_t at, size_t end)
{
    const unsigned char *newline = memchr(fbx->file.bytes + at, '\n', end - at);
    return newline ? (size_t)(newline - fbx->file.bytes) : end;
}

/* The first place from `at` on that is no blank; with `lines` line ends and comments are passed over, too. */
static size_t skip(const struct fbx *fbx, size_t at, size_t end, bool lines)
{
    for (; at < end; at++) {
        char c = (char)fbx->file.bytes[at];
        if (lines && c == ';')
            at = line_end(fbx, at, end);
        else if (!is_blank(c) && !(lines && c == '\n'))
            break;
    }
    return at < end ? at : end;
}

/* The place behind the text in quotes that begins at a place; end: no closing quote. */
static size_t skip_quoted(const struct fbx *fbx, size_t at, size_t end)
{
    const unsigned char *quote = at + 1 < end ? memchr(fbx->file.bytes + at + 1, '"', end - at - 1) : NULL;
    return quote ? (size_t)(quote - fbx->file.bytes) + 1 : end;
}

/* The place of the } behind the nodes that begin at a place, or end. */
static size_t closing_brace(const struct fbx *fbx, size_t at, size_t end)
{
    const unsigned char *bytes = fbx->file.bytes;
    size_t depth = 0;
    while (at < end) {
        unsigned char c = bytes[at];
        if (c == '"') {
            at = skip_quoted(fbx, at, end);
            continue;
        }
        if (c == ';') {
            at = line_end(fbx, at, end);
            continue;
        }
        if (c == '}' && depth == 0)
            return at;
        depth += c == '{';
        depth -= c == '}';
        at++;
    }
    return end;
}

/* The place behind the values of a node: a {, a }, or the end of a line that no comma continues. */
static size_t values_end(const struct fbx *fbx, size_t at, size_t end)
{
    char last = 0; /* the last byte that was no blank */
    while (at < end) {
        char c = (char)fbx->file.bytes[at];
        if (c == '{' || c == '}')
            break;
        if (c == '"') {
            at = skip_quoted(fbx, at, end);
            last = c;
            continue;
        }
        if (c == ';') {
            at = line_end(fbx, at, end);
            continue;
        }
        if (c == '\n' && last != ',') {
            size_t next = skip(fbx, at, end, true);
            if (next == end || fbx->file.bytes[next] != ',')
                break;
        }
        if (!is_blank(c) && c != '\n')
            last = c;
        at++;
    }
    return at;
}

/* Reads the node whose name begins at a place. False: no name with a colon is there. */
static bool read_node(const struct fbx *fbx, size_t at, size_t end, struct fbx_node *node)
{
    const unsigned char *bytes = fbx->file.bytes;
    size_t colon = at;
    while (colon < end && bytes[colon] != ':' && !strchr("{}\";\n", bytes[colon]))
        colon++;
    if (colon == end || bytes[colon] != ':' || colon == at)
        return false;
    *node = (struct fbx_node){ .at = at, .name = (const char *)bytes + at, .nname = colon - at };
    node->values = skip(fbx, colon + 1, end, false);
    node->values_end = values_end(fbx, node->values, end);
    node->end = node->body = node->body_end = node->values_end;
    if (node->values_end < end && bytes[node->values_end] == '{') {
        node->body = node->values_end + 1;
        node->body_end = closing_brace(fbx, node->body, end);
        node->end = node->body_end + (node->body_end < end);
    }
    return true;
}

bool fbx_each_text(const struct fbx *fbx, const struct fbx_node *parent, struct fbx_node *child)
{
    size_t at = 0, end = fbx->file.nbyte;
    if (parent) {
        at = parent->body;
        end = parent->body_end;
    }
    if (child->end > 0)
        at = child->end;
    at = skip(fbx, at, end, true);
    return at < end && read_node(fbx, at, end, child);
}

void fbx_text_at(const struct fbx *fbx, size_t at, struct fbx_node *node)
{
    read_node(fbx, at, fbx->file.nbyte, node);
}

bool fbx_check_text(struct fbx *fbx)
{
    const unsigned char *bytes = fbx->file.bytes;
    size_t end = fbx->file.nbyte, depth = 0, open[FBX_MAXDEPTH];
    for (size_t at = 0; at < end;) {
        struct fbx_node here = { .at = at };
        if (bytes[at] == 0)
            return fbx_refuse(fbx, &here, "a NUL byte in a text file");
        if (bytes[at] == ';') {
            at = line_end(fbx, at, end);
            continue;
        }
        if (bytes[at] == '"') {
            at = skip_quoted(fbx, at, end);
            if (at == end && bytes[end - 1] != '"')
                return fbx_refuse(fbx, &here, "a quote is not closed");
            continue;
        }
        if (bytes[at] == '{' && depth == FBX_MAXDEPTH)
            return fbx_refuse(fbx, &here, "nodes are nested more than %d deep", FBX_MAXDEPTH);
        if (bytes[at] == '{')
            open[depth++] = at;
        if (bytes[at] == '}' && depth-- == 0)
            return fbx_refuse(fbx, &here, "a } without a {");
        at++;
    }
    return depth == 0 || fbx_refuse(fbx, &(struct fbx_node){ .at = open[depth - 1] }, "a { without a }");
}

/* --- values --- */

/* Reads a whole number of n bytes. False: the bytes are no whole number of 64 bits. */
static bool read_integer(const char *p, size_t n, int64_t *x)
{
    bool negative = n > 0 && *p == '-';
    uint64_t sum = 0, most = (uint64_t)INT64_MAX + negative;
    for (size_t i = negative; i < n; i++) {
        unsigned digit = (unsigned)(p[i] - '0');
        if (digit > 9 || sum > (most - digit) / 10)
            return false;
        sum = 10 * sum + digit;
    }
    *x = negative ? (int64_t)(0 - sum) : (int64_t)sum;
    return n > negative;
}

/* The place behind the value that begins at a place: a comma, or the end of the values. */
static size_t value_end(const struct fbx *fbx, size_t at, size_t end)
{
    while (at < end && fbx->file.bytes[at] != ',')
        at = fbx->file.bytes[at] == '"' ? skip_quoted(fbx, at, end) : at + 1;
    return at;
}

bool fbx_text_value(const struct fbx *fbx, const struct fbx_node *node, size_t i, struct fbx_value *value)
{
    size_t at = node->values, end = node->values_end;
    for (size_t k = 0; k < i; k++) {
        at = value_end(fbx, at, end);
        if (at == end)
            return false;
        at++;
    }
    at = skip(fbx, at, end, true);
    end = value_end(fbx, at, end);
    while (end > at && isspace(fbx->file.bytes[end - 1]))
        end--;
    const char *text = (const char *)fbx->file.bytes + at;
    size_t n = end - at;
    *value = (struct fbx_value){ .type = '?', .at = at, .nbyte = n, .text = text, .ntext = n };
    if (n == 0)
        return i > 0;
    if (*text == '"' && n > 1) {
        value->type = 'S';
        value->text++;
        value->ntext -= 2;
    } else if (*text == '*' && read_integer(text + 1, n - 1, &value->integer)) {
        value->type = '*';
    } else if (read_integer(text, n, &value->integer)) {
        value->type = 'I';
        value->number = (double)value->integer;
    } else if (number_read(text, text + n, '.', &value->number) == text + n) {
        value->type = 'D';
    }
    return true;
}
