// The count of those who hold BLAS to one thread, and the number of threads that it goes back to.

#include "la/blas.h"

#include <cblas.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int holders; // under the lock
static int before;  // the number of threads that the first of them found

// Odd from the first holder to the last; even and unchanged around a look at BLAS means that what was seen there was not
// lowered by us, so that nobody of us will raise it again.
static atomic_uint turn;


bool rico_blas_hold(void)
{
    unsigned seen = atomic_load(&turn);
    if (seen % 2 == 0 && openblas_get_num_threads() == 1 && atomic_load(&turn) == seen) return false;

    pthread_mutex_lock(&lock);
    if (holders++ == 0) {
        atomic_fetch_add(&turn, 1);
        before = openblas_get_num_threads();
        if (before != 1) openblas_set_num_threads(1);
    }
    pthread_mutex_unlock(&lock);
    return true;
}


void rico_blas_release(bool held)
{
    if (!held) return;
    pthread_mutex_lock(&lock);
    if (--holders == 0) {
        if (before != 1) openblas_set_num_threads(before);
        atomic_fetch_add(&turn, 1);
    }
    pthread_mutex_unlock(&lock);
}


void rico_blas_serial(void)
{
    if (openblas_get_num_threads() != 1) openblas_set_num_threads(1);
}
