// A server for one result file and one browser on this machine.
//
// It listens on 127.0.0.1 alone. Whoever asks must know its token, 128 bits drawn from the system, which stands first in every
// path; must have reached it by the address it listens on (a page elsewhere whose name was bent to 127.0.0.1 has another
// Host); and must not be a page of another origin. There are four things to ask for, none of them a path into the file system:
// TOKEN/ (the page), TOKEN/viewer.js, TOKEN/film and TOKEN/rows, how far the run has come. All else is refused in a sentence.

#ifndef RICO_LAB_FILM_SERVER_H
#define RICO_LAB_FILM_SERVER_H

#include "base/text.h"
#include "draw/film.h"

enum { RICO_FILM_TOKEN = 32, RICO_FILM_REQUEST = 8192 };

typedef struct rico_film_server {
    rico_context *ctx;
    const char *path, *title; // the caller's
    rico_film_options options;
    char token[RICO_FILM_TOKEN + 1]; // hexadecimal
    int port, listener;              // -1: not listening
    rico_film film;                  // as of the last time that somebody asked
} rico_film_server;

// What is answered: a head, then `size` bytes of body, which live until the next answer.
typedef struct rico_film_answer {
    int code;
    rico_text head, text; // the body is either text or somebody else's
    const unsigned char *body;
    int64_t size;
} rico_film_answer;

// Draws a token and listens; port 0: one that is free.
rico_status rico_film_server_open(rico_context *ctx, const char *path, const char *title,
                                  const rico_film_options *options, int port, rico_film_server *out);
void rico_film_server_close(rico_film_server *server);

// Answers a request, which is complete to the empty line behind its head. Fails for want of memory only.
rico_status rico_film_server_answer(rico_film_server *server, const char *request, rico_film_answer *out);
void rico_film_answer_release(rico_context *ctx, rico_film_answer *answer);

// Serves until the context is interrupted.
rico_status rico_film_server_run(rico_film_server *server);

#endif
