// What rico orbit and rico continue may both be told: where to look for an orbit of a scene.

#ifndef RICO_APP_ORBIT_OPTIONS_H
#define RICO_APP_ORBIT_OPTIONS_H

#include "app/options.h"
#include "lab/orbit_search.h"

typedef struct rico_orbit_words {
    rico_cli_words set, free, shift;
    const char *period;
    int64_t multiple, pieces;
    double settle, guess;
    bool conservative;
} rico_orbit_words;

// Their entries in a table of options whose settings hold a rico_orbit_words as `member`.
#define RICO_ORBIT_OPTIONS(settings, member)                                                                 \
    {.name = "set",                                                                                          \
     .value = "NAME=VALUE",                                                                                  \
     .help = "a parameter of the scene; may be repeated",                                                    \
     .kind = RICO_CLI_LIST,                                                                                  \
     .field = offsetof(settings, member.set)},                                                               \
        {.name = "period",                                                                                   \
         .value = "FORMULA",                                                                                 \
         .help = "period of what drives the scene, a formula of its parameters such as 2*pi/omega; none: "   \
                 "nothing does, "                                                                            \
                 "and the period is found",                                                                  \
         .kind = RICO_CLI_TEXT,                                                                              \
         .field = offsetof(settings, member.period)},                                                        \
        {.name = "multiple",                                                                                 \
         .value = "N",                                                                                       \
         .help = "periods of the driving in one of the orbit; 0: as the motion has it",                      \
         .kind = RICO_CLI_INTEGER,                                                                           \
         .field = offsetof(settings, member.multiple),                                                       \
         .low = 0,                                                                                           \
         .high = 1000},                                                                                      \
        {.name = "settle",                                                                                   \
         .value = "TIME",                                                                                    \
         .help = "how long to wait first; 60 periods of the driving, or the time of the scene, unless told " \
                 "otherwise",                                                                                \
         .kind = RICO_CLI_REAL,                                                                              \
         .field = offsetof(settings, member.settle),                                                         \
         .low = 0.0,                                                                                         \
         .high = 1e300},                                                                                     \
        {.name = "guess",                                                                                    \
         .value = "T",                                                                                       \
         .help = "about how long the orbit takes, where nothing drives the scene; 0: as the motion has it",  \
         .kind = RICO_CLI_REAL,                                                                              \
         .field = offsetof(settings, member.guess),                                                          \
         .low = 0.0,                                                                                         \
         .high = 1e300},                                                                                     \
        {.name = "conservative",                                                                             \
         .help = "the scene keeps its energy and nothing drives it: orbits come in families, --period says " \
                 "which",                                                                                    \
         .kind = RICO_CLI_FLAG,                                                                              \
         .field = offsetof(settings, member.conservative)},                                                  \
        {.name = "free",                                                                                     \
         .value = "POSITION",                                                                                \
         .help = "a position that need not come back, such as the height of what falls; may be repeated",    \
         .kind = RICO_CLI_LIST,                                                                              \
         .field = offsetof(settings, member.free)},                                                          \
        {.name = "shift",                                                                                    \
         .value = "POSITION=VALUE",                                                                          \
         .help = "a position that comes back so much farther, such as crank=2*pi; may be repeated",          \
         .kind = RICO_CLI_LIST,                                                                              \
         .field = offsetof(settings, member.shift)},                                                         \
    {                                                                                                        \
        .name = "pieces", .value = "N",                                                                      \
        .help = "cut the orbit into N pieces at least, for what is very unstable (multiple shooting)",       \
        .kind = RICO_CLI_INTEGER, .field = offsetof(settings, member.pieces), .low = 1, .high = 1000         \
    }

static inline rico_orbit_order rico_orbit_words_order(const rico_orbit_words *words, const char *scene,
                                                      const char *parameter)
{
    return (rico_orbit_order){.scene = scene,
                              .set_count = words->set.count,
                              .set = words->set.item,
                              .parameter = parameter,
                              .period = words->period,
                              .multiple = words->multiple,
                              .settle = words->settle,
                              .guess = words->guess,
                              .pieces = words->pieces,
                              .conservative = words->conservative,
                              .free_count = words->free.count,
                              .free = words->free.item,
                              .shift_count = words->shift.count,
                              .shift = words->shift.item};
}

#endif
