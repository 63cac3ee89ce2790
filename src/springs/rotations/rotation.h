/* Angles, unit quaternions, rotation vectors, angular velocities and Euler angles. A quaternion is w, x, y,
 * z, Hamilton's product, and turns v into q v q*; a rotation vector points along the axis and is as long as
 * the angle in radians. Invariant: pure, and nothing overflows or loses its digits for any finite input. The
 * formulas are the usual ones, as in Joan Sola, "Quaternion kinematics for the error-state Kalman filter"
 * (2017), sections 1.1 and 4.4. */
#ifndef SPRUNG_SPRINGS_ROTATIONS_ROTATION_H
#define SPRUNG_SPRINGS_ROTATIONS_ROTATION_H

#include "springs/filter.h"

/* The whole turns nearest to the way from an angle to the next. Halves go toward 0: angles of 180, -180 and
 * 180 degrees must not add a turn at each step. */
static inline double angle_turns(double way, double period)
{
    const double turns = way / period;
    return copysign(ceil(fabs(turns) - 0.5), turns);
}

static inline double rotation_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Gives q the sign that is nearer to the quaternion before: q and -q are the same rotation. */
static inline void rotation_follow(double q[4], const double before[4])
{
    double along = 0;
    for (size_t k = 0; k < 4; k++)
        along += q[k] * before[k];
    for (size_t k = 0; k < 4 && along < 0; k++)
        q[k] = -q[k];
}

/* Has q the length 1, up to what a print with three decimals changes? */
bool rotation_is_unit(const double q[4]);

/* Reads a quaternion as given: q gets the sign that is nearer to `last`, which becomes q; `last` is zeroed
 * before the first. False: a number of q is missing, or all are 0, and `last` stays. */
bool rotation_read(double last[4], double q[4]);

/* Prints a rotation x: where x is the goal, as the numbers of the goal were given, unless their length is not
 * 1. */
static inline void rotation_print(const double given[4], const double x[4], bool at_goal, double print[4])
{
    memcpy(print, at_goal && rotation_is_unit(given) ? given : x, 4 * sizeof *print);
}

/* Divides q by its length. False: the length is 0 or not finite, and q stays. */
bool rotation_unit(double q[4]);

/* out = a b*, the rotation from b to a. out may not be a or b. Where a and b are equal, out is exactly
 * w, 0, 0, 0. */
void rotation_between(const double a[4], const double b[4], double out[4]);

/* out = a b. out may not be a or b. */
void rotation_multiply(const double a[4], const double b[4], double out[4]);

/* v = the rotation vector of q by the shorter way, |v| <= pi. q may have any length but 0. */
void rotation_log(const double q[4], double v[3]);

/* v = the rotation vector from b to a by the shorter way, |v| <= pi. */
void rotation_vector(const double a[4], const double b[4], double v[3]);

/* Turns q by the rotation vector part * v. */
void rotation_turn(double q[4], const double v[3], double part);

/* --- velocities ---
 *
 * A rotation exp(y) g with a moving y turns with the angular velocity J y', J the left Jacobian of SO(3) at
 * y. Written with the cross product by y, [y], and its square, and with a = |y|:
 *
 *     R = exp(y) = I + sin(a)/a [y] + (1 - cos a)/a^2 [y]^2
 *     J          = I + (1 - cos a)/a^2 [y] + (a - sin a)/a^3 [y]^2
 *     J^-1       = I - 1/2 [y] + (1 - (a/2) cot(a/2))/a^2 [y]^2
 *
 * After Joan Sola, Jeremie Deray, Dinesh Atchuthan, "A micro Lie theory for state estimation in robotics"
 * (2018), equations 134, 145 and 146. All velocities are in the world frame. */

/* A rotation vector y of angle a = |y|, and the terms that the matrices at y consist of. */
struct rotation_point {
    double y[3];   /* the rotation vector */
    double q[4];   /* the quaternion of the same rotation */
    double square; /* a^2 */
    double part;   /* sin(a/2) / (a/2) */
};

/* *point = the point of the rotation vector y, of any length. point->q[0] is negative for angles from pi to 3
 * pi. */
void rotation_point_exp(const double y[3], struct rotation_point *point);

/* *point = the point of the quaternion q of length 1, by the shorter way: |point->y| <= pi. */
void rotation_point_log(const double q[4], struct rotation_point *point);

/* The angular velocity of exp(y) g where y' = rate - drift and g turns with the angular velocity drift:
 * J y' + R drift. At y = 0 the angular velocity is the rate. */
void rotation_velocity(const struct rotation_point *at, const double rate[3], const double drift[3],
                       double w[3]);

/* The inverse of rotation_velocity: the rate that gives the angular velocity w. |y| < 2 pi. */
void rotation_rate(const struct rotation_point *at, const double w[3], const double drift[3], double rate[3]);

/* The angular acceleration of exp(y) g where y' = rate, y'' = change and g does not move. */
void rotation_acceleration(const struct rotation_point *at, const double rate[3], const double change[3],
                           double out[3]);

/* --- Euler angles ---
 *
 * Three rotations in one of twelve orders. The order z, x, y is the product of matrices R = Rz Rx Ry, as in
 * BVH files: in six orders (Tait and Bryan's) each axis comes once, and the angles are indexed by their
 * axis. In the other six (Euler's own, as y, x, y for the shoulder) the first axis comes again in the third
 * place, and the angles are indexed by their place in the product. Angles are of any size. */

struct euler {
    unsigned char axis[3]; /* 0, 1, 2: x, y, z, as the factors are in the product */
    double period;         /* a full turn: 360 for degrees */
};

/* The index of the angle of factor i of a product in this order. */
static inline size_t euler_index(const unsigned char axis[3], size_t i)
{
    return axis[0] == axis[2] ? i : axis[i];
}

/* The unit quaternion of three angles. It is exactly 1, 0, 0, 0 where all are 0. */
void euler_to_rotation(const struct euler *order, const double angle[3], double q[4]);

/* The angles of a unit quaternion that are nearest to the angles in near: of the two solutions, and of all
 * turns of each angle, the angles with the least sum of squared differences. At the pole, where the second
 * rotation is a quarter turn, or with the first axis in the third place a half turn or no turn, only the sum
 * or the difference of the other two angles is determined; near decides how they share it. */
void euler_from_rotation(const struct euler *order, const double q[4], const double near[3], double angle[3]);

/* --- one row of a rotation through a filter: rotation_step.c --- */

/* The filter that rotations go through. */
struct rotation_filter {
    const struct filter *filter;
    const void *settings;      /* of the filter, checked */
    const struct shape *shape; /* of the filter with the settings */
    long derivatives;          /* wanted: 0, 1 or 2; the same in all rows of a state */
};

/* The state of a rotation between rows. */
struct rotation_state {
    double goal[4];                    /* the last target */
    struct rotation_point at;          /* the last output relative to the last target */
    double drift[3];                   /* angular velocity of the target that the output moved along with */
    double velocity[3];                /* velocity of the last result; set with derivatives == 2 */
    double state[3 * FILTER_MAXSTATE]; /* of the filter, component by component */
};

/* A row; quaternions have length 1. */
struct rotation_row {
    double goal[4];
    double next[4];       /* target of the next row, read where rotation_sees_next is true */
    const double *origin; /* initial rotation, read with FLAG_START; NULL: the target */
    const double *T;      /* [1, or 2 with look-ahead] seconds to this row, then to the next row */
    const double *step;   /* coefficients for T */
    unsigned char flags;  /* bits of enum row_flag, but not FLAG_NO_VALUE */
};

struct rotation_result {
    double x[4];  /* the output, with the sign that is nearer to the target; NaN: too large to compute */
    bool at_goal; /* x is the target */
    double velocity[3];     /* angular, in the world frame, rad/s; set with derivatives > 0 */
    double acceleration[3]; /* angular, in the world frame, rad/s^2; set with derivatives > 1 */
};

/* Must a row with these flags have `next` and T[1]? */
bool rotation_sees_next(const struct rotation_filter *filter, unsigned flags);

/* Moves *state by a row. With FLAG_START *state is not read. */
void rotation_step(const struct rotation_filter *filter, struct rotation_state *state,
                   const struct rotation_row *row, struct rotation_result *result);

#endif
