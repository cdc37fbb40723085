// Which geoms become one body of the scene: those of one host, of one material and one group.

#include "import/write.h"

#include <ctype.h>
#include <string.h>

enum { MATERIALS = 200, GROUPS = 31 };

const char *rico_writing_name(rico_writing *writing, char kind, const char *wanted, const char *instead,
                              int64_t number)
{
    rico_import *import = writing->import;
    const char *plain = rico_import_plain(import, wanted, NULL);
    if (!plain) plain = rico_arena_text(&import->arena, "%s%lld", instead, (long long)number);
    for (int64_t again = 1; plain; again++) {
        const char *made = again == 1
                               ? rico_arena_text(&import->arena, "%c%s", kind, plain)
                               : rico_arena_text(&import->arena, "%c%s_%lld", kind, plain, (long long)again);
        if (!made) return NULL;
        uint64_t hash = 1469598103934665603u;
        for (const char *c = made; *c; c++) hash = (hash ^ (unsigned char)*c) * 1099511628211u;
        int64_t at = (int64_t)(hash % (uint64_t)writing->name_room);
        while (writing->name[at] && strcmp(writing->name[at], made) != 0) at = (at + 1) % writing->name_room;
        if (writing->name[at]) continue;
        // the table has room for all names of the model twice over
        if (++writing->name_count >= writing->name_room) return NULL;
        writing->name[at] = made;
        return made + 1;
    }
    return NULL;
}


static bool same_material(const rico_surface *a, const rico_surface *b)
{
    for (int i = 0; i < 3; i++)
        if (a->friction[i] != b->friction[i]) return false;
    return a->restitution == b->restitution && a->condim == b->condim && a->priority == b->priority &&
           a->alone == b->alone;
}


static bool same_group(const rico_surface *a, const rico_surface *b)
{
    return a->contype == b->contype && a->conaffinity == b->conaffinity && a->alone == b->alone;
}


static int64_t find_or_add(rico_import *import, const rico_surface *surface, rico_surface **list,
                           int64_t *count, bool (*same)(const rico_surface *, const rico_surface *))
{
    for (int64_t i = 0; i < *count; i++)
        if (same(&(*list)[i], surface)) return i;
    rico_surface *made = rico_import_push(import, list, count, sizeof *made);
    if (!made) return -1;
    *made = *surface;
    return *count - 1;
}


// The pair of two materials that a file names, or NULL.
static const rico_surface *named_pair(const rico_import *import, const rico_surface *a, const rico_surface *b)
{
    for (int64_t i = 0; i < import->pair_count; i++) {
        const rico_geom_pair *pair = &import->pair[i];
        if ((pair->a + 1 == a->alone && pair->b + 1 == b->alone) ||
            (pair->a + 1 == b->alone && pair->b + 1 == a->alone))
            return &pair->surface;
    }
    return NULL;
}


static bool meet(const rico_import *import, const rico_surface *a, const rico_surface *b)
{
    return (a->contype & b->conaffinity) || (b->contype & a->conaffinity) || named_pair(import, a, b);
}


// MuJoCo: the larger of each number and of the dimensions, unless one has priority. Bullet: products.
static rico_surface mix(const rico_import *import, const rico_surface *a, const rico_surface *b)
{
    const rico_surface *named = named_pair(import, a, b);
    if (named) return *named;
    if (a->priority != b->priority) return a->priority > b->priority ? *a : *b;
    rico_surface out = *a;
    out.condim = a->condim > b->condim ? a->condim : b->condim;
    for (int i = 0; i < 3; i++)
        out.friction[i] = import->product && i == 0         ? a->friction[i] * b->friction[i]
                          : a->friction[i] > b->friction[i] ? a->friction[i]
                                                            : b->friction[i];
    out.restitution = a->restitution * b->restitution;
    return out;
}


static void write_surface(rico_text *text, const rico_surface *surface)
{
    const double *mu = surface->friction;
    double spinning = surface->condim >= 4 ? mu[1] : 0.0, rolling = surface->condim >= 6 ? mu[2] : 0.0;
    double sliding = surface->condim >= 3 ? mu[0] : 0.0;
    if (spinning > 0.0 || rolling > 0.0) {
        rico_text_add(text, "friction: {friction: %.17g", sliding);
        if (rolling > 0.0) rico_text_add(text, ", rolling: %.17g", rolling);
        if (spinning > 0.0) rico_text_add(text, ", spinning: %.17g", spinning);
        rico_text_add(text, "}");
    } else {
        rico_text_add(text, "friction: %.17g", sliding);
    }
    if (surface->restitution > 0.0) rico_text_add(text, ", restitution: %.17g", surface->restitution);
}


void rico_write_materials(rico_writing *writing)
{
    const rico_import *import = writing->import;
    rico_text *text = &writing->text;
    rico_text_add(text, "materials:\n");
    for (int64_t i = 0; i < writing->material_count; i++) {
        rico_surface own = mix(import, &writing->material[i], &writing->material[i]);
        rico_text_add(text, "  m%lld: {", (long long)i + 1);
        write_surface(text, &own);
        rico_text_add(text, "}\n");
    }
    if (writing->material_count < 2) return;
    rico_text_add(text, "pairs:%s\n",
                  import->product ? "          # frictions and restitutions multiply, as in Bullet"
                                  : "          # the larger friction of the two, as in MuJoCo");
    for (int64_t i = 0; i < writing->material_count; i++)
        for (int64_t j = i + 1; j < writing->material_count; j++) {
            rico_surface both = mix(import, &writing->material[i], &writing->material[j]);
            rico_text_add(text, "  - {between: [m%lld, m%lld], ", (long long)i + 1, (long long)j + 1);
            write_surface(text, &both);
            rico_text_add(text, "}\n");
        }
}


static rico_status too_many(rico_import *import, const rico_element *from, int most, const char *what)
{
    return rico_element_fail(import->ctx, from, "is one of more than %d kinds of %s, and no more are taken",
                             most, what);
}


// The lot of a geom; of what stands still in an MJCF file each geom is one.
static rico_status sort_geom(rico_writing *writing, int64_t g)
{
    rico_import *import = writing->import;
    rico_import_geom *geom = &import->geom[g];
    rico_import_body *host = &import->body[import->body[geom->body].host];
    int64_t at = import->body[geom->body].host;
    int64_t material =
        find_or_add(import, &geom->surface, &writing->material, &writing->material_count, same_material);
    int64_t group = find_or_add(import, &geom->surface, &writing->group, &writing->group_count, same_group);
    if (material < 0 || group < 0) return RICO_NO_MEMORY;
    if (writing->material_count > MATERIALS) return too_many(import, geom->from, MATERIALS, "surfaces");
    if (writing->group_count > GROUPS)
        return too_many(import, geom->from, GROUPS, "contype, conaffinity and pairs");
    if (geom->kind == RICO_GEOM_PLANE && !host->still)
        return rico_element_fail(import->ctx, geom->from, "is a plane on a body that moves");
    bool own = host->still && !import->single;
    for (int64_t i = writing->first_lot[at]; !own && i >= 0 && i < writing->lot_count; i++) {
        const rico_lot *lot = &writing->lot[i];
        if (lot->host == at && (lot->geom < 0 || (lot->material == material && lot->group == group))) {
            if (lot->geom < 0) writing->lot[i] = (rico_lot){at, 0, material, group, g, lot->name};
            writing->lot_of[g] = i;
            return RICO_OK;
        }
    }
    rico_lot *lot = rico_import_push(import, &writing->lot, &writing->lot_count, sizeof *lot);
    if (!lot) return RICO_NO_MEMORY;
    *lot = (rico_lot){at, host->parts++, material, group, g, NULL};
    writing->lot_of[g] = writing->lot_count - 1;
    if (writing->first_lot[at] < 0) writing->first_lot[at] = writing->lot_count - 1;
    const char *base = host->still && !import->single ? geom->name : host->name;
    if (lot->part > 0 && !own && base)
        base = rico_arena_text(&import->arena, "%s-part%lld", base, (long long)lot->part + 1);
    lot->name = rico_writing_name(writing, 'b', base, host->still ? "still" : "body", writing->lot_count);
    return lot->name ? RICO_OK : RICO_NO_MEMORY;
}


rico_status rico_write_sort(rico_writing *writing)
{
    rico_import *import = writing->import;
    writing->lot_of = rico_arena_take(&import->arena, import->geom_count, sizeof *writing->lot_of);
    writing->first_lot = rico_arena_take(&import->arena, import->body_count, sizeof *writing->first_lot);
    if (!writing->lot_of || !writing->first_lot) return RICO_NO_MEMORY;
    // bodies that move come first, in their order, whatever they meet
    for (int64_t b = 0; b < import->body_count; b++) {
        rico_import_body *body = &import->body[b];
        writing->first_lot[b] = -1;
        if (body->host != b || body->still) continue;
        rico_lot *lot = rico_import_push(import, &writing->lot, &writing->lot_count, sizeof *lot);
        if (!lot) return RICO_NO_MEMORY;
        *lot = (rico_lot){b, 0, 0, 0, -1, rico_writing_name(writing, 'b', body->name, "body", b)};
        if (!lot->name) return RICO_NO_MEMORY;
        body->parts = 1;
        writing->first_lot[b] = writing->lot_count - 1;
    }
    rico_status status = RICO_OK;
    for (int64_t g = 0; status == RICO_OK && g < import->geom_count; g++) {
        writing->lot_of[g] = -1;
        if (import->geom[g].touches) status = sort_geom(writing, g);
    }
    writing->all_meet = true;
    for (int64_t i = 0; i < writing->group_count; i++)
        for (int64_t j = i; j < writing->group_count; j++)
            if (!meet(import, &writing->group[i], &writing->group[j])) writing->all_meet = false;
    if (writing->material_count == 0) {
        rico_surface *one =
            rico_import_push(import, &writing->material, &writing->material_count, sizeof *one);
        if (!one) return RICO_NO_MEMORY;
        *one = (rico_surface){.condim = 1};
    }
    return status;
}


// ", group: g1, meets: [...]", where not everything meets everything.
static void write_group(rico_writing *writing, int64_t group)
{
    rico_text *text = &writing->text;
    bool first = true;
    if (writing->all_meet || group >= writing->group_count) return;
    rico_text_add(text, ", group: g%lld, meets: [", (long long)group + 1);
    for (int64_t j = 0; j < writing->group_count; j++) {
        if (!meet(writing->import, &writing->group[group], &writing->group[j])) continue;
        rico_text_add(text, "%sg%lld", first ? "" : ", ", (long long)j + 1);
        first = false;
    }
    rico_text_add(text, "%s]", first ? "nothing" : "");
}


static void write_mesh(rico_text *text, const rico_import_geom *geom)
{
    const double *s = geom->scale;
    if (geom->points > 0) {
        rico_text_add(text, "{hull: {points: [");
        for (int64_t i = 0; i < geom->points; i++) {
            rico_text_add(text, "%s", i == 0 ? "" : ", ");
            rico_write_list(text, &geom->point[3 * i], 3);
        }
        rico_text_add(text, "]}}");
        return;
    }
    rico_text_add(text, "{hull: {file: \"%s\"", geom->path);
    if (s[0] != s[1] || s[1] != s[2] || s[0] < 0.0) {
        rico_text_add(text, ", scale: ");
        rico_write_list(text, s, 3);
    } else if (s[0] != 1.0) {
        rico_text_add(text, ", scale: %.17g", s[0]);
    }
    rico_text_add(text, "}}");
}


static void write_shape(rico_writing *writing, const rico_import_geom *geom)
{
    rico_text *text = &writing->text;
    const double *s = geom->size;
    switch (geom->kind) {
    case RICO_GEOM_PLANE:
        rico_text_add(text, "plane");
        break;
    case RICO_GEOM_SPHERE:
        rico_text_add(text, "{sphere: %.17g}", s[0]);
        break;
    case RICO_GEOM_CAPSULE:
        rico_text_add(text, "{capsule: {radius: %.17g, length: %.17g}}", s[0], s[1]);
        break;
    case RICO_GEOM_CYLINDER:
        rico_text_add(text, "{cylinder: {radius: %.17g, height: %.17g}}", s[0], s[1]);
        break;
    case RICO_GEOM_BOX:
    case RICO_GEOM_ELLIPSOID:
        rico_text_add(text, geom->kind == RICO_GEOM_BOX ? "{box: {size: " : "{ellipsoid: {axes: ");
        rico_write_list(text, s, 3);
        rico_text_add(text, "}}");
        break;
    case RICO_GEOM_MESH:
        write_mesh(text, geom);
        break;
    }
}


// "shape: ..." of a lot, in the axes of its host.
static void write_shapes(rico_writing *writing, int64_t index)
{
    const rico_import *import = writing->import;
    const rico_lot *lot = &writing->lot[index];
    rico_text *text = &writing->text;
    int64_t count = 0;
    for (int64_t g = lot->geom; g < import->geom_count; g++) count += writing->lot_of[g] == index;
    const rico_import_geom *first = &import->geom[lot->geom];
    rico_frame_in at;
    rico_frame_chain(&import->body[first->body].in_host, &first->at, &at);
    bool plain = count == 1 && rico_frame_is_same(&at);
    rico_text_add(text, ", shape: ");
    if (plain) {
        write_shape(writing, first);
        return;
    }
    rico_text_add(text, "{compound: [");
    for (int64_t g = lot->geom, done = 0; done < count; g++) {
        const rico_import_geom *geom = &import->geom[g];
        if (writing->lot_of[g] != index) continue;
        rico_frame_chain(&import->body[geom->body].in_host, &geom->at, &at);
        rico_text_add(text, "%s{shape: ", done++ > 0 ? ", " : "");
        write_shape(writing, geom);
        rico_write_frame(text, &at);
        rico_text_add(text, "}");
    }
    rico_text_add(text, "]}");
}


// --- bodies -------------------------------------------------------------------------------------------------------------

static void cross_add(const double w[3], const double r[3], double v[3])
{
    v[0] += w[1] * r[2] - w[2] * r[1];
    v[1] += w[2] * r[0] - w[0] * r[2];
    v[2] += w[0] * r[1] - w[1] * r[0];
}


static void write_speeds(rico_text *text, const double v[3], const double w[3])
{
    if (v[0] != 0.0 || v[1] != 0.0 || v[2] != 0.0) {
        rico_text_add(text, ", velocity: ");
        rico_write_list(text, v, 3);
    }
    if (w[0] != 0.0 || w[1] != 0.0 || w[2] != 0.0) {
        rico_text_add(text, ", spin: ");
        rico_write_list(text, w, 3);
    }
}


// Parts of one host share its mass alike, about the same center, so that together they are the host exactly.
static void write_moving(rico_writing *writing, int64_t index)
{
    const rico_lot *lot = &writing->lot[index];
    const rico_import_body *host = &writing->import->body[lot->host];
    rico_text *text = &writing->text;
    double parts = (double)host->parts, arm[3], v[3] = {host->speed[0], host->speed[1], host->speed[2]};
    rico_text_add(text, "  %s: {mass: %.17g, center: ", lot->name, host->all_mass / parts);
    rico_write_list(text, host->all_center, 3);
    rico_text_add(text, ", inertia: [");
    for (int i = 0; i < 3; i++) {
        const double *row = host->all_inertia + 3 * i;
        const double own[3] = {row[0] / parts, row[1] / parts, row[2] / parts};
        rico_text_add(text, i > 0 ? ", " : "");
        rico_write_list(text, own, 3);
    }
    rico_text_add(text, "]");
    rico_write_frame(text, &host->world);
    rico_frame_point(&host->world, host->all_center, arm);
    for (int i = 0; i < 3; i++) arm[i] -= host->world.p[i];
    cross_add(host->spin, arm, v);
    write_speeds(text, v, host->spin);
    rico_text_add(text, ", material: m%lld", (long long)lot->material + 1);
    if (lot->geom >= 0) write_group(writing, lot->group);
    if (lot->geom >= 0) write_shapes(writing, index);
    rico_text_add(text, "}\n");
}


static void write_still(rico_writing *writing, int64_t index)
{
    const rico_import *import = writing->import;
    const rico_lot *lot = &writing->lot[index];
    const rico_import_geom *geom = &import->geom[lot->geom];
    rico_text *text = &writing->text;
    rico_text_add(text, "  %s: {fixed: yes", lot->name);
    if (import->single) {
        rico_write_frame(text, &import->body[lot->host].world);
    } else {
        rico_frame_in at;
        rico_frame_chain(&import->body[geom->body].world, &geom->at, &at);
        rico_write_frame(text, &at);
    }
    rico_text_add(text, ", material: m%lld", (long long)lot->material + 1);
    write_group(writing, lot->group);
    if (import->single) {
        write_shapes(writing, index);
    } else {
        rico_text_add(text, ", shape: ");
        write_shape(writing, geom);
    }
    rico_text_add(text, "}\n");
}


// Between two joints of one body stands a carrier, small against it in mass and inertia.
static rico_status write_carriers(rico_writing *writing, int64_t index)
{
    static const double SHARE = RICO_CARRIER_SHARE;
    rico_import *import = writing->import;
    const rico_import_body *host = &import->body[writing->lot[index].host];
    rico_text *text = &writing->text;
    double moment = (host->all_inertia[0] + host->all_inertia[4] + host->all_inertia[8]) / 3.0;
    for (int64_t k = 0; k + 1 < host->joints; k++) {
        const rico_import_joint *joint = &import->joint[host->joint + k];
        double arm[3], v[3] = {joint->speed[0], joint->speed[1], joint->speed[2]};
        rico_text_add(text, "  %s-j%lld: {mass: %.17g, inertia: [%.17g, %.17g, %.17g], position: ",
                      writing->lot[index].name, (long long)k + 1, SHARE * host->all_mass, SHARE * moment,
                      SHARE * moment, SHARE * moment);
        rico_write_list(text, joint->anchor, 3);
        for (int i = 0; i < 3; i++) arm[i] = joint->anchor[i] - joint->frame.p[i];
        cross_add(joint->spin, arm, v);
        write_speeds(text, v, joint->spin);
        rico_text_add(text, ", material: m1}\n");
    }
    if (host->joints < 2) return RICO_OK;
    import->carriers = true;
    return rico_import_warn(
        import, host->from,
        "has several joints: between them stand bodies of a thousandth of its mass and inertia");
}


rico_status rico_write_bodies(rico_writing *writing)
{
    rico_import *import = writing->import;
    rico_text *text = &writing->text;
    rico_status status = RICO_OK;
    rico_text_add(text, "bodies:\n");
    for (int64_t i = 0; status == RICO_OK && i < writing->lot_count; i++) {
        const rico_lot *lot = &writing->lot[i];
        if (import->body[lot->host].still) {
            write_still(writing, i);
        } else {
            write_moving(writing, i);
            if (lot->part == 0) status = write_carriers(writing, i);
        }
    }
    // what became one with another, for those who look for it
    for (int64_t b = 1; b < import->body_count; b++) {
        const rico_import_body *body = &import->body[b], *host = &import->body[body->host];
        if (body->host == b || host->still || !body->name) continue;
        const char *plain = rico_import_plain(import, body->name, "");
        rico_text_add(text, "  # %s is part of %s\n", plain ? plain : "",
                      writing->lot[writing->first_lot[body->host]].name);
    }
    return status;
}
