// SPDX-License-Identifier: MIT
// The graph as a picture: WebGL2 where there is one, else Canvas 2D for up to 20,000 nodes. An answer is bytes that go to the graphics card
// as they are; the shader turns class, sureness and status into colour, shape and rings.

export const STATUS = ['known', 'decided', 'undecided', 'unreached'];
export const MARK = {selected: 1, chosen: 2, flips: 4, suggested: 8, dim: 16};
export const MOST_CANVAS_NODES = 20000;
const MOST_EDGES = 60000;  // that are drawn at once; zooming in shows more of them

// Okabe and Ito's colours without black; classes beyond the seventh have other shapes.
export const PALETTE = ['#e69f00', '#56b4e9', '#009e73', '#d8c400', '#0072b2', '#d55e00', '#cc79a7'];
export const SHAPES = ['circle', 'square', 'diamond', 'triangle'];
export const colourOf = (c) => PALETTE[c % PALETTE.length];
export const shapeOf = (c) => Math.floor(c / PALETTE.length) % SHAPES.length;
const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);

const NODE_VERTEX = `#version 300 es
precision highp float;
in vec2 place; in uint group; in float sure; in uint status; in uint mark; in float strength;
uniform vec2 centre, scale; uniform float size; uniform vec3 palette[7]; uniform vec3 paper, grey; uniform bool heat; uniform float ratio;
flat out vec3 fill, ring; flat out float ringWidth, extent, alpha; flat out uint shape;
void main() {
  gl_Position = vec4((place - centre) * scale, 0.0, 1.0);
  vec3 colour = palette[group % 7u];
  shape = (group / 7u) % 4u;
  fill = mix(grey, colour, 0.3 + 0.7 * sure);
  ring = mix(colour, vec3(0.0), 0.25); ringWidth = 0.06; alpha = 1.0; extent = size;
  if (status == 0u) { ring = vec3(1.0) - paper; ringWidth = 0.24; fill = colour; extent *= 1.35; }
  if (status == 2u) { fill = paper; ring = colour; ringWidth = 0.2; }
  if (status == 3u) { fill = paper; ring = grey; ringWidth = 0.2; }
  if (heat) { fill = mix(paper, vec3(0.84, 0.37, 0.0), sqrt(strength)); ring = mix(grey, ring, 0.4); }
  if ((mark & 16u) != 0u) alpha = 0.15;
  if ((mark & 8u) != 0u) { ring = vec3(1.0) - paper; ringWidth = 0.14; extent *= 1.5; alpha = 1.0; }
  if ((mark & 4u) != 0u) { ring = vec3(0.86, 0.0, 0.45); ringWidth = 0.3; extent *= 1.7; alpha = 1.0; }
  if ((mark & 2u) != 0u) { ring = vec3(0.1, 0.35, 0.95); ringWidth = 0.3; extent *= 1.4; alpha = 1.0; }
  if ((mark & 1u) != 0u) { ring = vec3(1.0) - paper; ringWidth = 0.3; extent = max(2.0 * extent, 14.0); alpha = 1.0; }
  ringWidth = min(ringWidth, ((mark & 7u) != 0u ? 3.5 : 2.2) * ratio / extent);
  gl_PointSize = extent + 2.0;
}`;
const NODE_FRAGMENT = `#version 300 es
precision highp float;
flat in vec3 fill, ring; flat in float ringWidth, extent, alpha; flat in uint shape;
out vec4 colour;
void main() {
  vec2 p = (gl_PointCoord - 0.5) * 2.0 * (extent + 2.0) / extent;
  float d = shape == 0u ? length(p) : shape == 1u ? max(abs(p.x), abs(p.y)) * 1.15
          : shape == 2u ? (abs(p.x) + abs(p.y)) * 0.85 : max(abs(p.x) * 0.9 - p.y * 0.5, p.y) * 1.3 + 0.05;
  float soft = 2.0 / extent;
  float inside = 1.0 - smoothstep(1.0 - soft, 1.0 + soft, d);
  if (inside <= 0.0) discard;
  float edge = smoothstep(1.0 - 2.0 * ringWidth - soft, 1.0 - 2.0 * ringWidth + soft, d);
  colour = vec4(mix(fill, ring, edge), inside * alpha);
}`;
const EDGE_VERTEX = `#version 300 es
precision highp float;
in vec2 place; uniform vec2 centre, scale;
void main() { gl_Position = vec4((place - centre) * scale, 0.0, 1.0); }`;
const EDGE_FRAGMENT = `#version 300 es
precision highp float;
uniform vec4 ink; out vec4 colour;
void main() { colour = ink; }`;

function program(gl, vertex, fragment) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
  const uniforms = {};
  for (let i = 0; i < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); ++i) {
    const name = gl.getActiveUniform(made, i).name.replace('[0]', '');
    uniforms[name] = gl.getUniformLocation(made, name);
  }
  return {made, uniforms, attribute: (name) => gl.getAttribLocation(made, name)};
}

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

class WebGlPainter {
  constructor(canvas) {
    const gl = this.gl = canvas.getContext('webgl2', {alpha: false, antialias: true, preserveDrawingBuffer: true});
    if (!gl) throw new Error('no WebGL2');
    this.nodes = program(gl, NODE_VERTEX, NODE_FRAGMENT);
    this.lines = program(gl, EDGE_VERTEX, EDGE_FRAGMENT);
    this.buffers = Object.fromEntries(
      ['place', 'group', 'sure', 'status', 'mark', 'strength', 'edges'].map((name) => [name, gl.createBuffer()]));
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    this.nodeArrays = gl.createVertexArray();
    this.lineArrays = gl.createVertexArray();
  }

  bind(attribute, name, count, kind, whole) {
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[name]);
    gl.enableVertexAttribArray(attribute);
    if (whole) gl.vertexAttribIPointer(attribute, count, kind, 0, 0);
    else gl.vertexAttribPointer(attribute, count, kind, kind === gl.UNSIGNED_BYTE, 0, 0);
  }

  setGraph(n, edges) {
    const gl = this.gl, node = (name) => this.nodes.attribute(name);
    gl.bindVertexArray(this.nodeArrays);
    this.bind(node('place'), 'place', 2, gl.FLOAT);
    this.bind(node('group'), 'group', 1, gl.UNSIGNED_SHORT, true);
    this.bind(node('sure'), 'sure', 1, gl.UNSIGNED_BYTE);
    this.bind(node('status'), 'status', 1, gl.UNSIGNED_BYTE, true);
    this.bind(node('mark'), 'mark', 1, gl.UNSIGNED_BYTE, true);
    this.bind(node('strength'), 'strength', 1, gl.UNSIGNED_BYTE);
    gl.bindVertexArray(this.lineArrays);
    this.bind(this.lines.attribute('place'), 'place', 2, gl.FLOAT);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.buffers.edges);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, edges, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    this.set('strength', new Uint8Array(n));
    this.n = n;
  }

  set(name, bytes) {
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[name]);
    gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.DYNAMIC_DRAW);
  }

  draw(look) {
    const gl = this.gl, {width, height} = gl.canvas;
    const scale = [2 * look.scale / width, -2 * look.scale / height];
    gl.viewport(0, 0, width, height);
    gl.clearColor(...look.paper, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.useProgram(this.lines.made);
    gl.bindVertexArray(this.lineArrays);
    gl.uniform2f(this.lines.uniforms.centre, ...look.centre);
    gl.uniform2f(this.lines.uniforms.scale, ...scale);
    gl.uniform4f(this.lines.uniforms.ink, ...look.edgeInk, look.edgeAlpha);
    gl.drawElements(gl.LINES, 2 * look.edges, gl.UNSIGNED_INT, 0);
    gl.useProgram(this.nodes.made);
    gl.bindVertexArray(this.nodeArrays);
    const u = this.nodes.uniforms;
    gl.uniform2f(u.centre, ...look.centre);
    gl.uniform2f(u.scale, ...scale);
    gl.uniform1f(u.size, look.size);
    gl.uniform1f(u.ratio, look.ratio);
    gl.uniform3fv(u.palette, PALETTE.flatMap(rgb));
    gl.uniform3f(u.paper, ...look.paper);
    gl.uniform3f(u.grey, ...look.grey);
    gl.uniform1i(u.heat, look.heat ? 1 : 0);
    gl.drawArrays(gl.POINTS, 0, this.n);
    gl.bindVertexArray(null);
  }
}

const css = (c, a = 1) => `rgb(${c.map((x) => Math.round(255 * x)).join(' ')} / ${a})`;
const mixed = (a, b, t) => a.map((x, i) => x + (b[i] - x) * t);

// How a node looks, as the shader has it: for Canvas 2D and SVG.
function nodeLook(bytes, u, look) {
  const colour = rgb(colourOf(bytes.group[u])), status = bytes.status[u], mark = bytes.mark[u];
  const ink = look.paper.map((x) => 1 - x);
  let fill = mixed(look.grey, colour, 0.3 + 0.7 * bytes.sure[u] / 255), ring = mixed(colour, [0, 0, 0], 0.25);
  let width = 0.06, extent = look.size;
  if (status === 0) { ring = ink; width = 0.24; fill = colour; extent *= 1.35; }
  if (status >= 2) { fill = look.paper; ring = status === 2 ? colour : look.grey; width = 0.2; }
  if (look.heat) fill = mixed(look.paper, [0.84, 0.37, 0], Math.sqrt(bytes.strength[u] / 255));
  if (mark & MARK.suggested) { ring = ink; width = 0.14; extent *= 1.5; }
  if (mark & MARK.flips) { ring = [0.86, 0, 0.45]; width = 0.3; extent *= 1.7; }
  if (mark & MARK.chosen) { ring = [0.1, 0.35, 0.95]; width = 0.3; extent *= 1.4; }
  if (mark & MARK.selected) { ring = ink; width = 0.3; extent = Math.max(2 * extent, 14); }
  width = Math.min(width, (mark & 7 ? 3.5 : 2.2) * look.ratio / extent);
  return {fill, ring, width: width * extent, radius: extent / 2, alpha: mark & MARK.dim ? 0.15 : 1, shape: shapeOf(bytes.group[u])};
}

class CanvasPainter {
  constructor(canvas) {
    this.context = canvas.getContext('2d');
    this.bytes = {};
  }
  setGraph(n, edges) {
    this.n = n;
    this.edges = edges;
    this.bytes.strength = new Uint8Array(n);
  }
  set(name, bytes) { this.bytes[name] = bytes; }
  draw(look) {
    const c = this.context, {width, height} = c.canvas, p = this.bytes.place;
    const x = (u) => (p[2 * u] - look.centre[0]) * look.scale + width / 2;
    const y = (u) => (p[2 * u + 1] - look.centre[1]) * look.scale + height / 2;
    c.fillStyle = css(look.paper);
    c.fillRect(0, 0, width, height);
    c.strokeStyle = css(look.edgeInk, look.edgeAlpha);
    c.lineWidth = 1;
    c.beginPath();
    for (let i = 0; i < look.edges; ++i) {
      c.moveTo(x(this.edges[2 * i]), y(this.edges[2 * i]));
      c.lineTo(x(this.edges[2 * i + 1]), y(this.edges[2 * i + 1]));
    }
    c.stroke();
    for (let u = 0; u < this.n; ++u) {
      const at = nodeLook(this.bytes, u, look);
      c.globalAlpha = at.alpha;
      c.fillStyle = css(at.fill);
      c.strokeStyle = css(at.ring);
      c.lineWidth = at.width;
      c.beginPath();
      outline(at, x(u), y(u)).forEach(([px, py], i) => (i ? c.lineTo(px, py) : c.moveTo(px, py)));
      if (at.shape === 0) c.arc(x(u), y(u), at.radius, 0, 7);
      c.closePath();
      c.fill();
      c.stroke();
    }
    c.globalAlpha = 1;
  }
}

function outline(look, x, y) {
  const r = look.radius;
  if (look.shape === 1) return [[x - r, y - r], [x + r, y - r], [x + r, y + r], [x - r, y + r]];
  if (look.shape === 2) return [[x, y - 1.2 * r], [x + 1.2 * r, y], [x, y + 1.2 * r], [x - 1.2 * r, y]];
  if (look.shape === 3) return [[x, y - r], [x + r, y + 0.8 * r], [x - r, y + 0.8 * r]];
  return [];
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

  setGraph({places, edges}) {
    this.n = places.length / 2;
    if (this.kind === 'canvas' && this.n > MOST_CANVAS_NODES)
      throw new Error(`this browser has no WebGL2, and without it at most ${MOST_CANVAS_NODES} nodes can be drawn`);
    this.edges = shuffled(edges);
    this.bytes = {group: new Uint16Array(this.n), sure: new Uint8Array(this.n), status: new Uint8Array(this.n).fill(3),
                  mark: new Uint8Array(this.n), strength: new Uint8Array(this.n)};
    this.painter.setGraph(this.n, this.edges);
    for (const name of Object.keys(this.bytes)) this.painter.set(name, this.bytes[name]);
    this.turned = this.liesAcross(places);
    this.setPlaces(places);
    this.neighbours = null;
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
    if (this.turned) {
      places = places.slice();
      for (let i = 0; i < places.length; i += 2) [places[i], places[i + 1]] = [places[i + 1], -places[i]];
    }
    this.places = places;
    this.painter.set('place', places);
    this.grid = null;
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
    this.painter.set('mark', marks);
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
      edgeAlpha: Math.min(0.45, Math.max(0.06, 13 / Math.sqrt(edges + 1))),
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
    this.edgeShare = look.edges / Math.max(1, this.edges.length / 2);
    this.dispatchEvent(new Event('drawn'));
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

  // Nodes in squares, so that the one under the pointer is found at once.
  buildGrid() {
    const side = 2, grid = new Map();
    for (let u = 0; u < this.n; ++u) {
      const key = Math.floor(this.places[2 * u] / side) * 1e6 + Math.floor(this.places[2 * u + 1] / side);
      const list = grid.get(key);
      if (list) list.push(u); else grid.set(key, [u]);
    }
    this.grid = {side, grid};
  }

  nodeAt(x, y) {
    if (!this.grid) this.buildGrid();
    const {side, grid} = this.grid, [px, py] = this.toPlane(x, y), ratio = devicePixelRatio || 1;
    const reach = Math.max(9 * ratio, this.look().size) / this.scale, cells = Math.min(40, Math.ceil(reach / side));
    const cx = Math.floor(px / side), cy = Math.floor(py / side);
    let best = -1, least = reach * reach;
    for (let i = cx - cells; i <= cx + cells; ++i) {
      for (let j = cy - cells; j <= cy + cells; ++j) {
        for (const u of grid.get(i * 1e6 + j) ?? []) {
          const d = (this.places[2 * u] - px) ** 2 + (this.places[2 * u + 1] - py) ** 2;
          if (d < least) { least = d; best = u; }
        }
      }
    }
    return best;
  }

  nodesWithin(polygon) {
    const corners = polygon.map(([x, y]) => this.toPlane(x, y)), found = [];
    for (let u = 0; u < this.n; ++u) {
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
      const begin = new Uint32Array(this.n + 2);
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

  listen() {
    const canvas = this.canvas, pointers = new Map();
    let moved = 0, lasso = null, pinch = 0;
    const at = (event) => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
    const tell = (type, detail) => this.dispatchEvent(new CustomEvent(type, {detail}));
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, at(event));
      moved = 0;
      lasso = (event.shiftKey || this.lassoMode) && pointers.size === 1 ? [at(event)] : null;
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
      this.lassoLayer.setAttribute('points', '');
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
