#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs what the lock names: $CROSSWARP_ENV/site holds the wheels, toolkit/ the CUDA toolkit in NVIDIA's layout,
# bin/g++ the host compiler it takes. Leaves installed.json and toolkit.json in $CROSSWARP_OUT.
set -eu
. "$CROSSWARP_RECIPE/debian.sh"

site=$CROSSWARP_ENV/site
toolkit=$CROSSWARP_ENV/toolkit

# nvcc, cicc and cudafe++ are Debian's; ptxas, libdevice and the headers of the same release are the wheels'.
assemble_debian_toolkit() {
  unpacked=$CROSSWARP_WORK/toolkit
  dpkg-deb --extract "$1" "$unpacked"
  mkdir -p "$toolkit/bin" "$toolkit/nvvm/bin" "$toolkit/include"
  for tool in bin2c cudafe++ fatbinary nvlink; do mv "$unpacked/usr/bin/$tool" "$toolkit/bin/"; done
  mv "$unpacked/usr/lib/nvidia-cuda-toolkit/bin/nvcc" "$unpacked/usr/lib/nvidia-cuda-toolkit/bin/crt" "$toolkit/bin/"
  mv "$unpacked/usr/lib/nvidia-cuda-toolkit/bin/cicc" "$toolkit/nvvm/bin/"
  cp "$site/nvidia/cuda_nvcc/bin/ptxas" "$toolkit/bin/"
  cp -R "$site/nvidia/cuda_nvcc/nvvm/libdevice" "$toolkit/nvvm/"
  for part in cuda_nvcc cuda_runtime cuda_cccl; do cp -R "$site/nvidia/$part/include/." "$toolkit/include/"; done
  cp "$CROSSWARP_RECIPE/nvcc.profile" "$toolkit/bin/"
}

install_debs() {
  fetch_debs
  sed -n 's/^# deb //p' "$CROSSWARP_LOCK" | while read -r package file hash; do
    case $package in
      nvidia-cuda-toolkit=*) assemble_debian_toolkit "$CROSSWARP_CACHE/debs/$file" ;;
      *) dpkg-deb --extract "$CROSSWARP_CACHE/debs/$file" "$CROSSWARP_ENV/host-compiler" ;;
    esac
  done
}

link_host_compiler() {
  compiler=$(sed -n 's/^# host-compiler \([^ ]*\).*/\1/p' "$CROSSWARP_LOCK")
  unpacked=$CROSSWARP_ENV/host-compiler/usr/bin/$compiler
  mkdir -p "$CROSSWARP_ENV/bin"
  if [ -e "$unpacked" ]; then
    ln -s "$unpacked" "$CROSSWARP_ENV/bin/g++"
  else
    ln -s "$(command -v "$compiler")" "$CROSSWARP_ENV/bin/g++"
  fi
}

# What an earlier try left is replaced.
rm -rf "$site" "$toolkit" "${CROSSWARP_ENV:?}/bin" "$CROSSWARP_ENV/host-compiler"
uv pip install --quiet --python "$CROSSWARP_PYTHON" --target "$site" --no-deps --requirements "$CROSSWARP_LOCK"
if grep -q '^# deb ' "$CROSSWARP_LOCK"; then
  install_debs
elif grep -q '^# host-toolkit ' "$CROSSWARP_LOCK"; then
  ln -s "$CROSSWARP_TOOLKIT" "$toolkit"
else
  ln -s "site/nvidia/cu${CROSSWARP_AXIS_CUDA%%.*}" "$toolkit"
fi
link_host_compiler
uv pip list --quiet --python "$CROSSWARP_PYTHON" --target "$site" --format json > "$CROSSWARP_OUT/installed.json"
"$CROSSWARP_PYTHON" "$CROSSWARP_RECIPE/toolkit.py" "$CROSSWARP_ENV" > "$CROSSWARP_OUT/toolkit.json"
