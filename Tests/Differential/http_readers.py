"""Strict parsers of HTTP/1.1: what requests they see in the bytes of a connection."""

import base64
import json
import os
import shutil
import subprocess

import h11

HERE = os.path.dirname(os.path.abspath(__file__))


class Reading:
    """The whole requests in some bytes, and why the parser stopped before the end, if it did."""

    def __init__(self, requests, problem, methods=()):
        self.requests = requests
        self.problem = problem
        self.methods = methods


class Request:
    def __init__(self, method, target, fields, body):
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body

    def __eq__(self, other):
        return vars(self) == vars(other)

    def __repr__(self):
        return f"{self.method} {self.target} {self.fields} {self.body[:80]!r}"

    def values(self, name):
        return [value for key, value in self.fields if key == name]

    @property
    def origin(self):
        """The target as it goes upstream."""
        target = self.target
        if target[:7].lower() == "http://" or target[:8].lower() == "https://":
            rest = target.split("://", 1)[1]
            starts = [rest.index(sign) for sign in "/?" if sign in rest]
            path = rest[min(starts):] if starts else ""
            if not path and self.method == "OPTIONS":
                return "*"
            return path if path.startswith("/") else "/" + path
        return target


def read_with_h11(data):
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(data)
    connection.receive_data(b"")
    requests, head, body = [], None, b""
    try:
        while True:
            event = connection.next_event()
            if isinstance(event, h11.Request):
                head, body = event, b""
            elif isinstance(event, h11.Data):
                body += bytes(event.data)
            elif isinstance(event, h11.EndOfMessage):
                fields = [(name.decode(), value.decode("latin-1"))
                          for name, value in head.headers]
                requests.append(Request(
                    head.method.decode(), head.target.decode("latin-1"), fields, body))
                connection.send(h11.Response(status_code=200, headers=[("Content-Length", "0")]))
                connection.send(h11.EndOfMessage())
                if connection.our_state is not h11.DONE:
                    return Reading(requests, None)  # the connection ends here
                connection.start_next_cycle()
            elif event is h11.PAUSED:
                return Reading(requests, None)
            elif isinstance(event, h11.ConnectionClosed):
                return Reading(requests, None)
            else:
                return Reading(requests, f"{event}")
    except h11.RemoteProtocolError as error:
        return Reading(requests, str(error).split(": ")[0].split("(")[0].strip())
    except h11.LocalProtocolError as error:
        return Reading(requests, f"cannot answer: {error}")


class Node:
    """Node's parser, in a process of its own."""

    def __init__(self):
        program = shutil.which("node")
        if program is None:
            raise FileNotFoundError("there is no node")
        self._process = subprocess.Popen(
            [program, os.path.join(HERE, "peers", "http1.js")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __call__(self, data):
        question = {"data": base64.b64encode(data).decode()}
        self._process.stdin.write(json.dumps(question).encode() + b"\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        problem, requests = answer["error"], []
        found = answer["requests"]
        if problem == "HPE_CLOSED_CONNECTION" and found:
            # Bytes behind the last request of a connection; that one was whole.
            found[-1]["complete"], problem = True, None
        for seen in found:
            if not seen["complete"]:
                problem = problem or "incomplete"
                break
            raw = seen["fields"]
            fields = [(raw[i].lower(), raw[i + 1]) for i in range(0, len(raw), 2)]
            requests.append(Request(
                seen["method"], seen["target"], fields, base64.b64decode(seen["body"])))
        return Reading(requests, problem, answer["methods"])

    def close(self):
        self._process.stdin.close()
        self._process.wait(20)
