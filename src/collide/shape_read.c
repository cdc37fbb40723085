// Shapes from files: STL, text or binary, and OBJ.
//
// What a file is shows in its bytes: a binary STL is as long as its count of triangles says, a text STL begins with "solid", all
// others are read as OBJ. Every message names the file and the line, or the byte of a binary one.

#include "collide/shape.h"

#include "base/context.h"
#include "base/file.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TOKEN = 64 };

// What a file has given so far.
typedef struct rico_soup {
    rico_context *ctx;
    const char *path;
    double scale[3];
    int64_t vertices, vertex_room, triangles, triangle_room;
    double *vertex;
    int64_t *triangle;
} rico_soup;

// A place in a text, and the line it is in.
typedef struct rico_cursor {
    const char *at, *end;
    int64_t line;
} rico_cursor;


static rico_status add_vertex(rico_soup *soup, const double x[3])
{
    if (soup->vertices == soup->vertex_room) {
        int64_t room = soup->vertex_room ? 2 * soup->vertex_room : 256;
        double *grown = rico_grow(soup->ctx, soup->vertex, 3 * soup->vertex_room, 3 * room, sizeof *grown);
        if (!grown) return RICO_NO_MEMORY;
        soup->vertex = grown;
        soup->vertex_room = room;
    }
    for (int i = 0; i < 3; i++) soup->vertex[3 * soup->vertices + i] = soup->scale[i] * x[i];
    soup->vertices++;
    return RICO_OK;
}


static rico_status add_triangle(rico_soup *soup, int64_t a, int64_t b, int64_t c)
{
    if (soup->triangles == soup->triangle_room) {
        int64_t room = soup->triangle_room ? 2 * soup->triangle_room : 256;
        int64_t *grown =
            rico_grow(soup->ctx, soup->triangle, 3 * soup->triangle_room, 3 * room, sizeof *grown);
        if (!grown) return RICO_NO_MEMORY;
        soup->triangle = grown;
        soup->triangle_room = room;
    }
    int64_t *corner = &soup->triangle[3 * soup->triangles++];
    corner[0] = a, corner[1] = b, corner[2] = c;
    return RICO_OK;
}


// --- words of a line -----------------------------------------------------------------------------------------------------

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}


// The next word of the line, cut to fit; false: the line ends.
static bool next_word(rico_cursor *in, char word[TOKEN])
{
    int length = 0;
    while (in->at < in->end && is_blank(*in->at)) in->at++;
    if (in->at >= in->end || *in->at == '\n' || *in->at == '#') return false;
    for (; in->at < in->end && *in->at != '\n' && !is_blank(*in->at); in->at++)
        if (length < TOKEN - 1) word[length++] = *in->at;
    word[length] = '\0';
    return true;
}


static void next_line(rico_cursor *in)
{
    while (in->at < in->end && *in->at != '\n') in->at++;
    if (in->at < in->end) in->at++;
    in->line++;
}


static rico_status fail_at_line(const rico_soup *soup, const rico_cursor *in, const char *what,
                                const char *word)
{
    return rico_fail(soup->ctx, RICO_BAD_ARGUMENT, "%s, line %lld: %s%s%s%s", soup->path, (long long)in->line,
                     what, word ? " '" : "", word ? word : "", word ? "'" : "");
}


static rico_status read_point(const rico_soup *soup, rico_cursor *in, double x[3])
{
    char word[TOKEN];
    for (int i = 0; i < 3; i++) {
        if (!next_word(in, word)) return fail_at_line(soup, in, "a vertex has three numbers", NULL);
        if (!rico_text_to_real(word, &x[i])) return fail_at_line(soup, in, "this is no finite number:", word);
    }
    return RICO_OK;
}


// --- STL -----------------------------------------------------------------------------------------------------------------

static rico_status read_stl_text(rico_soup *soup, rico_cursor in)
{
    static const char *const WORDS[] = {"solid", "facet", "outer", "endloop", "endfacet", "endsolid"};
    char word[TOKEN];
    int corners = 0;
    for (; in.at < in.end; next_line(&in)) {
        if (!next_word(&in, word)) continue;
        bool known = false;
        for (size_t k = 0; k < sizeof WORDS / sizeof *WORDS; k++) known |= strcmp(word, WORDS[k]) == 0;
        rico_status status = RICO_OK;
        if (strcmp(word, "vertex") == 0) {
            double x[3];
            status = read_point(soup, &in, x);
            if (status == RICO_OK) status = add_vertex(soup, x);
            corners++;
        } else if (strcmp(word, "endloop") == 0) {
            if (corners != 3) return fail_at_line(soup, &in, "a facet of STL has three vertices", NULL);
            int64_t last = soup->vertices;
            status = add_triangle(soup, last - 3, last - 2, last - 1);
            corners = 0;
        } else if (!known) {
            status = fail_at_line(soup, &in, "text STL has no", word);
        }
        if (status != RICO_OK) return status;
    }
    if (corners > 0) return fail_at_line(soup, &in, "the file ends inside a facet", NULL);
    return RICO_OK;
}


static uint32_t little(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}


static rico_status read_stl_binary(rico_soup *soup, const char *bytes, size_t length)
{
    int64_t count = length >= 84 ? little(bytes + 80) : 0;
    if (length < 84 || (uint64_t)length < 84 + 50 * (uint64_t)count)
        return rico_fail(soup->ctx, RICO_BAD_ARGUMENT,
                         "%s, byte %lld: a binary STL of %lld triangles ends here, before its end",
                         soup->path, (long long)length, (long long)count);
    for (int64_t k = 0; k < count; k++) {
        for (int corner = 0; corner < 3; corner++) {
            double x[3];
            for (int i = 0; i < 3; i++) {
                size_t place = 84 + 50 * (size_t)k + 12 + 12 * (size_t)corner + 4 * (size_t)i;
                uint32_t bits = little(bytes + place);
                float value;
                memcpy(&value, &bits, sizeof value);
                x[i] = value;
                if (!isfinite(x[i]))
                    return rico_fail(soup->ctx, RICO_BAD_ARGUMENT,
                                     "%s, byte %lld: triangle %lld has a vertex that is not finite",
                                     soup->path, (long long)place, (long long)(k + 1));
            }
            rico_status status = add_vertex(soup, x);
            if (status != RICO_OK) return status;
        }
        rico_status status = add_triangle(soup, 3 * k, 3 * k + 1, 3 * k + 2);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


// --- OBJ -----------------------------------------------------------------------------------------------------------------

// One corner of a face: vertex[/texture[/normal]], counted from 1, or back from the last with a minus sign.
static rico_status read_corner(const rico_soup *soup, const rico_cursor *in, char *word, int64_t *vertex)
{
    char whole[TOKEN];
    memcpy(whole, word, TOKEN);
    char *slash = strchr(word, '/');
    if (slash) *slash = '\0';
    if (!rico_text_to_integer(word, vertex))
        return fail_at_line(soup, in, "this is no corner of a face:", whole);
    *vertex = *vertex < 0 && *vertex >= -soup->vertices ? soup->vertices + *vertex : *vertex - 1;
    if (*vertex < 0 || *vertex >= soup->vertices)
        return fail_at_line(soup, in, "there is no vertex so far of the number", whole);
    return RICO_OK;
}


// A face of any number of corners, as a fan about the first.
static rico_status read_face(rico_soup *soup, rico_cursor *in)
{
    char word[TOKEN];
    int64_t first = 0, before = 0, here;
    int corners = 0;
    for (; next_word(in, word); corners++, before = here) {
        rico_status status = read_corner(soup, in, word, &here);
        if (status == RICO_OK && corners >= 2) status = add_triangle(soup, first, before, here);
        if (status != RICO_OK) return status;
        if (corners == 0) first = here;
    }
    if (corners < 3) return fail_at_line(soup, in, "a face has at least three corners", NULL);
    return RICO_OK;
}


static rico_status read_obj(rico_soup *soup, rico_cursor in)
{
    static const char *const PASSED[] = {"vn",    "vt",       "vp",       "o",          "g",        "s",
                                         "l",     "p",        "usemtl",   "mtllib",     "mg",       "lod",
                                         "bevel", "c_interp", "d_interp", "shadow_obj", "trace_obj"};
    char word[TOKEN];
    for (; in.at < in.end; next_line(&in)) {
        if (!next_word(&in, word)) continue;
        rico_status status = RICO_OK;
        if (strcmp(word, "v") == 0) {
            double x[3];
            status = read_point(soup, &in, x);
            if (status == RICO_OK) status = add_vertex(soup, x);
        } else if (strcmp(word, "f") == 0) {
            status = read_face(soup, &in);
        } else {
            bool passed = false;
            for (size_t k = 0; k < sizeof PASSED / sizeof *PASSED; k++)
                passed |= strcmp(word, PASSED[k]) == 0;
            if (!passed)
                status = fail_at_line(soup, &in, "neither STL nor OBJ has lines that begin with", word);
        }
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


// --- any of them -----------------------------------------------------------------------------------------------------------

static bool is_named_stl(const char *path)
{
    size_t length = strlen(path);
    const char *end = path + (length >= 4 ? length - 4 : 0);
    return end[0] == '.' && (end[1] | 32) == 's' && (end[2] | 32) == 't' && (end[3] | 32) == 'l';
}


static rico_status read_soup(rico_soup *soup, const char *bytes, size_t length)
{
    rico_cursor in = {bytes, bytes + length, 1};
    bool text = length >= 5 && memcmp(bytes, "solid", 5) == 0;
    if (length >= 84 && (uint64_t)length == 84 + 50 * (uint64_t)little(bytes + 80))
        return read_stl_binary(soup, bytes, length);
    if (text) return read_stl_text(soup, in);
    return is_named_stl(soup->path) ? read_stl_binary(soup, bytes, length) : read_obj(soup, in);
}


// A mirror turns triangles inside out: they are told the other way round.
static void turn_mirrored(rico_soup *soup)
{
    if (soup->scale[0] * soup->scale[1] * soup->scale[2] > 0.0) return;
    for (int64_t k = 0; k < soup->triangles; k++) {
        int64_t *corner = &soup->triangle[3 * k], kept = corner[1];
        corner[1] = corner[2];
        corner[2] = kept;
    }
}


rico_status rico_shape_read(rico_context *ctx, const char *path, double scale, bool hull, rico_shape **out)
{
    const double all[3] = {scale, scale, scale};
    *out = NULL;
    if (!(scale > 0.0 && isfinite(scale)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s: the scale of a shape is positive, got %g", path, scale);
    return rico_shape_read_scaled(ctx, path, all, hull, out);
}


rico_status rico_shape_read_scaled(rico_context *ctx, const char *path, const double scale[3], bool hull,
                                   rico_shape **out)
{
    *out = NULL;
    for (int i = 0; i < 3; i++)
        if (scale[i] == 0.0 || !isfinite(scale[i]))
            return rico_fail(ctx, RICO_BAD_ARGUMENT,
                             "%s: the scale of a shape along an axis is no zero, got %g %g %g", path,
                             scale[0], scale[1], scale[2]);
    char *bytes;
    size_t length;
    rico_status status = rico_file_load(ctx, path, &bytes, &length);
    if (status != RICO_OK) return status;
    rico_soup soup = {.ctx = ctx, .path = path, .scale = {scale[0], scale[1], scale[2]}};
    status = read_soup(&soup, bytes, length);
    rico_free(ctx, bytes);
    if (status == RICO_OK) {
        turn_mirrored(&soup);
        status = hull ? rico_shape_hull(ctx, soup.vertex, soup.vertices, out)
                      : rico_shape_mesh(ctx, soup.vertex, soup.vertices, soup.triangle, soup.triangles, out);
        if (status != RICO_OK && status != RICO_NO_MEMORY) status = rico_fail_in(ctx, status, path);
    }
    rico_free(ctx, soup.vertex);
    rico_free(ctx, soup.triangle);
    return status;
}
