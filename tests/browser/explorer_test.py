# SPDX-License-Identifier: MIT
"""The explorer as a user has it: the program, a real browser, keys and clicks. explorer_test.py HEATFRONT [AXE.js] [FOLDER FOR SHOTS]"""
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from webdriver import Browser  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
AXE = sys.argv[2] if len(sys.argv) > 2 else None
SHARED = os.path.join(os.path.dirname(__file__), "../../../shared/data")
ENVIRONMENT = {"HEATFRONT_DATA": os.path.abspath(SHARED), **os.environ, "SOURCE_DATE_EPOCH": "1767225600"}


def heatfront(*words):
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True, env=ENVIRONMENT).stdout


class Server:
    """The program while it serves a page."""

    def __init__(self, *words, folder):
        self.process = subprocess.Popen([PROGRAM, "explore", "--no-browser", *words], stdout=subprocess.PIPE, text=True, cwd=folder,
                                        env=ENVIRONMENT)
        self.address = self.process.stdout.readline().strip()
        self.port = int(re.match(r"http://127\.0\.0\.1:(\d+)/#token=([0-9a-f]{64})$", self.address)[1])
        self.token = self.address[-64:]

    def ask(self, method, path, body=None, **headers):
        headers = {"Host": f"127.0.0.1:{self.port}", "X-Heatfront-Token": self.token, **{k.replace("_", "-"): v for k, v in headers.items()}}
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in headers.items():
            if value is not None:
                connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        reply = connection.getresponse()
        try:
            return reply.status, dict(reply.getheaders()), reply.read()
        finally:
            connection.close()

    def end(self, how=signal.SIGINT):
        self.process.send_signal(how)
        self.process.stdout.close()
        return self.process.wait()


class ExplorerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="heatfront-explore-")
        cls.trained = os.path.join(cls.folder, "trained.hf")
        try:
            heatfront("train", "cora", "--model", "flow-alone", "-q", "-o", cls.trained)
        except subprocess.CalledProcessError:  # it is not here; one of its size
            made = os.path.join(cls.folder, "cora.npz")
            heatfront("convert", "blocks:blocks=7,size=390,inside=0.01,across=0.0004", made)
            heatfront("train", made, "--split", "per-class 20,70", "--model", "flow-alone", "-q", "-o", cls.trained)
        held = {line.split(",")[0] for line in heatfront("label", cls.trained, "--export", "-", "-q").splitlines()}
        cls.node = next(str(u) for u in range(2034, 2700) if str(u) not in held)
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        shutil.rmtree(cls.folder)

    def setUp(self):
        folder = tempfile.mkdtemp(dir=self.folder)
        self.model = shutil.copy(self.trained, os.path.join(folder, "cora.hf"))
        self.server = Server(self.model, folder=self.folder)
        self.addCleanup(lambda: self.server.process.poll() is None and self.server.end())

    def open(self, server=None):
        page = self.browser
        page.open("about:blank")
        page.open((server or self.server).address)
        page.until("document.body.dataset.ready")
        page.complaints()  # of pages before this one, whose program has ended
        page.run("localStorage.setItem('heatfront-seen', 'yes'); document.getElementById('welcome').close();")
        return page

    def choose(self, name):
        page = self.browser
        page.press("Escape", "/")
        page.type("#find", [*name, "Enter"])
        page.until("document.body.dataset.why === arguments[0] && document.body.dataset.chosen === arguments[0]", name)

    def state(self):
        return json.loads(self.server.ask("GET", "/api/state")[2])

    def classes(self):
        return self.browser.run("return [...heatfront.answer.classes]")

    def test_a_node_is_found_explained_labelled_and_undone(self):
        page = self.open()
        self.choose(self.node)
        parts = page.run("return [...document.querySelectorAll('#reasons [data-part]')].map(e => [e.dataset.part, +e.dataset.value])")
        sums = {part: value for part, value in parts if part.endswith("-sum")}
        for part in ("labels", "fronts"):
            if f"{part}-sum" in sums:
                self.assertAlmostEqual(sum(v for p, v in parts if p == part), sums[f"{part}-sum"], places=6)
        lead = sums.pop("lead-sum")
        self.assertAlmostEqual(sum(sums.values()), lead, places=4)
        said = json.loads(heatfront("explain", self.model, self.node, "--json"))
        self.assertAlmostEqual(lead, said["lead"], places=6)

        before = self.classes()
        page.press("5")
        page.until("document.body.dataset.version === '2' && document.body.dataset.moved")
        said = json.loads(heatfront("label", self.model, "--set", f"{self.node}=4", "--json"))
        self.assertEqual(page.run("return +document.body.dataset.moved"), said["moved"])
        changed = sorted(u for u, (a, b) in enumerate(zip(before, self.classes())) if a != b)
        self.assertEqual(changed, sorted(int(node["node"]) for node in said["changes"]))
        page.press("z")
        page.until("document.body.dataset.version === '3'")
        self.assertEqual(self.classes(), before)
        page.press("Shift+Z")
        page.until("document.body.dataset.version === '4'")
        self.assertNotEqual(self.classes(), before)

    def test_what_a_class_would_change_is_shown_before_it_is_given(self):
        page = self.open()
        self.choose(self.node)
        before = self.classes()
        page.run("document.querySelector('[data-class=\"4\"]').focus()")
        would = page.until("document.body.dataset.preview")
        self.assertEqual(self.state()["version"], 1)
        page.run("document.querySelector('[data-class=\"4\"]').blur()")
        page.until("document.body.dataset.preview === undefined")
        self.assertEqual(self.classes(), before)
        page.press("5")
        self.assertEqual(page.until("document.body.dataset.moved"), would)

    def test_time_is_scrubbed(self):
        page = self.open()
        now = page.run("return [...heatfront.view.bytes.group]")
        page.run("const s = document.getElementById('slider'); s.value = 0; s.dispatchEvent(new Event('input'));")
        page.until("document.body.dataset.moment === '0'")
        self.assertNotEqual(page.run("return [...heatfront.view.bytes.group]"), now)
        page.run("document.getElementById('slider').focus()")
        page.press("ArrowRight")
        page.until("document.body.dataset.moment === '1'")
        page.run("const s = document.getElementById('slider'); s.value = 40; s.dispatchEvent(new Event('input'));")
        page.until("document.body.dataset.moment === '40'")
        self.assertEqual(page.run("return [...heatfront.view.bytes.group]"), now)
        self.assertIn("right", page.run("return document.getElementById('moment').textContent"))

    def test_ten_nodes_in_a_lasso_are_labelled_in_one_step(self):
        page = self.open()
        page.until("heatfront.state.layout.rounds === heatfront.state.layout.of")
        # Around a node whose tenth nearest is much nearer than the eleventh.
        corners = page.run("""const view = heatfront.view, nodes = [...Array(view.n).keys()];
            const far = (u) => { const [x, y] = view.toScreen(u); return nodes.map((v) => { const [a, b] = view.toScreen(v); return Math.hypot(a - x, b - y); }).sort((a, b) => a - b); };
            const gap = (u) => { const d = far(u); return d[10] / d[9]; };
            const u = nodes.filter((v) => v % 40 === 0).sort((a, b) => gap(b) - gap(a))[0];
            view.focus(u); view.scale *= 150 / far(u)[9]; view.drawNow();
            const [x, y] = view.toScreen(u), d = far(u), r = (d[9] + Math.min(d[10], 300)) / 2, box = view.canvas.getBoundingClientRect();
            return [...Array(33).keys()].map((i) => [box.left + x + r * Math.cos(i / 16 * Math.PI), box.top + y + r * Math.sin(i / 16 * Math.PI)]);""")
        page.pointer(("move", *corners[0]), ("down",), *[("move", *corner) for corner in corners[1:]], ("up",), shift=True)
        chosen = page.until("document.body.dataset.chosen.split(',').length > 1 && document.body.dataset.chosen").split(",")
        self.assertEqual(len(chosen), 10)
        page.press("2")
        page.until("document.body.dataset.version === '2'")
        self.assertEqual(self.state()["history"][0]["count"], len(chosen) - self.already(chosen, 1))
        page.click("#undo")
        page.until("document.body.dataset.version === '3'")
        self.assertEqual(self.state()["known"], 140)

    def already(self, chosen, label):
        known = dict(line.split(",")[:2] for line in heatfront("label", self.model, "--export", "-", "-q").splitlines()[1:])
        return sum(known.get(node) == str(label) for node in chosen)

    def test_files_are_those_of_the_command_line(self):
        page = self.open()
        self.choose(self.node)
        page.press("5")
        page.until("document.body.dataset.version === '2' && !document.getElementById('save').disabled")
        for what in ("labels", "predictions", "model", "film"):
            page.click(f'[data-export="{what}"]')
        page.click("#svg")
        page.click("#png")
        other = os.path.join(self.folder, "exported.hf")
        with open(other, "wb") as file:
            file.write(page.downloaded("cora.hf"))
        self.assertEqual(page.downloaded("cora-labels.csv").decode(), heatfront("label", other, "--export", "-", "-q"))
        self.assertEqual(page.downloaded("cora-predictions.csv").decode(), heatfront("predict", other, "-o", "-", "-q"))
        labels = heatfront("label", self.model, "--set", f"{self.node}=4", "--export", "-", "-q")
        drop_time = lambda text: [line.rsplit(",", 1)[0] for line in text.splitlines()]
        self.assertEqual(drop_time(page.downloaded("cora-labels.csv").decode()), drop_time(labels))
        self.assertIn(b"<svg", page.downloaded("cora.svg"))
        self.assertEqual(page.downloaded("cora.png")[:4], b"\x89PNG")
        film = os.path.join(self.folder, "film.html")
        with open(film, "wb") as file:
            file.write(page.downloaded("cora-film.html"))
        page.open("file://" + film)
        page.until("document.getElementById('moment').textContent.includes('right')")
        self.assertEqual(page.complaints(), [])
        page.open(self.server.address)

    def test_labels_outlive_the_page_and_the_program(self):
        page = self.open()
        self.choose(self.node)
        page.press("5")
        page.until("document.body.dataset.version === '2'")
        page.open("about:blank")
        page.open(self.server.address)
        page.until("document.body.dataset.ready && heatfront.state.known === 141")
        self.server.end(signal.SIGKILL)
        self.server = Server(self.model, folder=self.folder)
        page = self.open()
        self.assertEqual(page.run("return heatfront.state.known"), 141)
        page.press("z")
        page.until("heatfront.state.known === 140")
        page.click("#save")
        page.until("document.getElementById('save').disabled")
        self.assertFalse(os.path.exists(self.model + ".journal"))

    def test_training_runs_beside_and_answers_afterwards(self):
        page = self.open()
        self.choose(self.node)
        page.press("5")
        page.until("document.body.dataset.version === '2' && heatfront.state.known === 141")
        page.click("#train")
        note = page.until("!heatfront.state.training.running && heatfront.state.training.note")
        self.assertIn("trained", note)
        self.assertEqual(self.state()["known"], 141)

    def test_all_goes_by_keys_alone(self):
        page = self.open()
        page.press("?")
        page.until("document.getElementById('help').open")
        page.press("Escape")
        page.until("!document.getElementById('help').open")
        page.press("n")
        first = page.until("document.body.dataset.why === document.body.dataset.chosen && document.body.dataset.chosen")
        self.assertIn(first, [str(s) for s in page.run("return heatfront.suggested")])
        page.press("1")
        page.until("document.body.dataset.version === '2'")
        page.press("Delete")
        page.until("document.body.dataset.version === '3'")
        self.choose("1358")
        walked = page.run("return [[1,0],[-1,0],[0,1],[0,-1]].map(([x, y]) => heatfront.view.neighbourTowards(1358, x, y))")
        key, to = next((k, v) for k, v in zip(("ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"), walked) if v >= 0)
        page.press(key)
        page.until("document.body.dataset.chosen === arguments[0]", str(to))
        page.press("r")
        page.until("heatfront.view.heat")
        page.press("t")
        page.until("document.getElementById('table').open && document.querySelectorAll('#rows tr').length === 100")
        page.click("#columns th:nth-child(3) button")
        sure = page.run("return [...document.querySelectorAll('#rows td:nth-child(3)')].map((e) => parseFloat(e.textContent))")
        self.assertEqual(sure, sorted(sure))
        page.press("Escape")
        self.assertEqual(page.complaints(), [])

    def test_two_pages_agree(self):
        page = self.open()
        status, _, _ = self.server.ask("POST", "/api/label", b'{"set":[[%s,4]]}' % self.node.encode(), Origin=f"http://127.0.0.1:{self.server.port}")
        self.assertEqual(status, 200)
        page.until("document.body.dataset.version === '2' && heatfront.answer.status[arguments[0]] === 0", self.node)

    def test_two_models_are_seen_side_by_side(self):
        other = os.path.join(self.folder, "other.hf")
        heatfront("label", self.model, "--set", f"{self.node}=4", "-o", other)
        said = json.loads(heatfront("label", self.model, "--set", f"{self.node}=4", "--json"))
        self.server.end()
        self.server = Server(self.model, other, folder=self.folder)
        page = self.open()
        differ = int(page.until("document.body.dataset.differ"))
        self.assertEqual(differ, len(said["changes"]))
        page.press("b")
        page.until("document.getElementById('picture').hasAttribute('data-split') && +document.body.dataset.flips === arguments[0]", differ)
        # The second picture follows the first a frame later, as the layout still moves both.
        look = "JSON.stringify([heatfront.%s.canvas.clientWidth, heatfront.%s.scale, ...heatfront.%s.centre])"
        first, second = look % (("view",) * 3), look % (("beside.view",) * 3)
        width = page.until(f"{first} === {second} && heatfront.view.canvas.clientWidth")
        self.assertGreater(width, 300)
        self.choose(self.node)
        page.press("5")  # as the other has it
        page.until("document.body.dataset.differ === '0'")
        self.assertEqual(page.complaints(), [])

    def test_a_first_visit_explains_itself_and_a_painter_without_webgl_draws_too(self):
        page = self.browser
        page.open("about:blank")
        page.open(self.server.address)
        page.until("document.body.dataset.ready")
        page.run("localStorage.clear()")
        page.open(self.server.address.replace("/#", "/?painter=canvas#"))
        page.until("document.getElementById('welcome').open")
        self.assertEqual(page.run("return document.querySelectorAll('#welcome li').length"), 3)
        page.press("Enter")
        page.until("!document.getElementById('welcome').open")
        self.assertEqual(page.run("return heatfront.view.kind"), "canvas")
        self.assertGreater(page.run("""heatfront.view.drawNow(); const c = heatfront.view.canvas;
            const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let seen = 0;
            for (let i = 0; i < d.length; i += 4) seen += d[i] !== 255; return seen;"""), 1000)

    @unittest.skipUnless(AXE, "SKIPPED: needs axe-core")
    def test_the_page_is_accessible(self):
        page = self.open()
        with open(AXE, encoding="utf-8") as file:
            page.run(file.read())
        self.choose(self.node)
        page.click("#suggest")
        page.until("document.querySelectorAll('#next li').length > 0")
        for theme in ("light", "dark"):
            for dialog in (None, "help", "table", "welcome"):
                page.run("heatfront.theme(arguments[0]); document.querySelectorAll('dialog').forEach((d) => d.close());", theme)
                if dialog == "table":
                    page.run("heatfront.table.open()")
                elif dialog:
                    page.run("document.getElementById(arguments[0]).showModal()", dialog)
                found = page.until("(globalThis.axeRun ??= axe.run().then((r) => { globalThis.axeFound = r.violations.map((v) => [v.id, v.nodes.map((n) => n.html)]); }), globalThis.axeFound)")
                page.run("delete globalThis.axeRun; delete globalThis.axeFound;")
                self.assertEqual(found, [], (theme, dialog))
        page.run("document.querySelectorAll('dialog').forEach((d) => d.close()); heatfront.theme('light');")

    def test_strangers_are_refused(self):
        server, host = self.server, f"127.0.0.1:{self.server.port}"
        label, origin = b'{"set":[[2034,4]]}', f"http://{host}"
        refused = lambda *words, **headers: server.ask(*words, **headers)[0]
        self.assertEqual(refused("GET", "/api/state"), 200)
        self.assertEqual(refused("GET", "/api/state", X_Heatfront_Token=None), 401)
        self.assertEqual(refused("GET", "/api/state", X_Heatfront_Token="0" * 64), 401)
        self.assertEqual(refused("GET", "/api/state", Host="evil.example"), 421)
        self.assertEqual(refused("GET", "/api/state", Host=f"localhost:{server.port}"), 421)
        self.assertEqual(refused("POST", "/api/label", label, Origin="http://evil.example"), 403)
        self.assertEqual(refused("POST", "/api/label", label), 403)
        self.assertEqual(refused("POST", "/api/label", b" " * (2 << 20), Origin=origin), 413)
        self.assertEqual(refused("DELETE", "/api/state", Origin=origin), 405)
        for path in ("/../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/api/..%2f..%2fetc/passwd", "//etc/passwd", "/style.css%00.js"):
            self.assertIn(refused("GET", path), (400, 404), path)
        self.assertEqual(self.state()["known"], 140)
        status, headers, _ = server.ask("GET", "/", X_Heatfront_Token=None)
        self.assertEqual(status, 200)
        self.assertTrue(headers["Content-Security-Policy"].startswith("default-src 'none';"))
        self.assertNotIn("unsafe", headers["Content-Security-Policy"])

    def test_it_ends_when_asked_and_leaves_nothing_behind(self):
        self.assertEqual(self.server.end(signal.SIGINT), 0)
        server = Server(self.model, folder=self.folder)
        self.assertEqual(server.end(signal.SIGTERM), 0)
        server = Server(self.model, folder=self.folder)
        self.assertEqual(server.ask("POST", "/api/quit", b"{}", Origin=f"http://127.0.0.1:{server.port}")[0], 200)
        server.process.stdout.close()
        self.assertEqual(server.process.wait(), 0)


class ColdStartTest(unittest.TestCase):
    def test_tables_without_labels_can_be_labelled_at_once(self):
        with tempfile.TemporaryDirectory() as folder:
            data = os.path.join(folder, "club")
            os.mkdir(data)
            with open(os.path.join(data, "edges.csv"), "w") as file:
                file.write("source,target\n" + "".join(f"p{i},p{i + 1}\n" for i in range(20) if i != 10))
            server = Server(data, "--class", "calm", "--class", "loud", folder=folder)
            post = lambda path, body: server.ask("POST", path, body, Origin=f"http://127.0.0.1:{server.port}")
            try:
                state = json.loads(server.ask("GET", "/api/state")[2])
                self.assertEqual(state["classes"], ["calm", "loud"])
                self.assertEqual(state["unreached"], 21)
                self.assertEqual(post("/api/label", b'{"set":[[0,1]]}')[0], 200)
                self.assertEqual(json.loads(server.ask("GET", "/api/state")[2])["unreached"], 10)
                self.assertEqual(post("/api/save", b"{}")[0], 200)
            finally:
                server.end()
            self.assertIn("loud", heatfront("predict", os.path.join(folder, "club.hf"), "-o", "-", "-q"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=1)
