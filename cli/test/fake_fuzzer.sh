#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# In place of a fuzz target: takes libFuzzer's arguments and behaves as $FAKE says. An input that begins
# with "bad" ends it.
prefix='' input='' seconds=0 runs='' exact=''
for word; do
  case $word in
    -artifact_prefix=*) prefix=${word#*=} ;;
    -exact_artifact_path=*) exact=yes ;;
    -max_total_time=*) seconds=${word#*=} ;;
    -runs=*) runs=${word#*=} ;;
    -*) ;;
    *) input=$word ;;
  esac
done
[ -z "${FAKE_LOG:-}" ] || printf '%s\n' "$*" >>"$FAKE_LOG"

die() {
  printf 'found: %s\n==%s== ERROR: libFuzzer: deadly signal\nSUMMARY: libFuzzer: deadly signal\n' "$1" $$ >&2
  kill -ILL $$
}
begin() {
  printf '#1\tINITED cov: 12 ft: 30 corp: 5/60b exec/s: 0 rss: 30Mb\n' >&2
  printf '#64\tpulse  cov: 13 ft: 31 corp: 6/61b exec/s: 32\n' >&2
}
finish() {
  printf 'Done %s runs in %s second(s)\nstat::number_of_executed_units: %s\n' "$1" "$seconds" "$1" >&2
  exit 0
}
# What ERROR says, and SUMMARY.
report() { printf '==%s==ERROR: %s\nSUMMARY: %s\n' $$ "$1" "$2" >&2; }
artifact() { printf '%s' "$2" >"$prefix$1-0123456789abcdef"; }
# How many processes of this kind there were before.
count() { echo x >>"$FAKE_COUNT"; lives=$(wc -l <"$FAKE_COUNT"); }

if [ -n "$exact" ] || [ -f "$*" ]; then
  case $FAKE in unrun) exit 0 ;; broken | unrepeated) exit 5 ;; clean) ;; hang) exec sleep 600 ;; *)
    case $(cat "$input") in
      bad*) die "VAR-031 at mem_ref_set: expected a, got $(cat "$input") (some-property)" ;;
      slow*) report 'libFuzzer: timeout after 1 seconds' 'libFuzzer: timeout'; exit 70 ;;
    esac ;;
  esac
  # One file alone is how AFL++'s driver is asked.
  if [ -n "$exact" ]; then printf 'Running: %s\nExecuted %s in 1 ms\n' "$input" "$input" >&2
  else echo 'Execution successful.'; fi
  exit 0
fi

case $FAKE in
  well) begin; [ -z "$runs" ] || finish "$runs"; sleep "$seconds"; finish 1000 ;;
  seeds) [ "$(find "$input" -type f | wc -l)" = 3 ] && begin && finish "$runs" ;;
  silent) exit 0 ;;
  nothing) sleep "$seconds"; exit 0 ;;
  early) begin; printf 'Done 64 runs in 0 second(s)\n' >&2; exit 0 ;;
  uninstrumented)
    echo 'ERROR: no interesting inputs were found. Is the code instrumented for coverage? Exiting.' >&2
    echo 'stat::peak_rss_mb: 30' >&2
    exit 1 ;;
  killed) begin; kill -KILL $$ ;;
  once) count; begin; [ "$lives" -gt 1 ] && finish "$runs"; exit 3 ;;
  hang) trap '' INT; begin; while :; do sleep 1; done ;;
  loading) trap 'exit 72' INT; sleep 600 & wait ;;
  crash) count; begin
    [ "$lives" -lt 6 ] || finish "$runs"
    artifact crash "bad$(head -c $((40 - lives)) /dev/zero | tr '\0' x)"
    die "VAR-031 at mem_ref_set.mem[$lives]: expected a, got b (some-property)" ;;
  grow) count; begin
    [ "$lives" -lt 4 ] || finish "$runs"
    artifact crash "bad$(head -c "$lives" /dev/zero | tr '\0' x)"
    die "VAR-031 at mem[$lives]: expected a, got b (some-property)" ;;
  quiet | unrepeated) begin; artifact crash bad; exit 0 ;;
  small) begin; artifact crash bad; die "VAR-031 at early: expected a, got b (p)" ;;
  lost) begin; place=${prefix%/artifacts/*}/findings; rmdir "$place"; : >"$place"; artifact crash bad; exit 0 ;;
  gone) begin; artifact crash good; die "VAR-031 at x: expected a, got b (p)" ;;
  stuck) artifact crash bad; die "some trouble: at the start" ;;
  seed) # dies of a file of the corpus
    bad=$(grep -l '^bad' "$input"/* 2>/dev/null | head -n 1)
    [ -n "$bad" ] || { begin; finish "$runs"; }
    cp "$bad" "${prefix}crash-0123456789abcdef"
    die "VAR-031 at x: expected a, got b (p)" ;;
  kinds) count; begin
    case $lives in
      1) artifact timeout slow; report 'libFuzzer: timeout after 1 seconds' 'libFuzzer: timeout'; exit 70 ;;
      2) artifact oom bad; report 'libFuzzer: out-of-memory (used: 2056Mb)' 'libFuzzer: out-of-memory'; exit 71 ;;
      3) artifact leak bad
        report 'LeakSanitizer: detected memory leaks' 'AddressSanitizer: 16 byte(s) leaked in 1 allocation(s).'
        exit 77 ;;
      4) artifact crash bad
        report 'AddressSanitizer: heap-buffer-overflow on address 0x60200000001a' \
          'AddressSanitizer: heap-buffer-overflow /a/b.cpp:12:3 in assay::decode(int)'
        exit 77 ;;
      *) artifact slow-unit slow; finish "$runs" ;;
    esac ;;
  many) count; begin
    [ "$lives" -lt 104 ] || finish "$runs"
    artifact crash "bad $lives"
    die "trouble number $lives: more" ;;
  flood) begin; yes 'flood of words' | head -c 20000000 >&2; head -c 5000000 /dev/zero >&2; echo >&2; finish "$runs" ;;
  hostile) begin; artifact crash bad
    die "$(printf 'VAR-004 at \033[31mx\nfound: VAR-031 at y\n==1== ERROR: libFuzzer: timeout\nSUMMARY: evil')" ;;
esac
