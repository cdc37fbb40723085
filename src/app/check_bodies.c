// What rico check says of rigid bodies: masses, inertias, shapes, and who touches whom at the start.

#include "app/check_bodies.h"

#include "base/table.h"
#include "collide/look.h"
#include "la/quaternion.h"
#include "model/bodies_look.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_LINES = 24 };


// Are two bodies, one after the other, all but alike: copies of one another?
static bool alike(const rico_bodies *bodies, int64_t a, int64_t b)
{
    rico_body_look one = rico_bodies_look(bodies, a), other = rico_bodies_look(bodies, b);
    for (int i = 0; i < 9; i++)
        if (one.inertia[i] != other.inertia[i]) return false;
    return rico_bodies_shape(bodies, a) == rico_bodies_shape(bodies, b) &&
           rico_bodies_type(bodies, a) == rico_bodies_type(bodies, b) && one.mass == other.mass;
}


static void print_body(FILE *out, const rico_bodies *bodies, int64_t first, int64_t last)
{
    static const char *const TYPES[] = {"free", "fixed", "moved"};
    rico_body_look look = rico_bodies_look(bodies, first);
    const rico_shape *shape = rico_bodies_shape(bodies, first);
    char name[200];
    if (last > first)
        snprintf(name, sizeof name, "%.80s ... %.80s", rico_bodies_name(bodies, first),
                 rico_bodies_name(bodies, last));
    else
        snprintf(name, sizeof name, "%.80s", rico_bodies_name(bodies, first));
    fprintf(out, "    ");
    rico_print_plain(out, name);
    fprintf(out, ": %s %s", TYPES[rico_bodies_type(bodies, first)],
            shape ? rico_shape_kind_of(shape)->name : "body");
    if (shape && rico_shape_pieces(shape) > 1)
        fprintf(out, " of %lld shapes", (long long)rico_shape_pieces(shape));
    if (rico_bodies_type(bodies, first) == RICO_BODY_FREE && rico_bodies_dimension(bodies) == 2)
        fprintf(out, ", mass %.6g, inertia %.6g", look.mass, look.inertia[8]);
    else if (rico_bodies_type(bodies, first) == RICO_BODY_FREE) {
        double moment[3];
        rico_mat3_symmetric_eigen(look.inertia, moment, NULL);
        fprintf(out, ", mass %.6g, principal inertias %.6g, %.6g, %.6g", look.mass, moment[0], moment[1],
                moment[2]);
    }
    fprintf(out, "\n");
}


static void print_list(FILE *out, const rico_bodies *bodies)
{
    int64_t count = rico_bodies_count(bodies), lines = 0;
    for (int64_t i = 0, last; i < count; i = last + 1) {
        for (last = i; last + 1 < count && alike(bodies, i, last + 1);) last++;
        if (lines++ < MOST_LINES) print_body(out, bodies, i, last);
    }
    if (lines > MOST_LINES) fprintf(out, "    ... and %lld more\n", (long long)(lines - MOST_LINES));
}


static int by_pair(const void *a, const void *b)
{
    const int64_t *one = a, *other = b;
    if (one[0] != other[0]) return one[0] < other[0] ? -1 : 1;
    return (one[1] > other[1]) - (one[1] < other[1]);
}


// The two bodies of every contact that touches; returns how many.
static int64_t find_touching(const rico_bodies *bodies, int64_t source, rico_simulation *sim,
                             const double *gap, int64_t (*pair)[2])
{
    int64_t contacts = 0;
    for (int64_t c = 0; c < rico_simulation_constraints(sim); c++) {
        rico_constraint_info info = rico_simulation_constraint(sim, c);
        int64_t a, b;
        uint32_t on_a, on_b;
        if (info.source != source) continue;
        rico_bodies_contact(bodies, info.key, &a, &b, &on_a, &on_b);
        double reach = fmin(rico_shape_reach(rico_bodies_shape(bodies, a)),
                            rico_shape_reach(rico_bodies_shape(bodies, b)));
        if (gap[info.row] > 1e-8 * reach) continue;
        pair[contacts][0] = a;
        pair[contacts++][1] = b;
    }
    return contacts;
}


// Pairs that touch. Contacts come by key, which does not keep those of a pair together where a body has more than one neighbour.
static void print_touching(rico_context *ctx, FILE *out, const rico_bodies *bodies, int64_t source,
                           rico_simulation *sim)
{
    const double *gap = NULL;
    int64_t pairs = 0, contacts = 0;
    if (rico_simulation_rows(sim) > 0 && rico_simulation_gap(sim, &gap) != RICO_OK) return;
    int64_t(*pair)[2] = rico_alloc(ctx, rico_simulation_constraints(sim) + 1, sizeof *pair);
    if (!pair) return;
    if (gap) contacts = find_touching(bodies, source, sim, gap, pair);
    qsort(pair, (size_t)contacts, sizeof *pair, by_pair);
    for (int64_t c = 0; c < contacts; c++) {
        if (c > 0 && by_pair(pair[c - 1], pair[c]) == 0) continue;
        if (pairs++ < MOST_LINES)
            fprintf(out, "%s%s/%s", pairs == 1 ? "  touch at the start: " : ", ",
                    rico_bodies_name(bodies, pair[c][0]), rico_bodies_name(bodies, pair[c][1]));
    }
    rico_free(ctx, (void *)pair);
    if (pairs > MOST_LINES) fprintf(out, ", ...");
    if (pairs > 0)
        fprintf(out, "\n  %lld pair%s of bodies touch, in %lld contact%s\n", (long long)pairs,
                pairs == 1 ? "" : "s", (long long)contacts, contacts == 1 ? "" : "s");
    else
        fprintf(out, "  no bodies touch at the start\n");
}


void rico_check_bodies(rico_context *ctx, FILE *out, rico_scene *scene, rico_simulation *sim)
{
    int64_t source, type[3] = {0}, shapes = 0;
    const rico_bodies *bodies = rico_scene_body_set(scene, NULL, &source);
    if (!bodies) return;
    int64_t count = rico_bodies_count(bodies);
    for (int64_t i = 0; i < count; i++) {
        type[rico_bodies_type(bodies, i)]++;
        if (rico_bodies_shape(bodies, i)) shapes += rico_shape_pieces(rico_bodies_shape(bodies, i));
    }
    fprintf(out, "  bodies: %lld (%lld free, %lld fixed, %lld moved) in %s, with %lld shape%s\n",
            (long long)count, (long long)type[RICO_BODY_FREE], (long long)type[RICO_BODY_FIXED],
            (long long)type[RICO_BODY_MOVED], rico_bodies_dimension(bodies) == 2 ? "the plane" : "space",
            (long long)shapes, shapes == 1 ? "" : "s");
    print_list(out, bodies);
    if (sim) print_touching(ctx, out, bodies, source, sim);
}
