// BLAS held to one thread while the library uses it.
//
// OpenBLAS splits long sums between its threads, so that results would depend on their number. The number is the
// process's, which belongs to whoever wrote the program: the library lowers it for the length of its own calls and puts
// back what it found when the last of them ends, on whichever thread.

#ifndef RICO_LA_BLAS_H
#define RICO_LA_BLAS_H

#include <stdbool.h>

// Around every use of BLAS, LAPACK and what calls them: `held = rico_blas_hold(); ...; rico_blas_release(held);`. Scopes may
// nest and run side by side. Costs two loads where the program itself keeps BLAS at one thread.
bool rico_blas_hold(void);
void rico_blas_release(bool held);

// One thread for good: for programs, which may decide that; never called by the library.
void rico_blas_serial(void);

#endif
