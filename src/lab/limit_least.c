// The value of a parameter at which a scene begins to stand: see limit_least.h.

#include "lab/limit_least.h"

#include "base/context.h"

#include <math.h>
#include <stdio.h>

enum { MOST_TURNS = 100 };

typedef struct search {
    rico_context *ctx;
    rico_limit_order order;
    const char *parameter;
    const char **set; // those of the order, and the parameter
    double factor;
    int64_t solved;
} search;


// The reserve of the normal forces over the size of the loads: positive where the structure stands.
static rico_status reserve(search *s, double value, double *out)
{
    char word[160];
    rico_limit_study study;
    rico_limit_answer answer;
    snprintf(word, sizeof word, "%.100s=%.17g", s->parameter, value);
    s->set[s->order.set_count - 1] = word;
    rico_status status = rico_limit_study_open(s->ctx, &s->order, &study);
    if (status != RICO_OK) return status;
    s->solved++;
    status = rico_limit_equilibrium(study.limit, s->factor, &answer);
    if (status == RICO_OK) {
        const double *dead = rico_limit_dead(study.limit), *live = rico_limit_live(study.limit);
        double size = 0.0;
        for (int64_t i = 0; i < rico_limit_dofs(study.limit); i++)
            size = fmax(size, fabs(dead[i] + s->factor * live[i]));
        *out = answer.value / (size > 0.0 ? size : 1.0);
        if (answer.finding == RICO_LIMIT_UNSURE || isnan(*out))
            status =
                rico_fail(s->ctx, RICO_BAD_INPUT,
                          "whether the structure stands at %s = %.10g could not be decided (accuracy %.1e)",
                          s->parameter, value, answer.accuracy);
    }
    rico_limit_study_close(&study);
    return status;
}


// A root of the reserve between a and b: Dekker's secants with bisections (Brent 1973, in the form of Chandrupatla 1997, which interpolates only where the
// function is nearly linear).
static rico_status find_root(search *s, double a, double fa, double b, double fb, double tolerance,
                             rico_limit_boundary *out)
{
    double c = a, fc = fa, share = 0.5;
    rico_status status = RICO_OK;
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        double x = a + share * (b - a), fx;
        status = reserve(s, x, &fx);
        if (status != RICO_OK) return status;
        if ((fx > 0.0) == (fa > 0.0))
            c = a, fc = fa;
        else
            c = b, fc = fb, b = a, fb = fa;
        a = x, fa = fx;
        out->value = fa > 0.0 ? a : b; // where it stands
        out->width = fabs(b - a);
        if (out->width <= tolerance || fa == 0.0) return RICO_OK;
        // inverse quadratic interpolation where it is safe
        double xi = (a - b) / (c - b), phi = (fa - fb) / (fc - fb);
        share = 0.5;
        if (phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi)
            share = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb);
        double least = 0.5 * tolerance / out->width;
        share = fmin(1.0 - least, fmax(least, share));
    }
    return RICO_OK;
}


static rico_status look(search *s, const double between[2], double tolerance, rico_limit_boundary *out)
{
    double at[2] = {fmin(between[0], between[1]), fmax(between[0], between[1])}, f[2];
    rico_status status = RICO_OK;
    if (!(at[0] < at[1] && isfinite(at[0]) && isfinite(at[1])))
        return rico_fail(s->ctx, RICO_BAD_ARGUMENT, "there is nothing between %g and %g", between[0],
                         between[1]);
    for (int i = 0; status == RICO_OK && i < 2; i++) status = reserve(s, at[i], &f[i]);
    if (status != RICO_OK) return status;
    out->low = f[0], out->high = f[1];
    if ((f[0] > 0.0) == (f[1] > 0.0))
        return rico_fail(s->ctx, RICO_BAD_ARGUMENT,
                         "the structure %s at %s = %g and at %g: there is no boundary to look for",
                         f[0] > 0.0 ? "stands" : "falls", s->parameter, at[0], at[1]);
    out->rising = f[1] > 0.0;
    return find_root(s, at[0], f[0], at[1], f[1], tolerance * fmax(fabs(at[0]), fabs(at[1])), out);
}


rico_status rico_limit_find_boundary(rico_context *ctx, const rico_limit_order *order, const char *parameter,
                                     const double between[2], double factor, double tolerance,
                                     rico_limit_boundary *out)
{
    search s = {.ctx = ctx, .order = *order, .parameter = parameter, .factor = factor};
    s.set = rico_alloc(ctx, order->set_count + 1, sizeof *s.set);
    if (!s.set) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < order->set_count; i++) s.set[i] = order->set[i];
    s.order.set = s.set;
    s.order.set_count = order->set_count + 1;
    *out = (rico_limit_boundary){0};
    rico_status status = look(&s, between, tolerance, out);
    out->solved = s.solved;
    rico_free(ctx, (void *)s.set);
    return status;
}
