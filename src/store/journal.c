// A journal of the one write that a kill may tear.
//
// The file: magic, offset, size, checksum of all that follows and of the two before; what was there; what is to be.

#include "store/journal.h"

#include "store/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAGIC, OFFSET, SIZE, CHECKSUM, HEADER_WORDS };
enum { HEADER_BYTES = HEADER_WORDS * 8 };
static const uint64_t NOTED = UINT64_C(0x314c4e524a4f4352); // "RCOJRNL1"

struct rico_journal {
    rico_context *ctx;
    char *path;
    int descriptor; // -1 until something is noted
    int64_t most;
    int64_t offset, size; // what is noted; size 0 for nothing
    char *record;
};


static char *path_of(rico_context *ctx, const char *archive)
{
    size_t room = strlen(archive) + sizeof ".journal";
    char *path = rico_alloc(ctx, (int64_t)room, 1);
    if (path) snprintf(path, room, "%s.journal", archive);
    return path;
}


// FNV-1a of Fowler, Noll and Vo.
static uint64_t checksum(const uint64_t *header, const char *bytes, int64_t count)
{
    uint64_t sum = UINT64_C(14695981039346656037);
    for (int k = OFFSET; k <= SIZE; k++) sum = (sum ^ header[k]) * UINT64_C(1099511628211);
    for (int64_t k = 0; k < count; k++) sum = (sum ^ (unsigned char)bytes[k]) * UINT64_C(1099511628211);
    return sum;
}


rico_status rico_journal_create(rico_context *ctx, const char *path, int64_t most, rico_journal **out)
{
    rico_journal *journal = rico_alloc(ctx, 1, sizeof *journal);
    if (!journal) return RICO_NO_MEMORY;
    *journal = (rico_journal){.ctx = ctx, .descriptor = -1, .most = most};
    journal->path = path_of(ctx, path);
    journal->record = journal->path ? rico_alloc(ctx, HEADER_BYTES + 2 * most, 1) : NULL;
    if (!journal->record) {
        rico_free(ctx, journal->path);
        rico_free(ctx, journal);
        return RICO_NO_MEMORY;
    }
    *out = journal;
    return RICO_OK;
}


void rico_journal_destroy(rico_journal *journal)
{
    if (!journal) return;
    if (journal->descriptor >= 0) {
        close(journal->descriptor);
        unlink(journal->path);
    }
    rico_free(journal->ctx, journal->record);
    rico_free(journal->ctx, journal->path);
    rico_free(journal->ctx, journal);
}


// One word in one page: it is there or it is not.
static int forget(rico_journal *journal)
{
    const uint64_t nothing = 0;
    journal->size = 0;
    return rico_bytes_write(journal->descriptor, (const char *)&nothing, sizeof nothing, 0);
}


static int note(rico_journal *journal, int file, int64_t offset, const char *bytes, int64_t size)
{
    if (journal->descriptor < 0) {
        journal->descriptor = open(journal->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (journal->descriptor < 0) return errno;
    }
    uint64_t header[HEADER_WORDS] = {[MAGIC] = NOTED, [OFFSET] = (uint64_t)offset, [SIZE] = (uint64_t)size};
    char *old = journal->record + HEADER_BYTES;
    int error = rico_bytes_read(file, old, size, offset);
    if (error != 0) return error;
    memcpy(old + size, bytes, (size_t)size);
    header[CHECKSUM] = checksum(header, old, 2 * size);
    memcpy(journal->record, header, sizeof header);
    journal->offset = offset;
    journal->size = size;
    return rico_bytes_write(journal->descriptor, journal->record, HEADER_BYTES + 2 * size, 0);
}


int rico_journal_before(rico_journal *journal, int file, int64_t extent, int64_t offset, const char *bytes,
                        int64_t size, bool harmless)
{
    if (!journal || size <= 0) return 0;
    bool across = offset / RICO_JOURNAL_PAGE != (offset + size - 1) / RICO_JOURNAL_PAGE;
    // what is behind the end of the file nobody points at yet
    if (across && offset < extent && !harmless && size <= journal->most)
        return note(journal, file, offset, bytes, size);
    bool touches =
        journal->size > 0 && offset < journal->offset + journal->size && journal->offset < offset + size;
    return touches ? forget(journal) : 0;
}


// --- mending -------------------------------------------------------------------------------------------------

// Pages of the range [offset, offset + size) that are as `like`, counted from the front or, backwards, from the end.
static int64_t matching(const char *now, const char *like, int64_t offset, int64_t size, bool backwards)
{
    int64_t first = offset / RICO_JOURNAL_PAGE, last = (offset + size - 1) / RICO_JOURNAL_PAGE, count = 0;
    for (int64_t k = 0; k <= last - first; k++) {
        int64_t page = backwards ? last - k : first + k;
        int64_t from = page * RICO_JOURNAL_PAGE - offset, to = from + RICO_JOURNAL_PAGE;
        if (from < 0) from = 0;
        if (to > size) to = size;
        if (memcmp(now + from, like + from, (size_t)(to - from)) != 0) break;
        count++;
    }
    return count;
}


// The front is as it is to be, the rest as it was, and it is neither the one nor the other.
static bool torn(const char *now, const char *old, const char *new, int64_t offset, int64_t size)
{
    int64_t pages = (offset + size - 1) / RICO_JOURNAL_PAGE - offset / RICO_JOURNAL_PAGE + 1;
    if (memcmp(now, old, (size_t)size) == 0 || memcmp(now, new, (size_t)size) == 0) return false;
    return matching(now, new, offset, size, false) + matching(now, old, offset, size, true) >= pages;
}


// The record is whole: sizes and checksum agree.
static bool whole(const uint64_t *header, const char *bytes, int64_t count)
{
    return header[MAGIC] == NOTED && header[SIZE] > 0 && header[SIZE] <= (uint64_t)count / 2 &&
           header[OFFSET] <= (uint64_t)INT64_MAX / 2 &&
           header[CHECKSUM] == checksum(header, bytes, 2 * (int64_t)header[SIZE]);
}


static int mend(rico_context *ctx, int journal, int64_t count, int file)
{
    uint64_t header[HEADER_WORDS];
    char *bytes = rico_alloc(ctx, count + count / 2 + 1, 1), *now = bytes ? bytes + count : NULL;
    if (!bytes) return ENOMEM;
    int error = rico_bytes_read(journal, (char *)header, sizeof header, 0);
    if (error == 0) error = rico_bytes_read(journal, bytes, count, HEADER_BYTES);
    if (error == 0 && whole(header, bytes, count)) {
        int64_t offset = (int64_t)header[OFFSET], size = (int64_t)header[SIZE];
        error = rico_bytes_read(file, now, size, offset);
        if (error == 0 && torn(now, bytes, bytes + size, offset, size))
            error = rico_bytes_write(file, bytes + size, size, offset);
    }
    rico_free(ctx, bytes);
    return error;
}


int rico_journal_mend(rico_context *ctx, const char *path, int file)
{
    char *place = path_of(ctx, path);
    if (!place) return ENOMEM;
    int error = 0, journal = open(place, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about;
    if (journal >= 0 && fstat(journal, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > HEADER_BYTES)
        error = mend(ctx, journal, (int64_t)about.st_size - HEADER_BYTES, file);
    if (journal >= 0) {
        close(journal);
        if (error == 0) unlink(place);
    }
    rico_free(ctx, place);
    return error;
}
