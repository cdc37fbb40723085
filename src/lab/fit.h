// Parameters of a scene fitted to measured data: least squares by Levenberg and Marquardt's method with the derivatives of the steps.

#ifndef RICO_LAB_FIT_H
#define RICO_LAB_FIT_H

#include "ricochet/scene.h"

enum { RICO_FIT_PARAMETERS = 16, RICO_FIT_COLUMNS = 16 };

// Measured values: rows of a file of comma-separated values, whose first line names t and positions or velocities of the scene; sigma_x is the
// standard deviation of x. What is empty was not measured.
typedef struct rico_fit_data {
    int64_t rows, columns;
    char name[RICO_FIT_COLUMNS][RICO_SCENE_NAME];
    double *t;     // ascending
    double *value; // column by column; NaN: not measured
    double *sigma; // the same; 1 where it is not given
    bool weighted; // some sigma was given
    int64_t measured;
} rico_fit_data;
rico_status rico_fit_data_read(rico_context *ctx, const char *path, rico_fit_data *out);
void rico_fit_data_release(rico_context *ctx, rico_fit_data *data);

typedef struct rico_fit_options {
    const char *scene; // path
    int64_t override_count;
    const char *const *overrides;
    const char *data;
    const char *fit; // names of parameters, between commas
    int64_t most;    // iterations
    // called after every iteration with what is left of the data; may be NULL
    void (*progress)(void *user, int64_t iteration, double rms);
    void *user;
    char *excerpt; // of a scene that was refused, or NULL
    size_t excerpt_size;
} rico_fit_options;

typedef struct rico_fit {
    int64_t parameters;
    char name[RICO_FIT_PARAMETERS][RICO_SCENE_NAME];
    double begin[RICO_FIT_PARAMETERS], value[RICO_FIT_PARAMETERS], deviation[RICO_FIT_PARAMETERS];
    double correlation[RICO_FIT_PARAMETERS * RICO_FIT_PARAMETERS];
    double rms_begin, rms; // of residuals over their sigma
    bool converged;
    int64_t iterations, runs;
    int64_t one_sided, differences, blows; // steps of the last run, as rico_sensitivity_report has them
    rico_fit_data data;
    int64_t
        curve_rows; // of the motion that fits best: t and the columns of the data at the end of every step
    double *curve_t, *curve;
} rico_fit;

// RICO_OK too where it did not converge: the result says so.
rico_status rico_fit_run(rico_context *ctx, const rico_fit_options *options, rico_fit *out);
void rico_fit_release(rico_context *ctx, rico_fit *fit);

// Data and fit, a panel for each column.
rico_status rico_fit_draw(rico_context *ctx, const rico_fit *fit, const char *path);

#endif
