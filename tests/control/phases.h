// Perturbations of a response by a scalar of any phase: what structured singular values are about, by brute force.

#ifndef RICO_TESTS_CONTROL_PHASES_H
#define RICO_TESTS_CONTROL_PHASES_H

#include "systems.h"

enum { ROWS = 4, COLS = 4 }; // at most


static inline double complex at(const double *n, int64_t rows, int64_t i, int64_t j)
{
    return n[2 * (i + j * rows)] + n[2 * (i + j * rows) + 1] * I;
}


// Largest singular value of a complex matrix by the poles of a real one: those of M*M are those of [Re -Im; Im Re], twice each.
static inline double sigma(int64_t rows, int64_t cols, const double complex *m)
{
    double real[2 * COLS], imag[2 * COLS], a[4 * COLS * COLS], zero[2 * COLS] = {0.0}, largest = 0.0;
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < cols; i++) {
            double complex sum = 0.0;
            for (int64_t k = 0; k < rows; k++) sum += conj(m[k + i * rows]) * m[k + j * rows];
            a[i + 2 * cols * j] = a[cols + i + 2 * cols * (cols + j)] = creal(sum);
            a[cols + i + 2 * cols * j] = cimag(sum);
            a[i + 2 * cols * (cols + j)] = -cimag(sum);
        }
    rico_state_space *sys;
    assert_ok(ctx, rico_state_space_create(ctx, 2 * cols, 1, 1, a, zero, zero, NULL, &sys));
    assert_ok(ctx, rico_state_space_poles(sys, real, imag));
    for (int64_t i = 0; i < 2 * cols; i++) largest = fmax(largest, real[i]);
    rico_state_space_destroy(sys);
    return sqrt(largest);
}


// sigma_max of N22 + N21 delta (1 - N11 delta)^-1 N12, for a first block of 1 x 1.
static inline double perturbed(int64_t rows, int64_t cols, const double *n, double complex delta)
{
    double complex m[ROWS * COLS];
    for (int64_t j = 1; j < cols; j++)
        for (int64_t i = 1; i < rows; i++)
            m[i - 1 + (j - 1) * (rows - 1)] = at(n, rows, i, j) + at(n, rows, i, 0) * delta /
                                                                      (1.0 - at(n, rows, 0, 0) * delta) *
                                                                      at(n, rows, 0, j);
    return sigma(rows - 1, cols - 1, m);
}


// The largest over the phase of delta with |delta| = size: a sweep, refined about its best point.
static inline double over_phases(int64_t rows, int64_t cols, const double *n, double size)
{
    enum { PHASES = 720 };
    const double width = 2.0 * acos(-1.0) / PHASES;
    double best = 0.0, phase = 0.0;
    for (int i = 0; i < PHASES; i++) {
        double value = perturbed(rows, cols, n, size * cexp(i * width * I));
        if (value > best) best = value, phase = i * width;
    }
    for (double step = 0.5 * width; step > 1e-9; step *= 0.5)
        for (int side = -1; side <= 1; side += 2) {
            double value = perturbed(rows, cols, n, size * cexp((phase + side * step) * I));
            if (value > best) best = value, phase += side * step;
        }
    return best;
}

#endif
