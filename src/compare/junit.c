/* Reports in the XML format of JUnit, for services for continuous integration. Times are left out, so that
 * equal files give equal reports. The format: the schema of Jenkins' xUnit plugin, junit-10.xsd. See
 * diff_folders.h. */
#include "compare/diff_folders.h"

#include <stdlib.h>

/* Adds text, and escapes the characters with a meaning in XML. Control characters, which XML does not allow,
 * and bytes that are not UTF-8 are shown as \xHH. */
static void put_escaped(struct text *xml, const char *bytes)
{
    static const char special[] = "&<>\"";
    static const char *const entity[] = { "&amp;", "&lt;", "&gt;", "&quot;" };
    struct text shown = { 0 };
    messages_escape_lines(&shown, bytes, strlen(bytes));
    xml->failed |= shown.failed;
    for (size_t i = 0; i < shown.n; i++) {
        const char *at = strchr(special, shown.bytes[i]);
        if (at)
            text_put(xml, "%s", entity[at - special]);
        else
            text_add(xml, shown.bytes + i, 1);
    }
    free(shown.bytes);
}

void junit_add(struct text *xml, const char *name, enum diff_verdict verdict, const char *message,
               const char *text)
{
    static const char *const elements[DIFF_VERDICTS] = {
        [DIFF_NOTHING] = "skipped",     [DIFF_DIFFERENT] = "failure", [DIFF_ONLY_EXPECTED] = "failure",
        [DIFF_ONLY_ACTUAL] = "failure", [DIFF_TROUBLE] = "error",
    };
    text_put(xml, "    <testcase classname=\"sprung diff\" name=\"");
    put_escaped(xml, name);
    if (verdict == DIFF_SAME) {
        text_put(xml, "\"/>\n");
        return;
    }
    text_put(xml, "\">\n      <%s message=\"", elements[verdict]);
    put_escaped(xml, message ? message : "the file cannot be compared");
    text_put(xml, "\">");
    put_escaped(xml, text ? text : "");
    text_put(xml, "</%s>\n    </testcase>\n", elements[verdict]);
}

char *junit_take(struct text *xml, const size_t count[DIFF_VERDICTS])
{
    const size_t nfailure = count[DIFF_DIFFERENT] + count[DIFF_ONLY_EXPECTED] + count[DIFF_ONLY_ACTUAL];
    char *cases = text_take(xml), *report = NULL;
    if (cases)
        report = text_format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite "
                             "name=\"sprung diff\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" "
                             "skipped=\"%zu\">\n%s  </testsuite>\n</testsuites>\n",
                             count[DIFF_SAME] + count[DIFF_NOTHING] + nfailure + count[DIFF_TROUBLE],
                             nfailure, count[DIFF_TROUBLE], count[DIFF_NOTHING], cases);
    free(cases);
    return report;
}

char *diff_junit(const struct diff *diff)
{
    const enum diff_verdict verdict = diff->same ? DIFF_SAME : DIFF_DIFFERENT;
    const size_t count[DIFF_VERDICTS] = { [DIFF_SAME] = diff->same, [DIFF_DIFFERENT] = !diff->same };
    struct text xml = { 0 };
    char *summary = diff_summary(diff), *text = diff_text(diff, true);
    junit_add(&xml, diff->side[DIFF_ACTUAL].name, verdict, summary, text);
    xml.failed |= !summary || !text;
    free(summary);
    free(text);
    return junit_take(&xml, count);
}
