// The least load at which a plane structure can collapse by Coulomb's law: a search over the states of its blocks.
//
// A state of collapse is (lambda, r, v) with equilibrium, r in K, v'live = 1, and in each contact one of: open (r = 0, u_N >= 0), sticking (u = 0),
// sliding either way (u_N = 0, T = -+ mu N). With all states chosen, forces and motion are two linear programs that know nothing of each other. A
// node of the search has chosen some of them:
//
//     lambda(node) = least load of the forces, those that are not chosen in their cones          a lower bound,
//     work(node)   = least work against the dead load of its motions, per unit of the live load's      another, as friction only adds to it,
//     gap(node)    = least sum of the bipotential gaps of these forces over the motions          0: a state of collapse,
//
// the latter by its dual, the frozen load of rico_limit_frozen_load() with the rules of the states. No motion at all: the node is empty. Else the
// contact with the largest gap is chosen in all its states. (The MPEC of Ferris and Tin-Loi 2001, without products and without large constants.)

#include "limit/mechanism.h"

#include <math.h>
#include <string.h>

enum { FIRST_TURNS = 60, STATES = 5 };
static const double CLOSED = 1e-9; // gap and difference of loads, over the load, that count as none

enum { ANY, OPEN, HELD, UP, DOWN };

static const rico_force_rule STATIC_RULE[STATES] = {RICO_FORCES_CONE, RICO_FORCES_NONE, RICO_FORCES_CONE,
                                                    RICO_FORCES_SLIDE_UP, RICO_FORCES_SLIDE_DOWN};
static const rico_force_rule MOTION_RULE[STATES] = {RICO_FORCES_BOUNDED, RICO_FORCES_BOUNDED,
                                                    RICO_FORCES_FREE, RICO_FORCES_BOUNDED_UP,
                                                    RICO_FORCES_BOUNDED_DOWN};

typedef struct node {
    double bound; // load below which nothing of it is
    int64_t depth;
    unsigned char *state; // of every block
} node;

typedef struct search {
    rico_limit *limit;
    int64_t count, room;
    node *open;
    rico_force_rule *rule;
    double *force, *velocity;           // of the node at hand
    double *best_force, *best_velocity; // of the least state so far
    double best, size;
    int64_t iterations;
    bool doubt; // a node could not be decided
} search;


// --- nodes ---------------------------------------------------------------------------------------------------------

static rico_status push(search *s, const unsigned char *state, int64_t block, unsigned char chosen,
                        double bound, int64_t depth)
{
    rico_context *ctx = s->limit->ctx;
    int64_t blocks = s->limit->block_count;
    if (s->count == s->room) {
        node *grown = rico_grow(ctx, s->open, s->room, 2 * s->room + 64, sizeof *grown);
        if (!grown) return RICO_NO_MEMORY;
        s->open = grown;
        s->room = 2 * s->room + 64;
    }
    unsigned char *own = rico_alloc(ctx, blocks, 1);
    if (!own) return RICO_NO_MEMORY;
    if (state) memcpy(own, state, (size_t)blocks);
    if (block >= 0) own[block] = chosen;
    s->open[s->count++] = (node){bound, depth, own};
    return RICO_OK;
}


// The node with the least bound, of several the deepest: it is taken out.
static node pop(search *s)
{
    int64_t at = 0;
    for (int64_t k = 1; k < s->count; k++) {
        double difference = s->open[k].bound - s->open[at].bound;
        bool less = difference < -CLOSED * s->size;
        if (less || (fabs(difference) <= CLOSED * s->size && s->open[k].depth > s->open[at].depth)) at = k;
    }
    node taken = s->open[at];
    s->open[at] = s->open[--s->count];
    return taken;
}


// --- one node ------------------------------------------------------------------------------------------------------

static rico_status solve(search *s, const node *at, const rico_force_rule *table, const double *bound,
                         bool load_least, rico_limit_answer *answer)
{
    rico_limit *limit = s->limit;
    rico_limit_program program;
    for (int64_t k = 0; k < limit->block_count; k++) s->rule[k] = table[at->state[k]];
    rico_limit_question question = {.rule = s->rule, .bound = bound, .load = true, .positive = load_least};
    rico_status status = rico_limit_program_create(limit, &question, &program);
    if (status != RICO_OK) return status;
    program.cost[program.question] = load_least ? 1.0 : -1.0;
    status = rico_limit_program_solve(limit, &program, answer);
    rico_limit_program_release(limit->ctx, &program);
    s->iterations += status == RICO_OK ? answer->iterations : 0;
    if (!load_least) answer->value = -answer->value;
    return status;
}


// The block to be chosen next: largest gap among those that are not chosen; -1: none.
static int64_t worst_block(const search *s, const node *at)
{
    const rico_limit *limit = s->limit;
    int64_t worst = -1;
    double most = -1.0, u[6];
    for (int64_t k = 0; k < limit->block_count; k++) {
        if (limit->block[k].kind == RICO_EQUALITY || at->state[k] != ANY) continue;
        rico_limit_block_motion(limit, s->velocity, k, u);
        double gap = rico_limit_block_gap(limit, k, u, s->force);
        if (gap > most) most = gap, worst = k;
    }
    return worst;
}


static rico_status branch(search *s, const node *at, double bound)
{
    int64_t block = worst_block(s, at);
    if (block < 0) return RICO_OK;
    const rico_block *own = &s->limit->block[block];
    rico_status status = RICO_OK;
    for (int chosen = OPEN; status == RICO_OK && chosen <= DOWN; chosen++) {
        if (own->kind == RICO_BOX && chosen == OPEN) continue;
        if (own->kind == RICO_BOX && isinf(chosen == UP ? own->low : own->high) && chosen != HELD) continue;
        bool slides = chosen == UP || chosen == DOWN;
        if (slides && own->kind == RICO_UNILATERAL) continue;
        if (slides && own->kind != RICO_BOX &&
            !(own->friction > 0.0)) { // it slides freely: one state for both ways
            if (chosen == DOWN) continue;
        }
        status = push(s, at->state, block, (unsigned char)chosen, bound, at->depth + 1);
    }
    return status;
}


static rico_status visit(search *s, const node *at)
{
    rico_limit_answer answer;
    const rico_limit *limit = s->limit;
    rico_status status = solve(s, at, STATIC_RULE, NULL, true, &answer);
    if (status != RICO_OK) return status;
    if (answer.finding == RICO_LIMIT_NONE) return RICO_OK;
    if (answer.finding != RICO_LIMIT_FOUND) {
        s->doubt = true;
        return RICO_OK;
    }
    double lambda = answer.value, bound = fmax(lambda, at->bound);
    if (bound >= s->best - CLOSED * s->size) return RICO_OK;
    memcpy(s->force, answer.force, (size_t)limit->rows * sizeof *s->force);

    // whatever the friction: the load does the work that lifts the weights, at least
    status = solve(s, at, MOTION_RULE, NULL, false, &answer);
    if (status != RICO_OK || answer.finding == RICO_LIMIT_UNBOUNDED) return status;
    if (answer.finding == RICO_LIMIT_FOUND) bound = fmax(bound, answer.value);
    if (bound >= s->best - CLOSED * s->size) return RICO_OK;

    status = solve(s, at, MOTION_RULE, s->force, false, &answer);
    if (status != RICO_OK || answer.finding == RICO_LIMIT_UNBOUNDED) return status;
    memcpy(s->velocity, answer.velocity, (size_t)limit->dofs * sizeof *s->velocity);
    if (answer.finding == RICO_LIMIT_FOUND && answer.value - lambda <= CLOSED * s->size) {
        s->best = fmax(0.0, lambda);
        memcpy(s->best_force, s->force, (size_t)limit->rows * sizeof *s->force);
        memcpy(s->best_velocity, s->velocity, (size_t)limit->dofs * sizeof *s->velocity);
        return RICO_OK;
    }
    return branch(s, at, bound);
}


// --- the search ----------------------------------------------------------------------------------------------------

static rico_status check(const rico_limit *limit)
{
    for (int64_t k = 0; k < limit->block_count; k++) {
        const rico_block *block = &limit->block[k];
        if (rico_limit_is_contact(block) && block->size > 2 && (block->friction > 0.0 || block->size > 3))
            return rico_fail(limit->ctx, RICO_UNSUPPORTED,
                             "the least load of collapse is searched in the plane alone, and contact %s has "
                             "friction in space",
                             limit->block_name[k]);
    }
    return RICO_OK;
}


// Successive approximations first: what they find bounds the search from above.
static rico_status begin(search *s)
{
    rico_limit *limit = s->limit;
    rico_limit_answer answer;
    rico_status status = rico_limit_load(limit, 1, &answer);
    if (status != RICO_OK) return status;
    s->size = answer.finding == RICO_LIMIT_FOUND ? fmax(fabs(answer.value), 1e-12) : 1.0;
    s->best = INFINITY;
    status = rico_limit_approach(limit, NULL, FIRST_TURNS, NULL, &answer);
    if (status == RICO_OK && answer.finding == RICO_LIMIT_FOUND && answer.value >= 0.0) {
        s->best = answer.value;
        memcpy(s->best_force, answer.force, (size_t)limit->rows * sizeof *s->force);
        memcpy(s->best_velocity, answer.velocity, (size_t)limit->dofs * sizeof *s->velocity);
    }
    return status == RICO_OK ? push(s, NULL, -1, ANY, 0.0, 0) : status;
}


static void release(search *s)
{
    rico_context *ctx = s->limit->ctx;
    for (int64_t k = 0; k < s->count; k++) rico_free(ctx, s->open[k].state);
    rico_free(ctx, s->open);
    rico_free(ctx, s->rule);
    rico_free(ctx, s->force);
}


static void conclude(search *s, int64_t visited, rico_limit_search *found, rico_limit_answer *out)
{
    rico_limit *limit = s->limit;
    double least = s->best;
    for (int64_t k = 0; k < s->count; k++) least = fmin(least, s->open[k].bound);
    bool proved = !s->doubt && least >= s->best - CLOSED * s->size;
    if (found) *found = (rico_limit_search){.proved = proved, .nodes = visited, .least = least};
    memcpy(limit->force, s->best_force, (size_t)limit->rows * sizeof *limit->force);
    memcpy(limit->velocity, s->best_velocity, (size_t)limit->dofs * sizeof *limit->velocity);
    rico_limit_finding finding = isfinite(s->best) ? RICO_LIMIT_FOUND
                                 : proved          ? RICO_LIMIT_UNBOUNDED
                                                   : RICO_LIMIT_UNSURE;
    *out =
        (rico_limit_answer){.finding = finding,
                            .value = s->best,
                            .bound = least,
                            .accuracy = isfinite(s->best) ? rico_limit_violation(limit, s->best_force) : 0.0,
                            .iterations = s->iterations,
                            .force = limit->force,
                            .velocity = limit->velocity};
}


rico_status rico_limit_collapse(rico_limit *limit, int64_t nodes, rico_limit_search *found,
                                rico_limit_answer *out)
{
    search s = {.limit = limit};
    int64_t m = limit->rows, n = limit->dofs, visited = 0;
    rico_status status = check(limit);
    if (status != RICO_OK) return status;
    s.rule = rico_alloc(limit->ctx, limit->block_count, sizeof *s.rule);
    s.force = rico_alloc(limit->ctx, 2 * (m + n), sizeof *s.force);
    if (!s.rule || !s.force) status = RICO_NO_MEMORY;
    if (status == RICO_OK) {
        s.velocity = s.force + m;
        s.best_force = s.velocity + n;
        s.best_velocity = s.best_force + m;
        status = begin(&s);
    }
    while (status == RICO_OK && s.count > 0 && visited < nodes) {
        node at = pop(&s);
        if (at.bound < s.best - CLOSED * s.size) {
            visited++;
            status = visit(&s, &at);
        }
        rico_free(limit->ctx, at.state);
    }
    if (status == RICO_OK) conclude(&s, visited, found, out);
    release(&s);
    return status;
}
