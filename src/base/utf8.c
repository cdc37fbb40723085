// UTF-8, one character at a time.

#include "base/utf8.h"

int rico_utf8_length(const unsigned char *text)
{
    unsigned char first = text[0];
    if (first < 0x80) return 1;
    if (first < 0xC2 || first > 0xF4) return 0;
    int length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;

    unsigned char low = 0x80, high = 0xBF;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
    if (text[1] < low || text[1] > high) return 0;
    for (int i = 2; i < length; i++) {
        if (text[i] < 0x80 || text[i] > 0xBF) return 0;
    }
    return length;
}
