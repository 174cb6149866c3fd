#!/bin/bash -eu
# SPDX-License-Identifier: Apache-2.0
# The OSS-Fuzz contract: builds every target with $CXX, $CXXFLAGS and $LIB_FUZZING_ENGINE into $OUT, as
# <target>, <target>.dict, <target>.options and <target>_seed_corpus.zip; lib/ holds the shared libraries.
# What is built on the way lies in $WORK. $SANITIZER names the sanitizer that the flags ask for.
# This is the one way in which targets are built for an engine: ../fuzzers/build does it by hand.
src=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
[ -e "$src/fuzzers/CMakeLists.txt" ] || src=$PWD  # run as $SRC/build.sh, in the project's directory
tree=$WORK/${ASSAY_TREE:-fuzz}
mkdir -p "$tree" "$OUT/lib"

# The packaged libraries are built on libstdc++.
flags=" ${CXXFLAGS:-} "
flags=${flags// -stdlib=libc++ / }
sanitize=
case ${SANITIZER:-none} in
  address | undefined) sanitize=$SANITIZER ;;
  coverage) # A report looks for the sources where they are; ccache would compile by other paths.
    flags+=" -fcoverage-compilation-dir=$src"
    export CCACHE_DISABLE=1
    ;;
esac

# The mutators bring no instrumentation: so they can be shared by trees of all kinds.
plain=${ASSAY_PLAIN_DIR:-$WORK/plain}
cmake -S "$src" -B "$tree" -G Ninja -DCMAKE_BUILD_TYPE=None -DASSAY_TESTS=OFF -DASSAY_FUZZ=ON \
  -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_CXX_FLAGS="$flags" -DASSAY_SANITIZE="$sanitize" \
  -DASSAY_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" -DASSAY_PLAIN_ENGINE="${ASSAY_PLAIN_ENGINE:-}" -DASSAY_PLAIN_DIR="$plain" \
  -DASSAY_PLAIN_CXX="${ASSAY_PLAIN_CXX:-$CXX}" -DASSAY_WERROR="${ASSAY_WERROR:-OFF}"
cmake --build "$tree" --target ${ASSAY_FUZZ_PART:-assay_fuzzers}
[ -z "${ASSAY_FUZZ_PART:-}" ] || exit 0

# Puts a file in place as a whole, and only where it differs: what runs there goes on with what it has.
put() {  # FILE PATH
  cmp -s "$1" "$2" || { cp -L "$1" "$2.new" && mv -f "$2.new" "$2"; }
}

# Copies what a program or library needs beyond the C and C++ runtimes. libresolv is glibc's.
bring_libraries() {
  ldd "$1" | sed -n 's/^[[:space:]]*\([^ ]*\) => \(\/[^ ]*\) .*/\1 \2/p' | while read -r name path; do
    case $name in
      libc.so.* | libm.so.* | libpthread.so.* | libdl.so.* | librt.so.* | libresolv.so.*) ;;
      libgcc_s.so.* | libstdc++.so.*) ;;
      *) [ "$path" -ef "$OUT/lib/$name" ] || put "$path" "$OUT/lib/$name" ;;
    esac
  done
}

for options in "$tree"/fuzzers/*.options; do
  target=$(basename "$options" .options)
  for file in "$tree/fuzzers/$target" "$tree/fuzzers/$target.dict" "$options"; do
    put "$file" "$OUT/$(basename "$file")"
  done
  rm -f "$tree/seed_corpus.zip"
  (cd "$src/corpus/seeds/$target" && find . -type f | LC_ALL=C sort |
    cmake -E tar cf "$tree/seed_corpus.zip" --format=zip --mtime=2020-01-01 --files-from=/dev/stdin)
  put "$tree/seed_corpus.zip" "$OUT/${target}_seed_corpus.zip"
  bring_libraries "$OUT/$target"
done
for library in "$tree"/fuzzers/lib/*.so; do
  put "$library" "$OUT/lib/$(basename "$library")"
  bring_libraries "$library"
done
