// Monotonic time in seconds, for limits and statistics.

#ifndef RICO_BASE_CLOCK_H
#define RICO_BASE_CLOCK_H

double rico_clock(void);

#endif
