// A sweep and the residual: see sweep.h.

#include "sweep.h"

#include "problem/problem.h"

#include <math.h>

// Solves contact c in space and carries its change into the velocities.
static inline void relax_space(rico_mpi_share *share, int64_t c, double *r)
{
    const rico_one_contact *local = &share->local[c];
    const double *W = local->W;
    double u[3], q[3], fresh[3] = {r[0], r[1], r[2]}, step[3];
    rico_mpi_share_read(share, share->v, c, u);
    for (int i = 0; i < 3; i++) q[i] = u[i] - (W[3 * i] * r[0] + W[3 * i + 1] * r[1] + W[3 * i + 2] * r[2]);
    rico_one_contact_solve(local, q, fresh);
    for (int i = 0; i < 3; i++) {
        step[i] = fresh[i] - r[i];
        r[i] = fresh[i];
    }
    if (step[0] == 0.0 && step[1] == 0.0 && step[2] == 0.0) return;
    rico_mpi_share_write(share, c, step, share->v);
}


static inline void relax_plane(rico_mpi_share *share, int64_t c, double *r)
{
    const rico_one_contact_2d *local = &share->plane[c];
    const double *W = local->W;
    double u[3], q[2], fresh[2] = {r[0], r[1]}, step[3] = {0.0};
    rico_mpi_share_read(share, share->v, c, u);
    for (int i = 0; i < 2; i++) q[i] = u[i] - (W[2 * i] * r[0] + W[2 * i + 1] * r[1]);
    rico_one_contact_2d_solve(local, q, fresh);
    for (int i = 0; i < 2; i++) {
        step[i] = fresh[i] - r[i];
        r[i] = fresh[i];
    }
    if (step[0] == 0.0 && step[1] == 0.0) return;
    rico_mpi_share_write(share, c, step, share->v);
}


// Without friction: the normal alone.
static inline void relax_normal(rico_mpi_share *share, int64_t c, double *r)
{
    double W = (share->local ? share->local[c].W : share->plane[c].W)[0], u[3];
    if (!(W > 0.0)) return;
    rico_mpi_share_read(share, share->v, c, u);
    double fresh = fmax(0.0, r[0] - u[0] / W), step[3] = {fresh - r[0]};
    r[0] = fresh;
    if (step[0] != 0.0) rico_mpi_share_write(share, c, step, share->v);
}


rico_status rico_mpi_sweep(rico_mpi_share *share, double *r)
{
    for (int colour = 0; colour < share->colours; colour++) {
        if (colour > 0) {
            rico_status status = rico_mpi_share_hear(share, colour);
            if (status) return status;
        }
        for (int64_t u = share->colour_start[colour]; u < share->colour_start[colour + 1]; u++) {
            const rico_mpi_unit *unit = &share->unit[u];
            for (int64_t c = unit->first; c < unit->last; c++) {
                if (share->rows[c] == 1)
                    relax_normal(share, c, &r[3 * c]);
                else if (share->dimension == 3)
                    relax_space(share, c, &r[3 * c]);
                else
                    relax_plane(share, c, &r[3 * c]);
            }
        }
    }
    return RICO_OK;
}


rico_status rico_mpi_residual(rico_mpi_share *share, const double *r, double *u, rico_residual *out)
{
    enum { SUMS = 5 };
    rico_exact sums[SUMS + 1] = {0}; // the last counts what is not finite
    rico_status status = rico_mpi_share_velocities(share, r, true);
    if (status) return status;
    for (int64_t k = 0; k < share->unit_count; k++) {
        const rico_mpi_unit *unit = &share->unit[k];
        rico_tally tally = {.ratio = 1.0};
        for (int64_t c = unit->first; c < unit->last; c++) {
            int rows = share->rows[c];
            rico_block block = {.kind = rows == 3   ? RICO_COULOMB_3D
                                        : rows == 2 ? RICO_COULOMB_2D
                                                    : RICO_UNILATERAL,
                                .size = rows,
                                .friction = share->mu[c]};
            double own[3];
            rico_mpi_share_read(share, share->v, c, own);
            rico_tally_block(&tally, &block, share->norm[c], own, &r[3 * c]);
            for (int i = 0; u && i < 3; i++) u[3 * c + i] = own[i];
        }
        double parts[SUMS] = {tally.natural, tally.judged, tally.drive, tally.r, tally.u};
        for (int i = 0; i < SUMS; i++) tally.broken = tally.broken || !isfinite(parts[i]);
        for (int i = 0; unit->counts && !tally.broken && i < SUMS; i++) rico_exact_add(&sums[i], parts[i]);
        if (unit->counts && tally.broken) rico_exact_add(&sums[SUMS], 1.0);
    }
    rico_crew_sum(share->crew, SUMS + 1, sums);
    rico_tally whole = {.ratio = 1.0,
                        .natural = rico_exact_value(&sums[0]),
                        .judged = rico_exact_value(&sums[1]),
                        .drive = rico_exact_value(&sums[2]),
                        .r = rico_exact_value(&sums[3]),
                        .u = rico_exact_value(&sums[4]),
                        .broken = rico_exact_value(&sums[SUMS]) > 0.0};
    *out = rico_tally_close(&whole, share->q_size, share->noise);
    return RICO_OK;
}
