// The mechanisms of Acary 2012 that tests share: rocking block, slider and roller, impacting bar.

#ifndef RICO_TESTS_STEP_MECHANISMS_H
#define RICO_TESTS_STEP_MECHANISMS_H

#include "ricochet/ricochet.h"
#include "support.h"

// A block of height l and length L above the ground, q = (x, y, angle), its lower corners A and B (example 3).
typedef struct rocking_corner {
    double height, length, side; // side = +1 at A, -1 at B
} rocking_corner;

static inline bool corner_gap(void *user, double t, const double *q, double *gap)
{
    (void)t;
    const rocking_corner *corner = user;
    *gap = q[1] - 0.5 * corner->height * cos(q[2]) + 0.5 * corner->side * corner->length * sin(q[2]);
    return true;
}


static inline bool corner_frame(void *user, double t, const double *q, double *H)
{
    (void)t;
    const rocking_corner *corner = user;
    H[0] = 0.0;
    H[1] = 1.0;
    H[2] = 0.5 * corner->height * sin(q[2]) + 0.5 * corner->side * corner->length * cos(q[2]);
    return true;
}


// m = 1, gravity 9.81; corners[2] must live as long as the system.
static inline rico_system *rocking_block(rico_context *ctx, double e, rocking_corner *corners)
{
    const double l = 1.5, L = 1.0, mass[] = {1.0, 1.0, (l * l + L * L) / 12.0}, force[] = {0.0, -9.81, 0.0};
    const int64_t start[] = {0, 1, 2, 3}, row[] = {0, 1, 2}, dof[] = {0, 1, 2};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 3, .M = {3, 3, start, row, mass}, .force = force};
    assert_ok(ctx, rico_system_add_matrices(system, "block", &part, NULL));
    for (int side = 0; side < 2; side++) {
        corners[side] = (rocking_corner){l, L, side == 0 ? 1.0 : -1.0};
        rico_contact contact = {.dimension = 1,
                                .restitution = e,
                                .reach = {3, dof},
                                .gap = corner_gap,
                                .frame = corner_frame,
                                .user = &corners[side]};
        assert_ok(ctx, rico_system_add_contact(system, side == 0 ? "A" : "B", &contact, NULL));
    }
    return system;
}


// A slider of mass m that falls vertically onto a roller of radius R turned by a torque: q = (height, angle), friction
// between the two (figure 8).
typedef struct slider_roller {
    double mass, inertia, radius, gravity, friction, restitution, torque;
} slider_roller;

static inline rico_system *slider_and_roller(rico_context *ctx, const slider_roller *given)
{
    const int64_t start[] = {0, 1, 2}, row[] = {0, 1}, dof[] = {0, 1};
    const double mass[] = {given->mass, given->inertia};
    const double force[] = {-given->mass * given->gravity, given->torque};
    const double frame[] = {1.0, 0.0, 0.0, -given->radius}; // the slider seen from the roller's surface
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 2, .M = {2, 2, start, row, mass}, .force = force};
    assert_ok(ctx, rico_system_add_matrices(system, "slider and roller", &part, NULL));
    rico_contact contact = {.dimension = 2,
                            .restitution = given->restitution,
                            .friction = given->friction,
                            .reach = {2, dof},
                            .gradient = frame};
    assert_ok(ctx, rico_system_add_contact(system, "contact", &contact, NULL));
    return system;
}


// An elastic bar of `elements` linear rod elements with consistent mass; q holds displacements, node 0 stands `gap`
// above the wall (section 6.2, eq. 71 and table 1).
typedef struct bar {
    double length, section, young, density, gap, restitution;
} bar;

static inline bar steel_bar(void)
{
    bar steel = {.length = 1.0, .section = 1e-4 * M_PI, .young = 210e9, .density = 7800.0};
    return steel;
}


static inline rico_system *impacting_bar(rico_context *ctx, const bar *given, int64_t elements)
{
    int64_t n = elements + 1, at = 0;
    int64_t *start = malloc((size_t)(n + 1) * sizeof *start), *row = malloc((size_t)(3 * n) * sizeof *row);
    double *M = malloc((size_t)(3 * n) * sizeof *M), *K = malloc((size_t)(3 * n) * sizeof *K);
    double le = given->length / (double)elements;
    double m = given->density * given->section * le / 6.0, k = given->young * given->section / le;
    for (int64_t j = 0; j < n; j++) {
        start[j] = at;
        for (int64_t i = j > 0 ? j - 1 : 0; i <= j + 1 && i < n; i++) {
            int shared = j > 0 && j < n - 1 ? 2 : 1;
            row[at] = i;
            M[at] = i == j ? 2.0 * m * shared : m;
            K[at++] = i == j ? k * shared : -k;
        }
    }
    start[n] = at;
    const int64_t dof[] = {0};
    const double one[] = {1.0};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = n, .M = {n, n, start, row, M}, .K = {n, n, start, row, K}};
    assert_ok(ctx, rico_system_add_matrices(system, "bar", &part, NULL));
    rico_contact wall = {.dimension = 1,
                         .restitution = given->restitution,
                         .reach = {1, dof},
                         .gradient = one,
                         .offset = given->gap};
    assert_ok(ctx, rico_system_add_contact(system, "wall", &wall, NULL));
    free(start);
    free(row);
    free(M);
    free(K);
    return system;
}

#endif
