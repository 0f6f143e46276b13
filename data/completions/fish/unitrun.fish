# fish completion for unitrun(1)
# SPDX-License-Identifier: LGPL-2.1-or-later

function __unitrun_containers
    set -l root /run/unitrun
    test (id -u) -eq 0; or set root $XDG_RUNTIME_DIR/unitrun
    for directory in $root/*/
        basename $directory
    end
end

set -l commands create start state kill delete run exec list ps pause resume update events features spec help

complete -c unitrun -f
complete -c unitrun -s h -l help -d 'Show the options'

set -l global "not __fish_seen_subcommand_from $commands"
complete -c unitrun -n $global -l root -r -F -d 'Keep the state of containers below this directory'
complete -c unitrun -n $global -l log -r -F -d 'Write the error to this file'
complete -c unitrun -n $global -l log-format -x -a 'text json' -d 'Format of the log'
complete -c unitrun -n $global -l log-level -x -a 'error warning info debug' -d 'Level of the log'
complete -c unitrun -n $global -l debug -d 'The same as --log-level=debug'
complete -c unitrun -n $global -l systemd-cgroup -d 'The same as --cgroup-manager=systemd'
complete -c unitrun -n $global -l cgroup-manager -x -a 'systemd cgroupfs disabled' -d 'The manager of control groups'
complete -c unitrun -n $global -l rootless -x -a 'true false auto' -d 'Accepted and ignored'
complete -c unitrun -n $global -s v -l version -d 'Show the version'

complete -c unitrun -n $global -a create -d 'Create a container from a bundle'
complete -c unitrun -n $global -a start -d 'Run the program of a created container'
complete -c unitrun -n $global -a state -d 'Show the state of a container as JSON'
complete -c unitrun -n $global -a kill -d 'Send a signal to a container'
complete -c unitrun -n $global -a delete -d 'Remove a stopped container, its unit and its state'
complete -c unitrun -n $global -a run -d 'Create and start a container, wait for its end and delete it'
complete -c unitrun -n $global -a exec -d 'Run one more program in a container'
complete -c unitrun -n $global -a features -d 'Show what the runtime can do as JSON'
complete -c unitrun -n $global -a spec -d 'Write a config.json to start from'
complete -c unitrun -n $global -a help -d 'Show the commands, or the options of one'
complete -c unitrun -n $global -a list -d 'Show the containers'
complete -c unitrun -n $global -a ps -d 'Show the processes of a container'
complete -c unitrun -n $global -a pause -d 'Stop all processes of a container where they are'
complete -c unitrun -n $global -a resume -d 'Let a paused container go on'
complete -c unitrun -n $global -a update -d 'Change the limits of a container'
complete -c unitrun -n $global -a events -d 'Show what a container uses, and when it is out of memory'

set -l create '__fish_seen_subcommand_from create run'
complete -c unitrun -n $create -s b -l bundle -x -a '(__fish_complete_directories)' -d 'The bundle'
complete -c unitrun -n $create -l config -r -F -d 'Another file instead of config.json'
complete -c unitrun -n $create -l pid-file -r -F -d 'Write the PID of the container\'s init'
complete -c unitrun -n $create -l console-socket -r -F -d 'Send the terminal over this socket'
complete -c unitrun -n $create -l pidfd-socket -r -F -d 'Send a pidfd of the container\'s init over this socket'
complete -c unitrun -n $create -l stdio -x -a 'inherit journal' -d 'Where standard input and output are'
complete -c unitrun -n $create -l no-pivot -d 'Use MS_MOVE instead of pivot_root'
complete -c unitrun -n $create -l no-new-keyring -d 'Keep the session keyring'
complete -c unitrun -n $create -l preserve-fds -x -d 'Pass fds 3 to 2+N to the container'
complete -c unitrun -n $create -l no-subreaper -d 'Accepted and ignored'

set -l run '__fish_seen_subcommand_from run'
complete -c unitrun -n $run -s d -l detach -d 'Return as soon as the program runs'
complete -c unitrun -n $run -l keep -d 'Do not delete the container when it has ended'

set -l exec '__fish_seen_subcommand_from exec'
complete -c unitrun -n $exec -s p -l process -r -F -d 'Take the process object from this file'
complete -c unitrun -n $exec -s d -l detach -d 'Return as soon as the program runs'
complete -c unitrun -n $exec -s t -l tty -d 'Give the program a terminal'
complete -c unitrun -n $exec -l console-socket -r -F -d 'Send the terminal over this socket'
complete -c unitrun -n $exec -l pidfd-socket -r -F -d 'Send a pidfd of the process over this socket'
complete -c unitrun -n $exec -l pid-file -r -F -d 'Write the PID of the process'
complete -c unitrun -n $exec -l cwd -x -d 'The working directory'
complete -c unitrun -n $exec -s e -l env -x -d 'Set an environment variable'
complete -c unitrun -n $exec -s u -l user -x -d 'The user and group, as numbers'
complete -c unitrun -n $exec -s g -l additional-gids -x -d 'Add a supplementary group'
complete -c unitrun -n $exec -s c -l cap -x -d 'Add a capability'
complete -c unitrun -n $exec -l no-new-privs -d 'Set the no_new_privs attribute'
complete -c unitrun -n $exec -l apparmor -x -d 'The AppArmor profile'
complete -c unitrun -n $exec -l process-label -x -d 'The SELinux label'
complete -c unitrun -n $exec -l preserve-fds -x -d 'Pass fds 3 to 2+N to the program'
complete -c unitrun -n $exec -l cgroup -x -d 'Run in this sub-group of the container\'s control group'
complete -c unitrun -n $exec -l ignore-paused -d 'Don\'t refuse a paused container'
complete -c unitrun -n $exec -l no-subreaper -d 'Accepted and ignored'

set -l update '__fish_seen_subcommand_from update'
complete -c unitrun -n $update -s r -l resources -r -F -d 'Take the limits from this file'
complete -c unitrun -n $update -l memory -x -d 'Limit of memory; -1 is none'
complete -c unitrun -n $update -l memory-reservation -x -d 'Memory that is left to the container'
complete -c unitrun -n $update -l memory-swap -x -d 'Limit of memory and swap together; -1 is none'
complete -c unitrun -n $update -l kernel-memory -x -d 'Accepted and ignored'
complete -c unitrun -n $update -l kernel-memory-tcp -x -d 'Accepted and ignored'
complete -c unitrun -n $update -l cpu-share -x -d 'Weight of the container, 1024 by default'
complete -c unitrun -n $update -l cpu-quota -x -d 'Time on the CPU in each period; -1 is no limit'
complete -c unitrun -n $update -l cpu-period -x -d 'Period of the quota'
complete -c unitrun -n $update -l cpu-burst -x -d 'What may be saved up for later periods'
complete -c unitrun -n $update -l cpu-idle -x -a '0 1' -d '1: run only when nobody else wants to'
complete -c unitrun -n $update -l cpuset-cpus -x -d 'CPUs that are used'
complete -c unitrun -n $update -l cpuset-mems -x -d 'Memory nodes that are used'
complete -c unitrun -n $update -l cpu-rt-period -x -d 'Refused: cgroup v2 has none'
complete -c unitrun -n $update -l cpu-rt-runtime -x -d 'Refused: cgroup v2 has none'
complete -c unitrun -n $update -l pids-limit -x -d 'Limit of tasks; -1 is none'
complete -c unitrun -n $update -l blkio-weight -x -d 'Weight for disks, from 10 to 1000'
complete -c unitrun -n $update -l l3-cache-schema -x -d 'Refused: no resource director groups are made'
complete -c unitrun -n $update -l mem-bw-schema -x -d 'Refused: no resource director groups are made'

complete -c unitrun -n '__fish_seen_subcommand_from events' -l interval -x -d 'Show the numbers that often'
complete -c unitrun -n '__fish_seen_subcommand_from events' -l stats -d 'Show the numbers once'
complete -c unitrun -n '__fish_seen_subcommand_from spec' -s b -l bundle -x -a '(__fish_complete_directories)' -d 'Where it goes'
complete -c unitrun -n '__fish_seen_subcommand_from spec' -l rootless -d 'For a container that can be run without root'
complete -c unitrun -n '__fish_seen_subcommand_from help' -a "$commands"
complete -c unitrun -n '__fish_seen_subcommand_from list ps' -s f -l format -x -a 'table json' -d 'Table or JSON'
complete -c unitrun -n '__fish_seen_subcommand_from list' -s q -l quiet -d 'Show the IDs only'
complete -c unitrun -n '__fish_seen_subcommand_from kill' -s a -l all -d 'Signal every process of the container'
complete -c unitrun -n '__fish_seen_subcommand_from delete' -s f -l force -d 'Kill the container if it runs'

complete -c unitrun -n '__fish_seen_subcommand_from start state kill delete exec ps pause resume update events' -a '(__unitrun_containers)'
