# Floating-point operations out of how often every instruction ran (callgrind, with --dump-instr=yes --dump-line=no and names
# not compressed) and of what those instructions are (objdump -d --no-show-raw-insn).
#
#     objdump -d --no-show-raw-insn OBJECT | awk -f bench/flops.awk -v of=OBJECT > OBJECT.flops     what each address does
#     awk -f bench/flops.awk callgrind.out OBJECT.flops...                                          operations, min and max
#
# One is an addition, subtraction, multiplication, division or square root of one lane; a fused one counts two. Moves,
# shuffles, logic, comparisons and conversions are none. Of min and max there is a count apart, as Intel's counters take them in.

BEGIN { if (of != "") print "object=" of }

function lanes(name,    width)
{
    width = $0 ~ /%zmm/ ? 64 : $0 ~ /%ymm/ ? 32 : 16
    return name ~ /s[sd]$/ ? 1 : name ~ /d$/ ? width / 8 : width / 4
}

# objdump: "  address:<tab>name operands"
of != "" && /^ *[0-9a-f]+:\t/ {
    name = $2
    at = "0x" substr($1, 1, length($1) - 1)
    if (name ~ /^v?(add|sub|mul|div|sqrt|hadd|hsub|addsub)[sp][sd]$/) print "f", at, lanes(name)
    else if (name ~ /^vfn?m(add|sub|addsub|subadd)(132|213|231)[sp][sd]$/) print "f", at, 2 * lanes(name)
    else if (name ~ /^v?(min|max)[sp][sd]$/) print "m", at, lanes(name)
    else if (name ~ /^fi?(add|sub|mul|div|sqrt)(p|r|rp|s|l|rs|rl)?$/) print "f", at, 1
    next
}
of != "" { next }

# the lists made of them
/^object=/ { object = substr($0, 8); next }
/^f / { if ((object, $2) in ran) sum += $3 * ran[object, $2]; next }
/^m / { if ((object, $2) in ran) most += $3 * ran[object, $2]; next }

# callgrind; the line below "calls" tells what was called, which is counted where it is
/^ob=/ { object = substr($0, 4); next }
/^calls=/ { called = 1; next }
/^0x/ {
    if (!called) ran[object, $1] += $2
    called = 0
}

END { if (of == "") printf "%.0f %.0f\n", sum, most }
