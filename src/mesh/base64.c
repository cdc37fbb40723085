// Bytes as text of 64 letters.

#include "mesh/base64.h"

#include <string.h>

static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";


void rico_base64_encode(const unsigned char *bytes, int count, char letters[4])
{
    uint32_t all =
        (uint32_t)bytes[0] << 16 | (count > 1 ? (uint32_t)bytes[1] << 8 : 0) | (count > 2 ? bytes[2] : 0);
    for (int i = 0; i < 4; i++) letters[i] = i <= count ? LETTERS[all >> (18 - 6 * i) & 63] : '=';
}


static int value_of(char c)
{
    const char *at = c ? strchr(LETTERS, c) : NULL;
    return at ? (int)(at - LETTERS) : -1;
}


int64_t rico_base64_decode(const char *text, int64_t length, unsigned char *bytes, int64_t room)
{
    uint32_t group = 0;
    int held = 0; // letters in the group
    int64_t count = 0;
    for (int64_t i = 0; i < length && count < room; i++) {
        char c = text[i];
        if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
        int value = c == '=' ? 0 : value_of(c);
        if (value < 0) break;
        group = group << 6 | (uint32_t)value;
        if (++held < 4) continue;
        int padding = (c == '=') + (i > 0 && c == '=' && text[i - 1] == '=');
        for (int k = 0; k < 3 - padding && count < room; k++)
            bytes[count++] = (unsigned char)(group >> (16 - 8 * k));
        group = 0;
        held = 0;
    }
    return count;
}
