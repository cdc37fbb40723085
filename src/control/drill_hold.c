// A controller sampled, by the exponential of its matrices.

#include "control/drill_hold.h"

#include "control/drill.h"
#include "control/matrix.h"

#include <math.h>
#include <string.h>

// exp(M) by Taylor's series of M/2^k, |M/2^k| <= 1/2, squared k times: 18 terms leave less than 1e-21.
static rico_mat exponential(rico_pad *pad, rico_mat M)
{
    enum { TERMS = 18 };
    double size = (double)M.rows * rico_mat_largest(M);
    int halvings = size > 0.5 ? (int)ceil(log2(size / 0.5)) : 0;
    M = rico_mat_sum(pad, ldexp(1.0, -halvings), M, 0.0, M);
    rico_mat sum = rico_mat_eye(pad, M.rows), term = sum;
    for (int k = 1; k <= TERMS; k++) {
        term = rico_mat_product(pad, term, M);
        term = rico_mat_sum(pad, 1.0 / k, term, 0.0, term);
        sum = rico_mat_sum(pad, 1.0, sum, 1.0, term);
    }
    for (int k = 0; k < halvings; k++) sum = rico_mat_product(pad, sum, sum);
    return sum;
}


rico_status rico_drill_hold_create(rico_context *ctx, const rico_state_space *controller, double h,
                                   rico_drill_hold *out)
{
    memset(out, 0, sizeof *out);
    if (!controller) return RICO_OK;
    rico_status status = rico_drill_check_controller(ctx, controller);
    if (status != RICO_OK) return status;
    int64_t n = controller->states;
    out->F = rico_alloc(ctx, n * n + 5 * n, sizeof *out->F);
    if (!out->F) return RICO_NO_MEMORY;
    out->states = n;
    out->E = out->F + n * n;
    out->C = out->E + 2 * n;
    out->z = out->C + n;
    out->next = out->z + n;
    memcpy(out->C, controller->c, (size_t)n * sizeof *out->C);
    out->D[0] = controller->d[0], out->D[1] = controller->d[1];
    // exp(h [A B; 0 0]) = [F E; 0 I]
    rico_pad pad = rico_pad_open(ctx);
    rico_mat M = rico_mat_zero(&pad, n + 2, n + 2);
    rico_mat_put(&pad, M, 0, 0, rico_mat_copy(&pad, n, n, controller->a));
    rico_mat_put(&pad, M, 0, n, rico_mat_copy(&pad, n, 2, controller->b));
    rico_mat held = exponential(&pad, rico_mat_sum(&pad, h, M, 0.0, M));
    for (int64_t j = 0; pad.status == RICO_OK && j < n + 2; j++)
        memcpy(out->F + j * n, held.a + j * (n + 2), (size_t)n * sizeof *out->F);
    status = rico_pad_close(&pad);
    if (status != RICO_OK) rico_drill_hold_destroy(ctx, out);
    return status;
}


void rico_drill_hold_destroy(rico_context *ctx, rico_drill_hold *hold)
{
    rico_free(ctx, hold->F);
    memset(hold, 0, sizeof *hold);
}
