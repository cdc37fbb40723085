// XML as a tree: what expat says, kept.

#include "import/tree.h"

#include "base/file.h"

#include <expat.h>
#include <stdio.h>
#include <string.h>

typedef struct rico_arena_block {
    struct rico_arena_block *before;
    size_t size, used;
    max_align_t data[];
} rico_arena_block;


void *rico_arena_take(rico_arena *arena, int64_t count, size_t size)
{
    enum { BLOCK = 65536 };
    size_t unit = sizeof(max_align_t);
    if (count < 0 || (size > 0 && (size_t)count > SIZE_MAX / 4 / size)) return NULL;
    size_t need = ((size_t)count * size + unit - 1) / unit * unit;
    rico_arena_block *last = arena->last;
    if (!last || last->size - last->used < need) {
        size_t room = need > BLOCK ? need : BLOCK;
        last = rico_alloc(arena->ctx, 1, sizeof *last + room);
        if (!last) return NULL;
        *last = (rico_arena_block){arena->last, room, 0};
        arena->last = last;
    }
    void *out = (char *)last->data + last->used;
    last->used += need;
    return out;
}


char *rico_arena_text(rico_arena *arena, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    char *out = length < 0 ? NULL : rico_arena_take(arena, length + 1, 1);
    if (out) vsnprintf(out, (size_t)length + 1, format, again);
    va_end(again);
    va_end(list);
    return out;
}


void rico_arena_release(rico_arena *arena)
{
    while (arena->last) {
        rico_arena_block *before = arena->last->before;
        rico_free(arena->ctx, arena->last);
        arena->last = before;
    }
}


// --- what expat tells --------------------------------------------------------------------------------------------------

typedef struct reading {
    rico_arena *arena;
    XML_Parser parser;
    const char *path;
    int64_t *elements, depth;
    rico_element *root, *open;
    rico_status status;
} reading;


static void stop(reading *self, rico_status status, const char *why)
{
    if (self->status != RICO_OK) return;
    self->status = status == RICO_NO_MEMORY
                       ? status
                       : rico_fail(self->arena->ctx, status, "%s:%lld: %s", self->path,
                                   (long long)XML_GetCurrentLineNumber(self->parser), why);
    XML_StopParser(self->parser, XML_FALSE);
}


static void begin(void *user, const XML_Char *name, const XML_Char **pairs)
{
    reading *self = user;
    if (self->status != RICO_OK) return;
    int64_t count = 0;
    while (pairs[2 * count]) count++;
    if (++self->depth > RICO_TREE_DEPTH) {
        stop(self, RICO_BAD_INPUT, "elements are nested more than 200 deep");
        return;
    }
    if (++*self->elements > RICO_TREE_ELEMENTS) {
        stop(self, RICO_BAD_INPUT, "the model has more than a million elements");
        return;
    }
    rico_element *made = rico_arena_take(self->arena, 1, sizeof *made);
    rico_attribute *list = rico_arena_take(self->arena, count, sizeof *list);
    char *own = rico_arena_text(self->arena, "%s", name);
    bool good = made && list && own;
    for (int64_t i = 0; good && i < count; i++) {
        list[i].name = rico_arena_text(self->arena, "%s", pairs[2 * i]);
        list[i].value = rico_arena_text(self->arena, "%s", pairs[2 * i + 1]);
        good = list[i].name && list[i].value;
    }
    if (!good) {
        stop(self, RICO_NO_MEMORY, "");
        return;
    }
    *made = (rico_element){.name = own,
                           .file = self->path,
                           .line = (int64_t)XML_GetCurrentLineNumber(self->parser),
                           .attributes = count,
                           .attribute = list,
                           .parent = self->open};
    if (!self->open)
        self->root = made;
    else if (self->open->last)
        self->open->last->next = made;
    else
        self->open->first = made;
    if (self->open) self->open->last = made;
    self->open = made;
}


static void end(void *user, const XML_Char *name)
{
    (void)name;
    reading *self = user;
    if (self->status != RICO_OK || !self->open) return;
    self->open = self->open->parent;
    self->depth--;
}


static void hear(void *user, const XML_Char *text, int length)
{
    reading *self = user;
    for (int i = 0; self->open && i < length; i++)
        if (!strchr(" \t\r\n", text[i])) self->open->text = true;
}


static void meet_entity(void *user, const XML_Char *name, int is_parameter, const XML_Char *value, int length,
                        const XML_Char *base, const XML_Char *system, const XML_Char *public_id,
                        const XML_Char *notation)
{
    (void)name, (void)is_parameter, (void)value, (void)length, (void)base, (void)system, (void)public_id,
        (void)notation;
    stop(user, RICO_BAD_INPUT, "entities are not taken; write out what they stand for");
}


rico_status rico_tree_parse(rico_arena *arena, const char *path, const char *text, int64_t length,
                            int64_t *elements, rico_element **out)
{
    reading self = {.arena = arena, .elements = elements};
    self.path = rico_arena_text(arena, "%s", path);
    if (!self.path) return RICO_NO_MEMORY;
    if (length > RICO_TREE_BYTES)
        return rico_fail(arena->ctx, RICO_BAD_INPUT, "%s: the file has %lld bytes, and %d are read at most",
                         path, (long long)length, RICO_TREE_BYTES);
    self.parser = XML_ParserCreate(NULL);
    if (!self.parser) return rico_fail(arena->ctx, RICO_NO_MEMORY, "no memory for a parser of XML");
    XML_SetUserData(self.parser, &self);
    XML_SetElementHandler(self.parser, begin, end);
    XML_SetCharacterDataHandler(self.parser, hear);
    XML_SetEntityDeclHandler(self.parser, meet_entity);
    enum XML_Status good = XML_Parse(self.parser, text, (int)length, 1);
    if (good != XML_STATUS_OK && self.status == RICO_OK)
        self.status = rico_fail(arena->ctx, RICO_BAD_INPUT, "%s:%lld: this is no XML: %s", path,
                                (long long)XML_GetCurrentLineNumber(self.parser),
                                XML_ErrorString(XML_GetErrorCode(self.parser)));
    XML_ParserFree(self.parser);
    if (self.status == RICO_OK) *out = self.root;
    return self.status;
}


rico_status rico_tree_read(rico_arena *arena, const char *path, int64_t *elements, rico_element **out)
{
    char *text = NULL;
    size_t length = 0;
    rico_status status = rico_file_load(arena->ctx, path, &text, &length);
    if (status == RICO_OK) status = rico_tree_parse(arena, path, text, (int64_t)length, elements, out);
    rico_free(arena->ctx, text);
    return status;
}


// --- looking ------------------------------------------------------------------------------------------------------------

const char *rico_element_get(const rico_element *element, const char *name)
{
    for (int64_t i = 0; i < element->attributes; i++)
        if (strcmp(element->attribute[i].name, name) == 0) return element->attribute[i].value;
    return NULL;
}


rico_element *rico_element_child(const rico_element *element, const char *name)
{
    for (rico_element *child = element->first; child; child = child->next)
        if (rico_element_is(child, name)) return child;
    return NULL;
}


bool rico_element_is(const rico_element *element, const char *name)
{
    return strcmp(element->name, name) == 0;
}


rico_status rico_element_fail(rico_context *ctx, const rico_element *element, const char *format, ...)
{
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return rico_fail(ctx, RICO_BAD_INPUT, "%s:%lld: <%.60s> %s", element->file, (long long)element->line,
                     element->name, text);
}
