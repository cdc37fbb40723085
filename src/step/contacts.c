// The contact problem of one step: y = W p + c over the active joints and contacts, W = H' A^-1 H.

#include "step/contacts.h"

#include "la/dense.h"
#include "model/friction.h"
#include "model/relation.h"
#include "problem/problem.h"
#include "step/boxes.h"
#include "step/helper.h"
#include "step/relations.h"
#include "step/rubbing.h"
#include "step/share.h"
#include "step/verdict.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    BODY_ROWS = 24,           // beyond, sweeps go body by body where there are bodies
    DENSE_ROWS = 400,         // beyond, W is sparse
    MANY_ROWS = 128,          // from here on a sparse W is cheaper where it stays the same
    FEW_ROWS = 32,            // up to here it is dense in any case
    KEPT_NUMBERS = 4 << 20,   // columns of A^-1 H kept for all constraints, 32 MB
    DENSE_NUMBERS = 64 << 20, // largest X for the active ones
    MOST_RELATED = 4000       // with relations W is dense
};


rico_status rico_contacts_resize(rico_contacts *out)
{
    rico_context *ctx = out->ctx;
    int64_t count = out->assembly->set.count, rows = out->assembly->set.rows;
    bool whole = true;
    out->prepared = false;
    if (count > out->constraint_room || !out->index) {
        int64_t room = out->constraint_room = out->index ? count + count / 2 : count;
        whole = rico_renew(ctx, &out->index, room, sizeof *out->index) &&
                rico_renew(ctx, &out->block, room, sizeof *out->block) &&
                rico_renew(ctx, &out->offset, room, sizeof *out->offset) &&
                rico_renew(ctx, &out->factor, 3 * room, sizeof *out->factor) &&
                rico_renew(ctx, &out->set, room, 1) && rico_renew(ctx, &out->kept, room, 1);
    }
    if (whole && (rows > out->row_room || !out->row)) {
        int64_t room = out->row_room = out->row ? rows + rows / 2 : rows;
        whole = rico_renew(ctx, &out->row, room, sizeof *out->row) &&
                rico_renew(ctx, &out->column, room, 1) && rico_renew(ctx, &out->c, room, sizeof *out->c) &&
                rico_renew(ctx, &out->p, room, sizeof *out->p) &&
                rico_renew(ctx, &out->y, 3 * room, sizeof *out->y);
    }
    if (!whole) out->constraint_room = out->row_room = 0;
    return whole ? RICO_OK : RICO_NO_MEMORY;
}


rico_status rico_contacts_create(rico_assembly *assembly, rico_contacts *out)
{
    const rico_system *system = assembly->system;
    memset(out, 0, sizeof *out);
    out->ctx = assembly->ctx;
    out->assembly = assembly;
    out->nv = system->nv;
    out->tol = 1e-10;
    rico_status status = rico_contacts_resize(out);
    if (status != RICO_OK) rico_contacts_destroy(out);
    out->constant = system->linear && system->constant_frames;
    out->related = system->relation_count > 0;
    out->keep = out->constant && system->nv * system->rows <= KEPT_NUMBERS;
    return status;
}


void rico_contacts_destroy(rico_contacts *contacts)
{
    rico_context *ctx = contacts->ctx;
    if (!ctx) return;
    rico_solver_destroy(contacts->solver);
    rico_problem_destroy(contacts->problem);
    rico_dense_destroy(ctx, &contacts->dense);
    rico_sparse_contacts_destroy(&contacts->sparse);
    rico_body_sweeps_destroy(&contacts->bodies);
    void *all[] = {contacts->index,   contacts->block, contacts->offset, contacts->row,   contacts->set,
                   contacts->kept,    contacts->X,     contacts->column, contacts->c,     contacts->p,
                   contacts->y,       contacts->box_v, contacts->box_p,  contacts->found, contacts->factor,
                   contacts->tension, contacts->pull};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    memset(contacts, 0, sizeof *contacts);
}


// Friction of contacts that are not to slip: none of the field comes near it, and solvers still tell T from N.
static const double ROUGH = 1e3;


static void push(rico_contacts *contacts, int64_t c)
{
    const rico_constraint *constraint = contacts->assembly->set.constraint[c];
    bool box = constraint->box.acts, contact = !constraint->joint && !contacts->normals,
         equality = !box && (constraint->joint || contacts->set[c] == RICO_CONTACT_HELD);
    int64_t size = contacts->normals && !constraint->joint ? 1 : constraint->size;
    rico_block *block = &contacts->block[contacts->count];
    contacts->index[contacts->count] = c;
    contacts->offset[contacts->count] = contacts->rows;
    bool relay = box && (!constraint->relation || constraint->relation->given.law == RICO_RELATION_RELAY);
    *block = (rico_block){equality ? RICO_EQUALITY : relay ? RICO_BOX : RICO_UNILATERAL, size};
    if (!equality && !box && contact) *block = rico_constraint_block(constraint, 1.0, contacts->h);
    if (contacts->rough && block->friction > 0.0) {
        rico_block_kind kind = block->kind == RICO_ELLIPTIC ? RICO_COULOMB_3D : block->kind;
        *block =
            (rico_block){.kind = kind, .size = size, .friction = ROUGH, .rolling = ROUGH, .spinning = ROUGH};
    }
    contacts->boxes |= box;
    contacts->laws |= constraint->rubs && contact;
    contacts->count++;
    for (int64_t i = 0; i < size; i++) contacts->row[contacts->rows++] = constraint->row + i;
}


void rico_contacts_activate(rico_contacts *contacts, const char *active)
{
    const rico_contact_set *set = &contacts->assembly->set;
    contacts->count = contacts->rows = 0;
    contacts->boxes = contacts->laws = false;
    for (int64_t c = 0; c < set->count; c++) {
        bool held = contacts->normals && active[c] == RICO_CONTACT_HELD, joint = set->constraint[c]->joint,
             box = set->constraint[c]->box.acts;
        bool pulls = contacts->tension && contacts->tension[c] > 0.0;
        contacts->set[c] = held ? RICO_CONTACT_HELD : joint || active[c] || pulls;
        if (box)
            contacts->set[c] = contacts->normals ? 0 : RICO_CONTACT_ACTS; // a problem of positions has none
        if ((joint && !box) || held) push(contacts, c);
    }
    contacts->joint_rows = contacts->rows;
    for (int64_t c = 0; c < set->count; c++)
        if (contacts->set[c] == RICO_CONTACT_ACTS &&
            (!set->constraint[c]->joint || set->constraint[c]->box.acts))
            push(contacts, c);
    if (memcmp(contacts->set, contacts->kept, (size_t)set->count) != 0) contacts->prepared = false;
}


// Room for the dense arrays, grown in steps so that a changing active set soon allocates nothing any more.
static rico_status reserve(rico_contacts *contacts)
{
    rico_context *ctx = contacts->ctx;
    const rico_contact_set *set = &contacts->assembly->set;
    if (contacts->keep && !contacts->X) {
        contacts->X = rico_alloc(ctx, contacts->nv * set->rows, sizeof *contacts->X);
        if (!contacts->X) return RICO_NO_MEMORY;
    }
    if (contacts->rows <= contacts->capacity && contacts->count <= contacts->dense.block_room) return RICO_OK;
    int64_t wanted = contacts->rows + contacts->rows / 2 + 6;
    if (wanted > set->rows) wanted = set->rows;
    contacts->capacity = 0;
    rico_status status = rico_dense_reserve(ctx, &contacts->dense, wanted, wanted);
    if (status != RICO_OK) return status;
    if (!contacts->keep) {
        rico_free(ctx, contacts->X);
        contacts->X = rico_alloc(ctx, contacts->nv * wanted, sizeof *contacts->X);
        if (!contacts->X) return RICO_NO_MEMORY;
    }
    contacts->capacity = wanted;
    return RICO_OK;
}


static double *column_of(const rico_contacts *contacts, int64_t active_row)
{
    int64_t at = contacts->keep ? contacts->row[active_row] : active_row;
    return contacts->X + at * contacts->nv;
}


// The column of H as a dense vector.
static void scatter(const rico_csc *H, int64_t row, double *x)
{
    memset(x, 0, (size_t)H->rows * sizeof *x);
    for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) x[H->row[k]] = H->value[k];
}


// X = A^-1 H for the active rows.
static rico_status columns(rico_contacts *contacts, rico_iteration *iteration)
{
    const rico_csc *H = &contacts->assembly->H;
    if (!contacts->keep) {
        for (int64_t i = 0; i < contacts->rows; i++) scatter(H, contacts->row[i], column_of(contacts, i));
        return rico_iteration_respond(iteration, contacts->rows, contacts->X, contacts->X);
    }
    for (int64_t i = 0; i < contacts->rows; i++) {
        int64_t row = contacts->row[i];
        if (contacts->column[row]) continue;
        double *x = column_of(contacts, i);
        scatter(H, row, x);
        rico_status status = rico_iteration_respond(iteration, 1, x, x);
        if (status != RICO_OK) return status;
        contacts->column[row] = 1;
    }
    return RICO_OK;
}


static rico_status prepare(rico_contacts *contacts, rico_iteration *iteration)
{
    rico_status status = reserve(contacts);
    if (status == RICO_OK) status = columns(contacts, iteration);
    if (status != RICO_OK) return status;
    int64_t m = contacts->rows;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < m; j++)
            contacts->dense.W[i * m + j] =
                rico_assembly_relative(contacts->assembly, contacts->row[i], column_of(contacts, j));
    if (contacts->related) rico_relations_feed(contacts, contacts->dense.W);
    rico_dense_prepare(&contacts->dense, contacts->count, contacts->block, contacts->offset, m);
    memcpy(contacts->kept, contacts->set, (size_t)contacts->assembly->set.count);
    contacts->prepared = true;
    return RICO_OK;
}


// Relations make W unsymmetric and may leave zeros on its diagonal, where iterations fail and pivots do not.
static const char *solver_for(const rico_contacts *contacts)
{
    for (int64_t a = 0; a < contacts->count; a++)
        if (contacts->block[a].size > 2) return "auto";
    return contacts->related ? "lemke" : "auto";
}


static rico_status make_solver(rico_contacts *contacts)
{
    if (contacts->solver) return RICO_OK;
    return rico_solver_create(contacts->ctx, solver_for(contacts), &contacts->solver);
}


rico_status rico_contacts_call_solver(rico_contacts *contacts, rico_problem *problem, bool *ready, double *p,
                                      rico_report *report)
{
    contacts->solver_calls++;
    rico_status status = make_solver(contacts);
    if (status == RICO_OK && !contacts->always)
        status = rico_solver_set_number(contacts->solver, "tol", contacts->tol);
    double rounds = 0.0;
    bool few = contacts->rounds > 0 && !contacts->always;
    if (status == RICO_OK && few) status = rico_solver_get_number(contacts->solver, "rounds", &rounds);
    if (status == RICO_OK && few)
        status = rico_solver_set_number(contacts->solver, "rounds", contacts->rounds);
    if (status == RICO_OK && *ready) status = rico_solver_update(contacts->solver);
    if (status == RICO_OK && !*ready) status = rico_solver_setup(contacts->solver, problem);
    *ready = status == RICO_OK;
    if (status == RICO_OK) status = rico_solver_solve(contacts->solver, p, NULL, report);
    if (status == RICO_OK && few) status = rico_solver_set_number(contacts->solver, "rounds", rounds);
    return status;
}


bool rico_contacts_own_response(const rico_contacts *contacts, int64_t c, double response[3])
{
    const rico_problem *problem = contacts->sparse.problem;
    int64_t low = 0, high = contacts->count, joints = 0;
    while (joints < contacts->count && contacts->offset[joints] < contacts->joint_rows) joints++;
    bool matrix = !contacts->small && problem && problem->block_count == contacts->count - joints;
    bool swept = contacts->swept && contacts->joint_rows == 0;
    if (!matrix && !swept) return false;
    while (high - low > 1) {
        int64_t middle = (low + high) / 2;
        *(contacts->index[middle] <= c ? &low : &high) = middle;
    }
    if (contacts->count == 0 || contacts->index[low] != c) return false;
    int64_t size = contacts->block[low].size;
    const double *block = swept ? contacts->bodies.contact[low].W
                                : problem->W.value + problem->W.place[problem->W.diagonal[low - joints]];
    for (int64_t i = 0; i < size && i < 3; i++) response[i] = block[i * size];
    return true;
}


// Takes the problem over: it must live until the solver's next setup.
static rico_status solve_problem(rico_contacts *contacts, rico_problem *problem, rico_report *report)
{
    bool ready = contacts->sparse.ready = false;
    rico_status status = rico_contacts_call_solver(contacts, problem, &ready, contacts->p, report);
    rico_problem_destroy(contacts->problem);
    contacts->problem = problem;
    return status;
}


// What Gauss-Seidel did not settle: the same dense problem, joints eliminated, for the solver.
static rico_status solve_dense(rico_contacts *contacts, rico_report *report)
{
    int64_t joints = contacts->joint_rows, m = contacts->rows, n = m - joints, first = 0;
    double *p = contacts->p;
    rico_problem *problem = NULL;
    while (first < contacts->count && contacts->block[first].kind == RICO_EQUALITY) first++;
    rico_status status = rico_problem_create_dense(
        contacts->ctx, contacts->count - first, contacts->block + first, n,
        contacts->dense.S + joints * (m + 1), m, 1, contacts->dense.y + joints, &problem);
    if (status != RICO_OK) return status;
    problem->noise = contacts->noise;
    memmove(p, p + joints, (size_t)n * sizeof *p);
    status = solve_problem(contacts, problem, report);
    memmove(p + joints, p, (size_t)n * sizeof *p);
    return status;
}


// The global form of the active set, W never formed; v holds the free velocity.
static rico_status make_global(rico_contacts *contacts, const rico_iteration *iteration, const double *v,
                               rico_problem **problem)
{
    rico_context *ctx = contacts->ctx;
    const rico_csc *H = &contacts->assembly->H;
    int64_t entries = 0;
    for (int64_t i = 0; i < contacts->rows; i++)
        entries += H->start[contacts->row[i] + 1] - H->start[contacts->row[i]];
    int64_t *start = rico_alloc(ctx, contacts->rows + 1, sizeof *start);
    int64_t *row = rico_alloc(ctx, entries, sizeof *row);
    double *value = rico_alloc(ctx, entries, sizeof *value), *f = NULL;
    rico_csc G = {0};
    rico_status status = start && row && value ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK) status = rico_iteration_global(iteration, v, &G, &f);
    if (status == RICO_OK) {
        for (int64_t i = 0; i < contacts->rows; i++) {
            int64_t from = H->start[contacts->row[i]], count = H->start[contacts->row[i] + 1] - from;
            start[i + 1] = start[i] + count;
            memcpy(row + start[i], H->row + from, (size_t)count * sizeof *row);
            memcpy(value + start[i], H->value + from, (size_t)count * sizeof *value);
            // c holds y without impulses: the offset is what H' v_free leaves of it
            contacts->y[i] = contacts->c[i] - rico_assembly_relative(contacts->assembly, contacts->row[i], v);
        }
        rico_sparse_view columns = {G.rows, contacts->rows, start, row, value}, matrix = rico_csc_view(&G);
        status = rico_problem_create_global(ctx, contacts->count, contacts->block, &matrix, &columns, f,
                                            contacts->y, problem);
    }
    rico_csc_destroy(&G);
    rico_free(ctx, start);
    rico_free(ctx, row);
    rico_free(ctx, value);
    rico_free(ctx, f);
    return status;
}


// Large problems: the global form, W never formed here. v receives the velocity.
static rico_status solve_global(rico_contacts *contacts, const rico_iteration *iteration, double *v)
{
    rico_problem *problem = NULL;
    rico_status status = make_global(contacts, iteration, v, &problem);
    rico_report report = {.stop = RICO_BREAKDOWN};
    if (status == RICO_OK) status = solve_problem(contacts, problem, &report);
    contacts->residual = report.residual;
    if (status == RICO_OK && report.stop != RICO_CONVERGED) status = rico_contacts_refuse(contacts, &report);
    // where the mass enters apart, there are more unknowns than velocities, which come first
    double *all = status == RICO_OK ? rico_alloc(contacts->ctx, problem->dofs, sizeof *all) : NULL;
    if (status == RICO_OK && !all) status = RICO_NO_MEMORY;
    if (status == RICO_OK) status = rico_problem_velocity(problem, contacts->p, contacts->y, all);
    if (status == RICO_OK) memcpy(v, all, (size_t)contacts->nv * sizeof *v);
    rico_free(contacts->ctx, all);
    return status;
}


// c = y / omega without impulses, row by row of the active set, with what round-off may have done to it. The law is
// homogeneous: y / omega = H' v + w + c / omega obeys it just as y does.
static void take_right_side(rico_contacts *contacts, double omega, const double *c, const double *v,
                            double *p, double *scale)
{
    const rico_contact_set *set = &contacts->assembly->set;
    const rico_csc *H = &contacts->assembly->H;
    double terms = 0.0;
    for (int64_t i = 0; i < contacts->rows; i++) {
        int64_t row = contacts->row[i];
        const double *value = rico_assembly_output(contacts->assembly, row);
        double speed = contacts->assembly->w[row], sum = fabs(contacts->assembly->w[row]);
        for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) {
            speed += value[k] * v[H->row[k]];
            sum += fabs(value[k] * v[H->row[k]]);
        }
        double offset = i < contacts->joint_rows && !contacts->joint_offset ? 0.0 : c[row] / omega;
        contacts->c[i] = speed + offset;
        contacts->p[i] = p[row];
        *scale = fmax(*scale, fmax(fabs(speed), fabs(contacts->c[i])));
        terms = fmax(terms, sum + fabs(offset));
    }
    contacts->noise = 4.0 * DBL_EPSILON * terms;
    memset(p, 0, (size_t)set->rows * sizeof *p);
}


// Joints from contacts, and the verdict on both.
static bool accept(rico_contacts *contacts)
{
    rico_dense *dense = &contacts->dense;
    rico_dense_finish(dense, contacts->p);
    contacts->residual = rico_dense_judge(dense, contacts->c, contacts->p, contacts->noise, dense->z);
    return rico_residual_within(&contacts->residual, contacts->tol);
}


// The solver once more, on the problem that it has, by as much closer as the verdict asks. With joints eliminated a contact may give way
// by far less than W says, and what a solver leaves by the one measure is more by the other.
static rico_status solve_closer(rico_contacts *contacts, double asked, rico_report *report)
{
    int64_t joints = contacts->joint_rows, n = contacts->rows - joints;
    double *p = contacts->p;
    memmove(p, p + joints, (size_t)n * sizeof *p);
    rico_status status = rico_solver_set_number(contacts->solver, "tol", fmax(asked, 4.0 * DBL_EPSILON));
    if (status == RICO_OK) status = rico_solver_solve(contacts->solver, p, NULL, report);
    memmove(p + joints, p, (size_t)n * sizeof *p);
    return status;
}


// What sweeps did not settle, or settled wrongly: by the solver with the joints eliminated, or refused.
static rico_status solve_or_refuse(rico_contacts *contacts)
{
    enum { TRIES = 3 };
    rico_report report = {.stop = RICO_STALLED, .residual = contacts->residual};
    double asked = 0.0;
    if (contacts->rows == contacts->joint_rows) return rico_contacts_refuse(contacts, &report);
    rico_status status = solve_dense(contacts, &report);
    if (status == RICO_OK) status = rico_solver_get_number(contacts->solver, "tol", &asked);
    double closer = asked;
    for (int n = 0; status == RICO_OK && report.stop == RICO_CONVERGED; n++) {
        bool good = accept(contacts);
        if (good || n == TRIES) {
            report.stop =
                good ? RICO_CONVERGED : RICO_STALLED; // solved with the joints eliminated, but not with them
            report.residual = contacts->residual;
            break;
        }
        closer *= 0.1 * fmin(1.0, contacts->tol / contacts->residual.relative);
        status = solve_closer(contacts, closer, &report);
    }
    if (closer < asked) {
        rico_status back = rico_solver_set_number(contacts->solver, "tol", asked);
        if (status == RICO_OK) status = back;
    }
    if (status != RICO_OK || report.stop == RICO_CONVERGED) return status;
    return rico_contacts_refuse(contacts, &report);
}


// Impulses on the dense W: by sweeps, or by the solver with the joints eliminated.
static rico_status solve_judged(rico_contacts *contacts, double scale)
{
    bool contacts_act = contacts->rows > contacts->joint_rows;
    rico_dense_begin(&contacts->dense, contacts->c);
    if (contacts->undecided) {
        rico_status status = rico_contacts_spread(contacts);
        if (status != RICO_OK) return status;
    }
    bool settled =
        !contacts_act || (!contacts->always && rico_dense_settle(&contacts->dense, scale, contacts->p));
    // positions: an iterate of a loop that looks at the gaps themselves, which linear equations may contradict on the way
    if (settled && (accept(contacts) || contacts->normals)) return RICO_OK;
    return solve_or_refuse(contacts);
}


rico_status rico_contacts_solve_on_matrix(rico_contacts *contacts, rico_iteration *iteration, double scale,
                                          double *v)
{
    int64_t m = contacts->rows;
    rico_status status = RICO_OK;
    if (contacts->related && m > MOST_RELATED)
        return rico_fail(
            contacts->ctx, RICO_UNSUPPORTED,
            "%lld rows of contacts, joints and relations act in one step; with relations, at most "
            "%d can",
            (long long)m, MOST_RELATED);
    // columns that stay the same but are too many to keep as velocities are kept as columns of a sparse W; so are many rows of
    // a large system, each of which few others feel
    contacts->small =
        contacts->related || (m <= DENSE_ROWS && (contacts->keep || contacts->nv * m <= DENSE_NUMBERS) &&
                              (contacts->keep || !contacts->constant || m <= FEW_ROWS) &&
                              (!contacts->constant || m <= MANY_ROWS || contacts->nv <= 4 * m) &&
                              !rico_compliance_serves(contacts, iteration));
    if (contacts->small) {
        if (!contacts->prepared) status = prepare(contacts, iteration);
        if (status == RICO_OK) status = solve_judged(contacts, scale);
        if (status != RICO_OK) return status;
        for (int64_t i = 0; i < m; i++)
            if (contacts->p[i] != 0.0) rico_axpy(contacts->nv, contacts->p[i], column_of(contacts, i), v);
    } else {
        // where the mass enters apart, joints are left to a solver
        bool apart = contacts->joint_rows > 0 && iteration->mass;
        status =
            apart ? solve_global(contacts, iteration, v) : rico_sparse_contacts_solve(contacts, iteration, v);
        if (status != RICO_OK) return status;
    }
    return status;
}


// Does the program have a helper for this problem? Helpers take contacts with friction, all of one dimension.
static bool helped(const rico_contacts *contacts, const rico_iteration *iteration)
{
    const rico_helper *helper = rico_context_lent(contacts->ctx);
    if (!helper || contacts->always || contacts->related || contacts->joint_rows > 0 || iteration->mass)
        return false;
    if (contacts->count < helper->least_contacts) return false;
    rico_block_kind kind = contacts->block[0].kind;
    for (int64_t a = 0; a < contacts->count; a++)
        if (contacts->block[a].kind != kind) return false;
    return kind == RICO_COULOMB_2D || kind == RICO_COULOMB_3D;
}


// By the helper, on the global form; impulses stay where they were when it did not succeed.
static rico_status ask_helper(rico_contacts *contacts, const rico_iteration *iteration, double *v,
                              bool *solved)
{
    const rico_helper *helper = rico_context_lent(contacts->ctx);
    rico_problem *problem = NULL;
    rico_report report = {.stop = RICO_BREAKDOWN};
    rico_status status = make_global(contacts, iteration, v, &problem);
    if (status == RICO_OK)
        status =
            helper->solve(helper->user, problem, rico_body_sweeps_enough(contacts), contacts->p, &report);
    *solved = status == RICO_OK && report.stop == RICO_CONVERGED;
    if (*solved) {
        contacts->residual = report.residual;
        status = rico_problem_velocity(problem, contacts->p, contacts->y, v);
    }
    rico_problem_destroy(problem);
    return status == RICO_UNSUPPORTED ? RICO_OK : status;
}


static rico_status solve_once(rico_contacts *contacts, rico_iteration *iteration, bool changed, double omega,
                              const double *c, double *v, double *p, double *scale)
{
    const rico_contact_set *set = &contacts->assembly->set;
    int64_t m = contacts->rows;
    if (changed) {
        contacts->prepared = false;
        contacts->sparse.stale = true;
        memset(contacts->column, 0, (size_t)set->rows);
    }
    *scale = 0.0;
    if (m == 0) {
        memset(p, 0, (size_t)set->rows * sizeof *p);
        return RICO_OK;
    }
    contacts->problems++;

    take_right_side(contacts, omega, c, v, p, scale);
    bool solved = contacts->swept = false;
    rico_status status = RICO_OK;
    if (helped(contacts, iteration)) status = ask_helper(contacts, iteration, v, &solved);
    contacts->undecided = !solved && rico_contacts_undecided(contacts);
    if (status == RICO_OK && !solved && !contacts->always && !contacts->related && !contacts->undecided &&
        m > BODY_ROWS)
        status = rico_body_sweeps_solve(contacts, iteration, v, &solved);
    if (status == RICO_OK && !solved) {
        // what sweeps may leave, solvers after them may
        double asked = contacts->tol, enough = rico_body_sweeps_enough(contacts);
        bool staged = contacts->swept && m > RICO_MANY_ROWS && contacts->resort > enough;
        contacts->tol = enough;
        status = (staged ? rico_contacts_solve_staged : rico_contacts_solve_on_matrix)(contacts, iteration,
                                                                                       *scale, v);
        contacts->tol = asked;
    }
    if (status != RICO_OK) return status;
    for (int64_t i = 0; i < m; i++) p[contacts->row[i]] = contacts->p[i];
    return RICO_OK;
}


// Turns of a problem some of whose bounds or coefficients depend on its solution.
static rico_status solve_in_turns(rico_contacts *contacts, rico_iteration *iteration, bool changed,
                                  double omega, const double *c, double *v, double *p, double *scale)
{
    bool follow = false, even = true;
    rico_status status = contacts->laws ? rico_rubbing_begin(contacts, v, &follow) : RICO_OK;
    if (status == RICO_OK) status = rico_boxes_begin(contacts, v, p);
    for (int n = 0; status == RICO_OK; n++) {
        rico_boxes_again(contacts, n, v, p);
        contacts->sparse.stale = true; // a problem that was made has the bounds of then
        contacts->sparse.ready = false;
        if (contacts->prepared && !changed) rico_dense_renew_cones(&contacts->dense);
        status = solve_once(contacts, iteration, changed, omega, c, v, p, scale);
        if (status != RICO_OK && contacts->related) status = rico_relations_blame(contacts, status);
        changed = false;
        if (status == RICO_OK && contacts->related) status = rico_relations_unique(contacts);
        bool boxed = status == RICO_OK && rico_boxes_settled(contacts, n, p);
        if (status == RICO_OK && follow) status = rico_rubbing_again(contacts, n, omega, c, v, p, &even);
        if (status == RICO_OK && boxed && even) return RICO_OK;
        if (status == RICO_OK && !boxed && n == RICO_BOX_TURNS) status = rico_boxes_refuse(contacts, p);
        if (status == RICO_OK && !even && n == RICO_RUBBING_TURNS) status = rico_rubbing_refuse(contacts);
    }
    return status;
}


rico_status rico_contacts_solve(rico_contacts *contacts, rico_iteration *iteration, bool changed,
                                double omega, const double *c, double *v, double *p, double *scale)
{
    if (contacts->share)
        return contacts->share->solve(contacts->share->user, contacts, iteration, omega, c, v, p, scale);
    if (!contacts->boxes && !contacts->laws)
        return solve_once(contacts, iteration, changed, omega, c, v, p, scale);
    rico_status status = rico_rubbing_pull(contacts, iteration, v, p);
    if (status == RICO_OK) status = solve_in_turns(contacts, iteration, changed, omega, c, v, p, scale);
    if (status == RICO_OK) rico_rubbing_release(contacts, p);
    return status;
}
