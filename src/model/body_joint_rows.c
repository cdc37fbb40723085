// The table of joints between bodies: what the rows of each kind are, as functions of p and C, and their derivatives.
//
// Rows that hold axes parallel are quotients whose denominators vanish where the axes point against each other: a plain product
// of axes would be 0 there as well, and the joint could settle the wrong way round. Where a row holds, its derivatives are those of the
// products, and its multiplier is a force along an axis of a or a torque about one.

#include "la/vec3.h"
#include "model/body_joints.h"

#include <string.h>

// --- displacements -------------------------------------------------------------------------------------------------

static bool line(int i, const double p[3], rico_joint_value *out)
{
    out->g = p[i];
    out->p[i] = 1.0;
    return true;
}


static bool line_1(double setting, const double p[3], const double C[9], rico_joint_value *out)
{
    (void)setting, (void)C;
    return line(0, p, out);
}


static bool line_2(double setting, const double p[3], const double C[9], rico_joint_value *out)
{
    (void)setting, (void)C;
    return line(1, p, out);
}


static bool line_3(double setting, const double p[3], const double C[9], rico_joint_value *out)
{
    (void)setting, (void)C;
    return line(2, p, out);
}


// |p|; where the points meet it has no direction
static bool distance(double setting, const double p[3], const double C[9], rico_joint_value *out)
{
    (void)setting, (void)C;
    out->g = rico_vec3_norm(p);
    if (!(out->g > 0.0)) return false;
    rico_vec3_scale(1.0 / out->g, p, out->p);
    return true;
}


// |p| of a rope: where its ends meet it hangs loose, and nothing asks for a direction
static bool reach(double setting, const double p[3], const double C[9], rico_joint_value *out)
{
    if (p[0] == 0.0 && p[1] == 0.0 && p[2] == 0.0) return true;
    return distance(setting, p, C, out);
}


// (|z|^2 - (u.z)^2) / |p|
static double distance_curve(double setting, const double p[3], const double C[9], const rico_joint_value *at,
                             const rico_joint_change *z)
{
    (void)setting, (void)p, (void)C;
    double across[3], along = rico_vec3_dot(at->p, z->p);
    rico_vec3_copy(z->p, across);
    rico_vec3_add_scaled(-along, at->p, across);
    return at->g > 0.0 ? rico_vec3_dot(across, across) / at->g : 0.0;
}


static double slope(const rico_joint_value *at, const rico_joint_change *z)
{
    double sum = rico_vec3_dot(at->p, z->p);
    for (int k = 0; k < 9; k++) sum += at->C[k] * z->C[k];
    return sum;
}


// --- turns ---------------------------------------------------------------------------------------------------------

// 2 (C_ji - C_ij) / (1 + tr C) = 2 tan(angle/2) n_k, with k, i, j in turn.
static bool turn(int k, const double C[9], rico_joint_value *out)
{
    int i = (k + 1) % 3, j = (k + 2) % 3;
    double below = 1.0 + C[0] + C[4] + C[8];
    if (!(below > 0.0)) return false;
    out->g = 2.0 * (C[3 * j + i] - C[3 * i + j]) / below;
    out->C[3 * j + i] = 2.0 / below;
    out->C[3 * i + j] = -2.0 / below;
    for (int d = 0; d < 3; d++) out->C[4 * d] = -out->g / below;
    return true;
}


static bool turn_1(double setting, const double p[3], const double C[9], rico_joint_value *out)
{
    (void)setting, (void)p;
    return turn(0, C, out);
}


static bool turn_2(double setting, const double p[3], const double C[9], rico_joint_value *out)
{
    (void)setting, (void)p;
    return turn(1, C, out);
}


static bool turn_3(double setting, const double p[3], const double C[9], rico_joint_value *out)
{
    (void)setting, (void)p;
    return turn(2, C, out);
}


// Of a quotient N/D of linear functions: -2 g' D'/D.
static double turn_curve(double setting, const double p[3], const double C[9], const rico_joint_value *at,
                         const rico_joint_change *z)
{
    (void)setting, (void)p;
    return -2.0 * slope(at, z) * (z->C[0] + z->C[4] + z->C[8]) / (1.0 + C[0] + C[4] + C[8]);
}


static double parallel_curve(double setting, const double p[3], const double C[9], const rico_joint_value *at,
                             const rico_joint_change *z)
{
    (void)setting, (void)p;
    return -2.0 * slope(at, z) * z->C[8] / (1.0 + C[8]);
}


// 2 a_i.b_3 / (1 + a_3.b_3)
static bool parallel(int i, const double C[9], rico_joint_value *out)
{
    double below = 1.0 + C[8];
    if (!(below > 0.0)) return false;
    out->g = 2.0 * C[3 * i + 2] / below;
    out->C[3 * i + 2] = 2.0 / below;
    out->C[8] = -out->g / below;
    return true;
}


static bool parallel_1(double setting, const double p[3], const double C[9], rico_joint_value *out)
{
    (void)setting, (void)p;
    return parallel(0, C, out);
}


static bool parallel_2(double setting, const double p[3], const double C[9], rico_joint_value *out)
{
    (void)setting, (void)p;
    return parallel(1, C, out);
}


// a_1.b_2: the two axes of a cross
static bool square(double setting, const double p[3], const double C[9], rico_joint_value *out)
{
    (void)setting, (void)p;
    out->g = C[1];
    out->C[1] = 1.0;
    return true;
}


// atan2(C_21 - C_12, C_11 + C_22): of b about the third axis; where that of b is not a's, what is between the two half-turns
static bool angle(double setting, const double p[3], const double C[9], rico_joint_value *out)
{
    (void)setting, (void)p;
    double sine = C[3] - C[1], cosine = C[0] + C[4], square_sum = sine * sine + cosine * cosine;
    if (!(square_sum > 0.0)) return false;
    out->g = atan2(sine, cosine);
    out->C[3] = cosine / square_sum;
    out->C[1] = -cosine / square_sum;
    out->C[0] = out->C[4] = -sine / square_sum;
    return true;
}


// p_3 - pitch angle / (2 pi)
static bool screw(double setting, const double p[3], const double C[9], rico_joint_value *out)
{
    if (!angle(setting, p, C, out)) return false;
    double advance = -setting / (2.0 * M_PI);
    out->g = p[2] + advance * out->g;
    for (int k = 0; k < 9; k++) out->C[k] *= advance;
    out->p[2] = 1.0;
    return true;
}


// Of atan2(s, c) with s and c linear: -2 (s s' + c c') angle' / (s^2 + c^2).
static double angle_curve(double setting, const double p[3], const double C[9], const rico_joint_value *at,
                          const rico_joint_change *z)
{
    (void)setting, (void)p;
    double sine = C[3] - C[1], cosine = C[0] + C[4], rate = 0.0;
    for (int k = 0; k < 9; k++) rate += at->C[k] * z->C[k];
    return -2.0 * rate * (sine * (z->C[3] - z->C[1]) + cosine * (z->C[0] + z->C[4])) /
           (sine * sine + cosine * cosine);
}


static const rico_joint_row LINE_1 = {line_1, NULL}, LINE_2 = {line_2, NULL}, LINE_3 = {line_3, NULL},
                            TURN_1 = {turn_1, turn_curve}, TURN_2 = {turn_2, turn_curve},
                            TURN_3 = {turn_3, turn_curve}, PARALLEL_1 = {parallel_1, parallel_curve},
                            PARALLEL_2 = {parallel_2, parallel_curve}, SQUARE = {square, NULL},
                            DISTANCE = {distance, distance_curve}, ANGLE = {angle, angle_curve},
                            REACH = {reach, distance_curve},
                            SCREW = {screw, angle_curve}; // the derivatives of a screw hold its factor

const rico_joint_row rico_joint_angle = {angle, angle_curve}, rico_joint_slide = {line_3, NULL},
                     rico_joint_reach = {reach, distance_curve};

// --- kinds ---------------------------------------------------------------------------------------------------------

typedef struct table_row {
    rico_joint_kind kind;
    const rico_joint_row *space[RICO_JOINT_ROWS + 1], *plane[RICO_JOINT_ROWS + 1];
} table_row;

#define AXIS RICO_JOINT_AXIS
// In the plane the third axis of what slides lies in it, and the second one is z.
static const table_row TABLE[] = {
    {{"fixed", "b does not move against a", 6, 3, 0},
     {&LINE_1, &LINE_2, &LINE_3, &TURN_1, &TURN_2, &TURN_3},
     {&LINE_1, &LINE_2, &TURN_3}},
    {{"revolute", "b turns about the axis", 5, 2,
      AXIS | RICO_JOINT_TURNS | RICO_JOINT_PLAY | RICO_JOINT_RUBS},
     {&LINE_1, &LINE_2, &LINE_3, &PARALLEL_1, &PARALLEL_2},
     {&LINE_1, &LINE_2}},
    {{"prismatic", "b slides along the axis", 5, 2,
      AXIS | RICO_JOINT_SLIDES | RICO_JOINT_PLAY | RICO_JOINT_RUBS},
     {&LINE_1, &LINE_2, &TURN_1, &TURN_2, &TURN_3},
     {&LINE_1, &TURN_2}},
    {{"cylindrical", "b turns about the axis and slides along it", 4, 0,
      AXIS | RICO_JOINT_TURNS | RICO_JOINT_SLIDES | RICO_JOINT_PLAY},
     {&LINE_1, &LINE_2, &PARALLEL_1, &PARALLEL_2},
     {NULL}},
    {{"spherical", "b turns about the point", 3, 0, RICO_JOINT_PLAY}, {&LINE_1, &LINE_2, &LINE_3}, {NULL}},
    {{"universal", "b turns about an axis of a and a second one of its own, at right angles", 4, 0,
      AXIS | RICO_JOINT_SECOND},
     {&LINE_1, &LINE_2, &LINE_3, &SQUARE},
     {NULL}},
    {{"planar", "b slides on the plane across the axis and turns about it", 3, 0, AXIS},
     {&LINE_3, &PARALLEL_1, &PARALLEL_2},
     {NULL}},
    {{"point-on-line", "a point of b slides along the axis", 2, 1, AXIS | RICO_JOINT_SLIDES},
     {&LINE_1, &LINE_2},
     {&LINE_1}},
    {{"point-on-plane", "a point of b slides on the plane across the axis", 1, 0, AXIS}, {&LINE_3}, {NULL}},
    {{"distance", "two points keep their distance", 1, 1, RICO_JOINT_LENGTH}, {&DISTANCE}, {&DISTANCE}},
    {{"rope", "two points are no farther apart than a length", 1, 1, RICO_JOINT_LENGTH | RICO_JOINT_SLACK},
     {&REACH},
     {&REACH}},
    {{"revolute-spherical", "a massless rod turns about the axis on a and holds a point of b", 2, 0,
      AXIS | RICO_JOINT_LENGTH},
     {&DISTANCE, &LINE_3},
     {NULL}},
    {{"screw", "b turns about the axis and slides by a pitch for each turn", 5, 0,
      AXIS | RICO_JOINT_PITCH | RICO_JOINT_TURNS | RICO_JOINT_SLIDES},
     {&SCREW, &LINE_1, &LINE_2, &PARALLEL_1, &PARALLEL_2},
     {NULL}},
    {{"gear", "the angles of two joints, by the teeth of two wheels", 1, 1, RICO_JOINT_OF | RICO_JOINT_TEETH},
     {&ANGLE},
     {&ANGLE}},
    {{"rack-and-pinion", "the displacement of a joint, by the angle of another and a radius", 1, 1,
      RICO_JOINT_OF | RICO_JOINT_RADIUS},
     {&ANGLE},
     {&ANGLE}},
    {{"coupler", "the coordinates of two joints, by two factors", 1, 1, RICO_JOINT_OF}, {&ANGLE}, {&ANGLE}},
    {{"bushing", "springs and dampers along and about the axes", 6, 3, RICO_JOINT_FORCE},
     {&LINE_1, &LINE_2, &LINE_3, &TURN_1, &TURN_2, &TURN_3},
     {&LINE_1, &LINE_2, &TURN_3}},
};
#undef AXIS

enum { KINDS = sizeof TABLE / sizeof *TABLE };


const rico_joint_kind *rico_joint_kind_at(int index)
{
    return index >= 0 && index < KINDS ? &TABLE[index].kind : NULL;
}


const rico_joint_kind *rico_joint_kind_find(const char *name)
{
    for (int i = 0; name && i < KINDS; i++)
        if (strcmp(TABLE[i].kind.name, name) == 0) return &TABLE[i].kind;
    return NULL;
}


const rico_joint_row *const *rico_joint_rows(const rico_joint_kind *kind, int dimension)
{
    for (int i = 0; i < KINDS; i++)
        if (&TABLE[i].kind == kind) return dimension == 2 ? TABLE[i].plane : TABLE[i].space;
    return NULL;
}


// Rows that hold places come before those that hold directions.
int rico_joint_places(const rico_joint_kind *kind, int dimension)
{
    const rico_joint_row *const *rows = rico_joint_rows(kind, dimension);
    int count = 0;
    while (rows[count] == &LINE_1 || rows[count] == &LINE_2 || rows[count] == &LINE_3) count++;
    return count;
}
