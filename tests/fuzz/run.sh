#!/bin/sh
# run.sh FUZZ RUNS FOLDER: fuzzes every format, with RUNS inputs each, and
# leaves findings in FOLDER/FORMAT. FORMATS restricts the formats. Stops at the
# first crash, leak or hang.
set -eu
fuzz=$1 runs=$2 folder=$3
"$fuzz" --list | while read -r format most seeds; do
    [ -z "${FORMATS-}" ] || case " $FORMATS " in
    *" $format "*) ;;
    *) continue ;;
    esac
    mkdir -p "$folder/$format"
    if [ "$seeds" = - ]; then
        seeds=$folder/$format.seeds
        rm -rf "$seeds"
        mkdir -p "$seeds"
        "$fuzz" --seeds "$format" "$seeds"
    fi
    if ! FORMAT=$format "$fuzz" -runs="$runs" -seed=1 -timeout=10 \
        -max_len="$most" -artifact_prefix="$folder/$format-" -close_fd_mask=1 \
        "$folder/$format" "$seeds" >"$folder/$format.log" 2>&1; then
        tail -n 40 "$folder/$format.log" >&2
        echo "fuzz: $format: FAILED; the input is $folder/$format-*" >&2
        exit 1
    fi
    printf 'fuzz: %-14s %s\n' "$format" \
        "$(grep '^Done' "$folder/$format.log")"
done
