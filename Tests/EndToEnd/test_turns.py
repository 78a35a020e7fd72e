"""Nobody keeps a lane to himself, and who moves slowly is not idle."""

import signal
import socket
import threading
import time

import client
from harness import TestCase, Weir, field
from upstream import Upstream

FLOOD = b"OPTIONS * HTTP/1.1\r\nHost: a\r\nMax-Forwards: 0\r\n\r\n" * 500
GET = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"


class Turns(TestCase):
    def test_a_flood_of_requests_leaves_room_for_others(self):
        with Upstream() as upstream, Weir.serve(upstream, "--lanes", "1", "--drain", "1s") as weir:
            flood = socket.create_connection(weir.address)
            readings = threading.Thread(target=self.read_all, args=(flood,), daemon=True)
            sendings = threading.Thread(target=self.send_all, args=(flood,), daemon=True)
            readings.start()
            sendings.start()
            for _ in range(5):
                with client.Client(weir.address) as peer:
                    peer.send(GET)
                    self.assertEqual(peer.read_response().status, 200)
            weir.signal(signal.SIGTERM)
            self.assertEqual(weir.wait_for_exit(), 0)
            sendings.join(5)
            flood.close()

    @staticmethod
    def read_all(flood):
        try:
            while flood.recv(1 << 20):
                pass
        except OSError:
            pass

    @staticmethod
    def send_all(flood):
        try:
            while True:
                flood.sendall(FLOOD)
        except OSError:
            pass

    def test_a_slow_reader_is_not_idle(self):
        """It takes longer to make room in the kernel's buffer than it may be idle."""
        large = bytes(16 << 20)
        head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(large)
        listener = socket.create_server(("127.0.0.1", 0))

        def answer():
            peer, _ = listener.accept()
            peer.recv(65536)
            try:
                peer.sendall(head + large)
            except OSError:
                pass

        threading.Thread(target=answer, daemon=True).start()
        url = "http://127.0.0.1:%d" % listener.getsockname()[1]
        with Weir.serve(url, config={"timeouts": {"bodyIdle": "1s"}}) as weir:
            with socket.create_connection(weir.address) as peer:
                peer.settimeout(10)
                peer.sendall(GET)
                began = time.monotonic()
                while time.monotonic() - began < 3:
                    self.assertTrue(peer.recv(16_384))
                    time.sleep(0.05)
                left = len(head) // 2
                while left and (piece := peer.recv(1 << 20)):
                    left = len(piece)
            self.assertEqual(field(weir.wait_for_requests(1)[0], "upload.termination"), "--")
        listener.close()


class Talkative(TestCase):
    """An upstream that speaks before it is asked."""

    def test_what_nobody_asked_for_answers_nobody(self):
        evil = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL"
        listener = socket.create_server(("127.0.0.1", 0))
        begun = threading.Event()

        def talk(peer, first):
            with peer:
                try:
                    if first:
                        peer.sendall(b"HTTP/1.1 200 OK\r\nX-Of-Nobody: ")
                        begun.wait(10)
                        peer.sendall(b"x\r\nContent-Length: 0\r\n\r\n" + evil)
                    else:
                        peer.recv(65536)
                        peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood")
                    peer.recv(65536)
                except OSError:
                    pass

        def accept():
            for number in range(2):
                peer, _ = listener.accept()
                threading.Thread(target=talk, args=(peer, number == 0), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        url = "http://127.0.0.1:%d" % listener.getsockname()[1]
        with Weir.serve(url, "--lanes", "1") as weir:
            with client.Client(weir.address) as peer:
                peer.send(b"POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n"
                          b"Content-Type: multipart/form-data; boundary=b\r\n\r\n")
                self.assertEqual(peer.read_head()[0], 100)
                time.sleep(0.1)
                peer.send(b"--b x\r\n\r\n")
                self.assertEqual(peer.read_response().status, 400)
            begun.set()
            with client.Client(weir.address) as peer:
                peer.send(GET)
                self.assertEqual(peer.read_response().body, b"good")
        listener.close()
