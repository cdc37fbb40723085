# Summary of the table that `rico bench --output DIR` writes: for each solver how many problems it solves, its
# geometric mean time, and its performance profile at three ratios.
#
#     awk -f bench/summary.awk DIR/results.csv
#
# Options, each given as -v NAME=VALUE:
#   only     a file with names of problems, one on each line (SET/NAME.hdf5): leave out the others
#   solvers  solvers to compare, separated by commas: leave out the others, also from the profiles
#   base     the solver that times are compared with, pair by pair (default: the first of the table)
#
# Columns: solver; solved; of, the problems that all solvers were run on; ms, the geometric mean with the time
# limit for unsolved problems; common, the problems that all of these solvers solve, and ms-common, the geometric
# mean over them; both, the problems that the solver and the base solve, and ratio, the geometric mean of its times
# over the base's there; rho(1), rho(2), rho(10), the profile by processor time (Acary, Bremond and Huber 2018,
# eq. 135).
# Only the last column of results.csv can hold a comma, so that splitting at commas is safe here.

function problem_name(path,    part, n)
{
    n = split(path, part, "/")
    return part[n - 1] "/" part[n]
}


BEGIN {
    FS = ","
    if (only != "")
        while ((getline line < only) > 0)
            wanted[line] = 1
    count = split(solvers, list, ",")
    for (i = 1; i <= count; i++)
        chosen[list[i]] = 1
}


FNR > 1 {
    problem = problem_name($1)
    if (only != "" && !(problem in wanted)) next
    if (solvers != "" && !($5 in chosen)) next

    if (!($5 in known)) {
        known[$5] = 1
        order[++members] = $5
    }
    if (!(problem in cells)) problems[++collected] = problem
    if (!((problem, $5) in limit)) cells[problem]++
    limit[problem, $5] = $7

    # times below the clock's microsecond would make ratios infinite
    if ($9 == "solved") seconds[problem, $5] = $15 > 1e-6 ? $15 : 1e-6
}


END {
    for (p = 1; p <= collected; p++) {
        problem = problems[p]
        if (cells[problem] < members) continue
        complete++

        best = -1
        solvers_here = 0
        for (s = 1; s <= members; s++) {
            if (!((problem, order[s]) in seconds)) continue
            solvers_here++
            if (best < 0 || seconds[problem, order[s]] < best) best = seconds[problem, order[s]]
        }
        if (solvers_here == members) common++

        for (s = 1; s <= members; s++) {
            name = order[s]
            if (!((problem, name) in seconds)) {
                logs[name] += log(limit[problem, name])
                continue
            }
            t = seconds[problem, name]
            solved[name]++
            logs[name] += log(t)
            if (solvers_here == members) common_logs[name] += log(t)
            if (t <= best) within1[name]++
            if (t <= 2 * best) within2[name]++
            if (t <= 10 * best) within10[name]++
        }
    }

    if (base == "") base = order[1]
    for (p = 1; p <= collected; p++) {
        problem = problems[p]
        if (cells[problem] < members || !((problem, base) in seconds)) continue
        for (s = 1; s <= members; s++) {
            if (!((problem, order[s]) in seconds)) continue
            both[order[s]]++
            ratio_logs[order[s]] += log(seconds[problem, order[s]] / seconds[problem, base])
        }
    }

    if (complete == 0) {
        print "no problem on which all solvers were run" > "/dev/stderr"
        exit 1
    }
    print "solver,solved,of,ms,common,ms-common,both,ratio,rho(1),rho(2),rho(10)"
    for (s = 1; s <= members; s++) {
        name = order[s]
        ms_common = common ? sprintf("%.4g", 1e3 * exp(common_logs[name] / common)) : ""
        ratio = both[name] ? sprintf("%.3g", exp(ratio_logs[name] / both[name])) : ""
        printf "%s,%d,%d,%.4g,%d,%s,%d,%s,%.2f,%.2f,%.2f\n", name, solved[name], complete,
               1e3 * exp(logs[name] / complete), common, ms_common, both[name], ratio,
               within1[name] / complete, within2[name] / complete, within10[name] / complete
    }
}
