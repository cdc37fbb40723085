// Products with M + H C H' over ranks: see body_matrix.h.

#include "body_matrix.h"

#include <string.h>

void rico_mpi_body_matrix_destroy(rico_mpi_body_matrix *m)
{
    if (!m) return;
    rico_context *ctx = m->share->crew->ctx;
    rico_free(ctx, m->mass);
    rico_free(ctx, m->C);
    rico_free(ctx, m->diagonal);
    rico_free(ctx, m);
}


rico_status rico_mpi_body_matrix_create(rico_mpi_share *share, rico_mpi_body_matrix **out)
{
    rico_crew *crew = share->crew;
    rico_mpi_body_matrix *m = rico_alloc(crew->ctx, 1, sizeof *m);
    if (m) {
        m->share = share;
        m->mass = rico_alloc(crew->ctx, 36 * share->own, sizeof *m->mass);
        m->C = rico_alloc(crew->ctx, 9 * share->contacts, sizeof *m->C);
        m->diagonal = rico_alloc(crew->ctx, 36 * share->bodies, sizeof *m->diagonal);
    }
    rico_status status = m && m->mass && m->C && m->diagonal ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t b = 0; !status && b < share->own; b++)
        if (!rico_mpi_share_mass(share, b, &m->mass[36 * b]))
            status =
                rico_fail(crew->ctx, RICO_SINGULAR, "the mass of body %d is singular", share->body_id[b]);
    status = rico_crew_agree(crew, status);
    if (status) {
        rico_mpi_body_matrix_destroy(m);
        return status;
    }
    *out = m;
    return RICO_OK;
}


void rico_mpi_body_matrix_couple(const rico_mpi_share *share, int64_t c, const double B[9], int i, int j,
                                 double block[36])
{
    const double *left = &share->H[36 * c + 18 * i], *right = &share->H[36 * c + 18 * j];
    for (int k = 0; k < 6; k++) {
        double t[3];
        for (int col = 0; col < 3; col++)
            t[col] = left[3 * k] * B[col] + left[3 * k + 1] * B[3 + col] + left[3 * k + 2] * B[6 + col];
        for (int l = 0; l < 6; l++)
            block[6 * k + l] += t[0] * right[3 * l] + t[1] * right[3 * l + 1] + t[2] * right[3 * l + 2];
    }
}


rico_status rico_mpi_body_matrix_update(rico_mpi_body_matrix *m)
{
    rico_mpi_share *share = m->share;
    memcpy(m->diagonal, m->mass, 36 * (size_t)share->own * sizeof *m->diagonal);
    for (int64_t c = 0; c < share->contacts; c++)
        for (int side = 0; side < 2; side++) {
            int32_t body = share->body[2 * c + side];
            if (body >= 0 && body < share->own)
                rico_mpi_body_matrix_couple(share, c, &m->C[9 * c], side, side,
                                            &m->diagonal[36 * (int64_t)body]);
        }
    return rico_mpi_share_hear_blocks(share, m->diagonal);
}


void rico_mpi_body_matrix_read(const rico_mpi_share *share, int64_t contact, const double *x, double t[3])
{
    const double *H = &share->H[36 * contact];
    double t0 = 0.0, t1 = 0.0, t2 = 0.0;
    for (int side = 0; side < 2; side++, H += 18) {
        int32_t body = share->body[2 * contact + side];
        if (body < 0) break;
        const double *own = &x[6 * (int64_t)body];
        for (int k = 0; k < 6; k++) {
            t0 += H[3 * k] * own[k];
            t1 += H[3 * k + 1] * own[k];
            t2 += H[3 * k + 2] * own[k];
        }
    }
    t[0] = t0;
    t[1] = t1;
    t[2] = t2;
}


// y += H c of one contact, for own bodies.
static inline void push(const rico_mpi_share *share, int64_t contact, const double c[3], double *y)
{
    const double *H = &share->H[36 * contact];
    for (int side = 0; side < 2; side++, H += 18) {
        int32_t body = share->body[2 * contact + side];
        if (body < 0) break;
        if (body >= share->own) continue;
        double *own = &y[6 * (int64_t)body];
        for (int k = 0; k < 6; k++) own[k] += H[3 * k] * c[0] + H[3 * k + 1] * c[1] + H[3 * k + 2] * c[2];
    }
}


void rico_mpi_body_matrix_gather(const rico_mpi_body_matrix *m, const double *c, double *y)
{
    const rico_mpi_share *share = m->share;
    memset(y, 0, 6 * (size_t)share->own * sizeof *y);
    for (int64_t k = 0; k < share->contacts; k++) push(share, k, &c[3 * k], y);
}


rico_status rico_mpi_body_matrix_times(rico_mpi_body_matrix *m, double *x, double *y)
{
    rico_mpi_share *share = m->share;
    rico_status status = rico_mpi_share_hear_of(share, x);
    if (status) return status;
    for (int64_t b = 0; b < share->own; b++)
        for (int i = 0; i < 6; i++) {
            const double *M = &m->mass[36 * b + 6 * i], *own = &x[6 * b];
            y[6 * b + i] =
                M[0] * own[0] + M[1] * own[1] + M[2] * own[2] + M[3] * own[3] + M[4] * own[4] + M[5] * own[5];
        }
    for (int64_t c = 0; c < share->contacts; c++) {
        const double *C = &m->C[9 * c];
        double t[3], s[3];
        rico_mpi_body_matrix_read(share, c, x, t);
        for (int i = 0; i < 3; i++) s[i] = C[3 * i] * t[0] + C[3 * i + 1] * t[1] + C[3 * i + 2] * t[2];
        push(share, c, s, y);
    }
    return RICO_OK;
}


void rico_mpi_body_matrix_divide(const rico_mpi_body_matrix *m, const double *x, double *y)
{
    const rico_mpi_share *share = m->share;
    for (int64_t b = 0; b < share->own; b++) {
        const double *inverse = &share->inverse[36 * b], *in = &x[6 * b];
        double *out = &y[6 * b];
        for (int k = 0; k < 6; k++) out[k] = share->diagonal[b] ? inverse[k] * in[k] : 0.0;
        for (int j = 0; !share->diagonal[b] && j < 6; j++)
            for (int k = 0; k < 6; k++) out[k] += inverse[6 * j + k] * in[j];
    }
}
