// A YAML file as a tree whose every node knows its line and column, and the values it holds, checked.
//
// Every message reads "file:line:column: sentence"; lines and columns count from 1, in characters. YAML here is what
// a scene needs: mappings with plain keys, lists, scalars, anchors and aliases. Tags, merge keys and several
// documents in one file are refused. Wherever a number is expected, a constant formula may stand ("2*pi/omega").
//
//     rico_document_create(ctx, &document);
//     rico_document_load(document, "scene.yaml");
//     rico_document_real(document, rico_node_at(rico_document_root(document), "step"), &step);

#ifndef RICO_SCENE_DOCUMENT_H
#define RICO_SCENE_DOCUMENT_H

#include "base/context.h"
#include "scene/formula.h"

typedef enum rico_node_kind { RICO_NODE_SCALAR, RICO_NODE_LIST, RICO_NODE_MAPPING } rico_node_kind;

typedef struct rico_node {
    rico_node_kind kind;
    bool plain;           // a scalar without quotes
    bool standard;        // not in the file: a default that a schema filled in
    int64_t line, column; // where it begins
    const char *key;      // in a mapping, what it is the value of; else NULL
    int64_t key_line, key_column;
    const char *text; // of a scalar
    int64_t count;    // children of a list or mapping
    int64_t index;    // among its parent's
    struct rico_node *parent, *first, *last, *next;
} rico_node;

typedef struct rico_document rico_document;

rico_status rico_document_create(rico_context *ctx, rico_document **out);
void rico_document_destroy(rico_document *document);
rico_context *rico_document_context(const rico_document *document);

// Reads a file, or `length` bytes of text that messages call `name`; once for each document. After a failure the
// document may still be asked for an excerpt.
rico_status rico_document_load(rico_document *document, const char *path);
rico_status rico_document_parse(rico_document *document, const char *name, const char *text, int64_t length);

rico_node *rico_document_root(const rico_document *document);
const char *rico_document_name(const rico_document *document);

// The child of a mapping, NULL when there is none; takes NULL and what is no mapping.
rico_node *rico_node_at(const rico_node *mapping, const char *key);

// What messages call a node: "'mass[1][2]'", "the file" for the root.
enum { RICO_NODE_NAME = 96 };
const char *rico_node_name(const rico_node *node, char name[RICO_NODE_NAME]);

// "a number", "a list", ...: what a node is, for messages.
const char *rico_node_kind_name(const rico_node *node);

// --- messages ------------------------------------------------------------------------------------------------

// Leaves "file:line:column: sentence" in the context and returns RICO_BAD_INPUT; the second points to a node's key.
rico_status rico_document_fail(rico_document *document, const rico_node *node, const char *format, ...)
    RICO_PRINTF(3, 4);
rico_status rico_document_fail_key(rico_document *document, const rico_node *node, const char *format, ...)
    RICO_PRINTF(3, 4);
rico_status rico_document_fail_at(rico_document *document, int64_t line, int64_t column, const char *format,
                                  ...) RICO_PRINTF(4, 5);

// Puts the place of a node before the sentence that a call below left, and returns its status; RICO_OK and
// RICO_NO_MEMORY pass through.
rico_status rico_document_fail_in(rico_document *document, const rico_node *node, rico_status status);

// The line that the last message is about, with a caret under its column, as two lines of text; "" when there is
// none. Returns `out`.
const char *rico_document_excerpt(const rico_document *document, char *out, size_t size);

// --- values --------------------------------------------------------------------------------------------------

// The parameters that constant formulas may use; kept by reference. NULL, as at the start, for none.
void rico_document_set_scope(rico_document *document, const rico_scope *scope);

// Each of these fails with a sentence when the node is not what is asked for. Text lives as long as the document;
// arrays are the caller's, who releases them with rico_free().
rico_status rico_document_real(rico_document *document, const rico_node *node, double *value);
rico_status rico_document_integer(rico_document *document, const rico_node *node, int64_t *value);
rico_status rico_document_flag(rico_document *document, const rico_node *node, bool *value);
rico_status rico_document_text(rico_document *document, const rico_node *node, const char **value);
rico_status rico_document_reals(rico_document *document, const rico_node *node, int64_t *count,
                                double **value);

// A formula of the names in `scope`.
rico_status rico_document_formula(rico_document *document, const rico_node *node, const rico_scope *scope,
                                  rico_formula **out);

// A path as the file means it: relative to the folder of the file that names it.
rico_status rico_document_path(rico_document *document, const rico_node *node, const char **path);
// The paths that were asked for so, the last one first; NULL past the first.
const char *rico_document_file_at(const rico_document *document, int64_t index);

// --- building ------------------------------------------------------------------------------------------------

// Adds `key: text` to a mapping, the text read as YAML; for defaults. Marked `standard`, placed where the mapping is.
rico_status rico_document_add(rico_document *document, rico_node *mapping, const char *key, const char *text);

// Sets what stands at a path of keys ("time.step"), as if the file said so: replaces it, or adds it with the mappings on
// the way. A scalar on the way becomes {name: scalar}. Messages about it point to where the last key that exists is.
rico_status rico_document_set(rico_document *document, const char *path, const char *text);

// Turns a scalar v into the mapping {key: v}.
rico_status rico_document_wrap(rico_document *document, rico_node *scalar, const char *key);

#endif
