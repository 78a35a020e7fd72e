"""What an operator's signals do: finish, end, read the configuration again, tell."""

import os
import re
import signal
import socket

import client
import forms
import malformed
from harness import SOON, TestCase, Weir, field, run_weir, wait_until
from upstream import Upstream

FORM = forms.photo_form(900_000)


def begin_upload(weir, upstream, body=FORM.body, **more):
    """A client in the middle of its upload, some of which is upstream."""
    peer = client.Client(weir.address)
    peer.send(client.head(len(body), **more), body[:600_000])
    upstream.wait_for_request(len(upstream.requests) + 1 if upstream.requests else 1)
    return peer


def is_refused(address):
    """Whether a new connection is refused, or ended without a word."""
    try:
        with client.Client(address) as peer:
            peer.send(client.get())
            peer.read_response()
    except (ConnectionError, client.Truncated):
        return True
    return False


class Shutdown(TestCase):
    def test_upload_in_flight_is_finished(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number.name), Upstream() as upstream, \
                    Weir.serve(upstream, "--drain", "20s") as weir:
                with begin_upload(weir, upstream) as peer:
                    weir.signal(number)
                    wait_until(lambda: is_refused(weir.address), "new connections are refused")
                    self.assertIsNone(weir.process.poll())
                    peer.send(FORM.body[600_000:])
                    answer = peer.read_response()
                    self.assertEqual(answer.status, 200)
                    self.assertEqual(answer.json["sha256"], forms.Part("", FORM.body).sha256)
                    self.assertEqual(answer.field("Connection"), "close")
                self.assertEqual(weir.wait_for_exit(), 0)
                # The connections that came too late may have left records as well.
                record = next(
                    r for r in weir.wait_for_requests() if field(r, "url.path") == "/upload")
                self.check(record, {
                    "upload.verdict": "allowed", "http.response.status_code": 200})

    def test_idle_proxy_ends_at_once(self):
        with Upstream() as upstream, Weir.serve(upstream, "--drain", "20s") as weir, \
                client.Client(weir.address) as peer:
            peer.send(client.upload(FORM.body))
            self.assertEqual(peer.read_response().status, 200)
            weir.signal(signal.SIGTERM)
            # A connection between two requests is no reason to wait.
            self.assertEqual(peer.wait_for_end(), "fin")
            self.assertEqual(weir.wait_for_exit(3), 0)

    def test_signal_right_after_the_start(self):
        """Once the address is said, a signal does what it should: neither lost nor deadly."""
        with Upstream() as upstream:
            for number in range(15):
                with Weir.serve(upstream) as weir:
                    weir.signal(signal.SIGHUP if number % 3 == 0 else signal.SIGTERM)
                    if number % 3 == 0:
                        weir.wait_for_stderr("configuration")
                    else:
                        self.assertEqual(weir.wait_for_exit(), 0)

    def test_killed_proxy_never_seems_to_have_finished(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            weir.expect_status(-signal.SIGKILL)
            with begin_upload(weir, upstream):
                weir.signal(signal.SIGKILL)
                self.assertEqual(upstream.wait_for_end(), "reset")

    def test_second_signal_ends_at_once(self):
        with Upstream() as upstream, Weir.serve(upstream, "--drain", "50s") as weir:
            weir.expect_status(*range(-64, 256))
            with begin_upload(weir, upstream):
                weir.signal(signal.SIGTERM)
                wait_until(lambda: is_refused(weir.address), "new connections are refused")
                self.assertIsNone(weir.process.poll())
                weir.signal(signal.SIGTERM)
                weir.wait_for_exit(3)
            self.assertNotIn(weir.process.returncode, (-signal.SIGILL, -signal.SIGTRAP, 70))
            # Half an upload must not end in good order, whatever ends it.
            self.assertEqual(upstream.wait_for_end(), "reset")
            self.assertFalse(upstream.requests[0].is_complete)

    def test_patience_ends(self):
        """After `drain` what is still in flight is cut, and recorded as cut."""
        with Upstream() as upstream, Weir.serve(upstream, "--drain", "300ms") as weir:
            with begin_upload(weir, upstream):
                weir.signal(signal.SIGTERM)
                self.assertEqual(weir.wait_for_exit(5), 0)
            self.assertEqual(upstream.wait_for_end(), "reset")
            self.check(weir.wait_for_request(), {
                "upload.verdict": "aborted", "upload.termination": "KD",
                "upload.blame": "proxy"})

    def test_unix_socket_is_removed(self):
        path = os.path.join(self.folder(), "weir.sock")
        with Upstream() as upstream, Weir.serve(upstream, listen=f"unix:{path}") as weir:
            self.assertTrue(os.path.exists(path))
            weir.signal(signal.SIGTERM)
            self.assertEqual(weir.wait_for_exit(), 0)
            self.assertFalse(os.path.exists(path))


class Reload(TestCase):
    def test_audit_log_is_opened_again(self):
        path = os.path.join(self.folder(), "audit.jsonl")
        with Upstream() as upstream, \
                Weir.serve(upstream, "--audit-log", path) as weir:
            self.assertEqual(client.post(weir.address, b"1", content_type=None).status, 200)
            weir.wait_for_requests(1, path)
            self.assertEqual(weir.stdout, "")
            os.rename(path, path + ".1")
            weir.signal(signal.SIGHUP)
            wait_until(lambda: os.path.exists(path), "a new audit log")
            self.assertEqual(client.post(weir.address, b"2", content_type=None).status, 200)
            weir.wait_for_requests(1, path)
            self.assertEqual(len(weir.requests(path)), 1)
            self.assertEqual(len(weir.requests(path + ".1")), 1)

    def test_good_configuration_is_taken(self):
        bad = malformed.CASES[4].body(False)
        with Upstream() as upstream, Weir.serve(upstream, config={"mode": "enforce"}) as weir:
            self.assertEqual(client.post(weir.address, bad).status, 400)
            weir.write_config({"mode": "observe"})
            weir.signal(signal.SIGHUP)
            wait_until(
                lambda: client.post(weir.address, bad).status == 200, "the new mode")
            wait_until(
                lambda: "observe" in {field(r, "upload.mode") for r in weir.requests()},
                "its record")

    def test_upload_in_flight_keeps_its_configuration(self):
        config = {"limits": {"bodyBytes": 2_000_000}}
        with Upstream() as upstream, Weir.serve(upstream, config=config) as weir, \
                begin_upload(weir, upstream) as peer:
            weir.write_config({"limits": {"bodyBytes": 1000}})
            weir.signal(signal.SIGHUP)
            wait_until(
                lambda: client.post(weir.address, b"x" * 2000, content_type=None).status == 413,
                "the new limit")
            peer.send(FORM.body[600_000:])
            self.assertEqual(peer.read_response().status, 200)

    def test_bad_configuration_is_refused(self):
        bad = malformed.CASES[4].body(False)
        rows = ["{mode: 'obsreve'}", "{mode: 'off', moed: 1}", "{mode: ", ""]
        with Upstream() as upstream, Weir.serve(upstream, config={"mode": "enforce"}) as weir:
            for config in rows:
                with self.subTest(config):
                    said = len(weir.stderr)
                    weir.write_config(config)
                    weir.signal(signal.SIGHUP)
                    wait_until(lambda: len(weir.stderr) > said, "a word about it")
                    self.assertIn(weir.config_path, weir.stderr[said:])
                    self.assertEqual(client.post(weir.address, bad).status, 400)


    def test_pipes_are_not_read_again(self):
        """Whoever should write one would be waited for, and no signal heard meanwhile."""
        for key in ("config", "hashes"):
            pipe = os.path.join(self.folder(), "pipe")
            config = {"hashes": {"deny": [pipe]}} if key == "hashes" else {}
            with open(pipe, "w") as file:
                file.write("{}" if key == "config" else "")
            options = ("--config", pipe) if key == "config" else ()
            with self.subTest(key), Upstream() as upstream, \
                    Weir.serve(upstream, *options, config=config or None) as weir:
                os.unlink(pipe)
                os.mkfifo(pipe)
                weir.signal(signal.SIGHUP)
                weir.wait_for_stderr(f"{re.escape(pipe)} again: it is no regular file")
                weir.wait_for_stderr("the one before stays in force")
                weir.signal(signal.SIGUSR1)
                weir.wait_for_stderr("0 uploads in flight")

    def test_configuration_may_come_through_a_pipe(self):
        done = run_weir("check", "--config", "/dev/stdin", stdin=b"{mode: 'observe'}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"observe", done.stdout)


class Status(TestCase):
    def test_uploads_in_flight_are_told(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            with begin_upload(weir, upstream, target="/slow-one") as peer:
                weir.signal(signal.SIGUSR1)
                line = weir.wait_for_stderr(r".*/slow-one.*")[0]
                self.assertIn("127.0.0.1", line)
                self.assertIn(str(len(FORM.body)), line)
                peer.send(FORM.body[600_000:])
                self.assertEqual(peer.read_response().status, 200)
            said = len(weir.stderr)
            weir.signal(signal.SIGUSR1)
            wait_until(lambda: len(weir.stderr) > said, "an answer where nothing is in flight")
            self.assertNotIn("/slow-one", weir.stderr[said:])

    def test_broken_pipes_are_no_signal(self):
        """A client that is gone when its answer is written."""
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            for _ in range(5):
                with client.Client(weir.address) as peer:
                    peer.send(client.upload(FORM.body))
                    peer.socket.shutdown(socket.SHUT_RD)
                    peer.reset()
            wait_until(lambda: len(weir.requests()) == 5, "five records", SOON)
            self.assertEqual(client.post(weir.address, FORM.body).status, 200)
