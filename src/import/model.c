// What readers of models share: growing lists, warnings, numbers, frames.

#include "import/model.h"

#include "base/number.h"
#include "la/quaternion.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void *rico_import_push(rico_import *import, void *array, int64_t *count, size_t size)
{
    void **at = array;
    int64_t capacity = 1;
    while (capacity < *count) capacity *= 2;
    if (*count == 0 || *count == capacity) {
        int64_t more = *count == 0 ? 1 : 2 * capacity;
        char *grown = rico_arena_take(&import->arena, more, size);
        if (!grown) return NULL;
        if (*count > 0) memcpy(grown, *at, (size_t)*count * size);
        *at = grown;
    }
    return (char *)*at + (size_t)(*count)++ * size;
}


rico_status rico_import_warn(rico_import *import, const rico_element *from, const char *format, ...)
{
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    for (rico_warning *old = import->first_warning; old; old = old->next)
        if (strcmp(old->text, text) == 0 && strcmp(old->from->name, from->name) == 0) {
            old->count++;
            return RICO_OK;
        }
    rico_warning *made = rico_arena_take(&import->arena, 1, sizeof *made);
    char *kept = rico_arena_text(&import->arena, "%s", text);
    if (!made || !kept) return RICO_NO_MEMORY;
    *made = (rico_warning){from, kept, 1, NULL};
    if (import->last_warning)
        import->last_warning->next = made;
    else
        import->first_warning = made;
    import->last_warning = made;
    return RICO_OK;
}


rico_status rico_import_reals(rico_import *import, const rico_element *from, const char *name,
                              const char *text, int least, int most, double *out, int *count)
{
    int found = 0;
    for (const char *at = text + strspn(text, " \t\r\n"); *at;) {
        char word[64];
        size_t length = strcspn(at, " \t\r\n");
        snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), at);
        if (found == most)
            return rico_element_fail(import->ctx, from, "attribute '%s' has more than %d number%s", name,
                                     most, most == 1 ? "" : "s");
        if (length > 60 || !rico_text_to_real(word, &out[found]))
            return rico_element_fail(import->ctx, from, "attribute '%s' holds '%.40s', which is no number",
                                     name, word);
        found++;
        at += length;
        at += strspn(at, " \t\r\n");
    }
    if (found < least)
        return rico_element_fail(import->ctx, from, "attribute '%s' has %d numbers and needs %d", name, found,
                                 least);
    if (count) *count = found;
    return RICO_OK;
}


rico_status rico_import_flag(rico_import *import, const rico_element *from, const char *name,
                             const char *text, bool *out)
{
    if (strcmp(text, "true") == 0 || strcmp(text, "1") == 0)
        *out = true;
    else if (strcmp(text, "false") == 0 || strcmp(text, "0") == 0)
        *out = false;
    else
        return rico_element_fail(import->ctx, from, "attribute '%s' is '%.40s', neither true nor false", name,
                                 text);
    return RICO_OK;
}


const char *rico_import_plain(rico_import *import, const char *name, const char *instead)
{
    if (!name || !*name) return instead;
    bool letter = isalpha((unsigned char)*name) || *name == '_';
    char *out = rico_arena_text(&import->arena, "%s%.80s", letter ? "" : "n", name);
    for (char *at = out; at && *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '_' && *at != '-') *at = '_';
    return out;
}


void rico_frame_point(const rico_frame_in *frame, const double own[3], double out[3])
{
    double turned[3];
    rico_quaternion_rotate(frame->q, own, turned);
    rico_vec3_add(frame->p, turned, out);
}


bool rico_frame_is_same(const rico_frame_in *frame)
{
    return frame->p[0] == 0.0 && frame->p[1] == 0.0 && frame->p[2] == 0.0 && frame->q[1] == 0.0 &&
           frame->q[2] == 0.0 && frame->q[3] == 0.0;
}


void rico_frame_chain(const rico_frame_in *outer, const rico_frame_in *inner, rico_frame_in *out)
{
    rico_frame_in made = *outer;
    rico_frame_point(outer, inner->p, made.p);
    rico_quaternion_multiply(outer->q, inner->q, made.q);
    rico_quaternion_normalise(made.q);
    *out = made;
}


void rico_turn_about(const double axis[3], double angle, double q[4])
{
    double s = sin(angle / 2.0);
    rico_quaternion_set(cos(angle / 2.0), s * axis[0], s * axis[1], s * axis[2], q);
}


bool rico_turn_to(const double axis[3], double q[4])
{
    double n[3] = {axis[0], axis[1], axis[2]};
    if (!rico_vec3_normalise(n)) return false;
    double side = rico_hypot(n[0], n[1]), angle = atan2(side, n[2]);
    const double about[3] = {side > 0.0 ? -n[1] / side : 1.0, side > 0.0 ? n[0] / side : 0.0, 0.0};
    rico_turn_about(about, angle, q);
    return true;
}
