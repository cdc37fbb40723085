// A server for a result file, or two of them, and one browser on this machine.
//
// It listens on 127.0.0.1 alone. Whoever asks must know its token, 128 bits drawn from the system, which stands first in every
// path; must have reached it by the address it listens on (a page elsewhere whose name was bent to 127.0.0.1 has another
// Host); and must not be a page of another origin. There are few things to ask for, none of them a path into the file system:
// TOKEN/ (the page), TOKEN/viewer.js, TOKEN/film and TOKEN/rows, how far the run has come; TOKEN/film2 and TOKEN/rows2 where there
// is a second run. All else is refused in a sentence.

#ifndef RICO_LAB_FILM_SERVER_H
#define RICO_LAB_FILM_SERVER_H

#include "base/text.h"
#include "draw/page.h"

#include <time.h>

enum { RICO_FILM_TOKEN = 32, RICO_FILM_REQUEST = 8192 };

// A result file and its film, with what told the file apart when the film was made of it.
typedef struct rico_film_run {
    const char *path; // the caller's
    rico_film_options options;
    rico_film film;
    int64_t inode, size;
    struct timespec changed;
} rico_film_run;

// Makes the film, unless the file is as it was when the film was made: a run that goes on has more of it each time, of one that is
// over a large film is made once.
rico_status rico_film_run_update(rico_context *ctx, rico_film_run *run);
void rico_film_run_release(rico_context *ctx, rico_film_run *run);

typedef struct rico_film_server {
    rico_context *ctx;
    const char *title; // the caller's
    int64_t runs;
    rico_film_run *run;              // the caller's, with their films
    char token[RICO_FILM_TOKEN + 1]; // hexadecimal
    int port, listener;              // -1: not listening
} rico_film_server;

// What is answered: a head, then `size` bytes of body, which live until the next answer.
typedef struct rico_film_answer {
    int code;
    rico_text head, text; // the body is either text or somebody else's
    const unsigned char *body;
    int64_t size;
} rico_film_answer;

// Draws a token and listens; port 0: one that is free.
rico_status rico_film_server_open(rico_context *ctx, const char *title, rico_film_run *run, int64_t runs,
                                  int port, rico_film_server *out);
void rico_film_server_close(rico_film_server *server);

// Answers a request, which is complete to the empty line behind its head. Fails for want of memory only.
rico_status rico_film_server_answer(rico_film_server *server, const char *request, rico_film_answer *out);
void rico_film_answer_release(rico_context *ctx, rico_film_answer *answer);

// Serves until the context is interrupted.
rico_status rico_film_server_run(rico_film_server *server);

#endif
