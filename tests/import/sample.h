// What the tests of imports share: a model in a text, imported and read as a scene.

#ifndef RICO_TESTS_IMPORT_SAMPLE_H
#define RICO_TESTS_IMPORT_SAMPLE_H

#include "support.h"

#include "model/bodies.h"
#include "ricochet/import.h"
#include "ricochet/scene.h"

#define WORLD(more) "<mujoco><worldbody>" more "</worldbody></mujoco>"

typedef struct sample {
    rico_context *ctx;
    char *text;
    rico_scene *scene;
    const rico_bodies *bodies;
    rico_place place;
    int64_t warnings;
    char said[4000];
} sample;


static void count_warning(void *user, rico_log_level level, const char *text)
{
    (void)level;
    sample *self = user;
    size_t used = strlen(self->said);
    snprintf(self->said + used, sizeof self->said - used, "%s\n", text);
    self->warnings++;
}


// Imports; the text is NULL, and the context says why, where it was refused.
static inline void sample_import(sample *self, const char *model, const char *key)
{
    rico_import_options options = rico_import_defaults();
    options.key = key;
    *self = (sample){.ctx = rico_context_create(NULL)};
    assert_non_null(self->ctx);
    rico_context_set_log(self->ctx, count_warning, self, RICO_LOG_WARNING);
    rico_status status =
        rico_import_text(self->ctx, "model.xml", model, (int64_t)strlen(model), &options, &self->text);
    assert_int_equal(status == RICO_OK, self->text != NULL);
    rico_context_set_log(self->ctx, NULL, NULL, RICO_LOG_WARNING);
}


static inline void sample_read(sample *self, const char *model, const char *key)
{
    char excerpt[400] = "";
    sample_import(self, model, key);
    if (!self->text) fail_msg("%s", rico_message(self->ctx));
    rico_status status = rico_scene_parse(self->ctx, "model.xml", self->text, (int64_t)strlen(self->text), 0,
                                          NULL, excerpt, sizeof excerpt, &self->scene);
    if (status != RICO_OK) fail_msg("%s\n%s\n%s", rico_message(self->ctx), excerpt, self->text);
    self->bodies = rico_scene_body_set(self->scene, &self->place, NULL);
}


static inline const rico_bound_body *sample_body(const sample *self, const char *name)
{
    int64_t index = rico_bodies_find(self->bodies, name);
    if (index < 0) fail_msg("no body '%s' in\n%s", name, self->text);
    return &self->bodies->body[index];
}


static inline void sample_release(sample *self)
{
    rico_scene_destroy(self->scene);
    rico_import_free(self->ctx, self->text);
    rico_context_destroy(self->ctx);
}

#endif
