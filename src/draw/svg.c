// SVG, element by element.

#include "draw/svg.h"

#include "base/utf8.h"

// XML reads three characters as its own, takes no control characters, and text only in its encoding.
static void write_escaped(FILE *out, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at != '\0') {
        int length = rico_utf8_length(at);
        if (*at == '<')
            fputs("&lt;", out);
        else if (*at == '>')
            fputs("&gt;", out);
        else if (*at == '&')
            fputs("&amp;", out);
        else if (length == 0 || *at < 0x20 || *at == 0x7F)
            fputc('?', out);
        else
            fwrite(at, 1, (size_t)length, out);
        at += length > 0 ? length : 1;
    }
}


rico_svg rico_svg_begin(FILE *out, double width, double height, const char *title)
{
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%g\" height=\"%g\" "
            "viewBox=\"0 0 %g %g\" font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\">\n"
            "<title>",
            width, height, width, height);
    write_escaped(out, title);
    fprintf(out, "</title>\n<rect width=\"%g\" height=\"%g\" fill=\"#ffffff\"/>\n", width, height);
    return (rico_svg){.out = out};
}


void rico_svg_end(rico_svg *svg)
{
    fprintf(svg->out, "</svg>\n");
}


static void write_stroke(FILE *out, const rico_svg_stroke *stroke)
{
    fprintf(out, " fill=\"none\" stroke=\"%s\" stroke-width=\"%g\"", stroke->colour, stroke->width);
    if (stroke->dash != NULL) fprintf(out, " stroke-dasharray=\"%s\"", stroke->dash);
    fprintf(out, "/>\n");
}


void rico_svg_line(rico_svg *svg, double x1, double y1, double x2, double y2, const rico_svg_stroke *stroke)
{
    fprintf(svg->out, "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"", x1, y1, x2, y2);
    write_stroke(svg->out, stroke);
}


void rico_svg_rectangle(rico_svg *svg, double x, double y, double width, double height,
                        const rico_svg_stroke *stroke)
{
    fprintf(svg->out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"", x, y, width, height);
    write_stroke(svg->out, stroke);
}


void rico_svg_curve(rico_svg *svg, int64_t count, const double *x, const double *y,
                    const rico_svg_stroke *stroke)
{
    fprintf(svg->out, "<polyline stroke-linejoin=\"round\" points=\"");
    for (int64_t i = 0; i < count; i++) fprintf(svg->out, "%s%.2f,%.2f", i > 0 ? " " : "", x[i], y[i]);
    fprintf(svg->out, "\"");
    write_stroke(svg->out, stroke);
}


void rico_svg_text(rico_svg *svg, double x, double y, const rico_svg_font *font, const char *text,
                   const char *power)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    fprintf(svg->out, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%g\" fill=\"%s\" text-anchor=\"%s\"", x, y,
            font->size, font->colour, anchors[font->anchor]);
    if (font->turn != 0.0) fprintf(svg->out, " transform=\"rotate(%g %.2f %.2f)\"", font->turn, x, y);
    fprintf(svg->out, ">");
    write_escaped(svg->out, text);
    if (power != NULL) {
        fprintf(svg->out, "<tspan dy=\"%.2f\" font-size=\"%.2f\">", -0.45 * font->size, 0.72 * font->size);
        write_escaped(svg->out, power);
        fprintf(svg->out, "</tspan>");
    }
    fprintf(svg->out, "</text>\n");
}
