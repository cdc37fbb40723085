// Strings of discs: the chapter's tables, copies and scaling.

#include "control/drill.h"

#include <math.h>
#include <string.h>

// Table 1; the units of its columns k and d are interchanged in print.
static const double INERTIA[] = {0.064, 0.708, 0.708, 2.845};
static const rico_drill_link LINKS[] = {
    {0, 1, 0.630, 0.0}, {1, 2, 1.799, 0.0018}, {2, 3, 1.097, 0.0024}, {0, 3, 0.0, 0.0005}};

// Table 2. N_d = 0.5 is in rpm: formula and remark on 20 to 30 rpm of the full scale want it so.
static const double WALL[] = {0.0, 2.297, 3.038, 0.662};


double rico_drill_decay(double rpm)
{
    return 30.0 / (rpm * RICO_DRILL_PI);
}


const rico_drill_string *rico_drill_table(void)
{
    static const rico_drill_string TABLE = {4,     4,    INERTIA,
                                            LINKS, WALL, {1.232, 0.272, 30.0 / (0.5 * RICO_DRILL_PI)}};
    return &TABLE;
}


// Refuses what is no string.
rico_status rico_drill_check(rico_context *ctx, const rico_drill_string *string)
{
    if (string->discs < 2)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a drill-string has 2 discs or more, not %lld",
                         (long long)string->discs);
    for (int64_t i = 0; i < string->discs; i++) {
        if (!(string->inertia[i] > 0.0 && isfinite(string->inertia[i])))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "disc %lld has the inertia %g", (long long)i + 1,
                             string->inertia[i]);
        if (i && !(string->wall[i] >= 0.0 && isfinite(string->wall[i])))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "disc %lld has the friction torque %g", (long long)i + 1,
                             string->wall[i]);
    }
    for (int64_t l = 0; l < string->links; l++) {
        const rico_drill_link *link = &string->link[l];
        if (link->a < 0 || link->b < 0 || link->a >= string->discs || link->b >= string->discs ||
            link->a == link->b)
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "link %lld is between discs %lld and %lld of %lld",
                             (long long)l + 1, (long long)link->a + 1, (long long)link->b + 1,
                             (long long)string->discs);
        if (!isfinite(link->stiffness) || !isfinite(link->damping))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "link %lld has the stiffness %g and the damping %g",
                             (long long)l + 1, link->stiffness, link->damping);
    }
    const rico_drill_bit *bit = &string->bit;
    if (!(bit->dynamic >= 0.0 && bit->still >= bit->dynamic && bit->decay >= 0.0))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the bit has T_s = %g, T_d = %g and v_d = %g", bit->still,
                         bit->dynamic, bit->decay);
    return RICO_OK;
}


rico_status rico_drill_scaled(rico_context *ctx, const rico_drill_string *string, double c1, double c2,
                              rico_drill_string **out)
{
    *out = NULL;
    rico_status status = rico_drill_check(ctx, string);
    if (status != RICO_OK) return status;
    if (!(c1 > 0.0 && c2 > 0.0))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a string is scaled by numbers above 0, not %g and %g", c1,
                         c2);
    rico_drill_string *copy = rico_alloc(ctx, 1, sizeof *copy);
    double *inertia = rico_alloc(ctx, string->discs, sizeof *inertia),
           *wall = rico_alloc(ctx, string->discs, sizeof *wall);
    rico_drill_link *link = rico_alloc(ctx, string->links, sizeof *link);
    if (!copy || !inertia || !wall || !link) {
        rico_free(ctx, copy);
        rico_free(ctx, inertia);
        rico_free(ctx, wall);
        rico_free(ctx, link);
        return RICO_NO_MEMORY;
    }
    double ratio = c2 / c1;
    for (int64_t i = 0; i < string->discs; i++) {
        inertia[i] = ratio * string->inertia[i];
        wall[i] = string->wall[i] / c1;
    }
    for (int64_t l = 0; l < string->links; l++) {
        link[l] = string->link[l];
        link[l].stiffness *= ratio;
        link[l].damping *= ratio;
    }
    const rico_drill_bit bit = {string->bit.still / c1, string->bit.dynamic / c1, string->bit.decay * c2};
    *copy = (rico_drill_string){string->discs, string->links, inertia, link, wall, bit};
    *out = copy;
    return RICO_OK;
}


void rico_drill_destroy(rico_context *ctx, rico_drill_string *string)
{
    if (!string) return;
    rico_free(ctx, (void *)string->inertia);
    rico_free(ctx, (void *)string->wall);
    rico_free(ctx, (void *)string->link);
    rico_free(ctx, string);
}
