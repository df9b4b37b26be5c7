#!/bin/sh
# gpu_kit BUILD FILE: packs the program of BUILD into FILE, for a machine with a
# GPU.  When FILE is run, it unpacks itself into a temporary folder and runs
# tests/gpu/measure there.  It contains all shared libraries except those of
# glibc.
set -eu
build=$1 file=$2
kit=$(mktemp -d)
trap 'rm -rf "$kit"' EXIT

mkdir -p "$kit/bin" "$kit/lib" "$(dirname "$file")"
cp "$build/synthbench" "$build/tests/engine/test_cuda" "$kit/bin"
cp tests/gpu/measure tests/gpu/peer.py "$kit"
cp -R experiments "$kit"
ldd "$kit"/bin/* | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | sort -u |
    grep -Ev '/(libc|libm|libdl|libpthread|librt|libresolv)\.so\.' |
    while read -r library; do
        cp -L "$library" "$kit/lib"
    done
strip "$kit"/bin/* "$kit"/lib/*

cat >"$file.new" <<'END'
#!/bin/sh
# Measures synthbench on this machine's GPU; writes JSON into the folder OUT.
#     gpu-kit OUT [OPTION...]    (gpu-kit --help)
kit=$(mktemp -d) || exit 1
trap 'rm -rf "$kit"' EXIT
LC_ALL=C sed '1,/^exit/d' "$0" | tar xz -C "$kit" || exit 1
"${PYTHON:-python3}" "$kit/measure" "$@"
exit
END
tar c -C "$kit" . | gzip -1 >>"$file.new"
chmod +x "$file.new"
mv "$file.new" "$file"
