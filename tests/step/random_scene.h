// Small scenes at random, as text: parts by formulas and by matrices, joints, contacts with and without friction, every
// scheme of the table, parameters good and bad. One seed, one scene.

#ifndef RICO_TESTS_STEP_RANDOM_SCENE_H
#define RICO_TESTS_STEP_RANDOM_SCENE_H

#include "moving_schemes.h"
#include "support.h"

#include "ricochet/simulation.h"

enum { RANDOM_SCENE_ROOM = 1 << 14, RANDOM_COORDINATES = 12 };

typedef struct random_scene {
    rico_random random;
    uint64_t seed;
    char text[RANDOM_SCENE_ROOM];
    size_t length;
    int count;                         // coordinates so far
    char name[RANDOM_COORDINATES][40]; // as formulas know them
    double start[RANDOM_COORDINATES];
    bool plain[RANDOM_COORDINATES]; // a coordinate by formulas: has a name of its own in `initial`
} random_scene;


static inline void random_say(random_scene *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline void random_say(random_scene *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int written = vsnprintf(s->text + s->length, sizeof s->text - s->length, format, args);
    va_end(args);
    if (written > 0 && s->length + (size_t)written < sizeof s->text) s->length += (size_t)written;
}


static inline double random_in(random_scene *s, double low, double high)
{
    return rico_random_range(&s->random, low, high);
}


static inline bool random_chance(random_scene *s, int64_t one_in)
{
    return rico_random_below(&s->random, one_in) == 0;
}


static inline const char *random_one(random_scene *s, int64_t count, const char *const *items)
{
    return items[rico_random_below(&s->random, count)];
}


static inline void random_formula_part(random_scene *s, int part)
{
    static const char *const WELLS[] = {
        "", " + 3*%s^2", " + %s^4", " + 2*cos(%s)", " + 5*exp(%s/4)", " + 1e5*%s^2"};
    static const char *const FORCES[] = {"0",        "-0.4*v_%s",          "2*sin(3*t)",   "-0.1*%s*v_%s",
                                         "-3*%s^3",  "sqrt(%s + 1)",       "1/(%s + 0.1)", "-0.5*sign(v_%s)",
                                         "exp(8*t)", "-0.2*v_%s*abs(v_%s)"};
    int n = 1 + (int)rico_random_below(&s->random, 3), first = s->count;
    if (first + n > RANDOM_COORDINATES) return;
    random_say(s, "  part%d:\n    coordinates: [", part);
    for (int i = 0; i < n; i++) {
        snprintf(s->name[first + i], sizeof s->name[0], "x%d_%d", part, i);
        s->plain[first + i] = true;
        random_say(s, "%s%s", i ? ", " : "", s->name[first + i]);
    }
    s->count += n;
    bool curved = random_chance(s, 4);
    if (curved) {
        random_say(s, "]\n    kinetic: \"");
        for (int i = 0; i < n; i++)
            random_say(s, "%s%g*(1 + 0.3*cos(%s))*v_%s^2", i ? " + " : "", random_in(s, 0.3, 3.0),
                       s->name[first], s->name[first + i]);
        random_say(s, "\"\n");
    } else {
        random_say(s, "]\n    mass: [");
        for (int i = 0; i < n; i++)
            random_say(s, "%s%g", i ? ", " : "",
                       random_chance(s, 200) ? -1.0 : pow(10.0, random_in(s, -1.0, 1.0)));
        random_say(s, "]\n");
    }
    random_say(s, "    potential: \"%g*%s", random_in(s, -2.0, 10.0), s->name[first + n - 1]);
    for (int i = 0; i < n; i++)
        random_say(s, random_one(s, 6, WELLS), s->name[first + i]); // NOLINT: formats of ours
    random_say(s, "\"\n");
    if (!random_chance(s, 3)) return;
    random_say(s, "    force: [");
    for (int i = 0; i < n; i++) {
        char force[128];
        const char *x = s->name[first + i];
        snprintf(force, sizeof force, random_one(s, random_chance(s, 5) ? 10 : 4, FORCES), x, x); // NOLINT
        random_say(s, "%s\"%s\"", i ? ", " : "", force);
    }
    random_say(s, "]\n");
}


static inline void random_matrix(random_scene *s, const char *key, int n, double scale, bool definite)
{
    double a[16] = {0}, m[16];
    for (int i = 0; i < n * n; i++) a[i] = random_in(s, -1.0, 1.0);
    random_say(s, "    %s: [", key);
    for (int i = 0; i < n; i++) {
        random_say(s, "%s[", i ? ", " : "");
        for (int j = 0; j < n; j++) {
            m[i * n + j] = i == j && definite ? 0.5 : 0.0;
            for (int k = 0; k < n; k++) m[i * n + j] += a[i * n + k] * a[j * n + k];
            if (random_chance(s, 400)) m[i * n + j] += 0.1; // no longer symmetric
            random_say(s, "%s%.17g", j ? ", " : "", scale * m[i * n + j]);
        }
        random_say(s, "]");
    }
    random_say(s, "]\n");
}


static inline void random_matrix_part(random_scene *s, int part)
{
    int n = 1 + (int)rico_random_below(&s->random, 4), first = s->count;
    if (first + n > RANDOM_COORDINATES) return;
    random_say(s, "  part%d:\n    kind: matrices\n", part);
    for (int i = 0; i < n; i++) {
        snprintf(s->name[first + i], sizeof s->name[0], "part%d[%d]", part, i);
        s->plain[first + i] = false;
    }
    s->count += n;
    random_matrix(s, "mass", n, pow(10.0, random_in(s, -2.0, 2.0)), !random_chance(s, 100));
    if (random_chance(s, 2)) random_matrix(s, "stiffness", n, pow(10.0, random_in(s, 0.0, 4.0)), false);
    if (random_chance(s, 3)) random_matrix(s, "damping", n, 0.1, false);
    random_say(s, "    force: [");
    for (int i = 0; i < n; i++) random_say(s, "%s%g", i ? ", " : "", random_in(s, -10.0, 10.0));
    random_say(s, "]\n");
}


// A sum of a few coordinates; its value at the start into *value.
static inline void random_sum(random_scene *s, double *value, char *text, size_t size)
{
    int terms = 1 + (int)rico_random_below(&s->random, 3);
    size_t length = 0;
    *value = 0.0;
    for (int k = 0; k < terms; k++) {
        int64_t i = rico_random_below(&s->random, s->count);
        double weight = random_chance(s, 2) ? 1.0 : round(1e6 * random_in(s, -1.5, 1.5)) / 1e6;
        length +=
            (size_t)snprintf(text + length, size - length, "%s%.6f*%s", k ? " + " : "", weight, s->name[i]);
        *value += weight * s->start[i];
    }
}


static inline void random_contact(random_scene *s, int index)
{
    char gap[256], along[256];
    double value, other;
    random_sum(s, &value, gap, sizeof gap);
    // open, just closed, or already entered
    double open = random_chance(s, 2) ? random_in(s, 0.0, 0.3) : random_chance(s, 60) ? -0.05 : 0.0;
    random_say(s, "  c%d: {gap: \"%s + %.17g%s", index, gap, open - value,
               random_chance(s, 8) ? " + 0.05*sin(4*t)" : "");
    if (random_chance(s, 4)) {
        int64_t i = rico_random_below(&s->random, s->count);
        random_say(s, " + 0.3*(%s^2 - %.17g)", s->name[i], s->start[i] * s->start[i]);
    }
    random_say(s, "\"");
    if (!random_chance(s, 3)) {
        random_sum(s, &other, along, sizeof along);
        random_say(s, ", tangent: [\"%s%s\"", along, random_chance(s, 6) ? " - 0.3*t" : "");
        if (random_chance(s, 3)) {
            random_sum(s, &other, along, sizeof along);
            random_say(s, ", \"%s\"", along);
        }
        double mu = random_chance(s, 20) ? 1e6 : random_in(s, 0.0, 1.5);
        random_say(s, "], friction: %g", random_chance(s, 300) ? -0.5 : mu);
    }
    if (random_chance(s, 2))
        random_say(s, ", restitution: %g", random_chance(s, 3) ? 1.0 : random_in(s, 0.0, 1.05));
    random_say(s, "}\n");
}


static inline void random_joint(random_scene *s, int index)
{
    char sum[256];
    double value;
    int64_t i = rico_random_below(&s->random, s->count), j = rico_random_below(&s->random, s->count);
    const char *x = s->name[i], *y = s->name[j];
    double off = random_chance(s, 60) ? 0.3 : 0.0;
    switch (rico_random_below(&s->random, 4)) {
    case 0: // a circle, or a hyperbola of two that are one
        random_say(s, "  j%d: {equations: [\"%s^2 + %s^2 - %.17g\"]}\n", index, x, y,
                   s->start[i] * s->start[i] + s->start[j] * s->start[j] + off);
        break;
    case 1: // driven
        random_say(s, "  j%d: {equations: [\"%s - %.17g - 0.1*sin(2*t)\"]}\n", index, x, s->start[i] + off);
        break;
    case 2: // the same twice
        random_sum(s, &value, sum, sizeof sum);
        random_say(s, "  j%d: {equations: [\"%s - %.17g\", \"%s - %.17g\"]}\n", index, sum, value, sum,
                   value + off);
        break;
    default:
        random_say(s, "  j%d: {equations: [\"sin(%s) + %s - %.17g\"]}\n", index, x, y,
                   sin(s->start[i]) + s->start[j] + off);
    }
}


// Any scheme, with a few of its options, anywhere in their range.
static inline void random_scheme(random_scene *s)
{
    int schemes = 0, count;
    while (moving_scheme_at(schemes)) schemes++;
    if (random_chance(s, 4)) return; // the default
    // the last of the table came late: it takes over from others now and then, so that their scenes stay what they were
    const rico_scheme_info *scheme = moving_scheme_at((int)rico_random_below(&s->random, schemes - 2));
    if (s->seed % 8 == 0) scheme = moving_scheme_at(schemes - 1);
    if (s->seed % 8 == 4) scheme = moving_scheme_at(schemes - 2);
    const rico_option_info *common = rico_scheme_common_options(&count);
    random_say(s, "scheme: {name: %s", scheme->name);
    for (int k = 0; k < count + scheme->option_count; k++) {
        const rico_option_info *option = k < count ? &common[k] : &scheme->options[k - count];
        if (k < count && !rico_scheme_takes(scheme, k)) continue;
        if (!random_chance(s, 5) || strcmp(option->name, "ledger") == 0 || strstr(option->name, "newton"))
            continue;
        if (option->type == RICO_CHOICE) {
            int choices = 0;
            while (option->choices[choices]) choices++;
            random_say(s, ", %s: %s", option->name, option->choices[rico_random_below(&s->random, choices)]);
        } else if (option->type == RICO_REAL && strstr(option->name, "tol")) {
            random_say(s, ", %s: %g", option->name, pow(10.0, random_in(s, -12.0, -6.0)));
        } else if (option->type == RICO_REAL) {
            random_say(s, ", %s: %g", option->name, random_in(s, option->low, fmin(option->high, 2.0)));
        }
    }
    random_say(s, "}\n");
}


static inline void random_scene_draw(random_scene *s, uint64_t seed)
{
    memset(s, 0, sizeof *s);
    s->seed = seed;
    rico_random_seed(&s->random, seed);
    int parts = 1 + (int)rico_random_below(&s->random, 2);
    random_say(s, "parts:\n");
    for (int k = 0; k < parts; k++) (random_chance(s, 3) ? random_matrix_part : random_formula_part)(s, k);
    for (int i = 0; i < s->count; i++) s->start[i] = s->plain[i] ? random_in(s, -0.5, 0.8) : 0.0;
    int contacts = (int)rico_random_below(&s->random, 5), joints = (int)rico_random_below(&s->random, 5) - 2;
    if (contacts > 0) random_say(s, "contacts:\n");
    for (int k = 0; k < contacts; k++) random_contact(s, k);
    if (joints > 0) random_say(s, "joints:\n");
    for (int k = 0; k < joints; k++) random_joint(s, k);
    random_say(s, "initial:\n  position: {");
    const char *comma = "";
    for (int i = 0; i < s->count; i++)
        if (s->plain[i]) random_say(s, "%s%s: %.17g", comma, s->name[i], s->start[i]), comma = ", ";
    random_say(s, "}\n  velocity: {");
    comma = "";
    for (int i = 0; i < s->count; i++)
        if (s->plain[i] && joints <= 0)
            random_say(s, "%s%s: %g", comma, s->name[i], random_in(s, -2.0, 2.0)), comma = ", ";
    random_say(s, "}\n");
    random_scheme(s);
    double h = pow(10.0, random_in(s, -4.0, -1.0));
    random_say(s, "time: {end: %g, step: %g%s}\n", random_chance(s, 200) ? -1.0 : 40.0 * h, h,
               random_chance(s, 5) ? ", adaptive: true, rtol: 1e-4, max-steps: 300" : "");
}

#endif
