// A file driver for HDF5 whose file is, at every moment, a prefix of what HDF5 has written.
//
// HDF5 hands its writes over; a thread of ours, which never calls HDF5, carries them out in the same order. The run
// pays for a copy in memory at most, less than a tenth of what the system asks for a page that is new to the file. When the
// system refuses a write, nothing after it is written either and HDF5 is not told: its caches empty themselves into
// the void and it closes in peace, where a failing close would leave it broken until the program ends. The file is
// then as if the program had been killed at that write, a case that must be sound anyway. Whoever uses the drive asks
// rico_drive_error() whether that has happened.

#ifndef RICO_STORE_DRIVE_H
#define RICO_STORE_DRIVE_H

#include "base/context.h"

#include <hdf5.h>

typedef struct rico_drive rico_drive;

// Opens a file for reading and writing, a new one where `fresh`, and locks it against other runs until the drive is
// destroyed. RICO_IO_ERROR, the message after the path.
rico_status rico_drive_create(rico_context *ctx, const char *path, bool fresh, rico_drive **out);

// From now on, writes that a kill could tear are noted in a journal beside the archive at `path`, which is this file.
rico_status rico_drive_keep_journal(rico_drive *drive, const char *path);

// Finishes a write that a kill has torn, in the archive at `path`, unless a run is at it. What cannot be mended stays.
void rico_drive_mend(rico_context *ctx, const char *path);

// Waits for the writes under way and closes the file. HDF5 must have closed it before. Takes NULL.
void rico_drive_destroy(rico_drive *drive);

// Makes a file access property list lead to this drive, whatever path HDF5 is then told. Negative on failure.
herr_t rico_drive_attach(rico_drive *drive, hid_t access);

// What the system said (errno) when it first refused to write, 0 as long as it has not.
int rico_drive_error(rico_drive *drive);

// Waits until everything handed over is written or lost; returns the same.
int rico_drive_drain(rico_drive *drive);

// Lends bytes, until NULL is lent: what HDF5 writes of them is not copied. They must stay as they are until the
// drive has passed the ticket that it gives out after the writes.
void rico_drive_lend(rico_drive *drive, const void *bytes, int64_t size);
int64_t rico_drive_ticket(const rico_drive *drive);
void rico_drive_wait(rico_drive *drive, int64_t ticket);

// Bytes of the file once that is done.
int64_t rico_drive_size(const rico_drive *drive);

// For tests: the process kills itself at a write, counted from 0 as they come. Where `torn`, the pages of that write
// before its last come into the file first, as when a kill interrupts the system between two pages.
void rico_drive_kill_at(rico_drive *drive, int64_t write, bool torn);
int64_t rico_drive_writes(rico_drive *drive); // so far

// Whether a run holds the lock of the file at `path`. False when there is no such file.
bool rico_drive_busy(const char *path);

#endif
