// A scene made linear: M dv' + C dv + K dq = b u about its initial state, what joints hold left out, in state space.

#include "control/matrix.h"
#include "la/dense.h"
#include "ricochet/linear.h"
#include "scene/scene_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 1000 }; // velocities; matrices are dense

typedef struct linear {
    rico_scene *scene;
    const rico_linear_options *options;
    rico_pad pad;
    int64_t n;           // velocities
    rico_mat M, K, C;    // n x n
    rico_mat H;          // n x rows of joints
    rico_mat b;          // n x inputs
    rico_mat by_q, by_v; // outputs x n
    rico_linear_notes notes;
} linear;


static rico_status check(const linear *self)
{
    const rico_scene *scene = self->scene;
    const rico_system *system = scene->system;
    if (system->nq != system->nv || !system->flat)
        return rico_fail(
            scene->ctx, RICO_UNSUPPORTED,
            "the scene has bodies that turn: linear systems are made of parts whose positions and "
            "velocities are paired");
    if (scene->sampled_count > 0)
        return rico_fail(
            scene->ctx, RICO_UNSUPPORTED,
            "the scene has sampled parts, whose clock has no place in a linear system of continuous "
            "time; leave 'every' out");
    if (self->n > MOST)
        return rico_fail(scene->ctx, RICO_UNSUPPORTED,
                         "the scene has %lld velocities, more than the %d of dense linear systems",
                         (long long)self->n, MOST);
    return RICO_OK;
}


static rico_mat dense(linear *self, const double *values)
{
    const rico_csc *pattern = &self->scene->system->pattern;
    rico_mat out = rico_mat_zero(&self->pad, self->n, self->n);
    for (int64_t j = 0; out.a && j < self->n; j++)
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            *rico_mat_at(out, pattern->row[k], j) += values[k];
    return out;
}


static bool holds(const rico_constraint *constraint)
{
    return constraint->joint && !constraint->box.acts && !constraint->relation;
}


// Rows of joints at positions q, as columns; everything else that may push is counted.
static rico_mat joint_rows(linear *self, rico_assembly *assembly, const double *q)
{
    const rico_system *system = self->scene->system;
    int64_t rows = 0, left_out = system->source_count;
    for (int64_t c = 0; c < system->constraint_count; c++) {
        rows += holds(system->constraint[c]) ? system->constraint[c]->size : 0;
        left_out += !holds(system->constraint[c]);
    }
    self->notes.left_out = left_out;
    rico_mat H = rico_mat_zero(&self->pad, self->n, rows);
    if (self->pad.status == RICO_OK)
        self->pad.status = rico_assembly_frames(assembly, rico_scene_times(self->scene).start, q);
    rows = 0;
    for (int64_t c = 0; self->pad.status == RICO_OK && c < system->constraint_count; c++) {
        const rico_constraint *constraint = system->constraint[c];
        for (int64_t i = 0; holds(constraint) && i < constraint->size; i++, rows++)
            for (int64_t k = assembly->H.start[constraint->row + i];
                 k < assembly->H.start[constraint->row + i + 1]; k++)
                *rico_mat_at(H, assembly->H.row[k], rows) = assembly->H.value[k];
    }
    return H;
}


// Joints whose rows turn have reactions that act as springs, which K does not hold: seen by looking a little beside the start.
static rico_status take_joints(linear *self, rico_assembly *assembly)
{
    const rico_scene *scene = self->scene;
    const rico_system *system = scene->system;
    double *beside = rico_pad_take(&self->pad, self->n, sizeof *beside);
    for (int64_t i = 0; beside && i < self->n; i++)
        beside[i] = scene->q[i] + 1e-3 * (1.0 + fabs(scene->q[i])) * sin(1.0 + 2.4 * (double)i);
    self->H = joint_rows(self, assembly, scene->q);
    rico_mat other = joint_rows(self, assembly, beside);
    int64_t row = 0;
    for (int64_t c = 0; self->pad.status == RICO_OK && c < system->constraint_count; c++) {
        if (!holds(system->constraint[c])) continue;
        double size = 0.0, change = 0.0;
        for (int64_t k = row * self->n; k < (row + system->constraint[c]->size) * self->n; k++) {
            size = fmax(size, fabs(self->H.a[k]));
            change = fmax(change, fabs(self->H.a[k] - other.a[k]));
        }
        row += system->constraint[c]->size;
        if (change > 1e-9 * size)
            return rico_fail(
                scene->ctx, RICO_UNSUPPORTED,
                "joint %s turns with the positions: choose coordinates that it need not hold, or a "
                "joint with a constant gradient",
                system->constraint[c]->name);
    }
    return self->pad.status;
}


// A basis of the velocities that the joints allow: columns of V beyond their rank.
static rico_mat allowed(linear *self)
{
    if (self->H.cols == 0) return rico_mat_eye(&self->pad, self->n);
    rico_mat_svd svd = rico_mat_svd_of(&self->pad, self->H);
    int64_t rank = 0, most = self->n < self->H.cols ? self->n : self->H.cols;
    while (svd.s && rank < most && svd.s[rank] > 1e-10 * svd.s[0]) rank++;
    return rico_mat_part(&self->pad, svd.u, 0, self->n, rank, self->n - rank);
}


static rico_status take_input(linear *self, int64_t k)
{
    rico_scene *scene = self->scene;
    const rico_node node = {
        .key = self->options->input[k], .line = 1, .column = 1, .key_line = 1, .key_column = 1};
    int64_t dof;
    double weight;
    if (rico_scene_find_dof(scene, &node, &dof, &weight) != RICO_OK)
        return rico_fail(scene->ctx, RICO_BAD_ARGUMENT, "the input '%s' is no coordinate and no state",
                         self->options->input[k]);
    *rico_mat_at(self->b, dof, k) = weight;
    return RICO_OK;
}


// The derivatives of an output at the initial state.
static rico_status take_output(linear *self, int64_t k)
{
    rico_scene *scene = self->scene;
    rico_formula *formula = NULL;
    int64_t n = self->n, count;
    rico_status status =
        rico_formula_create(scene->ctx, self->options->output[k], &scene->state_scope, NULL, &formula);
    if (status != RICO_OK) {
        char sentence[512];
        snprintf(sentence, sizeof sentence, "%s", rico_message(scene->ctx));
        return status == RICO_NO_MEMORY ? status
                                        : rico_fail(scene->ctx, RICO_BAD_ARGUMENT, "the output '%s': %s",
                                                    self->options->output[k], sentence);
    }
    const int64_t *slot = rico_formula_slots(formula, &count);
    double *variables = rico_pad_take(&self->pad, 1 + 2 * n, sizeof *variables),
           *gradient = rico_pad_take(&self->pad, count, sizeof *gradient),
           *work = rico_pad_take(&self->pad, rico_formula_work(formula, 1, count), sizeof *work);
    if (self->pad.status == RICO_OK) {
        variables[0] = rico_scene_times(scene).start;
        memcpy(variables + 1, scene->q, (size_t)n * sizeof *variables);
        memcpy(variables + 1 + n, scene->v, (size_t)n * sizeof *variables);
        rico_formula_gradient(formula, variables, count, slot, work, gradient);
        for (int64_t i = 0; i < count; i++)
            if (slot[i] > 0)
                *rico_mat_at(slot[i] <= n ? self->by_q : self->by_v, k, (slot[i] - 1) % n) = gradient[i];
        if (!rico_all_finite(count, gradient))
            status = rico_fail(scene->ctx, RICO_BAD_ARGUMENT,
                               "the output '%s' has no finite derivative at the initial state",
                               self->options->output[k]);
    }
    rico_formula_destroy(formula);
    return status == RICO_OK ? self->pad.status : status;
}


// Matrices, and the rates that the forces leave, at the initial state.
static rico_status take_model(linear *self)
{
    const rico_scene *scene = self->scene;
    rico_assembly *assembly = NULL;
    double t = rico_scene_times(scene).start, *load = rico_pad_take(&self->pad, self->n, sizeof *load);
    rico_mat f = rico_mat_zero(&self->pad, self->n, 1);
    rico_status status = self->pad.status;
    if (status == RICO_OK) status = rico_assembly_create(scene->ctx, scene->system, &assembly);
    if (status == RICO_OK) status = rico_assembly_mass(assembly, t, scene->q);
    if (status == RICO_OK) status = rico_assembly_tangents(assembly, t, scene->q, scene->v);
    if (status == RICO_OK) status = rico_assembly_load(assembly, t, load);
    if (status == RICO_OK) status = rico_assembly_forces(assembly, t, scene->q, scene->v, f.a, NULL, NULL);
    if (status == RICO_OK) {
        rico_axpy(self->n, 1.0, load, f.a);
        self->M = dense(self, assembly->M);
        self->K = dense(self, assembly->K);
        self->C = dense(self, assembly->C);
        status = take_joints(self, assembly);
    }
    if (status == RICO_OK) {
        rico_mat N = allowed(self), T = rico_mat_transpose(&self->pad, N);
        rico_mat rate = rico_mat_divide(&self->pad, rico_mat_product3(&self->pad, T, self->M, N),
                                        rico_mat_product(&self->pad, T, f));
        status = self->pad.status;
        if (status == RICO_OK) self->notes.imbalance = rico_mat_largest(rate);
    }
    rico_assembly_destroy(assembly);
    return status;
}


// Is this velocity a state whose integral neither a force nor an output reads?
static bool is_plain_state(const linear *self, int64_t dof)
{
    const rico_scene *scene = self->scene;
    bool state = false;
    for (int64_t p = 0; p < scene->part_count; p++) {
        const rico_scene_part *part = scene->part[p];
        if (dof >= part->place.v && dof < part->place.v + part->n) state = part->first_order;
    }
    for (int64_t i = 0; state && i < self->n; i++) state = *rico_mat_at(self->K, i, dof) == 0.0;
    for (int64_t k = 0; state && k < self->by_q.rows; k++) state = *rico_mat_at(self->by_q, k, dof) == 0.0;
    return state;
}


// x = (positions that matter, velocities). With joints, coordinates along the basis of what they allow, all of them.
static rico_status put_together(linear *self, rico_state_space **out)
{
    rico_pad *pad = &self->pad;
    rico_mat N = allowed(self), T = rico_mat_transpose(pad, N);
    int64_t m = N.cols, kept = 0, *keep = rico_pad_take(pad, m, sizeof *keep);
    rico_mat M = rico_mat_product3(pad, T, self->M, N);
    rico_mat K = rico_mat_divide(pad, M, rico_mat_product3(pad, T, self->K, N)),
             C = rico_mat_divide(pad, M, rico_mat_product3(pad, T, self->C, N)),
             b = rico_mat_divide(pad, M, rico_mat_product(pad, T, self->b)),
             by_q = rico_mat_product(pad, self->by_q, N), by_v = rico_mat_product(pad, self->by_v, N);
    if (pad->status != RICO_OK) return pad->status;
    for (int64_t i = 0; i < m; i++)
        if (self->H.cols > 0 || !is_plain_state(self, i)) keep[kept++] = i;
    rico_quad quad = {rico_mat_zero(pad, kept + m, kept + m), rico_mat_zero(pad, kept + m, b.cols),
                      rico_mat_zero(pad, by_q.rows, kept + m), rico_mat_zero(pad, by_q.rows, b.cols)};
    if (pad->status != RICO_OK) return pad->status;
    for (int64_t k = 0; k < kept; k++) {
        *rico_mat_at(quad.a, k, kept + keep[k]) = 1.0;
        for (int64_t i = 0; i < m; i++) *rico_mat_at(quad.a, kept + i, k) = -*rico_mat_at(K, i, keep[k]);
        for (int64_t i = 0; i < by_q.rows; i++) *rico_mat_at(quad.c, i, k) = *rico_mat_at(by_q, i, keep[k]);
    }
    rico_mat_put(pad, quad.a, kept, kept, rico_mat_sum(pad, -1.0, C, 0.0, C));
    rico_mat_put(pad, quad.b, kept, 0, b);
    rico_mat_put(pad, quad.c, 0, kept, by_v);
    rico_quad_make(pad, quad, out);
    return pad->status;
}


rico_status rico_scene_linearize(rico_scene *scene, const rico_linear_options *options,
                                 rico_linear_notes *notes, rico_state_space **out)
{
    linear self = {.scene = scene,
                   .options = options,
                   .pad = rico_pad_open(scene->ctx),
                   .n = rico_system_velocities(scene->system)};
    rico_status status = check(&self);
    if (status == RICO_OK) {
        self.b = rico_mat_zero(&self.pad, self.n, options->inputs);
        self.by_q = rico_mat_zero(&self.pad, options->outputs, self.n);
        self.by_v = rico_mat_zero(&self.pad, options->outputs, self.n);
        status = self.pad.status;
    }
    for (int64_t k = 0; status == RICO_OK && k < options->inputs; k++) status = take_input(&self, k);
    for (int64_t k = 0; status == RICO_OK && k < options->outputs; k++) status = take_output(&self, k);
    if (status == RICO_OK) status = take_model(&self);
    if (status == RICO_OK) status = put_together(&self, out);
    rico_status closed = rico_pad_close(&self.pad);
    if (notes) *notes = self.notes;
    return status == RICO_OK ? closed : status;
}
