// A file driver for HDF5 whose file is, at every moment, a prefix of what HDF5 has written.
//
// Writes pass through a ring of bytes: records, each followed by what to write unless the bytes were lent. One thread
// fills it (the one that calls HDF5), one empties it; the two counters between them are the only thing they share.

// open file description locks, which a close() elsewhere in the program does not drop as it does POSIX's older ones
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier)

#include "store/drive.h"

#include "base/system.h"
#include "store/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if H5_VERSION_GE(1, 13, 2)
#include <H5FDdevelop.h>
#endif

// The ring: small enough to stay in cache, large enough for what a run hands over at once.
enum { RING = 1 << 22, PIECE = 1 << 20 };

// What a record asks for when it is not a write of `size` bytes at `offset`.
enum { TRUNCATE = -1, SKIP = -2 };

typedef struct record {
    int64_t offset, size;
    const char *lent; // where the bytes are when they do not follow
    int64_t unused;   // keeps records at multiples of their size
} record;

struct rico_drive {
    H5FD_t base; // what HDF5 sees: must come first
    rico_context *ctx;
    hid_t driver;
    int descriptor;
    int64_t eoa, eof; // end of what HDF5 has allocated; end of the file with all that was handed over

    rico_journal *journal;       // used by whoever writes
    int64_t extent;              // end of the file as written so far, known to the same
    const char *lent, *lent_end; // bytes that stay as they are until they are written
    char *ring;
    bool threaded;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t filled, emptied;
    // guarded by the mutex
    int64_t head, tail; // bytes ever put into and taken from the ring
    bool writer_sleeps, caller_sleeps, stop;
    int error;
    int64_t writes, kill_at; // how many so far; which one kills us, -1 for none
    bool torn;
};


static int write_all(int descriptor, const char *bytes, int64_t size, int64_t offset)
{
    while (size > 0) {
        ssize_t written = pwrite(descriptor, bytes, (size_t)size, (off_t)offset);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        bytes += written, size -= written, offset += written;
    }
    return 0;
}


// What a kill in the middle of a write leaves: whole pages of it.
static void die(const rico_drive *drive, const record *what, const char *bytes)
{
    int64_t last = (what->offset + what->size - 1) / RICO_JOURNAL_PAGE * RICO_JOURNAL_PAGE;
    if (drive->torn && last > what->offset)
        (void)write_all(drive->descriptor, bytes, last - what->offset, what->offset);
    kill(getpid(), SIGKILL);
    for (;;) pause();
}


// Carries out one record unless an earlier one has failed; returns the error that now holds.
static int carry_out(rico_drive *drive, const record *what, const char *bytes, int error)
{
    if (error != 0 || what->size == SKIP) return error;
    bool kills = drive->writes++ == drive->kill_at;
    if (what->size == TRUNCATE) {
        if (kills) die(drive, what, bytes);
        drive->extent = what->offset;
        return ftruncate(drive->descriptor, (off_t)what->offset) == 0 ? 0 : errno;
    }
    // lent bytes are rows that no checkpoint knows yet: half of them do no harm
    error = rico_journal_before(drive->journal, drive->descriptor, drive->extent, what->offset, bytes,
                                what->size, what->lent != NULL);
    if (kills) die(drive, what, bytes);
    if (error == 0) error = write_all(drive->descriptor, bytes, what->size, what->offset);
    if (error == 0 && what->offset + what->size > drive->extent) drive->extent = what->offset + what->size;
    return error;
}


static int64_t padded(int64_t size)
{
    return (size + (int64_t)sizeof(record) - 1) / (int64_t)sizeof(record) * (int64_t)sizeof(record);
}


static int64_t record_length(const record *what)
{
    return (int64_t)sizeof *what + (what->size > 0 && !what->lent ? padded(what->size) : 0);
}


static void *empty_ring(void *user)
{
    rico_drive *drive = user;
    pthread_mutex_lock(&drive->mutex);
    for (;;) {
        while (drive->head == drive->tail && !drive->stop) {
            drive->writer_sleeps = true;
            pthread_cond_wait(&drive->filled, &drive->mutex);
        }
        drive->writer_sleeps = false;
        if (drive->head == drive->tail) break;
        int error = drive->error;
        int64_t at = drive->tail % RING;
        pthread_mutex_unlock(&drive->mutex);

        record what;
        memcpy(&what, drive->ring + at, sizeof what);
        int64_t length = what.size == SKIP ? RING - at : record_length(&what);
        error = carry_out(drive, &what, what.lent ? what.lent : drive->ring + at + sizeof what, error);

        pthread_mutex_lock(&drive->mutex);
        drive->error = error;
        drive->tail += length;
        if (drive->caller_sleeps) pthread_cond_signal(&drive->emptied);
    }
    pthread_mutex_unlock(&drive->mutex);
    return NULL;
}


// Waits until the ring has room for `length` bytes.
static void wait_for_room(rico_drive *drive, int64_t length)
{
    rico_drive_wait(drive, drive->head + length - RING);
}


static void publish(rico_drive *drive, int64_t length)
{
    pthread_mutex_lock(&drive->mutex);
    drive->head += length;
    if (drive->writer_sleeps) pthread_cond_signal(&drive->filled);
    pthread_mutex_unlock(&drive->mutex);
}


// Hands one record over. One that would cross the end of the ring begins at its start instead, so that a piece of
// metadata is one call to the system.
static void hand_over(rico_drive *drive, record what, const void *bytes)
{
    if (!drive->threaded) {
        drive->error = carry_out(drive, &what, bytes, drive->error);
        return;
    }
    int64_t length = record_length(&what);
    int64_t at = drive->head % RING; // only this thread moves the head
    int64_t left = RING - at;
    if (left < length) {
        const record skip = {.size = SKIP};
        wait_for_room(drive, left);
        memcpy(drive->ring + at, &skip, sizeof skip);
        publish(drive, left);
        at = 0;
    }
    wait_for_room(drive, length);
    memcpy(drive->ring + at, &what, sizeof what);
    if (what.size > 0 && !what.lent) memcpy(drive->ring + at + sizeof what, bytes, (size_t)what.size);
    publish(drive, length);
}


int rico_drive_error(rico_drive *drive)
{
    pthread_mutex_lock(&drive->mutex);
    int error = drive->error;
    pthread_mutex_unlock(&drive->mutex);
    return error;
}


int rico_drive_drain(rico_drive *drive)
{
    rico_drive_wait(drive, drive->head);
    return rico_drive_error(drive);
}


void rico_drive_lend(rico_drive *drive, const void *bytes, int64_t size)
{
    drive->lent = bytes;
    drive->lent_end = bytes ? drive->lent + size : NULL;
}


int64_t rico_drive_ticket(const rico_drive *drive)
{
    return drive->head; // only this thread moves it
}


void rico_drive_wait(rico_drive *drive, int64_t ticket)
{
    if (!drive->threaded) return;
    pthread_mutex_lock(&drive->mutex);
    drive->caller_sleeps = true;
    while (drive->tail < ticket) pthread_cond_wait(&drive->emptied, &drive->mutex);
    drive->caller_sleeps = false;
    pthread_mutex_unlock(&drive->mutex);
}


void rico_drive_kill_at(rico_drive *drive, int64_t write, bool torn)
{
    rico_drive_drain(drive);
    pthread_mutex_lock(&drive->mutex);
    drive->kill_at = write;
    drive->torn = torn;
    pthread_mutex_unlock(&drive->mutex);
}


int64_t rico_drive_writes(rico_drive *drive)
{
    rico_drive_drain(drive);
    return drive->writes;
}


int64_t rico_drive_size(const rico_drive *drive)
{
    return drive->eof;
}


// --- what HDF5 calls ----------------------------------------------------------------------------------------

// Carried by value inside a property list.
typedef struct address {
    rico_drive *drive;
} address;


// HDF5 opens twice when it creates (once to see what is there): the file itself was opened before.
static H5FD_t *attach(const char *name, unsigned flags, hid_t access, haddr_t maxaddr)
{
    (void)name, (void)flags, (void)maxaddr;
    const address *where = H5Pget_driver_info(access);
    if (!where) return NULL;
    rico_drive *drive = where->drive;
    drive->base = (H5FD_t){0};
    drive->eoa = 0;
    return &drive->base;
}


static herr_t detach(H5FD_t *file)
{
    (void)file;
    return 0;
}


// No accumulator: it would join pieces of metadata into writes that a kill could tear.
static herr_t query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    if (flags)
        *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}


static haddr_t get_eoa(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return (haddr_t)((const rico_drive *)file)->eoa;
}


static herr_t set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t end)
{
    (void)type;
    ((rico_drive *)file)->eoa = (int64_t)end;
    return 0;
}


static haddr_t get_eof(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return (haddr_t)((const rico_drive *)file)->eof;
}


// What lies beyond the end of the file reads as zero, as everywhere in HDF5.
static herr_t read_bytes(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t from, size_t size, void *out)
{
    (void)type, (void)transfer;
    rico_drive *drive = (rico_drive *)file;
    rico_drive_drain(drive);
    char *bytes = out;
    off_t offset = (off_t)from;
    while (size > 0) {
        ssize_t got = pread(drive->descriptor, bytes, size, offset);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) break;
        bytes += got, size -= (size_t)got, offset += got;
    }
    memset(bytes, 0, size);
    return 0;
}


static herr_t write_bytes(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t to, size_t size,
                          const void *bytes)
{
    (void)type, (void)transfer;
    rico_drive *drive = (rico_drive *)file;
    for (size_t done = 0; done < size;) {
        size_t piece = size - done < PIECE ? size - done : PIECE;
        const char *from = (const char *)bytes + done;
        bool lent = (uintptr_t)from >= (uintptr_t)drive->lent &&
                    (uintptr_t)from + piece <= (uintptr_t)drive->lent_end;
        hand_over(drive, (record){(int64_t)(to + done), (int64_t)piece, lent ? from : NULL, 0}, from);
        done += piece;
    }
    int64_t end = (int64_t)(to + size);
    if (end > drive->eof) drive->eof = end;
    return 0;
}


static herr_t truncate_file(H5FD_t *file, hid_t transfer, hbool_t closing)
{
    (void)transfer, (void)closing;
    rico_drive *drive = (rico_drive *)file;
    if (drive->eof == drive->eoa) return 0;
    hand_over(drive, (record){.offset = drive->eoa, .size = TRUNCATE}, NULL);
    drive->eof = drive->eoa;
    return 0;
}


// The lock is taken already. HDF5 marks a file as being written only where a driver can lock, and readers in HDF5's
// mode for growing files want to see that mark.
static herr_t lock_nothing(H5FD_t *file, hbool_t exclusive)
{
    (void)file, (void)exclusive;
    return 0;
}


static herr_t unlock_nothing(H5FD_t *file)
{
    (void)file;
    return 0;
}


herr_t rico_drive_attach(rico_drive *drive, hid_t access)
{
    const address where = {drive};
    if (drive->driver < 0) {
        const H5FD_class_t driver = {
#ifdef H5FD_CLASS_VERSION
            .version = H5FD_CLASS_VERSION,
            .value = 600, // of the range that HDF5 leaves to applications under test
#endif
            .name = "ricochet",
            .maxaddr = (haddr_t)INT64_MAX / 2,
            .fc_degree = H5F_CLOSE_STRONG,
            .fapl_size = sizeof where,
            .open = attach,
            .close = detach,
            .query = query,
            .get_eoa = get_eoa,
            .set_eoa = set_eoa,
            .get_eof = get_eof,
            .read = read_bytes,
            .write = write_bytes,
            .truncate = truncate_file,
            .lock = lock_nothing,
            .unlock = unlock_nothing,
            .fl_map = H5FD_FLMAP_DICHOTOMY,
        };
        drive->driver = H5FDregister(&driver);
    }
    return drive->driver < 0 ? -1 : H5Pset_driver(access, drive->driver, &where);
}


// --- opening and closing ------------------------------------------------------------------------------------

// Takes the lock, or only asks for it. Returns 0 or errno; a system without such locks has nothing to say.
static int lock_file(int descriptor, bool *taken)
{
    *taken = false;
#ifdef F_OFD_SETLK
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(descriptor, F_OFD_SETLK, &lock) == 0) return 0;
    *taken = errno == EAGAIN || errno == EACCES;
    return *taken ? errno : 0;
#else
    (void)descriptor;
    return 0;
#endif
}


bool rico_drive_busy(const char *path)
{
    int descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return false;
    bool taken;
    lock_file(descriptor, &taken);
    close(descriptor);
    return taken;
}


void rico_drive_mend(rico_context *ctx, const char *path)
{
    int descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return;
    bool taken;
    lock_file(descriptor, &taken);
    if (!taken) (void)rico_journal_mend(ctx, path, descriptor);
    close(descriptor);
}


rico_status rico_drive_keep_journal(rico_drive *drive, const char *path)
{
    rico_drive_drain(drive);
    return rico_journal_create(drive->ctx, path, PIECE, &drive->journal);
}


static rico_status open_file(rico_context *ctx, const char *path, bool fresh, rico_drive *drive)
{
    int flags = O_RDWR | O_CLOEXEC | (fresh ? O_CREAT | O_EXCL : 0);
    struct stat about;
    drive->descriptor = open(path, flags, 0666);
    if (drive->descriptor < 0 || fstat(drive->descriptor, &about) != 0) {
        return rico_fail(ctx, RICO_IO_ERROR, "%s: cannot be %s: %s", path, fresh ? "created" : "opened",
                         rico_system_words(errno));
    }
    bool taken;
    lock_file(drive->descriptor, &taken);
    if (taken) return rico_fail(ctx, RICO_IO_ERROR, "%s: another run is writing this file", path);
    int error = fresh ? 0 : rico_journal_mend(ctx, path, drive->descriptor);
    if (error == ENOMEM) return RICO_NO_MEMORY;
    if (error != 0)
        return rico_fail(ctx, RICO_IO_ERROR, "%s: cannot be mended: %s", path, rico_system_words(error));
    drive->eof = drive->extent = (int64_t)about.st_size;
    return RICO_OK;
}


// Without a thread every write is carried out at once: slower, not wrong.
static void start_thread(rico_drive *drive)
{
    // signals are for the program's own threads; a file that grows past its limit fails here without SIGXFSZ
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return;
    drive->threaded = pthread_create(&drive->thread, NULL, empty_ring, drive) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}


rico_status rico_drive_create(rico_context *ctx, const char *path, bool fresh, rico_drive **out)
{
    rico_drive *drive = rico_alloc(ctx, 1, sizeof *drive);
    if (!drive) return RICO_NO_MEMORY;
    drive->ctx = ctx;
    drive->driver = -1;
    drive->descriptor = -1;
    drive->kill_at = -1;
    pthread_mutex_init(&drive->mutex, NULL);
    pthread_cond_init(&drive->filled, NULL);
    pthread_cond_init(&drive->emptied, NULL);

    drive->ring = rico_alloc(ctx, RING, 1);
    rico_status status = drive->ring ? open_file(ctx, path, fresh, drive) : RICO_NO_MEMORY;
    if (status != RICO_OK) {
        rico_drive_destroy(drive);
        return status;
    }
    start_thread(drive);
    *out = drive;
    return RICO_OK;
}


void rico_drive_destroy(rico_drive *drive)
{
    if (!drive) return;
    if (drive->threaded) {
        pthread_mutex_lock(&drive->mutex);
        drive->stop = true;
        pthread_cond_signal(&drive->filled);
        pthread_mutex_unlock(&drive->mutex);
        pthread_join(drive->thread, NULL);
    }
    if (drive->driver >= 0) H5FDunregister(drive->driver);
    rico_journal_destroy(drive->journal);
    if (drive->descriptor >= 0) close(drive->descriptor);
    pthread_cond_destroy(&drive->emptied);
    pthread_cond_destroy(&drive->filled);
    pthread_mutex_destroy(&drive->mutex);
    rico_free(drive->ctx, drive->ring);
    rico_free(drive->ctx, drive);
}
