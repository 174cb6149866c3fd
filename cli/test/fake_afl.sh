#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# In place of afl-fuzz: takes its arguments, leaves its files, and behaves as $FAKE says.
printf '%s\n' "$*" >>"$FAKE_LOG"
env | grep '^AFL_' | sort >"$FAKE_LOG.environment"
name=default seconds=0 seeds='' out=''
while [ $# -gt 0 ]; do
  case $1 in
    -i) seeds=$2 ;; -o) out=$2 ;; -M | -S) name=$2 ;; -V) seconds=$2 ;;
    --) break ;;
  esac
  shift 2
done
mkdir -p "$out/$name/queue" "$out/$name/crashes" "$out/$name/hangs"
stats() {
  printf 'start_time        : 1\nexecs_done        : %s\ncorpus_count      : 7\nedges_found       : 21\n' "$1" \
    >"$out/$name/fuzzer_stats"
}
plot() {
  printf '# relative_time, corpus_count, total_execs, edges_found\n1, 3, 10, 20\n2, 4, %s, 20\n' "$1" \
    >"$out/$name/plot_data"
}
leave() { printf '%s' "$3" >"$out/$name/$1/$2"; }

case $FAKE in
  well) stats 900; plot 800; leave queue id:000000,time:0,execs:0,orig:seed-0 'seed 0'
    leave queue id:000001,src:000000,time:5,op:havoc,rep:2,+cov 'new'
    sleep "$seconds" ;;
  live) plot 1234; sleep "$seconds" ;;  # statistics proper come late
  silent) ;;
  nothing) stats 0; sleep "$seconds" ;;
  abort)
    printf '\033[1;91m\n[-] PROGRAM ABORT : \033[0mFork server handshake failed\033[1;91m\n  Location : x\n'
    exit 1 ;;
  crash) stats 900; printf 'README' >"$out/$name/crashes/README.txt"
    leave crashes id:000000,sig:04,src:000000,time:9,op:havoc,rep:2 "bad one"
    leave crashes id:000001,sig:04,src:000000,time:9,op:havoc,rep:2 "bad"
    leave crashes id:000002,sig:11,src:000000,time:9,op:havoc,rep:2 "good"
    leave hangs id:000000,src:000000,time:9,op:havoc,rep:2 "slow"
    sleep "$seconds" ;;
  seed) bad=$(grep -l '^bad' "$seeds"/* | head -n 1)
    printf "[!] WARNING: Test case 'id:000000,time:0,execs:0,orig:%s' results in a crash, skipping\n" "${bad##*/}"
    stats 900; sleep "$seconds" ;;
  hang) trap '' INT; stats 5; while :; do sleep 1; done ;;
esac
exit 0
