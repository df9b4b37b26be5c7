#!/bin/sh
# layers: prints which other modules each module includes, lowest layer first.
# Transitive dependencies are omitted.
set -eu
export LC_ALL=C
find harness variants plots -name '*.[ch]' -o -name '*.cc' | sort |
    xargs grep -Ho '^ *# *include "[^"]*"' | awk -F: '
    function room(path,  part) {
        split(path, part, "/")
        return part[1] == "harness" ? part[2] : part[1]
    }
    # Returns the layer of a module: the length of the longest chain of includes
    # below it, or 0 if it includes no module.
    function floor(r,  k, most, f) {
        if (r in at)
            return at[r]
        most = 0
        for (k in rooms)
            if ((r, k) in edge && (f = floor(k) + 1) > most)
                most = f
        return at[r] = most
    }
    function below(r, to,  k) { # through one room at least
        for (k in rooms)
            if ((r, k) in edge && ((k, to) in edge || below(k, to)))
                return 1
        return 0
    }
    {
        gsub(/^.*include "|"$/, "", $2)
        from = room($1)
        rooms[from]
        if ($2 ~ "/" && room($2) != from)
            edge[from, room($2)]
    }
    END {
        for (r in rooms)
            floor(r)
        for (level = 0; ; level++) {
            n = 0
            for (r in rooms)
                if (at[r] == level)
                    name[++n] = r
            if (!n)
                exit
            for (i = 2; i <= n; i++) # by name
                for (j = i; j > 1 && name[j - 1] > name[j]; j--) {
                    t = name[j]; name[j] = name[j - 1]; name[j - 1] = t
                }
            for (i = 1; i <= n; i++) {
                line = sprintf("%d  %-9s", level, name[i])
                for (l = level - 1; l >= 0; l--)
                    for (k = 1; k <= seen; k++)
                        if (at[order[k]] == l && (name[i], order[k]) in edge &&
                            !below(name[i], order[k]))
                            line = line " " order[k]
                sub(/ +$/, "", line)
                print line
            }
            for (i = 1; i <= n; i++)
                order[++seen] = name[i]
        }
    }'
