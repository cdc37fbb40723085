// Compliant contacts: indentations, springs and dampers integrated in time through an impact.
//
// Contact j has the overlap delta_j, whose rate is the approach velocity -gamma_j, and a massless surface at
// the depth x_j. While the surfaces press, x = delta and the contact gives a force F(delta, rate, s) >= 0, s
// being the stretch of a spring in series with a damper where there is one. When F sinks to 0 they part: F =
// 0 then tells how the surface recovers, in closed form, and they press again when delta catches up with x. M
// and W stay what they are, as for every law of impact:
//
//     delta' = -gamma,    gamma = gamma- + G P,    P' = F
//
// This is the third class of models of Nguyen and Brogliato 2018, section 1: docs/theory/compliant.md.

#ifndef RICO_LAW_COMPLIANT_H
#define RICO_LAW_COMPLIANT_H

#include "law/impact_law.h"

// What one contact is made of. Spring and damper side by side: F = K delta^eta + C delta^power delta'.
// Series: a linear spring K beside (Maxwell: without) one of stiffness `branch` whose damper gives way at the
// rate flow * s.
typedef struct rico_bond {
    double K, eta;
    double C, power;
    double branch, flow;
    double yield, share; // plastic: stretch at which it yields, 0: never; what it takes of approach then
} rico_bond;

// A kind of contact: a row of the table in compliant_rheology.c.
typedef struct rico_rheology {
    double exponent;                     // of its spring, 0: the contact's own
    double (*power)(double eta);         // of delta at the damper; NULL: no damper beside the spring
    bool yields;                         // the branch has a slider instead of a damper
    bool series;                         // the damper has a spring in series
    double share;                        // of the stiffness that is beside that branch, unless told otherwise
    double least_exponent, most_damping; // what it takes
} rico_rheology;

extern const rico_rheology rico_rheology_elastic, rico_rheology_linear, rico_rheology_hertz;
extern const rico_rheology rico_rheology_kelvin_voigt, rico_rheology_tsuji, rico_rheology_kuwabara_kono;
extern const rico_rheology rico_rheology_hunt_crossley, rico_rheology_maxwell, rico_rheology_zener,
    rico_rheology_plastic;

// The force while the surfaces press; negative where they would have to pull.
double rico_bond_force(const rico_bond *bond, double delta, double s, double rate);
// How fast the spring of the branch is stretched.
double rico_bond_stretch_rate(const rico_bond *bond, double delta, double s, double rate);
// Energy in the springs.
double rico_bond_stored(const rico_bond *bond, double delta, double s);
// Depth of a free surface a time t after it was at x, and where it comes to rest.
double rico_bond_recover(const rico_bond *bond, double x, double t);
double rico_bond_rest(const rico_bond *bond, double x);
// Stretch of the series spring of a free surface at depth x.
double rico_bond_free_stretch(const rico_bond *bond, double x);

typedef enum rico_press { RICO_OUT, RICO_PRESSED, RICO_APART } rico_press;

// The integration: Dormand and Prince's pair of orders 5 and 4, stopped wherever a contact parts or presses
// again.
enum { RICO_COMPLIANT_STAGES = 7, RICO_COMPLIANT_FIELDS = 5 };

typedef struct rico_compliant {
    int64_t size;
    const rico_csc *G;
    rico_bond *bond;                           // size
    double *length, *impulse, *energy, *force; // size: units, for tolerances
    double *before;                            // size: approach velocities when the impact begins
    double *rate;                              // size: now
    unsigned char *press;                      // rico_press
    double *left, *left_at;                    // size: depth and time at which a surface was left
    bool pull;                                 // dampers may pull until the overlap is gone

    // fields of size entries each: overlap, stretch, impulse, work, work of compression
    double *y, *trial, *work, *stage[RICO_COMPLIANT_STAGES];
    double time, step, most_step, tol;
    int64_t evaluations;
} rico_compliant;

// Where a field begins in y.
enum { RICO_OVERLAP, RICO_STRETCH, RICO_IMPULSE, RICO_WORK, RICO_COMPRESSION };

// Numbers that an integration of `size` contacts needs, and how they are dealt out. `press` and `bond` are
// the caller's.
int64_t rico_compliant_room(int64_t size);
void rico_compliant_place(rico_compliant *self, int64_t size, double *room);

// From the state y at time: rates and first stage. Before the first step, and after a change of state by
// hand.
void rico_compliant_start(rico_compliant *self);

// One step that the tolerance accepts, cut at the first contact that parts or presses, which then does.
// False: no step is short enough.
bool rico_compliant_advance(rico_compliant *self);

#endif
