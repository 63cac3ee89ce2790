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

function joined(list, word) {
    return list (list == "" ? "" : " ") word
}

# What options of several filters that are explained once have in common.
function same(i) {
    return name[i] SUBSEP value[i] SUBSEP help[i]
}

function is_shared(i) {
    return title[i] == "Filter" && index(owners[same(i)], " ") > 0
}

FNR == NR && $1 == "filter" { filter[++nfilter] = $2 }
FNR == NR && $1 == "command" { command[++ncommand] = $2 }
FNR == NR && ($1 == "filter" || $1 == "command") {
    operands[$2] = $3
    summary[$2] = $5
    about[$2] = $6
}

# The options of a word: a filter, a command, or both as in response/critical. Options of a filter have the title Filter.
FNR == NR && $1 == "option" && $2 !~ "/" {
    noption[$2]++
    i = $2 SUBSEP noption[$2]
    title[i] = $3
    name[i] = $4
    letter[i] = $5
    optional[i] = $6 == "optional"
    value[i] = $7 == "" ? $8 : $7
    gsub(/ /, "|", value[i])
    help[i] = $10
    if (!seen[$3]++) {
        titles[++ntitle] = $3
        first[$3] = $2
    }
    if ($3 == "Filter")
        owners[same(i)] = joined(owners[same(i)], $2)
    else if ($2 == filter[nfilter] && !seen[$2, $3]++)
        of_filters[$3] = joined(of_filters[$3], $2)
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

# A phrase as a sentence; a name such as glTF keeps its small letter.
function sentence(phrase) {
    print roff((phrase ~ /^[a-z]+[A-Z]/ ? substr(phrase, 1, 1) : toupper(substr(phrase, 1, 1))) substr(phrase, 2) ".")
}

function describe(what,    n, i, part) {
    sentence(summary[what])
    n = split(about[what], part, /\\n\\n/)
    for (i = 1; i <= n; i++)
        print ".PP\n" roff(part[i])
}

# Words with commas between, and a full stop.
function listed(words) {
    gsub(/ /, ", ", words)
    return words "."
}

# An option and what it means.
function item(i) {
    print ".TP"
    print (letter[i] == "" ? "" : "\\fB\\-" letter[i] "\\fR, ") "\\fB\\-\\-" roff(name[i]) "\\fR" (optional[i] ? "[=]" : "") \
        (value[i] == "" ? "" : " \\fI" roff(value[i]) "\\fR")
    sentence(help[i])
}

# --- lists ---

# The options of a word that have this title. Those that several filters share are only named.
function rows(of, under,    k, i, shared) {
    for (k = 1; k <= noption[of]; k++) {
        i = of SUBSEP k
        if (title[i] == under && is_shared(i))
            shared = joined(shared, "--" name[i])
        else if (title[i] == under)
            item(i)
    }
    if (shared != "")
        print ".PP\n" roff("Shared options: " listed(shared))
}

function list_options(    n, of, each) {
    for (n = 1; n <= ntitle; n++) {
        of = of_filters[titles[n]]
        if (of == "")
            continue
        print ".SS " titles[n]
        if (split(of, each, " ") < nfilter)
            print "Options of " roff(listed(of))
        rows(first[titles[n]], titles[n])
    }
}

function list_filters(    n) {
    for (n = 1; n <= nfilter; n++) {
        print ".SS " roff(filter[n])
        describe(filter[n])
        rows(filter[n], "Filter")
    }
}

# The options that several filters share, each with its filters.
function list_shared(    n, k, i) {
    for (n = 1; n <= nfilter; n++)
        for (k = 1; k <= noption[filter[n]]; k++) {
            i = filter[n] SUBSEP k
            if (!is_shared(i) || explained[same(i)]++)
                continue
            item(i)
            print roff("For " listed(owners[same(i)]))
        }
}

function list_commands(    n, k, i, also) {
    for (n = 1; n <= ncommand; n++) {
        print ".SS " roff(command[n] " " operands[command[n]])
        describe(command[n])
        also = ""
        for (k = 1; k <= noption[command[n]]; k++) {
            i = command[n] SUBSEP k
            if (of_filters[title[i]] == "")
                item(i)
            else if (!seen[command[n], title[i]]++ && title[i] != "Other")
                also = also (also == "" ? "" : ", ") title[i]
        }
        if (also != "")
            print ".PP\nAlso the options of: " also "."
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
        list_options()
    else if ($0 == "@FILTERS@")
        list_filters()
    else if ($0 == "@SHARED@")
        list_shared()
    else if ($0 == "@COMMANDS@")
        list_commands()
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
