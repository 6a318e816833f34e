// SPDX-License-Identifier: MIT
// How a node looks: what its class, sureness, status and marks come to. The shader of paint.js says the same for the graphics card.

export const STATUS = ['known', 'decided', 'undecided', 'unreached'];
export const MARK = {selected: 1, chosen: 2, flips: 4, suggested: 8, dim: 16};
// Okabe and Ito's colours without black; classes beyond the seventh have other shapes and other shades of them.
const PALETTE = ['#e69f00', '#56b4e9', '#009e73', '#d8c400', '#0072b2', '#d55e00', '#cc79a7'];
const SHAPES = ['circle', 'square', 'diamond', 'triangle'];
const SHADES = [[0, 0], [0, 0.45], [1, 0.5], [0, 0.7]];  // by shape: mixed with black (0) or white (1), how much
const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);
export const shapeOf = (c) => Math.floor(c / PALETTE.length) % SHAPES.length;
const mixed = (a, b, t) => a.map((x, i) => x + (b[i] - x) * t);
const shadeOf = (c) => { const [end, share] = SHADES[shapeOf(c)]; return mixed(rgb(PALETTE[c % PALETTE.length]), [end, end, end], share); };
export const colourOf = (c) => css(shadeOf(c));
// As many as a shader can tell apart.
export const COLOURS = Array.from({length: PALETTE.length * SHAPES.length}, (_, c) => shadeOf(c));

export const css = (c, a = 1) => `rgb(${c.map((x) => Math.round(255 * x)).join(' ')} / ${a})`;

// How a node looks, as the shader has it: for Canvas 2D and SVG.
export function nodeLook(bytes, u, look) {
  const colour = shadeOf(bytes.group[u]), status = bytes.status[u], mark = bytes.mark[u];
  const ink = look.paper.map((x) => 1 - x);
  let fill = mixed(look.grey, colour, 0.3 + 0.7 * bytes.sure[u] / 255), ring = mixed(colour, [0, 0, 0], 0.25);
  let width = 0.06, extent = look.size;
  if (status === 0) { ring = ink; width = 0.24; fill = colour; extent *= 1.35; }
  if (status >= 2) { fill = look.paper; ring = status === 2 ? colour : look.grey; width = 0.2; }
  if (look.heat) fill = mixed(look.paper, [0.84, 0.37, 0], Math.sqrt(bytes.strength[u] / 255));
  if (mark & MARK.suggested) { ring = ink; width = 0.14; extent *= 1.5; }
  if (mark & MARK.flips) { ring = [0.86, 0, 0.45]; width = 0.3; extent *= 1.7; }
  if (mark & MARK.chosen) { ring = [0.1, 0.35, 0.95]; width = 0.3; extent *= 1.4; }
  if (mark & MARK.selected) { ring = ink; width = 0.3; extent = Math.max(Math.min(2 * extent, extent + 12 * look.ratio), 14); }
  width = Math.min(width, (mark & 7 ? 3.5 : 2.2) * look.ratio / extent);
  return {fill, ring, width: width * extent, radius: extent / 2, alpha: mark & MARK.dim ? 0.15 : 1, shape: shapeOf(bytes.group[u])};
}

export function outline(look, x, y) {
  const r = look.radius;
  if (look.shape === 1) return [[x - r, y - r], [x + r, y - r], [x + r, y + r], [x - r, y + r]];
  if (look.shape === 2) return [[x, y - 1.2 * r], [x + 1.2 * r, y], [x, y + 1.2 * r], [x - 1.2 * r, y]];
  if (look.shape === 3) return [[x, y - r], [x + r, y + 0.8 * r], [x - r, y + 0.8 * r]];
  return [];
}
