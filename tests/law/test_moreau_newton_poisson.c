// Moreau, Newton and Poisson against closed forms: chains, walls, two contacts, singular G. The letters B, C and P in
// the comments number the cases of docs/theory/impact-laws.md.

#include "impacts.h"

static const char *const laws[] = {"moreau", "newton", "poisson"};
enum { LAWS = 3 };


static void set_restitution(rico_context *ctx, rico_impact *impact, double e)
{
    assert_ok(ctx, rico_impact_set_restitution(impact, RICO_ALL_CONTACTS, e));
}


// B1: G of equal masses is tridiag(-1, 2, -1), of determinant p + 1; the first column of its inverse is
// (p, ..., 1)/(p+1).
static void test_delassus_of_a_chain(void **state)
{
    rico_context *ctx = *state;
    for (int64_t p = 1; p <= 12; p++) {
        rico_impact *impact = chain_of(ctx, p + 1, NULL, RICO_CHAIN_FREE);
        rico_sparse_view G = rico_impact_delassus(impact);
        assert_int_equal(G.start[p], 3 * p - 2);
        double *dense = dense_copy(&G), column[13] = {1.0}, determinant = 1.0, before = 0.0;
        for (int64_t k = 0; k < p; k++) {
            double beside = k > 0 ? dense[k * p + k - 1] : 0.0;
            double next = dense[k * p + k] * determinant - beside * beside * before;
            before = determinant;
            determinant = next;
            assert_near(dense[k * p + k], 2.0, 0.0);
            assert_near(beside, k > 0 ? -1.0 : 0.0, 0.0);
        }
        assert_near(determinant, (double)p + 1.0, 1e-12 * (double)p);
        dense_solve(p, dense, column);
        for (int64_t k = 0; k < p; k++) assert_near(column[k], (double)(p - k) / (double)(p + 1), 1e-14);
        free(dense);
        rico_impact_destroy(impact);
    }
}


// Kinetic angles: pi/3 between neighbours of equal mass, pi/2 beyond, and the formula for other masses.
static void test_kinetic_angles(void **state)
{
    rico_context *ctx = *state;
    const double pi = acos(-1.0), mass[] = {1.0, 0.3, 2.0, 5.0};
    double angle = 0.0;
    rico_impact *impact = chain_of(ctx, 4, NULL, RICO_CHAIN_FREE);
    assert_ok(ctx, rico_impact_kinetic_angle(impact, 0, 1, &angle));
    assert_near(angle, pi / 3.0, 1e-15);
    assert_ok(ctx, rico_impact_kinetic_angle(impact, 0, 2, &angle));
    assert_near(angle, pi / 2.0, 1e-15);
    assert_int_equal(rico_impact_kinetic_angle(impact, 1, 1, &angle), RICO_BAD_ARGUMENT);
    rico_impact_destroy(impact);

    impact = chain_of(ctx, 4, mass, RICO_CHAIN_FREE);
    assert_ok(ctx, rico_impact_kinetic_angle(impact, 0, 1, &angle));
    assert_near(cos(angle), 1.0 / sqrt((1.0 + 0.3 / 1.0) * (1.0 + 0.3 / 2.0)), 1e-15);
    rico_impact_destroy(impact);
}


// B2, B3, B4, C3: the first ball of a chain at rest is struck. With Mr the mass of the others,
// v_1 = (m_1 - e Mr)/(m_1 + Mr), the others (1+e) m_1/(m_1 + Mr), KER = (m_1 + e^2 Mr)/(m_1 + Mr); all three
// laws agree.
static void test_struck_chain(void **state)
{
    rico_context *ctx = *state;
    const double restitutions[] = {0.0, 0.3, 0.5, 0.9, 1.0};
    rico_random random;
    rico_random_seed(&random, 11);
    for (int64_t n = 2; n <= 100; n = n < 12 ? n + 1 : n + 44)
        for (int k = 0; k < 5; k++)
            for (int equal = 0; equal < 2; equal++) {
                double mass[100] = {0}, u[100] = {1.0}, e = restitutions[k], rest = 0.0;
                for (int64_t i = 0; i < n; i++) mass[i] = equal ? 1.7 : rico_random_range(&random, 0.2, 3.0);
                for (int64_t i = 1; i < n; i++) rest += mass[i];
                double total = mass[0] + rest;
                rico_impact *impact = chain_of(ctx, n, mass, RICO_CHAIN_FREE);
                set_restitution(ctx, impact, e);
                for (int l = 0; l < LAWS; l++) {
                    rico_impact_law *law = law_on(ctx, laws[l], impact);
                    rico_impact_result r = apply(ctx, law, u);
                    assert_int_equal(r.stop, RICO_IMPACT_DONE);
                    assert_books(ctx, impact, u, &r, 1e-13);
                    assert_near(r.velocity[0], (mass[0] - e * rest) / total, 1e-13);
                    double beyond = rest;
                    for (int64_t i = 1; i < n; i++) {
                        assert_near(r.velocity[i], (1.0 + e) * mass[0] / total, 1e-13);
                        assert_near(r.impulse[i - 1], (1.0 + e) * mass[0] * beyond / total, 1e-12);
                        assert_near(r.gap_after[i - 1], i == 1 ? e : 0.0, 1e-13);
                        beyond -= mass[i];
                    }
                    assert_near(rico_outcome_energy_ratio(&r), (mass[0] + e * e * rest) / total, 1e-13);
                    rico_impact_law_destroy(law);
                }
                rico_impact_destroy(impact);
            }
}


// C4: a chain thrown at a wall rebounds with e v, and contact j carries (1+e) v times the mass behind it.
static void test_chain_against_wall(void **state)
{
    rico_context *ctx = *state;
    double mass[20], u[20];
    for (int i = 0; i < 20; i++) {
        mass[i] = 0.5 + 0.1 * i;
        u[i] = 3.0;
    }
    rico_impact *impact = chain_of(ctx, 20, mass, RICO_CHAIN_WALL);
    set_restitution(ctx, impact, 0.4);
    for (int l = 0; l < LAWS; l++) {
        rico_impact_law *law = law_on(ctx, laws[l], impact);
        rico_impact_result r = apply(ctx, law, u);
        double behind = 0.0;
        assert_books(ctx, impact, u, &r, 1e-13);
        for (int i = 0; i < 20; i++) {
            behind += mass[i];
            assert_near(r.velocity[i], -0.4 * 3.0, 1e-13);
            assert_near(r.impulse[i], 1.4 * 3.0 * behind, 1e-11);
        }
        rico_impact_law_destroy(law);
    }
    rico_impact_destroy(impact);
}


// C8, C9: two contacts of three balls. Newton (eps_1, 0) whatever eps_2; Poisson in three cases.
static void test_two_restitutions(void **state)
{
    rico_context *ctx = *state;
    const double u[] = {1.0, 0.0, 0.0};
    rico_impact *impact = chain_of(ctx, 3, NULL, RICO_CHAIN_FREE);
    rico_impact_law *newton = law_on(ctx, "newton", impact), *poisson = law_on(ctx, "poisson", impact);
    for (int a = 0; a <= 10; a++)
        for (int b = 0; b <= 10; b++) {
            double e1 = 0.1 * a, e2 = 0.1 * b;
            assert_ok(ctx, rico_impact_set_restitution(impact, 0, e1));
            assert_ok(ctx, rico_impact_set_restitution(impact, 1, e2));
            rico_impact_result r = apply(ctx, newton, u);
            assert_all_near(2, r.gap_after, (double[]){e1, 0.0}, 1e-15);
            assert_all_near(2, r.impulse, (double[]){2.0 / 3.0 * (1.0 + e1), (1.0 + e1) / 3.0}, 1e-15);
            assert_books(ctx, impact, u, &r, 1e-15);

            r = apply(ctx, poisson, u);
            double g1 = (4.0 * e1 - e2) / 3.0, g2 = 2.0 * (e2 - e1) / 3.0;
            if (e2 < e1) {
                g1 = e1;
                g2 = 0.0;
            } else if (e2 > 4.0 * e1) {
                g1 = 0.0;
                g2 = 0.5 * e2;
            }
            assert_all_near(2, r.gap_after, (double[]){g1, g2}, 1e-15);
            const double v[] = {(1.0 - 2.0 * g1 - g2) / 3.0, (1.0 + g1 - g2) / 3.0,
                                (1.0 + g1 + 2.0 * g2) / 3.0};
            assert_all_near(3, r.velocity, v, 1e-15);
            assert_books(ctx, impact, u, &r, 1e-15);
            assert_near(r.compression[0] + r.compression[1], 1.0 / 3.0, 1e-15); // 1/2 - 3 (1/3)^2 / 2
        }
    rico_impact_law_destroy(newton);
    rico_impact_law_destroy(poisson);
    rico_impact_destroy(impact);
}


// C10: G = [[2, 1], [1, 2]]: a slow second contact is superfluous, up to b = 1/2.
static void test_superfluous_contact(void **state)
{
    rico_context *ctx = *state;
    rico_impact *impact = pair_of(ctx, 2.0, 1.0);
    for (int l = 0; l < LAWS; l++) {
        rico_impact_law *law = law_on(ctx, laws[l], impact);
        for (int k = 0; k <= 20; k++) {
            double b = 0.05 * k, e = 0.05 * (k % 21);
            set_restitution(ctx, impact, e);
            const double u[] = {-1.0, -b};
            rico_impact_result r = apply(ctx, law, u);
            const double opens[] = {e, fmax(0.5 * (1.0 + e) - b, e * b)};
            assert_books(ctx, impact, u, &r, 1e-14);
            assert_all_near(2, r.gap_after, opens, 1e-14);
            if (b < 0.5) assert_all_near(2, r.impulse, (double[]){0.5 * (1.0 + e), 0.0}, 1e-15);
        }
        rico_impact_law_destroy(law);
    }
    rico_impact_destroy(impact);
}


// C11: gamma- = (-1, 0.1) is not admissible: Newton's law lets contact 2 close, Poisson's does not.
static void test_opening_contact(void **state)
{
    rico_context *ctx = *state;
    const double u[] = {-1.0, 0.1};
    rico_impact *impact = pair_of(ctx, 2.0, -1.0);
    set_restitution(ctx, impact, 0.5);
    rico_impact_law *law = law_on(ctx, "newton", impact);
    rico_impact_result r = apply(ctx, law, u);
    assert_all_near(2, r.gap_after, (double[]){0.5, -0.05}, 1e-15);
    assert_all_near(2, r.impulse, (double[]){0.95, 0.4}, 1e-15);
    rico_impact_law_destroy(law);
    law = law_on(ctx, "poisson", impact);
    r = apply(ctx, law, u);
    assert_all_near(2, r.gap_after, (double[]){0.475, 0.0}, 1e-15);
    assert_all_near(2, r.impulse, (double[]){0.95, 0.425}, 1e-15);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
}


// C12: with E = diag(1, 0) and a gap that opens, Newton's law multiplies the energy by ten.
static void test_energy_growth(void **state)
{
    rico_context *ctx = *state;
    const double u[] = {-1.0, 0.95};
    rico_impact *impact = pair_of(ctx, 1.0, -0.95);
    assert_ok(ctx, rico_impact_set_restitution(impact, 1, 0.0));
    rico_impact_law *law = law_on(ctx, "newton", impact);
    rico_impact_result r = apply(ctx, law, u);
    assert_all_near(2, r.gap_after, (double[]){1.0, 0.0}, 1e-14);
    assert_near(r.energy_before, 0.5, 1e-14);
    assert_near(r.energy_after, 0.5 / 0.0975, 1e-12);
    assert_books(ctx, impact, u, &r, 1e-13);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
}


// A velocity u with W'u <= 0: minus a combination of two tangent ones.
static void draw_admissible(rico_context *ctx, rico_impact_maps *maps, rico_random *random, int64_t n,
                            double *u)
{
    double v[16], tangent[16];
    memset(u, 0, (size_t)n * sizeof *u);
    for (int k = 0; k < 2; k++) {
        for (int64_t i = 0; i < n; i++) v[i] = rico_random_normal(random);
        assert_ok(ctx, rico_impact_project_velocity(maps, v, tangent, NULL, NULL));
        for (int64_t i = 0; i < n; i++) u[i] -= tangent[i];
    }
}


// P1 to P4 on random systems of any rank: the books close, gaps open, no energy comes in, and Newton's and Poisson's
// law agree for one restitution.
static void test_random_systems(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 5);
    for (int run = 0; run < 300; run++) {
        int64_t n = 1 + rico_random_below(&random, 8), h = 1 + rico_random_below(&random, 12);
        int64_t rank = 1 + rico_random_below(&random, n < h ? n : h);
        rico_impact *impact = random_impact(ctx, &random, n, h, rank);
        rico_impact_maps *maps = NULL;
        assert_ok(ctx, rico_impact_maps_create(impact, &maps));
        double u[16], kept[16] = {0}, e = rico_random_unit(&random);
        draw_admissible(ctx, maps, &random, n, u);
        double fastest = 0.0;
        for (int64_t i = 0; i < n; i++) fastest = fmax(fastest, fabs(u[i]));
        // where rest alone is admissible, what was drawn is round-off of it
        if (fastest < 1e-9) memset(u, 0, sizeof u);
        set_restitution(ctx, impact, e);
        for (int l = 0; l < LAWS; l++) {
            rico_impact_law *law = law_on(ctx, laws[l], impact);
            rico_impact_result r = apply(ctx, law, u);
            assert_books(ctx, impact, u, &r, 1e-11);
            double speed = fastest;
            for (int64_t j = 0; j < h; j++) speed = fmax(speed, fabs(r.gap_before[j]));
            for (int64_t j = 0; j < h; j++) assert_at_most(-r.gap_after[j], 1e-11 * speed);
            assert_at_most(r.energy_after, r.energy_before * (1.0 + 1e-12));
            if (l > 0) assert_all_near(n, r.velocity, kept, 1e-10);
            memcpy(kept, r.velocity, (size_t)n * sizeof *kept);
            rico_impact_law_destroy(law);
        }

        // different restitutions: still no energy comes in
        for (int64_t j = 0; j < h; j++)
            assert_ok(ctx, rico_impact_set_restitution(impact, j, rico_random_unit(&random)));
        for (int l = 1; l < LAWS; l++) {
            rico_impact_law *law = law_on(ctx, laws[l], impact);
            rico_impact_result r = apply(ctx, law, u);
            double closing = 0.0;
            for (int64_t j = 0; j < h; j++) closing = fmax(closing, -r.gap_before[j]);
            // gap velocities that are round-off need not be admissible
            if (closing > 1e-10) assert_int_equal(r.stop, RICO_IMPACT_DONE);
            assert_books(ctx, impact, u, &r, 1e-11);
            assert_at_most(r.energy_after, r.energy_before * (1.0 + 1e-12));
            rico_impact_law_destroy(law);
        }

        // any velocity, opening gaps included: Poisson still leaves none that closes, and gains nothing
        for (int64_t i = 0; i < n; i++) u[i] = rico_random_normal(&random);
        rico_impact_law *law = law_on(ctx, "poisson", impact);
        rico_impact_result r = apply(ctx, law, u);
        assert_books(ctx, impact, u, &r, 1e-11);
        assert_at_most(r.energy_after, r.energy_before * (1.0 + 1e-12));
        double speed = 1.0;
        for (int64_t j = 0; j < h; j++) speed = fmax(speed, fabs(r.gap_before[j]));
        for (int64_t j = 0; j < h; j++) assert_at_most(-r.gap_after[j], 1e-10 * speed);
        rico_impact_law_destroy(law);
        rico_impact_maps_destroy(maps);
        rico_impact_destroy(impact);
    }
}


// P2: T- = T+ iff eps = 1, momentum of a free chain is kept.
static void test_elastic_impact_keeps_energy(void **state)
{
    rico_context *ctx = *state;
    const double mass[] = {1.0, 4.0, 0.2, 3.0, 1.0}, u[] = {3.0, 2.0, 1.5, -1.0, -1.0};
    rico_impact *impact = chain_of(ctx, 5, mass, RICO_CHAIN_FREE);
    for (int l = 0; l < LAWS; l++) {
        rico_impact_law *law = law_on(ctx, laws[l], impact);
        set_restitution(ctx, impact, 1.0);
        rico_impact_result r = apply(ctx, law, u);
        assert_near(r.energy_after, r.energy_before, 1e-14 * r.energy_before);
        set_restitution(ctx, impact, 0.99);
        r = apply(ctx, law, u);
        assert_at_most(r.energy_after, 0.999 * r.energy_before);
        double before = 0.0, after = 0.0;
        for (int i = 0; i < 5; i++) {
            before += mass[i] * u[i];
            after += mass[i] * r.velocity[i];
        }
        assert_near(after, before, 1e-14);
        rico_impact_law_destroy(law);
    }
    rico_impact_destroy(impact);
}


// P8: a disk in a corner. Acute kinetic angle, e = 0: it stops; obtuse: it may slide out along the second wall.
static void test_planar_corner(void **state)
{
    rico_context *ctx = *state;
    const double identity[] = {1.0, 0.0, 0.0, 1.0};
    for (int obtuse = 0; obtuse < 2; obtuse++) {
        // walls whose inner normals enclose 120 or 60 degrees: the corner is acute or obtuse
        double turn = acos(-1.0) * (obtuse ? 1.0 / 3.0 : 2.0 / 3.0);
        const double W[] = {1.0, cos(turn), 0.0, sin(turn)}, u[] = {-1.0, 0.4};
        rico_impact *impact = impact_of(ctx, 2, 2, identity, W);
        set_restitution(ctx, impact, 0.0);
        rico_impact_law *law = law_on(ctx, "moreau", impact);
        rico_impact_result r = apply(ctx, law, obtuse ? u : (double[]){-1.0, -2.0});
        if (obtuse)
            assert_all_near(2, r.velocity, (double[]){0.0, 0.4}, 1e-14);
        else
            assert_all_near(2, r.velocity, (double[]){0.0, 0.0}, 1e-14);
        rico_impact_law_destroy(law);
        rico_impact_destroy(impact);
    }
}


// Equal contacts twice: gap velocities as with one of them, whatever the impulses.
static void test_duplicate_contact(void **state)
{
    rico_context *ctx = *state;
    const double M[] = {2.0, 0.3, 0.3, 1.0}, W[] = {1.0, 1.0, 0.5, 0.0, 0.0, 1.0},
                 one[] = {1.0, 0.5, 0.0, 1.0};
    const double u[] = {-1.0, -0.7};
    rico_impact *twice = impact_of(ctx, 2, 3, M, W), *once = impact_of(ctx, 2, 2, M, one);
    for (int l = 0; l < LAWS; l++) {
        set_restitution(ctx, twice, 0.6);
        set_restitution(ctx, once, 0.6);
        rico_impact_law *a = law_on(ctx, laws[l], twice), *b = law_on(ctx, laws[l], once);
        rico_impact_result ra = apply(ctx, a, u), rb = apply(ctx, b, u);
        assert_all_near(2, ra.velocity, rb.velocity, 1e-14);
        assert_near(ra.impulse[0] + ra.impulse[1], rb.impulse[0], 1e-14);
        rico_impact_law_destroy(a);
        rico_impact_law_destroy(b);
    }
    rico_impact_destroy(twice);
    rico_impact_destroy(once);
}


// One gap between two walls, W = (1, -1): gamma_1 = -gamma_2. Newton with e_1 != e_2 then asks for the impossible.
static void test_no_solution(void **state)
{
    rico_context *ctx = *state;
    const double M[] = {1.0}, W[] = {1.0, -1.0}, u[] = {-1.0};
    rico_impact *impact = impact_of(ctx, 1, 2, M, W);
    assert_ok(ctx, rico_impact_set_restitution(impact, 0, 1.0));
    assert_ok(ctx, rico_impact_set_restitution(impact, 1, 0.5));
    rico_impact_law *law = law_on(ctx, "newton", impact);
    rico_impact_result r = apply(ctx, law, u);
    assert_int_equal(r.stop, RICO_IMPACT_NO_SOLUTION);
    assert_string_equal(rico_impact_stop_name(r.stop), "no-solution");
    assert_true(strlen(r.note) > 0);
    assert_near(r.velocity[0], -1.0, 0.0);
    rico_impact_law_destroy(law);

    // compression stops it; expansion pushes back in vain
    law = law_on(ctx, "poisson", impact);
    r = apply(ctx, law, u);
    assert_int_equal(r.stop, RICO_IMPACT_DONE);
    assert_near(r.velocity[0], 0.0, 1e-15);
    assert_books(ctx, impact, u, &r, 1e-15);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
}


// A contact that is not active does not count; nothing closes, nothing happens; no contact at all is an impact too.
static void test_open_contacts(void **state)
{
    rico_context *ctx = *state;
    const double u[] = {1.0, 0.0, 0.0}, apart[] = {-1.0, 0.0, 2.0};
    rico_impact *impact = chain_of(ctx, 3, NULL, RICO_CHAIN_FREE);
    assert_ok(ctx, rico_impact_set_active(impact, 1, false));
    for (int l = 0; l < LAWS; l++) {
        rico_impact_law *law = law_on(ctx, laws[l], impact);
        rico_impact_result r = apply(ctx, law, u);
        assert_all_near(3, r.velocity, (double[]){0.0, 1.0, 0.0}, 1e-15);
        assert_int_equal(r.impacts[0], 1);
        assert_int_equal(r.collisions, 1);
        r = apply(ctx, law, apart);
        assert_all_near(3, r.velocity, apart, 0.0);
        assert_int_equal(r.collisions, 0);
        rico_impact_law_destroy(law);
    }
    rico_impact_destroy(impact);

    impact = chain_of(ctx, 1, NULL, RICO_CHAIN_FREE);
    for (int l = 0; rico_impact_law_at(l); l++) {
        rico_impact_law *law = law_on(ctx, rico_impact_law_at(l)->name, impact);
        rico_impact_result r = apply(ctx, law, u);
        assert_near(r.velocity[0], 1.0, 0.0);
        rico_impact_law_destroy(law);
    }
    rico_impact_destroy(impact);
}


static void assert_refused(rico_context *ctx, rico_status status, rico_status expected, const char *word)
{
    assert_int_equal(status, expected);
    if (!strstr(rico_message(ctx), word)) fail_msg("\"%s\" does not mention %s", rico_message(ctx), word);
}


// What is wrong is refused with a sentence that names it.
static void test_refusals(void **state)
{
    rico_context *ctx = *state;
    rico_impact *impact = chain_of(ctx, 3, NULL, RICO_CHAIN_FREE), *none = NULL;
    assert_refused(ctx, rico_impact_set_restitution(impact, 0, -0.1), RICO_BAD_ARGUMENT, "-0.1");
    assert_refused(ctx, rico_impact_set_restitution(impact, 0, 1.1), RICO_BAD_ARGUMENT, "1.1");
    assert_refused(ctx, rico_impact_set_restitution(impact, 0, NAN), RICO_BAD_ARGUMENT, "nan");
    assert_refused(ctx, rico_impact_set_restitution(impact, 2, 0.5), RICO_BAD_ARGUMENT, "contact 2");
    assert_refused(ctx, rico_impact_set_stiffness(impact, 0, 0.0), RICO_BAD_ARGUMENT, "stiffness");
    assert_refused(ctx, rico_impact_set_stiffness(impact, 0, INFINITY), RICO_BAD_ARGUMENT, "stiffness");
    assert_refused(ctx, rico_impact_set_exponent(impact, 0, 0.0), RICO_BAD_ARGUMENT, "exponent");
    assert_refused(ctx, rico_impact_set_energy(impact, 0, -1.0), RICO_BAD_ARGUMENT, "energy");
    assert_refused(ctx, rico_impact_set_active(impact, -2, true), RICO_BAD_ARGUMENT, "contact -2");
    assert_refused(ctx, rico_chain_create(ctx, 0, NULL, RICO_CHAIN_FREE, &none), RICO_BAD_ARGUMENT,
                   "0 balls");
    assert_refused(ctx, rico_chain_create(ctx, 2, (double[]){1.0, -1.0}, RICO_CHAIN_FREE, &none),
                   RICO_SINGULAR, "M[1][1]");

    rico_impact_law *law = NULL;
    rico_impact_result r;
    assert_refused(ctx, rico_impact_law_create(ctx, "hooke", &law), RICO_BAD_ARGUMENT, "hooke");
    assert_ok(ctx, rico_impact_law_create(ctx, "moreau", &law));
    assert_refused(ctx, rico_impact_law_apply(law, NULL, &r), RICO_BAD_ARGUMENT, "set up");
    assert_refused(ctx, rico_impact_law_set_order(law, 0, NULL), RICO_BAD_ARGUMENT, "set up");
    assert_refused(ctx, rico_impact_law_set(law, "colour", "red"), RICO_BAD_ARGUMENT, "colour");
    assert_ok(ctx, rico_impact_law_setup(law, impact));
    assert_refused(ctx, rico_impact_law_apply(law, (double[]){0.0, NAN, 0.0}, &r), RICO_BAD_INPUT, "u[1]");
    assert_ok(ctx, rico_impact_set_restitution(impact, 1, 0.5));
    assert_refused(ctx, rico_impact_law_apply(law, (double[]){1.0, 0.0, 0.0}, &r), RICO_BAD_ARGUMENT,
                   "one restitution");
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);

    const int64_t start[] = {0, 2, 4}, row[] = {0, 1, 0, 1}, W_start[] = {0, 1}, W_row[] = {0};
    const double skew[] = {1.0, 0.5, 0.2, 1.0}, indefinite[] = {1.0, 2.0, 2.0, 1.0}, one[] = {1.0};
    rico_sparse_view M = {2, 2, start, row, skew}, W = {2, 1, W_start, W_row, one};
    assert_refused(ctx, rico_impact_create(ctx, &M, &W, &none), RICO_BAD_INPUT, "symmetric");
    M.value = indefinite;
    assert_refused(ctx, rico_impact_create(ctx, &M, &W, &none), RICO_SINGULAR, "mass matrix");
    W.rows = 3;
    assert_refused(ctx, rico_impact_create(ctx, &M, &W, &none), RICO_BAD_INPUT, "3 rows");
    rico_impact_law_destroy(NULL);
    rico_impact_destroy(NULL);
    rico_impact_maps_destroy(NULL);
}


// The table: names are unique, found by name, every option has a default in its range.
static void test_table(void **state)
{
    rico_context *ctx = *state;
    int count = 0;
    for (const rico_impact_law_info *info; (info = rico_impact_law_at(count)); count++) {
        assert_ptr_equal(rico_impact_law_find(info->name), info);
        assert_true(strlen(info->summary) > 0 && strlen(info->reference) > 0);
        rico_impact_law *law = NULL;
        assert_ok(ctx, rico_impact_law_create(ctx, info->name, &law));
        for (int k = 0; k < info->option_count; k++) {
            double value = NAN;
            assert_ok(ctx, rico_impact_law_get_number(law, info->options[k].name, &value));
            assert_near(value, info->options[k].standard, 0.0);
            assert_ok(ctx, rico_impact_law_set_number(law, info->options[k].name, value));
        }
        rico_impact_law_destroy(law);
    }
    assert_int_equal(count, 17);
    assert_null(rico_impact_law_at(-1));
    assert_null(rico_impact_law_find("none"));
    for (int s = 0; s < RICO_IMPACT_STOPS; s++)
        assert_true(strlen(rico_impact_stop_sentence((rico_impact_stop)s)) > strlen("done"));
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_delassus_of_a_chain),
        cmocka_unit_test(test_kinetic_angles),
        cmocka_unit_test(test_struck_chain),
        cmocka_unit_test(test_chain_against_wall),
        cmocka_unit_test(test_two_restitutions),
        cmocka_unit_test(test_superfluous_contact),
        cmocka_unit_test(test_opening_contact),
        cmocka_unit_test(test_energy_growth),
        cmocka_unit_test(test_random_systems),
        cmocka_unit_test(test_elastic_impact_keeps_energy),
        cmocka_unit_test(test_planar_corner),
        cmocka_unit_test(test_duplicate_contact),
        cmocka_unit_test(test_no_solution),
        cmocka_unit_test(test_open_contacts),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, make_context, drop_context);
}
