// LZB on long chains of balls, with Moreau's law and the binary model beside it.

#ifndef RICO_TESTS_LAW_CHAINS_H
#define RICO_TESTS_LAW_CHAINS_H

#include "impacts.h"

enum { BALLS_LIMIT = 101 };

typedef struct chain_case {
    int64_t balls;
    const double *mass; // NULL: all 1
    rico_chain_wall wall;
    double eta, e;
    double gradient; // of the stiffness, 0 for K = 1 everywhere
    double step, start_tol;
} chain_case;

typedef struct chain_outcome {
    double v[BALLS_LIMIT], gap[BALLS_LIMIT];
    double dispersion, energy_ratio, moreau_gap, binary_gap, fastest_gap;
    int64_t good_moreau, good_binary, repeated, forward, contacts;
} chain_outcome;


// The first ball strikes the others at speed 1, or all of them strike the wall.
static inline chain_outcome strike(rico_context *ctx, chain_case c)
{
    double u[BALLS_LIMIT] = {1.0}, mass[BALLS_LIMIT];
    int64_t n = c.balls;
    assert_true(n <= BALLS_LIMIT);
    for (int64_t i = 0; i < n; i++) {
        mass[i] = c.mass ? c.mass[i] : 1.0;
        if (c.wall) u[i] = 1.0;
    }
    rico_impact *impact = chain_of(ctx, n, mass, c.wall);
    assert_ok(ctx, rico_impact_set_exponent(impact, RICO_ALL_CONTACTS, c.eta));
    assert_ok(ctx, rico_impact_set_restitution(impact, RICO_ALL_CONTACTS, c.e));
    if (c.gradient != 0.0) assert_ok(ctx, rico_chain_grade_stiffness(impact, c.gradient));

    rico_impact_law *law = law_on(ctx, "lzb", impact);
    assert_ok(ctx, rico_impact_law_set_number(law, "step", c.step));
    assert_ok(ctx, rico_impact_law_set_number(law, "start-tol", c.start_tol > 0.0 ? c.start_tol : 1e-6));
    rico_impact_result r = apply(ctx, law, u);
    assert_int_equal(r.stop, RICO_IMPACT_DONE);
    assert_books(ctx, impact, u, &r, 1e-9);

    chain_outcome out = {.contacts = rico_impact_contacts(impact)};
    memcpy(out.v, r.velocity, (size_t)n * sizeof *out.v);
    memcpy(out.gap, r.gap_after, (size_t)out.contacts * sizeof *out.gap);
    out.energy_ratio = rico_outcome_energy_ratio(&r);
    out.dispersion = rico_outcome_dispersion(n, mass, r.velocity);
    assert_at_most(out.dispersion, sqrt((double)n - 1.0) * (1.0 + 1e-12)); // P13
    for (int64_t i = 0; i < n; i++) out.forward += r.velocity[i] > 1e-3;
    for (int64_t j = 0; j < out.contacts; j++) {
        out.fastest_gap = fmax(out.fastest_gap, fabs(out.gap[j]));
        if (r.impacts[j] > out.repeated) out.repeated = r.impacts[j];
    }
    rico_impact_law_destroy(law);

    law = law_on(ctx, "moreau", impact);
    r = apply(ctx, law, u);
    out.moreau_gap = rico_outcome_gap(n, r.velocity, out.v);
    out.good_moreau = rico_outcome_good(n, r.velocity, out.v, 0.05);
    rico_impact_law_destroy(law);

    law = law_on(ctx, "binary", impact);
    assert_ok(ctx, rico_impact_law_set(law, "max-collisions", "20000"));
    assert_ok(ctx, rico_impact_law_set(law, "order", c.wall ? "right-to-left" : "left-to-right"));
    r = apply(ctx, law, u);
    out.binary_gap = rico_outcome_gap(n, r.velocity, out.v);
    out.good_binary = rico_outcome_good(n, r.velocity, out.v, 0.05);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
    return out;
}

#endif
