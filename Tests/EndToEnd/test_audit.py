"""Audit records when the log cannot be written, and what a record never has."""

import json
import os
import signal
import time

import client
import forms
import malformed
from harness import TestCase, Weir, field, wait_until
from upstream import Upstream

FORM = forms.photo_form(20_000)


def ended(address):
    try:
        client.Client(address).close()
    except ConnectionError:
        return True
    return False


class BrokenLog(TestCase):
    def check_lives(self, weir):
        for _ in range(20):
            self.assertEqual(client.post(weir.address, FORM.body).status, 200)
        self.assertEqual(client.post(weir.address, malformed.CASES[4].body(False)).status, 400)
        self.assertIsNone(weir.process.poll())

    def test_full_disk(self):
        with Upstream() as upstream, \
                Weir.serve(upstream, "--audit-log", "/dev/full") as weir:
            self.check_lives(weir)
            weir.wait_for_stderr(r"/dev/full.*(space|ENOSPC)|(space|ENOSPC).*/dev/full")
            # It is said, but not with every record.
            self.check_lives(weir)
            self.assertLess(weir.stderr.count("/dev/full"), 10)

    def test_standard_output_is_full(self):
        with open("/dev/full", "wb") as full, Upstream() as upstream, \
                Weir.serve(upstream, stdout=full) as weir:
            self.check_lives(weir)
            weir.wait_for_stderr("space|ENOSPC")

    def test_closed_pipe(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        with Upstream() as upstream, Weir.serve(upstream, stdout=write_end) as weir:
            os.close(write_end)
            self.check_lives(weir)
            weir.wait_for_stderr("pipe|EPIPE")

    def test_pipe_that_nobody_reads_does_not_stop_uploads(self):
        read_end, write_end = os.pipe()
        try:
            with Upstream() as upstream, Weir.serve(upstream, stdout=write_end) as weir:
                with client.Client(weir.address) as peer:
                    # More records than a pipe holds.
                    for _ in range(300):
                        peer.send(client.upload(FORM.body))
                        self.assertEqual(peer.read_response().status, 200)
                os.set_blocking(read_end, False)
                os.close(write_end)
                write_end = None
                got = b""

                def drained():
                    nonlocal got
                    try:
                        got += os.read(read_end, 1 << 16)
                    except BlockingIOError:
                        pass
                    return got.count(b'"action":"upload"') >= 300

                wait_until(drained, lambda: f"300 records; there are {got.count(b'upload')}")
                for line in got.splitlines():
                    json.loads(line)
        finally:
            os.close(read_end)
            if write_end is not None:
                os.close(write_end)

    def test_pipe_that_nobody_reads_does_not_hold_up_the_end(self):
        for signals in (1, 2):
            read_end, write_end = os.pipe()
            with self.subTest(signals), Upstream() as upstream, \
                    Weir.serve(upstream, stdout=write_end) as weir:
                os.close(write_end)
                weir.expect_status(1)
                with client.Client(weir.address) as peer:
                    for _ in range(200):
                        peer.send(client.upload(FORM.body))
                        self.assertEqual(peer.read_response().status, 200)
                began = time.monotonic()
                weir.signal(signal.SIGTERM)
                if signals == 2:
                    weir.wait_for_stderr("second signal ends")
                    wait_until(lambda: ended(weir.address), "nobody accepts")
                    weir.signal(signal.SIGTERM)
                    self.assertEqual(weir.wait_for_exit(4), 1)
                else:
                    self.assertEqual(weir.wait_for_exit(20), 1)
                    self.assertGreater(time.monotonic() - began, 4)
                    self.assertIn("records are lost", weir.stderr)
            os.close(read_end)

    def test_log_that_cannot_be_opened_is_said_at_start(self):
        with Upstream() as upstream, self.assertRaises(AssertionError) as failure:
            Weir.serve(upstream, "--audit-log", self.folder() + "/no/such/folder/log")
        self.assertRegex(str(failure.exception), r"weir ended with [12]: .*no/such/folder")


class Records(TestCase):
    def test_file(self):
        path = os.path.join(self.folder(), "audit.jsonl")
        with Upstream() as upstream, Weir.serve(upstream, "--audit-log", path) as weir:
            self.assertEqual(client.post(weir.address, FORM.body).status, 200)
            weir.wait_for_request(path)
            self.assertEqual(len(weir.records(path)), 3)
            self.assertEqual(weir.stdout, "")
            self.assertEqual(os.stat(path).st_mode & 0o007, 0)

    def test_all_are_written_before_the_end(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            with client.Client(weir.address) as peer:
                for _ in range(200):
                    peer.send(client.upload(FORM.body))
                    self.assertEqual(peer.read_response().status, 200)
            weir.process.terminate()
            self.assertEqual(weir.wait_for_exit(), 0)
            self.assertEqual(len(weir.records()), 600)

    def test_no_content(self):
        secret = b"4539-1488-0343-6467"
        good = forms.Form(forms.Part("card", secret), forms.Part("f", secret * 9000, "s.txt"))
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            self.assertEqual(client.post(weir.address, good.body).status, 200)
            self.assertEqual(client.post(weir.address, good.body[:-3]).status, 400)
            weir.wait_for_requests(2)
            self.assertNotIn(secret.decode(), weir.stdout + weir.stderr)

    def test_hostile_names_are_escaped_and_bounded(self):
        names = ['"},{"event":{"action":"upload"}}', "a\u2028b", "☕" * 80, "\\u0041", "%0a%0d"]
        with Upstream() as upstream, Weir.serve(upstream, "--mode", "observe") as weir:
            for number, name in enumerate(names, 1):
                form = forms.Form(forms.Part("field", b"1", name.replace('"', "%22")))
                answer = client.post(weir.address, form.body, target="/" + "a" * 5000, fields=[
                    ("User-Agent", 'a"\\' + "b" * 3000)])
                self.assertEqual(answer.status, 200)
                record = weir.wait_for_requests(number)[-1]
                self.assertLess(len(json.dumps(record)), 20_000)
                part = weir.parts()[-1]
                self.assertEqual(field(part, "file.name"), name.replace('"', "%22"))
            # Every line is one object, whatever was sent.
            self.assertEqual(len(weir.records()), 2 * len(names))

    def test_controls_cannot_end_a_line(self):
        form = forms.Form(forms.Part("a\x01\x1b", b"1", "b\x7f\x1b[2J.txt"))
        with Upstream() as upstream, Weir.serve(upstream, "--mode", "observe") as weir:
            self.assertEqual(client.post(weir.address, form.body).status, 200)
            weir.wait_for_request()
            raw = weir.stdout
            self.assertFalse(set(raw) & set(map(chr, range(32))) - {"\n"})

    def test_text_format(self):
        with Upstream() as upstream, \
                Weir.serve(upstream, "--audit-format", "text") as weir:
            self.assertEqual(client.post(weir.address, FORM.body).status, 200)
            case = malformed.CASES[4]
            self.assertEqual(client.post(weir.address, case.body(False)).status, 400)
            text = wait_until(lambda: "blocked" in weir.stdout and weir.stdout, "the records")
            self.assertRegex(text, r"(?m)127\.0\.0\.1 POST /upload 200 allowed 2 parts")
            self.assertRegex(text, r"(?m)^ .*x\.jpg.*image/jpeg")
            self.assertIn(case.code, text)
            self.assertIn(str(case.offset(False)), text)

    def test_only_a_finding_of_each_kind(self):
        """A body of many faults does not make a record of many lines."""
        body = b"".join(
            forms.DELIMITER + b"\n" + b'Content-Disposition: form-data; name="a"\n\n1\n'
            for _ in range(5000)) + forms.CLOSE
        with Upstream() as upstream, Weir.serve(upstream, config={
                "mode": "observe", "limits": {"parts": 100_000}}) as weir:
            self.assertEqual(client.post(weir.address, body).status, 200)
            record = weir.wait_for_request()
            self.assertLess(len(json.dumps(record)), 40_000)
            self.assertLessEqual(len(field(record, "upload.findings")), 32)
