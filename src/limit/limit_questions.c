// Questions to a structure that one cone program answers: equilibrium, ranges of forces, the associated bound, frozen friction.
//
// Forces are r = offset + G x, so that equilibrium reads H G x + lambda live = -dead - H offset. A dual solution y is a motion v = -y: what is left of the
// cost, s = G'H'v + cost, lies in the dual cone, which is u_N >= mu |u_T| at a contact.

#include "limit/limit.h"

#include <math.h>
#include <string.h>

// Shortfall of the normal forces, over the size of the loads, below which a structure stands.
static const double SHORTFALL = 1e-9;


// --- programs ------------------------------------------------------------------------------------------------------

static rico_status add_blocks(const rico_limit *limit, const rico_limit_question *q,
                              rico_force_columns *columns)
{
    for (int64_t k = 0; k < limit->block_count; k++) {
        int64_t row = limit->block_row[k];
        rico_force_columns_add(columns, &limit->block[k], row, &limit->view,
                               q->rule ? q->rule[k] : RICO_FORCES_CONE,
                               q->bound ? fmax(0.0, q->bound[row]) : 0.0, q->slip ? q->slip + row : NULL);
    }
    return columns->status;
}


// The reserve t of all normal forces, t = most - x with x >= 0; there is always some t that the cones allow.
static void add_reserve(const rico_limit *limit, double most, rico_force_columns *columns)
{
    int64_t column = rico_force_columns_part(columns, RICO_PROGRAM_RAY);
    for (int64_t k = 0; k < limit->block_count; k++) {
        if (!rico_limit_is_contact(&limit->block[k])) continue;
        columns->offset[limit->block_row[k]] += most;
        rico_force_columns_entry(columns, limit->block_row[k], column, -1.0);
    }
}


// r - up + down = before in equations of x alone: G and offset once more.
static void add_changes(const rico_limit *limit, const double *before, rico_force_columns *columns)
{
    int64_t entries = columns->entries, first = columns->rows + columns->equations;
    for (int64_t i = 0; i < limit->rows; i++)
        rico_force_columns_equation(columns, before[i] - columns->offset[i]);
    for (int64_t k = 0; k < entries; k++)
        if (columns->row[k] < columns->rows)
            rico_force_columns_entry(columns, first + columns->row[k], columns->col[k], columns->value[k]);
    for (int64_t i = 0; i < limit->rows; i++)
        for (int way = -1; way <= 1; way += 2)
            rico_force_columns_entry(columns, first + i, rico_force_columns_part(columns, RICO_PROGRAM_RAY),
                                     way);
}


// A and b from the columns: H G in the rows of the degrees of freedom, equations of x alone below, the load in the last column.
static rico_status make_program(const rico_limit *limit, const rico_limit_question *q,
                                rico_limit_program *out)
{
    rico_context *ctx = limit->ctx;
    const rico_force_columns *c = &out->columns;
    int64_t n = limit->dofs, count = 0, cols = c->cols, total = n;
    for (int64_t k = 0; k < c->entries; k++)
        total += c->row[k] < c->rows ? limit->H.start[c->row[k] + 1] - limit->H.start[c->row[k]] : 1;
    int64_t *row = rico_alloc(ctx, total, sizeof *row), *col = rico_alloc(ctx, total, sizeof *col);
    double *value = rico_alloc(ctx, total, sizeof *value), *b = rico_alloc(ctx, n + c->equations, sizeof *b);
    rico_csc A = {0};
    rico_status status = row && col && value && b ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t k = 0; status == RICO_OK && k < c->entries; k++) {
        if (c->row[k] >= c->rows) {
            row[count] = n + c->row[k] - c->rows, col[count] = c->col[k], value[count++] = c->value[k];
            continue;
        }
        for (int64_t at = limit->H.start[c->row[k]]; at < limit->H.start[c->row[k] + 1]; at++) {
            row[count] = limit->H.row[at], col[count] = c->col[k];
            value[count++] = c->value[k] * limit->H.value[at];
        }
    }
    for (int64_t i = 0; status == RICO_OK && q->load && i < n; i++)
        if (limit->live[i] != 0.0) row[count] = i, col[count] = cols, value[count++] = limit->live[i];
    cols += q->load;
    if (status == RICO_OK)
        status = rico_csc_from_triplets(ctx, "A", n + c->equations, cols, count, row, col, value, &A);
    if (status == RICO_OK) {
        for (int64_t i = 0; i < n; i++) b[i] = -limit->dead[i] - (q->load ? 0.0 : q->lambda * limit->live[i]);
        rico_csc_times(&limit->H, -1.0, c->offset, 1.0, b);
        for (int64_t k = 0; k < c->equations; k++) b[n + k] = c->right[k];
        status = rico_cone_program_create(ctx, &A, b, c->part_count, c->kind, &out->program);
    }
    rico_csc_destroy(&A);
    void *all[] = {row, col, value, b};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    out->cols = cols;
    return status;
}


rico_status rico_limit_program_create(const rico_limit *limit, const rico_limit_question *q,
                                      rico_limit_program *out)
{
    *out = (rico_limit_program){.question = -1};
    rico_status status = rico_force_columns_begin(limit->ctx, limit->rows, &out->columns);
    if (status == RICO_OK) status = add_blocks(limit, q, &out->columns);
    if (status == RICO_OK && (q->reserve > 0.0 || q->load || q->before)) out->question = out->columns.cols;
    if (status == RICO_OK && q->reserve > 0.0) add_reserve(limit, q->reserve, &out->columns);
    if (status == RICO_OK && q->before) add_changes(limit, q->before, &out->columns);
    if (status == RICO_OK && q->load) { // its column is no force: make_program() fills it
        rico_force_columns_part(&out->columns, q->positive ? RICO_PROGRAM_RAY : RICO_PROGRAM_FREE);
        out->columns.cols--;
    }
    if (status == RICO_OK) status = out->columns.status;
    if (status == RICO_OK) status = make_program(limit, q, out);
    out->cost = status == RICO_OK ? rico_alloc(limit->ctx, out->cols, sizeof *out->cost) : NULL;
    if (status == RICO_OK && !out->cost) status = RICO_NO_MEMORY;
    if (status != RICO_OK) rico_limit_program_release(limit->ctx, out);
    return status;
}


void rico_limit_program_release(rico_context *ctx, rico_limit_program *program)
{
    rico_force_columns_release(&program->columns);
    rico_cone_program_destroy(program->program);
    rico_free(ctx, program->cost);
    *program = (rico_limit_program){0};
}


rico_status rico_limit_program_solve(rico_limit *limit, rico_limit_program *program, rico_limit_answer *out)
{
    static const rico_limit_finding FINDING[] = {RICO_LIMIT_FOUND, RICO_LIMIT_NONE, RICO_LIMIT_UNBOUNDED,
                                                 RICO_LIMIT_UNSURE};
    rico_cone_program_answer answer;
    rico_status status = rico_cone_program_solve(program->program, program->cost, &answer);
    if (status != RICO_OK) return status;
    bool ray = answer.finding == RICO_PROGRAM_UNBOUNDED;
    memset(limit->force, 0, (size_t)limit->rows * sizeof *limit->force);
    memset(limit->velocity, 0, (size_t)limit->dofs * sizeof *limit->velocity);
    if (answer.finding != RICO_PROGRAM_INFEASIBLE)
        rico_force_columns_forces(&program->columns, answer.x, ray, limit->force);
    if (!ray)
        for (int64_t i = 0; i < limit->dofs; i++) limit->velocity[i] = -answer.y[i];
    *out = (rico_limit_answer){.finding = FINDING[answer.finding],
                               .value = answer.value,
                               .bound = answer.bound,
                               .accuracy = answer.accuracy,
                               .iterations = answer.iterations,
                               .force = limit->force,
                               .velocity = limit->velocity};
    return RICO_OK;
}


// --- equilibrium ---------------------------------------------------------------------------------------------------

static bool has_contacts(const rico_limit *limit)
{
    for (int64_t k = 0; k < limit->block_count; k++)
        if (rico_limit_is_contact(&limit->block[k])) return true;
    return false;
}


rico_status rico_limit_equilibrium(rico_limit *limit, double lambda, rico_limit_answer *out)
{
    double size = rico_limit_force_size(limit, lambda), most = size > 0.0 ? size : 1.0;
    rico_limit_program program;
    rico_limit_question question = {.lambda = lambda, .reserve = has_contacts(limit) ? most : 0.0};
    if (!isfinite(lambda)) return rico_fail(limit->ctx, RICO_BAD_ARGUMENT, "a load factor of %g", lambda);
    rico_status status = rico_limit_program_create(limit, &question, &program);
    if (status != RICO_OK) return status;
    if (program.question >= 0) program.cost[program.question] = 1.0;
    status = rico_limit_program_solve(limit, &program, out);
    if (status == RICO_OK && program.question >= 0 && out->finding != RICO_LIMIT_NONE) {
        // the cost is what the reserve lacks of its most
        out->value = most - out->value;
        out->bound = most - out->bound;
        double error = fmax(SHORTFALL, 4.0 * out->accuracy) * most;
        if (out->value < -error && out->bound < -0.5 * error) out->finding = RICO_LIMIT_NONE;
    } else if (status == RICO_OK && out->finding == RICO_LIMIT_FOUND) {
        out->value = out->bound = INFINITY;
    } else if (status == RICO_OK && out->finding == RICO_LIMIT_NONE) {
        out->value = out->bound = -INFINITY; // no forces at all, of whichever sign
    }
    rico_limit_program_release(limit->ctx, &program);
    return status;
}


// --- ranges --------------------------------------------------------------------------------------------------------

static rico_status hold(rico_limit *limit, double lambda)
{
    if (!isfinite(lambda)) return rico_fail(limit->ctx, RICO_BAD_ARGUMENT, "a load factor of %g", lambda);
    if (limit->held.program && limit->held_lambda == lambda) return RICO_OK;
    rico_limit_question question = {.lambda = lambda};
    rico_limit_forget(limit);
    limit->held_lambda = lambda;
    return rico_limit_program_create(limit, &question, &limit->held);
}


rico_status rico_limit_extreme(rico_limit *limit, double lambda, const double *weight, int sign,
                               rico_limit_answer *out)
{
    rico_status status = hold(limit, lambda);
    if (status != RICO_OK) return status;
    const rico_force_columns *columns = &limit->held.columns;
    double constant = 0.0, way = sign < 0 ? 1.0 : -1.0;
    rico_force_columns_cost(columns, weight, limit->held.cost);
    for (int64_t j = 0; j < limit->held.cols; j++) limit->held.cost[j] *= way;
    for (int64_t i = 0; i < limit->rows; i++) constant += weight[i] * columns->offset[i];
    status = rico_limit_program_solve(limit, &limit->held, out);
    if (status != RICO_OK) return status;
    out->value = constant + way * out->value;
    out->bound = constant + way * out->bound;
    return RICO_OK;
}


rico_status rico_limit_row_extreme(rico_limit *limit, double lambda, int64_t row, int sign,
                                   rico_limit_answer *out)
{
    if (row < 0 || row >= limit->rows)
        return rico_fail(limit->ctx, RICO_BAD_ARGUMENT, "row %lld of %lld forces", (long long)row,
                         (long long)limit->rows);
    double *weight = limit->work;
    memset(weight, 0, (size_t)limit->rows * sizeof *weight);
    weight[row] = 1.0;
    return rico_limit_extreme(limit, lambda, weight, sign, out);
}


// --- loads ---------------------------------------------------------------------------------------------------------

static rico_status check_live(const rico_limit *limit)
{
    for (int64_t i = 0; i < limit->dofs; i++)
        if (limit->live[i] != 0.0) return RICO_OK;
    return rico_fail(limit->ctx, RICO_BAD_ARGUMENT, "the live load is zero: it moves nothing");
}


static rico_status largest_load(rico_limit *limit, const rico_limit_question *question, int sign,
                                rico_limit_answer *out)
{
    rico_limit_program program;
    rico_status status = check_live(limit);
    if (status == RICO_OK) status = rico_limit_program_create(limit, question, &program);
    if (status != RICO_OK) return status;
    double way = sign < 0 ? 1.0 : -1.0;
    program.cost[program.question] = way;
    status = rico_limit_program_solve(limit, &program, out);
    out->value *= way;
    out->bound *= way;
    rico_limit_program_release(limit->ctx, &program);
    return status;
}


rico_status rico_limit_load(rico_limit *limit, int sign, rico_limit_answer *out)
{
    rico_limit_question question = {.load = true};
    return largest_load(limit, &question, sign, out);
}


rico_status rico_limit_frozen_load(rico_limit *limit, const double *before, rico_limit_answer *out)
{
    rico_force_rule *rule = rico_alloc(limit->ctx, limit->block_count, sizeof *rule);
    if (!rule) return RICO_NO_MEMORY;
    for (int64_t k = 0; k < limit->block_count; k++)
        rule[k] = before ? RICO_FORCES_BOUNDED : RICO_FORCES_UNBOUNDED;
    rico_limit_question question = {.rule = rule, .bound = before, .load = true};
    rico_status status = largest_load(limit, &question, 1, out);
    rico_free(limit->ctx, rule);
    return status;
}
