"""Digests that a request states, and files that are known by their hash."""

import base64
import hashlib
import os
import signal

import client
import forms
from harness import TestCase, Weir, field, run_weir, wait_until
from upstream import Upstream

CONTENT = forms.noise(300_000)


def stated(algorithm, content):
    return base64.b64encode(hashlib.new(algorithm, content).digest()).decode()


class StatedDigests(TestCase):
    def exchange(self, weir, fields, content=CONTENT, **more):
        with client.Client(weir.address) as peer:
            peer.send(client.upload(content, content_type="application/octet-stream",
                                    fields=fields, **more))
            return peer.read_response()

    def test_kept_and_broken_promises(self):
        good = [
            ("Content-Digest", f"sha-256=:{stated('sha256', CONTENT)}:"),
            ("Repr-Digest", f"sha-512=:{stated('sha512', CONTENT)}:"),
            ("Content-MD5", stated("md5", CONTENT)),
            ("x-amz-checksum-sha1", stated("sha1", CONTENT)),
        ]
        bad = [
            ("Content-Digest", f"sha-256=:{stated('sha256', b'other')}:"),
            ("Content-MD5", stated("md5", b"other")),
            ("X-Amz-Checksum-Crc32c", "AAAAAA=="),
        ]
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            for chunked in (False, True):
                for name_value in good:
                    with self.subTest(name_value[0], chunked=chunked):
                        answer = self.exchange(weir, [name_value], chunked=chunked)
                        self.assertEqual(answer.status, 200)
            complete = len(upstream.complete_requests)
            for chunked in (False, True):
                for name_value in bad:
                    with self.subTest(name_value[0], chunked=chunked):
                        answer = self.exchange(weir, [name_value], chunked=chunked)
                        self.assertEqual(answer.status, 422)
                        self.assertEqual(answer.json["code"], "digest.mismatch")
            self.assertEqual(len(upstream.complete_requests), complete)

    def test_trailer(self):
        for content, status in ((CONTENT, 200), (b"other", 422)):
            with Upstream() as upstream, Weir.serve(upstream) as weir, \
                    client.Client(weir.address) as peer:
                peer.send(client.head(chunked=True, content_type="application/octet-stream",
                                      fields=[("Trailer", "Content-Digest")]))
                digest = f"sha-256=:{stated('sha256', content)}:"
                peer.send(b"%x\r\n%s\r\n0\r\nContent-Digest: %s\r\n\r\n"
                          % (len(CONTENT), CONTENT, digest.encode()))
                self.assertEqual(peer.read_response().status, status)
                self.assertEqual(len(upstream.complete_requests), 1 if status == 200 else 0)

    def test_the_doctor_agrees(self):
        request = client.upload(
            CONTENT, content_type="application/octet-stream",
            fields=[("Content-MD5", stated("md5", b"other"))])
        path = os.path.join(self.folder(), "request")
        with open(path, "wb") as file:
            file.write(request)
        done = run_weir("inspect", "--json", path)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b'"digest.mismatch"', done.stdout)


class KnownFiles(TestCase):
    def test_lists_are_read_again(self):
        path = os.path.join(self.folder(), "deny")
        form = forms.photo_form(900_000)
        photo = form.parts[-1]
        with open(path, "w") as file:
            file.write("# nothing yet\n")
        with Upstream() as upstream, Weir.serve(upstream, "--hashes-deny", path) as weir:
            self.assertEqual(client.post(weir.address, form.body).status, 200)
            with open(path, "w") as file:
                file.write(f"{photo.sha256}  x.jpg\n")
            weir.signal(signal.SIGHUP)
            weir.wait_for_stderr("configuration read again")
            wait_until(lambda: client.post(weir.address, form.body).status == 422, "the new list")
            answer = client.post(weir.address, form.body)
            self.assertEqual(answer.json["code"], "hash.denied")
            self.assertEqual(upstream.wait_for_end(), "reset")
            with open(path, "w") as file:
                file.write("not a hash\n")
            weir.signal(signal.SIGHUP)
            weir.wait_for_stderr("line 1")
            self.assertEqual(client.post(weir.address, form.body).status, 422)

    def test_other_digests_are_recorded(self):
        with Upstream() as upstream, \
                Weir.serve(upstream, "--digests", "sha256", "--digests", "md5") as weir:
            self.assertEqual(
                client.post(weir.address, CONTENT, content_type="text/plain").status, 200)
            weir.wait_for_request()
            record = weir.parts()[0]
            self.assertEqual(field(record, "file.hash.md5"), hashlib.md5(CONTENT).hexdigest())
            self.assertEqual(field(record, "file.hash.sha256"), hashlib.sha256(CONTENT).hexdigest())
