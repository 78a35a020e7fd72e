"""`weir inspect` and the proxy are one inspector: they say the same of the same bytes."""

import json
import os
import subprocess

import client
import forms
import harness
import malformed
from harness import MEGABYTE, TestCase, Weir, clean_environment, field, peak_memory, run_weir
from upstream import Upstream


class Doctor(TestCase):
    def save(self, data):
        path = os.path.join(self.folder(), "saved")
        with open(path, "wb") as file:
            file.write(data)
        return path

    def inspect(self, *arguments, stdin=None):
        done = run_weir("inspect", "--json", *arguments, stdin=stdin)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual(report["verdict"], "blocked" if done.returncode else "allowed")
        return report

    def ways(self, body, profile="balanced"):
        """The three ways to show a body to the doctor, and what it says."""
        options = ("--profile", profile)
        yield "body", self.inspect(
            *options, "--content-type", forms.CONTENT_TYPE, self.save(body))
        yield "standard input", self.inspect(
            *options, "--content-type", forms.CONTENT_TYPE, "-", stdin=body)
        yield "request", self.inspect(*options, self.save(client.upload(body)))
        yield "chunked request", self.inspect(
            *options, self.save(client.upload(body, chunked=True)))

    def test_same_code_and_offset_as_the_proxy(self):
        for case in malformed.CASES:
            for with_lead in (False, True):
                body = case.body(with_lead)
                with Upstream() as upstream, \
                        Weir.serve(upstream, "--profile", case.profile) as weir:
                    problem = client.post(weir.address, body).json
                    weir.wait_for_request()
                    whole = [
                        self.part_of_record(part) for part in weir.parts()
                        if field(part, "upload.part.state") == "complete"]
                for way, report in self.ways(body, case.profile):
                    with self.subTest(case.name, way=way, with_lead=with_lead):
                        first = next(f for f in report["findings"] if f["severity"] == "block")
                        self.assertEqual(
                            (first["code"], first["offset"], first["part"], first["detail"]),
                            (problem["code"], problem["offset"], problem.get("part"),
                             problem["detail"]))
                        self.assertEqual(first["offset"], case.offset(with_lead))
                        # The doctor reads on; what the proxy saw whole, both saw alike.
                        self.assertEqual(
                            [self.part_of_report(part) for part in report["parts"]][:len(whole)],
                            whole)

    def test_same_parts_as_the_proxy(self):
        form = forms.Form(
            forms.Part("caption", "Reading on the train ☕".encode()),
            forms.Part("empty", b""),
            forms.Part("photo", forms.noise(300_000), "x.jpg", "image/jpeg"),
            forms.Part("many lines", b"\r\n" * 1000, "a b;c.txt", "text/plain"))
        with Upstream() as upstream, Weir.serve(upstream) as weir:
            self.assertEqual(client.post(weir.address, form.body).status, 200)
            weir.wait_for_request()
            recorded = [self.part_of_record(part) for part in weir.parts()]
        for way, report in self.ways(form.body):
            with self.subTest(way):
                self.assertEqual(report["verdict"], "allowed")
                for got, expected in zip(report["parts"], form.expected_parts, strict=True):
                    self.assertEqual({key: got[key] for key in expected}, expected)
                self.assertEqual(
                    [self.part_of_report(part) for part in report["parts"]], recorded)

    def part_of_record(self, record):
        return {
            "index": field(record, "upload.part.index"),
            "name": field(record, "upload.part.name"),
            "filename": field(record, "file.name"),
            "content_type": field(record, "upload.part.content_type"),
            "size": field(record, "file.size"),
            "sha256": field(record, "file.hash.sha256"),
            "offset": field(record, "upload.part.offset.start"),
        }

    def part_of_report(self, part):
        keys = ("index", "name", "filename", "content_type", "size", "sha256", "offset")
        return {key: part[key] for key in keys}

    def test_faults_of_the_framing(self):
        """A saved request with a broken chunk gets the proxy's code, at the proxy's offset."""
        good = forms.Part("f", b"").encoded[:-2]
        framed = b"%x\r\n%s\r\nzz\r\n" % (len(good), good)
        request = client.head(chunked=True) + framed
        with Upstream() as upstream, Weir.serve(upstream) as weir, \
                client.Client(weir.address) as peer:
            peer.send(request)
            problem = peer.read_response().json
        report = self.inspect(self.save(request))
        first = next(f for f in report["findings"] if f["severity"] == "block")
        self.assertEqual(
            (first["code"], first["offset"]), (problem["code"], problem["offset"]))

    def test_report_for_a_reader(self):
        case = malformed.CASES[4]
        path = self.save(case.body(False))
        done = run_weir("inspect", "--content-type", forms.CONTENT_TYPE, path)
        text = done.stdout.decode()
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(case.code, text)
        self.assertIn(str(case.offset(False)), text)
        self.assertRegex(text, r"(?m)^\s*\^")
        # Good bodies are a table, and exit status 0.
        form = forms.photo_form(1000)
        done = run_weir("inspect", "--content-type", forms.CONTENT_TYPE, self.save(form.body))
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("x.jpg", done.stdout.decode())
        self.assertIn(form.parts[1].sha256, done.stdout.decode())

    def test_report_cannot_drive_a_terminal(self):
        form = forms.Form(forms.Part("a\x1b[2J", b"x", "evil\u202etxt.exe\x07"))
        done = run_weir("inspect", "--content-type", forms.CONTENT_TYPE, self.save(form.body))
        for hostile in (b"\x1b", b"\x07", "\u202e".encode()):
            self.assertNotIn(hostile, done.stdout + done.stderr)

    def test_boundary_is_guessed_where_nobody_says(self):
        form = forms.photo_form(1000)
        done = run_weir("inspect", "--json", self.save(form.body))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(json.loads(done.stdout)["parts"]), 2)
        self.assertIn(forms.BOUNDARY, done.stderr.decode())

    def test_large_bodies_take_little_memory(self):
        upload = forms.LargeUpload(512)
        with subprocess.Popen(
                [harness.weir_path, "inspect", "--json", "--content-type", forms.CONTENT_TYPE, "-"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=clean_environment()) as process:
            for piece in upload.pieces():
                process.stdin.write(piece)
            peak = peak_memory(process.pid)
            process.stdin.close()
            report = json.loads(process.stdout.read())
        self.assertEqual(report["parts"][0]["sha256"], upload.content_sha256)
        self.assertLess(peak, 40 * MEGABYTE)
