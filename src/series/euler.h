/* Euler angles: three rotations about the axes x, y and z, each once, in one of six orders. The order z, x, y
 * is the product of matrices R = Rz Rx Ry, as BVH files have it. Angles are indexed by their axis. Invariant:
 * pure, and finite angles of any size give a rotation. */
#ifndef SPRUNG_SERIES_EULER_H
#define SPRUNG_SERIES_EULER_H

struct euler {
    unsigned char axis[3]; /* 0, 1, 2: x, y, z, as the factors stand in the product */
    double period;         /* a full turn: 360 for degrees */
};

/* The unit quaternion of three angles. It is exactly 1, 0, 0, 0 where all are 0. */
void euler_to_rotation(const struct euler *order, const double angle[3], double q[4]);

/* The angles of a unit quaternion that are nearest to those in near: of the two solutions, and of all turns
 * of each angle, those with the least sum of squared differences. At the pole, where the second rotation is a
 * quarter turn, only the sum or the difference of the other two is determined; near decides the rest. */
void euler_from_rotation(const struct euler *order, const double q[4], const double near[3], double angle[3]);

#endif
