// Reading bytes of a file of either kind: words and numbers of text, or numbers as a machine holds them.

#ifndef RICO_MESH_SCAN_H
#define RICO_MESH_SCAN_H

#include "base/context.h"

typedef struct rico_scan {
    rico_context *ctx;
    const char *name;  // of the file, for messages
    const char *bytes; // any, NUL too
    int64_t size, at;
    bool binary; // numbers are bytes
    bool swap;   // of the other order than this machine's
    int word;    // bytes of a size in binary, 4 or 8
} rico_scan;

// "NAME: line 12: ..." or, in binary, "NAME: byte 1204: ..."; RICO_BAD_INPUT.
rico_status rico_scan_fail(const rico_scan *scan, const char *format, ...) RICO_PRINTF(2, 3);

void rico_scan_skip_blanks(rico_scan *scan);

// The rest of the line without blanks at its ends, cut at `room`; the line's end is passed.
void rico_scan_line(rico_scan *scan, char *line, int64_t room);

// `what` says in messages what was expected: "the x of a node".
rico_status rico_scan_integer(rico_scan *scan, const char *what, int64_t *value); // an int of four bytes
rico_status rico_scan_size(rico_scan *scan, const char *what, int64_t *value);    // >= 0
rico_status rico_scan_real(rico_scan *scan, const char *what, double *value);     // finite

// A number of things of which each takes `numbers` in text and `bytes` in binary at least: what the rest of the file cannot hold is refused.
rico_status rico_scan_count(rico_scan *scan, const char *what, int64_t numbers, int64_t bytes,
                            int64_t *value);

#endif
