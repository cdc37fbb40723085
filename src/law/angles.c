// Angles between contacts: whether motions depend continuously on their data (Paoli 2018, proposition 1).
//
// For two contacts and all joints, with rows H of gradients, S = H'M^-1 H is reduced to the two contacts by eliminating the joints;
// c_ab = S_ab/sqrt(S_aa S_bb). The position where both are closed is found by Newton's steps of least length in the metric of M:
// dq = -M^-1 H (H'M^-1 H)^-1 g.

#include "ricochet/vibro.h"

#include "la/dense.h"
#include "la/factor.h"
#include "model/assembly.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NEWTON_MOST = 60, MOST_PAIRS = 20000 };
static const double CONTINUOUS = 1e-9; // cosines up to here are round-off of 0

static const char *const NAMES[] = {"touching", "found", "outside"};

const char *rico_corner_name(rico_corner_kind kind)
{
    return (int)kind >= 0 && kind < RICO_CORNER_KINDS ? NAMES[kind] : "unknown";
}


// Work space of one search.
typedef struct search {
    rico_context *ctx;
    rico_assembly *assembly;
    double t, closed;
    const double *q;
    rico_factor *mass; // of M where it was last taken; NULL: not yet
    rico_csc M;
    double *at, *next, *gap, *change; // positions, positions, rows, velocities
    int64_t most, rows, *row;         // rows of a pair: two contacts, then the joints
    double *X;                        // M^-1 H, velocities by rows
    double *S, *right, *own;          // rows x rows, rows, and the diagonal of S as it was
    int64_t room, place_room;         // of the angles and of their positions
    int64_t touching, sought;         // pairs of each kind so far
    char *shut;                       // contacts that are closed in the state given
    bool moved;                       // M and H are not those of that state
    rico_angles *out;
} search;


static rico_status search_create(rico_system *system, double t, const double *q, double closed, search *s)
{
    rico_context *ctx = system->ctx;
    bool changed;
    *s = (search){.ctx = ctx, .t = t, .q = q, .closed = closed};
    rico_status status = rico_assembly_create(ctx, system, &s->assembly);
    if (status != RICO_OK) return status;
    s->change = rico_alloc(ctx, system->nv, sizeof *s->change);
    s->at = rico_alloc(ctx, system->nq, sizeof *s->at);
    s->next = rico_alloc(ctx, system->nq, sizeof *s->next);
    s->out = rico_alloc(ctx, 1, sizeof *s->out);
    if (!s->change || !s->at || !s->next || !s->out) return RICO_NO_MEMORY;
    status = rico_assembly_collect(s->assembly, t, 0.0, q, s->change, &changed);
    if (status != RICO_OK) return status;
    s->most = 2;
    for (int64_t c = 0; c < s->assembly->set.count; c++)
        if (s->assembly->set.constraint[c]->joint) s->most += s->assembly->set.constraint[c]->size;
    s->gap = rico_alloc(ctx, s->assembly->set.rows, sizeof *s->gap);
    s->row = rico_alloc(ctx, s->most, sizeof *s->row);
    s->X = rico_alloc(ctx, s->most * system->nv, sizeof *s->X);
    s->S = rico_alloc(ctx, s->most * s->most, sizeof *s->S);
    s->right = rico_alloc(ctx, s->most, sizeof *s->right);
    s->own = rico_alloc(ctx, s->most, sizeof *s->own);
    s->shut = rico_alloc(ctx, s->assembly->set.count, 1);
    bool whole = s->gap && s->row && s->X && s->S && s->right && s->own && s->shut;
    return whole ? RICO_OK : RICO_NO_MEMORY;
}


static void search_destroy(search *s)
{
    void *all[] = {s->change, s->at, s->next, s->gap, s->row, s->X, s->S, s->right, s->own, s->shut};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(s->ctx, all[i]);
    rico_factor_destroy(s->mass);
    rico_assembly_destroy(s->assembly);
    rico_angles_destroy(s->ctx, s->out);
}


void rico_angles_destroy(rico_context *ctx, rico_angles *angles)
{
    if (!angles) return;
    rico_free(ctx, angles->angle);
    rico_free(ctx, angles->position);
    rico_free(ctx, angles);
}


// M and gradients at q, and M's factor.
static rico_status evaluate(search *s, const double *q)
{
    rico_assembly *assembly = s->assembly;
    rico_status status = rico_assembly_mass(assembly, s->t, q);
    if (status == RICO_OK) status = rico_assembly_frames(assembly, s->t, q);
    if (status == RICO_OK) status = rico_assembly_gaps(assembly, s->t, q, s->gap);
    if (status != RICO_OK || (s->mass && assembly->system->constant_mass)) return status;
    s->M = assembly->system->pattern;
    s->M.value = assembly->M;
    if (s->mass) return rico_factor_refactor(s->mass, &s->M);
    return rico_factor_create(RICO_CHOLESKY, &s->M, &s->mass);
}


// The rows of a pair and of the joints; S over them.
static rico_status delassus(search *s, int64_t a, int64_t b)
{
    const rico_contact_set *set = &s->assembly->set;
    const rico_csc *H = &s->assembly->H;
    int64_t nv = s->assembly->nv;
    s->rows = 0;
    s->row[s->rows++] = set->constraint[a]->row;
    s->row[s->rows++] = set->constraint[b]->row;
    for (int64_t c = 0; c < set->count; c++)
        for (int64_t i = 0;
             set->constraint[c]->joint && !set->constraint[c]->box.acts && i < set->constraint[c]->size; i++)
            s->row[s->rows++] = set->constraint[c]->row + i;
    memset(s->X, 0, (size_t)(s->rows * nv) * sizeof *s->X);
    for (int64_t j = 0; j < s->rows; j++)
        for (int64_t k = H->start[s->row[j]]; k < H->start[s->row[j] + 1]; k++)
            s->X[j * nv + H->row[k]] = H->value[k];
    rico_status status = rico_factor_solve(s->mass, s->rows, s->X, s->X);
    for (int64_t i = 0; status == RICO_OK && i < s->rows; i++)
        for (int64_t j = 0; j < s->rows; j++) {
            double sum = 0.0;
            for (int64_t k = H->start[s->row[i]]; k < H->start[s->row[i] + 1]; k++)
                sum += H->value[k] * s->X[j * nv + H->row[k]];
            s->S[i * s->rows + j] = sum;
            if (i == j) s->own[i] = sum;
        }
    return status;
}


// Symmetric elimination of rows `first` to the end of S, that first of which most is left; rows of which nothing is left depend on
// others and are passed over. right, unless NULL, comes along, and then holds the solution.
static void eliminate(search *s, int64_t first, double *right)
{
    int64_t m = s->rows;
    double *S = s->S;
    for (int64_t done = first; done < m; done++) {
        int64_t pivot = -1;
        double most = 1e-12;
        for (int64_t i = first; i < m; i++) {
            if (s->row[i] < 0 || !(S[i * m + i] > most * s->own[i])) continue;
            most = S[i * m + i] / s->own[i];
            pivot = i;
        }
        if (pivot < 0) break;
        s->row[pivot] = -1; // taken
        for (int64_t i = 0; i < m; i++) {
            double share = S[i * m + pivot] / S[pivot * m + pivot];
            if (i == pivot || share == 0.0) continue;
            for (int64_t j = 0; j < m; j++) S[i * m + j] -= share * S[pivot * m + j];
            if (right) right[i] -= share * right[pivot];
        }
    }
    for (int64_t i = first; right && i < m; i++) right[i] = s->row[i] < 0 ? right[i] / S[i * m + i] : 0.0;
}


// Room for one more angle, and for its position.
static rico_status make_room(search *s, bool place)
{
    rico_angles *out = s->out;
    int64_t nq = s->assembly->nq;
    if (out->count == s->room) {
        rico_angle *angle = rico_grow(s->ctx, out->angle, s->room, 2 * s->room + 8, sizeof *angle);
        if (!angle) return RICO_NO_MEMORY;
        out->angle = angle;
        s->room = 2 * s->room + 8;
    }
    if (place && out->places == s->place_room) {
        int64_t room = 2 * s->place_room + 8;
        double *position = rico_grow(s->ctx, out->position, s->place_room * nq, room * nq, sizeof *position);
        if (!position) return RICO_NO_MEMORY;
        out->position = position;
        s->place_room = room;
    }
    return RICO_OK;
}


// Records the pair at q, where M and H are those of the assembly. One whose gap joints leave no way to change is as good as apart.
static rico_status record(search *s, int64_t a, int64_t b, const double *q, rico_corner_kind kind)
{
    rico_angles *out = s->out;
    const rico_constraint *pair[] = {s->assembly->set.constraint[a], s->assembly->set.constraint[b]};
    bool place = kind != RICO_CORNER_TOUCHING;
    int64_t nq = s->assembly->nq;
    rico_status status = delassus(s, a, b);
    if (status == RICO_OK) status = make_room(s, place);
    if (status != RICO_OK) return status;
    eliminate(s, 2, NULL);
    double own[] = {s->S[0], s->S[s->rows + 1]};
    if (!(own[0] > 1e-12 * s->own[0]) || !(own[1] > 1e-12 * s->own[1])) {
        out->apart++;
        return RICO_OK;
    }
    rico_angle *angle = &out->angle[out->count];
    *angle = (rico_angle){.a = a, .b = b, .kind = kind, .place = place ? out->places : -1};
    for (int i = 0; i < 2; i++)
        snprintf(angle->name[i], sizeof angle->name[i], "%s", pair[i]->name ? pair[i]->name : pair[i]->label);
    angle->cosine = fmax(-1.0, fmin(1.0, s->S[1] / sqrt(own[0] * own[1])));
    angle->angle = M_PI - acos(angle->cosine);
    angle->restitution = fmax(pair[0]->restitution, pair[1]->restitution);
    angle->friction = fmax(pair[0]->friction, pair[1]->friction);
    angle->continuous =
        angle->restitution > 0.0 ? fabs(angle->cosine) <= CONTINUOUS : angle->cosine <= CONTINUOUS;
    if (place) memcpy(out->position + out->places++ * nq, q, (size_t)nq * sizeof *q);
    if (kind != RICO_CORNER_OUTSIDE) out->continuous &= angle->continuous;
    out->count++;
    return RICO_OK;
}


// What a gap is made of at q: below its round-off a corner is found.
static double size_of(const search *s, int64_t row, const double *q)
{
    const rico_csc *H = &s->assembly->H;
    double place = rico_norm_inf(s->assembly->nq, q) + s->assembly->system->extent, sum = 0.0;
    for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) sum += fabs(H->value[k]);
    return sum * (place > 0.0 ? place : 1.0);
}


// The position near q where both are closed, into s->at, with M and H there; false where Newton's steps lead to none.
static rico_status find_corner(search *s, int64_t a, int64_t b, bool *found)
{
    rico_status status = RICO_OK;
    int64_t nv = s->assembly->nv;
    *found = false;
    memcpy(s->at, s->q, (size_t)s->assembly->nq * sizeof *s->at);
    for (int n = 0; n < NEWTON_MOST; n++) {
        status = evaluate(s, s->at);
        if (status == RICO_OK) status = delassus(s, a, b);
        if (status != RICO_OK) return status;
        double worst = 0.0;
        for (int64_t i = 0; i < s->rows; i++) {
            s->right[i] = -s->gap[s->row[i]];
            worst = fmax(worst, fabs(s->right[i]) / size_of(s, s->row[i], s->at));
        }
        if (!isfinite(worst)) return RICO_OK;
        if (worst <= 1e-13 || (n > 20 && worst <= 1e-10)) {
            *found = true;
            return RICO_OK;
        }
        if (n + 1 == NEWTON_MOST) break;
        eliminate(s, 0, s->right);
        memset(s->change, 0, (size_t)nv * sizeof *s->change);
        for (int64_t i = 0; i < s->rows; i++) rico_axpy(nv, s->right[i], s->X + i * nv, s->change);
        status = rico_assembly_retract(s->assembly, s->t, s->at, 1.0, s->change, s->next);
        if (status != RICO_OK || !rico_all_finite(s->assembly->nq, s->next)) return status;
        memcpy(s->at, s->next, (size_t)s->assembly->nq * sizeof *s->at);
    }
    return RICO_OK;
}


// Whether no other contact is broken at s->at.
static bool admissible(const search *s, int64_t a, int64_t b)
{
    const rico_contact_set *set = &s->assembly->set;
    for (int64_t c = 0; c < s->assembly->system->constraint_count; c++) {
        int64_t row = set->constraint[c]->row;
        double slack = fmax(s->closed, 1e-9 * size_of(s, row, s->at));
        if (!set->constraint[c]->joint && c != a && c != b && s->gap[row] < -slack) return false;
    }
    return true;
}


// One pair: where it touches, or at a corner near.
static rico_status look_at(search *s, int64_t a, int64_t b)
{
    const rico_contact_set *set = &s->assembly->set;
    int64_t fixed = s->assembly->system->constraint_count;
    bool touch = s->shut[a] && s->shut[b], found = false;
    rico_status status = RICO_OK;
    if (set->constraint[a]->joint || set->constraint[b]->joint) return RICO_OK;
    if (!touch && (a >= fixed || b >= fixed)) return RICO_OK; // one that comes and goes is known where it is
    if (*(touch ? &s->touching : &s->sought) >= MOST_PAIRS) {
        s->out->left++;
        return RICO_OK;
    }
    ++*(touch ? &s->touching : &s->sought);
    if (touch) {
        if (s->moved) status = evaluate(s, s->q);
        s->moved = false;
        return status == RICO_OK ? record(s, a, b, s->q, RICO_CORNER_TOUCHING) : status;
    }
    s->moved = true;
    status = find_corner(s, a, b, &found);
    if (status != RICO_OK) return status;
    if (found) return record(s, a, b, s->at, admissible(s, a, b) ? RICO_CORNER_FOUND : RICO_CORNER_OUTSIDE);
    s->out->apart++;
    return RICO_OK;
}


static rico_status find_pairs(search *s)
{
    const rico_contact_set *set = &s->assembly->set;
    rico_status status = evaluate(s, s->q);
    for (int64_t c = 0; status == RICO_OK && c < set->count; c++)
        s->shut[c] = s->gap[set->constraint[c]->row] <= s->closed;
    for (int64_t a = 0; status == RICO_OK && a < set->count; a++)
        for (int64_t b = a + 1; status == RICO_OK && b < set->count; b++) status = look_at(s, a, b);
    return status;
}


rico_status rico_angles_find(rico_system *system, double t, const double *q, double closed, rico_angles **out)
{
    search s = {0};
    if (!(closed >= 0.0) || !isfinite(closed))
        return rico_fail(system->ctx, RICO_BAD_ARGUMENT, "the gap %g that counts as closed is negative",
                         closed);
    rico_status status = rico_system_complete(system);
    if (status != RICO_OK) return status;
    status = search_create(system, t, q, closed, &s);
    if (status == RICO_OK) {
        s.out->continuous = true;
        status = find_pairs(&s);
    }
    if (status == RICO_OK) {
        *out = s.out;
        s.out = NULL;
    }
    search_destroy(&s);
    return status;
}
