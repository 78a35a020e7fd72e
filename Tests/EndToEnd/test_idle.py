"""Ten thousand connections that wait: they cost little, and slow nobody down."""

import os
import resource
import signal
import time
import unittest

import client
import forms
from harness import MEGABYTE, TestCase, Weir, peak_memory, wait_until
from upstream import Upstream

COUNT = 10_000

# The test and Weir each have one descriptor for each connection, and some besides.
NEEDED = COUNT + 500


def raise_limit():
    """Raises this process's limit of descriptors, and returns it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def processor_seconds(pid):
    """What a process has had of the processor."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class TenThousand(TestCase):
    MEBIBYTES = 128
    ROUNDS = 3

    def upload(self, weir):
        """Sends one upload; returns the seconds it took, and those of Weir's processor."""
        upload = forms.LargeUpload(self.MEBIBYTES)
        # Made before the clock runs; the pieces are one piece by then, which matters to nobody.
        pieces = list(upload.pieces())
        began, before = time.monotonic(), processor_seconds(weir.process.pid)
        with client.Client(weir.address, timeout=50) as peer:
            peer.send(client.head(upload.body_bytes), *pieces)
            answer = peer.read_response()
        self.assertEqual((answer.status, answer.json["bytes"]), (200, upload.body_bytes))
        return time.monotonic() - began, processor_seconds(weir.process.pid) - before

    def best(self, weir):
        """The least of some rounds, each figure by itself."""
        return [min(figures) for figures in zip(*(self.upload(weir) for _ in range(self.ROUNDS)))]

    @unittest.skipIf(raise_limit() < NEEDED, f"this process may not have {NEEDED} sockets")
    def test_they_cost_little_and_slow_nobody_down(self):
        peers = []
        config = {"connections": COUNT + 10, "timeouts": {"keepAlive": "10m"}}
        with Upstream(keeps_bytes=False) as upstream, \
                Weir.serve(upstream, "--audit-log", "off", config=config) as weir:
            alone = self.best(weir)
            try:
                for number in range(COUNT):
                    peer = client.Client(weir.address)
                    peers.append(peer)
                    peer.send(client.get(f"/{number}"))
                for number, peer in enumerate(peers):
                    self.assertEqual(peer.read_response("GET").json["target"], f"/{number}")
                among = self.best(weir)
                memory = peak_memory(weir.process.pid)
                figures = (
                    f"{memory / MEGABYTE:.0f} MB; alone {alone[0]:.2f} s, {alone[1]:.2f} s of CPU;"
                    f" among them {among[0]:.2f} s, {among[1]:.2f} s of CPU")
                if os.environ.get("SHOW_FIGURES"):
                    print(figures)
                self.assertLess(memory, 120 * MEGABYTE, figures)
                # A busy machine makes any upload slow; the processor's time is told apart from that.
                self.assertLess(among[1], 1.3 * alone[1] + 0.1, figures)
                self.assertLess(among[0], 2 * alone[0] + 0.5, figures)
                # They are all still there, and answered.
                for number in (0, COUNT // 2, COUNT - 1):
                    peers[number].send(client.get("/again"))
                    self.assertEqual(
                        peers[number].read_response("GET").json["target"], "/again")
            finally:
                for peer in peers:
                    peer.close()


class FewDescriptors(TestCase):
    def test_a_limit_that_is_too_low_is_said(self):
        with Upstream() as upstream, Weir.serve(upstream, "--connections", "500") as weir:
            self.assertNotIn("files open", weir.stderr)
            resource.prlimit(weir.process.pid, resource.RLIMIT_NOFILE, (300, 300))
            weir.signal(signal.SIGHUP)
            weir.wait_for_stderr("this process may have 300 files open, too few for 500")

    def test_none_left_is_said_and_gone_through(self):
        """Those for whom none is left are told so, and those that are there go on."""
        with Upstream() as upstream, Weir.serve(upstream, "--lanes", "1") as weir:
            pid = weir.process.pid
            first = client.Client(weir.address)
            self.addCleanup(first.close)
            first.send(client.get("/first"))
            self.assertEqual(first.read_response("GET").status, 200)
            # One upstream connection is there already, and three places are left.
            limit = weir.descriptors + 3
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (limit, limit))
            waiting = [client.Client(weir.address) for _ in range(8)]
            weir.wait_for_stderr("connections cannot be accepted for the moment")
            before = processor_seconds(pid)
            began = time.monotonic()
            for _ in range(50):
                first.send(client.upload(forms.photo_form(1000).body))
                self.assertEqual(first.read_response().status, 200)
            first.send(client.get("/last"))
            self.assertEqual(first.read_response("GET").status, 200)
            wait_until(lambda: time.monotonic() - began > 1, "a second")
            self.assertLess(processor_seconds(pid) - before, 0.5)
            self.assertEqual(weir.stderr.count("cannot be accepted"), 1)
            for peer in waiting[3:]:
                answer = peer.read_response("GET")
                self.assertEqual(answer.status, 503)
                self.assertEqual(answer.json["code"], "proxy.out_of_descriptors")
            for peer in waiting:
                peer.close()
            with client.Client(weir.address) as peer:
                peer.send(client.get("/later"))
                self.assertEqual(peer.read_response("GET").status, 200)
