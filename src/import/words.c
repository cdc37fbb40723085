// Elements and attributes against the table of their format.

#include "import/words.h"

#include "base/suggest.h"
#include "import/model.h"

#include <string.h>

static bool among(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; at && length > 0 && (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return true;
    return false;
}


// Zeros, or a word that switches off what would be refused.
static bool says_nothing(const char *value)
{
    if (strcmp(value, "none") == 0 || strcmp(value, "false") == 0 || strcmp(value, "enable") == 0)
        return true;
    return value[strspn(value, " \t\r\n+-.0")] == '\0';
}


const rico_word *rico_words_find(const rico_words *words, const rico_element *element)
{
    const char *place = element->parent ? words->place(element->parent) : "";
    for (int i = 0; i < words->count; i++) {
        const rico_word *row = &words->row[i];
        if (strcmp(row->name, element->name) == 0 &&
            (strcmp(row->where, "*") == 0 || strcmp(row->where, place) == 0))
            return row;
    }
    // defaults have the attributes of what they are defaults of, wherever that stands
    if (strcmp(place, "default") != 0) return NULL;
    for (int i = 0; i < words->count; i++)
        if (strcmp(words->row[i].name, element->name) == 0) return &words->row[i];
    return NULL;
}


static rico_status unknown(rico_import *import, const rico_words *words, const rico_element *element,
                           const char *attribute)
{
    rico_suggestion near;
    char hint[RICO_SUGGEST_SENTENCE];
    rico_suggest_start(&near, attribute ? attribute : element->name);
    if (!attribute)
        for (int i = 0; i < words->count; i++) rico_suggest_offer(&near, words->row[i].name);
    rico_suggest_sentence(&near, "", hint);
    if (!words->strict) {
        if (attribute)
            return rico_import_warn(import, element, "attribute '%.60s' is not %s's and left out", attribute,
                                    words->format);
        return rico_import_warn(import, element, "is not %s's and left out, with all in it", words->format);
    }
    if (attribute)
        return rico_element_fail(import->ctx, element, "has an attribute '%.60s' that %s does not have",
                                 attribute, words->format);
    return rico_element_fail(import->ctx, element, "is no element of %s here%s", words->format, hint);
}


static bool waived(const rico_import *import, const char *word)
{
    for (int64_t i = 0; i < import->options->ignore_count; i++)
        if (strcmp(import->options->ignore[i], word) == 0) return true;
    return false;
}


static rico_status refuse(rico_import *import, const rico_element *element, const char *attribute,
                          const char *why)
{
    const char *word = attribute ? attribute : element->name;
    const char *reason = why ? why : "there is nothing like it here";
    if (waived(import, word))
        return rico_import_warn(import, element, "%s%s is left out, as asked: %s",
                                attribute ? "attribute " : "", attribute ? attribute : "", reason);
    if (attribute)
        return rico_element_fail(import->ctx, element,
                                 "attribute '%.60s' is refused: %s; --ignore %.60s imports the rest",
                                 attribute, reason, attribute);
    return rico_element_fail(import->ctx, element, "is refused: %s; --ignore %.60s imports the rest", reason,
                             word);
}


static rico_status check_attribute(rico_import *import, const rico_words *words, const rico_element *element,
                                   const rico_word *row, const rico_attribute *attribute)
{
    const char *name = attribute->name;
    if (among(row->taken, name)) return RICO_OK;
    if (among(row->looks, name) || strncmp(name, "xmlns", 5) == 0) {
        import->looks++;
        return RICO_OK;
    }
    if (among(row->ignored, name))
        return rico_import_warn(import, element, "attribute '%s' is ignored%s%s", name, row->why ? ": " : "",
                                row->why ? row->why : "");
    if (among(row->refused, name))
        return says_nothing(attribute->value)
                   ? RICO_OK
                   : refuse(import, element, name, row->refuses ? row->refuses : row->why);
    return unknown(import, words, element, name);
}


rico_status rico_words_check(rico_import *import, const rico_words *words, const rico_element *element)
{
    const rico_word *row = rico_words_find(words, element);
    if (!row) return unknown(import, words, element, NULL);
    if (row->verdict == RICO_WORD_LOOKS) {
        import->looks++;
        return RICO_OK;
    }
    if (row->verdict == RICO_WORD_REFUSED) return refuse(import, element, NULL, row->why);
    if (row->verdict == RICO_WORD_IGNORED)
        return rico_import_warn(import, element, "is ignored: %s", row->why ? row->why : "");
    rico_status status = RICO_OK;
    if (element->text)
        status = rico_import_warn(import, element, "has words between its elements, which are left out");
    for (int64_t i = 0; status == RICO_OK && i < element->attributes; i++)
        status = check_attribute(import, words, element, row, &element->attribute[i]);
    for (const rico_element *child = element->first; status == RICO_OK && child; child = child->next)
        status = rico_words_check(import, words, child);
    return status;
}


// "`pos` `quat`", "" for none.
static void print_list(rico_text *text, const char *list)
{
    for (const char *at = list; at && *at;) {
        size_t length = strcspn(at, " ");
        rico_text_add(text, "%s`%.*s`", at == list ? "" : " ", (int)length, at);
        at += length + strspn(at + length, " ");
    }
}


void rico_words_print(const rico_words *words, rico_text *text)
{
    static const char *const VERDICT[] = {"taken", "looks", "ignored", "refused"};
    rico_text_add(text, "| element | in | | taken | looks | ignored with a warning | refused |\n"
                        "| --- | --- | --- | --- | --- | --- | --- |\n");
    for (int i = 0; i < words->count; i++) {
        const rico_word *row = &words->row[i];
        rico_text_add(text, "| `%s` | %s | %s | ", row->name,
                      strcmp(row->where, "*") == 0 ? "any"
                      : *row->where                ? row->where
                                                   : "the file",
                      VERDICT[row->verdict]);
        print_list(text, row->taken);
        rico_text_add(text, " | ");
        print_list(text, row->looks);
        rico_text_add(text, " | ");
        print_list(text, row->ignored);
        if (row->verdict == RICO_WORD_IGNORED && row->why) rico_text_add(text, "%s", row->why);
        rico_text_add(text, " | ");
        print_list(text, row->refused);
        if (row->verdict == RICO_WORD_REFUSED && row->why) rico_text_add(text, "%s", row->why);
        rico_text_add(text, " |\n");
    }
}
