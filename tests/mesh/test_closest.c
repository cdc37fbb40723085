// The nearest point of a face, against searching by brute force, and the conditions that it fulfils.

#include "mesh/face.h"

#include "la/vec3.h"
#include "support.h"

static const rico_cell_kind KINDS[] = {RICO_CELL_LINE2, RICO_CELL_LINE3, RICO_CELL_T3, RICO_CELL_T6,
                                       RICO_CELL_Q4};

// Faces of about unit size, bent by up to `bend`; those of lines lie in the plane.
static void make_face(rico_random *random, rico_cell_kind kind, double bend, double *x)
{
    static const double SQUARE[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}},
                        TRIANGLE[3][2] = {{0, 0}, {1, 0}, {0, 1}};
    int nodes = rico_cells[kind].nodes, corners = rico_cells[kind].corners;
    bool line = rico_cells[kind].dimension == 1;
    for (int k = 0; k < nodes; k++)
        for (int i = 0; i < 3; i++) {
            double at = 0.0;
            const double *place = kind == RICO_CELL_Q4 ? SQUARE[k % 4] : TRIANGLE[k % 3];
            if (k < corners && i < 2) at = line ? (i == 0 ? k : 0.3 * k) : place[i];
            if (k >= corners)
                at = 0.5 * (x[3 * (k - corners) + i] + x[3 * ((k - corners + 1) % corners) + i]);
            x[3 * k + i] = at + (line && i == 2 ? 0.0 : bend * rico_random_range(random, -1.0, 1.0));
        }
}


static double distance_at(rico_cell_kind kind, const double *x, double a, double b, const double p[3])
{
    double at[3];
    rico_face_point(kind, x, (double[2]){a, b}, at, NULL);
    rico_vec3_subtract(at, p, at);
    return rico_vec3_norm(at);
}


static double by_force(rico_cell_kind kind, const double *x, const double p[3])
{
    enum { GRID = 60 };
    double best = INFINITY;
    bool line = rico_cells[kind].dimension == 1, triangle = rico_cells[kind].corners == 3;
    for (int i = 0; i <= GRID; i++)
        for (int j = 0; j <= (line ? 0 : triangle ? GRID - i : GRID); j++) {
            double a = (double)i / GRID, b = (double)j / GRID;
            if (!triangle) a = 2.0 * a - 1.0, b = 2.0 * b - 1.0;
            best = fmin(best, distance_at(kind, x, a, line ? 0.0 : b, p));
        }
    return best;
}


static void nearest(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 5);
    for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++)
        for (int trial = 0; trial < 300; trial++) {
            double x[3 * RICO_FACE_NODES], p[3];
            rico_cell_kind kind = KINDS[k];
            bool line = rico_cells[kind].dimension == 1;
            make_face(&random, kind, trial % 2 ? 0.15 : 0.0, x);
            for (int i = 0; i < 3; i++) p[i] = 0.4 + 0.9 * rico_random_range(&random, -1.0, 1.0);
            if (line) p[2] = 0.0;
            rico_nearby near;
            rico_face_nearest(kind, x, p, &near);
            double force = by_force(kind, x, p);
            assert_true(near.distance <= force + 1e-14);
            assert_true(near.distance >= force - 0.05);
            // inside: the way to p is along the normal, and the gap is the distance
            double normal[3], way[3], at[3], tangent[6];
            rico_face_point(kind, x, near.xi, at, tangent);
            rico_vec3_subtract(p, at, way);
            if (near.place != RICO_FACE_INSIDE) continue;
            assert_at_most(fabs(rico_vec3_dot(way, tangent)), 1e-13);
            assert_at_most(fabs(rico_vec3_dot(way, tangent + 3)), 1e-13);
            rico_face_normal(kind, x, near.xi, normal);
            assert_near(fabs(rico_vec3_dot(way, normal)), near.distance, 1e-13);
        }
}


// A place on the face is found again, and a small motion moves it by little.
static void again(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 6);
    for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++)
        for (int trial = 0; trial < 100; trial++) {
            rico_cell_kind kind = KINDS[k];
            double x[3 * RICO_FACE_NODES], at[3], normal[3], p[3];
            make_face(&random, kind, 0.08, x);
            double xi[2] = {0.05 + 0.4 * fabs(rico_random_range(&random, -1.0, 1.0)),
                            0.05 + 0.4 * fabs(rico_random_range(&random, -1.0, 1.0))};
            if (rico_cells[kind].dimension == 1) xi[1] = 0.0;
            rico_face_point(kind, x, xi, at, NULL);
            rico_face_normal(kind, x, xi, normal);
            double gap = 0.1 * rico_random_range(&random, -1.0, 1.0);
            rico_vec3_copy(at, p);
            rico_vec3_add_scaled(gap, normal, p);
            rico_nearby near, moved;
            rico_face_nearest(kind, x, p, &near);
            assert_int_equal(near.place, RICO_FACE_INSIDE);
            assert_near(near.xi[0], xi[0], 1e-12);
            assert_near(near.xi[1], xi[1], 1e-12);
            assert_near(near.distance, fabs(gap), 1e-13);
            p[0] += 1e-7;
            rico_face_nearest(kind, x, p, &moved);
            assert_at_most(fabs(moved.xi[0] - near.xi[0]) + fabs(moved.xi[1] - near.xi[1]), 2e-6);
        }
}


// Sides and corners by name, on a flat square and a flat triangle.
static void places(void **state)
{
    (void)state;
    const double square[12] = {0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0}, triangle[9] = {0, 0, 0, 2, 0, 0, 0, 2, 0};
    rico_nearby near;
    rico_face_nearest(RICO_CELL_Q4, square, (double[3]){1.0, -1.0, 0.5}, &near);
    assert_true(near.place == RICO_FACE_SIDE && near.which == 0);
    assert_near(near.distance, sqrt(1.25), 1e-15);
    rico_face_nearest(RICO_CELL_Q4, square, (double[3]){3.0, 3.0, 1.0}, &near);
    assert_true(near.place == RICO_FACE_CORNER && near.which == 2);
    assert_near(near.distance, sqrt(3.0), 1e-15);
    rico_face_nearest(RICO_CELL_T3, triangle, (double[3]){2.0, 2.0, 0.0}, &near);
    assert_true(near.place == RICO_FACE_SIDE && near.which == 1);
    assert_near(near.distance, sqrt(2.0), 1e-15);
    rico_face_nearest(RICO_CELL_T3, triangle, (double[3]){-1.0, -1.0, 0.0}, &near);
    assert_true(near.place == RICO_FACE_CORNER && near.which == 0);
    rico_face_nearest(RICO_CELL_LINE2, square, (double[3]){2.5, 1.0, 0.0}, &near);
    assert_true(near.place == RICO_FACE_CORNER && near.which == 1);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nearest), cmocka_unit_test(again),
                                       cmocka_unit_test(places)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
