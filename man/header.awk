# Makes the page sprung(3) from src/sprung.h: its comments are text, declarations stay as they are.
#
#     awk -v released=2026-11-23 -f man/header.awk src/sprung.h

function roff(line) {
    gsub(/\\/, "\\e", line)
    return (line ~ /^[.']/ ? "\\&" : "") line
}

function literal(on) {
    if (on != inside)
        print on ? ".RS 4\n.EX" : ".EE\n.RE"
    inside = on
}

BEGIN {
    print ".TH SPRUNG 3 " released
    print ".SH NAME\nlibsprung \\- springs that filter time series, in other programs"
    print ".SH SYNOPSIS\n#include <sprung.h>\n.SH DESCRIPTION"
    headed = 1
}

/^#/ || /^extern "C"/ || /^}$/ { next }

/^\/\* --- / {
    literal(0)
    gsub(/^\/\* --- | --- \*\/$/, "")
    print ".SS " toupper(substr($0, 1, 1)) substr($0, 2)
    headed = 1
    next
}

/^\/\*/ {
    literal(0)
    comment = 1
    if (!headed)
        print ".PP"
    headed = 0
}

comment {
    comment = $0 !~ /\*\/$/
    gsub(/^ ?\/?\* ?| *\*\/$/, "")
    print $0 == "" ? ".PP" : roff($0)
    next
}

NF {
    literal(1)
    print roff($0)
}

END {
    literal(0)
    print ".SH SEE ALSO\nsprung(1)"
}
