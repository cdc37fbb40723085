// The one way in which commands that list something read their words.

#include "app/listing.h"

typedef struct listing_settings {
    bool json;
} listing_settings;

const rico_cli_option rico_listing_options[] = {
    {.name = "json",
     .help = "print one JSON document instead of a table",
     .kind = RICO_CLI_FLAG,
     .field = offsetof(listing_settings, json)},
    {0},
};


int rico_listing_run(rico_app *app, const rico_listing *listing, int argc, char **argv)
{
    const rico_command *self = listing->command;
    listing_settings settings = {0};
    rico_cli_words names;
    int code;
    if (!rico_app_parse(app, self, argc, argv, &settings, &names, &code)) return code;

    const void *entry = NULL;
    rico_status status = RICO_OK;
    if (names.count > 1)
        status = rico_fail(app->ctx, RICO_BAD_ARGUMENT, "one %s at a time, got also '%s'", listing->what,
                           names.item[1]);
    else if (names.count == 1)
        status = listing->choose(app->ctx, names.item[0], &entry);

    if (status != RICO_OK)
        code = rico_app_complain(app, self, status);
    else if (settings.json)
        listing->print_json(app, entry);
    else if (entry != NULL)
        listing->print_one(app, entry);
    else
        listing->print_list(app);
    rico_cli_release(app->ctx, self->options, &settings, &names);
    return code;
}
