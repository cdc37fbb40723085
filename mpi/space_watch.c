// What contacts do in a step, seen by each rank on its own and told by the first.
//
// A contact on two ranks is seen by both, in the same way: of equal happenings one is kept. In the order of kinds and keys they are what one
// watch of all contacts would have seen.

#include "space.h"

#include <stdlib.h>
#include <string.h>

static rico_status collect(void *user, const rico_contact_happening *what)
{
    rico_space *space = user;
    if (space->happenings == space->happening_room) {
        int64_t room = 2 * space->happening_room + 16;
        rico_contact_happening *more =
            rico_grow(space->own, space->happening, space->happening_room, room, sizeof *more);
        if (!more) return RICO_NO_MEMORY;
        space->happening = more;
        space->happening_room = room;
    }
    space->happening[space->happenings++] = *what;
    return RICO_OK;
}


void rico_space_destroy_watch(rico_space *space)
{
    rico_contact_watch *watch = space->local.watch;
    if (!watch || watch == space->watch) return; // that of the whole is the run's
    rico_contact_watch_release(watch);
    rico_free(space->own, watch);
}


rico_status rico_space_make_watch(rico_space *space, const rico_space_records *from)
{
    rico_contact_watch *watch = rico_alloc(space->own, 1, sizeof *watch);
    if (!watch) return RICO_NO_MEMORY;
    *watch = (rico_contact_watch){
        .ctx = space->own, .sim = space->local.sim, .emits = true, .write = collect, .user = space};
    space->local.watch = watch;
    rico_status status = rico_contact_watch_reserve(watch, from->contacts);
    for (int64_t c = 0; !status && c < from->contacts; c++) watch->memory[c] = from->contact[c].memory;
    watch->memory_count = status ? 0 : from->contacts;
    return status;
}


static int in_order(const void *a, const void *b)
{
    const rico_contact_happening *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    return (x->key > y->key) - (x->key < y->key);
}


// Each once, in the order in which they are told.
static void tidy(rico_space *space)
{
    rico_contact_happening *list = space->happening;
    int64_t count = space->happenings;
    qsort(list, (size_t)count, sizeof *list, in_order);
    space->happenings = 0;
    for (int64_t k = 0; k < count; k++) {
        const rico_contact_happening own = list[k];
        if (space->happenings == 0 || in_order(&list[space->happenings - 1], &own) != 0)
            list[space->happenings++] = own;
    }
}


rico_status rico_space_watch(rico_space *space)
{
    bool impact = false;
    space->happenings = 0;
    rico_status status = rico_contact_watch_step(space->local.watch, &impact);
    int *to = status ? NULL : rico_alloc(space->own, space->happenings, sizeof *to);
    status = rico_crew_agree(space->crew, status ? status : to ? RICO_OK : RICO_NO_MEMORY);
    int64_t count = 0;
    void *all = NULL;
    if (!status)
        status = rico_crew_exchange(space->crew, space->happenings, to, space->happening,
                                    sizeof *space->happening, &count, &all);
    rico_free(space->own, to);
    if (status) return status;
    rico_free(space->own, space->happening);
    space->happening = all;
    space->happenings = space->happening_room = count;
    tidy(space);
    return RICO_OK;
}
