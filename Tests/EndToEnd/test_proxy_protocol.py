"""Connections that a load balancer passes on, with a PROXY header in front."""

import socket
import struct

import client
import forms
from harness import TestCase, Weir, field, wait_until
from upstream import Upstream

FORM = forms.photo_form(20_000)
LINE = b"PROXY TCP4 192.0.2.7 10.0.0.1 56324 443\r\n"
SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"


def block(command, family, rest):
    return SIGNATURE + struct.pack("!BBH", command, family, len(rest)) + rest


IPV6 = block(0x21, 0x21, socket.inet_pton(socket.AF_INET6, "2001:db8::7")
             + socket.inet_pton(socket.AF_INET6, "::1") + struct.pack("!HH", 77, 443)
             + b"\x04\0\0")


def serve(upstream, *options):
    return Weir.serve(upstream, "--proxy-protocol", "required", *options)


class ProxyProtocol(TestCase):
    def test_says_whose_connection_it_is(self):
        rows = [
            (LINE, "192.0.2.7", 56324, "for=192.0.2.7;"),
            (IPV6, "2001:db8::7", 77, 'for="[2001:db8::7]";'),
            (b"PROXY TCP6 ::ffff:192.0.2.9 ::1 5 6\r\n", "192.0.2.9", 5, "for=192.0.2.9;"),
            (b"PROXY UNKNOWN\r\n", "127.0.0.1", None, "for=127.0.0.1;"),
            (block(0x20, 0, b""), "127.0.0.1", None, "for=127.0.0.1;"),
            (block(0x21, 0, b""), "127.0.0.1", None, "for=127.0.0.1;"),
            (block(0x21, 0x31, bytes(216)), "127.0.0.1", None, "for=127.0.0.1;"),
        ]
        for header, address, port, forwarded in rows:
            with self.subTest(header), Upstream() as upstream, serve(upstream) as weir, \
                    client.Client(weir.address) as peer:
                for number in range(2):  # it is said once, for all requests
                    peer.send((header if number == 0 else b"") + client.upload(FORM.body))
                    self.assertEqual(peer.read_response().status, 200)
                    got = upstream.requests[number]
                    self.assertEqual(got.field("X-Forwarded-For"), address)
                    self.assertEqual(got.field("X-Real-IP"), address)
                    self.assertTrue(got.field("Forwarded").startswith(forwarded))
                for record in weir.wait_for_requests(2) + weir.parts():
                    self.check(record, {
                        "client.ip": address, "client.port": port, "source.ip": "127.0.0.1"})

    def test_comes_in_pieces(self):
        with Upstream() as upstream, serve(upstream) as weir:
            for header in (LINE, IPV6):
                with client.Client(weir.address) as peer:
                    for byte in header + client.get("/x"):
                        peer.send(bytes([byte]))
                    self.assertEqual(peer.read_response("GET").json["target"], "/x")

    def test_what_is_wrong_gets_no_answer(self):
        rows = [
            (client.get(), "proxy_header.missing"),
            (b"PROXY TCP4 192.0.2.7 10.0.0.1 56324\r\n" + client.get(),
             "proxy_header.line_invalid"),
            (b"PROXY UNKNOWN " + b"x" * 200, "proxy_header.line_too_long"),
            (block(0x21, 0x11, b"\0" * 11) + client.get(), "proxy_header.length_invalid"),
            (block(0x2F, 0x11, b"\0" * 12) + client.get(), "proxy_header.command_unknown"),
            (LINE[:20], "http.head_incomplete"),
        ]
        for sent, code in rows:
            with self.subTest(code), Upstream() as upstream, serve(upstream) as weir, \
                    client.Client(weir.address) as peer:
                peer.send(sent)
                if code == "http.head_incomplete":
                    peer.finish_sending()
                try:
                    self.assertEqual(peer.read_some(), b"")
                except ConnectionResetError:
                    pass
                record = weir.wait_for_request()
                self.check(record, {
                    "event.code": code, "http.response": None, "source.ip": "127.0.0.1"})
                self.assertEqual(field(record, "upload.termination")[1], "R")
                self.assertTrue(upstream.is_untouched())

    def test_is_waited_for_as_a_head_is(self):
        with Upstream() as upstream, serve(upstream, "--timeouts-head", "300ms") as weir, \
                client.Client(weir.address) as peer:
            peer.send(LINE[:10])
            self.assertEqual(peer.read_some(), b"")
            self.check(weir.wait_for_request(), {
                "event.code": "http.head_timeout", "upload.termination": "cR",
                "http.response": None})

    def test_a_connection_without_a_byte_leaves_no_record(self):
        with Upstream() as upstream, serve(upstream) as weir:
            for _ in range(3):
                with client.Client(weir.address) as peer:
                    peer.finish_sending()
                    self.assertEqual(peer.wait_for_end(), "fin")
            with client.Client(weir.address) as peer:
                peer.send(LINE + client.get())
                self.assertEqual(peer.read_response("GET").status, 200)
            weir.wait_for_request()

    def test_after_the_header_a_client_may_take_its_time(self):
        with Upstream() as upstream, serve(upstream, "--timeouts-head", "300ms") as weir, \
                client.Client(weir.address) as peer, client.Client(weir.address) as other:
            peer.send(LINE)
            other.send(LINE[:10])
            self.assertEqual(other.wait_for_end(), "fin")  # so much time has gone by
            peer.send(client.get())
            self.assertEqual(peer.read_response("GET").status, 200)

    def test_is_taken_from_trusted_networks_alone(self):
        with Upstream() as upstream, serve(upstream, "--trusted-networks", "10.0.0.0/8") as weir, \
                client.Client(weir.address) as peer:
            try:
                peer.send(LINE + client.get())
            except (BrokenPipeError, ConnectionResetError):
                pass
            self.assertIn(peer.wait_for_end(), ("fin", "reset"))
            self.check(weir.wait_for_request(), {
                "event.code": "proxy_header.untrusted", "client.ip": "127.0.0.1"})
            self.assertTrue(upstream.is_untouched())

    def test_addresses_are_counted_behind_the_balancer(self):
        with Upstream() as upstream, serve(upstream, "--connections-per-address", "1") as weir:
            first, second, other = (client.Client(weir.address) for _ in range(3))
            with first, second, other:
                first.send(LINE + client.get())
                self.assertEqual(first.read_response("GET").status, 200)
                second.send(LINE + client.get())
                answer = second.read_response("GET")
                self.assertEqual(answer.status, 429)
                self.assertEqual(answer.json["code"], "proxy.too_many_from_address")
                other.send(IPV6 + client.get())
                self.assertEqual(other.read_response("GET").status, 200)
                self.check(weir.wait_for_requests(2)[1], {"client.ip": "192.0.2.7"})

            def has_room():
                with client.Client(weir.address) as peer:
                    peer.send(LINE + client.get())
                    return peer.read_response("GET").status == 200

            wait_until(has_room, "room for another connection of that address")

    def test_trust_in_fields_is_for_the_address_of_the_header(self):
        rows = [
            (LINE, "192.0.2.7"),  # it is a client's
            (b"PROXY TCP4 127.0.0.9 10.0.0.1 1 2\r\n", "6.6.6.6"),  # a trusted proxy's
            (b"PROXY UNKNOWN\r\n", "127.0.0.1"),  # nobody's
        ]
        for header, address in rows:
            with self.subTest(header), Upstream() as upstream, \
                    serve(upstream, "--trusted-networks", "127.0.0.0/8") as weir, \
                    client.Client(weir.address) as peer:
                peer.send(header + client.get(fields=[("X-Forwarded-For", "6.6.6.6")]))
                self.assertEqual(peer.read_response("GET").status, 200)
                self.assertEqual(upstream.requests[0].field("X-Real-IP"), address)
                self.check(weir.wait_for_request(), {"client.ip": address})

    def test_is_no_request_where_it_is_not_asked_for(self):
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            for header in (LINE, IPV6):
                with client.Client(weir.address) as peer:
                    peer.send(header + client.get())
                    self.assertEqual(peer.read_response("GET").status, 400)
            self.assertTrue(upstream.is_untouched())
