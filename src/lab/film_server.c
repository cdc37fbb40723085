// A server for result files: its socket, and those who ask.

#include "lab/film_server.h"

#include "base/context.h"
#include "base/system.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

// Browsers open connections in advance and leave them idle: the oldest makes room for a new one.
enum { GUESTS = 16, PATIENCE = 20 };

typedef struct guest {
    int descriptor;
    size_t used;
    char text[RICO_FILM_REQUEST + 1];
} guest;


static rico_status system_failure(rico_context *ctx, const char *what)
{
    return rico_fail(ctx, RICO_IO_ERROR, "%s: %s", what, rico_system_words(errno));
}


static rico_status draw_token(rico_context *ctx, char token[RICO_FILM_TOKEN + 1])
{
    unsigned char bytes[RICO_FILM_TOKEN / 2];
    FILE *source = fopen("/dev/urandom", "rb");
    if (!source) return system_failure(ctx, "cannot draw a token from /dev/urandom");
    size_t read = fread(bytes, 1, sizeof bytes, source);
    fclose(source);
    if (read != sizeof bytes)
        return rico_fail(ctx, RICO_IO_ERROR, "cannot draw a token: /dev/urandom gave %zu bytes of %zu", read,
                         sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return RICO_OK;
}


static rico_status listen_on(rico_film_server *server, int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    int one = 1;
    server->listener = socket(AF_INET, SOCK_STREAM, 0);
    if (server->listener < 0) return system_failure(server->ctx, "cannot make a socket");
    setsockopt(server->listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    struct sockaddr *at = (struct sockaddr *)&address;
    if (bind(server->listener, at, length) != 0 || listen(server->listener, GUESTS) != 0 ||
        getsockname(server->listener, at, &length) != 0)
        return rico_fail(server->ctx, RICO_IO_ERROR, "cannot listen on port %d of 127.0.0.1: %s", port,
                         rico_system_words(errno));
    server->port = ntohs(address.sin_port);
    return RICO_OK;
}


rico_status rico_film_server_open(rico_context *ctx, const char *title, rico_film_run *run, int64_t runs,
                                  int port, rico_film_server *out)
{
    *out = (rico_film_server){.ctx = ctx, .title = title, .run = run, .runs = runs, .listener = -1};
    rico_status status = draw_token(ctx, out->token);
    if (status == RICO_OK) status = listen_on(out, port);
    if (status != RICO_OK) rico_film_server_close(out);
    return status;
}


void rico_film_server_close(rico_film_server *server)
{
    if (server->listener >= 0) close(server->listener);
    server->listener = -1;
}


// --- those who ask -----------------------------------------------------------------------------------------------

static void leave(guest *g)
{
    if (g->descriptor >= 0) close(g->descriptor);
    g->descriptor = -1;
    g->used = 0;
}


// All of it, or as much as the other side takes.
static bool send_all(int descriptor, const void *bytes, int64_t size)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t sent = send(descriptor, at, (size_t)size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        at += sent;
        size -= sent;
    }
    return true;
}


static rico_status reply(rico_film_server *server, guest *g)
{
    rico_film_answer answer;
    rico_status status = rico_film_server_answer(server, g->text, &answer);
    if (status == RICO_OK && send_all(g->descriptor, answer.head.data, answer.head.length))
        send_all(g->descriptor, answer.body, answer.size);
    rico_film_answer_release(server->ctx, &answer);
    shutdown(g->descriptor, SHUT_WR);
    leave(g);
    return status;
}


// What has come of a request; it is answered when its head is complete, or longer than any of ours.
static rico_status hear(rico_film_server *server, guest *g)
{
    ssize_t got = recv(g->descriptor, g->text + g->used, RICO_FILM_REQUEST - g->used, 0);
    if (got < 0 && errno == EINTR) return RICO_OK;
    if (got <= 0) {
        leave(g);
        return RICO_OK;
    }
    g->used += (size_t)got;
    g->text[g->used] = '\0';
    bool complete = strstr(g->text, "\r\n\r\n") != NULL || g->used == RICO_FILM_REQUEST ||
                    memchr(g->text, '\0', g->used) != NULL;
    return complete ? reply(server, g) : RICO_OK;
}


static void welcome(rico_film_server *server, guest *guests)
{
    const struct timeval patience = {.tv_sec = PATIENCE};
    int descriptor = accept(server->listener, NULL, NULL), place = 0;
    if (descriptor < 0) return;
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    while (place < GUESTS && guests[place].descriptor >= 0) place++;
    if (place == GUESTS) {
        leave(&guests[0]);
        memmove(guests, guests + 1, (GUESTS - 1) * sizeof *guests);
        place = GUESTS - 1;
    }
    guests[place] = (guest){.descriptor = descriptor};
}


rico_status rico_film_server_run(rico_film_server *server)
{
    guest *guests = rico_alloc(server->ctx, GUESTS, sizeof *guests);
    if (!guests) return RICO_NO_MEMORY;
    for (int i = 0; i < GUESTS; i++) guests[i].descriptor = -1;
    rico_status status = RICO_OK;
    while (status == RICO_OK && !rico_context_interrupted(server->ctx)) {
        struct pollfd watched[GUESTS + 1] = {{.fd = server->listener, .events = POLLIN}};
        for (int i = 0; i < GUESTS; i++)
            watched[i + 1] = (struct pollfd){.fd = guests[i].descriptor, .events = POLLIN};
        // a signal between the look above and the wait below is seen when the wait is over
        int ready = poll(watched, GUESTS + 1, 500);
        if (ready < 0 && errno != EINTR) status = system_failure(server->ctx, "cannot wait for the browser");
        if (ready <= 0) continue;
        for (int i = 0; status == RICO_OK && i < GUESTS; i++)
            if (watched[i + 1].revents != 0 && guests[i].descriptor >= 0) status = hear(server, &guests[i]);
        if (watched[0].revents & POLLIN) welcome(server, guests);
    }
    for (int i = 0; i < GUESTS; i++) leave(&guests[i]);
    rico_free(server->ctx, guests);
    return status;
}
