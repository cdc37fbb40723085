// What Newton-like methods over ranks share: see newton.h.

#include "newton.h"

#include <math.h>
#include <string.h>

enum { MOST_PRODUCTS = 300 }; // of the matrix, for one system
enum { VECTORS = 7 };         // three entries for each contact

void rico_mpi_newton_destroy(rico_mpi_newton *n)
{
    if (!n) return;
    rico_context *ctx = n->share->crew->ctx;
    rico_mpi_krylov_destroy(n->krylov);
    rico_mpi_schwarz_destroy(n->schwarz);
    rico_mpi_body_matrix_destroy(n->matrix);
    void *owned[] = {n->cone, n->symmetric, n->vectors, n->face, n->normal, n->tangent, n->force, n->v};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) rico_free(ctx, owned[i]);
    rico_free(ctx, n);
}


void rico_mpi_newton_sum(rico_mpi_newton *n, int count, rico_mpi_newton_term *each, const void *user,
                         double *out)
{
    const rico_mpi_share *share = n->share;
    rico_exact sums[RICO_MPI_NEWTON_SUMS + 1] = {0}; // the last counts what is not finite
    for (int64_t k = 0; k < share->unit_count; k++) {
        const rico_mpi_unit *unit = &share->unit[k];
        double sum[RICO_MPI_NEWTON_SUMS] = {0.0}, terms[RICO_MPI_NEWTON_SUMS];
        if (!unit->counts) continue;
        for (int64_t c = unit->first; c < unit->last; c++) {
            each(n, c, user, terms);
            for (int i = 0; i < count; i++) sum[i] += terms[i];
        }
        for (int i = 0; i < count; i++)
            rico_exact_add(isfinite(sum[i]) ? &sums[i] : &sums[count], isfinite(sum[i]) ? sum[i] : 1.0);
    }
    rico_crew_sum(share->crew, count + 1, sums);
    bool finite = rico_exact_value(&sums[count]) == 0.0;
    for (int i = 0; i < count; i++) out[i] = finite ? rico_exact_value(&sums[i]) : NAN;
}


static void stiffness_of(const rico_mpi_newton *n, int64_t c, const void *user, double *terms)
{
    (void)user;
    terms[0] = n->normal[c];
    terms[1] = n->share->norm[c];
}


// W_NN, and of W_TT the largest eigenvalue.
static void measure_contacts(rico_mpi_newton *n)
{
    const rico_mpi_share *share = n->share;
    for (int64_t c = 0; c < share->contacts; c++) {
        double normal, tangent;
        if (share->dimension == 3) {
            const double *W = share->local[c].W;
            normal = W[0];
            tangent = 0.5 * (W[4] + W[8]) + hypot(0.5 * (W[4] - W[8]), 0.5 * (W[5] + W[7]));
        } else {
            normal = share->plane[c].W[0];
            tangent = share->plane[c].W[3];
        }
        n->normal[c] = normal > 0.0 ? normal : 1.0;
        n->tangent[c] = tangent > 0.0 ? tangent : n->normal[c];
        n->cone[c].size = share->mu[c] > 0.0 ? share->dimension : 1;
        n->cone[c].mu = share->mu[c] > 0.0 ? share->mu[c] : 1.0;
    }
    double sums[2];
    rico_mpi_newton_sum(n, 2, stiffness_of, NULL, sums);
    n->stiffness = sums[0] / (double)share->all_contacts;
    n->size = sums[1] / (double)share->all_contacts;
}


static bool allocate(rico_mpi_newton *n)
{
    const rico_mpi_share *share = n->share;
    rico_context *ctx = share->crew->ctx;
    int64_t rows = 3 * share->contacts;
    n->cone = rico_alloc(ctx, share->contacts, sizeof *n->cone);
    n->symmetric = rico_alloc(ctx, 9 * share->contacts, sizeof *n->symmetric);
    n->vectors = rico_alloc(ctx, VECTORS * rows, sizeof *n->vectors);
    n->face = rico_alloc(ctx, 4 * share->contacts, sizeof *n->face);
    n->normal = rico_alloc(ctx, share->contacts, sizeof *n->normal);
    n->tangent = rico_alloc(ctx, share->contacts, sizeof *n->tangent);
    n->force = rico_alloc(ctx, 6 * share->own, sizeof *n->force);
    n->v = rico_alloc(ctx, 6 * share->bodies, sizeof *n->v);
    double **of_rows[VECTORS] = {&n->c, &n->dr, &n->u, &n->F, &n->trial, &n->centre, &n->previous};
    for (int i = 0; n->vectors && i < VECTORS; i++) *of_rows[i] = n->vectors + i * rows;
    return n->cone && n->symmetric && n->vectors && n->face && n->normal && n->tangent && n->force && n->v;
}


// Bytes of everything but the factors, on this rank: before any of it is asked for.
static double foresee(const rico_mpi_share *share)
{
    const double number = sizeof(double);
    double contact =
        sizeof(rico_mpi_cone) + number * (18 + 3 * VECTORS + 4 + 2); // C twice, vectors, face, stiffness
    double pattern =
        2 * (3 * sizeof(int64_t) + 3 * sizeof(int32_t)) + 3 * sizeof(int64_t); // blocks of a piece
    double body =
        number * (2 * 36 + 6 * (3 + 2 * RICO_MPI_MODES)) + 2 * 36 * number; // and scratch of the largest
    double order = fmin(RICO_MPI_COARSE, (double)RICO_MPI_MODES * share->all_parts);
    return (contact + pattern) * (double)share->contacts + body * (double)share->bodies +
           number * order * order + rico_mpi_krylov_bytes(share);
}


// Does the rank that needs most have room for it?
static rico_status check_room(rico_crew *crew, double mine, double room, double *bytes)
{
    *bytes = rico_crew_largest(crew, mine);
    rico_status status = RICO_OK;
    if (room > 0.0 && *bytes > room)
        status = rico_fail(crew->ctx, RICO_NO_MEMORY,
                           "Newton's systems would need %.2f GB on a rank, which may use %.2f GB",
                           *bytes / 1e9, room / 1e9);
    // machines differ in what they have left: all go on, or none
    return rico_crew_agree(crew, status);
}


rico_status rico_mpi_newton_create(rico_mpi_share *share, double room, double *bytes, rico_mpi_newton **out)
{
    rico_crew *crew = share->crew;
    double needed = foresee(share), factors = 0.0;
    rico_status status = check_room(crew, needed, room, bytes);
    if (status) return status;
    rico_mpi_newton *n = rico_alloc(crew->ctx, 1, sizeof *n);
    if (n) n->share = share;
    status = rico_crew_agree(crew, n && allocate(n) ? RICO_OK : RICO_NO_MEMORY);
    if (status || !n) {
        rico_mpi_newton_destroy(n);
        return status;
    }
    status = rico_mpi_body_matrix_create(share, &n->matrix);
    if (!status) status = rico_mpi_schwarz_create(n->matrix, &n->schwarz, &factors);
    if (!status) status = check_room(crew, needed + factors, room, bytes);
    if (!status) status = rico_mpi_krylov_create(n->matrix, n->schwarz, &n->krylov);
    if (status) {
        rico_mpi_newton_destroy(n);
        return status;
    }
    measure_contacts(n);
    *out = n;
    return RICO_OK;
}


double rico_mpi_newton_price(const rico_mpi_newton *n)
{
    // operations of two factorizations of every part and of its solves and products, over those of a sweep; the rates are
    // those of fronts and of loops that wait for memory
    enum { PRODUCTS = 40 };
    static const double of_sweep = 320.0, of_product = 300.0, faster = 4.0;
    rico_mpi_share *share = n->share;
    rico_exact sum = {0};
    for (int p = 0; p < share->parts; p++) {
        const rico_front_lu *lu = n->schwarz->piece[p].lu;
        rico_exact_add(&sum,
                       2.0 * rico_front_lu_flops(lu) / faster + 2.0 * PRODUCTS * rico_front_lu_entries(lu));
    }
    rico_crew_sum(share->crew, 1, &sum);
    return (rico_exact_value(&sum) / (double)share->all_contacts + PRODUCTS * of_product) / of_sweep;
}


rico_status rico_mpi_newton_velocity(rico_mpi_newton *n, const double *r, double *u)
{
    rico_mpi_share *share = n->share;
    rico_status status = rico_mpi_share_velocities(share, r, true);
    for (int64_t c = 0; !status && c < share->contacts; c++)
        rico_mpi_share_read(share, share->v, c, &u[3 * c]);
    return status;
}


rico_status rico_mpi_newton_solve(rico_mpi_newton *n, double goal)
{
    rico_mpi_share *share = n->share;
    double left;
    rico_mpi_body_matrix_gather(n->matrix, n->c, n->force);
    // a force rho left over moves contacts by H' M^-1 rho, about sqrt(|W_aa|) |rho|
    rico_status status =
        rico_mpi_krylov_solve(n->krylov, n->force, goal / sqrt(n->size), MOST_PRODUCTS, n->v, &left);
    if (!status) status = rico_mpi_share_hear_of(share, n->v);
    for (int64_t c = 0; !status && c < share->contacts; c++) {
        const double *C = &n->matrix->C[9 * c], *own = &n->c[3 * c];
        double t[3];
        rico_mpi_body_matrix_read(share, c, n->v, t);
        for (int i = 0; i < 3; i++)
            n->dr[3 * c + i] = own[i] - (C[3 * i] * t[0] + C[3 * i + 1] * t[1] + C[3 * i + 2] * t[2]);
    }
    return status;
}
