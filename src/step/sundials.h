// SUNDIALS 6 and 7 under one set of names: a context that prints nothing, and ARKODE with an explicit method.

#ifndef RICO_STEP_SUNDIALS_H
#define RICO_STEP_SUNDIALS_H

#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>
#include <stdbool.h>
#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>

// From 7.1 on these belong to all integrators of ARKODE alike, and their old names are about to go.
#if SUNDIALS_VERSION_MAJOR > 7 || (SUNDIALS_VERSION_MAJOR == 7 && SUNDIALS_VERSION_MINOR >= 1)
#define ERKStepEvolve ARKodeEvolve
#define ERKStepFree ARKodeFree
#define ERKStepGetCurrentStep ARKodeGetCurrentStep
#define ERKStepGetRootInfo ARKodeGetRootInfo
#define ERKStepReset ARKodeReset
#define ERKStepRootInit ARKodeRootInit
#define ERKStepSVtolerances ARKodeSVtolerances
#define ERKStepSetInitStep ARKodeSetInitStep
#define ERKStepSetInterpolantDegree ARKodeSetInterpolantDegree
#define ERKStepSetMaxStep ARKodeSetMaxStep
#define ERKStepSetNoInactiveRootWarn ARKodeSetNoInactiveRootWarn
#define ERKStepSetRootDirection ARKodeSetRootDirection
#define ERKStepSetStopTime ARKodeSetStopTime
#define ERKStepSetUserData ARKodeSetUserData
#endif

enum { RICO_SUNDIALS_WORDS = 160 };

// A context whose last complaint is left in `words`, which must outlive it. False without memory; nothing is left then.
bool rico_sundials_open(char words[RICO_SUNDIALS_WORDS], SUNContext *out);

// The same for an integrator made with it, where SUNDIALS has complaints of each. 0 or a code of ARKODE.
int rico_sundials_listen(void *ark, char words[RICO_SUNDIALS_WORDS]);

#endif
