"""HTTP/1.1 by two tables of raw messages: what is ambiguous is refused, what is not is relayed.

Each row runs alone on a proxy of its own thread: what its upstream has seen since the row began is
of this row. Behind every request comes another on the same connection, which must be read as
itself or not at all, and behind every refusal one of another client.
"""

import threading
import traceback

import client
from harness import TestCase, Weir, wait_until
from http1 import table
from upstream import Upstream

THREADS = 4
AFTER = client.get("/after")


class Wrong(Exception):
    """What a row says did not happen."""


def expect(condition, *what):
    if not condition:
        raise Wrong(" ".join(map(str, what)))


class Bench:
    """A proxy and its upstream, for one row after the other."""

    def __init__(self, upstream, weir):
        self.upstream = upstream
        self.weir = weir

    def seen(self):
        return len(self.upstream.requests), len(self.upstream.complete_requests)

    def wait_for_rest(self):
        """Waits until what the proxy has begun upstream has come there, and ended."""
        self.upstream.is_untouched()  # whoever connected before this has been accepted
        wait_until(
            lambda: all(each.end or each.requests and each.requests[-1].is_complete
                        for each in self.upstream.connections),
            "the ends of all connections that broke off")

    def check_that_nothing_passed(self, row, seen):
        """Nothing but the request that is sent now has come whole, and nothing is in its way."""
        if row.may_begin:
            self.wait_for_rest()
        with client.Client(self.weir.address) as other:
            other.send(client.get("/canary"))
            answer = other.read_response("GET")
        expect(answer.status == 200 and answer.json["target"] == "/canary", "canary:", answer)
        begun = [request.target for request in self.upstream.requests[seen[0]:]]
        whole = [request.target for request in self.upstream.complete_requests[seen[1]:]]
        expected = ["/after", "/canary"] if row.says("keeps") else ["/canary"]
        expect(whole == expected, "complete upstream:", whole)
        expect(row.may_begin or begun == expected, "begun upstream:", begun)


class Requests(Bench):
    """Judges rows of `requests.txt`."""

    def __init__(self, *more, is_bytewise):
        super().__init__(*more)
        self.is_bytewise = is_bytewise

    def judge(self, row):
        seen = self.seen()
        data = row.data if row.last else row.data + AFTER
        with client.Client(self.weir.address) as peer:
            try:
                if self.is_bytewise and len(data) < 1000:
                    for index in range(len(data)):
                        peer.send(data[index:index + 1])
                else:
                    peer.send(data)
                if row.last == "FIN":
                    peer.finish_sending()
            except (BrokenPipeError, ConnectionResetError):
                pass  # refused before all was sent: the answer is still there
            if row.last == "RST":
                peer.reset()
            elif row.verdict == "pass":
                self.judge_passed(row, peer, seen)
            else:
                self.judge_refused(row, peer)
        if row.verdict != "pass":
            self.check_that_nothing_passed(row, seen)

    def judge_refused(self, row, peer):
        answer = peer.read_response("GET")
        expect(answer.status in row.statuses, answer)
        expect(row.codes == ["*"] or answer.json["code"] in row.codes, answer)
        if row.says("keeps"):
            answer = peer.read_response("GET")
            expect(answer.status == 200 and answer.json["target"] == "/after", "next:", answer)
            return
        expect(answer.field("Connection") == "close", answer)
        expect(peer.wait_for_end() == "fin", "the end is a reset")

    def judge_passed(self, row, peer, seen):
        answer = peer.read_response("HEAD" if row.says("head") else "GET")
        expect(answer.status == 200, answer)
        if row.says("then"):
            after = peer.read_response("GET")
            expect(after.status == int(row.get("then")), "next:", after)
        elif not row.says("close") and not row.says("end"):
            after = peer.read_response("GET")
            expect(after.status == 200 and after.json["target"] == "/after", "next:", after)
        else:
            expect(row.says("end") or answer.field("Connection") == "close", answer)
        if row.last or row.says("close") or row.says("then"):
            peer.wait_for_end()
        whole = self.upstream.complete_requests[seen[1]:]
        is_last = row.says("close") or row.says("end") or row.says("then")
        expect(len(whole) == (1 if is_last else 2), "upstream:", [r.target for r in whole])
        request = whole[0]
        if row.says("body"):
            expect(request.body.decode("latin-1") == row.get("body"), "body:", request.body[:200])
        expect(request.target == row.get("target", request.target), "target:", request.target)
        expect(request.method == row.get("method", request.method), "method:", request.method)
        expect((problem := row.check_fields(request.fields)) is None, problem)


class Answers(Bench):
    """Judges rows of `answers.txt`."""

    row = None

    def answer(self, request):
        if request.target != "/case":
            return self.upstream.describe(request)
        row, connection = self.row, request.connection
        try:
            connection.send(row.data)
        except OSError:
            pass  # it was refused before all was sent
        if row.last == "FIN":
            connection.close()
        elif row.last == "RST":
            connection.reset()

    def judge(self, row):
        self.row, seen = row, self.seen()
        method = row.get("method", "GET")
        version = row.get("version", "1.1")
        with client.Client(self.weir.address) as peer:
            # POST is never tried again, so that a connection closed without a word is an answer.
            sent = client.upload(b"", content_type=None, target="/case", version=version,
                                 method="POST" if method == "GET" else method)
            peer.send(sent + AFTER)
            if row.verdict == "cut":
                expect(self.is_cut(peer, version), "the answer looks whole")
            else:
                self.judge_whole(row, peer, method)
        with client.Client(self.weir.address) as other:
            other.send(client.get("/canary"))
            canary = other.read_response("GET")
        expect(canary.status == 200 and canary.json["target"] == "/canary", "canary:", canary)
        requests = self.upstream.requests[seen[0]:]
        expect([r.target for r in requests].count("/case") == 1, "case upstream, but not once")
        is_fresh = requests[0].connection is not requests[1].connection
        must_be_fresh = row.says("fresh") or row.verdict == "cut" or row.codes is not None
        expect(is_fresh == must_be_fresh, "connection used again:", not is_fresh)

    def is_cut(self, peer, version):
        try:
            answer = peer.read_response("GET")
        except (client.Truncated, ConnectionResetError):
            return True
        raise Wrong(f"whole: {answer}")

    def judge_whole(self, row, peer, method):
        answer = peer.read_response(method)
        expect(answer.status in row.statuses, answer)
        if row.codes:
            expect(answer.json["code"] in row.codes, answer)
        if row.says("body"):
            expect(answer.body.decode("latin-1") == row.get("body"), "body:", answer)
        expect(answer.reason == row.get("reason", answer.reason), "reason:", answer)
        if not row.says("anyinterims"):
            interims = ",".join(map(str, answer.interims))
            expect(interims == row.get("interims", ""), "interims:", interims)
        expect((problem := row.check_fields(answer.fields)) is None, problem)
        if row.says("close"):
            peer.wait_for_end()
        else:
            after = peer.read_response("GET")
            expect(after.status == 200 and after.json["target"] == "/after", "next:", after)


class Tables(TestCase):
    def run_rows(self, rows, make_bench, mode):
        """Judges the rows in a few threads, and fails for each that is not as it says."""
        wrong = []

        def work(share):
            try:
                # One lane, so that all clients share the connections to the upstream.
                options = ("--mode", mode, "--audit-log", "off", "--lanes", "1")
                with Upstream() as upstream, Weir.serve(upstream, *options) as weir:
                    bench = make_bench(upstream, weir)
                    if isinstance(bench, Answers):
                        upstream.on_request = bench.answer
                    for row in share:
                        try:
                            bench.judge(row)
                        except Exception as error:
                            wrong.append((row.name, f"{type(error).__name__}: {error}"))
            except BaseException:
                wrong.append(("bench", traceback.format_exc()))

        threads = [threading.Thread(target=work, args=(rows[start::THREADS],))
                   for start in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for name, what in wrong:
            with self.subTest(name):
                self.fail(what)

    def test_requests_in_enforce(self):
        self.run_rows(table.rows("requests.txt"),
                      lambda *more: Requests(*more, is_bytewise=False), "enforce")

    def test_requests_in_off(self):
        self.run_rows(table.rows("requests.txt"),
                      lambda *more: Requests(*more, is_bytewise=False), "off")

    def test_requests_byte_by_byte(self):
        self.run_rows(table.rows("requests.txt"),
                      lambda *more: Requests(*more, is_bytewise=True), "enforce")

    def test_answers(self):
        self.run_rows(table.rows("answers.txt"), Answers, "enforce")
