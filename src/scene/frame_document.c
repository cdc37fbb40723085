// Plane frames by files:
//
//     parameters: {a: 1, P: 1, mu: 0.3}
//     frame:
//       nodes:
//         A: {at: [0, 0], support: clamped}
//         B: {at: [0, a], live: [P, 0]}
//         C: {at: [a, 0], support: contact, friction: mu}
//       bars:
//         column: {between: [A, B], capacity: 1}
//         strut: {between: [B, C], capacity: 1, pinned: [C]}

#include "scene/frame_document.h"
#include "base/suggest.h"
#include "ricochet/frame.h"
#include "scene/parameters.h"

#include <math.h>
#include <string.h>


static const char *support_name(int index)
{
    return rico_support_name(index);
}


static const rico_schema_key NODE[] = {
    {"at", RICO_WANT_REALS, .flags = RICO_KEY_REQUIRED, .least = 2, .most = 2, .unit = "m",
     .help = "x and y"},
    {"support", RICO_WANT_CHOICE, .standard = "none", .choice = support_name,
     .help = "what holds it; a `contact` is pinned to a foot that may slide with friction and lift off"},
    {"friction", RICO_WANT_REAL, .standard = "0", .low = 0, .high = INFINITY, .help = "of a contact"},
    {"normal", RICO_WANT_REAL, .standard = "0", .low = -360, .high = 360, .unit = "degrees",
     .help = "of a contact or a roller: from the way up, to the left"},
    {"dead", RICO_WANT_REALS, .standard = "[0, 0]", .least = 2, .most = 3, .unit = "N",
     .help = "a force that is always there, along x and y, and a moment against the clock"},
    {"live", RICO_WANT_REALS, .standard = "[0, 0]", .least = 2, .most = 3, .unit = "N",
     .help = "the same of the load that the factor multiplies"},
    {NULL},
};
static const rico_schema NODE_SCHEMA = {
    .title = "node", .help = "A joint, a foot, or a place of a load.", .keys = NODE};

static const rico_schema_key BAR[] = {
    {"between", RICO_WANT_TEXTS, .flags = RICO_KEY_REQUIRED, .least = 2, .most = 2, .help = "two nodes"},
    {"capacity", RICO_WANT_REAL, .flags = RICO_KEY_ABOVE, .high = INFINITY, .unit = "N m",
     .help = "its plastic moment; without one it does not yield"},
    {"pinned", RICO_WANT_TEXTS, .least = 1, .most = 2, .help = "at these of its nodes it turns freely"},
    {NULL},
};
static const rico_schema BAR_SCHEMA = {
    .title = "bar", .help = "A straight bar that does not stretch.", .keys = BAR};

static const rico_schema_key FRAME[] = {
    {"nodes", RICO_WANT_NAMED, .flags = RICO_KEY_REQUIRED, .sub = &NODE_SCHEMA, .help = "by name"},
    {"bars", RICO_WANT_NAMED, .flags = RICO_KEY_REQUIRED, .sub = &BAR_SCHEMA,
     .help = "by name; hinges form at their ends, so a bar with a load within is two"},
    {NULL},
};
static const rico_schema FRAME_SCHEMA = {.title = "frame", .help = "A plane frame.", .keys = FRAME};

static const rico_schema_key FILE_KEYS[] = {
    {"title", RICO_WANT_TEXT, .standard = "''", .help = "one line"},
    {"parameters", RICO_WANT_ANY, .help = "names for numbers, `--set name=value` overrides them"},
    {"frame", RICO_WANT_MAPPING, .flags = RICO_KEY_REQUIRED, .sub = &FRAME_SCHEMA, .help = "nodes and bars"},
    {NULL},
};
static const rico_schema FILE_SCHEMA = {
    .title = "frame file", .help = "A frame is a file with these keys.", .keys = FILE_KEYS};


const rico_schema *rico_frame_schema(void)
{
    return &FILE_SCHEMA;
}


// What is being read.
typedef struct reader {
    rico_document *document;
    const rico_node *nodes, *bars;
    rico_frame_node *node;
    rico_frame_bar *bar;
} reader;


static rico_status read_load(reader *r, const rico_node *node, double load[3])
{
    int64_t count;
    double *value = NULL;
    rico_status status = rico_document_reals(r->document, node, &count, &value);
    for (int64_t i = 0; status == RICO_OK && i < count; i++) load[i] = value[i];
    rico_free(rico_document_context(r->document), value);
    return status;
}


static rico_status read_node(reader *r, const rico_node *node, rico_frame_node *out)
{
    double at[3] = {0.0};
    const char *support = rico_node_at(node, "support")->text;
    *out = (rico_frame_node){.name = node->key};
    rico_status status = read_load(r, rico_node_at(node, "at"), at);
    if (status == RICO_OK) status = read_load(r, rico_node_at(node, "dead"), out->dead);
    if (status == RICO_OK) status = read_load(r, rico_node_at(node, "live"), out->live);
    if (status == RICO_OK)
        status = rico_document_real(r->document, rico_node_at(node, "friction"), &out->friction);
    if (status == RICO_OK)
        status = rico_document_real(r->document, rico_node_at(node, "normal"), &out->normal);
    out->x = at[0], out->y = at[1];
    for (int k = 0; rico_support_name(k); k++)
        if (strcmp(rico_support_name(k), support) == 0) out->support = (rico_support)k;
    if (status != RICO_OK) return status;
    if (out->friction > 0.0 && out->support != RICO_SUPPORT_CONTACT)
        return rico_document_fail(r->document, rico_node_at(node, "friction"),
                                  "'friction' belongs to a node with 'support: contact'");
    if (out->normal != 0.0 && out->support != RICO_SUPPORT_CONTACT && out->support != RICO_SUPPORT_ROLLER)
        return rico_document_fail(r->document, rico_node_at(node, "normal"),
                                  "'normal' belongs to a node with 'support: contact' or 'support: roller'");
    return RICO_OK;
}


// The number of the node that a text names; an unknown one is refused with the nearest known.
static rico_status find_node(reader *r, const rico_node *name, int64_t *index)
{
    rico_suggestion near;
    char hint[RICO_SUGGEST_SENTENCE];
    rico_suggest_start(&near, name->text);
    *index = 0;
    for (const rico_node *child = r->nodes->first; child; child = child->next, (*index)++) {
        if (strcmp(child->key, name->text) == 0) return RICO_OK;
        rico_suggest_offer(&near, child->key);
    }
    return rico_document_fail(r->document, name, "there is no node '%.60s'%s", name->text,
                              rico_suggest_sentence(&near, "", hint));
}


static rico_status read_bar(reader *r, const rico_node *node, rico_frame_bar *out)
{
    const rico_node *between = rico_node_at(node, "between"), *capacity = rico_node_at(node, "capacity"),
                    *pinned = rico_node_at(node, "pinned");
    *out = (rico_frame_bar){.name = node->key, .capacity = INFINITY};
    rico_status status = find_node(r, between->first, &out->from);
    if (status == RICO_OK) status = find_node(r, between->last, &out->to);
    if (status == RICO_OK && capacity) status = rico_document_real(r->document, capacity, &out->capacity);
    for (const rico_node *child = pinned ? pinned->first : NULL; status == RICO_OK && child;
         child = child->next) {
        int64_t at;
        status = find_node(r, child, &at);
        if (status != RICO_OK) break;
        if (at != out->from && at != out->to)
            return rico_document_fail(r->document, child, "bar '%s' does not meet node '%s'", node->key,
                                      child->text);
        out->pinned_from |= at == out->from;
        out->pinned_to |= at == out->to;
    }
    return status;
}


static rico_status build(reader *r, rico_frame **out)
{
    rico_context *ctx = rico_document_context(r->document);
    rico_status status = RICO_OK;
    int64_t i = 0, b = 0;
    r->node = rico_alloc(ctx, r->nodes->count, sizeof *r->node);
    r->bar = rico_alloc(ctx, r->bars->count, sizeof *r->bar);
    if (!r->node || !r->bar) status = RICO_NO_MEMORY;
    for (const rico_node *child = r->nodes->first; status == RICO_OK && child; child = child->next)
        status = read_node(r, child, &r->node[i++]);
    for (const rico_node *child = r->bars->first; status == RICO_OK && child; child = child->next)
        status = read_bar(r, child, &r->bar[b++]);
    if (status == RICO_OK) {
        const rico_frame_given given = {i, b, r->node, r->bar};
        status = rico_document_fail_in(r->document, r->nodes, rico_frame_create(ctx, &given, out));
    }
    rico_free(ctx, r->node);
    rico_free(ctx, r->bar);
    return status;
}


static rico_status read_document(rico_document *document, const rico_frame_source *source, rico_frame **out)
{
    rico_node *root = rico_document_root(document);
    rico_parameters parameters = {0};
    rico_status status = rico_parameters_read(document, rico_node_at(root, "parameters"),
                                              source->override_count, source->overrides, &parameters);
    if (status != RICO_OK) return status;
    rico_document_set_scope(document, &parameters.scope);
    status = rico_schema_apply(document, root, &FILE_SCHEMA);
    if (status == RICO_OK) {
        const rico_node *frame = rico_node_at(root, "frame");
        reader r = {
            .document = document, .nodes = rico_node_at(frame, "nodes"), .bars = rico_node_at(frame, "bars")};
        status = build(&r, out);
    }
    if (status == RICO_OK) rico_frame_set_title(*out, rico_node_at(root, "title")->text);
    rico_document_set_scope(document, NULL);
    rico_parameters_destroy(&parameters);
    return status;
}


rico_status rico_frame_read(rico_context *ctx, const rico_frame_source *source, rico_frame **out)
{
    rico_document *document = NULL;
    bool tells = source->excerpt && source->excerpt_size > 0;
    if (tells) source->excerpt[0] = '\0';
    rico_status status = rico_document_create(ctx, &document);
    if (status == RICO_OK)
        status = source->text ? rico_document_parse(document, source->path, source->text, source->length)
                              : rico_document_load(document, source->path);
    if (status == RICO_OK) status = read_document(document, source, out);
    if (status != RICO_OK && document && tells)
        rico_document_excerpt(document, source->excerpt, source->excerpt_size);
    rico_document_destroy(document);
    return status;
}


bool rico_frame_recognise(rico_context *ctx, const char *path)
{
    rico_document *document = NULL;
    bool is = false;
    if (rico_document_create(ctx, &document) == RICO_OK && rico_document_load(document, path) == RICO_OK) {
        const rico_node *root = rico_document_root(document);
        is = rico_node_at(root, "frame") && !rico_node_at(root, "bodies") && !rico_node_at(root, "parts");
    }
    rico_document_destroy(document);
    return is;
}
