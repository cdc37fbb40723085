// The reference of a schema, in Markdown.

#include "scene/schema.h"

#include <math.h>
#include <string.h>

// Schemas met so far, in the order of their sections.
enum { MOST_SCHEMAS = 128 };
typedef struct sections {
    const rico_schema *schema[MOST_SCHEMAS];
    int count;
} sections;


static void note(sections *met, const rico_schema *schema)
{
    if (!schema) return;
    for (int i = 0; i < met->count; i++) {
        if (met->schema[i] == schema) return;
    }
    if (met->count < MOST_SCHEMAS) met->schema[met->count++] = schema;
}


static void print_range(const rico_schema_key *key, rico_text *out)
{
    bool above = key->flags & RICO_KEY_ABOVE, below = key->flags & RICO_KEY_BELOW;
    if (key->low == 0.0 && key->high == 0.0) return;
    if (isinf(key->high) && isinf(key->low)) return;
    if (isinf(key->high))
        rico_text_add(out, " %s %g", above ? ">" : ">=", key->low);
    else if (isinf(key->low))
        rico_text_add(out, " %s %g", below ? "<" : "<=", key->high);
    else
        rico_text_add(out, " in %s%g, %g%s", above ? "(" : "[", key->low, key->high, below ? ")" : "]");
}


static void print_count(const rico_schema_key *key, rico_text *out)
{
    if (key->most > 0 && key->least == key->most)
        rico_text_add(out, " (%lld)", (long long)key->least);
    else if (key->most > 0 && key->least == 0)
        rico_text_add(out, " (at most %lld)", (long long)key->most);
    else if (key->most > 0)
        rico_text_add(out, " (%lld to %lld)", (long long)key->least, (long long)key->most);
    else if (key->least > 0)
        rico_text_add(out, " (%lld or more)", (long long)key->least);
}


static void print_choices(const rico_schema_key *key, const rico_schema *owner, rico_text *out)
{
    rico_text_add(out, "one of ");
    for (int i = 0; key->choice && key->choice(i); i++)
        rico_text_add(out, "%s`%s`", i > 0 ? ", " : "", key->choice(i));
    for (int i = 0; !key->choice && owner->variants && owner->variants[i].name; i++)
        rico_text_add(out, "%s`%s`", i > 0 ? ", " : "", owner->variants[i].name);
}


// A link to the section of a schema, by the anchor that Markdown makes of its heading.
static void print_link(const rico_schema *sub, rico_text *out)
{
    if (!sub) return;
    rico_text_add(out, "[%s](#", sub->title);
    for (const char *c = sub->title; *c; c++) rico_text_add(out, "%c", *c == ' ' ? '-' : *c);
    rico_text_add(out, ")");
}


static void print_kind(const rico_schema_key *key, const rico_schema *owner, rico_text *out)
{
    static const char *const names[] = {
        [RICO_WANT_REAL] = "number",
        [RICO_WANT_INTEGER] = "whole number",
        [RICO_WANT_FLAG] = "true or false",
        [RICO_WANT_TEXT] = "text",
        [RICO_WANT_PATH] = "path of a file",
        [RICO_WANT_CHOICE] = "",
        [RICO_WANT_FORMULA] = "formula",
        [RICO_WANT_FORMULAS] = "list of formulas",
        [RICO_WANT_TEXTS] = "list of names",
        [RICO_WANT_REALS] = "list of numbers",
        [RICO_WANT_VECTOR] = "vector",
        [RICO_WANT_MATRIX] = "matrix",
        [RICO_WANT_MAPPING] = "mapping ",
        [RICO_WANT_LIST] = "list of ",
        [RICO_WANT_NAMED] = "mapping of names to ",
        [RICO_WANT_ANY] = "any",
    };
    rico_text_add(out, "%s", names[key->want]);
    if (key->want == RICO_WANT_CHOICE) print_choices(key, owner, out);
    if (key->sub)
        print_link(key->sub, out);
    else if (key->want == RICO_WANT_NAMED)
        rico_text_add(out, "values");
    print_range(key, out);
    print_count(key, out);
    if (key->unit) rico_text_add(out, ", %s", key->unit);
}


// Rivals of a key in its own table: "not with `b`".
static void print_rivals(const rico_schema_key *keys, const rico_schema_key *key, rico_text *out)
{
    bool first = true;
    for (const rico_schema_key *other = keys; key->group && other->name; other++) {
        if (other == key || !other->group || strcmp(other->group, key->group) != 0) continue;
        rico_text_add(out, "%s `%s`", first ? "; not with" : ",", other->name);
        first = false;
    }
}


static void print_table(const rico_schema_key *keys, const rico_schema *owner, sections *met, rico_text *out)
{
    if (!keys || !keys->name) return;
    rico_text_add(out, "| key | value | default | meaning |\n| --- | --- | --- | --- |\n");
    for (const rico_schema_key *key = keys; key->name; key++) {
        rico_text_add(out, "| `%s` | ", key->name);
        print_kind(key, owner, out);
        if (key->standard)
            rico_text_add(out, " | `%s` | ", key->standard);
        else
            rico_text_add(out, " | %s | ",
                          key->flags & RICO_KEY_REQUIRED ? "required"
                          : key->flags & RICO_KEY_SOME   ? "one required"
                                                         : "");
        rico_text_add(out, "%s", key->help ? key->help : "");
        print_rivals(keys, key, out);
        rico_text_add(out, " |\n");
        note(met, key->sub);
    }
    rico_text_add(out, "\n");
}


rico_status rico_schema_print(const rico_schema *schema, rico_text *out)
{
    sections met = {0};
    note(&met, schema);
    for (int i = 0; i < met.count; i++) {
        const rico_schema *now = met.schema[i];
        rico_text_add(out, "## %s\n\n", now->title);
        if (now->help) rico_text_add(out, "%s\n\n", now->help);
        if (now->shorthand)
            rico_text_add(out, "A single value in place of the mapping is its `%s`.\n\n", now->shorthand);
        print_table(now->keys, now, &met, out);
        for (const rico_schema_variant *variant = now->variants; variant && variant->name; variant++) {
            rico_text_add(out, "With `%s: %s`: %s\n\n", now->selector, variant->name,
                          variant->help ? variant->help : "");
            print_table(variant->keys, now, &met, out);
        }
    }
    return out->status;
}
