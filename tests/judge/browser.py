"""A real headless Chromium, driven over its DevTools pipe: no driver and no network port."""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import json
import os
import select
import shutil
import signal
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE = 60.0


def find_browser() -> str | None:
    """The path of a Chromium on this machine."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """One Chromium with one page."""

    def __init__(self, program: str, profile: Path) -> None:
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        # Chromium reads commands from descriptor 3 and answers on 4; ours must not be these.
        spare = [fcntl.fcntl(one, fcntl.F_DUPFD_CLOEXEC, 10) for one in (theirs_in, theirs_out)]
        self._pid = os.posix_spawn(
            program,
            [
                program,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-first-run",
                f"--user-data-dir={profile}",
                "--remote-debugging-pipe",
                "about:blank",
            ],
            {**os.environ, "HOME": str(profile), "DBUS_SESSION_BUS_ADDRESS": "disabled:"},
            file_actions=[
                (os.POSIX_SPAWN_DUP2, spare[0], 3),
                (os.POSIX_SPAWN_DUP2, spare[1], 4),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0o600),
            ],
        )
        for one in (theirs_in, theirs_out, *spare):
            os.close(one)
        self._in, self._out = ours_in, ours_out
        self._buffer = b""
        self._ids = itertools.count(1)
        self._session = ""
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and wait for its answer; events meanwhile are kept."""
        number = next(self._ids)
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == number:
                assert "error" not in answer, answer["error"]
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def open(self, page: Path, fragment: str = "") -> None:
        """Load a page afresh and wait until it is there."""
        # From another page, since a change of the fragment alone would load nothing.
        self._load("about:blank")
        self.events.clear()
        self._load(page.as_uri() + fragment)

    def _load(self, url: str) -> None:
        loader = self.call("Page.navigate", url=url)["loaderId"]
        done = {"name": "load", "loaderId": loader}
        while not any(
            event["method"] == "Page.lifecycleEvent" and done.items() <= event["params"].items()
            for event in self.events
        ):
            self.events.append(self._read())

    def evaluate(self, script: str) -> Any:
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def click(self, selector: str) -> None:
        """Click in the middle of an element, as a mouse does."""
        x, y = self.evaluate(
            f"(e => {{ e.scrollIntoView({{block: 'center', behavior: 'instant'}});"
            " const b = e.getBoundingClientRect();"
            " return [b.x + b.width / 2, b.y + b.height / 2]; })"
            f"(document.querySelector({json.dumps(selector)}))"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key: str) -> None:
        """Press a key that writes a character."""
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=key)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def complaints(self) -> list[str]:
        """What went to the console: errors, exceptions, refusals of the policy."""
        self.evaluate("0")
        wanted = {"Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"}
        return [json.dumps(event) for event in self.events if event["method"] in wanted]

    def requests(self) -> list[str]:
        """What the page asked for, itself included."""
        return [
            event["params"]["request"]["url"]
            for event in self.events
            if event["method"] == "Network.requestWillBeSent"
        ]

    def close(self) -> None:
        """End the browser."""
        self._session = ""
        with contextlib.suppress(OSError, AssertionError, TimeoutError):
            self.call("Browser.close")
        until = time.monotonic() + 5
        while os.waitpid(self._pid, os.WNOHANG) == (0, 0):
            if time.monotonic() > until:
                os.kill(self._pid, signal.SIGKILL)
                os.waitpid(self._pid, 0)
                break
            time.sleep(0.02)
        os.close(self._in)
        os.close(self._out)

    def _read(self) -> dict[str, Any]:
        until = time.monotonic() + PATIENCE
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            data = os.read(self._in, 1 << 16)
            if not data:
                raise OSError("the browser has ended")
            self._buffer += data
        message, _, self._buffer = self._buffer.partition(b"\0")
        answer: dict[str, Any] = json.loads(message)
        return answer


LIGHT_OF_COLOURS = """
    const rgba = text => { const c = text.match(/[\\d.]+/g).map(Number);
        return [c[0], c[1], c[2], c.length > 3 ? c[3] : 1]; };
    const over = (a, b) => [0, 1, 2].map(i => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
    const behind = e => { const c = e ? rgba(getComputedStyle(e).backgroundColor)
        : [255, 255, 255, 1]; return c[3] === 1 ? c : over(c, behind(e.parentElement)); };
    const light = c => { const [r, g, b] = c.slice(0, 3).map(v => { v /= 255;
        return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
        return .2126 * r + .7152 * g + .0722 * b; };
"""
"""JavaScript: `rgba` of a colour's text, what lies `behind` an element, `over` another, and its
`light` as WCAG 2 has it; what is translucent is blended."""
