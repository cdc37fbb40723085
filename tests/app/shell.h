// Lines of the shell in a folder of the test's own, `rico` being ours.

#ifndef RICO_TESTS_APP_SHELL_H
#define RICO_TESTS_APP_SHELL_H

#include "program.h"

static char shell_folder[] = "/tmp/rico-test-XXXXXX";


static inline void shell_write(const char *name, const char *text, mode_t mode)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", shell_folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    chmod(path, mode);
}


static inline char *shell_load(const char *name, long *size)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", shell_folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s is not there", path);
    fseek(file, 0, SEEK_END);
    *size = ftell(file);
    rewind(file);
    char *text = calloc((size_t)*size + 1, 1);
    assert_int_equal(fread(text, 1, (size_t)*size, file), *size);
    fclose(file);
    return text;
}


// Runs a line of the shell in the folder, `rico` being ours; its words on the standard error go to `said`.
static inline int shell_run(const char *line, char *said, size_t size)
{
    char command[8192];
    snprintf(command, sizeof command, "rico() { '%s' \"$@\"; }; cd '%s' && { %s\n} > out.txt 2> err.txt",
             program_path(), shell_folder, line);
    int ended = system(command);
    if (said) {
        long length;
        char *text = shell_load("err.txt", &length);
        snprintf(said, size, "%s", text);
        free(text);
    }
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
}


static inline void shell_expect(const char *line, int code, const char *words)
{
    char said[1024];
    int ended = shell_run(line, said, sizeof said);
    if (ended != code || !strstr(said, words)) fail_msg("%s: %d, \"%s\"", line, ended, said);
}


static inline bool shell_begin(void)
{
    return mkdtemp(shell_folder) != NULL;
}


static inline int shell_end(void)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", shell_folder);
    return system(command);
}


// A file of the source tree, by its path from there; CMake compiles by absolute path or from below the tree.
static inline void shell_source(const char *name, char path[1024])
{
    const char *here = strstr(__FILE__, "tests/app/");
    assert_non_null(here);
    snprintf(path, 1024, "%.*s%s", (int)(here - __FILE__), __FILE__, name);
}


// Copies a scene of examples/ into the folder.
static inline void shell_scene(const char *name)
{
    char from[1024], absolute[4096], line[8192];
    shell_source(name, from);
    assert_non_null(realpath(from, absolute));
    snprintf(line, sizeof line, "cp '%s' '%s'", absolute, shell_folder);
    assert_int_equal(system(line), 0);
}


// A gnuplot in bin/ that keeps what it is told in script.txt and draws nothing; `PATH=$PWD/bin:$PATH` puts it first.
static inline void shell_gnuplot(void)
{
    char text[512], path[256];
    snprintf(path, sizeof path, "%s/bin", shell_folder);
    assert_int_equal(mkdir(path, 0755), 0);
    snprintf(text, sizeof text,
             "#!/bin/sh\ncat > '%s/script.txt'\n"
             "sed -n \"s/^set output '\\(.*\\)'/\\1/p\" '%s/script.txt' | xargs touch\n",
             shell_folder, shell_folder);
    shell_write("bin/gnuplot", text, 0755);
}

#endif
