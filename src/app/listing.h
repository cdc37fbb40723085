// Commands that list the entries of a table of the library, or tell about one of them, as text or as JSON.

#ifndef RICO_APP_LISTING_H
#define RICO_APP_LISTING_H

#include "app/app.h"

// What the functions take and give is an entry of the table.
typedef struct rico_listing {
    const rico_command *command;
    const char *what; // "solver"
    rico_status (*choose)(rico_context *ctx, const char *name, const void **entry);
    void (*print_list)(rico_app *app);
    void (*print_one)(rico_app *app, const void *entry);
    void (*print_json)(rico_app *app, const void *only); // NULL: of all
} rico_listing;

extern const rico_cli_option rico_listing_options[]; // --json

int rico_listing_run(rico_app *app, const rico_listing *listing, int argc, char **argv);

#endif
