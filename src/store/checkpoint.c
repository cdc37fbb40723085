// Checkpoints: one block of bytes, ended by a checksum.
//
// Layout, in 8-byte words of this machine: magic, run, sequence, number of counts, size of the state, the counts,
// the state (padded with zeros to a whole word), checksum of all before. A checkpoint belongs to the machine that wrote it: the state inside does too.

#include "store/checkpoint.h"

#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAGIC, RUN, SEQUENCE, COUNTS, STATE_SIZE, HEADER_WORDS };

// "RICOCKP1" as bytes in order; a machine of the other byte order reads something else and refuses
static const char magic[8] = {'R', 'I', 'C', 'O', 'C', 'K', 'P', '1'};


// FNV-1a of Fowler, Noll and Vo, over words: it is there to notice damage, not malice.
static uint64_t checksum(const uint64_t *words, int64_t count)
{
    uint64_t sum = UINT64_C(14695981039346656037);
    for (int64_t k = 0; k < count; k++) {
        sum = (sum ^ words[k]) * UINT64_C(1099511628211);
        sum ^= sum >> 32; // a product alone never carries high bits down
    }
    return sum;
}


char *rico_checkpoint_path(rico_context *ctx, const char *path)
{
    static const char suffix[] = ".checkpoint";
    size_t length = strlen(path);
    char *place = rico_alloc(ctx, (int64_t)(length + sizeof suffix), 1);
    if (!place) return NULL;
    memcpy(place, path, length);
    memcpy(place + length, suffix, sizeof suffix);
    return place;
}


// Where a checkpoint is written before it takes its place; freed with rico_free(). Always the same name, so that kills
// do not litter the folder: the archive's lock keeps others away.
static char *path_before(rico_context *ctx, const char *place)
{
    size_t room = strlen(place) + sizeof ".new";
    char *before = rico_alloc(ctx, (int64_t)room, 1);
    if (before) snprintf(before, room, "%s.new", place);
    return before;
}


static int write_whole(const char *path, const char *bytes, int64_t size)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) return errno;
    int error = 0;
    while (size > 0 && error == 0) {
        ssize_t written = write(descriptor, bytes, (size_t)size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) error = errno;
        if (written > 0) bytes += written, size -= written;
    }
    if (close(descriptor) != 0 && error == 0) error = errno;
    return error;
}


// Not down to the disk: that could make a run wait for all that it has written so far. Killing the program, or the
// program failing, loses nothing that the system has taken.
static rico_status put_in_place(rico_context *ctx, const char *place, const void *bytes, int64_t size)
{
    char *before = path_before(ctx, place);
    if (!before) return RICO_NO_MEMORY;
    int error = write_whole(before, bytes, size);
    if (error == 0 && rename(before, place) != 0) error = errno;
    if (error != 0) unlink(before);
    rico_free(ctx, before);
    if (error == 0) return RICO_OK;
    return rico_fail(ctx, RICO_IO_ERROR, "%s: cannot be written: %s; the checkpoint before stays", place,
                     rico_system_words(error));
}


rico_status rico_checkpoint_remove(rico_context *ctx, const char *place)
{
    char *before = path_before(ctx, place);
    if (!before) return RICO_NO_MEMORY;
    unlink(before); // a kill may have left it
    rico_free(ctx, before);
    if (unlink(place) == 0 || errno == ENOENT) return RICO_OK;
    return rico_fail(ctx, RICO_IO_ERROR, "%s: cannot be removed: %s", place, rico_system_words(errno));
}


rico_status rico_checkpoint_pack(rico_context *ctx, const rico_saved *saved, uint64_t **out, int64_t *count)
{
    int64_t state_words = (saved->state_size + 7) / 8;
    int64_t words = HEADER_WORDS + saved->count_count + state_words + 1;
    uint64_t *word = rico_alloc(ctx, words, sizeof *word);
    if (!word) return RICO_NO_MEMORY;

    memcpy(&word[MAGIC], magic, sizeof magic);
    word[RUN] = (uint64_t)saved->run;
    word[SEQUENCE] = (uint64_t)saved->sequence;
    word[COUNTS] = (uint64_t)saved->count_count;
    word[STATE_SIZE] = (uint64_t)saved->state_size;
    uint64_t *counts = word + HEADER_WORDS;
    for (int64_t k = 0; k < saved->count_count; k++) counts[k] = (uint64_t)saved->counts[k];
    if (saved->state_size > 0) memcpy(counts + saved->count_count, saved->state, (size_t)saved->state_size);
    word[words - 1] = checksum(word, words - 1);
    *out = word;
    *count = words;
    return RICO_OK;
}


rico_status rico_checkpoint_put(rico_context *ctx, const char *place, const uint64_t *words, int64_t count)
{
    return put_in_place(ctx, place, words, count * (int64_t)sizeof *words);
}


rico_status rico_checkpoint_write(rico_context *ctx, const char *place, const rico_saved *saved)
{
    uint64_t *words = NULL;
    int64_t count = 0;
    rico_status status = rico_checkpoint_pack(ctx, saved, &words, &count);
    if (status == RICO_OK) status = rico_checkpoint_put(ctx, place, words, count);
    rico_free(ctx, words);
    return status;
}


// Reads a whole file of whole words; errno on failure, 0 otherwise.
static int read_whole(int descriptor, char *bytes, int64_t size)
{
    while (size > 0) {
        ssize_t got = read(descriptor, bytes, (size_t)size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return errno;
        if (got == 0) return EIO; // it shrank under us
        bytes += got, size -= got;
    }
    return 0;
}


// Takes the words apart. Every claim is checked against how many there are.
static rico_status take_apart(rico_context *ctx, const uint64_t *word, int64_t words, rico_saved *out)
{
    static const char damaged[] = "is a damaged checkpoint";
    if (words < HEADER_WORDS + 1 || memcmp(&word[MAGIC], magic, sizeof magic) != 0) {
        return rico_fail(ctx, RICO_BAD_INPUT, "is not a checkpoint of this version of Ricochet");
    }
    if (checksum(word, words - 1) != word[words - 1]) {
        return rico_fail(ctx, RICO_BAD_INPUT, "%s: its checksum does not match", damaged);
    }
    uint64_t room = (uint64_t)(words - HEADER_WORDS - 1);
    if (word[COUNTS] > room || word[STATE_SIZE] > 8 * (room - word[COUNTS]) ||
        (word[STATE_SIZE] + 7) / 8 != room - word[COUNTS]) {
        return rico_fail(ctx, RICO_BAD_INPUT, "%s: its sizes do not match", damaged);
    }

    rico_saved saved = {.run = (int64_t)word[RUN],
                        .sequence = (int64_t)word[SEQUENCE],
                        .count_count = (int64_t)word[COUNTS],
                        .state_size = (int64_t)word[STATE_SIZE]};
    saved.counts = rico_alloc(ctx, saved.count_count, sizeof *saved.counts);
    saved.state = rico_alloc(ctx, saved.state_size, 1);
    if (!saved.counts || !saved.state) {
        rico_saved_release(ctx, &saved);
        return RICO_NO_MEMORY;
    }
    memcpy(saved.counts, word + HEADER_WORDS, (size_t)saved.count_count * 8);
    memcpy(saved.state, word + HEADER_WORDS + saved.count_count, (size_t)saved.state_size);
    *out = saved;
    return RICO_OK;
}


rico_status rico_checkpoint_read(rico_context *ctx, const char *place, bool *found, rico_saved *out)
{
    *found = false;
    int descriptor = open(place, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0 && errno == ENOENT) return RICO_OK;
    struct stat about;
    if (descriptor < 0 || fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode)) {
        int error = descriptor >= 0 && S_ISDIR(about.st_mode) ? EISDIR : errno;
        if (descriptor >= 0) close(descriptor);
        return rico_fail(ctx, RICO_IO_ERROR, "%s: cannot be read: %s", place, rico_system_words(error));
    }

    // a cut file has a last word that is no checksum
    int64_t words = (int64_t)about.st_size / 8;
    uint64_t *word = rico_alloc(ctx, words, sizeof *word);
    int error = word ? read_whole(descriptor, (char *)word, words * 8) : 0;
    close(descriptor);
    rico_status status = RICO_NO_MEMORY;
    if (word && error != 0) {
        status = rico_fail(ctx, RICO_IO_ERROR, "%s: cannot be read: %s", place, rico_system_words(error));
    } else if (word) {
        status = take_apart(ctx, word, words, out);
        if (status == RICO_BAD_INPUT) rico_fail_in(ctx, status, place);
    }
    rico_free(ctx, word);
    *found = status == RICO_OK;
    return status;
}


void rico_saved_release(rico_context *ctx, rico_saved *saved)
{
    rico_free(ctx, saved->counts);
    rico_free(ctx, saved->state);
    *saved = (rico_saved){0};
}
