#!/usr/bin/env bash
# Remove tablecoin from this computer:  sudo systemd/uninstall.sh [--purge]
# Games, calibration, settings and the user who owns them stay, unless --purge is given.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=steps.sh
. "$here/steps.sh"

main() { # in a function, because bash must have read all of it before the file is removed
    case ${1-} in
        '' | --purge) ;;
        -h | --help)
            usage "${BASH_SOURCE[0]}"
            exit 0
            ;;
        *) refuse "$1 is no option: only --purge is." ;;
    esac
    need_machine
    step "Stopping the service"
    local each
    for each in tablecoin-kiosk tablecoin; do # one by one: a unit that is missing must not keep the other running
        systemctl --quiet stop "$each" 2>/dev/null || true
        systemctl --quiet disable "$each" 2>/dev/null || true
    done
    rm -f "$units/tablecoin.service" "$kiosk_unit" "$kiosk_desktop" "$avahi_service" "$polkit_rules"
    systemctl daemon-reload
    systemctl reset-failed tablecoin tablecoin-kiosk 2>/dev/null || true
    step "Removing the program"
    local brought=''
    if [ -e "$opt/packages" ]; then brought=$(sort -u "$opt/packages" | tr '\n' ' '); fi
    if [[ $(readlink "$command_link") == "$opt"/* ]]; then rm -f "$command_link"; fi
    rm -rf "$opt" "$data-kiosk"
    if id tablecoin-kiosk >/dev/null 2>&1; then userdel tablecoin-kiosk; fi
    if [ "${1-}" = --purge ]; then
        step "Removing games, calibration, settings and the user tablecoin"
        rm -rf "$data" "$(dirname "$settings")" "$units"/tablecoin.service.d "$units"/tablecoin-kiosk.service.d
        rm -f /etc/sysusers.d/tablecoin.conf
        if id tablecoin >/dev/null 2>&1; then userdel tablecoin; fi
    else
        if [ -e /etc/sysusers.d/tablecoin.conf ]; then sed -i '/tablecoin-kiosk/d' /etc/sysusers.d/tablecoin.conf; fi
        say "kept: $data, $(dirname "$settings") and their user (--purge removes them)"
    fi
    step "Done"
    if [ -n "$brought" ]; then say "packages that came with it: sudo apt remove $brought"; fi
    exit 0
}
main "$@"
