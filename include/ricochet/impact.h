// Multiple impacts without friction: the velocity after several contacts of one system close at once.
//
//     rico_impact *impact;                              // the system in the configuration of the impact
//     rico_impact_create(ctx, &M, &W, &impact);
//     rico_impact_set_restitution(impact, RICO_ALL_CONTACTS, 0.9);
//     rico_impact_law *law;
//     rico_impact_law_create(ctx, "poisson", &law);
//     rico_impact_law_setup(law, impact);
//     rico_impact_law_apply(law, u_before, &result);           // again and again
//
// M (n x n) is the mass matrix, column j of W (n x h) the gradient of gap j, gamma = W'u the gap velocities (positive
// when a gap opens), Lambda >= 0 the impulses:
//
//     M (u+ - u-) = W Lambda,     gamma+ = gamma- + G Lambda,     G = W' M^-1 W  (Delassus, of any rank).
//
// What is missing is a law between gamma-, gamma+ and Lambda: docs/theory/impact-laws.md. Positions stand still.

#ifndef RICOCHET_IMPACT_H
#define RICOCHET_IMPACT_H

#include "ricochet/context.h"
#include "ricochet/model.h"
#include "ricochet/option.h"
#include "ricochet/sparse.h"

RICO_API_BEGIN

// ---- the system ---------------------------------------------------------------------------------------------

typedef struct rico_impact rico_impact;

enum { RICO_ALL_CONTACTS = -1 };

// Copies M and W and forms G. M must be symmetric positive definite; W may have dependent, even zero columns.
// Every contact starts active, with restitution 1, stiffness 1, exponent 3/2 (Hertz) and no energy.
rico_status rico_impact_create(rico_context *ctx, const rico_sparse_view *M, const rico_sparse_view *W,
                               rico_impact **out);
// The impact of a mechanical system at (t, q): M(q), the normal gradients of all its contacts, in its order,
// with their restitution, stiffness, exponent and friction; active are those whose gap is at most `closed`.
// Refused: joints, obstacles that move by themselves, friction of rolling and restitutions above 1, about
// which the laws below say nothing.
rico_status rico_impact_create_at(rico_system *system, double t, const double *q, double closed,
                                  rico_impact **out);
void rico_impact_destroy(rico_impact *impact);

int64_t rico_impact_dofs(const rico_impact *impact);
int64_t rico_impact_contacts(const rico_impact *impact);
rico_sparse_view rico_impact_delassus(const rico_impact *impact); // G, valid while the impact lives

// Parameters of one contact, or of all of them. Restitution is in [0, 1]: gap velocities for newton, moreau and
// binary, impulses for poisson, energy (e squared is the part given back) for lzb. The others are lzb's: the force
// K delta^eta with K, eta > 0, and the potential energy >= 0 that the contact holds when the impact begins.
rico_status rico_impact_set_restitution(rico_impact *impact, int64_t contact, double e);
rico_status rico_impact_set_stiffness(rico_impact *impact, int64_t contact, double K);
rico_status rico_impact_set_exponent(rico_impact *impact, int64_t contact, double eta);
rico_status rico_impact_set_energy(rico_impact *impact, int64_t contact, double energy);
// Of the compliant laws: the damper's constant C >= 0, in the units that the force of the law gives it. NAN,
// the default: what gives a single contact its restitution.
rico_status rico_impact_set_damping(rico_impact *impact, int64_t contact, double C);

// Coulomb friction: column j d + i of T is direction i of contact j, orthogonal unit directions, d = 1 in the
// plane and 2 in space; `friction` has a coefficient for each contact. Laws that were set up before must be
// set up again.
rico_status rico_impact_set_friction(rico_impact *impact, const rico_sparse_view *T, const double *friction);

// A contact that is not active (its gap is open) takes no part: no impulse, any gap velocity.
rico_status rico_impact_set_active(rico_impact *impact, int64_t contact, bool active);

double rico_impact_kinetic_energy(const rico_impact *impact, const double *u);            // u'Mu / 2
void rico_impact_gap_velocity(const rico_impact *impact, const double *u, double *gamma); // W'u

// Kinetic angle between two constraint surfaces: cos = -G_ij / sqrt(G_ii G_jj).
rico_status rico_impact_kinetic_angle(const rico_impact *impact, int64_t i, int64_t j, double *angle);

// ---- laws by name -------------------------------------------------------------------------------------------

typedef struct rico_impact_law_info {
    const char *name;
    const char *summary;   // one line
    const char *reference; // where the law is described
    int option_count;
    const rico_option_info *options;
    bool in_time;   // integrates through the impact: has a duration, and an observer sees it
    bool friction;  // knows Coulomb friction; the others refuse an impact that has some
    bool compliant; // with overlaps that grow and recover, beside the laws of rigid bodies
} rico_impact_law_info;

// The table of laws: moreau, newton, poisson, binary, lzb, cradle, lzb-friction, and the compliant ones:
// linear, hertz, elastic, kelvin-voigt, maxwell, zener, tsuji, kuwabara-kono, hunt-crossley, plastic. NULL
// past its end or for an unknown name.
const rico_impact_law_info *rico_impact_law_at(int index);
const rico_impact_law_info *rico_impact_law_find(const char *name);

typedef struct rico_impact_law rico_impact_law;

rico_status rico_impact_law_create(rico_context *ctx, const char *name, rico_impact_law **out);
void rico_impact_law_destroy(rico_impact_law *law);

rico_status rico_impact_law_set(rico_impact_law *law, const char *name, const char *value);
rico_status rico_impact_law_set_number(rico_impact_law *law, const char *name, double value);
rico_status rico_impact_law_get_number(const rico_impact_law *law, const char *name, double *value);

// Binds the law to a system and allocates its work space. The system must outlive the law or its next setup; its
// parameters may change in between.
rico_status rico_impact_law_setup(rico_impact_law *law, const rico_impact *impact);

// The order in which binary takes closing contacts under order=user: the first of them in this list, which holds
// every contact once. After setup; a new setup forgets it.
rico_status rico_impact_law_set_order(rico_impact_law *law, int64_t count, const int64_t *contacts);

typedef enum rico_impact_stop {
    RICO_IMPACT_DONE,      // the law's answer
    RICO_IMPACT_SWEPT,     // binary: the sweeps asked for are done, contacts may still close
    RICO_IMPACT_INFINITE,  // binary: the sequence of collisions is infinite, two contacts and z >= 1 prove it
    RICO_IMPACT_DECAYED,   // binary: approach velocities sank to round-off; infinite, or too long to follow
    RICO_IMPACT_MAX_COUNT, // the limit of collisions or steps
    RICO_IMPACT_NO_SOLUTION, // newton: no impulses satisfy the law
    RICO_IMPACT_DIVERGED,    // lzb: not a number; the step is far too long
    RICO_IMPACT_STOPPED,     // interrupted
    RICO_IMPACT_STOPS
} rico_impact_stop;

const char *rico_impact_stop_name(rico_impact_stop stop);     // "done", "swept", ...
const char *rico_impact_stop_sentence(rico_impact_stop stop); // the same in words

// What an impact came to. The arrays belong to the law and hold until its next use.
typedef struct rico_impact_result {
    rico_impact_stop stop;
    char note[256];     // more in words, where the stop alone does not say all; may be ""
    int64_t collisions; // compressions begun, over all contacts; of binary, the number of collisions
    int64_t steps;      // of the integration, or pivots of the complementarity problems
    double duration;    // of the impact in the time of lzb; 0 for the others
    double criterion;   // binary: largest z of two neighbouring contacts; 0 for the others
    double energy_before, energy_after; // kinetic; NAN from rico_impact_law_map_contact()

    const double *velocity;               // n: u+; NULL from rico_impact_law_map_contact()
    const double *impulse;                // h: Lambda
    const double *gap_before, *gap_after; // h: gamma-, gamma+
    const double *loss;        // h: work that each contact kept; they add up to energy_before - energy_after
    const double *compression; // h: work done in compression (poisson, binary, lzb), 0 for the others
    const double *potential;   // h: potential energy left (lzb stopped early), 0 otherwise
    const double *tangential;  // h d: impulses of friction; NULL without
    const double *slip_before, *slip_after; // h d: slip velocities; NULL without friction
    const int64_t *impacts; // h: compressions of each contact, more than 1 when impacts repeat
} rico_impact_result;

// The velocity after the impact, u- (n entries) before it. RICO_OK means that the result is valid, its stop says
// whether it is the law's answer.
rico_status rico_impact_law_apply(rico_impact_law *law, const double *velocity, rico_impact_result *result);

// A law in time as it goes: called every `every` steps, and after the last one. NULL removes it.
typedef struct rico_impact_state {
    int64_t step;
    double time;
    const double *potential; // h: E
    const double *approach;  // h: -gamma
    const double *impulse;   // h: P
} rico_impact_state;
typedef void (*rico_impact_observer)(void *user, const rico_impact_state *state);
void rico_impact_law_set_observer(rico_impact_law *law, rico_impact_observer function, void *user,
                                  int64_t every);

// Time unit of a contact of effective mass m that closes with velocity v: (m/K)^(1/(1+eta)) v^((1-eta)/(1+eta)).
double rico_contact_time_unit(double mass, double stiffness, double exponent, double velocity);

// z of two contacts: when they alone collide in turn, the sequence can be infinite iff z >= 1 (Towne and Hadlock for
// three balls; docs/theory/impact-laws.md for any two contacts). INFINITY when both restitutions are 0, 0 when
// G_ij >= 0.
rico_status rico_binary_criterion(const rico_impact *impact, int64_t i, int64_t j, double *z);

// ---- maps of the variational analysis -----------------------------------------------------------------------

// The law as the contact map S: gamma- -> gamma+, for gamma- in the range of W'. rico_impact_law_apply() is the map Z.
rico_status rico_impact_law_map_contact(rico_impact_law *law, const double *gamma,
                                        rico_impact_result *result);

// Projections on the tangent cone T = {u : W'u >= 0} and its polar in the metric of M, and what they are in contact
// velocities: on K = {gamma >= 0} and its polar in the metric of G^-1. One complementarity problem gives all four,
// 0 <= LC _|_ G LC + gamma >= 0. Outputs may be NULL. gamma is in the range of W'.
typedef struct rico_impact_maps rico_impact_maps;
rico_status rico_impact_maps_create(const rico_impact *impact, rico_impact_maps **out);
void rico_impact_maps_destroy(rico_impact_maps *maps);
rico_status rico_impact_project_velocity(rico_impact_maps *maps, const double *u, double *tangent,
                                         double *polar, double *LC);
rico_status rico_impact_project_contact(rico_impact_maps *maps, const double *gamma, double *cone,
                                        double *polar, double *LC);

// Subspaces: F = M^-1 W G^- takes contact to generalized velocities, P_perp = F W' projects on the range of M^-1 W,
// P = I - P_perp on the kernel of W'. G^- is the pseudo-inverse of G.
int64_t rico_impact_rank(const rico_impact_maps *maps);
rico_status rico_impact_lift(rico_impact_maps *maps, const double *gamma, double *u); // F gamma
rico_status rico_impact_split(rico_impact_maps *maps, const double *u, double *kernel,
                              double *range); // P u and P_perp u
void rico_impact_pseudo_inverse(rico_impact_maps *maps, const double *gamma, double *impulse); // G^- gamma
double rico_impact_contact_norm(rico_impact_maps *maps, const double *gamma); // in the metric of G^-

// The impact law H of Moreau and Newton with one restitution e < 1: -Lambda in H(mean), mean = (gamma+ + gamma-)/2, is
// the derivative of the dissipation potential Phi = (1+e)/(1-e) dist(mean, K)^2; an impact dissipates 2 Phi.
rico_status rico_impact_dissipation(rico_impact_maps *maps, double e, const double *mean, double *impulse,
                                    double *potential);

// H of Newton's law with the restitutions of the contacts, all below 1, as different as they are: the
// impulses that go with the mean velocity, by one complementarity problem, 0 <= Lambda _|_ G Lambda + D mean
// >= 0, D = diag(2 (1+e_j)/(1-e_j)).
rico_status rico_impact_newton_law(rico_impact_maps *maps, const double *mean, double *impulse);

// Smallest eigenvalue of G - E G E, E = diag(e): newton's law is monotone while it is not negative.
rico_status rico_impact_newton_margin(const rico_impact *impact, double *margin);

// ---- checks that a user can run on a law and a system -------------------------------------------------------

typedef struct rico_impact_law_trial {
    int64_t samples; // random gamma- in the range of G
    bool admissible; // with gamma- <= 0 alone
    uint64_t seed;
    int cycle;           // points of each cycle of the test for cyclic monotonicity, 2 to 16
    double tol;          // violations below tol times the size of the terms are round-off
    int64_t given_count; // gamma- of the caller, tested beside the random ones
    const double *given; // h entries each, one after the other
} rico_impact_law_trial;
rico_impact_law_trial rico_impact_law_trial_default(
    void); // 200 samples, admissible, seed 1, cycles of 3, tol 1e-10

// Each finding is a yes or no with the worst value met. Witnesses belong to the law, NULL while a property holds.
typedef struct rico_impact_law_findings {
    int64_t samples, pairs, cycles; // how many of each were tested
    int64_t failures;               // samples without an answer of the law; they are left out
    bool kinematic;                 // gamma+ >= 0
    bool kinetic;                   // Lambda >= 0
    bool energetic;                 // T+ <= T-
    bool monotone;        // and equivalently nonexpansive: |S a - S b| <= |a - b| in the metric of G^-1
    bool cyclic;          // cyclically monotone
    double worst_gap;     // smallest gamma+ over the largest |gamma|
    double worst_impulse; // smallest Lambda over the largest
    double worst_energy;  // largest T+ - T- over T- of the part of the velocity that W sees
    double expansion;     // largest |S a - S b|^2 / |a - b|^2
    double worst_cycle;   // largest sum y0.(x1-x0) + ... + ym.(x0-xm) over impulses times velocities
    const double *kinematic_witness, *kinetic_witness, *energetic_witness; // h: a gamma-
    const double *pair_witness;                                            // 2 h: the pair of the expansion
    const double *cycle_witness;                                           // cycle h
} rico_impact_law_findings;

rico_status rico_impact_law_check(rico_impact_law *law, const rico_impact_law_trial *trial,
                                  rico_impact_law_findings *findings);

// ---- measures of an outcome ---------------------------------------------------------------------------------

// 100 |v - reference| / |reference|, in percent.
double rico_outcome_gap(int64_t count, const double *v, const double *reference);
// How many v_i are good: |v_i - reference_i| < precision |reference|.
int64_t rico_outcome_good(int64_t count, const double *v, const double *reference, double precision);
// Dispersion C_KE: deviation of the energies m_i v_i^2 / 2 over their mean, in [0, sqrt(count - 1)]; 0 at rest.
double rico_outcome_dispersion(int64_t count, const double *mass, const double *v);
// Energy ratio KER = T+ / T-; 1 when nothing moved.
double rico_outcome_energy_ratio(const rico_impact_result *result);
// How many gap velocities are stuck: |gamma_j| < part times the speed.
int64_t rico_outcome_stuck(int64_t count, const double *gamma, double speed, double part);

// ---- chains of balls ----------------------------------------------------------------------------------------

typedef enum rico_chain_wall { RICO_CHAIN_FREE, RICO_CHAIN_WALL } rico_chain_wall;

// Aligned balls that touch: gap j is between balls j and j+1; with a wall, the last gap is between the last ball and
// the wall beyond it. mass has `balls` entries > 0, NULL for all 1.
rico_status rico_chain_create(rico_context *ctx, int64_t balls, const double *mass, rico_chain_wall wall,
                              rico_impact **out);
// Masses m, ratio m, m, ...: a decorated chain.
void rico_chain_decorate(int64_t balls, double ratio, double *mass);
// K_i = K_{i-1} + alpha K_1 for alpha > 0 (K_1 = 1), and K_i = K_{i+1} + |alpha| K_last for alpha < 0 (K_last = 1).
rico_status rico_chain_grade_stiffness(rico_impact *impact, double alpha);
// Hertz's K of two equal spheres: 4/3 E/(2(1-nu^2)) sqrt(r/2).
double rico_hertz_stiffness(double young, double poisson, double radius);

RICO_API_END

#endif
