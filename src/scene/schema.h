// What a mapping of a scene may hold: const tables that check a document, complete it and document themselves.
//
//     static const rico_schema_key keys[] = {
//         {"step", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED | RICO_KEY_ABOVE, .high = INFINITY, .unit = "s",
//          .help = "length of a time step"},
//         {"theta", RICO_WANT_REAL, .standard = "1/2", .high = 1.0, .help = "of the theta method"},
//         {NULL},
//     };
//     static const rico_schema scheme = {.title = "scheme", .help = "How time advances.", .keys = keys};
//
// rico_schema_apply() refuses what does not fit (unknown, missing, repeated, wrong, out of range) with place and
// remedy, and fills in what is left out, so that whoever reads the document afterwards finds every key that has a
// default. rico_schema_print() writes the reference.

#ifndef RICO_SCENE_SCHEMA_H
#define RICO_SCENE_SCHEMA_H

#include "base/text.h"
#include "scene/document.h"

typedef enum rico_want {
    RICO_WANT_REAL,    // a number, or a constant formula of the parameters
    RICO_WANT_INTEGER, // the same, whole
    RICO_WANT_FLAG,
    RICO_WANT_TEXT,
    RICO_WANT_PATH,     // of a file
    RICO_WANT_CHOICE,   // one of several names
    RICO_WANT_FORMULA,  // compiled later, by whoever knows its variables
    RICO_WANT_FORMULAS, // a list of them
    RICO_WANT_TEXTS,    // a list of names
    RICO_WANT_REALS,    // a list of numbers
    RICO_WANT_VECTOR,   // the same, or {file: ...}; see matrix.h
    RICO_WANT_MATRIX,   // see matrix.h
    RICO_WANT_MAPPING,  // keys of `sub`
    RICO_WANT_LIST,     // of mappings with keys of `sub`
    RICO_WANT_NAMED,    // a mapping from names that the user chooses to mappings with keys of `sub`
    RICO_WANT_ANY       // left to `check`
} rico_want;

enum {
    RICO_KEY_REQUIRED = 1 << 0, // with `group`: one of the group is required
    RICO_KEY_ABOVE = 1 << 1,    // `low` itself is out of range
    RICO_KEY_BELOW = 1 << 2,    // `high` itself is out of range
    RICO_KEY_SOME = 1 << 3      // of the keys with this flag at least one is required
};

typedef struct rico_schema rico_schema;

typedef struct rico_schema_key {
    const char *name;
    rico_want want;
    unsigned flags;
    const char *help;     // one line
    const char *standard; // the default as YAML; NULL when there is none
    const char *unit;     // of numbers, "m/s"; may be NULL
    double low, high;     // range of numbers, inclusive unless a flag says otherwise; 0, 0: all numbers
    int64_t least, most;  // entries of a list; most = 0: any number
    const rico_schema *sub;
    const char *(*choice)(int index); // names of a choice, or of a mapping's `name`; NULL past the last
    const char *group;                // of keys that share a group only one may be set
    rico_status (*check)(rico_document *document, rico_node *node); // what else must hold; may be NULL
} rico_schema_key;

// Keys that exist only for one value of the selector.
typedef struct rico_schema_variant {
    const char *name;
    const char *help;
    const rico_schema_key *keys; // ended by a name NULL; may be NULL
} rico_schema_variant;

struct rico_schema {
    const char *title; // heading of its section, and the name of its anchor
    const char *help;
    const rico_schema_key *keys;         // ended by a name NULL
    const char *shorthand;               // key that a scalar in place of the mapping stands for; may be NULL
    const char *selector;                // key whose value picks a variant; may be NULL
    const rico_schema_variant *variants; // ended by a name NULL
    // what keys that the tables lack are asked: RICO_OK takes one, RICO_UNSUPPORTED leaves it unknown; may be NULL
    rico_status (*other)(rico_document *document, rico_node *node);
};

// Checks a node and everything below it, and adds the defaults. The document's scope must hold the parameters.
rico_status rico_schema_apply(rico_document *document, rico_node *node, const rico_schema *schema);

// Appends the reference in Markdown: the schema, and every one below it once, in the order of first mention.
rico_status rico_schema_print(const rico_schema *schema, rico_text *out);

#endif
