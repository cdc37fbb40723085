// The robust controller of a drill-string: plant and weights of a synthesis, and the controller that is built from its result
// (docs/theory/control.md).
//
// About a steady rotation at which the friction of the bit falls with the slope -delta, x' = (A + delta G H) x + G v + B (u + d) and
// q = H x, y = C x + n: speed of the top drive, torque of the string. The controller sees e = -y. Frequencies are in Hz.

#ifndef RICOCHET_DRILL_ROBUST_H
#define RICOCHET_DRILL_ROBUST_H

#include "ricochet/control.h"

RICO_API_BEGIN

// Matrices column by column: A of states x states, G and B of states, H of states, C of 2 x states.
typedef struct rico_drill_plant {
    int64_t states;
    const double *A, *G, *B, *H, *C;
    double delta;
} rico_drill_plant;

// Table 3 of the chapter:
//   V1 = v1 (s^2/(2 pi f1)^2 + 2 b1 s/(2 pi f1) + 1)/(s^2/(2 pi f2)^2 + 2 b2 s/(2 pi f2) + 1) on v, W1 = w1 on q,
//   V2 = diag(v21, v22) on n, V3 = v3/(|g| wsc1) on d, g the response of speed to torque of the top drive at 0.6 Hz,
//   W_I = P_I (s + 2 pi f_I)/s and w22 on e, behind diag(wsc1, wsc2),
//   w3 wsc1 |g| / W_R on u, W_R = (2 pi f_R)^2/(s^2 + 4 pi beta f_R s + (2 pi f_R)^2).
typedef struct rico_drill_weights {
    double wsc1, wsc2;
    double v1, f1, f2, b1, b2;
    double w1;
    double v21, v22, v3;
    double P_I, f_I, w22;
    double w3, f_R, beta;
} rico_drill_weights;

rico_drill_weights rico_drill_low_gain(void);
rico_drill_weights rico_drill_high_gain(void);

// The plant (31): inputs v, n (2), d, u; outputs q, e (2), u, e (2).
rico_status rico_drill_open_plant(rico_context *ctx, const rico_drill_plant *plant, rico_state_space **out);

// |g| of the plant.
rico_status rico_drill_cross_over(rico_context *ctx, const rico_drill_plant *plant, double *gain);

// The same with weights, and with W_I and W_R inside (43-44): inputs v, n, d, u'; outputs W1 q, the weighted e', u', and e' = (W_I e1, e2)
// as it is, with u = W_R u'. The last two outputs and the last input are the controller's.
rico_status rico_drill_weighted_plant(rico_context *ctx, const rico_drill_plant *plant,
                                      const rico_drill_weights *weights, rico_state_space **out);

// The same with one sensor more, of row x + v22 n3, such as the torque somewhere else in the string (rico_drill_link_torque): inputs v, n (3), d, u';
// outputs W1 q, the weighted e', u', e' and minus what it measures. The last three outputs and the last input are the controller's.
rico_status rico_drill_sensed_plant(rico_context *ctx, const rico_drill_plant *plant,
                                    const rico_drill_weights *weights, const double *row,
                                    rico_state_space **out);

// K_I = W_R K diag(W_I, 1) from e to u, for a controller K of the weighted plant.
rico_status rico_drill_controller(const rico_state_space *k, const rico_drill_weights *weights,
                                  rico_state_space **out);

// G_cl from v to q with a controller u = K_I e.
rico_status rico_drill_closed(rico_context *ctx, const rico_drill_plant *plant, const rico_state_space *k_i,
                              rico_state_space **out);

RICO_API_END

#endif
