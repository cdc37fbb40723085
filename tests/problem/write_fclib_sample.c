// Writes the samples of fclib_sample.h into a folder, one file per form, dimension and storage, for
// check_fclib.py to look at with other eyes: write_fclib_sample FOLDER.

#include "problem/fclib_sample.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc != 2) return 1;
    static const char *const storages[] = {"csc", "csr", "triplets"};
    rico_context *ctx = rico_context_create(NULL);
    if (!ctx) return 1;

    rico_status status = RICO_OK;
    for (int k = 0; k < 12 && status == RICO_OK; k++) {
        int global = k % 2, dimension = 2 + k / 2 % 2, storage = k / 4;
        char path[4096];
        snprintf(path, sizeof path, "%s/%s-%dd-%s.hdf5", argv[1], global ? "global" : "local", dimension,
                 storages[storage]);
        status = sample_write(ctx, global, dimension, true, (rico_fclib_storage)storage, path);
    }
    if (status != RICO_OK) fprintf(stderr, "%s\n", rico_message(ctx));
    rico_context_destroy(ctx);
    return status == RICO_OK ? 0 : 1;
}
