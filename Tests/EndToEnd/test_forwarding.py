"""What Weir says of itself and of the client to the upstream, and what it answers in its place."""

import client
import forms
from harness import TestCase, Weir, field
from upstream import Upstream

FORM = forms.photo_form(20_000)


class MaxForwards(TestCase):
    def options(self, value, **more):
        return client.head(
            content_type=None, method="OPTIONS", fields=[("Max-Forwards", value)], **more)

    def test_the_last_to_be_asked_answers(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir, \
                client.Client(weir.address) as peer:
            for target in ("/upload", "*", "http://weir.test"):
                peer.send(self.options("0", target=target))
                answer = peer.read_response("OPTIONS")
                self.assertEqual((answer.status, answer.body), (200, b""))
                self.assertIn("POST", answer.field("Allow"))
                self.assertIsNone(answer.field("Connection"))
            peer.send(client.get("/next"))
            self.assertEqual(peer.read_response("GET").json["target"], "/next")
            self.assertEqual([r.target for r in upstream.requests], ["/next"])
            record = weir.wait_for_requests(4)[0]
            self.check(record, {
                "http.response.status_code": 200, "upload.verdict": "allowed",
                "upload.termination": "--", "destination": None, "url.path": "/upload"})

    def test_its_body_is_no_request(self):
        body = client.get("/smuggled")
        with Upstream() as upstream, Weir.serve(upstream) as weir, \
                client.Client(weir.address) as peer:
            for chunked in (False, True):
                peer.send(client.upload(
                    body, chunked, method="OPTIONS", content_type="text/plain",
                    fields=[("Max-Forwards", "0")]))
                self.assertEqual(peer.read_response("OPTIONS").status, 200)
            bad = client.upload(
                b"--b\r\nbroken", method="OPTIONS", fields=[("Max-Forwards", "0")])
            peer.send(bad)
            self.assertEqual(peer.read_response("OPTIONS").status, 400)
            self.assertEqual(peer.wait_for_end(), "fin")
            self.assertTrue(upstream.is_untouched())

    def test_old_clients_and_expectations(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            with client.Client(weir.address) as peer:
                peer.send(self.options("0", version="1.0"))
                self.assertEqual(peer.read_response("OPTIONS").status, 200)
                self.assertEqual(peer.wait_for_end(), "fin")
            with client.Client(weir.address) as peer:
                peer.send(client.head(
                    5, method="OPTIONS", content_type="text/plain",
                    fields=[("Max-Forwards", "0"), ("Expect", "100-continue")]))
                self.assertEqual(peer.read_head()[0], 100)
                peer.send(b"hello")
                self.assertEqual(peer.read_response("OPTIONS").status, 200)
            self.assertTrue(upstream.is_untouched())

    def test_others_are_counted_down(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir, \
                client.Client(weir.address) as peer:
            for value in ("1", "7", "0010", "99999999999999999999"):
                peer.send(self.options(value))
                self.assertEqual(peer.read_response("OPTIONS").status, 200)
            sent = [r.field("Max-Forwards") for r in upstream.requests]
            self.assertEqual(sent, ["0", "6", "9", "999"])

    def test_what_is_no_number_is_refused(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            for value in ("", "-1", "+0", "0, 0", "x"):
                with self.subTest(value), client.Client(weir.address) as peer:
                    peer.send(self.options(value))
                    answer = peer.read_response("OPTIONS")
                    self.assertEqual(answer.status, 400)
                    self.assertEqual(answer.json["code"], "http.max_forwards_invalid")
            self.assertTrue(upstream.is_untouched())

    def test_trace_is_never_forwarded(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            for value in ("0", "5", "x"):
                with client.Client(weir.address) as peer:
                    peer.send(client.head(
                        content_type=None, method="TRACE", fields=[("Max-Forwards", value)]))
                    self.assertEqual(peer.read_response("TRACE").status, 405)
            self.assertTrue(upstream.is_untouched())
