"""Results as small objects: what the program prints as JSON, under the same names, and as text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any


class Results(list["Result"]):
    """Several results, which a notebook shows as a table."""

    def to_frame(self) -> Any:
        """A row per result, as a data frame of pandas, which must be installed."""
        import pandas as pd

        return pd.DataFrame([one.to_dict() for one in self])

    def _repr_html_(self) -> str:
        rows = ["<tr>" + "".join(_cell("td", value) for value in one.values()) + "</tr>" for one in self]
        head = "".join(_cell("th", name) for name in self[0]) if self else ""
        return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


class Result(Mapping[str, Any]):
    """A result by name, as `heatfront ... --json` has it; names are attributes, too. `print` shows the program's text.
    Nodes are numbers where they are `numbered`.

    >>> Result("label", '{"changed": 3}').changed
    3
    """

    def __init__(
        self, kind: str, told: str | tuple[str, str] | dict[str, Any], rows: str = "", *, numbered: bool = False
    ) -> None:
        self._kind = kind
        self._rows = rows
        self._text = told[1] if isinstance(told, tuple) else ""
        values = told[0] if isinstance(told, tuple) else told
        self._values: dict[str, Any] = values if isinstance(values, dict) else json.loads(values)
        if numbered:
            _number(self._values)
        self._text = self._values.pop("text", self._text)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._values[name]
        except KeyError:
            raise AttributeError(f"{self._kind} has no {name}; it has {', '.join(self._values)}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._values]

    def to_dict(self) -> dict[str, Any]:
        return dict(self._values)

    def to_frame(self) -> Any:
        """Its rows as a data frame of pandas, which must be installed."""
        import pandas as pd

        if not self._rows:
            return pd.Series(self._values).to_frame(self._kind)
        return pd.DataFrame(self._values[self._rows])

    def plot(self, ax: Any = None) -> Any:
        """Draws it with matplotlib, which must be installed, and returns the axes."""
        from .plot import result

        return result(self._kind, self, ax)

    def __str__(self) -> str:
        return self._text or repr(self)

    def __repr__(self) -> str:
        return f"{self._kind}({json.dumps(self._values, ensure_ascii=False)})"

    def _repr_html_(self) -> str:
        if self._text:
            import html

            return f"<pre>{html.escape(self._text)}</pre>"
        rows = "".join(f"<tr>{_cell('th', name)}{_cell('td', value)}</tr>" for name, value in self._values.items())
        return f"<table><caption>{html.escape(self._kind)}</caption>{rows}</table>"


def _number(values: Any) -> None:
    """The nodes of a result, which the program names by text, as the numbers that they are."""
    if isinstance(values, dict):
        if isinstance(values.get("node"), str):
            values["node"] = int(values["node"])
        values = list(values.values())
    if isinstance(values, list):
        for value in values:
            _number(value)


def _cell(tag: str, value: Any) -> str:
    import html

    return f"<{tag} style='text-align:left'>{html.escape(_short(value))}</{tag}>"


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else text[:197] + "..."
