"""Every command of README is run, in the order a reader would run them."""

import os
import re
import shutil
import subprocess

import harness
from harness import ROOT, TestCase, clean_environment, wait_until

# These say that they listen and then run until they are told to stop.
RUNNING = re.compile(r"^(weir (serve|demo|sink)|swift run .* weir demo)\b")

# What `.ci/run` runs in steps of its own.
LEFT_TO_CI = {"swift test"}


def commands():
    """The lines of README's sh blocks, each with the exit status that its comment expects."""
    with open(os.path.join(ROOT, "README.md")) as file:
        blocks = re.findall(r"^```sh\n(.*?)^```", file.read(), re.S | re.M)
    for line in "".join(blocks).splitlines():
        command, _, expected = line.partition("  # exits ")
        yield command, int(expected or 0)


class Readme(TestCase):
    def test_every_command_does_what_it_says(self):
        folder = self.folder()
        # A reader stands in the clone; what a command writes must not stay in it.
        for name in ("README.md", "Config", "Package.swift", "Sources", "Tests"):
            os.symlink(os.path.join(ROOT, name), os.path.join(folder, name))
        os.symlink(os.path.join(ROOT, ".build"), os.path.join(folder, ".build"))
        tools = os.path.join(folder, "bin")
        os.mkdir(tools)
        os.symlink(os.path.abspath(harness.weir_path), os.path.join(tools, "weir"))
        environment = clean_environment({"PATH": tools + os.pathsep + os.environ["PATH"]})
        seen = list(commands())
        self.assertGreater(len(seen), 6)
        outputs = {}
        for command, expected in seen:
            if command in LEFT_TO_CI:
                continue
            if RUNNING.match(command):
                self.start(command, ROOT if command.startswith("swift") else folder, environment)
                continue
            done = subprocess.run(
                ["bash", "-c", command],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                timeout=50,
            )
            self.assertEqual(done.returncode, expected, f"{command}\n{done.stderr.decode()}")
            outputs[command] = done.stdout.decode()
        answers = [outputs[command] for command in outputs if command.startswith("curl")]
        self.assertIn('"filename":"README.md"', answers[0])
        self.assertIn('"filename":"README.md"', answers[1])
        self.assertIn('"code":"final_delimiter.missing"', answers[2])
        self.assertIn('"offset":56', answers[2])

    def start(self, command, cwd, environment):
        """Runs a command that goes on running, until it listens; ends it with the test."""
        path = os.path.join(self.folder(), "stderr")
        with open(path, "wb") as errors:
            process = subprocess.Popen(
                ["bash", "-c", "exec " + command],
                cwd=cwd,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )
        self.addCleanup(process.wait, 20)
        self.addCleanup(process.terminate)

        def is_ready():
            with open(path) as file:
                text = file.read()
            self.assertIsNone(process.poll(), f"{command} ended:\n{text}")
            return "listening on http" in text

        wait_until(is_ready, command, within=50)

    def test_ci_runs_the_test_command(self):
        with open(os.path.join(ROOT, ".ci", "run")) as file:
            self.assertIn("swift test", file.read())
        self.assertTrue(shutil.which("swift"))
