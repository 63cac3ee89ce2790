/* Reports in the XML format of JUnit, for services for continuous integration. A file is a test case; a
 * difference is a failure, an unreadable file is an error. Times are left out, so that equal files give equal
 * reports. The format: the schema of Jenkins' xUnit plugin, junit-10.xsd. See diff_folders.h. */
#include "compare/diff_folders.h"

#include <stdlib.h>

/* Adds text, and escapes the characters with a meaning in XML. Control characters, which XML does not allow,
 * and bytes that are not UTF-8 are shown as \xHH. */
static void put_escaped(struct text *xml, const char *bytes)
{
    struct text shown = { 0 };
    messages_escape_lines(&shown, bytes, strlen(bytes));
    xml->failed |= shown.failed;
    for (size_t i = 0; i < shown.n; i++)
        switch (shown.bytes[i]) {
        case '&':
            text_put(xml, "&amp;");
            break;
        case '<':
            text_put(xml, "&lt;");
            break;
        case '>':
            text_put(xml, "&gt;");
            break;
        case '"':
            text_put(xml, "&quot;");
            break;
        default:
            text_add(xml, shown.bytes + i, 1);
        }
    free(text_take(&shown));
}

static void put_attribute(struct text *xml, const char *name, const char *value)
{
    text_put(xml, " %s=\"", name);
    put_escaped(xml, value);
    text_put(xml, "\"");
}

static void put_case(struct text *xml, const char *suite, const struct junit_case *file)
{
    static const char *const message[DIFF_VERDICTS] = {
        [DIFF_DIFFERENT] = "the series differ",
        [DIFF_ONLY_EXPECTED] = "only in the first folder",
        [DIFF_ONLY_ACTUAL] = "only in the second folder",
        [DIFF_TROUBLE] = "the file cannot be compared",
    };
    const char *element = file->verdict == DIFF_TROUBLE ? "error" : "failure";
    text_put(xml, "    <testcase");
    put_attribute(xml, "classname", suite);
    put_attribute(xml, "name", file->name);
    if (file->verdict == DIFF_SAME) {
        text_put(xml, "/>\n");
        return;
    }
    text_put(xml, ">\n      <%s", element);
    put_attribute(xml, "message", file->worst ? file->worst : message[file->verdict]);
    text_put(xml, ">");
    if (file->text)
        put_escaped(xml, file->text);
    text_put(xml, "</%s>\n    </testcase>\n", element);
}

char *junit_report(const char *suite, const struct junit_case *cases, size_t ncase)
{
    struct text xml = { 0 };
    size_t nerror = 0, nfailure = 0;
    for (size_t i = 0; i < ncase; i++) {
        nerror += cases[i].verdict == DIFF_TROUBLE;
        nfailure += cases[i].verdict != DIFF_TROUBLE && cases[i].verdict != DIFF_SAME;
    }
    text_put(&xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite");
    put_attribute(&xml, "name", suite);
    text_put(&xml, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n", ncase, nfailure, nerror);
    for (size_t i = 0; i < ncase; i++)
        put_case(&xml, suite, &cases[i]);
    text_put(&xml, "  </testsuite>\n</testsuites>\n");
    return text_take(&xml);
}
