// The interior point method over ranks: solve/interior.c, with systems solved as far as the residual asks for.

#include "cone/lorentz.h"
#include "newton.h"
#include "solve/mehrotra.h"

#include <math.h>
#include <string.h>

static const double FRACTION = 0.95;                // of the way to the boundary
static const double ACCURACY = 0.03, ROUGHLY = 0.3; // of a system, over the residual: corrector, predictor

typedef struct step {
    rico_mpi_newton *n;
    double residual;
} step;


static void times(int n, const double *M, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0.0;
        for (int j = 0; j < n; j++) y[i] += M[3 * i + j] * x[j];
    }
}


static void square_of(const rico_mpi_newton *n, int64_t c, const void *user, double *terms)
{
    (void)n;
    const double *x = &((const double *)user)[3 * c];
    terms[0] = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
}


rico_status rico_mpi_interior_begin(rico_mpi_newton *n, double centre, double *r)
{
    rico_mpi_share *share = n->share;
    double square, load = 0.0, count = (double)share->all_contacts;
    rico_mpi_newton_sum(n, 1, square_of, r, &square);
    double impulse = sqrt(square / count);
    if (!(impulse > 0.0)) {
        for (int64_t c = 0; c < share->contacts; c++) {
            double q[3];
            rico_mpi_share_read(share, share->v_free, c, q);
            for (int i = 0; i < share->dimension; i++) load = fmax(load, fabs(q[i]));
        }
        impulse = rico_crew_largest(share->crew, load) / n->stiffness;
    }
    for (int64_t c = 0; c < share->contacts; c++) {
        rico_mpi_cone *k = &n->cone[c];
        double t = 0.0;
        for (int i = k->size; i < 3; i++) r[3 * c + i] = 0.0;
        for (int i = 1; i < k->size; i++) {
            k->x[i] = r[3 * c + i];
            t = hypot(t, k->x[i]);
        }
        k->x[0] = fmax(k->mu * r[3 * c], t + centre * k->mu * impulse);
        r[3 * c] = k->x[0] / k->mu;
    }
    rico_status status = rico_mpi_newton_velocity(n, r, n->u);
    if (status) return status;
    rico_mpi_newton_sum(n, 1, square_of, n->u, &square);
    double velocity = fmax(sqrt(square / count), 0.1 * impulse * n->stiffness);
    for (int64_t c = 0; c < share->contacts; c++) {
        rico_mpi_cone *k = &n->cone[c];
        double t = 0.0;
        for (int i = 1; i < k->size; i++) {
            k->z[i] = n->u[3 * c + i];
            t = hypot(t, k->z[i]);
        }
        k->z[0] = fmax(n->u[3 * c] / k->mu + t, t + centre * velocity);
    }
    return RICO_OK;
}


// What is left of hat(u) = (mu z_N, z_T), and the directions of slip.
static void find_defects(rico_mpi_newton *n, const double *u)
{
    for (int64_t c = 0; c < n->share->contacts; c++, u += 3) {
        rico_mpi_cone *k = &n->cone[c];
        double t = 0.0;
        for (int i = 1; i < k->size; i++) t = hypot(t, u[i]);
        k->left[0] = u[0] + (k->size > 1 ? k->mu * t : 0.0) - k->mu * k->z[0];
        for (int i = 1; i < k->size; i++) {
            k->left[i] = u[i] - k->z[i];
            k->slip[i] = t > 0.0 ? u[i] / t : 0.0;
        }
    }
}


static void gap_after(const rico_mpi_newton *n, int64_t c, const void *user, double *terms)
{
    const rico_mpi_cone *k = &n->cone[c];
    double length = *(const double *)user;
    terms[0] = 0.0;
    for (int i = 0; i < k->size; i++)
        terms[0] +=
            length == 0.0 ? k->x[i] * k->z[i] : (k->x[i] + length * k->dx[i]) * (k->z[i] + length * k->dz[i]);
}


static double gap_of(rico_mpi_newton *n, double length)
{
    double sum;
    rico_mpi_newton_sum(n, 1, gap_after, &length, &sum);
    return sum / (double)n->share->all_contacts;
}


// The scaling of each contact and C = D^-1 S^2 D^-1 (I + G); false when an iterate has left its cone.
static bool scale(rico_mpi_newton *n)
{
    bool inside = true;
    for (int64_t c = 0; c < n->share->contacts; c++) {
        rico_mpi_cone *k = &n->cone[c];
        int size = k->size;
        double *C = &n->matrix->C[9 * c], *S = &n->symmetric[9 * c];
        inside = inside && rico_lorentz_determinant(size, k->x) > 0.0 &&
                 rico_lorentz_determinant(size, k->z) > 0.0;
        if (!inside) break;
        rico_lorentz_scaling own;
        rico_lorentz_scale(size, k->z, k->x, &own);
        rico_lorentz_matrices(size, &own, k->scaling, k->inverse);
        times(size, k->scaling, k->z, k->lambda);
        memset(S, 0, 9 * sizeof *S);
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++) {
                for (int l = 0; l < size; l++) S[3 * i + j] += k->scaling[3 * i + l] * k->scaling[3 * l + j];
                S[3 * i + j] /= (i ? 1.0 : k->mu) * (j ? 1.0 : k->mu);
            }
        memcpy(C, S, 9 * sizeof *C);
        for (int i = 0; i < size; i++)
            for (int j = 1; j < size; j++) C[3 * i + j] += S[3 * i] * k->mu * k->slip[j];
    }
    return rico_crew_largest(n->share->crew, inside ? 0.0 : 1.0) == 0.0;
}


// One direction, to an error of `goal`. *reach: how far it stays in the cones, 0 where it is not finite.
static rico_status find_direction(rico_mpi_newton *n, double target, double second, double goal,
                                  double *reach)
{
    int64_t contacts = n->share->contacts;
    for (int64_t c = 0; c < contacts; c++) {
        rico_mpi_cone *k = &n->cone[c];
        double a[3] = {0.0}, b[3] = {0.0}, *right = &n->c[3 * c];
        if (second > 0.0) {
            times(k->size, k->inverse, k->dx, a);
            times(k->size, k->scaling, k->dz, b);
        }
        rico_lorentz_correct(k->size, k->lambda, target, second, a, b, k->d);
        // c = D^-1 S (d - S D^-1 left)
        for (int i = 0; i < k->size; i++) a[i] = k->left[i] / (i ? 1.0 : k->mu);
        times(k->size, k->scaling, a, b);
        for (int i = 0; i < k->size; i++) b[i] = k->d[i] - b[i];
        for (int i = k->size; i < 3; i++) right[i] = 0.0;
        times(k->size, k->scaling, b, right);
        right[0] /= k->mu;
    }
    rico_status status = rico_mpi_newton_solve(n, goal);
    if (status) return status;
    double longest = INFINITY;
    bool finite = true;
    for (int64_t c = 0; c < contacts; c++) {
        rico_mpi_cone *k = &n->cone[c];
        double a[3], b[3];
        for (int i = 0; i < k->size; i++) {
            k->dx[i] = (i ? 1.0 : k->mu) * n->dr[3 * c + i];
            finite = finite && isfinite(k->dx[i]);
        }
        // dz = S^-1 (d - S^-1 dx)
        times(k->size, k->inverse, k->dx, a);
        for (int i = 0; i < k->size; i++) a[i] = k->d[i] - a[i];
        times(k->size, k->inverse, a, b);
        memcpy(k->dz, b, (size_t)k->size * sizeof *b);
        longest = fmin(longest, rico_lorentz_reach(k->size, k->x, k->dx));
        longest = fmin(longest, rico_lorentz_reach(k->size, k->z, k->dz));
    }
    *reach = -rico_crew_largest(n->share->crew, finite ? -longest : 0.0);
    return RICO_OK;
}


static rico_status predict(void *user, double *reach)
{
    step *s = user;
    rico_status status = find_direction(s->n, 0.0, 0.0, ROUGHLY * s->residual, reach);
    return !status && *reach == 0.0 ? RICO_SINGULAR : status;
}


static double gap_left(void *user, double length)
{
    step *s = user;
    return gap_of(s->n, length) / s->n->gap;
}


static rico_status correct(void *user, double sigma, double length, double *reach)
{
    step *s = user;
    rico_status status =
        find_direction(s->n, sigma * s->n->gap, length * length, ACCURACY * s->residual, reach);
    return !status && *reach == 0.0 ? RICO_SINGULAR : status;
}


rico_status rico_mpi_interior_step(rico_mpi_newton *n, const double *u, double residual, double *r,
                                   double *length)
{
    *length = 0.0;
    find_defects(n, u);
    n->gap = gap_of(n, 0.0);
    if (!(n->gap > 0.0) || !scale(n)) return RICO_OK;
    rico_status status = rico_mpi_schwarz_factor(n->schwarz, n->symmetric);
    if (status) return status == RICO_SINGULAR ? RICO_OK : status;
    n->factorizations++;
    step s = {.n = n, .residual = residual};
    const rico_mehrotra method = {.caution = 0.99,
                                  .fraction = FRACTION,
                                  .predict = predict,
                                  .gap_left = gap_left,
                                  .correct = correct,
                                  .user = &s};
    status = rico_mehrotra_step(&method, length);
    if (status == RICO_SINGULAR) {
        *length = 0.0;
        return RICO_OK;
    }
    for (int64_t c = 0; !status && c < n->share->contacts; c++) {
        rico_mpi_cone *k = &n->cone[c];
        for (int i = 0; i < k->size; i++) {
            r[3 * c + i] += *length * n->dr[3 * c + i];
            k->x[i] += *length * k->dx[i];
            k->z[i] += *length * k->dz[i];
        }
    }
    return status;
}
