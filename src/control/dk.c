// Robust performance by the skewed D-K iteration: the largest k for which ||D diag(k I, I) F_l(plant, K) D^-1|| <= 1.
//
// First d is a number. From a controller of the performance alone, ||N22|| < 1, comes a d that works with some k; the best is looked for
// from there. Then d(omega) of the controller at hand, a d(s) beside it, the largest k for that d(s), and again.

#include "ricochet/control.h"

#include "control/dk.h"
#include "control/hinf.h"

#include <math.h>

static const double LEAST_K = 1e-9;

typedef struct study {
    const rico_state_space *plant;
    const rico_dk_options *options;
} study;

// A scaling, the largest k found for it and its controller.
typedef struct candidate {
    rico_dk_shape shape;
    double k;
    rico_state_space *controller;
} candidate;


static void take_over(candidate *into, candidate *from)
{
    rico_state_space_destroy(into->controller);
    *into = *from;
    from->controller = NULL;
}


static rico_status check(const study *s)
{
    const rico_dk_options *o = s->options;
    const rico_state_space *p = s->plant;
    rico_hinf_task task = {p, o->measured, o->controls};
    if (o->iterations < 0 || o->frequencies < 2 || !(o->low > 0.0 && o->low < o->high && isfinite(o->high)))
        return rico_fail(p->ctx, RICO_BAD_ARGUMENT,
                         "%lld iterations of D and K over %lld frequencies from %g to %g rad/s",
                         (long long)o->iterations, (long long)o->frequencies, o->low, o->high);
    if (!(o->tolerance > 0.0 && o->tolerance < 1.0))
        return rico_fail(p->ctx, RICO_BAD_ARGUMENT, "a D-K iteration to the tolerance %g: between 0 and 1",
                         o->tolerance);
    rico_status status = rico_hinf_check(&task);
    if (status == RICO_OK)
        status = rico_mu_check(p->ctx, p->outputs - o->measured, p->inputs - o->controls, o->blocks);
    return status;
}


// Tries k and keeps it, with its controller, when it works.
static rico_status try_k(const study *s, candidate *c, double k, bool *found)
{
    rico_state_space *scaled = NULL, *controller = NULL;
    *found = false;
    rico_status status = rico_dk_scaled_plant(s->plant, s->options, &c->shape, k, &scaled);
    if (status == RICO_OK) {
        rico_hinf_task task = {scaled, s->options->measured, s->options->controls};
        status = rico_hinf_attempt(&task, 1.0, found, &controller);
    }
    if (status == RICO_OK && *found) {
        rico_state_space_destroy(c->controller);
        c->controller = controller;
        c->k = k;
    }
    rico_state_space_destroy(scaled);
    return status;
}


// The largest k for the candidate's scaling, searched from `start`; 0 when none above LEAST_K works.
static rico_status largest_k(const study *s, double start, double tolerance, candidate *c)
{
    double high = INFINITY, k = start;
    bool found = false;
    rico_status status = RICO_OK;
    c->k = 0.0;
    for (double factor = 1.25; status == RICO_OK && k > LEAST_K; factor *= factor) {
        status = try_k(s, c, k, &found);
        if (found && isfinite(high)) break;
        if (!found) {
            high = k;
            if (c->k > 0.0) break;
        }
        k = found ? k * factor : k / factor;
        if (!(k < 1.0 / LEAST_K)) break;
    }
    while (status == RICO_OK && c->k > 0.0 && isfinite(high) && high > c->k * (1.0 + tolerance)) {
        k = sqrt(high * c->k);
        status = try_k(s, c, k, &found);
        if (!found) high = k;
    }
    return status;
}


// A d that works with some k: N of a controller for the performance alone, with sqrt(gamma) < 1 for its bound.
static rico_status first_d(const study *s, double *d)
{
    const rico_dk_options *o = s->options;
    const rico_state_space *p = s->plant;
    rico_hinf least = {0};
    rico_state_space *inner = NULL, *closed = NULL, *n21 = NULL, *controller = NULL;
    int64_t inputs = p->inputs - o->blocks.inputs, outputs = p->outputs - o->blocks.outputs;
    rico_pad pad = rico_pad_open(p->ctx);
    int64_t *line = rico_pad_take(&pad, p->inputs + p->outputs, sizeof *line);
    double norm = 0.0, bound;
    bool found = false;
    for (int64_t i = 0; i < p->inputs + p->outputs && line; i++) line[i] = i;
    if (pad.status == RICO_OK)
        pad.status = rico_state_space_select(p, inputs, line + o->blocks.inputs, outputs,
                                             line + o->blocks.outputs, &inner);
    if (pad.status == RICO_OK)
        pad.status = rico_hinf_synthesis(inner, o->measured, o->controls, o->tolerance, &least);
    if (pad.status == RICO_OK && least.gamma >= 1.0)
        pad.status =
            rico_fail(p->ctx, RICO_BAD_INPUT,
                      "no controller is robust with these weights: the performance alone cannot come "
                      "below %g, and 1 is asked for",
                      least.gamma);
    bound = sqrt(least.gamma);
    if (pad.status == RICO_OK)
        pad.status = rico_hinf_controller(inner, o->measured, o->controls, bound, &found, &controller);
    if (pad.status == RICO_OK)
        pad.status = rico_state_space_lft(p, found ? controller : least.controller, &closed);
    if (pad.status == RICO_OK)
        pad.status = rico_state_space_select(closed, o->blocks.inputs, line, outputs - o->measured,
                                             line + o->blocks.outputs, &n21);
    if (pad.status == RICO_OK) pad.status = rico_hinf_norm(n21, o->tolerance, &norm, NULL);
    if (pad.status == RICO_OK) *d = norm > 0.0 ? 2.0 * norm / sqrt(1.0 - bound * bound) : 1.0;
    rico_state_space_destroy(inner);
    rico_state_space_destroy(closed);
    rico_state_space_destroy(n21);
    rico_state_space_destroy(controller);
    rico_state_space_destroy(least.controller);
    return rico_pad_close(&pad);
}


static rico_status try_d(const study *s, double log_d, double start, double tolerance, candidate *best,
                         double *k)
{
    candidate c = {.shape = {.log = {log_d}, .constant = true}};
    rico_status status = largest_k(s, start, tolerance, &c);
    *k = c.k;
    if (status == RICO_OK && c.k > best->k) take_over(best, &c);
    rico_state_space_destroy(c.controller);
    return status;
}


// k(d) by factors of 2 from the first d, towards where it grows, until it has fallen to half; then golden section about the best.
static rico_status constant_d(const study *s, candidate *best)
{
    enum { MOST = 60, ROUGH = 20, CUTS = 12 };
    const double two = log(2.0), part = 0.5 * (3.0 - sqrt(5.0)), rough = 1.0 / ROUGH;
    double d = 1.0, k;
    rico_status status = first_d(s, &d);
    for (int way = -1; way <= 1; way += 2)
        for (int i = way > 0; i < MOST && status == RICO_OK; i++) {
            status = try_d(s, log(d) + way * i * two, best->k > 0.0 ? best->k : 1.0, rough, best, &k);
            if (k < 0.5 * best->k) break;
        }
    if (status == RICO_OK && !(best->k > 0.0))
        return rico_fail(s->plant->ctx, RICO_SINGULAR,
                         "no constant d about %g gives a controller, though the performance alone has one",
                         d);
    if (status != RICO_OK) return status;
    double low = best->shape.log[0] - two, high = low + 2.0 * two;
    double x[2] = {low + part * (high - low), high - part * (high - low)}, f[2];
    for (int i = 0; i < 2 && status == RICO_OK; i++)
        status = try_d(s, x[i], best->k, s->options->tolerance, best, &f[i]);
    for (int i = 0; i < CUTS && status == RICO_OK; i++) {
        int kept = f[0] > f[1] ? 0 : 1;
        if (kept == 0)
            high = x[1];
        else
            low = x[0];
        x[1 - kept] = x[kept], f[1 - kept] = f[kept];
        x[kept] = kept == 0 ? low + part * (high - low) : high - part * (high - low);
        status = try_d(s, x[kept], best->k, s->options->tolerance, best, &f[kept]);
    }
    return status;
}


// The best of all ways to a d(s), each with its largest k.
static rico_status step(const study *s, rico_mu_work *work, const rico_dk_responses *responses,
                        const double *d, const candidate *from, candidate *best)
{
    rico_status status = RICO_OK;
    for (int way = 0; way < RICO_DK_WAYS && status == RICO_OK; way++) {
        candidate next = {.shape = from->shape};
        status = rico_dk_fit(work, responses, d, way, &next.shape);
        if (status == RICO_OK) status = largest_k(s, from->k, s->options->tolerance, &next);
        if (status == RICO_OK && next.k > best->k) take_over(best, &next);
        rico_state_space_destroy(next.controller);
    }
    return status;
}


// A direction among the five numbers of d(s): each of them, and each pair, both together or one against the other. Along a ridge of k, which
// has edges, no single number leads up.
static void direction(int index, double out[RICO_DK_SHAPE])
{
    for (int c = 0; c < RICO_DK_SHAPE; c++) out[c] = c == index ? 1.0 : 0.0;
    index -= RICO_DK_SHAPE;
    for (int a = 0; a < RICO_DK_SHAPE; a++)
        for (int b = a + 1; b < RICO_DK_SHAPE; b++, index -= 2)
            if (index == 0 || index == 1) out[a] = 1.0, out[b] = index == 0 ? 1.0 : -1.0;
}


// Where D and K each have their best for the other, both move: d(s) along directions, K with it.
static rico_status move(const study *s, const rico_dk_responses *responses, const candidate *from,
                        candidate *best)
{
    static const double STEP[] = {0.3, 0.1, 0.03};
    candidate here = {.shape = from->shape, .k = from->k};
    rico_status status = RICO_OK;
    rico_dk_open(responses, &here.shape);
    for (size_t i = 0; i < sizeof STEP / sizeof *STEP && !(best->k > from->k); i++)
        for (int way = 0; way < 2 * RICO_DK_SHAPE * RICO_DK_SHAPE && status == RICO_OK; way++) {
            candidate next = {.shape = here.shape};
            bool found = false;
            double along[RICO_DK_SHAPE], more = here.k * (1.0 + s->options->tolerance);
            direction(way / 2, along);
            for (int c = 0; c < RICO_DK_SHAPE; c++)
                next.shape.log[c] += (way % 2 == 0 ? STEP[i] : -STEP[i]) * along[c];
            status = try_k(s, &next, more, &found);
            if (status == RICO_OK && found) status = largest_k(s, more, s->options->tolerance, &next);
            if (status == RICO_OK && next.k > here.k) {
                here.shape = next.shape;
                here.k = next.k;
                take_over(best, &next);
            }
            rico_state_space_destroy(next.controller);
        }
    return status;
}


static rico_status iterate(const study *s, rico_pad *pad, candidate *best, rico_dk *out)
{
    const rico_dk_options *o = s->options;
    rico_dk_responses responses = rico_dk_responses_on(pad, s->plant, o);
    double *d = rico_pad_take(pad, o->frequencies, sizeof *d);
    rico_mu_work work =
        rico_mu_work_on(pad, s->plant->outputs - o->measured, s->plant->inputs - o->controls, o->blocks);
    if (pad->status != RICO_OK) return pad->status;
    rico_status status = rico_dk_respond(s->plant, best->controller, &responses);
    if (status == RICO_OK) status = rico_dk_largest_mu(&work, &responses, &out->constant_mu, d);
    out->skewed_mu = out->constant_mu;
    for (int64_t i = 0; i < o->iterations && status == RICO_OK; i++) {
        candidate next = {.k = 0.0};
        status = step(s, &work, &responses, d, best, &next);
        if (status == RICO_OK && !(next.k > best->k * (1.0 + o->tolerance)))
            status = move(s, &responses, best, &next);
        bool better = next.k > best->k * (1.0 + o->tolerance);
        if (status == RICO_OK && better) {
            take_over(best, &next);
            out->steps++;
            status = rico_dk_respond(s->plant, best->controller, &responses);
            if (status == RICO_OK) status = rico_dk_largest_mu(&work, &responses, &out->skewed_mu, d);
        }
        rico_state_space_destroy(next.controller);
        if (!better) break;
    }
    return status;
}


rico_status rico_dk_synthesis(const rico_state_space *plant, const rico_dk_options *options, rico_dk *out)
{
    study s = {plant, options};
    candidate best = {.k = 0.0};
    rico_dk result = {0};
    *out = result;
    rico_status status = check(&s);
    if (status == RICO_OK) status = constant_d(&s, &best);
    if (status == RICO_OK) {
        rico_pad pad = rico_pad_open(plant->ctx);
        result.constant_k = best.k;
        result.d = exp(best.shape.log[0]);
        status = iterate(&s, &pad, &best, &result);
        rico_status closed = rico_pad_close(&pad);
        if (status == RICO_OK) status = closed;
    }
    if (status == RICO_OK) {
        result.k = best.k;
        result.controller = best.controller;
        *out = result;
    } else {
        rico_state_space_destroy(best.controller);
    }
    return status;
}
