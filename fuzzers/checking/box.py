# SPDX-License-Identifier: Apache-2.0
"""Runs of programs with one writable directory, their temporary one: in a mount namespace where all
else is read-only, or else as a user who may write nowhere else. Each run proves that its box is tight
before the program starts. All runs have a limit in time, from outside."""
import os
import re
import shutil
import signal
import subprocess
import tempfile

READY = "box: ready\n"
# sh TMP PROBE… -- PROGRAM…: /proc/self/mounts has a place's blanks as octal escapes.
PROBE = r"""
for d in "$@"; do
  [ "$d" != -- ] || break
  if ( : >"$d/.box" ) 2>/dev/null; then rm -f "$d/.box"; echo "box: $d is writable" >&2; exit 96; fi
done
( : >"$TMPDIR/.box" ) && rm "$TMPDIR/.box" || exit 96
while [ "$1" != -- ]; do shift; done
shift
echo "box: ready" >&2
exec "$@"
"""
NAMESPACE = r"""
mount --bind "$TMPDIR" "$TMPDIR" || exit 96
while read -r device place type options rest; do
  place=$(printf '%b' "$place")
  case $type in proc | sysfs | devpts | mqueue | cgroup*) continue ;; esac
  [ "$place" != "$TMPDIR" ] || continue
  keep=$(printf '%s' "$options" | tr ',' '\n' | grep -xE 'nosuid|nodev|noexec|noatime|relatime' | tr '\n' ',')
  mount -o "remount,bind,${keep}ro" "$place" 2>/dev/null
done </proc/self/mounts
""" + PROBE
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs"]
FORMS = {
    "namespace": ["unshare", "-m", "--propagation", "private", "sh", "-c", NAMESPACE, "sh"],
    "user namespace": ["unshare", "-r", "-m", "--propagation", "private", "sh", "-c", NAMESPACE, "sh"],
    "user": [*NOBODY, "sh", "-c", PROBE, "sh"],
}


class Run:
    """How a program ended: `code` is None when it was stopped for taking too long."""

    def __init__(self, code, text):
        self.code, self.text = code, text

    def how(self):
        if self.code is None:
            return "still running"
        return f"exit {self.code}" if self.code >= 0 else f"signal {-self.code}"

    def number(self, pattern):
        """The number that the pattern's group finds, or None."""
        m = re.search(pattern, self.text, re.M)
        return int(m[1]) if m else None

    def tail(self):
        """What it had to say: a sanitizer's summary or an error, else its last line."""
        lines = [x for x in self.text.splitlines() if x.strip()]
        told = [x for x in lines if re.search(r"SUMMARY|ERROR|error", x)]
        return (told or lines or ["nothing"])[-1].strip()[:160]


def run(command, directory, temporary, timeout, **environment):
    """Runs a program in a process group of its own, in an environment with nothing but a path in it."""
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": "/", "TMPDIR": temporary, **environment}
    with tempfile.TemporaryFile() as text:
        process = subprocess.Popen(command, cwd=directory, env=environment, stdin=subprocess.DEVNULL, stdout=text,
                                   stderr=subprocess.STDOUT, start_new_session=True)
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        text.seek(0)
        return Run(code, text.read(4 << 20).decode(errors="replace"))


def run_boxed(form, command, directory, temporary, timeout, probes=()):
    """As run(), with `temporary` alone writable. Returns None when the box was not tight."""
    if form == "user":
        os.chown(temporary, 65534, 65534)
    # The system's own temporary directory stays open to a user.
    others = ["/", "/var/lib", *([] if form == "user" else ["/tmp", "/var/tmp", "/dev/shm"])]
    probes = [directory, *probes, *(d for d in others if os.path.isdir(d))]
    ran = run([*FORMS[form], *probes, "--", *command], directory, temporary, timeout)
    if READY not in ran.text:
        return None
    return ran


def usable_form(wanted):
    """The first form of a box that works here, of those asked for ("auto": any); None when none does."""
    root = os.geteuid() == 0
    order = [wanted] if wanted != "auto" else ["namespace", "user"] if root else ["user namespace"]
    for form in order:
        if form not in FORMS or not shutil.which(FORMS[form][0]) or (form == "user" and not root):
            continue
        with tempfile.TemporaryDirectory(prefix="box-") as scratch:
            os.chmod(scratch, 0o755)
            temporary = os.path.join(scratch, "tmp")
            os.mkdir(temporary)
            ran = run_boxed(form, ["true"], scratch, temporary, 20)
            if ran is not None and ran.code == 0:
                return form
    return None
