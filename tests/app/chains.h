// The published chains of balls without their long runs: every check of the experiments named holds.

#ifndef RICO_TESTS_APP_CHAINS_H
#define RICO_TESTS_APP_CHAINS_H

#include "folder.h"

static inline int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/rico-chains-XXXXXX");
    return mkdtemp(folder) == NULL;
}


static inline int drop_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}


// The checks of an experiment hold, and there are at least so many: leaving out long runs left something.
static inline void assert_reproduces(const char *name, int least)
{
    char line[160];
    snprintf(line, sizeof line, "reproduce %s --quick --no-figures --jobs 1 --output %%s", name);
    outcome got = program_line(TO_FILE, folder, line);
    if (got.code != 0) fail_msg("%s ended with %d\n%s%s", name, got.code, got.out, got.err);
    int held = 0;
    for (const char *at = got.out; (at = strstr(at, "  holds  ")) != NULL; at++) held++;
    assert_null(strstr(got.out, "FAILS"));
    assert_true(held >= least);
    release(&got);
}

#endif
