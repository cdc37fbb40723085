// The complementarity problem of an impact by an active set: a Cholesky factor that rows enter and leave, descent, refinement.

#include "law/active_set.h"

#include "la/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

// w counts as negative beyond this many units of round-off of its terms
static const double round_off = 32.0 * DBL_EPSILON;

// a contact depends on the set when this little of its G_jj is left after elimination
static const double dependence = 1e-12;

// q falls along a null direction when it does so by more than this part of its largest entry
static const double flatness = 1e-11;

enum { PIVOTS_PER_UNKNOWN = 60 }; // far above what is met: each unknown enters once or twice


rico_status rico_active_set_create(rico_context *ctx, int64_t size, rico_active_set **out)
{
    rico_active_set *set = rico_alloc(ctx, 1, sizeof *set);
    if (!set) return RICO_NO_MEMORY;
    set->ctx = ctx;
    set->size = size;
    set->member = rico_alloc(ctx, size, sizeof *set->member);
    set->place = rico_alloc(ctx, size, sizeof *set->place);
    set->extent = rico_alloc(ctx, size, sizeof *set->extent);
    set->refused = rico_alloc(ctx, size, sizeof *set->refused);
    set->factor = rico_alloc(ctx, size * size, sizeof *set->factor);
    set->w = rico_alloc(ctx, size, sizeof *set->w);
    set->weight = rico_alloc(ctx, size, sizeof *set->weight);
    set->forward = rico_alloc(ctx, size, sizeof *set->forward);
    set->trial = rico_alloc(ctx, size, sizeof *set->trial);
    set->direction = rico_alloc(ctx, size, sizeof *set->direction);
    bool room = set->member && set->place && set->extent && set->refused && set->factor && set->w &&
                set->weight && set->forward && set->trial && set->direction;
    if (!room) {
        rico_active_set_destroy(set);
        return RICO_NO_MEMORY;
    }
    *out = set;
    return RICO_OK;
}


void rico_active_set_destroy(rico_active_set *set)
{
    if (!set) return;
    rico_context *ctx = set->ctx;
    rico_free(ctx, set->member);
    rico_free(ctx, set->place);
    rico_free(ctx, set->extent);
    rico_free(ctx, set->refused);
    rico_free(ctx, set->factor);
    rico_free(ctx, set->w);
    rico_free(ctx, set->weight);
    rico_free(ctx, set->forward);
    rico_free(ctx, set->trial);
    rico_free(ctx, set->direction);
    rico_free(ctx, set);
}


// x <- L^-1 x and x <- L'^-1 x on the set.
static void solve_lower(const rico_active_set *set, double *x)
{
    for (int64_t k = 0; k < set->count; k++) {
        const double *column = &set->factor[k * set->size];
        if (x[k] == 0.0) continue;
        x[k] /= column[k];
        for (int64_t i = k + 1; i <= set->extent[k]; i++) x[i] -= column[i] * x[k];
    }
}


static void solve_upper(const rico_active_set *set, double *x)
{
    for (int64_t k = set->count - 1; k >= 0; k--) {
        const double *column = &set->factor[k * set->size];
        x[k] = (x[k] - rico_dot(set->extent[k] - k, &column[k + 1], &x[k + 1])) / column[k];
    }
}


// Row of the factor that unknown j would add, in `row`; returns what is left of G_jj, over G_jj.
static double prepare_row(const rico_active_set *set, const rico_csc *G, int64_t j, double *row)
{
    double diagonal = 0.0;
    memset(row, 0, (size_t)set->count * sizeof *row);
    for (int64_t k = G->start[j]; k < G->start[j + 1]; k++) {
        if (G->row[k] == j) diagonal = G->value[k];
        if (set->place[G->row[k]] >= 0) row[set->place[G->row[k]]] = G->value[k];
    }
    solve_lower(set, row);
    double left = diagonal;
    for (int64_t i = 0; i < set->count; i++) left -= row[i] * row[i];
    row[set->count] = sqrt(fmax(left, 0.0));
    return diagonal > 0.0 ? left / diagonal : 0.0;
}


static void append(rico_active_set *set, const double *q, int64_t j, const double *row)
{
    double sum = -q[j];
    for (int64_t k = 0; k < set->count; k++) sum -= row[k] * set->forward[k];
    set->forward[set->count] = sum / row[set->count];
    for (int64_t k = 0; k <= set->count; k++) {
        set->factor[k * set->size + set->count] = row[k];
        if (row[k] != 0.0) set->extent[k] = set->count;
    }
    set->place[j] = set->count;
    set->member[set->count++] = j;
    set->pivots++;
}


// Takes the member at `place` out: its row goes, and rotations of neighbouring columns make the rest triangular again.
static void drop(rico_active_set *set, const double *q, int64_t place)
{
    int64_t n = set->size, last = set->count - 1;
    set->place[set->member[place]] = -1;
    for (int64_t i = place; i < last; i++) {
        set->member[i] = set->member[i + 1];
        set->place[set->member[i]] = i;
        for (int64_t k = 0; k <= i + 1; k++) set->factor[k * n + i] = set->factor[k * n + i + 1];
    }
    set->count = last;
    set->pivots++;
    for (int64_t k = place; k < last; k++) {
        double *a = &set->factor[k * n], *b = &set->factor[(k + 1) * n];
        double length = hypot(a[k], b[k]), c = a[k] / length, s = b[k] / length;
        for (int64_t i = k; i < last; i++) {
            double rotated = c * a[i] + s * b[i];
            b[i] = c * b[i] - s * a[i];
            a[i] = rotated;
        }
    }
    for (int64_t k = 0; k < last; k++) {
        if (k >= place || set->extent[k] >= last) set->extent[k] = last - 1;
        set->forward[k] = -q[set->member[k]];
    }
    solve_lower(set, set->forward);
}


// w = G z + q on all unknowns, with the sizes of its terms.
static void evaluate(rico_active_set *set, const rico_csc *G, const double *q, const double *z)
{
    for (int64_t i = 0; i < set->size; i++) {
        set->w[i] = q[i];
        set->weight[i] = fabs(q[i]);
    }
    for (int64_t m = 0; m < set->count; m++) {
        int64_t j = set->member[m];
        for (int64_t k = G->start[j]; k < G->start[j + 1]; k++) {
            double term = G->value[k] * z[j];
            set->w[G->row[k]] += term;
            set->weight[G->row[k]] += fabs(term);
        }
    }
}


// The unknown to enter: most negative w, or simply the first once the objective stands still (Bland's rule). -1 when
// there is none left.
static int64_t choose(const rico_active_set *set, const bool *active, bool first)
{
    int64_t best = -1;
    for (int64_t j = 0; j < set->size; j++) {
        bool negative = set->w[j] < -round_off * set->weight[j];
        if (!negative || !active[j] || set->place[j] >= 0 || set->refused[j]) continue;
        if (best < 0 || set->w[j] < set->w[best]) best = j;
        if (first) break;
    }
    return best;
}


// Does q fall along the null direction (d on the set, 1 at j)? On q in the range of G it does not, up to round-off.
static bool falls(const rico_active_set *set, const double *q, int64_t j, const double *d)
{
    double slope = q[j], length = 1.0;
    for (int64_t i = 0; i < set->count; i++) {
        slope += q[set->member[i]] * d[i];
        length += fabs(d[i]);
    }
    return slope < -flatness * rico_norm_inf(set->size, q) * length;
}


// Brings j into the set. While it depends on the set, z moves along the null direction until a member leaves; false
// when none ever does.
static bool enter(rico_active_set *set, const rico_csc *G, bool in_range, const double *q, int64_t j,
                  double *z)
{
    double *row = set->direction;
    while (!(prepare_row(set, G, j, row) > dependence)) {
        double *d = set->trial;
        for (int64_t i = 0; i < set->count; i++) d[i] = -row[i];
        solve_upper(set, d);
        if (z[j] == 0.0 && (in_range || !falls(set, q, j, d))) {
            set->refused[j] = true;
            return true;
        }
        double size = 1.0, step = INFINITY;
        int64_t leaving = -1;
        for (int64_t i = 0; i < set->count; i++) size = fmax(size, fabs(d[i]));
        for (int64_t i = 0; i < set->count; i++)
            if (d[i] < -dependence * size && z[set->member[i]] / -d[i] < step) {
                step = z[set->member[i]] / -d[i];
                leaving = i;
            }
        if (leaving < 0) return false;
        for (int64_t i = 0; i < set->count; i++)
            z[set->member[i]] = fmax(z[set->member[i]] + step * d[i], 0.0);
        z[j] += step;
        z[set->member[leaving]] = 0.0;
        drop(set, q, leaving);
    }
    append(set, q, j, row);
    return true;
}


// Moves z to the minimum on the set, L L' z = -q, dropping members that would turn negative on the way.
static void descend(rico_active_set *set, const double *q, int64_t entered, double *z)
{
    double *x = set->trial;
    for (;;) {
        memcpy(x, set->forward, (size_t)set->count * sizeof *x);
        solve_upper(set, x);
        double step = 1.0;
        int64_t leaving = -1;
        for (int64_t i = 0; i < set->count; i++) {
            double now = z[set->member[i]];
            if (x[i] > 0.0) continue;
            double reach = now > 0.0 ? now / (now - x[i]) : 0.0;
            if (leaving < 0 || reach < step) {
                step = reach;
                leaving = i;
            }
        }
        for (int64_t i = 0; i < set->count; i++) {
            double *now = &z[set->member[i]];
            *now = leaving < 0 ? x[i] : fmax(*now + step * (x[i] - *now), 0.0);
        }
        if (leaving < 0) return;
        // what leaves the moment it came was let in by round-off: not again before z has changed
        if (set->member[leaving] == entered && step == 0.0) set->refused[entered] = true;
        z[set->member[leaving]] = 0.0;
        drop(set, q, leaving);
        if (set->count == 0) return;
    }
}


// One step of refinement on the final set brings the members' w to round-off.
static void refine(rico_active_set *set, const rico_csc *G, const double *q, double *z)
{
    double *x = set->trial;
    evaluate(set, G, q, z);
    for (int64_t i = 0; i < set->count; i++) x[i] = -set->w[set->member[i]];
    solve_lower(set, x);
    solve_upper(set, x);
    for (int64_t i = 0; i < set->count; i++) z[set->member[i]] = fmax(z[set->member[i]] + x[i], 0.0);
    evaluate(set, G, q, z);
}


rico_active_set_end rico_active_set_solve(rico_active_set *set, const rico_csc *G, const bool *active,
                                          bool in_range, const double *q, double *z)
{
    int64_t n = set->size, limit = PIVOTS_PER_UNKNOWN * (n + 1);
    set->count = set->pivots = 0;
    for (int64_t i = 0; i < n; i++) {
        set->place[i] = -1;
        set->refused[i] = false;
        z[i] = 0.0;
    }
    for (;;) {
        evaluate(set, G, q, z);
        int64_t j = choose(set, active, set->pivots > limit / 2);
        if (j < 0) break;
        if (set->pivots > limit) return RICO_SET_CYCLING;
        if (!enter(set, G, in_range, q, j, z)) return RICO_SET_NO_SOLUTION;
        if (!set->refused[j]) descend(set, q, j, z);
        // z moved: those refused may be asked again
        if (!set->refused[j]) memset(set->refused, 0, (size_t)n * sizeof *set->refused);
    }
    refine(set, G, q, z);
    return RICO_SET_SOLVED;
}
