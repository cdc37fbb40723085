// The D step of a D-K iteration: d(s) between a plant and its blocks, and its fit.

#include "control/dk.h"

#include <math.h>

double rico_dk_size(const rico_dk_shape *shape, double omega)
{
    double g = exp(shape->log[0]);
    if (shape->constant) return g;
    double w1 = exp(shape->log[1]), z1 = exp(shape->log[2]), w2 = exp(shape->log[3]), z2 = exp(shape->log[4]);
    double over = hypot(w1 * w1 - omega * omega, 2.0 * z1 * w1 * omega),
           under = hypot(w2 * w2 - omega * omega, 2.0 * z2 * w2 * omega);
    return g * over / under;
}


// A section `count` times and ones on `rest` more lines.
static rico_status lines(rico_context *ctx, const double section[6], int64_t count, int64_t rest,
                         rico_state_space **out)
{
    rico_pad pad = rico_pad_open(ctx);
    rico_state_space *all = NULL, *one = NULL, *more = NULL;
    rico_mat eye = rico_mat_eye(&pad, rest);
    *out = NULL;
    if (pad.status == RICO_OK) pad.status = rico_state_space_gain(ctx, rest, rest, eye.a, &all);
    if (pad.status == RICO_OK) pad.status = rico_state_space_sections(ctx, 1, section, &one);
    for (int64_t i = 0; i < count && pad.status == RICO_OK; i++) {
        pad.status = rico_state_space_append(one, all, &more);
        if (pad.status != RICO_OK) break;
        rico_state_space_destroy(all);
        all = more;
    }
    rico_state_space_destroy(one);
    if (pad.status == RICO_OK)
        *out = all;
    else
        rico_state_space_destroy(all);
    return rico_pad_close(&pad);
}


rico_status rico_dk_scaled_plant(const rico_state_space *plant, const rico_dk_options *options,
                                 const rico_dk_shape *shape, double k, rico_state_space **out)
{
    double g = exp(shape->log[0]);
    double over[6] = {0.0, 0.0, k * g, 0.0, 0.0, 1.0}, under[6] = {0.0, 0.0, 1.0 / g, 0.0, 0.0, 1.0};
    rico_state_space *before = NULL, *after = NULL, *half = NULL;
    *out = NULL;
    if (!shape->constant) {
        double w1 = exp(shape->log[1]), z1 = exp(shape->log[2]), w2 = exp(shape->log[3]),
               z2 = exp(shape->log[4]);
        const double top[3] = {1.0, 2.0 * z1 * w1, w1 * w1}, low[3] = {1.0, 2.0 * z2 * w2, w2 * w2};
        for (int i = 0; i < 3; i++) {
            over[i] = k * g * top[i];
            over[3 + i] = low[i];
            under[i] = low[i] / g;
            under[3 + i] = top[i];
        }
    }
    rico_status status =
        lines(plant->ctx, under, options->blocks.inputs, plant->inputs - options->blocks.inputs, &before);
    if (status == RICO_OK)
        status = lines(plant->ctx, over, options->blocks.outputs, plant->outputs - options->blocks.outputs,
                       &after);
    if (status == RICO_OK) status = rico_state_space_series(before, plant, &half);
    if (status == RICO_OK) status = rico_state_space_series(half, after, out);
    rico_state_space_destroy(before);
    rico_state_space_destroy(after);
    rico_state_space_destroy(half);
    return status;
}


rico_dk_responses rico_dk_responses_on(rico_pad *pad, const rico_state_space *plant,
                                       const rico_dk_options *options)
{
    int64_t size = (plant->outputs - options->measured) * (plant->inputs - options->controls);
    rico_dk_responses r = {.count = options->frequencies};
    r.omega = rico_pad_take(pad, r.count, sizeof *r.omega);
    r.n = rico_pad_take(pad, r.count * size, sizeof *r.n);
    double ratio = log(options->high / options->low);
    for (int64_t i = 0; i < r.count && pad->status == RICO_OK; i++)
        r.omega[i] = options->low * exp(ratio * (double)i / (double)(r.count - 1));
    return r;
}


rico_status rico_dk_respond(const rico_state_space *plant, const rico_state_space *controller,
                            rico_dk_responses *out)
{
    rico_state_space *closed = NULL;
    rico_status status = rico_state_space_lft(plant, controller, &closed);
    for (int64_t i = 0; i < out->count && status == RICO_OK; i++)
        status = rico_response_at(closed, out->omega[i], &out->n[i * closed->outputs * closed->inputs]);
    rico_state_space_destroy(closed);
    return status;
}


rico_status rico_dk_largest_mu(rico_mu_work *work, const rico_dk_responses *responses, double *mu,
                               double *best)
{
    rico_status status = RICO_OK;
    *mu = 0.0;
    for (int64_t i = 0; i < responses->count && status == RICO_OK; i++) {
        double value = 0.0, d = 1.0;
        status = rico_mu_skewed(work, &responses->n[i * work->rows * work->cols], &value, &d);
        *mu = fmax(*mu, value);
        if (best) best[i] = d;
    }
    return status;
}


// ---- fit ----------------------------------------------------------------------------------------------------

typedef struct aim {
    rico_mu_work *work;
    const rico_dk_responses *responses;
    const double *best; // fit to these, unless NULL
    double power;       // otherwise to the sum of skewed mu to this power
    rico_status status;
} aim;


static double miss(aim *a, const double log_shape[RICO_DK_SHAPE])
{
    rico_dk_shape shape = {.constant = false};
    double sum = 0.0;
    for (int i = 0; i < RICO_DK_SHAPE; i++) {
        shape.log[i] = log_shape[i];
        if (!(fabs(log_shape[i]) < 50.0)) return INFINITY;
    }
    for (int64_t i = 0; i < a->responses->count && a->status == RICO_OK; i++) {
        double d = rico_dk_size(&shape, a->responses->omega[i]), mu = INFINITY;
        if (a->best) {
            double apart = a->best[i] > 0.0 && isfinite(a->best[i]) ? log(d / a->best[i]) : 0.0;
            sum += apart * apart;
        } else {
            a->status =
                rico_mu_skewed_with(a->work, &a->responses->n[i * a->work->rows * a->work->cols], d, &mu);
            sum += pow(mu, a->power);
        }
    }
    return sum;
}


// Nelder and Mead (1965): the corners of a simplex, the worst of which moves through the middle of the others.
typedef struct simplex {
    double x[RICO_DK_SHAPE + 1][RICO_DK_SHAPE], f[RICO_DK_SHAPE + 1];
} simplex;


static void order(simplex *s)
{
    for (int i = 1; i <= RICO_DK_SHAPE; i++)
        for (int j = i; j > 0 && s->f[j] < s->f[j - 1]; j--) {
            double f = s->f[j];
            s->f[j] = s->f[j - 1];
            s->f[j - 1] = f;
            for (int c = 0; c < RICO_DK_SHAPE; c++) {
                double x = s->x[j][c];
                s->x[j][c] = s->x[j - 1][c];
                s->x[j - 1][c] = x;
            }
        }
}


// The point `far` times as far from the middle of all but the worst corner as that one, on the other side.
static double beyond(aim *a, const simplex *s, double far, double x[RICO_DK_SHAPE])
{
    for (int c = 0; c < RICO_DK_SHAPE; c++) {
        double middle = 0.0;
        for (int i = 0; i < RICO_DK_SHAPE; i++) middle += s->x[i][c] / RICO_DK_SHAPE;
        x[c] = middle + far * (middle - s->x[RICO_DK_SHAPE][c]);
    }
    return miss(a, x);
}


static void put_worst(simplex *s, const double x[RICO_DK_SHAPE], double f)
{
    for (int c = 0; c < RICO_DK_SHAPE; c++) s->x[RICO_DK_SHAPE][c] = x[c];
    s->f[RICO_DK_SHAPE] = f;
}


static void turn(aim *a, simplex *s)
{
    enum { LAST = RICO_DK_SHAPE };
    double x[LAST], farther[LAST], f = beyond(a, s, 1.0, x);
    if (f < s->f[0]) {
        double g = beyond(a, s, 2.0, farther);
        if (g < f)
            put_worst(s, farther, g);
        else
            put_worst(s, x, f);
    } else if (f < s->f[LAST - 1]) {
        put_worst(s, x, f);
    } else {
        double g = beyond(a, s, f < s->f[LAST] ? 0.5 : -0.5, farther);
        if (g < fmin(f, s->f[LAST])) {
            put_worst(s, farther, g);
        } else { // everything towards the best
            for (int i = 1; i <= LAST; i++) {
                for (int c = 0; c < LAST; c++) s->x[i][c] = 0.5 * (s->x[0][c] + s->x[i][c]);
                s->f[i] = miss(a, s->x[i]);
            }
        }
    }
    order(s);
}


static double descend(aim *a, double x[RICO_DK_SHAPE], int turns)
{
    static const double STEP = 0.4; // of the logarithms
    simplex s;
    for (int i = 0; i <= RICO_DK_SHAPE; i++) {
        for (int c = 0; c < RICO_DK_SHAPE; c++) s.x[i][c] = x[c] + (i == c + 1 ? STEP : 0.0);
        s.f[i] = miss(a, s.x[i]);
    }
    order(&s);
    for (int i = 0; i < turns && a->status == RICO_OK; i++) turn(a, &s);
    for (int c = 0; c < RICO_DK_SHAPE; c++) x[c] = s.x[0][c];
    return s.f[0];
}


void rico_dk_open(const rico_dk_responses *responses, rico_dk_shape *shape)
{
    if (!shape->constant) return;
    shape->log[1] = shape->log[3] = log(responses->omega[responses->count / 2]);
    shape->log[2] = shape->log[4] = 0.0;
    shape->constant = false;
}


rico_status rico_dk_fit(rico_mu_work *work, const rico_dk_responses *responses, const double *best, int way,
                        rico_dk_shape *shape)
{
    enum { FIT = 800, IMPROVE = 200 };
    static const double POWER[RICO_DK_WAYS] = {0.0, 2.0, 8.0, 8.0};
    aim fit = {work, responses, best, 0.0, RICO_OK}, sum = {work, responses, NULL, POWER[way], RICO_OK};
    rico_dk_open(responses, shape);
    if (way == 0 || way == 3) descend(&fit, shape->log, FIT);
    if (way > 0) descend(&sum, shape->log, IMPROVE);
    return sum.status;
}
