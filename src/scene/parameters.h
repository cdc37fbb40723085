// The parameters of a scene: names for numbers, set in the file and overridden from outside.
//
//     parameters:
//       length: 0.5
//       omega: sqrt(9.81/length)     # a constant formula of those above
//
// A command line's `length=0.7` replaces the first; omega follows.

#ifndef RICO_SCENE_PARAMETERS_H
#define RICO_SCENE_PARAMETERS_H

#include "scene/document.h"

typedef struct rico_parameters {
    rico_context *ctx;
    int64_t count;
    rico_symbol *symbol; // constants, in the order of the file
    rico_scope scope;    // of all of them, for formulas
} rico_parameters;

// Reads the mapping `node` (NULL: none) of a document, with overrides of the form "name=value"; value may be a formula
// of the parameters above. On failure *out stays untouched. The names live as long as the document,
// whose scope is unset afterwards: set it to out->scope before reading on.
rico_status rico_parameters_read(rico_document *document, const rico_node *node, int64_t override_count,
                                 const char *const *overrides, rico_parameters *out);
void rico_parameters_destroy(rico_parameters *parameters);

#endif
