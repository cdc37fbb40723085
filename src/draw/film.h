// A run as one block of bytes, which the viewer of viewer/ shows.
//
// The block opens with "RICOFILM", a version and the length of a head in JSON, 32 bits each; the head names the run and says
// where its arrays stand behind it, each at a multiple of eight bytes, numbers as little-endian machines have them. A frame is a
// row of the run; a long run shows every n-th and its last. Numbers are as fine as a screen needs: single precision, turns in
// 16 bits, points of contacts in 16 bits of the box that holds them all. docs/guide/viewer.md lists the arrays.

#ifndef RICO_DRAW_FILM_H
#define RICO_DRAW_FILM_H

#include "ricochet/store.h"

enum { RICO_FILM_VERSION = 1, RICO_FILM_PREFIX = 16 };

typedef struct rico_film_options {
    const char *name;    // of the file, as the viewer shows it
    int64_t most_frames; // at least 2
    int64_t most_bytes;  // that the arrays of frames may come to, about
} rico_film_options;

rico_film_options rico_film_defaults(void); // 1000 frames, 256 MB

typedef struct rico_film {
    int64_t rows, stride, frames;
    int64_t size;
    unsigned char *bytes;
} rico_film;

// Refused with a sentence where the file holds no motion. Reads what is there of a run that goes on.
rico_status rico_film_make(rico_context *ctx, rico_results *results, const rico_film_options *options,
                           rico_film *out);
void rico_film_release(rico_context *ctx, rico_film *film);

#endif
