#!/usr/bin/env bash
# Install tablecoin as a service, or update it to this version. It may be run as often as you like.
#
#   sudo systemd/install.sh [--wheels FOLDER] [--screen auto|yes|no]
#
#   --wheels FOLDER   take every Python package from this folder and none from a network (made by systemd/wheels.sh)
#   --screen yes|no   show the table on a screen of this computer, or do not; auto: only where a screen is and no desktop
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=steps.sh
. "$here/steps.sh"

NEEDED_MB=700     # two environments during an update: 290 MB each where no package comes from the system (CI measures)
OLDEST_PYTHON=311 # pyproject.toml: requires-python

wheels='' screen=auto
while [ $# -gt 0 ]; do
    case $1 in
        --wheels=*) wheels=${1#*=} ;;
        --screen=*) screen=${1#*=} ;;
        --wheels | --screen)
            [ $# -gt 1 ] || refuse "$1 needs a value: see the first lines of $here/install.sh."
            if [ "$1" = --wheels ]; then wheels=$2; else screen=$2; fi
            shift
            ;;
        -h | --help)
            usage "${BASH_SOURCE[0]}"
            exit 0
            ;;
        *) refuse "$1 is no option: --wheels FOLDER and --screen auto|yes|no are." ;;
    esac
    shift
done

# -- what can be refused before anything is changed ---------------------------------------------------------------

check_machine() {
    step "Looking at this computer"
    need_machine
    case $screen in auto | yes | no) ;; *) refuse "--screen is auto, yes or no, not $screen." ;; esac
    command -v apt-get >/dev/null || refuse "there is no apt here: use Raspberry Pi OS, Debian or Ubuntu."
    local bits
    bits=$(dpkg --print-architecture)
    case $bits in
        arm64 | amd64) ;;
        *) refuse "this system is $bits, for which there is no onnxruntime: write the 64-bit Raspberry Pi OS onto the card." ;;
    esac
    command -v python3 >/dev/null || apt_get install python3 || refuse "python3 is missing and could not be installed: connect a network."
    python=$(python3 -I -c 'import sys; print("%d%02d" % sys.version_info[:2])')
    [ "$python" -ge "$OLDEST_PYTHON" ] ||
        refuse "Python 3.11 or newer is needed and this is $(python3 -V 2>&1): use Raspberry Pi OS Bookworm or newer."
    [ ! -e "$opt/.git" ] && [ ! -e "$opt/.venv" ] ||
        refuse "$opt holds an install by hand: move it away (sudo mv $opt ~/tablecoin) and run the install.sh in it."
    find_source
    mkdir -p "$opt"
    local free_mb
    free_mb=$(df --output=avail --block-size=1M "$opt" | tail -n 1 | tr -d ' ')
    [ "$free_mb" -ge "$NEEDED_MB" ] || refuse "$NEEDED_MB MB must be free below $opt, and $free_mb MB are: make room on the card."
    say "$(. /etc/os-release && printf '%s' "$PRETTY_NAME"), $bits, $(python3 -V), $free_mb MB free"
}

# What will be installed: the wheel in the folder given, or this checkout.
find_source() {
    if [ -n "$wheels" ]; then
        wheels=$(readlink -f "$wheels")
        local found
        found=("$wheels"/tablecoin-*.whl)
        if [ ! -e "${found[0]}" ] || [ ${#found[@]} != 1 ]; then
            refuse "$wheels must hold one file tablecoin-*.whl: make the folder with systemd/wheels.sh."
        fi
        source=${found[0]}
        version=$(basename "$source" | cut -d- -f2)
    else
        source=$(dirname "$here")
        [ -e "$source/pyproject.toml" ] || refuse "$source is no checkout of tablecoin: run install.sh in one, or with --wheels."
        version=$(sed -n 's/^__version__ = "\(.*\)"/\1/p' "$source/tablecoin/__init__.py")
    fi
    release=$version-$(digest | cut -c1-8)-py$python
}

# Tells two contents of one version apart: the code and this folder.
digest() {
    local parts=("$source")
    [ -f "$source" ] || parts=("$source"/{tablecoin,calibration,web,pyproject.toml})
    find "${parts[@]}" "$here" -type f ! -path '*/__pycache__/*' ! -name '*.pyc' -print0 | sort -z |
        xargs -0 sha256sum | cut -d' ' -f1 | sha256sum
}

# -- packages of the system -----------------------------------------------------------------------------------------

# apt-get without its chatter; what it printed is shown when it fails.
apt_get() {
    local said
    said=$(DEBIAN_FRONTEND=noninteractive apt-get --quiet "$@" 2>&1) || {
        printf '%s\n' "$said" | sed 's/^/   | /' >&2
        return 1
    }
}

installed() { [ "$(dpkg-query --show --showformat '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# Install those of the packages that are missing, and remember which: uninstall.sh names them.
packages() {
    local missing=() each
    for each in "$@"; do installed "$each" || missing+=("$each"); done
    if [ ${#missing[@]} = 0 ]; then
        say "already there: $*"
        return
    fi
    say "installing ${missing[*]}"
    apt-get --quiet=2 update >/dev/null 2>&1 || true # without a network the old lists may still do
    apt_get install --yes --no-install-recommends "${missing[@]}" ||
        refuse "apt could not install ${missing[*]}: connect a network, or install them by hand, and run this again."
    printf '%s\n' "${missing[@]}" >>"$opt/packages"
}

# Whether the system offers libcamera's Python side: only Raspberry Pi OS does.
is_pi_os() { apt-cache show python3-picamera2 >/dev/null 2>&1; }

system_packages() {
    step "Packages of the system"
    local names=(python3-venv)
    if is_pi_os; then names+=(python3-picamera2 python3-lgpio polkitd); fi
    packages "${names[@]}"
}

# -- the release ----------------------------------------------------------------------------------------------------

# Build the environment of this version where it will run. `complete` marks one that was built to its end.
build_release() {
    step "Version $release"
    local home=$opt/$release pip
    if [ -e "$home/complete" ]; then
        say "already built"
        return
    fi
    rm -rf "$home"
    building=$home
    # Only a Pi's own packages are to be seen: elsewhere another version of one of ours could be among the system's.
    local see=()
    if installed python3-picamera2; then see=(--system-site-packages); fi
    python3 -m venv "${see[@]}" "$home/venv"
    cp -R "$here" "$home/systemd"
    pip=("$home/venv/bin/python" -I -m pip --disable-pip-version-check --quiet install --compile)
    if [ -n "$wheels" ]; then pip+=(--isolated --no-index --find-links "$wheels"); fi
    # picamera2 of Bookworm is built for numpy 1, so the environment must not bring numpy 2.
    if "$home/venv/bin/python" -I -c 'import sys, numpy; sys.exit(numpy.__version__ >= "2")' 2>/dev/null; then
        pip+=(--constraint "$here/numpy1.txt")
    fi
    say "installing Python packages; this takes minutes on a Pi"
    "${pip[@]}" "$source" ||
        refuse "pip could not install them: connect a network, or bring them in a folder with --wheels."
    try_release "$home/venv/bin"
    touch "$home/complete"
    building=''
}

# Whether the release can be imported at all, before anything that runs is touched.
try_release() {
    # The variable: else onnxruntime writes an identifier of this computer into root's home, and sends usage data.
    "$1/tablecoin" --version >/dev/null &&
        ORT_DISABLE_TELEMETRY=1 "$1/python" -I -c 'import cv2, onnxruntime, web.app, tablecoin.live.service' ||
        refuse "version $release does not start on this computer; nothing was changed."
    if installed python3-picamera2; then
        "$1/python" -I -c 'import picamera2' ||
            refuse "the system's picamera2 does not work beside version $release; nothing was changed."
    fi
}

# -- the service ----------------------------------------------------------------------------------------------------

account_and_settings() {
    step "The user tablecoin and its settings"
    install -D -m 644 "$here/sysusers.conf" /etc/sysusers.d/tablecoin.conf
    systemd-sysusers tablecoin.conf
    say "groups: $(id -nG tablecoin)"
    if [ ! -e "$settings" ]; then
        mkdir -p "$(dirname "$settings")"
        printf 'data = "%s"\n' "$data" >"$settings"
    fi
    say "settings: $settings"
    if [ ! -e "$command_link" ] || [ -L "$command_link" ]; then ln -sfn "$opt/current/venv/bin/tablecoin" "$command_link"; fi
    if installed polkitd; then install -D -m 644 "$here/polkit.rules" "$polkit_rules"; fi
    if [ -d /etc/avahi/services ]; then put_addressed "$here/avahi/tablecoin.service" "$avahi_service"; fi
}

# Start this version. One that is not well gives way to the version that ran before.
activate() {
    step "Starting"
    local old earlier wanted=page
    old=$(release_of current)
    earlier=$(release_of before)
    if [ "$old" = "$release" ] && systemctl --quiet is-active tablecoin && answers &&
        cmp -s "$here/tablecoin.service" "$units/tablecoin.service"; then
        say "version $release runs already"
        systemctl --quiet enable tablecoin # an earlier run may have given up on it before it was well
        return
    fi
    if [ -n "$old" ] && [ "$old" != "$release" ]; then
        # A camera that worked must work again. Where none did, its absence proves nothing against this version.
        if systemctl --quiet is-active tablecoin && well frames >/dev/null; then wanted=frames; fi
        point before "$old"
    fi
    if start_release "$release" && well "$wanted"; then
        systemctl --quiet enable tablecoin
        return
    fi
    last_words
    [ -n "$old" ] && [ "$old" != "$release" ] || refuse "version $release is installed, but it is not well: see journalctl -u tablecoin."
    back_to "$old" "$earlier"
}

# Start release $1 again, before which $2 (perhaps none) ran.
back_to() {
    step "Going back to version $1"
    start_release "$1" && well page || refuse "neither version $release nor $1 is well: see journalctl -u tablecoin."
    if [ -n "$2" ]; then point before "$2"; else rm -f "$opt/before"; fi
    tidy
    refuse "version $release is not well on this computer, so $1 runs again; nothing of the games is lost."
}

# -- a screen at the table --------------------------------------------------------------------------------------------

remove_kiosk_unit() {
    [ -e "$kiosk_unit" ] || return 0
    systemctl --quiet disable --now tablecoin-kiosk
    rm -f "$kiosk_unit"
    systemctl daemon-reload
}

table_screen() {
    step "A screen at the table"
    local show=$screen
    if [ "$show" = auto ]; then
        if [ -e "$kiosk_unit" ] || [ -e "$kiosk_desktop" ]; then
            show=yes
        elif ! screen_in /sys/class/drm; then
            show=no
            say "no screen is plugged in; with one, run this again"
        elif has_desktop; then
            show=no
            say "there is a desktop here, which is left as it is; --screen yes shows the table on it"
        else
            show=yes
        fi
    fi
    case $show,$(has_desktop && echo desktop || echo lite) in
        yes,lite)
            packages cage xwayland chromium fonts-noto-cjk kbd # cage ends at once without xwayland
            rm -f "$kiosk_desktop"
            put_addressed "$here/tablecoin-kiosk.service" "$kiosk_unit"
            systemctl daemon-reload
            systemctl --quiet enable tablecoin-kiosk
            systemctl restart tablecoin-kiosk || say "the screen did not start: see journalctl -u tablecoin-kiosk"
            ;;
        yes,desktop)
            packages chromium fonts-noto-cjk
            remove_kiosk_unit
            put_addressed "$here/tablecoin-kiosk.desktop" "$kiosk_desktop"
            say "the desktop opens it at the next login"
            ;;
        no,*)
            remove_kiosk_unit
            rm -f "$kiosk_desktop"
            ;;
    esac
}

# ---------------------------------------------------------------------------------------------------------------------

building=''
trap '[ -z "$building" ] || rm -rf "$building"' EXIT
check_machine
system_packages
build_release
account_and_settings
activate
table_screen
tidy
step "Done"
say "version $release; the version before: $(release_of before | grep . || echo none)"
say "$(systemctl show --property=StatusText --value tablecoin)"
say "sudo $opt/current/systemd/rollback.sh goes back, sudo $opt/current/systemd/uninstall.sh removes it"
