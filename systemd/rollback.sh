#!/usr/bin/env bash
# Start the version again that ran before the newest install; run it twice to come back:  sudo systemd/rollback.sh
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=steps.sh
. "$here/steps.sh"

case ${1-} in
    '') ;;
    -h | --help)
        usage "${BASH_SOURCE[0]}"
        exit 0
        ;;
    *) refuse "$1 is no option: it goes back to the version before, and needs none." ;;
esac
need_machine
now=$(release_of current) before=$(release_of before)
[ -n "$before" ] && [ -e "$opt/$before/complete" ] || refuse "there is no version before this one: nothing to go back to."
step "Going back from version $now to $before"
point before "$now"
if start_release "$before" && well page; then
    step "Done"
    exit 0
fi
last_words
point before "$before"
start_release "$now" || refuse "neither version $before nor $now starts: see journalctl -u tablecoin."
refuse "version $before is not well, so $now runs on."
