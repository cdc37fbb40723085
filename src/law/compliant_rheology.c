// What compliant contacts are made of: forces, energies, and how a surface recovers once it is free.
//
// Kelvin and Voigt: spring and damper side by side. Tsuji et al. 1992, Kuwabara and Kono 1987, Hunt and
// Crossley 1975 let the damper grow with the overlap, as delta^((eta-1)/2), delta^(eta-1) and delta^eta.
// Maxwell: in series. Zener: a spring beside those two.

#include "law/compliant.h"

#include <math.h>

static double constant(double eta)
{
    (void)eta;
    return 0.0;
}


static double half(double eta)
{
    return 0.5 * (eta - 1.0);
}


static double one_less(double eta)
{
    return eta - 1.0;
}


static double same(double eta)
{
    return eta;
}


static const double ANY = 1e-300, MANY = 1e6; // exponents; dampings in units of the contact

const rico_rheology rico_rheology_elastic = {.least_exponent = ANY};
const rico_rheology rico_rheology_linear = {.exponent = 1.0, .least_exponent = ANY};
const rico_rheology rico_rheology_hertz = {.exponent = 1.5, .least_exponent = ANY};
const rico_rheology rico_rheology_kelvin_voigt = {
    .exponent = 1.0, .power = constant, .least_exponent = ANY, .most_damping = MANY};
const rico_rheology rico_rheology_tsuji = {.power = half, .least_exponent = 1.0, .most_damping = MANY};
const rico_rheology rico_rheology_kuwabara_kono = {
    .power = one_less, .least_exponent = 1.0, .most_damping = MANY};
const rico_rheology rico_rheology_hunt_crossley = {
    .power = same, .least_exponent = ANY, .most_damping = MANY};
const rico_rheology rico_rheology_maxwell = {
    .exponent = 1.0, .series = true, .least_exponent = ANY, .most_damping = 2.0};
const rico_rheology rico_rheology_zener = {
    .exponent = 1.0, .series = true, .share = 0.1, .least_exponent = ANY, .most_damping = 100.0};


const rico_rheology rico_rheology_plastic = {
    .yields = true, .series = true, .share = 0.1, .least_exponent = ANY, .most_damping = MANY};


// x^p with the sign of x, so that a force goes through zero as its overlap does.
static double signed_power(double x, double p)
{
    double size = fabs(x);
    if (p == 1.5)
        size *= sqrt(size);
    else if (p != 1.0)
        size = pow(size, p);
    return x < 0.0 ? -size : size;
}


double rico_bond_force(const rico_bond *bond, double delta, double s, double rate)
{
    double force = bond->K > 0.0 ? bond->K * signed_power(delta, bond->eta) : 0.0;
    if (bond->branch > 0.0) force += bond->branch * signed_power(s, bond->eta);
    if (bond->C > 0.0)
        force += bond->C * (bond->power == 0.0 ? 1.0 : pow(fmax(delta, 0.0), bond->power)) * rate;
    return force;
}


// A slider yields from the stretch `yield` on, which rises with what it gave, delta - s: of further approach
// the spring takes `share`, so that its force, for eta = 1, grows with share times its stiffness.
double rico_bond_stretch_rate(const rico_bond *bond, double delta, double s, double rate)
{
    if (!(bond->branch > 0.0)) return 0.0;
    if (!(bond->yield > 0.0)) return rate - bond->flow * s;
    double limit = bond->yield + bond->share / (1.0 - bond->share) * (delta - s);
    return rate > 0.0 && s >= limit * (1.0 - 1e-12) ? bond->share * rate : rate;
}


double rico_bond_stored(const rico_bond *bond, double delta, double s)
{
    double spring =
        bond->K > 0.0 && delta > 0.0 ? bond->K * pow(delta, 1.0 + bond->eta) / (1.0 + bond->eta) : 0.0;
    double branch =
        s > 0.0 || bond->eta == 1.0 ? bond->branch * pow(fabs(s), 1.0 + bond->eta) / (1.0 + bond->eta) : 0.0;
    return spring + branch;
}


// F = 0 side by side: C x^power x' = -K x^eta. With a branch: K x + branch s = 0 and s' = x' - flow s.
double rico_bond_recover(const rico_bond *bond, double x, double t)
{
    if (!(x > 0.0)) return x;
    if (bond->branch > 0.0) return x * exp(-t * bond->flow * bond->K / (bond->K + bond->branch));
    if (!(bond->C > 0.0)) return 0.0;
    double q = bond->eta - bond->power, speed = bond->K / bond->C;
    if (fabs(q - 1.0) < 1e-12) return x * exp(-speed * t);
    double left = pow(x, 1.0 - q) - (1.0 - q) * speed * t;
    return left > 0.0 ? pow(left, 1.0 / (1.0 - q)) : 0.0;
}


// Maxwell's damper keeps what it gave; any other surface comes back.
double rico_bond_rest(const rico_bond *bond, double x)
{
    return bond->branch > 0.0 && !(bond->K > 0.0) ? x : 0.0;
}


double rico_bond_free_stretch(const rico_bond *bond, double x)
{
    return bond->branch > 0.0 ? -bond->K * x / bond->branch : 0.0;
}
