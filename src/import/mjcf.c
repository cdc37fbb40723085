// MJCF files: includes, classes of defaults, settings, attributes, names.

#include "import/mjcf.h"

#include "import/words.h"
#include "la/quaternion.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- files --------------------------------------------------------------------------------------------------------------

// A path as seen from the file that names it.
static char *beside(rico_arena *arena, const char *file, const char *path)
{
    const char *slash = strrchr(file, '/');
    if (path[0] == '/' || !slash) return rico_arena_text(arena, "%s", path);
    return rico_arena_text(arena, "%.*s/%s", (int)(slash - file), file, path);
}


// An include is replaced by the children of the file's root.
static rico_status include(rico_mjcf *all, rico_element *element, int depth);

static rico_status splice(rico_mjcf *all, rico_element *parent, rico_element *before, rico_element *at,
                          int depth)
{
    rico_import *import = all->import;
    const char *name = rico_element_get(at, "file");
    if (!name) return rico_element_fail(import->ctx, at, "needs a 'file'");
    char *path = beside(&import->arena, at->file, name);
    if (!path) return RICO_NO_MEMORY;
    rico_element *root = NULL;
    rico_status status = rico_tree_read(&import->arena, path, &import->elements, &root);
    if (status == RICO_NO_MEMORY) return status;
    if (status != RICO_OK) {
        char why[300];
        snprintf(why, sizeof why, "%s", rico_message(import->ctx));
        return rico_element_fail(import->ctx, at, "cannot be included: %s", why);
    }
    status = include(all, root, depth + 1);
    for (rico_element *child = root->first; child; child = child->next) child->parent = parent;
    rico_element *first = root->first ? root->first : at->next, *last = root->last;
    if (last) last->next = at->next;
    if (before)
        before->next = first;
    else
        parent->first = first;
    if (parent->last == at) parent->last = last ? last : before;
    return status;
}


static rico_status include(rico_mjcf *all, rico_element *element, int depth)
{
    enum { DEEPEST = 16 };
    if (depth > DEEPEST)
        return rico_element_fail(all->import->ctx, element, "is included more than %d files deep", DEEPEST);
    rico_element *before = NULL;
    rico_status status = RICO_OK;
    for (rico_element *child = element->first; status == RICO_OK && child;) {
        rico_element *next = child->next;
        if (rico_element_is(child, "include")) {
            status = splice(all, element, before, child, depth);
            // what came in stands before `next`
            for (rico_element *in = before ? before->next : element->first; in && in != next; in = in->next)
                before = in;
        } else {
            status = include(all, child, depth);
            before = child;
        }
        child = next;
    }
    return status;
}


static rico_status take_classes(rico_mjcf *all, rico_mjcf_file *file, const rico_element *element, int depth)
{
    rico_import *import = all->import;
    const char *name = rico_element_get(element, "class");
    if (!name && depth > 0) return rico_element_fail(import->ctx, element, "in another needs a 'class'");
    rico_mjcf_class *made = rico_import_push(import, &file->class, &file->class_count, sizeof *made);
    if (!made) return RICO_NO_MEMORY;
    *made = (rico_mjcf_class){name ? name : "main", element};
    rico_status status = RICO_OK;
    for (const rico_element *child = element->first; status == RICO_OK && child; child = child->next)
        if (rico_element_is(child, "default")) status = take_classes(all, file, child, depth + 1);
    return status;
}


static const rico_element *class_element(const rico_mjcf_file *file, const char *name)
{
    for (int64_t i = 0; i < file->class_count; i++)
        if (strcmp(file->class[i].name, name) == 0) return file->class[i].element;
    return NULL;
}


static rico_status take_compiler(rico_mjcf *all, rico_mjcf_file *file, const rico_element *element)
{
    rico_import *import = all->import;
    rico_mjcf_scope scope = {.import = import, .all = all, .file = file};
    const char *angle = rico_element_get(element, "angle"), *order = rico_element_get(element, "eulerseq");
    const char *from = rico_element_get(element, "inertiafromgeom"),
               *folder = rico_element_get(element, "meshdir");
    if (angle && strcmp(angle, "radian") == 0)
        file->unit = 1.0;
    else if (angle && strcmp(angle, "degree") != 0)
        return rico_element_fail(import->ctx, element,
                                 "attribute 'angle' is '%.40s', neither radian nor degree", angle);
    if (order && (strlen(order) != 3 || order[strspn(order, "xyzXYZ")] != '\0'))
        return rico_element_fail(import->ctx, element, "attribute 'eulerseq' is '%.40s', not three of xyzXYZ",
                                 order);
    if (order) memcpy(file->sequence, order, 4);
    if (from)
        file->inertia = strcmp(from, "true") == 0    ? RICO_FROM_GEOMS
                        : strcmp(from, "false") == 0 ? RICO_FROM_NOTHING
                                                     : RICO_FROM_EITHER;
    if (!folder) folder = rico_element_get(element, "assetdir");
    if (folder) file->meshdir = folder;
    rico_status status = rico_mjcf_flag(&scope, element, "autolimits", &file->autolimits);
    if (status == RICO_OK) status = rico_mjcf_flag(&scope, element, "balanceinertia", &file->balance);
    if (status == RICO_OK) status = rico_mjcf_flag(&scope, element, "strippath", &file->strip);
    if (status == RICO_OK) status = rico_mjcf_real(&scope, element, "boundmass", &file->least_mass);
    if (status == RICO_OK) status = rico_mjcf_real(&scope, element, "boundinertia", &file->least_inertia);
    if (status == RICO_OK) status = rico_mjcf_real(&scope, element, "settotalmass", &file->total_mass);
    return status;
}


rico_status rico_mjcf_open(rico_mjcf *all, const char *path, rico_element *root, rico_mjcf_file **out)
{
    rico_import *import = all->import;
    rico_mjcf_file *file = rico_arena_take(&import->arena, 1, sizeof *file);
    if (!file) return RICO_NO_MEMORY;
    *file = (rico_mjcf_file){.root = root,
                             .path = path,
                             .unit = M_PI / 180.0,
                             .sequence = "xyz",
                             .autolimits = true,
                             .inertia = RICO_FROM_EITHER,
                             .total_mass = -1.0};
    rico_status status = rico_element_is(root, "mujoco")
                             ? RICO_OK
                             : rico_element_fail(import->ctx, root, "opens no MJCF file; <mujoco> does");
    if (status == RICO_OK) status = include(all, root, 0);
    if (status == RICO_OK) status = rico_words_check(import, &rico_mjcf_words, root);
    for (const rico_element *child = root->first; status == RICO_OK && child; child = child->next) {
        if (rico_element_is(child, "default")) status = take_classes(all, file, child, 0);
        if (rico_element_is(child, "compiler")) status = take_compiler(all, file, child);
    }
    if (status == RICO_OK) *out = file;
    return status;
}


// --- attributes ---------------------------------------------------------------------------------------------------------

static bool is_drive(const char *name)
{
    static const char *const DRIVE[] = {"motor", "position", "velocity", "damper", "general"};
    for (int i = 0; i < 5; i++)
        if (strcmp(name, DRIVE[i]) == 0) return true;
    return false;
}


// Whether the defaults of `given` hold for `element`: actuators share what all of them have.
static bool suits(const rico_element *given, const rico_element *element, const char *name)
{
    static const char *const SHARED = " gear ctrllimited ctrlrange forcelimited forcerange ";
    if (rico_element_is(given, element->name)) return true;
    if (rico_element_is(given, "tendon"))
        return rico_element_is(element, "spatial") || rico_element_is(element, "fixed");
    if (rico_element_is(given, "equality"))
        return element->parent && rico_element_is(element->parent, "equality");
    char word[40];
    snprintf(word, sizeof word, " %.30s ", name);
    return is_drive(given->name) && is_drive(element->name) && strstr(SHARED, word);
}


static bool nested(const rico_element *class)
{
    return class->parent && rico_element_is(class->parent, "default");
}


static const char *from_class(const rico_element *class, const rico_element *element, const char *name)
{
    for (const rico_element *child = class->first; child; child = child->next) {
        const char *value = suits(child, element, name) ? rico_element_get(child, name) : NULL;
        if (value) return value;
    }
    return NULL;
}


const char *rico_mjcf_get(const rico_mjcf_scope *scope, const rico_element *element, const char *name)
{
    const char *own = rico_element_get(element, name);
    if (own || strcmp(name, "class") == 0 || strcmp(name, "name") == 0) return own;
    if (rico_element_is(element, "freejoint") || rico_element_is(element, "body")) return NULL;
    const char *class = rico_element_get(element, "class");
    if (!class) class = scope->childclass;
    const rico_element *at = class ? class_element(scope->file, class) : NULL;
    const char *value = NULL;
    for (; at && nested(at) && !value; at = at->parent) value = from_class(at, element, name);
    // there may be several at the top, of files that were included: together they are the main class
    for (int64_t i = scope->file->class_count - 1; i >= 0 && !value; i--)
        if (!nested(scope->file->class[i].element))
            value = from_class(scope->file->class[i].element, element, name);
    return value;
}


rico_status rico_mjcf_reals(const rico_mjcf_scope *scope, const rico_element *element, const char *name,
                            int least, int most, double *out, int *count)
{
    const char *text = rico_mjcf_get(scope, element, name);
    if (count) *count = 0;
    return text ? rico_import_reals(scope->import, element, name, text, least, most, out, count) : RICO_OK;
}


rico_status rico_mjcf_real(const rico_mjcf_scope *scope, const rico_element *element, const char *name,
                           double *out)
{
    return rico_mjcf_reals(scope, element, name, 1, 1, out, NULL);
}


rico_status rico_mjcf_count(const rico_mjcf_scope *scope, const rico_element *element, const char *name,
                            int64_t *out)
{
    double value = (double)*out;
    rico_status status = rico_mjcf_real(scope, element, name, &value);
    if (status == RICO_OK && !(value == floor(value) && fabs(value) <= 2147483648.0))
        return rico_element_fail(scope->import->ctx, element, "attribute '%s' is %g, no whole number", name,
                                 value);
    if (status == RICO_OK) *out = (int64_t)value;
    return status;
}


rico_status rico_mjcf_flag(const rico_mjcf_scope *scope, const rico_element *element, const char *name,
                           bool *out)
{
    const char *text = rico_mjcf_get(scope, element, name);
    return text ? rico_import_flag(scope->import, element, name, text, out) : RICO_OK;
}


rico_status rico_mjcf_limited(const rico_mjcf_scope *scope, const rico_element *element, const char *flag,
                              const char *range, double low_high[2], bool *out)
{
    int count;
    const char *text = rico_mjcf_get(scope, element, flag);
    rico_status status = rico_mjcf_reals(scope, element, range, 2, 2, low_high, &count);
    *out = count == 2 && scope->file->autolimits;
    if (status != RICO_OK || !text || strcmp(text, "auto") == 0) return status;
    status = rico_import_flag(scope->import, element, flag, text, out);
    if (status == RICO_OK && *out && count == 0)
        return rico_element_fail(scope->import->ctx, element, "is limited and has no '%s'", range);
    return status;
}


// --- orientations -------------------------------------------------------------------------------------------------------

static rico_status turn_euler(const rico_mjcf_scope *scope, const double angle[3], double q[4])
{
    rico_quaternion_identity(q);
    for (int i = 0; i < 3; i++) {
        char letter = scope->file->sequence[i];
        bool space = letter < 'a'; // capitals: about axes that stand still
        int along = (space ? letter - 'X' : letter - 'x');
        double axis[3] = {0.0}, turn[4], made[4];
        axis[along] = 1.0;
        rico_turn_about(axis, angle[i] * scope->file->unit, turn);
        if (space)
            rico_quaternion_multiply(turn, q, made);
        else
            rico_quaternion_multiply(q, turn, made);
        memcpy(q, made, sizeof made);
    }
    return RICO_OK;
}


static bool turn_axes(const double axes[6], double q[4])
{
    double x[3] = {axes[0], axes[1], axes[2]}, y[3] = {axes[3], axes[4], axes[5]}, z[3];
    if (!rico_vec3_normalise(x)) return false;
    rico_vec3_add_scaled(-rico_vec3_dot(x, y), x, y);
    if (!rico_vec3_normalise(y)) return false;
    rico_vec3_cross(x, y, z);
    // Shepperd: the largest of the four squares first
    double trace = x[0] + y[1] + z[2];
    double square[4] = {1.0 + trace, 1.0 + 2.0 * x[0] - trace, 1.0 + 2.0 * y[1] - trace,
                        1.0 + 2.0 * z[2] - trace};
    int best = 0;
    for (int i = 1; i < 4; i++) best = square[i] > square[best] ? i : best;
    const double sums[4][4] = {{square[0], y[2] - z[1], z[0] - x[2], x[1] - y[0]},
                               {y[2] - z[1], square[1], y[0] + x[1], z[0] + x[2]},
                               {z[0] - x[2], y[0] + x[1], square[2], z[1] + y[2]},
                               {x[1] - y[0], z[0] + x[2], z[1] + y[2], square[3]}};
    memcpy(q, sums[best], sizeof sums[best]);
    return rico_quaternion_normalise(q);
}


rico_status rico_mjcf_frame(const rico_mjcf_scope *scope, const rico_element *element, rico_frame_in *out)
{
    static const struct {
        const char *name;
        int size;
    } WAY[] = {{"quat", 4}, {"axisangle", 4}, {"xyaxes", 6}, {"zaxis", 3}, {"euler", 3}};
    double number[6];
    int count, ways = 0;
    *out = RICO_FRAME_SAME;
    rico_status status = rico_mjcf_reals(scope, element, "pos", 3, 3, out->p, &count);
    for (int i = 0; status == RICO_OK && i < 5; i++) {
        status = rico_mjcf_reals(scope, element, WAY[i].name, WAY[i].size, WAY[i].size, number, &count);
        if (status != RICO_OK || count == 0) continue;
        bool good = ++ways == 1;
        if (i == 0) {
            memcpy(out->q, number, sizeof out->q);
            good = good && rico_quaternion_normalise(out->q);
        } else if (i == 1) {
            double axis[3] = {number[0], number[1], number[2]};
            good = good && rico_vec3_normalise(axis);
            rico_turn_about(axis, number[3] * scope->file->unit, out->q);
        } else if (i == 2) {
            good = good && turn_axes(number, out->q);
        } else if (i == 3) {
            good = good && rico_turn_to(number, out->q);
        } else {
            turn_euler(scope, number, out->q);
        }
        if (!good)
            status = rico_element_fail(scope->import->ctx, element, "attribute '%s' %s", WAY[i].name,
                                       ways > 1 ? "comes beside another orientation" : "gives no rotation");
    }
    return status;
}


// --- names --------------------------------------------------------------------------------------------------------------

const char *rico_mjcf_name(const rico_mjcf_scope *scope, const char *name)
{
    if (!name) return NULL;
    return rico_arena_text(&scope->import->arena, "%s%s%s", scope->prefix, name, scope->suffix);
}


#define FIND(what)                                                                                           \
    int64_t rico_mjcf_find_##what(const rico_mjcf_scope *scope, const char *name)                            \
    {                                                                                                        \
        const rico_import *import = scope->import;                                                           \
        const char *full = rico_mjcf_name(scope, name);                                                      \
        for (int64_t i = 0; full && i < import->what##_count; i++)                                           \
            if (import->what[i].name && strcmp(import->what[i].name, full) == 0) return i;                   \
        return -1;                                                                                           \
    }

FIND(body)
FIND(geom)
FIND(joint)
FIND(site)
