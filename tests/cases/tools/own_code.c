/* Runs the functions of data/springs.c, which the test puts before this file, over CSV from standard input:
 *
 *     own_code NAME NUMBER...
 *
 * Rows are time, a goal and a cut; for critical_turn time and a quaternion. Prints a row for each: position
 * and velocity; the quaternion and the angular velocity. The first row is at rest at the goal, but tracking's
 * velocity is printed as 0. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAXROW = 10000 };

static double rows[MAXROW][6];

static int read_rows(void)
{
    char line[400];
    int n = 0;
    for (; fgets(line, sizeof line, stdin) && n < MAXROW; n++) {
        char *p = line;
        for (int i = 0; i < 6; i++) {
            rows[n][i] = strtod(p, &p);
            p += *p == ',';
        }
    }
    return n;
}

static void turns(int n, double H)
{
    struct turn p = { { rows[0][1], rows[0][2], rows[0][3], rows[0][4] }, { 0 } };
    for (int i = 0; i < n; i++) {
        if (i > 0)
            critical_turn(&p, rows[i] + 1, H, rows[i][0] - rows[i - 1][0]);
        printf("%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", p.q[0], p.q[1], p.q[2], p.q[3], p.v[0], p.v[1],
               p.v[2]);
    }
}

/* The velocity of the goal into row i. */
static double slope(int i)
{
    return (rows[i][1] - rows[i - 1][1]) / (rows[i][0] - rows[i - 1][0]);
}

/* The velocity of the motion that row i belongs to; old: of the motion before. Between two cuts it is not
 * known. */
static double motion_slope(int i, double old)
{
    if (rows[i][2] == 0)
        return slope(i);
    return rows[i + 1][2] == 0 ? slope(i + 1) : old;
}

int main(int argc, char **argv)
{
    const char *name = argv[1];
    double number[4] = { 0 };
    int n = read_rows();
    for (int i = 2; i < argc && i < 6; i++)
        number[i - 2] = strtod(argv[i], NULL);
    if (strcmp(name, "critical_turn") == 0) {
        turns(n, number[0]);
        return 0;
    }
    double g = rows[0][1];
    struct spring at = { g, 0 };
    struct second_order second = { { g, 0 }, g };
    struct tracking track = { { g, 0 }, g, 0, 0 };
    struct inertialize join = { g, 0, { 0, 0 } };
    for (int i = 0; i < n; i++) {
        double T = i ? rows[i][0] - rows[i - 1][0] : 0;
        int cut = rows[i][2] != 0;
        g = rows[i][1];
        if (i > 0 && strcmp(name, "damper") == 0)
            at.x = damper(at.x, g, number[0], T);
        else if (i > 0 && strcmp(name, "critical") == 0)
            critical(&at, g, number[0], T);
        else if (i > 0 && strcmp(name, "spring") == 0)
            spring(&at, g, number[2] * slope(i), number[0], number[1], T);
        else if (i > 0 && strcmp(name, "second_order") == 0)
            second_order(&second, g, number[0], number[1], number[2], T), at = second.y;
        else if (i > 0 && strcmp(name, "tracking") == 0)
            tracking(&track, g, cut, number[0], number[1], number[2], T), at = track.x;
        else if (i > 0 && strcmp(name, "inertialize") == 0) {
            at.x = inertialize(&join, g, motion_slope(i, join.q), cut, number[0], T);
            at.v = join.q + join.offset.v;
        }
        printf("%.17g,%.17g\n", at.x, at.v);
    }
}
