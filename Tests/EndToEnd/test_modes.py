"""Modes: `observe` changes nothing and tells all, `off` does not look."""

import client
import forms
import malformed
from harness import TestCase, Weir, field, wait_until
from upstream import Upstream

FORM = forms.photo_form(20_000)


class Observe(TestCase):
    def test_refused_uploads_pass_unchanged(self):
        for case in malformed.CASES:
            for with_lead in (False, True):
                for chunked in (False, True):
                    with self.subTest(case.name, with_lead=with_lead, chunked=chunked), \
                            Upstream() as upstream, Weir.serve(
                                upstream, "--mode", "observe", "--profile", case.profile) as weir:
                        body = case.body(with_lead)
                        answer = client.post(weir.address, body, chunked)
                        self.assertEqual(answer.status, 200)
                        self.assertIsNone(answer.field("Proxy-Status"))
                        self.assertTrue(upstream.wait_for_complete().body == body)
                        record = weir.wait_for_request()
                        self.check(record, {
                            "event.kind": "alert",
                            "event.type": ["access", "allowed"],
                            "event.code": case.code,
                            "http.response.status_code": 200,
                            "upload.mode": "observe",
                            "upload.verdict": "observed",
                            "upload.would_block.code": case.code,
                            "upload.would_block.offset": case.offset(with_lead),
                            "upload.received_bytes": len(body),
                            "upload.forwarded_bytes": len(body),
                            "upload.termination": "--",
                            "upload.blame": "none",
                        })

    def test_good_upload_is_allowed(self):
        with Upstream() as upstream, Weir.serve(upstream, "--mode", "observe") as weir:
            self.assertEqual(client.post(weir.address, FORM.body).status, 200)
            self.assertTrue(upstream.wait_for_complete().body == FORM.body)
            self.check(weir.wait_for_request(), {
                "upload.verdict": "allowed", "upload.would_block": None, "event.kind": "event"})
            self.assertEqual(
                [field(part, "file.hash.sha256") for part in weir.parts()],
                [part.sha256 for part in FORM.parts])

    def test_bad_content_types_pass(self):
        for content_type in ("multipart/form-data", "multipart/form-data; boundary=a; boundary=b"):
            with self.subTest(content_type), Upstream() as upstream, \
                    Weir.serve(upstream, "--mode", "observe") as weir:
                answer = client.post(weir.address, FORM.body, content_type=content_type)
                self.assertEqual(answer.status, 200)
                self.assertTrue(upstream.wait_for_complete().body == FORM.body)
                self.check(weir.wait_for_request(), {"upload.verdict": "observed"})

    def test_nothing_is_withheld(self):
        """Not one byte waits for a verdict."""
        with Upstream() as upstream, Weir.serve(upstream, "--mode", "observe") as weir, \
                client.Client(weir.address) as peer:
            peer.send(client.head(len(FORM.body)), FORM.body[:100])
            request = upstream.wait_for_request()
            wait_until(lambda: request.body == FORM.body[:100], "the first hundred bytes")
            peer.send(FORM.body[100:])
            self.assertEqual(peer.read_response().status, 200)

    def test_broken_framing_is_still_refused(self):
        """Where nobody can say what the body is, there is nothing to observe."""
        with Upstream() as upstream, Weir.serve(upstream, "--mode", "observe") as weir, \
                client.Client(weir.address) as peer:
            peer.send(client.head(chunked=True), b"zz\r\n")
            self.assertEqual(peer.read_response().status, 400)
            self.assertFalse(upstream.complete_requests)


class Off(TestCase):
    def test_everything_passes_and_only_requests_are_recorded(self):
        bodies = [FORM.body] + [case.body(True) for case in malformed.CASES[:5]]
        # On one lane, records come in the order of the requests.
        with Upstream() as upstream, \
                Weir.serve(upstream, "--mode", "off", "--lanes", "1") as weir:
            for number, body in enumerate(bodies, 1):
                answer = client.post(weir.address, body, number % 2 == 0)
                self.assertEqual(
                    (answer.status, answer.json["sha256"]), (200, forms.Part("", body).sha256))
            for record, body in zip(weir.wait_for_requests(len(bodies)), bodies):
                self.check(record, {
                    "upload.mode": "off", "upload.verdict": "allowed", "upload.would_block": None,
                    "upload.parts.total": 0, "upload.received_bytes": len(body)})
                self.assertFalse(field(record, "upload.findings"))
            self.assertEqual(weir.parts(), [])


class Profiles(TestCase):
    """What real clients send passes in both; what parsers read differently does not in `strict`."""

    ROWS = [
        ("blank line after the end", FORM.body + b"\r\n", 200, 200),
        ("no CRLF at the end", FORM.body[:-2], 200, 200),
        ("CRLF before the start", b"\r\n" + FORM.body, 200, 200),
        ("empty file", forms.Form(
            forms.Part("f", b"", "", "application/octet-stream")).body, 200, 200),
        ("PEM file", forms.Form(forms.Part(
            "f", b"-----BEGIN KEY-----\r\n--x\r\n-----END KEY-----\r\n", "k.pem")).body, 200, 200),
        ("old browser's path", forms.Form(
            forms.Part("f", b"x", "C:\\a\\x.jpg", "image/jpeg")).body, 200, None),
        ("text behind the end", FORM.body + b"more", None, 400),
    ]

    def test_balanced_and_strict(self):
        for name, body, *expected in self.ROWS:
            for profile, status in zip(("balanced", "strict"), expected):
                if status is None:
                    continue
                with self.subTest(name, profile=profile), Upstream() as upstream, \
                        Weir.serve(upstream, "--profile", profile) as weir:
                    self.assertEqual(
                        client.post(weir.address, body).status, status,
                        field(weir.wait_for_request(), "upload.findings"))


class Fidelity(TestCase):
    def test_digests_of_both_sides_are_recorded(self):
        for chunked in (False, True):
            with self.subTest(chunked=chunked), Upstream() as upstream, \
                    Weir.serve(upstream, "--fidelity") as weir:
                body = forms.photo_form(2_000_000).body
                answer = client.post(weir.address, body, chunked)
                self.assertEqual(answer.status, 200)
                digest = forms.Part("", body).sha256
                recorded = field(weir.wait_for_request(), "upload.fidelity")
                self.assertEqual(set(recorded.values()), {digest})
                self.assertEqual(len(recorded), 2)
