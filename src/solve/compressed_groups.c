// Groups of contacts between the same two bodies, and orthonormal bases of what their rows of W span (compressed.h).

#include "solve/compressed_groups.h"

#include "base/random.h"
#include "la/blas.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum {
    SAMPLES = 12, // random combinations of columns that show the range of a group's rows
    LARGEST_GROUP = 60
};

// A direction counts as part of the range when its pivot is this large against the largest.
static const double rank_tolerance = 1e-11;


static int64_t rows_of(const rico_problem *p, int64_t a)
{
    return p->offset[a + 1] - p->offset[a];
}


// Blocks after `a` that touch exactly what `a` touches: the other contacts of its pair of bodies.
static int64_t gather_group(const rico_compressed *s, int64_t a, int64_t *members)
{
    const rico_problem *p = s->p;
    const rico_block_matrix *W = &p->W;
    int64_t length = W->start[a + 1] - W->start[a], count = 0;
    const int32_t *mine = &W->col[W->start[a]];
    members[count++] = a;
    for (int64_t k = W->diagonal[a] + 1; k < W->start[a + 1] && count < LARGEST_GROUP; k++) {
        int64_t b = W->col[k];
        if (s->group[b] >= 0 || rico_problem_is_joint(p, b) || W->start[b + 1] - W->start[b] != length)
            continue;
        if (memcmp(mine, &W->col[W->start[b]], (size_t)length * sizeof *mine) == 0) members[count++] = b;
    }
    return count;
}


// Work space of the search for bases.
typedef struct range_finder {
    double *sample; // rows of the largest group x SAMPLES, column-major
    double *random; // SAMPLES numbers per row of the problem
    double work[8 * (SAMPLES + 1)], tau[SAMPLES];
} range_finder;


// The dimension of the range of the group's rows, with the basis left in finder->sample by columns; -1 when it is
// more than a twist. Eigenvectors of the group's own diagonal block would not do: they square small singular values.
static int64_t find_range(const rico_compressed *s, const int64_t *members, int64_t count,
                          range_finder *finder)
{
    const rico_problem *p = s->p;
    const rico_block_matrix *W = &p->W;
    int64_t height = 0;
    for (int64_t i = 0; i < count; i++) height += rows_of(p, members[i]);
    double *A = finder->sample;
    memset(A, 0, (size_t)(height * SAMPLES) * sizeof *A);
    int64_t at = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t a = members[i], rows = rows_of(p, a);
        for (int64_t k = W->start[a]; k < W->start[a + 1]; k++) {
            int64_t c = W->col[k], cols = rows_of(p, c);
            const double *block = &W->value[W->place[k]], *omega = &finder->random[p->offset[c] * SAMPLES];
            for (int64_t x = 0; x < rows; x++)
                for (int64_t y = 0; y < cols; y++)
                    for (int z = 0; z < SAMPLES; z++)
                        A[at + x + z * height] += block[x * cols + y] * omega[y * SAMPLES + z];
        }
        at += rows;
    }
    lapack_int order[SAMPLES] = {0}, n = (lapack_int)height;
    lapack_int room = (lapack_int)(sizeof finder->work / sizeof finder->work[0]);
    bool held = rico_blas_hold();
    lapack_int info =
        LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, n, SAMPLES, A, n, order, finder->tau, finder->work, room);
    rico_blas_release(held);
    if (info) return -1;
    int64_t most = height < SAMPLES ? height : SAMPLES, d = 0;
    while (d < most && fabs(A[d + d * height]) > rank_tolerance * fabs(A[0])) d++;
    if (d > RICO_TWIST || d == 0) return -1;
    lapack_int rank = (lapack_int)d;
    held = rico_blas_hold();
    info = LAPACKE_dorgqr_work(LAPACK_COL_MAJOR, n, rank, rank, A, n, finder->tau, finder->work, room);
    rico_blas_release(held);
    return info ? -1 : d;
}


// Keeps the d columns of the finder's sample as the rows of E.
static rico_status keep_basis(rico_compressed *s, int64_t g, int64_t d, const double *columns)
{
    int64_t width = s->width[g], need = s->basis_count + d * width;
    if (need > s->basis_capacity) {
        int64_t larger = 2 * s->basis_capacity + need;
        double *moved = rico_grow(s->ctx, s->basis, s->basis_count, larger, sizeof *moved);
        if (!moved) return RICO_NO_MEMORY;
        s->basis = moved;
        s->basis_capacity = larger;
    }
    s->basis_start[g] = s->basis_count;
    memcpy(&s->basis[s->basis_count], columns, (size_t)(d * width) * sizeof *columns);
    s->basis_count = need;
    return RICO_OK;
}


// Groups, bases and the partition of the compressed system (into `offset`).
static rico_status form_groups(rico_compressed *s, range_finder *finder, int64_t *offset)
{
    const rico_problem *p = s->p;
    int64_t placed = 0, members[LARGEST_GROUP];
    for (int64_t a = 0; a < p->block_count; a++) s->group[a] = -1;
    for (int64_t a = 0; a < p->block_count; a++) {
        if (s->group[a] >= 0) continue;
        int64_t count = 1, g = s->groups++, d = -1;
        members[0] = a;
        if (!rico_problem_is_joint(p, a)) count = gather_group(s, a, members);
        while (count > 1 && (d = find_range(s, members, count, finder)) < 0) count = count > 2 ? 2 : 1;
        s->width[g] = 0;
        for (int64_t i = 0; i < count; i++) {
            s->group[members[i]] = g;
            s->row[members[i]] = s->width[g];
            s->width[g] += rows_of(p, members[i]);
            s->member[placed++] = members[i];
        }
        s->member_start[g + 1] = placed;
        s->basis_start[g] = -1;
        if (d < 0 || d >= s->width[g])
            d = s->width[g]; // nothing to gain: the group keeps its own rows
        else {
            rico_status status = keep_basis(s, g, d, finder->sample);
            if (status) return status;
        }
        offset[g + 1] = offset[g] + d;
    }
    return RICO_OK;
}


rico_status rico_compressed_find_groups(rico_compressed *s, int64_t *offset)
{
    rico_context *ctx = s->ctx;
    int64_t blocks = s->p->block_count, rows = s->p->rows;
    s->member_start = rico_alloc(ctx, blocks + 1, sizeof *s->member_start);
    s->member = rico_alloc(ctx, blocks, sizeof *s->member);
    s->group = rico_alloc(ctx, blocks, sizeof *s->group);
    s->row = rico_alloc(ctx, blocks, sizeof *s->row);
    s->width = rico_alloc(ctx, blocks, sizeof *s->width);
    s->basis_start = rico_alloc(ctx, blocks, sizeof *s->basis_start);
    range_finder *finder = rico_alloc(ctx, 1, sizeof *finder);
    bool room = s->member_start && s->member && s->group && s->row && s->width && s->basis_start && finder;
    if (room) {
        finder->sample = rico_alloc(ctx, 3 * LARGEST_GROUP * SAMPLES, sizeof *finder->sample);
        finder->random = rico_alloc(ctx, rows * SAMPLES, sizeof *finder->random);
        room = finder->sample && finder->random;
    }
    rico_status status = RICO_NO_MEMORY;
    if (room) {
        rico_random random;
        rico_random_seed(&random, 1);
        for (int64_t i = 0; i < rows * SAMPLES; i++)
            finder->random[i] = rico_random_range(&random, -1.0, 1.0);
        status = form_groups(s, finder, offset);
    }
    if (finder) {
        rico_free(ctx, finder->sample);
        rico_free(ctx, finder->random);
    }
    rico_free(ctx, finder);
    return status;
}
