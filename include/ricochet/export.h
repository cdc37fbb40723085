// Marks what a public header declares: C linkage for C++ callers, visible in the shared library.

#ifndef RICOCHET_EXPORT_H
#define RICOCHET_EXPORT_H

#if defined(__GNUC__)
#define RICO_VISIBLE_BEGIN _Pragma("GCC visibility push(default)")
#define RICO_VISIBLE_END _Pragma("GCC visibility pop")
#else
#define RICO_VISIBLE_BEGIN
#define RICO_VISIBLE_END
#endif

#ifdef __cplusplus
#define RICO_API_BEGIN                                                                                       \
    extern "C" {                                                                                             \
    RICO_VISIBLE_BEGIN
#define RICO_API_END                                                                                         \
    RICO_VISIBLE_END                                                                                         \
    }
#else
#define RICO_API_BEGIN RICO_VISIBLE_BEGIN
#define RICO_API_END RICO_VISIBLE_END
#endif

#endif
