// Checking a document against the tables, and completing it.

#include "scene/schema.h"

#include "base/suggest.h"
#include "scene/matrix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rico_status apply_mapping(rico_document *document, rico_node *node, const rico_schema *schema);
static rico_status check_value(rico_document *document, rico_node *node, const rico_schema_key *key,
                               const rico_schema *owner);

// The keys of a schema and of the variant that a document has picked.
typedef struct key_tables {
    const rico_schema_key *table[2];
} key_tables;


static const rico_schema_key *find_in(const rico_schema_key *keys, const char *name)
{
    for (; keys && keys->name; keys++) {
        if (strcmp(keys->name, name) == 0) return keys;
    }
    return NULL;
}


static const rico_schema_key *find_key(const key_tables *tables, const char *name)
{
    const rico_schema_key *key = find_in(tables->table[0], name);
    return key ? key : find_in(tables->table[1], name);
}


// --- names ---------------------------------------------------------------------------------------------------

// Collects known names for a message: the nearest one, and the first few.
typedef struct offer {
    rico_suggestion near;
    char list[256];
    size_t used;
    int left_out;
} offer;


static void offer_name(offer *o, const char *name)
{
    rico_suggest_offer(&o->near, name);
    size_t length = strlen(name) + 2;
    if (o->left_out > 0 || o->used + length + 1 > sizeof o->list) {
        o->left_out++;
        return;
    }
    o->used +=
        (size_t)snprintf(o->list + o->used, sizeof o->list - o->used, "%s%s", o->used ? ", " : "", name);
}


// "; did you mean 'x'?", or "; known are a, b, c".
static const char *remedy(const offer *o, char *out, size_t size)
{
    if (o->near.best)
        snprintf(out, size, "; did you mean '%s'?", o->near.best);
    else
        snprintf(out, size, "; known are %s%s", o->list, o->left_out > 0 ? ", ..." : "");
    return out;
}


static rico_status refuse_key(rico_document *document, const rico_node *child, const rico_schema *schema,
                              const key_tables *tables)
{
    // a key of another variant is a misunderstanding rather than a slip
    for (const rico_schema_variant *variant = schema->variants; variant && variant->name; variant++) {
        if (find_in(variant->keys, child->key)) {
            const rico_node *chosen = rico_node_at(child->parent, schema->selector);
            return rico_document_fail_key(
                document, child, "the key '%.60s' belongs to %s '%s', not '%.60s'; remove it or change %s",
                child->key, schema->selector, variant->name, chosen ? chosen->text : "", schema->selector);
        }
    }
    offer o = {0};
    char hint[320];
    rico_suggest_start(&o.near, child->key);
    for (int i = 0; i < 2; i++) {
        for (const rico_schema_key *key = tables->table[i]; key && key->name; key++)
            offer_name(&o, key->name);
    }
    return rico_document_fail_key(document, child, "unknown key '%.60s' in %s%s", child->key, schema->title,
                                  remedy(&o, hint, sizeof hint));
}


static const char *choice_at(const rico_schema_key *key, const rico_schema *owner, int index)
{
    if (key->choice) return key->choice(index);
    const rico_schema_variant *variant = owner->variants;
    for (; variant && variant->name && index > 0; index--) variant++;
    return variant ? variant->name : NULL;
}


static rico_status check_choice(rico_document *document, const rico_node *node, const rico_schema_key *key,
                                const rico_schema *owner)
{
    const char *text;
    rico_status status = rico_document_text(document, node, &text);
    if (status != RICO_OK) return status;
    offer o = {0};
    char hint[320], name[RICO_NODE_NAME];
    rico_suggest_start(&o.near, text);
    for (int i = 0; choice_at(key, owner, i); i++) {
        if (strcmp(choice_at(key, owner, i), text) == 0) return RICO_OK;
        offer_name(&o, choice_at(key, owner, i));
    }
    return rico_document_fail(document, node, "%s has no choice '%.60s'%s", rico_node_name(node, name), text,
                              remedy(&o, hint, sizeof hint));
}


// --- numbers and lists ---------------------------------------------------------------------------------------

static rico_status check_range(rico_document *document, const rico_node *node, const rico_schema_key *key,
                               double value)
{
    bool above = key->flags & RICO_KEY_ABOVE, below = key->flags & RICO_KEY_BELOW;
    if (key->low == 0.0 && key->high == 0.0) return RICO_OK;
    bool low_enough = below ? value < key->high : value <= key->high;
    bool high_enough = above ? value > key->low : value >= key->low;
    if (low_enough && high_enough) return RICO_OK;

    char name[RICO_NODE_NAME], range[96];
    if (isinf(key->high))
        snprintf(range, sizeof range, "%s %g", above ? "above" : "at least", key->low);
    else if (isinf(key->low))
        snprintf(range, sizeof range, "%s %g", below ? "below" : "at most", key->high);
    else
        snprintf(range, sizeof range, "from %g%s to %g%s", key->low, above ? " (excluded)" : "", key->high,
                 below ? " (excluded)" : "");
    return rico_document_fail(document, node, "%s must be %s, got %g", rico_node_name(node, name), range,
                              value);
}


static rico_status check_real(rico_document *document, const rico_node *node, const rico_schema_key *key)
{
    double value;
    rico_status status = rico_document_real(document, node, &value);
    return status == RICO_OK ? check_range(document, node, key, value) : status;
}


static rico_status check_integer(rico_document *document, const rico_node *node, const rico_schema_key *key)
{
    int64_t value;
    rico_status status = rico_document_integer(document, node, &value);
    return status == RICO_OK ? check_range(document, node, key, (double)value) : status;
}


// Is it a list of as many entries as the key allows? `example` shows how to write one.
static rico_status check_list(rico_document *document, const rico_node *node, const rico_schema_key *key,
                              const char *example)
{
    char name[RICO_NODE_NAME];
    if (node->kind != RICO_NODE_LIST) {
        return rico_document_fail(document, node, "%s needs a list, got %s; write %s",
                                  rico_node_name(node, name), rico_node_kind_name(node), example);
    }
    if (node->count < key->least || (key->most > 0 && node->count > key->most)) {
        const char *bound = key->least == key->most    ? ""
                            : node->count < key->least ? "at least "
                                                       : "at most ";
        int64_t wanted = node->count < key->least ? key->least : key->most;
        return rico_document_fail(document, node, "%s needs %s%lld entr%s, got %lld",
                                  rico_node_name(node, name), bound, (long long)wanted,
                                  wanted == 1 ? "y" : "ies", (long long)node->count);
    }
    return RICO_OK;
}


static rico_status check_reals(rico_document *document, const rico_node *node, const rico_schema_key *key)
{
    rico_status status = check_list(document, node, key, "[1, 2, 3]");
    for (const rico_node *child = node->first; child && status == RICO_OK; child = child->next)
        status = check_real(document, child, key);
    return status;
}


static rico_status check_texts(rico_document *document, const rico_node *node, const rico_schema_key *key)
{
    rico_status status = check_list(document, node, key, "[one, two]");
    const char *text;
    for (const rico_node *child = node->first; child && status == RICO_OK; child = child->next)
        status = rico_document_text(document, child, &text);
    return status;
}


// --- mappings ------------------------------------------------------------------------------------------------

static rico_status check_named(rico_document *document, rico_node *node, const rico_schema_key *key)
{
    char name[RICO_NODE_NAME];
    if (node->kind != RICO_NODE_MAPPING) {
        return rico_document_fail(document, node,
                                  "%s needs a mapping, got %s; write 'name: ...' lines below it",
                                  rico_node_name(node, name), rico_node_kind_name(node));
    }
    rico_status status = RICO_OK;
    for (rico_node *child = node->first; child && key->sub && status == RICO_OK; child = child->next)
        status = apply_mapping(document, child, key->sub);
    return status;
}


static rico_status check_mappings(rico_document *document, rico_node *node, const rico_schema_key *key)
{
    rico_status status = check_list(document, node, key, "'- key: value' lines");
    for (rico_node *child = node->first; child && status == RICO_OK; child = child->next)
        status = apply_mapping(document, child, key->sub);
    return status;
}


static rico_status check_value(rico_document *document, rico_node *node, const rico_schema_key *key,
                               const rico_schema *owner)
{
    rico_status status = RICO_OK;
    const char *text;
    bool flag;
    switch (key->want) {
    case RICO_WANT_REAL:
        status = check_real(document, node, key);
        break;
    case RICO_WANT_INTEGER:
        status = check_integer(document, node, key);
        break;
    case RICO_WANT_FLAG:
        status = rico_document_flag(document, node, &flag);
        break;
    case RICO_WANT_TEXT:
    case RICO_WANT_PATH:
    case RICO_WANT_FORMULA:
        status = rico_document_text(document, node, &text);
        break;
    case RICO_WANT_CHOICE:
        status = check_choice(document, node, key, owner);
        break;
    case RICO_WANT_FORMULAS:
    case RICO_WANT_TEXTS:
        status = check_texts(document, node, key);
        break;
    case RICO_WANT_REALS:
        status = check_reals(document, node, key);
        break;
    case RICO_WANT_VECTOR:
        status = rico_vector_check(document, node);
        break;
    case RICO_WANT_MATRIX:
        status = rico_matrix_check(document, node);
        break;
    case RICO_WANT_MAPPING:
        status = apply_mapping(document, node, key->sub);
        break;
    case RICO_WANT_LIST:
        status = check_mappings(document, node, key);
        break;
    case RICO_WANT_NAMED:
        status = check_named(document, node, key);
        break;
    case RICO_WANT_ANY:
        break;
    }
    if (status == RICO_OK && key->check) status = key->check(document, node);
    return status;
}


// The key of the same group that a mapping sets; NULL when it sets none.
static const rico_node *find_group(const rico_node *mapping, const key_tables *tables, const char *group)
{
    for (const rico_node *child = mapping->first; child; child = child->next) {
        const rico_schema_key *key = find_key(tables, child->key);
        if (key && key->group && strcmp(key->group, group) == 0) return child;
    }
    return NULL;
}


static rico_status check_children(rico_document *document, rico_node *node, const rico_schema *schema,
                                  const key_tables *tables)
{
    for (rico_node *child = node->first; child; child = child->next) {
        const rico_schema_key *key = find_key(tables, child->key);
        if (!key) {
            rico_status taken = schema->other ? schema->other(document, child) : RICO_UNSUPPORTED;
            if (taken == RICO_UNSUPPORTED) return refuse_key(document, child, schema, tables);
            if (taken != RICO_OK) return taken;
            continue;
        }
        const rico_node *rival = key->group ? find_group(node, tables, key->group) : child;
        if (rival != child) {
            return rico_document_fail_key(document, child,
                                          "'%s' and '%s' (line %lld) exclude each other; keep one",
                                          child->key, rival->key, (long long)rival->key_line);
        }
        rico_status status = check_value(document, child, key, schema);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


static rico_status refuse_missing(rico_document *document, const rico_node *node, const rico_schema *schema,
                                  const key_tables *tables, const rico_schema_key *missing)
{
    char names[256] = "";
    size_t used = 0;
    for (int i = 0; i < 2; i++) {
        for (const rico_schema_key *key = tables->table[i]; key && key->name; key++) {
            bool meant = missing->flags & RICO_KEY_SOME ? key->flags & RICO_KEY_SOME
                         : missing->group ? key->group && strcmp(key->group, missing->group) == 0
                                          : key == missing;
            if (!meant || used + strlen(key->name) + 8 > sizeof names) continue;
            used +=
                (size_t)snprintf(names + used, sizeof names - used, "%s'%s'", used ? " or " : "", key->name);
        }
    }
    return rico_document_fail(document, node, "the key %s is missing in %s; add '%s: ...' (%s)", names,
                              schema->title, missing->name, missing->help ? missing->help : "required");
}


// Where some keys have the flag, is one of them set?
static rico_status check_some(rico_document *document, const rico_node *node, const rico_schema *schema,
                              const key_tables *tables)
{
    const rico_schema_key *first = NULL;
    for (int i = 0; i < 2; i++) {
        for (const rico_schema_key *key = tables->table[i]; key && key->name; key++) {
            if (!(key->flags & RICO_KEY_SOME)) continue;
            if (rico_node_at(node, key->name)) return RICO_OK;
            if (!first) first = key;
        }
    }
    return first ? refuse_missing(document, node, schema, tables, first) : RICO_OK;
}


// Adds what is left out, or says that it must not be.
static rico_status complete(rico_document *document, rico_node *node, const rico_schema *schema,
                            const key_tables *tables)
{
    for (int i = 0; i < 2; i++) {
        for (const rico_schema_key *key = tables->table[i]; key && key->name; key++) {
            bool set = key->group ? find_group(node, tables, key->group) != NULL
                                  : rico_node_at(node, key->name) != NULL;
            if (set) continue;
            if (key->flags & RICO_KEY_REQUIRED) return refuse_missing(document, node, schema, tables, key);
            if (!key->standard) continue;
            rico_status status = rico_document_add(document, node, key->name, key->standard);
            if (status == RICO_OK) status = check_value(document, node->last, key, schema);
            if (status != RICO_OK) return status;
        }
    }
    return RICO_OK;
}


// The variant that the selector names; the selector's own default counts.
static rico_status pick_variant(rico_document *document, rico_node *node, const rico_schema *schema,
                                key_tables *tables)
{
    const rico_schema_key *key = find_in(schema->keys, schema->selector);
    if (!key)
        return rico_fail(rico_document_context(document), RICO_INTERNAL, "%s has no selector", schema->title);
    rico_node *selector = rico_node_at(node, schema->selector);
    if (!selector) {
        if (!key->standard) return refuse_missing(document, node, schema, tables, key);
        rico_status status = rico_document_add(document, node, key->name, key->standard);
        if (status != RICO_OK) return status;
        selector = node->last;
    }
    rico_status status = check_choice(document, selector, key, schema);
    if (status != RICO_OK) return status;
    for (const rico_schema_variant *variant = schema->variants; variant && variant->name; variant++) {
        if (strcmp(variant->name, selector->text) == 0) tables->table[1] = variant->keys;
    }
    return RICO_OK;
}


static rico_status apply_mapping(rico_document *document, rico_node *node, const rico_schema *schema)
{
    char name[RICO_NODE_NAME];
    bool empty = node->kind == RICO_NODE_SCALAR && node->plain && !*node->text;
    if (node->kind == RICO_NODE_SCALAR && !empty && schema->shorthand) {
        rico_status status = rico_document_wrap(document, node, schema->shorthand);
        if (status != RICO_OK) return status;
    }
    if (empty && node->key) {
        return rico_document_fail_key(document, node, "%s has no value; write its keys below it, indented",
                                      rico_node_name(node, name));
    }
    if (node->kind != RICO_NODE_MAPPING) {
        return rico_document_fail(document, node, "%s needs a mapping, got %s; write 'key: value' lines",
                                  rico_node_name(node, name), rico_node_kind_name(node));
    }

    key_tables tables = {{schema->keys, NULL}};
    rico_status status = schema->selector ? pick_variant(document, node, schema, &tables) : RICO_OK;
    if (status == RICO_OK) status = check_children(document, node, schema, &tables);
    if (status == RICO_OK) status = check_some(document, node, schema, &tables);
    if (status == RICO_OK) status = complete(document, node, schema, &tables);
    return status;
}


rico_status rico_schema_apply(rico_document *document, rico_node *node, const rico_schema *schema)
{
    return apply_mapping(document, node, schema);
}
