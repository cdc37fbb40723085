// Scenes: the table of their kinds, and the load that all of them share.
//
// Every scene but the chute is in equilibrium under gravity at v = 0, with or without friction (the file of each kind says why); the
// random velocities then make some contacts slide and others open.

#include "problem/generate_scene.h"

#include "base/context.h"
#include "base/random.h"
#include "la/vec3.h"

#include <math.h>
#include <string.h>

static const double gravity_velocity = 0.01 * 9.81; // h g: what one time step adds downwards
static const double turn_of_a_step = 0.1;           // radians
enum { LAYERS_MAX = 1000 };

typedef struct scene_kind {
    rico_scene_kind info;
    void (*build)(rico_stage *stage);
} scene_kind;

static const scene_kind KINDS[] = {
    {{"spheres", "equal spheres, close-packed in an open box", false}, rico_scene_spheres},
    {{"bed", "a wide bed of boxes, a few layers deep", true}, rico_scene_bed},
    {{"chain", "a chain of interlocked links, hanging from two hooks", false}, rico_scene_chain},
    {{"wall", "a wall of bricks in running bond, twice as long as high", false}, rico_scene_wall},
    {{"tower", "planks laid crosswise, three to a layer", false}, rico_scene_tower},
    {{"aqueduct", "arches of three rings of voussoirs on piers; two arches at 4624 contacts", false},
     rico_scene_aqueduct},
    {{"capsules", "capsules laid crosswise, three to a layer", false}, rico_scene_capsules},
    {{"chute", "spheres that flow down an inclined channel", false}, rico_scene_chute},
};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };


const rico_scene_kind *rico_scene_kind_at(int index)
{
    return index >= 0 && index < KIND_COUNT ? &KINDS[index].info : NULL;
}


rico_scene_recipe rico_scene_recipe_default(void)
{
    return (rico_scene_recipe){
        .kind = "spheres", .contacts = 100, .friction = 0.5, .perturbation = 0.3, .layers = 3, .seed = 1};
}


bool rico_stage_full(const rico_stage *stage)
{
    return stage->assembly.status != RICO_OK || stage->assembly.junction_count >= stage->target;
}


int64_t rico_stage_body(rico_stage *stage, const double centre[3], double mass, const double inertia[9])
{
    rico_rigid_body body = {.mass = mass};
    rico_vec3_copy(centre, body.centre);
    memcpy(body.inertia, inertia, sizeof body.inertia);
    int64_t number = stage->assembly.body_count;
    rico_assembly_add_body(&stage->assembly, &body);
    return number;
}


void rico_stage_touch(rico_stage *stage, int64_t a, int64_t b, const double point[3], const double normal[3])
{
    rico_junction contact = {
        .a = a, .b = b, .block = {.kind = RICO_COULOMB_3D, .size = 3, .friction = stage->friction}};
    rico_vec3_copy(point, contact.point);

    // tangents: across the axis that the normal is furthest from
    double axis[3] = {0};
    int least = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(normal[k]) < fabs(normal[least])) least = k;
    axis[least] = 1.0;
    rico_vec3_copy(normal, contact.frame);
    rico_vec3_cross(normal, axis, contact.frame + 3);
    rico_vec3_normalise(contact.frame + 3);
    rico_vec3_cross(normal, contact.frame + 3, contact.frame + 6);
    rico_assembly_add_junction(&stage->assembly, &contact);
}


static rico_status find_kind(rico_context *ctx, const rico_scene_recipe *recipe, const scene_kind **found)
{
    for (int i = 0; recipe->kind && i < KIND_COUNT; i++) {
        if (strcmp(recipe->kind, KINDS[i].info.name) != 0) continue;
        *found = &KINDS[i];
        return RICO_OK;
    }
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "there is no scene '%s'", recipe->kind ? recipe->kind : "");
}


static rico_status check_recipe(rico_context *ctx, const rico_scene_recipe *o, const rico_scene_kind *kind)
{
    const int64_t limit = INT32_MAX / 8; // leaves room for every count derived from it

    if (o->contacts < 1 || o->contacts > limit)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a scene cannot have %lld contacts (1 to %lld)",
                         (long long)o->contacts, (long long)limit);
    if (!(o->friction >= 0.0 && isfinite(o->friction)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "the friction coefficient of a scene is %g; it must be finite, >= 0", o->friction);
    if (!(o->perturbation >= 0.0 && isfinite(o->perturbation)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the perturbation of a scene is %g; it must be finite, >= 0",
                         o->perturbation);
    if (o->step < 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the step of a scene is %lld; it must be >= 0",
                         (long long)o->step);
    if (o->layers < 1 || o->layers > LAYERS_MAX)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a scene cannot have %lld layers (1 to %d)",
                         (long long)o->layers, LAYERS_MAX);
    if (!kind->layered && o->aligned)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the stacking of the scene '%s' cannot be chosen",
                         kind->name);
    return RICO_OK;
}


// Gravity and random velocities. Those of step k are cos(0.1 k) x + sin(0.1 k) y, with x and y drawn once: every
// step is loaded alike, and from one to the next a tenth of the perturbation changes.
static void load(rico_stage *stage, const rico_scene_recipe *recipe)
{
    rico_random random;
    rico_random_seed(&random, recipe->seed);
    double deviation = recipe->perturbation * gravity_velocity;
    double angle = turn_of_a_step * (double)recipe->step;
    double along_x = deviation * cos(angle), along_y = deviation * sin(angle);
    for (int64_t i = 0; i < stage->assembly.body_count; i++) {
        double *velocity = stage->assembly.bodies[i].velocity;
        for (int k = 0; k < 6; k++) {
            double x = rico_random_normal(&random), y = rico_random_normal(&random);
            velocity[k] = along_x * x + along_y * y;
        }
        double angle_down = stage->inclination * acos(-1.0) / 180.0;
        velocity[0] +=
            gravity_velocity * (sin(angle_down) + stage->shear * stage->assembly.bodies[i].centre[2]);
        velocity[2] -= gravity_velocity * cos(angle_down);
    }
}


rico_status rico_stage_build(rico_context *ctx, const rico_scene_recipe *recipe, rico_stage *stage)
{
    *stage = (rico_stage){.assembly = rico_assembly_start(ctx, 3),
                          .target = recipe->contacts,
                          .friction = recipe->friction,
                          .layers = recipe->layers,
                          .aligned = recipe->aligned};
    const scene_kind *kind = NULL;
    rico_status status = find_kind(ctx, recipe, &kind);
    if (status == RICO_OK) status = check_recipe(ctx, recipe, &kind->info);
    if (status != RICO_OK) return status;
    kind->build(stage);
    load(stage, recipe);
    return stage->assembly.status;
}


rico_status rico_generate_scene(rico_context *ctx, const rico_scene_recipe *recipe, rico_problem **out)
{
    rico_stage stage;
    rico_status status = rico_stage_build(ctx, recipe, &stage);
    if (status == RICO_OK) status = rico_assembly_finish(&stage.assembly, recipe->reduced, out);
    rico_assembly_release(&stage.assembly);
    return status;
}
