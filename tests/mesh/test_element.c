// Elements one by one: quadrature, shape functions, faces, rank, rigid motions, masses and laws of materials (spec/10, 1.1 and 1.2).

#include "la/dense.h"
#include "la/mat3.h"
#include "mesh/element.h"
#include "one_context.h"

static const rico_cell_kind KINDS[] = {RICO_CELL_LINE2, RICO_CELL_LINE3, RICO_CELL_T3,
                                       RICO_CELL_T6,    RICO_CELL_Q4,    RICO_CELL_Q8,
                                       RICO_CELL_TET4,  RICO_CELL_TET10, RICO_CELL_H8};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };


// --- quadrature ------------------------------------------------------------------------------------------------------

static double factorial(int n)
{
    return n < 2 ? 1.0 : n * factorial(n - 1);
}


// Integral of x^a y^b z^c: products of lines, or a! b! c!/(a + b + c + d)! (Stroud 1971).
static double exact(const rico_quadrature *rule, const int power[3])
{
    double value = 1.0, sum = 0.0;
    for (int i = 0; i < rule->dimension; i++) {
        sum += power[i];
        value *= rule->side > 0 ? (power[i] % 2 ? 0.0 : 2.0 / (power[i] + 1)) : factorial(power[i]);
    }
    return rule->side > 0 ? value : value / factorial((int)sum + rule->dimension);
}


static void quadrature_is_as_exact_as_it_says(void **state)
{
    (void)state;
    const rico_quadrature *rules[] = {&rico_gauss_line[0],
                                      &rico_gauss_line[1],
                                      &rico_gauss_line[2],
                                      &rico_gauss_line[3],
                                      &rico_gauss_square[0],
                                      &rico_gauss_square[1],
                                      &rico_gauss_square[2],
                                      &rico_gauss_square[3],
                                      &rico_gauss_cube[0],
                                      &rico_gauss_cube[1],
                                      &rico_gauss_cube[2],
                                      &rico_triangle_1,
                                      &rico_triangle_2,
                                      &rico_triangle_4,
                                      &rico_triangle_5,
                                      &rico_tetrahedron_1,
                                      &rico_tetrahedron_2,
                                      &rico_tetrahedron_5,
                                      NULL};
    for (size_t r = 0; rules[r]; r++) {
        const rico_quadrature *rule = rules[r];
        int most = rule->degree, p[3];
        for (p[0] = 0; p[0] <= most; p[0]++)
            for (p[1] = 0; p[1] <= (rule->dimension > 1 ? most : 0); p[1]++)
                for (p[2] = 0; p[2] <= (rule->dimension > 2 ? most : 0); p[2]++) {
                    if (rule->side == 0 && p[0] + p[1] + p[2] > most) continue;
                    double sum = 0.0;
                    for (int k = 0; k < rule->count; k++) {
                        double xi[3], weight = rico_quadrature_point(rule, k, xi);
                        assert_true(weight > 0.0);
                        sum += weight * pow(xi[0], p[0]) * pow(xi[1], p[1]) * pow(xi[2], p[2]);
                    }
                    assert_near(sum, exact(rule, p), 4e-16 * rule->count);
                }
    }
}


// --- shape functions -------------------------------------------------------------------------------------------------

static void shape_functions_interpolate(void **state)
{
    (void)state;
    for (int c = 0; c < KIND_COUNT; c++) {
        const rico_element *element = &rico_elements[KINDS[c]];
        int nodes = rico_cells[KINDS[c]].nodes, dimension = rico_cells[KINDS[c]].dimension;
        double N[RICO_CELL_NODES], dN[3 * RICO_CELL_NODES];
        for (int b = 0; b < nodes; b++) {
            element->shape(element->node[b], N);
            for (int a = 0; a < nodes; a++) assert_near(N[a], a == b ? 1.0 : 0.0, 1e-16);
        }
        const double at[3] = {0.21, 0.33, 0.17}, step = 1e-3;
        double sum = 0.0;
        element->shape(at, N);
        element->slope(at, dN);
        for (int a = 0; a < nodes; a++) sum += N[a];
        assert_near(sum, 1.0, 1e-15);
        for (int i = 0; i < 3; i++) {
            double up[RICO_CELL_NODES], down[RICO_CELL_NODES], x[3];
            rico_vec3_copy(at, x);
            if (i < dimension) x[i] += step;
            element->shape(x, up);
            rico_vec3_copy(at, x);
            if (i < dimension) x[i] -= step;
            element->shape(x, down);
            // along one coordinate no function has a degree above two
            for (int a = 0; a < nodes; a++)
                assert_near(dN[3 * a + i], (up[a] - down[a]) / (2.0 * step), 1e-12);
        }
    }
}


// Faces point outwards, and a uniform pressure of 1 on a face of area 1 gives the nodes the shares of spec/10, 1.2.
static void faces_point_outwards_and_share_pressure(void **state)
{
    (void)state;
    for (int c = 0; c < KIND_COUNT; c++) {
        const rico_cell_info *info = &rico_cells[KINDS[c]];
        const rico_element *element = &rico_elements[KINDS[c]];
        for (int f = 0; info->dimension > 1 && f < info->faces; f++) {
            double X[3 * RICO_CELL_NODES];
            rico_face_point at;
            for (int k = 0; k < rico_cells[info->face].nodes; k++)
                rico_vec3_copy(element->node[info->face_node[f][k]], X + 3 * k);
            rico_face_at(info->face, X, rico_elements[info->face].centre, &at);
            rico_vec3_subtract(at.x, element->centre, at.x);
            assert_true(rico_vec3_dot(at.x, at.normal) > 0.0);
        }
    }
    static const struct {
        rico_cell_kind kind;
        double corner, middle, area;
    } SHARES[] = {{RICO_CELL_LINE2, 0.5, 0.0, 2.0},    {RICO_CELL_LINE3, 1.0 / 6.0, 4.0 / 6.0, 2.0},
                  {RICO_CELL_T3, 1.0 / 3.0, 0.0, 0.5}, {RICO_CELL_T6, 0.0, 1.0 / 3.0, 0.5},
                  {RICO_CELL_Q4, 0.25, 0.0, 4.0},      {RICO_CELL_Q8, -1.0 / 12.0, 1.0 / 3.0, 4.0}};
    for (size_t s = 0; s < sizeof SHARES / sizeof *SHARES; s++) {
        const rico_element *element = &rico_elements[SHARES[s].kind];
        int nodes = rico_cells[SHARES[s].kind].nodes;
        double X[3 * RICO_CELL_NODES], force[RICO_CELL_NODES] = {0.0};
        for (int a = 0; a < nodes; a++) rico_vec3_copy(element->node[a], X + 3 * a);
        for (int k = 0; k < element->load->count; k++) {
            rico_face_point at;
            double xi[3], weight = rico_quadrature_point(element->load, k, xi);
            rico_face_at(SHARES[s].kind, X, xi, &at);
            for (int a = 0; a < nodes; a++)
                force[a] += weight * at.N[a] * rico_vec3_norm(at.normal) / SHARES[s].area;
        }
        for (int a = 0; a < nodes; a++)
            assert_near(force[a],
                        a < rico_cells[SHARES[s].kind].corners ? SHARES[s].corner : SHARES[s].middle, 1e-15);
    }
}


// --- stiffness -------------------------------------------------------------------------------------------------------

typedef struct sample {
    rico_cell_kind kind;
    rico_hypothesis hypothesis;
    rico_remedy remedy;
} sample;

static const sample SAMPLES[] = {
    {RICO_CELL_LINE2, RICO_ROD, RICO_REMEDY_NONE},        {RICO_CELL_LINE3, RICO_ROD, RICO_REMEDY_NONE},
    {RICO_CELL_T3, RICO_PLANE_STRAIN, RICO_REMEDY_NONE},  {RICO_CELL_T3, RICO_PLANE_STRESS, RICO_REMEDY_NONE},
    {RICO_CELL_T3, RICO_AXISYMMETRIC, RICO_REMEDY_NONE},  {RICO_CELL_T6, RICO_PLANE_STRAIN, RICO_REMEDY_NONE},
    {RICO_CELL_T6, RICO_PLANE_STRESS, RICO_REMEDY_NONE},  {RICO_CELL_T6, RICO_AXISYMMETRIC, RICO_REMEDY_NONE},
    {RICO_CELL_Q4, RICO_PLANE_STRAIN, RICO_REMEDY_NONE},  {RICO_CELL_Q4, RICO_PLANE_STRAIN, RICO_REMEDY_BAR},
    {RICO_CELL_Q4, RICO_PLANE_STRAIN, RICO_REMEDY_MODES}, {RICO_CELL_Q4, RICO_PLANE_STRESS, RICO_REMEDY_NONE},
    {RICO_CELL_Q4, RICO_PLANE_STRESS, RICO_REMEDY_MODES}, {RICO_CELL_Q4, RICO_AXISYMMETRIC, RICO_REMEDY_NONE},
    {RICO_CELL_Q4, RICO_AXISYMMETRIC, RICO_REMEDY_BAR},   {RICO_CELL_Q8, RICO_PLANE_STRAIN, RICO_REMEDY_NONE},
    {RICO_CELL_Q8, RICO_PLANE_STRESS, RICO_REMEDY_NONE},  {RICO_CELL_Q8, RICO_AXISYMMETRIC, RICO_REMEDY_NONE},
    {RICO_CELL_TET4, RICO_SOLID, RICO_REMEDY_NONE},       {RICO_CELL_TET10, RICO_SOLID, RICO_REMEDY_NONE},
    {RICO_CELL_H8, RICO_SOLID, RICO_REMEDY_NONE},         {RICO_CELL_H8, RICO_SOLID, RICO_REMEDY_BAR},
    {RICO_CELL_H8, RICO_SOLID, RICO_REMEDY_MODES},
};
enum { SAMPLE_COUNT = sizeof SAMPLES / sizeof *SAMPLES };

static const double SAME[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};


static rico_element_law law_of(const sample *s)
{
    rico_elastic_material material = rico_elastic_material_default();
    rico_element_law law;
    material.young = 7.0, material.poisson = 0.3, material.density = 2.0, material.thickness = 0.4;
    assert_ok(ctx, rico_element_law_make(ctx, "sample", &material, s->hypothesis, s->remedy, SAME, &law));
    return law;
}


// Corners moved, middles of edges put between them; away from the axis.
static void positions(rico_cell_kind kind, double by, double *X)
{
    const rico_element *element = &rico_elements[kind];
    const rico_cell_info *info = &rico_cells[kind];
    double corner[8][3], N[RICO_CELL_NODES];
    rico_random random;
    rico_random_seed(&random, 5);
    for (int a = 0; a < info->corners; a++)
        for (int i = 0; i < 3; i++)
            corner[a][i] = i < info->dimension ? element->node[a][i] + rico_random_range(&random, -by, by) +
                                                     (i == 0 ? 3.0 : 0.0)
                                               : 0.0;
    for (int a = 0; a < info->nodes; a++) {
        rico_elements[element->corners].shape(element->node[a], N);
        rico_vec3_set(0.0, 0.0, 0.0, X + 3 * a);
        for (int b = 0; b < info->corners; b++) rico_vec3_add_scaled(N[b], corner[b], X + 3 * a);
    }
}


static double largest(int n, const double *a)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i]));
    return most;
}


// E1: as many zero eigenvalues as there are rigid motions, all others above.
static void rank_is_full_but_for_rigid_motions(void **state)
{
    (void)state;
    static const int RIGID[] = {[RICO_ROD] = 1,
                                [RICO_PLANE_STRAIN] = 3,
                                [RICO_PLANE_STRESS] = 3,
                                [RICO_AXISYMMETRIC] = 1,
                                [RICO_SOLID] = 6};
    for (int s = 0; s < SAMPLE_COUNT; s++) {
        rico_element_law law = law_of(&SAMPLES[s]);
        double X[3 * RICO_CELL_NODES], K[RICO_ELEMENT_DOFS * RICO_ELEMENT_DOFS], value[RICO_ELEMENT_DOFS];
        int n = rico_cells[SAMPLES[s].kind].nodes * law.hypothesis->directions, zeros = 0;
        positions(SAMPLES[s].kind, 0.1, X);
        assert_true(rico_element_stiffness(&law, SAMPLES[s].kind, X, K));
        assert_ok(ctx, rico_dense_eigen(ctx, n, K, false, value));
        for (int i = 0; i < n; i++) {
            zeros += fabs(value[i]) < 1e-12 * value[n - 1];
            assert_true(value[i] > -1e-13 * value[n - 1]);
        }
        assert_int_equal(zeros, RIGID[SAMPLES[s].hypothesis]);
        assert_true(value[zeros] > 1e-5 * value[n - 1]);
    }
}


// E4: translations and small rotations give no force.
static void rigid_motions_give_no_force(void **state)
{
    (void)state;
    for (int s = 0; s < SAMPLE_COUNT; s++) {
        rico_element_law law = law_of(&SAMPLES[s]);
        double X[3 * RICO_CELL_NODES], K[RICO_ELEMENT_DOFS * RICO_ELEMENT_DOFS];
        int nodes = rico_cells[SAMPLES[s].kind].nodes, per = law.hypothesis->directions, n = nodes * per;
        const double shift[3] = {law.hypothesis->ring ? 0.0 : 1.0, -2.0, 0.5};
        double spin[3] = {0.0, 0.0, per > 1 && !law.hypothesis->ring ? 0.7 : 0.0};
        if (per == 3) spin[0] = 0.3, spin[1] = -0.4;
        positions(SAMPLES[s].kind, 0.1, X);
        assert_true(rico_element_stiffness(&law, SAMPLES[s].kind, X, K));
        for (int i = 0; i < n; i++) {
            double force = 0.0;
            for (int j = 0; j < n; j++) {
                double turned[3];
                rico_vec3_cross(spin, X + 3 * (j / per), turned);
                force += K[i + n * j] * (shift[j % per] + turned[j % per]);
            }
            assert_at_most(fabs(force), 2e-14 * largest(n * n, K));
        }
    }
}


// E4: the same cell with other first nodes, and turned.
static void numbers_and_axes_do_not_matter(void **state)
{
    (void)state;
    static const int TURNED[][8] = {[RICO_CELL_T3] = {1, 2, 0},
                                    [RICO_CELL_T6] = {1, 2, 0, 4, 5, 3},
                                    [RICO_CELL_Q4] = {1, 2, 3, 0},
                                    [RICO_CELL_Q8] = {1, 2, 3, 0, 5, 6, 7, 4},
                                    [RICO_CELL_H8] = {1, 2, 3, 0, 5, 6, 7, 4}};
    for (int s = 0; s < SAMPLE_COUNT; s++) {
        rico_cell_kind kind = SAMPLES[s].kind;
        if (rico_cells[kind].dimension < 2) continue;
        rico_element_law law = law_of(&SAMPLES[s]);
        double X[3 * RICO_CELL_NODES], Y[3 * RICO_CELL_NODES], K[RICO_ELEMENT_DOFS * RICO_ELEMENT_DOFS],
            L[RICO_ELEMENT_DOFS * RICO_ELEMENT_DOFS];
        int nodes = rico_cells[kind].nodes, per = law.hypothesis->directions, n = nodes * per;
        positions(kind, 0.1, X);
        assert_true(rico_element_stiffness(&law, kind, X, K));
        if (kind != RICO_CELL_TET4 && kind != RICO_CELL_TET10) {
            for (int a = 0; a < nodes; a++) rico_vec3_copy(X + 3 * TURNED[kind][a], Y + 3 * a);
            assert_true(rico_element_stiffness(&law, kind, Y, L));
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) {
                    int r = TURNED[kind][i / per] * per + i % per, c = TURNED[kind][j / per] * per + j % per;
                    assert_near(L[i + n * j], K[r + n * c], 1e-13 * largest(n * n, K));
                }
        }
        if (law.hypothesis->ring) continue;
        double R[9] = {0.6, -0.8, 0.0, 0.8, 0.6, 0.0, 0.0, 0.0, 1.0},
               about_x[9] = {1.0, 0.0, 0.0, 0.0, 0.28, -0.96, 0.0, 0.96, 0.28};
        if (per == 3) rico_mat3_multiply(about_x, R, R);
        for (int a = 0; a < nodes; a++) rico_mat3_times(R, X + 3 * a, Y + 3 * a);
        assert_true(rico_element_stiffness(&law, kind, Y, L));
        for (int a = 0; a < nodes; a++)
            for (int b = 0; b < nodes; b++)
                for (int i = 0; i < per; i++)
                    for (int j = 0; j < per; j++) {
                        double turned = 0.0;
                        for (int k = 0; k < per; k++)
                            for (int m = 0; m < per; m++)
                                turned += R[3 * i + k] * K[a * per + k + n * (b * per + m)] * R[3 * j + m];
                        assert_near(L[a * per + i + n * (b * per + j)], turned, 1e-13 * largest(n * n, K));
                    }
    }
}


static void cells_inside_out_are_refused(void **state)
{
    (void)state;
    for (int s = 0; s < SAMPLE_COUNT; s++) {
        rico_element_law law = law_of(&SAMPLES[s]);
        double X[3 * RICO_CELL_NODES], K[RICO_ELEMENT_DOFS * RICO_ELEMENT_DOFS];
        if (rico_cells[SAMPLES[s].kind].dimension < 2) continue;
        positions(SAMPLES[s].kind, 0.0, X);
        for (int a = 0; a < rico_cells[SAMPLES[s].kind].nodes; a++) X[3 * a + 1] *= -1.0;
        assert_false(rico_element_stiffness(&law, SAMPLES[s].kind, X, K));
        assert_false(rico_element_mass(&law, SAMPLES[s].kind, X, K));
    }
}


// --- mass ------------------------------------------------------------------------------------------------------------

// The rows of spec/10, 1.2, over the element's mass; middles of Tet10 in the order 12 23 31 14 34 24.
static void consistent_masses_are_known(void **state)
{
    (void)state;
    static const struct {
        rico_cell_kind kind;
        int row;
        double over, value[10];
    } ROWS[] = {{RICO_CELL_T3, 0, 12, {2, 1, 1}},
                {RICO_CELL_TET4, 0, 20, {2, 1, 1, 1}},
                {RICO_CELL_Q4, 0, 36, {4, 2, 1, 2}},
                {RICO_CELL_H8, 0, 216, {8, 4, 2, 4, 4, 2, 1, 2}},
                {RICO_CELL_T6, 0, 180, {6, -1, -1, 0, -4, 0}},
                {RICO_CELL_T6, 3, 180, {0, 0, -4, 32, 16, 16}},
                {RICO_CELL_Q8, 0, 180, {6, 2, 3, 2, -6, -8, -8, -6}},
                {RICO_CELL_Q8, 4, 180, {-6, -6, -8, -8, 32, 20, 16, 20}},
                {RICO_CELL_TET10, 0, 420, {6, 1, 1, 1, -4, -6, -4, -4, -6, -6}},
                {RICO_CELL_TET10, 4, 420, {-4, -4, -6, -6, 32, 16, 16, 16, 8, 16}}};
    static const double VOLUME[RICO_CELL_KINDS] = {
        [RICO_CELL_T3] = 0.5,         [RICO_CELL_T6] = 0.5, [RICO_CELL_Q4] = 4.0,
        [RICO_CELL_Q8] = 4.0,         [RICO_CELL_H8] = 8.0, [RICO_CELL_TET4] = 1.0 / 6.0,
        [RICO_CELL_TET10] = 1.0 / 6.0};
    for (size_t r = 0; r < sizeof ROWS / sizeof *ROWS; r++) {
        rico_cell_kind kind = ROWS[r].kind;
        sample s = {kind, rico_cells[kind].dimension == 3 ? RICO_SOLID : RICO_PLANE_STRESS, RICO_REMEDY_NONE};
        rico_element_law law = law_of(&s);
        double X[3 * RICO_CELL_NODES], M[RICO_CELL_NODES * RICO_CELL_NODES];
        int nodes = rico_cells[kind].nodes;
        positions(kind, 0.0, X);
        assert_true(rico_element_mass(&law, kind, X, M));
        double mass = law.density * law.thickness * VOLUME[kind];
        for (int b = 0; b < nodes; b++)
            assert_near(M[ROWS[r].row + nodes * b] / mass, ROWS[r].value[b] / ROWS[r].over, 1e-15);
    }
}


static void lumped_masses_are_known(void **state)
{
    (void)state;
    static const struct {
        rico_cell_kind kind;
        double corner, middle;
    } KNOWN[] = {{RICO_CELL_T3, 1.0 / 3.0, 0.0},
                 {RICO_CELL_Q4, 0.25, 0.0},
                 {RICO_CELL_TET4, 0.25, 0.0},
                 {RICO_CELL_H8, 0.125, 0.0},
                 {RICO_CELL_T6, 1.0 / 19.0, 16.0 / 57.0},
                 {RICO_CELL_Q8, 3.0 / 76.0, 16.0 / 76.0},
                 {RICO_CELL_TET10, 1.0 / 36.0, 4.0 / 27.0}};
    for (size_t k = 0; k < sizeof KNOWN / sizeof *KNOWN; k++) {
        rico_cell_kind kind = KNOWN[k].kind;
        sample s = {kind, rico_cells[kind].dimension == 3 ? RICO_SOLID : RICO_PLANE_STRAIN, RICO_REMEDY_NONE};
        rico_element_law law = law_of(&s);
        double X[3 * RICO_CELL_NODES], m[RICO_CELL_NODES], total = 0.0;
        positions(kind, 0.0, X);
        assert_true(rico_element_lumped(&law, kind, X, m));
        for (int a = 0; a < rico_cells[kind].nodes; a++) total += m[a];
        for (int a = 0; a < rico_cells[kind].nodes; a++)
            assert_near(m[a] / total, a < rico_cells[kind].corners ? KNOWN[k].corner : KNOWN[k].middle,
                        1e-15);
    }
}


// E5: total mass of a distorted cell, by its corners; M positive definite; energy of a rigid velocity field, on an image of the regular
// cell under x = A xi: v'v integrates to sum over w_k of moments of the regular cell.
static void masses_carry_the_energy_of_rigid_motion(void **state)
{
    (void)state;
    for (int s = 0; s < SAMPLE_COUNT; s++) {
        rico_cell_kind kind = SAMPLES[s].kind;
        rico_element_law law = law_of(&SAMPLES[s]);
        if (law.hypothesis->ring || SAMPLES[s].remedy != RICO_REMEDY_NONE || rico_cells[kind].dimension < 2)
            continue;
        static const double A[9] = {1.2, 0.3, -0.2, 0.1, 0.9, 0.25, 0.15, -0.3, 1.1};
        int nodes = rico_cells[kind].nodes, dimension = rico_cells[kind].dimension;
        bool simplex = rico_elements[kind].centre[0] > 0.0;
        double X[3 * RICO_CELL_NODES] = {0.0}, M[RICO_CELL_NODES * RICO_CELL_NODES],
                     J[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
        for (int i = 0; i < dimension; i++)
            for (int j = 0; j < dimension; j++) J[3 * i + j] = A[3 * i + j];
        for (int a = 0; a < nodes; a++) rico_mat3_times(J, rico_elements[kind].node[a], X + 3 * a);
        assert_true(rico_element_mass(&law, kind, X, M));

        // moments of the regular cell: volume V, mean of xi xi' and of xi
        double V = simplex ? (dimension == 2 ? 0.5 : 1.0 / 6.0) : pow(2.0, dimension), second[9] = {0.0},
               place[9];
        for (int i = 0; i < dimension; i++)
            for (int j = 0; j < dimension; j++)
                second[3 * i + j] = simplex  ? (i == j ? 2.0 : 1.0) / ((dimension + 1) * (dimension + 2))
                                    : i == j ? 1.0 / 3.0
                                             : 0.0;
        double mass = law.density * law.thickness * V * rico_mat3_determinant(J), turned[9],
               spin[3] = {dimension == 3 ? 0.4 : 0.0, dimension == 3 ? -0.7 : 0.0, 1.1}, W[9], energy = 0.0,
               found = 0.0;
        rico_mat3_cross(spin, W);
        rico_mat3_multiply(W, J, turned);
        rico_mat3_multiply(turned, second, place);
        for (int k = 0; k < 9; k++) energy += mass * place[k] * turned[k];
        for (int a = 0; a < nodes; a++)
            for (int b = 0; b < nodes; b++) {
                double va[3], vb[3];
                rico_vec3_cross(spin, X + 3 * a, va);
                rico_vec3_cross(spin, X + 3 * b, vb);
                found += M[a + nodes * b] * rico_vec3_dot(va, vb);
            }
        assert_near(found, energy, 1e-13 * energy);
        double total = 0.0, value[RICO_CELL_NODES];
        for (int k = 0; k < nodes * nodes; k++) total += M[k];
        assert_near(total, mass, 1e-14 * mass);
        assert_ok(ctx, rico_dense_eigen(ctx, nodes, M, false, value));
        assert_true(value[0] > 0.0);
    }
}


// Rings: 2 pi r_mean A rho (Pappus), for any cell with straight sides.
static void rings_have_the_mass_of_pappus(void **state)
{
    (void)state;
    static const rico_cell_kind RINGS[] = {RICO_CELL_T3, RICO_CELL_T6, RICO_CELL_Q4, RICO_CELL_Q8};
    for (int k = 0; k < 4; k++) {
        sample s = {RINGS[k], RICO_AXISYMMETRIC, RICO_REMEDY_NONE};
        rico_element_law law = law_of(&s);
        double X[3 * RICO_CELL_NODES], M[RICO_CELL_NODES * RICO_CELL_NODES], twice = 0.0, moment = 0.0,
                                                                             total = 0.0;
        int nodes = rico_cells[RINGS[k]].nodes, corners = rico_cells[RINGS[k]].corners;
        positions(RINGS[k], 0.1, X);
        assert_true(rico_element_mass(&law, RINGS[k], X, M));
        for (int a = 0; a < corners; a++) {
            const double *p = X + 3 * a, *q = X + 3 * ((a + 1) % corners);
            double cross = p[0] * q[1] - q[0] * p[1];
            twice += cross;
            moment += cross * (p[0] + q[0]) / 6.0;
        }
        assert_true(twice > 0.0);
        for (int i = 0; i < nodes * nodes; i++) total += M[i];
        assert_near(total, 2.0 * M_PI * moment * law.density, 1e-13 * total);
    }
}


// --- materials -------------------------------------------------------------------------------------------------------

// A stress, the strain that nine constants give it by Hooke's law in their own axes, and back.
static void orthotropic_laws_invert_hookes(void **state)
{
    (void)state;
    rico_elastic_material wood = rico_elastic_material_default();
    wood.density = 1.0;
    wood.youngs[0] = 12.0, wood.youngs[1] = 0.9, wood.youngs[2] = 0.5;
    wood.poissons[0] = 0.4, wood.poissons[1] = 0.45, wood.poissons[2] = 0.5;
    wood.shears[0] = 0.7, wood.shears[1] = 0.65, wood.shears[2] = 0.05;
    for (int hypothesis = RICO_ROD; hypothesis < RICO_HYPOTHESES; hypothesis++) {
        double axes[9] = {0.6, 0.8, 0.0, -0.8, 0.6, 0.0, 0.0, 0.0, 1.0},
               tilt[9] = {1.0, 0.0, 0.0, 0.0, 0.28, 0.96, 0.0, -0.96, 0.28};
        if (hypothesis == RICO_SOLID || hypothesis == RICO_ROD) rico_mat3_multiply(tilt, axes, axes);
        memcpy(wood.axes, axes, sizeof axes);
        rico_element_law law;
        assert_ok(ctx, rico_element_law_make(ctx, "wood", &wood, hypothesis, RICO_REMEDY_NONE, SAME, &law));
        double stress[6] = {1.3, -0.4, 0.7, 0.9, 0.2, -0.5}; // xx yy zz xy yz zx
        if (hypothesis == RICO_PLANE_STRESS) stress[2] = 0.0;
        if (hypothesis != RICO_SOLID) stress[4] = stress[5] = 0.0;
        if (hypothesis == RICO_ROD) stress[1] = stress[2] = stress[3] = 0.0;
        double tensor[9] = {stress[0], stress[3], stress[5], stress[3], stress[1],
                            stress[4], stress[5], stress[4], stress[2]},
               own[9], back[9], e[9];
        rico_mat3_transpose(axes, back);
        rico_mat3_multiply(axes, tensor, own);
        rico_mat3_multiply(own, back, own);
        const double *E = wood.youngs, *nu = wood.poissons, *G = wood.shears;
        e[0] = own[0] / E[0] - nu[0] / E[0] * own[4] - nu[1] / E[0] * own[8];
        e[4] = -nu[0] / E[0] * own[0] + own[4] / E[1] - nu[2] / E[1] * own[8];
        e[8] = -nu[1] / E[0] * own[0] - nu[2] / E[1] * own[4] + own[8] / E[2];
        e[1] = e[3] = own[1] / G[0] / 2.0;
        e[2] = e[6] = own[2] / G[1] / 2.0;
        e[5] = e[7] = own[5] / G[2] / 2.0;
        rico_mat3_multiply(back, e, e);
        rico_mat3_multiply(e, axes, e);
        double strain[6] = {e[0], e[4], e[8], 2.0 * e[1], 2.0 * e[5], 2.0 * e[2]};
        int n = law.hypothesis->strains;
        for (int i = 0; i < n; i++) {
            double found = 0.0;
            for (int j = 0; j < n; j++) found += law.D[n * i + j] * strain[j];
            assert_near(found, stress[i], 1e-13 * 12.0);
        }
    }
}


static void von_mises_is_the_shear_that_yields(void **state)
{
    (void)state;
    assert_near(rico_von_mises((double[6]){3.0, 0.0, 0.0, 0.0, 0.0, 0.0}), 3.0, 1e-15);
    assert_near(rico_von_mises((double[6]){2.0, 2.0, 2.0, 0.0, 0.0, 0.0}), 0.0, 1e-15);
    assert_near(rico_von_mises((double[6]){0.0, 0.0, 0.0, 0.0, 1.0, 0.0}), sqrt(3.0), 1e-15);
    assert_string_equal(rico_hypothesis_name(RICO_AXISYMMETRIC), "axisymmetric");
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quadrature_is_as_exact_as_it_says),
        cmocka_unit_test(shape_functions_interpolate),
        cmocka_unit_test(faces_point_outwards_and_share_pressure),
        cmocka_unit_test(rank_is_full_but_for_rigid_motions),
        cmocka_unit_test(rigid_motions_give_no_force),
        cmocka_unit_test(numbers_and_axes_do_not_matter),
        cmocka_unit_test(cells_inside_out_are_refused),
        cmocka_unit_test(consistent_masses_are_known),
        cmocka_unit_test(lumped_masses_are_known),
        cmocka_unit_test(masses_carry_the_energy_of_rigid_motion),
        cmocka_unit_test(rings_have_the_mass_of_pappus),
        cmocka_unit_test(orthotropic_laws_invert_hookes),
        cmocka_unit_test(von_mises_is_the_shear_that_yields),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
