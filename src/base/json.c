// JSON (RFC 8259): commas, indentation, escapes, numbers.

#include "base/json.h"

#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>

rico_json rico_json_start(FILE *out)
{
    return (rico_json){.out = out};
}


static void indent(rico_json *json)
{
    fprintf(json->out, "\n%*s", 2 * json->depth, "");
}


// What stands before a value or a key: nothing after a key, else a comma where needed and a new line.
static void separate(rico_json *json)
{
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    if (json->depth == 0) return;
    if (json->used[json->depth - 1]) fputc(',', json->out);
    json->used[json->depth - 1] = true;
    indent(json);
}


static void open_level(rico_json *json, bool array)
{
    separate(json);
    fputc(array ? '[' : '{', json->out);
    json->array[json->depth] = array;
    json->used[json->depth] = false;
    json->depth++;
}


void rico_json_open_object(rico_json *json)
{
    open_level(json, false);
}


void rico_json_open_array(rico_json *json)
{
    open_level(json, true);
}


void rico_json_close(rico_json *json)
{
    json->depth--;
    if (json->used[json->depth]) indent(json);
    fputc(json->array[json->depth] ? ']' : '}', json->out);
    if (json->depth == 0) fputc('\n', json->out);
}


static void write_text(FILE *out, const char *text)
{
    fputc('"', out);
    const unsigned char *at = (const unsigned char *)text;
    while (*at != '\0') {
        int length = rico_utf8_length(at);
        if (length == 0) {
            fputs("\\ufffd", out);
            length = 1;
        } else if (*at == '"' || *at == '\\') {
            fprintf(out, "\\%c", *at);
        } else if (*at == '\n') {
            fputs("\\n", out);
        } else if (*at == '\t') {
            fputs("\\t", out);
        } else if (*at < 0x20 || *at == 0x7F) {
            fprintf(out, "\\u%04x", *at);
        } else {
            fwrite(at, 1, (size_t)length, out);
        }
        at += length;
    }
    fputc('"', out);
}


void rico_json_key(rico_json *json, const char *key)
{
    separate(json);
    write_text(json->out, key);
    fputs(": ", json->out);
    json->after_key = true;
}


void rico_json_text(rico_json *json, const char *text)
{
    if (text == NULL) {
        rico_json_null(json);
        return;
    }
    separate(json);
    write_text(json->out, text);
}


void rico_json_number(rico_json *json, double value)
{
    if (!isfinite(value)) {
        rico_json_null(json);
        return;
    }
    separate(json);
    // 15 digits always survive the way to a double and back; 17 are always enough for the opposite way
    char digits[40];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value) break;
    }
    fputs(digits, json->out);
}


void rico_json_integer(rico_json *json, int64_t value)
{
    separate(json);
    fprintf(json->out, "%lld", (long long)value);
}


void rico_json_bool(rico_json *json, bool value)
{
    separate(json);
    fputs(value ? "true" : "false", json->out);
}


void rico_json_null(rico_json *json)
{
    separate(json);
    fputs("null", json->out);
}


void rico_json_set_text(rico_json *json, const char *key, const char *text)
{
    rico_json_key(json, key);
    rico_json_text(json, text);
}


void rico_json_set_number(rico_json *json, const char *key, double value)
{
    rico_json_key(json, key);
    rico_json_number(json, value);
}


void rico_json_set_integer(rico_json *json, const char *key, int64_t value)
{
    rico_json_key(json, key);
    rico_json_integer(json, value);
}


void rico_json_set_bool(rico_json *json, const char *key, bool value)
{
    rico_json_key(json, key);
    rico_json_bool(json, value);
}
