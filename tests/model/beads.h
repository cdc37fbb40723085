// Beads above a floor and beside walls, with a source that finds their contacts: in any order, some of them by chance.

#ifndef RICO_TESTS_MODEL_BEADS_H
#define RICO_TESTS_MODEL_BEADS_H

#include "ricochet/simulation.h"
#include "ricochet/source.h"
#include "support.h"

enum { BEADS = 7, BEAD_DOFS = 3 * BEADS };

typedef struct beads {
    uint64_t order; // of emission: contacts are emitted in the order of a hash with this
    bool chance;    // some contacts with far walls are emitted by chance, and harmlessly
    bool counts;    // the source remembers how often it was asked
    double margin;  // gaps up to which contacts are emitted; infinity: all of them, always
    double friction, restitution;
} beads;

static inline uint64_t bead_hash(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}


// Plane k in which bead i may lie: the floor z = 0, an inclined wall through x = -1, a ceiling far above.
static inline bool bead_contact(const beads *self, int64_t i, int k, const double *q, rico_emitted *out)
{
    static const double FRAME[3][9] = {
        {0, 0, 1, 1, 0, 0, 0, 1, 0}, {0.8, 0, 0.6, -0.6, 0, 0.8, 0, 1, 0}, {0, 0, -1, 1, 0, 0, 0, -1, 0}};
    static const double FOOT[3][3] = {{0, 0, 0}, {-1, 0, 0}, {0, 0, 50}};
    memset(out, 0, sizeof *out);
    out->key = (uint64_t)k << 32 | (uint64_t)i;
    out->a = (rico_point){.part = -1, .local = {FOOT[k][0], FOOT[k][1], FOOT[k][2]}};
    out->b = (rico_point){.part = 0, .item = i};
    memcpy(out->frame, FRAME[k], sizeof out->frame);
    out->dimension = 3;
    out->restitution = self->restitution;
    out->friction = self->friction;
    for (int j = 0; j < 3; j++) out->gap += FRAME[k][j] * (q[3 * i + j] - FOOT[k][j]);
    return out->gap <= self->margin;
}


static inline bool bead_emit(void *user, void *memory, double t, double h, const double *q, const double *v,
                             rico_emission *out)
{
    const beads *self = user;
    int64_t *count = memory;
    (void)h, (void)v;
    if (count) ++*count;
    // in the order of hashes: a permutation that changes with `order`
    uint64_t last = 0;
    for (int n = 0; n < 3 * BEADS; n++) {
        uint64_t best = UINT64_MAX;
        int who = 0;
        for (int m = 0; m < 3 * BEADS; m++) {
            uint64_t hash = bead_hash(self->order * 1000 + (uint64_t)m + 1);
            if (hash > last && hash <= best) best = hash, who = m;
        }
        last = best;
        rico_emitted contact;
        bool near = bead_contact(self, who % BEADS, who / BEADS, q, &contact);
        uint64_t moment;
        double shifted = t + (double)(count ? *count : 0);
        memcpy(&moment, &shifted, sizeof moment);
        bool lucky = self->chance && bead_hash(moment ^ contact.key) % 3 == 0;
        if ((near || lucky) && !rico_emit(out, &contact)) return false;
    }
    return true;
}


static inline void *bead_memory(void *user)
{
    (void)user;
    return calloc(1, sizeof(int64_t));
}


static inline void bead_forget(void *user, void *memory)
{
    (void)user;
    free(memory);
}


static inline int64_t bead_memory_size(void *user, const void *memory)
{
    (void)user, (void)memory;
    return sizeof(int64_t);
}


static inline void bead_save(void *user, const void *memory, void *bytes)
{
    (void)user;
    memcpy(bytes, memory, sizeof(int64_t));
}


static inline bool bead_load(void *user, void *memory, const void *bytes, int64_t size)
{
    (void)user;
    if (size != sizeof(int64_t)) return false;
    memcpy(memory, bytes, sizeof(int64_t));
    return true;
}


// Beads of different masses under gravity, coupled by weak springs along x.
static inline void beads_part(rico_context *ctx, rico_system *system)
{
    int64_t start[BEAD_DOFS + 1], row[BEAD_DOFS], spring_start[BEAD_DOFS + 1], spring_row[3 * BEAD_DOFS],
        at = 0;
    double mass[BEAD_DOFS], force[BEAD_DOFS], spring[3 * BEAD_DOFS];
    for (int j = 0; j < BEAD_DOFS; j++) {
        start[j] = row[j] = j;
        mass[j] = 1.0 + 0.3 * (double)(j / 3); // NOLINT(bugprone-integer-division): of the bead
        force[j] = j % 3 == 2 ? -9.81 * mass[j] : 0.0;
        spring_start[j] = at;
        for (int i = j - 3; j % 3 == 0 && i <= j + 3; i += 3) {
            if (i < 0 || i >= BEAD_DOFS) continue;
            spring_row[at] = i;
            spring[at++] = i == j ? (j == 0 || j == BEAD_DOFS - 3 ? 5.0 : 10.0) : -5.0;
        }
    }
    start[BEAD_DOFS] = BEAD_DOFS;
    spring_start[BEAD_DOFS] = at;
    rico_matrix_part part = {.size = BEAD_DOFS,
                             .M = {BEAD_DOFS, BEAD_DOFS, start, row, mass},
                             .K = {BEAD_DOFS, BEAD_DOFS, spring_start, spring_row, spring},
                             .force = force,
                             .dimension = 3};
    assert_ok(ctx, rico_system_add_matrices(system, "beads", &part, NULL));
}


static inline void beads_start(double *q, double *v)
{
    for (int i = 0; i < BEADS; i++) {
        q[3 * i] = -0.4 + 0.15 * i;
        q[3 * i + 1] = 0.1 * (i % 3);
        q[3 * i + 2] = 0.05 + 0.08 * (i * 5 % 7);
        v[3 * i] = -1.5 + 0.4 * (i % 4);
        v[3 * i + 1] = 0.7 - 0.3 * (i % 3);
        v[3 * i + 2] = 0.2 * (i % 2);
    }
}


static inline rico_contact_source beads_source(beads *self)
{
    rico_contact_source source = {.emit = bead_emit, .user = self};
    if (self->counts) {
        source.create = bead_memory;
        source.destroy = bead_forget;
        source.state_size = bead_memory_size;
        source.save = bead_save;
        source.load = bead_load;
    }
    return source;
}


static inline rico_system *beads_system(rico_context *ctx, beads *self)
{
    rico_system *system = NULL;
    assert_ok(ctx, rico_system_create(ctx, &system));
    beads_part(ctx, system);
    rico_contact_source source = beads_source(self);
    assert_ok(ctx, rico_system_add_source(system, "planes", &source));
    return system;
}


// The same planes as contacts that are always there, in the order of their keys.
static inline rico_system *beads_fixed(rico_context *ctx, const beads *self)
{
    rico_system *system = NULL;
    assert_ok(ctx, rico_system_create(ctx, &system));
    beads_part(ctx, system);
    double zero[BEAD_DOFS] = {0.0};
    for (int k = 0; k < 3; k++)
        for (int64_t i = 0; i < BEADS; i++) {
            rico_emitted plane;
            bead_contact(self, i, k, zero, &plane);
            const int64_t dof[] = {3 * i, 3 * i + 1, 3 * i + 2};
            rico_contact contact = {.dimension = 3,
                                    .restitution = self->restitution,
                                    .friction = self->friction,
                                    .reach = {3, dof},
                                    .gradient = plane.frame,
                                    .offset = plane.gap};
            char name[48];
            snprintf(name, sizeof name, "plane %d of %lld", k, (long long)i);
            assert_ok(ctx, rico_system_add_contact(system, name, &contact, NULL));
        }
    return system;
}

#endif
