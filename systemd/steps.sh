# shellcheck shell=bash disable=SC2034,SC2154
# What install.sh, rollback.sh and uninstall.sh share: where things lie, and how a release is started and checked.
#
#   /opt/tablecoin/RELEASE/    one release: its Python environment (venv/) and this folder (systemd/)
#   /opt/tablecoin/current     the release that the service runs; a link, switched in one step
#   /opt/tablecoin/before      the release that ran before it; it can be started again
#
# Each sets `here`, the folder that it lies in, before it reads this file.

opt=/opt/tablecoin
settings=/etc/tablecoin/tablecoin.toml
data=/var/lib/tablecoin
units=/etc/systemd/system
kiosk_unit=$units/tablecoin-kiosk.service
kiosk_desktop=/etc/xdg/autostart/tablecoin-kiosk.desktop
avahi_service=/etc/avahi/services/tablecoin.service
polkit_rules=/etc/polkit-1/rules.d/50-tablecoin.rules
command_link=/usr/local/bin/tablecoin

step() { printf '%s\n' "== $*"; }
say() { printf '%s\n' "   $*"; }
refuse() {
    printf '%s\n' "tablecoin: $*" >&2
    exit 1
}

# What script $1 does and how it is called: its first comment.
usage() { sed -n '2,/^set /s/^# \{0,1\}//p' "$1"; }

# Root's rights, a systemd that runs, and no second script at work at the same time.
need_machine() {
    [ "$(id -u)" = 0 ] || refuse "this needs root's rights: run it with sudo."
    [ -d /run/systemd/system ] || refuse "systemd does not run here: install tablecoin on a computer that starts with systemd."
    mkdir -p /run/lock
    exec 9>/run/lock/tablecoin-install
    flock --nonblock 9 || refuse "another install or uninstall is at work: wait until it is done."
}

# The release that a link of /opt/tablecoin names; nothing where there is no such link.
release_of() { basename "$(readlink "$opt/$1" || true)"; }

# Point a link of /opt/tablecoin at a release, in one step: at no moment is there no link.
point() {
    ln -sfn "$2" "$opt/.$1"
    mv -T "$opt/.$1" "$opt/$1"
}

# Put file $1 at $2, with the address and port of the settings in the place of the default ones: a screen that is to show
# the page, or phones that are to find it. The screen may reach this computer alone, by whatever address.
put_addressed() {
    local at host own=''
    at=$(python3 -I "$here/healthy.py" "$settings" address) || return 1
    host=${at%:*} host=${host#[} host=${host%]}
    case $host in 127.* | ::1 | *[!0-9a-fA-F.:]*) ;; *) own=" $host" ;; esac
    at=$(printf '%s' "$at" | sed 's/[\\&|]/\\&/g')
    sed -e "s|127\.0\.0\.1:8000|$at|" -e "s|<port>8000</port>|<port>${at##*:}</port>|" \
        -e "s|^IPAddressAllow=localhost\$|&$own|" "$1" | install -D -m 644 /dev/stdin "$2"
}

# Run a release from now on: its units, its code. Fails unless systemd calls it started.
start_release() {
    install -m 644 "$opt/$1/systemd/tablecoin.service" "$units/"
    if [ -e "$kiosk_unit" ]; then put_addressed "$opt/$1/systemd/tablecoin-kiosk.service" "$kiosk_unit"; fi
    point current "$1"
    systemctl daemon-reload
    systemctl reset-failed tablecoin 2>/dev/null || true
    systemctl restart tablecoin
}

# Whether the service is well: its page answers and, when $1 is `frames`, frames of the camera are counted.
well() {
    python3 -I "$opt/current/systemd/healthy.py" "$settings" "$1" &&
        systemctl --quiet is-active tablecoin
}

# Whether the page answers at once where the settings say: not after a change of port for which nobody restarted it.
answers() { python3 -I "$here/healthy.py" "$settings" now; }

# The service's last words, for somebody who must find out why it failed.
last_words() { journalctl --unit tablecoin --lines 15 --no-pager --output cat 2>/dev/null | sed 's/^/   | /' >&2 || true; }

# Remove every release that neither `current` nor `before` names, and what a broken install left.
tidy() {
    local folder name
    for folder in "$opt"/*/; do
        [ -d "$folder" ] && [ ! -L "${folder%/}" ] || continue
        name=$(basename "$folder")
        if [ "$name" != "$(release_of current)" ] && [ "$name" != "$(release_of before)" ]; then rm -rf "$folder"; fi
    done
}

# Whether a screen is plugged in: $1 is the kernel's list of connectors.
screen_in() { grep -qsx connected "$1"/card*-*/status; }

# Whether the desktop has the screen, as on Raspberry Pi OS that is not Lite.
has_desktop() { [ -e "$units/display-manager.service" ]; }
