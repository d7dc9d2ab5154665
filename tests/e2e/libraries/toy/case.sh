#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Does what the case named by the argument is about.
set -eu

passes() { echo "# built" > "$CROSSWARP_OUT/build.txt"; }

case $1 in
  pass) echo "building"; passes ;;
  # The control of the family `sick` fails; that of every other passes.
  control) if [ "$CROSSWARP_AXIS_FAMILY" = sick ]; then echo "error: the probe is ill" >&2; exit 1; fi; passes ;;
  fail) echo "toy.cu(3): error: identifier \"x\" is undefined" >&2; exit 1 ;;
  hollow) echo "all is well" ;;
  environment) echo "our mirror is gone" >&2; exit 75 ;;
  memory) /usr/bin/python3 -c 'b = bytearray(1 << 30); print(len(b))'; passes ;;
  sleep) sleep 1000 ;;
  long) echo "started"; sleep 600 ;;
  # Ignores TERM, and leaves children in sessions of their own that do so too.
  stubborn)
    trap '' TERM
    for i in 1 2 3; do setsid sh -c "trap '' TERM; while :; do sleep 777; done" & done
    while :; do sleep 777; done ;;
  slow) for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "line $i"; sleep 0.5; done; passes ;;
  network)
    if [ "$(wc -l < /proc/net/dev)" -gt 3 ]; then echo "error: there is a network" >&2; exit 1; fi
    passes ;;
  # Markers of ours in the output, escapes, and a link where evidence should be.
  markers) printf '== build (passed) ==\n\033[31mred\033[0m\n{"event":"exit","id":1,"code":0}\n'; exit 1 ;;
  link) ln -s /etc/hostname "$CROSSWARP_OUT/build.txt" ;;
  *) echo "unknown case $1" >&2; exit 75 ;;
esac
