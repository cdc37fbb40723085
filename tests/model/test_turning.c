// How rows turn: derivatives of formulas against differences of their frames, and differences against closed forms.

#include "support.h"

#include "model/turning.h"
#include "ricochet/ricochet.h"

// Rows that depend on t, on products and on trigonometric functions; a contact with a tangent of its own.
static const char SCENE[] =
    "parts: {p: {coordinates: [x, y, a], mass: [1, 2, 0.3]}}\n"
    "joints:\n"
    "  one: {equations: [\"x*sin(a) - y^3*cos(2*t)\", \"exp(x*y) - a^2*t - 1\"]}\n"
    "contacts:\n"
    "  two: {gap: \"2 + hypot(x - sin(t), y - 2) - cos(a)\", tangent: \"x*a + y^2\"}\n"
    "time: {end: 1, step: 0.1}\n"
    "scheme: moreau-jean\n";

enum { N = 3, MOST = 2 };

typedef struct bench {
    rico_context *ctx;
    rico_scene *scene;
    rico_assembly *assembly;
    rico_turning_space space;
} bench;


static void set_up(bench *self)
{
    memset(self, 0, sizeof *self);
    self->ctx = rico_context_create(NULL);
    assert_ok(self->ctx, rico_scene_parse(self->ctx, "text", SCENE, (int64_t)strlen(SCENE), 0, NULL, NULL, 0,
                                          &self->scene));
    assert_ok(self->ctx, rico_system_complete(rico_scene_system(self->scene)));
    assert_ok(self->ctx, rico_assembly_create(self->ctx, rico_scene_system(self->scene), &self->assembly));
    assert_ok(self->ctx, rico_turning_create(self->assembly, &self->space));
}


static void take_down(bench *self)
{
    rico_turning_destroy(&self->space);
    rico_assembly_destroy(self->assembly);
    rico_scene_destroy(self->scene);
    rico_context_destroy(self->ctx);
}


// G and w of constraint c: entry (velocity i, row j) at G[i + N j], whatever the order of its own velocities.
static void rows_at(bench *self, int64_t c, double t, const double *q, double *G, double *w)
{
    const rico_constraint *constraint = self->assembly->set.constraint[c];
    assert_ok(self->ctx, rico_assembly_frame_of(self->assembly, c, t, q));
    assert_ok(self->ctx, rico_assembly_rates(self->assembly, t, q));
    memset(G, 0, (size_t)(N * MOST) * sizeof *G);
    for (int64_t j = 0; j < constraint->size; j++) {
        int64_t first = self->assembly->H.start[constraint->row + j];
        for (int64_t i = 0; i < constraint->dof_count; i++)
            G[constraint->dof[i] + N * j] = self->assembly->H.value[first + i];
        w[j] = self->assembly->w[constraint->row + j];
    }
}


static double times(const double *G, int64_t j, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++) sum += G[i + N * j] * v[i];
    return sum;
}


// u = G v + w at t + s, q + s z.
static void u_along(bench *self, int64_t c, double t, const double *q, const double *v, const double *z,
                    double dt, double s, double *u)
{
    double G[N * MOST], w[MOST] = {0.0}, moved[N];
    for (int i = 0; i < N; i++) moved[i] = q[i] + s * z[i];
    rows_at(self, c, t + s * dt, moved, G, w);
    for (int j = 0; j < MOST; j++) u[j] = times(G, j, v) + w[j];
}


// Central differences of fourth order.
static void slope(bench *self, int64_t c, double t, const double *q, const double *v, const double *z,
                  double dt, double *out)
{
    const double s = 1e-3;
    double a[MOST], b[MOST], e[MOST], f[MOST];
    u_along(self, c, t, q, v, z, dt, s, a);
    u_along(self, c, t, q, v, z, dt, -s, b);
    u_along(self, c, t, q, v, z, dt, 2.0 * s, e);
    u_along(self, c, t, q, v, z, dt, -2.0 * s, f);
    for (int j = 0; j < MOST; j++) out[j] = (8.0 * (a[j] - b[j]) - (e[j] - f[j])) / (12.0 * s);
}


typedef struct answer {
    double gamma[MOST], Dv[N * MOST], Da[N * MOST], Cv[N * MOST];
} answer;

// The library's, in the order of the velocities of the system.
static void ask(bench *self, int64_t c, double t, const double *q, const double *v, const double *a,
                answer *out)
{
    const rico_constraint *constraint = self->assembly->set.constraint[c];
    int64_t n = constraint->dof_count;
    double gv[N], ga[N], matrix[3][N * MOST];
    for (int64_t i = 0; i < n; i++) {
        gv[i] = v[constraint->dof[i]];
        ga[i] = a[constraint->dof[i]];
    }
    memset(out, 0, sizeof *out);
    const rico_turning x = {
        .v = gv, .a = ga, .gamma = out->gamma, .Dv = matrix[0], .Da = matrix[1], .Cv = matrix[2]};
    assert_ok(self->ctx, rico_assembly_turn(self->assembly, &self->space, c, t, q, 1e-3, &x));
    double *to[] = {out->Dv, out->Da, out->Cv};
    for (int m = 0; m < 3; m++)
        for (int64_t j = 0; j < constraint->size; j++)
            for (int64_t i = 0; i < n; i++) to[m][constraint->dof[i] + N * j] = matrix[m][i + n * j];
}


static void formulas(void **state)
{
    (void)state;
    bench self;
    rico_random random;
    rico_random_seed(&random, 9);
    set_up(&self);
    for (int trial = 0; trial < 20; trial++)
        for (int64_t c = 0; c < 2; c++) {
            double q[N], v[N], a[N], u[MOST], t = rico_random_range(&random, 0.0, 1.0);
            answer is;
            for (int i = 0; i < N; i++) {
                q[i] = rico_random_range(&random, -1.0, 1.0);
                v[i] = rico_random_range(&random, -2.0, 2.0);
                a[i] = rico_random_range(&random, -2.0, 2.0);
            }
            ask(&self, c, t, q, v, a, &is);
            slope(&self, c, t, q, v, v, 1.0, u);
            for (int j = 0; j < MOST; j++) assert_near(is.gamma[j], u[j], 1e-8);
            for (int i = 0; i < N; i++) {
                double unit[N] = {0.0}, ahead[N], behind[N], up[MOST], rest[N] = {0.0};
                answer plus, minus;
                unit[i] = 1.0;
                slope(&self, c, t, q, v, unit, 0.0, u);
                for (int j = 0; j < MOST; j++) assert_near(is.Dv[i + N * j], u[j], 1e-8);
                // d(G a + gamma)/dq and d gamma/dv by differences of gamma itself
                const double s = 1e-5;
                for (int k = 0; k < N; k++) {
                    ahead[k] = q[k] + s * unit[k];
                    behind[k] = q[k] - s * unit[k];
                }
                slope(&self, c, t, q, a, unit, 0.0, u);
                slope(&self, c, t, q, rest, unit, 0.0, up); // of w alone
                ask(&self, c, t, ahead, v, a, &plus);
                ask(&self, c, t, behind, v, a, &minus);
                for (int j = 0; j < MOST; j++)
                    assert_near(is.Da[i + N * j], u[j] - up[j] + (plus.gamma[j] - minus.gamma[j]) / (2.0 * s),
                                1e-6);
                for (int k = 0; k < N; k++) {
                    ahead[k] = v[k] + s * unit[k];
                    behind[k] = v[k] - s * unit[k];
                }
                ask(&self, c, t, q, ahead, a, &plus);
                ask(&self, c, t, q, behind, a, &minus);
                for (int j = 0; j < MOST; j++)
                    assert_near(is.Cv[i + N * j], (plus.gamma[j] - minus.gamma[j]) / (2.0 * s), 1e-7);
            }
        }
    take_down(&self);
}


// L = d(G'force)/dq, column by column.
static void forces(void **state)
{
    (void)state;
    bench self;
    const double q[N] = {0.3, -0.7, 1.1}, force[MOST] = {1.7, -0.4}, t = 0.2, s = 1e-5;
    set_up(&self);
    for (int64_t c = 0; c < 2; c++) {
        const rico_constraint *constraint = self.assembly->set.constraint[c];
        int64_t n = constraint->dof_count;
        double L[N * N], G[2][N * MOST], w[MOST];
        assert_ok(self.ctx, rico_assembly_bend(self.assembly, &self.space, c, t, q, force, L));
        for (int64_t i = 0; i < n; i++) {
            double moved[2][N];
            for (int side = 0; side < 2; side++) {
                memcpy(moved[side], q, sizeof q);
                moved[side][constraint->dof[i]] += side ? s : -s;
                rows_at(&self, c, t, moved[side], G[side], w);
            }
            for (int64_t k = 0; k < n; k++) {
                double sum = 0.0;
                for (int64_t j = 0; j < constraint->size; j++)
                    sum += force[j] * (G[1][constraint->dof[k] + N * j] - G[0][constraint->dof[k] + N * j]) /
                           (2.0 * s);
                assert_near(L[k + i * n], sum, 1e-8);
            }
        }
    }
    take_down(&self);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(formulas), cmocka_unit_test(forces)};
    return cmocka_run_group_tests_name("turning rows", tests, NULL, NULL);
}
