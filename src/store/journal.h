// A journal of the one write that a kill may tear.
//
// Linux may interrupt a write between two pages when the process is killed. What lies across such a boundary and was in
// the file before (metadata, packed chunks) is then half old, half new, and no checksum holds. So both halves are noted
// in a file beside before such a write: whoever opens the archive next finds the write in the midst of the two and
// finishes it. Writes come one after the other, so that only the last can be torn.
//
// On a busy machine this is likelier: a thread that has lost its core in the middle of a write can be killed there.

#ifndef RICO_STORE_JOURNAL_H
#define RICO_STORE_JOURNAL_H

#include "base/context.h"

typedef struct rico_journal rico_journal;

// Of the archive at `path`; makes no file yet. Writes of up to `most` bytes can be noted.
rico_status rico_journal_create(rico_context *ctx, const char *path, int64_t most, rico_journal **out);

// Removes the file: nothing is on its way any more. Takes NULL.
void rico_journal_destroy(rico_journal *journal);

// To be called before a write of `size` bytes at `offset` of `file`, which has `extent` bytes by then. Notes it where it
// could be torn, and forgets an earlier note that it would change. Returns 0 or errno.
int rico_journal_before(rico_journal *journal, int file, int64_t extent, int64_t offset, const char *bytes,
                        int64_t size, bool harmless);

// Finishes the write that the journal of the archive at `path` has noted, if it was torn. `file` is the archive, open for
// writing and locked. Returns 0 or errno.
int rico_journal_mend(rico_context *ctx, const char *path, int file);

// The system writes whole pages or none.
enum { RICO_JOURNAL_PAGE = 4096 };

#endif
