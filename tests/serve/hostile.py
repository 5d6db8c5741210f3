"""Hostile requests to the playground's server: afterwards it still answers, has no child, and as many descriptors and
as much memory as before. 1,500 requests; 10,000 with COUPLET_TEST_SCALE=1. Arguments: number of requests, seed."""
import json
import os
import random
import socket
import sys
from concurrent.futures import ThreadPoolExecutor

from server import IS_SANITIZED, Server, eventually

TEXT = "param eps : real, eps > 0;\nmechanism m(private q : real) returns real adjacent within(q, 1) { s <$ Lap(q, 1/eps); return s; }\n"


class Attack:
    def __init__(self, server, seed):
        self.server, self.seed = server, seed

    def head(self, method="POST", path="/api/check", version="HTTP/1.1", length=None, **fields):
        s = self.server
        lines = {"Host": s.authority, "X-Couplet-Token": s.token, "Content-Type": "application/json"}
        if length is not None:
            lines["Content-Length"] = length
        lines.update({k.replace("_", "-"): v for k, v in fields.items()})
        text = "%s %s %s\r\n" % (method, path, version)
        return (text + "".join("%s: %s\r\n" % (k, v) for k, v in lines.items() if v is not None) + "\r\n").encode("latin-1")

    # Each gives the bytes to send.

    def bad_host(self, r):
        hosts = ["evil.example", "127.0.0.1.evil.example:%d" % self.server.port, "", "localhost:99999999999", "[::1", "%00", "a" * 5000,
                 "localhost:-1", "\x80\xff"]
        return self.head(r.choice(("GET", "POST")), r.choice(("/", "/api/verify")), length=0, Host=r.choice(hosts))

    def bad_origin(self, r):
        return self.head(length=2, Origin=r.choice(("null", "http://evil.example", "", "file://", "x" * 3000))) + b"{}"

    def bad_token(self, r):
        return self.head(length=2, X_Couplet_Token=r.choice(("", "0" * 32, "0" * 10000, self.server.token[:31], "\xff" * 32))) + b"{}"

    def bad_method(self, r):
        return self.head(r.choice(("PUT", "DELETE", "CONNECT", "TRACE", "OPTIONS", "get", "", "A" * 4000, "POST\0")), r.choice(("/", "*", "/api/check")))

    def bad_length(self, r):
        lengths = ["-1", "99999999999999999999999", "2 3", "0x10", "1e3", "", "+5", "4294967297", "18446744073709551616", "3000000"]
        return self.head(length=r.choice(lengths)) + b"{}" * r.randrange(50)

    def two_lengths(self, r):
        return self.head(length=5)[:-2] + b"Content-Length: 7\r\nTransfer-Encoding: chunked\r\n\r\n" + b"5\r\n{}   \r\n0\r\n\r\n"

    def bad_chunks(self, r):
        chunks = [b"5\r\n{}   \r\n0\r\n\r\n", b"fffffffff\r\n", b"-5\r\n{}", b"zz\r\n", b"5;" + b"x" * 5000 + b"\r\n", b"ffffffffffffffffff\r\nab"]
        return self.head(Transfer_Encoding="chunked") + r.choice(chunks)

    def cut_body(self, r):
        return self.head(length=r.randrange(10, 100000)) + b'{"name": "a.dp", "te'

    def cut_head(self, r):
        whole = self.head(length=2)
        return whole[: r.randrange(len(whole))]

    def traversal(self, r):
        paths = ["/../../etc/passwd", "/..%2f..%2fetc/passwd", "//etc/passwd", "/api/../api/check", "/%2e%2e/", "/api/text?name=../x", "/\\..\\",
                 "http://evil.example/", "/" + "a/" * 3000, "/%", "/%zz", "/#", "/?" + "a=b&" * 2000]
        return self.head("GET", r.choice(paths))

    def bad_names(self, r):
        names = ["../../etc/passwd", "/etc/passwd", "correct/../../README.md", "a\0.dp", "x" * 5000, "correct/svt.dp\n", 7, None, [], "\ud800"]
        body = json.dumps({"name": r.choice(names), "text": TEXT}).encode()
        return self.head(path="/api/" + r.choice(("text", "check", "prob", "verify")), length=len(body)) + body

    def bad_json(self, r):
        bodies = [b"[" * 20000, b'{"a":' * 5000, b"\xff" * 100, b'{"name": "a.dp", "text": "\\u0000"}', b"1e99999", b'"' + b"x" * 50000, b"nan", b'{"name":}']
        body = r.choice(bodies)
        return self.head(path="/api/" + r.choice(("check", "prob", "text")), length=len(body)) + body

    def bad_text(self, r):
        text = "".join(chr(r.choice((r.randrange(128), r.randrange(0x3000)))) for _ in range(r.randrange(300)))
        body = json.dumps({"name": "a." + r.choice(("dp", "dipa")), "text": r.choice((text, TEXT + text, "(" * 3000))}).encode()
        return self.head(length=len(body)) + body

    def bad_values(self, r):
        values = ["1/0", "[", "1e999999", "9" * 3000, "-1", "q", "\n", "1/3"]
        body = json.dumps({"name": "a.dp", "text": TEXT, "params": {"eps": r.choice(values)}, "inputs": [{"q": r.choice(values)}]}).encode()
        return self.head(path="/api/prob", length=len(body)) + body

    def noise(self, r):
        return bytes(r.randrange(256) for _ in range(r.randrange(2000)))

    def pipelined(self, r):
        return self.head("GET", "/") * r.randrange(2, 20)

    def many_fields(self, r):
        return self.head("GET", "/")[:-2] + b"".join(b"X-%d: %s\r\n" % (i, b"y" * 50) for i in range(r.randrange(3000))) + b"\r\n"

    def run(self, number):
        r = random.Random("%s/%d" % (self.seed, number))
        cheap = [self.bad_host, self.bad_origin, self.bad_token, self.bad_method, self.bad_length, self.two_lengths, self.bad_chunks, self.cut_body,
                 self.cut_head, self.traversal, self.noise, self.pipelined, self.many_fields]
        costly = [self.bad_names, self.bad_json, self.bad_text, self.bad_values]  # a process each
        kind = r.choice(cheap) if r.random() < 0.85 else r.choice(costly)
        data, answered = kind(r), b""
        try:
            with self.server.connect() as s:
                s.settimeout(20)  # a few never get an answer: the server waits for the rest of the request
                s.sendall(data)
                if kind not in (self.cut_body, self.cut_head, self.noise, self.bad_length, self.bad_chunks) and r.random() < 0.8:
                    answered = s.recv(65536)
                elif r.random() < 0.5:
                    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # reset instead of a decent end
        except (ConnectionError, socket.timeout):
            pass
        if answered.startswith(b"HTTP/1.1 5"):
            return "%s: %r" % (kind.__name__, answered[-300:])
        return None


def main():
    scale = float(os.environ.get("COUPLET_TEST_SCALE", "0"))
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10000 if scale >= 1 else 1500
    seed = sys.argv[2] if len(sys.argv) > 2 else "couplet"
    server = Server("--timeout", "10", "--search", "1")
    attack = Attack(server, seed)

    def storm(first, last):
        with ThreadPoolExecutor(24) as pool:
            found = [f for f in pool.map(attack.run, range(first, last)) if f]
        calm = eventually(lambda: not server.children() and server.descriptors() <= quiet, 600)  # what waits may be much
        assert calm, "left behind: processes %s, %d descriptors, %d before" % (server.children(), server.descriptors(), quiet)
        return found

    server.ask("language")
    assert eventually(lambda: not server.children())
    quiet = server.descriptors()
    warm = count // 4  # buffers of the allocator have their size from then on
    failures = storm(0, warm)
    before = server.resident_kb()
    failures += storm(warm, count)
    after = server.resident_kb()
    assert server.process.poll() is None, "the server has ended: %s" % server.stderr()
    assert not failures, "internal errors:\n" + "\n".join(failures[:10])
    answer = server.ask("check", name="a.dp", text=TEXT)
    assert [d["severity"] for d in answer["diagnostics"]] in ([], [2], [3]), answer
    grown = after - before
    assert IS_SANITIZED or grown < 4096, "the server has grown by %d kB" % grown
    errors = server.stderr()
    assert "Sanitizer" not in errors, errors
    assert server.stop() == 0
    print("%d hostile requests; %d kB more, %d descriptors" % (count, grown, quiet))


main()
