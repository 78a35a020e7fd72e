"""The command line: what it says, and the status it ends with."""

import json
import os
import re
import signal
import socket
import subprocess

import client
import forms
import harness
import malformed
from harness import ROOT, SOON, TestCase, Weir, clean_environment, field, run_weir, wait_until
from upstream import Upstream, free_port

COMMANDS = ("serve", "demo", "sink", "check", "inspect")
EXAMPLE = os.path.join(ROOT, "Config", "weir.json5")


def accepts(address):
    try:
        client.Client(address).close()
        return True
    except ConnectionRefusedError:
        return False


class Usage(TestCase):
    def check_usage(self, done, *words, status=2):
        """It ended with that status and plain sentences on standard error."""
        text = done.stderr.decode()
        self.assertEqual(done.returncode, status, text)
        self.assertEqual(done.stdout, b"")
        for word in words:
            self.assertIn(word, text)
        self.assertNotRegex(text, r"Fatal error|Error\(|Optional\(|\.swift|Stack dump|\w+Problem\b")
        self.assertLess(len(text.splitlines()), 30)

    def write(self, text, name="weir.json5"):
        path = os.path.join(self.folder(), name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def test_mistakes_on_the_command_line(self):
        url = "http://127.0.0.1:9"
        rows = [
            (("sevre",), ["sevre", "serve"]),
            (("serve", "--upstream", url, "--modee", "off"), ["--modee", "--mode"]),
            (("serve", "--upstream"), ["--upstream"]),
            (("serve",), ["--upstream"]),
            (("serve", "--upstream", url, "--mode", "onn"), ["mode", "onn", "observe"]),
            (("serve", "--upstream", url, "--listen", "nowhere"), ["listen", "nowhere"]),
            (("serve", "--upstream", url, "--listen", "127.0.0.1:70000"), ["listen", "70000"]),
            (("serve", "--upstream", "ftp://a/"), ["upstream", "ftp"]),
            (("serve", "--upstream", url, "--hold", "64KB!"), ["hold", "64KB!"]),
            (("serve", "--upstream", url, "--hold", "99999999999999999999"), ["hold"]),
            (("serve", "--upstream", url, "--timeouts-head", "5 parsecs"), ["head", "parsecs"]),
            (("serve", "--upstream", url, "--timeouts-head", "9223372036854775807h"), ["head"]),
            (("serve", "--upstream", url, "extra"), ["extra"]),
            (("inspect", "/no/such/file"), ["/no/such/file"]),
            (("inspect",), []),
            (("check", "--config", "/no/such/file"), ["/no/such/file"]),
        ]
        for arguments, words in rows:
            with self.subTest(arguments):
                self.check_usage(run_weir(*arguments), *words)

    def test_mistakes_in_variables(self):
        rows = [
            ({"WEIR_MODE": "onn"}, ["WEIR_MODE", "onn"]),
            ({"WEIR_TIMEOUTS_BODY_IDLE": "soon"}, ["WEIR_TIMEOUTS_BODY_IDLE", "soon"]),
            ({"WEIR_MODEE": "off"}, ["WEIR_MODEE", "WEIR_MODE"]),
        ]
        for variables, words in rows:
            with self.subTest(variables):
                done = run_weir("serve", "--upstream", "http://127.0.0.1:9", env=variables)
                self.check_usage(done, *words)

    def test_mistakes_in_a_file(self):
        rows = [
            ("{moed: 'off'}", ["moed", "mode"]),
            ("{limits: {prats: 5}}", ["prats", "parts"]),
            ("{limits: {parts: 'many'}}", ["parts", "many"]),
            ("{limits: 5}", ["limits"]),
            ("{mode: 'off'", []),
            ("[]", []),
            ("{timeouts: {head: -1}}", ["head"]),
        ]
        for text, words in rows:
            with self.subTest(text):
                path = self.write(text)
                self.check_usage(run_weir("check", "--config", path), path, *words)

    def test_all_mistakes_are_told_at_once(self):
        path = self.write("{mode: 'onn', hold: 'much', limits: {prats: 5}}")
        self.check_usage(
            run_weir("check", "--config", path), "onn", "much", "prats")

    def test_command_line_over_variable_over_file_over_default(self):
        path = self.write("{hold: '1KiB', connections: 7, limits: {parts: 3}}")
        done = run_weir(
            "check", "--config", path, "--hold", "3KiB",
            env={"WEIR_HOLD": "2KiB", "WEIR_CONNECTIONS": "8"})
        self.assertEqual(done.returncode, 0, done.stderr)
        text = done.stdout.decode()
        self.assertRegex(text, r'hold"?: *("3KiB"|3072)')
        self.assertRegex(text, r'connections"?: *8\b')
        self.assertRegex(text, r'parts"?: *3\b')
        self.assertRegex(text, r'profile"?: *"balanced"')

    def test_check_prints_what_it_can_read(self):
        done = run_weir("check", "--config", EXAMPLE)
        self.assertEqual(done.returncode, 0, done.stderr)
        again = run_weir("check", "--config", self.write(done.stdout.decode()))
        self.assertEqual(again.stdout, done.stdout)

    def test_example_says_the_defaults(self):
        def settings(done):
            self.assertEqual(done.returncode, 0, done.stderr)
            text = done.stdout.decode()
            return set(re.findall(r'"?(\w+)"?: *([^{\s,]+)', text))

        example = settings(run_weir("check", "--config", EXAMPLE))
        defaults = settings(run_weir("check", "--config", self.write("{}")))
        self.assertGreater(len(defaults), 25)
        self.assertEqual({e for e in example if e[0] not in ("listen", "upstream")},
                         {d for d in defaults if d[0] not in ("listen", "upstream")})

    def test_example_serves(self):
        with Upstream() as upstream:
            with open(EXAMPLE) as file:
                config = file.read()
            with Weir.serve(upstream, config=config) as weir:
                self.assertEqual(client.post(weir.address, forms.photo_form().body).status, 200)

    def test_help(self):
        done = run_weir("--help")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertIn("WEIR_TIMEOUTS_BODY_IDLE", done.stdout.decode())
        for command in COMMANDS:
            self.assertIn(command, done.stdout.decode())
            helped = run_weir(command, "--help")
            self.assertEqual((helped.returncode, helped.stderr), (0, b""), command)
            self.assertIn(f"weir {command}", helped.stdout.decode())
        text = run_weir("serve", "--help").stdout.decode()
        for option in ("--listen", "--upstream", "--mode", "--profile", "--audit-log", "--hold",
                       "--limits-body-bytes", "--timeouts-body-idle", "--config"):
            self.assertIn(option, text)

    def test_output_that_cannot_be_written(self):
        """Whoever asked must not take what there is for all of it."""
        body = self.write("--b\r\n", "body")
        config = self.write("{mode: 'observe'}")
        self.assertEqual(run_weir("check", "--config", config).returncode, 0)
        rows = [("--help",), ("serve", "--help"), ("--version",), ("check", "--config", config),
                ("inspect", body), ("inspect", "--json", body)]
        for arguments in rows:
            for way in ("full", "closed"):
                with self.subTest(arguments, way=way), open("/dev/full", "wb") as full:
                    done = subprocess.run(
                        [harness.weir_path, *arguments], stdin=subprocess.DEVNULL,
                        stdout=full, stderr=subprocess.PIPE, env=clean_environment(),
                        preexec_fn=(lambda: os.close(1)) if way == "closed" else None)
                    self.assertEqual(done.returncode, 1)
                    self.assertIn(b"cannot write to standard output: ", done.stderr)

    def test_closed_descriptors_are_nobody_elses(self):
        """What is said goes nowhere then, and not into a file or socket with that number."""
        for closed in ((0,), (1,), (2,), (1, 2), (0, 1, 2)):
            path = os.path.join(self.folder(), "audit.jsonl")
            listen = "127.0.0.1:%d" % free_port()
            with self.subTest(closed), Upstream() as upstream:
                process = subprocess.Popen(
                    [harness.weir_path, "serve", "--listen", listen, "--audit-log", path,
                     "--upstream", upstream.url],
                    env=clean_environment(), stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                    preexec_fn=lambda: [os.close(number) for number in closed])
                try:
                    address = ("127.0.0.1", int(listen.rpartition(":")[2]))
                    wait_until(lambda: accepts(address), "it accepts")
                    for number in closed:
                        self.assertEqual(
                            os.readlink(f"/proc/{process.pid}/fd/{number}"), "/dev/null")
                    self.assertEqual(client.post(address, forms.photo_form().body).status, 200)
                    process.send_signal(signal.SIGHUP)
                    process.send_signal(signal.SIGUSR1)
                    self.assertEqual(client.post(address, forms.photo_form().body).status, 200)
                    process.send_signal(signal.SIGTERM)
                    self.assertEqual(process.wait(SOON), 0)
                finally:
                    process.kill()
                    process.wait()
                with open(path) as file:
                    records = [json.loads(line) for line in file]
                self.assertEqual(
                    [field(r, "event.action") for r in records].count("upload"), 2)

    def test_version(self):
        done = run_weir("--version")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout.decode(), r"^(weir )?\d+\.\d+\.\d+\n$")

    def test_without_a_command(self):
        done = run_weir()
        self.assertEqual(done.returncode, 2)
        self.assertIn("serve", done.stderr.decode())

    def test_port_that_is_taken(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            address = "127.0.0.1:%d" % taken.getsockname()[1]
            done = run_weir("serve", "--listen", address, "--upstream", "http://127.0.0.1:9")
            self.check_usage(done, address, status=1)

    def test_variables_configure_a_server(self):
        with Upstream() as upstream, Weir(
                "serve", env={"WEIR_LISTEN": "127.0.0.1:0", "WEIR_UPSTREAM": upstream.url,
                              "WEIR_MODE": "observe"})._ready(1) as weir:
            body = malformed.CASES[4].body(False)
            self.assertEqual(client.post(weir.address, body).status, 200)
            self.assertEqual(field(weir.wait_for_request(), "upload.mode"), "observe")

    def test_inspect_takes_the_same_configuration(self):
        form = forms.Form(*[forms.Part(str(number), b"x") for number in range(5)])
        path = self.write(form.body.decode(), "body")
        options = ("--json", "--content-type", form.content_type)
        self.assertEqual(run_weir("inspect", *options, path).returncode, 0)
        config = self.write("{limits: {parts: 3}}")
        done = run_weir("inspect", *options, "--config", config, path)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(json.loads(done.stdout)["findings"][0]["code"], "limit.parts")

    def test_odd_arguments_are_no_trap(self):
        for odd in (b"\xff\xfe", b"\xc3\x28; boundary=\xff"):
            done = run_weir("inspect", "--json", "--content-type", os.fsdecode(odd), "-")
            self.assertIn(done.returncode, (0, 1, 2), done.stderr)
