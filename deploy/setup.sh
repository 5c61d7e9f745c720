#!/bin/sh
# Makes .venv with the locked packages and the companion itself. Safe to repeat; a step that is done is skipped.
# usage: sh deploy/setup.sh LOCKFILE
set -eu
cd "$(dirname "$0")/.."
lock=$1

say() { printf 'setup: %s\n' "$*" >&2; }

# Runs a command as root: directly, or by sudo where that needs no password. Fails where neither is possible.
as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then sudo -n "$@"
    else return 1
    fi
}

# Installs Debian packages, or says what to type and stops.
need_packages() {
    if command -v apt-get >/dev/null 2>&1; then
        say "installing $* from the system's packages"
        if as_root apt-get update -qq >&2 \
            && as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
        then return 0
        fi
    fi
    say "this machine lacks $*. Type this, then run make again:"
    say "    sudo apt-get update && sudo apt-get install -y $*"
    say "(on other systems: the packages that bring the same libraries)"
    exit 1
}

find_python() {
    for name in "${PYTHON:-}" python3.13 python3.12 python3.11 python3 python; do
        [ -n "$name" ] || continue
        if command -v "$name" >/dev/null 2>&1 &&
            "$name" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null
        then echo "$name"; return 0
        fi
    done
    say "Python 3.11, 3.12 or 3.13 is needed and was not found. Install it, or name it: make PYTHON=/path/to/python3.11 play"
    exit 1
}

# A half-made environment (interrupted, or its Python is gone) is made again.
if ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
    python=$(find_python)
    rm -rf .venv
    say "making .venv with $("$python" --version)"
    if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
        need_packages "$("$python" -c 'import sys; print(f"python{sys.version_info[0]}.{sys.version_info[1]}-venv")')"
    fi
    "$python" -m venv .venv
fi

say "installing the locked packages (${lock}); the first time this takes a minute"
.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r "$lock" || {
    say "the packages could not be installed: is the network reachable? Run make again when it is."
    exit 1
}
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .

# opencv-python draws on two system libraries that a bare Debian does not have.
if ! .venv/bin/python -c 'import cv2' 2>/dev/null; then
    need_packages libgl1 libglib2.0-0
    .venv/bin/python -c 'import cv2' || {
        say "OpenCV still does not load; the line above names the library that is missing"
        exit 1
    }
fi
say "ready"
