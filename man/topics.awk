# Makes the texts of `sprung help TOPIC`, as C, from sections of the manual pages:
#
#     awk -f man/topics.awk man/sprung.1.in ... > topics.c
#
# A section of a page that has a line `.\" help: TOPIC` is that topic, up to the next one of its level. Lines are
# filled to 79 columns; a line @MARK@ is kept. It knows the macros of mdoc that the pages use, and ends with an error
# at one that it does not know.

function flush_line() {
    if (line != "")
        text = text line "\n"
    line = ""
}

function paragraph() {
    flush_line()
    if (text != "" && text !~ /\n\n$/)
        text = text "\n"
}

# Adds words to the current line; attached: without a blank before the first.
function add(words, attached,    n, i, part) {
    n = split(words, part, " ")
    for (i = 1; i <= n; i++) {
        if (i == 1 && attached && line != "")
            line = line part[i]
        else if (line != "" && length(line) + 1 + length(part[i]) > 79) {
            flush_line()
            line = part[i]
        } else
            line = line (line == "" ? "" : " ") part[i]
    }
}

# Each \e of roff as a backslash.
function without_escape(s,    i, out) {
    while (i = index(s, "\\e")) {
        out = out substr(s, 1, i - 1) "\\"
        s = substr(s, i + 2)
    }
    return out s
}

function unescape(s) {
    gsub(/\\\(aq/, "'", s)
    gsub(/\\\(dq/, "\"", s)
    gsub(/\\&/, "", s)
    return without_escape(s)
}

# The words of a macro line from field i on: later macros on the line count, punctuation joins what is before it.
function macro_line(first,    i, mode, out, word, closing, glue) {
    out = closing = ""
    for (i = 1; i <= NF; i++) {
        word = i == 1 ? first : unescape($i)
        if (word ~ /^(Fl|Cm|Ar|Em|Pa|Ev|Dv|Li|Sy|Nm|Xr|Sx|Ql|Sq|Pq|Op)$/ && (i == 1 || mode != "Ql")) {
            mode = word
            if (mode == "Nm" && (i == NF || $(i + 1) ~ /^[.,;:)]$/))
                out = out (out == "" || glue ? "" : " ") "sprung"
            if (mode == "Ar" && i == NF)
                out = out (out == "" ? "" : " ") "FILE ..."
            if (mode == "Pq" || mode == "Op" || mode == "Sq") {
                out = out (out == "" ? "" : " ") (mode == "Pq" ? "(" : mode == "Op" ? "[" : "'")
                closing = (mode == "Pq" ? ")" : mode == "Op" ? "]" : "'") closing
                glue = 1
            }
            if (mode == "Ql") {
                while (i < NF && !(i + 1 == NF && $NF ~ /^[.,;:)]$/)) {
                    i++
                    word = unescape($i)
                    out = out (out == "" || glue ? "" : " ") (open ? "" : "'") word
                    open = 1
                    glue = 0
                }
                out = out "'"
                open = 0
            }
            continue
        }
        if (word ~ /^[.,;:)]$/) {
            out = out (i == NF ? closing : "") word
            if (i == NF)
                closing = ""
            continue
        }
        if (mode == "Fl")
            word = "-" word
        if (mode == "Xr" && i < NF) {
            word = word "(" $(i + 1) ")"
            i++
        }
        out = out (out == "" || glue ? "" : " ") word
        glue = 0
    }
    return out closing
}

# Prints the text, whose lines all end with a line break, as a C string a line, and the end of the initializer. No gsub
# puts a backslash in: each awk reads backslashes there in its own way.
function print_c_string(text,    n, i, k, line, c) {
    n = split(text, line, "\n") - 1
    for (i = 1; i <= n; i++) {
        printf "     \""
        for (k = 1; k <= length(line[i]); k++) {
            c = substr(line[i], k, 1)
            printf "%s", (c == "\\" || c == "\"" ? "\\" : "") c
        }
        print "\\n\"" (i == n ? " }," : "")
    }
}

function finish() {
    flush_line()
    sub(/\n+$/, "\n", text)
    if (topic != "") {
        printf "    { \"%s\",\n", topic
        print_c_string(text)
    }
    topic = text = line = ""
    display = 0
}

BEGIN {
    print "/* Made by man/topics.awk. */\n#include \"cli/command.h\"\n"
    print "const struct help_topic help_topics[] = {"
}

$1 == ".Sh" || ($1 == ".Ss" && level == "Ss") {
    finish()
    level = substr($1, 2)
    title = substr($0, 5)
    next
}
$1 == ".Ss" && topic == "" {
    level = "Ss"
    title = substr($0, 5)
    next
}
# A subsection with a topic of its own ends the topic of its section before the subsection's title.
/^\.\\" help: / {
    if (topic != "") {
        text = before
        title = inner
        level = "Ss"
        finish()
    }
    topic = $3
    text = title "\n\n"
    next
}
topic == "" || /^\.\\"/ { next }
$1 == ".Bd" { paragraph(); literal = 1; next }
$1 == ".Ed" { literal = 0; text = text "\n"; next }
literal { text = text "    " unescape($0) "\n"; next }
$1 == ".Dl" {
    flush_line()
    if (text !~ /\n\n$/ && !display)
        text = text "\n"
    text = text "    " unescape(substr($0, 5)) "\n"
    display = 1
    next
}
display { display = 0; if ($1 != ".Pp") text = text "\n" }
$1 == ".Pp" { paragraph(); next }
$1 == ".Ss" {
    paragraph()
    before = text
    inner = substr($0, 5)
    text = text inner "\n\n"
    next
}
$1 == ".Bl" || $1 == ".El" { paragraph(); next }
$1 == ".It" { paragraph(); $1 = ""; sub(/^ /, ""); line = macro_line($1); flush_line(); next }
/^@/ { flush_line(); text = text $0 "\n"; next }
$1 ~ /^\.(Fl|Cm|Ar|Em|Pa|Ev|Dv|Li|Sy|Nm|Xr|Sx|Ql|Sq|Pq|Op)$/ { add(macro_line(substr($1, 2))); next }
/^\./ {
    printf "%s:%d: man/topics.awk does not know this macro: %s\n", FILENAME, FNR, $1 > "/dev/stderr"
    status = 1
    exit
}
{ add(unescape($0)) }

END {
    finish()
    print "    { 0 },\n};"
    exit status
}
