#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Resolves packages of the index for one interpreter: resolve.sh NAME=VERSION...
#
# Leaves $CROSSWARP_OUT/lock.txt, one NAME==VERSION a line, dependencies included. VERSION `none` means: not asked for
# (it may still come as somebody's dependency). Reads metadata only and builds nothing, so a package that has no wheel
# for this interpreter is an error, in the resolver's own words. Pre-releases are never taken.
set -eu

asked() {
  for pin in "$@"; do
    case $pin in
      *=none) ;;
      *) printf '%s==%s\n' "${pin%%=*}" "${pin#*=}" ;;
    esac
  done
}

asked "$@" | uv pip compile - \
  --python "$CROSSWARP_PYTHON" --only-binary :all: --prerelease disallow \
  --no-header --no-annotate --upgrade --output-file "$CROSSWARP_OUT/lock.txt"
