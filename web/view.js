// SPDX-License-Identifier: MIT
// Where one looks at the graph from: what is drawn, how large, and which node is under the pointer.
import {css, MARK, nodeLook, outline} from './look.js';
import {CanvasPainter, MOST_CANVAS_NODES, WebGlPainter} from './paint.js';
import {Places} from './places.js';

const MOST_EDGES = 60000;  // that are drawn at once; zooming in shows more of them

// Edges in an order in which any first part is a fair sample.
function shuffled(edges) {
  const result = edges.slice();
  let seed = 12345;
  for (let i = result.length / 2 - 1; i > 0; --i) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    const j = seed % (i + 1);
    for (let k = 0; k < 2; ++k) [result[2 * i + k], result[2 * j + k]] = [result[2 * j + k], result[2 * i + k]];
  }
  return result;
}

export class View extends EventTarget {
  constructor(canvas, lassoLayer) {
    super();
    this.canvas = canvas;
    this.lassoLayer = lassoLayer;
    this.centre = [0, 0];
    this.scale = 1;
    this.heat = false;
    this.frameMs = 0;
    const wanted = new URLSearchParams(location.search).get('painter');
    try {
      this.painter = wanted === 'canvas' ? new CanvasPainter(canvas) : new WebGlPainter(canvas);
    } catch {
      this.painter = new CanvasPainter(canvas);
    }
    this.kind = this.painter instanceof WebGlPainter ? 'webgl' : 'canvas';
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.listen();
  }

  // `turned`: as another view of it is.
  setGraph({places, edges}, turned = this.liesAcross(places)) {
    this.n = places.length / 2;
    if (this.kind === 'canvas' && this.n > MOST_CANVAS_NODES)
      throw new Error(`this browser has no WebGL2, and without it at most ${MOST_CANVAS_NODES} nodes can be drawn`);
    this.edges = shuffled(edges);
    this.bytes = {group: new Uint16Array(this.n), sure: new Uint8Array(this.n), status: new Uint8Array(this.n).fill(3),
                  mark: new Uint8Array(this.n), strength: new Uint8Array(this.n)};
    this.painter.setGraph(this.n, this.edges);
    for (const name of Object.keys(this.bytes)) this.painter.set(name, this.bytes[name]);
    this.plan = new Places(places, this.edges);
    this.turned = turned;
    this.setPlaces(places);
    this.resize();
    this.fit();
  }

  // Is a graph tall where the screen is wide, or wide where it is tall? Then it is drawn turned by a quarter, from the first picture on.
  liesAcross(places) {
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let i = 0; i < places.length; i += 2) {
      x0 = Math.min(x0, places[i]); x1 = Math.max(x1, places[i]);
      y0 = Math.min(y0, places[i + 1]); y1 = Math.max(y1, places[i + 1]);
    }
    const tall = (y1 - y0) / (x1 - x0 || 1), wide = this.canvas.clientWidth >= this.canvas.clientHeight;
    return wide ? tall > 1.2 : tall < 1 / 1.2;
  }

  setPlaces(places) {
    this.asGiven = places;
    if (this.turned) {
      places = places.slice();
      for (let i = 0; i < places.length; i += 2) [places[i], places[i + 1]] = [places[i + 1], -places[i]];
    }
    this.places = places;
    this.plan.move(places);
    this.painter.set('place', places);
    this.draw();
  }

  setAnswer({classes, sure, status}) {
    const began = performance.now();
    Object.assign(this.bytes, {group: classes, sure, status});
    this.painter.set('group', classes);
    this.painter.set('sure', sure);
    this.painter.set('status', status);
    this.colouringMs = performance.now() - began;
    this.draw();
  }

  setMarks(marks) {
    this.bytes.mark = marks;
    this.pale = marks.includes(MARK.dim);
    this.painter.set('mark', marks);
    this.draw();
  }

  // The edges of this node are drawn strongly; of none where it is −1.
  setNear(u) {
    const ends = u < 0 ? [] : [...this.plan.neighboursOf(u)].flatMap((v) => [u, v]);
    this.painter.setNear(new Uint32Array(ends));
    this.draw();
  }

  setHeat(strength) {
    this.heat = strength !== null;
    if (strength) {
      this.bytes.strength = strength;
      this.painter.set('strength', strength);
    }
    this.draw();
  }

  resize() {
    const ratio = devicePixelRatio || 1, {clientWidth, clientHeight} = this.canvas;
    if (!clientWidth || !clientHeight) return;
    const width = Math.round(clientWidth * ratio), height = Math.round(clientHeight * ratio);
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
      if (this.fitted) this.fit();
    }
    this.draw();
  }

  fit() {
    if (!this.n) return;
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let u = 0; u < this.n; ++u) {
      x0 = Math.min(x0, this.places[2 * u]); x1 = Math.max(x1, this.places[2 * u]);
      y0 = Math.min(y0, this.places[2 * u + 1]); y1 = Math.max(y1, this.places[2 * u + 1]);
    }
    this.centre = [(x0 + x1) / 2, (y0 + y1) / 2];
    this.scale = 0.94 * Math.min(this.canvas.width / (x1 - x0 + 4), this.canvas.height / (y1 - y0 + 4));
    this.fitted = true;
    this.draw();
  }

  // Where the node is seen well already, nothing moves.
  reveal(u) {
    const [x, y] = this.toScreen(u), {clientWidth, clientHeight} = this.canvas, ratio = devicePixelRatio || 1;
    const inside = x > 40 && x < clientWidth - 40 && y > 40 && y < clientHeight - 40;
    if (!inside || this.scale < 2 * ratio) this.focus(u);
  }

  focus(u) {
    const ratio = devicePixelRatio || 1;
    this.centre = [this.places[2 * u], this.places[2 * u + 1]];
    this.scale = Math.max(this.scale, 8 * ratio);
    this.fitted = false;
    this.draw();
  }

  look() {
    const ratio = devicePixelRatio || 1, dark = document.documentElement.dataset.theme === 'dark';
    const share = Math.min(1, MOST_EDGES / Math.max(1, this.edges.length / 2) * Math.max(1, (this.scale / ratio / 2) ** 2));
    const edges = Math.round(share * this.edges.length / 2);
    return {
      centre: this.centre, scale: this.scale, heat: this.heat, edges, ratio, edgeInk: dark ? [0.62, 0.65, 0.7] : [0.3, 0.33, 0.38],
      size: ratio * Math.min(22, Math.max(2.2, 1.1 * this.scale / ratio)),
      edgeAlpha: (this.pale ? 0.3 : 1) * Math.min(0.45, Math.max(0.015, 13 / Math.sqrt(edges + 1))),
      paper: dark ? [0.07, 0.08, 0.1] : [1, 1, 1], grey: dark ? [0.42, 0.44, 0.48] : [0.66, 0.68, 0.7],
    };
  }

  draw() {
    if (this.pending || !this.n) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.drawNow();
    });
  }

  drawNow() {
    const began = performance.now(), look = this.look();
    this.painter.draw(look);
    this.frameMs = performance.now() - began;
    this.peer?.follow(this);
    this.edgeShare = look.edges / Math.max(1, this.edges.length / 2);
    this.dispatchEvent(new Event('drawn'));
  }

  // As another view of the same graph beside this one looks at it.
  follow(other) {
    if (this.centre === other.centre && this.scale === other.scale) return;
    Object.assign(this, {centre: other.centre, scale: other.scale, fitted: other.fitted});
    this.drawNow();
  }

  toScreen(u) {
    const ratio = devicePixelRatio || 1;
    return [((this.places[2 * u] - this.centre[0]) * this.scale + this.canvas.width / 2) / ratio,
            ((this.places[2 * u + 1] - this.centre[1]) * this.scale + this.canvas.height / 2) / ratio];
  }

  toPlane(x, y) {
    const ratio = devicePixelRatio || 1;
    return [(x * ratio - this.canvas.width / 2) / this.scale + this.centre[0],
            (y * ratio - this.canvas.height / 2) / this.scale + this.centre[1]];
  }

  nodeAt(x, y) {
    const [px, py] = this.toPlane(x, y), ratio = devicePixelRatio || 1;
    return this.plan.nearest(px, py, Math.max(9 * ratio, this.look().size) / this.scale);
  }

  nodesWithin(polygon) { return this.plan.within(polygon.map(([x, y]) => this.toPlane(x, y))); }

  neighbourTowards(u, dx, dy) { return this.plan.neighbourTowards(u, dx, dy); }

  listen() {
    const canvas = this.canvas, pointers = new Map();
    let moved = 0, lasso = null, pinch = 0;
    const at = (event) => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
    const tell = (type, detail) => this.dispatchEvent(new CustomEvent(type, {detail}));
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, at(event));
      moved = 0;
      lasso = (event.shiftKey || this.lassoMode) && this.lassoLayer && pointers.size === 1 ? [at(event)] : null;
    });
    canvas.addEventListener('pointermove', (event) => {
      const [x, y] = at(event), was = pointers.get(event.pointerId);
      if (!was) return tell('hover', this.n ? this.nodeAt(x, y) : -1);
      moved += Math.hypot(x - was[0], y - was[1]);
      pointers.set(event.pointerId, [x, y]);
      if (lasso) {
        lasso.push([x, y]);
        this.lassoLayer.setAttribute('points', lasso.map((p) => p.join(',')).join(' '));
      } else if (pointers.size === 2) {
        const [[ax, ay], [bx, by]] = [...pointers.values()], now = Math.hypot(ax - bx, ay - by);
        if (pinch) this.zoom(now / pinch, (ax + bx) / 2, (ay + by) / 2);
        pinch = now;
      } else {
        const ratio = devicePixelRatio || 1;
        this.centre = [this.centre[0] - (x - was[0]) * ratio / this.scale, this.centre[1] - (y - was[1]) * ratio / this.scale];
        this.fitted = false;
        this.draw();
      }
    });
    const end = (event) => {
      if (!pointers.delete(event.pointerId)) return;
      pinch = 0;
      if (lasso && lasso.length > 2) tell('lasso', this.nodesWithin(lasso));
      else if (moved < 5 && event.type === 'pointerup') tell('pick', this.nodeAt(...at(event)));
      lasso = null;
      this.lassoLayer?.setAttribute('points', '');
    };
    canvas.addEventListener('pointerup', end);
    canvas.addEventListener('pointercancel', end);
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), ...at(event));
    }, {passive: false});
  }

  zoom(factor, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2) {
    const [px, py] = this.toPlane(x, y);
    this.scale = Math.min(400, Math.max(1e-3, this.scale * factor));
    const [qx, qy] = this.toPlane(x, y);
    this.centre = [this.centre[0] + px - qx, this.centre[1] + py - qy];
    this.fitted = false;
    this.draw();
  }

  toBlob() {
    this.drawNow();
    return new Promise((done) => this.canvas.toBlob(done, 'image/png'));
  }

  toSvg() {
    const look = this.look(), {width, height} = this.canvas, p = this.places;
    const x = (u) => ((p[2 * u] - look.centre[0]) * look.scale + width / 2).toFixed(1);
    const y = (u) => ((p[2 * u + 1] - look.centre[1]) * look.scale + height / 2).toFixed(1);
    let path = '';
    for (let i = 0; i < look.edges; ++i)
      path += `M${x(this.edges[2 * i])} ${y(this.edges[2 * i])}L${x(this.edges[2 * i + 1])} ${y(this.edges[2 * i + 1])}`;
    const nodes = [];
    for (let u = 0; u < this.n; ++u) {
      const at = nodeLook(this.bytes, u, look);
      const style = `fill="${css(at.fill)}" stroke="${css(at.ring)}" stroke-width="${at.width.toFixed(1)}"`;
      nodes.push(at.shape === 0 ? `<circle cx="${x(u)}" cy="${y(u)}" r="${at.radius.toFixed(1)}" ${style}/>`
        : `<polygon points="${outline(at, +x(u), +y(u)).map((q) => q.map((z) => z.toFixed(1)).join(',')).join(' ')}" ${style}/>`);
    }
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="${css(look.paper)}"/>` +
      `<path d="${path}" stroke="${css(look.edgeInk, look.edgeAlpha)}" fill="none"/>${nodes.join('')}</svg>`;
  }
}
