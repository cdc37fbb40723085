// XML as a tree with files and lines, by expat, and the memory in which it and all else of an import lives.

#ifndef RICO_IMPORT_TREE_H
#define RICO_IMPORT_TREE_H

#include "base/context.h"

enum {
    RICO_TREE_DEPTH = 200,          // of elements in one another, files that are included too
    RICO_TREE_ELEMENTS = 1000000,   // in all files of an import
    RICO_TREE_BYTES = 64 * 1048576, // of one file
};

// Memory that is released all at once.
typedef struct rico_arena {
    rico_context *ctx;
    struct rico_arena_block *last;
} rico_arena;

void *rico_arena_take(rico_arena *arena, int64_t count, size_t size); // zeroed; NULL: none left
char *rico_arena_text(rico_arena *arena, const char *format, ...) RICO_PRINTF(2, 3);
void rico_arena_release(rico_arena *arena);

typedef struct rico_attribute {
    const char *name, *value;
} rico_attribute;

typedef struct rico_element rico_element;
struct rico_element {
    const char *name, *file;
    int64_t line;
    int64_t attributes;
    rico_attribute *attribute;
    bool text; // has words between its elements
    rico_element *parent, *first, *last, *next;
};

// Reads a file. Entities, whatever they stand for, are refused: models need none, and they grow without bound. `elements` counts on.
rico_status rico_tree_read(rico_arena *arena, const char *path, int64_t *elements, rico_element **out);

// The same of text in memory, which messages call `path`.
rico_status rico_tree_parse(rico_arena *arena, const char *path, const char *text, int64_t length,
                            int64_t *elements, rico_element **out);

// The value of an attribute of its own, or NULL.
const char *rico_element_get(const rico_element *element, const char *name);

// The first child of that name, or NULL.
rico_element *rico_element_child(const rico_element *element, const char *name);

bool rico_element_is(const rico_element *element, const char *name);

// "FILE:LINE: <name> sentence", RICO_BAD_INPUT.
rico_status rico_element_fail(rico_context *ctx, const rico_element *element, const char *format, ...)
    RICO_PRINTF(3, 4);

#endif
