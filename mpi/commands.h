// The commands of rico-mpi.

#ifndef RICO_MPI_COMMANDS_H
#define RICO_MPI_COMMANDS_H

#include "app/app.h"

extern const rico_command rico_mpi_command_solve;
extern const rico_command rico_mpi_command_run;

#endif
