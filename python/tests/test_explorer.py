"""The explorer's page as a widget: what its messages do, and the page itself in a browser."""

import http.server
import json
import shutil
import sys
import threading
from pathlib import Path

import pytest

import heatfront as hf
from heatfront import _core
from heatfront.explorer import Explorer

BROWSER = Path(__file__).resolve().parents[2] / "tests" / "browser"


@pytest.fixture
def model():
    return hf.fit(hf.open("karate"), model="flow-alone", split="per-class 2,3")


def ask(explorer, path, body=None):
    status, data = explorer.answer(path, None if body is None else json.dumps(body))
    return status, data


def test_the_page_asks_what_the_command_line_answers(model):
    explorer = Explorer(model)
    status, data = ask(explorer, "state")
    state = json.loads(data)
    assert (status, state["nodes"], state["classes"]) == (200, 34, model.classes.tolist())
    why = json.loads(ask(explorer, "why?node=8")[1])
    assert why["lead"] == pytest.approx(model.explain(8)["lead"], abs=1e-6)
    status, data = ask(explorer, "why?node=99")
    assert (status, json.loads(data)["error"]) == (400, "there is no node 99; nodes are 0 to 33")


def test_labels_of_the_page_are_in_the_model_of_the_widget_and_not_in_the_one_it_began_with(model):
    explorer, known = Explorer(model), model.known
    node = next(u for u in range(34) if u not in known)
    assert ask(explorer, "label", {"set": [[node, 1]]})[0] == 200
    assert explorer.model.known == {**known, node: model.classes[1]}
    assert model.known == known
    assert ask(explorer, "undo", {})[0] == 200
    assert explorer.model.known == known


def test_a_widget_answers_messages_by_their_number(model):
    pytest.importorskip("anywidget")
    page = model.explore(height=500)
    sent = []
    page.send = lambda content, buffers: sent.append((content, buffers))
    page._asked(page, {"id": "a", "path": "state"}, [])
    page._asked(page, {"id": "b", "path": "label", "body": '{"set":[[8,7]]}'}, [])
    assert [content for content, _ in sent] == [{"id": "a", "status": 200}, {"id": "b", "status": 400}]
    assert json.loads(sent[1][1][0])["error"] == "there is no class 7; classes are 0 to 1"
    assert page.height == 500 and "<title>heatfront</title>" in page.page
    assert page.model.known == model.known


def test_without_anywidget_it_is_said_what_is_missing(model, monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(ImportError, match="pip install 'heatfront"):
        model.explore()


# As a notebook holds it: a model that passes messages on, and the module that renders.
NOTEBOOK = """<!doctype html><title>notebook</title><div id="cell"></div><script type="module">
import widget from '/widget.js';
const told = new Set(), state = {page: await (await fetch('/page')).text(), height: 640};
const model = {
  get: (name) => state[name], on: (_, call) => told.add(call), off: (_, call) => told.delete(call),
  async send(message) {
    const reply = await fetch('/ask', {method: 'POST', body: JSON.stringify(message)});
    const bytes = new DataView(await reply.arrayBuffer());
    for (const call of told) call({id: message.id, status: +reply.headers.get('X-Status')}, [bytes]);
  },
};
widget.render({model, el: document.getElementById('cell')});
</script>"""


@pytest.mark.skipif(not (BROWSER.exists() and shutil.which("chromedriver")), reason="needs chromium and its driver")
def test_the_frame_draws_and_labels_in_a_browser(model):
    explorer = Explorer(model)
    texts = {
        "/": ("text/html; charset=utf-8", NOTEBOOK),
        "/page": ("text/plain; charset=utf-8", _core.explorer_page()),
        "/widget.js": ("text/javascript; charset=utf-8", _core.explorer_widget()),
    }

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            kind, text = texts.get(self.path, ("text/plain", ""))
            self.reply(kind, text.encode())

        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, data = explorer.answer(asked["path"], asked.get("body"))
            self.reply("application/octet-stream", data, status)

        def reply(self, kind, data, status=200):
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("X-Status", str(status))
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    sys.path.insert(0, str(BROWSER))
    from webdriver import ELEMENT, Browser

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = Browser()
    try:
        page.open(f"http://127.0.0.1:{server.server_port}/")
        page.until("document.querySelector('iframe')")
        page.ask("POST", "frame", {"id": {ELEMENT: page.element("iframe")}})
        page.until("document.body?.dataset.ready")
        page.run("document.getElementById('welcome').close(); heatfront.choose(8)")
        page.until("document.body.dataset.why === '8'")
        page.press("2")
        page.until("document.body.dataset.version === '2' && document.body.dataset.moved")
        assert explorer.model.known[8] == model.classes[1]
        assert page.complaints() == []
    finally:
        page.close()
        server.shutdown()
        server.server_close()
