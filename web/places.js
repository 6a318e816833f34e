// SPDX-License-Identifier: MIT
// Which node is where: under the pointer, within a lasso, along an edge in some direction.

export class Places {
  constructor(places, edges) {
    this.edges = edges;
    this.move(places);
  }

  move(places) {
    this.places = places;
    this.squares = null;
  }

  // Nodes in squares, so that the one under the pointer is found at once.
  makeSquares() {
    const side = 2, squares = this.squares = {side, nodes: new Map()};
    for (let u = 0; 2 * u < this.places.length; ++u) {
      const key = Math.floor(this.places[2 * u] / side) * 1e6 + Math.floor(this.places[2 * u + 1] / side);
      const list = squares.nodes.get(key);
      if (list) list.push(u); else squares.nodes.set(key, [u]);
    }
    return squares;
  }

  nearest(px, py, reach) {
    const {side, nodes} = this.squares ?? this.makeSquares(), around = Math.min(40, Math.ceil(reach / side));
    const cx = Math.floor(px / side), cy = Math.floor(py / side);
    let best = -1, least = reach * reach;
    for (let i = cx - around; i <= cx + around; ++i) {
      for (let j = cy - around; j <= cy + around; ++j) {
        for (const u of nodes.get(i * 1e6 + j) ?? []) {
          const d = (this.places[2 * u] - px) ** 2 + (this.places[2 * u + 1] - py) ** 2;
          if (d < least) { least = d; best = u; }
        }
      }
    }
    return best;
  }

  within(corners) {
    const found = [];
    for (let u = 0; 2 * u < this.places.length; ++u) {
      const x = this.places[2 * u], y = this.places[2 * u + 1];
      let inside = false;
      for (let i = 0, j = corners.length - 1; i < corners.length; j = i++) {
        const [ax, ay] = corners[i], [bx, by] = corners[j];
        if ((ay > y) !== (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax) inside = !inside;
      }
      if (inside) found.push(u);
    }
    return found;
  }

  neighboursOf(u) {
    if (!this.neighbours) {
      const begin = new Uint32Array(this.places.length / 2 + 2);
      for (const end of this.edges) ++begin[end + 2];
      for (let i = 2; i < begin.length; ++i) begin[i] += begin[i - 1];
      const targets = new Uint32Array(this.edges.length);
      for (let i = 0; i < this.edges.length; i += 2) {
        targets[begin[this.edges[i] + 1]++] = this.edges[i + 1];
        targets[begin[this.edges[i + 1] + 1]++] = this.edges[i];
      }
      this.neighbours = {begin, targets};
    }
    return this.neighbours.targets.subarray(this.neighbours.begin[u], this.neighbours.begin[u + 1]);
  }

  // The neighbour that lies most in this direction.
  neighbourTowards(u, dx, dy) {
    let best = -1, most = 0.2;
    for (const v of this.neighboursOf(u)) {
      const x = this.places[2 * v] - this.places[2 * u], y = this.places[2 * v + 1] - this.places[2 * u + 1];
      const along = (x * dx + y * dy) / (Math.hypot(x, y) || 1);
      if (along > most) { most = along; best = v; }
    }
    return best;
  }
}
