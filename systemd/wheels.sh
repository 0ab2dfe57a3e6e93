#!/usr/bin/env bash
# Fetch all Python packages of a Raspberry Pi into a folder, to install it without a network:
#
#   systemd/wheels.sh FOLDER 3.11|3.13 [aarch64|x86_64]      3.11: Raspberry Pi OS Bookworm, 3.13: Trixie
#
# Runs on any computer with Python 3.11 or newer and a network. Then, on the Pi:
#
#   sudo bash FOLDER/systemd/install.sh --wheels FOLDER
#
# With --dry-run for FOLDER it only says which packages there would be. NUMPY=2 lets Bookworm have a newer numpy than
# its picamera2 can bear, for a Pi with another camera. WHEEL=FILE takes this wheel of tablecoin instead of building one.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
PYTHON=${PYTHON:-python3}

if [ $# -lt 2 ]; then
    sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 1
fi
folder=$1 python=$2 machine=${3:-aarch64}

choice=(--only-binary :all: --python-version "$python" --platform "manylinux2014_$machine")
# Debian 12 has glibc 2.36 and runs wheels made for any older one; pip wants each named.
for glibc in {17..36}; do choice+=(--platform "manylinux_2_${glibc}_$machine"); done
if [ "$python" = 3.11 ] && [ "${NUMPY:-1}" = 1 ]; then choice+=(--constraint "$here/numpy1.txt"); fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [ -n "${WHEEL:-}" ]; then
    cp "$WHEEL" "$scratch"
else
    "$PYTHON" -m pip wheel --quiet --no-deps --wheel-dir "$scratch" "$(dirname "$here")"
fi

if [ "$folder" = --dry-run ]; then
    said=$("$PYTHON" -m pip install --dry-run --ignore-installed --target "$scratch" "${choice[@]}" "$scratch"/*.whl)
    said=$(printf '%s\n' "$said" | sed -n 's/^Would install //p')
    printf '%s\n' "Python $python on $machine, $(printf '%s' "$said" | wc -w) wheels: $said"
    exit
fi
mkdir -p "$folder"
rm -rf "$folder"/tablecoin-*.whl "$folder/systemd"
"$PYTHON" -m pip download --quiet --dest "$folder" "${choice[@]}" "$scratch"/*.whl
cp -R "$here" "$folder/systemd"
printf '%s\n' "$(find "$folder" -name '*.whl' | wc -l) wheels, $(du -sm "$folder" | cut -f1) MB in $folder"
