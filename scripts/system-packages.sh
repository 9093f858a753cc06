#!/bin/sh
# Install the Debian packages given as arguments, where they are missing and it can be done.
# Without root or apt the missing names are printed, and the tests that need them say so themselves.
set -u
missing=""
for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q "install ok installed" || missing="$missing $package"
done
[ -z "$missing" ] && exit 0
run=""
if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then run="sudo -n"; else
        echo "system packages missing:$missing (install them with: apt-get install$missing)" >&2
        exit 2
    fi
fi
$run apt-get update -qq && DEBIAN_FRONTEND=noninteractive $run apt-get install -y -qq $missing >/dev/null
