// Motions whose velocities have bounded variation: their variation, their measure, and whether they solve the problem (P).
//
// At a sample the jump d = u+ - u- must be M^-1 times impulses of closed contacts, that is -d in the polar of the tangent cone in the
// metric of M: its projection on the tangent cone is what is wrong with it. Between samples the same is asked of
// u- - u+ - M^-1 integral of f dt, with the contacts that are closed at both ends.

#include "ricochet/vibro.h"

#include "la/dense.h"
#include "law/impact.h"

#include <math.h>
#include <string.h>

static double distance(int64_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}


double rico_bv_variation(const rico_bv_motion *motion)
{
    int64_t n = motion->velocities;
    double sum = 0.0;
    for (int64_t i = 0; i < motion->count; i++) {
        sum += distance(n, motion->after + i * n, motion->before + i * n);
        if (i + 1 < motion->count) sum += distance(n, motion->before + (i + 1) * n, motion->after + i * n);
    }
    return sum;
}


rico_status rico_bv_measure(rico_context *ctx, const rico_bv_motion *motion, int64_t i, bool with_first,
                            int64_t j, bool with_last, double *du)
{
    if (i < 0 || j < i || j >= motion->count || (i == j && !(with_first && with_last)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "samples %lld to %lld of %lld are no interval", (long long)i,
                         (long long)j, (long long)motion->count);
    int64_t n = motion->velocities;
    const double *from = (with_first ? motion->before : motion->after) + i * n,
                 *to = (with_last ? motion->after : motion->before) + j * n;
    for (int64_t k = 0; k < n; k++) du[k] = to[k] - from[k];
    return RICO_OK;
}


// One check: the assembly, and what belongs to the sample at hand and to the one before.
typedef struct check {
    rico_context *ctx;
    rico_assembly *assembly;
    const rico_bv_motion *motion;
    rico_bv_findings *found;
    double e, closed;
    rico_impact *impact;
    rico_impact_maps *maps;
    double *gap;      // rows
    char *shut;       // contacts that were closed one sample ago
    double *force[2]; // at the sample, with the velocity before and after it: load and applied, less springs
    double *all[2];   // the same with springs
    double *last;     // `all` after the sample before
    double *tangent, *polar, *d; // velocities
    double energy, work, power;  // at the start; done since; after the sample before
} check;


static rico_status check_shape(rico_context *ctx, const rico_system *system, const rico_bv_motion *motion)
{
    if (motion->positions != system->nq || motion->velocities != system->nv || motion->count < 1)
        return rico_fail(
            ctx, RICO_BAD_ARGUMENT,
            "a motion of %lld samples with %lld positions and %lld velocities is none of a system "
            "with %lld and %lld",
            (long long)motion->count, (long long)motion->positions, (long long)motion->velocities,
            (long long)system->nq, (long long)system->nv);
    bool finite = rico_all_finite(motion->count, motion->t) &&
                  rico_all_finite(motion->count * motion->positions, motion->q) &&
                  rico_all_finite(motion->count * motion->velocities, motion->before) &&
                  rico_all_finite(motion->count * motion->velocities, motion->after);
    if (!finite) return rico_fail(ctx, RICO_BAD_INPUT, "the motion holds a number that is not finite");
    for (int64_t i = 0; i + 1 < motion->count; i++)
        if (!(motion->t[i] < motion->t[i + 1]))
            return rico_fail(ctx, RICO_BAD_INPUT, "time %lld of the motion, %.17g, does not follow %.17g",
                             (long long)i + 1, motion->t[i + 1], motion->t[i]);
    return RICO_OK;
}


static rico_status check_create(rico_system *system, const rico_bv_motion *motion, check *c)
{
    rico_context *ctx = system->ctx;
    int64_t n = system->nv;
    bool changed;
    rico_status status = rico_assembly_create(ctx, system, &c->assembly);
    if (status != RICO_OK) return status;
    double **velocities[] = {&c->force[0], &c->force[1], &c->all[0], &c->all[1],
                             &c->last,     &c->tangent,  &c->polar,  &c->d};
    for (size_t i = 0; i < sizeof velocities / sizeof *velocities; i++)
        if (!(*velocities[i] = rico_alloc(ctx, n, sizeof(double)))) return RICO_NO_MEMORY;
    if (system->source_count > 0)
        return rico_fail(
            ctx, RICO_UNSUPPORTED,
            "motions are checked against contacts that are always there, and this system has some that "
            "come and go");
    status = rico_assembly_collect(c->assembly, motion->t[0], 0.0, motion->q, motion->before, &changed);
    if (status == RICO_OK) status = rico_impact_check_set(c->assembly);
    if (status != RICO_OK) return status;
    c->gap = rico_alloc(ctx, c->assembly->set.rows, sizeof *c->gap);
    c->shut = rico_alloc(ctx, c->assembly->set.count, 1);
    return c->gap && c->shut ? RICO_OK : RICO_NO_MEMORY;
}


static void check_destroy(check *c)
{
    void *all[] = {c->gap,    c->shut, c->force[0], c->force[1], c->all[0],
                   c->all[1], c->last, c->tangent,  c->polar,    c->d};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(c->ctx, all[i]);
    rico_impact_maps_destroy(c->maps);
    rico_impact_destroy(c->impact);
    rico_assembly_destroy(c->assembly);
}


// M, gradients and projections of sample i.
static rico_status arrive(check *c, int64_t i)
{
    const rico_bv_motion *motion = c->motion;
    const double *q = motion->q + i * motion->positions;
    rico_impact_maps_destroy(c->maps);
    rico_impact_destroy(c->impact);
    c->maps = NULL;
    c->impact = NULL;
    rico_status status = rico_impact_create_from(c->assembly, motion->t[i], q, c->closed, &c->impact);
    if (status == RICO_OK) status = rico_impact_maps_create(c->impact, &c->maps);
    if (status == RICO_OK) status = rico_assembly_gaps(c->assembly, motion->t[i], q, c->gap);
    return status;
}


// Forces of sample i with its two velocities.
static rico_status forces(check *c, int64_t i)
{
    const rico_bv_motion *motion = c->motion;
    int64_t n = motion->velocities;
    const double *q = motion->q + i * motion->positions;
    rico_status status = RICO_OK;
    for (int side = 0; side < 2 && status == RICO_OK; side++) {
        const double *u = (side ? motion->after : motion->before) + i * n;
        double *damping = c->tangent, *spring = c->polar;
        status = rico_assembly_forces(c->assembly, motion->t[i], q, u, c->force[side], damping, spring);
        if (status == RICO_OK) status = rico_assembly_load(c->assembly, motion->t[i], c->d);
        if (status != RICO_OK) return status;
        rico_axpy(n, 1.0, damping, c->force[side]);
        rico_axpy(n, 1.0, c->d, c->force[side]);
        memcpy(c->all[side], c->force[side], (size_t)n * sizeof(double));
        rico_axpy(n, 1.0, spring, c->all[side]);
    }
    return status;
}


// What of the velocity change c->d no impulses >= 0 of active contacts make, in |.|_M.
static rico_status unexplained(check *c, double *size)
{
    for (int64_t k = 0; k < c->motion->velocities; k++) c->d[k] = -c->d[k];
    rico_status status = rico_impact_project_velocity(c->maps, c->d, c->tangent, NULL, NULL);
    if (status == RICO_OK) *size = sqrt(2.0 * rico_impact_kinetic_energy(c->impact, c->tangent));
    return status;
}


static void keep(double value, int64_t i, double *worst, int64_t *at)
{
    if (!(value > *worst)) return;
    *worst = value;
    if (at) *at = i;
}


// The jump at sample i: reaction, law, energy, and the velocity after it.
static rico_status look_at_jump(check *c, int64_t i)
{
    const rico_bv_motion *motion = c->motion;
    rico_bv_findings *found = c->found;
    int64_t n = motion->velocities;
    const double *u = motion->before + i * n, *v = motion->after + i * n;
    double size = 0.0, before = rico_impact_kinetic_energy(c->impact, u),
           after = rico_impact_kinetic_energy(c->impact, v);
    for (int64_t k = 0; k < n; k++) c->d[k] = v[k] - u[k];
    bool jumps = distance(n, u, v) > 1e-12 * (rico_norm_inf(n, u) + rico_norm_inf(n, v));
    found->jumps += jumps;
    rico_status status = jumps ? unexplained(c, &size) : RICO_OK;
    if (status != RICO_OK) return status;
    keep(size, i, &found->reaction, &found->reaction_at);
    keep(after - before, i, &found->gain, NULL);
    keep(fmax(before, after), i, &found->kinetic, NULL);
    found->dissipated += before - after;
    status = rico_impact_project_velocity(c->maps, u, c->tangent, c->polar, NULL);
    if (status != RICO_OK) return status;
    for (int64_t k = 0; k < n; k++) c->d[k] = v[k] - (c->tangent[k] - c->e * c->polar[k]);
    keep(sqrt(2.0 * rico_impact_kinetic_energy(c->impact, c->d)), i, &found->law, &found->law_at);
    const rico_csc *W = &c->impact->W;
    for (int64_t j = 0; j < W->cols; j++) {
        double rate = 0.0, gap = c->gap[c->assembly->set.constraint[j]->row];
        keep(-gap, i, &found->penetration, NULL);
        for (int64_t k = W->start[j]; k < W->start[j + 1]; k++) rate += W->value[k] * v[W->row[k]];
        if (gap <= c->closed) keep(-rate, i, &found->viability, NULL);
    }
    return RICO_OK;
}


// The stretch from sample i - 1 to i: positions, reactions of contacts that were closed all the while, works.
static rico_status look_back(check *c, int64_t i)
{
    const rico_bv_motion *motion = c->motion;
    rico_bv_findings *found = c->found;
    int64_t n = motion->velocities;
    double h = motion->t[i] - motion->t[i - 1], size = 0.0;
    const double *u = motion->after + (i - 1) * n, *v = motion->before + i * n;
    const double *q = motion->q + i * motion->positions, *from = q - motion->positions;

    // positions by the mean velocity, where they are velocities integrated
    for (int64_t k = 0; k < n; k++) c->d[k] = 0.5 * (u[k] + v[k]);
    double *moved = c->polar;
    if (c->assembly->system->flat && motion->positions == n) {
        for (int64_t k = 0; k < n; k++) moved[k] = from[k] + h * c->d[k];
        keep(distance(n, moved, q), i, &found->drift, NULL);
    }

    for (int64_t k = 0; k < n; k++) c->d[k] = 0.5 * h * (c->last[k] + c->all[0][k]);
    rico_status status = rico_impact_solve_mass(c->impact, c->d);
    if (status != RICO_OK) return status;
    for (int64_t k = 0; k < n; k++) c->d[k] = v[k] - u[k] - c->d[k];
    for (int64_t j = 0; j < c->assembly->set.count && status == RICO_OK; j++) {
        double gap = c->gap[c->assembly->set.constraint[j]->row];
        status = rico_impact_set_active(c->impact, j, c->shut[j] && gap <= c->closed);
    }
    if (status == RICO_OK) status = unexplained(c, &size);
    for (int64_t j = 0; j < c->assembly->set.count && status == RICO_OK; j++)
        status =
            rico_impact_set_active(c->impact, j, c->gap[c->assembly->set.constraint[j]->row] <= c->closed);
    if (status != RICO_OK) return status;
    keep(size, i, &found->reaction, &found->reaction_at);
    c->work += 0.5 * h * (c->power + rico_dot(n, c->force[0], v));
    return RICO_OK;
}


// Change of energy beyond the works, at the end of sample i. Where the mass changes with the position, the forces of inertia among f
// work against what the change of M does to the energy, and both are in it.
static rico_status balance(check *c, int64_t i, const double *mass_work)
{
    const rico_bv_motion *motion = c->motion;
    double V, energy = rico_impact_kinetic_energy(c->impact, motion->after + i * motion->velocities);
    rico_status status =
        rico_assembly_potential(c->assembly, motion->t[i], motion->q + i * motion->positions, &V);
    if (status != RICO_OK) return status;
    energy += V;
    if (i == 0) c->energy = energy;
    keep(fabs(energy - c->energy - c->work - *mass_work), i, &c->found->imbalance, &c->found->imbalance_at);
    return RICO_OK;
}


static rico_status walk(check *c)
{
    const rico_bv_motion *motion = c->motion;
    int64_t n = motion->velocities;
    double mass_work = 0.0;
    rico_status status = RICO_OK;
    for (int64_t i = 0; i < motion->count && status == RICO_OK; i++) {
        const double *u = motion->after + (i - (i > 0)) * n, *v = motion->before + i * n;
        double then[2] = {0.0}, now[2];
        if (i > 0)
            then[0] = rico_impact_kinetic_energy(c->impact, u),
            then[1] = rico_impact_kinetic_energy(c->impact, v);
        status = arrive(c, i);
        if (status == RICO_OK) status = forces(c, i);
        if (status != RICO_OK) return status;
        if (i > 0) {
            now[0] = rico_impact_kinetic_energy(c->impact, u),
            now[1] = rico_impact_kinetic_energy(c->impact, v);
            mass_work += 0.5 * (now[0] - then[0] + now[1] - then[1]);
            status = look_back(c, i);
        }
        if (status == RICO_OK) status = look_at_jump(c, i);
        if (status == RICO_OK) status = balance(c, i, &mass_work);
        for (int64_t j = 0; j < c->assembly->set.count; j++)
            c->shut[j] = c->gap[c->assembly->set.constraint[j]->row] <= c->closed;
        memcpy(c->last, c->all[1], (size_t)n * sizeof *c->last);
        c->power = rico_dot(n, c->force[1], motion->after + i * n);
    }
    return status;
}


rico_status rico_bv_check(rico_system *system, const rico_bv_motion *motion, double e, double closed,
                          rico_bv_findings *findings)
{
    rico_status status = rico_system_complete(system);
    if (status == RICO_OK) status = check_shape(system->ctx, system, motion);
    if (status != RICO_OK) return status;
    if (!(e >= 0.0 && e <= 1.0) || !(closed >= 0.0))
        return rico_fail(
            system->ctx, RICO_BAD_ARGUMENT,
            "a restitution in [0, 1] and a gap that counts as closed are asked for; got %g and %g", e,
            closed);
    check c = {.ctx = system->ctx, .motion = motion, .e = e, .closed = closed, .found = findings};
    *findings = (rico_bv_findings){.gain = -INFINITY, .law_at = -1, .reaction_at = -1, .imbalance_at = -1};
    status = check_create(system, motion, &c);
    if (status == RICO_OK) status = walk(&c);
    findings->variation = rico_bv_variation(motion);
    check_destroy(&c);
    return status;
}
