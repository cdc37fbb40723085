// A JSON document (RFC 8259), written as it grows.
//
//     rico_json json = rico_json_start(stdout);
//     rico_json_open_object(&json);
//     rico_json_key(&json, "residual");
//     rico_json_number(&json, 1e-9);
//     rico_json_close(&json);
//
// Whatever goes in, what comes out is valid: text that is not UTF-8 gets U+FFFD in place of the stray bytes,
// and NaN and infinities, which JSON does not have, become null. The caller keeps keys and values in turn.

#ifndef RICO_BASE_JSON_H
#define RICO_BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { RICO_JSON_DEPTH = 16 };

typedef struct rico_json {
    FILE *out;
    int depth;
    bool array[RICO_JSON_DEPTH]; // is the level an array, else an object
    bool used[RICO_JSON_DEPTH];  // does the level hold anything yet
    bool after_key;
} rico_json;

rico_json rico_json_start(FILE *out);

void rico_json_open_object(rico_json *json);
void rico_json_open_array(rico_json *json);
void rico_json_close(rico_json *json); // the innermost object or array; ends the line when it was the last

void rico_json_key(rico_json *json, const char *key);
void rico_json_text(rico_json *json, const char *text); // NULL becomes null
void rico_json_number(rico_json *json, double value);   // shortest decimal that reads back to the same double
void rico_json_integer(rico_json *json, int64_t value);
void rico_json_bool(rico_json *json, bool value);
void rico_json_null(rico_json *json);

// A key with its value.
void rico_json_set_text(rico_json *json, const char *key, const char *text);
void rico_json_set_number(rico_json *json, const char *key, double value);
void rico_json_set_integer(rico_json *json, const char *key, int64_t value);
void rico_json_set_bool(rico_json *json, const char *key, bool value);

#endif
