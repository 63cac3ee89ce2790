# Makes a manual page from a frame in this folder and from the table of filters, commands, formats and options that
# man/table.c prints:
#
#     awk -f man/generate.awk TABLE FRAME
#
# A line @MARK@ of the frame is replaced by a list.
BEGIN { FS = "\t" }

# --- the table: fields are separated by tabs, in them \n is a line break and \\ a backslash ---

# Two characters after a backslash stand for one. The loop needs no backslash in the text that a gsub puts in, which
# each awk reads in its own way.
function plain(field,    i, next_character, out) {
    while (i = index(field, "\\")) {
        next_character = substr(field, i + 1, 1)
        out = out substr(field, 1, i - 1) (next_character == "n" ? "\n" : next_character)
        field = substr(field, i + 2)
    }
    return out field
}

function joined(list, word) {
    return list (list == "" ? "" : " ") word
}

# What options of several filters have in common that are explained once.
function same(i) {
    return name[i] SUBSEP value[i] SUBSEP choices[i] SUBSEP bounds[i]
}

function is_shared(i) {
    return index(owners[same(i)], " ") > 0
}

FNR == NR && $1 == "filter" {
    filter[++nfilter] = $2
}

FNR == NR && $1 == "command" {
    command[++ncommand] = $2
    operands[$2] = $3
}

FNR == NR && ($1 == "filter" || $1 == "command") {
    summary[$2] = plain($5)
    about[$2] = plain($6)
}

FNR == NR && $1 == "format" {
    known[++nknown] = $2
    summary["format " $2] = plain($3)
}

# The options of a word, which is a filter, a command, or a command and a filter as response/critical. Those of a
# filter have the title of their table in help; kind is flag, optional, file or value; hidden ones have a letter only.
FNR == NR && $1 == "option" {
    noption[$2]++
    i = $2 SUBSEP noption[$2]
    title[i] = $3
    name[i] = $4
    letter[i] = $5
    kind[i] = $6
    value[i] = $7
    choices[i] = $8
    bounds[i] = plain($10)
    hidden[i] = $11 == "hidden"
    if (!($3 in first))
        first[$3] = $2
    if ($2 in summary && $2 == filter[nfilter])
        of_filters[$3]
    if ($3 == "Filter" && !index($2, "/"))
        owners[same(i)] = joined(owners[same(i)], $2)
}

FNR == NR { next }

# --- the manual page, in mdoc ---

# A word that roff shows unchanged.
function roff(text,    i, c, out) {
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        out = out (c == "\\" ? "\\e" : c == "^" ? "\\(ha" : c == "~" ? "\\(ti" : c == "`" ? "\\(ga" : \
            c == "-" && text ~ /^-|,-/ ? "\\-" : c)
    }
    return out
}

# Paragraphs as text lines of up to 76 columns; each sentence begins a new line.
function lines(text,    n, m, i, k, used, part, each, line) {
    n = split(text, part, "\n\n")
    for (i = 1; i <= n; i++) {
        if (i > 1)
            print ".Pp"
        m = split(part[i], each, /[ \n]+/)
        used = 0
        for (k = 1; k <= m; k++) {
            if (used && (used + length(each[k]) + 1 > 76 || each[k - 1] ~ /[.!?][)"']*$/)) {
                print line
                used = 0
            }
            line = used ? line " " roff(each[k]) : (each[k] ~ /^[.']/ ? "\\&" : "") roff(each[k])
            used += length(each[k]) + 1
        }
        print line
    }
}

# A phrase that begins with a small letter, as a sentence; a name such as glTF stays.
function sentence(phrase) {
    lines((phrase ~ /^[a-z]+[A-Z]/ ? substr(phrase, 1, 1) : toupper(substr(phrase, 1, 1))) substr(phrase, 2) ".")
}

function describe(what) {
    sentence(summary[what])
    print ".Pp"
    lines(about[what])
}

# The heading of an option in a list: its letter, name and value.
function item(i,    allowed, words) {
    allowed = choices[i]
    gsub(/ /, " | ", allowed)
    words = value[i] != "" ? " Ar " roff(value[i]) : allowed != "" ? " Cm " allowed : ""
    print ".It" (letter[i] == "" ? "" : " Fl " letter[i] " ,") " Fl -" name[i] \
        (kind[i] == "optional" ? " Ns Op = Ns" : "") words
}

# Names with commas between, each with this macro, as lines of mdoc; the last line ends with the full stop.
function named(macro, list,    n, k, each) {
    n = split(list, each, " ")
    for (k = 1; k <= n; k++)
        print (k > 1 && k == n ? "and\n." : ".") macro each[k] (k == n ? " ." : k < n - 1 ? " ," : "")
}

# The options of a word that have this title. Those that several filters share are only named.
function rows(of, under,    i, k, any, shared) {
    for (k = 1; k <= noption[of]; k++) {
        i = of SUBSEP k
        if (title[i] != under)
            continue
        if (under == "Filter" && is_shared(i)) {
            shared = joined(shared, name[i])
            continue
        }
        if (!any++)
            print ".Bl -tag -width Ds"
        item(i)
        sentence(bounds[i])
    }
    if (any)
        print ".El"
    if (shared != "") {
        print ".Pp\n" (any ? "Shared options:" : "Options:")
        named("Fl -", shared)
    }
}

# The options that several filters share, each with its filters.
function list_shared(    n, k, i) {
    print ".Bl -tag -width Ds"
    for (n = 1; n <= nfilter; n++)
        for (k = 1; k <= noption[filter[n]]; k++) {
            i = filter[n] SUBSEP k
            if (title[i] != "Filter" || !is_shared(i) || explained[same(i)]++)
                continue
            item(i)
            sentence(bounds[i])
            print "For"
            named("Cm ", owners[same(i)])
        }
    print ".El"
}

# For each shared option whose long name one of the filter's own has: how it is given instead.
function hides(of,    i, k) {
    for (k = 1; k <= noption[of]; k++) {
        i = of SUBSEP k
        if (hidden[i] && value[i] != "")
            printf ".Pp\nWith this filter\n.Fl -%s Ar %s\nis written\n.Fl %s Ar %s .\n", name[i], value[i], letter[i], value[i]
    }
}

function list_filters(    n) {
    for (n = 1; n <= nfilter; n++) {
        print ".Ss " filter[n]
        describe(filter[n])
        rows(filter[n], "Filter")
        hides(filter[n])
    }
}

# The options of a command, and the titles of the tables that it shares with filters.
function list_commands(    n, k, i, last, also) {
    print ".Bl -tag -width Ds"
    for (n = 1; n <= ncommand; n++) {
        printf ".It Cm %s Ar \"%s\"\n", command[n], operands[command[n]]
        describe(command[n])
        last = "Other"
        also = ""
        for (k = 1; k <= noption[command[n]]; k++) {
            i = command[n] SUBSEP k
            if (title[i] == last || title[i] == "Other")
                continue
            last = title[i]
            if (title[i] in of_filters)
                also = also (also == "" ? "" : "\nand") "\n.Sx " title[i]
            else
                rows(command[n], title[i])
        }
        if (also != "")
            print ".Pp\nAlso the options of" also " ."
    }
    print ".El"
}

function list_formats(    n) {
    print ".Bl -tag -width Ds"
    for (n = 1; n <= nknown; n++) {
        print ".It Cm " known[n]
        sentence(summary["format " known[n]])
    }
    print ".El"
}

# --- the frame ---

/^@.*@$/ {
    mark = substr($0, 2, length($0) - 2)
    if (mark == "FILTERS")
        list_filters()
    else if (mark == "SHARED")
        list_shared()
    else if (mark == "COMMANDS")
        list_commands()
    else if (mark == "FORMATS")
        list_formats()
    else if (mark ~ /^OPTIONS / && (substr(mark, 9) in first))
        rows(first[substr(mark, 9)], substr(mark, 9))
    else {
        print FILENAME ":" FNR ": unknown mark " $0 > "/dev/stderr"
        exit 1
    }
    next
}

{ print }
