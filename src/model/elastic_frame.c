// The floating frame of an elastic part that turns: where it is, and what forces in it are in the world.
//
// With weights m_i > 0 of the nodes, x_i their places, c and C the centres of x_i and of X_i, B_i = X_i - C: R is the rotation nearest to A = sum m_i (x_i - c) B_i', the polar
// factor of A = R S. The deformation is d_i = R'(x_i - c) - B_i, the energy V = d'Kd/2. Variations (docs/theory/elements.md): dR = R [w]x with
//
//     (tr(S) - S) w = sum m_i B_i x R'dx_i,      dd_i = R'(dx_i - dc) - w x (B_i + d_i),
//
// so that forces g = K d pull back to R g_i - (m_i/m) R sum g - m_i R (y x B_i), y = (tr(S) - S)^-1 sum (B_i + d_i) x g_i: their sum and their moment vanish,
// whatever g is.

#include "la/mat3.h"
#include "model/elastic.h"

// A vector of the unknowns at used node u, with zeros for directions that are none.
static void read(const rico_elastic *own, const double *q, int64_t u, double out[3])
{
    out[0] = out[1] = out[2] = 0.0;
    for (int i = 0; i < own->directions; i++) out[i] = q[u * own->directions + i];
}


rico_status rico_frame_prepare(rico_part *part)
{
    rico_elastic *own = part->data;
    own->weight = rico_alloc(part->ctx, own->used, sizeof *own->weight);
    own->arm = rico_alloc(part->ctx, 3 * own->used, sizeof *own->arm);
    if (!own->weight || !own->arm) return RICO_NO_MEMORY;
    double X[3 * RICO_CELL_NODES], mass[RICO_CELL_NODES], centre[3] = {0.0};
    for (int64_t c = 0; c < own->mesh->cells; c++) {
        if (own->law_of[c] < 0) continue;
        const int64_t *node;
        int64_t nodes = rico_elastic_nodes(own, c, &node);
        rico_elastic_places(own, c, X);
        rico_element_lumped(&own->law[own->law_of[c]], own->mesh->kind[c], X,
                            mass); // the matrices were made of it already
        for (int64_t a = 0; a < nodes; a++)
            own->weight[own->dof[node[a] * own->directions] / own->directions] += mass[a];
    }
    own->total = 0.0;
    for (int64_t u = 0; u < own->used; u++) {
        own->total += own->weight[u];
        rico_vec3_add_scaled(own->weight[u], own->X + 3 * own->used_node[u], centre);
    }
    rico_vec3_scale(1.0 / own->total, centre, centre);
    for (int64_t u = 0; u < own->used; u++)
        rico_vec3_subtract(own->X + 3 * own->used_node[u], centre, own->arm + 3 * u);
    return RICO_OK;
}


// The polar factor in space by Newton's iteration R <- (g R + R'^-1/g)/2 with Higham's scaling (Higham 1986), which squares no condition.
static bool polar(const double A[9], double R[9])
{
    double before = INFINITY;
    memcpy(R, A, 9 * sizeof *R);
    if (!(rico_mat3_determinant(A) > 0.0)) return false;
    for (int step = 0; step < 60; step++) {
        double inverse[9], change = 0.0;
        if (!rico_mat3_inverse(R, inverse)) return false;
        double g = sqrt(rico_mat3_norm_frobenius(inverse) / rico_mat3_norm_frobenius(R));
        if (before < 0.1) g = 1.0; // near the end scaling only adds round-off
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double next = 0.5 * (g * R[3 * i + j] + inverse[3 * j + i] / g);
                change = fmax(change, fabs(next - R[3 * i + j]));
                R[3 * i + j] = next;
            }
        if (change <= 1e-15 || (change < 1e-13 && change >= before)) return true;
        before = change;
    }
    return false;
}


// In the plane the nearest rotation has the angle of (A_00 + A_11, A_10 - A_01).
static bool polar_plane(const double A[9], double R[9])
{
    double cosine = A[0] + A[4], sine = A[3] - A[1], size = rico_hypot(cosine, sine);
    rico_mat3_identity(R);
    if (!(size > 0.0)) return false;
    R[0] = R[4] = cosine / size;
    R[3] = sine / size;
    R[1] = -R[3];
    return true;
}


bool rico_frame_find(const rico_elastic *own, const double *q, rico_floating_frame *frame, double *d)
{
    double A[9] = {0.0}, S[9], x[3], mean[3] = {0.0};
    // displacements first: they are small beside places
    for (int64_t u = 0; u < own->used; u++) {
        read(own, q, u, x);
        rico_vec3_add_scaled(own->weight[u] / own->total, x, mean);
    }
    for (int64_t u = 0; u < own->used; u++) {
        const double *B = own->arm + 3 * u;
        read(own, q, u, x);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) A[3 * i + j] += own->weight[u] * (B[i] + x[i] - mean[i]) * B[j];
    }
    if (!(own->directions == 2 ? polar_plane(A, frame->R) : polar(A, frame->R))) return false;
    rico_mat3_transpose(frame->R, S);
    rico_mat3_multiply(S, A, S);
    double trace = S[0] + S[4] + S[8], G[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            G[3 * i + j] = (i == j ? trace : 0.0) - 0.5 * (S[3 * i + j] + S[3 * j + i]);
    if (!rico_mat3_inverse(G, frame->inverse)) return false;
    rico_vec3_copy(mean, frame->centre);
    for (int64_t u = 0; u < own->used; u++) {
        const double *B = own->arm + 3 * u;
        read(own, q, u, x);
        for (int i = 0; i < 3; i++) x[i] += B[i] - mean[i];
        rico_mat3_transpose_times(frame->R, x, x);
        for (int i = 0; i < own->directions; i++) d[u * own->directions + i] = x[i] - B[i];
    }
    return true;
}


void rico_frame_push(const rico_elastic *own, const rico_floating_frame *frame, const double *d,
                     const double *v, double *rate)
{
    double spin[3] = {0.0}, mean[3] = {0.0}, x[3], turned[3];
    for (int64_t u = 0; u < own->used; u++) {
        read(own, v, u, x);
        rico_vec3_add_scaled(own->weight[u] / own->total, x, mean);
        rico_mat3_transpose_times(frame->R, x, x);
        rico_vec3_cross(own->arm + 3 * u, x, turned);
        rico_vec3_add_scaled(own->weight[u], turned, spin);
    }
    rico_mat3_times(frame->inverse, spin, spin);
    for (int64_t u = 0; u < own->used; u++) {
        double place[3];
        read(own, v, u, x);
        rico_vec3_subtract(x, mean, x);
        rico_mat3_transpose_times(frame->R, x, x);
        read(own, d, u, place);
        rico_vec3_add(place, own->arm + 3 * u, place);
        rico_vec3_cross(spin, place, turned);
        for (int i = 0; i < own->directions; i++) rate[u * own->directions + i] = x[i] - turned[i];
    }
}


void rico_frame_pull(const rico_elastic *own, const rico_floating_frame *frame, const double *d,
                     const double *g, double *f)
{
    double sum[3] = {0.0}, moment[3] = {0.0}, place[3], force[3], turned[3];
    for (int64_t u = 0; u < own->used; u++) {
        read(own, g, u, force);
        read(own, d, u, place);
        rico_vec3_add(place, own->arm + 3 * u, place);
        rico_vec3_cross(place, force, turned);
        rico_vec3_add(moment, turned, moment);
        rico_vec3_add(sum, force, sum);
    }
    rico_mat3_times(frame->inverse, moment, moment);
    for (int64_t u = 0; u < own->used; u++) {
        read(own, g, u, force);
        rico_vec3_cross(moment, own->arm + 3 * u, turned);
        rico_vec3_add_scaled(-own->weight[u], turned, force);
        rico_vec3_add_scaled(-own->weight[u] / own->total, sum, force);
        rico_mat3_times(frame->R, force, force);
        for (int i = 0; i < own->directions; i++) f[u * own->directions + i] -= force[i];
    }
}
