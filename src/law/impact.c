// The system of an impact: its mass, its Delassus matrix, the parameters of its contacts, angles between them.

#include "law/impact.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

// M and its transpose may differ by this part of M and still count as symmetric
static const double symmetry_tolerance = 1e-12;


static bool is_diagonal(const rico_csc *M)
{
    for (int64_t j = 0; j < M->cols; j++)
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++)
            if (M->row[k] != j && M->value[k] != 0.0) return false;
    return true;
}


static rico_status invert_diagonal(rico_impact *impact)
{
    const rico_csc *M = &impact->M;
    impact->inverse_mass = rico_alloc(impact->ctx, impact->dofs, sizeof *impact->inverse_mass);
    if (!impact->inverse_mass) return RICO_NO_MEMORY;
    for (int64_t j = 0; j < M->cols; j++) {
        double mass = 0.0;
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++)
            if (M->row[k] == j) mass = M->value[k];
        if (!(mass > 0.0))
            return rico_fail(impact->ctx, RICO_SINGULAR, "the mass M[%lld][%lld] = %g is not positive",
                             (long long)j, (long long)j, mass);
        impact->inverse_mass[j] = 1.0 / mass;
    }
    return RICO_OK;
}


static rico_status prepare_mass(rico_impact *impact)
{
    if (is_diagonal(&impact->M)) return invert_diagonal(impact);
    double defect = rico_csc_symmetry_defect(&impact->M);
    if (defect < 0.0) return RICO_NO_MEMORY;
    if (defect > symmetry_tolerance)
        return rico_fail(impact->ctx, RICO_BAD_INPUT, "M is not symmetric: |M - M'| is %g of |M|", defect);
    rico_status status = rico_factor_create(RICO_CHOLESKY, &impact->M, &impact->factor);
    return status == RICO_SINGULAR ? rico_fail_in(impact->ctx, status, "the mass matrix") : status;
}


rico_status rico_impact_solve_mass(const rico_impact *impact, double *x)
{
    if (impact->factor) return rico_factor_solve(impact->factor, 1, x, x);
    for (int64_t i = 0; i < impact->dofs; i++) x[i] *= impact->inverse_mass[i];
    return RICO_OK;
}


// Column j of M^-1 W, dense; for a diagonal M without a look at the other rows.
static rico_status mass_column(const rico_impact *impact, int64_t j, double *x)
{
    const rico_csc *W = &impact->W;
    for (int64_t k = W->start[j]; k < W->start[j + 1]; k++)
        x[W->row[k]] = impact->factor ? W->value[k] : W->value[k] * impact->inverse_mass[W->row[k]];
    return impact->factor ? rico_factor_solve(impact->factor, 1, x, x) : RICO_OK;
}


// Triplets of G. Both halves come from one product, so that G is symmetric to the last bit.
typedef struct triplets {
    int64_t count, room;
    int64_t *row, *col;
    double *value;
} triplets;


static void triplets_release(rico_context *ctx, triplets *t)
{
    rico_free(ctx, t->row);
    rico_free(ctx, t->col);
    rico_free(ctx, t->value);
}


static rico_status triplets_add(rico_context *ctx, triplets *t, int64_t row, int64_t col, double value)
{
    if (t->count == t->room) {
        int64_t room = 2 * t->room + 64;
        int64_t *rows = rico_grow(ctx, t->row, t->room, room, sizeof *rows);
        if (rows) t->row = rows;
        int64_t *cols = rico_grow(ctx, t->col, t->room, room, sizeof *cols);
        if (cols) t->col = cols;
        double *values = rico_grow(ctx, t->value, t->room, room, sizeof *values);
        if (values) t->value = values;
        if (!rows || !cols || !values) return RICO_NO_MEMORY;
        t->room = room;
    }
    t->row[t->count] = row;
    t->col[t->count] = col;
    t->value[t->count++] = value;
    return RICO_OK;
}


// Column j of G below and on the diagonal, with its mirror. With a diagonal M only contacts that share a dof meet, and
// `rows` (W by dofs) finds them; otherwise every contact is asked.
static rico_status add_delassus_column(const rico_impact *impact, const rico_csc *rows, int64_t j,
                                       const double *x, int64_t *last_seen, triplets *t)
{
    const rico_csc *W = &impact->W;
    rico_status status = RICO_OK;
    int64_t entries = impact->factor ? 1 : W->start[j + 1] - W->start[j];
    for (int64_t e = 0; e < entries && !status; e++) {
        int64_t dof = impact->factor ? 0 : W->row[W->start[j] + e];
        int64_t begin = impact->factor ? j : rows->start[dof];
        int64_t end = impact->factor ? impact->contacts : rows->start[dof + 1];
        for (int64_t c = begin; c < end && !status; c++) {
            int64_t i = impact->factor ? c : rows->row[c];
            if (i < j || last_seen[i] == j) continue;
            last_seen[i] = j;
            double value = 0.0;
            for (int64_t k = W->start[i]; k < W->start[i + 1]; k++) value += W->value[k] * x[W->row[k]];
            if (value == 0.0 && i != j) continue;
            status = triplets_add(impact->ctx, t, i, j, value);
            if (!status && i != j) status = triplets_add(impact->ctx, t, j, i, value);
        }
    }
    return status;
}


static rico_status form_delassus(rico_impact *impact)
{
    rico_context *ctx = impact->ctx;
    int64_t n = impact->dofs, h = impact->contacts;
    const rico_csc *W = &impact->W;
    rico_csc rows = {0};
    triplets t = {0};
    double *x = rico_alloc(ctx, n, sizeof *x);
    int64_t *last_seen = rico_alloc(ctx, h, sizeof *last_seen);
    rico_status status = x && last_seen ? rico_csc_transpose(W, &rows) : RICO_NO_MEMORY;
    for (int64_t i = 0; i < h && !status; i++) last_seen[i] = -1;

    for (int64_t j = 0; j < h && !status; j++) {
        status = mass_column(impact, j, x);
        if (!status) status = add_delassus_column(impact, &rows, j, x, last_seen, &t);
        if (impact->factor) memset(x, 0, (size_t)n * sizeof *x);
        for (int64_t k = W->start[j]; k < W->start[j + 1]; k++) x[W->row[k]] = 0.0;
    }
    if (!status) status = rico_csc_from_triplets(ctx, "G", h, h, t.count, t.row, t.col, t.value, &impact->G);
    triplets_release(ctx, &t);
    rico_csc_destroy(&rows);
    rico_free(ctx, x);
    rico_free(ctx, last_seen);
    return status;
}


static rico_status prepare_contacts(rico_impact *impact)
{
    rico_context *ctx = impact->ctx;
    int64_t h = impact->contacts;
    impact->diagonal = rico_alloc(ctx, h, sizeof *impact->diagonal);
    impact->restitution = rico_alloc(ctx, h, sizeof *impact->restitution);
    impact->stiffness = rico_alloc(ctx, h, sizeof *impact->stiffness);
    impact->exponent = rico_alloc(ctx, h, sizeof *impact->exponent);
    impact->energy = rico_alloc(ctx, h, sizeof *impact->energy);
    impact->damping = rico_alloc(ctx, h, sizeof *impact->damping);
    impact->active = rico_alloc(ctx, h, sizeof *impact->active);
    bool room = impact->diagonal && impact->restitution && impact->stiffness && impact->exponent &&
                impact->energy && impact->damping && impact->active;
    if (!room) return RICO_NO_MEMORY;

    const rico_csc *G = &impact->G;
    for (int64_t j = 0; j < h; j++) {
        impact->restitution[j] = impact->stiffness[j] = 1.0;
        impact->exponent[j] = 1.5;
        impact->damping[j] = NAN;
        impact->active[j] = true;
        for (int64_t k = G->start[j]; k < G->start[j + 1]; k++) {
            if (G->row[k] == j) impact->diagonal[j] = G->value[k];
            int64_t distance = G->row[k] > j ? G->row[k] - j : j - G->row[k];
            if (distance > impact->bandwidth) impact->bandwidth = distance;
        }
    }
    return RICO_OK;
}


rico_status rico_impact_create(rico_context *ctx, const rico_sparse_view *M, const rico_sparse_view *W,
                               rico_impact **out)
{
    rico_impact *impact = rico_alloc(ctx, 1, sizeof *impact);
    if (!impact) return RICO_NO_MEMORY;
    impact->ctx = ctx;
    rico_status status = rico_csc_from_view(ctx, "M", M, &impact->M);
    if (!status) status = rico_csc_from_view(ctx, "W", W, &impact->W);
    if (!status && M->rows != M->cols)
        status = rico_fail(ctx, RICO_BAD_INPUT, "M is %lld x %lld, not square", (long long)M->rows,
                           (long long)M->cols);
    if (!status && W->rows != M->rows)
        status = rico_fail(ctx, RICO_BAD_INPUT, "W has %lld rows, M has %lld", (long long)W->rows,
                           (long long)M->rows);
    impact->dofs = impact->M.rows;
    impact->contacts = impact->W.cols;
    if (!status) status = prepare_mass(impact);
    if (!status) status = form_delassus(impact);
    if (!status) status = prepare_contacts(impact);
    if (status) {
        rico_impact_destroy(impact);
        return status;
    }
    *out = impact;
    return RICO_OK;
}


void rico_impact_destroy(rico_impact *impact)
{
    if (!impact) return;
    rico_context *ctx = impact->ctx;
    rico_csc_destroy(&impact->M);
    rico_csc_destroy(&impact->W);
    rico_csc_destroy(&impact->G);
    rico_factor_destroy(impact->factor);
    rico_free(ctx, impact->inverse_mass);
    rico_free(ctx, impact->diagonal);
    rico_free(ctx, impact->restitution);
    rico_free(ctx, impact->stiffness);
    rico_free(ctx, impact->exponent);
    rico_free(ctx, impact->energy);
    rico_free(ctx, impact->damping);
    rico_free(ctx, impact->active);
    rico_free(ctx, impact->friction);
    rico_impact_destroy(impact->full);
    rico_free(ctx, impact);
}


int64_t rico_impact_dofs(const rico_impact *impact)
{
    return impact->dofs;
}


int64_t rico_impact_contacts(const rico_impact *impact)
{
    return impact->contacts;
}


rico_sparse_view rico_impact_delassus(const rico_impact *impact)
{
    return rico_csc_view(&impact->G);
}


static rico_status check_contact(const rico_impact *impact, int64_t contact)
{
    if (contact == RICO_ALL_CONTACTS || (contact >= 0 && contact < impact->contacts)) return RICO_OK;
    return rico_fail(impact->ctx, RICO_BAD_ARGUMENT, "contact %lld is none of the %lld of the impact",
                     (long long)contact, (long long)impact->contacts);
}


// Writes value into one entry or all of them.
static rico_status set_entries(const rico_impact *impact, int64_t contact, double value, double *entries)
{
    rico_status status = check_contact(impact, contact);
    for (int64_t j = 0; j < impact->contacts && !status; j++)
        if (contact == RICO_ALL_CONTACTS || contact == j) entries[j] = value;
    return status;
}


rico_status rico_impact_set_restitution(rico_impact *impact, int64_t contact, double e)
{
    if (!(e >= 0.0 && e <= 1.0))
        return rico_fail(impact->ctx, RICO_BAD_ARGUMENT, "the restitution %g is outside [0, 1]", e);
    return set_entries(impact, contact, e, impact->restitution);
}


rico_status rico_impact_set_stiffness(rico_impact *impact, int64_t contact, double K)
{
    if (!(K > 0.0 && isfinite(K)))
        return rico_fail(impact->ctx, RICO_BAD_ARGUMENT, "the stiffness %g is not a positive number", K);
    return set_entries(impact, contact, K, impact->stiffness);
}


rico_status rico_impact_set_exponent(rico_impact *impact, int64_t contact, double eta)
{
    if (!(eta > 0.0 && isfinite(eta)))
        return rico_fail(impact->ctx, RICO_BAD_ARGUMENT,
                         "the elasticity exponent %g is not a positive number", eta);
    return set_entries(impact, contact, eta, impact->exponent);
}


rico_status rico_impact_set_energy(rico_impact *impact, int64_t contact, double energy)
{
    if (!(energy >= 0.0 && isfinite(energy)))
        return rico_fail(impact->ctx, RICO_BAD_ARGUMENT, "the potential energy %g is negative or no number",
                         energy);
    return set_entries(impact, contact, energy, impact->energy);
}


rico_status rico_impact_set_damping(rico_impact *impact, int64_t contact, double C)
{
    if (!(C >= 0.0 && isfinite(C)) && !isnan(C))
        return rico_fail(impact->ctx, RICO_BAD_ARGUMENT, "the damping %g is negative or infinite", C);
    return set_entries(impact, contact, C, impact->damping);
}


rico_status rico_impact_set_active(rico_impact *impact, int64_t contact, bool active)
{
    rico_status status = check_contact(impact, contact);
    for (int64_t j = 0; j < impact->contacts && !status; j++)
        if (contact == RICO_ALL_CONTACTS || contact == j) impact->active[j] = active;
    return status;
}


double rico_impact_kinetic_energy(const rico_impact *impact, const double *u)
{
    const rico_csc *M = &impact->M;
    double sum = 0.0;
    for (int64_t j = 0; j < M->cols; j++)
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++) sum += u[M->row[k]] * M->value[k] * u[j];
    return 0.5 * sum;
}


void rico_impact_gap_velocity(const rico_impact *impact, const double *u, double *gamma)
{
    rico_csc_transpose_times(&impact->W, 1.0, u, 0.0, gamma);
}


rico_status rico_impact_velocity_change(const rico_impact *impact, const double *impulse, double *velocity)
{
    rico_csc_times(&impact->W, 1.0, impulse, 0.0, velocity);
    return rico_impact_solve_mass(impact, velocity);
}


static double delassus_entry(const rico_impact *impact, int64_t i, int64_t j)
{
    const rico_csc *G = &impact->G;
    for (int64_t k = G->start[j]; k < G->start[j + 1]; k++)
        if (G->row[k] == i) return G->value[k];
    return 0.0;
}


// -G_ij / sqrt(G_ii G_jj), after a check of the two contacts.
static rico_status kinetic_cosine(const rico_impact *impact, int64_t i, int64_t j, double *cosine)
{
    int64_t h = impact->contacts;
    if (i < 0 || j < 0 || i >= h || j >= h || i == j)
        return rico_fail(impact->ctx, RICO_BAD_ARGUMENT, "%lld and %lld are not two contacts of %lld",
                         (long long)i, (long long)j, (long long)h);
    double product = impact->diagonal[i] * impact->diagonal[j];
    if (!(product > 0.0))
        return rico_fail(impact->ctx, RICO_BAD_INPUT, "the gap gradient of contact %lld or %lld is zero",
                         (long long)i, (long long)j);
    *cosine = -delassus_entry(impact, i, j) / sqrt(product);
    return RICO_OK;
}


rico_status rico_impact_kinetic_angle(const rico_impact *impact, int64_t i, int64_t j, double *angle)
{
    double cosine = 0.0;
    rico_status status = kinetic_cosine(impact, i, j, &cosine);
    if (!status) *angle = acos(fmax(-1.0, fmin(1.0, cosine)));
    return status;
}


// Collisions i, j in turn multiply (gamma_i, gamma_j) by a matrix with determinant e_i e_j and trace
// (1+e_i)(1+e_j) c^2 - e_i - e_j, c the cosine. It can go on for ever, one sign kept, iff its eigenvalues are real and
// positive: trace >= 2 sqrt(e_i e_j). For e_i = e_j this is c (sqrt(e) + 1/sqrt(e)) / 2 >= 1.
rico_status rico_binary_criterion(const rico_impact *impact, int64_t i, int64_t j, double *z)
{
    double cosine = 0.0;
    rico_status status = kinetic_cosine(impact, i, j, &cosine);
    if (status) return status;
    double ei = impact->restitution[i], ej = impact->restitution[j];
    double rebound = sqrt(ei) + sqrt(ej);
    if (cosine <= 0.0)
        *z = 0.0;
    else
        *z = rebound > 0.0 ? cosine * sqrt((1.0 + ei) * (1.0 + ej)) / rebound : INFINITY;
    return RICO_OK;
}
