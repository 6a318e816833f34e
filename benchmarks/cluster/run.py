#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""benchmarks/cluster/run.py BUILD PIECE…: graphs in parts beside the plain program and other libraries, and the model behind docs/cluster.md.

    products       one process on parts beside the plain program with one thread, two processes beside two threads
    peers          the product of PETSc, scipy and Dask beside it (scipy and dask in the Python that runs this)
    partitioning   seconds and memory at 10⁶, 10⁷ and 10⁸ arcs, and by scotch
    large_parts    10⁹ arcs, partitioned: 30 GB of disk, six minutes; the folder stays in TMPDIR for
    large_solve    solved by one process from disk: two minutes
    link           α and β of links between two network namespaces, throttled, and the model held against them (as root)
    forecast       ghosts of R-MAT graphs of growing size, and what follows for graphs beyond this machine

Each piece replaces its section in benchmarks/results/cluster.md. Needs heatfront-cluster in BUILD (make cluster) and cora, pubmed and
amazon_photo in HEATFRONT_DATA; files go to TMPDIR."""
import argparse
import contextlib
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
RESULT = HERE.parents[1] / "benchmarks" / "results" / "cluster.md"
ORDER = ["products", "peers", "partitioning", "large_parts", "large_solve", "link", "forecast"]
MPI = ["mpiexec", "--oversubscribe", "--bind-to", "none", "-n"]
SPLIT = ["--split", "per-class 1000,1000"]
CLASSES = 8


def megabytes_of(process, peak):
    """Watches a process: the most memory of its own, and of files that are mapped into it, in MB."""
    while process.poll() is None:
        with contextlib.suppress(OSError, ValueError, KeyError):
            status = dict(line.split(":\t") for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines())
            for name in ("RssAnon", "RssFile"):
                peak[name] = max(peak[name], int(status[name].split()[0]) / 1024)
        time.sleep(0.02)


class Run:
    """A command's JSON, its seconds of processor time and of the clock, and its memory."""

    def __init__(self, command, threads=1):
        environment = dict(os.environ, HEATFRONT_THREADS=str(threads), OMPI_ALLOW_RUN_AS_ROOT="1",
                           OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        begin, before = time.time(), resource.getrusage(resource.RUSAGE_CHILDREN)
        with subprocess.Popen([*command, "--json", "-q"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            peak = {"RssAnon": 0.0, "RssFile": 0.0}
            watch = threading.Thread(target=megabytes_of, args=(process, peak))
            watch.start()
            out, errors = process.communicate()
            watch.join()
            if process.returncode != 0:
                sys.exit(" ".join(command) + ": " + errors)
        self.said = json.loads(out)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.seconds = time.time() - begin
        self.cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.own, self.mapped = peak["RssAnon"], peak["RssFile"]

    def per_product(self):
        return self.said["seconds"] / max(1, self.said["products"])


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(map(str, row)) + " |" for row in rows), ""]


def partition(heatfront, data, parts, folder, *flags):
    shutil.rmtree(folder, ignore_errors=True)
    return Run([heatfront, "partition", data, "--parts", str(parts), "-o", folder, *flags])


def rmat(scale, arcs, weighted=True, classes=CLASSES):
    return f"rmat:scale={scale},arcs={arcs},seed=1,weighted={int(weighted)},classes={classes}"


def products(heatfront, work, options):
    cases = [("R-MAT", rmat(20, "1e7", False), "stream"), ("R-MAT, weights", rmat(20, "1e7"), "stream"),
             ("grid", f"grid:rows=1500,cols=1500,classes={CLASSES}", "block")]
    rows = []
    for name, data, method in cases:
        folder = str(work / "g.hfp")
        partition(heatfront, data, 2, folder, "--method", method)
        plain, parted = [heatfront, "solve", data, "--time", "5", *SPLIT], [heatfront, "solve", folder, *SPLIT]
        ways = [(plain, 1), (parted, 1), (plain, 2), (MPI + ["2"] + parted, 1)]
        least = [float("inf")] * 4
        for _ in range(options.repeats):
            for i, (command, threads) in enumerate(ways):
                least[i] = min(least[i], Run(command, threads).per_product())
        one, one_parted, two, two_parted = least
        rows.append([name, *(f"{1e3 * s:.1f} ms" for s in (one, one_parted)), f"**{one_parted / one:.2f}**",
                     *(f"{1e3 * s:.1f} ms" for s in (two, two_parted)), f"**{two / two_parted:.2f}**"])
    return ["## One product", "",
            *table(["graph", "plain, 1 thread", "parts, 1 process", "ratio", "plain, 2 threads", "parts, 2 processes",
                    "speed of 2 processes"], rows),
            f"Seconds of a flow (t = 5) by its products, {CLASSES} classes; least of {options.repeats} runs that take turns. R-MAT of 10⁷ arcs in "
            "two parts by streaming; the grid has 9·10⁶ arcs, in two blocks.", ""]


def peers(heatfront, work, options):
    import dask.array
    import numpy
    import scipy.sparse
    folder = work / "p.hfp"
    data = rmat(20, "1e7")
    partition(heatfront, data, 1, str(folder))
    part = folder / "part-0000"
    offsets, columns, weights = (numpy.load(part / f"{name}.npy") for name in ("offsets", "targets", "weights"))
    nodes, arcs = len(offsets) - 1, len(columns)
    (work / "matrix").write_bytes(numpy.array([nodes, arcs], "i4").tobytes() + offsets.astype("i4").tobytes() +
                                  columns.tobytes() + weights.astype("f8").tobytes())
    petsc = str(work / "petsc_product")
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "PETSc"], capture_output=True, text=True, check=True).stdout.split()
    subprocess.run(["mpicc", "-O2", str(HERE / "petsc_product.c"), "-o", petsc, *flags], check=True)
    seconds = {}
    def least(name, value):
        seconds[name] = min(seconds.get(name, float("inf")), value)
    matrix = scipy.sparse.csr_matrix((weights, columns, offsets), (nodes, nodes))
    u = numpy.random.default_rng(1).random((nodes, CLASSES), "f4")
    blocks = [dask.array.from_delayed(dask.delayed(lambda a, b: a @ b)(matrix[rows], u), (stop - start, CLASSES), "f4")
              for start, stop in ((0, nodes // 2), (nodes // 2, nodes)) for rows in [slice(start, stop)]]
    in_dask = dask.array.concatenate(blocks)
    for _ in range(options.repeats):
        least("heatfront, 1 process on parts", Run([heatfront, "solve", str(folder), *SPLIT]).per_product())
        least("PETSc's MatMatMult, double", float(subprocess.run([petsc, str(work / "matrix"), str(CLASSES), "2"],
                                                         capture_output=True, text=True, check=True).stdout))
        begin = time.perf_counter()
        matrix @ u
        least("scipy's csr @ dense, float", time.perf_counter() - begin)
        begin = time.perf_counter()
        in_dask.compute(scheduler="threads", num_workers=2)
        least("Dask over scipy, two blocks of rows, 2 threads", time.perf_counter() - begin)
    best = seconds["heatfront, 1 process on parts"]
    return ["## Beside other libraries", "",
            *table(["product", "ms", "relative", "ns per arc"],
                   [[name, f"{1e3 * s:.1f}", f"{s / best:.1f}", f"{1e9 * s / arcs:.2f}"] for name, s in seconds.items()]),
            f"R-MAT of {arcs:,} arcs with weights, {CLASSES} columns. heatfront's product also takes the step of the flow and scales by degrees; "
            f"the others multiply alone. An arc takes 8 bytes in heatfront (4 without weights), 12 in PETSc (4 + 8), 8 in scipy.", ""]


def partitioning(heatfront, work, options):
    rows = []
    folder = str(work / "p.hfp")
    cases = [("R-MAT 10⁶", rmat(17, "1e6"), "stream"), ("R-MAT 10⁶", rmat(17, "1e6"), "scotch"), ("R-MAT 10⁷", rmat(20, "1e7"), "stream"),
             ("R-MAT 10⁸", rmat(23, "1e8"), "stream"), ("R-MAT 10⁸", rmat(23, "1e8"), "block")]
    cases += [(name, name, method) for name in [*REAL, "grid:rows=300,cols=300"] for method in ("stream", "scotch")]
    for name, data, method in cases:
        run = partition(heatfront, data, 4, folder, "--method", method, "--memory", "128")
        bytes_on_disk = sum((pathlib.Path(folder) / f"part-000{p}" / f"{f}.npy").stat().st_size for p in range(4)
                            for f in ("offsets", "targets", "node_ids", "weights") if run.said["weighted"] or f != "weights")
        said = run.said
        rows.append([name, method, f"{run.cpu:.1f} s", f"{run.own:.0f} MB", f"{run.mapped:.0f} MB", f"{said['ghosts_per_node']:.2f}",
                     f"{said['cut']:.2f}", f"{said['balance']:.2f}", f"{bytes_on_disk / said['arcs']:.1f}"])
    return ["## Partitioning", "",
            *table(["graph", "method", "time of a core", "memory", "of mapped files", "ghosts per node", "cut", "balance", "bytes per arc on disk"], rows),
            "4 parts, one thread, `--memory 128`; R-MAT with so many arcs asked for, and weights. What is mapped is given back when others need it.", ""]


def disk_bytes():
    return 512 * sum(int(line.split()[5]) for line in open("/proc/diskstats") if re.fullmatch(r"[a-z]+", line.split()[2]))


def forget(folder):
    """Takes its files out of the system's memory."""
    for path in pathlib.Path(folder).rglob("*.np?"):
        with open(path, "rb") as file:
            os.fdatasync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


LARGE = pathlib.Path(tempfile.gettempdir()) / "heatfront-1e9.hfp"


def large_parts(heatfront, work, options):
    made = partition(heatfront, rmat(25, "1e9"), 16, str(LARGE), "--memory", "512")
    said = made.said
    return ["## 10⁹ arcs on one machine", "",
            f"R-MAT with {said['arcs']:,} arcs with weights and {said['nodes']:,} nodes, into 16 parts by streaming with `--memory 512`: {made.cpu:.0f} s of one core, "
            f"{made.own:.0f} MB, and {made.mapped:.0f} MB of mapped files; {said['ghosts_per_node']:.2f} ghosts per node.", ""]


def large_solve(heatfront, work, options):
    forget(LARGE)
    before = disk_bytes()
    run = Run([heatfront, "solve", str(LARGE), *SPLIT])
    read = disk_bytes() - before
    arcs = json.loads((LARGE / "index.json").read_text())["arcs"]
    shutil.rmtree(LARGE)
    partition(heatfront, rmat(20, "1e7"), 16, str(work / "s.hfp"))
    small = Run([heatfront, "solve", str(work / "s.hfp"), *SPLIT])
    small_arcs = json.loads((work / "s.hfp" / "index.json").read_text())["arcs"]
    return [f"Solved by one process with one thread, {CLASSES} classes, t = 5, {run.said['products']} products: {run.seconds:.0f} s, of which the flow "
            f"{run.said['seconds']:.0f}; {run.own:.0f} MB, and {run.mapped:.0f} MB of mapped files, which were not in the system's memory at the beginning: "
            f"{read / 1e9:.1f} GB were read from disk. A product takes {1e9 * run.per_product() / arcs:.2f} ns per arc, and "
            f"{1e9 * small.per_product() / small_arcs:.2f} with 10⁷ arcs.", ""]


@contextlib.contextmanager
def namespaces():
    """Two machines with a cable between them, as far as the network goes."""
    def ip(*words):
        subprocess.run(["ip", *words], check=True)
    try:
        for i in "12":
            ip("netns", "add", f"hf{i}")
        ip("link", "add", "hfv1", "netns", "hf1", "type", "veth", "peer", "name", "hfv2", "netns", "hf2")
        for i in "12":
            ip("-n", f"hf{i}", "addr", "add", f"10.77.0.{i}/24", "dev", f"hfv{i}")
            ip("-n", f"hf{i}", "link", "set", f"hfv{i}", "up")
            ip("-n", f"hf{i}", "link", "set", "lo", "up")
        yield
    finally:
        for i in "12":
            subprocess.run(["ip", "netns", "del", f"hf{i}"])


def across(work):
    """mpiexec of one process in each of the namespaces."""
    agent = work / "agent"
    agent.write_text('#!/bin/sh\nhost=$1; shift\nexec ip netns exec "hf${host##*.}" sh -c "$*"\n')
    agent.chmod(0o755)
    return ["ip", "netns", "exec", "hf1", "mpiexec", "--mca", "plm_rsh_agent", str(agent), "--mca", "btl", "tcp,self",
            "--mca", "btl_tcp_if_include", "10.77.0.0/24", "--mca", "oob_tcp_if_include", "10.77.0.0/24",
            "--host", "10.77.0.1:1,10.77.0.2:1", "--bind-to", "none", "-n", "2"]


def throttle(gigabits):
    for i in "12":
        subprocess.run(["tc", "-n", f"hf{i}", "qdisc", "replace", "dev", f"hfv{i}", "root", "tbf", "rate", f"{gigabits}gbit",
                        "burst", "256kb", "latency", "50ms"], check=True)


def sent_bytes():
    return int(subprocess.run(["ip", "netns", "exec", "hf1", "cat", "/sys/class/net/hfv1/statistics/tx_bytes"], capture_output=True,
                              text=True, check=True).stdout)


def link(heatfront, work, options):
    program = str(work / "link")
    subprocess.run(["mpicc", "-O2", str(HERE / "link.c"), "-o", program], check=True)
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    cases = [("R-MAT", rmat(20, "1e7"), "stream"), ("grid", f"grid:rows=1500,cols=1500,classes={CLASSES}", "block")]
    rows, bytes_per_ghost = [], []
    with namespaces():
        for name, data, method in cases:
            folder = str(work / "n.hfp")
            said = partition(heatfront, data, 2, folder, "--method", method).said
            solve = [heatfront, "solve", folder, *SPLIT]
            alone = min(Run(solve).per_product() for _ in range(3))
            beside = min(Run(MPI + ["2"] + solve).per_product() for _ in range(3))  # the kernel, and rows through shared memory
            ghosts = max(part["ghosts"] for part in said["parts"])
            for gigabits in (1, 2, 5):
                throttle(gigabits)
                words = subprocess.run([*across(work), program], env=environment, capture_output=True, text=True, check=True).stdout.split()
                alpha, beta = float(words[0]), float(words[1])
                before = sent_bytes()
                runs = [Run(across(work) + solve) for _ in range(3)]
                sent = (sent_bytes() - before) / len(runs)
                measured = min(run.per_product() for run in runs)
                exchange = alpha + 4 * CLASSES * ghosts / beta
                forecast = exchange + beside
                rows.append([name, f"{gigabits} Gbit/s", f"{1e6 * alpha:.0f} µs", f"{8e-9 * beta:.2f} Gbit/s", f"{ghosts:,}",
                             f"{1e3 * exchange:.1f} ms", f"{1e3 * forecast:.1f} ms", f"{1e3 * measured:.1f} ms", f"**{forecast / measured:.2f}**"])
                if name == "R-MAT":
                    bytes_per_ghost.append(sent / (said["parts"][1]["ghosts"] * runs[0].said["products"]))
    return ["## The model, and a throttled link", "",
            *table(["graph", "link", "α", "β", "ghosts of a part", "exchange", "model", "measured", "model / measured"], rows),
            "Two processes in two network namespaces, TCP over a pair of interfaces throttled by a token bucket each way. α and β are measured on "
            "that link by messages of 32 bytes and of 4 and 12 MB that go both ways at once (medians of 15). The model of a product is α + 4C·ghosts/β and the "
            "time of the product of two processes without that link.", "",
            f"Over the link went {min(bytes_per_ghost):.0f} bytes per ghost and product of the flow, headers, labels, bounds and checks included; "
            f"4C are {4 * CLASSES}.", ""]


REAL = ["cora", "pubmed", "amazon_photo"]  # of HEATFRONT_DATA
MACHINES = [4, 16, 64]
CORES = 16  # of such a machine
# Nodes, arcs (both directions), classes.
BEYOND = {"papers100M": (111_059_956, 3_231_371_744, 172), "MAG240M, papers alone": (121_751_666, 2_595_497_852, 153)}


def forecast(heatfront, work, options):
    folder = str(work / "f.hfp")
    graphs = [(f"R-MAT, 2^{scale}", rmat(scale, 29 * 2**scale, False)) for scale in (14, 16, 18, 20)] + [(name, name) for name in REAL]
    rows, worst = [], {}
    for name, data in graphs:
        of = [partition(heatfront, data, parts, folder).said for parts in MACHINES]
        rows.append([name, f"{of[0]['nodes']:,}", f"{of[0]['arcs'] / of[0]['nodes']:.0f}", *(f"{said['ghosts_per_node']:.2f}" for said in of)])
        for parts, said in zip(MACHINES, of):
            worst[name, parts] = max(part["ghosts"] for part in said["parts"]) * parts / said["nodes"]
    speeds = []
    for classes in (8, 40):
        arcs = partition(heatfront, rmat(20, "1e7", False, classes), 1, folder).said["arcs"]
        least = min(Run([heatfront, "solve", folder, "--split", "per-class 100,100"]).per_product() for _ in range(3))
        speeds.append(1e9 * least / arcs)
    per_column = speeds[1] / 40
    made = []
    for name, (nodes, arcs, classes) in BEYOND.items():
        for machines in MACHINES:
            received = [4e-9 * classes * worst[like, machines] * nodes / machines for like in ("pubmed", "R-MAT, 2^20")]  # GB
            compute = 14 * per_column * 1e-9 * classes * arcs / machines / CORES
            made.append([name, machines, "{:.1f} to {:.1f} GB".format(*received), f"{compute:.1f} s",
                         *("{:.0f} to {:.0f} s".format(*(14 * 8 * gigabytes / gigabits + compute for gigabytes in received))
                           for gigabits in (10, 25, 100))])
    return ["## Beyond this machine: computed", "",
            "Ghosts per node that streaming left, measured: R-MAT graphs of 29 arcs asked for per node, as papers100M has, and small graphs of citations and of "
            "things bought together:", "",
            *table(["graph", "nodes", "arcs per node", *(f"{p} parts" for p in MACHINES)], rows),
            f"The kernel here, one core: {speeds[0]:.2f} ns per arc with 8 classes, {speeds[1]:.2f} with 40, so {per_column:.3f} ns per arc and column.", "",
            *table(["graph", "machines", "into a machine per product", "computing", "flow at 10 Gbit/s", "25 Gbit/s", "100 Gbit/s"], made),
            "**Computed, not measured**: 14 products with all classes (172 and 153) by the model above, nothing overlapping, the first figure with the ghosts of "
            f"pubmed (of its worst part), the second with those of R-MAT with 2²⁰ nodes. Machines of {CORES} cores are assumed to compute {CORES} times as fast as one core "
            "here; two cores here were 1.7 times as fast as one. Ghosts of R-MAT fall as it grows, because more and more of its nodes have no edge, so they were not "
            "extrapolated; `partition` says how many a graph really has.", ""]


def sections_of(text):
    return {match[1]: match[2] for match in re.finditer(r"<!-- (\w+) -->\n(.*?)(?=<!-- \w+ -->|\Z)", text, re.S)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("pieces", nargs="+", choices=ORDER)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    heatfront = str(pathlib.Path(options.build).resolve() / "heatfront")
    for piece in options.pieces:
        work = pathlib.Path(tempfile.mkdtemp())
        try:
            lines = globals()[piece](heatfront, work, options)
        finally:
            shutil.rmtree(work)
        print("\n".join(lines))
        sections = sections_of(RESULT.read_text()) if RESULT.exists() else {}
        sections[piece] = "\n".join(lines) + "\n"
        RESULT.write_text("# Graphs in parts\n\nWritten by `benchmarks/cluster/run.py`, on the machine of the other results (two cores).\n\n" +
                          "".join(f"<!-- {name} -->\n{sections[name]}" for name in ORDER if name in sections))


if __name__ == "__main__":
    main()
