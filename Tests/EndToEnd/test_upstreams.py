"""Several upstreams: shared, left out, asked for their health, and changed under load."""

import concurrent.futures
import re
import signal
import threading

import client
import forms
from harness import TestCase, Weir, field, wait_until
from upstream import Upstream, free_port

FORM = forms.photo_form(20_000)


def named(name):
    """An upstream that answers with its name, and with the mark of the request."""
    def answer(request):
        request.connection.answer(200, {
            "name": name, "mark": request.field("X-Mark"), "sha256": request.sha256})

    return Upstream(on_request=answer, keeps_bytes=False)


def name_of(answer):
    return answer.json["name"]


class Several(TestCase):
    def test_requests_go_round(self):
        with named("a") as first, named("b") as second, \
                Weir.serve(f"{first.url},{second.url}") as weir:
            names = [name_of(client.post(weir.address, FORM.body)) for _ in range(10)]
            self.assertEqual((names.count("a"), names.count("b")), (5, 5))
            ports = {field(r, "destination.address") for r in weir.wait_for_requests(10)}
            self.assertEqual(
                ports, {f"127.0.0.1:{u.address[1]}" for u in (first, second)})

    def test_one_that_is_killed_is_left_out_and_comes_back(self):
        config = {"health": {"failures": 2, "pause": "300ms"}}
        with named("a") as first, named("b") as second:
            port = second.address[1]
            with Weir.serve(f"{first.url},{second.url}", config=config) as weir:
                self.assertEqual(
                    {name_of(client.post(weir.address, FORM.body)) for _ in range(2)}, {"a", "b"})
                second.stop()
                # A connection that cannot be made costs no request.
                wait_until(
                    lambda: name_of(client.post(weir.address, FORM.body)) == "a"
                    and f"127.0.0.1:{port} has failed" in weir.stderr, lambda: weir.stderr)
                weir.signal(signal.SIGUSR1)
                weir.wait_for_stderr(rf"upstream 127\.0\.0\.1:{port} (resting|on trial)")
                weir.wait_for_stderr(rf"upstream 127\.0\.0\.1:{first.address[1]} good")
                third = Upstream(
                    listen=("127.0.0.1", port),
                    on_request=lambda r: r.connection.answer(200, {"name": "c"}))
                with third:
                    wait_until(
                        lambda: name_of(client.post(weir.address, FORM.body)) == "c",
                        lambda: weir.stderr)
                    weir.wait_for_stderr(rf"127\.0\.0\.1:{port} is back")
                self.assertEqual(
                    {field(r, "http.response.status_code") for r in weir.requests()}, {200})

    def test_health_is_asked_for(self):
        is_well = threading.Event()

        def answer(request):
            good = request.target != "/healthz" or is_well.is_set()
            request.connection.answer(200 if good else 503, {"name": "b"})

        config = {"health": {"path": "/healthz", "every": "100ms"}}
        with named("a") as first, Upstream(on_request=answer) as second, \
                Weir.serve(f"{first.url},{second.url}", config=config) as weir:
            weir.wait_for_stderr(r"has failed in a row \(its health: it answers 503\)")
            for _ in range(4):
                self.assertEqual(name_of(client.post(weir.address, FORM.body)), "a")
            is_well.set()
            weir.wait_for_stderr(rf"{second.address[1]} is back")
            self.assertEqual(
                {name_of(client.post(weir.address, FORM.body)) for _ in range(2)}, {"a", "b"})
            # Questions of Weir's own are no uploads.
            self.assertEqual({field(r, "url.path") for r in weir.requests()}, {"/upload"})

    def test_a_name_that_is_not_found_does_not_keep_it_from_starting(self):
        with Weir.serve("http://nobody.invalid:80") as weir:
            weir.wait_for_stderr(r"nobody\.invalid:80 cannot be looked up")
            answer = client.post(weir.address, FORM.body)
            self.assertEqual((answer.status, answer.json["code"]), (502, "upstream.unresolved"))
            weir.signal(signal.SIGUSR1)
            weir.wait_for_stderr(r"upstream nobody\.invalid:80 has no address")

    def test_all_addresses_of_a_name_are_tried(self):
        """localhost is ::1 as well on most machines, where nobody listens."""
        with named("a") as upstream, \
                Weir.serve(f"http://localhost:{upstream.address[1]}") as weir:
            for _ in range(6):
                self.assertEqual(name_of(client.post(weir.address, FORM.body)), "a")

    def test_all_away(self):
        with Weir.serve(f"http://127.0.0.1:{free_port()},http://127.0.0.1:{free_port()}") as weir:
            for number in range(1, 9):
                answer = client.post(weir.address, FORM.body)
                self.assertEqual((answer.status, answer.json["code"]), (502, "upstream.refused"))
                self.check(weir.wait_for_requests(number)[-1], {
                    "upload.blame": "upstream", "upload.termination": "SC"})


class ReloadUnderLoad(TestCase):
    ROUNDS = 30

    def test_no_request_is_lost_while_upstreams_change(self):
        """Every request has exactly one right answer, from one of the upstreams there were."""
        stop = threading.Event()

        def run(name):
            """Uploads on one connection after the other, each kept for a few requests."""
            problems, count = [], 0
            while not stop.is_set():
                with client.Client(weir.address) as peer:
                    for _ in range(7):
                        mark = f"{name}-{count}"
                        size = 150_000 if count % 5 == 0 else 3_000
                        form = forms.Form(
                            forms.Part("mark", mark.encode()),
                            forms.Part("file", forms.noise(size, mark), "f.bin"))
                        peer.send(client.upload(
                            form.body, count % 2 == 0, fields=[("X-Mark", mark)]))
                        answer = peer.read_response()
                        count += 1
                        expected = (200, mark, forms.Part("", form.body).sha256)
                        got = (answer.status, answer.json.get("mark"), answer.json.get("sha256"))
                        if got != expected:
                            problems.append(f"{got} instead of {expected}")
            return problems, count

        with named("a") as first, named("b") as second, named("c") as third:
            lists = [[first.url], [second.url, third.url], [third.url], [first.url, second.url]]

            def config(number):
                # Timeouts that change have every waiting connection closed as well.
                return {
                    "listen": ["127.0.0.1:0"], "upstream": lists[number % len(lists)],
                    "timeouts": {"keepAlive": f"{30 + number % 3}s"},
                    "balance": ["round-robin", "least-connections"][number % 2],
                }

            weir = Weir("serve", config=config(0))._ready(1)
            with weir, concurrent.futures.ThreadPoolExecutor(4) as pool:
                runs = [pool.submit(run, name) for name in range(4)]
                try:
                    for number in range(1, self.ROUNDS):
                        done = len(weir.requests())
                        weir.write_config(config(number))
                        weir.signal(signal.SIGHUP)
                        wait_until(
                            lambda: len(re.findall("configuration read again", weir.stderr))
                            == number, lambda: weir.stderr)
                        wait_until(
                            lambda: len(weir.requests()) >= done + 20, lambda: weir.stderr, 30)
                finally:
                    stop.set()
                total = 0
                for outcome in runs:
                    problems, count = outcome.result()
                    self.assertEqual(problems, [])
                    total += count
                records = weir.wait_for_requests(total)
                self.assertEqual(len(records), total)
                self.assertEqual({field(r, "upload.verdict") for r in records}, {"allowed"})
                seen = sum(len(u.complete_requests) for u in (first, second, third))
                self.assertEqual(seen, total)
                self.assertTrue(all(u.complete_requests for u in (first, second, third)))
