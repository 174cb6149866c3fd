# SPDX-License-Identifier: Apache-2.0
# fish completion of assay
complete -c assay -n __fish_use_subcommand -f -a lower -d 'Lower a model'
complete -c assay -n __fish_use_subcommand -f -a dump -d 'Print an image'
complete -c assay -n __fish_use_subcommand -f -a check -d 'Verify images'
complete -c assay -n __fish_use_subcommand -f -a diff -d 'Compare two images'
complete -c assay -n __fish_use_subcommand -f -a neff -d 'Work on NEFF files'
complete -c assay -n __fish_use_subcommand -f -a explain -d 'Explain a requirement'
complete -c assay -n __fish_use_subcommand -f -a prove -d 'Check properties on generated cases'
complete -c assay -n __fish_use_subcommand -f -a gen -d 'Write generated cases'
complete -c assay -n __fish_use_subcommand -f -a replay -d 'Check stored cases'
complete -c assay -n __fish_use_subcommand -f -a reduce -d 'Make an input smaller'
complete -c assay -n __fish_use_subcommand -f -l version -d 'Print name and version'
complete -c assay -f -s h -l help -d 'Help'
complete -c assay -n 'not __fish_use_subcommand' -l json -d 'Print one JSON object'

set --local neff 'ls header unpack pack'
complete -c assay -n "__fish_seen_subcommand_from neff; and not __fish_seen_subcommand_from $neff" -f -a "$neff"

complete -c assay -n '__fish_seen_subcommand_from lower unpack pack gen reduce' -r -s o -l output -d 'Where to write'
complete -c assay -n '__fish_seen_subcommand_from lower unpack' -l verify-digest -d 'Check the digest'
complete -c assay -n '__fish_seen_subcommand_from lower ls unpack pack' -x -l max-expanded-bytes -d 'Bytes of all members together'
complete -c assay -n '__fish_seen_subcommand_from lower ls unpack pack' -x -l max-members -d 'Number of members'

complete -c assay -n '__fish_seen_subcommand_from lower' -x -l arch -a 'sunda cayman mariana'
complete -c assay -n '__fish_seen_subcommand_from lower' -l allow-legacy -d 'Accept an older architecture'
complete -c assay -n '__fish_seen_subcommand_from lower' -x -l fp8 -a 'fp8_range_extension= emax_fp8_e4m3= emax_fp8_e5m2= ocp_sat= fp8_sis= fp8_sns='
complete -c assay -n '__fish_seen_subcommand_from lower' -l assume-no-signals -d 'Ignore signal keys of blocks'
complete -c assay -n '__fish_seen_subcommand_from lower' -x -l max-image-bytes -d 'Bytes of all images'

complete -c assay -n '__fish_seen_subcommand_from dump' -x -l select -d 'Paths that match'
complete -c assay -n '__fish_seen_subcommand_from dump' -l hex -d 'Show bytes'
complete -c assay -n '__fish_seen_subcommand_from diff' -l strict -d 'Count every field'

complete -c assay -n '__fish_seen_subcommand_from pack' -x -l pkg-version -a '1 2'
complete -c assay -n '__fish_seen_subcommand_from pack' -x -l neff-version -d 'MAJOR.MINOR'
complete -c assay -n '__fish_seen_subcommand_from pack' -x -l features -d 'Feature bits'
complete -c assay -n '__fish_seen_subcommand_from pack' -x -l name -d 'Name in the header'

complete -c assay -n '__fish_seen_subcommand_from prove' -x -l property -d 'Only this property'
complete -c assay -n '__fish_seen_subcommand_from prove' -x -l area -d 'Only what names such requirements'
complete -c assay -n '__fish_seen_subcommand_from prove' -x -l cases -d 'Cases in all'
complete -c assay -n '__fish_seen_subcommand_from prove' -x -l seconds -d 'End after this time'
complete -c assay -n '__fish_seen_subcommand_from prove gen' -x -l seed -d 'Seed'
complete -c assay -n '__fish_seen_subcommand_from prove' -x -l jobs -d 'Processes'
complete -c assay -n '__fish_seen_subcommand_from prove' -r -l junit -d 'JUnit report'
complete -c assay -n '__fish_seen_subcommand_from prove' -r -l save -d 'Where failures are kept'
complete -c assay -n '__fish_seen_subcommand_from prove' -l verbose -d 'Show all'
complete -c assay -n '__fish_seen_subcommand_from prove' -l list -d 'Only list the properties'
complete -c assay -n '__fish_seen_subcommand_from prove' -l mutants -d 'Prove the properties themselves'

complete -c assay -n '__fish_seen_subcommand_from gen' -x -l near-miss -d 'A defect or a requirement'
complete -c assay -n '__fish_seen_subcommand_from gen' -x -l kind -a 'model near-miss text image corruption neff dtype'
complete -c assay -n '__fish_seen_subcommand_from gen' -l list -d 'Only list the defects'
complete -c assay -n '__fish_seen_subcommand_from gen' -x -l count -d 'How many'

complete -c assay -n '__fish_seen_subcommand_from reduce' -x -l predicate -d 'Still interesting when it exits with 0'
complete -c assay -n '__fish_seen_subcommand_from reduce' -x -l timeout -d 'Seconds a run'
complete -c assay -n '__fish_seen_subcommand_from reduce' -x -l max-checks -d 'Runs at most'
