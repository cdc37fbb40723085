// The parameters of a scene.

#include "scene/parameters.h"

#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

// Is `name` what stands before the '=' of an override?
static bool overrides_name(const char *override, const char *name)
{
    size_t length = strcspn(override, "=");
    return strlen(name) == length && strncmp(override, name, length) == 0;
}


// Refuses an override that has no value or names nothing in the file.
static rico_status check_override(rico_context *ctx, const rico_node *node, const char *override)
{
    size_t length = strcspn(override, "=");
    if (override[length] == '\0' || length == 0) {
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "'%.100s' sets no parameter; write name=value", override);
    }
    char name[RICO_SUGGEST_LENGTH + 2], hint[RICO_SUGGEST_SENTENCE];
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name), override);
    rico_suggestion near;
    rico_suggest_start(&near, name);
    for (const rico_node *child = node ? node->first : NULL; child; child = child->next) {
        if (overrides_name(override, child->key)) return RICO_OK;
        rico_suggest_offer(&near, child->key);
    }
    rico_suggest_sentence(&near, "", hint);
    if (!near.best) {
        const char *some = node && node->first ? node->first->key : NULL;
        if (some)
            snprintf(hint, sizeof hint, "; the first that it has is '%.40s'", some);
        else
            snprintf(hint, sizeof hint, "; it has none, add some under 'parameters'");
    }
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "the scene has no parameter '%.*s'%s",
                     (int)(length < 60 ? length : 60), override, hint);
}


static rico_status evaluate_override(rico_context *ctx, const char *override, const rico_scope *above,
                                     double *value)
{
    const char *text = strchr(override, '=') + 1;
    rico_formula_fault fault;
    rico_status status = rico_formula_constant(ctx, text, above, &fault, value);
    if (status != RICO_BAD_INPUT) return status;
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "in the parameter '%.100s': %s", override, rico_message(ctx));
}


static rico_status read_one(rico_document *document, const rico_node *node, int64_t override_count,
                            const char *const *overrides, const rico_scope *above, double *value)
{
    rico_context *ctx = rico_document_context(document);
    rico_status status = rico_formula_check_name(ctx, node->key);
    if (status != RICO_OK) {
        return rico_document_fail_key(document, node, "%s", rico_message(ctx));
    }
    // the last word counts, as everywhere on a command line
    for (int64_t i = override_count - 1; i >= 0; i--) {
        if (overrides_name(overrides[i], node->key))
            return evaluate_override(ctx, overrides[i], above, value);
    }
    rico_document_set_scope(document, above);
    status = rico_document_real(document, node, value);
    rico_document_set_scope(document, NULL);
    return status;
}


rico_status rico_parameters_read(rico_document *document, const rico_node *node, int64_t override_count,
                                 const char *const *overrides, rico_parameters *out)
{
    rico_context *ctx = rico_document_context(document);
    if (node && node->kind != RICO_NODE_MAPPING) {
        return rico_document_fail(document, node,
                                  "'parameters' needs a mapping, got %s; write 'name: number' lines",
                                  rico_node_kind_name(node));
    }
    for (int64_t i = 0; i < override_count; i++) {
        rico_status status = check_override(ctx, node, overrides[i]);
        if (status != RICO_OK) return status;
    }

    rico_parameters made = {.ctx = ctx};
    made.symbol = rico_alloc(ctx, node ? node->count : 0, sizeof *made.symbol);
    if (!made.symbol) return RICO_NO_MEMORY;
    for (const rico_node *child = node ? node->first : NULL; child; child = child->next) {
        rico_scope above = {made.count, made.symbol, NULL};
        double value;
        rico_status status = read_one(document, child, override_count, overrides, &above, &value);
        if (status != RICO_OK) {
            rico_parameters_destroy(&made);
            return status;
        }
        made.symbol[made.count++] = (rico_symbol){child->key, RICO_SYMBOL_CONSTANT, .value = value};
    }
    made.scope = (rico_scope){made.count, made.symbol, NULL};
    *out = made;
    return RICO_OK;
}


void rico_parameters_destroy(rico_parameters *parameters)
{
    if (!parameters->ctx) return;
    rico_free(parameters->ctx, parameters->symbol);
    *parameters = (rico_parameters){0};
}
