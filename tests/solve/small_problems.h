// Random small contact problems, an independent judge of their answers, and in the plane a complete search for them.
//
// Nothing here uses the library's cones, residuals or solvers: u = W r + q is summed in long double, the law is read case
// by case, and the search is linear programming over every combination of states.

#ifndef RICO_TESTS_SOLVE_SMALL_PROBLEMS_H
#define RICO_TESTS_SOLVE_SMALL_PROBLEMS_H

#include "support.h"

#include "ricochet/ricochet.h"

enum { SMALL_CONTACTS = 5, SMALL_ROWS = 3 * SMALL_CONTACTS };

typedef struct small_problem {
    int contacts, dimension, rows, rank;
    bool symmetric, definite, constructed; // definite: the symmetric part is semidefinite by construction
    double mu[SMALL_CONTACTS];
    double W[SMALL_ROWS][SMALL_ROWS], q[SMALL_ROWS];
} small_problem;


// W = G (I + S) G' of rank `rank` at most, S skew or 0; sometimes with a part that is not semidefinite.
static void draw_matrix(rico_random *random, small_problem *p)
{
    double G[SMALL_ROWS][SMALL_ROWS], S[SMALL_ROWS][SMALL_ROWS] = {{0}};
    int n = p->rows, kind = (int)rico_random_below(random, 6);
    p->rank = (int)rico_random_below(random, n + 1);
    p->symmetric = kind < 3;
    p->definite = kind < 5;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < p->rank; k++) G[i][k] = rico_random_normal(random);
    for (int k = 0; k < p->rank; k++) {
        for (int l = 0; l < k; l++) {
            S[k][l] = p->symmetric ? 0.0 : rico_random_normal(random);
            S[l][k] = -S[k][l];
        }
        S[k][k] = 1.0;
        for (int l = 0; l < p->rank && !p->definite; l++) S[k][l] += 0.3 * rico_random_normal(random);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            p->W[i][j] = 0.0;
            for (int k = 0; k < p->rank; k++)
                for (int l = 0; l < p->rank; l++) p->W[i][j] += G[i][k] * S[k][l] * G[j][l];
        }
    }
    for (int i = 0; i < n && p->symmetric; i++)
        for (int j = 0; j < i; j++) p->W[i][j] = p->W[j][i];
}


// q = u - W r with a lawful pair of every state.
static void construct_answer(rico_random *random, small_problem *p)
{
    double u[SMALL_ROWS] = {0}, r[SMALL_ROWS] = {0};
    for (int c = 0; c < p->contacts; c++) {
        double *uc = &u[c * p->dimension], *rc = &r[c * p->dimension];
        double angle = rico_random_range(random, 0.0, 6.2831853071795862);
        double d[2] = {p->dimension == 2 ? (angle < 3.14 ? 1.0 : -1.0) : cos(angle), sin(angle)};
        int state = (int)rico_random_below(random, 3);
        double normal = fabs(rico_random_normal(random)), slip = fabs(rico_random_normal(random));
        if (state == 0) uc[0] = normal;
        if (state > 0) rc[0] = normal;
        double share = state == 1 ? rico_random_unit(random) : 1.0;
        for (int i = 1; i < p->dimension; i++) {
            if (state != 1) uc[i] = slip * d[i - 1];
            if (state > 0) rc[i] = -share * p->mu[c] * normal * d[i - 1];
        }
    }
    for (int i = 0; i < p->rows; i++) {
        long double sum = u[i];
        for (int j = 0; j < p->rows; j++) sum -= (long double)p->W[i][j] * r[j];
        p->q[i] = (double)sum;
    }
}


// The problem of a seed: 1 to 5 contacts in the plane or in space, mu from 0 to 10, any rank. Half of them have an answer by
// construction, in space more, where nothing else can tell.
static small_problem draw_problem(uint64_t seed, int dimension)
{
    rico_random random;
    rico_random_seed(&random, seed);
    small_problem p = {.contacts = 1 + (int)rico_random_below(&random, SMALL_CONTACTS),
                       .dimension = dimension};
    p.rows = p.contacts * dimension;
    for (int c = 0; c < p.contacts; c++) {
        double kind = rico_random_unit(&random);
        p.mu[c] = kind < 0.1   ? 0.0
                  : kind < 0.6 ? rico_random_unit(&random)
                               : rico_random_range(&random, 1.0, 10.0);
    }
    draw_matrix(&random, &p);
    p.constructed = rico_random_unit(&random) < (dimension == 2 ? 0.5 : 0.8);
    if (p.constructed) {
        construct_answer(&random, &p);
    } else {
        for (int i = 0; i < p.rows; i++) p.q[i] = rico_random_normal(&random);
    }
    return p;
}


static void scale_problem(small_problem *p, double matrix, double vector)
{
    for (int i = 0; i < p->rows; i++) {
        for (int j = 0; j < p->rows; j++) p->W[i][j] *= matrix;
        p->q[i] *= vector;
    }
}


static rico_problem *build_problem(rico_context *ctx, const small_problem *p)
{
    rico_block blocks[SMALL_CONTACTS];
    int64_t start[SMALL_ROWS + 1], row[SMALL_ROWS * SMALL_ROWS];
    double value[SMALL_ROWS * SMALL_ROWS];
    for (int c = 0; c < p->contacts; c++)
        blocks[c] =
            (rico_block){p->dimension == 2 ? RICO_COULOMB_2D : RICO_COULOMB_3D, p->dimension, p->mu[c]};
    for (int j = 0; j <= p->rows; j++) start[j] = (int64_t)j * p->rows;
    for (int j = 0; j < p->rows; j++) {
        for (int i = 0; i < p->rows; i++) {
            row[j * p->rows + i] = i;
            value[j * p->rows + i] = p->W[i][j];
        }
    }
    rico_sparse_view W = {p->rows, p->rows, start, row, value};
    rico_problem *problem = NULL;
    assert_ok(ctx, rico_problem_create_reduced(ctx, p->contacts, blocks, &W, p->q, &problem));
    return problem;
}


// Distance of one contact from the law, in units of velocity: s is the impulse times |W_aa|. The nearest of three cases.
static long double distance_to_law(int dimension, double mu, const long double *u, const long double *s)
{
    long double t2 = dimension > 2 ? s[2] : 0.0L, v2 = dimension > 2 ? u[2] : 0.0L;
    long double impulse = s[0] * s[0] + s[1] * s[1] + t2 * t2, below = fminl(u[0], 0.0L);
    long double open = impulse + below * below;

    // sticking: u = 0, and s in the cone
    long double tangent = hypotl(s[1], t2), outside = 0.0L;
    if (tangent > mu * s[0]) {
        long double along = fmaxl((s[0] + mu * tangent) / (1.0L + (long double)mu * mu), 0.0L);
        long double dn = s[0] - along, dt = tangent - mu * along;
        outside = dn * dn + dt * dt;
    }
    long double stick = u[0] * u[0] + u[1] * u[1] + v2 * v2 + outside;

    // sliding along d: u = t d, s = f (1, -mu d); d as the velocity or as the impulse has it
    long double slide = INFINITY;
    for (int guess = 0; guess < 2; guess++) {
        long double size = guess ? tangent : hypotl(u[1], v2);
        if (size == 0.0L) continue;
        long double d1 = guess ? -s[1] / size : u[1] / size, d2 = guess ? -t2 / size : v2 / size;
        long double t = fmaxl(u[1] * d1 + v2 * d2, 0.0L);
        long double f = fmaxl((s[0] - mu * (s[1] * d1 + t2 * d2)) / (1.0L + (long double)mu * mu), 0.0L);
        long double e[] = {u[0], u[1] - t * d1, v2 - t * d2, s[0] - f, s[1] + mu * f * d1, t2 + mu * f * d2};
        long double sum = 0.0L;
        for (int i = 0; i < 6; i++) sum += e[i] * e[i];
        slide = fminl(slide, sum);
    }
    return sqrtl(fminl(open, fminl(stick, slide)));
}


// The same of an answer, over |q| or |u|, whichever is larger.
static double independent_residual(const small_problem *p, const double *r)
{
    long double u[SMALL_ROWS], squares = 0.0L, qq = 0.0L, uu = 0.0L, largest = 0.0L, norm[SMALL_CONTACTS];
    for (int i = 0; i < p->rows; i++) {
        u[i] = p->q[i];
        for (int j = 0; j < p->rows; j++) u[i] += (long double)p->W[i][j] * r[j];
        qq += (long double)p->q[i] * p->q[i];
        uu += u[i] * u[i];
    }
    for (int c = 0; c < p->contacts; c++) {
        norm[c] = 0.0L;
        for (int i = 0; i < p->dimension; i++)
            for (int j = 0; j < p->dimension; j++) {
                long double w = p->W[c * p->dimension + i][c * p->dimension + j];
                norm[c] += w * w;
            }
        norm[c] = sqrtl(norm[c]);
        largest = fmaxl(largest, norm[c]);
    }
    for (int c = 0; c < p->contacts; c++) {
        long double s[3] = {0}, n = norm[c] > 0.0L ? norm[c] : largest > 0.0L ? largest : 1.0L;
        for (int i = 0; i < p->dimension; i++) s[i] = n * r[c * p->dimension + i];
        long double far = distance_to_law(p->dimension, p->mu[c], &u[c * p->dimension], s);
        squares += far * far;
    }
    return squares == 0.0L ? 0.0 : (double)(sqrtl(squares) / sqrtl(fmaxl(qq, uu)));
}


// Least |A x - b|_1 over x >= 0 by the simplex method, phase one, Bland's rule. Small and slow, and sure.
enum { LP_ROWS = SMALL_ROWS, LP_COLUMNS = 4 * SMALL_ROWS };
static long double least_error(int rows, int columns, long double A[LP_ROWS][LP_COLUMNS],
                               const long double *b)
{
    static long double T[LP_ROWS + 1][LP_COLUMNS + LP_ROWS + 1];
    int basis[LP_ROWS], all = columns + rows;
    memset(T, 0, sizeof T);
    for (int i = 0; i < rows; i++) {
        long double sign = b[i] < 0.0L ? -1.0L : 1.0L;
        for (int j = 0; j < columns; j++) T[i][j] = sign * A[i][j];
        T[i][columns + i] = 1.0L;
        T[i][all] = sign * b[i];
        basis[i] = columns + i;
        for (int j = 0; j <= all; j++)
            if (j < columns || j == all) T[rows][j] -= T[i][j];
    }
    for (int step = 0; step < 2000; step++) {
        int in = 0, out = -1;
        while (in < all && T[rows][in] >= -1e-11L) in++; // dependent rows of W leave 1e-15
        if (in == all) break;
        long double least = INFINITY;
        for (int i = 0; i < rows; i++) {
            if (T[i][in] <= 1e-11L) continue;
            long double ratio = T[i][all] / T[i][in];
            if (ratio < least - 1e-18L || (ratio <= least + 1e-18L && basis[i] < basis[out])) {
                least = fminl(least, ratio);
                out = i;
            }
        }
        if (out < 0) break;
        long double pivot = T[out][in];
        for (int j = 0; j <= all; j++) T[out][j] /= pivot;
        for (int i = 0; i <= rows; i++) {
            if (i == out || T[i][in] == 0.0L) continue;
            long double factor = T[i][in];
            for (int j = 0; j <= all; j++) T[i][j] -= factor * T[out][j];
        }
        basis[out] = in;
    }
    return fmaxl(-T[rows][all], 0.0L);
}


// The distance of q from the nearest combination of states of a plane problem with |W| and |q| of order one.
// u - W r = q with, for each contact,
//     open     u = a e_N + (b - c) e_T                 stick    r = a (1, mu) + b (1, -mu)
//     slide    r = a (1, -+mu), u = +-b e_T            a, b, c >= 0
static long double search_states(const small_problem *p)
{
    long double best = INFINITY, b[LP_ROWS];
    int combinations = 1;
    for (int c = 0; c < p->contacts; c++) combinations *= 4;
    for (int i = 0; i < p->rows; i++) b[i] = p->q[i];
    for (int k = 0; k < combinations && best > 1e-12L; k++) {
        static long double A[LP_ROWS][LP_COLUMNS];
        int columns = 0, code = k;
        memset(A, 0, sizeof A);
        for (int c = 0; c < p->contacts; c++, code /= 4) {
            int state = code % 4, n = 2 * c, t = 2 * c + 1;
            long double mu = p->mu[c];
            if (state == 0) {
                A[n][columns] = A[t][columns + 1] = 1.0L;
                A[t][columns + 2] = -1.0L;
                columns += 3;
                continue;
            }
            double sign = state == 2 ? 1.0 : -1.0;
            for (int i = 0; i < p->rows; i++) {
                if (state == 1) {
                    A[i][columns] = -(p->W[i][n] + mu * p->W[i][t]);
                    A[i][columns + 1] = -(p->W[i][n] - mu * p->W[i][t]);
                } else {
                    A[i][columns] = -(p->W[i][n] - sign * mu * p->W[i][t]);
                }
            }
            if (state > 1) A[t][columns + 1] = sign;
            columns += 2;
        }
        best = fminl(best, least_error(p->rows, columns, A, b));
    }
    return best;
}


// Least sum of the negative parts of u_N over all u = W x + q: what is positive has a certificate.
static long double least_closing(const small_problem *p)
{
    static long double A[LP_ROWS][LP_COLUMNS];
    long double b[LP_ROWS];
    memset(A, 0, sizeof A);
    for (int c = 0; c < p->contacts; c++) {
        int row = c * p->dimension;
        for (int j = 0; j < p->rows; j++) {
            A[c][j] = -p->W[row][j];
            A[c][p->rows + j] = p->W[row][j];
        }
        A[c][2 * p->rows + c] = 1.0L;
        b[c] = p->q[row];
    }
    return least_error(p->contacts, 2 * p->rows + p->contacts, A, b);
}

#endif
