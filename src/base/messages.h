/* Messages for the user: warnings, errors, and what --verbose prints. A message is a record, which becomes
 * text when it is printed. Messages are printed immediately, or collected and printed later: files that are
 * filtered in parallel report in a stable order. Invariant: only main.c writes messages to stderr, by the
 * function `say`; but REQUIRE says why it ends the program. */
#ifndef SPRUNG_BASE_MESSAGES_H
#define SPRUNG_BASE_MESSAGES_H

#include "base/error.h"
#include "base/text.h"

enum message_kind {
    MESSAGE_NOTE,
    MESSAGE_WARNING,
    MESSAGE_ERROR, /* may have a hint */
    MESSAGE_LINES  /* text in lines, printed as they are */
};

struct message {
    enum message_kind kind;
    uint64_t line; /* physical line of the file; 0: no line */
    char *file;    /* escaped; owned; NULL: no file */
    char *text;    /* escaped, but of MESSAGE_LINES; owned */
    char *hint;    /* escaped; owned; NULL: no hint */
};

/* Zero-initialize. */
struct messages {
    struct message *at; /* [n] the collected messages; owned */
    size_t n, max;
    bool lost;                               /* a message was lost: out of memory */
    void (*say)(const char *text, size_t n); /* prints text[n]; NULL: messages are collected */
};

/* Adds a line "sprung: FILE: …" (file may be NULL), escaped as by error_escape: a warning if the format
 * begins with MESSAGE_WARNS, else a note. If messages is NULL, the message is dropped. */
#define MESSAGE_WARNS "warning: "
void messages_add(struct messages *messages, const char *file, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds an error, "sprung: FILE:LINE: …", and its hint. */
void messages_error(struct messages *messages, const char *file, const struct error *e);
/* Adds whole lines. */
void messages_text(struct messages *messages, const char *text);

/* The collected messages as text without styles, malloc'ed; NULL: there are none, or out of memory. */
char *messages_plain(const struct messages *messages);

/* What was said before. Zero-initialize. */
enum { FOLD_KEPT = 100 }; /* more texts are printed for every file */
struct message_fold {
    char *said[FOLD_KEPT]; /* [nsaid] texts of notes and warnings, and hints; owned */
    size_t nsaid;
    size_t nfile; /* files with a note or warning that was not printed */
};

/* Moves the messages that `from` has collected to the end of `to`, and empties `from`. fold: notes and
 * warnings that were said before are dropped, and so are such hints of errors; NULL: all are moved. If a message
 * was lost, an error says so. */
void messages_move(struct messages *to, struct messages *from, struct message_fold *fold);

/* Adds how many files had such notes or warnings, if any, and empties the fold. */
void messages_unfold(struct messages *to, struct message_fold *fold);

/* Frees the messages that are collected. */
void messages_free(struct messages *messages);

/* Adds bytes[n] to a text, escaped as by error_escape. */
void messages_escape(struct text *text, const char *bytes, size_t n);
/* Adds lines, each escaped as by error_escape: line ends stay. */
void messages_escape_lines(struct text *text, const char *bytes, size_t n);

#endif
