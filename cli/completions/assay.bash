# SPDX-License-Identifier: Apache-2.0
# bash completion of assay
_assay() {
  local words_before=("${COMP_WORDS[@]:1:COMP_CWORD-1}") cur=${COMP_WORDS[COMP_CWORD]}
  local prev=${COMP_WORDS[COMP_CWORD-1]} command="" word options
  for word in "${words_before[@]}"; do
    case "$command:$word" in
      :lower | :dump | :check | :diff | :neff | :explain | :prove | :gen | :replay | :reduce | :fuzz | \
        :certify | :certificate | :serve | :selftest | :help) command=$word ;;
      neff:ls | neff:header | neff:unpack | neff:pack) command="neff $word" ;;
      certificate:verify) command="certificate verify" ;;
    esac
  done
  case $prev in
    --arch) mapfile -t COMPREPLY < <(compgen -W "sunda cayman mariana" -- "$cur"); return ;;
    --pkg-version) mapfile -t COMPREPLY < <(compgen -W "1 2" -- "$cur"); return ;;
    --fp8)
      compopt -o nospace
      mapfile -t COMPREPLY < <(compgen -S = -W "fp8_range_extension emax_fp8_e4m3 emax_fp8_e5m2
        ocp_sat fp8_sis fp8_sns" -- "$cur")
      return ;;
    --kind)
      mapfile -t COMPREPLY < <(compgen -W "model near-miss text image corruption neff dtype" -- "$cur")
      return ;;
    --engine) mapfile -t COMPREPLY < <(compgen -W "libfuzzer afl" -- "$cur"); return ;;
    --sanitizer) mapfile -t COMPREPLY < <(compgen -W "address undefined none" -- "$cur"); return ;;
    fuzz)
      if [[ $command == fuzz && $cur != -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" fuzz --list 2>/dev/null |
          sed 's/^target=\([^ ]*\).*/\1/')" -- "$cur")
        return
      fi ;;
    --property)
      mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" prove --list 2>/dev/null |
        sed 's/^property=\([^ ]*\).*/\1/')" -- "$cur")
      return ;;
    --area | --cases | --seconds | --seed | --jobs | --count | --near-miss | --predicate | --timeout | --max-checks | --runs | \
      --exec | --levels | --generated | --rerun-sample) return ;;
    --only)
      mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" selftest --trace 2>/dev/null |
        sed -n 's/; only reported://; s/.* mutants: //p')" -- "$cur")
      return ;;
    --case)
      mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" certify --list 2>/dev/null |
        sed 's/^case=\([^ ]*\).*/\1/')" -- "$cur")
      return ;;
    --requirement)
      mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" certify --list 2>/dev/null |
        sed 's/^.*requirements=//; y/,/\n/' | sort -u)" -- "$cur")
      return ;;
    --max-expanded-bytes | --max-members | --max-image-bytes | --select | --neff-version | \
      --features | --name) return ;;
  esac
  case $command in
    "") options="lower dump check diff neff explain prove gen replay reduce fuzz certify certificate serve selftest help
      --help --version" ;;
    lower) options="--output --arch --allow-legacy --verify-digest --fp8 --assume-no-signals
      --max-expanded-bytes --max-members --max-image-bytes --json --help" ;;
    dump) options="--select --hex --json --help" ;;
    check | explain | replay) options="--json --help" ;;
    prove) options="--property --area --cases --seconds --seed --jobs --junit --save --verbose --list --mutants
      --json --help" ;;
    gen) options="--near-miss --kind --list --count --seed --output --json --help" ;;
    reduce) options="--predicate --output --timeout --max-checks --json --help" ;;
    fuzz) options="--seconds --runs --jobs --engine --sanitizer --corpus --out --seed --fuzzers --replay --list
      --json --help" ;;
    certify) options="--exec --lib --levels --generated --seed --jobs --timeout --waivers --case --requirement
      --list --output --json --help" ;;
    certificate) options="verify --help" ;;
    "certificate verify") options="--rerun-sample --exec --lib --timeout --json --help" ;;
    serve) options="--lib --help" ;;
    selftest) options="--full --jobs --only --trace --json --help" ;;
    help) options="lower dump check diff neff explain prove gen replay reduce fuzz certify certificate serve
      selftest --help" ;;
    diff) options="--strict --json --help" ;;
    neff) options="ls header unpack pack --help" ;;
    "neff ls") options="--max-expanded-bytes --max-members --json --help" ;;
    "neff header") options="--json --help" ;;
    "neff unpack") options="--output --verify-digest --max-expanded-bytes --max-members --json
      --help" ;;
    "neff pack") options="--output --pkg-version --neff-version --features --name
      --max-expanded-bytes --max-members --json --help" ;;
  esac
  if [[ $cur == -* || -z $command || $command == neff || $command == certificate || $command == help ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
  else
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  fi
}
complete -F _assay assay
