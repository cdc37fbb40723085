// The free motion of a ring of oscillators in closed form, by its modes.
//
// A = I - coupling Laplacian is circulant, so that its functions are sums over wave numbers q_k = 2 pi k / p; the one column
// of cos(A^(1/2) t) is c_d = 1/p sum_k cos(q_k d) cos(w_k t). Wave numbers k and p - k belong together: sums run over half.

#include "orbit/ring.h"

#include <math.h>


double rico_ring_laplacian(int64_t particles, const double *y, int64_t n)
{
    return y[(n + 1) % particles] - 2.0 * y[n] + y[(n + particles - 1) % particles];
}


double rico_ring_frequency(int64_t particles, double coupling, int64_t k)
{
    double half = sin(M_PI * (double)k / (double)particles);
    return sqrt(1.0 + 4.0 * coupling * half * half);
}


rico_status rico_ring_motion_create(rico_context *ctx, int64_t particles, double coupling,
                                    rico_ring_motion **motion)
{
    int64_t modes = particles / 2 + 1;
    rico_ring_motion *made = rico_alloc(ctx, 1, sizeof *made);
    double *numbers = rico_alloc(ctx, 2 * particles + 5 * modes, sizeof *numbers);
    if (!made || !numbers) {
        rico_free(ctx, numbers);
        rico_free(ctx, made);
        return RICO_NO_MEMORY;
    }
    *made = (rico_ring_motion){.particles = particles, .modes = modes, .frequency = numbers};
    made->a = made->frequency + modes;
    made->b = made->a + modes;
    made->da = made->b + modes;
    made->db = made->da + modes;
    made->cosine = made->db + modes;
    made->sine = made->cosine + particles;
    for (int64_t k = 0; k < modes; k++) made->frequency[k] = rico_ring_frequency(particles, coupling, k);
    for (int64_t j = 0; j < particles; j++) {
        made->cosine[j] = cos(2.0 * M_PI * (double)j / (double)particles);
        made->sine[j] = sin(2.0 * M_PI * (double)j / (double)particles);
    }
    *motion = made;
    return RICO_OK;
}


void rico_ring_motion_destroy(rico_context *ctx, rico_ring_motion *motion)
{
    if (!motion) return;
    rico_free(ctx, motion->frequency);
    rico_free(ctx, motion);
}


// Wave numbers 0 and pi stand alone, the others for two.
static double weight(const rico_ring_motion *motion, int64_t k)
{
    return (k == 0 || 2 * k == motion->particles ? 1.0 : 2.0) / (double)motion->particles;
}


void rico_ring_motion_set(rico_ring_motion *motion, const double *y, const double *v)
{
    int64_t p = motion->particles;
    for (int64_t k = 0; k < motion->modes; k++) {
        double a = 0.0, b = 0.0, da = 0.0, db = 0.0;
        for (int64_t n = 0; n < p; n++) {
            double c = motion->cosine[k * n % p], s = motion->sine[k * n % p];
            a += c * y[n];
            b += s * y[n];
            da += c * v[n];
            db += s * v[n];
        }
        double share = weight(motion, k);
        motion->a[k] = share * a;
        motion->b[k] = share * b;
        motion->da[k] = share * da;
        motion->db[k] = share * db;
    }
}


void rico_ring_motion_at(const rico_ring_motion *motion, double t, double *y, double *v)
{
    int64_t p = motion->particles;
    for (int64_t n = 0; n < p; n++) y[n] = v[n] = 0.0;
    for (int64_t k = 0; k < motion->modes; k++) {
        double w = motion->frequency[k], c = cos(w * t), s = sin(w * t);
        double a = motion->a[k] * c + motion->da[k] * s / w, da = motion->da[k] * c - motion->a[k] * w * s;
        double b = motion->b[k] * c + motion->db[k] * s / w, db = motion->db[k] * c - motion->b[k] * w * s;
        for (int64_t n = 0, place = 0; n < p; n++) {
            y[n] += a * motion->cosine[place] + b * motion->sine[place];
            v[n] += da * motion->cosine[place] + db * motion->sine[place];
            place += k;
            if (place >= p) place -= p;
        }
    }
}


rico_ring_sample rico_ring_motion_of(const rico_ring_motion *motion, int64_t n, double t)
{
    int64_t p = motion->particles;
    rico_ring_sample seen = {.t = t};
    for (int64_t k = 0; k < motion->modes; k++) {
        double across = motion->cosine[k * n % p], along = motion->sine[k * n % p];
        double start = motion->a[k] * across + motion->b[k] * along;
        double speed = motion->da[k] * across + motion->db[k] * along;
        double w = motion->frequency[k], c = cos(w * t), s = sin(w * t);
        double y = start * c + speed * s / w;
        seen.y += y;
        seen.v += speed * c - start * w * s;
        seen.a -= w * w * y;
    }
    return seen;
}


void rico_ring_motion_bounds(const rico_ring_motion *motion, int64_t n, double *third, double *fourth)
{
    int64_t p = motion->particles;
    *third = *fourth = 0.0;
    for (int64_t k = 0; k < motion->modes; k++) {
        double across = motion->cosine[k * n % p], along = motion->sine[k * n % p];
        double start = motion->a[k] * across + motion->b[k] * along;
        double speed = motion->da[k] * across + motion->db[k] * along;
        double w = motion->frequency[k], amplitude = hypot(start, speed / w);
        *third += amplitude * w * w * w;
        *fourth += amplitude * w * w * w * w;
    }
}


void rico_ring_flow(const rico_ring_motion *motion, double t, double *c, double *s, double *w)
{
    int64_t p = motion->particles;
    for (int64_t d = 0; d < p; d++) c[d] = s[d] = w[d] = 0.0;
    for (int64_t k = 0; k < motion->modes; k++) {
        double share = weight(motion, k), omega = motion->frequency[k];
        double even = share * cos(omega * t), odd = share * sin(omega * t);
        for (int64_t d = 0; d < p; d++) {
            double phase = motion->cosine[k * d % p];
            c[d] += phase * even;
            s[d] += phase * odd / omega;
            w[d] += phase * odd * omega;
        }
    }
}
