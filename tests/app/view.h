// Runs to look at, for the tests of rico view: one of a part, whose title is awkward in HTML.

#ifndef RICO_TESTS_APP_VIEW_H
#define RICO_TESTS_APP_VIEW_H

#include "draw/page.h"
#include "ricochet/run.h"
#include "shell.h"

static const char BALL[] = "title: A <ball> & a \"floor\"\n"
                           "parts: {ball: {coordinates: [x, y], mass: [1, 1], force: [0, -10]}}\n"
                           "contacts: {floor: {gap: y, tangent: x, restitution: 0.5, friction: 0.1}}\n"
                           "initial: {position: {y: 0.2}, velocity: {x: 0.3}}\n"
                           "time: {end: 0.5, step: 1e-3}\n";

static rico_context *ctx;


static inline const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", shell_folder, name);
    return path;
}


static inline void simulate(const char *text, const char *name)
{
    rico_runner_options options = rico_runner_defaults();
    options.scene = name;
    options.text = text;
    options.output = in_folder(name);
    rico_runner_result result;
    assert_ok(ctx, rico_runner_run(ctx, &options, &result));
}


static inline bool holds(const unsigned char *bytes, int64_t size, const char *text)
{
    int64_t length = (int64_t)strlen(text);
    for (int64_t i = 0; i + length <= size; i++)
        if (memcmp(bytes + i, text, (size_t)length) == 0) return true;
    return false;
}

#endif
