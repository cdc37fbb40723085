# The tables of bench/flops.sh out of its rows: problem, solver, contacts, iterations, residual, seconds, operations by the
# processor, operations counted, min and max, iterations when counted.

# Solved is a residual of at most tol; what did not end in time has "-" everywhere.
{
    if (!($1 in known_problem)) { known_problem[$1]; problems[++problem_count] = $1 }
    if (!($2 in known_solver)) { known_solver[$2]; solvers[++solver_count] = $2 }
    if ($3 == "-") { line[++lines] = sprintf("| %s | | %s | | | | | | | |", $1, $2); next }
    line[++lines] = sprintf("| %s | %d | %s | %d%s | %s | %.3g | %.4g | %.4g | %.1f | %s |", $1, $3, $2, $4,
                            $4 == $10 ? "" : " (" $10 ")", $5, $6, $8, $8 / $3, 100 * $9 / ($8 > 0 ? $8 : 1), $7)
    if ($5 + 0 > tol + 0) next
    solved[$2]++
    flops[$1, $2] = $8 / $3
    seconds[$1, $2] = ($6 > 1e-6 ? $6 : 1e-6) / $3
    if (!($1 in least_flops) || flops[$1, $2] < least_flops[$1]) { least_flops[$1] = flops[$1, $2]; thrifty[$1] = $2 }
    if (!($1 in least_seconds) || seconds[$1, $2] < least_seconds[$1]) { least_seconds[$1] = seconds[$1, $2]; fast[$1] = $2 }
}

function rank_of(name, ratio,    s, rank)
{
    rank = 1
    for (s = 1; s <= solver_count; s++) if ((solvers[s] in ratio) && ratio[solvers[s]] < ratio[name]) rank++
    return rank
}

END {
    print "| problem | contacts | solver | iterations | residual | seconds | flops | flops per contact | min and max, % | by the processor |"
    print "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for (i = 1; i <= lines; i++) print line[i]

    # geometric means over the problems that a solver and the first one solve
    base = solvers[1]
    for (s = 1; s <= solver_count; s++) {
        name = solvers[s]
        for (p = 1; p <= problem_count; p++) {
            at = problems[p]
            if (thrifty[at] == name) thriftiest[name]++
            if (fast[at] == name) fastest[name]++
            if (!((at, name) in flops) || !((at, base) in flops)) continue
            both[name]++
            f[name] += log(flops[at, name])
            t[name] += log(seconds[at, name])
            f_ratio[name] += log(flops[at, name] / flops[at, base])
            t_ratio[name] += log(seconds[at, name] / seconds[at, base])
        }
        if (both[name]) { f_ratio[name] /= both[name]; t_ratio[name] /= both[name] }
    }
    printf "\n| solver | solved of %d | fewest flops | fastest | both | flops per contact | Gflop/s | flops / %s | rank | time / %s | rank |\n",
           problem_count, base, base
    print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for (s = 1; s <= solver_count; s++) {
        name = solvers[s]
        if (!both[name]) continue
        printf "| %s | %d | %d | %d | %d | %.3g | %.2f | %.3g | %d | %.3g | %d |\n", name, solved[name], thriftiest[name],
               fastest[name], both[name], exp(f[name] / both[name]), 1e-9 * exp((f[name] - t[name]) / both[name]),
               exp(f_ratio[name]), rank_of(name, f_ratio), exp(t_ratio[name]), rank_of(name, t_ratio)
    }
}
