#!/bin/sh
# The committed PTX equals what clang 14 generates from the kernels. It has no
# instruction whose result depends on the GPU: no fused multiply-add and no
# approximation. No kernel uses local memory, in which arrays that are not in
# registers lie.
. tests/support/tap.sh

ptx=harness/engine/cuda/kernels.ptx
lacks_instructions() { ! grep -nE "$1" "$ptx"; } # PATTERN
has_all() { # every kernel of the list is an entry
    sed -n 's/^CUDA(\([a-z_0-9]*\),.*/\1/p' harness/engine/cuda/kernel_list.h \
        >"$work/kernels"
    test -s "$work/kernels" || return
    while read -r name; do
        grep -q "^\.visible \.entry cuda_$name(" "$ptx" ||
            { echo "cuda_$name is missing"; return 1; }
    done <"$work/kernels"
}

ok 'the PTX has every kernel' has_all
ok '... no fused multiply-add' lacks_instructions '\<(fma|mad)\.[a-z.]*f(32|64)'
ok '... no approximation' lacks_instructions '\.(approx|full)\.'
ok '... no denormals that become 0' lacks_instructions '\.ftz'
ok '... no call of a function' lacks_instructions '^[[:space:]]*call'
ok '... no local memory' lacks_instructions '\.local'
ok '... and matrix products only in those of products and attention' \
    test "$(awk '/^\.visible \.entry/ { k = $3 } /mma\.sync/ { print k }' \
        "$ptx" | sort -u | tr -d '(\n')" = cuda_fusecuda_fuse_keyscuda_fuse_\
rowscuda_fuse_tablescuda_fuse_weightscuda_product_low
if command -v clang-14 >/dev/null; then
    make -s ptx PTX="$work/kernels.ptx" >"$work/out" 2>"$work/err"
    ok 'clang 14 makes it of the kernels' cmp "$work/kernels.ptx" "$ptx"
else
    ok 'clang 14 makes it of the kernels # SKIP there is no clang-14' true
fi
done_testing
