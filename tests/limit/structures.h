// Structures of polygons and points in the plane, assembled here without any of the library's geometry.

#ifndef RICO_TESTS_LIMIT_STRUCTURES_H
#define RICO_TESTS_LIMIT_STRUCTURES_H

#include "ricochet/limit.h"
#include "support.h"

enum { BLOCKS = 64, COLUMNS = 512, ENTRIES = 6 * COLUMNS };

typedef struct structure {
    int64_t bodies, columns, entries, contacts;
    double centre[BLOCKS][2], weight[BLOCKS];
    int64_t start[COLUMNS + 1], row[ENTRIES];
    double value[ENTRIES];
    rico_block block[COLUMNS];
    double dead[3 * BLOCKS], live[3 * BLOCKS];
} structure;


static inline int64_t add_body(structure *s, double x, double y, double weight)
{
    s->centre[s->bodies][0] = x;
    s->centre[s->bodies][1] = y;
    s->weight[s->bodies] = weight;
    s->dead[3 * s->bodies + 1] = -weight;
    return s->bodies++;
}


// A convex polygon of unit density and thickness.
static inline int64_t add_polygon(structure *s, int count, double (*p)[2])
{
    double area = 0.0, x = 0.0, y = 0.0;
    for (int i = 0; i < count; i++) {
        const double *a = p[i], *b = p[(i + 1) % count];
        double cross = a[0] * b[1] - a[1] * b[0];
        area += cross / 2.0;
        x += (a[0] + b[0]) * cross / 6.0;
        y += (a[1] + b[1]) * cross / 6.0;
    }
    return add_body(s, x / area, y / area, fabs(area));
}


// Columns of the force (dx, dy) that acts on b at (x, y), and against it on a; -1: what stands.
static inline void add_column(structure *s, int64_t a, int64_t b, double x, double y, double dx, double dy)
{
    for (int k = 0; k < 2; k++) {
        int64_t body = k ? b : a;
        double sign = k ? 1.0 : -1.0;
        if (body < 0) continue;
        const double *c = s->centre[body];
        double v[3] = {sign * dx, sign * dy, sign * ((x - c[0]) * dy - (y - c[1]) * dx)};
        for (int i = 0; i < 3; i++) {
            s->row[s->entries] = 3 * body + i;
            s->value[s->entries++] = v[i];
        }
    }
    s->start[++s->columns] = s->entries;
}


// At (x, y), the normal from a to b.
static inline void add_contact(structure *s, int64_t a, int64_t b, double x, double y, double nx, double ny,
                               double mu)
{
    double size = hypot(nx, ny);
    add_column(s, a, b, x, y, nx / size, ny / size);
    add_column(s, a, b, x, y, -ny / size, nx / size);
    s->block[s->contacts++] = (rico_block){.kind = RICO_COULOMB_2D, .size = 2, .friction = mu};
}


// Both ends of a joint from p to q, b on its left.
static inline void add_joint(structure *s, int64_t a, int64_t b, const double p[2], const double q[2],
                             double mu)
{
    add_contact(s, a, b, p[0], p[1], -(q[1] - p[1]), q[0] - p[0], mu);
    add_contact(s, a, b, q[0], q[1], -(q[1] - p[1]), q[0] - p[0], mu);
}


// Weights along a direction as the live load.
static inline void push_sideways(structure *s, double x, double y)
{
    for (int64_t b = 0; b < s->bodies; b++) {
        s->live[3 * b] = x * s->weight[b];
        s->live[3 * b + 1] = y * s->weight[b];
    }
}


static inline rico_limit *make(rico_context *ctx, const structure *s)
{
    rico_limit *limit;
    int64_t body_of[3 * BLOCKS];
    for (int64_t i = 0; i < 3 * s->bodies; i++) body_of[i] = i / 3;
    rico_limit_given given = {.H = {3 * s->bodies, s->columns, s->start, s->row, s->value},
                              .block_count = s->contacts,
                              .blocks = s->block,
                              .dead = s->dead,
                              .live = s->live,
                              .body_count = s->bodies,
                              .body_of = body_of};
    assert_ok(ctx, rico_limit_create(ctx, &given, &limit));
    return limit;
}


// n voussoirs between two curves of joints: joint k from in[k] to out[k], from right to left; the first and last on what stands.
static inline void add_voussoirs(structure *s, int n, double (*in)[2], double (*out)[2], double mu)
{
    for (int k = 0; k < n; k++) {
        double corner[4][2] = {{in[k][0], in[k][1]},
                               {out[k][0], out[k][1]},
                               {out[k + 1][0], out[k + 1][1]},
                               {in[k + 1][0], in[k + 1][1]}};
        int64_t body = add_polygon(s, 4, corner);
        // the body lies on the left of its first joint as one goes outwards
        add_joint(s, body - (k > 0 ? 1 : body + 1), body, in[k], out[k], mu);
    }
    add_joint(s, s->bodies - 1, -1, in[n], out[n], mu);
}


// A semicircular arch of n straight-sided voussoirs, centreline radius 1.
static inline void add_arch(structure *s, int n, double thickness, double mu)
{
    double in[BLOCKS][2], out[BLOCKS][2];
    for (int k = 0; k <= n; k++) {
        double angle = acos(-1.0) * k / n;
        in[k][0] = (1.0 - thickness / 2.0) * cos(angle), in[k][1] = (1.0 - thickness / 2.0) * sin(angle);
        out[k][0] = (1.0 + thickness / 2.0) * cos(angle), out[k][1] = (1.0 + thickness / 2.0) * sin(angle);
    }
    add_voussoirs(s, n, in, out, mu);
}

#endif
