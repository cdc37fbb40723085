// Numbers from text.

#include "base/number.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool rico_text_to_real(const char *text, double *value)
{
    // strtod alone would take blanks, hexadecimals, "inf" and "nan"
    if (*text == '\0' || text[strspn(text, "+-.0123456789eE")] != '\0') return false;
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}


bool rico_text_to_integer(const char *text, int64_t *value)
{
    if (*text == '\0' || text[strspn(text, "+-0123456789")] != '\0') return false;
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return end != text && *end == '\0' && errno == 0;
}
