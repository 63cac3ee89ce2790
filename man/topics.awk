# Makes the texts of `sprung help TOPIC`, as C, from the texts of the manual pages:
#
#     awk -f man/topics.awk man/*.in > topics.c
#
# A heading that ends with {TOPIC} begins a topic, which may have several names. It ends at the next heading that is not
# below it, or has a topic itself.

# Prints a line as a C string. No gsub puts a backslash in: each awk reads backslashes there in its own way.
function put(line,    i, c) {
    printf "    \""
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        printf "%s", (c == "\\" || c == "\"" ? "\\" : "") c
    }
    print "\\n\""
}

function end_topic() {
    if (inside)
        print "    ;"
    inside = 0
}

BEGIN { print "/* Made by man/topics.awk. */\n#include \"cli/command.h\"\n" }

FNR == 1 { end_topic() }

/^##? / {
    named = match($0, / [{][a-z0-9 -]+[}]$/)
    if (named || index($0, " ") <= level)
        end_topic()
    if (named) {
        names[++n] = substr($0, RSTART + 2, RLENGTH - 3)
        level = index($0, " ")
        $0 = substr($0, 1, RSTART - 1)
        print "static const char topic_" n "[] ="
        inside = 1
        blank = 0
    }
    sub(/^##? /, "")
    heading = 1
}

!inside { next }

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
    print "\nconst struct help_topic help_topics[] = {"
    for (i = 1; i <= n; i++) {
        count = split(names[i], name, " ")
        for (k = 1; k <= count; k++)
            print "    { \"" name[k] "\", topic_" i " },"
    }
    print "    { 0 },\n};"
}
