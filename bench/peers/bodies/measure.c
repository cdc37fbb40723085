// The measures of the comparison. Everything is taken from poses and velocities, in double precision, and never from what an engine
// says of itself.

#include "measure.h"

#include <math.h>
#include <string.h>

static const double *state_at(const scene *scene, const scene_result *result, int kept, int body)
{
    return result->state + ((size_t)kept * (size_t)scene->bodies + (size_t)body) * STATE;
}

static const double *last_state(const scene *scene, const scene_result *result, int body)
{
    return state_at(scene, result, result->kept - 1, body);
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// of spheres exact; of boxes as well as long as they are cubes or do not turn
static double kinetic(const scene_body *body, const double *x)
{
    double inertia[3];
    scene_inertia(body, inertia);
    double sum = body->mass * dot(x + 7, x + 7);
    for (int i = 0; i < 3; i++) sum += inertia[i] * x[10 + i] * x[10 + i];
    return 0.5 * sum;
}

typedef struct depths {
    double largest, sum;
    int count;
} depths;

static void add_depth(depths *depths, double gap)
{
    if (gap >= 0.0) return;
    depths->largest = fmax(depths->largest, -gap);
    depths->sum -= gap;
    depths->count++;
}

// How deep spheres stand in each other and in the walls.
static depths depths_of(const scene *scene, const scene_result *result, int kept)
{
    depths depths = {0};
    for (int a = 0; a < scene->bodies; a++) {
        const double *x = state_at(scene, result, kept, a);
        double radius = scene->body[a].half[0];
        for (int p = 0; p < scene->planes; p++) {
            const double *point = scene->plane[p];
            double from[3] = {x[0] - point[0], x[1] - point[1], x[2] - point[2]};
            add_depth(&depths, dot(from, point + 3) - radius);
        }
        for (int b = 0; b < a; b++) {
            const double *y = state_at(scene, result, kept, b);
            double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]}, reach = radius + scene->body[b].half[0];
            double square = dot(d, d);
            if (square < reach * reach) add_depth(&depths, sqrt(square) - reach);
        }
    }
    return depths;
}

static void take_heap(const scene *scene, const scene_result *result, double *cell, char *text)
{
    (void)text;
    double largest = 0.0, energy = 0.0;
    for (int k = 0; k < result->kept; k++) largest = fmax(largest, depths_of(scene, result, k).largest);
    depths end = depths_of(scene, result, result->kept - 1);
    for (int b = 0; b < scene->bodies; b++) energy += kinetic(&scene->body[b], last_state(scene, result, b));
    cell[1] = result->contacts > 0.0 ? result->contacts : NAN;
    cell[2] = largest;
    cell[3] = end.largest;
    cell[4] = end.count ? end.sum / end.count : 0.0;
    cell[5] = energy;
}

static void take_stack(const scene *scene, const scene_result *result, double *cell, char *text)
{
    (void)text;
    double drift = 0.0, sink = 0.0, speed = 0.0;
    for (int b = 0; b < scene->bodies; b++) {
        const double *x = last_state(scene, result, b), *start = scene->body[b].state;
        drift = fmax(drift, hypot(x[0] - start[0], x[1] - start[1]));
        sink = fmax(sink, fabs(x[2] - start[2]));
        speed = fmax(speed, sqrt(dot(x + 7, x + 7)));
    }
    cell[1] = result->contacts > 0.0 ? result->contacts : NAN;
    cell[2] = drift, cell[3] = sink, cell[4] = speed;
}

static void take_stick(const scene *scene, const scene_result *result, double *cell, char *text)
{
    (void)text;
    const double *half = state_at(scene, result, 0, 0), *end = last_state(scene, result, 0);
    const double *start = scene->body[0].state;
    double time = scene->step * (result->at[result->kept - 1] - result->at[0]);
    cell[0] = hypot(end[0] - half[0], end[1] - half[1]) / time;
    cell[1] = hypot(end[0] - start[0], end[1] - start[1]);
}

// v = (g_x - mu g_z) t
static void take_slip(const scene *scene, const scene_result *result, double *cell, char *text)
{
    (void)text;
    double time = scene->step * scene->steps;
    double exact = (scene->gravity[0] + scene->friction * scene->gravity[2]) * time;
    cell[0] = last_state(scene, result, 0)[7] - exact;
}

static void take_stop(const scene *scene, const scene_result *result, double *cell, char *text)
{
    (void)text;
    const double *end = last_state(scene, result, 0), *start = scene->body[0].state, *v = start + 7;
    double way[2] = {end[0] - start[0], end[1] - start[1]};
    double exact = dot(v, v) / (-2.0 * scene->friction * scene->gravity[2]);
    cell[0] = hypot(way[0], way[1]) / exact - 1.0;
    cell[1] = atan2(v[0] * way[1] - v[1] * way[0], v[0] * way[0] + v[1] * way[1]) * 57.29577951308232;
}

// Heights of flight, from the last state of each way up: exact for a free fall whatever the step.
static void take_bounce(const scene *scene, const scene_result *result, double *cell, char *text)
{
    (void)text;
    enum { BOUNCES = 4 };
    double g = -scene->gravity[2], radius = scene->body[0].half[0], exact = 1.0;
    double drop = scene->body[0].state[2] - radius;
    int bounce = 0;
    for (int i = 0; i < BOUNCES; i++) cell[i] = NAN;
    for (int k = 1; k < result->kept && bounce < BOUNCES; k++) {
        const double *x = state_at(scene, result, k - 1, 0), *next = state_at(scene, result, k, 0);
        if (!(x[9] > 0.0 && next[9] <= 0.0)) continue;
        exact *= scene->restitution * scene->restitution;
        cell[bounce++] = (x[2] - radius + x[9] * x[9] / (2.0 * g)) / drop / exact - 1.0;
    }
}

static double energy_of(const scene *scene, const scene_body *body, const double *x)
{
    return kinetic(body, x) - body->mass * scene->gravity[2] * (x[2] - body->half[0]);
}

static void take_energy(const scene *scene, const scene_result *result, double *cell, char *text)
{
    (void)text;
    double start = 0.0, end = 0.0;
    for (int b = 0; b < scene->bodies; b++) {
        start += energy_of(scene, &scene->body[b], scene->body[b].state);
        end += energy_of(scene, &scene->body[b], last_state(scene, result, b));
    }
    cell[0] = end / start - 1.0;
}

// All goes into the last ball.
static void take_cradle(const scene *scene, const scene_result *result, double *cell, char *text)
{
    double worst = 0.0;
    int used = 0;
    for (int b = 0; b < scene->bodies; b++) {
        const double *v = last_state(scene, result, b) + 7;
        double miss[3] = {v[0] - (b == scene->bodies - 1), v[1], v[2]};
        worst = fmax(worst, sqrt(dot(miss, miss)));
        if (used < MEASURE_TEXT)
            used += snprintf(text + used, (size_t)(MEASURE_TEXT - used), "%s%.3g", b ? " " : "", v[0]);
    }
    cell[0] = worst;
    take_energy(scene, result, cell + 1, NULL);
}

static const measure measures[] = {
    {"heap",
     6,
     {{"CPU s/s", true, true},
      {"contacts", false, false},
      {"deepest ever m", true, false},
      {"deepest at end m", true, false},
      {"mean depth at end m", true, false},
      {"kinetic energy at end J", true, false}},
     NULL,
     take_heap},
    {"stack",
     5,
     {{"CPU s/s", true, true},
      {"contacts", false, false},
      {"drift m", true, false},
      {"sink m", true, false},
      {"fastest at end m/s", true, false}},
     NULL,
     take_stack},
    {"stick", 2, {{"creep m/s", true, false}, {"drift m", true, false}}, NULL, take_stick},
    {"slip", 1, {{"error of v m/s", true, false}}, NULL, take_slip},
    {"stop", 2, {{"distance error", true, false}, {"turned off deg", true, false}}, NULL, take_stop},
    {"bounce",
     4,
     {{"1st", true, false}, {"2nd", true, false}, {"3rd", true, false}, {"4th", true, false}},
     NULL,
     take_bounce},
    {"energy", 1, {{"energy", true, false}}, NULL, take_energy},
    {"cradle",
     2,
     {{"largest error of v", true, false}, {"energy", true, false}},
     "velocities after",
     take_cradle},
};

const measure *measure_find(const char *name)
{
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
        if (!strcmp(measures[i].name, name)) return &measures[i];
    return NULL;
}
