"""The protocol itself: beginning, end, messages that make no sense."""
import json
import unittest

from case import COUPLET, SVT, Case
from client import RpcError, Server

PARSE, INVALID, NO_METHOD, BAD_PARAMS, TOO_EARLY = -32700, -32600, -32601, -32602, -32002


def frame(body):
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


class Protocol(Case):
    def expect_error(self, code, request, *args, **kwargs):
        with self.assertRaises(RpcError) as raised:
            request(*args, **kwargs)
        self.assertEqual(raised.exception.code, code, raised.exception.message)
        self.assertTrue(raised.exception.message)

    def is_alive(self):
        self.assertEqual(self.server.of("textDocument/documentSymbol", self.uri()), [])

    def setUp(self):
        super().setUp()
        self.server.open(self.uri(), "")

    def test_initialize_tells_the_capabilities(self):
        capabilities = self.info["capabilities"]
        for provider in (
            "hover definition references documentHighlight documentSymbol documentFormatting "
            "rename completion signatureHelp codeLens codeAction inlayHint semanticTokens executeCommand foldingRange documentLink"
        ).split():
            self.assertIn(provider + "Provider", capabilities)
        self.assertEqual(capabilities["positionEncoding"], "utf-16")
        self.assertEqual(capabilities["textDocumentSync"]["change"], 2)
        self.assertEqual(self.info["serverInfo"]["name"], "couplet")

    def test_shutdown_then_exit_is_status_0(self):
        self.assertEqual(self.server.close(), 0)

    def test_exit_without_shutdown_is_status_1(self):
        self.server.notify("exit")
        self.assertEqual(self.server.process.wait(30), 1)

    def test_end_of_input_ends_the_server(self):
        self.server.process.stdin.close()
        self.assertEqual(self.server.process.wait(30), 1)

    def test_end_of_input_inside_a_message(self):
        self.server.send_raw(b"Content-Length: 100\r\n\r\n{\"jsonrpc\"")
        self.server.process.stdin.close()
        self.assertEqual(self.server.process.wait(30), 1)

    def test_nothing_is_answered_before_initialize(self):
        early = self.new_server()
        for method in ("textDocument/hover", "shutdown", "no/such"):
            with self.assertRaises(RpcError) as raised:
                early.request(method)
            self.assertEqual(raised.exception.code, TOO_EARLY)
        early.notify("textDocument/didOpen", {"textDocument": {"uri": "file:///a.dp", "version": 1, "text": "("}})
        self.assertEqual(early.initialize()["serverInfo"]["name"], "couplet")
        with self.assertRaises(RpcError) as raised:  # the notification was dropped
            early.of("textDocument/documentSymbol", "file:///a.dp")
        self.assertEqual(raised.exception.code, BAD_PARAMS)

    def test_initialize_twice_is_refused(self):
        self.expect_error(INVALID, self.server.request, "initialize", {})

    def test_nothing_is_answered_after_shutdown(self):
        self.server.request("shutdown")
        self.expect_error(INVALID, self.server.of, "textDocument/hover", self.uri())
        self.server.notify("exit")
        self.assertEqual(self.server.process.wait(30), 0)

    def test_unknown_methods(self):
        self.expect_error(NO_METHOD, self.server.request, "textDocument/teleport")
        self.server.notify("$/whatever")
        self.server.notify("textDocument/whatever")
        self.is_alive()

    def test_bad_json(self):
        for body in (b"{", b"", b"nonsense", b"\xff\xfe", b'{"a": "\\ud800"}', b"[" * 100000, b'{"id": 1e999}'):
            self.server.stray.clear()
            self.server.send_raw(frame(body))
            self.is_alive()
            self.assertEqual([m["error"]["code"] for m in self.server.stray], [PARSE], body[:20])

    def test_json_that_is_no_request(self):
        for body in (b"[]", b"{}", b"[{}]", b'{"jsonrpc": "2.0", "method": 7}', b'{"id": {}, "method": "shutdown"}',
                     b'{"id": null, "method": "shutdown"}', b'{"method": "exit", "params": 3}'):
            self.server.stray.clear()
            self.server.send_raw(frame(body))
            self.is_alive()
            self.assertEqual([m["error"]["code"] for m in self.server.stray], [INVALID], body)

    def test_an_id_that_is_known_is_used_in_the_error(self):
        self.server.send_raw(frame(b'{"jsonrpc": "2.0", "id": "abc", "method": 7}'))
        while "abc" not in self.server.answers:
            self.server.take()
        self.assertEqual(self.server.answers["abc"]["error"]["code"], INVALID)

    def test_answers_of_the_client_are_taken_silently(self):
        self.server.send({"jsonrpc": "2.0", "id": 99, "result": None})
        self.server.send({"jsonrpc": "2.0", "id": 99, "error": {"code": 1, "message": "no"}})
        self.is_alive()
        self.assertEqual(self.server.stray, [])

    def test_malformed_headers(self):
        for header in (b"Content-Length: x\r\n\r\n", b"Content-Length: -5\r\n\r\n", b"Content-Type: a\r\n\r\n",
                       b"Content-Length: 99999999999999999999\r\n\r\n", b"\r\n\r\n", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
                       b"A" * 10000, b"\x00\x01\x02\r\n\r\n", b"Content-Length:\r\n\r\n"):
            self.server.stray.clear()
            self.server.send_raw(header)
            self.is_alive()
            self.assertEqual({m["error"]["code"] for m in self.server.stray}, {PARSE}, header[:30])

    def test_headers_that_are_fine(self):
        body = json.dumps({"jsonrpc": "2.0", "id": 71, "method": "textDocument/documentSymbol",
                           "params": {"textDocument": {"uri": self.uri()}}}).encode()
        for header in (b"content-length: %d\r\n\r\n", b"Content-Length:%d\r\n\r\n", b"Content-Length: %d\n\n",
                       b"Content-Length:   %d  \r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n",
                       b"X: y\r\nContent-Length: %d\r\n\r\n"):
            self.server.send_raw(header % len(body) + body)
            self.assertEqual(self.server.wait(71), [])

    def test_a_message_that_comes_byte_by_byte(self):
        body = json.dumps({"jsonrpc": "2.0", "id": 72, "method": "textDocument/documentSymbol",
                           "params": {"textDocument": {"uri": self.uri()}}}).encode()
        for byte in frame(body):
            self.server.send_raw(bytes([byte]))
        self.assertEqual(self.server.wait(72), [])

    def test_a_message_beyond_the_limit_is_stepped_over(self):
        size = 513 * 1024 * 1024
        self.server.send_raw(b"Content-Length: %d\r\n\r\n" % size)
        chunk = b" " * (1024 * 1024)
        for _ in range(513):
            self.server.send_raw(chunk)
        self.is_alive()
        self.assertEqual([m["error"]["code"] for m in self.server.stray], [PARSE])

    def test_bad_parameters(self):
        uri = self.uri()
        for params in ({}, {"textDocument": {}}, {"textDocument": {"uri": 5}}, {"textDocument": {"uri": uri}},
                       {"textDocument": {"uri": uri}, "position": {"line": -1, "character": 0}},
                       {"textDocument": {"uri": uri}, "position": {"line": 0.5, "character": 0}},
                       {"textDocument": {"uri": uri}, "position": {"line": "0", "character": 0}},
                       {"textDocument": {"uri": "file:///not/open.dp"}, "position": {"line": 0, "character": 0}}):
            for method in ("hover", "definition", "references", "rename", "prepareRename", "completion"):
                self.expect_error(BAD_PARAMS, self.server.request, "textDocument/" + method, params)
        self.expect_error(BAD_PARAMS, self.server.request, "textDocument/inlayHint", {"textDocument": {"uri": uri}})
        for params in ({}, {"command": "rm"}, {"command": "couplet.verifyFile"},
                       {"command": "couplet.verifyClaim", "arguments": [uri]},
                       {"command": "couplet.verifyClaim", "arguments": [uri, 1]},
                       {"command": "couplet.verifyClaim", "arguments": [uri, -1]},
                       {"command": "couplet.verifyFile", "arguments": [{}]}):
            self.expect_error(BAD_PARAMS, self.server.request, "workspace/executeCommand", params)

    def test_notifications_with_bad_parameters_change_nothing(self):
        for method in ("didOpen", "didChange", "didClose", "didSave"):
            for params in ({}, {"textDocument": None}, {"textDocument": {"uri": []}}, []):
                self.server.send({"jsonrpc": "2.0", "method": "textDocument/" + method, "params": params})
        self.server.notify("$/cancelRequest", {"id": 12345})
        self.server.notify("$/cancelRequest", {})
        self.server.notify("window/workDoneProgress/cancel", {"token": []})
        self.server.notify("workspace/didChangeConfiguration", {"settings": {"couplet": {"timeout": "x", "memory": -1}}})
        self.is_alive()

    def test_positions_beyond_the_text(self):
        uri = self.uri("far.dp")
        self.server.open(uri, SVT)
        for line, character in ((0, 10**9), (10**9, 0), (2**62, 2**62), (30, 30)):
            for method in ("hover", "definition", "completion", "documentHighlight"):
                self.server.at("textDocument/" + method, uri, line, character)
            self.server.at("textDocument/references", uri, line, character, context={})

    def test_a_client_that_stops_reading_does_not_keep_the_server(self):
        server = self.new_server()
        server.process.stdout.close()
        server.send({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}})
        self.assertEqual(server.process.wait(30), 1)

    def test_the_command_line(self):
        import subprocess

        run = subprocess.run([COUPLET, "lsp", "file.dp"], capture_output=True, stdin=subprocess.DEVNULL, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertIn("takes no file", run.stderr)
        run = subprocess.run([COUPLET, "lsp", "--stdio"], capture_output=True, stdin=subprocess.DEVNULL)
        self.assertEqual((run.returncode, run.stdout), (1, b""))


if __name__ == "__main__":
    unittest.main()
