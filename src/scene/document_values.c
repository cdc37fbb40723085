// Values of nodes: numbers, flags, text, formulas, lists.

#include "scene/document_build.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

// A key without default was left out, and whoever reads it did not look: our mistake, told rather than crashed on.
static rico_status missing(rico_document *document, const char *wanted)
{
    return rico_fail(document->ctx, RICO_INTERNAL, "%s was to be read from a key that is not set", wanted);
}


// Refuses lists, mappings and nothing at all where `wanted` ("a number") should be.
static rico_status need_scalar(rico_document *document, const rico_node *node, const char *wanted)
{
    char name[RICO_NODE_NAME];
    if (!node) return missing(document, wanted);
    if (node->kind != RICO_NODE_SCALAR) {
        return rico_document_fail(document, node, "%s needs %s, got %s", rico_node_name(node, name), wanted,
                                  rico_node_kind_name(node));
    }
    if (node->plain && !*node->text) {
        return rico_document_fail_key(document, node, "%s has no value; write %s after it",
                                      rico_node_name(node, name), wanted);
    }
    return RICO_OK;
}


// Puts file, line and column before the sentence that a formula of the node left.
static rico_status fail_in_formula(rico_document *document, const rico_node *node, rico_status status,
                                   const rico_formula_fault *fault)
{
    if (status != RICO_BAD_INPUT) return status;
    char name[RICO_NODE_NAME];
    int64_t line, column;
    rico_document_place(document, node, fault->at, &line, &column);
    return rico_document_fail_at(document, line, column, "in %s: %s", rico_node_name(node, name),
                                 rico_message(document->ctx));
}


rico_status rico_document_real(rico_document *document, const rico_node *node, double *value)
{
    rico_status status = need_scalar(document, node, "a number");
    if (status != RICO_OK || rico_text_to_real(node->text, value)) return status;
    rico_formula_fault fault = {0};
    status = rico_formula_constant(document->ctx, node->text, document->scope, &fault, value);
    return fail_in_formula(document, node, status, &fault);
}


rico_status rico_document_integer(rico_document *document, const rico_node *node, int64_t *value)
{
    rico_status status = need_scalar(document, node, "a whole number");
    if (status != RICO_OK || rico_text_to_integer(node->text, value)) return status;

    double real;
    status = rico_document_real(document, node, &real);
    if (status != RICO_OK) return status;
    // beyond 2^53 not every whole number is a double
    if (real != floor(real) || fabs(real) > 9007199254740992.0) {
        char name[RICO_NODE_NAME];
        return rico_document_fail(document, node, "%s needs a whole number, got %.17g; round it",
                                  rico_node_name(node, name), real);
    }
    *value = (int64_t)real;
    return RICO_OK;
}


rico_status rico_document_flag(rico_document *document, const rico_node *node, bool *value)
{
    static const char *const words[] = {"false", "true", "no", "yes", "off", "on"};
    rico_status status = need_scalar(document, node, "true or false");
    if (status != RICO_OK) return status;
    for (int i = 0; i < 6; i++) {
        if (strcmp(node->text, words[i]) == 0) {
            *value = i % 2 == 1;
            return RICO_OK;
        }
    }
    char name[RICO_NODE_NAME];
    return rico_document_fail(document, node, "%s needs true or false, got '%.60s'",
                              rico_node_name(node, name), node->text);
}


rico_status rico_document_text(rico_document *document, const rico_node *node, const char **value)
{
    rico_status status = need_scalar(document, node, "text");
    if (status == RICO_OK) *value = node->text;
    return status;
}


rico_status rico_document_reals(rico_document *document, const rico_node *node, int64_t *count,
                                double **value)
{
    char name[RICO_NODE_NAME];
    if (!node) return missing(document, "a list of numbers");
    if (node->kind != RICO_NODE_LIST) {
        return rico_document_fail(document, node, "%s needs a list of numbers, got %s; write [1, 2, 3]",
                                  rico_node_name(node, name), rico_node_kind_name(node));
    }
    double *reals = rico_alloc(document->ctx, node->count, sizeof *reals);
    if (!reals) return RICO_NO_MEMORY;
    int64_t i = 0;
    for (const rico_node *child = node->first; child; child = child->next) {
        rico_status status = rico_document_real(document, child, &reals[i++]);
        if (status == RICO_OK) continue;
        rico_free(document->ctx, reals);
        return status;
    }
    *count = node->count;
    *value = reals;
    return RICO_OK;
}


rico_status rico_document_formula(rico_document *document, const rico_node *node, const rico_scope *scope,
                                  rico_formula **out)
{
    rico_status status = need_scalar(document, node, "a formula");
    if (status != RICO_OK) return status;
    rico_formula_fault fault = {0};
    status = rico_formula_create(document->ctx, node->text, scope, &fault, out);
    return fail_in_formula(document, node, status, &fault);
}


// Whoever wants to know later whether the document still means the same must know what else it was read from.
static rico_status remember_file(rico_document *document, const char *path)
{
    rico_document_file *file = rico_document_cut(document, sizeof *file);
    if (!file) return RICO_NO_MEMORY;
    *file = (rico_document_file){path, document->files};
    document->files = file;
    return RICO_OK;
}


rico_status rico_document_path(rico_document *document, const rico_node *node, const char **path)
{
    rico_status status = need_scalar(document, node, "the path of a file");
    if (status != RICO_OK) return status;
    const char *slash = strrchr(document->name, '/');
    if (node->text[0] == '/' || !slash) {
        *path = node->text;
        return remember_file(document, *path);
    }
    size_t folder = (size_t)(slash - document->name) + 1;
    char *joined = rico_document_cut(document, folder + strlen(node->text) + 1);
    if (!joined) return RICO_NO_MEMORY;
    memcpy(joined, document->name, folder);
    memcpy(joined + folder, node->text, strlen(node->text));
    *path = joined;
    return remember_file(document, joined);
}


const char *rico_document_file_at(const rico_document *document, int64_t index)
{
    const rico_document_file *file = document->files;
    while (file && index-- > 0) file = file->next;
    return file ? file->path : NULL;
}
