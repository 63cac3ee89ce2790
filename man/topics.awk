# Makes the texts of `sprung help TOPIC`, as C, from the texts of the manual pages:
#
#     awk -f man/topics.awk man/*.in > topics.c
#
# A heading that ends with {TOPIC} begins a topic. It ends at the next heading that is not below it, or has a topic itself.

# Prints a line as a C string. No gsub puts a backslash in: each awk reads backslashes there in its own way.
function put(line,    i, c) {
    printf "     \""
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        printf "%s", (c == "\\" || c == "\"" ? "\\" : "") c
    }
    print "\\n\""
}

function end_topic() {
    if (topic != "")
        print "    },"
    topic = ""
}

BEGIN {
    print "/* Made by man/topics.awk. */\n#include \"cli/command.h\"\n"
    print "const struct help_topic help_topics[] = {"
}

FNR == 1 { end_topic() }

/^##? / {
    named = match($0, / [{][a-z0-9-]+[}]$/)
    if (named || index($0, " ") <= level)
        end_topic()
    if (named) {
        topic = substr($0, RSTART + 2, RLENGTH - 3)
        level = index($0, " ")
        $0 = substr($0, 1, RSTART - 1)
        printf "    { \"%s\",\n", topic
        blank = 0
    }
    sub(/^##? /, "")
    heading = 1
}

topic == "" { next }

$0 == "" { blank = 1; next }

{
    if (blank)
        put("")
    put($0)
    blank = heading
    heading = 0
}

END {
    end_topic()
    print "    { 0 },\n};"
}
