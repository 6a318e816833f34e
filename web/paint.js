// SPDX-License-Identifier: MIT
// The graph as a picture: WebGL2 where there is one, else Canvas 2D for up to 20,000 nodes. An answer is bytes that go to the graphics card
// as they are; the shader turns class, sureness and status into colour, shape and rings.
import {COLOURS, css, nodeLook, outline} from './look.js';

export const MOST_CANVAS_NODES = 20000;

const NODE_VERTEX = `#version 300 es
precision highp float;
in vec2 place; in uint group; in float sure; in uint status; in uint mark; in float strength;
uniform vec2 centre, scale; uniform float size; uniform vec3 palette[28]; uniform vec3 paper, grey; uniform bool heat; uniform float ratio;
flat out vec3 fill, ring; flat out float ringWidth, extent, alpha; flat out uint shape;
void main() {
  gl_Position = vec4((place - centre) * scale, (mark & 1u) != 0u ? -0.5 : (mark & 14u) != 0u ? -0.25 : 0.0, 1.0);  // marked ones on top
  vec3 colour = palette[group % 28u];
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
  if ((mark & 1u) != 0u) { ring = vec3(1.0) - paper; ringWidth = 0.3; extent = max(min(2.0 * extent, extent + 12.0 * ratio), 14.0); alpha = 1.0; }
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

export class WebGlPainter {
  constructor(canvas) {
    const gl = this.gl = canvas.getContext('webgl2', {alpha: false, antialias: true, preserveDrawingBuffer: true});
    if (!gl) throw new Error('no WebGL2');
    this.nodes = program(gl, NODE_VERTEX, NODE_FRAGMENT);
    this.lines = program(gl, EDGE_VERTEX, EDGE_FRAGMENT);
    this.buffers = Object.fromEntries(
      ['place', 'group', 'sure', 'status', 'mark', 'strength', 'edges', 'near'].map((name) => [name, gl.createBuffer()]));
    gl.enable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
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

  // Edges that are drawn strongly: pairs of nodes.
  setNear(edges) {
    const gl = this.gl;
    this.near = edges.length;
    gl.bindVertexArray(null);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.buffers.near);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, edges, gl.DYNAMIC_DRAW);
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
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(this.lines.made);
    gl.bindVertexArray(this.lineArrays);
    gl.uniform2f(this.lines.uniforms.centre, ...look.centre);
    gl.uniform2f(this.lines.uniforms.scale, ...scale);
    gl.uniform4f(this.lines.uniforms.ink, ...look.edgeInk, look.edgeAlpha);
    gl.drawElements(gl.LINES, 2 * look.edges, gl.UNSIGNED_INT, 0);
    if (this.near) {
      gl.uniform4f(this.lines.uniforms.ink, ...look.edgeInk, 0.9);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.buffers.near);
      gl.drawElements(gl.LINES, this.near, gl.UNSIGNED_INT, 0);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.buffers.edges);
    }
    gl.useProgram(this.nodes.made);
    gl.bindVertexArray(this.nodeArrays);
    const u = this.nodes.uniforms;
    gl.uniform2f(u.centre, ...look.centre);
    gl.uniform2f(u.scale, ...scale);
    gl.uniform1f(u.size, look.size);
    gl.uniform1f(u.ratio, look.ratio);
    gl.uniform3fv(u.palette, COLOURS.flat());
    gl.uniform3f(u.paper, ...look.paper);
    gl.uniform3f(u.grey, ...look.grey);
    gl.uniform1i(u.heat, look.heat ? 1 : 0);
    gl.drawArrays(gl.POINTS, 0, this.n);
    gl.bindVertexArray(null);
  }
}

export class CanvasPainter {
  constructor(canvas) {
    this.context = canvas.getContext('2d');
    this.bytes = {};
  }
  setGraph(n, edges) {
    this.n = n;
    this.edges = edges;
    this.near = [];
    this.bytes.strength = new Uint8Array(n);
  }
  setNear(edges) { this.near = edges; }
  set(name, bytes) { this.bytes[name] = bytes; }
  draw(look) {
    const c = this.context, {width, height} = c.canvas, p = this.bytes.place;
    const x = (u) => (p[2 * u] - look.centre[0]) * look.scale + width / 2;
    const y = (u) => (p[2 * u + 1] - look.centre[1]) * look.scale + height / 2;
    c.fillStyle = css(look.paper);
    c.fillRect(0, 0, width, height);
    c.lineWidth = 1;
    for (const [edges, count, alpha] of [[this.edges, look.edges, look.edgeAlpha], [this.near, this.near.length / 2, 0.9]]) {
      c.strokeStyle = css(look.edgeInk, alpha);
      c.beginPath();
      for (let i = 0; i < count; ++i) {
        c.moveTo(x(edges[2 * i]), y(edges[2 * i]));
        c.lineTo(x(edges[2 * i + 1]), y(edges[2 * i + 1]));
      }
      c.stroke();
    }
    const rank = (u) => { const mark = this.bytes.mark[u]; return mark & 1 ? 2 : mark & 14 ? 1 : 0; };
    const nodes = [...Array(this.n).keys()].sort((u, v) => rank(u) - rank(v));  // marked ones on top
    for (const u of nodes) {
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
