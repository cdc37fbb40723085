// A picture of a structure: as it stands with the forces of its contacts, and moved along its mechanism.

#include "base/context.h"
#include "lab/limit_report.h"

rico_status rico_limit_report_draw(rico_limit_report *report, const char *path)
{
    (void)path;
    return rico_fail(report->ctx, RICO_UNSUPPORTED, "pictures of structures are not there yet");
}
