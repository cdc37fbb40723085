// All that is asked of the statics of a scene: see limit_report.h.

#include "lab/limit_report.h"

#include "base/csv.h"
#include "base/suggest.h"
#include "store/target.h"

#include <math.h>
#include <string.h>

enum { NODES = 4000, NODES_LEAST = 40, NODE_ROWS = 40, PATH = 20, PATH_ROWS = 1500 };


const char *rico_limit_row_name(const rico_block *block, int64_t row)
{
    static const char *const CONTACT[] = {"N", "T1", "T2", "M1", "M2", "M3"}, *const SPIN = "M3";
    static const char *const JOINT[] = {"r1", "r2", "r3", "r4", "r5", "r6"};
    if (block->kind == RICO_BOX) return "r";
    if (block->kind == RICO_EQUALITY) return row < 6 ? JOINT[row] : "r";
    if (block->kind == RICO_COULOMB_2D && row == 1) return "T";
    return block->kind == RICO_SPINNING && row == 3 ? SPIN : CONTACT[row];
}


// --- opening -------------------------------------------------------------------------------------------------------

rico_status rico_limit_report_open(const rico_limit_order *order, rico_limit_report *r)
{
    rico_context *ctx = r->ctx;
    rico_status status = rico_limit_study_open(ctx, order, &r->study);
    if (status != RICO_OK) return status;
    int64_t rows = rico_limit_rows(r->study.limit), dofs = rico_limit_dofs(r->study.limit);
    r->force = rico_alloc(ctx, rows, sizeof *r->force);
    r->collapse = rico_alloc(ctx, rows, sizeof *r->collapse);
    r->velocity = rico_alloc(ctx, dofs, sizeof *r->velocity);
    r->mode = rico_alloc(ctx, rico_limit_block_count(r->study.limit), sizeof *r->mode);
    r->moves = rico_alloc(ctx, rico_limit_body_count(r->study.limit), sizeof *r->moves);
    return r->force && r->collapse && r->velocity && r->mode && r->moves ? RICO_OK : RICO_NO_MEMORY;
}


void rico_limit_report_close(rico_limit_report *r)
{
    void *all[] = {r->force, r->collapse, r->velocity, r->mode, r->moves, r->low, r->high, r->wanted};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(r->ctx, all[i]);
    rico_limit_study_close(&r->study);
}


static void keep(const rico_limit_report *r, const rico_limit_answer *from, double *force, double *velocity)
{
    if (force) memcpy(force, from->force, (size_t)rico_limit_rows(r->study.limit) * sizeof *force);
    if (velocity)
        memcpy(velocity, from->velocity, (size_t)rico_limit_dofs(r->study.limit) * sizeof *velocity);
}


rico_status rico_limit_report_equilibrium(rico_limit_report *r, double at)
{
    r->at = isnan(at) ? r->study.lambda : at;
    if (!isnan(at) && !r->study.loaded)
        return rico_fail(r->ctx, RICO_BAD_ARGUMENT,
                         "a load factor of %g needs a live load: --load or --gravity", at);
    r->size = 0.0;
    for (int64_t i = 0; i < rico_limit_dofs(r->study.limit); i++)
        r->size = fmax(r->size,
                       fabs(rico_limit_dead(r->study.limit)[i] + r->at * rico_limit_live(r->study.limit)[i]));
    rico_status status = rico_limit_equilibrium(r->study.limit, r->at, &r->equilibrium);
    if (status != RICO_OK) return status;
    bool none = r->equilibrium.finding == RICO_LIMIT_NONE;
    keep(r, &r->equilibrium, none ? NULL : r->force, none ? r->velocity : NULL);
    r->has_motion = none;
    return RICO_OK;
}


// --- ranges --------------------------------------------------------------------------------------------------------

static bool touches_body(const rico_limit *limit, int64_t block, const char *name)
{
    rico_sparse_view H = rico_limit_matrix(limit);
    int64_t row = rico_limit_block_row(limit, block);
    for (int64_t at = H.start[row]; at < H.start[row + rico_limit_block(limit, block).size]; at++) {
        int64_t body = rico_limit_body_of(limit, H.row[at]);
        if (body >= 0 && strcmp(rico_limit_body_name(limit, body), name) == 0) return true;
    }
    return false;
}


// A block by its name, by that of all contacts between two bodies ("a/b"), or by a body that it touches.
static bool is_meant(const rico_limit *limit, int64_t block, const char *name)
{
    const char *own = rico_limit_block_name(limit, block);
    size_t length = strlen(name);
    return strcmp(name, "all") == 0 || strcmp(own, name) == 0 ||
           (strncmp(own, name, length) == 0 && own[length] == '.') || touches_body(limit, block, name);
}


static rico_status want(rico_limit_report *r, const char *name)
{
    const rico_limit *limit = r->study.limit;
    rico_suggestion near;
    int64_t found = 0;
    rico_suggest_start(&near, name);
    for (int64_t k = 0; k < rico_limit_block_count(limit); k++) {
        rico_suggest_offer(&near, rico_limit_block_name(limit, k));
        if (!is_meant(limit, k, name)) continue;
        for (int64_t i = 0; i < rico_limit_block(limit, k).size; i++)
            r->wanted[rico_limit_block_row(limit, k) + i] = true;
        found++;
    }
    for (int64_t b = 0; b < rico_limit_body_count(limit); b++)
        rico_suggest_offer(&near, rico_limit_body_name(limit, b));
    char hint[RICO_SUGGEST_SENTENCE];
    rico_suggest_sentence(&near, "", hint);
    if (found == 0)
        return rico_fail(r->ctx, RICO_BAD_ARGUMENT, "no contact that touches, joint or body is called '%s'%s",
                         name, hint);
    return RICO_OK;
}


static rico_status want_all(rico_limit_report *r, const char *names)
{
    size_t length = strlen(names);
    char *copy = rico_alloc(r->ctx, (int64_t)length + 1, 1);
    if (!copy) return RICO_NO_MEMORY;
    memcpy(copy, names, length + 1);
    rico_status status = RICO_OK;
    for (char *word = copy; status == RICO_OK && word;) {
        char *comma = strchr(word, ',');
        if (comma) *comma = '\0';
        status = want(r, word);
        word = comma ? comma + 1 : NULL;
    }
    rico_free(r->ctx, copy);
    return status;
}


static rico_status find_end(rico_limit_report *r, int64_t row, int sign, double *out)
{
    rico_limit_answer a;
    rico_status status = rico_limit_row_extreme(r->study.limit, r->at, row, sign, &a);
    if (status != RICO_OK) return status;
    *out = a.finding == RICO_LIMIT_FOUND       ? a.value
           : a.finding == RICO_LIMIT_UNBOUNDED ? sign * INFINITY
                                               : NAN;
    return RICO_OK;
}


rico_status rico_limit_report_ranges(rico_limit_report *r, const char *names)
{
    int64_t rows = rico_limit_rows(r->study.limit);
    r->low = rico_alloc(r->ctx, rows, sizeof *r->low);
    r->high = rico_alloc(r->ctx, rows, sizeof *r->high);
    r->wanted = rico_alloc(r->ctx, rows, sizeof *r->wanted);
    if (!r->low || !r->high || !r->wanted) return RICO_NO_MEMORY;
    rico_status status = want_all(r, names);
    for (int64_t row = 0; status == RICO_OK && row < rows; row++) {
        r->low[row] = r->high[row] = NAN;
        if (!r->wanted[row]) continue;
        status = find_end(r, row, -1, &r->low[row]);
        if (status == RICO_OK) status = find_end(r, row, 1, &r->high[row]);
    }
    return status;
}


// --- loads ---------------------------------------------------------------------------------------------------------

static bool in_plane(const rico_limit *limit)
{
    for (int64_t k = 0; k < rico_limit_block_count(limit); k++) {
        rico_block block = rico_limit_block(limit, k);
        if (block.kind != RICO_EQUALITY && block.size > 2 && (block.friction > 0.0 || block.size > 3))
            return false;
    }
    return true;
}


static rico_status find_pyramid(rico_limit_report *r, int facets)
{
    const rico_limit *limit = r->study.limit;
    int64_t blocks = rico_limit_block_count(limit);
    rico_block *block = rico_alloc(r->ctx, blocks, sizeof *block);
    if (!block) return RICO_NO_MEMORY;
    for (int64_t k = 0; k < blocks; k++) block[k] = rico_limit_block(limit, k);
    rico_limit_given given = {.H = rico_limit_matrix(limit),
                              .block_count = blocks,
                              .blocks = block,
                              .dead = rico_limit_dead(limit),
                              .live = rico_limit_live(limit),
                              .view = {.facets = facets}};
    rico_limit *other = NULL;
    rico_status status = rico_limit_create(r->ctx, &given, &other);
    if (status == RICO_OK) status = rico_limit_load(other, 1, &r->pyramid);
    rico_limit_destroy(other);
    rico_free(r->ctx, block);
    return status;
}


// The least load of collapse: searched for in the plane, found by successive approximations in space.
static rico_status find_coulomb(rico_limit_report *r, const rico_limit_loads_order *order)
{
    rico_limit *limit = r->study.limit;
    int64_t rows = rico_limit_rows(limit), nodes = order->nodes;
    r->searched = in_plane(limit);
    if (nodes == 0) { // a node costs about the cube of the rows
        double share = (double)NODE_ROWS / (double)(rows > NODE_ROWS ? rows : NODE_ROWS);
        nodes = NODES_LEAST + (int64_t)(NODES * share * share * share);
    }
    rico_status status;
    if (r->searched) {
        status = rico_limit_collapse(limit, nodes, &r->search, &r->least);
    } else {
        status = rico_limit_approach(limit, NULL, order->turns, &r->steps, &r->approach);
        r->least.finding = RICO_LIMIT_UNSURE;
        if (status == RICO_OK && r->approach.finding == RICO_LIMIT_FOUND)
            status = rico_limit_motion_load(limit, r->approach.velocity, -1, &r->least);
    }
    r->pathed = order->path > 0 || rows <= PATH_ROWS;
    if (status == RICO_OK && r->pathed)
        status = rico_limit_path(limit, order->path > 0 ? order->path : PATH, &r->path);
    return status;
}


rico_status rico_limit_report_loads(rico_limit_report *r, const rico_limit_loads_order *order)
{
    rico_limit *limit = r->study.limit;
    rico_status status = rico_limit_equilibrium(limit, 0.0, &r->equilibrium_at_zero);
    bool stands = status == RICO_OK && r->equilibrium_at_zero.finding == RICO_LIMIT_FOUND;
    if (status == RICO_OK && !stands) {
        keep(r, &r->equilibrium_at_zero, NULL, r->velocity);
        r->has_motion = true;
    }
    if (status == RICO_OK) status = rico_limit_load(limit, -1, &r->reverse);
    if (status == RICO_OK) status = rico_limit_load(limit, 1, &r->bound);
    if (status != RICO_OK) return status;
    r->has_collapse = r->bound.finding == RICO_LIMIT_FOUND;
    keep(r, &r->bound, r->collapse, r->has_collapse ? r->velocity : NULL);
    r->has_motion |= r->has_collapse;
    if (order->facets > 0) status = find_pyramid(r, order->facets);
    r->coulomb = order->coulomb && stands && r->bound.finding == RICO_LIMIT_FOUND;
    return status == RICO_OK && r->coulomb ? find_coulomb(r, order) : status;
}


// --- table ---------------------------------------------------------------------------------------------------------

static void number(FILE *out, bool there, double value)
{
    fputc(',', out);
    if (there && !isnan(value)) fprintf(out, "%.17g", value);
}


rico_status rico_limit_report_csv(const rico_limit_report *r, const char *path)
{
    const rico_limit *limit = r->study.limit;
    rico_sparse_view H = rico_limit_matrix(limit);
    rico_limit_mechanism mechanism;
    rico_target target;
    rico_status status = rico_limit_describe(limit, r->velocity, r->mode, r->moves, &mechanism);
    if (status == RICO_OK) status = rico_target_open(r->ctx, path, RICO_TARGET_TABLE, &target);
    if (status != RICO_OK) return status;
    bool stands = r->equilibrium.finding == RICO_LIMIT_FOUND;
    fprintf(target.out, "block,row,force,least,largest,collapse_force,motion,mode\n");
    for (int64_t k = 0; k < rico_limit_block_count(limit); k++) {
        rico_block block = rico_limit_block(limit, k);
        for (int64_t i = 0; i < block.size; i++) {
            int64_t row = rico_limit_block_row(limit, k) + i;
            double u = 0.0;
            for (int64_t at = H.start[row]; at < H.start[row + 1]; at++)
                u += H.value[at] * r->velocity[H.row[at]];
            rico_csv_field(target.out, rico_limit_block_name(limit, k));
            fprintf(target.out, ",%s", rico_limit_row_name(&block, i));
            number(target.out, stands, r->force[row]);
            number(target.out, r->low && r->wanted[row], r->low ? r->low[row] : 0.0);
            number(target.out, r->low && r->wanted[row], r->low ? r->high[row] : 0.0);
            number(target.out, r->has_collapse, r->collapse[row]);
            number(target.out, r->has_motion, u);
            fprintf(target.out, ",%s\n", r->has_motion ? rico_limit_mode_name(r->mode[k]) : "");
        }
    }
    return rico_target_close(&target, status);
}
