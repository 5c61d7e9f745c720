#!/bin/sh
# Makes a Raspberry Pi (or any Debian Bookworm or Trixie) a table that runs whenever the power is on.
set -eu

usage() {
    cat <<'HELP'
usage: sudo sh deploy/install.sh [COMMAND] [OPTIONS]

  install     (default) installs, or upgrades to, the source tree this script lies in
  rollback    goes back to the release before
  uninstall   takes the companion away again; games, settings and measures are kept
  steps       names the steps of an installation

  --dry-run   says what would be done, and does nothing
  --step NAME only this step of an installation
  --purge     uninstall: games, settings and measures, too
  --root DIR  works in another system's tree (to prepare a card); nothing is started there
  --help      this

Safe to repeat: what is done already is left alone. A release that does not come up is taken back by itself.
Example: sudo sh deploy/install.sh --dry-run
HELP
}

STEPS="system packages user folders release checked settings devices service switched pruned hints"
USER_NAME=olympus
UNIT=olympus-companion.service
KEPT_RELEASES=3
NEEDED="python3 python3-venv libgl1 ca-certificates"
# Where the system has them (Raspberry Pi OS does): the Pi's camera and pins, what programs the controller, a voice.
WELCOME="python3-picamera2 python3-lgpio avrdude espeak-ng"
GROUPS_WANTED="video dialout gpio audio"
PROGRAMS="companion calibrate firmware-bridge"

command=
dry=
only=
purge=
root=

say() { printf 'install%s: %s\n' "${dry:+ (dry run)}" "$*" >&2; }
die() { say "$@"; exit 1; }

# Does something to the system, or only says so.
run() {
    if [ -n "$dry" ]; then printf 'would: %s\n' "$*" >&2; else "$@"; fi
}

# Puts a file in its place if it is not there as it is.   put SOURCE TARGET
put() {
    if cmp -s "$1" "$2"; then return 0; fi
    say "writing $2"
    run install -D -m 0644 "$1" "$2"
}

# Takes a file away if it is there.
drop() { if [ -e "$1" ] || [ -L "$1" ]; then say "removing $1"; run rm -f "$1"; fi; }

# Does systemd run in this system, or is it only the tree of one?
is_live() { [ -d "$root/run/systemd/system" ]; }

# A command of the system that `root` is.
inside() { if [ -n "$root" ]; then run chroot "$root" "$@"; else run "$@"; fi; }

current_release() { if [ -L "$opt/current" ]; then basename "$(readlink "$opt/current")"; fi; }
previous_release() { if [ -L "$opt/previous" ]; then basename "$(readlink "$opt/previous")"; fi; }
# The numbers of the releases there are.
releases() {
    for folder in "$opt"/releases/[0-9]*; do
        if [ -d "$folder" ]; then basename "$folder"; fi
    done
}
is_complete() { [ -n "$1" ] && [ -f "$opt/releases/$1/.complete" ]; }

# What a source tree is, in a word: releases with the same one are the same.
fingerprint() {
    (cd "$source" && find companion firmware_bridge calibration deploy docs pyproject.toml README.md LICENSE \
        THIRD-PARTY-NOTICES.md -type f ! -name '*.pyc' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum) |
        cut -c 1-16
}

# ---- the steps

step_system() {
    if [ -z "$dry" ] && [ "$(id -u)" != 0 ]; then die "this needs root: sudo sh deploy/install.sh"; fi
    [ -r "$root/etc/os-release" ] || die "${root:-/} is no Debian or Raspberry Pi OS: it has no /etc/os-release"
    case $codename in
        bookworm | trixie) ;;
        *) die "this is ${codename:-an unknown system}; Raspberry Pi OS or Debian, Bookworm or Trixie, is needed" ;;
    esac
    case $(uname -m) in
        aarch64 | x86_64) ;;
        *) die "this system is not of 64 bits ($(uname -m)); install the 64-bit Raspberry Pi OS" ;;
    esac
    [ -f "$source/deploy/$codename.lock" ] || die "$source is no whole source tree: deploy/$codename.lock is missing"
}

# shellcheck disable=SC2016  # dpkg-query's own variable
is_installed() { [ "$(inside_quietly dpkg-query -W -f '${db:Status-Status}' "$1")" = installed ]; }
inside_quietly() {
    if [ -n "$root" ]; then chroot "$root" "$@" 2>/dev/null || true; else "$@" 2>/dev/null || true; fi
}

step_packages() {
    glib=libglib2.0-0
    if [ "$codename" = trixie ]; then glib=libglib2.0-0t64; fi
    missing=
    for package in $NEEDED $glib; do is_installed "$package" || missing="$missing $package"; done
    wished=
    for package in $WELCOME; do is_installed "$package" || wished="$wished $package"; done
    if [ -z "$missing$wished" ]; then return 0; fi
    inside apt-get update -qq
    for package in $wished; do
        if [ -n "$(inside_quietly apt-cache search --names-only "^$package\$")" ]; then missing="$missing $package"
        else say "$package is not among this system's packages and is left out"
        fi
    done
    if [ -z "$missing" ]; then return 0; fi
    say "installing$missing"
    # shellcheck disable=SC2086  # a list of words
    inside env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >&2
}

step_user() {
    if [ -z "$(inside_quietly getent passwd "$USER_NAME")" ]; then
        say "making the user $USER_NAME"
        inside useradd --system --user-group --home-dir /var/lib/olympus --no-create-home \
            --shell /usr/sbin/nologin "$USER_NAME"
    fi
    has=" $(inside_quietly id -nG "$USER_NAME") "
    for group in $GROUPS_WANTED; do
        case $has in *" $group "*) continue ;; esac
        if [ -n "$(inside_quietly getent group "$group")" ]; then inside usermod -aG "$group" "$USER_NAME"; fi
    done
}

step_folders() {
    run install -d -m 0755 "$opt" "$opt/releases" "$root/etc/olympus"
    if [ ! -d "$state" ]; then
        run install -d -m 0750 "$state"
        inside chown "$USER_NAME:$USER_NAME" /var/lib/olympus
    fi
}

step_release() {
    print=$(fingerprint)
    # What an interruption has left half done.
    for number in $(releases); do
        if ! is_complete "$number" && [ "$number" != "$(current_release)" ]; then
            say "removing half a release"
            run rm -rf "$opt/releases/$number"
        fi
    done
    highest=0
    for number in $(releases); do
        if is_complete "$number" && [ "$(cat "$opt/releases/$number/.complete")" = "$print" ]; then
            release=$number
            say "release $release is this source tree already"
            return 0
        fi
        if [ "$number" -gt "$highest" ]; then highest=$number; fi
    done
    release=$((highest + 1))
    folder=/opt/olympus/releases/$release
    say "building release $release; this takes some minutes on a Pi"
    run mkdir -p "$root$folder/source"
    for part in companion firmware_bridge calibration deploy docs pyproject.toml README.md LICENSE CHANGELOG.md \
        THIRD-PARTY-NOTICES.md; do
        run cp -R "$source/$part" "$root$folder/source/"
    done
    # It sees picamera2 of the system, and has everything else itself, in the versions that go with it.
    inside python3 -m venv --system-site-packages "$folder/venv"
    inside "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --ignore-installed \
        --require-hashes -r "$folder/source/deploy/$codename.lock"
    inside "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps "$folder/source"
    # What to read, and this script, for going back without a source tree.
    run mv "$root$folder/source/docs" "$root$folder/source/deploy" "$root$folder/"
    run rm -rf "$root$folder/source"
    if [ -z "$dry" ]; then printf '%s\n' "$print" >"$root$folder/.complete"; fi
}

# Does what was built hold together: one OpenCV, and a NumPy that the system's camera library gets on with?
step_checked() {
    inside "/opt/olympus/releases/$release/venv/bin/python" -c '
import importlib.util, sys
import cv2, numpy
if importlib.util.find_spec("picamera2"):
    import picamera2
if not cv2.__file__.startswith(sys.prefix):
    sys.exit(f"OpenCV would come from {cv2.__file__}, not from {sys.prefix}")
' || { run rm -f "$opt/releases/$release/.complete"; die "release $release does not hold together (see above); nothing was changed"; }
    inside "/opt/olympus/releases/$release/venv/bin/companion" --help >/dev/null
}

step_settings() {
    if [ -e "$root/etc/olympus/companion.toml" ]; then return 0; fi
    put "$source/deploy/companion.toml" "$root/etc/olympus/companion.toml"
    # Without the Pi's own camera library only a USB camera can be meant.
    if ! is_installed python3-picamera2; then
        run sed -i 's/^camera = "picamera"         # or "usb"/camera = "usb"              # or "picamera"/' \
            "$root/etc/olympus/companion.toml"
    fi
}

step_devices() {
    rules=$root/etc/udev/rules.d/60-olympus-table.rules
    if cmp -s "$source/deploy/60-olympus-table.rules" "$rules"; then return 0; fi
    put "$source/deploy/60-olympus-table.rules" "$rules"
    if is_live; then
        inside udevadm control --reload
        inside udevadm trigger --subsystem-match=tty --action=change
    fi
}

step_service() {
    put "$source/deploy/$UNIT" "$root/etc/systemd/system/$UNIT"
    put "$source/deploy/journald.conf" "$root/etc/systemd/journald.conf.d/60-olympus.conf"
    for program in $PROGRAMS; do
        if [ "$(readlink "$root/usr/local/bin/$program" || true)" != "/opt/olympus/current/venv/bin/$program" ]; then
            run mkdir -p "$root/usr/local/bin"
            run ln -sfn "/opt/olympus/current/venv/bin/$program" "$root/usr/local/bin/$program"
        fi
    done
    if is_live; then inside systemctl daemon-reload; fi
    wanted=$root/etc/systemd/system/multi-user.target.wants/$UNIT
    if [ -L "$wanted" ]; then return 0; fi
    run mkdir -p "$(dirname "$wanted")"
    run ln -s "/etc/systemd/system/$UNIT" "$wanted"
}

# Lets a link point elsewhere in one go: there is no moment without it.   link NAME TARGET
link() {
    run ln -sfn "$2" "$opt/$1.new"
    run mv -T "$opt/$1.new" "$opt/$1"
}

# The games as they are before a release that may write them otherwise.   keep_games RELEASE
keep_games() {
    if [ ! -f "$state/journal.db" ]; then return 0; fi
    run rm -f "$state/journal.before-$1.db"
    inside "/opt/olympus/releases/$release/venv/bin/python" -c '
import sqlite3, sys
with sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True) as games, sqlite3.connect(sys.argv[2]) as copy:
    games.backup(copy)
' /var/lib/olympus/journal.db "/var/lib/olympus/journal.before-$1.db"
    inside chown "$USER_NAME:$USER_NAME" "/var/lib/olympus/journal.before-$1.db"
}

# Games that a newer release has written and this one cannot read are set aside for it.   give_games_back NEWER OLDER
give_games_back() {
    copy=$state/journal.before-$1.db
    if [ ! -f "$copy" ] || [ -n "$dry" ]; then return 0; fi
    if inside "/opt/olympus/releases/$2/venv/bin/companion" journal list --json \
        --journal /var/lib/olympus/journal.db >/dev/null 2>&1; then return 0; fi
    say "release $2 cannot read the games as release $1 writes them: they are kept as journal.of-$1.db"
    mv "$state/journal.db" "$state/journal.of-$1.db"
    rm -f "$state/journal.db-wal" "$state/journal.db-shm"
    mv "$copy" "$state/journal.db"
}

# Starts the service and waits until it has said that it is ready and its page answers.
comes_up() {
    if ! is_live; then return 0; fi
    # `restart` waits for the service's own word.
    inside systemctl reset-failed "$UNIT" 2>/dev/null || true
    inside systemctl restart "$UNIT" || return 1
    if [ -n "$dry" ]; then return 0; fi
    inside /opt/olympus/current/venv/bin/python - <<'CHECK'
import sys, time, tomllib, urllib.request
with open("/etc/olympus/companion.toml", "rb") as file:
    port = tomllib.load(file).get("port", 8080)
for _ in range(30):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=2) as page:
            sys.exit(0 if page.status == 200 else 1)
    except OSError:
        time.sleep(1)
sys.exit(1)
CHECK
}

step_switched() {
    before=$(current_release)
    if [ "$before" = "$release" ]; then
        if is_live && [ "$(inside_quietly systemctl is-active "$UNIT")" != active ]; then
            comes_up || die "release $release does not start: journalctl -u $UNIT -n 50"
        fi
        return 0
    fi
    if is_live && [ -n "$before" ]; then inside systemctl stop "$UNIT"; fi
    keep_games "$release"
    if is_complete "$before"; then link previous "releases/$before"; fi
    link current "releases/$release"
    if comes_up; then say "release $release is in use"; return 0; fi
    is_complete "$before" || die "release $release does not start: journalctl -u $UNIT -n 50"
    say "release $release does not come up; going back to release $before"
    inside systemctl stop "$UNIT" || true
    link current "releases/$before"
    run rm -f "$opt/previous" "$opt/releases/$release/.complete"
    give_games_back "$release" "$before"
    comes_up || die "and release $before does not come up either: journalctl -u $UNIT -n 50"
    die "release $before is in use again. Why: journalctl -u $UNIT -n 100"
}

step_pruned() {
    kept=0
    for number in $(releases | sort -rn); do
        kept=$((kept + 1))
        if [ "$number" = "$(current_release)" ] || [ "$number" = "$(previous_release)" ]; then continue; fi
        if [ "$kept" -gt "$KEPT_RELEASES" ]; then
            say "removing release $number"
            run rm -rf "$opt/releases/$number"
            run rm -f "$state/journal.before-$number.db"
        fi
    done
}

step_hints() {
    if ! is_live; then say "the service starts when that system does"; return 0; fi
    if inside_quietly ufw status | grep -q '^Status: active'; then
        say "a firewall is on. For phones in the house: sudo ufw allow from 192.168.0.0/16 to any port 8080 proto tcp"
    elif inside_quietly nft list ruleset | grep -q 'hook input.*policy drop'; then
        say "a firewall drops what it does not know: let TCP port 8080 in from your own network"
    fi
    say "done. What is there and what is missing: companion doctor"
    say "the host's code, to be typed after 'Join the table' on the page: sudo cat /var/lib/olympus/table-code"
}

# ---- the commands

install_all() {
    [ -f "$source/pyproject.toml" ] || die "$source is an installed release; install from a source tree"
    for step in $STEPS; do
        if [ -n "$only" ] && [ "$only" != "$step" ]; then
            # Whatever is to be done, this has to be a system for it.
            if [ "$step" = system ]; then step_system; fi
            # Later steps speak of a release that is there.
            if [ "$step" = release ]; then release=$(newest_complete); fi
            continue
        fi
        case $step in
            checked | switched)
                [ "$release" != 0 ] || die "the step $step needs a release, and none is built yet: --step release" ;;
        esac
        say "step: $step"
        "step_$step"
    done
}

newest_complete() {
    newest=0
    for number in $(releases); do
        if is_complete "$number" && [ "$number" -gt "$newest" ]; then newest=$number; fi
    done
    echo "$newest"
}

go_back() {
    step_system
    now=$(current_release)
    before=$(previous_release)
    is_complete "$before" || die "there is no release to go back to"
    say "going back from release $now to release $before"
    if is_live; then inside systemctl stop "$UNIT"; fi
    link current "releases/$before"
    if [ -n "$now" ]; then link previous "releases/$now"; fi
    give_games_back "$now" "$before"
    comes_up || die "release $before does not come up: journalctl -u $UNIT -n 50"
    say "release $before is in use"
}

uninstall() {
    step_system
    if is_live; then inside systemctl disable --now "$UNIT" 2>/dev/null || true; fi
    drop "$root/etc/systemd/system/multi-user.target.wants/$UNIT"
    drop "$root/etc/systemd/system/$UNIT"
    drop "$root/etc/systemd/journald.conf.d/60-olympus.conf"
    drop "$root/etc/udev/rules.d/60-olympus-table.rules"
    for program in $PROGRAMS; do
        case $(readlink "$root/usr/local/bin/$program" || true) in /opt/olympus/*) drop "$root/usr/local/bin/$program" ;; esac
    done
    run rm -rf "$opt"
    if is_live; then
        inside systemctl daemon-reload
        inside udevadm control --reload
    fi
    if [ -n "$purge" ]; then
        run rm -rf "$state" "$root/etc/olympus"
        if [ -n "$(inside_quietly getent passwd "$USER_NAME")" ]; then inside userdel "$USER_NAME"; fi
        say "the companion is gone, and all it kept"
    else
        say "the companion is gone; games stay in /var/lib/olympus, settings in /etc/olympus (--purge takes them, too)"
    fi
}

# An option's value that was forgotten.   needs VALUE SENTENCE
needs() { [ -n "$1" ] || die "$2"; }

while [ $# -gt 0 ]; do
    case $1 in
        install | rollback | uninstall | steps)
            [ -z "$command" ] || [ "$command" = "$1" ] || die "$command and $1 are two commands; give one at a time"
            command=$1 ;;
        --dry-run) dry=yes ;;
        --purge) purge=yes ;;
        --step) only=${2:-}; needs "$only" "--step needs the name of a step"; shift ;;
        --step=*) only=${1#*=}; needs "$only" "--step needs the name of a step" ;;
        # Were an empty one taken for this system, a slip would change the computer that prepares a card.
        --root) root=${2:-}; needs "$root" "--root needs a directory"; shift ;;
        --root=*) root=${1#*=}; needs "$root" "--root needs a directory" ;;
        -h | --help) usage; exit 0 ;;
        *) usage >&2; die "\"$1\" is neither a command nor an option" ;;
    esac
    shift
done
root=${root%/}
opt=$root/opt/olympus
state=$root/var/lib/olympus
source=$(cd "$(dirname "$0")/.." && pwd)
release=
codename=$(sed -n 's/^VERSION_CODENAME=//p' "$root/etc/os-release" 2>/dev/null || true)
case " $STEPS " in *" ${only:-system} "*) ;; *) die "there is no step \"$only\"; the steps are: $STEPS" ;; esac

case ${command:-install} in
    install) install_all ;;
    rollback) go_back ;;
    uninstall) uninstall ;;
    steps) for step in $STEPS; do echo "$step"; done ;;
esac
