// An MJCF file from its root to a model.

#include "import/mjcf.h"

#include <string.h>

static rico_status take_options(const rico_mjcf_scope *scope)
{
    rico_import *import = scope->import;
    rico_status status = RICO_OK;
    bool weightless = false;
    for (const rico_element *part = scope->file->root->first; status == RICO_OK && part; part = part->next) {
        if (!rico_element_is(part, "option")) continue;
        status = rico_mjcf_real(scope, part, "timestep", &import->step);
        if (status == RICO_OK) status = rico_mjcf_reals(scope, part, "gravity", 3, 3, import->gravity, NULL);
        if (status == RICO_OK && !(import->step > 0.0))
            return rico_element_fail(import->ctx, part, "has a timestep of %g", import->step);
        const rico_element *flag = rico_element_child(part, "flag");
        const char *gravity = flag ? rico_element_get(flag, "gravity") : NULL;
        if (gravity && strcmp(gravity, "disable") == 0) weightless = true;
    }
    if (weightless) memset(import->gravity, 0, sizeof import->gravity);
    return status;
}


static rico_status take_world(rico_mjcf *all, rico_mjcf_file *file)
{
    rico_import *import = all->import;
    rico_mjcf_scope scope = {
        .import = import, .all = all, .file = file, .prefix = "", .suffix = "", .frame = RICO_FRAME_SAME};
    rico_import_body *world = rico_import_push(import, &import->body, &import->body_count, sizeof *world);
    if (!world) return RICO_NO_MEMORY;
    *world = (rico_import_body){
        .from = file->root, .name = "world", .parent = -1, .at = RICO_FRAME_SAME, .given = true};
    rico_status status = take_options(&scope);
    for (const rico_element *part = file->root->first; status == RICO_OK && part; part = part->next)
        if (rico_element_is(part, "worldbody")) status = rico_mjcf_children(&scope, part);
    if (status == RICO_OK) status = rico_mjcf_key(&scope, false);
    if (status == RICO_OK) status = rico_import_place(import);

    // the sections beside the tree: of the file itself, and of every model that was attached
    for (int64_t i = -1; status == RICO_OK && i < all->instance_count; i++) {
        const rico_mjcf_scope *at = i < 0 ? &scope : &all->instance[i].scope;
        status = rico_mjcf_contacts(at);
        if (status == RICO_OK) status = rico_mjcf_ties(at);
        if (status == RICO_OK) status = rico_mjcf_drives(at);
    }
    return status == RICO_OK ? rico_mjcf_key(&scope, true) : status;
}


rico_status rico_import_mjcf(rico_import *import, rico_element *root)
{
    rico_mjcf all = {.import = import};
    rico_mjcf_file *file = NULL;
    import->format = "MJCF";
    import->step = 0.002;
    import->gravity[2] = -9.81;
    import->total_mass = -1.0;
    const char *title = rico_element_get(root, "model");
    import->title = title ? title : "MuJoCo Model";
    rico_status status = rico_mjcf_open(&all, import->path, root, &file);
    if (status != RICO_OK) return status;
    import->balance = file->balance;
    import->least_mass = file->least_mass;
    import->least_inertia = file->least_inertia;
    import->total_mass = file->total_mass;
    return take_world(&all, file);
}
