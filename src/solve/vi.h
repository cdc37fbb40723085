// Projection methods for variational inequalities: find z in X with F(z)'(y - z) >= 0 for all y in X.
//
// With zbar = P_X(z - rho F(z)), the prediction,
//
//     fixed point             z <- zbar
//     extragradient           z <- P_X(z - rho F(zbar))
//     prediction-correction   z <- P_X(z - gamma alpha rho F(zbar)),   alpha = (z - zbar)'R d / d'R d,
//                             d = z - zbar - rho R^-1 (F(z) - F(zbar))            (He and Liao 2002)
//
// with a fixed or a self-adaptive step (Acary et al. 2018, Algorithms 1-3; Khobotov 1987; Solodov and Tseng 1996). R is
// the identity, or a metric: then rho F stands for rho R^-1 F, and P_X for the projection in that metric (eq. 55-57). The
// engine knows neither friction nor matrices: whoever uses it brings F, P_X and R. Where X depends on z, a
// quasi-variational inequality, `settle` fixes it for a step (eq. 42).

#ifndef RICO_SOLVE_VI_H
#define RICO_SOLVE_VI_H

#include "base/context.h"

typedef struct rico_vi {
    int64_t size;
    void (*map)(void *user, const double *z, double *F);
    void (*project)(void *user, double *z);                // P_X, in place
    void (*settle)(void *user, const double *z);           // a step from z begins; NULL where X stands still
    void (*raise)(void *user, const double *F, double *x); // x = R^-1 F; NULL for the identity
    void (*lower)(void *user, const double *x, double *F); // F = R x
    void *user;
} rico_vi;

typedef enum rico_vi_rule {
    RICO_VI_FIXED, // rho as given
    RICO_VI_UPK,   // ratio of norms (eq. 101)
    RICO_VI_UPTS   // ratio of the inner product (eq. 102)
} rico_vi_rule;

typedef enum rico_vi_method { RICO_VI_FIXED_POINT, RICO_VI_EXTRAGRADIENT, RICO_VI_CORRECTION } rico_vi_method;

typedef struct rico_vi_options {
    rico_vi_method method;
    rico_vi_rule rule;
    double rho;    // fixed or first step
    double safety; // L: steps with a larger ratio are shortened
    double growth; // L_min: steps with a smaller ratio are lengthened
    double factor; // nu: by this much, 0 < nu < 1
    bool by_ratio; // shortens by nu min(1, 1/ratio) instead (Han and Lo 2002)
    double gamma;  // of the correction, 0 < gamma < 2
} rico_vi_options;

rico_vi_options rico_vi_default_options(void);

// The iterate and its work space.
typedef struct rico_vi_state {
    rico_context *ctx;
    double *z, *F;       // iterate and F(z)
    double *bar, *F_bar; // prediction
    double *d, *Rd;      // with a metric, or for corrections: a direction and R times it
    double rho;
    bool has_map; // F is that of z
} rico_vi_state;

rico_status rico_vi_state_create(rico_context *ctx, int64_t size, rico_vi_state *out);
void rico_vi_state_destroy(rico_vi_state *state);

// Begins at z (already in state->z), with the step of the options.
void rico_vi_begin(rico_vi_state *state, const rico_vi_options *options);

// One iteration. Returns |z_new - z|^2.
double rico_vi_step(const rico_vi *vi, const rico_vi_options *options, rico_vi_state *state);

#endif
