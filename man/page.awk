# Makes a manual page from a text in this folder and from the table of filters, commands, formats and options that
# man/table.c prints:
#
#     awk -f man/page.awk TABLE TEXT
#
# The first line of a text is `NAME(SECTION) date - summary`. `# ` and `## ` begin headings, `* ` an item of a list, and four
# blanks a line that stays as it is. A line @MARK@ is replaced by a list.
BEGIN {
    FS = "\t"
    escape["\\"] = "\\e"
    escape["-"] = "\\-"
    escape["^"] = "\\(ha"
    escape["~"] = "\\(ti"
    escape["`"] = "\\(ga"
    escape["'"] = "\\(aq"
}

# --- the table ---

FNR == NR && ($1 == "filter" || $1 == "command") {
    word[++nword] = $2
    kind[$2] = $1
    usage[$2] = $3
    summary[$2] = $5
    about[$2] = $6
}

# The options of a filter or a command; those that every filter shares have an empty word.
FNR == NR && $1 == "option" {
    row[$2, ++noption[$2]] = $0
    if ($2 == "")
        shared[$3] = 1
}

FNR == NR { next }

# --- text ---

function roff(text,    i, c, out) {
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        out = out (c in escape ? escape[c] : c)
    }
    return (out ~ /^[.]/ ? "\\&" : "") out
}

function sentence(phrase) {
    print roff(toupper(substr(phrase, 1, 1)) substr(phrase, 2) ".")
}

function describe(what,    n, i, part) {
    sentence(summary[what])
    n = split(about[what], part, /\\n\\n/)
    for (i = 1; i <= n; i++)
        print ".PP\n" roff(part[i])
}

# An option and what it means. part: the fields of its line.
function item(part,    value) {
    value = part[7] == "" ? part[8] : part[7]
    gsub(/ /, "|", value)
    print ".TP"
    print (part[5] == "" ? "" : "\\fB\\-" part[5] "\\fR, ") "\\fB\\-\\-" roff(part[4]) "\\fR" (part[6] == "optional" ? "[=]" : "") \
        (value == "" ? "" : " \\fI" roff(value) "\\fR")
    sentence(part[9])
}

# --- lists ---

function joined(list, entry) {
    return list (list == "" ? "" : ", ") entry
}

function list_shared(    k, part, title) {
    for (k = 1; k <= noption[""]; k++) {
        split(row["", k], part, "\t")
        if (part[3] != title)
            print ".SS " part[3]
        title = part[3]
        item(part)
    }
}

# The options of a word. Shared ones, and one that was explained before, are only named.
function list_options(of,    k, part, named, also) {
    for (k = 1; k <= noption[of]; k++) {
        split(row[of, k], part, "\t")
        if (!(part[3] in shared)) {
            if (explained[part[4], part[7], part[9]]++)
                named = joined(named, "--" part[4])
            else
                item(part)
        } else if (kind[of] == "command" && part[3] != "Other" && !seen[of, part[3]]++)
            also = joined(also, part[3])
    }
    if (named != "")
        print ".PP\n" roff("As above: " named ".")
    if (also != "")
        print ".PP\nAlso the options of: " also "."
}

function list_words(of_kind,    n) {
    for (n = 1; n <= nword; n++) {
        if (kind[word[n]] != of_kind)
            continue
        print ".SS " roff(word[n] (of_kind == "command" ? " " usage[word[n]] : ""))
        describe(word[n])
        list_options(word[n])
    }
}

# --- the page ---

# Ends what stays as it is.
function flow() {
    if (literal)
        print ".EE\n.RE"
    literal = 0
}

FNR == 1 {
    split($0, part, " - ")
    split(part[1], head, /[() ]+/)
    print ".TH " toupper(roff(head[1])) " " head[2] " " head[3]
    print ".SH NAME\n" roff(head[1]) " \\- " part[2]
    next
}

/^@.*@$/ {
    flow()
    if ($0 == "@OPTIONS@")
        list_shared()
    else if ($0 == "@FILTERS@")
        list_words("filter")
    else if ($0 == "@COMMANDS@")
        list_words("command")
    else {
        print FILENAME ":" FNR ": unknown mark " $0 > "/dev/stderr"
        exit 1
    }
    next
}

/^##? / {
    flow()
    sub(/ [{].*/, "")
    print (/^##/ ? ".SS " : ".SH ") roff(substr($0, index($0, " ") + 1))
    blank = 0
    headed = 1
    next
}

$0 == "" { blank = 1; next }

/^    / {
    if (!literal)
        print (headed ? "" : ".PP\n") ".RS 4\n.EX"
    else if (blank)
        print ""
    literal = 1
    blank = headed = 0
    print roff(substr($0, 5))
    next
}

/^[*] / {
    flow()
    print ".IP \\(bu 2\n" roff(substr($0, 3))
    blank = headed = 0
    next
}

{
    flow()
    if (blank)
        print ".PP"
    blank = headed = 0
    print roff($0)
}

END { flow() }
