// The contact problem of a step with many rows: see sparse_contacts.h.

#include "step/sparse_contacts.h"

#include "la/dense.h"
#include "step/contacts.h"
#include "step/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BATCH = 48, TRIED = 60, SWEEPS = 400, FEW = 600, ROUNDS = 4, REST = 64 };
static const double NEGLIGIBLE = 1e-12; // of the diagonal


static void forget_problem(rico_sparse_contacts *sparse)
{
    rico_sweeper_destroy(sparse->sweeper);
    rico_problem_destroy(sparse->problem);
    sparse->sweeper = NULL;
    sparse->problem = NULL;
    sparse->ready = false;
}


void rico_sparse_contacts_destroy(rico_sparse_contacts *sparse)
{
    rico_context *ctx = sparse->ctx;
    if (!ctx) return;
    forget_problem(sparse);
    rico_joint_response_destroy(&sparse->joints);
    rico_compliance_destroy(&sparse->compliance);
    void *all[] = {sparse->held,  sparse->first, sparse->length, sparse->place,  sparse->entry, sparse->value,
                   sparse->batch, sparse->start, sparse->row,    sparse->number, sparse->total};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    memset(sparse, 0, sizeof *sparse);
}


// Room for the rows of the set; forgets the columns when it grows.
static rico_status reserve(rico_sparse_contacts *sparse, int64_t rows, int64_t nv)
{
    rico_context *ctx = sparse->ctx;
    if (sparse->batch && rows <= sparse->row_room) return RICO_OK;
    int64_t room = sparse->batch ? rows + rows / 2 : rows;
    bool whole = rico_renew(ctx, &sparse->first, room, sizeof *sparse->first) &&
                 rico_renew(ctx, &sparse->length, room, sizeof *sparse->length) &&
                 rico_renew(ctx, &sparse->place, room, sizeof *sparse->place) &&
                 rico_renew(ctx, &sparse->start, room + 1, sizeof *sparse->start) &&
                 rico_renew(ctx, &sparse->total, nv, sizeof *sparse->total) &&
                 rico_renew(ctx, &sparse->held, nv, sizeof *sparse->held) &&
                 rico_renew(ctx, &sparse->batch, nv * BATCH, sizeof *sparse->batch);
    sparse->row_room = whole ? room : 0;
    sparse->used = 0;
    for (int64_t i = 0; whole && i < room; i++) sparse->length[i] = -1;
    return whole ? RICO_OK : RICO_NO_MEMORY;
}


// Room for `more` entries beyond those in use.
static rico_status grow(rico_context *ctx, int64_t used, int64_t more, int64_t *room, int64_t **index,
                        double **value)
{
    if (used + more <= *room) return RICO_OK;
    int64_t larger = *room + *room / 2 + more;
    int64_t *rows =
        *index ? rico_grow(ctx, *index, used, larger, sizeof *rows) : rico_alloc(ctx, larger, sizeof *rows);
    if (!rows) return RICO_NO_MEMORY;
    *index = rows;
    double *numbers = *value ? rico_grow(ctx, *value, used, larger, sizeof *numbers)
                             : rico_alloc(ctx, larger, sizeof *numbers);
    if (!numbers) return RICO_NO_MEMORY;
    *value = numbers;
    *room = larger;
    return RICO_OK;
}


static double gather(const rico_csc *H, int64_t row, const double *v)
{
    double sum = 0.0;
    for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) sum += H->value[k] * v[H->row[k]];
    return sum;
}


// Column `row` of W from x = A^-1 h: over all rows of the set where it will be kept, else over those that act.
static rico_status take_column(rico_sparse_contacts *sparse, const rico_contacts *contacts, int64_t row,
                               const double *x)
{
    const rico_csc *H = &contacts->assembly->H;
    int64_t rows = contacts->assembly->set.rows;
    rico_status status = grow(sparse->ctx, sparse->used, rows, &sparse->room, &sparse->entry, &sparse->value);
    if (status != RICO_OK) return status;
    double least = NEGLIGIBLE * fabs(gather(H, row, x));
    sparse->first[row] = sparse->used;
    for (int64_t i = 0; i < rows; i++) {
        if (!contacts->constant && sparse->place[i] < 0) continue;
        double w = gather(H, i, x);
        if (fabs(w) <= least && i != row) continue;
        sparse->entry[sparse->used] = i;
        sparse->value[sparse->used++] = w;
    }
    sparse->length[row] = sparse->used - sparse->first[row];
    return RICO_OK;
}


// x = A^-1 b with the joints holding, for count columns; in place.
static rico_status answer(rico_sparse_contacts *sparse, const rico_contacts *contacts,
                          rico_iteration *iteration, int64_t count, double *x)
{
    if (contacts->joint_rows == 0) return rico_iteration_respond(iteration, count, x, x);
    return rico_joint_response_answer(&sparse->joints, count, x);
}


// The velocities that the active contacts touch and that the compliance has not, a batch at a time.
static rico_status extend_compliance(rico_sparse_contacts *sparse, const rico_contacts *contacts,
                                     rico_iteration *iteration)
{
    rico_status status = RICO_OK;
    int64_t nv = contacts->nv, missing[BATCH], count;
    while (status == RICO_OK &&
           (count = rico_compliance_missing(&sparse->compliance, contacts, BATCH, missing)) > 0) {
        memset(sparse->batch, 0, (size_t)(count * nv) * sizeof *sparse->batch);
        for (int64_t k = 0; k < count; k++) sparse->batch[k * nv + missing[k]] = 1.0;
        status = answer(sparse, contacts, iteration, count, sparse->batch);
        if (status == RICO_OK)
            status = rico_compliance_take(&sparse->compliance, count, missing, sparse->batch);
    }
    return status;
}


// How many active rows from i on follow each other in H and touch the same velocities, at most 3: those of one contact.
static int alike_from(const rico_contacts *contacts, int64_t i)
{
    const rico_csc *H = &contacts->assembly->H;
    int64_t row = contacts->row[i], begin = H->start[row], entries = H->start[row + 1] - begin;
    int count = 1;
    for (; count < 3 && i + count < contacts->rows; count++) {
        int64_t other = row + count;
        if (contacts->row[i + count] != other || H->start[other + 1] - H->start[other] != entries) break;
        if (memcmp(H->row + begin, H->row + H->start[other], (size_t)entries * sizeof *H->row) != 0) break;
    }
    return count;
}


// The columns of the active contacts from what is kept of A^-1.
static rico_status make_columns_from_compliance(rico_sparse_contacts *sparse, const rico_contacts *contacts,
                                                rico_iteration *iteration)
{
    const rico_csc *H = &contacts->assembly->H;
    rico_status status = extend_compliance(sparse, contacts, iteration);
    for (int64_t i = contacts->joint_rows; status == RICO_OK && i < contacts->rows;) {
        int64_t row = contacts->row[i];
        int count = sparse->length[row] < 0 ? alike_from(contacts, i) : 0;
        if (count > 0) rico_compliance_columns(&sparse->compliance, H, row, count, sparse->batch);
        for (int k = 0; status == RICO_OK && k < count; k++)
            status = take_column(sparse, contacts, row + k, sparse->batch + k * contacts->nv);
        i += count > 0 ? count : 1;
    }
    if (!sparse->compliance.said)
        rico_log(sparse->ctx, RICO_LOG_INFO,
                 "contacts act on a constant matrix of %lld unknowns: its inverse is kept at %lld of them",
                 (long long)contacts->nv, (long long)sparse->compliance.count);
    sparse->compliance.said = true;
    return status;
}


// The columns of the active contacts that are not there yet, a batch at a time.
static rico_status make_columns(rico_sparse_contacts *sparse, const rico_contacts *contacts,
                                rico_iteration *iteration)
{
    const rico_csc *H = &contacts->assembly->H;
    int64_t nv = contacts->nv, missing[BATCH];
    int count = 0;
    rico_status status = RICO_OK;
    for (int64_t i = contacts->joint_rows; status == RICO_OK && i <= contacts->rows; i++) {
        bool last = i == contacts->rows;
        if (!last && sparse->length[contacts->row[i]] < 0) {
            int64_t row = missing[count] = contacts->row[i];
            double *x = sparse->batch + count++ * nv;
            memset(x, 0, (size_t)nv * sizeof *x);
            for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) x[H->row[k]] = H->value[k];
        }
        if (count < BATCH && !(last && count > 0)) continue;
        status = answer(sparse, contacts, iteration, count, sparse->batch);
        for (int k = 0; status == RICO_OK && k < count; k++)
            status = take_column(sparse, contacts, missing[k], sparse->batch + k * nv);
        count = 0;
    }
    return status;
}


// W~ of the active contacts from the columns.
static rico_status assemble(rico_sparse_contacts *sparse, const rico_contacts *contacts, int64_t skip)
{
    int64_t m = contacts->rows - contacts->joint_rows, at = 0;
    for (int64_t j = 0; j < m; j++) {
        int64_t column = contacts->row[contacts->joint_rows + j], from = sparse->first[column];
        rico_status status = grow(sparse->ctx, at, sparse->length[column], &sparse->active_room, &sparse->row,
                                  &sparse->number);
        if (status != RICO_OK) return status;
        sparse->start[j] = at;
        for (int64_t k = from; k < from + sparse->length[column]; k++) {
            if (sparse->place[sparse->entry[k]] < 0) continue;
            sparse->row[at] = sparse->place[sparse->entry[k]];
            sparse->number[at++] = sparse->value[k];
        }
    }
    sparse->start[m] = at;
    rico_sparse_view W = {m, m, sparse->start, sparse->row, sparse->number};
    return rico_problem_create_reduced(sparse->ctx, contacts->count - skip, contacts->block + skip, &W,
                                       contacts->c + contacts->joint_rows, &sparse->problem);
}


// W body by body, where A falls apart into them; *apart tells whether it does.
static rico_status assemble_by_bodies(rico_sparse_contacts *sparse, const rico_contacts *contacts,
                                      const rico_iteration *iteration, int64_t skip, bool *apart)
{
    const rico_csc *H = &contacts->assembly->H;
    int64_t m = contacts->rows - contacts->joint_rows, at = 0, nv = contacts->nv;
    *apart = false;
    if (iteration->mass) return RICO_OK;
    for (int64_t j = 0; j < m; j++) {
        int64_t column = contacts->row[contacts->joint_rows + j], from = H->start[column];
        int64_t count = H->start[column + 1] - from;
        rico_status status =
            grow(sparse->ctx, at, count, &sparse->active_room, &sparse->row, &sparse->number);
        if (status != RICO_OK) return status;
        sparse->start[j] = at;
        memcpy(sparse->row + at, H->row + from, (size_t)count * sizeof *sparse->row);
        memcpy(sparse->number + at, H->value + from, (size_t)count * sizeof *sparse->number);
        at += count;
    }
    sparse->start[m] = at;
    memset(sparse->total, 0, (size_t)nv * sizeof *sparse->total);
    rico_csc A = iteration->system->pattern;
    A.value = iteration->value;
    rico_sparse_view columns = {nv, m, sparse->start, sparse->row, sparse->number},
                     matrix = rico_csc_view(&A);
    rico_problem *made = NULL;
    rico_status status =
        rico_problem_create_global(sparse->ctx, contacts->count - skip, contacts->block + skip, &matrix,
                                   &columns, sparse->total, contacts->c + contacts->joint_rows, &made);
    if (status == RICO_OK) status = rico_problem_keep_reduced(made, iteration->lead, apart);
    sparse->parted |= *apart;
    if (status == RICO_OK && *apart)
        sparse->problem = made;
    else
        rico_problem_destroy(made);
    return status;
}


// A new problem for the active contacts, with its sweeper.
static rico_status pose(rico_sparse_contacts *sparse, rico_contacts *contacts, rico_iteration *iteration)
{
    int64_t skip = 0;
    bool apart = false;
    while (skip < contacts->count && contacts->block[skip].kind == RICO_EQUALITY) skip++;
    rico_status status = RICO_OK;
    if (skip == contacts->count) return RICO_OK;
    if (!sparse->whole && skip == 0) status = assemble_by_bodies(sparse, contacts, iteration, skip, &apart);
    if (status == RICO_OK && !apart) {
        sparse->whole = skip == 0; // the pattern of A stays what it is
        bool kept = rico_compliance_serves(contacts, iteration) &&
                    rico_compliance_fits(&sparse->compliance, contacts, iteration);
        status = (kept ? make_columns_from_compliance : make_columns)(sparse, contacts, iteration);
        if (status == RICO_OK) status = assemble(sparse, contacts, skip);
    }
    if (status == RICO_OK) status = rico_problem_block_norms(sparse->problem);
    if (status == RICO_OK) status = rico_sweeper_create(sparse->problem, &sparse->sweeper);
    return status;
}


static rico_status prepare_joints(rico_sparse_contacts *sparse, const rico_contacts *contacts,
                                  const rico_iteration *iteration)
{
    rico_status status = rico_joint_response_prepare(&sparse->joints, iteration, &contacts->assembly->H,
                                                     contacts->joint_rows, contacts->row);
    if (status == RICO_SINGULAR) rico_fail_in(contacts->ctx, status, "the joints' system");
    return status;
}


static rico_status prepare(rico_sparse_contacts *sparse, rico_contacts *contacts, rico_iteration *iteration)
{
    int64_t rows = contacts->assembly->set.rows;
    sparse->ctx = contacts->ctx;
    if (contacts->prepared && !sparse->stale && (sparse->problem || contacts->rows == contacts->joint_rows))
        return RICO_OK;
    forget_problem(sparse);
    bool other = !rico_joint_response_is_of(&sparse->joints, contacts->joint_rows, contacts->row);
    bool stale = sparse->stale || !contacts->constant || other;
    bool kept = rico_compliance_serves(contacts, iteration), same = false;
    rico_status status = reserve(sparse, rows, contacts->nv);
    if (status == RICO_OK && kept)
        status = rico_compliance_begin(&sparse->compliance, contacts, iteration, &same);
    if (status == RICO_OK && contacts->joint_rows > 0 && stale && (other || !same))
        status = prepare_joints(sparse, contacts, iteration);
    if (status != RICO_OK) return status;
    if (stale) {
        for (int64_t i = 0; i < rows; i++) sparse->length[i] = -1;
        sparse->used = 0;
    }
    for (int64_t i = 0; i < rows; i++) sparse->place[i] = -1;
    for (int64_t i = contacts->joint_rows; i < contacts->rows; i++)
        sparse->place[contacts->row[i]] = i - contacts->joint_rows;
    status = pose(sparse, contacts, iteration);
    if (status != RICO_OK) {
        forget_problem(sparse);
        return status;
    }
    memcpy(contacts->kept, contacts->set, (size_t)contacts->assembly->set.count);
    contacts->prepared = true;
    sparse->stale = false;
    return RICO_OK;
}


// Sweeps until nothing changes but round-off, as rico_dense_settle() does; false where they promise to take too long.
static bool settle(rico_contacts *contacts, double scale, double *p)
{
    rico_sparse_contacts *sparse = &contacts->sparse;
    double compliance = sparse->problem->largest_norm, first = 0.0;
    bool few = sparse->problem->rows <= FEW; // cheap enough to go on in any case, as with a dense W
    // what is counted here is saved with the state, but for the problems of positions beside it
    if (sparse->rest > 0) {
        sparse->rest--;
        return false;
    }
    rico_sweeper_restart(sparse->sweeper);
    for (int s = 0; s < SWEEPS; s++) {
        double change = compliance * sqrt(rico_sweep(sparse->sweeper, NULL, p));
        contacts->dense.sweeps++;
        if (!(change > 1e-15 * scale) || (s > 20 && change <= 1e-14 * scale)) return isfinite(change);
        // the contraction so far, continued to the last sweep
        if (s == TRIED / 2) first = change;
        if (few || s != TRIED) continue;
        const int looked = TRIED - TRIED / 2;
        double each = log(change / first) / (double)looked;
        if (log(change / scale) + each * (SWEEPS - TRIED) > log(1e-14)) break;
    }
    sparse->rest = contacts->normals ? 0 : REST;
    return false;
}


// total = A^-1 H p over the active rows, and the impulses of the joints.
static rico_status respond(rico_sparse_contacts *sparse, const rico_contacts *contacts,
                           rico_iteration *iteration)
{
    const rico_csc *H = &contacts->assembly->H;
    double *x = sparse->total;
    memset(x, 0, (size_t)contacts->nv * sizeof *x);
    for (int64_t i = contacts->joint_rows; i < contacts->rows; i++) {
        int64_t row = contacts->row[i];
        for (int64_t k = H->start[row]; k < H->start[row + 1]; k++)
            x[H->row[k]] += H->value[k] * contacts->p[i];
    }
    if (contacts->joint_rows == 0) return rico_iteration_respond(iteration, 1, x, x);
    return rico_joint_response_solve(&sparse->joints, x, contacts->c, x, contacts->p);
}


// |W_aa| of block a, of a joint by what stands in for it.
static double block_scale(const rico_sparse_contacts *sparse, const rico_contacts *contacts, int64_t a,
                          int64_t joints)
{
    if (a >= joints) return rico_problem_block_scale(sparse->problem, a - joints);
    return rico_norm(contacts->block[a].size, sparse->joints.compliance + contacts->offset[a]);
}


// The residual of p with u = c + H' total, as every solver is judged.
static rico_residual judge(const rico_sparse_contacts *sparse, const rico_contacts *contacts, double *u)
{
    int64_t joints = 0;
    for (int64_t i = 0; i < contacts->rows; i++)
        u[i] = contacts->c[i] + gather(&contacts->assembly->H, contacts->row[i], sparse->total);
    while (joints < contacts->count && contacts->block[joints].kind == RICO_EQUALITY) joints++;
    rico_tally tally = {.ratio = 1.0};
    for (int64_t a = 0; a < contacts->count; a++) {
        const rico_block *block = &contacts->block[a];
        int64_t first = contacts->offset[a];
        rico_tally_block(&tally, block, block_scale(sparse, contacts, a, joints), u + first,
                         contacts->p + first);
    }
    return rico_tally_close(&tally, rico_norm(contacts->rows, contacts->c), contacts->noise);
}


// What the sweeps did not settle, by the solver.
static rico_status solve_by_name(rico_sparse_contacts *sparse, rico_contacts *contacts, rico_report *report)
{
    sparse->problem->noise = contacts->noise;
    return rico_contacts_call_solver(contacts, sparse->problem, &sparse->ready,
                                     contacts->p + contacts->joint_rows, report);
}


// Puts what W~ leaves out of W, (W - W~) p, into the right-hand side; returns its size. u: the velocities W p + c.
static double correct(rico_problem *problem, const double *c, const double *p, const double *u, double *work)
{
    double largest = 0.0;
    rico_block_times(&problem->W, p, c, work);
    for (int64_t i = 0; i < problem->rows; i++) {
        problem->q[i] = c[i] + (u[i] - work[i]);
        largest = fmax(largest, fabs(u[i] - work[i]));
    }
    return largest;
}


// c of the contacts once the joints hold, into `held_c`.
static rico_status hold_joints(rico_sparse_contacts *sparse, const rico_contacts *contacts, double *held_c)
{
    int64_t joints = contacts->joint_rows, m = contacts->rows - joints;
    memcpy(held_c, contacts->c + joints, (size_t)m * sizeof *held_c);
    if (joints == 0 || m == 0) return RICO_OK;
    memset(sparse->held, 0, (size_t)contacts->nv * sizeof *sparse->held);
    rico_status status =
        rico_joint_response_solve(&sparse->joints, sparse->held, contacts->c, sparse->held, NULL);
    for (int64_t i = 0; i < m; i++)
        held_c[i] += gather(&contacts->assembly->H, contacts->row[joints + i], sparse->held);
    return status;
}


// Rounds of solving on W~ and of looking at what comes of it. c: of the contacts, m entries beyond it are work space.
static rico_status solve_contacts(rico_contacts *contacts, rico_iteration *iteration, double *c,
                                  rico_report *report, bool *good)
{
    rico_sparse_contacts *sparse = &contacts->sparse;
    rico_problem *problem = sparse->problem;
    int64_t m = problem->rows, joints = contacts->joint_rows;
    double *p = contacts->p + joints, *u = contacts->y, scale = rico_norm_inf(m, c);
    bool asked = contacts->always;
    memcpy(problem->q, c, (size_t)m * sizeof *c);
    for (int round = 0; round < ROUNDS; round++) {
        rico_status status = RICO_OK;
        asked = asked || !settle(contacts, scale, p);
        if (asked) status = solve_by_name(sparse, contacts, report);
        if (status == RICO_OK) status = respond(sparse, contacts, iteration);
        if (status != RICO_OK) return status;
        contacts->residual = judge(sparse, contacts, u);
        // what was left out is put back while it is more than round-off: contacts at rest are to stay there
        double left = correct(problem, c, p, u + joints, c + m);
        bool within = rico_residual_within(&contacts->residual, contacts->tol);
        *good = within && (asked || left <= 4e-15 * scale || round == ROUNDS - 1);
        if (*good || (asked && report->stop != RICO_CONVERGED)) return RICO_OK;
        // where nothing was left out, sweeps have had their turn
        asked = asked || (!within && left <= 0.1 * contacts->tol * scale);
    }
    return RICO_OK;
}


rico_status rico_sparse_contacts_solve(rico_contacts *contacts, rico_iteration *iteration, double *v)
{
    rico_sparse_contacts *sparse = &contacts->sparse;
    rico_report report = {.stop = RICO_STALLED};
    double *c = contacts->y + contacts->rows;
    bool good = false;
    rico_status status = prepare(sparse, contacts, iteration);
    if (status == RICO_OK) status = hold_joints(sparse, contacts, c);
    if (status != RICO_OK) return status;
    if (sparse->problem) {
        status = solve_contacts(contacts, iteration, c, &report, &good);
    } else {
        status = respond(sparse, contacts, iteration);
        if (status == RICO_OK) contacts->residual = judge(sparse, contacts, contacts->y);
        good = status == RICO_OK && rico_residual_within(&contacts->residual, contacts->tol);
    }
    if (status != RICO_OK) return status;
    if (good) {
        rico_axpy(contacts->nv, 1.0, sparse->total, v);
        return RICO_OK;
    }
    if (report.stop == RICO_CONVERGED) report.stop = RICO_STALLED;
    report.residual = contacts->residual;
    return rico_contacts_refuse(contacts, &report);
}
