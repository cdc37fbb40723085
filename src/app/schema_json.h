// Schemas of scenes for editors.

#ifndef RICO_APP_SCHEMA_JSON_H
#define RICO_APP_SCHEMA_JSON_H

#include "scene/schema.h"

#include <stdio.h>

// Writes a schema and all below it as one JSON Schema, draft 7.
void rico_schema_json(FILE *out, const rico_schema *schema);

#endif
