// What a scene asks to be written, beside the rows of every n-th step.

#include "scene/scene_private.h"

#include <math.h>

rico_status rico_scene_read_output(const rico_scene *scene, rico_scene_output *out)
{
    rico_document *document = scene->document;
    const rico_node *node = rico_node_at(rico_document_root(document), "output"),
                    *interval = rico_node_at(node, "interval"), *times = rico_node_at(node, "times"),
                    *impacts = rico_node_at(node, "impacts");
    *out = (rico_scene_output){0};
    rico_status status = RICO_OK;
    if (interval) status = rico_document_real(document, interval, &out->interval);
    if (status == RICO_OK && impacts) status = rico_document_flag(document, impacts, &out->impacts);
    if (status == RICO_OK && times) status = rico_document_reals(document, times, &out->count, &out->time);
    if (status == RICO_OK && interval && times)
        status = rico_document_fail(document, times, "'interval' and 'times' exclude each other");
    for (int64_t i = 0; status == RICO_OK && i < out->count; i++) {
        double before = i ? out->time[i - 1] : rico_scene_times(scene).start;
        if (i ? out->time[i] > before : out->time[i] >= before) continue;
        status = rico_document_fail(document, times, "'times' must ascend from the start: %g comes after %g",
                                    out->time[i], before);
    }
    if (status != RICO_OK) {
        rico_free(scene->ctx, out->time);
        *out = (rico_scene_output){0};
    }
    return status;
}
