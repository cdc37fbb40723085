// The steps rho that turn velocities into impulses in the maps of cone.h, from the diagonal block of a contact.

#ifndef RICO_SOLVE_RHO_H
#define RICO_SOLVE_RHO_H

#include <stdint.h>

// Rules of section 5.4 of Acary et al. 2018, each contact on its own W_aa (symmetric part).
typedef enum rico_rho_rule {
    RICO_RHO_ONE,            // 1
    RICO_RHO_NORM,           // 1/|W_aa|, Frobenius                                              eq. 109
    RICO_RHO_SPECTRAL,       // 1/lambda_max(W_aa)                                               eq. 110
    RICO_RHO_SPLIT,          // 1/W_NN and 1/lambda_max(W_TT)                                    eq. 111
    RICO_RHO_SPLIT_CONDITION // 1/W_NN and lambda_min(W_TT)/lambda_max(W_TT)^2                   eq. 112, mended
} rico_rho_rule;

typedef struct rico_rho {
    double normal, tangent;
} rico_rho;

// W is row-major of order 1, 2 or 3, normal first; for any other order (equalities) all rules but the first give
// 1/|W_aa|. Where a rule would divide by what is not positive, that step is 1.
rico_rho rico_rho_from_block(rico_rho_rule rule, int64_t order, const double *W);

#endif
