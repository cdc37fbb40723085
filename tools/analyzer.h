// For the static analyzer alone, which tools/lint makes read this after base/context.h in every file.
//
// The analyzer sees one file at a time. Without the body of rico_fail() it believes that a failure may come back
// as RICO_OK, and reports what would follow; here it is told that the status comes back as given.

#define rico_fail(ctx, status, ...) (rico_fail(ctx, status, __VA_ARGS__), (status))
#define rico_fail_in(ctx, status, prefix) (rico_fail_in(ctx, status, prefix), (status))
