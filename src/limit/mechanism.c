// What a motion of a structure does in its blocks, what it is called, and how far it is from Coulomb's law.

#include "limit/mechanism.h"

#include <math.h>
#include <string.h>

static const double STILL = 1e-7;      // speed of a body or block, over the largest, below which it rests
static const double ASSOCIATED = 1e-5; // opening beyond mu |slip|, over the slip, below which a block slides


const char *rico_limit_mode_name(rico_limit_mode mode)
{
    static const char *const NAME[] = {"rests", "opens", "slides", "yields", "enters"};
    return mode >= RICO_LIMIT_REST && mode <= RICO_LIMIT_ENTERS ? NAME[mode] : "?";
}


void rico_limit_block_motion(const rico_limit *limit, const double *velocity, int64_t block, double *u)
{
    for (int64_t i = 0; i < limit->block[block].size; i++) {
        int64_t row = limit->block_row[block] + i;
        u[i] = 0.0;
        for (int64_t at = limit->H.start[row]; at < limit->H.start[row + 1]; at++)
            u[i] += limit->H.value[at] * velocity[limit->H.row[at]];
    }
}


// Largest |T'u| over the friction that a unit normal force allows.
static double slip_power(const rico_block *block, const double *u)
{
    double second = block->kind == RICO_ELLIPTIC ? block->friction_2 : block->friction, power = 0.0;
    if (block->kind == RICO_UNILATERAL) return 0.0;
    power = block->size == 2 ? block->friction * fabs(u[1]) : hypot(block->friction * u[1], second * u[2]);
    if (block->kind == RICO_ROLLING || block->kind == RICO_ROLLING_SPINNING)
        power += block->rolling * hypot(u[3], u[4]);
    if (block->kind == RICO_SPINNING || block->kind == RICO_ROLLING_SPINNING)
        power += block->spinning * fabs(u[block->kind == RICO_SPINNING ? 3 : 5]);
    return power;
}


double rico_limit_block_gap(const rico_limit *limit, int64_t block, const double *u, const double *force)
{
    const rico_block *own = &limit->block[block];
    const double *r = force + limit->block_row[block];
    double power = 0.0;
    if (own->kind == RICO_EQUALITY) return 0.0;
    if (own->kind == RICO_BOX) {
        double at = u[0] > 0.0 ? own->low : own->high;
        return u[0] == 0.0 ? 0.0 : isinf(at) ? fabs(u[0]) : (r[0] - at) * u[0];
    }
    for (int64_t i = 0; i < own->size; i++) power += r[i] * u[i];
    return power + r[0] * slip_power(own, u);
}


double rico_limit_gap(const rico_limit *limit, const double *velocity, const double *force)
{
    double sum = 0.0, u[6];
    for (int64_t k = 0; k < limit->block_count; k++) {
        if (limit->block[k].kind == RICO_EQUALITY) continue;
        rico_limit_block_motion(limit, velocity, k, u);
        sum += fmax(0.0, rico_limit_block_gap(limit, k, u, force));
    }
    return sum;
}


double rico_limit_violation(const rico_limit *limit, const double *force)
{
    double worst = 0.0, most = 0.0;
    for (int64_t k = 0; k < limit->block_count; k++) {
        const rico_block *block = &limit->block[k];
        const double *r = force + limit->block_row[k];
        for (int64_t i = 0; i < block->size; i++) most = fmax(most, fabs(r[i]));
        if (block->kind == RICO_BOX) worst = fmax(worst, fmax(block->low - r[0], r[0] - block->high));
        if (!rico_limit_is_contact(block)) continue;
        worst = fmax(worst, -r[0]);
        double second = block->kind == RICO_ELLIPTIC ? block->friction_2 : block->friction;
        if (block->size == 2) worst = fmax(worst, fabs(r[1]) - block->friction * r[0]);
        if (block->size < 3) continue;
        double size = hypot(r[1], r[2]), way = size > 0.0 ? hypot(r[1] / size / fmax(block->friction, 1e-300),
                                                                  r[2] / size / fmax(second, 1e-300))
                                                          : 1.0;
        worst = fmax(worst, size - r[0] / way);
    }
    return most > 0.0 ? worst / most : 0.0;
}


// --- names ---------------------------------------------------------------------------------------------------------

static rico_limit_mode mode_of(const rico_block *block, const double *u, double still)
{
    double size = 0.0;
    for (int64_t i = 0; i < block->size; i++) size = fmax(size, fabs(u[i]));
    if (block->kind == RICO_EQUALITY || size <= still) return RICO_LIMIT_REST;
    if (block->kind == RICO_BOX) return RICO_LIMIT_YIELDS;
    double slip = 0.0;
    for (int64_t i = 1; i < block->size; i++) slip = fmax(slip, fabs(u[i]));
    if (u[0] < -still && u[0] < -ASSOCIATED * slip) return RICO_LIMIT_ENTERS;
    if (slip > still && u[0] <= slip_power(block, u) + ASSOCIATED * slip + still) return RICO_LIMIT_SLIDES;
    return RICO_LIMIT_OPENS;
}


// Two blocks between the same bodies.
static bool same_reach(const rico_limit *limit, int64_t a, int64_t b)
{
    int64_t first = limit->H.start[limit->block_row[a]], second = limit->H.start[limit->block_row[b]];
    int64_t count = limit->H.start[limit->block_row[a] + 1] - first;
    int64_t ends[2] = {limit->H.row[first + (count > 0 ? count - 1 : 0)], 0};
    if (count == 0 || limit->H.start[limit->block_row[b] + 1] == second) return false;
    ends[1] = limit->H.row[limit->H.start[limit->block_row[b] + 1] - 1];
    int64_t body[4] = {limit->body_of[limit->H.row[first]], limit->body_of[ends[0]],
                       limit->body_of[limit->H.row[second]], limit->body_of[ends[1]]};
    return body[0] == body[2] && body[1] == body[3];
}


// An interface is a run of blocks between the same bodies: it slides as a whole, lifts as a whole, or turns about a point of it, a hinge.
static const char *name_of(const rico_limit *limit, const rico_limit_mode *mode, int64_t yields)
{
    int64_t slides = 0, hinges = 0, lifts = 0;
    for (int64_t k = 0; k < limit->block_count;) {
        int64_t count[5] = {0}, next = k;
        do {
            if (rico_limit_is_contact(&limit->block[next])) count[mode[next]]++;
            next++;
        } while (next < limit->block_count && same_reach(limit, k, next));
        bool opens = count[RICO_LIMIT_OPENS] > 0;
        slides += count[RICO_LIMIT_SLIDES] > 0;
        hinges += opens && (count[RICO_LIMIT_REST] > 0 || count[RICO_LIMIT_SLIDES] > 0);
        lifts += opens && count[RICO_LIMIT_REST] == 0 && count[RICO_LIMIT_SLIDES] == 0;
        k = next;
    }
    hinges += yields;
    if (slides > 0 && hinges > 0) return "mixed";
    if (slides > 0) return "sliding";
    if (hinges > 0) return yields > 0 && hinges == yields ? "yielding" : "hinging";
    return lifts > 0 ? "lifting" : "none";
}


static double largest_speed(const rico_limit *limit, const double *velocity)
{
    double most = 0.0, u[6];
    for (int64_t k = 0; k < limit->block_count; k++) {
        if (limit->block[k].kind == RICO_EQUALITY) continue;
        rico_limit_block_motion(limit, velocity, k, u);
        for (int64_t i = 0; i < limit->block[k].size; i++) most = fmax(most, fabs(u[i]));
    }
    return most;
}


rico_status rico_limit_describe(const rico_limit *limit, const double *velocity, rico_limit_mode *mode,
                                bool *moves, rico_limit_mechanism *out)
{
    rico_limit_mode *own = rico_alloc(limit->ctx, limit->block_count, sizeof *own);
    double *speed = rico_alloc(limit->ctx, limit->body_count, sizeof *speed);
    if (!own || !speed) {
        rico_free(limit->ctx, own);
        rico_free(limit->ctx, speed);
        return RICO_NO_MEMORY;
    }
    *out = (rico_limit_mechanism){.name = "none"};
    double fastest = largest_speed(limit, velocity), body_fastest = 0.0, u[6];
    for (int64_t k = 0; k < limit->block_count; k++) {
        if (limit->block[k].kind == RICO_EQUALITY) continue;
        rico_limit_block_motion(limit, velocity, k, u);
        own[k] = mode_of(&limit->block[k], u, STILL * fastest);
        out->opens += own[k] == RICO_LIMIT_OPENS;
        out->slides += own[k] == RICO_LIMIT_SLIDES;
        out->yields += own[k] == RICO_LIMIT_YIELDS;
        if (rico_limit_is_contact(&limit->block[k]) && fastest > 0.0)
            out->entering = fmax(out->entering, -u[0] / fastest);
    }
    out->name = name_of(limit, own, out->yields);
    for (int64_t i = 0; i < limit->dofs; i++) {
        out->live += velocity[i] * limit->live[i];
        out->dead += velocity[i] * limit->dead[i];
        if (limit->body_of[i] < 0) continue;
        speed[limit->body_of[i]] = fmax(speed[limit->body_of[i]], fabs(velocity[i]));
        body_fastest = fmax(body_fastest, fabs(velocity[i]));
    }
    for (int64_t b = 0; b < limit->body_count; b++) {
        bool goes = speed[b] > STILL * body_fastest;
        out->bodies += goes;
        if (moves) moves[b] = goes;
    }
    if (mode) memcpy(mode, own, (size_t)limit->block_count * sizeof *own);
    rico_free(limit->ctx, own);
    rico_free(limit->ctx, speed);
    return RICO_OK;
}
