"""What the playground's server answers, to whom, and within which limits."""
import json
import math
import os
import signal
import subprocess
import tempfile
import unittest

from server import COUPLET, ROOT, Folder, Server, eventually, example

SIMPLE = """param eps : real, eps > 0;

mechanism laplace(private q : real) returns real
  adjacent within(q, 1)
{
  s <$ Lap(q, 1/eps);
  return s;
}

claim private laplace epsilon %s;

instance example {
  param eps = 1;
  input q = 10;
}
"""


def endless():
    with open(os.path.join(ROOT, "tests/scripts/endless.dp"), encoding="utf-8") as f:
        return f.read()


def command(*words, **options):
    done = subprocess.run([COUPLET, *words], capture_output=True, text=True, cwd=os.path.join(ROOT, "examples"),
                          env={**os.environ, "COUPLET_CACHE": "off"}, **options)
    return done


class Answers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()

    @classmethod
    def tearDownClass(cls):
        status = cls.server.stop()
        assert status == 0, status

    def test_page(self):
        for path, kind in (("/", "text/html"), ("/style.css", "text/css"), ("/report.css", "text/css"),
                           ("/script.js", "text/javascript"), ("/cards.js", "text/javascript"), ("/editor.js", "text/javascript"),
                           ("/bundle.js", "text/javascript")):
            status, headers, body = self.server.request("GET", path, X_Couplet_Token=None)
            self.assertEqual(status, 200, path)
            self.assertTrue(headers["Content-Type"].startswith(kind), path)
            policy = headers["Content-Security-Policy"]
            self.assertIn("default-src 'none'", policy)
            self.assertIn("frame-ancestors 'none'", policy)
            self.assertNotIn("unsafe", policy)
            self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
            self.assertNotIn(self.server.token.encode(), body)
        status, headers, body = self.server.request("GET", "/")
        nonce = headers["Content-Security-Policy"].split("'nonce-")[1].split("'")[0]
        self.assertIn(('content="%s"' % nonce).encode(), body)
        self.assertNotIn(nonce, self.server.request("GET", "/")[1]["Content-Security-Policy"])
        self.assertNotIn(b"{{", body)
        self.assertEqual(self.server.request("GET", "/etc/passwd")[0], 404)

    def test_gallery_is_the_folder(self):
        files = self.server.ask("gallery")["files"]
        wanted = []
        for folder, _, names in os.walk(os.path.join(ROOT, "examples")):
            wanted += [os.path.relpath(os.path.join(folder, n), os.path.join(ROOT, "examples")) for n in names
                       if n.endswith((".dp", ".dipa", ".py"))]
        self.assertEqual(sorted(f["name"] for f in files), sorted(wanted))
        about = {f["name"]: f["about"] for f in files}
        self.assertIn("Laplace mechanism", about["correct/laplace.dp"])
        self.assertIn("Adaptive sparse vector", about["correct/asv_bt.dp"])  # not its adversary
        for name in wanted[::9]:
            self.assertEqual(self.server.ask("text", name=name)["text"], example(name))

    def test_check_is_what_verify_reports(self):
        text = SIMPLE % "eps" + "\nclaim private nosuch epsilon eps;\nlet a = ;\n"
        found = self.server.ask("check", name="broken.dp", text=text)["diagnostics"]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "broken.dp")
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            record = json.loads(command("verify", "--json", "--no-search", path).stdout)
        wanted = [(d["code"], d["location"]["line"], d["location"]["column"]) for d in record["files"][0]["diagnostics"]]
        self.assertEqual([(d["code"], d["range"]["start"]["line"] + 1, d["range"]["start"]["character"] + 1) for d in found],
                         wanted)
        self.assertTrue(wanted)

    def test_check_knows_what_to_play_with(self):
        answer = self.server.ask("check", name="correct/svt.dp", text=example("correct/svt.dp"))
        self.assertEqual(answer["diagnostics"], [])
        self.assertEqual(answer["claims"], 1)
        things = answer["things"]
        self.assertEqual([p["name"] for p in things["params"]], ["eps", "n", "N"])
        self.assertEqual(things["mechanisms"][0]["inputs"], [{"name": "q", "type": "real[n]"}, {"name": "T", "type": "real"}])
        self.assertEqual(things["instances"][0]["params"], {"eps": "1", "n": "5", "N": "2"})
        floats = self.server.ask("check", name="floating/laplace_inverse.dp", text=example("floating/laplace_inverse.dp"))
        self.assertEqual(floats["things"]["instances"][0]["inputs"], {"x": "0.5"}) # as it is written

    def test_python_and_automata(self):
        for name in ("python/survey.py", "automata/svt.dipa"):
            found = self.server.ask("check", name=name, text=example(name))
            self.assertEqual([d for d in found["diagnostics"] if d["severity"] == 1], [], name)
            self.assertGreater(found["claims"] + name.endswith(".dipa"), 0)
        found = self.server.ask("check", name="new.py", text="import couplet\n\n@couplet.private(\n")
        self.assertTrue(found["diagnostics"])

    def test_verify_is_what_the_command_says(self):
        for epsilon, verdict in (("eps", "proved"), ("eps/2", "refuted")):
            text = SIMPLE % epsilon
            *progress, last = self.server.verify("claimed.dp", text)
            self.assertTrue(progress and all(p["event"] == "progress" for p in progress))
            self.assertEqual(last["event"], "result")
            claim = last["record"]["files"][0]["claims"][0]
            self.assertEqual((claim["name"], claim["verdict"]), ("laplace", verdict))
            self.assertIn('<article id="c1"', last["html"])
            self.assertIn("badge " + verdict, last["html"])
            with tempfile.TemporaryDirectory() as folder:
                source, certificate = os.path.join(folder, "claimed.dp"), os.path.join(folder, "claimed.cert")
                for path, content in ((source, text), (certificate, last["certificate"])):
                    with open(path, "w", encoding="utf-8") as f:
                        f.write(content)
                done = command("check", certificate, source)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(last["status"], 0 if verdict == "proved" else 10)
                with open(source, "a", encoding="utf-8") as f:
                    f.write("// another text\n")
                self.assertEqual(command("check", certificate, source).returncode, 2)

    def test_verify_shows_mistakes(self):
        *_, last = self.server.verify("broken.dp", "mechanism m(")
        self.assertEqual(last["status"], 2)
        self.assertIn("diag error", last["html"])
        self.assertIsNone(last["certificate"])

    def test_prob_is_that_of_the_command(self):
        name = "incorrect/noisy_max_1.dp"
        answers = self.server.ask("prob", name=name, text=example(name), params={"eps": "1/3"},
                                  inputs=[{}, {"q": "[4, 6, 8, 1]"}])["answers"]
        for answer, more in zip(answers, ([], ["--input", "q=[4, 6, 8, 1]"])):
            done = command("prob", "--json", "--digits", "6", "--param", "eps=1/3", *more, name)
            self.assertEqual(answer, json.loads(done.stdout))
            self.assertAlmostEqual(sum(float(o["value"]) for o in answer["outcomes"]), 1, places=4)
        event = self.server.ask("prob", name=name, text=example(name), output="2", inputs=[{}])["answers"][0]
        self.assertEqual(event["kind"], "event")

    def test_density_on_a_grid(self):
        """Against the density of Laplace noise in closed form."""
        answers = self.server.ask("prob", name="x.dp", text=SIMPLE % "eps", params={"eps": "3/2"},
                                  inputs=[{"q": "10"}, {"q": "9"}])["answers"]
        self.assertEqual([p["x"] for p in answers[0]["points"]], [p["x"] for p in answers[1]["points"]])
        for q, answer in zip((10, 9), answers):
            self.assertEqual(answer["kind"], "density")
            self.assertGreater(len(answer["points"]), 50)
            for p in answer["points"]:
                true = 0.75 * math.exp(-1.5 * abs(p["x"] - q))
                self.assertLessEqual(float(p["lower"]), true * (1 + 1e-12))
                self.assertGreaterEqual(float(p["upper"]), true * (1 - 1e-12))
                self.assertLess(float(p["upper"]) - float(p["lower"]), 1e-6)

    def test_prob_says_what_is_wrong(self):
        for fields in ({"params": {"eps": "-1"}}, {"params": {"eps": "no"}}, {"params": {"zeta": "1"}}, {"output": "["},
                       {"mechanism": "nosuch"}, {"inputs": [{"q": "[1]"}]}):
            answer = self.server.ask("prob", name="x.dp", text=SIMPLE % "eps", **{"inputs": [{}], **fields})["answers"][0]
            self.assertTrue(answer["error"], fields)
        for fields in ({"inputs": []}, {"inputs": [{}, {}, {}]}, {"inputs": {}}, {"inputs": [{"q": 1}]},
                       {"inputs": [{}], "params": []}):
            self.assertEqual(self.server.post("prob", {"name": "x.dp", "text": SIMPLE % "eps", **fields})[0], 400, fields)

    def test_language(self):
        words = self.server.ask("language")["words"]
        self.assertIn("mechanism", words["reserved"])
        self.assertIn("Lap", words["distribution"])


class Guards(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def status(self, **headers):
        return self.server.post("language", {}, **headers)[0]

    def test_hosts(self):
        port = self.server.port
        for host in ("localhost:%d" % port, "LOCALHOST:%d" % port, "127.0.0.1:%d" % port, "127.1.2.3:%d" % port,
                     "[::1]:%d" % port):
            self.assertEqual(self.status(Host=host), 200, host)
        for host in ("evil.example:%d" % port, "localhost.evil.example:%d" % port, "127.0.0.1.evil.example:%d" % port,
                     "localhost", "localhost:%d" % (port ^ 1), "localhost:", "10.0.0.1:%d" % port, "0:%d" % port,
                     "[::2]:%d" % port, "[::1:%d" % port, "localhost:%d0" % port, ":%d" % port, "",
                     "localhost:%d@evil.example" % port, "127.1:%d" % port, "x" * 300 + ":%d" % port):
            self.assertIn(self.status(Host=host), (400, 403), host)
            self.assertIn(self.server.request("GET", "/", Host=host)[0], (400, 403), host)

    def test_origins(self):
        host = self.server.authority
        for origin in (None, "http://" + host):
            self.assertEqual(self.status(Origin=origin), 200, origin)
        for origin in ("null", "https://" + host, "http://evil.example", "http://localhost:%d" % self.server.port,
                       "http://" + host + ".evil.example", "http://" + host + "/", ""):
            self.assertEqual(self.status(Origin=origin), 403, origin)
        for site, wanted in (("same-origin", 200), ("none", 200), ("cross-site", 403), ("same-site", 403)):
            self.assertEqual(self.status(Sec_Fetch_Site=site), wanted, site)

    def test_token(self):
        token = self.server.token
        for wrong in (None, "", token[:-1], token + "0", token.upper() + " x", "0" * 32, token[::-1]):
            self.assertEqual(self.status(X_Couplet_Token=wrong), 401, wrong)
        self.assertEqual(self.server.post("cancel", {}, X_Couplet_Token="0" * 32, X_Couplet_Job="a")[0], 401)
        other = Server()
        self.assertNotEqual(other.token, token)
        other.stop()

    def test_methods_types_and_names(self):
        self.assertEqual(self.status(Content_Type="text/plain"), 415)
        self.assertEqual(self.status(Content_Type=None), 415)
        self.assertEqual(self.status(Content_Type="application/json; charset=utf-8"), 200)
        for method in ("PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "BREW"):
            self.assertEqual(self.server.request(method, "/api/language")[0], 405, method)
        self.assertEqual(self.server.request("GET", "/api/language")[0], 404)
        self.assertEqual(self.server.request("HEAD", "/")[0], 200)
        for name in ("", "nosuch", "check/", "../api/check", "check%00"):
            self.assertEqual(self.server.post(name, {})[0], 404, name)

    def test_bodies(self):
        for body in (b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"name": 1, "text": 2}', b'{"name": "a.dp"}', b"[" * 100000):
            self.assertEqual(self.server.request("POST", "/api/check", body)[0], 400, body[:20])
        self.assertEqual(self.server.request("POST", "/api/check", b"{}", Content_Length="999999999999")[0], 413)
        self.assertIn(self.server.request("POST", "/api/check", b" " * (2 << 20) + b"{}")[0], (0, 413))

    def test_text_with_nul(self):
        answer = self.server.ask("check", name="a.dp", text="param eps : real;\0")
        self.assertTrue(answer["diagnostics"])


class Limits(unittest.TestCase):
    def test_cancel(self):
        server = Server("--search", "100", "--timeout", "200")
        running = server.begin("endless.dp", endless(), "abc")
        self.assertEqual(server.post("cancel", {}, X_Couplet_Job="abd")[0], 404)
        self.assertEqual(server.post("cancel", {}, X_Couplet_Job="abc")[0], 200)
        seen = b""
        while more := running.recv(65536):
            seen += more
        running.close()
        self.assertIn(b'"event":"result"', seen)
        self.assertIn(b"interrupted", seen)
        self.assertTrue(eventually(lambda: not server.children()))
        self.assertEqual(server.post("cancel", {}, X_Couplet_Job="abc")[0], 404)
        self.assertEqual(server.stop(), 0)

    def test_leaving_ends_the_work(self):
        server = Server("--search", "100", "--timeout", "200")
        running = server.begin("endless.dp", endless(), "abc")
        self.assertTrue(server.children())
        running.close()
        self.assertTrue(eventually(lambda: not server.children()))
        self.assertEqual(server.stop(), 0)

    def test_leaving_before_an_answer(self):
        """The work on a request that is answered at once, not as a stream, ends with its connection, too."""
        server = Server()
        body = json.dumps({"name": "a.py", "text": "def f(" + "(" * 100000}).encode()
        with server.connect() as s:
            s.sendall(("POST /api/check HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nX-Couplet-Token: %s\r\n"
                       "Content-Length: %d\r\n\r\n" % (server.authority, server.token, len(body))).encode() + body)
        self.assertTrue(eventually(lambda: not server.children()))
        self.assertEqual(server.post("language", {})[0], 200)
        server.stop()

    def test_busy(self):
        server = Server("--search", "100", "--timeout", "200", "--jobs", "1")
        running = server.begin("endless.dp", endless(), "abc")
        status, headers, _ = server.post("language", {})
        self.assertEqual(status, 429)
        self.assertTrue(headers["Retry-After"])
        running.close()
        self.assertTrue(eventually(lambda: server.post("language", {})[0] == 200))
        server.stop()

    def test_time(self):
        server = Server("--search", "100", "--timeout", "1")
        *_, last = server.verify("endless.dp", endless())
        claim = last["record"]["files"][0]["claims"][0]
        self.assertEqual(claim["verdict"], "unknown")
        self.assertTrue(claim["reason"])
        server.stop()

    @unittest.skipUnless(float(os.environ.get("COUPLET_TEST_SCALE", "0")) >= 1, "waits for 20 seconds")
    def test_slow_peers_are_cut_off(self):
        """Also those that never stop sending."""
        server = Server()
        head = "GET / HTTP/1.1\r\nHost: %s\r\n" % server.authority
        peers = [server.connect() for _ in range(10)]
        for p in peers:
            p.sendall(head.encode())
            p.settimeout(0.5)

        def is_cut(peer):
            try:
                peer.sendall(b"X")
                return peer.recv(1) == b""
            except TimeoutError:
                return False
            except OSError:
                return True

        self.assertFalse(is_cut(peers[0]))
        for p in peers:
            self.assertTrue(eventually(lambda: is_cut(p)))
            p.close()
        self.assertEqual(server.post("language", {})[0], 200)
        server.stop()

    def test_stopping_leaves_nobody(self):
        server = Server("--search", "100", "--timeout", "200")
        running = server.begin("endless.dp", endless(), "abc")
        workers = server.children()
        self.assertTrue(workers)
        self.assertEqual(server.stop(signal.SIGTERM), 0)
        self.assertTrue(eventually(lambda: not any(os.path.exists("/proc/%d/exe" % w) for w in workers)))
        running.close()


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.folder.write("sub/fine.dp", "/* Something small. More. */\n" + SIMPLE % "eps")
        self.folder.write("sub/part.dp", "param zeta : real;\n")
        self.folder.write(".hidden.dp", "")
        self.folder.write("notes.txt", "")
        self.folder.link("../secret.dp", "leak.dp")
        self.folder.link("..", "out")
        self.folder.link("fine.dp", "sub/inner.dp")
        self.server = Server("--folder", self.folder.path)

    def tearDown(self):
        self.server.stop()
        self.folder.remove()

    def test_names(self):
        files = self.server.ask("gallery")["files"]
        self.assertEqual(files, [{"name": "sub/fine.dp", "about": "Something small"}, {"name": "sub/part.dp", "about": ""}])
        for name in ("leak.dp", "out/secret.dp", "../secret.dp", "sub/../../secret.dp", "sub/inner.dp", ".hidden.dp",
                     "notes.txt", "/etc/passwd", os.path.join(self.folder.top, "secret.dp"), "sub//fine.dp", "sub/./fine.dp",
                     "sub", "", ".", "..", "sub/fine.dp/", "sub/fine.dp\0.dp", "-x.dp", "a" * 300 + ".dp", "sub\\fine.dp", "~/a.dp"):
            for request in ("text", "check", "verify", "prob"):
                fields = {"name": name, "text": SIMPLE % "eps", "inputs": [{}]}
                status, _, body = self.server.post(request, fields)
                refused = status == 400 or (status == 200 and request == "verify" and b'{"error":' in body)
                self.assertTrue(refused, (request, name, status, body[:200]))
                self.assertNotIn(b"secret_word", body)

    def test_includes_stay_inside(self):
        inside = 'include "part.dp";\n' + SIMPLE % "eps"
        self.assertEqual(self.server.ask("check", name="sub/new.dp", text=inside)["diagnostics"], [])
        for path in ("../secret.dp", "leak.dp", "out/secret.dp", "../../secret.dp", os.path.join(self.folder.top, "secret.dp"),
                     "/etc/passwd", "/dev/zero"):
            text = 'include "%s";\nparam secret_word : bool;\n' % path
            answer = json.dumps(self.server.ask("check", name="new.dp", text=text))
            self.assertIn('"severity": 1', answer, path)
            self.assertNotIn("declared twice", answer, path)
            self.assertNotIn("root:", answer, path)

    def test_paths_are_those_of_the_folder(self):
        *_, last = self.server.verify("sub/fine.dp", SIMPLE % "eps")
        self.assertEqual(last["record"]["files"][0]["file"], "sub/fine.dp")
        self.assertNotIn(self.folder.top, json.dumps(last))


class Command(unittest.TestCase):
    def run_serve(self, *words):
        return command("serve", "--no-open", *words)

    def test_mistakes(self):
        for words, status, message in ((["--folder", "/nosuch"], 2, "'/nosuch' is not a folder"),
                                       (["--port", "70000"], 1, "--port must be at most 65535"),
                                       (["--jobs", "0"], 1, "--jobs must be between 1 and 64"),
                                       (["--bind", "localhost"], 1, "is not a numeric address"),
                                       (["file.dp"], 1, "it takes no file")):
            done = self.run_serve(*words)
            self.assertEqual(done.returncode, status, words)
            self.assertIn(message, done.stderr)

    def test_port_in_use(self):
        server = Server()
        done = self.run_serve("--port", str(server.port))
        self.assertEqual(done.returncode, 2)
        self.assertIn("another port: --port P", done.stderr)
        server.stop()

    def test_other_addresses(self):
        server = Server("--bind", "0.0.0.0")
        self.assertIn("can be reached from other machines", server.stderr())
        self.assertEqual(server.post("language", {}, Host="192.0.2.1:%d" % server.port)[0], 200)
        self.assertEqual(server.post("language", {}, Host="evil.example:%d" % server.port)[0], 403)
        server.stop()
        quiet = Server("--bind", "127.0.0.2")
        self.assertEqual(quiet.stderr(), "")
        quiet.stop()


if __name__ == "__main__":
    unittest.main()
