// The table of generators, and what they share.

#include "mesh/generate.h"

#include "base/context.h"
#include "base/option.h"
#include "base/suggest.h"

#include <math.h>
#include <string.h>

enum { RECIPE_COUNT = 6 };

static const rico_mesh_recipe *const RECIPES[RECIPE_COUNT] = {&rico_recipe_bar,      &rico_recipe_rectangle,
                                                              &rico_recipe_box,      &rico_recipe_disc,
                                                              &rico_recipe_cylinder, &rico_recipe_sphere};

const char *const rico_toward_names[] = {"start", "end", "middle", "both-ends", NULL};


const rico_mesh_generator *rico_mesh_generator_at(int index)
{
    return index >= 0 && index < RECIPE_COUNT ? &RECIPES[index]->about : NULL;
}


int rico_mesh_generator_find(const char *name)
{
    for (int i = 0; i < RECIPE_COUNT; i++)
        if (strcmp(RECIPES[i]->about.name, name) == 0) return i;
    return -1;
}


// --- values and structs --------------------------------------------------------------------------------------------

static void set(const rico_mesh_recipe *recipe, int i, double value, void *options)
{
    char *at = (char *)options + recipe->offset[i];
    int64_t whole = (int64_t)value;
    int choice = (int)(i == 0 ? recipe->kinds[whole] : (rico_cell_kind)whole);
    switch (recipe->about.options[i].type) {
    case RICO_REAL:
        memcpy(at, &value, sizeof value);
        break;
    case RICO_INTEGER:
        memcpy(at, &whole, sizeof whole);
        break;
    default:
        memcpy(at, &choice, sizeof choice);
        break;
    }
}


// -1 for a kind of cell that the generator does not make.
static double get(const rico_mesh_recipe *recipe, int i, const void *options)
{
    const char *at = (const char *)options + recipe->offset[i];
    double real;
    int64_t whole;
    int choice;
    switch (recipe->about.options[i].type) {
    case RICO_REAL:
        memcpy(&real, at, sizeof real);
        return real;
    case RICO_INTEGER:
        memcpy(&whole, at, sizeof whole);
        return (double)whole;
    default:
        memcpy(&choice, at, sizeof choice);
        break;
    }
    if (i > 0) return choice;
    for (int k = 0; recipe->about.options[0].choices[k]; k++)
        if ((int)recipe->kinds[k] == choice) return k;
    return -1.0;
}


void rico_recipe_standard(const rico_mesh_recipe *recipe, void *options)
{
    memset(options, 0, recipe->size);
    for (int i = 0; i < recipe->about.option_count; i++)
        set(recipe, i, recipe->about.options[i].standard, options);
}


static rico_status refuse_kind(rico_context *ctx, const rico_mesh_recipe *recipe, const void *options)
{
    int kind;
    memcpy(&kind, (const char *)options + recipe->offset[0], sizeof kind);
    const char *name = rico_cell_kind_name((rico_cell_kind)kind);
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s: there is no %s made of %s", recipe->about.name,
                     recipe->about.name, name ? name : "an unknown kind of cell");
}


rico_status rico_recipe_make(rico_context *ctx, const rico_mesh_recipe *recipe, const void *options,
                             rico_mesh **out)
{
    rico_status status = RICO_OK;
    for (int i = 0; status == RICO_OK && i < recipe->about.option_count; i++) {
        double value = get(recipe, i, options);
        if (i == 0 && value < 0.0) return refuse_kind(ctx, recipe, options);
        status = rico_option_check(ctx, &recipe->about.options[i], value);
    }
    if (status != RICO_OK) return rico_fail_in(ctx, status, recipe->about.name);
    return recipe->make(ctx, options, out);
}


rico_status rico_mesh_generate(rico_context *ctx, const char *name, const double *values, rico_mesh **out)
{
    union {
        rico_mesh_bar bar;
        rico_mesh_rectangle rectangle;
        rico_mesh_box box;
        rico_mesh_disc disc;
        rico_mesh_cylinder cylinder;
        rico_mesh_sphere sphere;
    } options;
    int index = rico_mesh_generator_find(name);
    if (index < 0) {
        rico_suggestion near;
        char sentence[RICO_SUGGEST_SENTENCE];
        rico_suggest_start(&near, name);
        for (int i = 0; i < RECIPE_COUNT; i++) rico_suggest_offer(&near, RECIPES[i]->about.name);
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "there is no generator of meshes '%s'%s", name,
                         rico_suggest_sentence(&near, "", sentence));
    }
    const rico_mesh_recipe *recipe = RECIPES[index];
    rico_recipe_standard(recipe, &options);
    for (int i = 0; values && i < recipe->about.option_count; i++) {
        // before it becomes a member, so that no number is cut to fit
        rico_status status = rico_option_check(ctx, &recipe->about.options[i], values[i]);
        if (status != RICO_OK) return rico_fail_in(ctx, status, name);
        set(recipe, i, values[i], &options);
    }
    return rico_recipe_make(ctx, recipe, &options, out);
}


// --- shared --------------------------------------------------------------------------------------------------------

rico_status rico_recipe_room(rico_context *ctx, const rico_mesh_recipe *recipe, double cells)
{
    const double most = 2e8;
    if (cells <= most) return RICO_OK;
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s: it would have %.3g cells; at most %.3g are made",
                     recipe->about.name, cells, most);
}


// How many cells lie between cell k and the smallest.
static int64_t rank(int64_t k, int64_t cells, rico_mesh_toward toward)
{
    int64_t back = cells - 1 - k;
    switch (toward) {
    case RICO_TOWARD_START:
        return k;
    case RICO_TOWARD_END:
        return back;
    case RICO_TOWARD_MIDDLE:
        return (k > back ? k - back : back - k) / 2;
    default:
        return k < back ? k : back;
    }
}


double *rico_graded(rico_context *ctx, int64_t cells, double grading, rico_mesh_toward toward)
{
    double *end = rico_alloc(ctx, cells + 1, sizeof *end);
    if (end == NULL) return NULL;
    int64_t highest = 0;
    for (int64_t k = 0; k < cells; k++) {
        int64_t r = rank(k, cells, toward);
        highest = r > highest ? r : highest;
    }
    for (int64_t k = 0; k < cells; k++) {
        double share = highest ? (double)rank(k, cells, toward) / (double)highest : 0.0;
        end[k + 1] = end[k] + pow(grading, share);
    }
    double whole = end[cells];
    for (int64_t k = 1; k <= cells; k++) end[k] /= whole;
    return end;
}
