# shellcheck shell=bash disable=SC2016,SC2034 # for the user's shell; variables for bats
# For tests of a plain user's containers, after helpers and container: users with a manager of their own.

# make_user NAME UID: with ranges of IDs for its user namespaces, and a manager that runs
make_user() {
        id "$1" >/dev/null 2>&1 || useradd -m -u "$2" -s /bin/bash "$1"
        sed -i "/^$1:/d" /etc/subuid /etc/subgid
        echo "$1:$(($2 * 100000)):65536" | tee -a /etc/subuid >>/etc/subgid
        loginctl enable-linger "$1"
        eventually test -S "/run/user/$2/systemd/private"
        eventually test -S "/run/user/$2/bus"
}

# as NAME COMMAND…: as that user does at a shell, in a session of its own
as() {
        local name=$1
        shift
        su "$name" -c 'export XDG_RUNTIME_DIR=/run/user/$(id -u) DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/$(id -u)/bus; cd; exec "$@"' -- sh "$@" 3>&-
}

# user_systemctl NAME ARG…, user_property NAME UNIT PROPERTY
user_systemctl() {
        local name=$1
        shift
        as "$name" systemctl --user --no-pager "$@"
}

user_property() {
        user_systemctl "$1" show --value --property "$3" "$2"
}

# user_has NAME UNIT PROPERTY VALUE: to be waited for
user_has() {
        [ "$(user_property "$1" "$2" "$3")" = "$4" ]
}

# user_status NAME ID WORD: likewise
user_status() {
        [ "$(as "$1" "$RUNTIME" state "$2" | jq -r .status)" = "$3" ]
}

# nothing_left_of NAME: no unit, state directory or process of a container
nothing_left_of() {
        local uid bad=0
        uid=$(id -u "$1")
        [ -z "$(ls -A "/run/user/$uid/unitrun" 2>/dev/null)" ] || { ls "/run/user/$uid/unitrun"; bad=1; }
        [ -z "$(user_systemctl "$1" list-units --all --plain --no-legend 'unitrun-*' 'libpod-*.service')" ] || { user_systemctl "$1" list-units --all --plain --no-legend 'unitrun-*' 'libpod-*.service'; bad=1; }
        [ -z "$(pgrep -u "$1" -a unitrun-superv)" ] || { pgrep -u "$1" -a unitrun-superv; bad=1; }
        return $bad
}
