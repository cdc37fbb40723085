// Options by name: what solvers, schemes and laws have in common. Each has a table of them; values are numbers inside.

#ifndef RICOCHET_OPTION_H
#define RICOCHET_OPTION_H

typedef enum rico_option_type { RICO_REAL, RICO_INTEGER, RICO_FLAG, RICO_CHOICE } rico_option_type;

typedef struct rico_option_info {
    const char *name;
    const char *help; // one line
    rico_option_type type;
    double low, high;           // inclusive range of numbers
    double standard;            // default: number, 0 or 1 for a flag, index for a choice
    const char *const *choices; // NULL-terminated, for a choice
} rico_option_info;

#endif
