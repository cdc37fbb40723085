// An elastic part reduced to kept nodes and modes: Hurty 1965, Craig and Bampton 1968.
//
// Of the unknowns u some are kept, the others inner. With K_ii and M_ii between inner ones
//
//     u_i = Psi u_k + Phi eta,    Psi = -K_ii^-1 K_ik,    K_ii Phi = M_ii Phi Omega^2,    Phi'M_ii Phi = 1,
//
// Psi are static constraint modes, Phi the lowest modes with kept nodes held, eta their amplitudes. M, C and K become T'M T, T'C T and
// T'K T with u = T (u_k, eta); K then couples no mode with anything. Forces on kept nodes alone have their exact static answer: Psi is that
// answer.

#include "la/alike.h"
#include "la/dense.h"
#include "la/factor.h"
#include "la/lowest_modes.h"
#include "model/elastic.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 32 }; // columns that are solved for, or multiplied, at a time

static const double BELOW = 0.01;  // of the stretching mode: where the spectrum is looked at from
static const double FLABBY = 1e-9; // of it: a body whose lowest frequency is less is not held


void rico_elastic_release_full(rico_context *ctx, rico_elastic_full *full)
{
    if (!full) return;
    rico_csc_destroy(&full->pattern);
    void *block[] = {full->M, full->K, full->C, full->alike, full->at, full->unknown, full->T, full->omega};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) rico_free(ctx, block[i]);
    rico_free(ctx, full);
}


// --- which unknowns are kept -----------------------------------------------------------------------------------------

static rico_status mark(rico_part *part, const char *name, bool *keeps)
{
    const rico_elastic *own = part->data;
    const rico_mesh_set *group = name ? rico_elastic_group(own, name) : NULL;
    int64_t count = 0, *node = NULL;
    if (!group)
        return rico_fail(part->ctx, RICO_BAD_INPUT,
                         "part %s: its reduction keeps group %s, which the mesh does not have", part->name,
                         name ? name : "(none)");
    rico_status status = rico_elastic_group_nodes(part->ctx, own, group, &count, &node);
    for (int64_t i = 0; status == RICO_OK && i < count; i++)
        for (int k = 0; k < own->directions; k++) {
            int64_t at = own->dof[node[i] * own->directions + k];
            if (at >= 0) keeps[at] = true;
        }
    rico_free(part->ctx, node);
    return status;
}


static rico_status divide(rico_part *part, const rico_elastic_reduction *given, bool *keeps)
{
    const rico_elastic *own = part->data;
    rico_elastic_full *full = own->full;
    for (int64_t g = 0; g < given->groups; g++) {
        rico_status status = mark(part, given->keep[g], keeps);
        if (status != RICO_OK) return status;
    }
    for (int64_t i = 0; i < full->n; i++) full->at[i] = keeps[i] ? full->kept++ : -1 - full->inner++;
    for (int64_t i = 0; i < own->mesh->nodes * own->directions; i++) {
        int64_t at = own->dof[i];
        full->unknown[i] = at < 0 ? -1 : full->at[at] < 0 ? -2 : full->at[at];
    }
    return RICO_OK;
}


static rico_status check(rico_part *part, const rico_elastic_reduction *given)
{
    const rico_elastic_full *full = ((const rico_elastic *)part->data)->full;
    if (full->inner == 0)
        return rico_fail(part->ctx, RICO_BAD_INPUT,
                         "part %s: its reduction keeps all %lld unknowns, and nothing is left to reduce",
                         part->name, (long long)full->kept);
    if (given->modes < 0 || given->modes > full->inner)
        return rico_fail(
            part->ctx, RICO_BAD_INPUT,
            "part %s: its reduction asks for %lld modes, expected 0 to %lld, as many as its inner "
            "nodes have unknowns",
            part->name, (long long)given->modes, (long long)full->inner);
    if (given->shape && (given->shape_size != full->inner || given->below > 0.0))
        return rico_fail(
            part->ctx, RICO_BAD_INPUT,
            "part %s: the modes given to its reduction have %lld numbers, and its inner nodes %lld "
            "unknowns",
            part->name, (long long)given->shape_size, (long long)full->inner);
    if (!(given->below >= 0.0) || !isfinite(given->below))
        return rico_fail(
            part->ctx, RICO_BAD_INPUT,
            "part %s: its reduction takes modes below a frequency of %g, expected a positive one", part->name,
            given->below);
    if (given->below > 0.0 && given->modes > 0)
        return rico_fail(part->ctx, RICO_BAD_INPUT,
                         "part %s: its reduction asks for %lld modes and for all below %g: give one of both",
                         part->name, (long long)given->modes, given->below);
    if (full->kept == 0 && given->modes == 0 && given->below == 0.0)
        return rico_fail(part->ctx, RICO_BAD_INPUT,
                         "part %s: its reduction keeps neither nodes nor modes, and nothing is left of it",
                         part->name);
    return RICO_OK;
}


// --- matrices of inner unknowns --------------------------------------------------------------------------------------

rico_status rico_elastic_inner(rico_context *ctx, const rico_elastic_full *full, rico_csc *K, double **mass)
{
    const rico_csc *pattern = &full->pattern;
    *K = (rico_csc){.ctx = ctx, .rows = full->inner, .cols = full->inner};
    K->start = rico_alloc(ctx, full->inner + 1, sizeof *K->start);
    if (!K->start) return RICO_NO_MEMORY;
    for (int64_t j = 0, c = 0; j < full->n; j++) {
        if (full->at[j] >= 0) continue;
        int64_t count = 0;
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            count += full->at[pattern->row[k]] < 0;
        K->start[c + 1] = K->start[c] + count;
        c++;
    }
    int64_t entries = K->start[full->inner], at = 0;
    K->row = rico_alloc(ctx, entries, sizeof *K->row);
    K->value = rico_alloc(ctx, entries, sizeof *K->value);
    if (mass) *mass = rico_alloc(ctx, entries, sizeof **mass);
    if (!K->row || !K->value || (mass && !*mass)) return RICO_NO_MEMORY;
    for (int64_t j = 0; j < full->n; j++)
        for (int64_t k = pattern->start[j]; full->at[j] < 0 && k < pattern->start[j + 1]; k++) {
            if (full->at[pattern->row[k]] >= 0) continue;
            K->row[at] = -1 - full->at[pattern->row[k]];
            K->value[at] = full->K[k];
            if (mass) (*mass)[at] = full->M[k];
            at++;
        }
    return RICO_OK;
}


static rico_status not_held(rico_part *part)
{
    return rico_fail(
        part->ctx, RICO_BAD_INPUT,
        "part %s: the nodes that its reduction keeps and its supports do not hold it: keep more nodes",
        part->name);
}


// --- modes -----------------------------------------------------------------------------------------------------------

// Modes until one lies above the limit, or all; *count: how many lie below.
static rico_status modes_below(rico_part *part, const rico_csc *K, const double *mass, double shift,
                               double below, int64_t *count, double *value, double **shape)
{
    rico_context *ctx = part->ctx;
    int64_t n = K->cols;
    double limit = below * below;
    for (int64_t tried = n < 8 ? n : 8;; tried = 2 * tried < n ? 2 * tried : n) {
        rico_free(ctx, *shape);
        *shape = rico_alloc(ctx, n * tried, sizeof **shape);
        if (!*shape) return RICO_NO_MEMORY;
        rico_status status = rico_lowest_modes(ctx, K, K->value, mass, shift, tried, value, *shape);
        if (status != RICO_OK) return status;
        if (tried < n && value[tried - 1] < limit) continue;
        while (*count < tried && value[*count] < limit) ++*count;
        if (*count > 0) return RICO_OK;
        double first = sqrt(fmax(value[0], 0.0));
        return rico_fail(
            ctx, RICO_BAD_INPUT,
            "part %s: no mode lies below %g rad/s (%g Hz): with the kept nodes held the first is "
            "at %g rad/s (%g Hz)",
            part->name, below, below / (2.0 * M_PI), first, first / (2.0 * M_PI));
    }
}


// The modes into the last columns of T, their frequencies, and the first that is left out.
static rico_status find_modes(rico_part *part, const rico_elastic_reduction *given, const rico_csc *K,
                              const double *mass)
{
    rico_context *ctx = part->ctx;
    const rico_elastic *own = part->data;
    rico_elastic_full *full = own->full;
    int64_t n = full->inner, asked = given->modes + 1 < n ? given->modes + 1 : n;
    double *value = rico_alloc(ctx, n, sizeof *value), *u = rico_alloc(ctx, full->n, sizeof *u),
           *shape = NULL;
    rico_status status = value && u ? RICO_OK : RICO_NO_MEMORY;
    double stretching = status == RICO_OK ? rico_elastic_stretching(part, u) : 0.0;
    full->modes = given->modes;
    if (status == RICO_OK && given->below > 0.0) {
        status = modes_below(part, K, mass, -BELOW * stretching, given->below, &full->modes, value, &shape);
    } else if (status == RICO_OK) {
        // one more than asked for: what is left out begins there
        shape = rico_alloc(ctx, n * asked, sizeof *shape);
        status = shape ? rico_lowest_modes(ctx, K, K->value, mass, -BELOW * stretching, asked, value, shape)
                       : RICO_NO_MEMORY;
    }
    if (status == RICO_OK && value[0] < FLABBY * stretching) status = not_held(part);
    if (status == RICO_OK) {
        int64_t m = full->modes;
        full->omega = rico_alloc(ctx, m, sizeof *full->omega);
        full->T = rico_alloc(ctx, n * (full->kept + m), sizeof *full->T);
        if (!full->omega || !full->T) status = RICO_NO_MEMORY;
        for (int64_t k = 0; status == RICO_OK && k < m; k++) full->omega[k] = sqrt(value[k]);
        if (status == RICO_OK) memcpy(full->T + n * full->kept, shape, (size_t)(n * m) * sizeof *shape);
        full->next = m < n ? sqrt(value[m]) : INFINITY;
    }
    rico_free(ctx, value);
    rico_free(ctx, u);
    rico_free(ctx, shape);
    return status;
}


// Modes that are given: their frequencies are Rayleigh's quotients.
static rico_status take_modes(rico_part *part, const rico_elastic_reduction *given, const rico_csc *K)
{
    rico_elastic_full *full = ((const rico_elastic *)part->data)->full;
    int64_t n = full->inner, m = full->modes = given->modes;
    full->omega = rico_alloc(part->ctx, m, sizeof *full->omega);
    full->T = rico_alloc(part->ctx, n * (full->kept + m), sizeof *full->T);
    double *y = rico_alloc(part->ctx, n, sizeof *y);
    if (full->omega && full->T && y)
        memcpy(full->T + n * full->kept, given->shape, (size_t)(n * m) * sizeof *y);
    for (int64_t k = 0; full->omega && full->T && y && k < m; k++) {
        rico_csc_times(K, 1.0, given->shape + n * k, 0.0, y);
        full->omega[k] = sqrt(fmax(0.0, rico_dot(n, y, given->shape + n * k)));
    }
    rico_status status = full->omega && full->T && y ? RICO_OK : RICO_NO_MEMORY;
    rico_free(part->ctx, y);
    return status;
}


// --- static modes ----------------------------------------------------------------------------------------------------

static rico_status find_static(rico_part *part, const rico_csc *K)
{
    rico_elastic_full *full = ((const rico_elastic *)part->data)->full;
    const rico_csc *pattern = &full->pattern;
    rico_factor *factor = NULL;
    rico_status status = rico_factor_create(RICO_CHOLESKY, K, &factor);
    if (status == RICO_SINGULAR) return not_held(part);
    if (status != RICO_OK) return status;
    for (int64_t j = 0; j < full->n; j++)
        for (int64_t k = pattern->start[j]; full->at[j] >= 0 && k < pattern->start[j + 1]; k++) {
            int64_t row = full->at[pattern->row[k]];
            if (row < 0) full->T[full->inner * full->at[j] - 1 - row] = -full->K[k];
        }
    for (int64_t c = 0; status == RICO_OK && c < full->kept; c += CHUNK) {
        int64_t count = full->kept - c < CHUNK ? full->kept - c : CHUNK;
        double *columns = full->T + full->inner * c;
        status = rico_factor_solve(factor, count, columns, columns);
    }
    rico_factor_destroy(factor);
    return status;
}


// --- reduced matrices ------------------------------------------------------------------------------------------------

// Whether damping couples modes: where alpha or beta differ between materials.
static bool couples(const rico_elastic *own)
{
    bool differ = false;
    for (int64_t k = 1; k < own->laws; k++)
        differ |= own->alpha[k] != own->alpha[0] || own->beta[k] != own->beta[0];
    return own->C && differ;
}


// Kept unknowns see everything, modes see them and themselves.
static rico_status make_pattern(rico_part *part)
{
    const rico_elastic *own = part->data;
    const rico_elastic_full *full = own->full;
    int64_t b = full->kept, m = full->modes, n = b + m, at = 0;
    bool dense = couples(own);
    rico_csc *pattern = &part->pattern;
    *pattern = (rico_csc){.ctx = part->ctx, .rows = n, .cols = n};
    pattern->start = rico_alloc(part->ctx, n + 1, sizeof *pattern->start);
    pattern->row = rico_alloc(part->ctx, dense ? n * n : b * n + m * (b + 1), sizeof *pattern->row);
    pattern->value = rico_alloc(part->ctx, 0, sizeof *pattern->value);
    if (!pattern->start || !pattern->row || !pattern->value) return RICO_NO_MEMORY;
    for (int64_t c = 0; c < n; c++) {
        for (int64_t r = 0; r < n; r++)
            if (dense || r < b || c < b || r == c) pattern->row[at++] = r;
        pattern->start[c + 1] = at;
    }
    return RICO_OK;
}


// out = T'A T on the part's pattern, some columns at a time.
static rico_status congruent(rico_part *part, const double *A, double **out)
{
    rico_context *ctx = part->ctx;
    const rico_elastic_full *full = ((const rico_elastic *)part->data)->full;
    const rico_csc *pattern = &part->pattern;
    int64_t n = pattern->cols, inner = full->inner;
    double *unit = rico_alloc(ctx, n, sizeof *unit), *x = rico_alloc(ctx, 2 * full->n, sizeof *x),
           *Y = rico_alloc(ctx, inner * CHUNK, sizeof *Y),
           *top = rico_alloc(ctx, full->kept * CHUNK, sizeof *top),
           *G = rico_alloc(ctx, n * CHUNK, sizeof *G);
    *out = rico_alloc(ctx, rico_csc_count(pattern), sizeof **out);
    bool all = unit && x && Y && top && G && *out;
    for (int64_t c = 0; all && c < n; c += CHUNK) {
        int64_t count = n - c < CHUNK ? n - c : CHUNK;
        for (int64_t k = 0; k < count; k++) {
            double *y = x + full->n;
            unit[c + k] = 1.0;
            rico_elastic_expand(full, unit, x);
            unit[c + k] = 0.0;
            memset(y, 0, (size_t)full->n * sizeof *y);
            rico_alike_add(&full->pattern, full->alike, A, 1.0, x, y);
            for (int64_t i = 0; i < full->n; i++)
                *(full->at[i] >= 0 ? &top[full->kept * k + full->at[i]] : &Y[inner * k - 1 - full->at[i]]) =
                    y[i];
        }
        rico_dense_transpose_product(inner, n, count, full->T, Y, G);
        for (int64_t k = 0; k < count; k++)
            for (int64_t e = pattern->start[c + k]; e < pattern->start[c + k + 1]; e++) {
                int64_t r = pattern->row[e];
                (*out)[e] = G[n * k + r] + (r < full->kept ? top[full->kept * k + r] : 0.0);
            }
    }
    void *block[] = {unit, x, Y, top, G};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) rico_free(ctx, block[i]);
    return all ? RICO_OK : RICO_NO_MEMORY;
}


// Symmetric to the last digit, and K without what is zero but for round-off.
static void tidy(const rico_part *part, double *A, bool stiffness)
{
    const rico_elastic_full *full = ((const rico_elastic *)part->data)->full;
    const rico_csc *pattern = &part->pattern;
    for (int64_t c = 0; c < pattern->cols; c++)
        for (int64_t e = pattern->start[c]; e < pattern->start[c + 1]; e++) {
            int64_t r = pattern->row[e], other = r < c ? rico_csc_find(pattern, c, r) : e;
            if (other != e) A[e] = A[other] = 0.5 * (A[e] + A[other]);
            bool mode = r >= full->kept || c >= full->kept;
            if (stiffness && mode)
                A[e] = r == c ? full->omega[r - full->kept] * full->omega[r - full->kept] : 0.0;
            if (stiffness && mode) A[other] = A[e];
        }
}


static rico_status reduce_matrices(rico_part *part)
{
    rico_elastic *own = part->data;
    const rico_elastic_full *full = own->full;
    rico_status status = make_pattern(part);
    if (status == RICO_OK) status = congruent(part, full->M, &own->M);
    if (status == RICO_OK) status = congruent(part, full->K, &own->K);
    if (status == RICO_OK && full->C) status = congruent(part, full->C, &own->C);
    if (status != RICO_OK) return status;
    tidy(part, own->M, false);
    tidy(part, own->K, true);
    if (own->C) tidy(part, own->C, false);
    own->alike = rico_alike_find(&part->pattern);
    return own->alike ? RICO_OK : RICO_NO_MEMORY;
}


// --- loads -----------------------------------------------------------------------------------------------------------

static rico_status reduce_vector(rico_part *part, double *inner, double **f)
{
    const rico_elastic_full *full = ((const rico_elastic *)part->data)->full;
    double *less = rico_alloc(part->ctx, part->pattern.cols, sizeof *less);
    if (!less) return RICO_NO_MEMORY;
    rico_elastic_condense(full, *f, inner, less);
    rico_free(part->ctx, *f);
    *f = less;
    return RICO_OK;
}


static rico_status reduce_loads(rico_part *part)
{
    rico_elastic *own = part->data;
    double *inner = rico_alloc(part->ctx, own->full->inner, sizeof *inner);
    rico_status status = inner ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK && own->force) status = reduce_vector(part, inner, &own->force);
    for (int64_t i = 0; status == RICO_OK && i < own->loads; i++)
        if (own->load[i].shape) status = reduce_vector(part, inner, &own->load[i].shape);
    rico_free(part->ctx, inner);
    return status;
}


// --- the part --------------------------------------------------------------------------------------------------------

// What the part has so far becomes what it was before.
static rico_status set_aside(rico_part *part)
{
    rico_elastic *own = part->data;
    rico_elastic_full *full = own->full = rico_alloc(part->ctx, 1, sizeof *full);
    if (!full) return RICO_NO_MEMORY;
    full->n = part->pattern.cols;
    full->pattern = part->pattern;
    full->M = own->M, full->K = own->K, full->C = own->C, full->alike = own->alike;
    own->M = own->K = own->C = NULL;
    own->alike = NULL;
    part->pattern = (rico_csc){.ctx = part->ctx};
    full->at = rico_alloc(part->ctx, full->n, sizeof *full->at);
    full->unknown = rico_alloc(part->ctx, own->mesh->nodes * own->directions, sizeof *full->unknown);
    return full->at && full->unknown ? RICO_OK : RICO_NO_MEMORY;
}


rico_status rico_elastic_reduce(rico_part *part, const rico_elastic_reduction *given)
{
    rico_elastic *own = part->data;
    rico_csc K = {0};
    double *mass = NULL;
    rico_status status = set_aside(part);
    bool *keeps = status == RICO_OK ? rico_alloc(part->ctx, own->full->n, sizeof *keeps) : NULL;
    if (status == RICO_OK) status = keeps ? divide(part, given, keeps) : RICO_NO_MEMORY;
    rico_free(part->ctx, keeps);
    if (status == RICO_OK) status = check(part, given);
    if (status == RICO_OK) status = rico_elastic_inner(part->ctx, own->full, &K, &mass);
    if (status == RICO_OK)
        status = given->shape ? take_modes(part, given, &K) : find_modes(part, given, &K, mass);
    if (status == RICO_OK) status = find_static(part, &K);
    if (status == RICO_OK) status = reduce_matrices(part);
    if (status == RICO_OK) status = reduce_loads(part);
    if (status == RICO_OK) own->unknown = own->full->unknown;
    rico_free(part->ctx, mass);
    rico_csc_destroy(&K);
    return status;
}
