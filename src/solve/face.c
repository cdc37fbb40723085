// The face of the cones on which an impulse lies.

#include "solve/face.h"

#include "la/mat3.h"

#include <math.h>
#include <string.h>

// |r_T| above this share of mu r_N counts as sliding.
static const double ON_SURFACE = 1.0 - 1e-10;


rico_status rico_face_create(rico_problem *p, rico_face *out)
{
    rico_face face = {.problem = p};
    rico_status status = rico_problem_block_norms(p);
    if (status) return status;
    face.block = rico_alloc(p->ctx, p->block_count, sizeof *face.block);
    face.diagonal = rico_alloc(p->ctx, p->rows, sizeof *face.diagonal);
    if (!face.block || !face.diagonal) {
        rico_face_destroy(&face);
        return RICO_NO_MEMORY;
    }
    *out = face;
    return RICO_OK;
}


void rico_face_destroy(rico_face *face)
{
    if (!face->problem) return;
    rico_free(face->problem->ctx, face->block);
    rico_free(face->problem->ctx, face->diagonal);
    *face = (rico_face){0};
}


static const double *diagonal_block(const rico_problem *p, int64_t a)
{
    return &p->W.value[p->W.place[p->W.diagonal[a]]];
}


static void add_direction(rico_face_block *b, double x, double y, double z)
{
    rico_vec3_set(x, y, z, &b->basis[3 * b->free++]);
}


// The free directions of a contact of `size` rows at (u, r).
static void identify_contact(rico_face_block *b, int64_t size, double mu, const double *u, const double *r)
{
    b->free = 0;
    b->curvature = 0.0;
    if (!(r[0] > 0.0)) return;
    add_direction(b, 1.0, 0.0, 0.0);
    if (size == 1) return;

    double across = size == 3 ? r[2] : 0.0, friction = hypot(r[1], across);
    if (friction < ON_SURFACE * mu * r[0]) {
        add_direction(b, 0.0, 1.0, 0.0);
        if (size == 3) add_direction(b, 0.0, 0.0, 1.0);
    } else if (size == 3 && friction > 0.0) {
        add_direction(b, 0.0, -across / friction, r[1] / friction);
        b->curvature = hypot(u[1], u[2]) / friction;
    }
}


// The inverse of the block on its free directions; where that is singular, the inverse of its size.
static void prepare_contact(rico_face_block *b, int64_t size, const double *W, double norm)
{
    double A[9], image[3];
    rico_mat3_identity(A);
    for (int j = 0; j < b->free; j++) {
        for (int64_t i = 0; i < size; i++) {
            image[i] = 0.0;
            for (int64_t k = 0; k < size; k++) // of the symmetric part
                image[i] += 0.5 * (W[i * size + k] + W[k * size + i]) * b->basis[3 * j + k];
        }
        for (int i = 0; i < b->free; i++) {
            A[3 * i + j] = 0.0;
            for (int64_t k = 0; k < size; k++) A[3 * i + j] += b->basis[3 * i + k] * image[k];
        }
    }
    if (b->free > 0) A[4 * (b->free - 1)] += b->curvature;
    bool regular = rico_mat3_inverse(A, b->inverse);
    for (int i = 0; i < b->free; i++) regular = regular && b->inverse[4 * i] > 0.0;
    if (regular) return;
    rico_mat3_identity(b->inverse);
    for (int i = 0; i < b->free; i++) b->inverse[4 * i] = norm > 0.0 ? 1.0 / norm : 1.0;
}


void rico_face_identify(rico_face *face, const double *r, const double *u)
{
    const rico_problem *p = face->problem;
    for (int64_t a = 0; a < p->block_count; a++) {
        rico_face_block *b = &face->block[a];
        int64_t first = p->offset[a], size = p->offset[a + 1] - first;
        const double *W = diagonal_block(p, a);
        if (p->kind[a] == RICO_EQUALITY) {
            b->free = -1;
            for (int64_t i = 0; i < size; i++)
                face->diagonal[first + i] = W[i * size + i] > 0.0 ? 1.0 / W[i * size + i] : 1.0;
            continue;
        }
        identify_contact(b, size, p->friction[a], &u[first], &r[first]);
        prepare_contact(b, size, W, p->block_norm[a]);
    }
}


// Coordinates of x on the free directions.
static void coordinates(const rico_face_block *b, int64_t size, const double *x, double c[3])
{
    for (int k = 0; k < b->free; k++) {
        c[k] = 0.0;
        for (int64_t i = 0; i < size; i++) c[k] += b->basis[3 * k + i] * x[i];
    }
}


static void combine(const rico_face_block *b, int64_t size, const double c[3], double *x)
{
    for (int64_t i = 0; i < size; i++) {
        x[i] = 0.0;
        for (int k = 0; k < b->free; k++) x[i] += c[k] * b->basis[3 * k + i];
    }
}


void rico_face_restrict(const rico_face *face, double *x)
{
    const rico_problem *p = face->problem;
    for (int64_t a = 0; a < p->block_count; a++) {
        const rico_face_block *b = &face->block[a];
        int64_t first = p->offset[a], size = p->offset[a + 1] - first;
        double c[3];
        if (b->free < 0) continue;
        coordinates(b, size, &x[first], c);
        combine(b, size, c, &x[first]);
    }
}


void rico_face_times(const rico_face *face, const double *x, double *y)
{
    const rico_problem *p = face->problem;
    rico_block_times(&p->W, x, NULL, y);
    for (int64_t a = 0; a < p->block_count; a++) {
        const rico_face_block *b = &face->block[a];
        int64_t first = p->offset[a], size = p->offset[a + 1] - first;
        double c[3], image[3];
        if (b->free < 0) continue;
        coordinates(b, size, &y[first], image);
        if (b->free > 0 && b->curvature > 0.0) {
            coordinates(b, size, &x[first], c);
            image[b->free - 1] += b->curvature * c[b->free - 1];
        }
        combine(b, size, image, &y[first]);
    }
}


void rico_face_precondition(const rico_face *face, const double *x, double *y)
{
    const rico_problem *p = face->problem;
    for (int64_t a = 0; a < p->block_count; a++) {
        const rico_face_block *b = &face->block[a];
        int64_t first = p->offset[a], size = p->offset[a + 1] - first;
        if (b->free < 0) {
            for (int64_t i = first; i < first + size; i++) y[i] = face->diagonal[i] * x[i];
            continue;
        }
        double c[3] = {0.0}, scaled[3];
        coordinates(b, size, &x[first], c);
        for (int k = b->free; k < 3; k++) c[k] = 0.0;
        rico_mat3_times(b->inverse, c, scaled);
        combine(b, size, scaled, &y[first]);
    }
}
