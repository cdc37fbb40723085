# Writes the bytes of a file as an array of C.
#
# usage: cmake -DFROM=viewer.js -DTO=viewer_bundle.c -P embed.cmake
file(READ ${FROM} bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
file(WRITE ${TO} "// The viewer, from viewer/dist.\n\n#include \"draw/page.h\"\n\n"
     "const unsigned char rico_viewer_bundle[] = {\n${bytes}\n};\n"
     "const int64_t rico_viewer_bundle_size = ${size};\n")
