// A page of Markdown as its blocks of code, and shown output against what was really said.

#ifndef RICO_TESTS_APP_PAGE_H
#define RICO_TESTS_APP_PAGE_H

#include "support.h"

enum { PAGE_BLOCKS = 128, PAGE_TEXT = 1 << 17 };

// A fenced block: its language, the file that it is (after a line "`name.yaml`:"), and where it stands.
typedef struct page_block {
    char language[16], name[64];
    int line;
    char *text;
} page_block;

typedef struct page {
    char text[PAGE_TEXT]; // cut into pieces
    int count;
    page_block block[PAGE_BLOCKS];
} page;


// "`ball.yaml`:" names the file that the next block is.
static inline bool page_names_file(const char *line, size_t length, char name[64])
{
    if (length < 4 || length > 60 || line[0] != '`' || strncmp(line + length - 2, "`:", 2) != 0) return false;
    snprintf(name, 64, "%.*s", (int)(length - 3), line + 1);
    return strpbrk(name, "` /") == NULL && strchr(name, '.') != NULL;
}


static inline void page_load(const char *path, page *p)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) fail_msg("cannot open %s", path);
    size_t size = fread(p->text, 1, sizeof p->text - 1, file);
    fclose(file);
    assert_true(size < sizeof p->text - 1);
    p->text[size] = '\0';
    p->count = 0;
    bool inside = false;
    char name[64] = "", *next;
    int number = 1;
    for (char *line = p->text; *line; line = next, number++) {
        size_t length = strcspn(line, "\n");
        next = line + length + (line[length] == '\n');
        if (strncmp(line, "```", 3) == 0 && !inside) {
            assert_true(p->count < PAGE_BLOCKS);
            page_block *block = &p->block[p->count++];
            *block = (page_block){.line = number, .text = next};
            snprintf(block->language, sizeof block->language, "%.*s", (int)length - 3, line + 3);
            memcpy(block->name, name, sizeof name);
            inside = true;
        } else if (strncmp(line, "```", 3) == 0) {
            *line = '\0'; // ends the text of the block
            inside = false;
            name[0] = '\0';
        } else if (!inside && length > 0 && !page_names_file(line, length, name)) {
            name[0] = '\0';
        }
    }
    if (inside) fail_msg("%s: a block is not closed", path);
}


// --- output --------------------------------------------------------------------------------------------------

// A number, and by how much its last digit counts; commas and colons may follow.
static inline bool page_number(const char *word, size_t length, double *value, double *unit)
{
    char text[64], *end;
    while (length > 0 && strchr(",;:)", word[length - 1])) length--;
    if (length == 0 || length >= sizeof text) return false;
    snprintf(text, sizeof text, "%.*s", (int)length, word);
    *value = strtod(text, &end);
    if (end == text || *end) return false;
    const char *point = strchr(text, '.'), *power = strpbrk(text, "eE");
    int decimals = point ? (int)((power ? power : text + length) - point) - 1 : 0;
    *unit = point || power ? pow(10.0, (power ? atoi(power + 1) : 0) - decimals) : 0.0;
    return true;
}


static inline bool page_same_word(const char *shown, size_t a, const char *said, size_t b)
{
    double one, other, unit, fine;
    if (a == b && strncmp(shown, said, a) == 0) return true;
    if (!page_number(shown, a, &one, &unit) || !page_number(said, b, &other, &fine)) return false;
    if (other == 0.0 && signbit(other) && !signbit(one)) return false; // nobody shows -0
    // round-off is another on every machine, and the last digit may be
    return fabs(one - other) <= fmax(1.5 * unit, 1e-9);
}


static inline const char *page_word(const char *at, size_t *length)
{
    at += strspn(at, " \t");
    *length = strcspn(at, " \t\n");
    return at;
}


// Is one line what the other shows? Seconds are as they come: those before " s", and the column `skip` of a table.
static inline bool page_same_line(const char *shown, const char *said, int skip)
{
    for (int column = 0;; column++) {
        size_t a, b, c;
        shown = page_word(shown, &a);
        said = page_word(said, &b);
        if (a == 3 && strncmp(shown, "...", 3) == 0) return true;
        if (a == 0 || b == 0) return a == b;
        const char *unit = page_word(shown + a, &c);
        bool seconds = column == skip || (c > 0 && unit[0] == 's' && (c == 1 || unit[1] == ','));
        if (!seconds && !page_same_word(shown, a, said, b)) return false;
        shown += a;
        said += b;
    }
}


static inline int page_seconds_column(const char *line)
{
    size_t length;
    int column = 0;
    for (const char *at = page_word(line, &length); length > 0;
         at = page_word(at + length, &length), column++)
        if (length == 7 && strncmp(at, "seconds", 7) == 0) return column;
    return -1;
}


// Do the lines shown stand in what was said, in their order? Gives the first that does not, or NULL.
static inline const char *page_missing(const char *shown, const char *said)
{
    int skip = -1;
    for (const char *next; *shown; shown = next) {
        next = shown + strcspn(shown, "\n");
        next += *next == '\n';
        size_t length;
        page_word(shown, &length);
        if (length == 0) continue;
        if (page_seconds_column(shown) >= 0) skip = page_seconds_column(shown);
        while (*said && !page_same_line(shown, said, skip)) {
            said += strcspn(said, "\n");
            said += *said == '\n';
        }
        if (!*said) return shown;
        said += strcspn(said, "\n");
        said += *said == '\n';
    }
    return NULL;
}

#endif
