// Two neighbouring numbers in one register; any address will do.

#ifndef RICO_LA_PAIR_H
#define RICO_LA_PAIR_H

typedef double rico_pair __attribute__((vector_size(16), aligned(8), may_alias));

#endif
