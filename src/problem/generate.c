// Random heaps of rigid bodies, in time proportional to their size.
//
// Bodies stand on a jittered lattice, filled layer by layer from the ground up, and touch lattice neighbours
// alone: however large the heap, a body meets a bounded number of others and W keeps a bounded number of blocks
// per row. Numbering follows a boustrophedon path (each row runs back where the one before ended), so bodies with
// consecutive numbers are neighbours; pairing 0-1, 2-3, ... then touches every body with the fewest contacts.
//
// w = 0: the contact surfaces do not move by themselves. The heap at rest (v = 0) then satisfies H' v + w in K*
// and every generated problem has a solution, however jammed (docs/theory/existence.md).

#include "ricochet/generate.h"

#include "base/context.h"
#include "base/random.h"

#include <math.h>

enum { GROUND = -1 };

static const double jitter = 0.15;       // of the lattice spacing, which is 1
static const double tilt = 0.5;          // how far normals stray from the line between two centres
static const double step = 0.01;         // length of the time step whose gravity loads the heap
static const double gravity = 9.81;      // downwards: along the last axis
static const double thermal_speed = 0.5; // deviation of the random velocities

typedef struct pair {
    int64_t a, b; // a may be GROUND; the normal points from a to b
} pair;

// Everything the construction shares; released as a whole.
typedef struct heap {
    rico_context *ctx;
    rico_random random;
    int dim;        // 2 or 3
    int velocities; // 3 or 6 of each body
    int64_t bodies;
    int64_t side;     // of the lattice
    double *position; // dim entries of each body
    pair *pairs;      // neighbours; the first `cover` of them touch every body
    int64_t pair_count, cover;
    int64_t block_count, rows;
    rico_block *blocks;
    int64_t *M_start, *M_row, *H_start, *H_row;
    double *M_value, *H_value;
    double *f, *w;
} heap;


rico_random_heap rico_random_heap_default(void)
{
    return (rico_random_heap){.contacts = 100,
                              .bodies = 60,
                              .friction = 0.5,
                              .friction_spread = 0.0,
                              .joints = 0,
                              .dimension = 3,
                              .reduced = false,
                              .seed = 1};
}


static rico_status check_options(rico_context *ctx, const rico_random_heap *o)
{
    const int64_t limit = INT32_MAX / 8; // leaves room for every count derived from these

    if (o->contacts < 0 || o->contacts > limit)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a random heap cannot have %lld contacts (0 to %lld)",
                         (long long)o->contacts, (long long)limit);
    if (o->bodies < 1 || o->bodies > limit)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a random heap cannot have %lld bodies (1 to %lld)",
                         (long long)o->bodies, (long long)limit);
    if (o->joints < 0 || o->joints > limit)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a random heap cannot have %lld joints (0 to %lld)",
                         (long long)o->joints, (long long)limit);
    if (!(o->friction >= 0.0 && isfinite(o->friction)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "the friction coefficient of a random heap is %g; it must be finite, >= 0",
                         o->friction);
    if (!(o->friction_spread >= 0.0 && o->friction_spread <= 1.0))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "the friction spread of a random heap is %g; it must lie between 0 and 1",
                         o->friction_spread);
    if (o->dimension != 2 && o->dimension != 3)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a random heap has dimension %d; it must be 2 or 3",
                         o->dimension);
    return RICO_OK;
}


// Number of the body in a cell, along the boustrophedon path; cells beyond the last body give numbers >= bodies.
static int64_t number_of_cell(int64_t side, const int64_t cell[3])
{
    int64_t z = cell[2];
    int64_t y = z % 2 ? side - 1 - cell[1] : cell[1];
    int64_t line = z * side + y;
    int64_t x = line % 2 ? side - 1 - cell[0] : cell[0];
    return line * side + x;
}


static void cell_of_number(int64_t side, int64_t number, int64_t cell[3])
{
    int64_t line = number / side, x = number % side;
    cell[0] = line % 2 ? side - 1 - x : x;
    cell[2] = line / side;
    int64_t y = line % side;
    cell[1] = cell[2] % 2 ? side - 1 - y : y;
}


// Up is the last lattice direction. A plane lattice is a single layer of a spatial one: its y points up.
static void place_bodies(heap *h)
{
    for (int64_t i = 0; i < h->bodies; i++) {
        int64_t cell[3];
        cell_of_number(h->side, i, cell);
        for (int k = 0; k < h->dim; k++)
            h->position[h->dim * i + k] =
                (double)cell[k] + 0.5 + rico_random_range(&h->random, -jitter, jitter);
    }
}


// Lists each pair of neighbours once: first those that touch every body, then the rest in random order.
static void list_pairs(heap *h)
{
    int64_t count = 0;
    if (h->bodies == 1) h->pairs[count++] = (pair){GROUND, 0};
    for (int64_t i = 0; i + 1 < h->bodies; i += 2) h->pairs[count++] = (pair){i, i + 1};
    if (h->bodies > 1 && h->bodies % 2) h->pairs[count++] = (pair){h->bodies - 2, h->bodies - 1};
    h->cover = count;

    for (int64_t i = 0; i < h->bodies; i++) {
        int64_t cell[3];
        cell_of_number(h->side, i, cell);
        if (cell[h->dim - 1] == 0 && h->bodies > 1) h->pairs[count++] = (pair){GROUND, i};
        for (int k = 0; k < h->dim; k++) {
            int64_t next[3] = {cell[0], cell[1], cell[2]};
            next[k]++;
            if (next[k] == h->side) continue;
            int64_t j = number_of_cell(h->side, next);
            if (j >= h->bodies) continue;

            // left out: what the cover already holds
            int64_t low = i < j ? i : j, high = i < j ? j : i;
            bool last_odd = h->bodies % 2 == 1 && high == h->bodies - 1;
            bool covered = high == low + 1 && (low % 2 == 0 || last_odd);
            if (!covered) h->pairs[count++] = (pair){i, j};
        }
    }
    h->pair_count = count;

    for (int64_t last = count - 1; last > h->cover; last--) {
        int64_t other = h->cover + rico_random_below(&h->random, last - h->cover + 1);
        pair moved = h->pairs[last];
        h->pairs[last] = h->pairs[other];
        h->pairs[other] = moved;
    }
}


static void normalize(int n, double *x)
{
    double norm = n == 2 ? hypot(x[0], x[1]) : hypot(hypot(x[0], x[1]), x[2]);
    for (int k = 0; k < n; k++) x[k] /= norm;
}


static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}


// Where a pair touches: between the two centres, or below the body that lies on the ground.
static void draw_point(heap *h, pair p, double *point)
{
    const double *b = &h->position[h->dim * p.b];
    const double *a = p.a == GROUND ? b : &h->position[h->dim * p.a];
    for (int k = 0; k < h->dim; k++)
        point[k] = 0.5 * (a[k] + b[k]) + rico_random_range(&h->random, -jitter, jitter);
    if (p.a == GROUND) point[h->dim - 1] = 0.0;
}


// An orthonormal frame, row by row, whose first vector leans from a to b (upwards from the ground); the others
// are drawn at random around it.
static void draw_frame(heap *h, pair p, double frame[9])
{
    const int n = h->dim;
    double *normal = frame;
    for (int k = 0; k < n; k++) {
        double along = k == n - 1;
        if (p.a != GROUND) along = h->position[n * p.b + k] - h->position[n * p.a + k];
        normal[k] = along + rico_random_range(&h->random, -tilt, tilt);
    }
    normalize(n, normal);

    if (n == 2) {
        frame[2] = -normal[1];
        frame[3] = normal[0];
        return;
    }

    // a random vector off the normal, made orthogonal to it
    double *first = &frame[3], *second = &frame[6];
    double length = 0.0;
    while (length < 0.1) {
        double along = 0.0;
        for (int k = 0; k < 3; k++) first[k] = rico_random_range(&h->random, -1.0, 1.0);
        for (int k = 0; k < 3; k++) along += first[k] * normal[k];
        for (int k = 0; k < 3; k++) first[k] -= along * normal[k];
        length = hypot(hypot(first[0], first[1]), first[2]);
    }
    normalize(3, first);
    cross(normal, first, second);
}


// Appends sign * d'(v + omega x arm) of one body to the column being written, arm = point - centre.
static int64_t put_body(heap *h, int64_t at, int64_t body, double sign, const double *point, const double *d)
{
    const int n = h->dim;
    double arm[3] = {0}, moment[3] = {0};
    for (int k = 0; k < n; k++) arm[k] = point[k] - h->position[n * body + k];
    if (n == 3)
        cross(arm, d, moment);
    else
        moment[0] = arm[0] * d[1] - arm[1] * d[0];

    for (int k = 0; k < h->velocities; k++, at++) {
        h->H_row[at] = h->velocities * body + k;
        h->H_value[at] = sign * (k < n ? d[k] : moment[k - n]);
    }
    return at;
}


// The rows of one block: velocity at the point of body b with respect to a, along each vector of the frame.
static void put_block(heap *h, pair p, const double *point, const double *frame)
{
    for (int k = 0; k < h->dim; k++) {
        int64_t column = h->rows++;
        int64_t at = h->H_start[column];
        if (p.a != GROUND) at = put_body(h, at, p.a, -1.0, point, &frame[k * h->dim]);
        h->H_start[column + 1] = put_body(h, at, p.b, 1.0, point, &frame[k * h->dim]);
    }
}


static void put_contacts(heap *h, const rico_random_heap *o)
{
    for (int64_t i = 0; i < o->contacts; i++) {
        // once every pair touches, pairs take further points
        pair p = h->pairs[i % h->pair_count];
        double point[3] = {0}, frame[9] = {0};
        draw_point(h, p, point);
        draw_frame(h, p, frame);
        put_block(h, p, point, frame);
        double spread = o->friction_spread * rico_random_range(&h->random, -1.0, 1.0);
        h->blocks[h->block_count++] = (rico_block){.kind = h->dim == 3 ? RICO_COULOMB_3D : RICO_COULOMB_2D,
                                                   .size = h->dim,
                                                   .friction = o->friction * (1.0 + spread)};
    }
}


static void put_joints(heap *h, int64_t joints)
{
    static const double axes_3d[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, axes_2d[4] = {1, 0, 0, 1};
    for (int64_t i = 0; i < joints; i++) {
        pair p = h->pairs[rico_random_below(&h->random, h->pair_count)];
        double point[3] = {0};
        draw_point(h, p, point);
        put_block(h, p, point, h->dim == 3 ? axes_3d : axes_2d);
        h->blocks[h->block_count++] = (rico_block){.kind = RICO_EQUALITY, .size = h->dim};
    }
}


// The inertia of a box with random edges, turned at random; returns its mass. J is row-major.
static double draw_inertia(heap *h, double J[9])
{
    double mass = exp(rico_random_range(&h->random, -0.7, 0.7));
    double square[3];
    for (int k = 0; k < 3; k++) {
        double edge = rico_random_range(&h->random, 0.5, 1.0);
        square[k] = edge * edge;
    }
    if (h->dim == 2) {
        J[0] = mass * (square[0] + square[1]) / 12.0;
        return mass;
    }

    // J = R diag(moments) R', R from a random unit quaternion
    double q[4], norm = 0.0;
    for (int k = 0; k < 4; k++) {
        q[k] = rico_random_normal(&h->random);
        norm += q[k] * q[k];
    }
    norm = sqrt(norm);
    for (int k = 0; k < 4; k++) q[k] /= norm;
    double s = q[0], x = q[1], y = q[2], z = q[3];
    double R[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - s * z), 2 * (x * z + s * y)},
                      {2 * (x * y + s * z), 1 - 2 * (x * x + z * z), 2 * (y * z - s * x)},
                      {2 * (x * z - s * y), 2 * (y * z + s * x), 1 - 2 * (x * x + y * y)}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++)
                sum += R[i][k] * R[j][k] * (square[(k + 1) % 3] + square[(k + 2) % 3]);
            // both triangles from one number: M must be symmetric to the last bit
            J[3 * i + j] = J[3 * j + i] = mass * sum / 12.0;
        }
    }
    return mass;
}


// M body by body and f = M v_free: random velocities plus what gravity adds in one step.
static void put_dynamics(heap *h)
{
    const int n = h->dim, turns = h->velocities - h->dim;
    int64_t at = 0;
    for (int64_t i = 0; i < h->bodies; i++) {
        int64_t first = h->velocities * i;
        double J[9], v[6];
        double mass = draw_inertia(h, J);
        for (int k = 0; k < h->velocities; k++) v[k] = thermal_speed * rico_random_normal(&h->random);
        v[n - 1] -= step * gravity;

        for (int k = 0; k < n; k++, at++) {
            h->M_row[at] = first + k;
            h->M_value[at] = mass;
            h->M_start[first + k + 1] = at + 1;
            h->f[first + k] = mass * v[k];
        }
        for (int k = 0; k < turns; k++) {
            double sum = 0.0;
            for (int l = 0; l < turns; l++, at++) {
                h->M_row[at] = first + n + l;
                h->M_value[at] = J[turns * k + l];
                sum += J[turns * k + l] * v[n + l];
            }
            h->M_start[first + n + k + 1] = at;
            h->f[first + n + k] = sum;
        }
    }
}


static rico_status allocate(heap *h, const rico_random_heap *o)
{
    rico_context *ctx = h->ctx;
    int64_t blocks = o->contacts + o->joints, rows = h->dim * blocks, dofs = h->velocities * h->bodies;
    int64_t mass_entries = h->bodies * (h->dim == 3 ? 3 + 9 : 2 + 1);

    h->position = rico_alloc(ctx, h->dim * h->bodies, sizeof *h->position);
    h->pairs = rico_alloc(ctx, (h->dim + 2) * h->bodies + 1, sizeof *h->pairs);
    h->blocks = rico_alloc(ctx, blocks, sizeof *h->blocks);
    h->M_start = rico_alloc(ctx, dofs + 1, sizeof *h->M_start);
    h->M_row = rico_alloc(ctx, mass_entries, sizeof *h->M_row);
    h->M_value = rico_alloc(ctx, mass_entries, sizeof *h->M_value);
    h->H_start = rico_alloc(ctx, rows + 1, sizeof *h->H_start);
    h->H_row = rico_alloc(ctx, 2 * h->velocities * rows, sizeof *h->H_row);
    h->H_value = rico_alloc(ctx, 2 * h->velocities * rows, sizeof *h->H_value);
    h->f = rico_alloc(ctx, dofs, sizeof *h->f);
    h->w = rico_alloc(ctx, rows, sizeof *h->w);
    bool all = h->position && h->pairs && h->blocks && h->M_start && h->M_row && h->M_value && h->H_start &&
               h->H_row && h->H_value && h->f && h->w;
    return all ? RICO_OK : RICO_NO_MEMORY;
}


static void release(heap *h)
{
    rico_context *ctx = h->ctx;
    rico_free(ctx, h->position);
    rico_free(ctx, h->pairs);
    rico_free(ctx, h->blocks);
    rico_free(ctx, h->M_start);
    rico_free(ctx, h->M_row);
    rico_free(ctx, h->M_value);
    rico_free(ctx, h->H_start);
    rico_free(ctx, h->H_row);
    rico_free(ctx, h->H_value);
    rico_free(ctx, h->f);
    rico_free(ctx, h->w);
}


// A new problem that knows W and q alone, in the place of one that knows M, H, f, w.
static rico_status keep_reduced_form(heap *h, rico_problem **problem)
{
    rico_sparse_view W = {0};
    rico_problem *reduced = NULL;
    rico_status status = rico_problem_delassus(*problem, &W);
    if (status) return status;
    status = rico_problem_create_reduced(h->ctx, h->block_count, h->blocks, &W,
                                         rico_problem_free_velocity(*problem), &reduced);
    rico_sparse_release(h->ctx, &W);
    if (status) return status;
    rico_problem_destroy(*problem);
    *problem = reduced;
    return RICO_OK;
}


rico_status rico_generate_random(rico_context *ctx, const rico_random_heap *options, rico_problem **out)
{
    rico_status status = check_options(ctx, options);
    if (status) return status;

    heap h = {.ctx = ctx,
              .dim = options->dimension,
              .velocities = options->dimension == 3 ? 6 : 3,
              .bodies = options->bodies,
              .side = 1};
    while ((h.dim == 3 ? h.side * h.side : h.side) * h.side < h.bodies) h.side++;
    rico_random_seed(&h.random, options->seed);

    rico_problem *problem = NULL;
    status = allocate(&h, options);
    if (!status) {
        place_bodies(&h);
        list_pairs(&h);
        put_dynamics(&h);
        put_contacts(&h, options);
        put_joints(&h, options->joints);
        int64_t dofs = h.velocities * h.bodies;
        rico_sparse_view M = {dofs, dofs, h.M_start, h.M_row, h.M_value};
        rico_sparse_view H = {dofs, h.rows, h.H_start, h.H_row, h.H_value};
        status = rico_problem_create_global(ctx, h.block_count, h.blocks, &M, &H, h.f, h.w, &problem);
    }
    if (!status && options->reduced) status = keep_reduced_form(&h, &problem);
    release(&h);
    if (status) {
        rico_problem_destroy(problem);
        return status;
    }
    *out = problem;
    return RICO_OK;
}
