// Local solvers: exact by cases, Newton's method on the Alart-Curnier or Jean-Moreau map, projections.
//
// Newton's method on one contact converges in a few steps or, as all elements of the generalized Jacobian need not
// be regular, not at all: it may go round in circles. A contact that it cannot bring clearly closer takes one projected
// step from where it stands, so that the next sweep begins elsewhere; the global residual alone decides what that was
// worth.

#include "solve/local_solvers.h"

#include "la/mat3.h"
#include "solve/line_search.h"
#include "solve/vi.h"

#include <math.h>

static void velocity(const rico_one_contact *contact, const double q[3], const double r[3], double u[3])
{
    rico_mat3_times(contact->W, r, u);
    rico_vec3_add(u, q, u);
}


// max(|r|, |rho q|): the size of the terms that cancel in a map.
static double scale_of(const rico_rho *rho, const double q[3], const double r[3])
{
    double pushed[3] = {rho->normal * q[0], rho->tangent * q[1], rho->tangent * q[2]};
    return fmax(rico_vec3_norm(r), rico_vec3_norm(pushed));
}


static void solve_exact(const rico_one_contact *contact, rico_local_tuning *tuning,
                        const rico_local_limits *limits, const double q[3], double r[3])
{
    (void)tuning;
    (void)limits;
    rico_one_contact_solve(contact, q, r);
}


// r <- P_K(r - rho hat(u)). A contact that no motion answers to (W = 0) keeps its impulse: no value of it changes u.
static void project_once(const rico_one_contact *contact, double rho, const double q[3], double r[3])
{
    if (!(contact->norm > 0.0)) return;
    double u[3], hat[3];
    velocity(contact, q, r, u);
    rico_desaxce(contact->mu, u, hat);
    rico_vec3_add_scaled(-rho, hat, r);
    rico_coulomb_project(contact->mu, r);
}


// The smaller of two steps where the rule gives two: one projection has room for one.
static void solve_one_projection(const rico_one_contact *contact, rico_local_tuning *tuning,
                                 const rico_local_limits *limits, const double q[3], double r[3])
{
    (void)limits;
    project_once(contact, fmin(tuning->rho.normal, tuning->rho.tangent), q, r);
}


// The way of a Newton step, for the line search: half the square of the map at r + t d.
typedef struct way {
    const rico_one_contact *contact;
    rico_map_kind map;
    rico_rho rho;
    const double *q;
    double r[3], d[3];
} way;

static double half_square(void *user, double t)
{
    const way *w = user;
    double r[3], u[3], F[3];
    rico_vec3_copy(w->r, r);
    rico_vec3_add_scaled(t, w->d, r);
    velocity(w->contact, w->q, r, u);
    rico_map_evaluate(w->map, w->contact->mu, w->rho.normal, w->rho.tangent, u, r, F, NULL, NULL);
    return 0.5 * rico_vec3_dot(F, F);
}


// Newton's method on F(W r + q, r) = 0 (Algorithm 4), with a line search (Algorithm 5) unless NULL.
static void newton(rico_map_kind map, rico_line_search *search, const rico_one_contact *contact,
                   rico_local_tuning *tuning, const rico_local_limits *limits, const double q[3], double r[3])
{
    way w = {.contact = contact, .map = map, .rho = tuning->rho, .q = q};
    rico_vec3_copy(r, w.r);
    double first = INFINITY, least = INFINITY, best[3] = {r[0], r[1], r[2]};
    bool solved = false;
    for (int k = 0;; k++) {
        double u[3], F[3], du[9], dr[9], J[9];
        velocity(contact, q, w.r, u);
        rico_map_evaluate(map, contact->mu, w.rho.normal, w.rho.tangent, u, w.r, F, du, dr);
        double size = rico_vec3_norm(F), scale = scale_of(&w.rho, q, w.r);
        bool gained = size < 0.5 * least;
        if (k == 0) first = size;
        if (size < least) {
            least = size;
            rico_vec3_copy(w.r, best);
        }
        // done; or as far as rounding in W r + q lets the map go down
        solved = size <= limits->tol * scale || (!gained && least <= 1e-10 * scale);
        if (solved || !(size < INFINITY) || k >= limits->max_iterations) break;

        // dF/dr + dF/du W
        rico_mat3_multiply(du, contact->W, J);
        for (int i = 0; i < 9; i++) J[i] += dr[i];
        if (!rico_mat3_solve(J, F, w.d)) break;
        rico_vec3_scale(-1.0, w.d, w.d);
        double t = 1.0;
        if (search) {
            // along Newton's direction the derivative of |F|^2 / 2 is -|F|^2
            rico_merit merit = {half_square, &w, 0.5 * size * size, -size * size};
            rico_line_search_options options = rico_line_search_defaults();
            t = search(&merit, 1.0, &options).t;
        }
        rico_vec3_add_scaled(t, w.d, w.r);
    }
    if (solved || least <= 0.1 * first)
        rico_vec3_copy(best, r);
    else // with a step below the inverse of the Lipschitz constant of hat(W r + q), whatever the rule
        project_once(contact, 1.0 / ((1.0 + contact->mu) * contact->norm), q, r);
}


static void solve_alart_curnier(const rico_one_contact *contact, rico_local_tuning *tuning,
                                const rico_local_limits *limits, const double q[3], double r[3])
{
    newton(RICO_MAP_ALART_CURNIER, NULL, contact, tuning, limits, q, r);
}


static void solve_jean_moreau(const rico_one_contact *contact, rico_local_tuning *tuning,
                              const rico_local_limits *limits, const double q[3], double r[3])
{
    newton(RICO_MAP_JEAN_MOREAU, NULL, contact, tuning, limits, q, r);
}


static void solve_alart_curnier_gp(const rico_one_contact *contact, rico_local_tuning *tuning,
                                   const rico_local_limits *limits, const double q[3], double r[3])
{
    newton(RICO_MAP_ALART_CURNIER, rico_line_search_goldstein_price, contact, tuning, limits, q, r);
}


static void solve_jean_moreau_gp(const rico_one_contact *contact, rico_local_tuning *tuning,
                                 const rico_local_limits *limits, const double q[3], double r[3])
{
    newton(RICO_MAP_JEAN_MOREAU, rico_line_search_goldstein_price, contact, tuning, limits, q, r);
}


// The contact as a variational inequality.
typedef struct contact_vi {
    const rico_one_contact *contact;
    const double *q;
} contact_vi;

static void vi_map(void *user, const double *r, double *F)
{
    const contact_vi *c = user;
    double u[3];
    velocity(c->contact, c->q, r, u);
    rico_desaxce(c->contact->mu, u, F);
}


static void vi_project(void *user, double *r)
{
    const contact_vi *c = user;
    rico_coulomb_project(c->contact->mu, r);
}


// Fixed point with the adaptive step of eq. 101. A move by dr is the natural map with the present step.
static void solve_adaptive_projection(const rico_one_contact *contact, rico_local_tuning *tuning,
                                      const rico_local_limits *limits, const double q[3], double r[3])
{
    if (!(contact->norm > 0.0)) return; // as above
    contact_vi user = {contact, q};
    rico_vi vi = {.size = 3, .map = vi_map, .project = vi_project, .user = &user};
    rico_vi_options options = rico_vi_default_options();
    options.method = RICO_VI_FIXED_POINT;
    options.rho = tuning->step;

    double z[3] = {r[0], r[1], r[2]}, F[3], bar[3], F_bar[3];
    rico_vi_state state = {.z = z, .F = F, .bar = bar, .F_bar = F_bar};
    rico_vi_begin(&state, &options);
    for (int k = 0; k < limits->max_iterations; k++) {
        rico_rho step = {state.rho, state.rho};
        double bound = limits->tol * scale_of(&step, q, state.z);
        if (rico_vi_step(&vi, &options, &state) <= bound * bound) break;
    }
    rico_vec3_copy(state.z, r);
    // an open contact, which does not move, lengthens the step each time: it must not run away
    double standard = tuning->rho.normal;
    tuning->step = fmin(fmax(state.rho, 1e-3 * standard), 1e3 * standard);
}


static const rico_local_solver table[RICO_LOCAL_KINDS] = {
    [RICO_LOCAL_EXACT] = {"exact", "by cases: open, sticking, sliding", solve_exact, RICO_RHO_ONE, false},
    [RICO_LOCAL_ALART_CURNIER] = {"ac", "Newton's method on the Alart-Curnier map", solve_alart_curnier,
                                  RICO_RHO_SPLIT, true},
    [RICO_LOCAL_JEAN_MOREAU] = {"jm", "Newton's method on the Jean-Moreau map", solve_jean_moreau,
                                RICO_RHO_SPLIT, true},
    [RICO_LOCAL_ALART_CURNIER_GP] = {"ac-gp",
                                     "Newton on Alart-Curnier with Goldstein and Price's line search",
                                     solve_alart_curnier_gp, RICO_RHO_SPLIT, true},
    [RICO_LOCAL_JEAN_MOREAU_GP] = {"jm-gp", "Newton on Jean-Moreau with Goldstein and Price's line search",
                                   solve_jean_moreau_gp, RICO_RHO_SPLIT, true},
    [RICO_LOCAL_ONE_PROJECTION] = {"fp-ds-one", "one projection onto the cone", solve_one_projection,
                                   RICO_RHO_SPECTRAL, true},
    [RICO_LOCAL_PROJECTIONS] = {"fp-vi-upk", "projections onto the cone with an adaptive step",
                                solve_adaptive_projection, RICO_RHO_SPECTRAL, true},
};


const rico_local_solver *rico_local_solver_at(rico_local_kind kind)
{
    return kind < RICO_LOCAL_KINDS ? &table[kind] : NULL;
}
