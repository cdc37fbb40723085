// Documents: the tree that libyaml's events build, kept in chunks that are released together.

#include "scene/document_build.h"

#include "base/file.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

// --- memory --------------------------------------------------------------------------------------------------

// Nodes and text of a document are small and die together: they are cut from chunks.
enum { CHUNK_SIZE = 1 << 14, ALIGNMENT = 16 };


void *rico_document_cut(rico_document *document, size_t size)
{
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    rico_chunk *chunk = document->chunks;
    if (!chunk || size > chunk->room - chunk->used) {
        size_t room = size > CHUNK_SIZE ? size : CHUNK_SIZE;
        chunk = rico_alloc(document->ctx, (int64_t)(sizeof *chunk + room), 1);
        if (!chunk) return NULL;
        chunk->room = room;
        chunk->next = document->chunks;
        document->chunks = chunk;
    }
    void *block = chunk->data + chunk->used;
    chunk->used += size;
    return block;
}


char *rico_document_copy(rico_document *document, const char *text, size_t length)
{
    char *copy = rico_document_cut(document, length + 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}


rico_status rico_document_create(rico_context *ctx, rico_document **out)
{
    rico_document *document = rico_alloc(ctx, 1, sizeof *document);
    if (!document) return RICO_NO_MEMORY;
    document->ctx = ctx;
    document->name = "";
    *out = document;
    return RICO_OK;
}


void rico_document_destroy(rico_document *document)
{
    if (!document) return;
    rico_context *ctx = document->ctx;
    while (document->chunks) {
        rico_chunk *next = document->chunks->next;
        rico_free(ctx, document->chunks);
        document->chunks = next;
    }
    rico_free(ctx, document->source);
    rico_free(ctx, document);
}


rico_context *rico_document_context(const rico_document *document)
{
    return document->ctx;
}


rico_node *rico_document_root(const rico_document *document)
{
    return document->root;
}


const char *rico_document_name(const rico_document *document)
{
    return document->name;
}


void rico_document_set_scope(rico_document *document, const rico_scope *scope)
{
    document->scope = scope;
}


// --- reading -------------------------------------------------------------------------------------------------

// Bytes of the line break at `text`, as YAML counts lines; 0 when there is none.
static int break_length(const char *text)
{
    if (text[0] == '\r') return text[1] == '\n' ? 2 : 1;
    if (text[0] == '\n') return 1;
    if (strncmp(text, "\xc2\x85", 2) == 0) return 2;
    if (strncmp(text, "\xe2\x80\xa8", 3) == 0 || strncmp(text, "\xe2\x80\xa9", 3) == 0) return 3;
    return 0;
}


// Refuses what no YAML may hold. libyaml does so too, but without line and column.
static rico_status check_characters(rico_document *document, const char *text, int64_t length)
{
    static const char mark[] = "\xef\xbb\xbf"; // of byte order; Windows' editors put it at the start
    int64_t line = 1, column = 1;
    for (int64_t i = strncmp(text, mark, 3) == 0 ? 3 : 0; i < length;) {
        const unsigned char *at = (const unsigned char *)text + i;
        int bytes = rico_utf8_length(at);
        if (bytes == 0) {
            return rico_document_fail_at(document, line, column,
                                         "the byte 0x%02x is not UTF-8; save the file in that encoding", *at);
        }
        bool control = (*at < 0x20 && !strchr("\t\n\r", *at)) || *at == 0 || *at == 0x7f ||
                       (at[0] == 0xc2 && at[1] < 0xa0 && at[1] != 0x85);
        bool reserved = strncmp(text + i, mark, 3) == 0 || strncmp(text + i, "\xef\xbf\xbe", 3) == 0 ||
                        strncmp(text + i, "\xef\xbf\xbf", 3) == 0;
        if (control || reserved) {
            return rico_document_fail_at(document, line, column,
                                         "a character here cannot be seen (byte 0x%02x); remove it",
                                         at[bytes - 1]);
        }
        int broken = break_length(text + i);
        line += broken > 0;
        column = broken > 0 ? 1 : column + 1;
        i += broken > 0 ? broken : bytes;
    }
    return RICO_OK;
}


// Takes over `source`.
static rico_status read_source(rico_document *document, const char *name, char *source, int64_t length)
{
    document->source = source;
    document->name = rico_document_copy(document, name, strlen(name));
    if (!document->name) {
        document->name = "";
        return RICO_NO_MEMORY;
    }
    rico_status status = check_characters(document, source, length);
    if (status == RICO_OK) status = rico_document_build(document, source, length, &document->root);
    if (status == RICO_OK && !document->root) {
        status = rico_document_fail_at(document, 1, 1, "there is nothing in it; write 'key: value' lines");
    }
    return status;
}


rico_status rico_document_parse(rico_document *document, const char *name, const char *text, int64_t length)
{
    if (document->source) return rico_fail(document->ctx, RICO_BAD_ARGUMENT, "a document is read once");
    char *source = rico_alloc(document->ctx, length + 1, 1);
    if (!source) return RICO_NO_MEMORY;
    if (length > 0) memcpy(source, text, (size_t)length);
    return read_source(document, name, source, length);
}


rico_status rico_document_load(rico_document *document, const char *path)
{
    if (document->source) return rico_fail(document->ctx, RICO_BAD_ARGUMENT, "a document is read once");
    char *source = NULL;
    size_t length = 0;
    rico_status status = rico_file_load(document->ctx, path, &source, &length);
    if (status != RICO_OK) return status;
    return read_source(document, path, source, (int64_t)length);
}


// --- places --------------------------------------------------------------------------------------------------

const char *rico_document_line(const rico_document *document, int64_t line)
{
    const char *at = document->source;
    if (!at) return NULL;
    if (strncmp(at, "\xef\xbb\xbf", 3) == 0) at += 3;
    while (line > 1 && *at) {
        int broken = break_length(at);
        line -= broken > 0;
        at += broken > 0 ? broken : 1;
    }
    return line == 1 ? at : NULL;
}


void rico_document_place(const rico_document *document, const rico_node *node, int64_t offset, int64_t *line,
                         int64_t *column)
{
    *line = node->line;
    *column = node->column;
    const char *at = node->standard ? NULL : rico_document_line(document, node->line);
    if (!at) return;

    // to the scalar, and past its quote; text that stands there letter for letter can be pointed into
    for (int64_t i = 1; i < node->column && *at && break_length(at) == 0; i++)
        at += rico_utf8_length((const unsigned char *)at);
    bool quoted = !node->plain && (*at == '"' || *at == '\'');
    if (quoted) at++;
    if (offset > (int64_t)strlen(node->text) || strncmp(at, node->text, strlen(node->text)) != 0) return;
    *column += quoted;
    for (int64_t i = 0; i < offset; (*column)++) {
        if (break_length(at + i) > 0) return; // a scalar of several lines: keep to its first
        i += rico_utf8_length((const unsigned char *)at + i);
    }
}


static rico_status fail_list(rico_document *document, int64_t line, int64_t column, const char *format,
                             va_list args)
{
    char sentence[768];
    vsnprintf(sentence, sizeof sentence, format, args);
    document->fault_line = line;
    document->fault_column = column;
    return rico_fail(document->ctx, RICO_BAD_INPUT, "%.200s:%lld:%lld: %s", document->name, (long long)line,
                     (long long)column, sentence);
}


rico_status rico_document_fail(rico_document *document, const rico_node *node, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    rico_status status = fail_list(document, node->line, node->column, format, args);
    va_end(args);
    return status;
}


rico_status rico_document_fail_key(rico_document *document, const rico_node *node, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int64_t line = node->key ? node->key_line : node->line;
    int64_t column = node->key ? node->key_column : node->column;
    rico_status status = fail_list(document, line, column, format, args);
    va_end(args);
    return status;
}


rico_status rico_document_fail_at(rico_document *document, int64_t line, int64_t column, const char *format,
                                  ...)
{
    va_list args;
    va_start(args, format);
    rico_status status = fail_list(document, line, column, format, args);
    va_end(args);
    return status;
}


rico_status rico_document_fail_in(rico_document *document, const rico_node *node, rico_status status)
{
    if (status == RICO_OK || status == RICO_NO_MEMORY) return status;
    rico_document_fail(document, node, "%s", rico_message(document->ctx));
    return status;
}


const char *rico_document_excerpt(const rico_document *document, char *out, size_t size)
{
    if (size > 0) out[0] = '\0';
    const char *line = document->fault_line > 0 ? rico_document_line(document, document->fault_line) : NULL;
    if (!line || size == 0) return out;

    // the line; of a very long one only what is near the column
    enum { WIDTH = 100 };
    int64_t skipped = document->fault_column > WIDTH ? document->fault_column - WIDTH / 2 : 0;
    const char *begin = line;
    for (int64_t i = 0; i < skipped && *begin && break_length(begin) == 0; i++)
        begin += rico_utf8_length((const unsigned char *)begin) > 0
                     ? rico_utf8_length((const unsigned char *)begin)
                     : 1;
    size_t length = 0;
    for (int shown = 0; shown < WIDTH && begin[length] && break_length(begin + length) == 0; shown++) {
        int bytes = rico_utf8_length((const unsigned char *)begin + length);
        length += bytes > 0 ? (size_t)bytes : 1;
    }
    char number[32];
    snprintf(number, sizeof number, "%5lld", (long long)document->fault_line);
    snprintf(out, size, "%s | %.*s\n%*s | %*s^\n", number, (int)length, begin, (int)strlen(number), "",
             (int)(document->fault_column - 1 - skipped), "");
    // a tab would move the line but not the caret
    for (char *c = out; *c; c++) {
        if (*c == '\t') *c = ' ';
    }
    return out;
}


// --- nodes ---------------------------------------------------------------------------------------------------

rico_node *rico_node_at(const rico_node *mapping, const char *key)
{
    if (!mapping || mapping->kind != RICO_NODE_MAPPING) return NULL;
    for (rico_node *child = mapping->first; child; child = child->next) {
        if (strcmp(child->key, key) == 0) return child;
    }
    return NULL;
}


const char *rico_node_name(const rico_node *node, char name[RICO_NODE_NAME])
{
    // indices, from the node up to the key it hangs on
    char indices[RICO_NODE_NAME / 2] = "";
    while (node->parent && !node->key) {
        char longer[sizeof indices];
        int needed = snprintf(longer, sizeof longer, "[%lld]%s", (long long)node->index, indices);
        if (needed < (int)sizeof indices) memcpy(indices, longer, sizeof indices);
        node = node->parent;
    }
    if (node->key)
        snprintf(name, RICO_NODE_NAME, "'%.40s%s'", node->key, indices);
    else
        snprintf(name, RICO_NODE_NAME, "%s%s", *indices ? "entry " : "the file", indices);
    return name;
}


const char *rico_node_kind_name(const rico_node *node)
{
    if (node->kind == RICO_NODE_LIST) return "a list";
    if (node->kind == RICO_NODE_MAPPING) return "a mapping";
    return node->plain && !*node->text ? "nothing" : "text";
}
