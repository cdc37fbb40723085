// The tables of what is taken, ignored and refused: docs/guide/import.md has them as they are, and each row keeps its word.

#include "sample.h"

#include "base/file.h"
#include "import/words.h"

#include <unistd.h>

static void test_guide(void **state)
{
    (void)state;
    static const char *const FORMAT[] = {"MJCF", "URDF"};
    rico_context *ctx = rico_context_create(NULL);
    const char *here = strstr(__FILE__, "tests/import/");
    char path[1024], *guide = NULL;
    size_t length;
    assert_non_null(here);
    snprintf(path, sizeof path, "%.*sdocs/guide/import.md", (int)(here - __FILE__), __FILE__);
    assert_ok(ctx, rico_file_load(ctx, path, &guide, &length));
    for (int i = 0; i < 2; i++) {
        char *table = NULL;
        assert_ok(ctx, rico_import_table(ctx, FORMAT[i], &table));
        if (!strstr(guide, table))
            fail_msg("docs/guide/import.md does not hold what 'rico import --table %s' prints", FORMAT[i]);
        rico_import_free(ctx, table);
    }
    rico_free(ctx, guide);
    rico_context_destroy(ctx);
}


// A word of a list between blanks; false past the last.
static bool next_word(const char **at, char word[64])
{
    if (!*at || !**at) return false;
    size_t size = strcspn(*at, " ");
    snprintf(word, 64, "%.*s", (int)size, *at);
    *at += size + strspn(*at + size, " ");
    return true;
}


// Where elements of a row stand, as text around them.
static const char *const AROUND[][3] = {
    {"mujoco", "<mujoco>", "</mujoco>"},
    {"option", "<mujoco><option>", "</option></mujoco>"},
    {"body", "<mujoco><worldbody>", "</worldbody></mujoco>"},
    {"contact", "<mujoco><contact>", "</contact></mujoco>"},
    {"equality", "<mujoco><equality>", "</equality></mujoco>"},
    {"tendon", "<mujoco><tendon>", "</tendon></mujoco>"},
    {"actuator", "<mujoco><actuator>", "</actuator></mujoco>"},
};


// Whatever a row refuses is refused by its name.
static void test_refused(void **state)
{
    (void)state;
    int tried = 0;
    for (int i = 0; i < rico_mjcf_words.count; i++) {
        const rico_word *row = &rico_mjcf_words.row[i];
        for (size_t k = 0; k < sizeof AROUND / sizeof *AROUND; k++) {
            if (strcmp(row->where, AROUND[k][0]) != 0) continue;
            char text[400], word[64], says[120];
            const char *at = row->refused;
            sample self;
            if (row->verdict == RICO_WORD_REFUSED) {
                snprintf(text, sizeof text, "%s<%s/>%s", AROUND[k][1], row->name, AROUND[k][2]);
                snprintf(says, sizeof says, "model.xml:1: <%s> is refused: ", row->name);
                sample_import(&self, text, NULL);
                assert_null(self.text);
                assert_non_null(strstr(rico_message(self.ctx), says));
                sample_release(&self);
                tried++;
            }
            while (next_word(&at, word)) {
                snprintf(text, sizeof text, "%s<%s %s='1'/>%s", AROUND[k][1], row->name, word, AROUND[k][2]);
                snprintf(says, sizeof says, "<%s> attribute '%s' is refused: ", row->name, word);
                sample_import(&self, text, NULL);
                assert_null(self.text);
                if (!strstr(rico_message(self.ctx), says)) fail_msg("%s: %s", text, rico_message(self.ctx));
                sample_release(&self);
                tried++;
            }
        }
    }
    assert_true(tried > 60);
}


// A refusal that is waived is a warning.
static void test_ignore(void **state)
{
    (void)state;
    static const char MODEL[] = WORLD("<body><freejoint/><geom size='.1' adhesion='2'/><composite/></body>");
    const char *ignore[] = {"adhesion", "composite"};
    sample self = {.ctx = rico_context_create(NULL)};
    rico_import_options options = rico_import_defaults();
    options.ignore_count = 2;
    options.ignore = ignore;
    rico_context_set_log(self.ctx, count_warning, &self, RICO_LOG_WARNING);
    assert_ok(self.ctx,
              rico_import_text(self.ctx, "model.xml", MODEL, sizeof MODEL - 1, &options, &self.text));
    assert_int_equal(self.warnings, 2);
    sample_release(&self);
}


// A tetrahedron beside the model: hull, mass and place of a mesh that is scaled.
static void test_mesh(void **state)
{
    (void)state;
    static const char OBJ[] =
        "v 0 0 0\nv 1000 0 0\nv 0 1000 0\nv 0 0 1000\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    char folder[] = "/tmp/rico-import-XXXXXX", path[64], text[600];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/tetra.obj", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(OBJ, file);
    fclose(file);
    snprintf(text, sizeof text,
             "<mujoco><compiler meshdir='%s'/><asset><mesh name='m' file='tetra.obj' scale='.001 .001 "
             ".001'/></asset>"
             "<worldbody><body name='t' pos='0 0 5'><freejoint/><geom type='mesh' mesh='m' density='6' "
             "pos='1 0 0'/>"
             "</body></worldbody></mujoco>",
             folder);
    sample self;
    sample_read(&self, text, NULL);
    const rico_bound_body *body = sample_body(&self, "t");
    // volume 1/6, centroid a quarter, inertia of the unit corner: xx = (y^2 + z^2) integrated = 2/60 less m (2/16)
    assert_near(body->mass, 1.0, 1e-14);
    assert_near(body->center[0], 1.25, 1e-14);
    assert_near(body->center[1], 0.25, 1e-14);
    assert_near(body->inertia[0], 6.0 * 2.0 / 60.0 - 2.0 / 16.0, 1e-14);
    assert_near(body->inertia[1], -(6.0 / 120.0 - 1.0 / 16.0), 1e-14);
    sample_release(&self);
    // mirrored in y and twice as long along z; and the same points in the model itself
    static const char *const ASSET[] = {"file='tetra.obj' scale='.001 -.001 .002'",
                                        "vertex='0 0 0  1 0 0  0 1 0  0 0 1' scale='1 -1 2'"};
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text,
                 "<mujoco><compiler meshdir='%s'/><asset><mesh name='m' %s/></asset><worldbody><body "
                 "name='t'><freejoint/><geom type='mesh' mesh='m' density='3'/></body></worldbody></mujoco>",
                 folder, ASSET[i]);
        sample_read(&self, text, NULL);
        body = sample_body(&self, "t");
        assert_near(body->mass, 1.0, 1e-14);
        assert_near(body->center[0], 0.25, 1e-14);
        assert_near(body->center[1], -0.25, 1e-14);
        assert_near(body->center[2], 0.5, 1e-14);
        assert_near(body->inertia[0], 6.0 * 5.0 / 60.0 - 5.0 / 16.0, 1e-14);
        assert_near(body->inertia[1], 6.0 / 120.0 - 1.0 / 16.0, 1e-14);
        sample_release(&self);
    }
    snprintf(text, sizeof text,
             "<robot name='r'><link name='t'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
             "izz='1'/></inertial><collision><geometry><mesh filename='%s/tetra.obj' scale='.001 -.001 "
             ".002'/></geometry></collision></link></robot>",
             folder);
    sample_read(&self, text, NULL);
    const rico_shape *shape = sample_body(&self, "t")->given.shape;
    const rico_stand stand = {.orientation = {1.0}};
    double low[3], high[3];
    rico_shape_bounds(shape, &stand, low, high);
    assert_near(low[1], -1.0, 1e-14);
    assert_near(high[2], 2.0, 1e-14);
    sample_release(&self);
    remove(path);
    rmdir(folder);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_guide), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_ignore), cmocka_unit_test(test_mesh)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
