"""Where Weir listens and where it sends: ports, IPv6, Unix sockets."""

import os
import re
import socket
import subprocess
import unittest

import client
import forms
from harness import TestCase, Weir, clean_environment, field, wait_until
from upstream import Upstream

FORM = forms.photo_form(200_000)


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
        return True
    except OSError:
        return False


class Addresses(TestCase):
    def check_upload(self, weir, upstream):
        for chunked in (False, True):
            answer = client.post(weir.address, FORM.body, chunked)
            self.assertEqual(answer.status, 200)
            self.assertEqual(answer.json["sha256"], forms.Part("", FORM.body).sha256)
        self.assertEqual(len(upstream.complete_requests), 2)
        return weir.wait_for_requests(2)[0]

    def test_unix_sockets_on_both_sides(self):
        folder = self.folder()
        path = os.path.join(folder, "weir.sock")
        with Upstream(listen=os.path.join(folder, "upstream.sock")) as upstream, \
                Weir.serve(upstream, listen=f"unix:{path}") as weir:
            self.assertEqual(weir.address, path)
            record = self.check_upload(weir, upstream)
            self.assertEqual(field(record, "upload.verdict"), "allowed")
            self.assertIsNone(field(record, "source.ip"))
            done = subprocess.run(
                ["curl", "-sS", "--unix-socket", path, "-F", "a=b", "http://weir/upload"],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=clean_environment())
            self.assertEqual(done.returncode, 0)
            self.assertIn(b'name="a"', upstream.complete_requests[-1].body)

    def test_refused_upload_never_looks_whole_over_a_unix_socket(self):
        """Its end always looks orderly there, so no length is promised that could be missed."""
        good = forms.photo_form(300_000)
        refused = good.body[:-9] + b"\r\nzz"
        for mode in ("enforce", "observe", "off"):
            path = os.path.join(self.folder(), "upstream.sock")
            with self.subTest(mode), Upstream(listen=path) as upstream, \
                    Weir.serve(upstream, "--mode", mode) as weir:
                for version in ("1.1", "1.0"):
                    answer = client.post(weir.address, good.body, version=version)
                    self.assertEqual(answer.json["sha256"], forms.Part("", good.body).sha256)
                    request = upstream.requests[-1]
                    framing = (request.field("Transfer-Encoding"), request.field("Content-Length"))
                    self.assertEqual(
                        framing, (None, str(len(good.body))) if mode == "off" else ("chunked", None))
                if mode != "enforce":
                    continue
                self.assertEqual(client.post(weir.address, refused).status, 400)
                request = upstream.wait_for_request(3)
                wait_until(lambda: request.connection.end, "the end upstream")
                self.assertFalse(request.is_complete)
                self.assertFalse(bytes(request.connection.raw).endswith(b"0\r\n\r\n"))

    def test_stale_unix_socket_is_replaced_and_a_live_one_is_not(self):
        path = os.path.join(self.folder(), "weir.sock")
        stale = socket.socket(socket.AF_UNIX)
        stale.bind(path)
        stale.close()
        with Upstream() as upstream, Weir.serve(upstream, listen=f"unix:{path}") as weir:
            self.check_upload(weir, upstream)
            with self.assertRaises(AssertionError):
                Weir.serve(upstream, listen=f"unix:{path}")
            self.assertEqual(client.post(path, FORM.body).status, 200)

    @unittest.skipUnless(has_ipv6(), "this machine has no IPv6")
    def test_ipv6_on_both_sides(self):
        with Upstream(listen=("::1", 0)) as upstream, \
                Weir.serve(upstream, listen="[::1]:0") as weir:
            self.assertEqual(weir.address[0], "::1")
            record = self.check_upload(weir, upstream)
            self.check(record, {"source.ip": "::1", "client.ip": "::1"})
            self.assertEqual(upstream.requests[0].field("X-Forwarded-For"), "::1")

    def test_several_listeners(self):
        path = os.path.join(self.folder(), "weir.sock")
        with Upstream() as upstream, \
                Weir.serve(upstream, listen=["127.0.0.1:0", f"unix:{path}"]) as weir:
            self.assertEqual(len(weir.addresses), 2)
            for address in weir.addresses:
                self.assertEqual(client.post(address, FORM.body).status, 200)

    def test_names_are_resolved(self):
        with Upstream() as upstream:
            with Weir.serve(f"http://localhost:{upstream.address[1]}") as weir:
                self.check_upload(weir, upstream)

    def test_port_is_said_as_it_is(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            lines = re.findall(r"(?m)^.*listening on.*$", weir.stderr)
            host, port = weir.address
            self.assertEqual(len(lines), 1)
            self.assertTrue(lines[0].endswith(f"listening on http://{host}:{port}"), lines)
            self.assertGreater(port, 0)
