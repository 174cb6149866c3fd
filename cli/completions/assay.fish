# SPDX-License-Identifier: Apache-2.0
# fish completion of assay
complete -c assay -n __fish_use_subcommand -f -a lower -d 'Lower a model'
complete -c assay -n __fish_use_subcommand -f -a dump -d 'Print an image'
complete -c assay -n __fish_use_subcommand -f -a check -d 'Verify images'
complete -c assay -n __fish_use_subcommand -f -a diff -d 'Compare two images'
complete -c assay -n __fish_use_subcommand -f -a neff -d 'Work on NEFF files'
complete -c assay -n __fish_use_subcommand -f -a explain -d 'Explain a requirement'
complete -c assay -n __fish_use_subcommand -f -l version -d 'Print name and version'
complete -c assay -f -s h -l help -d 'Help'
complete -c assay -n 'not __fish_use_subcommand' -l json -d 'Print one JSON object'

set --local neff 'ls header unpack pack'
complete -c assay -n "__fish_seen_subcommand_from neff; and not __fish_seen_subcommand_from $neff" -f -a "$neff"

complete -c assay -n '__fish_seen_subcommand_from lower unpack pack' -r -s o -l output -d 'Where to write'
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
