// Sweeps body by body: see body_sweeps.h.

#include "step/body_sweeps.h"

#include "la/dense.h"
#include "la/small_lu.h"
#include "problem/problem.h"
#include "step/contacts.h"

#include <math.h>
#include <string.h>

enum { PLAIN = 6, WINDOW = 6, LEAST_SWEEPS = 400, MOST_SWEEPS = 1500, POLISH = 10 };
static const double GROWTH = 10.0; // an accelerated point whose step grew by more is given up


void rico_body_sweeps_destroy(rico_body_sweeps *sweeps)
{
    rico_context *ctx = sweeps->ctx;
    if (!ctx) return;
    void *all[] = {sweeps->body_first, sweeps->body_size, sweeps->inverse, sweeps->contact,
                   sweeps->v,          sweeps->x,         sweeps->pivot,   sweeps->response};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    if (sweeps->mixer_room > 0) rico_anderson_destroy(&sweeps->mixer);
    memset(sweeps, 0, sizeof *sweeps);
}


// --- the blocks of A -----------------------------------------------------------------------------------------------

// Blocks of successive velocities that only see each other, at most RICO_BODY_DOFS of them; those of a body stay together.
static bool find_blocks(const rico_system *system, int64_t *first, int64_t *size)
{
    const rico_csc *pattern = &system->pattern;
    int64_t begin = 0, end = 0, p = 0; // of the block under way; part of its first velocity
    for (int64_t j = 0; j < pattern->cols; j++) {
        while (p + 1 < system->part_count && system->part[p + 1]->place.v <= j) p++;
        if (j == end) {
            int64_t group = system->part[p]->group;
            begin = j;
            end = j + (group > 0 ? group - (j - system->part[p]->place.v) % group : 1);
        }
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
            if (pattern->row[k] < begin) return false;
            if (pattern->row[k] >= end) end = pattern->row[k] + 1;
        }
        if (end - begin > RICO_BODY_DOFS) return false;
        first[j] = begin;
    }
    for (int64_t j = pattern->cols - 1, last = pattern->cols; j >= 0; j--) {
        size[j] = last - first[j];
        if (first[j] == j) last = j;
    }
    return true;
}


static rico_status look_at_pattern(rico_body_sweeps *sweeps, const rico_iteration *iteration)
{
    if (sweeps->looked) return RICO_OK;
    rico_context *ctx = sweeps->ctx;
    int64_t n = iteration->system->nv;
    sweeps->body_first = rico_alloc(ctx, n, sizeof *sweeps->body_first);
    sweeps->body_size = rico_alloc(ctx, n, sizeof *sweeps->body_size);
    sweeps->inverse = rico_alloc(ctx, n * RICO_BODY_DOFS, sizeof *sweeps->inverse);
    sweeps->pivot = rico_alloc(ctx, n, sizeof *sweeps->pivot);
    sweeps->v = rico_alloc(ctx, n, sizeof *sweeps->v);
    if (!sweeps->body_first || !sweeps->body_size || !sweeps->inverse || !sweeps->pivot || !sweeps->v)
        return RICO_NO_MEMORY;
    sweeps->apart = find_blocks(iteration->system, sweeps->body_first, sweeps->body_size);
    sweeps->looked = true;
    return RICO_OK;
}


static bool invert_blocks(rico_body_sweeps *sweeps, const rico_iteration *iteration)
{
    const rico_csc *pattern = &iteration->system->pattern;
    bool identity = iteration->a == 0.0 && iteration->b == 0.0 && iteration->c == 0.0;
    sweeps->diagonal = true;
    for (int64_t first = 0; first < pattern->cols; first += sweeps->body_size[first]) {
        int64_t n = sweeps->body_size[first];
        double A[RICO_BODY_DOFS * RICO_BODY_DOFS] = {0.0}, inverse[RICO_BODY_DOFS * RICO_BODY_DOFS];
        for (int64_t j = 0; j < n; j++) {
            if (identity) A[j * n + j] = 1.0;
            for (int64_t k = pattern->start[first + j]; !identity && k < pattern->start[first + j + 1]; k++)
                A[(pattern->row[k] - first) * n + j] = iteration->value[k] / iteration->lead;
        }
        if (!rico_small_inverse(n, A, inverse)) return false;
        for (int64_t i = 0; i < n; i++) {
            memcpy(sweeps->inverse + (first + i) * RICO_BODY_DOFS, inverse + i * n,
                   (size_t)n * sizeof *inverse);
            sweeps->pivot[first + i] = inverse[i * n + i];
            for (int64_t j = 0; j < n; j++) sweeps->diagonal &= i == j || inverse[i * n + j] == 0.0;
        }
    }
    return true;
}


// --- contacts ------------------------------------------------------------------------------------------------------

static int side_of(const rico_body_contact *contact, int64_t first)
{
    for (int s = 0; s < 2; s++)
        if (contact->side[s].first == first || contact->side[s].first < 0) return s;
    return -1;
}


// H of an active contact by its two bodies; false when there are three of them.
static bool take_rows(const rico_body_sweeps *sweeps, const rico_contacts *contacts, int64_t a,
                      rico_body_contact *out)
{
    const rico_csc *H = &contacts->assembly->H;
    int rows = out->rows = (int)contacts->block[a].size;
    for (int s = 0; s < 2; s++) {
        out->side[s].first = -1;
        out->side[s].size = 0;
    }
    for (int i = 0; i < rows; i++) {
        int64_t row = contacts->row[contacts->offset[a] + i];
        for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) {
            int64_t first = sweeps->body_first[H->row[k]];
            int s = side_of(out, first);
            if (s < 0) return false;
            rico_body_side *side = &out->side[s];
            if (side->first < 0) {
                side->first = first;
                side->size = sweeps->body_size[first];
                memset(side->H, 0, sizeof side->H);
            }
            side->H[(H->row[k] - first) * rows + i] = H->value[k];
        }
    }
    return true;
}


// B = A^-1 H of a side, and H'B added to W; rows and size are constants where they are the common ones, for the compiler to unroll by.
static inline void respond_side(int rows, int64_t size, const double *inverse, const rico_body_side *side,
                                double *B, double *W)
{
    for (int64_t d = 0; d < size; d++) {
        const double *line = inverse + d * RICO_BODY_DOFS;
        double sum[3] = {0.0, 0.0, 0.0};
        for (int64_t e = 0; e < size; e++)
            for (int i = 0; i < rows; i++) sum[i] += line[e] * side->H[e * rows + i];
        for (int i = 0; i < rows; i++) B[d * rows + i] = sum[i];
    }
    for (int64_t d = 0; d < size; d++)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++) W[i * rows + j] += side->H[d * rows + i] * B[d * rows + j];
}


// W of a contact, and B where it is kept.
static void respond(rico_body_sweeps *sweeps, int64_t a, double W[9])
{
    rico_body_contact *contact = &sweeps->contact[a];
    int rows = contact->rows;
    memset(W, 0, 9 * sizeof *W);
    for (int s = 0; s < 2; s++) {
        const rico_body_side *side = &contact->side[s];
        double own[RICO_BODY_RESPONSE / 2];
        double *B = sweeps->diagonal ? own : sweeps->response + (2 * a + s) * (RICO_BODY_RESPONSE / 2);
        if (side->size == 0) continue;
        const double *inverse = sweeps->inverse + side->first * RICO_BODY_DOFS;
        if (rows == 3 && side->size == RICO_BODY_DOFS)
            respond_side(3, RICO_BODY_DOFS, inverse, side, B, W);
        else
            respond_side(rows, side->size, inverse, side, B, W);
    }
    contact->norm = rico_norm(rows * rows, W);
}


static rico_status reserve(rico_body_sweeps *sweeps, int64_t count)
{
    int64_t room = count + count / 2;
    if (count > sweeps->room) {
        if (!rico_renew(sweeps->ctx, &sweeps->contact, room, sizeof *sweeps->contact)) return RICO_NO_MEMORY;
        sweeps->room = room;
    }
    if (sweeps->diagonal || count <= sweeps->response_room) return RICO_OK;
    if (!rico_renew(sweeps->ctx, &sweeps->response, room * RICO_BODY_RESPONSE, sizeof *sweeps->response))
        return RICO_NO_MEMORY;
    sweeps->response_room = room;
    return RICO_OK;
}


static bool known_cone(const rico_block *block)
{
    return block->kind == RICO_UNILATERAL || block->kind == RICO_COULOMB_2D || block->kind == RICO_COULOMB_3D;
}


// The active contacts; false in *fit when one of them does not lie between two bodies, or has another law.
static rico_status prepare(rico_body_sweeps *sweeps, const rico_contacts *contacts,
                           const rico_iteration *iteration, bool *fit)
{
    *fit = false;
    sweeps->count = 0;
    if (!invert_blocks(sweeps, iteration)) return RICO_OK;
    rico_status status = reserve(sweeps, contacts->count);
    if (status != RICO_OK) return status;
    for (int64_t a = 0; a < contacts->count; a++) {
        rico_body_contact *contact = &sweeps->contact[a];
        if (!known_cone(&contacts->block[a]) || !take_rows(sweeps, contacts, a, contact)) return RICO_OK;
        double W[9], mu = contacts->block[a].friction;
        respond(sweeps, a, W);
        memcpy(contact->W, W, sizeof W);
        if (contact->rows == 3) rico_one_contact_prepare(&contact->space, W, mu);
        if (contact->rows == 2) contact->plane.mu = mu;
    }
    sweeps->count = contacts->count;
    *fit = true;
    return RICO_OK;
}


// --- sweeps --------------------------------------------------------------------------------------------------------

// u += H'v of one side, and v += B dp; rows and size are constants where they can be, for the compiler to unroll by.
static inline void read_side(int rows, int64_t size, const rico_body_side *side, const double *v, double *u)
{
    const double *own = v + side->first;
    for (int64_t d = 0; d < size; d++)
        for (int i = 0; i < rows; i++) u[i] += side->H[d * rows + i] * own[d];
}


static inline void write_side(int rows, int64_t size, const double *B, const double *dp, double *own)
{
    for (int64_t d = 0; d < size; d++) {
        double sum = 0.0;
        for (int i = 0; i < rows; i++) sum += B[d * rows + i] * dp[i];
        own[d] += sum;
    }
}


// The same where A^-1 is diagonal.
static inline void scale_side(int rows, int64_t size, const double *H, const double *pivot, const double *dp,
                              double *own)
{
    for (int64_t d = 0; d < size; d++) {
        double sum = 0.0;
        for (int i = 0; i < rows; i++) sum += H[d * rows + i] * dp[i];
        own[d] += pivot[d] * sum;
    }
}


static inline void velocity_of(int rows, const rico_body_contact *contact, const double *c, const double *v,
                               double *u)
{
    for (int i = 0; i < rows; i++) u[i] = c[i];
    for (int s = 0; s < 2; s++)
        if (contact->side[s].size == RICO_BODY_DOFS)
            read_side(rows, RICO_BODY_DOFS, &contact->side[s], v, u);
        else if (contact->side[s].size > 0)
            read_side(rows, contact->side[s].size, &contact->side[s], v, u);
}


static inline void push(int rows, const rico_body_sweeps *sweeps, int64_t a, const double *dp)
{
    const rico_body_contact *contact = &sweeps->contact[a];
    for (int s = 0; s < 2; s++) {
        const rico_body_side *side = &contact->side[s];
        double *own = sweeps->v + side->first;
        if (side->size == 0) continue;
        const double *pivot = sweeps->pivot + side->first;
        const double *B = sweeps->response + (2 * a + s) * (RICO_BODY_RESPONSE / 2);
        if (sweeps->diagonal && side->size == RICO_BODY_DOFS)
            scale_side(rows, RICO_BODY_DOFS, side->H, pivot, dp, own);
        else if (sweeps->diagonal)
            scale_side(rows, side->size, side->H, pivot, dp, own);
        else if (side->size == RICO_BODY_DOFS)
            write_side(rows, RICO_BODY_DOFS, B, dp, own);
        else
            write_side(rows, side->size, B, dp, own);
    }
}


// One contact in its turn; returns the squared change of velocity that it makes at itself.
static double relax_space(const rico_body_sweeps *sweeps, int64_t a, const double *c, double *p)
{
    const rico_body_contact *contact = &sweeps->contact[a];
    double q[3], r[3] = {p[0], p[1], p[2]}, dp[3];
    const double *W = contact->W;
    velocity_of(3, contact, c, sweeps->v, q);
    for (int i = 0; i < 3; i++) q[i] -= W[3 * i] * p[0] + W[3 * i + 1] * p[1] + W[3 * i + 2] * p[2];
    rico_one_contact_solve(&contact->space, q, r);
    double moved = 0.0;
    for (int i = 0; i < 3; i++) {
        dp[i] = r[i] - p[i];
        moved += dp[i] * dp[i];
        p[i] = r[i];
    }
    if (moved == 0.0) return 0.0;
    push(3, sweeps, a, dp);
    return moved * contact->norm * contact->norm;
}


static double relax_plane(const rico_body_sweeps *sweeps, int64_t a, const double *c, double *p)
{
    const rico_body_contact *contact = &sweeps->contact[a];
    double q[2], r[2] = {p[0], p[1]}, dp[2];
    const double *W = contact->W;
    velocity_of(2, contact, c, sweeps->v, q);
    for (int i = 0; i < 2; i++) q[i] -= W[2 * i] * p[0] + W[2 * i + 1] * p[1];
    rico_one_contact_2d_solve(&contact->plane, q, r);
    double moved = 0.0;
    for (int i = 0; i < 2; i++) {
        dp[i] = r[i] - p[i];
        moved += dp[i] * dp[i];
        p[i] = r[i];
    }
    if (moved == 0.0) return 0.0;
    push(2, sweeps, a, dp);
    return moved * contact->norm * contact->norm;
}


static double relax_normal(const rico_body_sweeps *sweeps, int64_t a, const double *c, double *p)
{
    const rico_body_contact *contact = &sweeps->contact[a];
    double u;
    velocity_of(1, contact, c, sweeps->v, &u);
    double r = contact->W[0] > 0.0 ? fmax(0.0, p[0] - u / contact->W[0]) : p[0], dp = r - p[0];
    if (dp == 0.0) return 0.0;
    p[0] = r;
    push(1, sweeps, a, &dp);
    return dp * dp * contact->norm * contact->norm;
}


static double sweep(rico_body_sweeps *sweeps, const rico_contacts *contacts, double *p)
{
    double moved = 0.0;
    for (int64_t a = 0; a < sweeps->count; a++) {
        const rico_body_contact *contact = &sweeps->contact[a];
        const double *c = contacts->c + contacts->offset[a];
        double *own = p + contacts->offset[a];
        moved += contact->rows == 3   ? relax_space(sweeps, a, c, own)
                 : contact->rows == 2 ? relax_plane(sweeps, a, c, own)
                                      : relax_normal(sweeps, a, c, own);
    }
    return moved;
}


// v = A^-1 H p, afresh.
static void restart(rico_body_sweeps *sweeps, const rico_contacts *contacts, const double *p)
{
    memset(sweeps->v, 0, (size_t)contacts->nv * sizeof *sweeps->v);
    for (int64_t a = 0; a < sweeps->count; a++) {
        const rico_body_contact *contact = &sweeps->contact[a];
        const double *own = p + contacts->offset[a];
        if (contact->rows == 3) push(3, sweeps, a, own);
        if (contact->rows == 2) push(2, sweeps, a, own);
        if (contact->rows == 1) push(1, sweeps, a, own);
    }
}


// The residual that judges, at the velocities of p. Those are made anew first.
static rico_residual judge(rico_body_sweeps *sweeps, const rico_contacts *contacts, const double *p)
{
    rico_tally tally = {.ratio = 1.0};
    double u[3];
    restart(sweeps, contacts, p);
    for (int64_t a = 0; a < sweeps->count; a++) {
        const rico_body_contact *contact = &sweeps->contact[a];
        int64_t first = contacts->offset[a];
        velocity_of(contact->rows, contact, contacts->c + first, sweeps->v, u);
        rico_tally_block(&tally, &contacts->block[a], contact->norm, u, p + first);
    }
    return rico_tally_close(&tally, rico_norm(contacts->rows, contacts->c), contacts->noise);
}


// --- acceleration --------------------------------------------------------------------------------------------------

// What the safeguards remember: see solve/accelerate.h.
typedef struct guard {
    double least, mark; // smallest step of a point that was kept; the same when progress was last noted
    int idle, pause, rest;
    bool jumped;
} guard;


static rico_status begin_mixing(rico_body_sweeps *sweeps, const rico_contacts *contacts)
{
    rico_context *ctx = sweeps->ctx;
    if (contacts->rows > sweeps->mixer_room) {
        int64_t room = contacts->rows + contacts->rows / 2;
        if (sweeps->mixer_room > 0) rico_anderson_destroy(&sweeps->mixer);
        sweeps->mixer_room = 0;
        rico_status status = rico_anderson_create(ctx, room, WINDOW, &sweeps->mixer);
        if (status != RICO_OK) return status;
        sweeps->mixer_room = room;
        if (!rico_renew(ctx, &sweeps->x, room, sizeof *sweeps->x)) return RICO_NO_MEMORY;
    }
    sweeps->mixer.size = contacts->rows;
    rico_anderson_restart(&sweeps->mixer);
    // in energy: each contact by the root of its own compliance
    for (int64_t a = 0; a < sweeps->count; a++)
        for (int i = 0; i < sweeps->contact[a].rows; i++)
            sweeps->mixer.weight[contacts->offset[a] + i] = sqrt(sweeps->contact[a].norm);
    return RICO_OK;
}


// From the point after a sweep to the one to sweep from next.
static void advance(rico_body_sweeps *sweeps, const rico_contacts *contacts, guard *g, double *p)
{
    rico_anderson *mixer = &sweeps->mixer;
    size_t bytes = (size_t)contacts->rows * sizeof *p;
    double step = rico_anderson_step(mixer, sweeps->x, p);
    if (step < 0.9 * g->mark) {
        g->mark = step;
        g->idle = 0;
        if (g->jumped) g->pause = 0;
    } else if (g->jumped) {
        g->idle++;
    }
    bool bad = g->jumped && !(step <= GROWTH * g->least);
    if (bad || g->idle > 3 * WINDOW) {
        g->idle = 0;
        g->rest = g->pause = 2 * g->pause + 1;
        rico_anderson_restart(mixer);
    } else {
        g->least = fmin(g->least, step);
    }
    if (bad) {
        // back to the last plain sweep, which the mixer still has
        memcpy(p, mixer->last_G, bytes);
        restart(sweeps, contacts, p);
        g->jumped = false;
        return;
    }
    int used = rico_anderson_mix(mixer, sweeps->x, p, p);
    g->jumped = used > 0 && g->rest == 0;
    if (g->jumped) {
        restart(sweeps, contacts, p);
        return;
    }
    memcpy(p, mixer->last_G, bytes);
    if (g->rest > 0) g->rest--;
}


double rico_body_sweeps_enough(const rico_contacts *contacts)
{
    double loose = rico_contacts_all_rows(contacts) > RICO_MANY_ROWS ? contacts->loose : 0.0;
    return fmax(contacts->tol, fmax(loose, contacts->accept));
}


// Sweeps allowed: as long as other solvers would take.
static int64_t most_sweeps(const rico_contacts *contacts)
{
    if (contacts->most_sweeps > 0) return contacts->most_sweeps;
    int64_t most = contacts->rows / 2;
    return most < LEAST_SWEEPS ? LEAST_SWEEPS : most > MOST_SWEEPS ? MOST_SWEEPS : most;
}


// Starts from the impulses of the step before, or from none where those are farther from a solution: bodies were hit.
static void begin(rico_body_sweeps *sweeps, rico_contacts *contacts)
{
    double *p = contacts->p;
    if (contacts->rows > RICO_MANY_ROWS && contacts->hit) {
        double warm = judge(sweeps, contacts, p).relative;
        memset(contacts->y, 0, (size_t)contacts->rows * sizeof *p);
        if (judge(sweeps, contacts, contacts->y).relative < warm)
            memset(p, 0, (size_t)contacts->rows * sizeof *p);
    }
    restart(sweeps, contacts, p);
}


// Sweeps until the residual is within the tolerance; false where they came to a halt or took too long.
static rico_status run(rico_body_sweeps *sweeps, rico_contacts *contacts, bool *solved)
{
    double *p = contacts->p, size = rico_norm(contacts->rows, contacts->c);
    guard g = {.least = INFINITY, .mark = INFINITY};
    int64_t most = most_sweeps(contacts), enough = most;
    rico_status status = RICO_OK;
    begin(sweeps, contacts);
    for (int64_t s = 0; s < most; s++) {
        bool mixing = s >= PLAIN;
        if (s == PLAIN) status = begin_mixing(sweeps, contacts);
        if (status != RICO_OK) return status;
        if (mixing) memcpy(sweeps->x, p, (size_t)contacts->rows * sizeof *p);
        double moved = sqrt(sweep(sweeps, contacts, p));
        contacts->dense.sweeps++;
        if (!isfinite(moved)) return RICO_OK;
        bool still = moved <= 1e-15 * size;
        if (still || s >= enough || (!*solved && moved <= 2.0 * contacts->tol * size)) {
            contacts->residual = judge(sweeps, contacts, p);
            *solved = rico_residual_within(&contacts->residual, contacts->tol);
            // good enough; few contacts at rest are brought to rest where that is no longer way than it has been
            int64_t end = contacts->rows > RICO_MANY_ROWS ? s : s + s / 2 + POLISH;
            if (*solved && enough > end) enough = end;
            if (still || (*solved && s >= enough)) return RICO_OK;
        }
        if (mixing) advance(sweeps, contacts, &g, p);
    }
    contacts->residual = judge(sweeps, contacts, p);
    *solved = rico_residual_within(&contacts->residual, rico_body_sweeps_enough(contacts));
    return RICO_OK;
}


rico_status rico_body_sweeps_solve(rico_contacts *contacts, rico_iteration *iteration, double *v,
                                   bool *solved)
{
    rico_body_sweeps *sweeps = &contacts->bodies;
    bool fit;
    *solved = false;
    sweeps->ctx = contacts->ctx;
    if (contacts->joint_rows > 0 || iteration->mass) return RICO_OK;
    rico_status status = look_at_pattern(sweeps, iteration);
    if (status != RICO_OK || !sweeps->apart) return status;
    status = prepare(sweeps, contacts, iteration, &fit);
    if (status != RICO_OK || !fit) return status;
    status = run(sweeps, contacts, solved);
    contacts->swept = true;
    if (status == RICO_OK && *solved) rico_axpy(contacts->nv, 1.0, sweeps->v, v);
    return status;
}
