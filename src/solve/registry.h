// Looking up a method by name.

#ifndef RICO_SOLVE_REGISTRY_H
#define RICO_SOLVE_REGISTRY_H

#include "solve/method.h"

// NULL for an unknown name.
const rico_method *rico_method_find(const char *name);

#endif
