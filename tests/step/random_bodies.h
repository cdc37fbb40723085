// Rooms with random bodies in them, as text: every shape, sizes, masses and speeds over decades, walls thin or endless, positions exact
// or at random. One seed, one scene.

#ifndef RICO_TESTS_STEP_RANDOM_BODIES_H
#define RICO_TESTS_STEP_RANDOM_BODIES_H

#include "step/random_scene.h"

// Bodies stay apart at the start: each in a cell of its own, unless they are crowded on purpose.
enum { RANDOM_CELLS = 3, RANDOM_BODIES = 8 };
static const double RANDOM_ROOM = 1.0, RANDOM_REACH = 0.28;

typedef struct random_bodies {
    random_scene scene; // its text
    int dimension;
    int64_t count;
    bool crowded;               // overlaps at the start
    bool plain;                 // of the scheme for bodies, from which nothing escapes
    double size;                // of the world: a length in it is so many times that of the text below
    bool sensor[RANDOM_BODIES]; // it goes through everything
    uint32_t taken;
} random_bodies;


static inline bool chance(random_bodies *s, int64_t one_in)
{
    return random_chance(&s->scene, one_in);
}


// Over decades, as likely in each.
static inline double random_decades(random_bodies *s, double low, double high)
{
    return pow(10.0, random_in(&s->scene, low, high));
}


static inline void say_points(random_bodies *s, const char *kind, int count, double reach)
{
    random_say(&s->scene, "{%s: {points: [", kind);
    for (int k = 0; k < count; k++) {
        double x[3], length = 0.0;
        for (int i = 0; i < s->dimension; i++) {
            x[i] = random_in(&s->scene, -1.0, 1.0);
            length += x[i] * x[i];
        }
        length = fmax(1e-3, sqrt(length));
        double turn = 2.0 * M_PI * k / count; // corners of polygons go round
        if (s->dimension == 2) x[0] = cos(turn), x[1] = sin(turn), length = 1.0;
        for (int i = 0; i < s->dimension; i++)
            random_say(&s->scene, "%s%.17g", i ? ", " : k ? ", [" : "[", s->size * reach * x[i] / length);
        random_say(&s->scene, "]");
    }
    random_say(&s->scene, "]}}");
}


static inline void random_solid(random_bodies *s, double reach)
{
    double a = reach * random_in(&s->scene, 0.1, 0.57) * s->size,
           b = reach * random_in(&s->scene, 0.1, 0.57) * s->size,
           c = reach * random_in(&s->scene, 0.1, 0.57) * s->size;
    if (chance(s, 3)) b = c = a; // and cubes
    switch (rico_random_below(&s->scene.random, 9)) {
    case 0:
        random_say(&s->scene, "{sphere: %.17g}", a);
        break;
    case 1:
    case 2:
        random_say(&s->scene, "{box: {size: [%.17g, %.17g, %.17g]}}", 2.0 * a, 2.0 * b, 2.0 * c);
        break;
    case 3:
        random_say(&s->scene, "{capsule: {radius: %.17g, length: %.17g}}", 0.7 * a, 1.2 * b);
        break;
    case 4:
        random_say(&s->scene, "{cylinder: {radius: %.17g, height: %.17g}}", a, b);
        break;
    case 5:
        random_say(&s->scene, "{cone: {radius: %.17g, height: %.17g}}", a, b);
        break;
    case 6:
        random_say(&s->scene, "{ellipsoid: {axes: [%.17g, %.17g, %.17g]}}", a, b, c);
        break;
    case 7:
        say_points(s, "hull", 4 + (int)rico_random_below(&s->scene.random, 12), reach);
        break;
    default:
        random_say(&s->scene,
                   "{compound: [{shape: {sphere: %.17g}, position: [%.17g, 0, 0]}, "
                   "{shape: {box: {size: [%.17g, %.17g, %.17g]}}}]}",
                   0.8 * a, 0.9 * b, 2.0 * b, c, c);
    }
}


static inline void random_flat(random_bodies *s, double reach)
{
    double a = reach * random_in(&s->scene, 0.1, 0.7) * s->size,
           b = reach * random_in(&s->scene, 0.1, 0.7) * s->size;
    if (chance(s, 3)) b = a;
    switch (rico_random_below(&s->scene.random, 4)) {
    case 0:
        random_say(&s->scene, "{disc: %.17g}", a);
        break;
    case 1:
        random_say(&s->scene, "{rectangle: {size: [%.17g, %.17g]}}", 2.0 * a, 2.0 * b);
        break;
    case 2:
        random_say(&s->scene, "{capsule-2d: {radius: %.17g, length: %.17g}}", 0.5 * a, b);
        break;
    default:
        say_points(s, "polygon", 3 + (int)rico_random_below(&s->scene.random, 6), reach);
    }
}


static inline void say_vector(random_bodies *s, const char *key, const double x[3])
{
    random_say(&s->scene, ", %s: [%.17g, %.17g", key, x[0], x[1]);
    if (s->dimension == 3) random_say(&s->scene, ", %.17g", x[2]);
    random_say(&s->scene, "]");
}


// Six walls, or four, as thin as paper or without end; their inner faces are at the distance RANDOM_ROOM.
static inline void random_room(random_bodies *s)
{
    bool endless = chance(s, 3);
    double thick = random_decades(s, -3.0, -1.0);
    for (int wall = 0; wall < 2 * s->dimension; wall++) {
        int axis = wall / 2;
        double side = wall % 2 ? -1.0 : 1.0, x[3] = {0.0}, size[3];
        for (int i = 0; i < 3; i++) size[i] = (i == axis ? thick : 2.0 * RANDOM_ROOM + 2.0 * thick) * s->size;
        x[axis] = side * (RANDOM_ROOM + (endless ? 0.0 : 0.5 * thick)) * s->size;
        random_say(&s->scene, "  wall-%d: {fixed: yes, material: wall, shape: ", wall);
        if (endless)
            random_say(&s->scene, "%s", s->dimension == 3 ? "plane" : "line");
        else if (s->dimension == 3)
            random_say(&s->scene, "{box: {size: [%.17g, %.17g, %.17g]}}", size[0], size[1], size[2]);
        else
            random_say(&s->scene, "{rectangle: {size: [%.17g, %.17g]}}", size[0], size[1]);
        say_vector(s, "position", x);
        if (endless && s->dimension == 3) // z turned inwards
            random_say(&s->scene, ", rotation: {axis: [%d, %d, 0], angle: %g}", axis == 1, axis != 1,
                       axis == 2   ? (side > 0.0 ? 180.0 : 0.0)
                       : axis == 1 ? side * 90.0
                                   : -side * 90.0);
        else if (endless) // y turned inwards
            random_say(&s->scene, ", rotation: %g", axis == 1 ? (side > 0.0 ? 180.0 : 0.0) : side * 90.0);
        random_say(&s->scene, "}\n");
    }
}


static inline void random_cell(random_bodies *s, double x[3])
{
    int64_t cells =
        s->dimension == 3 ? RANDOM_CELLS * RANDOM_CELLS * RANDOM_CELLS : RANDOM_CELLS * RANDOM_CELLS;
    int64_t cell = rico_random_below(&s->scene.random, cells);
    while (!s->crowded && s->taken >> cell & 1) cell = (cell + 1) % cells;
    s->taken |= 1u << cell;
    double off = s->crowded && chance(s, 2) ? 0.3 : 0.0, wide = 2.0 * RANDOM_ROOM / RANDOM_CELLS;
    for (int i = 0; i < 3; i++, cell /= RANDOM_CELLS) {
        double place = (double)(cell % RANDOM_CELLS) - 0.5 * (RANDOM_CELLS - 1);
        x[i] = s->size * (wide * place + (off > 0.0 ? random_in(&s->scene, -off, off) : 0.0));
    }
}


static inline void random_body(random_bodies *s, int64_t index, double fast, double spinning)
{
    double x[3], v[3], w[3];
    random_say(&s->scene, "  body-%lld: {material: body, shape: ", (long long)index);
    if (s->dimension == 3)
        random_solid(s, RANDOM_REACH * (chance(s, 8) ? 0.05 : 1.0));
    else
        random_flat(s, RANDOM_REACH * (chance(s, 8) ? 0.05 : 1.0));
    random_cell(s, x);
    for (int i = 0; i < 3; i++) {
        v[i] = s->size * fast * random_in(&s->scene, -1.0, 1.0);
        w[i] = spinning * random_in(&s->scene, -1.0, 1.0);
    }
    random_say(&s->scene, ", density: %.17g", random_decades(s, -1.0, 4.0));
    say_vector(s, "position", x);
    if (fast > 0.0) say_vector(s, "velocity", v);
    if (spinning > 0.0 && s->dimension == 3) say_vector(s, "spin", w);
    if (spinning > 0.0 && s->dimension == 2) random_say(&s->scene, ", spin: %.17g", w[0]);
    if (chance(s, 2) && s->dimension == 3) // else square to the walls
        random_say(&s->scene, ", rotation: {axis: [%.17g, %.17g, 1], angle: %.17g}",
                   random_in(&s->scene, -1.0, 1.0), random_in(&s->scene, -1.0, 1.0),
                   random_in(&s->scene, -180.0, 180.0));
    else if (chance(s, 2) && s->dimension == 2)
        random_say(&s->scene, ", rotation: %.17g", random_in(&s->scene, -180.0, 180.0));
    s->sensor[index] = chance(s, 40);
    if (s->sensor[index]) random_say(&s->scene, ", sensor: yes");
    random_say(&s->scene, "}\n");
}


static inline void random_bodies_draw(random_bodies *s, uint64_t seed)
{
    static const char *const SCHEMES[] = {"moreau-jean", "moreau-jean-fremond", "combined-projection",
                                          "midpoint-projection", "event-driven"};
    memset(s, 0, sizeof *s);
    rico_random_seed(&s->scene.random, seed);
    s->dimension = chance(s, 3) ? 2 : 3;
    s->count = 1 + rico_random_below(&s->scene.random, RANDOM_BODIES);
    s->crowded = chance(s, 10);
    s->plain = !chance(s, 12);
    s->size = chance(s, 3) ? random_decades(s, -3.0, 3.0) : 1.0;
    double g = chance(s, 5) ? 0.0 : 9.81 * s->size, h = random_decades(s, -4.0, -1.7),
           fast = chance(s, 4) ? 0.0 : random_decades(s, -1.0, chance(s, 3) ? 2.0 : 0.5),
           spinning = chance(s, 3) ? 0.0 : random_decades(s, -1.0, chance(s, 6) ? 2.5 : 1.0);
    random_say(&s->scene, "gravity: [0, %s%.17g]\n", s->dimension == 3 ? "0, " : "", -g);
    for (int k = 0; k < 2; k++)
        random_say(&s->scene, "%s%s: {friction: %.17g, restitution: %.17g}%s", k ? "" : "materials: {",
                   k ? "body" : "wall", chance(s, 4) ? 0.0 : random_in(&s->scene, 0.0, 1.5),
                   chance(s, 2) ? 0.0 : random_in(&s->scene, 0.0, 1.0), k ? "}\n" : ", ");
    random_say(&s->scene, "bodies:\n");
    random_room(s);
    for (int64_t k = 0; k < s->count; k++) random_body(s, k, fast, spinning);
    random_say(&s->scene, "time: {step: %.17g, end: %.17g}\n", h,
               h * (double)(10 + rico_random_below(&s->scene.random, 50)));
    if (s->crowded) random_say(&s->scene, "initial: {overlap: true}\n");
    if (!s->plain) random_say(&s->scene, "scheme: %s\n", random_one(&s->scene, 5, SCHEMES));
}

#endif
