# SPDX-License-Identifier: Apache-2.0
# Debian packages for a job, without the machine's packages or sources changing: sourced by resolve.sh and install.sh.
# Before 13.0 only Debian's nvidia-cuda-toolkit holds nvcc itself; it is in non-free, which a machine may not list.

# Makes an apt root of our own in the cache, from the machine's entries with contrib and non-free added, and lets
# apt-get and apt-cache use it. The lists stay for the next job: refreshing them costs a few small requests.
use_own_apt_root() {
  apt_root=$CROSSWARP_CACHE/apt
  settings=$CROSSWARP_WORK/apt.conf.d
  sources=$CROSSWARP_WORK/sources
  mkdir -p "$apt_root/lists/partial" "$apt_root/archives/partial" "$sources"
  for entries in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    [ -f "$entries" ] || continue
    sed 's/^\(deb \|Components:\)\(.*\)\bmain\b/\1\2main contrib non-free/; /^deb-src /d' "$entries" \
      > "$sources/$(basename "$entries")"
  done
  # The file in APT_CONFIG is read first, so ours must be the last of the parts; the machine's may name its proxy.
  cp -R /etc/apt/apt.conf.d "$settings"
  write_apt_settings > "$settings/zz-crosswarp"
  echo "Dir::Etc::Parts \"$settings\";" > "$CROSSWARP_WORK/apt.conf"
  export APT_CONFIG="$CROSSWARP_WORK/apt.conf"
  flock "$apt_root/lists" apt-get -qq update || exit 75
}

# Capabilities are gone in the container, so apt cannot change user; hooks of the machine are not ours to run.
write_apt_settings() {
  cat <<EOF
Dir::State "$apt_root";
Dir::State::Lists "$apt_root/lists";
Dir::State::status "/var/lib/dpkg/status";
Dir::Cache "$apt_root";
Dir::Cache::pkgcache "pkgcache.bin";
Dir::Cache::srcpkgcache "srcpkgcache.bin";
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$sources";
APT::Sandbox::User "root";
Acquire::Languages "none";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
EOF
}

# Prints the lines of the lock for the toolkit of release $1, for the newest g++ it names, and for whatever of that
# compiler's packages the machine lacks: `# deb NAME=VERSION FILE sha256:HEX`, comments since uv reads the same lock.
lock_debs() {
  version=$(apt-cache madison nvidia-cuda-toolkit | cut -d'|' -f2 | tr -d ' ' | grep "^$1\." | head -n 1)
  if [ -z "$version" ]; then
    echo "this machine's package sources have no nvidia-cuda-toolkit $1, not even in non-free" >&2
    exit 75
  fi
  compiler=$(apt-cache show "nvidia-cuda-toolkit=$version" | grep '^Depends:' | grep -o 'g++-[0-9]*' | head -n 1)
  echo "# host-compiler $compiler"
  apt-get -qq --no-install-recommends --print-uris install "$compiler" > "$CROSSWARP_WORK/compiler.txt" || exit 75
  packages=$(cut -d' ' -f2 "$CROSSWARP_WORK/compiler.txt" | sed 's/_/=/; s/_.*//; s/%3a/:/')
  # Asked for by name, apt gives SHA-256; for an installation it gives MD5.
  # shellcheck disable=SC2086 # a list of words
  apt-get -qq --print-uris download "nvidia-cuda-toolkit=$version" $packages > "$CROSSWARP_WORK/debs.txt" || exit 75
  sed "s|^'[^']*' \(\([^_]*\)_\([^_]*\)_[^ ]*\) [0-9]* SHA256:|# deb \2=\3 \1 sha256:|; s/=\([0-9]*\)%3a/=\1:/" \
    "$CROSSWARP_WORK/debs.txt"
}

# Puts every package of the lock into $CROSSWARP_CACHE/debs, each checked against the lock's hash.
fetch_debs() {
  mkdir -p "$CROSSWARP_CACHE/debs"
  sed -n 's/^# deb //p' "$CROSSWARP_LOCK" | while read -r package file hash; do
    kept=$CROSSWARP_CACHE/debs/$file
    if [ ! -f "$kept" ]; then
      [ -n "${APT_CONFIG:-}" ] || use_own_apt_root
      mkdir -p "$CROSSWARP_WORK/debs"
      (cd "$CROSSWARP_WORK/debs" && apt-get -qq download "$package")
      part=$(mktemp -p "$CROSSWARP_CACHE/debs")  # a rename within the cache: no job ever sees half a package
      mv "$CROSSWARP_WORK/debs/$file" "$part"
      mv "$part" "$kept"
    fi
    echo "${hash#sha256:}  $kept" | sha256sum --check --quiet
  done
}
