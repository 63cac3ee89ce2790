# awk -f spring.awk -v halflife=S -v step=S [-v folder=DIR] FILE...: the critical spring on every column but the first.
# With a step of 0 the first column says the time. Writes to standard output, or to a file of the same name in folder.
function matrix(T,    E)
{
    E = exp(-y * T)
    ee = E * (1 + y * T); ev = E * T; ve = -E * y * y * T; vv = E * (1 - y * T)
}

BEGIN {
    FS = ","
    y = 2 * log(2) / halflife
    if (step > 0) matrix(step)
    out = "/dev/stdout"
}

FNR == 1 {
    if (folder != "") {
        close(out)
        n = split(FILENAME, part, "/")
        out = folder "/" part[n]
    }
    print > out
    next
}

FNR == 2 {
    for (i = 2; i <= NF; i++) { x[i] = $i; v[i] = 0 }
    t = $1
}

{
    if (step == 0) { matrix($1 - t); t = $1 }
    if (NF == 2) {
        e = x[2] - $2
        x[2] = $2 + ee * e + ev * v[2]
        v[2] = ve * e + vv * v[2]
        printf "%s,%.6f\n", $1, x[2] > out
    } else {
        line = $1
        for (i = 2; i <= NF; i++) {
            e = x[i] - $i
            x[i] = $i + ee * e + ev * v[i]
            v[i] = ve * e + vv * v[i]
            line = line sprintf(",%.6f", x[i])
        }
        print line > out
    }
}
