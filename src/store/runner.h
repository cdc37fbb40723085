// Running a scene into a result file, as the commands do it: ricochet/run.h and a name for the file.

#ifndef RICO_STORE_RUNNER_H
#define RICO_STORE_RUNNER_H

#include "ricochet/run.h"

// "stick.h5" for "scenes/stick.yaml", a new string that rico_free() releases.
rico_status rico_runner_default_output(rico_context *ctx, const char *scene, char **out);

#endif
