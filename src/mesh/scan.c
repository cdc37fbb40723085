// Reading bytes of a file of either kind.

#include "mesh/scan.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

rico_status rico_scan_fail(const rico_scan *scan, const char *format, ...)
{
    char sentence[512], place[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (scan->binary) {
        snprintf(place, sizeof place, "byte %lld", (long long)scan->at);
    } else {
        int64_t line = 1;
        for (int64_t i = 0; i < scan->at && i < scan->size; i++) line += scan->bytes[i] == '\n';
        snprintf(place, sizeof place, "line %lld", (long long)line);
    }
    return rico_fail(scan->ctx, RICO_BAD_INPUT, "%s: %s: %s", scan->name, place, sentence);
}


static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}


void rico_scan_skip_blanks(rico_scan *scan)
{
    while (scan->at < scan->size && is_blank(scan->bytes[scan->at])) scan->at++;
}


void rico_scan_line(rico_scan *scan, char *line, int64_t room)
{
    const char *from = scan->bytes + scan->at;
    int64_t left = scan->size - scan->at;
    const char *end = memchr(from, '\n', (size_t)left);
    int64_t length = end ? end - from : left;
    scan->at += end ? length + 1 : length;
    while (length > 0 && is_blank(from[length - 1])) length--;
    while (length > 0 && is_blank(*from)) {
        from++;
        length--;
    }
    if (length > room - 1) length = room - 1;
    memcpy(line, from, (size_t)length);
    line[length] = '\0';
}


// The next word of text; what does not fit is cut, and is no number then.
static rico_status next_word(rico_scan *scan, const char *what, char word[64])
{
    int64_t length = 0;
    rico_scan_skip_blanks(scan);
    if (scan->at == scan->size) return rico_scan_fail(scan, "the file ends where %s is expected", what);
    while (scan->at + length < scan->size && !is_blank(scan->bytes[scan->at + length]) && length < 63) {
        char c = scan->bytes[scan->at + length];
        word[length++] = c >= 32 && c < 127 ? c : '?'; // fit for messages
    }
    word[length] = '\0';
    return RICO_OK;
}


// Bytes of a number, in this machine's order.
static rico_status next_bytes(rico_scan *scan, const char *what, int64_t count, void *value)
{
    unsigned char *to = value;
    if (scan->size - scan->at < count)
        return rico_scan_fail(scan, "the file ends where %s is expected", what);
    for (int64_t i = 0; i < count; i++)
        to[scan->swap ? count - 1 - i : i] = (unsigned char)scan->bytes[scan->at + i];
    return RICO_OK;
}


static rico_status text_integer(rico_scan *scan, const char *what, int64_t *value)
{
    char word[64];
    rico_status status = next_word(scan, what, word);
    if (status != RICO_OK) return status;
    const int64_t most = INT64_C(1) << 53; // whatever is written further away means something else
    if (!rico_text_to_integer(word, value) || *value > most || *value < -most)
        return rico_scan_fail(scan, "'%s' stands where %s is expected", word, what);
    scan->at += (int64_t)strlen(word);
    return RICO_OK;
}


rico_status rico_scan_integer(rico_scan *scan, const char *what, int64_t *value)
{
    if (!scan->binary) return text_integer(scan, what, value);
    int32_t small = 0;
    rico_status status = next_bytes(scan, what, sizeof small, &small);
    if (status != RICO_OK) return status;
    *value = small;
    scan->at += (int64_t)sizeof small;
    return RICO_OK;
}


rico_status rico_scan_size(rico_scan *scan, const char *what, int64_t *value)
{
    rico_status status;
    uint32_t small = 0;
    if (!scan->binary) {
        status = text_integer(scan, what, value);
    } else if (scan->word == 4) {
        status = next_bytes(scan, what, 4, &small);
        *value = small;
    } else {
        status = next_bytes(scan, what, 8, value);
    }
    if (status != RICO_OK) return status;
    if (*value < 0) return rico_scan_fail(scan, "%s is %lld", what, (long long)*value);
    if (scan->binary) scan->at += scan->word;
    return RICO_OK;
}


rico_status rico_scan_real(rico_scan *scan, const char *what, double *value)
{
    char word[64];
    if (!scan->binary) {
        rico_status status = next_word(scan, what, word);
        if (status != RICO_OK) return status;
        if (!rico_text_to_real(word, value))
            return rico_scan_fail(scan, "'%s' stands where %s is expected", word, what);
        scan->at += (int64_t)strlen(word);
        return RICO_OK;
    }
    rico_status status = next_bytes(scan, what, sizeof *value, value);
    if (status != RICO_OK) return status;
    if (!isfinite(*value)) return rico_scan_fail(scan, "%s is %g", what, *value);
    scan->at += (int64_t)sizeof *value;
    return RICO_OK;
}


rico_status rico_scan_count(rico_scan *scan, const char *what, int64_t numbers, int64_t bytes, int64_t *value)
{
    rico_status status = rico_scan_size(scan, what, value);
    if (status != RICO_OK) return status;
    // a number of text takes a digit and a blank
    int64_t least = scan->binary ? bytes : 2 * numbers;
    if (*value > (scan->size - scan->at + 1) / least)
        return rico_scan_fail(scan, "%s is %lld, more than the rest of the file can hold", what,
                              (long long)*value);
    return RICO_OK;
}
