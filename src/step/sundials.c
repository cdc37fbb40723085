// What SUNDIALS says goes into a text instead of onto the terminal: by the context from 7 on, by each integrator before.

#include "step/sundials.h"

#include <stdio.h>

#if SUNDIALS_VERSION_MAJOR >= 7

static void listen(int line, const char *function, const char *file, const char *text, SUNErrCode code,
                   void *user, SUNContext sun)
{
    (void)line, (void)file, (void)sun;
    snprintf(user, RICO_SUNDIALS_WORDS, "%s: %s", function, text ? text : SUNGetErrMsg(code));
}


bool rico_sundials_open(char words[RICO_SUNDIALS_WORDS], SUNContext *out)
{
    SUNLogger logger = NULL;
    *out = NULL;
    if (SUNContext_Create(SUN_COMM_NULL, out) != 0) return false;
    // the handler that stands there logs, and so would warnings: neither may reach the terminal
    bool whole = SUNContext_ClearErrHandlers(*out) == 0 &&
                 SUNContext_PushErrHandler(*out, listen, words) == 0 &&
                 SUNContext_GetLogger(*out, &logger) == 0 && SUNLogger_SetWarningFilename(logger, "") == 0 &&
                 SUNLogger_SetErrorFilename(logger, "") == 0;
    if (!whole) SUNContext_Free(out);
    return whole;
}


int rico_sundials_listen(void *ark, char words[RICO_SUNDIALS_WORDS])
{
    (void)ark, (void)words;
    return 0;
}

#else

static void listen(int code, const char *module, const char *function, char *text, void *user)
{
    (void)code, (void)module;
    snprintf(user, RICO_SUNDIALS_WORDS, "%s: %s", function, text);
}


bool rico_sundials_open(char words[RICO_SUNDIALS_WORDS], SUNContext *out)
{
    (void)words;
    *out = NULL;
    return SUNContext_Create(NULL, out) == 0;
}


int rico_sundials_listen(void *ark, char words[RICO_SUNDIALS_WORDS])
{
    return ERKStepSetErrHandlerFn(ark, listen, words);
}

#endif
