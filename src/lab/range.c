// Ranges and lists of values: their forms, and the values of even steps and factors.

#include "lab/range.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>


// a:b:n to its end.
static bool parse_ends(const char *text, rico_range *out)
{
    char from[64] = "", to[64] = "", count[64] = "";
    int used = 0;
    return sscanf(text, "%63[^:]:%63[^:]:%63[^:]%n", from, to, count, &used) == 3 && text[used] == '\0' &&
           rico_text_to_real(from, &out->from) && rico_text_to_real(to, &out->to) &&
           rico_text_to_real(count, &out->count) && out->count == floor(out->count);
}


bool rico_range_parse(const char *text, rico_range *out)
{
    size_t length = strcspn(text, "=");
    *out = (rico_range){.name = text, .name_length = (int)length};
    if (length == 0 || text[length] != '=' || text[length + 1] == '\0') return false;
    const char *values = text + length + 1;
    out->log = strncmp(values, "log:", 4) == 0;
    if (out->log || strchr(values, ':')) return parse_ends(values + (out->log ? 4 : 0), out);
    out->list = values;
    out->count = 1.0;
    for (const char *at = values; *at; at++) out->count += *at == ',';
    return true;
}


double rico_range_value(const rico_range *range, int64_t index)
{
    if (index == 0) return range->from;
    if (index == (int64_t)range->count - 1) return range->to;
    double part = (double)index / (range->count - 1.0);
    return range->log ? range->from * pow(range->to / range->from, part)
                      : range->from + part * (range->to - range->from);
}


size_t rico_range_word(const char **at, const char **word)
{
    size_t length = strcspn(*at, ",");
    *word = *at;
    *at = (*at)[length] == ',' ? *at + length + 1 : NULL;
    return length;
}
