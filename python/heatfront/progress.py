"""How far long work has come: a line on standard error, a bar in a notebook, or a function of the user's."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

Progress = Callable[[str, int, int, str, str], None]


class shown:
    """Shows progress while the work goes on, and clears it away when that ends."""

    def __init__(self, progress: bool | Progress) -> None:
        self._width = 0
        self._display: Any = None
        if callable(progress):
            self._function: Progress | None = progress
        elif progress:
            self._function = self._bar if _in_notebook() else self._line
        else:
            self._function = None

    def __enter__(self) -> Progress | None:
        return self._function

    def __exit__(self, *_: object) -> None:
        if self._width:
            print("\r" + " " * self._width + "\r", end="", file=sys.stderr, flush=True)
        if self._display is not None:
            self._display.update(_markup(""))

    def _line(self, stage: str, done: int, total: int, unit: str, detail: str) -> None:
        filled = 20 * done // total if total else 0
        bar = f" [{'#' * filled}{'.' * (20 - filled)}]" if total else ""
        text = f"{stage}{bar}{_share(done, total, unit)} {detail}".rstrip()
        print("\r" + text.ljust(self._width), end="", file=sys.stderr, flush=True)
        self._width = max(self._width, len(text))

    def _bar(self, stage: str, done: int, total: int, unit: str, detail: str) -> None:
        import html

        bar = f"<progress value='{done}' max='{total}'></progress> " if total else ""
        text = html.escape(f"{stage}{_share(done, total, unit)} {detail}".rstrip())
        if self._display is None:
            from IPython.display import display

            self._display = display(_markup(bar + text), display_id=True)
        else:
            self._display.update(_markup(bar + text))


def _share(done: int, total: int, unit: str) -> str:
    return f" {done}/{total} {unit}" if total else ""


def _markup(text: str) -> Any:
    from IPython.display import HTML

    return HTML(text)


def _in_notebook() -> bool:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")
