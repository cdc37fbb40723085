// The XML of VTU files.

#include "mesh/vtu_xml.h"

#include "base/number.h"
#include "mesh/base64.h"

#include <math.h>
#include <string.h>

// --- tags ----------------------------------------------------------------------------------------------------------

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}


// Behind the next occurrence of a text, or the end of the file.
static int64_t behind(const rico_scan *scan, int64_t from, const char *text)
{
    int64_t length = (int64_t)strlen(text);
    for (; from + length <= scan->size; from++)
        if (memcmp(scan->bytes + from, text, (size_t)length) == 0) return from + length;
    return scan->size;
}


// The > that ends a tag, outside quotes.
static int64_t end_of_tag(const rico_scan *scan, int64_t from)
{
    char quote = 0;
    for (; from < scan->size; from++) {
        char c = scan->bytes[from];
        if (quote) {
            if (c == quote) quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '>') {
            return from;
        }
    }
    return -1;
}


rico_status rico_xml_next(rico_scan *scan, rico_xml_tag *tag)
{
    *tag = (rico_xml_tag){0};
    for (;;) {
        const char *next = memchr(scan->bytes + scan->at, '<', (size_t)(scan->size - scan->at));
        if (next == NULL) {
            scan->at = scan->size;
            return RICO_OK;
        }
        scan->at = next - scan->bytes;
        if (scan->size - scan->at >= 4 && memcmp(next, "<!--", 4) == 0)
            scan->at = behind(scan, scan->at + 4, "-->");
        else if (scan->size - scan->at >= 2 && (next[1] == '?' || next[1] == '!'))
            scan->at = behind(scan, scan->at + 2, ">");
        else
            break;
    }
    int64_t end = end_of_tag(scan, scan->at), at = scan->at + 1;
    if (end < 0) return rico_scan_fail(scan, "a tag has no end");
    tag->at = scan->at;
    tag->closing = at < end && scan->bytes[at] == '/';
    if (tag->closing) at++;
    size_t length = 0;
    while (at < end && !is_space(scan->bytes[at]) && scan->bytes[at] != '/' && length < sizeof tag->name - 1)
        tag->name[length++] = scan->bytes[at++];
    if (length == 0) return rico_scan_fail(scan, "a tag has no name");
    tag->empty = scan->bytes[end - 1] == '/';
    tag->from = at;
    tag->to = end;
    tag->content = scan->at = end + 1;
    return RICO_OK;
}


// Copies a value with &lt; and its like as what they stand for.
static void resolve(const char *from, int64_t length, char value[RICO_XML_WORD])
{
    static const char *const NAMES[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;"};
    static const char LETTERS[] = "<>&\"'";
    int64_t used = 0;
    for (int64_t i = 0; i < length && used < RICO_XML_WORD - 1;) {
        int64_t step = 1;
        char c = from[i];
        for (int k = 0; c == '&' && k < 5; k++) {
            int64_t size = (int64_t)strlen(NAMES[k]);
            if (i + size <= length && memcmp(from + i, NAMES[k], (size_t)size) == 0) {
                c = LETTERS[k];
                step = size;
                break;
            }
        }
        value[used++] = c;
        i += step;
    }
    value[used] = '\0';
}


bool rico_xml_attribute(const rico_scan *scan, const rico_xml_tag *tag, const char *name,
                        char value[RICO_XML_WORD])
{
    const char *bytes = scan->bytes;
    int64_t at = tag->from, length = (int64_t)strlen(name);
    while (at < tag->to) {
        while (at < tag->to && (is_space(bytes[at]) || bytes[at] == '/')) at++;
        int64_t word = at;
        while (at < tag->to && bytes[at] != '=' && !is_space(bytes[at])) at++;
        int64_t word_end = at;
        while (at < tag->to && bytes[at] != '"' && bytes[at] != '\'') at++;
        if (at >= tag->to) return false;
        char quote = bytes[at++];
        int64_t from = at;
        while (at < tag->to && bytes[at] != quote) at++;
        if (word_end - word == length && memcmp(bytes + word, name, (size_t)length) == 0) {
            resolve(bytes + from, at - from, value);
            return true;
        }
        at++;
    }
    return false;
}


// --- arrays --------------------------------------------------------------------------------------------------------

// Others, of text, are of no use to a mesh: their size stays 0.
static void read_type(const char *type, rico_xml_array *array)
{
    static const struct {
        const char *name;
        bool real, is_signed;
        int size;
    } TYPES[] = {{"Float64", true, true, 8},  {"Float32", true, true, 4},  {"Int64", false, true, 8},
                 {"UInt64", false, false, 8}, {"Int32", false, true, 4},   {"UInt32", false, false, 4},
                 {"Int16", false, true, 2},   {"UInt16", false, false, 2}, {"Int8", false, true, 1},
                 {"UInt8", false, false, 1}};
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++)
        if (strcmp(TYPES[i].name, type) == 0) {
            array->real = TYPES[i].real;
            array->is_signed = TYPES[i].is_signed;
            array->size = TYPES[i].size;
        }
}


rico_status rico_xml_array_read(rico_scan *scan, const rico_xml_tag *tag, rico_xml_array *array)
{
    char word[RICO_XML_WORD];
    rico_scan at = *scan; // messages name the line of the tag
    at.at = tag->at;
    *array = (rico_xml_array){.there = true, .components = 1, .content = tag->content, .at = tag->at};
    if (!rico_xml_attribute(scan, tag, "Name", array->name)) array->name[0] = '\0';
    if (!rico_xml_attribute(scan, tag, "type", word)) return rico_scan_fail(&at, "an array has no type");
    read_type(word, array);
    if (rico_xml_attribute(scan, tag, "NumberOfComponents", word) &&
        (!rico_text_to_integer(word, &array->components) || array->components < 0))
        return rico_scan_fail(&at, "the array '%.60s' has '%.60s' components", array->name, word);
    if (!rico_xml_attribute(scan, tag, "format", word) || strcmp(word, "ascii") == 0) {
        array->format = RICO_XML_TEXT;
    } else if (strcmp(word, "binary") == 0) {
        array->format = RICO_XML_BASE64;
    } else if (strcmp(word, "appended") == 0) {
        array->format = RICO_XML_APPENDED;
        if (!rico_xml_attribute(scan, tag, "offset", word) || !rico_text_to_integer(word, &array->offset) ||
            array->offset < 0)
            return rico_scan_fail(&at, "the array '%.60s' has no offset", array->name);
    } else {
        return rico_scan_fail(&at,
                              "the array '%.60s' has the format '%.60s'; ascii, binary and appended are read",
                              array->name, word);
    }
    return RICO_OK;
}


static rico_status read_text(const rico_scan *scan, const rico_xml_array *array, int64_t count, double *real,
                             int64_t *integer)
{
    rico_scan part = *scan;
    part.at = array->content;
    const char *end = memchr(scan->bytes + part.at, '<', (size_t)(scan->size - part.at));
    part.size = end ? end - scan->bytes : scan->size;
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < count; i++)
        status = real ? rico_scan_real(&part, "a number of an array", &real[i])
                      : rico_scan_integer(&part, "a whole number of an array", &integer[i]);
    return status;
}


// A number of the array from its bytes.
static void convert(const rico_xml_array *a, bool swap, const unsigned char *from, double *real,
                    int64_t *integer)
{
    unsigned char b[8] = {0};
    for (int i = 0; i < a->size; i++) b[i] = from[swap ? a->size - 1 - i : i];
    double number = 0.0;
    int64_t whole = 0;
    float single;
    int32_t i4;
    uint32_t u4;
    int16_t i2;
    uint16_t u2;
    switch (a->size) {
    case 8:
        memcpy(&number, b, 8);
        memcpy(&whole, b, 8);
        break;
    case 4:
        memcpy(&single, b, 4);
        memcpy(&i4, b, 4);
        memcpy(&u4, b, 4);
        number = (double)single;
        whole = a->is_signed ? i4 : (int64_t)u4;
        break;
    case 2:
        memcpy(&i2, b, 2);
        memcpy(&u2, b, 2);
        whole = a->is_signed ? i2 : u2;
        break;
    default:
        whole = a->is_signed ? (signed char)b[0] : b[0];
        break;
    }
    if (!a->real) number = (double)whole;
    if (real) *real = number;
    if (integer) *integer = whole;
}


// The length that stands before the bytes of an array.
static int64_t length_of(const rico_scan *scan, const rico_xml_block *block, const unsigned char *head)
{
    rico_xml_array word = {.size = block->head, .is_signed = block->head == 8};
    int64_t length;
    convert(&word, scan->swap, head, NULL, &length);
    return length;
}


rico_status rico_xml_array_numbers(const rico_scan *scan, const rico_xml_block *block,
                                   const rico_xml_array *array, int64_t count, double *real, int64_t *integer)
{
    rico_scan at = *scan;
    at.at = array->at;
    if (array->size == 0 || (integer && array->real))
        return rico_scan_fail(&at, "the array '%.60s' is not of %s", array->name,
                              integer ? "whole numbers" : "numbers");
    if (array->format == RICO_XML_TEXT) return read_text(scan, array, count, real, integer);
    bool appended = array->format == RICO_XML_APPENDED, raw = appended && block->raw;
    if (appended && (block->start < 0 || array->offset > scan->size - block->start))
        return rico_scan_fail(&at, "the numbers of the array '%.60s' lie behind the end of the file",
                              array->name);
    int64_t from = appended ? block->start + array->offset : array->content;
    int64_t bytes = count * array->size, need = block->head + bytes, got = scan->size - from;
    unsigned char *decoded = NULL;
    const unsigned char *data = (const unsigned char *)scan->bytes + from;
    if (!raw && need <= scan->size) {
        decoded = rico_alloc(scan->ctx, need, 1);
        if (decoded == NULL) return RICO_NO_MEMORY;
        got = rico_base64_decode(scan->bytes + from, got, decoded, need);
        data = decoded;
    }
    rico_status status = RICO_OK;
    int64_t length = got >= block->head && need <= scan->size ? length_of(scan, block, data) : -1;
    if (length >= 0 && length != bytes)
        status = rico_scan_fail(&at, "the array '%.60s' has %lld bytes where %lld are expected", array->name,
                                (long long)length, (long long)bytes);
    else if (got < need)
        status = rico_scan_fail(&at, "the file ends within the array '%.60s'", array->name);
    for (int64_t i = 0; status == RICO_OK && i < count; i++)
        convert(array, scan->swap, data + block->head + i * array->size, real ? &real[i] : NULL,
                integer ? &integer[i] : NULL);
    rico_free(scan->ctx, decoded);
    return status;
}
