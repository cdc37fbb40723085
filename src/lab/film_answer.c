// A server for result files: what it answers, and what it refuses.

#include "lab/film_server.h"

#include "base/context.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

// Nothing may be kept, framed, guessed at or loaded from anywhere else.
static const char RULES[] =
    "Cache-Control: no-store\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "X-Frame-Options: DENY\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Content-Security-Policy: default-src 'none'; script-src 'self'; connect-src 'self' blob:; style-src "
    "'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    "Connection: close\r\n";

static const struct {
    int code;
    const char *words;
} REASONS[] = {{200, "OK"},        {400, "Bad Request"},        {403, "Forbidden"},
               {404, "Not Found"}, {405, "Method Not Allowed"}, {500, "Internal Server Error"}};


static const char *reason_of(int code)
{
    for (size_t i = 0; i < sizeof REASONS / sizeof *REASONS; i++)
        if (REASONS[i].code == code) return REASONS[i].words;
    return "";
}


static void head_of(rico_film_answer *out, int code, const char *type)
{
    out->code = code;
    rico_text_add(&out->head, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %lld\r\n%s\r\n", code,
                  reason_of(code), type, (long long)out->size, RULES);
}


static void say(rico_film_answer *out, int code, const char *sentence)
{
    rico_text_add(&out->text, "%s\n", sentence);
    out->body = (const unsigned char *)out->text.data;
    out->size = out->text.length;
    head_of(out, code, "text/plain; charset=utf-8");
}


// The value of a field of the head, cut at `room`; false where there is none. `times`: how often it is there.
static bool field(const char *request, const char *name, char *value, size_t room, int *times)
{
    size_t length = strlen(name);
    *times = 0;
    for (const char *line = strstr(request, "\r\n"); line; line = strstr(line, "\r\n")) {
        line += 2;
        if (strncasecmp(line, name, length) != 0 || line[length] != ':') continue;
        const char *at = line + length + 1 + strspn(line + length + 1, " \t");
        size_t own = strcspn(at, "\r\n");
        while (own > 0 && (at[own - 1] == ' ' || at[own - 1] == '\t')) own--;
        snprintf(value, room, "%.*s", (int)(own < room ? own : room - 1), at);
        if (own >= room) value[0] = '\0';
        ++*times;
    }
    return *times > 0;
}


// Is a text one of our two names, with what stands before them?
static bool is_ours(const rico_film_server *server, const char *before, const char *text)
{
    static const char *const NAMES[] = {"127.0.0.1", "localhost"};
    for (int i = 0; i < 2; i++) {
        char own[64];
        snprintf(own, sizeof own, "%s%s:%d", before, NAMES[i], server->port);
        if (strcasecmp(own, text) == 0) return true;
    }
    return false;
}


// Takes the same time wherever the first wrong letter is.
static bool same_token(const char *own, const char *told)
{
    unsigned difference = 0;
    for (int i = 0; i < RICO_FILM_TOKEN; i++) {
        if (told[i] == '\0') return false;
        difference |= (unsigned char)own[i] ^ (unsigned char)told[i];
    }
    return difference == 0;
}


// Why the request is not answered; NULL where it is.
static const char *refusal(const rico_film_server *server, const char *request, char *path, size_t room,
                           int *code)
{
    char method[16], version[16], value[256];
    int times, end = 0;
    *code = 400;
    if (strlen(request) >= RICO_FILM_REQUEST) return "The request is too long.";
    if (sscanf(request, "%15[A-Z] %511[^ \r\n] %15[^ \r\n]%n", method, path, version, &end) != 3 ||
        strncmp(version, "HTTP/1.", 7) != 0 || strncmp(request + end, "\r\n", 2) != 0 || room < 512)
        return "This is no request of HTTP/1.1.";
    *code = 403;
    if (!field(request, "Host", value, sizeof value, &times) || times != 1 || !is_ours(server, "", value))
        return "Only the address that rico view printed is answered: the request names another host.";
    if (field(request, "Origin", value, sizeof value, &times) &&
        (times != 1 || !is_ours(server, "http://", value)))
        return "Pages of another origin are not answered.";
    if (field(request, "Sec-Fetch-Site", value, sizeof value, &times) && strcmp(value, "same-origin") != 0 &&
        strcmp(value, "none") != 0)
        return "Pages of another site are not answered.";
    if (path[0] != '/' || !same_token(server->token, path + 1) || path[1 + RICO_FILM_TOKEN] != '/')
        return "The path does not begin with the token that rico view printed.";
    *code = 405;
    if (strcmp(method, "GET") != 0) return "There is nothing here but to GET.";
    return NULL;
}


static void give_film(rico_film_server *server, int64_t which, rico_film_answer *out)
{
    rico_film_run *run = &server->run[which];
    if (rico_film_run_update(server->ctx, run) != RICO_OK) {
        say(out, 500, rico_message(server->ctx));
        return;
    }
    out->body = run->film.bytes;
    out->size = run->film.size;
    head_of(out, 200, "application/octet-stream");
}


static void give_rows(rico_film_server *server, int64_t which, rico_film_answer *out)
{
    rico_results *results = NULL;
    if (rico_results_open(server->ctx, server->run[which].path, &results) != RICO_OK) {
        say(out, 500, rico_message(server->ctx));
        return;
    }
    int64_t state = rico_results_find_table(results, "state");
    rico_text_add(&out->text, "{\"rows\": %lld, \"finished\": %s}\n",
                  state >= 0 ? (long long)rico_results_rows(results, state) : 0,
                  rico_results_finished(results) ? "true" : "false");
    rico_results_destroy(results);
    out->body = (const unsigned char *)out->text.data;
    out->size = out->text.length;
    head_of(out, 200, "application/json");
}


static void give_page(rico_film_server *server, int64_t which, rico_film_answer *out)
{
    (void)which;
    rico_page_served(&out->text, server->title, server->runs);
    out->body = (const unsigned char *)out->text.data;
    out->size = out->text.length;
    head_of(out, 200, "text/html; charset=utf-8");
}


static void give_program(rico_film_server *server, int64_t which, rico_film_answer *out)
{
    (void)server, (void)which;
    out->body = rico_viewer_bundle;
    out->size = rico_viewer_bundle_size;
    head_of(out, 200, "text/javascript; charset=utf-8");
}


// What may be asked for, and of which run.
static const struct {
    const char *name;
    int64_t run;
    void (*give)(rico_film_server *server, int64_t which, rico_film_answer *out);
} THINGS[] = {{"", 0, give_page},     {"viewer.js", 0, give_program}, {"film", 0, give_film},
              {"rows", 0, give_rows}, {"film2", 1, give_film},        {"rows2", 1, give_rows}};


rico_status rico_film_server_answer(rico_film_server *server, const char *request, rico_film_answer *out)
{
    char path[512];
    int code;
    *out = (rico_film_answer){.head = {.ctx = server->ctx}, .text = {.ctx = server->ctx}};
    const char *why = refusal(server, request, path, sizeof path, &code);
    if (why) {
        say(out, code, why);
    } else {
        const char *name = path + 2 + RICO_FILM_TOKEN;
        for (size_t i = 0; out->code == 0 && i < sizeof THINGS / sizeof *THINGS; i++)
            if (strcmp(name, THINGS[i].name) == 0 && THINGS[i].run < server->runs)
                THINGS[i].give(server, THINGS[i].run, out);
        if (out->code == 0)
            say(out, 404, "There is nothing of that name here: what rico view was given is all.");
    }
    return out->head.status != RICO_OK ? out->head.status : out->text.status;
}


void rico_film_answer_release(rico_context *ctx, rico_film_answer *answer)
{
    rico_free(ctx, answer->head.data);
    rico_free(ctx, answer->text.data);
    *answer = (rico_film_answer){0};
}
