"""A Debian system that only pretends: a tree of files, and a `chroot` that notes what it is asked to do.

The installer works on the tree with its own hands (files, links, folders) and asks the system for everything else;
all of that goes through `chroot`, which here is a small script that answers from files in the tree.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

INSTALL = Path(__file__).parents[2] / "deploy" / "install.sh"

CHROOT = r"""#!/bin/sh
root=$1; shift
printf '%s\n' "$*" >>"$root/asked"
if [ "$1" = env ]; then shift; while case $1 in *=*) true ;; *) false ;; esac; do shift; done; fi
case $1 in
    dpkg-query) grep -qx "$5" "$root/packages" && printf installed ;;
    apt-cache) name=${4#^}; name=${name%\$}; grep -qx "$name" "$root/available" && echo "$name - ..." ;;
    apt-get)
        [ "$2" = install ] || exit 0
        for word; do case $word in apt-get | install | -*) ;; *) echo "$word" >>"$root/packages" ;; esac; done ;;
    getent) grep "^$3\(:\|\$\)" "$root/$2" ;;
    id) cat "$root/member" ;;
    useradd) for word; do :; done; echo "$word:x:999:999::/var/lib/olympus:/usr/sbin/nologin" >>"$root/passwd" ;;
    userdel) : >"$root/passwd"; : >"$root/member" ;;
    usermod) printf '%s ' "$3" >>"$root/member" ;;
    python3)
        mkdir -p "$root$5/bin"
        : >"$root$5/bin/python"; : >"$root$5/bin/companion" ;;
    systemctl)
        [ "$2" != is-active ] || { cat "$root/active"; exit; }
        [ "$2" != restart ] || [ ! -e "$root/broken" ] ||
            [ "$(readlink "$root/opt/olympus/current")" != "$(cat "$root/broken")" ] ;;
    */venv/bin/python)
        [ ! -e "$root/hangs" ] || { touch "$root/waiting"; while [ -e "$root/hangs" ]; do sleep 0.02; done; exit 1; }
        case $2 in
            -) exit 0 ;;
            -m) [ ! -e "$root/offline" ] ;;
            -c)
                if [ $# -ge 5 ]; then [ ! -e "$root/full" ] && cp "$root$4" "$root$5"
                elif [ $# -eq 4 ]; then
                    if [ -e "$root$4-wal" ]; then cat "$root$4-wal" >>"$root$4"; : >"$root$4-wal"; fi
                else [ ! -e "$root/unsound" ]; fi ;;
        esac ;;
    */venv/bin/companion) [ "$2" != journal ] || ! grep -q newer "$root/var/lib/olympus/journal.db" ;;
esac
"""


@dataclass(frozen=True)
class FakeSystem:
    """The system in the tree `root`; `tools` holds what stands for the real commands."""

    root: Path
    tools: Path

    @classmethod
    def made(cls, folder: Path, codename: str = "bookworm", *, booted: bool = True) -> FakeSystem:
        """A fresh Raspberry Pi OS."""
        system = cls(folder / "root", folder / "tools")
        (system.root / "etc").mkdir(parents=True)
        (system.root / "etc/os-release").write_text(f"ID=debian\nVERSION_CODENAME={codename}\n")
        for name, text in {
            "packages": "python3\nca-certificates\n",
            "available": "python3-picamera2\npython3-lgpio\n",
            "passwd": "root\n",
            "group": "video\ndialout\n",
            "member": "",
            "asked": "",
            "active": "active\n",
            "free-kb": "4000000\n",
        }.items():
            (system.root / name).write_text(text)
        if booted:
            (system.root / "run/systemd/system").mkdir(parents=True)
        system.tools.mkdir()
        for name, script in {
            "chroot": CHROOT,
            "id": "#!/bin/sh\necho 0\n",
            "uname": "#!/bin/sh\necho aarch64\n",
            "df": f"#!/bin/sh\nprintf 'head\\nx 1 1 %s 1 /\\n' $(cat {system.root}/free-kb)\n",
        }.items():
            (system.tools / name).write_text(script)
            (system.tools / name).chmod(0o755)
        return system

    def install(
        self, *arguments: str, script: Path = INSTALL, umask: int = -1
    ) -> subprocess.CompletedProcess[str]:
        """Runs the installer on the tree."""
        return subprocess.run(
            self.command(*arguments, script=script),
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            umask=umask,
        )

    def command(self, *arguments: str, script: Path = INSTALL) -> list[str]:
        """What runs the installer on the tree."""
        return ["sh", str(script), "--root", str(self.root), *arguments]

    @property
    def environment(self) -> dict[str, str]:
        """The environment in which the tools are found."""
        return {**os.environ, "PATH": f"{self.tools}:{os.environ['PATH']}"}

    def asked(self) -> list[str]:
        """What the system was asked to do since the last time, without questions."""
        path = self.root / "asked"
        lines = path.read_text().splitlines()
        path.write_text("")
        questions = ("dpkg-query", "apt-cache", "getent", "id ", "systemctl is-active", "ufw", "nft")
        return [line for line in lines if not line.startswith(questions)]

    def files(self) -> dict[str, str]:
        """The whole tree: every file with its text, every link with where it leads."""
        found = {}
        for path in sorted(self.root.rglob("*")):
            name = str(path.relative_to(self.root))
            if path.is_symlink():
                found[name] = f"-> {os.readlink(path)}"
            elif path.is_file() and name != "asked":
                found[name] = path.read_text(errors="replace")
        return found

    @property
    def current(self) -> str | None:
        """The release in use."""
        link = self.root / "opt/olympus/current"
        return os.readlink(link) if link.is_symlink() else None
