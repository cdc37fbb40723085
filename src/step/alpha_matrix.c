// The matrices of Newton's loop: one block for each stage and set of unknowns, on one pattern.
//
// With dq = bq (dvd + dU') and dv = bv (dvd + dW'), the derivatives of the equations of stage s by the unknowns of stage t
// (Bruls, Acary and Cardona 2018, section 3.5, in the scaled unknowns):
//
//     forces   delta_st M + wq_t K_s + wv_t C_s,    K_1 = -df/dq - d(G'lam)/dq,   K_s = -d(G'm)/dq,   C_1 = -df/dv
//     rows     g/bq: (wq_t/bq) G,   (G v + w)/bv: (wq_t D(v) + wv_t G)/bv,   G vd + gamma: delta_1t G + wq_t Da + wv_t Cv
//     m        delta_st times -G' in the forces, and the unit row where a multiplier is given
//
// with wq = (bq, bq, 0), wv = (bv, 0, bv). One after the other, each stage is solved with its own block on the diagonal;
// in full Newton all blocks stand in one matrix. How the mass changes with q is left out.

#include "step/alpha.h"

#include "la/dense.h"

#include <string.h>


// Where entries stand.
static void forget_places(rico_simulation *sim)
{
    rico_alpha *own = sim->own;
    int64_t **all[] = {&own->at_system, &own->at_H,    &own->at_Ht,
                       &own->at_own,    &own->at_bend, &own->bend_start};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        rico_free(sim->ctx, *all[i]);
        *all[i] = NULL;
    }
}


void rico_alpha_forget_whole(rico_simulation *sim)
{
    rico_alpha *own = sim->own;
    rico_factor_destroy(own->whole_factor);
    own->whole_factor = NULL;
    rico_csc_destroy(&own->whole);
    rico_free(sim->ctx, own->whole_right);
    own->whole_right = NULL;
}


// What is made for one pattern.
static void forget_factors(rico_simulation *sim)
{
    rico_alpha *own = sim->own;
    for (int s = 0; s < RICO_ALPHA_STAGES; s++) {
        rico_factor_destroy(own->factor[s]);
        rico_free(sim->ctx, own->known[s]);
        own->factor[s] = NULL;
        own->known[s] = NULL;
        own->factored[s] = false;
    }
    rico_alpha_forget_whole(sim);
}


void rico_alpha_matrix_destroy(rico_simulation *sim)
{
    rico_alpha *own = sim->own;
    forget_places(sim);
    forget_factors(sim);
    rico_csc_destroy(&own->pattern);
}


// --- the pattern ---------------------------------------------------------------------------------------------------

typedef struct triplets {
    int64_t count, *row, *col;
} triplets;


static void put(triplets *list, int64_t row, int64_t col)
{
    if (list->row) {
        list->row[list->count] = row;
        list->col[list->count] = col;
    }
    list->count++;
}


// Every entry that some block may have, in one order: M, K and C; H; multipliers; velocities of a constraint.
static void list_entries(const rico_simulation *sim, triplets *list)
{
    const rico_csc *M = &sim->system->pattern, *H = &sim->assembly->H;
    int64_t nv = sim->nv;
    list->count = 0;
    for (int64_t j = 0; j < nv; j++)
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++) put(list, M->row[k], j);
    for (int64_t i = 0; i < sim->rows; i++)
        for (int64_t k = H->start[i]; k < H->start[i + 1]; k++) put(list, nv + i, H->row[k]);
    for (int64_t i = 0; i < sim->rows; i++)
        for (int64_t k = H->start[i]; k < H->start[i + 1]; k++) put(list, H->row[k], nv + i);
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        for (int64_t i = constraint->row; i < constraint->row + constraint->size; i++) {
            put(list, nv + i, nv + i);
            put(list, nv + i, nv + (constraint->joint ? i : constraint->row));
        }
    }
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        for (int64_t i = 0; !constraint->gradient && i < constraint->dof_count; i++)
            for (int64_t k = 0; k < constraint->dof_count; k++)
                put(list, constraint->dof[k], constraint->dof[i]);
    }
}


// Where each of the entries listed stands in the pattern.
static void find_entries(rico_simulation *sim, const triplets *list)
{
    rico_alpha *own = sim->own;
    int64_t at = 0, entries = rico_csc_count(&sim->system->pattern), held = rico_csc_count(&sim->assembly->H);
    int64_t *where[] = {own->at_system, own->at_H, own->at_Ht, own->at_own};
    int64_t counts[] = {entries, held, held, 2 * sim->rows};
    for (int w = 0; w < 4; w++)
        for (int64_t k = 0; k < counts[w]; k++, at++)
            where[w][k] = rico_csc_find(&own->pattern, list->row[at], list->col[at]);
    int64_t bend = 0;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        int64_t square = constraint->gradient ? 0 : constraint->dof_count * constraint->dof_count;
        own->bend_start[c] = bend;
        for (int64_t k = 0; k < square; k++, at++, bend++)
            own->at_bend[bend] = rico_csc_find(&own->pattern, list->row[at], list->col[at]);
    }
}


static rico_status make_pattern(rico_simulation *sim)
{
    rico_alpha *own = sim->own;
    rico_context *ctx = sim->ctx;
    triplets list = {0};
    list_entries(sim, &list);
    int64_t total = list.count, entries = rico_csc_count(&sim->system->pattern),
            held = rico_csc_count(&sim->assembly->H), bend = total - entries - 2 * held - 2 * sim->rows;
    list.row = rico_alloc(ctx, total, sizeof *list.row);
    list.col = rico_alloc(ctx, total, sizeof *list.col);
    double *zero = rico_alloc(ctx, total, sizeof *zero);
    own->at_system = rico_alloc(ctx, entries, sizeof(int64_t));
    own->at_H = rico_alloc(ctx, held, sizeof(int64_t));
    own->at_Ht = rico_alloc(ctx, held, sizeof(int64_t));
    own->at_own = rico_alloc(ctx, 2 * sim->rows, sizeof(int64_t));
    own->at_bend = rico_alloc(ctx, bend, sizeof(int64_t));
    own->bend_start = rico_alloc(ctx, sim->constraints, sizeof(int64_t));
    bool whole = list.row && list.col && zero && own->at_system && own->at_H && own->at_Ht && own->at_own &&
                 own->at_bend && own->bend_start;
    rico_status status = whole ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK) {
        list_entries(sim, &list);
        status = rico_csc_from_triplets(ctx, "KKT", own->size, own->size, total, list.row, list.col, zero,
                                        &own->pattern);
    }
    if (status == RICO_OK) find_entries(sim, &list);
    rico_free(ctx, list.row);
    rico_free(ctx, list.col);
    rico_free(ctx, zero);
    return status;
}


// Every block on the same pattern: column j of stage t holds column j of each stage's block, one below the other.
static rico_status make_whole(rico_simulation *sim)
{
    rico_alpha *own = sim->own;
    rico_context *ctx = sim->ctx;
    int64_t n = own->size, stages = own->levels->stages, count = rico_csc_count(&own->pattern), at = 0;
    own->whole = (rico_csc){.ctx = ctx, .rows = stages * n, .cols = stages * n};
    own->whole.start = rico_alloc(ctx, stages * n + 1, sizeof(int64_t));
    own->whole.row = rico_alloc(ctx, stages * stages * count, sizeof(int64_t));
    own->whole.value = rico_alloc(ctx, stages * stages * count, sizeof(double));
    own->whole_right = rico_alloc(ctx, stages * n, sizeof(double));
    if (!own->whole.start || !own->whole.row || !own->whole.value || !own->whole_right) return RICO_NO_MEMORY;
    for (int64_t column = 0; column < stages * n; column++) {
        int64_t j = column % n;
        for (int64_t s = 0; s < stages; s++)
            for (int64_t k = own->pattern.start[j]; k < own->pattern.start[j + 1]; k++)
                own->whole.row[at++] = s * n + own->pattern.row[k];
        own->whole.start[column + 1] = at;
    }
    return RICO_OK;
}


static bool same_pattern(const rico_csc *a, const rico_csc *b)
{
    if (!a->start || !b->start || a->cols != b->cols || rico_csc_count(a) != rico_csc_count(b)) return false;
    return memcmp(a->start, b->start, (size_t)(a->cols + 1) * sizeof *a->start) == 0 &&
           memcmp(a->row, b->row, (size_t)rico_csc_count(a) * sizeof *a->row) == 0;
}


// For the constraints of the step. A pattern that is the old one keeps its factors.
rico_status rico_alpha_matrix_resize(rico_simulation *sim)
{
    rico_alpha *own = sim->own;
    rico_csc before = own->pattern;
    own->pattern = (rico_csc){0};
    forget_places(sim);
    own->size = sim->nv + sim->rows;
    rico_status status = make_pattern(sim);
    bool same = status == RICO_OK && same_pattern(&before, &own->pattern);
    rico_csc_destroy(&before);
    if (same) return RICO_OK;
    forget_factors(sim);
    for (int s = 0; status == RICO_OK && s < RICO_ALPHA_STAGES; s++) {
        own->known[s] = rico_alloc(sim->ctx, rico_csc_count(&own->pattern), sizeof(double));
        if (!own->known[s]) status = RICO_NO_MEMORY;
    }
    return status;
}


// --- one block -----------------------------------------------------------------------------------------------------

// The forces of stage s by the positions and velocities that unknowns of stage t move.
static rico_status fill_forces(rico_simulation *sim, int s, int t, double wq, double wv)
{
    rico_alpha *own = sim->own;
    const rico_assembly *assembly = sim->assembly;
    double *value = own->pattern.value;
    int64_t count = rico_csc_count(&sim->system->pattern);
    bool old = own->levels->old && s == RICO_ALPHA_POSITION;
    if (old && s == t)
        for (int64_t j = 0; j < sim->nv; j++) value[rico_csc_find(&own->pattern, j, j)] = 1.0;
    for (int64_t k = 0; !old && s == t && k < count; k++) value[own->at_system[k]] += assembly->M[k];
    for (int64_t k = 0; s == RICO_ALPHA_SMOOTH && k < count; k++)
        value[own->at_system[k]] += wq * assembly->K[k] + wv * assembly->C[k];
    const double *G = old ? own->old : assembly->H.value;
    for (int64_t k = 0; s == t && k < rico_csc_count(&assembly->H); k++) value[own->at_Ht[k]] -= G[k];
    if (old || wq == 0.0) return RICO_OK;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        int64_t square = constraint->dof_count * constraint->dof_count;
        const double *m = own->m[s] + constraint->row;
        bool acts = false;
        for (int64_t i = 0; i < constraint->size; i++) acts |= m[i] != 0.0;
        if (constraint->gradient || !acts) continue;
        rico_status status =
            rico_assembly_bend(sim->assembly, &own->turning, c, *sim->next.t, own->q, m, own->L);
        if (status != RICO_OK) return status;
        for (int64_t k = 0; k < square; k++) value[own->at_bend[own->bend_start[c] + k]] -= wq * own->L[k];
    }
    return RICO_OK;
}


// One entry of a row of the kind given.
static double row_entry(const rico_simulation *sim, rico_alpha_row kind, int t, double wq, double wv,
                        int64_t k)
{
    const rico_alpha *own = sim->own;
    double G = sim->assembly->H.value[k], accelerations = t == RICO_ALPHA_SMOOTH ? 1.0 : 0.0;
    double position = wq * G, velocity = wq * own->Dv[k] + wv * G;
    double acceleration = accelerations * G + wq * own->Da[k] + wv * own->Cv[k];
    switch (kind) {
    case RICO_ROW_POSITION:
        return position / own->bq;
    case RICO_ROW_VELOCITY:
        return velocity / own->bv;
    case RICO_ROW_SMOOTH:
        return wq * own->Ds[k] / own->bv + accelerations * G;
    case RICO_ROW_BAUMGARTE:
        break;
    default:
        return acceleration;
    }
    double damping = rico_scheme_option(sim, RICO_ALPHA_DAMPING),
           stiffness = rico_scheme_option(sim, RICO_ALPHA_STIFFNESS);
    return acceleration + 2.0 * damping * velocity + stiffness * stiffness * position;
}


static void fill_rows(rico_simulation *sim, int s, int t, double wq, double wv)
{
    static const rico_alpha_row KIND[] = {0, RICO_ROW_POSITION, RICO_ROW_VELOCITY};
    const rico_alpha *own = sim->own;
    const rico_csc *H = &sim->assembly->H;
    rico_alpha_row kind = s == RICO_ALPHA_SMOOTH ? own->smooth : KIND[s];
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        for (int64_t i = constraint->row; i < constraint->row + constraint->size; i++) {
            if (own->mode[s][i] == RICO_MODE_ON) {
                for (int64_t k = H->start[i]; k < H->start[i + 1]; k++)
                    own->pattern.value[own->at_H[k]] = row_entry(sim, kind, t, wq, wv, k);
                continue;
            }
            if (s != t) continue;
            own->pattern.value[own->at_own[2 * i]] = 1.0;
            if (own->mode[s][i] == RICO_MODE_SLIP)
                own->pattern.value[own->at_own[2 * i + 1]] = constraint->friction * own->direction[i];
            if (own->mode[s][i] == RICO_MODE_LEAN) own->pattern.value[own->at_own[2 * i + 1]] = -own->lean[i];
        }
    }
}


static rico_status fill(rico_simulation *sim, int s, int t)
{
    rico_alpha *own = sim->own;
    double wq = t == RICO_ALPHA_VELOCITY ? 0.0 : own->bq, wv = t == RICO_ALPHA_POSITION ? 0.0 : own->bv;
    memset(own->pattern.value, 0, (size_t)rico_csc_count(&own->pattern) * sizeof *own->pattern.value);
    rico_status status = fill_forces(sim, s, t, wq, wv);
    if (status == RICO_OK) fill_rows(sim, s, t, wq, wv);
    return status;
}


// --- solving -------------------------------------------------------------------------------------------------------

// Constraints that depend on one another leave the matrix singular: each row then asks for a little less than it should of
// its own multiplier, which gives the share of least norm as the loop goes on, its residuals being exact.
static void soften(rico_simulation *sim, const int *stages, int count, rico_csc *matrix)
{
    static const double RIDGE = 1e-10;
    const rico_alpha *own = sim->own;
    bool whole = matrix == &own->whole;
    for (int n = 0; n < count; n++)
        for (int64_t i = 0; i < sim->rows; i++) {
            if (own->mode[stages[n]][i] != RICO_MODE_ON) continue;
            int64_t first = whole ? n * own->size : 0, place = first + sim->nv + i;
            matrix->value[rico_csc_find(matrix, place, place)] += RIDGE / own->r[i];
        }
}


static rico_status factorize(const rico_csc *matrix, rico_factor **factor)
{
    static const double SINGULAR = 1e-14; // reciprocal condition of rows that depend on one another
    rico_status status =
        *factor ? rico_factor_refactor(*factor, matrix) : rico_factor_create(RICO_LU, matrix, factor);
    if (status == RICO_OK && rico_factor_statistics(*factor).reciprocal_condition < SINGULAR)
        status = RICO_SINGULAR;
    return status;
}


static rico_status factor_or_soften(rico_simulation *sim, const int *stages, int count, rico_csc *matrix,
                                    rico_factor **factor)
{
    rico_status status = factorize(matrix, factor);
    if (status != RICO_SINGULAR) return status;
    soften(sim, stages, count, matrix);
    status = *factor ? rico_factor_refactor(*factor, matrix) : rico_factor_create(RICO_LU, matrix, factor);
    if (status == RICO_SINGULAR)
        rico_fail_in(sim->ctx, status, "the matrix of the motion and its constraints is singular");
    return status;
}


rico_status rico_alpha_solve_stage(rico_simulation *sim, int stage)
{
    rico_alpha *own = sim->own;
    int64_t nv = sim->nv;
    size_t bytes = (size_t)rico_csc_count(&own->pattern) * sizeof(double);
    rico_status status = fill(sim, stage, stage);
    if (status != RICO_OK) return status;
    // what is factored already is not factored again
    bool same = own->factored[stage] && memcmp(own->known[stage], own->pattern.value, bytes) == 0;
    if (!same) {
        memcpy(own->known[stage], own->pattern.value, bytes);
        own->factored[stage] = false;
        status = factor_or_soften(sim, &stage, 1, &own->pattern, &own->factor[stage]);
        if (status != RICO_OK) return status;
        own->factored[stage] = true;
        sim->iteration.factorizations++;
    }
    for (int64_t i = 0; i < nv; i++) own->right[i] = -own->R[stage][i];
    for (int64_t i = 0; i < sim->rows; i++) own->right[nv + i] = -own->C[stage][i];
    status = rico_factor_solve(own->factor[stage], 1, own->right, own->right);
    if (status != RICO_OK) return status;
    memcpy(own->R[stage], own->right, (size_t)nv * sizeof *own->right);
    memcpy(own->C[stage], own->right + nv, (size_t)sim->rows * sizeof *own->right);
    return RICO_OK;
}


// A block into its place in the matrix of all stages.
static void copy_block(rico_alpha *own, int s, int t)
{
    int64_t stages = own->levels->stages, count = rico_csc_count(&own->pattern);
    const int64_t *start = own->pattern.start;
    for (int64_t j = 0; j < own->size; j++) {
        int64_t length = start[j + 1] - start[j], to = t * stages * count + stages * start[j] + s * length;
        memcpy(own->whole.value + to, own->pattern.value + start[j], (size_t)length * sizeof(double));
    }
}


rico_status rico_alpha_solve_all(rico_simulation *sim)
{
    static const int STAGES[] = {RICO_ALPHA_SMOOTH, RICO_ALPHA_POSITION, RICO_ALPHA_VELOCITY};
    rico_alpha *own = sim->own;
    int stages = own->levels->stages;
    int64_t n = own->size;
    if (own->whole.cols != stages * n) rico_alpha_forget_whole(sim);
    rico_status status = own->whole.start ? RICO_OK : make_whole(sim);
    for (int s = 0; status == RICO_OK && s < stages; s++)
        for (int t = 0; status == RICO_OK && t < stages; t++) {
            status = fill(sim, s, t);
            copy_block(own, s, t);
        }
    if (status == RICO_OK) status = factor_or_soften(sim, STAGES, stages, &own->whole, &own->whole_factor);
    if (status != RICO_OK) return status;
    sim->iteration.factorizations++;
    for (int s = 0; s < stages; s++) {
        for (int64_t i = 0; i < sim->nv; i++) own->whole_right[s * n + i] = -own->R[s][i];
        for (int64_t i = 0; i < sim->rows; i++) own->whole_right[s * n + sim->nv + i] = -own->C[s][i];
    }
    status = rico_factor_solve(own->whole_factor, 1, own->whole_right, own->whole_right);
    for (int s = 0; status == RICO_OK && s < stages; s++) {
        memcpy(own->R[s], own->whole_right + s * n, (size_t)sim->nv * sizeof(double));
        memcpy(own->C[s], own->whole_right + s * n + sim->nv, (size_t)sim->rows * sizeof(double));
    }
    return status;
}
