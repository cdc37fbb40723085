// The tables of a schema as JSON Schema (draft 7), for editors that complete and check scenes while they are written.
//
// Where a number is expected a formula may stand, which is a text to JSON: a schema accepts both, and bounds only numbers.

#include "app/schema_json.h"

#include "base/json.h"
#include "base/number.h"
#include "scene/matrix.h"

#include <math.h>
#include <string.h>

// Schemas met so far, in the order of their definitions.
enum { MOST_SCHEMAS = 64 };
typedef struct writer {
    rico_json *json;
    const rico_schema *met[MOST_SCHEMAS];
    int count;
} writer;


static void text(writer *w, const char *key, const char *value)
{
    rico_json_key(w->json, key);
    rico_json_text(w->json, value);
}


static void types(writer *w, const char *first, const char *second, const char *third)
{
    const char *const all[] = {first, second, third};
    rico_json_key(w->json, "type");
    rico_json_open_array(w->json);
    for (int i = 0; i < 3; i++)
        if (all[i]) rico_json_text(w->json, all[i]);
    rico_json_close(w->json);
}


static void refer(writer *w, const rico_schema *to)
{
    int i = 0;
    while (i < w->count && w->met[i] != to) i++;
    if (i == w->count && w->count < MOST_SCHEMAS) w->met[w->count++] = to;
    char path[96];
    snprintf(path, sizeof path, "#/definitions/%s", to->title);
    text(w, "$ref", path);
}


// An object in an array or after a key that holds a type or a reference alone.
static void simple(writer *w, const char *first, const char *second)
{
    rico_json_open_object(w->json);
    types(w, first, second, NULL);
    rico_json_close(w->json);
}


static void bounds(writer *w, const rico_schema_key *key)
{
    if (key->low == 0.0 && key->high == 0.0) return;
    if (isfinite(key->low)) {
        rico_json_key(w->json, key->flags & RICO_KEY_ABOVE ? "exclusiveMinimum" : "minimum");
        rico_json_number(w->json, key->low);
    }
    if (isfinite(key->high)) {
        rico_json_key(w->json, key->flags & RICO_KEY_BELOW ? "exclusiveMaximum" : "maximum");
        rico_json_number(w->json, key->high);
    }
}


static void list_of(writer *w, const rico_schema_key *key, const char *first, const char *second)
{
    text(w, "type", "array");
    rico_json_key(w->json, "items");
    simple(w, first, second);
    if (key->least > 0) {
        rico_json_set_integer(w->json, "minItems", key->least);
    }
    if (key->most > 0) {
        rico_json_set_integer(w->json, "maxItems", key->most);
    }
}


static void choices(writer *w, const rico_schema_key *key, const rico_schema *owner)
{
    rico_json_key(w->json, "enum");
    rico_json_open_array(w->json);
    for (int i = 0; key->choice && key->choice(i); i++) rico_json_text(w->json, key->choice(i));
    for (int i = 0; !key->choice && owner->variants && owner->variants[i].name; i++)
        rico_json_text(w->json, owner->variants[i].name);
    rico_json_close(w->json);
}


// A name of a table, or a mapping with that name (which a default may spare) and its options.
static void named_choice(writer *w, const rico_schema_key *key, const rico_schema *owner)
{
    rico_json_key(w->json, "anyOf");
    rico_json_open_array(w->json);
    rico_json_open_object(w->json);
    choices(w, key, owner);
    rico_json_close(w->json);
    rico_json_open_object(w->json);
    text(w, "type", "object");
    if (!key->standard) {
        rico_json_key(w->json, "required");
        rico_json_open_array(w->json);
        rico_json_text(w->json, "name");
        rico_json_close(w->json);
    }
    rico_json_key(w->json, "properties");
    rico_json_open_object(w->json);
    rico_json_key(w->json, "name");
    rico_json_open_object(w->json);
    choices(w, key, owner);
    rico_json_close(w->json);
    rico_json_close(w->json);
    rico_json_close(w->json);
    rico_json_close(w->json);
}


static void flag(writer *w)
{
    static const char *const words[] = {"yes", "no", "on", "off"};
    rico_json_key(w->json, "enum");
    rico_json_open_array(w->json);
    rico_json_bool(w->json, true);
    rico_json_bool(w->json, false);
    for (int i = 0; i < 4; i++) rico_json_text(w->json, words[i]);
    rico_json_close(w->json);
}


// A number, rows, or a mapping with one of the forms of matrix.h; of a vector, a list of numbers instead of rows.
static void matrix(writer *w, bool vector)
{
    rico_json_key(w->json, "anyOf");
    rico_json_open_array(w->json);
    if (!vector) simple(w, "number", "string");
    rico_json_open_object(w->json);
    text(w, "type", "array");
    rico_json_key(w->json, "items");
    if (vector) {
        simple(w, "number", "string");
    } else {
        rico_json_open_object(w->json);
        text(w, "type", "array");
        rico_json_key(w->json, "items");
        simple(w, "number", "string");
        rico_json_close(w->json);
    }
    rico_json_close(w->json);
    rico_json_open_object(w->json);
    refer(w, vector ? rico_vector_schema() : rico_matrix_schema());
    rico_json_close(w->json);
    rico_json_close(w->json);
}


// A mapping with the keys of a schema, or the one value that stands for its shorthand.
static void mapping(writer *w, const rico_schema *sub)
{
    if (!sub->shorthand) {
        refer(w, sub);
        return;
    }
    rico_json_key(w->json, "anyOf");
    rico_json_open_array(w->json);
    rico_json_open_object(w->json);
    refer(w, sub);
    rico_json_close(w->json);
    simple(w, "string", "number");
    rico_json_close(w->json);
}


static void value(writer *w, const rico_schema_key *key, const rico_schema *owner)
{
    switch (key->want) {
    case RICO_WANT_REAL:
        types(w, "number", "string", NULL);
        bounds(w, key);
        break;
    case RICO_WANT_INTEGER:
        types(w, "integer", "string", NULL);
        bounds(w, key);
        break;
    case RICO_WANT_FLAG:
        flag(w);
        break;
    case RICO_WANT_TEXT:
    case RICO_WANT_PATH:
        types(w, "string", "number", "boolean");
        break;
    case RICO_WANT_FORMULA:
        types(w, "string", "number", NULL);
        break;
    case RICO_WANT_CHOICE:
        choices(w, key, owner);
        break;
    case RICO_WANT_FORMULAS:
        list_of(w, key, "string", "number");
        break;
    case RICO_WANT_TEXTS:
        list_of(w, key, "string", NULL);
        break;
    case RICO_WANT_REALS:
        list_of(w, key, "number", "string");
        break;
    case RICO_WANT_VECTOR:
        matrix(w, true);
        break;
    case RICO_WANT_MATRIX:
        matrix(w, false);
        break;
    case RICO_WANT_MAPPING:
        mapping(w, key->sub);
        break;
    case RICO_WANT_LIST:
    case RICO_WANT_NAMED:
        text(w, "type", key->want == RICO_WANT_LIST ? "array" : "object");
        rico_json_key(w->json, key->want == RICO_WANT_LIST ? "items" : "additionalProperties");
        rico_json_open_object(w->json);
        if (key->sub) mapping(w, key->sub);
        rico_json_close(w->json);
        break;
    case RICO_WANT_ANY:
        if (key->choice) named_choice(w, key, owner);
        break;
    }
}


// A default as JSON means it: a number, true or false, or text.
static void standard(writer *w, const char *given)
{
    double number;
    rico_json_key(w->json, "default");
    if (rico_text_to_real(given, &number))
        rico_json_number(w->json, number);
    else if (strcmp(given, "true") == 0 || strcmp(given, "false") == 0)
        rico_json_bool(w->json, given[0] == 't');
    else
        rico_json_text(w->json, strcmp(given, "''") == 0 ? "" : given);
}


// Draft 7 ignores what stands beside a $ref, so that the description of a section is its definition's own.
static void property(writer *w, const rico_schema_key *key, const rico_schema *owner, const char *only)
{
    rico_json_key(w->json, key->name);
    rico_json_open_object(w->json);
    if (only)
        text(w, "const", only);
    else
        value(w, key, owner);
    bool referred = key->want == RICO_WANT_MAPPING && !key->sub->shorthand;
    if (key->help && !referred) {
        char help[512];
        snprintf(help, sizeof help, "%s%s%s%s", key->help, key->unit ? " [" : "", key->unit ? key->unit : "",
                 key->unit ? "]" : "");
        text(w, "description", help);
    }
    if (key->standard && !referred && !only) standard(w, key->standard);
    rico_json_close(w->json);
}


static void require(writer *w, const char *name)
{
    rico_json_open_object(w->json);
    rico_json_key(w->json, "required");
    rico_json_open_array(w->json);
    rico_json_text(w->json, name);
    rico_json_close(w->json);
    rico_json_close(w->json);
}


static void required(writer *w, const rico_schema_key *const *tables, const char *selector)
{
    rico_json_key(w->json, "required");
    rico_json_open_array(w->json);
    if (selector) rico_json_text(w->json, selector);
    for (int t = 0; t < 2; t++)
        for (const rico_schema_key *key = tables[t]; key && key->name; key++)
            if (key->flags & RICO_KEY_REQUIRED && !key->group) rico_json_text(w->json, key->name);
    rico_json_close(w->json);
}


// Of keys that share a group exactly one is set; all groups of our tables are required ones.
static void one_of_group(writer *w, const rico_schema_key *const *tables)
{
    const char *group = NULL;
    for (int t = 0; t < 2; t++)
        for (const rico_schema_key *key = tables[t]; key && key->name; key++)
            if (key->group && key->flags & RICO_KEY_REQUIRED) group = key->group;
    if (!group) return;
    rico_json_key(w->json, "oneOf");
    rico_json_open_array(w->json);
    for (int t = 0; t < 2; t++)
        for (const rico_schema_key *key = tables[t]; key && key->name; key++)
            if (key->group && strcmp(key->group, group) == 0) require(w, key->name);
    rico_json_close(w->json);
}


// Of keys with the flag at least one is set.
static void some_of(writer *w, const rico_schema_key *const *tables)
{
    bool any = false;
    for (int t = 0; t < 2; t++)
        for (const rico_schema_key *key = tables[t]; key && key->name; key++) {
            if (!(key->flags & RICO_KEY_SOME)) continue;
            if (!any) {
                rico_json_key(w->json, "anyOf");
                rico_json_open_array(w->json);
            }
            any = true;
            require(w, key->name);
        }
    if (any) rico_json_close(w->json);
}


// One closed object: the keys of a schema and those of a variant, which the selector names.
static void object(writer *w, const rico_schema *schema, const rico_schema_variant *variant)
{
    const rico_schema_key *const tables[2] = {schema->keys, variant ? variant->keys : NULL};
    const rico_schema_key *selector = NULL;
    for (const rico_schema_key *key = schema->keys; variant && key->name; key++)
        if (strcmp(key->name, schema->selector) == 0) selector = key;
    bool named = selector && !(selector->standard && strcmp(selector->standard, variant->name) == 0);
    text(w, "type", "object");
    if (variant ? variant->help : schema->help)
        text(w, "description", variant ? variant->help : schema->help);
    required(w, tables, named ? schema->selector : NULL);
    one_of_group(w, tables);
    some_of(w, tables);
    rico_json_key(w->json, "properties");
    rico_json_open_object(w->json);
    for (int t = 0; t < 2; t++)
        for (const rico_schema_key *key = tables[t]; key && key->name; key++)
            property(w, key, schema, key == selector ? variant->name : NULL);
    rico_json_close(w->json);
    rico_json_set_bool(w->json, "additionalProperties", schema->other != NULL);
}


static void define(writer *w, const rico_schema *schema)
{
    if (!schema->selector) {
        object(w, schema, NULL);
        return;
    }
    rico_json_key(w->json, "anyOf");
    rico_json_open_array(w->json);
    for (const rico_schema_variant *variant = schema->variants; variant && variant->name; variant++) {
        rico_json_open_object(w->json);
        object(w, schema, variant);
        rico_json_close(w->json);
    }
    rico_json_close(w->json);
}


void rico_schema_json(FILE *out, const rico_schema *schema)
{
    rico_json json = rico_json_start(out);
    writer w = {.json = &json};
    rico_json_open_object(&json);
    text(&w, "$schema", "http://json-schema.org/draft-07/schema#");
    text(&w, "title", "Ricochet scene");
    define(&w, schema);
    rico_json_key(&json, "definitions");
    rico_json_open_object(&json);
    for (int i = 0; i < w.count; i++) { // grows as sections refer to others
        rico_json_key(&json, w.met[i]->title);
        rico_json_open_object(&json);
        define(&w, w.met[i]);
        rico_json_close(&json);
    }
    rico_json_close(&json);
    rico_json_close(&json);
}
