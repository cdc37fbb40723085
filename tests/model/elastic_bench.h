// An elastic part of a hand-made mesh, its matrices, and equilibrium under its loads with displacements imposed here and there.

#ifndef RICO_TESTS_MODEL_ELASTIC_BENCH_H
#define RICO_TESTS_MODEL_ELASTIC_BENCH_H

#include "la/factor.h"
#include "mesh/hand_mesh.h"
#include "model/elastic.h"
#include "model/system.h"
#include "one_context.h"

typedef struct elastic_bench {
    rico_system *system;
    const rico_part *part;
    const rico_elastic *own;
    int64_t n;
    double *u; // unknowns
    bool *imposed;
} elastic_bench;


static inline rico_elastic_material stuff(double young, double poisson)
{
    rico_elastic_material material = rico_elastic_material_default();
    material.young = young, material.poisson = poisson, material.density = 1.0;
    return material;
}


static inline void bench_open(elastic_bench *b, const rico_elastic_part *part)
{
    *b = (elastic_bench){0};
    assert_ok(ctx, rico_system_create(ctx, &b->system));
    assert_ok(ctx, rico_system_add_elastic(b->system, "body", part, NULL));
    b->part = b->system->part[0];
    b->own = b->part->data;
    b->n = b->part->place.v_size;
    b->u = calloc((size_t)b->n, sizeof *b->u);
    b->imposed = calloc((size_t)b->n, sizeof *b->imposed);
}


static inline void bench_close(elastic_bench *b)
{
    rico_system_destroy(b->system);
    free(b->u);
    free(b->imposed);
}


// Imposes displacements where the function says so for a place: true, with the displacement there.
typedef bool (*bench_field)(void *user, const double *x, double *u);

static inline void bench_impose(elastic_bench *b, bench_field field, void *user)
{
    const rico_elastic *own = b->own;
    for (int64_t k = 0; k < own->used; k++) {
        int64_t node = own->used_node[k];
        double u[3] = {NAN, NAN, NAN}; // what stays so is not imposed
        if (!field(user, own->X + 3 * node, u)) continue;
        for (int i = 0; i < own->directions; i++) {
            int64_t at = own->dof[node * own->directions + i];
            if (at < 0 || isnan(u[i])) continue;
            b->u[at] = u[i];
            b->imposed[at] = true;
        }
    }
}


// K u = f in all directions that nothing is imposed on.
static inline void bench_solve(elastic_bench *b)
{
    const rico_csc *pattern = &b->part->pattern;
    int64_t count = rico_csc_count(pattern), entries = 0, free_count = 0,
            *to = calloc((size_t)b->n + 1, sizeof *to), *row = malloc((size_t)(count + 1) * sizeof *row),
            *col = malloc((size_t)(count + 1) * sizeof *col);
    double *value = malloc((size_t)(count + 1) * sizeof *value), *f = calloc((size_t)b->n + 1, sizeof *f),
           *right;
    assert_true(b->part->kind->load(b->part, NULL, 0.0, f));
    for (int64_t i = 0; i < b->n; i++) to[i] = b->imposed[i] ? -1 : free_count++;
    for (int64_t j = 0; j < b->n; j++)
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
            int64_t i = pattern->row[k];
            if (to[i] >= 0 && to[j] >= 0)
                row[entries] = to[i], col[entries] = to[j], value[entries++] = b->own->K[k];
            else if (to[j] < 0)
                f[i] -= b->own->K[k] * b->u[j];
        }
    right = calloc((size_t)free_count + 1, sizeof *right);
    for (int64_t i = 0; i < b->n; i++)
        if (to[i] >= 0) right[to[i]] = f[i];
    rico_csc K = {0};
    rico_factor *factor = NULL;
    if (free_count > 0) {
        assert_ok(ctx,
                  rico_csc_from_triplets(ctx, "K", free_count, free_count, entries, row, col, value, &K));
        assert_ok(ctx, rico_factor_create(RICO_CHOLESKY, &K, &factor));
        assert_ok(ctx, rico_factor_solve(factor, 1, right, right));
    }
    for (int64_t i = 0; i < b->n; i++)
        if (to[i] >= 0) b->u[i] = right[to[i]];
    rico_factor_destroy(factor);
    rico_csc_destroy(&K);
    free(to), free(row), free(col), free(value), free(f), free(right);
}


// The displacement of a node of the grid.
static inline double bench_at(const elastic_bench *b, int64_t node, int direction)
{
    int64_t at = b->own->dof[node * b->own->directions + direction];
    return at < 0 ? 0.0 : b->u[at];
}


// f'u with f the load: what the load gives way by, for a load of size 1.
static inline double bench_work(const elastic_bench *b)
{
    double *f = calloc((size_t)b->n, sizeof *f), sum = 0.0;
    assert_true(b->part->kind->load(b->part, NULL, 0.0, f));
    for (int64_t i = 0; i < b->n; i++) sum += f[i] * b->u[i];
    free(f);
    return sum;
}

#endif
