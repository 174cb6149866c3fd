# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
# What the scripts `assay` and `test` share; POSIX sh, sourced with $top (the project's root) and
# $name (for messages) set. Everything here speaks on standard error only. A failure exits 2.

say() { printf '%s: %s\n' "$name" "$*" >&2; }
die() { say "$*"; exit 2; }

# lock NAME: one holder at a time among all scripts of this tree; held on descriptor 9.
lock() {
  mkdir -p "$top/build" || die "cannot write below $top"
  exec 9>"$top/build/.lock-$1" || die "cannot write below $top/build"
  flock -n 9 || { say "waiting for another run ($1)"; flock 9; }
}
unlock() { exec 9>&-; }

# packages LEVEL…: sees to the Debian packages of these levels (cmake/packages.txt).
packages() {
  command -v dpkg-query >/dev/null || {
    [ -e "$top/build/.packages" ] || say "no Debian: cmake/packages.txt lists what is needed"
    return 0
  }
  # Looked up anew when the list or any installed package has changed.
  state="$* $(cksum <"$top/cmake/packages.txt") $(stat -c '%Y %s' /var/lib/dpkg/status)"
  stamp="$top/build/.packages-$1"
  [ "$(cat "$stamp" 2>/dev/null)" = "$state" ] && return 0
  lock packages
  wanted=$(for level; do sed -n "s/^$level //p" "$top/cmake/packages.txt"; done)
  # shellcheck disable=SC2086  # one word per package
  missing=$(printf '%s\n' $wanted | while read -r package; do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
      printf ' %s' "$package"
  done)
  if [ -n "$missing" ]; then
    as_root=
    if [ "$(id -u)" != 0 ]; then
      if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        as_root="sudo -n"
      else
        say "missing packages; run this, then try again:"
        printf 'apt-get install --no-install-recommends%s\n' "$missing" >&2
        exit 2
      fi
    fi
    say "installing$missing"
    # shellcheck disable=SC2086
    apt() {
      $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 "$@" \
        >>"$top/build/packages.log" 2>&1 </dev/null
    }
    : >"$top/build/packages.log"
    # The lists of a new machine are empty, those of an old one out of date: then a second try.
    # shellcheck disable=SC2086
    apt install -y --no-install-recommends $missing ||
      { apt update && apt install -y --no-install-recommends $missing; } || {
      tail -n 20 "$top/build/packages.log" >&2
      die "apt-get failed; what is missing:$missing"
    }
    state="$* $(cksum <"$top/cmake/packages.txt") $(stat -c '%Y %s' /var/lib/dpkg/status)"
  fi
  printf '%s\n' "$state" >"$stamp"
  unlock
}

# progress LOG: copies standard input to LOG; on the way tells of the first step that is real work,
# and on a terminal counts the steps.
progress() {
  told=
  while IFS= read -r line; do
    printf '%s\n' "$line" >&3
    case $line in
      "["*"Re-checking globbed"*) ;;
      "["*"] "*)
        [ -n "$told" ] || [ -t 2 ] || say "building $preset (log: $1)"
        told=yes
        [ ! -t 2 ] || printf '\r%s: building %s %s] ' "$name" "$preset" "${line%%]*}" >&2
        ;;
    esac
  done 3>"$1"
  [ -z "$told" ] || [ ! -t 2 ] || printf '\r\033[K' >&2
}

# build PRESET TARGET any|same CMAKE-ARGUMENT…: brings TARGET of build/PRESET up to date. "any": an
# earlier configuration of the tree with other arguments will do. Returns 1 when the build failed,
# having printed the end of its log.
build() {
  preset=$1 target=$2 accept=$3
  shift 3
  tree="$top/build/$preset"
  # A place for ccache's files, or none.
  [ -n "${CCACHE_DIR:-}" ] || [ -w "${HOME:-/nowhere}" ] || export CCACHE_DISABLE=1
  lock "$preset"
  had=$(cat "$tree/.configured" 2>/dev/null)
  case $had in "$top "*) ;; *) had= ;; esac  # the tree was moved or copied
  if [ -z "$had" ] || { [ "$accept" = same ] && [ "$had" != "$top $*" ]; }; then
    [ -n "$had" ] || rm -rf "$tree"
    mkdir -p "$tree"
    rm -f "$tree/.configured"
    say "configuring $preset"
    (cd "$top" && cmake --preset "$preset" "$@") >"$tree/configure.log" 2>&1 </dev/null || {
      tail -n 30 "$tree/configure.log" >&2
      say "cannot configure $preset"
      unlock
      return 1
    }
    printf '%s\n' "$top $*" >"$tree/.configured"
  fi
  code=$({ { ninja -C "$tree" "$target" 2>&1 </dev/null 9>&- || echo failed >&4; } |
    progress "$tree/build.log"; } 4>&1)
  unlock
  [ -z "$code" ] && return 0
  # The first failed step, else whatever ninja had to say last.
  if grep -q '^FAILED:' "$tree/build.log"; then
    sed -n '/^FAILED:/,$p' "$tree/build.log" | head -n 40 >&2
  else
    tail -n 40 "$tree/build.log" >&2
  fi
  say "the build of $preset failed (log: $tree/build.log)"
  return 1
}
