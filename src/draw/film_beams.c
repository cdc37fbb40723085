// A run as one block of bytes: how much beams bend between their nodes.
//
// A file holds where nodes stand. The curvature of an element is the angle by which its second node turned against the first since the
// start, over their distance then; with the sixteen bits of a turn in a film it could not be told.

#include "draw/film_private.h"

#include <math.h>

static int64_t element_count(const rico_film_writer *w)
{
    int64_t count = 0;
    for (int64_t i = 0; i < w->view->beam_count; i++) count += w->view->beam[i].nodes - 1;
    return count;
}


int64_t rico_film_beam_bytes(const rico_film_writer *w)
{
    return w->view ? element_count(w) * (int64_t)sizeof(float) : 0;
}


// conj(a) b, scalar first: how the second stands in the first.
static void between(const double a[4], const double b[4], double out[4])
{
    out[0] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[1 + i] = a[0] * b[1 + i] - b[0] * a[1 + i] - (a[1 + j] * b[1 + k] - a[1 + k] * b[1 + j]);
    }
}


static double curvature(const rico_stand *start, const rico_stand *now, int64_t node)
{
    double first[4], last[4], change[4], length = 0.0;
    between(start[node].orientation, start[node + 1].orientation, first);
    between(now[node].orientation, now[node + 1].orientation, last);
    between(first, last, change);
    for (int k = 0; k < 3; k++) length = hypot(length, start[node + 1].position[k] - start[node].position[k]);
    double angle = 2.0 * atan2(hypot(hypot(change[1], change[2]), change[3]), fabs(change[0]));
    return length > 0.0 ? angle / length : 0.0;
}


void rico_film_beams(rico_film_writer *w)
{
    int64_t elements = w->status == RICO_OK ? element_count(w) : 0, bodies = w->view->body_count;
    if (elements == 0) return;
    rico_stand *stand = rico_alloc(w->ctx, 2 * bodies, sizeof *stand);
    if (!stand) {
        w->status = RICO_NO_MEMORY;
        return;
    }
    rico_stand *now = stand + bodies;
    float *out = rico_film_add(w, "beam_curvature", "f32", w->frames, elements);
    if (out) w->status = rico_body_view_stands(w->view, 0, stand, NULL);
    for (int64_t f = 0; out && w->status == RICO_OK && f < w->frames; f++) {
        w->status = rico_body_view_stands(w->view, rico_film_row(w, f), now, NULL);
        for (int64_t b = 0; w->status == RICO_OK && b < w->view->beam_count; b++)
            for (int64_t i = 0; i < w->view->beam[b].nodes - 1; i++)
                *out++ = (float)curvature(stand, now, w->view->beam[b].first + i);
    }
    rico_free(w->ctx, stand);
}
