// Small dense complex matrices.

#include "control/complex.h"

#include <float.h>
#include <math.h>

static void swap_rows(int64_t n, int64_t cols, double complex *a, int64_t i, int64_t k)
{
    for (int64_t j = 0; j < cols; j++) {
        double complex kept = a[i + j * n];
        a[i + j * n] = a[k + j * n];
        a[k + j * n] = kept;
    }
}


// Near enough to |x| for choosing a pivot.
static double size_of(double complex x)
{
    return fabs(creal(x)) + fabs(cimag(x));
}


// y -= factor x in real numbers: the language's complex product also looks for infinities.
static void subtract(int64_t n, double complex factor, const double complex *x, double complex *y)
{
    double fr = creal(factor), fi = cimag(factor);
    for (int64_t i = 0; i < n; i++) {
        double xr = creal(x[i]), xi = cimag(x[i]);
        y[i] = (creal(y[i]) - fr * xr + fi * xi) + (cimag(y[i]) - fr * xi - fi * xr) * I;
    }
}


// Column by column: L y = B at once, then U x = y.
bool rico_complex_solve(int64_t n, double complex *a, int64_t cols, double complex *b)
{
    for (int64_t k = 0; k < n; k++) {
        int64_t pivot = k;
        for (int64_t i = k + 1; i < n; i++)
            if (size_of(a[i + k * n]) > size_of(a[pivot + k * n])) pivot = i;
        if (!(size_of(a[pivot + k * n]) > 0.0)) return false;
        if (pivot != k) {
            swap_rows(n, n, a, k, pivot);
            swap_rows(n, cols, b, k, pivot);
        }
        double complex inverse = 1.0 / a[k + k * n];
        for (int64_t i = k + 1; i < n; i++) a[i + k * n] *= inverse;
        for (int64_t j = k + 1; j < n + cols; j++) {
            double complex *column = j < n ? &a[j * n] : &b[(j - n) * n];
            subtract(n - k - 1, column[k], &a[k + 1 + k * n], &column[k + 1]);
        }
    }
    for (int64_t j = 0; j < cols; j++)
        for (int64_t k = n - 1; k >= 0; k--) {
            b[k + j * n] /= a[k + k * n];
            subtract(k, b[k + j * n], &a[k * n], &b[j * n]);
        }
    return true;
}


bool rico_complex_cholesky(int64_t n, double complex *a)
{
    for (int64_t j = 0; j < n; j++) {
        double rest = creal(a[j + j * n]);
        for (int64_t k = 0; k < j; k++) rest -= creal(a[j + k * n] * conj(a[j + k * n]));
        if (!(rest > 0.0)) return false;
        double root = sqrt(rest);
        a[j + j * n] = root;
        for (int64_t i = j + 1; i < n; i++) {
            double complex sum = a[i + j * n];
            for (int64_t k = 0; k < j; k++) sum -= a[i + k * n] * conj(a[j + k * n]);
            a[i + j * n] = sum / root;
        }
    }
    return true;
}


void rico_complex_forward(int64_t n, const double complex *l, int64_t cols, double complex *a)
{
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < n; i++) {
            double complex sum = a[i + j * n];
            for (int64_t k = 0; k < i; k++) sum -= l[i + k * n] * a[k + j * n];
            a[i + j * n] = sum / creal(l[i + i * n]);
        }
}


// Columns, or rows where there are fewer of those, as vectors: `count` of them, `length` long.
typedef struct vectors {
    double complex *a;
    int64_t count, length, apart, along;
} vectors;


static double square(const vectors *v, int64_t p)
{
    double sum = 0.0;
    for (int64_t k = 0; k < v->length; k++) {
        double complex x = v->a[p * v->apart + k * v->along];
        sum += creal(x) * creal(x) + cimag(x) * cimag(x);
    }
    return sum;
}


// Makes two of them orthogonal; false when they are.
static bool rotate(vectors *v, int64_t p, int64_t q)
{
    double complex *x = &v->a[p * v->apart], *y = &v->a[q * v->apart], inner = 0.0;
    double one = square(v, p), other = square(v, q);
    for (int64_t k = 0; k < v->length; k++) inner += conj(x[k * v->along]) * y[k * v->along];
    double size = cabs(inner);
    if (!(size > DBL_EPSILON * sqrt(one) * sqrt(other))) return false;
    double complex turn = conj(inner) / size;
    double zeta = (other - one) / (2.0 * size), t = copysign(1.0, zeta) / (fabs(zeta) + hypot(1.0, zeta));
    double c = 1.0 / hypot(1.0, t), s = c * t;
    for (int64_t k = 0; k < v->length; k++) {
        double complex left = x[k * v->along], right = turn * y[k * v->along];
        x[k * v->along] = c * left - s * right;
        y[k * v->along] = s * left + c * right;
    }
    return true;
}


// One-sided rotations (Hestenes 1958) until the vectors are orthogonal: their lengths are the singular values.
bool rico_complex_singular(int64_t rows, int64_t cols, double complex *a, double *values)
{
    enum { MOST = 60 };
    bool tall = rows >= cols, turned = true;
    vectors v = {a, tall ? cols : rows, tall ? rows : cols, tall ? rows : 1, tall ? 1 : rows};
    double largest = 0.0;
    for (int64_t i = 0; i < rows * cols; i++) {
        double size = cabs(a[i]);
        if (!isfinite(size)) return false;
        largest = fmax(largest, size);
    }
    for (int64_t i = 0; i < rows * cols && largest > 0.0; i++) a[i] /= largest;
    for (int sweep = 0; sweep < MOST && turned; sweep++) {
        turned = false;
        for (int64_t p = 0; p < v.count; p++)
            for (int64_t q = p + 1; q < v.count; q++) turned = rotate(&v, p, q) || turned;
    }
    for (int64_t p = 0; p < v.count; p++) {
        double value = largest * sqrt(square(&v, p));
        int64_t at = p;
        for (; at > 0 && values[at - 1] < value; at--) values[at] = values[at - 1];
        values[at] = value;
    }
    return true;
}
