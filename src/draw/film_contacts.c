// A run as one block of bytes: the contacts of bodies and meshes, frame by frame.
//
// A contact is known by its source and key over all frames, so that its history can be told. It is open, sticks, slips, or rolls: it
// sticks while its bodies turn about an axis in its plane, by more than a hundredth of the fastest turn of the run.

#include "draw/film_private.h"

#include "la/vec3.h"
#include "ricochet/touch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPEN = 0, STICKS = 1, SLIPS = 2, ROLLS = 3, GRID = 65535 };

// Who a contact is, in any frame.
typedef struct contact_name {
    int64_t source;
    uint64_t key;
} contact_name;

typedef struct film_contact {
    contact_name name;
    int32_t a, b;
    float point[3], normal[3], impulse[3], gap, turn;
    uint8_t mode;
} film_contact;

typedef struct contact_list {
    int64_t count, room;
    film_contact *item;
    double fastest; // turn of a body
} contact_list;


static film_contact *next(rico_film_writer *w, contact_list *list)
{
    if (list->count == list->room) {
        film_contact *larger =
            rico_grow(w->ctx, list->item, list->count, 2 * list->room + 1024, sizeof *larger);
        if (!larger) {
            w->status = RICO_NO_MEMORY;
            return NULL;
        }
        list->item = larger;
        list->room = 2 * list->room + 1024;
    }
    return &list->item[list->count++];
}


// In the axes of the world; `spin` has six numbers for each body, the last three its turn.
static int32_t body_in(const rico_film_writer *w, int64_t body)
{
    return w->view && body >= 0 && body < w->view->body_count ? (int32_t)body : -1;
}


// How fast the bodies of a contact turn against each other about an axis in its plane; of meshes: 0.
static float turn_of(const film_contact *own, const double *frame, const double *velocity)
{
    double turn[3], along = 0.0, across = 0.0;
    if (own->a < 0 || own->b < 0) return 0.0f;
    for (int k = 0; k < 3; k++) {
        turn[k] = velocity[6 * own->b + 3 + k] - velocity[6 * own->a + 3 + k];
        along += turn[k] * frame[k];
    }
    for (int k = 0; k < 3; k++) across += pow(turn[k] - along * frame[k], 2.0);
    return (float)sqrt(across);
}


static void fill(const rico_film_writer *w, film_contact *to, const rico_viewed_contact *from,
                 const double *velocity)
{
    to->name = (contact_name){from->source, from->key};
    to->a = body_in(w, from->body_a), to->b = body_in(w, from->body_b);
    to->gap = (float)from->gap;
    to->mode = (uint8_t)(from->state >= OPEN && from->state <= SLIPS ? from->state : OPEN);
    for (int k = 0; k < 3; k++) {
        to->point[k] = (float)(0.5 * (from->a[k] + from->b[k]));
        to->normal[k] = (float)from->frame[k];
        to->impulse[k] = (float)(from->impulse[0] * from->frame[k] + from->impulse[1] * from->frame[3 + k] +
                                 from->impulse[2] * from->frame[6 + k]);
    }
    to->turn = turn_of(to, from->frame, velocity);
}


static void collect(rico_film_writer *w, contact_list *list, uint32_t *start)
{
    const int64_t bodies = w->view ? w->view->body_count : 0;
    rico_stand *stand = rico_alloc(w->ctx, bodies, sizeof *stand);
    double *velocity = rico_alloc(w->ctx, 6 * bodies, sizeof *velocity);
    if (!stand || !velocity) w->status = RICO_NO_MEMORY;
    for (int64_t f = 0; w->status == RICO_OK && f < w->frames; f++) {
        rico_viewed_contact *contact = NULL;
        int64_t count = 0, row = rico_film_row(w, f);
        if (rico_context_interrupted(w->ctx)) w->status = rico_fail(w->ctx, RICO_INTERRUPTED, "stopped");
        if (w->status == RICO_OK && w->view) w->status = rico_body_view_stands(w->view, row, stand, velocity);
        if (w->status == RICO_OK)
            w->status = rico_emitted_contacts(w->ctx, w->results, row, &count, &contact);
        for (int64_t i = 0; w->status == RICO_OK && i < bodies; i++)
            list->fastest = fmax(list->fastest, rico_vec3_norm(velocity + 6 * i + 3));
        for (int64_t i = 0; w->status == RICO_OK && i < count; i++) {
            film_contact *to = next(w, list);
            if (to) fill(w, to, &contact[i], velocity);
        }
        start[f + 1] = (uint32_t)list->count;
        rico_free(w->ctx, contact);
    }
    rico_free(w->ctx, stand);
    rico_free(w->ctx, velocity);
}


static int by_name(const void *a, const void *b)
{
    const contact_name *one = a, *other = b;
    if (one->source != other->source) return one->source < other->source ? -1 : 1;
    return (one->key > other->key) - (one->key < other->key);
}


// Each contact once, and for every one of a frame its place among them.
static void add_keys(rico_film_writer *w, const contact_list *list)
{
    contact_name *name = rico_alloc(w->ctx, list->count, sizeof *name);
    if (!name) w->status = RICO_NO_MEMORY;
    if (w->status != RICO_OK) {
        rico_free(w->ctx, name);
        return;
    }
    for (int64_t i = 0; i < list->count; i++) name[i] = list->item[i].name;
    qsort(name, (size_t)list->count, sizeof *name, by_name);
    int64_t count = 0;
    for (int64_t i = 0; i < list->count; i++)
        if (i == 0 || by_name(&name[i], &name[count - 1]) != 0) name[count++] = name[i];
    uint32_t *place = rico_film_add(w, "contact_key", "u32", list->count, 1);
    for (int64_t i = 0; place && i < list->count; i++) {
        const contact_name *at = bsearch(&list->item[i].name, name, (size_t)count, sizeof *name, by_name);
        place[i] = (uint32_t)(at - name);
    }
    int32_t *bodies = rico_film_add(w, "key_bodies", "i32", count, 2);
    for (int64_t i = 0; bodies && i < list->count; i++) {
        const contact_name *at = bsearch(&list->item[i].name, name, (size_t)count, sizeof *name, by_name);
        bodies[2 * (at - name)] = list->item[i].a;
        bodies[2 * (at - name) + 1] = list->item[i].b;
    }
    // of meshes: the node, of either side
    int32_t *source = rico_film_add(w, "key_source", "i32", count, 2);
    for (int64_t i = 0; source && i < count; i++) {
        source[2 * i] = (int32_t)name[i].source;
        source[2 * i + 1] = (int32_t)rico_touch_node(name[i].key, NULL);
    }
    rico_film_frictions(w, count);
    rico_free(w->ctx, name);
}


// Points on a grid of the box that holds them all, whose corner and width come first.
static void add_points(rico_film_writer *w, const contact_list *list)
{
    float low[3] = {0}, high[3] = {0};
    for (int64_t i = 0; i < list->count; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = i ? fminf(low[k], list->item[i].point[k]) : list->item[i].point[k];
            high[k] = i ? fmaxf(high[k], list->item[i].point[k]) : list->item[i].point[k];
        }
    float *box = rico_film_add(w, "contact_box", "f32", 2, 3);
    for (int k = 0; box && k < 3; k++) box[k] = low[k], box[3 + k] = high[k] - low[k];
    uint16_t *point = rico_film_add(w, "contact_point", "u16", list->count, 3);
    for (int64_t i = 0; point && i < 3 * list->count; i++) {
        int64_t k = i % 3;
        double width = (double)high[k] - low[k], from = (double)list->item[i / 3].point[k] - low[k];
        point[i] = width > 0.0 && isfinite(from / width) ? (uint16_t)lround(GRID * from / width) : 0;
    }
}


static void add_values(rico_film_writer *w, const contact_list *list)
{
    int8_t *normal = rico_film_add(w, "contact_normal", "i8", list->count, 3);
    for (int64_t i = 0; normal && i < 3 * list->count; i++)
        normal[i] = (int8_t)lroundf(127.0f * fmaxf(-1.0f, fminf(1.0f, list->item[i / 3].normal[i % 3])));
    float *impulse = rico_film_add(w, "contact_impulse", "f32", list->count, 3);
    for (int64_t i = 0; impulse && i < 3 * list->count; i++) impulse[i] = list->item[i / 3].impulse[i % 3];
    float *gap = rico_film_add(w, "contact_gap", "f32", list->count, 1);
    for (int64_t i = 0; gap && i < list->count; i++) gap[i] = list->item[i].gap;
    uint8_t *mode = rico_film_add(w, "contact_mode", "u8", list->count, 1);
    for (int64_t i = 0; mode && i < list->count; i++) {
        const film_contact *own = &list->item[i];
        bool rolls = own->mode == STICKS && own->turn > 0.01 * list->fastest && list->fastest > 1e-6;
        mode[i] = rolls ? ROLLS : own->mode;
    }
}


void rico_film_contacts(rico_film_writer *w)
{
    if (w->status != RICO_OK || rico_results_find_table(w->results, "emitted") < 0) return;
    contact_list list = {0};
    uint32_t *start = rico_alloc(w->ctx, w->frames + 1, sizeof *start);
    if (!start) w->status = RICO_NO_MEMORY;
    if (start) collect(w, &list, start);
    uint32_t *out = rico_film_add(w, "contact_start", "u32", w->frames + 1, 1);
    if (out && start) memcpy(out, start, (size_t)(w->frames + 1) * sizeof *start);
    if (w->status == RICO_OK) add_keys(w, &list);
    add_points(w, &list);
    add_values(w, &list);
    rico_free(w->ctx, list.item);
    rico_free(w->ctx, start);
}
