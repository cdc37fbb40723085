// The state that a scene starts from: outside of every obstacle, on every joint, with velocities that joints allow. What is
// not is refused with the nearest state that is; `initial: {repair: true}` takes that state.
//
// Nearest in the metric of the mass: min (q - q0)'M(q - q0)/2 with g(q) = 0 on joints and gap(q) >= 0, by Newton's method
// on the rows that act, dq = M^-1 H l with (H'M^-1 H) l = -g; a contact that would pull (l < 0) is let go.

#include "la/dense.h"
#include "la/factor.h"
#include "model/system.h"
#include "scene/scene_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double TOLERANCE = 1e-8; // of the size of what a gap is made of

enum { MOST_ITERATIONS = 100, MOST_NAMED = 4 };
static const int64_t MOST_NUMBERS = 100000000; // of M^-1 H

// Rows that act in a repair, and the work space for them.
typedef struct repair {
    rico_scene *scene;
    rico_system *system;
    double t;
    rico_factor *mass;
    int64_t room;             // rows at most
    int64_t count;            // rows that act
    int64_t *row;             // of the system
    bool *acts;               // per constraint: a contact that pushes
    double *g;                // all rows
    double *S, *W, *l, *work; // M^-1 H, H'M^-1 H, multipliers
    double *step, *next;      // velocities of a move, and where it ends
    int32_t *pivot;
} repair;


static void release(repair *r)
{
    rico_context *ctx = r->scene->ctx;
    rico_factor_destroy(r->mass);
    void *all[] = {r->row, r->acts, r->g, r->S, r->W, r->l, r->work, r->pivot, r->step, r->next};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
}


static rico_status begin(rico_scene *scene, int64_t bad, repair *r)
{
    rico_context *ctx = scene->ctx;
    rico_system *system = scene->system;
    *r = (repair){.scene = scene, .system = system, .t = rico_scene_times(scene).start};
    for (int64_t c = 0; c < system->constraint_count; c++)
        r->room += system->constraint[c]->joint ? system->constraint[c]->size : 1;
    if (r->room * (r->room + system->nv) > MOST_NUMBERS)
        return rico_fail(
            ctx, RICO_UNSUPPORTED,
            "'%s' does not hold at the start, and %lld rows of joints and contacts are too many to find "
            "the nearest start that does; give one",
            system->constraint[bad]->name, (long long)r->room);
    int64_t m = r->room;
    r->row = rico_alloc(ctx, m, sizeof *r->row);
    r->acts = rico_alloc(ctx, system->constraint_count, sizeof *r->acts);
    r->g = rico_alloc(ctx, system->rows, sizeof *r->g);
    r->S = rico_alloc(ctx, m * system->nv, sizeof *r->S);
    r->W = rico_alloc(ctx, m * m, sizeof *r->W);
    r->l = rico_alloc(ctx, m, sizeof *r->l);
    r->work = rico_alloc(ctx, rico_dense_minimum_norm_work(m), sizeof *r->work);
    r->pivot = rico_alloc(ctx, m, sizeof *r->pivot);
    r->step = rico_alloc(ctx, system->nv, sizeof *r->step);
    r->next = rico_alloc(ctx, system->nq, sizeof *r->next);
    if (!r->row || !r->acts || !r->g || !r->S || !r->W || !r->l || !r->work || !r->pivot || !r->step ||
        !r->next)
        return RICO_NO_MEMORY;
    rico_csc M = system->pattern;
    M.value = scene->assembly->M;
    return rico_factor_create(RICO_CHOLESKY, &M, &r->mass);
}


// --- how far a state is from allowed ---------------------------------------------------------------------------

// What a row's value is made of: sum |dg/dq_i q_i| and its value at q = 0; its round-off grows with it.
static double size_of_row(const rico_csc *H, int64_t row, const double *x, double constant)
{
    double size = isfinite(constant) ? fabs(constant) : 0.0;
    for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) size += fabs(H->value[k] * x[H->row[k]]);
    return size;
}


// Sizes of all rows at q, into `size`; H is at q afterwards.
static rico_status sizes_of_rows(rico_scene *scene, double t, const double *q, double *size)
{
    rico_system *system = scene->system;
    double *zero = rico_alloc(scene->ctx, system->nq, sizeof *zero);
    if (!zero) return RICO_NO_MEMORY;
    for (int64_t c = 0; c < system->constraint_count; c++)
        if (rico_assembly_gap_of(scene->assembly, c, t, zero, size) != RICO_OK)
            memset(size + system->constraint[c]->row, 0, (size_t)system->constraint[c]->size * sizeof *size);
    rico_free(scene->ctx, zero);
    rico_status status = rico_assembly_frames(scene->assembly, t, q);
    for (int64_t row = 0; status == RICO_OK && row < system->rows; row++)
        size[row] = size_of_row(&scene->assembly->H, row, q, size[row]);
    // rows of bodies know better: their positions are not those of their velocities
    for (int64_t c = 0; status == RICO_OK && c < system->constraint_count; c++) {
        const rico_constraint *constraint = system->constraint[c];
        if (constraint->kind->size) constraint->kind->size(constraint, t, q, size + constraint->row);
    }
    return status;
}


// Boxes and relations ask nothing of a start: what they ask for, the end of the first step has.
static bool asks(const rico_constraint *constraint)
{
    return !constraint->box.acts && !constraint->relation;
}


// By how much constraint c is violated, relative to its size; the worst row in *row.
static double violation(const rico_system *system, int64_t c, const double *g, const double *size,
                        int64_t *row)
{
    const rico_constraint *constraint = system->constraint[c];
    double worst = 0.0;
    *row = constraint->row;
    if (!asks(constraint)) return 0.0;
    int64_t rows = constraint->joint ? constraint->size : 1;
    for (int64_t k = constraint->row; k < constraint->row + rows; k++) {
        double off = constraint->joint ? fabs(g[k]) : -g[k];
        if (off <= 0.0 || off <= worst * size[k]) continue;
        worst = size[k] > 0.0 ? off / size[k] : HUGE_VAL;
        *row = k;
    }
    return worst;
}


// --- projection ------------------------------------------------------------------------------------------------

static void choose_rows(repair *r)
{
    r->count = 0;
    for (int64_t c = 0; c < r->system->constraint_count; c++) {
        const rico_constraint *constraint = r->system->constraint[c];
        if ((!constraint->joint && !r->acts[c]) || !asks(constraint)) continue;
        int64_t rows = constraint->joint ? constraint->size : 1;
        for (int64_t k = 0; k < rows; k++) r->row[r->count++] = constraint->row + k;
    }
}


// x += M^-1 H l with (H'M^-1 H) l = -b on the rows that act; redundant rows share.
static rico_status push(repair *r, const double *b, double *x)
{
    const rico_csc *H = &r->scene->assembly->H;
    int64_t n = r->system->nv, m = r->count, rank;
    memset(r->S, 0, (size_t)(n * m) * sizeof *r->S);
    for (int64_t a = 0; a < m; a++)
        for (int64_t k = H->start[r->row[a]]; k < H->start[r->row[a] + 1]; k++)
            r->S[a * n + H->row[k]] += H->value[k];
    rico_status status = m > 0 ? rico_factor_solve(r->mass, m, r->S, r->S) : RICO_OK;
    for (int64_t a = 0; status == RICO_OK && a < m; a++) {
        r->l[a] = -b[r->row[a]];
        for (int64_t c = 0; c < m; c++) {
            double sum = 0.0;
            for (int64_t k = H->start[r->row[c]]; k < H->start[r->row[c] + 1]; k++)
                sum += H->value[k] * r->S[a * n + H->row[k]];
            r->W[c + a * m] = sum;
        }
    }
    if (status == RICO_OK && m > 0)
        status = rico_dense_minimum_norm(r->scene->ctx, m, r->W, r->l, 1e-12, r->work, r->pivot, &rank);
    for (int64_t a = 0; status == RICO_OK && a < m; a++) rico_axpy(n, r->l[a], r->S + a * n, x);
    return status;
}


// Moves q by that, along the rotations of bodies.
static rico_status move(repair *r, double *q)
{
    memset(r->step, 0, (size_t)r->system->nv * sizeof *r->step);
    rico_status status = push(r, r->g, r->step);
    if (status == RICO_OK) status = rico_assembly_retract(r->scene->assembly, r->t, q, 1.0, r->step, r->next);
    if (status == RICO_OK) memcpy(q, r->next, (size_t)r->system->nq * sizeof *q);
    return status;
}


// Lets go of contacts that pull; false when none does.
static bool let_go(repair *r)
{
    bool any = false;
    int64_t at = 0;
    for (int64_t c = 0; c < r->system->constraint_count; c++) {
        const rico_constraint *constraint = r->system->constraint[c];
        if (constraint->joint) {
            if (asks(constraint)) at += constraint->size;
        } else if (r->acts[c]) {
            if (r->l[at++] < 0.0) r->acts[c] = false, any = true;
        }
    }
    return any;
}


// Contacts that are penetrated begin to act.
static void take_violated(repair *r, const double *size)
{
    int64_t row;
    for (int64_t c = 0; c < r->system->constraint_count; c++)
        if (!r->system->constraint[c]->joint && violation(r->system, c, r->g, size, &row) > 0.1 * TOLERANCE)
            r->acts[c] = true;
}


// What round-off left of a coordinate that went to 0.
static void tidy(int64_t n, const double *from, double *to)
{
    double largest = 0.0;
    for (int64_t i = 0; i < n; i++) largest = fmax(largest, fabs(to[i] - from[i]));
    for (int64_t i = 0; i < n; i++)
        if (fabs(to[i]) <= 1e-14 * largest) to[i] = 0.0;
}


// Moves q to where all constraints hold; *held says whether it got there.
static rico_status project(repair *r, double *q, double *size, bool *held)
{
    rico_status status = RICO_OK;
    *held = false;
    for (int k = 0; status == RICO_OK && k < MOST_ITERATIONS && !*held; k++) {
        status = sizes_of_rows(r->scene, r->t, q, size);
        if (status == RICO_OK) status = rico_assembly_gaps(r->scene->assembly, r->t, q, r->g);
        if (status != RICO_OK) break;
        int64_t row;
        *held = true;
        for (int64_t c = 0; c < r->system->constraint_count; c++)
            *held = *held && violation(r->system, c, r->g, size, &row) <= 1e-3 * TOLERANCE;
        if (*held) break;
        take_violated(r, size);
        choose_rows(r);
        status = move(r, q);
        if (status == RICO_OK && let_go(r)) continue;
    }
    return status;
}


// --- words -----------------------------------------------------------------------------------------------------

// "y = 0, z = 1": the largest moves from a to b by name.
static void list_moves(const rico_scene *scene, bool velocities, const double *a, const double *b, bool both,
                       char *text, size_t size)
{
    int64_t n = velocities ? rico_system_velocities(scene->system) : rico_system_positions(scene->system);
    int64_t named[MOST_NAMED];
    int count = 0, total = 0;
    for (int64_t i = 0; i < n; i++) {
        if (fabs(b[i] - a[i]) <= 1e-12 * fmax(fabs(a[i]), fabs(b[i]))) continue;
        total++;
        if (count < MOST_NAMED) named[count++] = i;
    }
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < count && used + RICO_SCENE_NAME + 60 < size; k++) {
        char name[RICO_SCENE_NAME] = "";
        (velocities ? rico_scene_velocity_name : rico_scene_position_name)(scene, named[k], name);
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s = %.10g", used ? ", " : "", name, b[named[k]]);
        if (both) used += (size_t)snprintf(text + used, size - used, " (was %.10g)", a[named[k]]);
    }
    if (total > count) snprintf(text + used, size - used, " and %d more", total - count);
}


static const rico_node *place_of(const rico_scene *scene, const char *what, const rico_constraint *constraint)
{
    const rico_node *root = rico_document_root(scene->document);
    const rico_node *state = rico_node_at(rico_node_at(root, "initial"), what);
    const rico_node *list = rico_node_at(root, constraint->joint ? "joints" : "contacts");
    const rico_node *own = rico_node_at(list, constraint->name);
    // motors and stops are called JOINT.motor, JOINT.low, JOINT.high
    const char *dot = strrchr(constraint->name, '.');
    const rico_node *joints = rico_node_at(root, "joints"), *child = joints ? joints->first : NULL;
    if (!own) own = rico_node_at(joints, constraint->name); // a rope
    for (; !own && dot && child; child = child->next)
        if (strlen(child->key) == (size_t)(dot - constraint->name) &&
            strncmp(child->key, constraint->name, strlen(child->key)) == 0)
            own = child;
    return state && state->key ? state : own ? own : root;
}


static rico_status refuse(rico_scene *scene, int64_t c, int64_t row, bool velocity, double value, bool known,
                          const double *from, const double *to)
{
    const rico_constraint *constraint = scene->system->constraint[c];
    char moves[512], cure[700], equation[48] = "its equation";
    list_moves(scene, velocity, from, to, false, moves, sizeof moves);
    if (known && moves[0])
        snprintf(cure, sizeof cure,
                 "the nearest start that holds has %s; write it, or 'initial: {repair: true}'", moves);
    else
        snprintf(cure, sizeof cure, "no start that holds is near; check the formulas");
    if (constraint->joint && constraint->size > 1)
        snprintf(equation, sizeof equation, "equation %lld", (long long)(row - constraint->row) + 1);
    const rico_node *node = place_of(scene, velocity ? "velocity" : "position", constraint);
    return rico_document_fail_key(scene->document, node, "%s '%s' %s at the start: %s%s is %.6g; %s",
                                  constraint->joint ? "joint" : "contact", constraint->name,
                                  velocity            ? "forbids the velocities"
                                  : constraint->joint ? "is violated"
                                                      : "is penetrated",
                                  velocity ? "the rate of " : "", constraint->joint ? equation : "its gap",
                                  value, cure);
}


// --- the checks ------------------------------------------------------------------------------------------------

static rico_status check_positions(rico_scene *scene, repair *r, bool mend, double *size, double *moved)
{
    rico_system *system = scene->system;
    int64_t worst = -1, worst_row = 0, row;
    rico_status status = sizes_of_rows(scene, r->t, scene->q, size);
    if (status == RICO_OK) status = rico_assembly_gaps(scene->assembly, r->t, scene->q, r->g);
    for (int64_t c = 0; status == RICO_OK && c < system->constraint_count && worst < 0; c++)
        if (violation(system, c, r->g, size, &row) > TOLERANCE) worst = c, worst_row = row;
    if (status != RICO_OK || worst < 0) return status;
    double value = r->g[worst_row];
    bool held;
    memcpy(moved, scene->q, (size_t)system->nq * sizeof *moved);
    status = project(r, moved, size, &held);
    if (status != RICO_OK) return status;
    tidy(system->nq, scene->q, moved);
    if (!mend || !held) return refuse(scene, worst, worst_row, false, value, held, scene->q, moved);
    char moves[512];
    list_moves(scene, false, scene->q, moved, true, moves, sizeof moves);
    rico_scene_warn(scene, place_of(scene, "position", system->constraint[worst]),
                    "the start was repaired, to the nearest one that holds: %s", moves);
    memcpy(scene->q, moved, (size_t)system->nq * sizeof *moved);
    return RICO_OK;
}


// The same of a relative velocity of bodies: entries of a row are known to the round-off of its largest.
static double size_of_rate(const rico_csc *H, int64_t row, const double *v, double rate)
{
    double largest = 0.0, sum = 0.0;
    for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) {
        largest = fmax(largest, fabs(H->value[k]));
        sum += fabs(v[H->row[k]]);
    }
    return fabs(rate) + largest * sum;
}


// Joint rows of u = H'v + w at the start.
static rico_status joint_rates(rico_scene *scene, repair *r, double *size)
{
    rico_system *system = scene->system;
    rico_status status = rico_assembly_frames(scene->assembly, r->t, scene->q);
    if (status == RICO_OK) status = rico_assembly_rates(scene->assembly, r->t, scene->q);
    for (int64_t row = 0; status == RICO_OK && row < system->rows; row++) {
        r->g[row] = scene->assembly->w[row];
        for (int64_t k = scene->assembly->H.start[row]; k < scene->assembly->H.start[row + 1]; k++)
            r->g[row] += scene->assembly->H.value[k] * scene->v[scene->assembly->H.row[k]];
        size[row] = size_of_row(&scene->assembly->H, row, scene->v, scene->assembly->w[row]);
    }
    for (int64_t c = 0; status == RICO_OK && c < system->constraint_count; c++) {
        const rico_constraint *of = system->constraint[c];
        for (int64_t row = of->row; of->kind->size && row < of->row + of->size; row++)
            size[row] = size_of_rate(&scene->assembly->H, row, scene->v, scene->assembly->w[row]);
    }
    return status;
}


static rico_status check_velocities(rico_scene *scene, repair *r, bool mend, double *size, double *moved)
{
    rico_system *system = scene->system;
    int64_t worst = -1, worst_row = 0, row;
    rico_status status = joint_rates(scene, r, size);
    for (int64_t c = 0; status == RICO_OK && c < system->constraint_count && worst < 0; c++)
        if (system->constraint[c]->joint && violation(system, c, r->g, size, &row) > TOLERANCE)
            worst = c, worst_row = row;
    if (status != RICO_OK || worst < 0) return status;
    double value = r->g[worst_row];
    memset(r->acts, 0, (size_t)system->constraint_count * sizeof *r->acts);
    choose_rows(r);
    memcpy(moved, scene->v, (size_t)system->nv * sizeof *moved);
    status = push(r, r->g, moved);
    if (status != RICO_OK) return status;
    tidy(system->nv, scene->v, moved);
    if (!mend) return refuse(scene, worst, worst_row, true, value, true, scene->v, moved);
    char moves[512];
    list_moves(scene, true, scene->v, moved, true, moves, sizeof moves);
    rico_scene_warn(scene, place_of(scene, "velocity", system->constraint[worst]),
                    "the start was repaired, to the nearest velocities that joints allow: %s", moves);
    memcpy(scene->v, moved, (size_t)system->nv * sizeof *moved);
    return RICO_OK;
}


// Under a scheme without inertia velocities mean nothing.
static bool statics(const rico_scene *scene)
{
    return rico_scheme_find(rico_scene_scheme(scene))->statics;
}


// Most starts hold: then nothing is allocated or factored for a repair.
static rico_status holds(rico_scene *scene, double *size, double *g, bool *good, int64_t *bad)
{
    rico_system *system = scene->system;
    repair look = {.scene = scene, .system = system, .t = rico_scene_times(scene).start, .g = g};
    int64_t row;
    rico_status status = sizes_of_rows(scene, look.t, scene->q, size);
    if (status == RICO_OK) status = rico_assembly_gaps(scene->assembly, look.t, scene->q, g);
    *good = true;
    for (int64_t c = 0; status == RICO_OK && c < system->constraint_count; c++)
        if (*good && violation(system, c, g, size, &row) > TOLERANCE) *good = false, *bad = c;
    if (status != RICO_OK || statics(scene)) return status;
    if (*good) status = joint_rates(scene, &look, size);
    for (int64_t c = 0; status == RICO_OK && *good && c < system->constraint_count; c++)
        if (system->constraint[c]->joint && violation(system, c, g, size, &row) > TOLERANCE)
            *good = false, *bad = c;
    return status;
}


rico_status rico_scene_check_start(rico_scene *scene)
{
    rico_context *ctx = scene->ctx;
    rico_system *system = scene->system;
    const rico_node *node = rico_node_at(rico_document_root(scene->document), "initial");
    const rico_node *flag = rico_node_at(node, "repair");
    bool mend = false, good = true;
    int64_t bad = 0;
    rico_status status = flag ? rico_document_flag(scene->document, flag, &mend) : RICO_OK;
    if (status != RICO_OK) return status;
    double *size = rico_alloc(ctx, 2 * system->rows, sizeof *size);
    double *moved = rico_alloc(ctx, system->nq + system->nv, sizeof *moved);
    if (!size || !moved) status = RICO_NO_MEMORY;
    if (status == RICO_OK) status = holds(scene, size, size + system->rows, &good, &bad);
    if (status == RICO_OK && !good) {
        repair r;
        status = begin(scene, bad, &r);
        if (status == RICO_OK) status = check_positions(scene, &r, mend, size, moved);
        if (status == RICO_OK && !statics(scene)) status = check_velocities(scene, &r, mend, size, moved);
        release(&r);
    }
    rico_free(ctx, size);
    rico_free(ctx, moved);
    return status;
}
