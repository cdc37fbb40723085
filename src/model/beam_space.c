// The element of a beam in space: positions and unit quaternions of two nodes.
//
// psi is the rotation vector of R_1'R_2, the same in the axes of both nodes and of the middle, R_m = R_1 exp(psi/2): whatever turns both
// nodes turns R_m and leaves psi, so that strains know nothing of rigid motions (Crisfield and Jelenic 1999). With [x] y = x cross y and
// dR_i = R_i [dtheta_i],
//
//     d psi     = T dtheta_2 - T'dtheta_1,         T = I + [psi]/2 + c [psi]^2,   c = (1 - (a/2) cot(a/2))/a^2,  a = |psi|
//     d theta_m = A dtheta_2 + A'dtheta_1,         A = I/2 + b [psi],             b = tan(a/4)/(2 a)
//     d g       = R_m'(dx_2 - dx_1)/l + [g] d theta_m
//
// The forms of T and A follow from exp and its derivative on the eigenvectors of [psi]: A has 1/(1 + exp(-i a/2)) there. An element turns by
// less than half a turn from end to end.

#include "la/quaternion.h"
#include "model/beam_element.h"

enum { N = 12, X1 = 0, T1 = 3, X2 = 6, T2 = 9 }; // where the velocities of the nodes stand

// b, b'/a, c, c'/a of the angle a: by series where the closed forms lose digits.
typedef struct turning {
    double b, db, c, dc;
} turning;


static turning turning_of(double a)
{
    double s = a * a;
    if (a < 0.1) {
        return (turning){
            .b = 0.125 + s * (1.0 / 384.0 + s * (1.0 / 15360.0 + s * (17.0 / 10321920.0))),
            .db = 1.0 / 192.0 + s * (1.0 / 3840.0 + s * (17.0 / 1720320.0 + s * (31.0 / 92897280.0))),
            .c = 1.0 / 12.0 + s * (1.0 / 720.0 + s * (1.0 / 30240.0 + s * (1.0 / 1209600.0))),
            .dc = 1.0 / 360.0 + s * (1.0 / 7560.0 + s * (1.0 / 201600.0 + s * (1.0 / 5987520.0)))};
    }
    double t = tan(0.25 * a), half = 0.5 * a, cot = 1.0 / tan(half), sine = sin(half);
    turning out = {.b = t / (2.0 * a), .c = (1.0 - half * cot) / s};
    out.db = (0.125 * (1.0 + t * t) - out.b) / s;
    // c = 1/a^2 - cot(a/2)/(2 a)
    out.dc = (-2.0 / (s * a) + cot / (2.0 * s) + 1.0 / (4.0 * a * sine * sine)) / a;
    return out;
}


// factor [x] + share I + square [x]^2, row by row
static void combine(const double x[3], double share, double factor, double square, double out[9])
{
    double cross[9], twice[9];
    rico_mat3_cross(x, cross);
    rico_mat3_multiply(cross, cross, twice);
    for (int i = 0; i < 9; i++) out[i] = factor * cross[i] + square * twice[i] + (i % 4 == 0 ? share : 0.0);
}


static void put(double *B, int row, int col, double factor, const double block[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) B[(row + i) * N + col + j] = factor * block[3 * i + j];
}


static void strain(double length, const double *a, const double *b, rico_beam_state *out)
{
    double back[4], between[4], half[3], turn[4], middle[4], d[3], frame[9], cross[9], block[9], product[9];
    rico_quaternion_conjugate(a + 3, back);
    rico_quaternion_multiply(back, b + 3, between);
    rico_quaternion_log(between, out->psi);
    rico_vec3_scale(0.5, out->psi, half);
    rico_quaternion_exp(half, turn);
    rico_quaternion_multiply(a + 3, turn, middle);
    rico_quaternion_to_matrix(middle, out->R);

    out->length = length;
    rico_vec3_subtract(b, a, d);
    rico_vec3_scale(1.0 / length, d, d);
    rico_mat3_transpose_times(out->R, d, out->strain);
    rico_vec3_scale(1.0 / length, out->psi, out->strain + 3);

    turning is = turning_of(rico_vec3_norm(out->psi));
    out->b = is.b;
    memset(out->B, 0, sizeof out->B);
    rico_mat3_transpose(out->R, frame);
    put(out->B, 0, X1, -1.0 / length, frame);
    put(out->B, 0, X2, 1.0 / length, frame);
    rico_mat3_cross(out->strain, cross);
    for (int side = 0; side < 2; side++) {
        double sign = side ? 1.0 : -1.0;
        combine(out->psi, 0.5, sign * is.b, 0.0, block);
        rico_mat3_multiply(cross, block, product);
        put(out->B, 0, side ? T2 : T1, 1.0, product);
        combine(out->psi, 1.0, 0.5 * sign, is.c, block);
        put(out->B, 3, side ? T2 : T1, sign / length, block);
    }
}


// out += factor x y', row by row
static void add_outer(double factor, const double x[3], const double y[3], double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out[3 * i + j] += factor * x[i] * y[j];
}


// K += factor block times three rows of B, in the rows of K that begin at `row`.
static void add_product(const double block[9], double factor, const double *rows, int row, double *K)
{
    for (int j = 0; j < N; j++)
        for (int i = 0; i < 3; i++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++) sum += block[3 * i + k] * rows[k * N + j];
            K[row + i + N * j] += factor * sum;
        }
}


// What the moments of the nodes, A'm + T'M at node 2 and A m - T M at node 1, change by with psi while m and M stay:
//     D = sign (E + S) + [M]/2,   sign 1 and -1,
//     E = b [m] - b'/a (psi x m) psi',
//     S = c ((psi.M) I + psi M' - 2 M psi') + c'/a ([psi]^2 M) psi'.
static void moment_slope(const rico_beam_state *at, double sign, const double m[3], const double M[3],
                         double D[9])
{
    const double *psi = at->psi;
    turning is = turning_of(rico_vec3_norm(psi));
    double around[3], again[3], cross[9];
    combine(m, is.c * rico_vec3_dot(psi, M), is.b, 0.0, D);
    rico_vec3_cross(psi, m, around);
    add_outer(-is.db, around, psi, D);
    add_outer(is.c, psi, M, D);
    add_outer(-2.0 * is.c, M, psi, D);
    rico_vec3_cross(psi, M, around);
    rico_vec3_cross(psi, around, again);
    add_outer(is.dc, again, psi, D);
    rico_mat3_cross(M, cross);
    for (int i = 0; i < 9; i++) D[i] = sign * D[i] + 0.5 * cross[i];
}


static void bend(const rico_beam_state *at, const double *s, double *K)
{
    const double l = at->length, *stretch = at->B, *turn = at->B + 3 * N;
    double middle[3 * N] = {0.0}, m[3], cross[9], block[9], product[9];
    rico_mat3_cross(s, cross); // [N] of the normal and shear forces
    rico_vec3_cross(s, at->strain, m);
    rico_vec3_scale(l, m, m);

    // forces R_m N turn with the middle
    for (int side = 0; side < 2; side++) {
        combine(at->psi, 0.5, side ? at->b : -at->b, 0.0, block);
        put(middle, 0, side ? T2 : T1, 1.0, block);
    }
    rico_mat3_multiply(at->R, cross, product);
    add_product(product, 1.0, middle, X1, K);
    add_product(product, -1.0, middle, X2, K);

    // moments: m = l N x g changes with g, and all of them with psi
    for (int side = 0; side < 2; side++) {
        double sign = side ? 1.0 : -1.0;
        int row = side ? T2 : T1;
        combine(at->psi, 0.5, -sign * at->b, 0.0, block);
        rico_mat3_multiply(block, cross, product);
        add_product(product, l, stretch, row, K);
        moment_slope(at, sign, m, s + 3, block);
        add_product(block, l, turn, row, K);
    }
}


const rico_beam_kind rico_beam_space = {6, N, strain, bend};
