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
#include "la/vec3.h"
#include "problem/assembly.h"

#include <math.h>

static const double jitter = 0.15;       // of the lattice spacing, which is 1
static const double tilt = 0.5;          // how far normals stray from the line between two centres
static const double step = 0.01;         // length of the time step whose gravity loads the heap
static const double gravity = 9.81;      // downwards: along the last axis
static const double thermal_speed = 0.5; // deviation of the random velocities

typedef struct pair {
    int64_t a, b; // a may be RICO_GROUND; the normal points from a to b
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
    rico_assembly assembly;
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
    if (h->bodies == 1) h->pairs[count++] = (pair){RICO_GROUND, 0};
    for (int64_t i = 0; i + 1 < h->bodies; i += 2) h->pairs[count++] = (pair){i, i + 1};
    if (h->bodies > 1 && h->bodies % 2) h->pairs[count++] = (pair){h->bodies - 2, h->bodies - 1};
    h->cover = count;

    for (int64_t i = 0; i < h->bodies; i++) {
        int64_t cell[3];
        cell_of_number(h->side, i, cell);
        if (cell[h->dim - 1] == 0 && h->bodies > 1) h->pairs[count++] = (pair){RICO_GROUND, i};
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


// Where a pair touches: between the two centres, or below the body that lies on the ground.
static void draw_point(heap *h, pair p, double *point)
{
    const double *b = &h->position[h->dim * p.b];
    const double *a = p.a == RICO_GROUND ? b : &h->position[h->dim * p.a];
    for (int k = 0; k < h->dim; k++)
        point[k] = 0.5 * (a[k] + b[k]) + rico_random_range(&h->random, -jitter, jitter);
    if (p.a == RICO_GROUND) point[h->dim - 1] = 0.0;
}


// An orthonormal frame, row by row, whose first vector leans from a to b (upwards from the ground); the others
// are drawn at random around it.
static void draw_frame(heap *h, pair p, double frame[9])
{
    const int n = h->dim;
    double *normal = frame;
    for (int k = 0; k < n; k++) {
        double along = k == n - 1;
        if (p.a != RICO_GROUND) along = h->position[n * p.b + k] - h->position[n * p.a + k];
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
    rico_vec3_cross(normal, first, second);
}


static void put_contacts(heap *h, const rico_random_heap *o)
{
    for (int64_t i = 0; i < o->contacts; i++) {
        // once every pair touches, pairs take further points
        pair p = h->pairs[i % h->pair_count];
        rico_junction contact = {.a = p.a, .b = p.b};
        draw_point(h, p, contact.point);
        draw_frame(h, p, contact.frame);
        double spread = o->friction_spread * rico_random_range(&h->random, -1.0, 1.0);
        contact.block = (rico_block){.kind = h->dim == 3 ? RICO_COULOMB_3D : RICO_COULOMB_2D,
                                     .size = h->dim,
                                     .friction = o->friction * (1.0 + spread)};
        rico_assembly_add_junction(&h->assembly, &contact);
    }
}


static void put_joints(heap *h, int64_t joints)
{
    for (int64_t i = 0; i < joints; i++) {
        pair p = h->pairs[rico_random_below(&h->random, h->pair_count)];
        rico_junction joint = {.a = p.a, .b = p.b, .block = {.kind = RICO_EQUALITY, .size = h->dim}};
        draw_point(h, p, joint.point);
        for (int k = 0; k < h->dim; k++) joint.frame[h->dim * k + k] = 1.0; // along the axes
        rico_assembly_add_junction(&h->assembly, &joint);
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


// Every body with random velocities and what gravity adds in one step.
static void put_bodies(heap *h)
{
    for (int64_t i = 0; i < h->bodies; i++) {
        rico_rigid_body body = {0};
        for (int k = 0; k < h->dim; k++) body.centre[k] = h->position[h->dim * i + k];
        body.mass = draw_inertia(h, body.inertia);
        for (int k = 0; k < h->velocities; k++)
            body.velocity[k] = thermal_speed * rico_random_normal(&h->random);
        body.velocity[h->dim - 1] -= step * gravity;
        rico_assembly_add_body(&h->assembly, &body);
    }
}


rico_status rico_generate_random(rico_context *ctx, const rico_random_heap *options, rico_problem **out)
{
    rico_status status = check_options(ctx, options);
    if (status) return status;

    heap h = {.ctx = ctx,
              .dim = options->dimension,
              .velocities = options->dimension == 3 ? 6 : 3,
              .bodies = options->bodies,
              .side = 1,
              .assembly = rico_assembly_start(ctx, options->dimension)};
    while ((h.dim == 3 ? h.side * h.side : h.side) * h.side < h.bodies) h.side++;
    rico_random_seed(&h.random, options->seed);

    h.position = rico_alloc(ctx, h.dim * h.bodies, sizeof *h.position);
    h.pairs = rico_alloc(ctx, (h.dim + 2) * h.bodies + 1, sizeof *h.pairs);
    status = h.position && h.pairs ? RICO_OK : RICO_NO_MEMORY;
    if (!status) {
        place_bodies(&h);
        list_pairs(&h);
        put_bodies(&h);
        put_contacts(&h, options);
        put_joints(&h, options->joints);
        status = rico_assembly_finish(&h.assembly, options->reduced, out);
    }
    rico_assembly_release(&h.assembly);
    rico_free(ctx, h.position);
    rico_free(ctx, h.pairs);
    return status;
}
