#!/bin/sh
# Makes a Raspberry Pi (or any Debian Bookworm or Trixie) a table that runs whenever the power is on.
set -eu
# Whatever root's own habit: the service's user has to be able to read and start what is installed.
umask 022

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
# A release and what pip needs to unpack it, in MB.
ROOM=800
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
# What an interruption leaves to be put in order: half a release, and a table that was stopped to be changed.
half=
stopped=

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

# However this ends, also by Ctrl-C or a terminal that is gone: no half release fills the card, no table stays dark.
in_order() {
    if [ -n "$half" ]; then rm -rf "$half"; fi
    if [ -n "$stopped" ]; then
        say "starting the table again"
        inside systemctl start --no-block "$UNIT" || true
    fi
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
    # Two at a time would take each other's releases for half ones.
    exec 9<"$root/etc/os-release"
    flock -n 9 || die "another installation is going on here; wait until it has ended"
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

# Is the service's user somebody who was here before, as whoever named the Pi's own login so?
is_a_person() {
    case $(inside_quietly getent passwd "$USER_NAME") in '' | *:/var/lib/olympus:*) return 1 ;; esac
}

step_user() {
    if is_a_person; then
        say "there is a login $USER_NAME already: the table runs as that user, confined by its unit, and it stays yours"
    fi
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
    place=$opt
    if [ ! -d "$place" ]; then place=$root/; fi
    free=$(df -Pk "$place" | awk 'NR == 2 { print int($4 / 1024) }')
    if [ "${free:-$ROOM}" -lt "$ROOM" ]; then
        die "there are only $free MB free and a release needs $ROOM: sudo apt clean; sudo journalctl --vacuum-size=50M"
    fi
    say "building release $release; this takes some minutes on a Pi"
    if [ -z "$dry" ]; then half=$root$folder; fi
    build || die "release $release could not be built (see above); nothing was changed. With a network: run this again"
    if [ -z "$dry" ]; then
        # Only what is truly on the card is complete: a power cut may come at any moment.
        sync -f "$opt/releases"
        printf '%s\n' "$print" >"$root$folder/.complete"
        sync -f "$opt/releases"
    fi
    half=
}

# Makes the release `folder` out of the source tree.
build() {
    run mkdir -p "$root$folder/source" || return 1
    for part in companion firmware_bridge calibration deploy docs pyproject.toml README.md LICENSE CHANGELOG.md \
        THIRD-PARTY-NOTICES.md; do
        run cp -R "$source/$part" "$root$folder/source/" || return 1
    done
    # A tree that only its owner may read does not make a release of that kind.
    run chmod -R u+rwX,go+rX "$root$folder/source" &&
        # It sees picamera2 of the system, and has everything else itself, in the versions that go with it.
        inside python3 -m venv --system-site-packages "$folder/venv" &&
        inside "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --ignore-installed \
            --require-hashes -r "$folder/source/deploy/$codename.lock" &&
        inside "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
            "$folder/source" &&
        # What to read, and this script, for going back without a source tree.
        run mv "$root$folder/source/docs" "$root$folder/source/deploy" "$root$folder/" &&
        run rm -rf "$root$folder/source"
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
' || {
        run rm -f "$opt/releases/$release/.complete"
        if [ "$release" != "$(current_release)" ]; then run rm -rf "$opt/releases/$release"; fi
        die "release $release does not hold together (see above); nothing was changed"
    }
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

# The unit that goes with a release that is there.   take_unit RELEASE
take_unit() {
    if [ ! -f "$opt/releases/$1/deploy/$UNIT" ]; then return 0; fi
    put "$opt/releases/$1/deploy/$UNIT" "$root/etc/systemd/system/$UNIT"
    if is_live; then inside systemctl daemon-reload; fi
}

# The games as they are before a release that may write them otherwise; false if there is no room for a copy.
#   keep_games RELEASE
keep_games() {
    if [ ! -f "$state/journal.db" ]; then return 0; fi
    run rm -f "$state/journal.before-$1.db"
    inside "/opt/olympus/releases/$1/venv/bin/python" -c '
import sqlite3, sys
with sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True) as games, sqlite3.connect(sys.argv[2]) as copy:
    games.backup(copy)
' /var/lib/olympus/journal.db "/var/lib/olympus/journal.before-$1.db" &&
        inside chown "$USER_NAME:$USER_NAME" "/var/lib/olympus/journal.before-$1.db" && return 0
    run rm -f "$state/journal.before-$1.db"
    return 1
}

# Games that a newer release has written and this one cannot read are set aside for it.   give_games_back NEWER OLDER
give_games_back() {
    copy=$state/journal.before-$1.db
    if [ ! -f "$copy" ] || [ -n "$dry" ]; then return 0; fi
    if inside "/opt/olympus/releases/$2/venv/bin/companion" journal list --json \
        --journal /var/lib/olympus/journal.db >/dev/null 2>&1; then return 0; fi
    say "release $2 cannot read the games as release $1 writes them: they are kept as journal.of-$1.db"
    # A release that was killed has left its last turns in the log beside the file: they belong into it.
    inside "/opt/olympus/releases/$1/venv/bin/python" -c '
import sqlite3, sys
sqlite3.connect(sys.argv[1]).execute("PRAGMA wal_checkpoint(TRUNCATE)")
' /var/lib/olympus/journal.db || die "the games cannot be set aside (see above); nothing was changed"
    rm -f "$state/journal.db-wal" "$state/journal.db-shm"
    # At every moment there is a journal.
    ln -f "$state/journal.db" "$state/journal.of-$1.db" 2>/dev/null ||
        cp -p "$state/journal.db" "$state/journal.of-$1.db"
    mv -f "$copy" "$state/journal.db"
}

# Starts the service and waits until it has said that it is ready and its page answers.
comes_up() {
    if ! is_live; then return 0; fi
    # `restart` waits for the service's own word.
    inside systemctl reset-failed "$UNIT" 2>/dev/null || true
    inside systemctl restart "$UNIT" || return 1
    if [ -n "$dry" ]; then return 0; fi
    inside /opt/olympus/current/venv/bin/python - <<'CHECK'
import sys, time, tomllib, urllib.error, urllib.request
with open("/etc/olympus/companion.toml", "rb") as file:
    settings = tomllib.load(file)
host = settings.get("host", "127.0.0.1")
host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
page = f"http://[{host}]" if ":" in host else f"http://{host}"
# What is on this computer is never behind a proxy.
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
for _ in range(30):
    try:
        opener.open(f"{page}:{settings.get('port', 8080)}/", timeout=2).close()
        sys.exit(0)
    except urllib.error.HTTPError as answer:
        sys.exit(0 if answer.code < 500 else 1)
    except OSError:
        time.sleep(1)
sys.exit(1)
CHECK
}

step_switched() {
    before=$(current_release)
    if [ "$before" = "$release" ]; then
        if is_live && [ "$(inside_quietly systemctl is-active "$UNIT")" != active ]; then
            comes_up || die "release $release does not start: journalctl -u $UNIT -n 50 (install.sh rollback goes back)"
        fi
        return 0
    fi
    older=$(previous_release)
    if is_live && [ -n "$before" ]; then
        if [ -z "$dry" ]; then stopped=yes; fi
        inside systemctl stop "$UNIT"
    fi
    keep_games "$release" || {
        take_unit "$before"
        die "the games cannot be copied (see above; is the disk full?): release $before stays in use"
    }
    if is_complete "$before"; then link previous "releases/$before"; fi
    link current "releases/$release"
    if comes_up; then
        stopped=
        say "release $release is in use"
        return 0
    fi
    is_complete "$before" || die "release $release does not start: journalctl -u $UNIT -n 50"
    say "release $release does not come up; going back to release $before"
    inside systemctl stop "$UNIT" || true
    take_unit "$before"
    give_games_back "$release" "$before"
    link current "releases/$before"
    if is_complete "$older"; then link previous "releases/$older"; else run rm -f "$opt/previous"; fi
    run rm -f "$opt/releases/$release/.complete"
    comes_up || die "and release $before does not come up either: journalctl -u $UNIT -n 50"
    stopped=
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
    if is_live; then
        if [ -z "$dry" ]; then stopped=yes; fi
        inside systemctl stop "$UNIT"
    fi
    take_unit "$before"
    give_games_back "$now" "$before"
    link current "releases/$before"
    if [ -n "$now" ]; then link previous "releases/$now"; fi
    comes_up || die "release $before does not come up: journalctl -u $UNIT -n 50"
    stopped=
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
        if [ -n "$(inside_quietly getent passwd "$USER_NAME")" ] && ! is_a_person; then inside userdel "$USER_NAME"; fi
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

trap in_order EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
case ${command:-install} in
    install) install_all ;;
    rollback) go_back ;;
    uninstall) uninstall ;;
    steps) for step in $STEPS; do echo "$step"; done ;;
esac
