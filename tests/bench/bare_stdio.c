// bare_stdio HALFLIFE STEP FILE: the critical spring on every column but the first, as one writes it in C
// with the library's own strtod and printf. With a step of 0 the first column says the time.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double ee, ev, ve, vv;

static void matrix(double y, double T)
{
    const double E = exp(-y * T);
    ee = E * (1 + y * T);
    ev = E * T;
    ve = -E * y * y * T;
    vv = E * (1 - y * T);
}

int main(int argc, char **argv)
{
    static double x[1024], v[1024];
    char *line = NULL;
    size_t room = 0;
    FILE *file = argc == 4 ? fopen(argv[3], "r") : NULL;
    if (!file || getline(&line, &room, file) < 0)
        return 2;
    fputs(line, stdout);
    const double y = 2 * log(2) / atof(argv[1]), step = atof(argv[2]);
    matrix(y, step);
    double last = 0;
    for (long row = 0; getline(&line, &room, file) > 0; row++) {
        char *at;
        const double time = strtod(line, &at);
        if (step == 0)
            matrix(y, row == 0 ? 0 : time - last);
        last = time;
        printf("%.*s", (int)(at - line), line);
        for (int i = 0; *at == ',' && i < 1024; i++) {
            const double g = strtod(at + 1, &at), e = row == 0 ? 0 : x[i] - g;
            x[i] = g + ee * e + ev * v[i];
            v[i] = ve * e + vv * v[i];
            printf(",%.6f", x[i]);
        }
        putchar('\n');
    }
    return ferror(file) || fflush(stdout) != 0;
}
