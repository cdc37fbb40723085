// Geoms of MJCF: half sizes, segments from one point to another, meshes, what they may meet.

#include "import/mjcf.h"

#include "la/quaternion.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 20000 };

static const struct {
    const char *name;
    rico_geom_kind kind;
    int sizes;    // needed without fromto
    bool segment; // may have one
} KIND[] = {{"sphere", RICO_GEOM_SPHERE, 1, false},      {"capsule", RICO_GEOM_CAPSULE, 2, true},
            {"cylinder", RICO_GEOM_CYLINDER, 2, true},   {"box", RICO_GEOM_BOX, 3, true},
            {"ellipsoid", RICO_GEOM_ELLIPSOID, 3, true}, {"plane", RICO_GEOM_PLANE, 0, false},
            {"mesh", RICO_GEOM_MESH, 0, false}};
enum { KINDS = sizeof KIND / sizeof *KIND };


// The asset of a name, which is that of its file where it has none of its own.
static const rico_element *find_mesh(const rico_mjcf_scope *scope, const char *name)
{
    const rico_element *mesh = NULL;
    for (const rico_element *asset = scope->file->root->first; name && asset; asset = asset->next)
        for (const rico_element *child = rico_element_is(asset, "asset") ? asset->first : NULL; child;
             child = child->next) {
            if (!rico_element_is(child, "mesh")) continue;
            const char *own = rico_element_get(child, "name"), *file = rico_element_get(child, "file");
            const char *base = file ? strrchr(file, '/') : NULL;
            base = base ? base + 1 : file;
            size_t stem = base ? strcspn(base, ".") : 0;
            if (own ? strcmp(own, name) == 0 : base && strlen(name) == stem && strncmp(base, name, stem) == 0)
                mesh = child;
        }
    return mesh;
}


// Points that stand in the model itself.
static rico_status take_points(const rico_mjcf_scope *scope, const rico_element *mesh, const char *text,
                               rico_import_geom *geom)
{
    enum { LEAST = 12, LONGEST = 1 << 28 };
    rico_import *import = scope->import;
    size_t room = strlen(text) / 2 + 1;
    double *point = room < LONGEST ? rico_arena_take(&import->arena, (int64_t)room, sizeof *point) : NULL;
    int count = 0;
    if (!point) return RICO_NO_MEMORY;
    rico_status status = rico_import_reals(import, mesh, "vertex", text, LEAST, (int)room, point, &count);
    if (status != RICO_OK) return status;
    if (count % 3 != 0)
        return rico_element_fail(import->ctx, mesh, "has vertices of %d numbers in all; three make a vertex",
                                 count);
    for (int i = 0; i < count; i++) point[i] *= geom->scale[i % 3];
    geom->point = point;
    geom->points = count / 3;
    return RICO_OK;
}


static rico_status take_mesh(const rico_mjcf_scope *scope, const rico_element *element,
                             rico_import_geom *geom)
{
    rico_import *import = scope->import;
    const char *name = rico_mjcf_get(scope, element, "mesh");
    const rico_element *mesh = find_mesh(scope, name);
    const char *file = mesh ? rico_element_get(mesh, "file") : NULL,
               *vertex = mesh && !file ? rico_element_get(mesh, "vertex") : NULL;
    if (!file && !vertex)
        return rico_element_fail(import->ctx, element,
                                 "is a mesh, and no asset with a file or vertices is called '%.60s'",
                                 name ? name : "");
    rico_status status = rico_mjcf_reals(scope, mesh, "scale", 3, 3, geom->scale, NULL);
    if (status == RICO_OK && vertex) return take_points(scope, mesh, vertex, geom);
    if (status != RICO_OK) return status;
    if (scope->file->strip && strrchr(file, '/')) file = strrchr(file, '/') + 1;
    const char *slash = strrchr(mesh->file, '/'), *folder = scope->file->meshdir;
    bool whole = file[0] == '/' || (folder && folder[0] == '/');
    geom->path =
        rico_arena_text(&import->arena, "%.*s%s%s%s%s", whole || !slash ? 0 : (int)(slash - mesh->file),
                        mesh->file, whole || !slash ? "" : "/", file[0] == '/' || !folder ? "" : folder,
                        file[0] == '/' || !folder ? "" : "/", file);
    return geom->path ? RICO_OK : RICO_NO_MEMORY;
}


// Half lengths become whole ones; a segment sets the place, the turn and the length.
static rico_status take_sizes(const rico_mjcf_scope *scope, const rico_element *element, int kind,
                              rico_import_geom *geom, rico_frame_in *own)
{
    rico_import *import = scope->import;
    double size[3] = {0.0}, ends[6], along[3];
    int sizes, segment = 0;
    rico_status status = rico_mjcf_reals(scope, element, "size", 1, 3, size, &sizes);
    if (status == RICO_OK && KIND[kind].segment)
        status = rico_mjcf_reals(scope, element, "fromto", 6, 6, ends, &segment);
    if (status != RICO_OK || geom->kind == RICO_GEOM_PLANE || geom->kind == RICO_GEOM_MESH) return status;
    if (segment > 0) {
        for (int i = 0; i < 3; i++) own->p[i] = 0.5 * (ends[i] + ends[i + 3]);
        for (int i = 0; i < 3; i++) along[i] = ends[i] - ends[i + 3];
        if (sizes < 1 || !rico_turn_to(along, own->q))
            return rico_element_fail(import->ctx, element,
                                     "goes from a point to another and needs a size and a length");
        int last = KIND[kind].sizes - 1;
        if (last == 2)
            size[1] = sizes > 1 && geom->kind != RICO_GEOM_BOX && geom->kind != RICO_GEOM_ELLIPSOID ? size[1]
                                                                                                    : size[0];
        size[last] = 0.5 * rico_vec3_norm(along);
    } else if (sizes < KIND[kind].sizes && rico_mjcf_get(scope, element, "mesh")) {
        return rico_element_fail(import->ctx, element,
                                 "is a %s to be fitted to a mesh; give its sizes, or the type 'mesh'",
                                 KIND[kind].name);
    } else if (sizes < KIND[kind].sizes) {
        return rico_element_fail(import->ctx, element, "is a %s with %d of %d sizes", KIND[kind].name, sizes,
                                 KIND[kind].sizes);
    }
    for (int i = 0; i < KIND[kind].sizes; i++)
        if (!(size[i] > 0.0))
            return rico_element_fail(import->ctx, element, "has a size of %g; sizes are above 0", size[i]);
    bool full = geom->kind == RICO_GEOM_BOX;
    for (int i = 0; i < 3; i++) geom->size[i] = full ? 2.0 * size[i] : size[i];
    if (KIND[kind].sizes == 2) geom->size[1] = 2.0 * size[1];
    return RICO_OK;
}


static rico_status take_surface(const rico_mjcf_scope *scope, const rico_element *element,
                                rico_surface *surface)
{
    *surface = (rico_surface){.friction = {1.0, 0.005, 0.0001}, .condim = 3, .contype = 1, .conaffinity = 1};
    rico_status status = rico_mjcf_reals(scope, element, "friction", 1, 3, surface->friction, NULL);
    if (status == RICO_OK) status = rico_mjcf_count(scope, element, "condim", &surface->condim);
    if (status == RICO_OK) status = rico_mjcf_count(scope, element, "priority", &surface->priority);
    if (status == RICO_OK) status = rico_mjcf_count(scope, element, "contype", &surface->contype);
    if (status == RICO_OK) status = rico_mjcf_count(scope, element, "conaffinity", &surface->conaffinity);
    if (status != RICO_OK) return status;
    int64_t d = surface->condim;
    if (d != 1 && d != 3 && d != 4 && d != 6)
        return rico_element_fail(scope->import->ctx, element,
                                 "has a condim of %lld, which is none of 1, 3, 4, 6", (long long)d);
    for (int i = 0; i < 3; i++)
        if (surface->friction[i] < 0.0)
            return rico_element_fail(scope->import->ctx, element, "has a friction of %g",
                                     surface->friction[i]);
    return RICO_OK;
}


rico_status rico_mjcf_geom(const rico_mjcf_scope *scope, const rico_element *element)
{
    rico_import *import = scope->import;
    const char *type = rico_mjcf_get(scope, element, "type");
    int kind = 0;
    if (type)
        while (kind < KINDS && strcmp(type, KIND[kind].name) != 0) kind++;
    if (kind == KINDS)
        return rico_element_fail(import->ctx, element, "is of the type '%.40s', which is not taken", type);
    if (import->geom_count >= MOST)
        return rico_element_fail(import->ctx, element, "is one of more than %d geoms", MOST);
    rico_import_geom geom = {.from = element,
                             .name = rico_mjcf_name(scope, rico_element_get(element, "name")),
                             .body = scope->body,
                             .kind = KIND[kind].kind,
                             .scale = {1.0, 1.0, 1.0},
                             .mass = NAN,
                             .density = 1000.0};
    rico_frame_in own;
    if (!type && rico_mjcf_get(scope, element, "mesh")) {
        return rico_element_fail(import->ctx, element,
                                 "names a mesh and is of the type sphere; that is not taken");
    }
    rico_status status = rico_mjcf_frame(scope, element, &own);
    if (status == RICO_OK && geom.kind == RICO_GEOM_MESH) status = take_mesh(scope, element, &geom);
    if (status == RICO_OK) status = take_sizes(scope, element, kind, &geom, &own);
    if (status == RICO_OK) status = rico_mjcf_real(scope, element, "mass", &geom.mass);
    if (status == RICO_OK) status = rico_mjcf_real(scope, element, "density", &geom.density);
    if (status == RICO_OK) status = take_surface(scope, element, &geom.surface);
    if (status != RICO_OK) return status;
    rico_frame_chain(&scope->frame, &own, &geom.at);
    geom.touches = geom.surface.contype != 0 || geom.surface.conaffinity != 0;
    rico_import_geom *kept = rico_import_push(import, &import->geom, &import->geom_count, sizeof *kept);
    if (!kept) return RICO_NO_MEMORY;
    *kept = geom;
    return RICO_OK;
}
