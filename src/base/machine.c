// What the machine has: memory.

#include "base/context.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The number on the first line of a file, INFINITY when there is none ("max", or no such file).
static double read_number(const char *path)
{
    double number = INFINITY;
    FILE *file = fopen(path, "r");
    if (!file) return INFINITY;
    if (fscanf(file, "%lf", &number) != 1) number = INFINITY;
    fclose(file);
    return number;
}


// The number after a name at the beginning of a line, INFINITY when there is none.
static double find_number(const char *path, const char *name)
{
    char line[256];
    double number = INFINITY;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0) number = strtod(line + strlen(name), NULL);
    if (file) fclose(file);
    return number;
}


double rico_machine_memory(void)
{
    // files that the system keeps in memory give way: of a group of processes only what is no file counts
    static const char *const most_of_group = "/sys/fs/cgroup/memory.max", *const of_group =
                                                                              "/sys/fs/cgroup/memory.stat";
    double most = read_number(most_of_group), used = find_number(of_group, "anon ");
    double left = isfinite(most) && isfinite(used) ? fmax(most - used, 0.0) : INFINITY;
    return fmin(1024.0 * find_number("/proc/meminfo", "MemAvailable:"), left);
}
