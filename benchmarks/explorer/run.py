#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""benchmarks/explorer/run.py PROGRAM [--alone]: how fast the explorer's page answers and draws, and sigma.js beside it on the same graph, in headless
Chromium. Writes benchmarks/results/explorer.md; some four minutes. --alone leaves sigma.js out. Needs `tools/setup test`, npm for sigma.js, and Cora (`heatfront fetch cora`,
or $HEATFRONT_DATA)."""

import datetime
import json
import os
import pathlib
import re
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "browser"))
import webdriver  # noqa: E402
from webdriver import Browser  # noqa: E402

TIMES = 11  # each is done so often; the median is shown
BIG = "blocks:blocks=8,size=12500,inside=0.00064,across=0.000023,seed=1"
PEERS = ("sigma@3.0.2", "graphology@0.26.0")
# What is measured, in ms, and how much it may be: on Cora, on the large graph.
ROWS = {
    "first": ("start of the program to the first picture", 1000, 10000),
    "click": ("a label set: click to the new picture", 30, 250),
    "why": ("why: click to the bars", 50, 300),
    "suggest": ("five nodes worth a label", 30, 500),
    "film": ("41 states of the flow, once", None, None),
    "colouring": ("a new colouring, JavaScript", 10, 10),
    "frame": ("a frame, JavaScript", 4, 4),
}


class Server:
    def __init__(self, program, model):
        self.began = time.perf_counter()
        self.process = subprocess.Popen([program, "explore", "--no-browser", model], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        self.port = re.match(r"http://127\.0\.0\.1:(\d+)/#token=", self.address)[1]

    def graph(self):
        asked = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/graph", headers={"X-Heatfront-Token": self.address[-64:]})
        data = urllib.request.urlopen(asked).read()
        n, m = struct.unpack_from("<II", data, 4)
        return struct.unpack_from(f"<{2 * n}f", data, 12), struct.unpack_from(f"<{2 * m}I", data, 12 + 8 * n)

    def end(self):
        self.process.terminate()
        self.process.wait()


def run_async(page, script):
    """What an asynchronous function of this body comes to."""
    whole = "const done = arguments[arguments.length - 1]; (async () => { %s })().then(done, (error) => done(String(error)));" % script
    result = page.ask("POST", "execute/async", {"script": whole, "args": []})
    if isinstance(result, str):
        raise RuntimeError(result)
    return result


def median_of(page, script):
    return statistics.median(run_async(page, script) for _ in range(TIMES))


def measured(program, model, page):
    """By what the page itself clocks: from the click until its picture is drawn."""
    page.open("about:blank")
    server = Server(program, model)
    try:
        page.open(server.address)
        page.until("document.body.dataset.ready")
        found = {"first": 1000 * (time.perf_counter() - server.began)}
        page.run("document.getElementById('welcome').close()")
        page.until("heatfront.state.layout.rounds === heatfront.state.layout.of")
        node = "heatfront.chosen = [Math.floor(Math.random() * heatfront.view.n)];"
        timed = "const began = performance.now(); %s; return performance.now() - began;"
        found["click"] = median_of(page, node + """await heatfront.label(Math.floor(Math.random() * heatfront.state.classes.length));
            return heatfront.clickMs;""")
        found["why"] = median_of(page, node + "await heatfront.explain(); return heatfront.whyMs;")
        found["suggest"] = median_of(page, "await heatfront.suggest(); return heatfront.suggestMs;")
        found["film"] = run_async(page, timed % "await heatfront.loadFilm()")
        found["colouring"] = median_of(page, "heatfront.view.setAnswer(heatfront.answer); return heatfront.view.colouringMs;")
        found["frame"] = median_of(page, "heatfront.view.zoom(1.01); heatfront.view.drawNow(); return heatfront.view.frameMs;")
        n, m = page.run("return [heatfront.view.n, heatfront.view.edges.length / 2]")
        return found, (n, m), server.graph()
    finally:
        server.end()
        pathlib.Path(str(model) + ".journal").unlink(missing_ok=True)


def sigma(graph, classes, folder):
    """The same places, edges and colours in sigma.js, in a browser of its own: with WebGL by software it sometimes stops answering."""
    modules = ROOT / "build" / "sigma" / "node_modules"
    if not (modules / "sigma").exists():
        subprocess.run(["npm", "install", "--prefix", str(modules.parent), "--no-save", "--no-audit", "--no-fund", "--silent", *PEERS], check=True)
    places, edges = graph
    (folder / "data.js").write_text(f"const places = {json.dumps(places)}, edges = {json.dumps(edges)}, classes = {classes};")
    scripts = "".join(f'<script src="file://{path}"></script>' for path in (
        modules / "graphology/dist/graphology.umd.min.js", modules / "sigma/dist/sigma.min.js", folder / "data.js"))
    (folder / "sigma.html").write_text(f"""<!doctype html><div id="box" style="width:950px;height:690px"></div>{scripts}<script>
        const colours = ['#e69f00', '#56b4e9', '#009e73', '#d8c400', '#0072b2', '#d55e00', '#cc79a7', '#805900'];
        globalThis.load = () => {{
          const began = performance.now(), graph = new graphology.Graph({{type: 'undirected'}});
          for (let u = 0; 2 * u < places.length; ++u)
            graph.addNode(u, {{x: places[2 * u], y: places[2 * u + 1], size: 2, color: colours[u % classes]}});
          for (let i = 0; i < edges.length; i += 2) graph.addEdge(edges[i], edges[i + 1], {{size: 1, color: '#ddd'}});
          globalThis.renderer = new Sigma(graph, document.getElementById('box'), {{renderLabels: false}});
          globalThis.graph = graph;
          return performance.now() - began;
        }};
        let turn = 0;
        globalThis.recolour = () => {{
          const began = performance.now();
          ++turn;
          graph.updateEachNodeAttributes((u, a) => ({{...a, color: colours[(+u + turn) % classes]}}), {{attributes: ['color']}});
          renderer.refresh({{skipIndexation: true}});
          return performance.now() - began;
        }};
        globalThis.frame = () => {{
          const began = performance.now(), camera = renderer.getCamera();
          camera.setState({{...camera.getState(), ratio: camera.getState().ratio * 0.99}});
          renderer.render();
          return performance.now() - began;
        }};</script>""")
    found = {}
    webdriver.LONGEST_WAIT, usual = 30, webdriver.LONGEST_WAIT
    page = Browser()
    try:
        page.open(f"file://{folder}/sigma.html")
        found["first"] = page.run("return load()")
        found["colouring"] = median_of(page, "return recolour()")
        found["frame"] = median_of(page, "return frame()")
    except (RuntimeError, OSError) as error:
        print(f"sigma.js: {error}", file=sys.stderr)
    try:
        page.close()
    except OSError:
        pass  # it does not even end when it is asked to; its driver has been ended
    webdriver.LONGEST_WAIT = usual
    return found


def cell(value):
    return "" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def table(ours, peers, limit):
    lines = ["| ms | heatfront | asked for | sigma.js |", "|---|---|---|---|"]
    for key, (what, *limits) in ROWS.items():
        lines.append(f"| {what} | {cell(ours[key])} | {cell(limits[limit])} | {cell(peers.get(key))} |")
    return "\n".join(lines)


def main():
    program = os.path.abspath(sys.argv[1])
    assets = sum(path.stat().st_size for path in (ROOT / "web").iterdir())
    page = Browser()
    parts = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        models = (("Cora, linear-front", "cora", ["--model", "linear-front"], 0), ("Cora, flow-alone", "cora", ["--model", "flow-alone"], 0),
                  ("blocks, flow-alone", str(folder / "big.npz"), ["--model", "flow-alone", "--split", "per-class 20,100"], 1))
        subprocess.run([program, "convert", BIG, str(folder / "big.npz")], check=True, capture_output=True)
        try:
            for title, data, words, limit in models:
                model = folder / f"{len(parts)}.hf"
                subprocess.run([program, "train", data, *words, "-q", "-o", str(model)], check=True, capture_output=True)
                ours, (n, m), graph = measured(program, str(model), page)
                peers = {} if "--alone" in sys.argv or title == "Cora, flow-alone" else sigma(graph, 7 + limit, folder)
                parts.append(f"## {title}: {n:,} nodes, {2 * m:,} arcs\n\n{table(ours, peers, limit)}")
                print(parts[-1], flush=True)
        finally:
            page.close()
    load = os.getloadavg()[0]
    text = f"""# The explorer's page

Written by `benchmarks/explorer/run.py` on {datetime.date.today()}: medians of {TIMES}, headless Chromium, WebGL by software, {os.cpu_count()} cores, load {load:.1f} at the end.
A click is measured in the page, from the request until the answer is on its way to the graphics card. sigma.js ({', '.join(PEERS)}) has the same places, edges and
colours; its first picture is from data in memory to a first frame, without a program to start and without a layout. It draws all edges, the page
at most 60,000 of them at once. The blocks are `{BIG}`. All files of the page together: {assets / 1000:.1f} kB (asked for: under 100).

"""
    (ROOT / "benchmarks/results/explorer.md").write_text(text + "\n\n".join(parts) + "\n")


main()
