/* A list of facts, and its JSON. See facts.h. */
#include "view/inspect/facts.h"

#include "base/array.h"
#include "base/json_out.h"
#include "base/messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Takes the fact with its text. */
static void add(struct facts *facts, struct fact fact)
{
    if (!array_reserve(&facts->at, facts->n + 1, &facts->max, sizeof *facts->at, NULL)) {
        facts->failed = true;
        free(fact.text);
        return;
    }
    facts->at[facts->n++] = fact;
}

static void add_text(struct facts *facts, enum fact_kind kind, const char *key, char *text)
{
    if (text)
        add(facts, (struct fact){ .kind = kind, .key = key, .text = text });
    else
        facts->failed = true;
}

void facts_open(struct facts *facts, enum fact_kind kind, const char *key)
{
    add(facts, (struct fact){ .kind = kind, .key = key });
}

void facts_close(struct facts *facts)
{
    add(facts, (struct fact){ .kind = FACT_END });
}

void facts_text(struct facts *facts, const char *key, const char *text)
{
    add_text(facts, FACT_TEXT, key, text_copy(text, strlen(text)));
}

void facts_flag(struct facts *facts, const char *key, bool value)
{
    add(facts, (struct fact){ .kind = FACT_FLAG, .key = key, .number = value });
}

void facts_count(struct facts *facts, const char *key, uint64_t count)
{
    add(facts, (struct fact){ .kind = FACT_COUNT, .key = key, .number = (double)count });
}

void facts_number(struct facts *facts, const char *key, double number)
{
    add(facts, (struct fact){ .kind = FACT_NUMBER, .key = key, .number = number });
}

void facts_say(struct facts *facts, const char *label, const char *format, ...)
{
    char words[1200];
    struct text shown = { 0 };
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    messages_escape(&shown, words, strlen(words));
    add_text(facts, FACT_WORDS, label, text_take(&shown));
}

void facts_spark(struct facts *facts, char *spark)
{
    add_text(facts, FACT_SPARK, NULL, spark);
}

void facts_free(struct facts *facts)
{
    for (size_t i = 0; i < facts->n; i++)
        free(facts->at[i].text);
    free(facts->at);
    *facts = (struct facts){ 0 };
}

char *facts_json(const struct facts *facts)
{
    enum { DEPTH = 8 };
    struct json_out out = { 0 };
    struct cJSON *to[DEPTH];
    size_t depth = 0;
    json_out_open(&out);
    to[0] = out.root;
    for (const struct fact *fact = facts->at; fact < facts->at + facts->n; fact++) {
        switch (fact->kind) {
        case FACT_OBJECT:
            to[depth + 1] = json_out_object(&out, to[depth], fact->key);
            depth++;
            break;
        case FACT_ARRAY:
            to[depth + 1] = json_out_array(&out, to[depth], fact->key);
            depth++;
            break;
        case FACT_END:
            depth--;
            break;
        case FACT_TEXT:
            json_out_text(&out, to[depth], fact->key, fact->text);
            break;
        case FACT_FLAG:
            json_out_bool(&out, to[depth], fact->key, fact->number != 0);
            break;
        case FACT_COUNT:
            json_out_count(&out, to[depth], fact->key, (uint64_t)fact->number);
            break;
        case FACT_NUMBER:
            json_out_number(&out, to[depth], fact->key, fact->number);
            break;
        case FACT_WORDS:
        case FACT_SPARK:
            break;
        }
    }
    out.failed = out.failed || facts->failed;
    return json_out_take(&out, true);
}
