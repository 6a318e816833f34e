// SPDX-License-Identifier: MIT
// A second model beside the first: its answer in a picture of its own that moves along, where the two differ, and who is right more often.
import {$, make, percent} from './panels.js';
import {askBytes} from './server.js';
import {View} from './view.js';

export class Beside {
  constructor(app) {
    this.app = app;
    this.answer = null;
    $('split').addEventListener('click', () => this.toggle());
    $('differ').addEventListener('click', () => this.mark());
  }

  // After every change of the answer that it is compared with.
  async refresh() {
    if (!this.app.state.beside) return;
    this.answer = await askBytes('beside');
    $('besideSection').hidden = false;
    const {name, model, differ, judges, here, there, only_here, only_there} = this.answer, nodes = this.app.view.n;
    const line = (...parts) => make('p', {}, ...parts), bold = (text) => make('b', {}, text);
    $('beside').replaceChildren(
      line(bold(name), ` (${model}) as its file has it`),
      line('They differ on ', bold(`${differ.toLocaleString('en')} of ${nodes.toLocaleString('en')} nodes`), ` (${percent(differ / nodes)})`),
      judges ? line('Right: here ', bold(percent(here)), ', beside ', bold(percent(there)), ` of ${judges.toLocaleString('en')} nodes held back; `
        + `${only_here.toLocaleString('en')} only here, ${only_there.toLocaleString('en')} only beside`)
        : make('p', {class: 'quiet'}, 'No label is held back from both, so nothing says which is right more often.'));
    document.body.dataset.differ = differ;
    this.view?.setAnswer(this.answer);
  }

  get differing() {
    const {app: {answer}, answer: other} = this, nodes = [];
    for (let u = 0; u < answer.classes.length; ++u) if (answer.classes[u] !== other.classes[u]) nodes.push(u);
    return nodes;
  }

  mark() {
    const nodes = this.differing;
    this.app.mark(nodes, true);
    this.app.say(`${nodes.length} nodes have another class beside`);
  }

  toggle() {
    const {app} = this;
    if (!this.answer) return app.say('name two models to see them side by side: heatfront explore A.hf B.hf');
    const open = $('picture').toggleAttribute('data-split');
    $('split').setAttribute('aria-pressed', open);
    $('canvas2').hidden = !open;
    for (const id of ['caption', 'caption2']) $(id).hidden = !open;
    $('caption').textContent = app.state.model;
    $('caption2').textContent = `${this.answer.name} (${this.answer.model})`;
    if (open && !this.view) this.makeView();
    app.view.peer = open ? this.view : null;
    if (this.view) this.view.peer = open ? app.view : null;
    if (!open) return;
    this.view.setPlaces(app.view.asGiven);
    this.view.setAnswer(this.answer);
    app.mark(this.differing, true);
  }

  makeView() {
    const {app} = this;
    this.view = new View($('canvas2'), null);
    this.view.setGraph({places: app.view.asGiven, edges: app.view.edges}, app.view.turned);
    this.view.addEventListener('pick', ({detail}) => (detail < 0 ? app.clear() : app.choose(detail)));
    this.view.addEventListener('hover', ({detail}) => app.hover(detail, this.view));
  }

  // What the hint says of a node.
  words(u) {
    if (!$('picture').hasAttribute('data-split')) return '';
    const {classes, sure} = this.answer;
    return `; beside ${this.app.state.classes[classes[u]]}, ${percent(sure[u] / 255)} sure`;
  }
}
