// A run as one block of bytes: the contacts between its bodies, frame by frame.
//
// A contact is known by its key over all frames, so that its history can be told. It is open, sticks, slips, or rolls: it
// sticks while its bodies turn about an axis in its plane, by more than a hundredth of the fastest turn of the run.

#include "draw/film_private.h"

#include "la/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPEN = 0, STICKS = 1, SLIPS = 2, ROLLS = 3, GRID = 65535 };

typedef struct film_contact {
    uint64_t key;
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
static void fill(film_contact *to, const rico_viewed_contact *from, const double *spin)
{
    double turn[3], along = 0.0, across = 0.0;
    to->key = from->key;
    to->a = (int32_t)from->body_a, to->b = (int32_t)from->body_b;
    to->gap = (float)from->gap;
    to->mode = (uint8_t)(from->state >= OPEN && from->state <= SLIPS ? from->state : OPEN);
    for (int k = 0; k < 3; k++) {
        to->point[k] = (float)(0.5 * (from->a[k] + from->b[k]));
        to->normal[k] = (float)from->frame[k];
        to->impulse[k] = (float)(from->impulse[0] * from->frame[k] + from->impulse[1] * from->frame[3 + k] +
                                 from->impulse[2] * from->frame[6 + k]);
        turn[k] = spin[6 * from->body_b + 3 + k] - spin[6 * from->body_a + 3 + k];
        along += turn[k] * from->frame[k];
    }
    for (int k = 0; k < 3; k++) across += pow(turn[k] - along * from->frame[k], 2.0);
    to->turn = (float)sqrt(across);
}


static void collect(rico_film_writer *w, contact_list *list, uint32_t *start)
{
    const int64_t bodies = w->view->body_count;
    rico_stand *stand = rico_alloc(w->ctx, bodies, sizeof *stand);
    double *velocity = rico_alloc(w->ctx, 6 * bodies, sizeof *velocity);
    if (!stand || !velocity) w->status = RICO_NO_MEMORY;
    for (int64_t f = 0; w->status == RICO_OK && f < w->frames; f++) {
        rico_viewed_contact *contact = NULL;
        int64_t count = 0, row = rico_film_row(w, f);
        if (rico_context_interrupted(w->ctx)) w->status = rico_fail(w->ctx, RICO_INTERRUPTED, "stopped");
        if (w->status == RICO_OK) w->status = rico_body_view_stands(w->view, row, stand, velocity);
        if (w->status == RICO_OK) w->status = rico_body_view_contacts(w->view, row, &count, &contact);
        for (int64_t i = 0; w->status == RICO_OK && i < bodies; i++)
            list->fastest = fmax(list->fastest, rico_vec3_norm(velocity + 6 * i + 3));
        for (int64_t i = 0; w->status == RICO_OK && i < count; i++) {
            film_contact *to = next(w, list);
            if (to) fill(to, &contact[i], velocity);
        }
        start[f + 1] = (uint32_t)list->count;
        rico_free(w->ctx, contact);
    }
    rico_free(w->ctx, stand);
    rico_free(w->ctx, velocity);
}


static int by_key(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}


// Each key once, and for every contact its place among them.
static void add_keys(rico_film_writer *w, const contact_list *list)
{
    uint64_t *key = rico_alloc(w->ctx, list->count, sizeof *key);
    if (!key) w->status = RICO_NO_MEMORY;
    if (w->status != RICO_OK) {
        rico_free(w->ctx, key);
        return;
    }
    for (int64_t i = 0; i < list->count; i++) key[i] = list->item[i].key;
    qsort(key, (size_t)list->count, sizeof *key, by_key);
    int64_t count = 0;
    for (int64_t i = 0; i < list->count; i++)
        if (i == 0 || key[i] != key[count - 1]) key[count++] = key[i];
    uint32_t *place = rico_film_add(w, "contact_key", "u32", list->count, 1);
    for (int64_t i = 0; place && i < list->count; i++) {
        const uint64_t *at = bsearch(&list->item[i].key, key, (size_t)count, sizeof *key, by_key);
        place[i] = (uint32_t)(at - key);
    }
    int32_t *bodies = rico_film_add(w, "key_bodies", "i32", count, 2);
    for (int64_t i = 0; bodies && i < list->count; i++) {
        const uint64_t *at = bsearch(&list->item[i].key, key, (size_t)count, sizeof *key, by_key);
        bodies[2 * (at - key)] = list->item[i].a;
        bodies[2 * (at - key) + 1] = list->item[i].b;
    }
    rico_free(w->ctx, key);
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
