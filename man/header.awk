# Makes the page sprung(3) from the comments and declarations of src/sprung.h:
# awk -v released="November 23, 2026" -f man/header.awk src/sprung.h
# The comment at the top becomes the description; each later comment stands below the declaration that follows it.

function shown(line)
{
    gsub(/\\/, "\\e", line)
    return line ~ /^[.']/ ? "\\&" line : line
}

# Prints lines of a comment; an empty line begins a paragraph.
function print_comment(    i, k, n, sentence)
{
    for (i = 1; i <= ncomment; i++) {
        if (comment[i] == "")
            print ".Pp"
        # A sentence begins on a line of its own.
        n = split(comment[i], sentence, /\. +/)
        for (k = 1; k <= n && comment[i] != ""; k++)
            print shown(sentence[k] (k < n ? "." : ""))
    }
}

function print_declaration(    i)
{
    print ".Bd -literal"
    for (i = 1; i <= ndeclaration; i++)
        print shown(declaration[i])
    print ".Ed"
}

function take_comment(line)
{
    sub(/^ *\/?\*+\/? ?/, "", line)
    sub(/ *\*\/$/, "", line)
    comment[++ncomment] = line
}

BEGIN {
    print ".Dd " released
    print ".Dt SPRUNG 3"
    print ".Os"
    print ".Sh NAME"
    print ".Nm libsprung"
    print ".Nd springs that filter time series, in other programs"
    print ".Sh SYNOPSIS"
    print ".In sprung.h"
    print ".Pp"
    print "Link with"
    print ".Ql -lsprung -lm ."
    print ".Sh DESCRIPTION"
}

/^#/ || /^extern "C"/ || /^}$/ { next }

# A heading.
/^\/\* --- / {
    sub(/^\/\* --- /, "")
    sub(/ --- \*\/$/, "")
    print ".Ss " toupper(substr($0, 1, 1)) substr($0, 2)
    next
}

/^\/\*/ { inside = 1; ncomment = 0 }

inside {
    take_comment($0)
    if ($0 ~ /\*\/$/) {
        inside = 0
        if (!described++) {
            print_comment()
            print ".Sh FUNCTIONS"
            ncomment = 0
        }
    }
    next
}

# A declaration ends with a semicolon, that of an enumeration with }; at the beginning of a line.
NF {
    declaration[++ndeclaration] = $0
    open += gsub(/[{]/, "{") - gsub(/[}]/, "}")
    if ($0 ~ /;$/ && open == 0) {
        print_declaration()
        print_comment()
        ncomment = ndeclaration = 0
    }
}

END {
    print ".Sh SEE ALSO"
    print ".Xr sprung 1"
}
