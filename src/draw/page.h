// Pages of HTML that show a film: one that asks a server for it, and one that holds all it needs.

#ifndef RICO_DRAW_PAGE_H
#define RICO_DRAW_PAGE_H

#include "base/text.h"
#include "draw/film.h"

// The program of viewer/, as it was built into ours.
extern const unsigned char rico_viewer_bundle[];
extern const int64_t rico_viewer_bundle_size;

// The page that a server gives: it loads `viewer.js` and `film`, of a second run `film2`, from beside it.
void rico_page_served(rico_text *page, const char *title, int64_t runs);

// One file with program and films, for any browser, without a network. What is at `path` is replaced only if it is such a page.
rico_status rico_page_write(rico_context *ctx, const char *title, const rico_film *const *film, int64_t films,
                            const char *path, int64_t *size);

#endif
