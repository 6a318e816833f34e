// SPDX-License-Identifier: MIT
// What stands beside the picture, made of elements: no text of anybody's data is ever read as HTML.
import {colourOf, shapeOf, STATUS} from './look.js';

const SVG = 'http://www.w3.org/2000/svg';

export const $ = (id) => document.getElementById(id);

export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== null) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

function drawn(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export const percent = (share) => `${(100 * share).toFixed(1)} %`;
const signed = (x) => (x < 0 ? '−' : '+') + Math.abs(x).toFixed(4);
const SHOWN = 5e-5;  // less than this is no more than 0.0000

export function swatch(c) {
  const shapes = [drawn('circle', {cx: 6, cy: 6, r: 5}), drawn('rect', {x: 1.5, y: 1.5, width: 9, height: 9}),
                  drawn('polygon', {points: '6,0 12,6 6,12 0,6'}), drawn('polygon', {points: '6,1 11,11 1,11'})];
  const shape = shapes[shapeOf(c)];
  shape.setAttribute('fill', colourOf(c));
  return drawn('svg', {viewBox: '0 0 12 12', 'aria-hidden': 'true'}, shape);
}

// From a middle line to the right what speaks for, to the left what speaks against.
function bar(value, most, colour) {
  const width = most > 0 ? 46 * Math.min(1, Math.abs(value) / most) : 0;
  return drawn('svg', {viewBox: '0 0 92 11', 'aria-hidden': 'true'},
    drawn('rect', {x: value < 0 ? 46 - width : 46, y: 1, width, height: 9, fill: colour}),
    drawn('line', {x1: 46, x2: 46, y1: 0, y2: 11, stroke: 'currentColor', 'stroke-width': 0.5}));
}

// `why` of the program; what is not listed is one bar, so that every part adds up to its sum.
export function showWhy(place, why, classes, choose) {
  const node = (name) => make('button', {class: 'linklike', type: 'button', onclick: () => choose(name)}, name);
  place.replaceChildren();
  const head = make('p', {id: 'whose'}, make('b', {}, why.node ?? ''));
  if (why.status === 'unreached') {
    place.append(make('p', {}, make('b', {}, why.node), ': no label reaches it yet. Give it one, or label a node that edges join it to.'));
    return;
  }
  if (why.class !== undefined) head.append(`: ${why.class}, ${why.status}`, why.status === 'known' ? '' : `, ${percent(why.confidence)} sure`);
  place.append(head);
  const shares = make('div', {class: 'bars'});
  const ranked = why.shares.map((share, c) => [share, c]).sort((a, b) => b[0] - a[0]).slice(0, 5);
  shares.append(make('h3', {}, 'how likely'));
  for (const [share, c] of ranked) {
    shares.append(make('span', {class: 'name'}, classes[c]),
      drawn('svg', {viewBox: '0 0 92 11', 'aria-hidden': 'true'}, drawn('rect', {x: 0, y: 1, width: 92 * share, height: 9, fill: colourOf(c)})),
      make('span', {class: 'number'}, percent(share)));
  }
  place.append(shares);
  if (why.lead === undefined) {
    place.append(make('p', {class: 'quiet'}, 'This model’s answers are not a sum of what labels give, so there are no reasons to show.'));
    return;
  }
  const parts = [
    ['labels', 'known labels', why.labels ?? [], why.lead_from_labels, (x) => [node(x.node), ` ${x.class}`]],
    ['fronts', 'fronts (what features say)', why.fronts ?? [], why.lead_from_front, (x) => [node(x.node), ` ${x.which_is}, says ${x.class}`]],
  ];
  const sums = make('div', {class: 'bars', id: 'reasons', 'data-lead': why.lead});
  const all = [...(why.labels ?? []), ...(why.fronts ?? []), ...(why.attributes ?? [])];
  const most = Math.max(1e-12, Math.abs(why.lead_from_prior ?? 0), ...all.map((x) => Math.abs(x.lead)));
  const row = (part, name, value, sum) => {
    const drawnBar = bar(value, sum ? Math.max(most, Math.abs(value)) : most, value < 0 ? '#d55e00' : '#0072b2');
    const cells = [make('span', {class: `name ${sum ? 'sum' : ''}`}, ...name), make('span', {class: sum ? 'sum' : ''}, drawnBar),
                   make('span', {class: `number ${sum ? 'sum' : ''}`, 'data-part': sum ? `${part}-sum` : part, 'data-value': value}, signed(value))];
    sums.append(...cells);
  };
  for (const [part, title, list, sum, name] of parts) {
    if (!list.length && !sum) continue;
    sums.append(make('h3', {}, title));
    const shown = list.filter((item) => Math.abs(item.lead) >= SHOWN);
    for (const item of shown) row(part, name(item), item.lead);
    const rest = sum - shown.reduce((total, item) => total + item.lead, 0);
    if (Math.abs(rest) > 1e-9) row(part, ['all others'], rest);
    row(part, ['together'], sum, true);
  }
  if (why.lead_from_prior) row('prior', ['class frequency'], why.lead_from_prior, true);
  row('lead', [`lead over ${why.second}`], why.lead, true);
  place.append(sums);
  if (why.attributes?.length) {
    const attributes = make('div', {class: 'bars'}, make('h3', {}, 'the same lead, by attribute'));
    const largest = Math.max(...why.attributes.map((x) => Math.abs(x.lead)));
    for (const item of why.attributes)
      attributes.append(make('span', {class: 'name'}, item.attribute), bar(item.lead, largest, item.lead < 0 ? '#d55e00' : '#0072b2'), make('span', {class: 'number'}, signed(item.lead)));
    place.append(attributes);
  }
  for (const without of why.without ?? [])
    place.append(make('p', {class: 'quiet'}, `Without the label of ${without.node} it would be ${without.class}, ${percent(without.confidence)} sure.`));
}

export function showStand(place, state) {
  const line = (name, value) => make('p', {}, `${name} `, make('b', {}, value));
  place.replaceChildren(
    line('Nodes', `${state.nodes.toLocaleString('en')}, ${state.edges.toLocaleString('en')} edges`),
    line('Model', state.model),
    line('Labels known', state.known.toLocaleString('en')),
    line('Decided', ['', ' undecided', ' unreached'].map((name, i) => [[state.decided, state.undecided, state.unreached][i], name])
      .filter(([count, name]) => count || !name).map(([count, name]) => count.toLocaleString('en') + name).join(', ')));
  const accuracy = state.test_accuracy ?? state.validation_accuracy ?? state.left_out_accuracy;
  if (typeof accuracy === 'number')
    place.append(line('Accuracy', `${percent(accuracy)} of ${state.test_accuracy !== null ? 'nodes held back' : state.validation_accuracy !== null ? 'validation nodes' : 'labels left out'}`));
  if (!state.history.length) for (const note of state.notes ?? []) place.append(make('p', {class: 'quiet'}, note));
}

// `reached(node)`: does a label reach it?
export function showNext(place, suggestions, reached, choose) {
  place.replaceChildren(...suggestions.map((s) => make('li', {},
    make('button', {type: 'button', 'data-node': s.number, onclick: () => choose(s.number)},
      make('b', {}, s.node), reached(s.number) ? ` now ${s.class}` : ' no class yet',
      make('span', {class: 'quiet'}, s.expected_change === null || !reached(s.number) ? ''
        : `, would change about ${s.expected_change.toFixed(s.expected_change < 10 ? 1 : 0)} nodes`)))));
}

export function showHistory(place, steps, choose) {
  const what = (step) => step.count > 1 ? `${step.count} nodes` : step.name;
  place.replaceChildren(...steps.map((step) => make('li', {},
    make('button', {type: 'button', onclick: () => choose(step.node)}, make('b', {}, what(step)),
      step.after === null ? ' label removed' : ` → ${step.after}`,
      make('span', {class: 'quiet'}, step.time ? `  ${new Date(1000 * step.time).toLocaleTimeString()}` : '')))));
}

export function showCurve(place, film, at) {
  place.replaceChildren();
  if (!film) return;
  const low = Math.min(...film.scores), high = Math.max(...film.scores), span = high - low || 1;
  const x = (i) => 400 * i / (film.scores.length - 1), y = (s) => 36 - 32 * (s - low) / span;
  let path = '';
  film.scores.forEach((s, i) => { path += `${i ? 'L' : 'M'}${x(i).toFixed(1)} ${y(s).toFixed(1)}`; });
  place.append(drawn('path', {d: path}), drawn('line', {x1: x(at), x2: x(at), y1: 0, y2: 40}));
  place.setAttribute('aria-label', `${film.judged ? 'Accuracy' : 'Agreement with the end'} over time, from ${percent(film.scores[0])} to ${percent(film.scores.at(-1))}`);
}

// All nodes, a page at a time, sorted by a column.
export class Table {
  constructor(app) {
    this.app = app;
    this.by = 'node';
    this.down = false;
    this.page = 0;
    this.dialog = $('table');
    $('filter').addEventListener('input', () => { this.page = 0; this.show(); });
    $('before').addEventListener('click', () => { --this.page; this.show(); });
    $('after').addEventListener('click', () => { ++this.page; this.show(); });
  }

  open() {
    this.show();
    this.dialog.showModal();
  }

  show() {
    const {app} = this, {classes, sure, status} = app.answer, names = app.state.classes, each = 100;
    const other = app.beside.answer?.classes;
    const columns = {node: (u) => u, class: (u) => classes[u], confidence: (u) => sure[u], status: (u) => status[u]};
    if (other) columns.beside = (u) => (other[u] === classes[u] ? names.length : 0) + other[u];  // those that differ first
    const head = $('columns');
    head.replaceChildren(...Object.keys(columns).map((name) => make('th', {scope: 'col', 'aria-sort': name !== this.by ? 'none' : this.down ? 'descending' : 'ascending'},
      make('button', {type: 'button', onclick: () => { this.down = this.by === name && !this.down; this.by = name; this.page = 0; this.show(); }},
        name + (name !== this.by ? '' : this.down ? ' ↓' : ' ↑')))));
    const wanted = $('filter').value.toLowerCase();
    const nodes = [];
    for (let u = 0; u < app.view.n; ++u) {
      if (!wanted || `${app.nameOf(u)} ${names[classes[u]]} ${STATUS[status[u]]}`.toLowerCase().includes(wanted)) nodes.push(u);
    }
    const value = columns[this.by], sign = this.down ? -1 : 1;
    nodes.sort((a, b) => sign * (value(a) - value(b)) || a - b);
    const pages = Math.max(1, Math.ceil(nodes.length / each));
    this.page = Math.min(pages - 1, Math.max(0, this.page));
    $('rows').replaceChildren(...nodes.slice(each * this.page, each * (this.page + 1)).map((u) => make('tr', {},
      make('td', {}, make('button', {class: 'linklike', type: 'button', onclick: () => { this.dialog.close(); app.choose(u, true); }}, app.nameOf(u))),
      make('td', {}, names[classes[u]]), make('td', {}, percent(sure[u] / 255)), make('td', {}, STATUS[status[u]]),
      ...(other ? [make('td', {}, names[other[u]])] : []))));
    $('page').textContent = `${nodes.length.toLocaleString('en')} nodes, page ${this.page + 1} of ${pages}`;
    $('before').disabled = this.page === 0;
    $('after').disabled = this.page + 1 >= pages;
  }
}
