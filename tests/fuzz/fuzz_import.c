// Fuzzing of the importers: whatever the bytes, they answer, leak nothing, and a refusal has a place.
//
//     fuzz_import [EXECUTIONS [SEED]]      mutates its own corpus so many times (default 20000), the same way each time
//
// Under the sanitizers a fault stops the program. With clang's -fsanitize=fuzzer, compile with RICO_LIBFUZZER defined:
// LLVMFuzzerTestOneInput() is the same, main() is left to libFuzzer.

#include "base/random.h"
#include "ricochet/import.h"
#include "ricochet/scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LONGEST = 16384 };

static int64_t accepted, scenes;


static void demand(bool kept, const char *promise, const char *detail)
{
    if (kept) return;
    fprintf(stderr, "broken promise: %s: %s\n", promise, detail);
    abort();
}


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rico_context *ctx = rico_context_create(NULL);
    rico_import_options options = rico_import_defaults();
    char *text = NULL;
    if (!ctx) return 0;
    // a keyframe, where there is one
    for (size_t i = 0; i + 9 < size; i++)
        if (memcmp(data + i, "<keyframe", 9) == 0) options.key = "0";
    rico_status status = rico_import_text(ctx, "model", (const char *)data, (int64_t)size, &options, &text);
    demand((status == RICO_OK) == (text != NULL), "a text or a reason", rico_message(ctx));
    demand(status != RICO_BAD_INPUT || strncmp(rico_message(ctx), "model:", 6) == 0, "a refusal has a place",
           rico_message(ctx));
    accepted += status == RICO_OK;
    // a scene of thousands of bodies tells no more than one of a few
    if (text && strlen(text) < 20000) {
        rico_scene *scene = NULL;
        status = rico_scene_parse(ctx, "model", text, (int64_t)strlen(text), 0, NULL, NULL, 0, &scene);
        demand(status != RICO_BAD_INPUT || !strstr(rico_message(ctx), "unknown key"), "the text is a scene",
               rico_message(ctx));
        scenes += status == RICO_OK;
        rico_scene_destroy(scene);
    }
    rico_import_free(ctx, text);
    rico_context_destroy(ctx);
    return 0;
}


#ifndef RICO_LIBFUZZER

static const char *const seeds[] = {
    "<mujoco model='m'><compiler angle='radian' eulerseq='xYz' autolimits='true'/><option timestep='.01' "
    "gravity='0 0 -1'><flag gravity='enable'/></option><default><geom friction='.5'/><default class='c'>"
    "<joint damping='1' range='-1 1'/></default></default><worldbody><geom type='plane' size='0 0 1'/>"
    "<body name='a' pos='0 0 1' euler='0 .1 0' childclass='c'><joint name='j'/><joint name='k' type='slide'/>"
    "<geom type='capsule' size='.1' fromto='0 0 0 0 0 1'/><site name='s'/><body name='b' pos='1 0 0'>"
    "<joint name='l' type='ball' stiffness='1'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 "
    "1'/></body></body>"
    "</worldbody><contact><exclude body1='a' body2='b'/></contact><actuator><position joint='j' kp='3' "
    "ctrlrange='-1 1'/></actuator><keyframe><key qpos='0 0 1 0 0 0' qvel='1 2 3 4 5' "
    "ctrl='.1'/></keyframe></mujoco>",
    "<mujoco><worldbody><replicate count='3' offset='0 0 1' euler='0 0 30' sep='-'><body "
    "name='x'><freejoint/>"
    "<geom name='g' type='box' size='.1 .1 .1' contype='1' conaffinity='2' condim='4'/><site name='e' pos='0 "
    "0 .1'/>"
    "</body><site name='f' pos='0 0 2'/></replicate></worldbody><tendon><spatial range='0 2'><site site='e'/>"
    "<site site='f'/></spatial></tendon></mujoco>",
    "<mujoco><worldbody><body name='p'><joint name='p'/><geom size='.1' pos='1 0 0'/></body><body name='q' "
    "pos='0 3 0'>"
    "<joint name='q'/><geom name='q' size='.1' pos='1 0 0'/></body></worldbody><equality><joint joint1='p' "
    "joint2='q' "
    "polycoef='0 2'/><connect body1='p' body2='q' anchor='1 0 0'/></equality></mujoco>",
    "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
    "<collision><origin xyz='0 0 1' rpy='1 2 3'/><geometry><cylinder radius='.1' "
    "length='1'/></geometry></collision>"
    "</link><link name='b'><inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
    "<joint name='j' type='revolute'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/><limit lower='-1' "
    "upper='1'/><dynamics damping='.1' friction='.2'/></joint></robot>",
};
enum { SEEDS = sizeof seeds / sizeof seeds[0] };

// Pieces that make trouble, inserted whole.
static const char *const pieces[] = {
    "<body>",
    "</body>",
    "<body><freejoint/><geom size='1'/></body>",
    "<geom size='.1'/>",
    "<joint/>",
    "<frame>",
    "<replicate count='20000'>",
    "<replicate count='99' offset='1 0 0'>",
    "<attach model='m' prefix='p'/>",
    "<include file='model'/>",
    "<default class='c'>",
    "<!DOCTYPE a [<!ENTITY b 'cc'>]>",
    "<!ENTITY x '&b;&b;&b;'>",
    "&b;",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "'",
    "\"",
    "<",
    ">",
    "/>",
    "=''",
    "1e999",
    "nan",
    "-1",
    "0 0 0",
    "1 2 3 4 5 6 7 8 9",
    "\xff",
    "\xc3\xa9",
    "mesh='m' type='mesh'",
    "class='c'",
    "<link name='c'/>",
    "<mimic joint='j'/>",
};
enum { PIECES = sizeof pieces / sizeof pieces[0] };


static size_t pick(rico_random *random, size_t count)
{
    return (size_t)rico_random_below(random, (int64_t)count);
}


static size_t mutate(rico_random *random, char *text, size_t size)
{
    size_t times = 1 + pick(random, 4);
    for (size_t i = 0; i < times; i++) {
        size_t at = pick(random, size + 1), what = pick(random, 12);
        what = what > 4 ? 4 : what;
        if (what == 0 && size > 0) { // another byte
            text[pick(random, size)] = (char)pick(random, 256);
        } else if (what == 4 && size > 0) { // another number, or name
            size_t from = pick(random, size), tries = 0;
            while (tries++ < size && !strchr("0123456789abcjkl", text[from])) from = (from + 1) % size;
            text[from] = "0123456789.-e abcjkl"[pick(random, 20)];
        } else if (what == 1 && size > 0) { // some left out, or all of the rest
            size_t less = pick(random, 8) == 0 ? size - at : pick(random, 20);
            if (less > size - at) less = size - at;
            memmove(text + at, text + at + less, size - at - less);
            size -= less;
        } else if (what == 2) { // a piece
            const char *piece = pieces[pick(random, PIECES)];
            size_t more = strlen(piece);
            if (size + more >= LONGEST) continue;
            memmove(text + at + more, text + at, size - at);
            for (size_t k = 0; k < more; k++) text[at + k] = piece[k];
            size += more;
        } else { // some twice
            size_t more = pick(random, 60);
            if (more > size - at) more = size - at;
            if (size + more >= LONGEST) continue;
            memmove(text + at + more, text + at, size - at);
            size += more;
        }
    }
    return size;
}


// Thousands of elements in one another, and entities that double ten times over.
static void try_bombs(void)
{
    enum { DEPTH = 5000 };
    static char text[DEPTH * 8 + 200];
    size_t used = (size_t)snprintf(text, sizeof text, "<mujoco><worldbody>");
    for (int i = 0; i < DEPTH; i++) used += (size_t)snprintf(text + used, sizeof text - used, "<body>");
    LLVMFuzzerTestOneInput((const uint8_t *)text, used);
    used = (size_t)snprintf(text, sizeof text, "<!DOCTYPE m [<!ENTITY a0 'ha'>");
    for (int i = 1; i < 40; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "<!ENTITY a%d '&a%d;&a%d;'>", i, i - 1, i - 1);
    used += (size_t)snprintf(text + used, sizeof text - used, "]><mujoco model='&a39;'/>");
    LLVMFuzzerTestOneInput((const uint8_t *)text, used);
    used = 0;
    for (int i = 0; i < 12; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s<replicate count='1000'>",
                                 i == 0 ? "<mujoco><worldbody>" : "");
    used += (size_t)snprintf(text + used, sizeof text - used, "<body><freejoint/><geom size='1'/></body>");
    for (int i = 0; i < 12; i++) used += (size_t)snprintf(text + used, sizeof text - used, "</replicate>");
    used += (size_t)snprintf(text + used, sizeof text - used, "</worldbody></mujoco>");
    LLVMFuzzerTestOneInput((const uint8_t *)text, used);
}


int main(int argc, char **argv)
{
    int64_t executions = argc > 1 ? strtoll(argv[1], NULL, 10) : 20000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    rico_random random;
    static char text[LONGEST];
    rico_random_seed(&random, seed);
    for (int i = 0; i < SEEDS; i++) {
        int64_t before = scenes;
        LLVMFuzzerTestOneInput((const uint8_t *)seeds[i], strlen(seeds[i]));
        demand(scenes == before + 1, "the corpus is good", seeds[i]);
        // cut off at every byte
        for (size_t size = 0; size < strlen(seeds[i]); size++)
            LLVMFuzzerTestOneInput((const uint8_t *)seeds[i], size);
    }
    try_bombs();
    for (int64_t i = 0; i < executions; i++) {
        const char *start = seeds[pick(&random, SEEDS)];
        size_t size = strlen(start);
        for (size_t j = 0; j < size; j++) text[j] = start[j];
        size = mutate(&random, text, size);
        LLVMFuzzerTestOneInput((const uint8_t *)text, size);
    }
    printf("%" PRId64 " executions, %" PRId64 " imported, %" PRId64 " scenes\n", executions, accepted,
           scenes);
    return 0;
}

#endif
