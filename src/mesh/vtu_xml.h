// The XML of VTU files: tags, their attributes, and the arrays of numbers between them.

#ifndef RICO_MESH_VTU_XML_H
#define RICO_MESH_VTU_XML_H

#include "mesh/scan.h"

enum { RICO_XML_WORD = 256 };

// One tag; attributes are looked up in its text.
typedef struct rico_xml_tag {
    char name[32];
    bool closing, empty; // </x>, <x/>
    int64_t at;          // of its <
    int64_t from, to;    // of its attributes
    int64_t content;     // behind its >
} rico_xml_tag;

// The next tag that is neither a comment nor an instruction; name "" at the end of the file. The scan stands behind it then.
rico_status rico_xml_next(rico_scan *scan, rico_xml_tag *tag);

// The value of an attribute, with its entities resolved; false if there is none.
bool rico_xml_attribute(const rico_scan *scan, const rico_xml_tag *tag, const char *name,
                        char value[RICO_XML_WORD]);

typedef enum rico_xml_format { RICO_XML_TEXT, RICO_XML_BASE64, RICO_XML_APPENDED } rico_xml_format;

typedef struct rico_xml_array {
    bool there;
    char name[RICO_XML_WORD];
    bool real, is_signed;
    int size; // bytes of a number
    int64_t components;
    rico_xml_format format;
    int64_t offset;  // in the block at the end
    int64_t content; // behind the tag
    int64_t at;
} rico_xml_array;

// How a file holds its numbers.
typedef struct rico_xml_block {
    int head;      // bytes of the length before an array
    int64_t start; // of the block at the end, behind its _; -1: there is none
    bool raw;      // bytes there, not letters
} rico_xml_block;

rico_status rico_xml_array_read(rico_scan *scan, const rico_xml_tag *tag, rico_xml_array *array);

// `count` numbers of an array into reals or integers, the other NULL.
rico_status rico_xml_array_numbers(const rico_scan *scan, const rico_xml_block *block,
                                   const rico_xml_array *array, int64_t count, double *real,
                                   int64_t *integer);

#endif
