// Extreme eigenvalues of symmetric operators: Lanczos and power iteration.
//
// Lanczos (Golub and Van Loan 2013, 10.1 and 10.3) builds an orthonormal basis of the Krylov space of A and a start
// vector; the eigenvalues of the tridiagonal T = V' A V approach those of A from inside, the extreme ones first.
// Round-off makes the basis lose its orthogonality and T repeat eigenvalues; orthogonalizing against the whole basis,
// twice, keeps it to machine precision for the price of keeping the basis.

#include "la/spectrum.h"

#include "base/random.h"
#include "la/dense.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

// A unit vector with a share in every direction.
static void random_unit_vector(int64_t n, uint64_t seed, double *x)
{
    rico_random random;
    rico_random_seed(&random, seed);
    for (int64_t i = 0; i < n; i++) x[i] = rico_random_normal(&random);
    double size = rico_norm(n, x);
    for (int64_t i = 0; i < n; i++) x[i] /= size;
}


static rico_status check_arguments(rico_context *ctx, const char *what, int64_t n, int iterations)
{
    if (n < 0 || iterations < 1)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s: %d iterations on an operator of order %lld", what,
                         iterations, (long long)n);
    return RICO_OK;
}


static rico_status fail_not_finite(rico_context *ctx, const char *what, int step)
{
    return rico_fail(ctx, RICO_BAD_INPUT, "%s: the operator's product is not finite at iteration %d", what,
                     step);
}


// w loses its part in the span of the columns of V, once; what it loses is added to share.
static void orthogonalize(int64_t n, int64_t columns, const double *V, double *w, double *share, double *part)
{
    rico_dense_transpose_times(n, columns, 1.0, V, w, 0.0, part);
    rico_dense_times(n, columns, -1.0, V, part, 1.0, w);
    for (int64_t j = 0; j < columns; j++) share[j] += part[j];
}


rico_status rico_lanczos(rico_context *ctx, int64_t n, rico_operator apply, void *user, int iterations,
                         uint64_t seed, rico_spectrum *out)
{
    rico_status status = check_arguments(ctx, "Lanczos", n, iterations);
    if (status != RICO_OK) return status;
    if (n == 0) {
        *out = (rico_spectrum){.exact = true};
        return RICO_OK;
    }
    int64_t most = iterations < n ? iterations : n;
    if (n > INT64_MAX / 16 / most)
        return rico_fail(ctx, RICO_NO_MEMORY, "out of memory: %lld vectors of %lld numbers", (long long)most,
                         (long long)n);

    double *V = rico_alloc(ctx, n * most, sizeof *V);
    double *w = rico_alloc(ctx, n, sizeof *w);
    double *small = rico_alloc(ctx, 4 * most, sizeof *small);
    if (!V || !w || !small) {
        status = RICO_NO_MEMORY;
        goto done;
    }
    double *alpha = small, *beta = small + most, *share = small + 2 * most, *part = small + 3 * most;

    // beta_j is the coupling to the rest of the space; where it is round-off, the Krylov space is invariant
    double negligible = 8.0 * DBL_EPSILON * sqrt((double)n), scale = 0.0;
    bool closed = false;
    int64_t steps = 0;
    random_unit_vector(n, seed, V);
    while (steps < most && !closed) {
        const double *v = V + steps * n;
        apply(user, v, w);
        if (!rico_all_finite(n, w)) {
            status = fail_not_finite(ctx, "Lanczos", (int)steps + 1);
            goto done;
        }
        for (int64_t j = 0; j <= steps; j++) share[j] = 0.0;
        orthogonalize(n, steps + 1, V, w, share, part);
        orthogonalize(n, steps + 1, V, w, share, part);
        alpha[steps] = share[steps];
        beta[steps] = rico_norm(n, w);
        scale = fmax(scale, fabs(alpha[steps]) + beta[steps]);
        closed = steps + 1 == n || beta[steps] <= negligible * scale;
        if (!closed && steps + 1 < most)
            for (int64_t i = 0; i < n; i++) V[(steps + 1) * n + i] = w[i] / beta[steps];
        steps++;
    }

    lapack_int info = LAPACKE_dsterf_work((lapack_int)steps, alpha, beta);
    if (info != 0) {
        status = rico_fail(ctx, RICO_INTERNAL, "LAPACK's dsterf returned %d", (int)info);
        goto done;
    }
    *out = (rico_spectrum){alpha[steps - 1], alpha[0], (int)steps, closed};

done:
    rico_free(ctx, small);
    rico_free(ctx, w);
    rico_free(ctx, V);
    return status;
}


rico_status rico_power(rico_context *ctx, int64_t n, rico_operator apply, void *user, int iterations,
                       double tol, uint64_t seed, double *largest)
{
    rico_status status = check_arguments(ctx, "power iteration", n, iterations);
    if (status != RICO_OK) return status;
    if (n == 0) {
        *largest = 0.0;
        return RICO_OK;
    }

    double *x = rico_alloc(ctx, n, sizeof *x), *y = rico_alloc(ctx, n, sizeof *y);
    if (!x || !y) {
        status = RICO_NO_MEMORY;
        goto done;
    }
    random_unit_vector(n, seed, x);
    double quotient = 0.0;
    for (int step = 1; step <= iterations; step++) {
        apply(user, x, y);
        double previous = quotient, size = rico_norm(n, y);
        if (!isfinite(size)) {
            status = fail_not_finite(ctx, "power iteration", step);
            goto done;
        }
        quotient = rico_dot(n, x, y); // Rayleigh's, x being a unit vector
        if (size == 0.0 || (step > 1 && fabs(quotient - previous) <= tol * fabs(quotient))) break;
        for (int64_t i = 0; i < n; i++) x[i] = y[i] / size;
    }
    *largest = quotient;

done:
    rico_free(ctx, y);
    rico_free(ctx, x);
    return status;
}
