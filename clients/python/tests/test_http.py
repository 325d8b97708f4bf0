"""Requests against a server that misbehaves on purpose."""

from __future__ import annotations

import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests import world

from rag_workbench import Client, Refused, Unreachable

PROBLEM = {"type": "urn:workbench:problem:busy", "title": "Busy", "status": 503, "code": "busy", "detail": "busy", "hint": "wait"}


class Scripted(BaseHTTPRequestHandler):
    """Answers with the next of the server's replies, and notes what was asked."""

    server: Any

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.asked.append((self.command, self.path, dict(self.headers), body))
        status, headers, said = self.server.replies.pop(0)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(said if isinstance(said, bytes) else json.dumps(said).encode())

    do_GET = do_POST = do_PUT = answer

    def log_message(self, *_: Any) -> None:
        """Nothing."""


class HTTP(unittest.TestCase):
    def setUp(self) -> None:
        server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Scripted)
        server.asked, server.replies = [], []
        self.server = server
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.waits: list[float] = []
        self.client = Client(self.url, token="secret", sleep=self.waits.append)

    def script(self, *replies: tuple[int, dict[str, str], Any]) -> None:
        self.server.asked.clear()
        self.server.replies[:] = replies

    def test_a_read_is_tried_again_and_the_token_is_sent(self) -> None:
        self.script((503, {"Retry-After": "3"}, PROBLEM), (502, {}, b"<html>"), (200, {}, {"version": "v1", "permissions": None}))
        said = self.client.me()
        self.assertEqual((said["version"], said["permissions"]), ("v1", []), "a list that is null is an empty one")
        self.assertEqual(self.waits, [3.0, 1.0])
        self.assertEqual([headers["Authorization"] for _, _, headers, _ in self.server.asked], ["Bearer secret"] * 3)

    def test_a_start_is_sent_again_with_the_same_key(self) -> None:
        self.script((503, {}, PROBLEM), (202, {}, {"run_id": "r"}))
        self.client.start("faq", budget="1")
        keys = {headers["Idempotency-Key"] for _, _, headers, _ in self.server.asked}
        self.assertEqual((len(self.server.asked), len(keys)), (2, 1))
        self.script((202, {}, {"run_id": "r"}))
        self.client.start("faq")
        self.assertNotIn(self.server.asked[0][2]["Idempotency-Key"], keys, "another start is another run")

    def test_what_may_not_be_sent_twice_is_sent_once(self) -> None:
        self.script((503, {}, PROBLEM), (200, {}, {}))
        with self.assertRaises(Refused) as raised:
            self.client.cancel("r")
        self.assertEqual((len(self.server.asked), raised.exception.code, raised.exception.hint), (1, "busy", "wait"))

    def test_a_refusal_is_not_tried_again(self) -> None:
        refusal = {**PROBLEM, "status": 404, "code": "run_unknown", "detail": "there is no run", "field": "id", "params": {"id": "r"}}
        self.script((404, {}, refusal))
        with self.assertRaises(Refused) as raised:
            self.client.get_run("a/b")
        error = raised.exception
        self.assertEqual((error.status, error.code, error.field, error.params), (404, "run_unknown", "id", {"id": "r"}))
        self.assertEqual(str(error), "there is no run [run_unknown]\n  next: wait")
        self.assertEqual(self.server.asked[0][1], "/api/v1/runs/a%2Fb")

    def test_the_token_follows_no_redirect(self) -> None:
        self.script((302, {"Location": self.url + "/elsewhere"}, b""))
        with self.assertRaises(Unreachable) as raised:
            self.client.me()
        self.assertEqual((raised.exception.code, len(self.server.asked)), ("no_workbench", 1))

    def test_the_token_does_not_travel_in_the_open(self) -> None:
        with self.assertRaises(Unreachable) as raised:
            Client("http://bench.example", token="secret")
        self.assertEqual(raised.exception.code, "plain_http")
        self.assertNotIn("secret", repr(Client("https://bench.example", token="secret")))

    def test_addresses_that_are_none(self) -> None:
        for url in ("bench.example", "ftp://bench.example", "http://user:word@127.0.0.1", "http://127.0.0.1/?x=1"):
            with self.assertRaises(Unreachable, msg=url):
                Client(url, token="")

    def test_nobody_answers(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        with self.assertRaises(Unreachable) as raised:
            self.client.me()
        self.assertEqual((raised.exception.code, self.waits), ("unreachable", [0.5, 1.0, 2.0]))

    def test_lists_are_read_part_by_part(self) -> None:
        self.script((200, {}, {"items": [{"run_id": "b"}], "next_cursor": "more", "total": 2}),
                    (200, {}, {"items": [{"run_id": "a"}], "next_cursor": "", "total": 2}))
        self.assertEqual([run["run_id"] for run in self.client.runs(experiment="faq", children=True)], ["b", "a"])
        self.assertEqual(self.server.asked[1][1], "/api/v1/runs?limit=200&experiment=faq&children=true&cursor=more")

    def test_answers_are_sent_as_a_form(self) -> None:
        self.script((200, {}, {}))
        self.client.log_answers("log", "faq", [{"question_id": "q1", "answer": "はい"}])
        _, _, headers, body = self.server.asked[0]
        self.assertIn("multipart/form-data", headers["Content-Type"])
        for part in ('name="dataset"\r\n\r\nfaq\r\n', 'filename="log.jsonl"', '{"question_id": "q1", "answer": "はい"}'):
            self.assertIn(part.encode(), body)


if __name__ == "__main__":
    unittest.main()
