// Collapse by Coulomb's law without a search: successive approximations with frozen friction, and a path of growing load.
//
// With friction bounded by mu N of other forces, the largest load is that of a standard material, whose dual motion slides without opening. Where the
// bound is the normal force of the solution itself, forces and motion obey Coulomb's law (De Saxce and Bousshine 1993).

#include "limit/mechanism.h"

#include <math.h>
#include <string.h>

static const double SETTLED = 1e-8; // gap over the load, and violated cones, of a state of collapse
static const double LAST =
    1e-10; // what is left of the load on a path, over its bound, when the structure moves
enum { HALVINGS = 40, PLAIN_TURNS = 8 }; // turns before the motion of the last one is tried as it is


// --- successive approximations -------------------------------------------------------------------------------------

// The forces to begin with: friction that is not bounded; where that bears any load, those of the associated bound.
static rico_status first_forces(rico_limit *limit, rico_limit_answer *out)
{
    rico_status status = rico_limit_frozen_load(limit, NULL, out);
    if (status == RICO_OK && out->finding == RICO_LIMIT_UNBOUNDED) status = rico_limit_load(limit, 1, out);
    return status;
}


static double normal_change(const rico_limit *limit, const double *before, const double *after)
{
    double change = 0.0, most = 0.0;
    for (int64_t k = 0; k < limit->block_count; k++) {
        int64_t row = limit->block_row[k];
        if (!rico_limit_is_contact(&limit->block[k])) continue;
        change = fmax(change, fabs(after[row] - before[row]));
        most = fmax(most, fabs(after[row]));
    }
    return most > 0.0 ? change / most : change;
}


// Is it a state of collapse by Coulomb's law?
static bool settled(const rico_limit *limit, const rico_limit_answer *a, rico_limit_steps *steps)
{
    steps->violation = rico_limit_violation(limit, a->force);
    double gap = rico_limit_gap(limit, a->velocity, a->force);
    return steps->violation <= SETTLED &&
           gap <= SETTLED * fmax(fabs(a->value), rico_limit_force_size(limit, 0.0) * 1e-3);
}


// --- a given motion --------------------------------------------------------------------------------------------------

// The program of the forces that a motion leaves, with the load as an unknown or at a value. Entering motions have no forces: RICO_LIMIT_NONE.
static rico_status moving_forces(rico_limit *limit, const double *velocity, int sign, double load,
                                 rico_limit_answer *out)
{
    int64_t blocks = limit->block_count;
    rico_limit_mechanism mechanism;
    rico_limit_program program;
    rico_limit_mode *mode = rico_alloc(limit->ctx, blocks, sizeof *mode);
    rico_force_rule *rule = rico_alloc(limit->ctx, blocks, sizeof *rule);
    double *slip = rico_alloc(limit->ctx, limit->rows, sizeof *slip);
    rico_status status = mode && rule && slip ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK) status = rico_limit_describe(limit, velocity, mode, NULL, &mechanism);
    for (int64_t k = 0; status == RICO_OK && k < blocks; k++) {
        double *u = slip + limit->block_row[k];
        bool box = limit->block[k].kind == RICO_BOX;
        rico_limit_block_motion(limit, velocity, k, u);
        rule[k] = mode[k] == RICO_LIMIT_OPENS  ? RICO_FORCES_NONE
                  : mode[k] == RICO_LIMIT_REST ? RICO_FORCES_CONE
                  : !box                       ? RICO_FORCES_ALONG
                  : u[0] > 0.0                 ? RICO_FORCES_SLIDE_UP
                                               : RICO_FORCES_SLIDE_DOWN;
    }
    rico_limit_question question = {.rule = rule, .slip = slip, .load = sign != 0, .lambda = load};
    if (status == RICO_OK) status = rico_limit_program_create(limit, &question, &program);
    if (status == RICO_OK) {
        if (sign != 0) program.cost[program.question] = sign < 0 ? 1.0 : -1.0;
        status = rico_limit_program_solve(limit, &program, out);
        out->value = sign < 0 ? out->value : sign > 0 ? -out->value : load;
        out->bound = sign < 0 ? out->bound : sign > 0 ? -out->bound : load;
        rico_limit_program_release(limit->ctx, &program);
    }
    rico_free(limit->ctx, mode);
    rico_free(limit->ctx, rule);
    rico_free(limit->ctx, slip);
    return status;
}


// The motion is the caller's, and may be that of the last answer.
static rico_status with_motion(rico_limit *limit, const double *velocity, int sign, double load,
                               rico_limit_answer *out)
{
    double *kept = rico_alloc(limit->ctx, limit->dofs, sizeof *kept);
    if (!kept) return RICO_NO_MEMORY;
    memcpy(kept, velocity, (size_t)limit->dofs * sizeof *kept);
    rico_status status = moving_forces(limit, kept, sign, load, out);
    if (status == RICO_OK && out->finding != RICO_LIMIT_NONE)
        memcpy(limit->velocity, kept, (size_t)limit->dofs * sizeof *kept);
    rico_free(limit->ctx, kept);
    return status;
}


rico_status rico_limit_motion_load(rico_limit *limit, const double *velocity, int sign,
                                   rico_limit_answer *out)
{
    return with_motion(limit, velocity, sign < 0 ? -1 : 1, 0.0, out);
}


// The state of collapse that belongs to the motion of *out, with the load nearest to its own; *exists: there is one, and *out is it.
static rico_status finish(rico_limit *limit, double *motion, rico_limit_answer *out, bool *exists)
{
    rico_limit_answer least, most;
    double value = out->value;
    *exists = false;
    memcpy(motion, out->velocity, (size_t)limit->dofs * sizeof *motion);
    rico_status status = with_motion(limit, motion, -1, 0.0, &least);
    if (status != RICO_OK || least.finding == RICO_LIMIT_NONE) return status;
    status = with_motion(limit, motion, 1, 0.0, &most);
    if (status != RICO_OK || most.finding == RICO_LIMIT_NONE) return status;
    if (least.finding == RICO_LIMIT_FOUND && value < least.value)
        status = with_motion(limit, motion, -1, 0.0, out);
    else if (most.finding == RICO_LIMIT_FOUND && value > most.value)
        status = with_motion(limit, motion, 1, 0.0, out);
    else
        status = with_motion(limit, motion, 0, value, out);
    *exists = status == RICO_OK && out->finding == RICO_LIMIT_FOUND;
    return status;
}


// --- the turns ------------------------------------------------------------------------------------------------------

rico_status rico_limit_approach(rico_limit *limit, const double *before, int64_t turns,
                                rico_limit_steps *steps, rico_limit_answer *out)
{
    rico_limit_steps own = {0};
    double *bound = rico_alloc(limit->ctx, limit->rows + limit->dofs, sizeof *bound);
    if (!bound) return RICO_NO_MEMORY;
    double *motion = bound + limit->rows;
    rico_status status = RICO_OK;
    if (before)
        memcpy(bound, before, (size_t)limit->rows * sizeof *bound);
    else
        status = first_forces(limit, out);
    bool done = status == RICO_OK && !before && out->finding != RICO_LIMIT_FOUND;
    if (status == RICO_OK && !before && !done) {
        done = settled(limit, out, &own);
        memcpy(bound, out->force, (size_t)limit->rows * sizeof *bound);
    }
    for (int64_t k = 0; status == RICO_OK && !done && k < turns; k++) {
        status = rico_limit_frozen_load(limit, bound, out);
        if (status != RICO_OK || out->finding != RICO_LIMIT_FOUND) break;
        own.turns = k + 1;
        own.change = normal_change(limit, bound, out->force);
        done = settled(limit, out, &own);
        // plain at first, as in the book; then half way, where two states would take turns for ever
        double share = k < PLAIN_TURNS ? 1.0 : 0.5;
        for (int64_t i = 0; i < limit->rows; i++) bound[i] += share * (out->force[i] - bound[i]);
        if (done || k < PLAIN_TURNS) continue;
        rico_limit_answer found = *out;
        status = finish(limit, motion, &found, &done);
        if (done) *out = found;
    }
    if (status == RICO_OK && !done && out->finding == RICO_LIMIT_FOUND) out->finding = RICO_LIMIT_UNSURE;
    rico_free(limit->ctx, bound);
    if (steps) *steps = own;
    return status;
}


// --- path ----------------------------------------------------------------------------------------------------------

// Forces at lambda in their cones, with the least sum of changes from those of `before`.
static rico_status least_change(rico_limit *limit, double lambda, const double *before, double *after,
                                bool *exists)
{
    rico_limit_program program;
    rico_limit_question question = {.lambda = lambda, .before = before};
    rico_limit_answer answer;
    rico_status status = rico_limit_program_create(limit, &question, &program);
    if (status != RICO_OK) return status;
    for (int64_t j = program.question; j < program.cols; j++) program.cost[j] = 1.0;
    status = rico_limit_program_solve(limit, &program, &answer);
    rico_limit_program_release(limit->ctx, &program);
    *exists = status == RICO_OK && answer.finding == RICO_LIMIT_FOUND;
    if (*exists) memcpy(after, answer.force, (size_t)limit->rows * sizeof *after);
    return status;
}


// Forces at lambda that follow from those at a smaller load, and whether the structure can move under them.
static rico_status advance(rico_limit *limit, double lambda, double size, const double *before, double *after,
                           bool *moves, rico_limit_answer *out)
{
    bool exists;
    rico_status status = least_change(limit, lambda, before, after, &exists);
    *moves = true; // beyond the bound nothing is in equilibrium
    if (status != RICO_OK || !exists) return status;
    status = rico_limit_frozen_load(limit, after, out);
    *moves = status == RICO_OK && out->finding == RICO_LIMIT_FOUND && out->value <= lambda + LAST * size;
    return status;
}


// Between a load that is borne and one under which it moves: the last forces before.
static rico_status close_in(rico_limit *limit, double low, double high, double size, const double *before,
                            double *after, rico_limit_answer *out)
{
    rico_status status = RICO_OK;
    bool moves = false;
    for (int k = 0; status == RICO_OK && k < HALVINGS && high - low > 1e-12 * size; k++) {
        double middle = 0.5 * (low + high);
        status = advance(limit, middle, size, before, after, &moves, out);
        *(moves ? &high : &low) = middle;
    }
    if (status == RICO_OK) status = advance(limit, high, size, before, after, &moves, out);
    if (status != RICO_OK) return status;
    out->finding = moves && out->finding == RICO_LIMIT_FOUND ? RICO_LIMIT_FOUND : RICO_LIMIT_UNSURE;
    out->value = high;
    memcpy(limit->force, after, (size_t)limit->rows * sizeof *after);
    return RICO_OK;
}


rico_status rico_limit_path(rico_limit *limit, int64_t count, rico_limit_answer *out)
{
    if (count < 1) return rico_fail(limit->ctx, RICO_BAD_ARGUMENT, "a path of %lld steps", (long long)count);
    rico_status status = rico_limit_load(limit, 1, out);
    if (status != RICO_OK || out->finding != RICO_LIMIT_FOUND) return status;
    double bound = out->value, size = fmax(fabs(bound), 1e-300), at = 0.0;
    double *before = rico_alloc(limit->ctx, 2 * limit->rows, sizeof *before);
    double *after = before ? before + limit->rows : NULL;
    status = before ? rico_limit_equilibrium(limit, 0.0, out) : RICO_NO_MEMORY;
    bool moves = status != RICO_OK || out->finding != RICO_LIMIT_FOUND;
    if (!moves) memcpy(before, out->force, (size_t)limit->rows * sizeof *before);
    bool stands = !moves;
    for (int64_t k = 1; status == RICO_OK && stands && !moves && k <= count; k++) {
        double next = bound * (double)k / (double)count;
        status = advance(limit, next, size, before, after, &moves, out);
        if (status == RICO_OK && (moves || k == count)) {
            status = close_in(limit, at, next, size, before, after, out);
            moves = true;
        } else {
            memcpy(before, after, (size_t)limit->rows * sizeof *before);
            at = next;
        }
    }
    rico_free(limit->ctx, before);
    return status;
}
