// Contacts that come and go as they please, for tests: balls that fall on a floor and on each other, and whose contacts
// appear, vanish and change their order by a hash of the time and of their keys.
//
// Two sources. `floor` decides by time and key; `pairs` remembers how often it was asked and decides by that, so that a saved
// state without its memory goes another way.

#ifndef RICO_TESTS_HAIL_H
#define RICO_TESTS_HAIL_H

#include "support.h"

#include "ricochet/run.h"
#include "ricochet/source.h"

#include <unistd.h>

enum { HAIL_BALLS = 9, HAIL_SIZE = 3 * HAIL_BALLS };
static const double HAIL_RADIUS = 0.05, HAIL_REACH = 0.3;

// The order of emission, which must not matter: forwards, backwards, or one that changes with time.
typedef struct hail {
    int order;
    bool steady;  // contacts stay while they are near
    int64_t part; // set by hail_add()
    double reference[HAIL_SIZE];
} hail;

// A ball of the scene's own bounces beside them, so that there is a contact that is always there.
static const char HAIL_SCENE[] = "parts:\n"
                                 "  ball: {coordinates: [x, y], mass: [1, 1], force: [0, -10]}\n"
                                 "contacts:\n"
                                 "  ground: {gap: y, tangent: x, restitution: 0.5, friction: 0.2}\n"
                                 "initial: {position: {y: 0.1}, velocity: {x: 0.3}}\n"
                                 "scheme: {name: moreau-jean}\n"
                                 "time: {end: 0.6, step: 2e-3}\n"
                                 "output: {every: 3, interval: 1/50, impacts: true}\n";


static inline uint64_t hail_hash(uint64_t a, uint64_t b)
{
    uint64_t x = a * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xbf58476d1ce4e5b9) + 1;
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}


static inline uint64_t hail_bits(double t)
{
    uint64_t bits;
    memcpy(&bits, &t, sizeof bits);
    return bits;
}


static inline void hail_place(const hail *own, const double *q, int64_t ball, double x[3])
{
    // the scene's own ball has the first two positions
    for (int i = 0; i < 3; i++) x[i] = own->reference[3 * ball + i] + q[2 + 3 * ball + i];
}


// The k-th of `count` things in the order that was asked for.
static inline int64_t hail_turn(const hail *own, double t, int64_t k, int64_t count)
{
    if (own->order == 0) return k;
    if (own->order == 1) return count - 1 - k;
    return (k + (int64_t)(hail_hash(hail_bits(t), 17) % (uint64_t)count)) % count;
}


static inline bool hail_floor(void *user, void *memory, double t, double h, const double *q, const double *v,
                              rico_emission *out)
{
    (void)memory, (void)h, (void)v;
    const hail *own = user;
    for (int64_t k = 0; k < HAIL_BALLS; k++) {
        int64_t ball = hail_turn(own, t, k, HAIL_BALLS);
        uint64_t key = hail_hash((uint64_t)ball, 5); // any 64 bits, in no order of the balls
        double x[3];
        hail_place(own, q, ball, x);
        if (x[2] - HAIL_RADIUS > HAIL_REACH || (!own->steady && hail_hash(hail_bits(t), key) % 5 == 0))
            continue;
        const rico_emitted contact = {.key = key,
                                      .a = {-1, 0, {x[0], x[1], HAIL_RADIUS}},
                                      .b = {own->part, ball, {0.0, 0.0, 0.0}},
                                      .gap = x[2] - HAIL_RADIUS,
                                      .frame = {0, 0, 1, 1, 0, 0, 0, 1, 0},
                                      .dimension = 3,
                                      .restitution = 0.4,
                                      .friction = 0.3};
        if (!rico_emit(out, &contact)) return false;
    }
    return true;
}


static inline bool hail_pairs(void *user, void *memory, double t, double h, const double *q, const double *v,
                              rico_emission *out)
{
    (void)h, (void)v;
    const hail *own = user;
    uint64_t asked = ++*(uint64_t *)memory;
    for (int64_t k = 0; k + 1 < HAIL_BALLS; k++) {
        int64_t ball = hail_turn(own, t, k, HAIL_BALLS - 1);
        double a[3], b[3], d[3], far = 0.0;
        hail_place(own, q, ball, a);
        hail_place(own, q, ball + 1, b);
        for (int i = 0; i < 3; i++) d[i] = b[i] - a[i], far += d[i] * d[i];
        far = sqrt(far);
        uint64_t key = ~(uint64_t)ball;
        if (far - 2.0 * HAIL_RADIUS > HAIL_REACH || (!own->steady && hail_hash(asked, key) % 4 == 0))
            continue;
        const rico_emitted contact = {.key = key,
                                      .a = {own->part, ball, {0.0, 0.0, 0.0}},
                                      .b = {own->part, ball + 1, {0.0, 0.0, 0.0}},
                                      .gap = far - 2.0 * HAIL_RADIUS,
                                      .frame = {d[0] / far, d[1] / far, d[2] / far},
                                      .dimension = 1,
                                      .restitution = 0.7};
        if (!rico_emit(out, &contact)) return false;
    }
    return true;
}


static inline void *hail_create(void *user)
{
    (void)user;
    return calloc(1, sizeof(uint64_t));
}


static inline void hail_destroy(void *user, void *memory)
{
    (void)user;
    free(memory);
}


static inline int64_t hail_state_size(void *user, const void *memory)
{
    (void)user, (void)memory;
    return sizeof(uint64_t);
}


static inline void hail_save(void *user, const void *memory, void *bytes)
{
    (void)user;
    memcpy(bytes, memory, sizeof(uint64_t));
}


static inline bool hail_load(void *user, void *memory, const void *bytes, int64_t size)
{
    (void)user;
    if (size != (int64_t)sizeof(uint64_t)) return false;
    memcpy(memory, bytes, sizeof(uint64_t));
    return true;
}


// The balls, and who says what they touch: for rico_scene_options.extend and rico_runner_options.add.
static inline rico_status hail_add(void *user, rico_system *system)
{
    hail *own = user;
    int64_t start[HAIL_SIZE + 1], row[HAIL_SIZE];
    double mass[HAIL_SIZE], force[HAIL_SIZE];
    for (int64_t i = 0; i < HAIL_SIZE; i++) {
        int64_t ball = i / 3;
        start[i] = row[i] = i;
        mass[i] = 0.2 + 0.05 * (double)ball;
        force[i] = i % 3 == 2 ? -10.0 * mass[i] : 2.0 * mass[i] * sin((double)i);
        own->reference[i] =
            i % 3 == 2 ? 0.1 + 0.04 * (double)ball : 0.09 * (double)(i % 3 == 0 ? ball : ball % 2);
    }
    start[HAIL_SIZE] = HAIL_SIZE;
    const rico_matrix_part balls = {.size = HAIL_SIZE,
                                    .M = {HAIL_SIZE, HAIL_SIZE, start, row, mass},
                                    .force = force,
                                    .dimension = 3,
                                    .reference = own->reference};
    const rico_contact_source floor = {.emit = hail_floor, .user = own},
                              pairs = {.emit = hail_pairs,
                                       .create = hail_create,
                                       .destroy = hail_destroy,
                                       .state_size = hail_state_size,
                                       .save = hail_save,
                                       .load = hail_load,
                                       .user = own};
    own->part = 1; // behind the scene's ball
    rico_status status = rico_system_add_matrices(system, "hail", &balls, NULL);
    if (status == RICO_OK) status = rico_system_add_source(system, "floor", &floor);
    if (status == RICO_OK) status = rico_system_add_source(system, "pairs", &pairs);
    return status;
}


// The run of the scene above, into a file or, without one, into memory.
static inline rico_runner_options hail_options(hail *own, const char *path)
{
    rico_runner_options options = rico_runner_defaults();
    options.scene = "hail";
    options.text = HAIL_SCENE;
    options.output = path;
    options.add = hail_add;
    options.user = own;
    return options;
}

#endif
