// Floating-point operations that this process does, counted by the processor itself.
//
// No two makers of processors count by the same event, some machines have no counters and some keep them from their
// users. So a counter is believed only once it has counted a loop whose operations are known, and where none can be
// believed there is a sentence instead of a number.

#ifndef RICO_LAB_FLOPS_H
#define RICO_LAB_FLOPS_H

#include "base/context.h"

// What a counter stands at, and the nanoseconds for which it was wanted and for which it ran: the system shares
// counters between programs when there are too few.
typedef struct rico_flops_reading {
    uint64_t count, wanted, ran;
} rico_flops_reading;

// Where counters come from; tests have one of their own.
typedef struct rico_flops_source {
    char vendor[16];    // as /proc/cpuinfo has it: "AuthenticAMD"
    char processor[64]; // "AMD EPYC 9654 96-Core Processor"
    void *user;
    int (*open)(void *user, uint64_t event); // a counter that runs, or minus errno
    bool (*read)(void *user, int counter, rico_flops_reading *reading);
    void (*close)(void *user, int counter);
} rico_flops_source;

// This machine's, of this process in user space and of threads that it starts from now on.
rico_flops_source rico_flops_machine(void);

enum { RICO_FLOPS_EVENTS = 4 };

// A set of counters whose weighted sum is the number of operations. All zero is a set that counts nothing.
typedef struct rico_flops {
    rico_flops_source source;
    int count;
    int counter[RICO_FLOPS_EVENTS];
    double weight[RICO_FLOPS_EVENTS];
    rico_flops_reading began[RICO_FLOPS_EVENTS];
} rico_flops;

// RICO_UNSUPPORTED where the operations cannot be counted. rico_flops_close() takes all that open leaves.
rico_status rico_flops_open(rico_context *ctx, const rico_flops_source *source, rico_flops *flops);
void rico_flops_close(rico_flops *flops);

// The operations between start and stop: an addition, multiplication, division or square root is one in every lane
// of a vector, a fused multiplication and addition two. RICO_UNSUPPORTED when the counters were lent out meanwhile.
rico_status rico_flops_start(rico_context *ctx, rico_flops *flops);
rico_status rico_flops_stop(rico_context *ctx, rico_flops *flops, double *operations);

// A loop of that many additions and as many multiplications, each of which waits for the one before, so that no
// compiler makes it another one; returns what they come to.
double rico_flops_loop(int64_t rounds);

#endif
