// What kind of HDF5 file a file is.

#include "store/recognise.h"

#include "store/archive.h"

bool rico_is_archive(rico_context *ctx, const char *path)
{
    rico_hdf5_file file;
    bool found = false;
    rico_status status = rico_hdf5_open_live(ctx, path, &file);
    if (status == RICO_OK) status = rico_hdf5_find(&file, RICO_STORE_RUN, H5I_GROUP, &found);
    if (status == RICO_OK && found) status = rico_hdf5_find(&file, RICO_STORE_NUMBER, H5I_DATASET, &found);
    rico_hdf5_close(&file);
    return status == RICO_OK && found;
}


bool rico_is_problem(rico_context *ctx, const char *path)
{
    rico_hdf5_file file;
    bool found = false;
    rico_status status = rico_hdf5_open_live(ctx, path, &file);
    if (status == RICO_OK) status = rico_hdf5_find(&file, "fclib_local", H5I_GROUP, &found);
    if (status == RICO_OK && !found) status = rico_hdf5_find(&file, "fclib_global", H5I_GROUP, &found);
    rico_hdf5_close(&file);
    return status == RICO_OK && found;
}
