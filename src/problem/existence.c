// Whether a problem has a solution: a velocity that guarantees one, or a certificate that excludes it.
//
// The theory, with what is proved and what is only quoted, is in docs/theory/existence.md. In short: a velocity with
// u in K* guarantees a solution (guaranteed), no velocity with u_N >= 0 excludes it (impossible), and problems in
// between may or may not have one.

#include "la/dense.h"
#include "la/nnls.h"
#include "problem/feasible.h"

#include <math.h>
#include <string.h>

enum { ROW_LIMIT = 5000, SMALL_ROWS = 96 };

static const double rounding_floor = 1e-10; // margins above minus this count as zero
static const double rounding_most =
    1e-8; // and above minus this when the velocity is large enough to excuse it
static const double negligible_part = 1e-5; // of the largest normal impulse: left out of a certificate
static const double inconsistency = 1e-10;  // of |q|: a kernel component that contradicts equalities
static const double dependence = 1e-12;     // of a column of W: what counts as depending on the others


// The margin of v = 0 on a global problem, min of w_N - mu |w_T|, as a velocity; -INFINITY if an equality row is
// not 0.
static double margin_at_rest(const rico_problem *p)
{
    double margin = INFINITY;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t size = p->offset[a + 1] - p->offset[a];
        const double *w = &p->w[p->offset[a]];
        if (rico_problem_is_joint(p, a)) {
            if (rico_norm_inf(size, w) > 0.0) return -INFINITY;
            continue;
        }
        if (!rico_problem_is_contact(p, a)) continue;
        double slip = size > 1 ? rico_norm(size - 1, w + 1) : 0.0;
        margin = fmin(margin, w[0] - p->friction[a] * slip);
    }
    return margin;
}


// Judges a candidate c: normalizes it, and says how large an impulse would have to be to get around it. The signs of
// its normal entries are the caller's to ensure; a negative one voids it.
static rico_status judge_certificate(rico_problem *p, double *c, rico_infeasibility *out)
{
    *out = (rico_infeasibility){0};
    double largest = rico_norm_inf(p->rows, c);
    if (!(largest > 0.0 && isfinite(largest))) return RICO_OK;
    for (int64_t i = 0; i < p->rows; i++) c[i] /= largest;
    for (int64_t a = 0; a < p->block_count; a++) {
        if (rico_problem_is_contact(p, a) && c[p->offset[a]] < 0.0) return RICO_OK;
    }

    // W'c, the transpose mattering when W is not symmetric
    rico_csc W = {0};
    double *product = rico_alloc(p->ctx, p->rows, sizeof *product);
    rico_status status = product ? rico_block_to_csc(&p->W, &W) : RICO_NO_MEMORY;
    if (!status) status = rico_problem_block_norms(p);
    if (!status) {
        rico_csc_transpose_times(&W, 1.0, c, 0.0, product);
        double error = rico_norm(p->rows, product);
        out->work = rico_dot(p->rows, p->q, c);
        // an impulse counts by the velocity |W_aa| |r_a| that it gives its own contact: masses may differ by orders of magnitude
        for (int64_t a = 0; a < p->block_count; a++)
            for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++)
                product[i] /= rico_problem_block_scale(p, a);
        double by_velocity = rico_norm(p->rows, product);
        if (out->work < 0.0) {
            out->impulse_bound = error > 0.0 ? -out->work / error : INFINITY;
            out->found =
                error == 0.0 || -out->work >= RICO_CERTAINTY * by_velocity * rico_norm(p->rows, p->q);
        }
    }
    rico_csc_destroy(&W);
    rico_free(p->ctx, product);
    return status;
}


// Equalities that contradict each other: c = -(component of q in the kernel of W, equality rows alone).
static rico_status contradict_equalities(rico_problem *p, double *c, double *take, rico_infeasibility *out)
{
    *out = (rico_infeasibility){0};
    for (int64_t a = 0; a < p->block_count; a++) {
        for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++) {
            take[i] = rico_problem_is_joint(p, a);
            c[i] = -take[i] * p->q[i];
        }
    }
    rico_status status = rico_feasible_kernel(p, take, c);
    if (status) return status == RICO_SINGULAR ? RICO_OK : status;
    double kernel = rico_norm(p->rows, c);
    return kernel > inconsistency * rico_norm(p->rows, p->q) ? judge_certificate(p, c, out) : RICO_OK;
}


// Normals that cannot all separate: the dual point of the largest margin of u_N, cleaned of its error.
static rico_status oppose_normals(rico_problem *p, double *c, double *x, double *take,
                                  rico_infeasibility *out)
{
    *out = (rico_infeasibility){0};
    rico_feasible found;
    rico_status status = rico_feasible_search(p, RICO_CONE_NORMALS, x, c, &found);
    if (status || !found.regular || found.margin > 0.0 || found.dual_value >= 0.0) return status;

    double largest = 0.0;
    for (int64_t a = 0; a < p->block_count; a++)
        if (rico_problem_is_contact(p, a)) largest = fmax(largest, c[p->offset[a]]);
    for (int64_t a = 0; a < p->block_count; a++) {
        for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++)
            take[i] = rico_problem_is_joint(p, a) || c[i] > negligible_part * largest;
    }
    memcpy(x, c, (size_t)p->rows * sizeof *x);
    status = rico_feasible_kernel(p, take, c);
    if (!status) status = judge_certificate(p, c, out);
    if (status == RICO_SINGULAR) status = RICO_OK;
    if (status || out->found) return status;

    // cleaning may push an entry below zero; the point as the search left it may still do
    memcpy(c, x, (size_t)p->rows * sizeof *x);
    return judge_certificate(p, c, out);
}


// Small problems, exactly: what is left of q_N (and of q on equality rows) by the nearest u_N >= 0 among all u = W x + q.
// Left over by least squares, it is orthogonal to the columns of W and no normal entry of it is positive: -c.
static rico_status separate(rico_problem *p, double *c, rico_infeasibility *out)
{
    *out = (rico_infeasibility){0};
    int64_t rows = 0, columns = 0;
    double size = rico_block_norm_frobenius(&p->W), unit = rico_norm_inf(p->rows, p->q);
    if (unit == 0.0) return RICO_OK;
    rico_csc W = {0};
    rico_nnls nnls = {0};
    int64_t row[SMALL_ROWS], place[SMALL_ROWS];
    double b[SMALL_ROWS];
    for (int64_t a = 0; a < p->block_count; a++) {
        bool equality = rico_problem_is_joint(p, a);
        for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++) {
            bool normal = rico_problem_is_contact(p, a) && i == p->offset[a];
            place[i] = equality || normal ? rows : -1;
            if (place[i] < 0) continue;
            b[rows] = p->q[i] / unit;
            row[rows++] = equality ? -1 : i;
        }
    }
    rico_status status = rico_block_to_csc(&p->W, &W);
    if (!status) status = rico_nnls_create(p->ctx, rows, 2 * p->rows + rows, &nnls);
    if (!status) {
        for (int64_t j = 0; j < p->rows && size > 0.0; j++) {
            double *minus = nnls.A + columns++ * rows, *plus = nnls.A + columns++ * rows;
            memset(minus, 0, 2 * (size_t)rows * sizeof *minus);
            for (int64_t k = W.start[j]; k < W.start[j + 1]; k++) {
                int64_t i = place[W.row[k]];
                if (i < 0) continue;
                plus[i] = W.value[k] / size;
                minus[i] = -plus[i];
            }
        }
        for (int64_t i = 0; i < rows; i++) {
            if (row[i] < 0) continue;
            double *slack = nnls.A + columns++ * rows;
            memset(slack, 0, (size_t)rows * sizeof *slack);
            slack[i] = 1.0;
        }
        rico_nnls_solve(&nnls, columns, b, dependence);
        for (int64_t i = 0; i < p->rows; i++) c[i] = place[i] < 0 ? 0.0 : -nnls.left[place[i]];
        for (int64_t i = 0; i < rows; i++)
            if (row[i] >= 0) c[row[i]] = fmax(c[row[i]], 0.0);
        if (rico_norm_inf(rows, nnls.left) > inconsistency) status = judge_certificate(p, c, out);
    }
    rico_nnls_destroy(&nnls);
    rico_csc_destroy(&W);
    return status;
}


rico_status rico_problem_infeasibility(rico_problem *p, double *certificate, rico_infeasibility *out)
{
    if (p->rows > ROW_LIMIT)
        return rico_fail(p->ctx, RICO_UNSUPPORTED,
                         "certificates are looked for up to %d rows; this problem has %lld", ROW_LIMIT,
                         (long long)p->rows);
    rico_status status = rico_problem_reduce(p);
    if (status) return status;

    rico_infeasibility found = {0};
    double *work = rico_alloc(p->ctx, 3 * p->rows, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    double *c = work, *x = work + p->rows, *take = work + 2 * p->rows;
    status = p->rows <= SMALL_ROWS ? separate(p, c, &found) : contradict_equalities(p, c, take, &found);
    if (!status && !found.found && p->rows > SMALL_ROWS) status = oppose_normals(p, c, x, take, &found);
    if (!status) {
        if (!found.found) {
            found = (rico_infeasibility){0};
            memset(c, 0, (size_t)p->rows * sizeof *c);
        }
        if (certificate) memcpy(certificate, c, (size_t)p->rows * sizeof *c);
        *out = found;
    }
    rico_free(p->ctx, work);
    return status;
}


// What the deepest velocity in K* says: `guaranteed`, `boundary` and the sentence that goes with them.
static void judge_velocity(const rico_feasible *found, rico_existence *out)
{
    double tolerance = fmax(rounding_floor, fmin(found->rounding, rounding_most));
    out->margin = found->margin;
    out->iterations = found->iterations;
    if (!found->regular) {
        out->sentence = "undecided: W is not positive semidefinite, so no theorem applies";
    } else if (found->violation > tolerance) {
        out->sentence = "undecided: no velocity was found that satisfies the equalities";
    } else if (found->margin > found->rounding) {
        out->guaranteed = true;
        out->sentence =
            "a solution exists: some velocity lies strictly inside the dual cone of every contact";
    } else if (found->margin >= -tolerance) {
        out->guaranteed = out->boundary = true;
        out->sentence =
            "a solution exists, to rounding: some velocity lies on the boundary of the dual cones";
    } else {
        out->sentence =
            "undecided: no velocity was found inside the dual cones, yet normals alone do not exclude one";
    }
}


static rico_status decide(rico_problem *p, rico_existence *out)
{
    double *work = rico_alloc(p->ctx, 2 * p->rows, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    rico_feasible found;
    rico_status status = RICO_OK;
    if (!p->shaped) status = rico_feasible_search(p, RICO_CONE_DUAL, work, work + p->rows, &found);
    rico_free(p->ctx, work);
    if (status) return status;
    if (p->shaped) {
        // the search knows the cones of Coulomb's law alone; that normals oppose each other excludes a solution anyway
        out->margin = -INFINITY;
        out->sentence = "undecided: no theorem is at hand for blocks other than joints and Coulomb contacts";
    } else {
        judge_velocity(&found, out);
    }
    if (out->guaranteed) return RICO_OK;

    rico_infeasibility proof;
    status = rico_problem_infeasibility(p, NULL, &proof);
    if (!status && proof.found) {
        out->impossible = true;
        out->sentence =
            "no solution exists: no velocity keeps every contact from closing and every joint together";
    }
    return status;
}


rico_status rico_problem_existence(rico_problem *p, rico_existence *out)
{
    rico_existence finding = {.margin = 1.0};
    if (p->rows == 0) {
        finding.guaranteed = true;
        finding.sentence = "a solution exists: there is no contact and no joint";
        *out = finding;
        return RICO_OK;
    }

    rico_status status = RICO_OK;
    if (p->rows <= ROW_LIMIT) {
        status = rico_problem_reduce(p);
        if (!status) status = decide(p, &finding);
        if (status) return status;
    } else {
        finding.margin = -INFINITY;
        finding.sentence = "not checked: too large";
    }
    if (p->shaped) {
        *out = finding;
        return RICO_OK;
    }

    // v = 0 may do, whatever the size, and without any rounding
    double at_rest = p->global ? margin_at_rest(p) : -INFINITY;
    if (at_rest >= 0.0 && (!finding.guaranteed || finding.boundary)) {
        double unit = rico_norm_inf(p->rows, p->q ? p->q : p->w);
        finding.guaranteed = true;
        finding.boundary = at_rest == 0.0;
        finding.impossible = false;
        finding.margin = fmax(finding.margin, unit > 0.0 ? fmin(1.0, at_rest / unit) : 0.0);
        finding.sentence = "a solution exists: v = 0 puts u = w into the dual cone of every contact";
    }
    *out = finding;
    return RICO_OK;
}
