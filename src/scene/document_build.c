// From libyaml's events to a tree.

#include "scene/document_build.h"

#include <string.h>

// Bounds on what a small file can make of itself by nesting, repeated keys and aliases ("billion laughs").
enum { MOST_NESTING = 64, MOST_KEYS = 10000, MOST_COPIES = 100000, MOST_ANCHORS = 1000 };

typedef struct anchor {
    const char *name;
    rico_node *node;
    struct anchor *older;
} anchor;

typedef struct builder {
    rico_document *document;
    rico_node *root;
    rico_node *open; // the innermost list or mapping that has not ended
    int depth;       // how many have not
    const char *key; // of the mapping `open`, whose value comes next; NULL when a key does
    int64_t key_line, key_column;
    anchor *anchors;
    int64_t anchor_count, copies;
} builder;


void rico_node_append(rico_node *parent, rico_node *child)
{
    child->parent = parent;
    child->index = parent->count++;
    child->next = NULL;
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
}


static int64_t line_of(const yaml_event_t *event)
{
    return (int64_t)event->start_mark.line + 1;
}


static int64_t column_of(const yaml_event_t *event)
{
    return (int64_t)event->start_mark.column + 1;
}


static rico_node *new_node(builder *b, rico_node_kind kind, int64_t line, int64_t column)
{
    rico_node *node = rico_document_cut(b->document, sizeof *node);
    if (!node) return NULL;
    node->kind = kind;
    node->line = line;
    node->column = column;
    return node;
}


// Hangs a node where the events have come to.
static void place(builder *b, rico_node *node)
{
    if (!b->open) {
        b->root = node;
        return;
    }
    node->key = b->key;
    node->key_line = b->key_line;
    node->key_column = b->key_column;
    b->key = NULL;
    rico_node_append(b->open, node);
}


static bool expects_key(const builder *b)
{
    return b->open && b->open->kind == RICO_NODE_MAPPING && !b->key;
}


static rico_status refuse_tag(builder *b, const yaml_event_t *event, const yaml_char_t *tag)
{
    if (!tag) return RICO_OK;
    return rico_document_fail_at(b->document, line_of(event), column_of(event),
                                 "the tag '%.60s' means nothing in a scene; remove it", (const char *)tag);
}


static rico_status keep_anchor(builder *b, const yaml_event_t *event, const yaml_char_t *name,
                               rico_node *node)
{
    if (!name) return RICO_OK;
    if (b->anchor_count++ == MOST_ANCHORS) {
        return rico_document_fail_at(b->document, line_of(event), column_of(event),
                                     "there are more than %d anchors; use parameters instead", MOST_ANCHORS);
    }
    anchor *kept = rico_document_cut(b->document, sizeof *kept);
    if (!kept) return RICO_NO_MEMORY;
    kept->name = rico_document_copy(b->document, (const char *)name, strlen((const char *)name));
    if (!kept->name) return RICO_NO_MEMORY;
    kept->node = node;
    kept->older = b->anchors;
    b->anchors = kept;
    return RICO_OK;
}


static rico_status take_key(builder *b, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    int64_t line = line_of(event), column = column_of(event);
    if (strlen(text) != length || length == 0) {
        return rico_document_fail_at(b->document, line, column, "a key is missing before ':'; add its name");
    }
    if (strcmp(text, "<<") == 0) {
        return rico_document_fail_at(b->document, line, column,
                                     "merge keys '<<' are not read; repeat the keys, or use parameters");
    }
    const rico_node *before = rico_node_at(b->open, text);
    if (before) {
        return rico_document_fail_at(b->document, line, column,
                                     "the key '%.60s' is already set at line %lld; remove one of the two",
                                     text, (long long)before->key_line);
    }
    if (b->open->count == MOST_KEYS) {
        return rico_document_fail_at(b->document, line, column,
                                     "a mapping has more than %d keys; use a list or a file", MOST_KEYS);
    }
    b->key = rico_document_copy(b->document, text, length);
    b->key_line = line;
    b->key_column = column;
    return b->key ? RICO_OK : RICO_NO_MEMORY;
}


static rico_status take_scalar(builder *b, const yaml_event_t *event)
{
    rico_status status = refuse_tag(b, event, event->data.scalar.tag);
    if (status != RICO_OK) return status;
    if (expects_key(b)) return take_key(b, event);

    const char *text = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    if (strlen(text) != length) {
        return rico_document_fail_at(b->document, line_of(event), column_of(event),
                                     "the text holds a NUL character; remove the escape '\\0'");
    }
    rico_node *node = new_node(b, RICO_NODE_SCALAR, line_of(event), column_of(event));
    if (!node) return RICO_NO_MEMORY;
    node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    // what YAML writes as ~ or null is the same as nothing
    bool null = node->plain && (strcmp(text, "~") == 0 || strcmp(text, "null") == 0);
    node->text = rico_document_copy(b->document, text, null ? 0 : length);
    if (!node->text) return RICO_NO_MEMORY;
    place(b, node);
    return keep_anchor(b, event, event->data.scalar.anchor, node);
}


static rico_status begin_collection(builder *b, const yaml_event_t *event, rico_node_kind kind,
                                    const yaml_char_t *tag, const yaml_char_t *name)
{
    rico_status status = refuse_tag(b, event, tag);
    if (status != RICO_OK) return status;
    if (expects_key(b)) {
        return rico_document_fail_at(b->document, line_of(event), column_of(event),
                                     "a key must be a word; quote it, or check the braces here");
    }
    if (b->depth == MOST_NESTING) {
        return rico_document_fail_at(b->document, line_of(event), column_of(event),
                                     "lists and mappings are nested deeper than %d levels; flatten them",
                                     MOST_NESTING);
    }
    rico_node *node = new_node(b, kind, line_of(event), column_of(event));
    if (!node) return RICO_NO_MEMORY;
    place(b, node);
    b->open = node;
    b->depth++;
    return keep_anchor(b, event, name, node);
}


static void end_collection(builder *b)
{
    if (!b->open) return; // libyaml ends only what it began
    b->open = b->open->parent;
    b->depth--;
}


// Copies what an alias stands for. The copy keeps the lines of the original, where its mistakes are to be mended.
static rico_status copy_tree(builder *b, const yaml_event_t *event, const rico_node *from, int depth,
                             rico_node **out)
{
    if (b->copies++ == MOST_COPIES || depth > MOST_NESTING) {
        return rico_document_fail_at(b->document, line_of(event), column_of(event),
                                     "aliases make the file too large; write the values out");
    }
    rico_node *node = new_node(b, from->kind, from->line, from->column);
    if (!node) return RICO_NO_MEMORY;
    node->plain = from->plain;
    node->text = from->text;
    node->key = from->key;
    node->key_line = from->key_line;
    node->key_column = from->key_column;
    for (const rico_node *child = from->first; child; child = child->next) {
        rico_node *copy = NULL;
        rico_status status = copy_tree(b, event, child, depth + 1, &copy);
        if (status != RICO_OK) return status;
        rico_node_append(node, copy);
    }
    *out = node;
    return RICO_OK;
}


static rico_status take_alias(builder *b, const yaml_event_t *event)
{
    const char *name = (const char *)event->data.alias.anchor;
    int64_t line = line_of(event), column = column_of(event);
    if (expects_key(b)) {
        return rico_document_fail_at(b->document, line, column,
                                     "an alias cannot be a key; write the key out");
    }
    const anchor *kept = b->anchors;
    while (kept && strcmp(kept->name, name) != 0) kept = kept->older;
    if (!kept) {
        return rico_document_fail_at(b->document, line, column,
                                     "the alias '*%.60s' has no anchor '&%.60s' before it; add one", name,
                                     name);
    }
    for (const rico_node *node = b->open; node; node = node->parent) {
        if (node == kept->node) {
            return rico_document_fail_at(b->document, line, column,
                                         "the alias '*%.60s' contains itself; move its anchor", name);
        }
    }
    rico_node *copy = NULL;
    rico_status status = copy_tree(b, event, kept->node, b->depth, &copy);
    if (status == RICO_OK) place(b, copy);
    return status;
}


static rico_status take_event(builder *b, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (!b->root) return RICO_OK;
        return rico_document_fail_at(b->document, line_of(event), column_of(event),
                                     "a second document begins here; a scene is one, remove the '---'");
    case YAML_SCALAR_EVENT:
        return take_scalar(b, event);
    case YAML_ALIAS_EVENT:
        return take_alias(b, event);
    case YAML_SEQUENCE_START_EVENT:
        return begin_collection(b, event, RICO_NODE_LIST, event->data.sequence_start.tag,
                                event->data.sequence_start.anchor);
    case YAML_MAPPING_START_EVENT:
        return begin_collection(b, event, RICO_NODE_MAPPING, event->data.mapping_start.tag,
                                event->data.mapping_start.anchor);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        end_collection(b);
        return RICO_OK;
    default:
        return RICO_OK;
    }
}


rico_status rico_document_build(rico_document *document, const char *text, int64_t length, rico_node **root)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return rico_fail(document->ctx, RICO_NO_MEMORY, "out of memory: libyaml has none left");
    // told the encoding, libyaml takes a byte order mark for a character
    int64_t mark = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    yaml_parser_set_input_string(&parser, (const unsigned char *)text + mark, (size_t)(length - mark));
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);

    builder b = {.document = document};
    rico_status status = RICO_OK;
    bool ended = false;
    while (status == RICO_OK && !ended) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            status = rico_document_complain(document, &parser);
        } else {
            ended = event.type == YAML_STREAM_END_EVENT;
            status = take_event(&b, &event);
            yaml_event_delete(&event);
        }
    }
    yaml_parser_delete(&parser);
    if (status == RICO_OK) *root = b.root;
    return status;
}


// --- additions -----------------------------------------------------------------------------------------------

// What was built from a default has no place of its own: it gets that of the mapping it completes.
static void mark_standard(rico_node *node, const rico_node *mapping)
{
    node->standard = true;
    node->line = node->key_line = mapping->line;
    node->column = node->key_column = mapping->column;
    for (rico_node *child = node->first; child; child = child->next) mark_standard(child, mapping);
}


rico_status rico_document_add(rico_document *document, rico_node *mapping, const char *key, const char *text)
{
    rico_node *value = NULL;
    rico_status status = rico_document_build(document, text, (int64_t)strlen(text), &value);
    if (status == RICO_NO_MEMORY) return status;
    if (status != RICO_OK || !value)
        return rico_fail(document->ctx, RICO_INTERNAL, "the default of '%s' is not YAML: %s", key, text);
    value->key = rico_document_copy(document, key, strlen(key));
    if (!value->key) return RICO_NO_MEMORY;
    mark_standard(value, mapping);
    rico_node_append(mapping, value);
    return RICO_OK;
}


rico_status rico_document_wrap(rico_document *document, rico_node *scalar, const char *key)
{
    rico_node *inner = rico_document_cut(document, sizeof *inner);
    char *name = rico_document_copy(document, key, strlen(key));
    if (!inner || !name) return RICO_NO_MEMORY;
    *inner = *scalar;
    inner->key = name;
    inner->key_line = scalar->line;
    inner->key_column = scalar->column;
    scalar->kind = RICO_NODE_MAPPING;
    scalar->text = NULL;
    scalar->count = 0;
    scalar->first = scalar->last = NULL;
    rico_node_append(scalar, inner);
    return RICO_OK;
}


// The child for the first `length` bytes of key, made as an empty mapping when it is missing.
static rico_status descend(rico_document *document, rico_node *node, const char *key, size_t length,
                           rico_node **out)
{
    if (node->kind == RICO_NODE_SCALAR) {
        rico_status status = rico_document_wrap(document, node, "name");
        if (status != RICO_OK) return status;
    }
    if (node->kind != RICO_NODE_MAPPING)
        return rico_document_fail(document, node, "there is no key '%.*s' in a list", (int)length, key);
    for (rico_node *child = node->first; child; child = child->next)
        if (strlen(child->key) == length && strncmp(child->key, key, length) == 0) {
            *out = child;
            return RICO_OK;
        }
    char *name = rico_document_copy(document, key, length);
    if (!name) return RICO_NO_MEMORY;
    rico_status status = rico_document_add(document, node, name, "{}");
    if (status == RICO_OK) *out = node->last;
    return status;
}


rico_status rico_document_set(rico_document *document, const char *path, const char *text)
{
    rico_node *node = document->root, *value = NULL;
    for (const char *key = path;;) {
        size_t length = strcspn(key, ".");
        if (length == 0) return rico_fail(document->ctx, RICO_BAD_ARGUMENT, "'%s' is no path of keys", path);
        rico_status status = descend(document, node, key, length, &node);
        if (status != RICO_OK) return status;
        if (key[length] == '\0') break;
        key += length + 1;
    }
    rico_status status = rico_document_build(document, text, (int64_t)strlen(text), &value);
    if (status == RICO_NO_MEMORY) return status;
    if (status != RICO_OK || !value)
        return rico_fail(document->ctx, RICO_BAD_ARGUMENT, "the value of '%s' is not YAML: '%s'", path, text);
    mark_standard(value, node);
    node->kind = value->kind;
    node->plain = value->plain;
    node->text = value->text;
    node->count = value->count;
    node->first = value->first;
    node->last = value->last;
    for (rico_node *child = node->first; child; child = child->next) child->parent = node;
    return RICO_OK;
}
