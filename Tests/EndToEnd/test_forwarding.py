"""What Weir says of itself and of the client to the upstream, and what it answers in its place."""

import re
import signal

import client
import forms
from harness import TestCase, Weir, field, wait_until
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


class Origin(TestCase):
    """Whom a request is from: what the peer says counts if the peer is trusted."""

    claims = [
        ("X-Forwarded-For", "6.6.6.6, 192.0.2.1"), ("X-Forwarded-Host", "public.test"),
        ("X-Forwarded-Proto", "https"), ("X-Forwarded-Port", "443"), ("X_Forwarded_For", "7.7.7.7"),
        ("X-Real-IP", "8.8.8.8"),
    ]

    def test_a_client_is_not_believed(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            self.assertEqual(client.post(weir.address, FORM.body, fields=self.claims).status, 200)
            got = upstream.requests[0]
            self.assertEqual(got.field("X-Forwarded-For"), "127.0.0.1")
            self.assertEqual(got.field("Forwarded"), 'for=127.0.0.1;host="weir.test";proto=http')
            self.assertEqual(got.field("X-Forwarded-Host"), "weir.test")
            self.assertEqual(got.field("X-Forwarded-Proto"), "http")
            self.assertEqual(got.field("X-Real-IP"), "127.0.0.1")
            self.assertIsNone(got.field("X-Forwarded-Port"))
            self.assertIsNone(got.field("X_Forwarded_For"))
            self.check(weir.wait_for_request(), {
                "client.ip": "127.0.0.1", "source.ip": "127.0.0.1"})

    def test_a_trusted_proxy_is_believed(self):
        with Upstream() as upstream, \
                Weir.serve(upstream, "--trusted-networks", "10.0.0.0/8,127.0.0.0/8") as weir:
            self.assertEqual(client.post(weir.address, FORM.body, fields=self.claims).status, 200)
            got = upstream.requests[0]
            self.assertEqual(got.field("X-Forwarded-For"), "6.6.6.6, 192.0.2.1, 127.0.0.1")
            self.assertEqual(got.field("X-Forwarded-Host"), "public.test")
            self.assertEqual(got.field("X-Forwarded-Proto"), "https")
            self.assertEqual(got.field("X-Forwarded-Port"), "443")
            self.assertEqual(got.field("X-Real-IP"), "192.0.2.1")
            self.assertIsNone(got.field("X_Forwarded_For"))
            record = weir.wait_for_request()
            self.check(record, {"client.ip": "192.0.2.1", "source.ip": "127.0.0.1"})
            for part in weir.parts():
                self.check(part, {"client.ip": "192.0.2.1", "source.ip": "127.0.0.1"})

    def test_trust_is_read_again(self):
        with Upstream() as upstream, Weir.serve(upstream, config={}) as weir, \
                client.Client(weir.address) as peer:
            fields = [("X-Forwarded-For", "192.0.2.1")]
            peer.send(client.get(fields=fields))
            self.assertEqual(peer.read_response("GET").status, 200)
            weir.write_config({"trustedNetworks": ["127.0.0.1"]})
            weir.signal(signal.SIGHUP)
            weir.wait_for_stderr("configuration")

            def is_believed():
                peer.send(client.get(fields=fields))
                self.assertEqual(peer.read_response("GET").status, 200)
                return upstream.requests[-1].field("X-Real-IP") == "192.0.2.1"

            wait_until(is_believed, "the new trust")
            self.assertEqual(upstream.requests[0].field("X-Real-IP"), "127.0.0.1")


class Names(TestCase):
    TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    def exchange(self, fields):
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            self.assertEqual(client.post(weir.address, FORM.body, fields=fields).status, 200)
            weir.wait_for_request()
            return upstream.requests[0], weir.records()

    def test_are_passed_on_and_recorded(self):
        got, records = self.exchange([
            ("X-Request-ID", "job-7:a"), ("traceparent", self.TRACE), ("tracestate", "a=1")])
        self.assertEqual(got.field("X-Request-Id"), "job-7:a")
        self.assertEqual(got.field("traceparent"), self.TRACE)
        self.assertEqual(got.field("tracestate"), "a=1")
        for record in records:
            self.check(record, {"trace.id": self.TRACE[3:35]})
        self.check(records[-1], {"http.request.id": "job-7:a"})
        self.assertEqual(field(records[-1], "event.id"), field(records[0], "transaction.id"))
        self.assertNotEqual(field(records[-1], "event.id"), "job-7:a")

    def test_are_made(self):
        rows = [
            [],
            [("X-Request-Id", "a b"), ("traceparent", self.TRACE[:-1]), ("tracestate", "a=1")],
            [("X-Request-Id", "a"), ("X-Request-Id", "a"), ("traceparent", self.TRACE),
             ("traceparent", self.TRACE), ("tracestate", "a=1")],
            [("X-Request-Id", "x" * 129), ("traceparent", "ff" + self.TRACE[2:])],
        ]
        for fields in rows:
            with self.subTest(fields):
                got, records = self.exchange(fields)
                self.check(records[-1], {
                    "http.request.id": got.field("X-Request-Id"),
                    "event.id": got.field("X-Request-Id")})
                made = re.fullmatch(
                    r"00-([0-9a-f]{32})-[0-9a-f]{16}-01", got.field("traceparent"))
                self.assertNotEqual(made[1], self.TRACE[3:35])
                self.check(records[0], {"trace.id": made[1]})
                self.assertIsNone(got.field("tracestate"))
