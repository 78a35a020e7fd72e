"""Routes: each request is judged, and sent on, by the first route that matches it."""

import signal

import client
import forms
import malformed
from harness import TestCase, Weir, field, wait_until
from upstream import Upstream

FORM = forms.photo_form(20_000)
BAD = malformed.CASES[4].body(False)


class Routes(TestCase):
    def test_policy_and_upstream_are_the_routes_own(self):
        with Upstream() as main, Upstream() as other:
            config = {"routes": [
                {"path": "/watched", "mode": "observe"},
                {"host": "other.test", "upstream": other.url, "limits": {"bodyBytes": 1000}},
                {"path": "/old", "findings": {"preamble.present": "warn"}},
            ]}
            with Weir.serve(main, config=config) as weir:
                rows = [
                    (BAD, {"target": "/upload"}, 400, None),
                    (BAD, {"target": "/watched/x"}, 200, "/watched"),
                    (b"text\r\n" + FORM.body, {"target": "/old"}, 200, "/old"),
                    (b"text\r\n" + FORM.body, {"target": "/older"}, 400, None),
                    (FORM.body, {"host": "OTHER.test:81"}, 413, "1"),
                    (FORM.body[:0], {"host": "other.test", "content_type": None}, 200, "1"),
                ]
                for number, (body, more, status, route) in enumerate(rows, 1):
                    with self.subTest(**more):
                        answer = client.post(weir.address, body, **more)
                        self.assertEqual(answer.status, status)
                        record = weir.wait_for_requests(number)[number - 1]
                        self.assertEqual(field(record, "upload.route"), route)
                self.assertEqual(len(main.complete_requests), 2)
                self.assertEqual(len(other.complete_requests), 1)

    def test_a_path_of_two_readings_is_refused(self):
        config = {"routes": [{"path": "/public", "mode": "off"}]}
        with Upstream() as upstream, Weir.serve(upstream, config=config) as weir:
            for target in ("/public/../upload", "/%70ublic", "//public", "/x/..;v=1/public"):
                with self.subTest(target):
                    answer = client.post(weir.address, FORM.body, target=target)
                    self.assertEqual(
                        (answer.status, answer.json["code"]), (400, "http.route_ambiguous"))
            self.assertFalse(upstream.requests)
            self.assertEqual(
                client.post(weir.address, FORM.body, target="/public/%41").status, 200)

    def test_observe_says_that_a_path_has_two_readings(self):
        config = {"mode": "observe", "routes": [{"path": "/public", "limits": {"files": 1}}]}
        with Upstream() as upstream, Weir.serve(upstream, config=config) as weir:
            for number, sent in enumerate([
                    client.upload(FORM.body, target="/%70ublic"),
                    b"GET /x/../public HTTP/1.1\r\nHost: a\r\n\r\n"], 1):
                with self.subTest(sent[:30]), client.Client(weir.address) as peer:
                    peer.send(sent)
                    self.assertEqual(peer.read_response().status, 200)
                    record = weir.wait_for_requests(number)[number - 1]
                    self.assertEqual(
                        [field(record, name) for name in (
                            "upload.verdict", "upload.would_block.code", "event.kind")],
                        ["observed", "http.route_ambiguous", "alert"])

    def test_the_largest_hold_of_all_routes_has_room(self):
        """A part as large as a route holds back is held back, and then sent whole."""
        form = forms.Form(forms.Part("f", forms.noise(900_000), "f.bin"))
        config = {"routes": [{"path": "/held", "hold": "1MiB"}]}
        with Upstream() as upstream, Weir.serve(upstream, config=config) as weir, \
                client.Client(weir.address) as peer:
            peer.send(client.head(len(form.body), target="/held"), form.body[:-1])
            self.assertFalse(upstream.requests)
            peer.send(form.body[-1:])
            self.assertEqual(peer.read_response().status, 200)
            self.assertTrue(upstream.wait_for_complete().body == form.body)

    def test_reload_moves_routes_and_keeps_other_connections(self):
        with Upstream() as main, Upstream() as first, Upstream() as second:
            def config(upstream):
                return {"routes": [{"path": "/moved", "upstream": upstream.url}]}

            with Weir.serve(main, config=config(first)) as weir:
                for target in ("/upload", "/moved"):
                    self.assertEqual(
                        client.post(weir.address, FORM.body, target=target).status, 200)
                weir.write_config(config(second))
                weir.signal(signal.SIGHUP)
                weir.wait_for_stderr("configuration read again")
                for target in ("/upload", "/moved"):
                    self.assertEqual(
                        client.post(weir.address, FORM.body, target=target).status, 200)
                self.assertEqual(len(first.complete_requests), 1)
                self.assertEqual(len(second.complete_requests), 1)
                self.assertEqual(len(main.complete_requests), 2)
                wait_until(lambda: len(weir.requests()) == 4, "all records")
