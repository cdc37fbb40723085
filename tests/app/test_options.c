// The option parser: every kind of option, every way to get it wrong, the help, and the suggestions.

#include "support.h"

#include "app/options.h"
#include "base/suggest.h"

typedef struct settings {
    bool flag;
    const char *text;
    rico_cli_words list;
    int64_t integer;
    double real;
    int choice;
} settings;

static const char *const COLOURS[] = {"red", "green", NULL};

static const rico_cli_option OPTIONS[] = {
    {.name = "flag", .help = "a flag", .kind = RICO_CLI_FLAG, .field = offsetof(settings, flag)},
    {.name = "text",
     .value = "T",
     .help = "a text",
     .kind = RICO_CLI_TEXT,
     .field = offsetof(settings, text)},
    {.name = "list",
     .value = "L",
     .help = "a list",
     .kind = RICO_CLI_LIST,
     .field = offsetof(settings, list)},
    {.name = "integer",
     .value = "N",
     .help = "an integer",
     .kind = RICO_CLI_INTEGER,
     .field = offsetof(settings, integer),
     .low = 0,
     .high = 100},
    {.name = "real",
     .value = "X",
     .help = "a number that is explained at such length that the line of the help has to be broken somewhere",
     .kind = RICO_CLI_REAL,
     .field = offsetof(settings, real),
     .low = 0,
     .high = INFINITY},
    {.name = "colour",
     .help = "a choice",
     .kind = RICO_CLI_CHOICE,
     .field = offsetof(settings, choice),
     .choices = COLOURS},
    {0},
};

enum { MAX_WORDS = 16 };

// Splits a line at blanks ("_" stands for an empty word) and parses it.
static rico_status parse(rico_context *ctx, const char *line, char *room, settings *out,
                         rico_cli_words *operands)
{
    static char nothing[] = "";
    char *words[MAX_WORDS];
    int count = 0;
    strcpy(room, line);
    for (char *word = strtok(room, " "); word != NULL; word = strtok(NULL, " "))
        words[count++] = strcmp(word, "_") == 0 ? nothing : word;
    *out = (settings){.integer = 7, .real = 0.5, .choice = 1};
    return rico_cli_parse(ctx, OPTIONS, count, words, out, operands);
}


static void test_every_kind_is_read(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    char room[256];
    settings got;
    rico_cli_words operands;

    assert_ok(ctx,
              parse(ctx,
                    "a --flag --text hello --list=x=1 b --list y --integer 0 --real=-0.0 --colour red - c",
                    room, &got, &operands));
    assert_true(got.flag);
    assert_string_equal(got.text, "hello");
    assert_int_equal(got.list.count, 2);
    assert_string_equal(got.list.item[0], "x=1");
    assert_string_equal(got.list.item[1], "y");
    assert_int_equal(got.integer, 0);
    assert_true(got.real == 0.0);
    assert_int_equal(got.choice, 0);
    assert_int_equal(operands.count, 4);
    assert_string_equal(operands.item[0], "a");
    assert_string_equal(operands.item[2], "-");
    assert_string_equal(operands.item[3], "c");
    rico_cli_release(ctx, OPTIONS, &got, &operands);
    assert_null(got.list.item);

    // defaults stay, the last of two counts, and what follows `--` is never an option
    assert_ok(ctx, parse(ctx, "--real 1 --real 2 -- --flag -x", room, &got, &operands));
    assert_false(got.flag);
    assert_null(got.text);
    assert_int_equal(got.integer, 7);
    assert_true(got.real == 2.0);
    assert_int_equal(got.choice, 1);
    assert_int_equal(operands.count, 2);
    assert_string_equal(operands.item[0], "--flag");
    rico_cli_release(ctx, OPTIONS, &got, &operands);

    assert_ok(ctx, parse(ctx, "", room, &got, &operands));
    assert_int_equal(operands.count, 0);
    rico_cli_release(ctx, OPTIONS, &got, &operands);
    rico_context_destroy(ctx);
}


static void test_every_mistake_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *line, *sentence;
    } mistakes[] = {
        {"--flg", "unknown option '--flg'; did you mean '--flag'?"},
        {"--qqqqq=3", "unknown option '--qqqqq'"},
        {"--hepl", "unknown option '--hepl'; did you mean '--help'?"},
        {"-f", "unknown option '-f': options start with two dashes"},
        {"--flag=1", "option '--flag' takes no value, got '--flag=1'"},
        {"a --text", "option '--text' needs a value"},
        {"--text --flag", "option '--text' needs a value"},
        {"--text=", "option '--text' needs a value, got ''"},
        {"--integer 12x", "option '--integer' needs a whole number, got '12x'"},
        {"--integer 1.5", "option '--integer' needs a whole number, got '1.5'"},
        {"--integer=", "option '--integer' needs a whole number, got ''"},
        {"--integer 99999999999999999999",
         "option '--integer' needs a whole number, got '99999999999999999999'"},
        {"--integer -1", "option '--integer' must be between 0 and 100, got '-1'"},
        {"--integer 101", "option '--integer' must be between 0 and 100, got '101'"},
        {"--real abc", "option '--real' needs a number, got 'abc'"},
        {"--real nan", "option '--real' needs a number, got 'nan'"},
        {"--real inf", "option '--real' needs a number, got 'inf'"},
        {"--real 1e999", "option '--real' needs a number, got '1e999'"},
        {"--real 1e-3s", "option '--real' needs a number, got '1e-3s'"},
        {"--real 0x10", "option '--real' needs a number, got '0x10'"},
        {"--real -1e-30", "option '--real' must be at least 0, got '-1e-30'"},
        {"--colour geen", "option '--colour' must be 'red' or 'green', got 'geen'; did you mean 'green'?"},
        {"--colour blue", "option '--colour' must be 'red' or 'green', got 'blue'"},
        {"_", "an empty word '' is no operand"},
        {"a --list x --flag b --nope", "unknown option '--nope'"},
    };
    rico_context *ctx = rico_context_create(NULL);
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        char room[256];
        settings got;
        rico_cli_words operands;
        assert_int_equal(parse(ctx, mistakes[i].line, room, &got, &operands), RICO_BAD_ARGUMENT);
        assert_string_equal(rico_message(ctx), mistakes[i].sentence);
        assert_null(operands.item);
        assert_null(got.list.item);
    }

    // a word of any length overruns nothing
    char longest[4000];
    memset(longest, 'z', sizeof longest - 1);
    memcpy(longest, "--", 2);
    longest[sizeof longest - 1] = '\0';
    char *words[] = {longest};
    settings got = {0};
    rico_cli_words operands;
    assert_int_equal(rico_cli_parse(ctx, OPTIONS, 1, words, &got, &operands), RICO_BAD_ARGUMENT);
    rico_context_destroy(ctx);
}


static void *allocate_some(void *user, size_t size)
{
    int *left = user;
    return (*left)-- > 0 ? malloc(size) : NULL;
}


static void release(void *user, void *block)
{
    (void)user;
    free(block);
}


static void test_memory_may_run_out(void **state)
{
    (void)state;
    int left = 1000;
    rico_allocator allocator = {allocate_some, release, &left};
    rico_context *ctx = rico_context_create(&allocator);
    rico_status status = RICO_NO_MEMORY;
    for (int given = 0; status == RICO_NO_MEMORY; given++) {
        assert_in_range(given, 0, 10);
        char room[256];
        settings got;
        rico_cli_words operands;
        left = given;
        status = parse(ctx, "a b --list x --list y", room, &got, &operands);
        if (status == RICO_OK) {
            assert_int_equal(given, 4);
            rico_cli_release(ctx, OPTIONS, &got, &operands);
        }
    }
    assert_int_equal(status, RICO_OK);
    rico_context_destroy(ctx);
}


static void test_help_is_asked_for(void **state)
{
    (void)state;
    char file[] = "file", help[] = "--help", letter[] = "-h", end[] = "--";
    char *asks[] = {file, help}, *asks_short[] = {letter}, *does_not[] = {end, help};
    assert_true(rico_cli_wants_help(2, asks));
    assert_true(rico_cli_wants_help(1, asks_short));
    assert_false(rico_cli_wants_help(2, does_not));
    assert_false(rico_cli_wants_help(1, asks));
    assert_false(rico_cli_wants_help(0, NULL));
}


static void test_help_names_every_option(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    settings defaults = {.integer = 7, .real = 0.25, .choice = 1, .text = "hello"};
    rico_cli_print_options(out, OPTIONS, &defaults);
    fclose(out);

    assert_non_null(strstr(text, "  --flag              a flag\n"));
    assert_non_null(strstr(text, "  --text T            a text (default: hello)\n"));
    assert_non_null(strstr(text, "  --list L            a list\n"));
    assert_non_null(strstr(text, "  --integer N         an integer (default: 7)\n"));
    assert_non_null(strstr(text, "  --colour red|green  a choice (default: green)\n"));
    assert_non_null(strstr(text, "  --help              "));
    assert_non_null(strstr(text, "(default: 0.25)\n"));
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        assert_in_range(strlen(line), 1, 96);
    free(text);
}


static void test_edit_distance(void **state)
{
    (void)state;
    assert_int_equal(rico_edit_distance("", ""), 0);
    assert_int_equal(rico_edit_distance("", "abc"), 3);
    assert_int_equal(rico_edit_distance("nsgs", "nsgs"), 0);
    assert_int_equal(rico_edit_distance("kitten", "sitting"), 3); // the textbook's pair
    assert_int_equal(rico_edit_distance("nsgs", "nssg"), 1);      // neighbours swapped
    assert_int_equal(rico_edit_distance("ca", "abc"), 3); // no change inside a swap: 2 would need that
    char word[RICO_SUGGEST_LENGTH + 2];
    memset(word, 'a', sizeof word);
    word[RICO_SUGGEST_LENGTH + 1] = '\0';
    assert_int_equal(rico_edit_distance(word, "a"), -1);
    word[RICO_SUGGEST_LENGTH] = '\0';
    assert_int_equal(rico_edit_distance(word, ""), RICO_SUGGEST_LENGTH);
    assert_int_equal(rico_edit_distance(word, word), 0);

    // a distance: symmetric, and zero between equal words only
    static const char *const words[] = {"solve", "solvers", "info", "generate", "tol", "time-limit", ""};
    enum { WORDS = sizeof words / sizeof words[0] };
    for (int i = 0; i < WORDS; i++) {
        for (int j = 0; j < WORDS; j++) {
            int distance = rico_edit_distance(words[i], words[j]);
            assert_int_equal(distance, rico_edit_distance(words[j], words[i]));
            assert_true((distance == 0) == (i == j));
        }
    }
}


static void test_only_near_names_are_suggested(void **state)
{
    (void)state;
    static const struct {
        const char *word, *best;
    } cases[] = {
        {"slove", "solve"}, {"solver", "solve"}, {"gen", "generate"},
        {"inof", "info"},   {"banana", NULL},    {"", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rico_suggestion near;
        rico_suggest_start(&near, cases[i].word);
        static const char *const names[] = {"solve", "info", "generate"};
        for (int j = 0; j < 3; j++) rico_suggest_offer(&near, names[j]);
        char sentence[RICO_SUGGEST_SENTENCE];
        rico_suggest_sentence(&near, "--", sentence);
        if (cases[i].best == NULL) {
            assert_null(near.best);
            assert_string_equal(sentence, "");
        } else {
            assert_string_equal(near.best, cases[i].best);
            assert_non_null(strstr(sentence, cases[i].best));
        }
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_is_read),
        cmocka_unit_test(test_every_mistake_is_named),
        cmocka_unit_test(test_memory_may_run_out),
        cmocka_unit_test(test_help_is_asked_for),
        cmocka_unit_test(test_help_names_every_option),
        cmocka_unit_test(test_edit_distance),
        cmocka_unit_test(test_only_near_names_are_suggested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
