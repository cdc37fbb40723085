// Complex Schur forms out of real ones, and their eigenvalues in another order.
//
// Diagonal entries change places by rotations, which always succeeds and moves no eigenvalue further than round-off does. LAPACK's dtrsen
// exchanges blocks of real forms instead, and gives up where eigenvalues stand too close, as those of badly scaled Hamiltonian matrices do.

#include "control/complex.h"

#include <math.h>

// G = [conj(c) conj(s); -s c], unitary.
typedef struct rotation {
    double complex c, s;
} rotation;


// [T, U] = [G T G*, U G*] in the rows and columns i and i + 1.
static void apply(int64_t n, rotation g, int64_t i, double complex *t, double complex *u)
{
    for (int64_t j = 0; j < n; j++) {
        double complex *column = t + i + j * n, above = column[0], below = column[1];
        column[0] = conj(g.c) * above + conj(g.s) * below;
        column[1] = g.c * below - g.s * above;
    }
    for (int part = 0; part < 2; part++) {
        double complex *left = (part == 0 ? t : u) + i * n, *right = left + n;
        for (int64_t k = 0; k < n; k++) {
            double complex kept = left[k];
            left[k] = g.c * kept + g.s * right[k];
            right[k] = conj(g.c) * right[k] - conj(g.s) * kept;
        }
    }
}


// The rotation that turns (x, y) to (r, 0); false for zero.
static bool rotation_to(double complex x, double complex y, rotation *g)
{
    double r = hypot(cabs(x), cabs(y));
    if (!(r > 0.0)) return false;
    *g = (rotation){x / r, y / r};
    return true;
}


// A block [a b; c d] has the eigenvector (lambda - d, c).
void rico_complex_schur(int64_t n, double complex *t, double complex *u)
{
    for (int64_t i = n - 2; i >= 0; i--) {
        double complex *a = t + i + i * n, b = a[n], c = a[1], d = a[n + 1];
        rotation g;
        if (c == 0.0) continue;
        double complex half = 0.5 * (a[0] - d), lambda = d + half + csqrt(half * half + b * c);
        if (rotation_to(lambda - d, c, &g)) apply(n, g, i, t, u);
        t[i + 1 + i * n] = 0.0;
    }
}


// [a b; 0 d] has the eigenvector (b, d - a) for d; one value told twice may stay where it is.
static void exchange(int64_t n, int64_t i, double complex *t, double complex *u)
{
    double complex *a = t + i + i * n, first = a[0], second = a[n + 1];
    rotation g;
    if (!rotation_to(a[n], second - first, &g)) return;
    apply(n, g, i, t, u);
    t[i + i * n] = second;
    t[i + 1 + (i + 1) * n] = first;
    t[i + 1 + i * n] = 0.0;
}


void rico_complex_schur_order(int64_t n, int64_t count, double complex *t, double complex *u)
{
    for (int64_t place = 0; place < count; place++) {
        int64_t least = place;
        for (int64_t i = place + 1; i < n; i++)
            if (creal(t[i + i * n]) < creal(t[least + least * n])) least = i;
        for (int64_t i = least; i > place; i--) exchange(n, i - 1, t, u);
    }
}
