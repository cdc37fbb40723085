// The inside of a document, shared by the files that build and read it.

#ifndef RICO_SCENE_DOCUMENT_BUILD_H
#define RICO_SCENE_DOCUMENT_BUILD_H

#include "scene/document.h"

#include <stdalign.h>
#include <yaml.h>

typedef struct rico_chunk {
    struct rico_chunk *next;
    size_t room, used;
    alignas(16) char data[];
} rico_chunk;

// A file that the document refers to, by its path from here.
typedef struct rico_document_file {
    const char *path;
    struct rico_document_file *next;
} rico_document_file;

struct rico_document {
    rico_context *ctx;
    rico_document_file *files; // asked for so far, the last one first
    const char *name;
    char *source; // the whole text, NUL at its end
    rico_node *root;
    rico_chunk *chunks;
    const rico_scope *scope;
    int64_t fault_line, fault_column; // of the last message, 0 when there was none
};

// `size` zeroed bytes that live as long as the document; NULL, with a message, when memory runs out.
void *rico_document_cut(rico_document *document, size_t size);
char *rico_document_copy(rico_document *document, const char *text, size_t length);

// Builds the tree of a text; *root stays NULL for an empty one.
rico_status rico_document_build(rico_document *document, const char *text, int64_t length, rico_node **root);

// Appends a child to a list or mapping.
void rico_node_append(rico_node *parent, rico_node *child);

// Where a line of the source begins; NULL when there are fewer.
const char *rico_document_line(const rico_document *document, int64_t line);

// Line and column of a byte of a scalar's text, as well as the source shows them; else those of the scalar.
void rico_document_place(const rico_document *document, const rico_node *node, int64_t offset, int64_t *line,
                         int64_t *column);

// Says what libyaml found wrong, where, and what may help.
rico_status rico_document_complain(rico_document *document, const yaml_parser_t *parser);

#endif
