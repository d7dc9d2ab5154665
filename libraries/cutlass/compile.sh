#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles the GEMM of the arch's own family for exactly $CROSSWARP_AXIS_ARCH.
# Leaves gemm.o and gemm.d (every header that was read) in $CROSSWARP_OUT.
set -eu

arch=${CROSSWARP_AXIS_ARCH#sm_}
cutlass=$CROSSWARP_ENV/site/cutlass_library/source
toolkit=$(readlink -f "$CROSSWARP_ENV/toolkit")

# Prints headers that are neither CUTLASS's, nor the toolkit's, nor the system's own C and C++ headers.
foreign_headers() {
  tr -s ' \\' '\n' < "$CROSSWARP_OUT/gemm.d" | grep '^/' | awk \
    -v environment="$CROSSWARP_ENV/" -v toolkit="$toolkit/" -v recipe="$CROSSWARP_RECIPE/" '
    NR == 1 { next }  # the object itself
    index($0, environment) == 1 || index($0, toolkit) == 1 || index($0, recipe) == 1 { next }
    /^\/usr\/include\/(cuda|crt\/|cub\/|thrust\/|nv\/|cute\/|cutlass\/)/ { print; next }
    /^\/usr\/(include|lib\/gcc)\// { next }
    { print }'
}

"$toolkit/bin/nvcc" -ccbin "$CROSSWARP_ENV/bin/g++" -std=c++17 --expt-relaxed-constexpr \
  -gencode "arch=compute_$arch,code=sm_$arch" -I"$cutlass/include" -I"$cutlass/tools/util/include" \
  -MD -MF "$CROSSWARP_OUT/gemm.d" -c "$CROSSWARP_RECIPE/gemm_sm${arch%[af]}.cu" -o "$CROSSWARP_OUT/gemm.o"

foreign=$(foreign_headers)
if [ -n "$foreign" ]; then
  echo "headers of this machine leaked into the compile:" >&2
  echo "$foreign" >&2
  exit 75
fi
