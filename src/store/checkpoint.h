// Checkpoints: the state of a run and the row counts of its archive, in a file of their own beside it.
//
// They are not in the HDF5 file because a kill may come at any byte: a file that is written anew and renamed is either
// the old checkpoint or the new one. The number that the archive drew when it was created ties the two together.

#ifndef RICO_STORE_CHECKPOINT_H
#define RICO_STORE_CHECKPOINT_H

#include "base/context.h"

typedef struct rico_saved {
    int64_t run;      // the archive's number
    int64_t sequence; // 1 for the first checkpoint of the run
    int64_t count_count;
    int64_t *counts; // rows of every stream of the archive, in their order
    int64_t state_size;
    void *state; // the caller's bytes
} rico_saved;

// The place of the checkpoint of the archive at `path`; freed with rico_free(). NULL when memory is short.
char *rico_checkpoint_path(rico_context *ctx, const char *path);

// Replaces the checkpoint at `place` at once.
rico_status rico_checkpoint_write(rico_context *ctx, const char *place, const rico_saved *saved);

// The same in two steps: the words of a checkpoint, which rico_free() releases, and putting them in their place.
rico_status rico_checkpoint_pack(rico_context *ctx, const rico_saved *saved, uint64_t **words,
                                 int64_t *count);
rico_status rico_checkpoint_put(rico_context *ctx, const char *place, const uint64_t *words, int64_t count);

// Removes the checkpoint, if there is one.
rico_status rico_checkpoint_remove(rico_context *ctx, const char *place);

// Reads it back; *found is false when there is no such file. One that was cut or changed is RICO_BAD_INPUT.
rico_status rico_checkpoint_read(rico_context *ctx, const char *place, bool *found, rico_saved *out);
void rico_saved_release(rico_context *ctx, rico_saved *saved);

#endif
