#!/usr/bin/env bash
# Fetch all Python packages of a Raspberry Pi into a folder, to install it without a network:
#
#   systemd/wheels.sh FOLDER 3.11|3.13 [aarch64|x86_64]      3.11: Raspberry Pi OS Bookworm, 3.13: Trixie
#
# Runs on any computer with Python 3.11 or newer and a network. Then, on the Pi:
#
#   sudo bash FOLDER/systemd/install.sh --wheels FOLDER
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
root=$(dirname "$here")
PYTHON=${PYTHON:-python3}

[ $# -ge 2 ] || { sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 1; }
folder=$1 python=$2 machine=${3:-aarch64}

mkdir -p "$folder"
rm -f "$folder"/tablecoin-*.whl
"$PYTHON" -m pip wheel --quiet --no-deps --wheel-dir "$folder" "$root"
pip=("$PYTHON" -m pip download --quiet --dest "$folder" --only-binary :all: --python-version "$python")
# Debian 12 has glibc 2.36 and runs wheels made for any older one; pip wants each named.
for glibc in {17..36}; do pip+=(--platform "manylinux_2_${glibc}_$machine"); done
pip+=(--platform "manylinux2014_$machine")
if [ "$python" = 3.11 ]; then pip+=(--constraint "$here/numpy1.txt"); fi # picamera2 of Bookworm is built for numpy 1
"${pip[@]}" "$folder"/tablecoin-*.whl
rm -rf "$folder/systemd"
cp -R "$here" "$folder/systemd"
printf '%s\n' "$(find "$folder" -name '*.whl' | wc -l) wheels, $(du -sm "$folder" | cut -f1) MB in $folder"
