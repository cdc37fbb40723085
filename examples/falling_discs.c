// Two dozen discs fall into a box: bodies with points, and a source that finds their contacts step by step.
//
// The discs are one part by functions: three velocities each (x, y, turn), constant mass, weight, and points that turn with
// them. The source looks at all pairs that may meet before the step ends; its keys say who meets whom, so that the solver
// starts each contact from the impulse that it had. At the end the discs rest: the floor and the walls carry their weight.

#include <ricochet/ricochet.h>
#include <ricochet/source.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DISCS = 24, WALLS = 3, COLUMNS = 8 };

static const double RADIUS = 0.1, MASS = 0.5, GRAVITY = 9.81, FRICTION = 0.4, WIDTH = 1.13;


// --- the part: M is diagonal, three numbers for each disc ----------------------------------------------------------

static bool mass(void *user, const double *q, double *M)
{
    (void)user, (void)q;
    for (int i = 0; i < DISCS; i++) {
        M[3 * i] = M[3 * i + 1] = MASS;
        M[3 * i + 2] = 0.5 * MASS * RADIUS * RADIUS;
    }
    return true;
}


static bool weight(void *user, double t, double *f)
{
    (void)user, (void)t;
    for (int i = 0; i < 3 * DISCS; i++) f[i] = i % 3 == 1 ? -MASS * GRAVITY : 0.0;
    return true;
}


// Where a point of a disc is: item says which disc, local is its place there before the disc has turned.
static bool point(void *user, const double *q, const rico_point *p, double *x)
{
    (void)user;
    const double *own = q + 3 * p->item, c = cos(own[2]), s = sin(own[2]);
    x[0] = own[0] + c * p->local[0] - s * p->local[1];
    x[1] = own[1] + s * p->local[0] + c * p->local[1];
    x[2] = 0.0;
    return true;
}


static int64_t point_dofs(void *user, const rico_point *p, int64_t *dof)
{
    (void)user;
    if (p->item < 0 || p->item >= DISCS) return -1;
    for (int i = 0; i < 3; i++) dof[i] = 3 * p->item + i;
    return 3;
}


// The velocity of the point along each axis of the frame, by the three velocities of its disc.
static bool point_rows(void *user, const double *q, const rico_point *p, const double *frame, int size,
                       double *rows)
{
    double x[3], arm[2];
    point(user, q, p, x);
    arm[0] = x[0] - q[3 * p->item];
    arm[1] = x[1] - q[3 * p->item + 1];
    for (int j = 0; j < size; j++) {
        const double *axis = frame + 3 * j;
        rows[3 * j] = axis[0];
        rows[3 * j + 1] = axis[1];
        rows[3 * j + 2] = axis[1] * arm[0] - axis[0] * arm[1];
    }
    return true;
}


// --- the source ----------------------------------------------------------------------------------------------------

// A point on the rim of disc i, in direction (nx, ny) from its middle, as it stands now.
static rico_point rim(const double *q, int64_t i, double nx, double ny)
{
    double c = cos(q[3 * i + 2]), s = sin(q[3 * i + 2]);
    return (rico_point){
        .part = 0, .item = i, .local = {RADIUS * (c * nx + s * ny), RADIUS * (c * ny - s * nx)}};
}


static bool emit(rico_emission *out, uint64_t key, rico_point a, rico_point b, double gap, double nx,
                 double ny)
{
    rico_emitted contact = {.key = key,
                            .a = a,
                            .b = b,
                            .gap = gap,
                            .frame = {nx, ny, 0.0, -ny, nx, 0.0},
                            .dimension = 2,
                            .friction = FRICTION};
    return rico_emit(out, &contact);
}


static bool find_contacts(void *user, void *memory, double t, double h, const double *q, const double *v,
                          rico_emission *out)
{
    static const double WALL[WALLS][4] = {{0.0, 0.0, 0.0, 1.0}, {0.0, 0.0, 1.0, 0.0}, {1.0, 0.0, -1.0, 0.0}};
    (void)user, (void)memory, (void)t;
    double fastest = 0.0;
    for (int i = 0; i < 3 * DISCS; i++) fastest = i % 3 < 2 ? fmax(fastest, fabs(v[i])) : fastest;
    double margin = 4.0 * h * (fastest + GRAVITY * h) + 0.05 * RADIUS;
    for (int64_t i = 0; i < DISCS; i++) {
        for (uint64_t k = 0; k < WALLS; k++) {
            double nx = WALL[k][2], ny = WALL[k][3];
            double away = nx * (q[3 * i] - WALL[k][0] * WIDTH) + ny * (q[3 * i + 1] - WALL[k][1]);
            if (away - RADIUS > margin) continue;
            rico_point foot = {.part = -1, .local = {q[3 * i] - away * nx, q[3 * i + 1] - away * ny}};
            if (!emit(out, (k + 1) << 32 | (uint64_t)i, foot, rim(q, i, -nx, -ny), away - RADIUS, nx, ny))
                return false;
        }
        for (int64_t j = 0; j < i; j++) {
            double x = q[3 * i] - q[3 * j], y = q[3 * i + 1] - q[3 * j + 1], far = hypot(x, y);
            if (far - 2.0 * RADIUS > margin || far == 0.0) continue;
            x /= far, y /= far;
            if (!emit(out, (uint64_t)(100 + j) << 32 | (uint64_t)i, rim(q, j, x, y), rim(q, i, -x, -y),
                      far - 2.0 * RADIUS, x, y))
                return false;
        }
    }
    return true;
}


// --- the run -------------------------------------------------------------------------------------------------------

static rico_status build(rico_context *ctx, rico_system **system)
{
    int64_t start[3 * DISCS + 1], row[3 * DISCS];
    for (int i = 0; i <= 3 * DISCS; i++) start[i] = i;
    for (int i = 0; i < 3 * DISCS; i++) row[i] = i;
    const rico_sparse_view diagonal = {3 * DISCS, 3 * DISCS, start, row, NULL};
    rico_callback_part discs = {.size = 3 * DISCS,
                                .pattern = &diagonal,
                                .constant_mass = true,
                                .mass = mass,
                                .load = weight,
                                .point_reach = 3,
                                .point = point,
                                .point_dofs = point_dofs,
                                .point_rows = point_rows};
    const rico_contact_source source = {.emit = find_contacts};
    rico_status status = rico_system_create(ctx, system);
    if (status == RICO_OK) status = rico_system_add_callbacks(*system, "discs", &discs, NULL);
    if (status == RICO_OK) status = rico_system_add_source(*system, "touch", &source);
    return status;
}


static void place(double *q, double *v)
{
    memset(v, 0, 3 * DISCS * sizeof *v);
    for (int i = 0; i < DISCS; i++) {
        q[3 * i] = RADIUS + (WIDTH - 2.0 * RADIUS) * ((i * 5) % COLUMNS) / (COLUMNS - 1.0);
        q[3 * i + 1] = 0.15 + 0.22 * i;
        q[3 * i + 2] = 0.0;
        v[3 * i + 2] = 1.0 - 0.05 * i;
    }
}


int main(void)
{
    rico_context *ctx = rico_context_create(NULL);
    rico_system *system = NULL;
    rico_simulation *sim = NULL;
    double q[3 * DISCS], v[3 * DISCS], h = 2e-3;
    place(q, v);
    rico_status status = ctx ? build(ctx, &system) : RICO_NO_MEMORY;
    if (status == RICO_OK) status = rico_simulation_create(system, "moreau-jean", &sim);
    if (status == RICO_OK) status = rico_simulation_set(sim, "activation", "explicit");
    if (status == RICO_OK) status = rico_simulation_start(sim, 0.0, q, v);
    rico_run_options options = rico_run_defaults(h);
    if (status == RICO_OK) status = rico_simulation_run(sim, 2.5, &options, NULL, NULL, NULL);
    if (status != RICO_OK) {
        fprintf(stderr, "%s\n", ctx ? rico_message(ctx) : "out of memory");
        return 1;
    }

    // floor: keys of wall 0
    double carried = 0.0;
    for (int64_t c = 0; c < rico_simulation_constraints(sim); c++) {
        rico_constraint_info contact = rico_simulation_constraint(sim, c);
        const double *p = rico_simulation_impulse(sim) + contact.row;
        if (contact.key >> 32 == 1) carried += p[0] / h;
        if (contact.key >> 32 == 2) carried += p[1] / h;
        if (contact.key >> 32 == 3) carried -= p[1] / h;
    }
    const rico_ledger *books = rico_simulation_ledger_total(sim);
    double error = fabs(carried / (DISCS * MASS * GRAVITY) - 1.0);
    printf("%lld contacts carry %.6f N of %.6f N; the balance of energy is open by %.1e J of %.1f J; the "
           "deepest "
           "penetration was %.1e m\n",
           (long long)rico_simulation_constraints(sim), carried, DISCS * MASS * GRAVITY,
           fabs(books->residual), books->external, rico_simulation_breach(sim).depth);
    bool good = error < 1e-2 && fabs(books->residual) < 1e-9 * books->external;
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    rico_context_destroy(ctx);
    return good ? 0 : 1;
}
