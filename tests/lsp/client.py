"""A small LSP client for tests: Python standard library only.

Server runs `couplet lsp` over pipes. request() waits for the answer; notifications and requests of
the server that arrive meanwhile are kept in .notes and .asked. Every read has a time limit.
"""
import contextlib
import json
import os
import select
import subprocess
import time

LIMIT = 60  # seconds for any one answer; sanitizer builds are slow


class RpcError(Exception):
    def __init__(self, error):
        super().__init__(f"{error['code']}: {error['message']}")
        self.code = error["code"]
        self.message = error["message"]


class Server:
    def __init__(self, couplet, *options, cwd=None):
        self.process = subprocess.Popen(
            [couplet, "lsp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=cwd
        )
        self.buffer = b""
        self.held = None
        self.next_id = 1
        self.notes = []
        self.asked = []
        self.answers = {}
        self.stray = []  # answers to nothing: id null

    # ---- bytes ----
    def send_raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps(message).encode()
        framed = b"Content-Length: %d\r\n\r\n" % len(body) + body
        if self.held is None:
            self.send_raw(framed)
        else:
            self.held += framed

    @contextlib.contextmanager
    def at_once(self):
        """What is sent inside goes out in one piece, so that the server has it all before it does anything else."""
        self.held = b""
        yield
        held, self.held = self.held, None
        assert len(held) < 65536
        self.send_raw(held)

    def read(self, limit=LIMIT):
        """The next message, or None at the end of the output."""
        end = time.monotonic() + limit
        while True:
            head, blank, rest = self.buffer.partition(b"\r\n\r\n")
            if blank:
                length = int(head.split(b":")[1])
                if len(rest) >= length:
                    self.buffer = rest[length:]
                    return json.loads(rest[:length])
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise TimeoutError("the server does not answer")
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                return None
            self.buffer += data

    def take(self, limit=LIMIT):
        message = self.read(limit)
        if message is None:
            raise EOFError(f"the server has gone: {self.process.wait()}")
        assert message["jsonrpc"] == "2.0", message
        if "method" in message:
            (self.asked if "id" in message else self.notes).append(message)
        elif message["id"] is None:
            self.stray.append(message)
        else:
            self.answers[message["id"]] = message
        return message

    # ---- messages ----
    def notify(self, method, params=None):
        self.send({"jsonrpc": "2.0", "method": method, "params": params or {}})

    def start(self, method, params=None):
        self.next_id += 1
        self.send({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params or {}})
        return self.next_id

    def wait(self, number, limit=LIMIT):
        end = time.monotonic() + limit
        while number not in self.answers:
            self.take(max(0.1, end - time.monotonic()))
        answer = self.answers.pop(number)
        if "error" in answer:
            raise RpcError(answer["error"])
        return answer["result"]

    def request(self, method, params=None, limit=LIMIT):
        return self.wait(self.start(method, params), limit)

    def wait_note(self, method, test=lambda params: True, limit=LIMIT):
        """The next notification of this kind that passes the test; the others are kept."""
        end = time.monotonic() + limit
        while True:
            for i, note in enumerate(self.notes):
                if note["method"] == method and test(note["params"]):
                    return self.notes.pop(i)["params"]
            self.take(max(0.1, end - time.monotonic()))

    # ---- the protocol ----
    def initialize(self, **params):
        params.setdefault("processId", None)
        params.setdefault("rootUri", None)
        params.setdefault("capabilities", {})
        result = self.request("initialize", params)
        self.notify("initialized")
        return result

    def open(self, uri, text, version=1):
        self.notify(
            "textDocument/didOpen",
            {"textDocument": {"uri": uri, "languageId": "couplet", "version": version, "text": text}},
        )
        return self.diagnostics(uri, version)

    def change(self, uri, text, version):
        self.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]},
        )
        return self.diagnostics(uri, version)

    def diagnostics(self, uri, version=None):
        found = self.wait_note(
            "textDocument/publishDiagnostics",
            lambda p: p["uri"] == uri and (version is None or p.get("version") == version),
        )
        return found["diagnostics"]

    def at(self, method, uri, line, character, **more):
        return self.request(
            method,
            {
                "textDocument": {"uri": uri},
                "position": {"line": line, "character": character},
                **more,
            },
        )

    def of(self, method, uri, **more):
        return self.request(method, {"textDocument": {"uri": uri}, **more})

    def close(self):
        """A proper end; the exit status."""
        self.request("shutdown")
        self.notify("exit")
        self.process.stdin.close()
        status = self.process.wait(LIMIT)
        self.process.stdout.close()
        return status


def place(text, needle, skip=0, inside=0):
    """(line, character) of the (skip+1)-th occurrence of needle, in UTF-16 units."""
    at = -1
    for _ in range(skip + 1):
        at = text.index(needle, at + 1)
    at += inside
    line = text.count("\n", 0, at)
    start = text.rfind("\n", 0, at) + 1
    return line, len(text[start:at].encode("utf-16-le")) // 2
