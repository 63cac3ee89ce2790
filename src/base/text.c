/* Strings that grow. See text.h. */
#include "base/text.h"

#include "base/array.h"
#include "base/utf8.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for n more bytes and the final NUL. */
static bool make_room(struct text *text, size_t n)
{
    text->failed = text->failed || !array_reserve(&text->bytes, text->n + n + 1, &text->max, 1, NULL);
    return !text->failed;
}

void text_add(struct text *text, const char *bytes, size_t n)
{
    if (!make_room(text, n))
        return;
    memcpy(text->bytes + text->n, bytes, n);
    text->n += n;
    text->bytes[text->n] = 0;
}

void text_put_arguments(struct text *text, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    text->failed = text->failed || n < 0;
    if (!text->failed && make_room(text, (size_t)n)) {
        vsnprintf(text->bytes + text->n, (size_t)n + 1, format, again);
        text->n += (size_t)n;
    }
    va_end(again);
}

void text_put(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_put_arguments(text, format, args);
    va_end(args);
}

void text_number(struct text *text, double x, const struct number_format *format)
{
    char number[NUMBER_MAX];
    text_add(text, number, number_print(number, x, format));
}

void text_fill(struct text *text, const char *words, size_t column, size_t indent, size_t width)
{
    bool first = true; /* the next word is the first of its line */
    for (const char *word = words; *word;) {
        size_t n = strcspn(word, " \n"), wide = utf8_count(word, n);
        bool paragraph = word > words + 1 && word[-1] == '\n' && word[-2] == '\n';
        if (paragraph || (!first && column + 1 + wide > width)) {
            text_put(text, paragraph ? "\n\n" : "\n");
            column = 0;
            first = true;
        }
        if (first && column < indent) {
            text_put(text, "%*s", (int)(indent - column), "");
            column = indent;
        } else if (!first) {
            text_add(text, " ", 1);
            column++;
        }
        text_add(text, word, n);
        column += wide;
        first = false;
        word += n;
        word += strspn(word, " \n");
    }
    text_add(text, "\n", 1);
}

char *text_format(const char *format, ...)
{
    struct text text = { 0 };
    va_list args;
    va_start(args, format);
    text_put_arguments(&text, format, args);
    va_end(args);
    return text_take(&text);
}

char *text_copy(const char *string, size_t n)
{
    const char *end = memchr(string, 0, n);
    size_t length = end ? (size_t)(end - string) : n;
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, string, length);
        copy[length] = 0;
    }
    return copy;
}

void text_append(char *buf, size_t max, const char *format, ...)
{
    va_list args;
    size_t n = strlen(buf);
    va_start(args, format);
    vsnprintf(buf + n, max - n, format, args);
    va_end(args);
}

void text_list(const char *const *names, const char *last, char *buf, size_t max)
{
    buf[0] = 0;
    for (size_t i = 0; names[i]; i++) {
        if (i > 0)
            text_append(buf, max, "%s", names[i + 1] ? ", " : last);
        text_append(buf, max, "%s", names[i]);
    }
}

bool text_has_word(const char *words, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = n > 0 ? strstr(words, word) : NULL; at; at = strstr(at + n, word))
        if ((at == words || at[-1] == ' ') && (at[n] == ' ' || at[n] == 0))
            return true;
    return false;
}

/* Has the word a byte that a terminal would not show? */
static bool has_hidden_byte(const char *word)
{
    uint32_t code;
    for (size_t length; *word; word += length) {
        length = utf8_decode(word, 4, &code);
        if (length == 0 || !utf8_is_shown(code))
            return true;
    }
    return false;
}

/* Adds a byte of a word with hidden bytes as a shell reads it: $'a\x1Bb'. */
static void add_escaped(struct text *text, unsigned char byte)
{
    if (byte < 0x20 || byte >= 0x7F)
        text_put(text, "\\x%02X", byte);
    else
        text_put(text, byte == '\'' || byte == '\\' ? "\\%c" : "%c", byte);
}

void text_word(struct text *text, const char *word)
{
    const bool hidden = has_hidden_byte(word);
    bool plain = word[0] && !hidden;
    for (const char *p = word; *p; p++)
        plain = plain && (isalnum((unsigned char)*p) || strchr("_./-+:=,@%^", *p) || (*p & 0x80));
    if (plain) {
        text_put(text, "%s", word);
        return;
    }
    text_put(text, hidden ? "$'" : "'");
    for (const char *p = word; *p; p++)
        if (hidden)
            add_escaped(text, (unsigned char)*p);
        else
            text_put(text, *p == '\'' ? "'\\''" : "%c", *p);
    text_put(text, "'");
}

const char *text_quoted(char buf[TEXT_WORD], const char *word)
{
    struct text text = { 0 };
    text_word(&text, word);
    const bool fits = text.bytes && !text.failed && text.n < TEXT_WORD;
    snprintf(buf, TEXT_WORD, "%s", fits ? text.bytes : "FILE");
    free(text.bytes);
    return buf;
}

char *text_take(struct text *text)
{
    text_add(text, "", 0);
    char *bytes = text->failed ? NULL : realloc(text->bytes, text->n + 1);
    if (!bytes)
        free(text->bytes);
    *text = (struct text){ 0 };
    return bytes;
}
