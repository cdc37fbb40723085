// Chains of aligned balls, the benchmark of multiple impacts (Nguyen and Brogliato 2018, eq. 1-4).

#include "law/impact.h"

#include <math.h>

rico_status rico_chain_create(rico_context *ctx, int64_t balls, const double *mass, rico_chain_wall wall,
                              rico_impact **out)
{
    if (balls < 1) return rico_fail(ctx, RICO_BAD_ARGUMENT, "a chain of %lld balls", (long long)balls);
    int64_t contacts = wall == RICO_CHAIN_WALL ? balls : balls - 1;
    int64_t *start = rico_alloc(ctx, 2 * (balls + 1), sizeof *start);
    int64_t *row = rico_alloc(ctx, 3 * balls, sizeof *row);
    double *value = rico_alloc(ctx, 3 * balls, sizeof *value);
    rico_status status = start && row && value ? RICO_OK : RICO_NO_MEMORY;

    if (!status) {
        int64_t *W_start = start + balls + 1, *W_row = row + balls;
        double *W_value = value + balls;
        for (int64_t i = 0; i < balls; i++) {
            start[i] = row[i] = i;
            value[i] = mass ? mass[i] : 1.0;
        }
        start[balls] = balls;

        // gap j opens when ball j+1 runs ahead of ball j; the wall is a ball at rest
        int64_t count = 0;
        for (int64_t j = 0; j < contacts; j++) {
            W_start[j] = count;
            W_row[count] = j;
            W_value[count++] = -1.0;
            if (j + 1 == balls) continue;
            W_row[count] = j + 1;
            W_value[count++] = 1.0;
        }
        W_start[contacts] = count;
        const rico_sparse_view M = {balls, balls, start, row, value};
        const rico_sparse_view W = {balls, contacts, W_start, W_row, W_value};
        status = rico_impact_create(ctx, &M, &W, out);
    }
    rico_free(ctx, start);
    rico_free(ctx, row);
    rico_free(ctx, value);
    return status;
}


void rico_chain_decorate(int64_t balls, double ratio, double *mass)
{
    for (int64_t i = 0; i < balls; i++) mass[i] = i % 2 == 0 ? 1.0 : ratio;
}


rico_status rico_chain_grade_stiffness(rico_impact *impact, double alpha)
{
    if (!isfinite(alpha))
        return rico_fail(impact->ctx, RICO_BAD_ARGUMENT, "the stiffness gradient %g is no number", alpha);
    int64_t h = impact->contacts;
    for (int64_t j = 0; j < h; j++)
        impact->stiffness[j] = 1.0 + fabs(alpha) * (double)(alpha > 0.0 ? j : h - 1 - j);
    return RICO_OK;
}


double rico_hertz_stiffness(double young, double poisson, double radius)
{
    return 4.0 / 3.0 * young / (2.0 * (1.0 - poisson * poisson)) * sqrt(0.5 * radius);
}
