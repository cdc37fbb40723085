// Controllers by name: PID, linear, sliding mode and twisting, written out as parts, forces and relations.
//
// Continuous ones are states of a first-order part; with `every` they are numbers of a sampled one. Names that follow from NAME:
//
//     pid      NAME_i  integral of the error      NAME_f  filtered measurement, or the last one      NAME_n  0 before the first sample
//     linear   NAME_1, NAME_2, ...  its states
//     sampled  NAME_u  what it asks for; with several outputs NAME_u1, NAME_u2, ...; NAME_d1, ... the same 1, ... samples ago

#include "scene/scene_controllers.h"

#include "base/text.h"
#include "scene/document_build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct writer {
    rico_document *document;
    rico_node *node;
    const char *name;
    rico_text states, rates, forces; // lists of names and formulas; entries of a mapping
    int64_t state_count, force_count;
    bool sampled;
    int64_t late; // samples
} writer;


static const char *text_at(const rico_node *node, const char *key)
{
    const rico_node *child = rico_node_at(node, key);
    return child ? child->text : NULL;
}


static rico_status add_state(writer *w, const char *suffix, const char *formula)
{
    const char *comma = w->state_count++ > 0 ? ", " : "";
    rico_text_add(&w->states, "%s%s_%s", comma, w->name, suffix);
    rico_text_add(&w->rates, "%s\"%s\"", comma, formula);
    return w->states.status == RICO_OK ? w->rates.status : w->states.status;
}


// What a formula does to the coordinates that a mapping names.
static rico_status act(writer *w, const rico_node *acts, const char *formula)
{
    if (!acts || acts->kind != RICO_NODE_MAPPING || acts->count == 0)
        return rico_document_fail(w->document, acts ? acts : w->node,
                                  "'acts' of controller '%s' must be a mapping from coordinates to gains; "
                                  "write {x: 1}",
                                  w->name);
    for (const rico_node *child = acts->first; child; child = child->next)
        rico_text_add(&w->forces, "%s\"%s\": \"(%s)*(%s)\"", w->force_count++ > 0 ? ", " : "", child->key,
                      child->text ? child->text : "", formula);
    return w->forces.status;
}


// Puts a value below a section of the file, its places those of the controller.
static void place_at(rico_node *node, const rico_node *where)
{
    node->line = node->key_line = where->key_line;
    node->column = node->key_column = where->key_column;
    for (rico_node *child = node->first; child; child = child->next) place_at(child, where);
}


static rico_status put(writer *w, const char *section, const char *suffix, const char *yaml)
{
    rico_node *root = rico_document_root(w->document);
    char path[160], key[128];
    snprintf(key, sizeof key, "%s%s", w->name, suffix);
    snprintf(path, sizeof path, "%s.%s", section, key);
    if (rico_node_at(rico_node_at(root, section), key))
        return rico_document_fail_key(w->document, w->node,
                                      "'%s' is taken: controller '%s' makes an entry of that name under '%s'",
                                      key, w->name, section);
    rico_status status = rico_document_set(w->document, path, yaml);
    if (status == RICO_OK) place_at(rico_node_at(rico_node_at(root, section), key), w->node);
    if (status == RICO_BAD_ARGUMENT)
        return rico_document_fail_key(w->document, w->node, "controller '%s' cannot be written out: %s",
                                      w->name, yaml);
    return status;
}


// What was gathered of forces, as an entry of its own: two outputs may act on one coordinate.
static rico_status flush(writer *w, const char *suffix)
{
    rico_text force = {.ctx = w->states.ctx};
    if (w->force_count == 0) return RICO_OK;
    rico_text_add(&force, "{force: {%s}}", w->forces.data);
    rico_status status = force.status == RICO_OK ? put(w, "forces", suffix, force.data) : force.status;
    rico_free(force.ctx, force.data);
    rico_free(w->forces.ctx, w->forces.data);
    w->forces = (rico_text){.ctx = w->states.ctx};
    w->force_count = 0;
    return status;
}


// The part, if it has states, and the forces.
static rico_status finish(writer *w)
{
    rico_text part = {.ctx = w->states.ctx};
    const char *every = text_at(w->node, "every");
    if (w->sampled)
        rico_text_add(&part, "{kind: sampled, every: \"%s\", states: [%s], update: [%s]}", every,
                      w->states.data, w->rates.data);
    else if (w->state_count > 0)
        rico_text_add(&part, "{kind: first-order, states: [%s], rate: [%s]}", w->states.data, w->rates.data);
    rico_status status = part.status;
    if (status == RICO_OK && part.data) status = put(w, "parts", "", part.data);
    rico_free(part.ctx, part.data);
    return status == RICO_OK ? flush(w, "") : status;
}


// `formula` within the limits, if there are any.
static void limit(const writer *w, const char *formula, rico_text *out)
{
    const rico_node *limits = rico_node_at(w->node, "limits");
    if (limits)
        rico_text_add(out, "min(max(%s, %s), %s)", formula, limits->first->text, limits->last->text);
    else
        rico_text_add(out, "%s", formula);
}


// What is asked for, kept between samples and delayed; `index` 0: the only one.
static rico_status hold(writer *w, const rico_node *acts, int64_t index, const char *asked)
{
    char suffix[40], from[160];
    if (!w->sampled) return act(w, acts, asked);
    snprintf(suffix, sizeof suffix, index ? "u%lld" : "u", (long long)index);
    rico_status status = add_state(w, suffix, asked);
    snprintf(from, sizeof from, "%s_%s", w->name, suffix);
    for (int64_t k = 1; status == RICO_OK && k <= w->late; k++) {
        snprintf(suffix, sizeof suffix, index ? "d%lld_%lld" : "d%lld", (long long)k, (long long)index);
        status = add_state(w, suffix, from);
        snprintf(from, sizeof from, "%s_%s", w->name, suffix);
    }
    return status == RICO_OK ? act(w, acts, from) : status;
}


// --- kinds ---------------------------------------------------------------------------------------------------------

typedef struct pid {
    double proportional, integral, derivative, filter, every;
} pid;


static rico_status read_pid(const writer *w, pid *out)
{
    const struct {
        const char *key;
        double *value;
    } all[] = {{"proportional", &out->proportional},
               {"integral", &out->integral},
               {"derivative", &out->derivative},
               {"filter", &out->filter},
               {"every", &out->every}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const rico_node *node = rico_node_at(w->node, all[i].key);
        rico_status status = node ? rico_document_real(w->document, node, all[i].value) : RICO_OK;
        if (status != RICO_OK) return status;
    }
    if (out->proportional == 0.0 && out->integral == 0.0 && out->derivative == 0.0)
        return rico_document_fail_key(w->document, w->node,
                                      "controller '%s' has no gain: give 'proportional', 'integral' or "
                                      "'derivative'",
                                      w->name);
    const rico_node *filter = rico_node_at(w->node, "filter");
    if (!w->sampled && out->derivative != 0.0 && !filter)
        return rico_document_fail_key(
            w->document, rico_node_at(w->node, "derivative"),
            "the derivative of '%s' needs 'filter', the time over which it is taken", w->name);
    if (w->sampled && filter)
        return rico_document_fail_key(w->document, filter,
                                      "'filter' belongs to a continuous controller; sampled ones take the "
                                      "difference of two samples");
    return RICO_OK;
}


// What the sensor makes of a measurement: noise, the same for the same seed, and steps of its resolution.
static rico_status measure(const writer *w, const char *formula, int64_t index, rico_text *out)
{
    static const char *const KEYS[] = {"noise", "resolution"};
    const rico_node *noise = rico_node_at(w->node, "noise"), *steps = rico_node_at(w->node, "resolution");
    for (int k = 0; k < 2 && !w->sampled; k++)
        if (rico_node_at(w->node, KEYS[k]))
            return rico_document_fail_key(w->document, rico_node_at(w->node, KEYS[k]),
                                          "'%s' belongs to a sampled controller; give 'every'", KEYS[k]);
    const char *every = text_at(w->node, "every"), *seed = text_at(w->node, "seed");
    if (steps) rico_text_add(out, "((%s)*floor(", steps->text);
    rico_text_add(out, "((%s)", formula);
    if (noise)
        rico_text_add(out, " + (%s)*random_normal((%s) + %lld, floor(t/(%s) + 0.5))", noise->text, seed,
                      (long long)index, every);
    rico_text_add(out, ")");
    if (steps) rico_text_add(out, "/(%s) + 0.5))", steps->text);
    return out->status;
}


// u = kp e + ki I - kd dy/dt within the limits, the integral held back by what they cut off, over kp or else 1 s of ki.
static rico_status write_pid(writer *w)
{
    rico_context *ctx = w->states.ctx;
    pid c = {0};
    rico_text y = {.ctx = ctx}, e = {.ctx = ctx}, raw = {.ctx = ctx}, u = {.ctx = ctx}, rate = {.ctx = ctx};
    const char *reference = text_at(w->node, "reference");
    rico_status status = read_pid(w, &c);
    if (status == RICO_OK) status = measure(w, text_at(w->node, "measured"), 0, &y);
    if (status == RICO_OK) {
        rico_text_add(&e, "((%s) - %s)", reference ? reference : "0", y.data);
        rico_text_add(&raw, "((%.17g)*%s", c.proportional, e.data);
        if (c.integral != 0.0 && w->sampled)
            rico_text_add(&raw, " + (%.17g)*(%s_i + (%.17g)*%s)", c.integral, w->name, c.every, e.data);
        else if (c.integral != 0.0)
            rico_text_add(&raw, " + (%.17g)*%s_i", c.integral, w->name);
        if (c.derivative != 0.0 && w->sampled)
            rico_text_add(&raw, " - (%.17g)*%s_n*(%s - %s_f)", c.derivative / c.every, w->name, y.data,
                          w->name);
        else if (c.derivative != 0.0)
            rico_text_add(&raw, " - (%.17g)*(%s - %s_f)", c.derivative / c.filter, y.data, w->name);
        rico_text_add(&raw, ")");
        limit(w, raw.data, &u);
        double back = 1.0 / (c.proportional != 0.0 ? c.proportional : c.integral);
        rico_text_add(&rate, "%s + (%.17g)*(%s - %s)", e.data, back, u.data, raw.data);
        const rico_text *all[] = {&e, &raw, &u, &rate};
        for (int k = 0; status == RICO_OK && k < 4; k++) status = all[k]->status;
    }
    if (status == RICO_OK && c.integral != 0.0) {
        rico_text integral = {.ctx = ctx};
        if (w->sampled) rico_text_add(&integral, "%s_i + (%.17g)*(%s)", w->name, c.every, rate.data);
        status = w->sampled ? integral.status : RICO_OK;
        if (status == RICO_OK && w->sampled) status = add_state(w, "i", integral.data);
        rico_free(ctx, integral.data);
        if (status == RICO_OK && !w->sampled) {
            status = add_state(w, "i", "0");
            rico_text_add(&w->forces, "\"%s_i\": \"%s\"", w->name, rate.data);
            w->force_count++;
        }
    }
    if (status == RICO_OK && c.derivative != 0.0) {
        status = add_state(w, "f", w->sampled ? y.data : "0");
        if (status == RICO_OK && w->sampled) status = add_state(w, "n", "1");
        if (!w->sampled)
            rico_text_add(&w->forces, "%s\"%s_f\": \"(%s - %s_f)/(%.17g)\"", w->force_count++ > 0 ? ", " : "",
                          w->name, y.data, w->name, c.filter);
    }
    if (status == RICO_OK) status = hold(w, rico_node_at(w->node, "acts"), 0, u.data);
    rico_text *all[] = {&y, &e, &raw, &u, &rate};
    for (int i = 0; i < 5; i++) rico_free(ctx, all[i]->data);
    return status == RICO_OK ? finish(w) : status;
}


// Rows of a matrix of formulas, each of `columns`.
static rico_status check_matrix(const writer *w, const char *key, int64_t rows, int64_t columns)
{
    const rico_node *matrix = rico_node_at(w->node, key);
    if (!matrix) return RICO_OK;
    bool fits = matrix->kind == RICO_NODE_LIST && matrix->count == rows;
    for (const rico_node *row = fits ? matrix->first : NULL; row; row = row->next)
        fits = fits && row->kind == RICO_NODE_LIST && row->count == columns;
    if (fits) return RICO_OK;
    return rico_document_fail(
        w->document, matrix, "'%s' of controller '%s' does not fit: expected %lld row%s of %lld number%s",
        key, w->name, (long long)rows, rows == 1 ? "" : "s", (long long)columns, columns == 1 ? "" : "s");
}


static const rico_node *row_at(const rico_node *list, int64_t i)
{
    const rico_node *row = list ? list->first : NULL;
    while (row && row->index < i) row = row->next;
    return row;
}


// Row i of [states inputs] times what stands behind: states of the controller, and the deviations of the measurements.
static rico_status write_row(const writer *w, const char *of_states, const char *of_inputs, int64_t i,
                             rico_text *out)
{
    rico_status status = RICO_OK;
    const rico_node *states = row_at(rico_node_at(w->node, of_states), i),
                    *inputs = row_at(rico_node_at(w->node, of_inputs), i),
                    *measured = rico_node_at(w->node, "measured"),
                    *reference = rico_node_at(w->node, "reference");
    rico_text_add(out, "0");
    int64_t k = 0;
    for (const rico_node *entry = states ? states->first : NULL; entry; entry = entry->next)
        rico_text_add(out, " + (%s)*%s_%lld", entry->text, w->name, (long long)++k);
    for (const rico_node *entry = inputs ? inputs->first : NULL; status == RICO_OK && entry;
         entry = entry->next) {
        const rico_node *aim = row_at(reference, entry->index);
        rico_text_add(out, " + (%s)*((%s) - ", entry->text, aim ? aim->text : "0");
        status = measure(w, row_at(measured, entry->index)->text, entry->index, out);
        rico_text_add(out, ")");
    }
    return status == RICO_OK ? out->status : status;
}


static rico_status check_linear(const writer *w, int64_t states, int64_t inputs, int64_t outputs)
{
    const rico_node *reference = rico_node_at(w->node, "reference");
    if (reference && reference->count != inputs)
        return rico_document_fail(w->document, reference,
                                  "'reference' of controller '%s' has %lld formulas, 'measured' %lld",
                                  w->name, (long long)reference->count, (long long)inputs);
    rico_status status = check_matrix(w, "A", states, states);
    if (status == RICO_OK) status = check_matrix(w, "B", states, inputs);
    if (status == RICO_OK) status = check_matrix(w, "C", outputs, states);
    if (status == RICO_OK) status = check_matrix(w, "D", outputs, inputs);
    bool some = rico_node_at(w->node, "A") || rico_node_at(w->node, "B") || rico_node_at(w->node, "C");
    bool all = rico_node_at(w->node, "A") && rico_node_at(w->node, "B") && rico_node_at(w->node, "C");
    if (status == RICO_OK && (some != all || (!all && !rico_node_at(w->node, "D"))))
        return rico_document_fail_key(
            w->document, w->node, "controller '%s' needs 'A', 'B' and 'C' together, or 'D', or all", w->name);
    return status;
}


// z' = A z + B e, u = C z + D e, e = reference - measured; with `every` the same from one sample to the next.
static rico_status write_linear(writer *w)
{
    rico_context *ctx = w->states.ctx;
    const rico_node *acts = rico_node_at(w->node, "acts"), *A = rico_node_at(w->node, "A");
    bool one = acts->kind == RICO_NODE_MAPPING;
    int64_t states = A ? A->count : 0, inputs = rico_node_at(w->node, "measured")->count,
            outputs = one ? 1 : acts->count;
    rico_status status = check_linear(w, states, inputs, outputs);
    for (int64_t i = 0; status == RICO_OK && i < states; i++) {
        rico_text row = {.ctx = ctx};
        char suffix[40];
        snprintf(suffix, sizeof suffix, "%lld", (long long)i + 1);
        status = write_row(w, "A", "B", i, &row);
        if (status == RICO_OK) status = add_state(w, suffix, w->sampled ? row.data : "0");
        if (status == RICO_OK && !w->sampled)
            rico_text_add(&w->forces, "%s\"%s_%s\": \"%s\"", w->force_count++ > 0 ? ", " : "", w->name,
                          suffix, row.data);
        rico_free(ctx, row.data);
    }
    for (int64_t i = 0; status == RICO_OK && i < outputs; i++) {
        rico_text row = {.ctx = ctx}, asked = {.ctx = ctx};
        status = write_row(w, "C", "D", i, &row);
        if (status == RICO_OK) {
            limit(w, row.data, &asked);
            status = asked.status;
        }
        char suffix[40];
        snprintf(suffix, sizeof suffix, "_u%lld", (long long)i + 1);
        if (status == RICO_OK && !one) status = flush(w, "");
        if (status == RICO_OK) status = hold(w, one ? acts : row_at(acts, i), one ? 0 : i + 1, asked.data);
        if (status == RICO_OK && !one) status = flush(w, suffix);
        rico_free(ctx, row.data);
        rico_free(ctx, asked.data);
    }
    return status == RICO_OK ? finish(w) : status;
}


static void copy_mapping(const rico_node *acts, rico_text *out)
{
    for (const rico_node *child = acts->kind == RICO_NODE_MAPPING ? acts->first : NULL; child;
         child = child->next)
        rico_text_add(out, "%s\"%s\": \"%s\"", child->index > 0 ? ", " : "", child->key,
                      child->text ? child->text : "");
}


// A relay on an output, as a relation.
static rico_status write_relay(writer *w, const char *suffix, const char *output, const char *amplitude)
{
    rico_text out = {.ctx = w->states.ctx};
    const char *slope = text_at(w->node, "slope");
    rico_text_add(&out, "{output: \"%s\", amplitude: \"%s\", acts: {", output, amplitude);
    copy_mapping(rico_node_at(w->node, "acts"), &out);
    rico_text_add(&out, "}");
    if (slope) rico_text_add(&out, ", slope: \"%s\"", slope);
    rico_text_add(&out, "}");
    rico_status status = out.status == RICO_OK ? put(w, "relations", suffix, out.data) : out.status;
    rico_free(out.ctx, out.data);
    return status;
}


static rico_status write_sliding(writer *w)
{
    return write_relay(w, "", text_at(w->node, "surface"), text_at(w->node, "amplitude"));
}


static rico_status write_twisting(writer *w)
{
    double first, second;
    const rico_node *a = rico_node_at(w->node, "amplitude"), *b = rico_node_at(w->node, "second");
    rico_status status = rico_document_real(w->document, a, &first);
    if (status == RICO_OK) status = rico_document_real(w->document, b, &second);
    if (status == RICO_OK && !(first > second))
        return rico_document_fail(w->document, b,
                                  "'second' = %g of controller '%s' must be less than 'amplitude' = %g",
                                  second, w->name, first);
    if (status == RICO_OK) status = write_relay(w, "_1", text_at(w->node, "surface"), a->text);
    return status == RICO_OK ? write_relay(w, "_2", text_at(w->node, "rate"), b->text) : status;
}


// --- the table -----------------------------------------------------------------------------------------------------

#define ACTS                                                                                                 \
    {                                                                                                        \
        "acts", RICO_WANT_ANY, .flags = RICO_KEY_REQUIRED,                                                   \
                               .help = "coordinate: what a unit of the controller's output does to it"       \
    }
#define CLOCK                                                                                                \
    {"every",                                                                                                \
     RICO_WANT_REAL,                                                                                         \
     .flags = RICO_KEY_ABOVE,                                                                                \
     .high = INFINITY,                                                                                       \
     .unit = "s",                                                                                            \
     .help = "time between samples, a multiple of the step; without it, continuous"},                        \
        {"delay",     RICO_WANT_REAL,                                                                        \
         .low = 0.0,  .high = INFINITY,                                                                      \
         .unit = "s", .help = "of what a sampled controller asks for, a multiple of `every`"},               \
    {                                                                                                        \
        "limits", RICO_WANT_FORMULAS,                                                                        \
            .least = 2, .most = 2,                                                                           \
            .help = "of the actuator: least and largest; a PID's integral is held back while they cut"       \
    }

#define SENSOR                                                                                               \
    {"noise", RICO_WANT_REAL, .low = 0.0, .high = INFINITY,                                                  \
     .help = "of the sensor: deviation of what it adds to every sample"},                                    \
        {"seed", RICO_WANT_INTEGER, .standard = "1", .low = 0, .high = 1e15, .help = "of the noise"},        \
    {                                                                                                        \
        "resolution", RICO_WANT_REAL, .flags = RICO_KEY_ABOVE, .high = INFINITY,                             \
                                      .help = "of the sensor: what is measured comes in multiples of it"     \
    }

static const rico_schema_key PID[] = {
    {"measured", RICO_WANT_FORMULA, .flags = RICO_KEY_REQUIRED,
     .help = "of t and all coordinates, velocities and states"},
    {"reference", RICO_WANT_FORMULA, .standard = "0", .help = "what it should be, likewise"},
    {"proportional", RICO_WANT_REAL, .standard = "0", .help = "kp"},
    {"integral", RICO_WANT_REAL, .standard = "0", .low = 0.0, .high = INFINITY, .help = "ki"},
    {"derivative", RICO_WANT_REAL, .standard = "0", .help = "kd, of the measurement"},
    {"filter", RICO_WANT_REAL, .flags = RICO_KEY_ABOVE, .high = INFINITY, .unit = "s",
     .help = "time over which a continuous derivative is taken"},
    SENSOR,
    ACTS,
    CLOCK,
    {NULL},
};

static const rico_schema_key LINEAR[] = {
    {"measured", RICO_WANT_FORMULAS, .flags = RICO_KEY_REQUIRED, .least = 1,
     .help = "a list, of t and all coordinates, velocities and states"},
    {"reference", RICO_WANT_FORMULAS, .help = "what they should be; without it, 0"},
    SENSOR,
    {"A", RICO_WANT_ANY, .help = "rows: z' = A z + B e, or z of the next sample; e = reference - measured"},
    {"B", RICO_WANT_ANY, .help = "rows"},
    {"C", RICO_WANT_ANY, .help = "rows: u = C z + D e"},
    {"D", RICO_WANT_ANY, .help = "rows; without it, 0. Alone: feedback of what is measured"},
    {"acts", RICO_WANT_ANY, .flags = RICO_KEY_REQUIRED,
     .help = "coordinate: what a unit of the output does to it; a list of such mappings for several outputs"},
    CLOCK,
    {NULL},
};

static const rico_schema_key SLIDING[] = {
    {"surface", RICO_WANT_FORMULA, .flags = RICO_KEY_REQUIRED,
     .help = "what shall be 0, of t and all coordinates, velocities and states"},
    {"amplitude", RICO_WANT_FORMULA, .flags = RICO_KEY_REQUIRED,
     .help = "u is -amplitude where it is positive"},
    {"slope", RICO_WANT_REAL, .flags = RICO_KEY_ABOVE, .high = INFINITY,
     .help = "u = -slope * surface between: a boundary layer; without it, none"},
    ACTS,
    {NULL},
};

static const rico_schema_key TWISTING[] = {
    {"surface", RICO_WANT_FORMULA, .flags = RICO_KEY_REQUIRED, .help = "s, what shall be 0"},
    {"rate", RICO_WANT_FORMULA, .flags = RICO_KEY_REQUIRED, .help = "its rate of change"},
    {"amplitude", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED | RICO_KEY_ABOVE, .high = INFINITY,
     .help = "a of u = -a Sign(s) - b Sign(rate)"},
    {"second", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED | RICO_KEY_ABOVE, .high = INFINITY,
     .help = "b, less than a"},
    ACTS,
    {NULL},
};

static const rico_schema_variant VARIANTS[] = {
    {"pid", "u = kp e + ki integral(e) - kd d(measured)/dt.", PID},
    {"linear", "State feedback, observers, filters: a linear system from deviations to inputs.", LINEAR},
    {"sliding", "A relay on a surface, solved at the end of the step: it does not chatter.", SLIDING},
    {"twisting", "Relays on a surface and on its rate: both become 0, in finite time.", TWISTING},
    {NULL, NULL, NULL},
};


static const char *kind_name(int index)
{
    return VARIANTS[index].name;
}


static const rico_schema_key CONTROLLER[] = {
    {"kind", RICO_WANT_CHOICE, .flags = RICO_KEY_REQUIRED, .choice = kind_name, .help = "what it does"},
    {NULL},
};

const rico_schema rico_scene_controller_schema = {.title = "controller",
                                                  .help = "Measures the state and acts on it.",
                                                  .keys = CONTROLLER,
                                                  .selector = "kind",
                                                  .variants = VARIANTS};


// --- all of them ---------------------------------------------------------------------------------------------------

static rico_status read_clock(writer *w)
{
    const rico_node *every = rico_node_at(w->node, "every"), *delay = rico_node_at(w->node, "delay");
    double period = 0.0, late = 0.0;
    w->sampled = every != NULL;
    rico_status status = every ? rico_document_real(w->document, every, &period) : RICO_OK;
    if (status == RICO_OK && delay) status = rico_document_real(w->document, delay, &late);
    if (status != RICO_OK || !delay) return status;
    if (!every)
        return rico_document_fail_key(w->document, delay,
                                      "'delay' of controller '%s' needs 'every': samples are what is delayed",
                                      w->name);
    w->late = (int64_t)nearbyint(late / period);
    if (fabs(late / period - (double)w->late) > 1e-6 || w->late > 1000)
        return rico_document_fail(
            w->document, delay,
            "'delay' = %g of controller '%s' must be a multiple of 'every' = %g, at most a "
            "thousand of them",
            late, w->name, period);
    return RICO_OK;
}


static rico_status expand(rico_document *document, rico_node *node)
{
    static rico_status (*const WRITE[])(writer *) = {write_pid, write_linear, write_sliding, write_twisting};
    rico_context *ctx = rico_document_context(document);
    writer w = {.document = document,
                .node = node,
                .name = node->key,
                .states = {.ctx = ctx},
                .rates = {.ctx = ctx},
                .forces = {.ctx = ctx}};
    if (rico_formula_check_name(ctx, node->key) != RICO_OK) {
        char sentence[256];
        snprintf(sentence, sizeof sentence, "%s", rico_message(ctx));
        return rico_document_fail_key(document, node, "%s", sentence);
    }
    rico_status status = rico_schema_apply(document, node, &rico_scene_controller_schema);
    if (status == RICO_OK) status = read_clock(&w);
    for (int k = 0; status == RICO_OK && VARIANTS[k].name; k++)
        if (strcmp(VARIANTS[k].name, text_at(node, "kind")) == 0) {
            status = WRITE[k](&w);
            break;
        }
    rico_free(ctx, w.states.data);
    rico_free(ctx, w.rates.data);
    rico_free(ctx, w.forces.data);
    return status;
}


rico_status rico_scene_expand_controllers(rico_document *document, rico_node *root)
{
    rico_node *list = rico_node_at(root, "controllers");
    if (!list || list->kind != RICO_NODE_MAPPING) return RICO_OK; // the schema says what is wrong
    rico_status status = RICO_OK;
    for (rico_node *child = list->first; status == RICO_OK && child; child = child->next)
        status = expand(document, child);
    return status;
}
