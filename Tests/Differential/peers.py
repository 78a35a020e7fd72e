"""Parsers that are no Python: programs that read one form after the other, a line of JSON each."""

import base64
import json
import os
import select
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))


class Missing(Exception):
    """The parser is not on this machine."""


class Peer:
    """A running program that reads forms."""

    def __init__(self, command, environment):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=dict(os.environ, **environment))

    def __call__(self, content_type, body):
        """The parts; raises `ValueError` where the form is refused."""
        question = {"type": content_type, "body": base64.b64encode(body).decode()}
        self.process.stdin.write(json.dumps(question).encode() + b"\n")
        self.process.stdin.flush()
        if not select.select([self.process.stdout], [], [], 20)[0]:
            raise ValueError("it hangs")
        answer = json.loads(self.process.stdout.readline() or '{"error": "it crashed"}')
        if answer.get("error"):
            raise ValueError(answer["error"])
        return [(part.get("name"), part.get("filename"), base64.b64decode(part["content"]))
                for part in answer["parts"]]

    def close(self):
        self.process.stdin.close()
        self.process.wait(20)


def busboy(place):
    """Node's busboy, from where Debian's package puts it, or unpacked under `place`."""
    node = shutil.which("node")
    if node is None:
        raise Missing("there is no node")
    paths = [os.path.join(place, "debian/usr/share/nodejs"), "/usr/share/nodejs"]
    found = [path for path in paths if os.path.isdir(os.path.join(path, "busboy"))]
    if not found:
        raise Missing("there is no busboy")
    return Peer([node, os.path.join(HERE, "peers", "busboy.js")], {"NODE_PATH": found[0]})


def go(place):
    """Go's mime/multipart, as the `go` in PATH has it."""
    compiler = shutil.which("go")
    if compiler is None:
        raise Missing("there is no go")
    program = os.path.join(place, "mime")
    subprocess.run(
        [compiler, "build", "-o", program, os.path.join(HERE, "peers", "mime.go")], check=True,
        env=dict(os.environ, GO111MODULE="off", GOFLAGS="", GOCACHE=os.path.join(place, "cache")))
    return Peer([program], {})


PEERS = {"busboy": busboy, "go": go}
