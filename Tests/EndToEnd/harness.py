"""The product under test, seen from outside: a process, its diagnostics, its records.

Everything here waits for something to become true, with a deadline; nothing waits for time to pass.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# The program under test; `run --weir PATH` sets another.
weir_path = os.path.join(ROOT, ".build", "release", "weir")

# How long anything that should happen at once may take on a busy machine, in seconds.
SOON = 10.0

MEGABYTE = 1_000_000


def wait_until(condition, what, within=SOON):
    """Returns the first true value of `condition()`; fails if there is none within the time."""
    deadline = time.monotonic() + within
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {within:g} s: {what() if callable(what) else what}")
        time.sleep(0.005)


def field(record, path, default=None):
    """The value at a dotted path of a record, as `http.response.status_code`."""
    for key in path.split("."):
        if not isinstance(record, dict) or key not in record:
            return default
        record = record[key]
    return record


def clean_environment(extra=None):
    """This process's environment without settings of Weir."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("WEIR_")}
    environment.update(extra or {})
    return environment


def run_weir(*arguments, stdin=None, env=None, cwd=None, within=60):
    """Runs a command of Weir to its end."""
    return subprocess.run(
        [weir_path, *map(str, arguments)],
        input=stdin if stdin is not None else b"",
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_environment(env),
        cwd=cwd,
        timeout=within,
    )


def peak_memory(pid):
    """The most memory a process has had, in bytes (VmHWM)."""
    with open(f"/proc/{pid}/status") as file:
        return int(re.search(r"VmHWM:\s+(\d+) kB", file.read())[1]) * 1024


class Weir:
    """A command of Weir that runs until it is told to stop.

    Standard output, where audit records go unless told otherwise, and standard error are files, so
    that nothing is lost and nothing blocks. Leaving the `with` block ends the process and fails the
    test if it did not end well: a crash cannot go unnoticed.
    """

    def __init__(self, command, *options, config=None, env=None, stdout=None, cwd=None):
        self.folder = tempfile.mkdtemp(prefix="weir-")
        self.config_path = os.path.join(self.folder, "weir.json5")
        self.stdout_path = os.path.join(self.folder, "stdout")
        self.stderr_path = os.path.join(self.folder, "stderr")
        self._expected_status = 0
        arguments = [weir_path, command, *map(str, options)]
        if config is not None:
            self.write_config(config)
            arguments += ["--config", self.config_path]
        environment = {"WEIR_DRAIN": "1s"}
        if any(str(option) == "--drain" for option in options) or "drain" in (config or {}):
            environment = {}
        environment.update(env or {})
        with open(self.stderr_path, "wb") as err, open(self.stdout_path, "wb") as out:
            self.process = subprocess.Popen(
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=stdout if stdout is not None else out,
                stderr=err,
                env=clean_environment(environment),
                cwd=cwd,
            )

    @classmethod
    def serve(cls, upstream, *options, listen="127.0.0.1:0", **more):
        """The proxy in front of `upstream` (a URL, or anything with a `url`), ready to accept."""
        url = getattr(upstream, "url", upstream)
        listeners = [listen] if isinstance(listen, str) else listen
        arguments = [part for address in listeners for part in ("--listen", address)]
        weir = cls("serve", *arguments, "--upstream", url, *options, **more)
        return weir._ready(len(listeners))

    @classmethod
    def sink(cls, *options, listen="127.0.0.1:0", **more):
        """The upload API for tests, ready to accept."""
        return cls("sink", "--listen", listen, *options, **more)._ready(1)

    def _ready(self, count):
        try:
            self.addresses = self.wait_for_listeners(count)
        except BaseException:
            self.kill()
            raise
        self.address = self.addresses[0]
        return self

    def write_config(self, config):
        with open(self.config_path, "w") as file:
            file.write(config if isinstance(config, str) else json.dumps(config))

    # What it says.

    @property
    def stderr(self):
        with open(self.stderr_path, "rb") as file:
            return file.read().decode(errors="replace")

    @property
    def stdout(self):
        with open(self.stdout_path, "rb") as file:
            return file.read().decode(errors="replace")

    def wait_for_listeners(self, count):
        """The addresses that the process says it listens on."""

        def listening():
            if self.process.poll() is not None:
                raise AssertionError(f"weir ended with {self.process.returncode}: {self.stderr}")
            found = re.findall(r"listening on (http://\S+|unix:\S+)", self.stderr)
            return found if len(found) >= count else None

        return [parse_address(text) for text in wait_until(listening, lambda: self.stderr)]

    def wait_for_stderr(self, pattern, within=SOON):
        """Waits until standard error has `pattern` (any case), and returns the match."""
        return wait_until(
            lambda: re.search(pattern, self.stderr, re.IGNORECASE),
            lambda: f"/{pattern}/ on standard error, which is {self.stderr!r}",
            within,
        )

    # What it records.

    def records(self, path=None):
        """All whole lines of the audit log, parsed."""
        with open(path or self.stdout_path, "rb") as file:
            lines = file.read().split(b"\n")[:-1]
        return [json.loads(line) for line in lines]

    def requests(self, path=None):
        return [r for r in self.records(path) if field(r, "event.action") == "upload"]

    def parts(self, path=None):
        return [r for r in self.records(path) if field(r, "event.action") == "upload-part"]

    def wait_for_requests(self, count=1, path=None):
        """Waits for `count` request records, and returns them."""
        return wait_until(
            lambda: (found := self.requests(path)) and len(found) >= count and found,
            lambda: f"{count} request records; there are {self.records(path)}",
        )

    def wait_for_request(self, path=None):
        """Waits for the only request record."""
        found = self.wait_for_requests(1, path)
        if len(found) != 1:
            raise AssertionError(f"{len(found)} request records instead of one: {found}")
        return found[0]

    # What it takes.

    @property
    def peak_memory(self):
        return peak_memory(self.process.pid)

    @property
    def descriptors(self):
        """How many files and sockets it has open."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    # How it ends.

    def signal(self, number):
        self.process.send_signal(number)

    def wait_for_exit(self, within=SOON):
        try:
            return self.process.wait(within)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"weir still runs after {within:g} s: {self.stderr}") from None

    def expect_status(self, *statuses):
        """Says which exit statuses are right; without it only 0 is."""
        self._expected_status = statuses

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        try:
            if self.process.poll() is None:
                self.process.terminate()
            status = self.wait_for_exit()
            expected = self._expected_status
            expected = expected if isinstance(expected, tuple) else (expected,)
            if status not in expected:
                raise AssertionError(f"weir ended with {status}: {self.stderr[-2000:]}") from error
        finally:
            self.kill()


def parse_address(text):
    """The address in a URL as sockets want it: a pair, or the path of a Unix socket."""
    if text.startswith("unix:"):
        return text[len("unix:"):]
    match = re.fullmatch(r"http://(?:\[([^\]]+)\]|([^:/]+)):(\d+)/?", text)
    if not match:
        raise AssertionError(f"no address that can be connected to: {text}")
    return (match[1] or match[2], int(match[3]))


def url_of(address, path="/upload"):
    host, port = address
    return f"http://[{host}]:{port}{path}" if ":" in host else f"http://{host}:{port}{path}"


class TestCase(unittest.TestCase):
    """A test with a folder of its own."""

    def folder(self):
        path = tempfile.mkdtemp(prefix="weir-test-")
        self.addCleanup(shutil.rmtree, path, ignore_errors=True)
        return path

    def check(self, record, expected):
        """Checks fields of a record, given by their dotted paths."""
        for path, value in expected.items():
            self.assertEqual(field(record, path), value, f"{path} in {record}")


def stop_child(process):
    """Ends a process that a test started itself."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
