#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Finds the exact packages of one CUTLASS release and one CUDA toolkit; leaves lock.txt in $CROSSWARP_OUT.
# The toolkit is the host's where it has that release, wheels from 13.0, and before that Debian's compiler among wheels.
set -eu
. "$CROSSWARP_RECIPE/debian.sh"

cuda=$CROSSWARP_AXIS_CUDA
major=${cuda%%.*}
lock=$CROSSWARP_OUT/lock.txt

# Prints what the requirements on standard input come to, one exact version a line.
compile_requirements() {
  uv pip compile --quiet --no-header --no-annotate --only-binary :all: --prerelease disallow \
    --python "$CROSSWARP_PYTHON" "$@" -
}

# All parts are named: what is only implied comes in its newest release and disagrees with nvcc's.
toolkit_wheels() {
  if [ "$major" -ge 13 ]; then
    echo "cuda-toolkit[nvcc,crt,nvvm,cudart,cccl]==$cuda.*"
  else
    printf '%s\n' "nvidia-cuda-nvcc-cu$major==$cuda.*" "nvidia-cuda-runtime-cu$major==$cuda.*" \
      "nvidia-cuda-cccl-cu$major==$cuda.*"
  fi
}

# Headers need none of the Python packages that the wheel declares.
echo "nvidia-cutlass==$CROSSWARP_AXIS_CUTLASS" | compile_requirements --no-deps > "$lock"
if [ -n "${CROSSWARP_TOOLKIT:-}" ]; then
  echo "# host-toolkit $("$CROSSWARP_TOOLKIT/bin/nvcc" --version | sed -n 's/.*, V//p')" >> "$lock"
else
  toolkit_wheels > "$CROSSWARP_WORK/toolkit.in"
  compile_requirements < "$CROSSWARP_WORK/toolkit.in" >> "$lock"
fi
if [ -z "${CROSSWARP_TOOLKIT:-}" ] && [ "$major" -lt 13 ]; then
  use_own_apt_root
  lock_debs "$cuda" >> "$lock"
else
  echo "# host-compiler g++ $(g++ -dumpfullversion)" >> "$lock"
fi
