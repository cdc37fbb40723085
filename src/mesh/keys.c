// Sets of nodes: open addressing, at most half full.

#include "mesh/keys.h"

#include <string.h>

static uint64_t mix(int length, const int64_t *set)
{
    uint64_t h = UINT64_C(0x9E3779B97F4A7C15);
    for (int i = 0; i < length; i++) {
        h = (h ^ (uint64_t)set[i]) * UINT64_C(0xBF58476D1CE4E5B9);
        h ^= h >> 29;
    }
    return h;
}


// The slot that holds a set, or the empty one where it belongs.
static int64_t *slot_of(const rico_keys *keys, const int64_t *set)
{
    uint64_t at = mix(keys->length, set);
    size_t bytes = (size_t)keys->length * sizeof *set;
    for (;; at++) {
        int64_t *slot = &keys->slot[at & (uint64_t)(keys->slots - 1)];
        if (*slot == 0 || memcmp(keys->set + (*slot - 1) * keys->length, set, bytes) == 0) return slot;
    }
}


bool rico_keys_start(rico_keys *keys, rico_context *ctx, int length, int64_t expected)
{
    *keys = (rico_keys){.ctx = ctx, .length = length, .room = expected > 16 ? expected : 16, .slots = 32};
    while (keys->slots < 2 * keys->room) keys->slots *= 2;
    keys->set = rico_alloc(ctx, keys->room * length, sizeof *keys->set);
    keys->slot = keys->set ? rico_alloc(ctx, keys->slots, sizeof *keys->slot) : NULL;
    if (keys->slot == NULL) rico_keys_release(keys);
    return keys->slot != NULL;
}


void rico_keys_release(rico_keys *keys)
{
    if (keys->ctx == NULL) return;
    rico_free(keys->ctx, keys->set);
    rico_free(keys->ctx, keys->slot);
    *keys = (rico_keys){0};
}


static bool enlarge(rico_keys *keys)
{
    int64_t room = 2 * keys->room;
    int64_t *set =
        rico_grow(keys->ctx, keys->set, keys->room * keys->length, room * keys->length, sizeof *set);
    if (set == NULL) return false;
    keys->set = set;
    if (!rico_renew(keys->ctx, &keys->slot, 2 * keys->slots, sizeof *keys->slot)) return false;
    keys->room = room;
    keys->slots *= 2;
    for (int64_t i = 0; i < keys->count; i++) *slot_of(keys, set + i * keys->length) = i + 1;
    return true;
}


int64_t rico_keys_number(rico_keys *keys, int size, const int64_t *node, bool add)
{
    int64_t set[RICO_KEY_LONGEST];
    for (int i = 0; i < keys->length; i++) {
        int64_t value = i < size ? node[i] : -1;
        int j = i;
        for (; j > 0 && set[j - 1] > value; j--) set[j] = set[j - 1];
        set[j] = value;
    }
    int64_t *slot = slot_of(keys, set);
    if (*slot || !add) return *slot - 1;
    if (keys->count == keys->room) {
        if (!enlarge(keys)) return -1;
        slot = slot_of(keys, set);
    }
    memcpy(keys->set + keys->count * keys->length, set, (size_t)keys->length * sizeof *set);
    *slot = ++keys->count;
    return keys->count - 1;
}
