// One damped mode: what a velocity, impulses in every period, and a harmonic force do to it.

#include "orbit/forced.h"

#include <math.h>

rico_damped rico_damped_mode(const rico_modes *modes, const rico_forced *drive, int64_t j)
{
    double omega = modes->omega[j];
    return (rico_damped){omega, 0.5 * (drive->mass_damping + drive->stiffness_damping * omega * omega)};
}


// Roots -delta +- i nu, or -delta +- beta: S = exp(-delta t) sin(nu t)/nu, or with sinh and beta, which two decaying exponentials keep from overflow.
rico_decay rico_damped_decay(rico_damped mode, double time)
{
    double square = (mode.omega - mode.delta) * (mode.omega + mode.delta), root = sqrt(fabs(square));
    if (root * time < 1e-6 || root < 1e-9 * mode.omega) { // critical: S = t exp(-delta t) (1 - square t^2/6)
        double falls = exp(-mode.delta * time), bent = square * time * time;
        double value = time * falls * (1.0 - bent / 6.0);
        return (rico_decay){value, falls * (1.0 - 0.5 * bent) - mode.delta * value};
    }
    if (square > 0.0) {
        double falls = exp(-mode.delta * time), value = falls * sin(root * time) / root;
        return (rico_decay){value, falls * cos(root * time) - mode.delta * value};
    }
    double slow = -mode.omega * mode.omega / (mode.delta + root), fast = -mode.delta - root; // the roots
    double a = exp(slow * time), b = exp(fast * time);
    return (rico_decay){(a - b) / (2.0 * root), (slow * a - fast * b) / (2.0 * root)};
}


void rico_damped_flow(rico_damped mode, double time, double *z, double *v)
{
    rico_decay s = rico_damped_decay(mode, time);
    double kept = *z;
    *z = (s.rate + 2.0 * mode.delta * s.value) * kept + s.value * *v;
    *v = s.rate * *v - mode.omega * mode.omega * s.value * kept;
}


void rico_damped_after(rico_damped mode, double T, double *z, double *v)
{
    rico_decay s = rico_damped_decay(mode, T);
    double still = 1.0 - s.rate - 2.0 * mode.delta * s.value; // 1 - C(T)
    double det = still * (1.0 - s.rate) + mode.omega * mode.omega * s.value * s.value;
    *z = s.value / det;
    *v = still / det;
}


bool rico_damped_steady(rico_damped mode, double f, double rate, rico_steady *out)
{
    double spring = (mode.omega - rate) * (mode.omega + rate), dash = 2.0 * mode.delta * rate;
    double size = spring * spring + dash * dash;
    *out = (rico_steady){0.0, 0.0};
    if (f == 0.0) return true;
    if (sqrt(size) < 1e-13 * mode.omega * mode.omega) return false;
    *out = (rico_steady){f * spring / size, f * dash / size};
    return true;
}


rico_status rico_forced_check(const rico_modes *modes, const rico_forced *drive)
{
    rico_context *ctx = modes->ctx;
    if (!(drive->period > 0.0 && isfinite(drive->period)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the period of a force must be positive, got %g",
                         drive->period);
    if (!(drive->mass_damping >= 0.0 && isfinite(drive->mass_damping)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "damping by mass must not be negative, got %g",
                         drive->mass_damping);
    if (!(drive->stiffness_damping >= 0.0 && isfinite(drive->stiffness_damping)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "damping by stiffness must not be negative, got %g",
                         drive->stiffness_damping);
    if (!(drive->restitution >= 0.0 && drive->restitution <= 1.0))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "restitution must lie between 0 and 1, got %g",
                         drive->restitution);
    for (int64_t j = 0; drive->force && j < modes->n; j++) {
        rico_steady steady;
        if (!isfinite(drive->force[j]))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "the force on mode %lld is %g", (long long)j + 1,
                             drive->force[j]);
        if (!rico_damped_steady(rico_damped_mode(modes, drive, j), drive->force[j],
                                2.0 * acos(-1.0) / drive->period, &steady))
            return rico_fail(ctx, RICO_SINGULAR, "the period %g is that of mode %lld, which has no damping",
                             drive->period, (long long)j + 1);
    }
    return RICO_OK;
}
