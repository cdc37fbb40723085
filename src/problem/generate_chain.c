// A chain that hangs from two hooks.
//
// N equal links, turned by a quarter about the chain from one to the next, hang in the plane y = 0. Tension F_i acts
// at joint i, between links i - 1 and i (hooks stand for links -1 and N). A link of weight p is at rest when
//
//     F_{i+1} - F_i = p z    and    its axis is along F_i + F_{i+1}
//
// (moments about its middle), so F_i = p (N/2, 0, i - N/2) up to the choice of the horizontal pull, which makes the
// chain leave its hooks at 45 degrees: a discrete catenary whose shape does not depend on N.
//
// Two bent wires that cross at right angles touch at one point. The normal is along F_i: no friction is needed. A
// point carries no moment, and the condition of W grows as N^2, that of a string. Two points that stick would make a
// hinge, its axis turned from joint to joint; a chain of these has a state of stress that is nearly in balance with
// itself (exactly so if the chain lay on a circle) and a condition of N^4, and so has the beam that more points make.

#include "problem/generate_scene.h"

#include "la/vec3.h"

static const double link_length = 1.0; // from point to point
// half of the outer edges: along the chain, across in the plane of the link, square to that plane
static const double link_half[3] = {0.6, 0.3, 0.1};


// A link of mass 1 with the inertia of a box of its outer edges: the sum of I_k a_k a_k' over its axes.
static void add_link(rico_stage *stage, int64_t link, const double centre[3], const double axis[3])
{
    double frame[3][3], inertia[9] = {0};
    rico_vec3_copy(axis, frame[0]);
    if (link % 2 == 0)
        rico_vec3_set(0.0, 1.0, 0.0, frame[1]);
    else
        rico_vec3_set(-axis[2], 0.0, axis[0], frame[1]);
    rico_vec3_cross(frame[0], frame[1], frame[2]);
    for (int k = 0; k < 3; k++) {
        double b = link_half[(k + 1) % 3], c = link_half[(k + 2) % 3];
        for (int i = 0; i < 9; i++) inertia[i] += (b * b + c * c) / 3.0 * (frame[k][i / 3] * frame[k][i % 3]);
    }
    rico_stage_body(stage, centre, 1.0, inertia);
}


// The contact of a joint: the link before pulls the one after back. At the last the hook pulls the link on.
static void join_links(rico_stage *stage, int64_t joint, int64_t links, const double at[3])
{
    double tension[3] = {0.5 * (double)links, 0.0, (double)joint - 0.5 * (double)links}, back[3];
    rico_vec3_normalise(tension);
    rico_vec3_scale(-1.0, tension, back);
    if (joint == links)
        rico_stage_touch(stage, RICO_GROUND, links - 1, at, tension);
    else
        rico_stage_touch(stage, joint == 0 ? RICO_GROUND : joint - 1, joint, at, back);
}


void rico_scene_chain(rico_stage *stage)
{
    int64_t links = stage->target > 1 ? stage->target - 1 : 1;
    double at[3] = {0.0, 0.0, 0.0}; // the joint
    for (int64_t i = 0; i < links && stage->assembly.status == RICO_OK; i++) {
        double axis[3] = {(double)links, 0.0, (double)(2 * i + 1 - links)}, centre[3];
        rico_vec3_normalise(axis);
        rico_vec3_copy(at, centre);
        rico_vec3_add_scaled(0.5 * link_length, axis, centre);
        add_link(stage, i, centre, axis);
        join_links(stage, i, links, at);
        rico_vec3_add_scaled(link_length, axis, at);
    }
    join_links(stage, links, links, at);
}
