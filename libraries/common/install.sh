#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs exactly the lock into a new environment, $CROSSWARP_ENV/venv; one left by an earlier try is replaced, since
# packages changed in place keep old files.
#
# Leaves $CROSSWARP_OUT/installed.json, what the environment then holds. Files are hard links into the package cache,
# and bytecode is made here, because later stages see the environment read-only and would compile at every start.
set -eu

venv=$CROSSWARP_ENV/venv
uv venv --clear --python "$CROSSWARP_PYTHON" "$venv"
uv pip sync --python "$venv/bin/python" --only-binary :all: --link-mode hardlink --compile-bytecode "$CROSSWARP_LOCK"
uv pip list --python "$venv/bin/python" --format json > "$CROSSWARP_OUT/installed.json"
