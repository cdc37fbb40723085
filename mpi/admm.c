// Alternating directions with MUMPS: see admm.h.

#include "admm.h"

#include "cone/cone.h"

#include <math.h>
#include <string.h>

static const double RELAX = 1.6;
static const double SMALLEST = 1e-6; // eigenvalue of W assumed, over the largest
static const double POWER = 0.2;     // of the condition number, in the penalty
enum { POWER_STEPS = 12 };


static rico_status fail_petsc(rico_mpi_share *share, const char *what)
{
    return rico_fail(share->crew->ctx, RICO_INTERNAL, "PETSc or MUMPS could not %s", what);
}


void rico_mpi_admm_destroy(rico_mpi_admm *admm)
{
    if (!admm) return;
    rico_context *ctx = admm->share->crew->ctx;
    MatDestroy(&admm->factors);
    MatDestroy(&admm->matrix);
    VecDestroy(&admm->right);
    VecDestroy(&admm->answer);
    rico_free(ctx, admm->penalty);
    rico_free(ctx, admm->vectors);
    rico_free(ctx, admm);
}


// --- the penalty ------------------------------------------------------------------------------------------------


// |S^-1/2 W S^-1/2|, S = |W_aa|, by a few steps of the power method from a vector of ones.
static rico_status largest_eigenvalue(rico_mpi_admm *admm, double *out)
{
    rico_mpi_share *share = admm->share;
    double *x = admm->p, value = 1.0;
    for (int64_t i = 0; i < 3 * share->contacts; i++) x[i] = i % 3 < share->dimension ? 1.0 : 0.0;
    for (int k = 0; k < POWER_STEPS; k++) {
        memset(share->v, 0, 6 * (size_t)share->bodies * sizeof *share->v);
        for (int64_t c = 0; c < share->contacts; c++) {
            double step[3];
            for (int i = 0; i < 3; i++) step[i] = x[3 * c + i] / sqrt(share->norm[c]);
            rico_mpi_share_write(share, c, step, share->v);
        }
        rico_status status = rico_mpi_share_hear(share, -1);
        if (status) return status;
        rico_exact square = {0};
        for (int64_t u = 0; u < share->unit_count; u++) {
            double sum = 0.0;
            for (int64_t c = share->unit[u].first; c < share->unit[u].last; c++) {
                double velocity[3];
                rico_mpi_share_read(share, share->v, c, velocity);
                for (int i = 0; i < 3; i++) {
                    x[3 * c + i] = (velocity[i] - share->w[3 * c + i]) / sqrt(share->norm[c]);
                    sum += x[3 * c + i] * x[3 * c + i];
                }
            }
            if (share->unit[u].counts) rico_exact_add(&square, sum);
        }
        rico_crew_sum(share->crew, 1, &square);
        value = sqrt(rico_exact_value(&square));
        if (!(value > 0.0)) break;
        for (int64_t i = 0; i < 3 * share->contacts; i++) x[i] /= value;
    }
    *out = value > 0.0 ? value : 1.0;
    return RICO_OK;
}


// --- the matrix -------------------------------------------------------------------------------------------------


// Number of each local body in the order of all: own ones follow each other, those of others are asked for.
static rico_status number_bodies(rico_mpi_share *share, PetscInt *number)
{
    int64_t own = share->own, before = 0;
    MPI_Exscan(&own, &before, 1, MPI_INT64_T, MPI_SUM, share->crew->comm);
    if (share->crew->rank == 0) before = 0;
    for (int64_t b = 0; b < own; b++) share->v[6 * b] = (double)(before + b);
    rico_status status = rico_mpi_share_hear(share, -1);
    for (int64_t b = 0; b < share->bodies; b++) number[b] = (PetscInt)share->v[6 * b];
    return status;
}


// H_i X H_j' of a contact for the sides i and j, row-major.
static void couple(const rico_mpi_admm *admm, int64_t c, int i, int j, double block[36])
{
    const double *H = &admm->share->H[36 * c], x = 1.0 / admm->penalty[c];
    for (int k = 0; k < 6; k++)
        for (int l = 0; l < 6; l++) {
            double sum = 0.0;
            for (int row = 0; row < 3; row++) sum += H[18 * i + 3 * k + row] * H[18 * j + 3 * l + row];
            block[6 * k + l] = x * sum;
        }
}


static PetscErrorCode assemble(rico_mpi_admm *admm, const PetscInt *number, PetscInt *near, PetscInt *far)
{
    rico_mpi_share *share = admm->share;
    double block[36];
    PetscFunctionBegin;
    for (int64_t b = 0; b < share->own; b++) near[b] = 1;
    for (int64_t c = 0; c < share->contacts; c++) {
        int32_t a = share->body[2 * c], b = share->body[2 * c + 1];
        if (a < 0 || b < 0) continue;
        if (a < share->own) (b < share->own ? near : far)[a]++;
        if (b < share->own) (a < share->own ? near : far)[b]++;
    }
    PetscCall(MatCreateBAIJ(share->crew->comm, 6, (PetscInt)(6 * share->own), (PetscInt)(6 * share->own),
                            PETSC_DETERMINE, PETSC_DETERMINE, 0, near, 0, far, &admm->matrix));
    for (int64_t b = 0; b < share->own; b++) {
        if (!rico_mpi_share_mass(share, b, block)) SETERRQ(PETSC_COMM_SELF, PETSC_ERR_MAT_LU_ZRPVT, "mass");
        PetscCall(MatSetValuesBlocked(admm->matrix, 1, &number[b], 1, &number[b], block, ADD_VALUES));
    }
    for (int64_t c = 0; c < share->contacts; c++)
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) {
                int32_t row = share->body[2 * c + i], column = share->body[2 * c + j];
                // rows of others' bodies are theirs to add
                if (row < 0 || column < 0 || row >= share->own) continue;
                couple(admm, c, i, j, block);
                PetscCall(MatSetValuesBlocked(admm->matrix, 1, &number[row], 1, &number[column], block,
                                              ADD_VALUES));
            }
    PetscCall(MatAssemblyBegin(admm->matrix, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(admm->matrix, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}


// The analysis, with what it foresees for the rank that needs most, in bytes.
static PetscErrorCode analyse(rico_mpi_admm *admm, MatFactorInfo *info, double *bytes)
{
    PetscInt megabytes;
    PetscFunctionBegin;
    PetscCall(MatCreateVecs(admm->matrix, &admm->answer, &admm->right));
    PetscCall(MatGetFactor(admm->matrix, MATSOLVERMUMPS, MAT_FACTOR_LU, &admm->factors));
    PetscCall(MatFactorInfoInitialize(info));
    PetscCall(MatLUFactorSymbolic(admm->factors, admm->matrix, NULL, NULL, info));
    PetscCall(MatMumpsGetInfog(admm->factors, 16, &megabytes));
    *bytes = 1e6 * (double)megabytes;
    PetscFunctionReturn(0);
}


static rico_status factor(rico_mpi_admm *admm, double room)
{
    rico_crew *crew = admm->share->crew;
    MatFactorInfo info;
    double bytes = 0.0;
    rico_status status = RICO_OK;
    if (analyse(admm, &info, &bytes))
        status = fail_petsc(admm->share, "analyse M + H X H'");
    else if (room > 0.0 && bytes > room)
        status = rico_fail(crew->ctx, RICO_NO_MEMORY,
                           "the factors of M + H X H' would need %.2f GB on a rank, which may use %.2f GB",
                           bytes / 1e9, room / 1e9);
    // machines differ in what they have left: all go on, or none
    status = rico_crew_agree(crew, status);
    if (!status && MatLUFactorNumeric(admm->factors, admm->matrix, &info))
        status = fail_petsc(admm->share, "factor M + H X H'");
    return status;
}


rico_status rico_mpi_admm_create(rico_mpi_share *share, double rho, double room, rico_mpi_admm **out)
{
    rico_crew *crew = share->crew;
    rico_context *ctx = crew->ctx;
    rico_mpi_admm *admm = rico_alloc(ctx, 1, sizeof *admm);
    PetscInt *number = rico_alloc(ctx, share->bodies, sizeof *number);
    PetscInt *near = rico_alloc(ctx, share->own, sizeof *near),
             *far = rico_alloc(ctx, share->own, sizeof *far);
    int64_t rows = 3 * share->contacts;
    if (admm) {
        admm->share = share;
        admm->penalty = rico_alloc(ctx, share->contacts, sizeof *admm->penalty);
        admm->vectors = rico_alloc(ctx, 5 * rows, sizeof *admm->vectors);
    }
    bool fits = admm && admm->penalty && admm->vectors && number && near && far;
    rico_status status = rico_crew_agree(crew, fits ? RICO_OK : RICO_NO_MEMORY);
    if (!status) {
        double **vectors[] = {&admm->p, &admm->y, &admm->w, &admm->q, &admm->b};
        for (int k = 0; k < 5; k++) *vectors[k] = admm->vectors + k * rows;
        double largest = 1.0;
        if (!(rho > 0.0)) status = largest_eigenvalue(admm, &largest);
        if (!(rho > 0.0)) rho = largest * sqrt(SMALLEST) * pow(1.0 / SMALLEST, POWER);
        for (int64_t c = 0; c < share->contacts; c++) admm->penalty[c] = rho * share->norm[c];
    }
    if (!status) status = number_bodies(share, number);
    if (!status && assemble(admm, number, near, far)) status = fail_petsc(share, "assemble M + H X H'");
    if (!status) status = factor(admm, room);
    status = rico_crew_agree(crew, status);
    rico_free(ctx, number);
    rico_free(ctx, near);
    rico_free(ctx, far);
    if (status) {
        rico_mpi_admm_destroy(admm);
        return status;
    }
    *out = admm;
    return RICO_OK;
}


// --- iterations -------------------------------------------------------------------------------------------------


rico_status rico_mpi_admm_begin(rico_mpi_admm *admm, const double *r)
{
    rico_mpi_share *share = admm->share;
    for (int64_t c = 0; c < share->contacts; c++)
        rico_mpi_share_read(share, share->v_free, c, &admm->q[3 * c]);
    rico_status status = rico_mpi_share_velocities(share, r, true);
    for (int64_t c = 0; !status && c < share->contacts; c++) {
        double u[3];
        rico_mpi_share_read(share, share->v, c, u);
        u[0] += share->mu[c] * hypot(u[1], u[2]);
        for (int i = 0; i < 3; i++) admm->p[3 * c + i] = r[3 * c + i] - u[i] / admm->penalty[c];
    }
    return status;
}


// v of own bodies, then of all, from H X b.
static PetscErrorCode solve_velocities(rico_mpi_admm *admm)
{
    rico_mpi_share *share = admm->share;
    PetscScalar *right;
    const PetscScalar *answer;
    PetscFunctionBegin;
    PetscCall(VecGetArrayWrite(admm->right, &right));
    memset(right, 0, 6 * (size_t)share->own * sizeof *right);
    for (int64_t c = 0; c < share->contacts; c++) {
        const double *H = &share->H[36 * c], *b = &admm->b[3 * c], x = 1.0 / admm->penalty[c];
        for (int side = 0; side < 2; side++, H += 18) {
            int32_t body = share->body[2 * c + side];
            if (body < 0 || body >= share->own) continue;
            for (int k = 0; k < 6; k++)
                right[6 * body + k] += x * (H[3 * k] * b[0] + H[3 * k + 1] * b[1] + H[3 * k + 2] * b[2]);
        }
    }
    PetscCall(VecRestoreArrayWrite(admm->right, &right));
    PetscCall(MatSolve(admm->factors, admm->right, admm->answer));
    PetscCall(VecGetArrayRead(admm->answer, &answer));
    memcpy(share->v, answer, 6 * (size_t)share->own * sizeof *share->v);
    PetscCall(VecRestoreArrayRead(admm->answer, &answer));
    PetscFunctionReturn(0);
}


rico_status rico_mpi_admm_step(rico_mpi_admm *admm)
{
    rico_mpi_share *share = admm->share;
    int n = share->dimension;
    for (int64_t c = 0; c < share->contacts; c++) {
        rico_block block = {
            .kind = n == 3 ? RICO_COULOMB_3D : RICO_COULOMB_2D, .size = n, .friction = share->mu[c]};
        double *p = &admm->p[3 * c], *y = &admm->y[3 * c], *w = &admm->w[3 * c], *b = &admm->b[3 * c];
        memcpy(y, p, 3 * sizeof *y);
        rico_cone_kinds[block.kind].project(&block, y);
        for (int i = 0; i < 3; i++) {
            w[i] = p[i] - y[i];
            b[i] = admm->penalty[c] * (y[i] - w[i]) - admm->q[3 * c + i];
        }
        // at rest -R w is hat(u), so that slip is known from w
        b[0] -= share->mu[c] * admm->penalty[c] * hypot(w[1], w[2]);
    }
    if (solve_velocities(admm)) return fail_petsc(share, "solve with the factors of M + H X H'");
    rico_status status = rico_mpi_share_hear(share, -1);
    for (int64_t c = 0; !status && c < share->contacts; c++) {
        double u[3];
        rico_mpi_share_read(share, share->v, c, u);
        for (int i = 0; i < n; i++) {
            double r = (admm->b[3 * c + i] - (u[i] - share->w[3 * c + i])) / admm->penalty[c];
            admm->p[3 * c + i] += RELAX * (r - admm->y[3 * c + i]);
        }
    }
    return status;
}
