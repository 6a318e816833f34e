"""The explorer's page as a widget of a notebook."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from . import _core

if TYPE_CHECKING:
    from .model import Model


class Explorer:
    """The page's questions and their answers, whatever carries them; the rules are those of `heatfront explore`."""

    def __init__(self, model: Model) -> None:
        function, (data, report, classes, threads) = model.__reduce__()
        self._made = function
        self._rest = (report, classes, threads)
        self._inner = _core.Explorer(data, threads)

    def answer(self, path: str, body: str | None = None) -> tuple[int, bytes]:
        """Status and bytes of the reply to a `path`, such as "why?node=3"; with a body it changes something."""
        asked = urlsplit(path)
        method = "GET" if body is None else "POST"
        return self._inner.handle(method, f"/api/{asked.path}", dict(parse_qsl(asked.query)), body or "")

    @property
    def model(self) -> Model:
        """The model with the labels that it holds on the page now."""
        status, data = self.answer("export?what=model")
        if status != 200:
            raise _core.Error(json.loads(data)["error"])
        made: Model = self._made(data, *self._rest)
        return made


def explorer_widget(model: Model, height: int) -> Any:
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise ImportError(
            "explore() needs anywidget: pip install 'heatfront[notebook]'; without a notebook, save the model and run"
            " `heatfront explore MODEL`"
        ) from None

    class ExplorerWidget(anywidget.AnyWidget):
        _esm = _core.explorer_widget()
        page = traitlets.Unicode().tag(sync=True)
        height = traitlets.Int().tag(sync=True)

        def __init__(self, explorer: Explorer, height: int) -> None:
            super().__init__(page=_core.explorer_page(), height=height)
            self.explorer = explorer
            self.on_msg(self._asked)

        def _asked(self, _: Any, content: dict[str, Any], buffers: Any) -> None:
            status, data = self.explorer.answer(content["path"], content.get("body"))
            self.send({"id": content["id"], "status": status}, [data])

        @property
        def model(self) -> Model:
            return self.explorer.model

    return ExplorerWidget(Explorer(model), height)
