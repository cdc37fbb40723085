// The server of rico view: what it answers, what it refuses, and that it serves until Ctrl-C.

#include "lab/film_server.h"
#include "view.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

static int setup(void **state)
{
    (void)state;
    ctx = rico_context_create(NULL);
    if (!ctx || !shell_begin()) return 1;
    simulate(BALL, "ball.h5");
    return 0;
}


static int teardown(void **state)
{
    (void)state;
    rico_context_destroy(ctx);
    return shell_end();
}


// A server of one file, or of the same as two runs.
static rico_film_server server_of(const char *path, int64_t runs)
{
    static rico_film_run run[2];
    for (int i = 0; i < 2; i++) run[i] = (rico_film_run){.path = path, .options = rico_film_defaults()};
    rico_film_server server = {.ctx = ctx, .title = "A <ball>", .run = run, .runs = runs, .listener = -1};
    snprintf(server.token, sizeof server.token, "0123456789abcdef0123456789abcdef");
    server.port = 4321;
    return server;
}


static void end(rico_film_server *server)
{
    for (int64_t i = 0; i < 2; i++) rico_film_run_release(ctx, &server->run[i]);
    rico_film_server_close(server);
}


#define TOKEN "0123456789abcdef0123456789abcdef"
#define HOST "Host: 127.0.0.1:4321\r\n"

static const struct {
    const char *request;
    int code;
    const char *said;
} ASKED[] = {
    {"GET /" TOKEN "/ HTTP/1.1\r\n" HOST "\r\n", 200, "<script src=\"viewer.js\" data-runs=\"1\">"},
    {"GET /" TOKEN "/ HTTP/1.1\r\nhost: localhost:4321\r\n\r\n", 200, "A &#60;ball&#62;"},
    {"GET /" TOKEN "/ HTTP/1.1\r\n" HOST "Origin: http://127.0.0.1:4321\r\n\r\n", 200, ""},
    {"GET /" TOKEN "/ HTTP/1.1\r\n" HOST "Sec-Fetch-Site: none\r\n\r\n", 200, ""},
    {"GET /" TOKEN "/rows HTTP/1.1\r\n" HOST "\r\n", 200, "{\"rows\": 501, \"finished\": true}"},
    {"GET /" TOKEN "/viewer.js HTTP/1.1\r\n" HOST "\r\n", 200, "/*!"},
    {"GET /" TOKEN "/film HTTP/1.1\r\n" HOST "\r\n", 200, "RICOFILM"},
    // other hosts
    {"GET /" TOKEN "/ HTTP/1.1\r\n\r\n", 403, "another host"},
    {"GET /" TOKEN "/ HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403, "another host"},
    {"GET /" TOKEN "/ HTTP/1.1\r\nHost: evil.example:4321\r\n\r\n", 403, "another host"},
    {"GET /" TOKEN "/ HTTP/1.1\r\nHost: 127.0.0.1:4322\r\n\r\n", 403, "another host"},
    {"GET /" TOKEN "/ HTTP/1.1\r\nHost: 127.0.0.1:4321.evil.example\r\n\r\n", 403, "another host"},
    {"GET /" TOKEN "/ HTTP/1.1\r\n" HOST "Host: evil.example\r\n\r\n", 403, "another host"},
    // other origins
    {"GET /" TOKEN "/film HTTP/1.1\r\n" HOST "Origin: http://evil.example\r\n\r\n", 403, "another origin"},
    {"GET /" TOKEN "/film HTTP/1.1\r\n" HOST "Origin: null\r\n\r\n", 403, "another origin"},
    {"GET /" TOKEN "/film HTTP/1.1\r\n" HOST "Origin: https://127.0.0.1:4321\r\n\r\n", 403, "another origin"},
    {"GET /" TOKEN "/film HTTP/1.1\r\n" HOST "Sec-Fetch-Site: cross-site\r\n\r\n", 403, "another site"},
    // without the token
    {"GET / HTTP/1.1\r\n" HOST "\r\n", 403, "token"},
    {"GET /film HTTP/1.1\r\n" HOST "\r\n", 403, "token"},
    {"GET /0123456789abcdef0123456789abcdee/film HTTP/1.1\r\n" HOST "\r\n", 403, "token"},
    {"GET /" TOKEN "film HTTP/1.1\r\n" HOST "\r\n", 403, "token"},
    {"GET http://127.0.0.1:4321/" TOKEN "/ HTTP/1.1\r\n" HOST "\r\n", 403, "token"},
    // outside the file
    {"GET /../../etc/passwd HTTP/1.1\r\n" HOST "\r\n", 403, "token"},
    {"GET /" TOKEN "/../../etc/passwd HTTP/1.1\r\n" HOST "\r\n", 404, "nothing of that name"},
    {"GET /" TOKEN "/%2e%2e/film HTTP/1.1\r\n" HOST "\r\n", 404, "nothing of that name"},
    {"GET /" TOKEN "//etc/passwd HTTP/1.1\r\n" HOST "\r\n", 404, "nothing of that name"},
    {"GET /" TOKEN "/ball.h5 HTTP/1.1\r\n" HOST "\r\n", 404, "nothing of that name"},
    {"GET /" TOKEN "/film2 HTTP/1.1\r\n" HOST "\r\n", 404, "nothing of that name"},
    {"GET /" TOKEN "/rows2 HTTP/1.1\r\n" HOST "\r\n", 404, "nothing of that name"},
    // other methods, and what is no request
    {"POST /" TOKEN "/film HTTP/1.1\r\n" HOST "\r\n", 405, "GET"},
    {"OPTIONS /" TOKEN "/film HTTP/1.1\r\n" HOST "\r\n", 405, "GET"},
    {"", 400, "no request"},
    {"\r\n\r\n", 400, "no request"},
    {"GET /" TOKEN "/\r\n\r\n", 400, "no request"},
    {"GET /" TOKEN "/ HTTP/2\r\n" HOST "\r\n", 400, "no request"},
    {"\x16\x03\x01 hello\r\n\r\n", 400, "no request"},
};


static void requests_are_answered_or_refused(void **state)
{
    (void)state;
    char path[256];
    snprintf(path, sizeof path, "%s", in_folder("ball.h5"));
    rico_film_server server = server_of(path, 1);
    for (size_t i = 0; i < sizeof ASKED / sizeof *ASKED; i++) {
        rico_film_answer answer;
        assert_ok(ctx, rico_film_server_answer(&server, ASKED[i].request, &answer));
        char status[32];
        snprintf(status, sizeof status, "HTTP/1.1 %d ", ASKED[i].code);
        bool says =
            answer.size >= (int64_t)strlen(ASKED[i].said) && holds(answer.body, answer.size, ASKED[i].said);
        if (answer.code != ASKED[i].code || strncmp(answer.head.data, status, strlen(status)) != 0 || !says)
            fail_msg("%s: %d, %.*s", ASKED[i].request, answer.code, (int)answer.size,
                     (const char *)answer.body);
        assert_non_null(strstr(answer.head.data, "default-src 'none'"));
        assert_null(strstr(answer.head.data, "Access-Control-Allow"));
        rico_film_answer_release(ctx, &answer);
    }
    end(&server);
}


static void expect(rico_film_server *server, const char *request, int code, const char *said)
{
    rico_film_answer answer;
    assert_ok(ctx, rico_film_server_answer(server, request, &answer));
    if (answer.code != code || !holds(answer.body, answer.size, said))
        fail_msg("%s: %d, %.*s", request, answer.code, (int)answer.size, (const char *)answer.body);
    rico_film_answer_release(ctx, &answer);
}


// Two runs are those two, and no third.
static void two_files_are_served(void **state)
{
    (void)state;
    char path[256];
    snprintf(path, sizeof path, "%s", in_folder("ball.h5"));
    rico_film_server server = server_of(path, 2);
    expect(&server, "GET /" TOKEN "/ HTTP/1.1\r\n" HOST "\r\n", 200, "data-runs=\"2\"");
    expect(&server, "GET /" TOKEN "/film2 HTTP/1.1\r\n" HOST "\r\n", 200, "RICOFILM");
    expect(&server, "GET /" TOKEN "/rows2 HTTP/1.1\r\n" HOST "\r\n", 200, "\"rows\": 501");
    expect(&server, "GET /" TOKEN "/film3 HTTP/1.1\r\n" HOST "\r\n", 404, "nothing of that name");
    expect(&server, "GET /" TOKEN "/film2/../x HTTP/1.1\r\n" HOST "\r\n", 404, "nothing of that name");
    expect(&server, "GET /film2 HTTP/1.1\r\n" HOST "\r\n", 403, "token");
    end(&server);
}


// A film is made once, and again when the file has changed.
static void films_are_made_of_what_is_there(void **state)
{
    (void)state;
    char path[256];
    snprintf(path, sizeof path, "%s", in_folder("again.h5"));
    simulate(BALL, "again.h5");
    rico_film_server server = server_of(path, 1);
    static const char FILM[] = "GET /" TOKEN "/film HTTP/1.1\r\n" HOST "\r\n";
    expect(&server, FILM, 200, "\"frames\": 501");
    const unsigned char *bytes = server.run[0].film.bytes;
    expect(&server, FILM, 200, "\"frames\": 501");
    assert_ptr_equal(server.run[0].film.bytes, bytes);
    static const char SHORT[] = "parts: {ball: {coordinates: [y], mass: [1], force: [-10]}}\n"
                                "time: {end: 0.1, step: 1e-3}\n";
    assert_int_equal(remove(path), 0);
    simulate(SHORT, "again.h5");
    expect(&server, FILM, 200, "\"frames\": 101");
    end(&server);
}


// The file may be gone or broken by the time that somebody asks.
static void a_file_that_went_away_is_a_sentence(void **state)
{
    (void)state;
    char path[256];
    snprintf(path, sizeof path, "%s", in_folder("gone.h5"));
    rico_film_server server = server_of(path, 1);
    rico_film_answer answer;
    assert_ok(ctx, rico_film_server_answer(&server, "GET /" TOKEN "/film HTTP/1.1\r\n" HOST "\r\n", &answer));
    assert_int_equal(answer.code, 500);
    assert_true(holds(answer.body, answer.size, "gone.h5"));
    rico_film_answer_release(ctx, &answer);
    end(&server);
}


// A request as long as may be is refused, whatever it holds.
static void long_requests_are_refused(void **state)
{
    (void)state;
    char path[256], request[RICO_FILM_REQUEST + 1];
    snprintf(path, sizeof path, "%s", in_folder("ball.h5"));
    rico_film_server server = server_of(path, 1);
    memset(request, 'A', sizeof request - 1);
    request[sizeof request - 1] = '\0';
    rico_film_answer answer;
    assert_ok(ctx, rico_film_server_answer(&server, request, &answer));
    assert_int_equal(answer.code, 400);
    rico_film_answer_release(ctx, &answer);
    // a path that is too long, in a request that is not
    snprintf(request, sizeof request, "GET /" TOKEN "/%0*d HTTP/1.1\r\n" HOST "\r\n", 2000, 7);
    assert_ok(ctx, rico_film_server_answer(&server, request, &answer));
    assert_int_equal(answer.code, 400);
    rico_film_answer_release(ctx, &answer);
    end(&server);
}


static void two_servers_have_two_tokens(void **state)
{
    (void)state;
    rico_film_server one, other;
    rico_film_run run = {.path = "x.h5", .options = rico_film_defaults()};
    assert_ok(ctx, rico_film_server_open(ctx, "x", &run, 1, 0, &one));
    assert_ok(ctx, rico_film_server_open(ctx, "x", &run, 1, 0, &other));
    assert_int_equal(strlen(one.token), RICO_FILM_TOKEN);
    assert_int_equal(strspn(one.token, "0123456789abcdef"), RICO_FILM_TOKEN);
    assert_string_not_equal(one.token, other.token);
    assert_int_not_equal(one.port, other.port);
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    assert_int_equal(getsockname(one.listener, (struct sockaddr *)&address, &length), 0);
    assert_int_equal(ntohl(address.sin_addr.s_addr), INADDR_LOOPBACK);
    // a port that somebody has
    rico_film_server third;
    assert_int_equal(rico_film_server_open(ctx, "x", &run, 1, one.port, &third), RICO_IO_ERROR);
    assert_non_null(strstr(rico_message(ctx), "cannot listen on port"));
    rico_film_server_close(&one);
    rico_film_server_close(&other);
}


// Sends a request to 127.0.0.1 and reads the answer to its end.
static void ask(int port, const char *request, char *answer, size_t room)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(descriptor, (struct sockaddr *)&address, sizeof address), 0);
    // in two pieces: the head need not come at once
    size_t half = strlen(request) / 2, used = 0;
    assert_int_equal(send(descriptor, request, half, 0), half);
    assert_int_equal(send(descriptor, request + half, strlen(request) - half, 0), strlen(request) - half);
    ssize_t got;
    while (used < room - 1 && (got = recv(descriptor, answer + used, room - 1 - used, 0)) > 0)
        used += (size_t)got;
    answer[used] = '\0';
    close(descriptor);
}


// Serves until Ctrl-C, also past connections that nobody speaks on.
static void the_program_serves(void **state)
{
    (void)state;
    if (!program_path()) skip();
    int ends[2], port, idle[20];
    char path[256], line[256], token[64] = "", request[512];
    static char answer[1 << 16];
    snprintf(path, sizeof path, "%s", in_folder("ball.h5"));
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        signal(SIGINT, SIG_DFL);
        execl(program_path(), "rico", "view", path, "--no-open", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    FILE *said = fdopen(ends[0], "r");
    assert_non_null(fgets(line, sizeof line, said));
    assert_string_equal(line, "501 frames, one for each row\n");
    assert_non_null(fgets(line, sizeof line, said));
    assert_int_equal(sscanf(line, "http://127.0.0.1:%d/%32[0-9a-f]/", &port, token), 2);
    for (int i = 0; i < 20; i++) {
        struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        idle[i] = socket(AF_INET, SOCK_STREAM, 0);
        assert_int_equal(connect(idle[i], (struct sockaddr *)&address, sizeof address), 0);
    }
    snprintf(request, sizeof request, "GET /%s/film HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", token, port);
    ask(port, request, answer, sizeof answer);
    assert_non_null(strstr(answer, "HTTP/1.1 200 OK"));
    assert_non_null(strstr(answer, "RICOFILM"));
    snprintf(request, sizeof request, "GET /%s/film HTTP/1.1\r\nHost: evil.example\r\n\r\n", token);
    ask(port, request, answer, sizeof answer);
    assert_non_null(strstr(answer, "HTTP/1.1 403 Forbidden"));
    for (int i = 0; i < 20; i++) close(idle[i]);
    kill(child, SIGINT);
    int ended = 0;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
    fclose(said);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_are_answered_or_refused),
        cmocka_unit_test(two_files_are_served),
        cmocka_unit_test(films_are_made_of_what_is_there),
        cmocka_unit_test(a_file_that_went_away_is_a_sentence),
        cmocka_unit_test(long_requests_are_refused),
        cmocka_unit_test(two_servers_have_two_tokens),
        cmocka_unit_test(the_program_serves),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
