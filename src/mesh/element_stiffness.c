// Stiffness and stresses of an element, with two remedies for locking.
//
// K = sum B'DB dV over the points of the rule. B-bar (Hughes 1980): the dilatation in B is replaced by its mean over the element, in all three
// normal strains. Incompatible modes (Wilson and Taylor): displacements 1 - xi_k^2 are added in each direction and eliminated again
// element by element; their gradients are taken with the Jacobian J0 of the centre and scaled by j0/j, so that they do no work on a constant stress
// (Taylor, Beresford and Wilson 1976) and the patch test holds on any cell.

#include "mesh/element.h"

#include "la/mat3.h"

#include <string.h>

static const int PAIR[RICO_STRAINS][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};

// What an element needs to know of itself beyond one point.
typedef struct remedy {
    int dofs, modes;        // columns of B: those of nodes, those of modes
    double j0, gradient[9]; // dxi_k/dx_i at the centre: 3 k + i
    bool bar;
    double dilatation[RICO_ELEMENT_DOFS]; // mean, per displacement
} remedy;


// Columns of B of one shape function, one for each direction: from its gradient, and on a ring N/r.
static void strain_columns(const rico_hypothesis_info *hypothesis, const double gradient[3], double hoop,
                           double *B)
{
    int row = 0, rows = hypothesis->strains;
    for (int s = 0; s < RICO_STRAINS; s++) {
        if (!(hypothesis->kept >> s & 1U)) continue;
        int i = PAIR[s][0], j = PAIR[s][1];
        for (int k = 0; k < hypothesis->directions; k++) {
            double value = k == i ? gradient[j] : k == j ? gradient[i] : 0.0;
            if (s == 2 && k == 0) value += hoop;
            B[row + rows * k] = value;
        }
        row++;
    }
}


// All columns of B at a point, remedies included; returns the volume of the point for a weight of 1, or -1.
static double strain_matrix(const rico_element_law *law, rico_cell_kind kind, const double *X,
                            const remedy *own, const double xi[3], double *B)
{
    const rico_hypothesis_info *hypothesis = law->hypothesis;
    int nodes = rico_cells[kind].nodes, rows = hypothesis->strains, directions = hypothesis->directions;
    rico_element_point at;
    if (!rico_element_at(kind, X, xi, &at)) return -1.0;
    for (int a = 0; a < nodes; a++)
        strain_columns(hypothesis, at.gradient + 3 * a, hypothesis->ring ? at.N[a] / at.x[0] : 0.0,
                       B + rows * directions * a);

    // a third of what the mean dilatation has more than that of the point, to each normal strain
    for (int c = 0; own->bar && c < own->dofs; c++) {
        double *column = B + rows * c, more = (own->dilatation[c] - column[0] - column[1] - column[2]) / 3.0;
        for (int s = 0; s < 3; s++) column[s] += more;
    }
    for (int m = 0; m * directions < own->modes; m++) {
        double gradient[3];
        rico_vec3_scale(-2.0 * xi[m] * own->j0 / at.j, own->gradient + 3 * m, gradient);
        strain_columns(hypothesis, gradient, 0.0, B + rows * (own->dofs + directions * m));
    }
    return at.j * rico_element_depth(law, at.x);
}


// Mean of the dilatation's row of B.
static bool mean_dilatation(const rico_element_law *law, rico_cell_kind kind, const double *X, remedy *own)
{
    const rico_quadrature *rule = rico_elements[kind].stiffness[law->hypothesis->ring];
    double B[RICO_STRAINS * RICO_ELEMENT_COLUMNS], sum[RICO_ELEMENT_DOFS] = {0.0}, volume = 0.0;
    for (int k = 0; k < rule->count; k++) {
        double xi[3], weight = rico_quadrature_point(rule, k, xi);
        double dV = strain_matrix(law, kind, X, own, xi, B);
        if (dV < 0.0) return false;
        volume += weight * dV;
        for (int c = 0; c < own->dofs; c++) {
            const double *column = B + law->hypothesis->strains * c;
            sum[c] += weight * dV * (column[0] + column[1] + column[2]);
        }
    }
    for (int c = 0; c < own->dofs; c++) own->dilatation[c] = sum[c] / volume;
    own->bar = true;
    return true;
}


// xi_k along x_i at the centre, from the gradients there: dxi_k/dx = sum_a xi_k(node a) grad N_a.
static bool centre_of(rico_cell_kind kind, const double *X, remedy *own)
{
    const rico_element *element = &rico_elements[kind];
    rico_element_point at;
    if (!rico_element_at(kind, X, element->centre, &at)) return false;
    memset(own->gradient, 0, sizeof own->gradient);
    for (int a = 0; a < rico_cells[kind].nodes; a++)
        for (int k = 0; k < 3; k++)
            rico_vec3_add_scaled(element->node[a][k], at.gradient + 3 * a, own->gradient + 3 * k);
    own->j0 = at.j;
    return true;
}


static bool prepare(const rico_element_law *law, rico_cell_kind kind, const double *X, remedy *own)
{
    int directions = law->hypothesis->directions;
    own->dofs = rico_cells[kind].nodes * directions;
    own->modes = 0;
    own->bar = false;
    if (rico_elements[kind].modes == 0) return true;
    if (law->remedy == RICO_REMEDY_BAR) return mean_dilatation(law, kind, X, own);
    if (law->remedy != RICO_REMEDY_MODES) return true;
    own->modes = rico_elements[kind].modes * directions;
    return centre_of(kind, X, own);
}


// The upper triangle of K += B'DB dV, K of order n.
static void add_point(const rico_element_law *law, int n, const double *B, double dV, double *K)
{
    int rows = law->hypothesis->strains;
    for (int c = 0; c < n; c++) {
        double stress[RICO_STRAINS];
        for (int s = 0; s < rows; s++) {
            stress[s] = 0.0;
            for (int r = 0; r < rows; r++) stress[s] += law->D[s * rows + r] * B[rows * c + r];
            stress[s] *= dV;
        }
        for (int b = 0; b <= c; b++) {
            double sum = 0.0;
            for (int s = 0; s < rows; s++) sum += B[rows * b + s] * stress[s];
            K[b + n * c] += sum;
        }
    }
}


// K with the modes still in it, upper triangle. Eliminated from the last on: column p then tells mode p from all before it.
static bool full_stiffness(const rico_element_law *law, rico_cell_kind kind, const double *X,
                           const remedy *own, double *K)
{
    const rico_quadrature *rule = rico_elements[kind].stiffness[law->hypothesis->ring];
    int n = own->dofs + own->modes;
    double B[RICO_STRAINS * RICO_ELEMENT_COLUMNS];
    memset(K, 0, (size_t)(n * n) * sizeof *K);
    for (int k = 0; k < rule->count; k++) {
        double xi[3], weight = rico_quadrature_point(rule, k, xi);
        double dV = strain_matrix(law, kind, X, own, xi, B);
        if (dV < 0.0) return false;
        add_point(law, n, B, weight * dV, K);
    }
    for (int p = n - 1; p >= own->dofs; p--)
        for (int j = 0; j < p; j++) {
            double factor = K[j + n * p] / K[p + n * p];
            for (int i = 0; i <= j; i++) K[i + n * j] -= factor * K[i + n * p];
        }
    return true;
}


bool rico_element_stiffness(const rico_element_law *law, rico_cell_kind kind, const double *X, double *K)
{
    remedy own;
    double full[RICO_ELEMENT_COLUMNS * RICO_ELEMENT_COLUMNS];
    if (!prepare(law, kind, X, &own) || !full_stiffness(law, kind, X, &own, full)) return false;
    int n = own.dofs, all = own.dofs + own.modes;
    for (int j = 0; j < n; j++)
        for (int i = 0; i <= j; i++) K[i + n * j] = K[j + n * i] = full[i + all * j];
    return true;
}


// Displacements of nodes and, from these, of modes.
static bool displacements(const rico_element_law *law, rico_cell_kind kind, const double *X,
                          const remedy *own, const double *u, double *z)
{
    int n = own->dofs + own->modes;
    memcpy(z, u, (size_t)own->dofs * sizeof *z);
    if (own->modes == 0) return true;
    double K[RICO_ELEMENT_COLUMNS * RICO_ELEMENT_COLUMNS];
    if (!full_stiffness(law, kind, X, own, K)) return false;
    for (int p = own->dofs; p < n; p++) {
        double sum = 0.0;
        for (int i = 0; i < p; i++) sum += K[i + n * p] * z[i];
        z[p] = -sum / K[p + n * p];
    }
    return true;
}


// D B z, spread over the six.
static void stress_at(const rico_element_law *law, int columns, const double *B, const double *z,
                      double *stress)
{
    int rows = law->hypothesis->strains, row = 0;
    double strain[RICO_STRAINS] = {0.0};
    for (int c = 0; c < columns; c++)
        for (int s = 0; s < rows; s++) strain[s] += B[rows * c + s] * z[c];
    for (int s = 0; s < RICO_STRAINS; s++) {
        stress[s] = 0.0;
        if (!(law->hypothesis->kept >> s & 1U)) continue;
        for (int r = 0; r < rows; r++) stress[s] += law->D[row * rows + r] * strain[r];
        row++;
    }
}


int rico_element_stress(const rico_element_law *law, rico_cell_kind kind, const double *X, const double *u,
                        double *stress)
{
    const rico_element *element = &rico_elements[kind];
    int count = element->sample > 0.0 ? rico_cells[element->corners].nodes : 1;
    double B[RICO_STRAINS * RICO_ELEMENT_COLUMNS], z[RICO_ELEMENT_COLUMNS];
    remedy own;
    if (!prepare(law, kind, X, &own) || !displacements(law, kind, X, &own, u, z)) return -1;
    for (int k = 0; k < count; k++) {
        double xi[3];
        for (int i = 0; i < 3; i++)
            xi[i] = element->centre[i] + element->sample * (element->node[k][i] - element->centre[i]);
        if (strain_matrix(law, kind, X, &own, xi, B) < 0.0) return -1;
        stress_at(law, own.dofs + own.modes, B, z, stress + RICO_STRAINS * k);
    }
    return count;
}


void rico_element_extrapolate(rico_cell_kind kind, const double *sample, double *node)
{
    const rico_element *element = &rico_elements[kind];
    int count = element->sample > 0.0 ? rico_cells[element->corners].nodes : 1;
    for (int a = 0; a < rico_cells[kind].nodes; a++) {
        double xi[3], N[RICO_CELL_NODES] = {1.0};
        for (int i = 0; count > 1 && i < 3; i++)
            xi[i] = element->centre[i] + (element->node[a][i] - element->centre[i]) / element->sample;
        if (count > 1) rico_elements[element->corners].shape(xi, N);
        for (int s = 0; s < RICO_STRAINS; s++) {
            node[RICO_STRAINS * a + s] = 0.0;
            for (int k = 0; k < count; k++) node[RICO_STRAINS * a + s] += N[k] * sample[RICO_STRAINS * k + s];
        }
    }
}


double rico_von_mises(const double stress[6])
{
    double xy = stress[0] - stress[1], yz = stress[1] - stress[2], zx = stress[2] - stress[0];
    double shear = stress[3] * stress[3] + stress[4] * stress[4] + stress[5] * stress[5];
    return sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3.0 * shear);
}
