// Torsional drill-strings: discs that twist against each other, dry friction along the hole and at the bit, and the drive that
// turns them (docs/theory/drilling.md).
//
// Angles are in rad, speeds in rad/s, torques in Nm. The bit is the first disc, the top drive the last. Matrices are dense, column by
// column. Friction torques resist: a disc that turns forwards feels -T.

#ifndef RICOCHET_DRILL_H
#define RICOCHET_DRILL_H

#include "ricochet/drill_robust.h"

RICO_API_BEGIN

// ---- strings ------------------------------------------------------------------------------------------------

// Stiffness and damping between two discs, neighbours or not.
typedef struct rico_drill_link {
    int64_t a, b;
    double stiffness, damping; // Nm/rad, Nms/rad
} rico_drill_link;

// Torque of rock on bit: phi(w) = Sign(w) (dynamic + (still - dynamic) exp(-decay |w|)).
typedef struct rico_drill_bit {
    double still, dynamic; // T_s and T_d
    double decay;          // v_d = 30/(pi N_d), s/rad
} rico_drill_bit;

// v_d of a speed N_d in revolutions per minute.
double rico_drill_decay(double rpm);

// phi, phi' and, of the loop transformation, phi(q + speed) - phi(speed) + delta q with delta = -phi'(speed). At w = 0 the friction is a
// set; its middle, 0, is given.
double rico_drill_friction(const rico_drill_bit *bit, double w);
double rico_drill_friction_slope(const rico_drill_bit *bit, double w);
double rico_drill_friction_shifted(const rico_drill_bit *bit, double speed, double q);

// The speed above 0 at which -phi' is delta.
double rico_drill_speed_of_delta(const rico_drill_bit *bit, double delta);

// The speed of the bit after a step: x >= 0 with x + ratio (base + drop exp(-decay x)) = a for a beyond ratio (base + drop), 0 up to there;
// odd in a. NAN where ratio decay drop >= 1, where x would not be unique.
double rico_drill_resolvent(double a, double ratio, double base, double drop, double decay);

typedef struct rico_drill_string {
    int64_t discs, links;
    const double *inertia; // of each disc
    const rico_drill_link *link;
    const double
        *wall; // T_w: dry friction of each disc along the hole; that of the first, the bit, is not read
    rico_drill_bit bit;
} rico_drill_string;

// Four discs, tables 1 and 2 of the chapter: the set-up in the laboratory, a string of 6249 m scaled by c1 = 6250 and c2 = 10.
const rico_drill_string *rico_drill_table(void);

// A string of its own: the same, or scaled, with angles over c2 and equations over c1. Time is not scaled. c1 = c2 = 1 copies.
rico_status rico_drill_scaled(rico_context *ctx, const rico_drill_string *string, double c1, double c2,
                              rico_drill_string **out);
void rico_drill_destroy(rico_context *ctx, rico_drill_string *string);

// ---- linear models ------------------------------------------------------------------------------------------

// M z'' + D z' + K z = bit T_bit + top T_td of n unknowns z, with torques that drive; node angles are shape z.
typedef struct rico_drill_linear {
    int64_t n, nodes;
    double *M, *D, *K;         // n x n
    double *shape;             // nodes x n, the identity unless reduced
    double *bit, *top;         // n each: rows of shape for the first and the last node
    double total, top_inertia; // inertia of all that turns, and of the top drive
} rico_drill_linear;

void rico_drill_linear_destroy(rico_context *ctx, rico_drill_linear *linear);

// The graph Laplacians of a string's links, and its inertias.
rico_status rico_drill_matrices(rico_context *ctx, const rico_drill_string *string, rico_drill_linear **out);

// A piece of pipe: `elements` equal ones with consistent masses.
typedef struct rico_drill_pipe {
    int64_t elements;
    double length, outer, inner; // m; diameters
    double shear, density;       // Pa, kg/m^3
} rico_drill_pipe;

// Finite elements of pipes from the bit upwards, and a top drive that is an inertia alone. D = damping K.
rico_status rico_drill_pipes(rico_context *ctx, int64_t pipes, const rico_drill_pipe *pipe,
                             double top_inertia, double damping, rico_drill_linear **out);

// Mode displacement: the `modes` lowest eigenvectors of K v = w^2 M v, M-orthonormal, are the new unknowns.
rico_status rico_drill_reduce(rico_context *ctx, const rico_drill_linear *linear, int64_t modes,
                              rico_drill_linear **out);

// The n undamped eigenfrequencies in Hz, ascending.
rico_status rico_drill_frequencies(rico_context *ctx, const rico_drill_linear *linear, double *hertz);

// Inputs T_bit and T_td, outputs w_bit and w_td; states z and z'.
rico_status rico_drill_system(rico_context *ctx, const rico_drill_linear *linear, rico_state_space **out);

// ---- identification -----------------------------------------------------------------------------------------

// The twelve unknowns, in this order: stiffnesses and then dampings of the pairs 12, 23, 34, 13, 14, 24.
enum { RICO_DRILL_UNKNOWNS = 12 };

typedef struct rico_drill_fit {
    double low[RICO_DRILL_UNKNOWNS], high[RICO_DRILL_UNKNOWNS]; // the box, from 0 on
    double value[RICO_DRILL_UNKNOWNS];                          // start and result
    double inertia[4];                                          // result
    double cost, first_cost;                                    // J(p) at the end and at the start
    int64_t iterations;
} rico_drill_fit;

// Four discs whose response from the torque of the top drive to the speed of the bit is nearest to that of `target` on `count` frequencies,
// equal steps of the logarithm from 0.05 to 6 Hz, in the weighted squares of (14). Inertias come from its total, its top drive and its
// asymptote at the bit. Levenberg and Marquardt's method, projected to the box: a local minimum.
rico_status rico_drill_identify(rico_context *ctx, const rico_drill_linear *target, int64_t count,
                                rico_drill_fit *fit);

// The string of a fit, with the friction of another of four discs.
rico_status rico_drill_fitted(rico_context *ctx, const rico_drill_fit *fit, const rico_drill_string *friction,
                              rico_drill_string **out);

// ---- steady rotation, Lur'e form, controllers -----------------------------------------------------------------

typedef struct rico_drill_steady {
    double bit;   // phi(speed)
    double drive; // u_c, the torque of the top drive
    double delta; // -phi'(speed)
    double pipe;  // T_pipe, torque below the top drive
} rico_drill_steady;

// Steady rotation at a speed above 0. x, its state in Lur'e form, has 2 discs - 1 entries, or is NULL.
rico_status rico_drill_equilibrium(rico_context *ctx, const rico_drill_string *string, double speed,
                                   rico_drill_steady *out, double *x);

// x' = (A + delta G H) x + G v + B u + G2 v2 of the states th1-th2, w1, w2, th2-th3, w3, th3-th4, w4 and so on. Inputs v, the torque on the
// bit, u of the top drive and v2 on the discs 2, 3, ...; outputs q = w1, w_td and T_pipe. delta = 0 is the string itself, delta of a steady
// rotation its loop transformation (19). T_pipe is what stiffnesses carry to the top drive, and the damping of its link to the
// disc below.
rico_status rico_drill_lure(rico_context *ctx, const rico_drill_string *string, double delta,
                            rico_state_space **out);

// The same matrices for a synthesis (drill_robust.h).
rico_status rico_drill_plant_create(rico_context *ctx, const rico_drill_string *string, double delta,
                                    rico_drill_plant **out);
void rico_drill_plant_destroy(rico_context *ctx, rico_drill_plant *plant);

// What a torque sensor between the discs `below` and below + 1 tells of the states, 2 discs - 1 numbers: the torque of their link. Discs count from
// the bit, 0.
rico_status rico_drill_link_torque(rico_context *ctx, const rico_drill_string *string, int64_t below,
                                   double *row);

// A controller is a system from e = (w_ref - w_td, T_ref - T_pipe) to u - u_c, T_ref being T_pipe of the steady rotation.
// SoftTorque: (c_t + k_t/s)(w_ref - w_td).
rico_status rico_drill_soft_torque(rico_context *ctx, double c_t, double k_t, rico_state_space **out);

// State feedback from an observer of the states, both the best for a linear string with white noise about a steady rotation.
typedef struct rico_drill_observer {
    double bit, effort;                          // of the cost (bit q)^2 + (effort u)^2
    double bit_noise, speed_noise, torque_noise; // deviations of the torque on the bit and of the sensors
} rico_drill_observer;

rico_status rico_drill_observer_create(rico_context *ctx, const rico_drill_string *string, double delta,
                                       const rico_drill_observer *observer, rico_state_space **out);

// Mobility of the bit, v -> q, with a controller (NULL: none).
rico_status rico_drill_mobility(rico_context *ctx, const rico_drill_string *string, double delta,
                                const rico_state_space *controller, rico_state_space **out);

// The largest gain of a system with one input and one output between two frequencies.
rico_status rico_drill_peak(const rico_state_space *system, double low_hertz, double high_hertz,
                            double *hertz, double *size);

// The delta between 0 and `most` at which the closed loop stops being stable, and with it the slowest speed that is.
rico_status rico_drill_critical_delta(rico_context *ctx, const rico_drill_string *string,
                                      const rico_state_space *controller, double most, double *delta);

// ---- motions ------------------------------------------------------------------------------------------------

// What is asked for over time, linear between points and constant outside. The friction of the bit is initial + alpha (that of the string
// - initial); u_c and T_ref are `feed` times those of steady rotation at the speed asked for.
enum { RICO_DRILL_POINTS = 8 };
typedef struct rico_drill_schedule {
    int64_t points;
    double time[RICO_DRILL_POINTS], speed[RICO_DRILL_POINTS], alpha[RICO_DRILL_POINTS],
        feed[RICO_DRILL_POINTS];
    double initial; // T_ini
} rico_drill_schedule;

// (35-36): up to `first` in 30 s, from 110 s to 170 s up to `last` while the friction of the bit comes.
rico_drill_schedule rico_drill_startup(double first, double last, double initial);
rico_drill_schedule rico_drill_constant(double speed);

typedef struct rico_drill_asked {
    double speed, alpha, feed;
} rico_drill_asked;
rico_drill_asked rico_drill_schedule_at(const rico_drill_schedule *schedule, double t);

// What the controller is told: deviations of normal noise on speed and torque, counts per turn of the encoder of the top drive (0: exact
// speeds), whose speed is its difference over a sample, and steps per sample.
typedef struct rico_drill_sensors {
    double speed_noise, torque_noise;
    double counts;
    int64_t every; // 0 counts as 1
    uint64_t seed;
} rico_drill_sensors;

typedef struct rico_drill_run rico_drill_run;

// A motion from rest at t = 0; controller (none) and sensors (exact ones) may be NULL. Refuses a step for which the friction of the bit
// leaves its speed after a step undetermined, step v_d (T_s - T_d)/J_1 >= 1. Each step costs a visit of every disc and link.
rico_status rico_drill_run_create(rico_context *ctx, const rico_drill_string *string,
                                  const rico_state_space *controller, const rico_drill_schedule *schedule,
                                  const rico_drill_sensors *sensors, double step, rico_drill_run **out);
void rico_drill_run_destroy(rico_drill_run *run);

// Steady rotation at the speed that the schedule asks for now, the bit's own times `factor`.
rico_status rico_drill_run_steady(rico_drill_run *run, double factor);

// Another schedule, or controller, from now on; times are those of the run, the controller begins at rest.
rico_status rico_drill_run_follow(rico_drill_run *run, const rico_drill_schedule *schedule);
rico_status rico_drill_run_control(rico_drill_run *run, const rico_state_space *controller);

rico_status rico_drill_run_advance(rico_drill_run *run, int64_t steps);

double rico_drill_run_time(const rico_drill_run *run);
double rico_drill_run_torque(const rico_drill_run *run);        // of the top drive, in the last step
const double *rico_drill_run_angles(const rico_drill_run *run); // of the discs
const double *rico_drill_run_speeds(const rico_drill_run *run);

// A time during which the bit stuck or slipped, and the angles of bit and top drive when it began.
typedef struct rico_drill_interval {
    double start, end; // end: NAN while it lasts
    bool sticks;
    double bit, top;
} rico_drill_interval;

const rico_drill_interval *rico_drill_run_intervals(const rico_drill_run *run, int64_t *count);

// Extremes of the speeds of bit and top drive and mean torques since the last call of _watch(). That of the bit resists.
typedef struct rico_drill_range {
    double bit_low, bit_high, top_low, top_high;
    double bit_torque, drive_torque;
} rico_drill_range;

void rico_drill_run_watch(rico_drill_run *run);
rico_drill_range rico_drill_run_range(const rico_drill_run *run);

// A recurrent pattern of slips at the end of a motion, from the slip after the longest stick on.
enum { RICO_DRILL_SLIPS = 4 };
typedef struct rico_drill_cycle {
    int64_t slips; // in a period; 0: none found
    double period, slip[RICO_DRILL_SLIPS], stick[RICO_DRILL_SLIPS];
    double bit_mean, top_mean; // speeds
} rico_drill_cycle;

// The shortest pattern that the last intervals repeat, every duration within `tol`.
rico_drill_cycle rico_drill_run_cycle(const rico_drill_run *run, double tol);

// Speeds asked for one after another, from steady rotation at the first (the bit's speed times `factor`): each is approached in a quarter
// of `settle`, waited for during the rest, and watched for `watch`. A cycle is one whose durations repeat within `tolerance`.
typedef struct rico_drill_sweep {
    double factor, settle, watch, step, tolerance;
} rico_drill_sweep;

// A range for each speed and, unless `cycle` is NULL, the cycle at its end.
rico_status rico_drill_diagram(rico_context *ctx, const rico_drill_string *string,
                               const rico_state_space *controller, const rico_drill_sweep *sweep,
                               int64_t count, const double *speed, rico_drill_range *range,
                               rico_drill_cycle *cycle);

RICO_API_END

#endif
