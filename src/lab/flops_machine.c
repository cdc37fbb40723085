// Counters of this machine's processor, through Linux' perf_event_open(); other systems have none that we know of.

#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier): syscall()

#include "lab/flops.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__

#include <linux/perf_event.h>
#include <sys/syscall.h>

// Pinned: all the time or not at all. Inherited: threads of OpenMP and OpenBLAS count as well.
static int open_counter(void *user, uint64_t event)
{
    (void)user;
    struct perf_event_attr attr = {.type = PERF_TYPE_RAW,
                                   .size = sizeof attr,
                                   .config = event,
                                   .read_format =
                                       PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
                                   .inherit = 1,
                                   .pinned = 1,
                                   .exclude_kernel = 1,
                                   .exclude_hv = 1};
    long counter = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    return counter >= 0 ? (int)counter : -errno;
}


static bool read_counter(void *user, int counter, rico_flops_reading *reading)
{
    (void)user;
    return read(counter, reading, sizeof *reading) == (ssize_t)sizeof *reading;
}


static void close_counter(void *user, int counter)
{
    (void)user;
    close(counter);
}


// The value behind "NAME<blanks>: " in a line of /proc/cpuinfo.
static bool take_value(const char *line, const char *name, size_t size, char *value)
{
    size_t length = strlen(name);
    const char *colon = strchr(line, ':');
    if (strncmp(line, name, length) != 0 || colon == NULL ||
        strspn(line + length, " \t") + length != (size_t)(colon - line))
        return false;
    snprintf(value, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
    value[strcspn(value, "\n")] = '\0';
    return true;
}


rico_flops_source rico_flops_machine(void)
{
    rico_flops_source source = {.processor = "a processor without a name",
                                .open = open_counter,
                                .read = read_counter,
                                .close = close_counter};
    FILE *in = fopen("/proc/cpuinfo", "r");
    char line[256];
    for (int left = 2; in != NULL && left > 0 && fgets(line, sizeof line, in) != NULL;)
        left -= take_value(line, "vendor_id", sizeof source.vendor, source.vendor) ||
                take_value(line, "model name", sizeof source.processor, source.processor);
    if (in != NULL) fclose(in);
    return source;
}

#else

rico_flops_source rico_flops_machine(void)
{
    return (rico_flops_source){.processor = "a system without perf_event_open()"};
}

#endif
