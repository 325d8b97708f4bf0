"""HTTP with the standard library: JSON, forms, problems, and retries where sending twice does the work once."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from http.client import HTTPException
from pathlib import PurePath
from typing import Any, Callable, Mapping

from ._api import OPERATIONS, Operation
from .errors import Refused, Unreachable

# These change nothing, or store by content, so that a second time changes nothing.
HARMLESS = {"post-runs-plan", "post-answers"}
# What a server or a proxy says that may be over in a moment.
PASSING = {429, 502, 503, 504}

Files = Mapping[str, tuple[str, bytes]]


class Stays(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the token belongs to one server."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Transport:
    """Sends requests to one server. sleep and opener are for tests."""

    def __init__(self, url: str, token: str, timeout: float, retries: int, sleep: Callable[[float], None] = time.sleep) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise Unreachable("url", f"{url!r} is no address of a server", "write it as https://HOST or http://127.0.0.1:7700")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise Unreachable("url", "the address holds more than scheme, host, port and path", "give the token as WORKBENCH_TOKEN")
        here = parts.hostname == "localhost" or parts.hostname.startswith("127.") or parts.hostname == "::1"
        if token and parts.scheme == "http" and not here:
            raise Unreachable("plain_http", f"the token would travel to {parts.hostname} unencrypted", "use an https address")
        self.base = url.rstrip("/") + "/api/v1"
        self.token, self.timeout, self.retries, self.sleep = token, timeout, retries, sleep
        proxies = [urllib.request.ProxyHandler({})] if here else []  # a proxy cannot reach this machine
        self.opener = urllib.request.build_opener(Stays, *proxies)

    def call(self, name: str, path: Mapping[str, str] | None = None, query: Mapping[str, Any] | None = None, body: Any = None,
             form: Mapping[str, str | None] | None = None, files: Files | None = None) -> Any:
        """Calls an operation of the contract and returns its reply; Refused and Unreachable say what went wrong."""
        operation = OPERATIONS[name]
        url = self.base + operation.path.format(**{key: urllib.parse.quote(value, safe="") for key, value in (path or {}).items()})
        asked = {key: spelt(value) for key, value in (query or {}).items() if value not in (None, "", [], ())}
        if asked:
            url += "?" + urllib.parse.urlencode(asked)
        data, headers = None, {"Accept": "application/json", "User-Agent": "rag-workbench-python"}
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        if operation.once:
            headers["Idempotency-Key"] = uuid.uuid4().hex
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        elif files is not None:
            data, headers["Content-Type"] = multipart(form or {}, files)
        elif operation.method != "GET":
            data, headers["Content-Type"] = b"{}", "application/json"
        request = urllib.request.Request(url, data, headers, method=operation.method)
        return self.send(request, 1 + self.retries if repeatable(name, operation) else 1)

    def send(self, request: urllib.request.Request, tries: int) -> Any:
        for left in range(tries - 1, -1, -1):
            wait = 0.5 * 2 ** (tries - 1 - left)
            try:
                with self.opener.open(request, timeout=self.timeout) as reply:
                    return decoded(reply.read(), self.base)
            except urllib.error.HTTPError as error:
                with error:
                    refusal = refused(error, self.base)
                if error.code not in PASSING or left == 0:
                    raise refusal from None
                wait = min(max(wait, seconds(error.headers.get("Retry-After"))), 30)
            except (OSError, HTTPException) as error:
                if left == 0:
                    reason = getattr(error, "reason", error)
                    raise Unreachable("unreachable", f"{self.base} did not answer: {reason}",
                                      "start it with `workbench serve`, or set WORKBENCH_URL") from error
            self.sleep(wait)
        raise AssertionError("unreachable: the last try returns or raises")


def repeatable(name: str, operation: Operation) -> bool:
    """Whether a request may be sent again when nobody knows what became of it."""
    return operation.method in ("GET", "PUT", "DELETE") or operation.once or name in HARMLESS


def refused(error: urllib.error.HTTPError, base: str) -> Refused | Unreachable:
    """The server's problem; where something else answers, that it is no workbench."""
    try:
        problem = json.loads(error.read())
    except (OSError, HTTPException, ValueError):
        problem = None
    if isinstance(problem, dict) and "code" in problem:
        return Refused(error.code, problem)
    return Unreachable("no_workbench", f"{base} answered {error.code} {error.reason}, not as a workbench does", "check WORKBENCH_URL")


def decoded(body: bytes, base: str) -> Any:
    """A reply. A list that the server left null is an empty one."""
    if not body:
        return None
    try:
        return json.loads(body, object_hook=lambda o: {key: [] if value is None else value for key, value in o.items()})
    except ValueError:
        raise Unreachable("no_workbench", f"{base} did not answer in JSON, as a workbench does", "check WORKBENCH_URL") from None


def spelt(value: Any) -> str:
    """A parameter as the API spells it: lists with commas, truth as true."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(str(v) for v in value)
    return str(value)


def seconds(header: str | None) -> float:
    return float(header) if header and header.isdecimal() else 0.0


def multipart(form: Mapping[str, str | None], files: Files) -> tuple[bytes, str]:
    """A form with files. Only the last part of a file's name is sent."""
    boundary = uuid.uuid4().hex
    parts = []
    for name, value in form.items():
        if value:
            parts.append(f'Content-Disposition: form-data; name="{name}"\r\n\r\n'.encode() + value.encode())
    for name, (file, content) in files.items():
        safe = PurePath(file).name.replace('"', "_").replace("\r", "_").replace("\n", "_")
        head = f'Content-Disposition: form-data; name="{name.split("#")[0]}"; filename="{safe}"\r\n'
        parts.append(head.encode() + b"Content-Type: application/octet-stream\r\n\r\n" + content)
    joined = b"".join(b"--" + boundary.encode() + b"\r\n" + part + b"\r\n" for part in parts)
    return joined + f"--{boundary}--\r\n".encode(), "multipart/form-data; boundary=" + boundary
