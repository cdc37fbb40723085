// Pages of HTML that show a film.

#include "draw/page.h"

#include "base/replace_file.h"
#include "mesh/base64.h"
#include "store/target.h"

#include <stdio.h>
#include <string.h>

enum { LETTERS = 1 << 16 };


// Text within HTML, whatever it holds.
static void add_escaped(rico_text *page, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c == '&' || *c == '<' || *c == '>' || *c == '"')
            rico_text_add(page, "&#%d;", *c);
        else
            rico_text_add(page, "%c", *c);
    }
}


static void begin(rico_text *page, const char *title)
{
    rico_text_add(page, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                        "<meta name=\"generator\" content=\"ricochet\">\n"
                        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    add_escaped(page, title);
    rico_text_add(page, "</title>\n<link rel=\"icon\" href=\"data:,\">\n</head>\n<body>\n");
}


void rico_page_served(rico_text *page, const char *title, int64_t runs)
{
    begin(page, title);
    rico_text_add(page, "<script src=\"viewer.js\" data-runs=\"%lld\"></script>\n</body>\n</html>\n",
                  (long long)runs);
}


// Three bytes in four letters, piece by piece.
static rico_status write_base64(rico_context *ctx, rico_replacement *file, const rico_film *film)
{
    char *letters = rico_alloc(ctx, LETTERS, 1);
    if (!letters) return RICO_NO_MEMORY;
    rico_status status = RICO_OK;
    int64_t used = 0;
    for (int64_t i = 0; status == RICO_OK && i < film->size; i += 3) {
        unsigned char three[3] = {0};
        int count = film->size - i < 3 ? (int)(film->size - i) : 3;
        memcpy(three, film->bytes + i, (size_t)count);
        rico_base64_encode(three, count, letters + used);
        used += 4;
        if (used < LETTERS && i + 3 < film->size) continue;
        status = rico_replacement_write(file, letters, used);
        used = 0;
    }
    rico_free(ctx, letters);
    return status;
}


// Adds to the file, and to what is known of its size.
static rico_status put(rico_replacement *file, const void *bytes, int64_t count, int64_t *size)
{
    *size += count;
    return rico_replacement_write(file, bytes, count);
}


// A film as text that no browser takes for a program: `film`, `film2`.
static rico_status write_film(rico_context *ctx, rico_replacement *file, const rico_film *film, int64_t which,
                              int64_t *size)
{
    static const char END[] = "</script>\n";
    char name[24] = "", begin_film[80];
    if (which > 0) snprintf(name, sizeof name, "%lld", (long long)which + 1);
    int length = snprintf(begin_film, sizeof begin_film, "<script type=\"text/plain\" id=\"film%s\">", name);
    rico_status status = put(file, begin_film, length, size);
    if (status == RICO_OK) status = write_base64(ctx, file, film);
    *size += (film->size + 2) / 3 * 4;
    return status == RICO_OK ? put(file, END, sizeof END - 1, size) : status;
}


static rico_status write_all(rico_context *ctx, rico_replacement *file, const rico_text *head,
                             const rico_film *const *film, int64_t films, int64_t *size)
{
    static const char BEGIN[] = "<script>\n", END[] = "\n</script>\n</body>\n</html>\n";
    rico_status status = put(file, head->data, head->length, size);
    for (int64_t i = 0; status == RICO_OK && i < films; i++) status = write_film(ctx, file, film[i], i, size);
    if (status == RICO_OK) status = put(file, BEGIN, sizeof BEGIN - 1, size);
    if (status == RICO_OK) status = put(file, rico_viewer_bundle, rico_viewer_bundle_size, size);
    return status == RICO_OK ? put(file, END, sizeof END - 1, size) : status;
}


rico_status rico_page_write(rico_context *ctx, const char *title, const rico_film *const *film, int64_t films,
                            const char *path, int64_t *size)
{
    rico_text head = {.ctx = ctx};
    rico_replacement file;
    *size = 0;
    rico_status status = rico_target_check(ctx, path, RICO_TARGET_PAGE, NULL, NULL);
    begin(&head, title);
    if (status == RICO_OK) status = head.status;
    if (status == RICO_OK) status = rico_replacement_begin(ctx, path, &file);
    if (status == RICO_OK) {
        status = write_all(ctx, &file, &head, film, films, size);
        rico_status ended = rico_replacement_end(&file, status == RICO_OK);
        if (status == RICO_OK) status = ended;
    }
    rico_free(ctx, head.data);
    return status;
}
