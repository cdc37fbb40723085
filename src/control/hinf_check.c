// What H-infinity synthesis asks of a plant (Glover and Doyle 1988): full ranks of D12 and D21, modes that can be steered and seen, and no
// zeros on the imaginary axis from u to z and from w to y.

#include "control/hinf.h"
#include "control/response.h"

#include <math.h>

static const double LOST_RANK = 1e-10; // singular values below this part of the largest count as zero
static const double ON_AXIS = 1e-9;    // |Re z| of a zero against the size of the plant's matrices


static rico_status check_sizes(const rico_hinf_task *task)
{
    const rico_state_space *p = task->plant;
    if (task->measured < 1 || task->controls < 1 || task->measured >= p->outputs ||
        task->controls >= p->inputs)
        return rico_fail(
            p->ctx, RICO_BAD_ARGUMENT,
            "a controller of %lld inputs and %lld outputs for a plant with %lld outputs and %lld "
            "inputs leaves nothing to judge it by",
            (long long)task->measured, (long long)task->controls, (long long)p->outputs,
            (long long)p->inputs);
    return RICO_OK;
}


// Rank of a direct gain, which must be its smaller side.
static void check_rank(rico_pad *pad, rico_mat d, const char *name, int64_t wanted, const char *of)
{
    rico_mat_svd svd = rico_mat_svd_of(pad, d);
    if (pad->status != RICO_OK) return;
    int64_t least = d.rows < d.cols ? d.rows : d.cols;
    double smallest = least < wanted ? 0.0 : svd.s[wanted - 1];
    if (smallest > LOST_RANK * svd.s[0]) return;
    pad->status = rico_fail(
        pad->ctx, RICO_BAD_INPUT,
        "%s of the plant, %lld x %lld, has not the rank %lld: some %s (its smallest singular value is %g)",
        name, (long long)d.rows, (long long)d.cols, (long long)wanted, of, smallest);
}


// Least singular value of [A - s I, B] at an eigenvalue s: zero where B does not reach its mode (Hautus).
static double reach(rico_pad *pad, rico_mat a, rico_mat b, double complex s)
{
    int64_t n = a.rows, cols = n + b.cols;
    double complex *pencil = rico_pad_take(pad, n * cols, sizeof *pencil);
    double *values = rico_pad_take(pad, n, sizeof *values);
    if (pad->status != RICO_OK) return 0.0;
    for (int64_t i = 0; i < n * n; i++) pencil[i] = a.a[i];
    for (int64_t i = 0; i < n; i++) pencil[i + i * n] -= s;
    for (int64_t i = 0; i < n * b.cols; i++) pencil[n * n + i] = b.a[i];
    pad->status = rico_complex_singular_values(pad->ctx, n, cols, pencil, values);
    return pad->status == RICO_OK ? values[n - 1] : 0.0;
}


// Every mode that is not stable must be reached by the columns of b.
static void check_modes(rico_pad *pad, rico_mat a, rico_mat b, const char *sentence)
{
    int64_t n = a.rows;
    rico_mat_schur schur = rico_mat_schur_of(pad, a);
    double scale = rico_mat_largest(a) + rico_mat_largest(b);
    for (int64_t i = 0; i < n && pad->status == RICO_OK; i++) {
        double real = schur.real[i], imag = schur.imag[i];
        if (real < -LOST_RANK * scale || imag < 0.0) continue; // at the axis counts as not stable
        double least = reach(pad, a, b, real + imag * I);
        if (pad->status == RICO_OK && least <= LOST_RANK * scale)
            pad->status = rico_fail(pad->ctx, RICO_BAD_INPUT, sentence, real, imag);
    }
}


static void check_zeros(rico_pad *pad, rico_quad quad, const char *way)
{
    int64_t n = quad.a.rows, count = 0;
    rico_state_space *sys = NULL;
    double *real = rico_pad_take(pad, n, sizeof *real), *imag = rico_pad_take(pad, n, sizeof *imag);
    double scale = rico_mat_largest(quad.a);
    rico_quad_make(pad, quad, &sys);
    if (pad->status == RICO_OK) pad->status = rico_state_space_zeros(sys, real, imag, &count);
    for (int64_t i = 0; i < count && pad->status == RICO_OK; i++)
        if (fabs(real[i]) <= ON_AXIS * scale)
            pad->status = rico_fail(
                pad->ctx, RICO_BAD_INPUT,
                "the plant has a zero at %g %+gi, on the imaginary axis, from %s: no H-infinity controller "
                "with finite gains exists at the bound",
                real[i], imag[i], way);
    rico_state_space_destroy(sys);
}


rico_status rico_hinf_check(const rico_hinf_task *task)
{
    rico_status status = check_sizes(task);
    if (status != RICO_OK) return status;
    rico_pad pad = rico_pad_open(task->plant->ctx);
    rico_quad q = rico_quad_of(&pad, task->plant);
    int64_t n = q.a.rows, p2 = task->measured, m2 = task->controls, p1 = q.d.rows - p2, m1 = q.d.cols - m2;
    rico_mat b1 = rico_mat_part(&pad, q.b, 0, n, 0, m1), b2 = rico_mat_part(&pad, q.b, 0, n, m1, m2);
    rico_mat c1 = rico_mat_part(&pad, q.c, 0, p1, 0, n), c2 = rico_mat_part(&pad, q.c, p1, p2, 0, n);
    rico_mat d12 = rico_mat_part(&pad, q.d, 0, p1, m1, m2), d21 = rico_mat_part(&pad, q.d, p1, p2, 0, m1);
    check_rank(&pad, d12, "D12", m2, "control costs nothing");
    check_rank(&pad, d21, "D21", p2, "measurement has no noise");
    check_modes(&pad, q.a, b2,
                "the plant cannot be stabilized: no control reaches its mode with the eigenvalue %g %+gi");
    check_modes(&pad, rico_mat_transpose(&pad, q.a), rico_mat_transpose(&pad, c2),
                "the plant cannot be stabilized: no measurement sees its mode with the eigenvalue %g %+gi");
    check_zeros(&pad, (rico_quad){q.a, b2, c1, d12}, "the controls to what is judged");
    check_zeros(&pad, (rico_quad){q.a, b1, c2, d21}, "the disturbances to what is measured");
    return rico_pad_close(&pad);
}
