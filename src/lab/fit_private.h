// A fit from inside: a run of the scene at given values of its parameters, compared with the data.

#ifndef RICO_LAB_FIT_PRIVATE_H
#define RICO_LAB_FIT_PRIVATE_H

#include "lab/fit.h"

// Residuals (model - data)/sigma, one for each measured value in the order of the data's columns, and their derivatives by the parameters, measured x
// parameters, column by column.
typedef struct rico_fit_residual {
    double *r, *J;
    double sum; // of squares
} rico_fit_residual;

// RICO_BAD_INPUT and the like where the scene refuses the values, or a step fails.
rico_status rico_fit_evaluate(rico_context *ctx, const rico_fit_options *options, rico_fit *fit,
                              const double *value, bool curve, rico_fit_residual *out);

#endif
